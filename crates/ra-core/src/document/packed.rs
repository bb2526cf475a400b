//! The stored form of an outline: only the fields that can't be derived from others, in small numbers.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::outline::{Node, Outline, close_before};
use super::slug::{ascii_slug, github_anchor, slug};
use crate::text::Span;

/// An outline without derivable fields: positions, parents, and names that follow from the titles.
#[derive(Serialize, Deserialize)]
struct Packed {
    title: String,
    bytes: usize,
    lines: u32,
    sections: Vec<PackedNode>,
}

#[derive(Serialize, Deserialize)]
struct PackedNode {
    level: u8,
    title: String,
    slug: Name,
    anchor: Name,
    ascii_slug: Name,
    /// Relative to the start of the previous heading, in bytes and lines.
    start: usize,
    line: u32,
    heading: usize,
    span: usize,
    lines: u32,
}

/// A name that usually follows from the title.
#[derive(Serialize, Deserialize)]
enum Name {
    None,
    Derived,
    Given(String),
}

impl Name {
    fn pack(name: Option<&str>, derived: impl FnOnce() -> String) -> Self {
        match name {
            None => Name::None,
            Some(name) if name == derived() => Name::Derived,
            Some(name) => Name::Given(name.to_owned()),
        }
    }

    fn unpack(self, derived: impl FnOnce() -> String) -> Option<String> {
        match self {
            Name::None => None,
            Name::Derived => Some(derived()),
            Name::Given(name) => Some(name),
        }
    }
}

impl Serialize for Outline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Packed::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Outline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Packed::deserialize(deserializer).map(Outline::from)
    }
}

impl From<&Outline> for Packed {
    fn from(outline: &Outline) -> Self {
        let mut nodes = outline.nodes.iter();
        let document = nodes.next();
        let (title, bytes, lines) = document.map_or_else(Default::default, |document| {
            (document.title.clone(), document.span.end, document.lines.1)
        });
        let (mut start, mut line) = (0, 1);
        let sections = nodes.map(|node| {
            let section = PackedNode {
                level: node.level,
                slug: Name::pack(node.slug.as_deref(), || slug(&node.title)),
                anchor: Name::pack(node.anchor.as_deref(), || github_anchor(&node.title)),
                ascii_slug: Name::pack(node.ascii_slug.as_deref(), || ascii_slug(&node.title)),
                start: node.heading.start - start,
                line: node.lines.0 - line,
                heading: node.heading.len(),
                span: node.span.len(),
                lines: node.lines.1 - node.lines.0,
                title: node.title.clone(),
            };
            (start, line) = (node.heading.start, node.lines.0);
            section
        });
        Packed { sections: sections.collect(), title, bytes, lines }
    }
}

impl From<Packed> for Outline {
    fn from(packed: Packed) -> Self {
        let mut nodes = vec![Node::document(packed.title, packed.bytes, (1, packed.lines))];
        let mut open = vec![0];
        let (mut start, mut line) = (0usize, 1u32);
        for section in packed.sections {
            // An overflowing sum comes from damaged bytes; the check of the text against its hash then fails.
            start = start.saturating_add(section.start);
            line = line.saturating_add(section.line);
            let heading = Span::new(start, start.saturating_add(section.heading));
            let ord = nodes.len() as u32;
            let parent = close_before(&mut nodes, &mut open, heading.start);
            open.push(ord);
            nodes.push(Node {
                ord,
                end: ord + 1,
                parent: Some(parent),
                level: section.level,
                slug: section.slug.unpack(|| slug(&section.title)),
                anchor: section.anchor.unpack(|| github_anchor(&section.title)),
                ascii_slug: section.ascii_slug.unpack(|| ascii_slug(&section.title)),
                heading,
                span: Span::new(heading.end, heading.end.saturating_add(section.span)),
                lines: (line, line.saturating_add(section.lines)),
                title: section.title,
                children: 0,
            });
        }
        close_before(&mut nodes, &mut open, usize::MAX);
        Self { nodes }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::document::{DocumentKind, Outline, ParseOptions, parse};

    proptest! {
        #[test]
        fn packing_loses_nothing(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just("# One\n"), Just("## Two & more\n"), Just("### {#given}\n"), Just("# Über uns\n"),
                    Just("text\n"), Just("\n"), Just("Set\next\n===\n"), Just("---\ntitle: T\n---\n"), Just("\u{feff}"),
                    Just("# One\r\n"), Just("> # Quoted\n"), Just("## One {#id}\n"),
                    Just("# Один\n"), Just("## Promise<void>\n"),
                ],
                0..20,
            ),
        ) {
            let text = parts.concat();
            let options = ParseOptions { kind: DocumentKind::Markdown, file_name: "f.md", chunk_at_headings: true };
            let outline = parse(&text, &options).outline;
            let bytes = postcard::to_stdvec(&outline).unwrap();
            prop_assert_eq!(postcard::from_bytes::<Outline>(&bytes).unwrap(), outline);
        }
    }
}

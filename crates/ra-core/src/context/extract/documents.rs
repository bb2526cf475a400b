//! Splits documents into headings, running text and code, with the parsers that the index uses.

use super::region::Tiles;
use super::{Language, RegionKind, scan};
use crate::document::{self, Block, BlockKind, Document, DocumentKind, Link, ParseOptions, TitleSource};
use crate::text::Span;

/// Splits a document into regions. Returns the values of its front matter, each with the kind that it counts as; its
/// keys say nothing about the document.
pub(super) fn scan(text: &str, tiles: &mut Tiles<'_>) -> Vec<(RegionKind, String)> {
    let kind = kind_of(tiles.language());
    let parsed = document::parse(text, &ParseOptions { kind, file_name: "", chunk_at_headings: false });
    let start = parsed.front_matter.as_ref().map_or(0, |front_matter| front_matter.span.end);
    tiles.push(start, RegionKind::Ignored);
    let targets: Vec<Span> = parsed.links.iter().filter_map(|link| target(text, link)).collect();
    for block in document::blocks(text, start, kind) {
        match block.kind {
            BlockKind::Code => code(text, block, tiles),
            BlockKind::Heading => inline(block.span, &targets, RegionKind::Heading, tiles),
            _ => inline(block.span, &targets, RegionKind::Prose, tiles),
        }
    }
    if start > 0 { values(parsed) } else { Vec::new() }
}

fn kind_of(language: Language) -> DocumentKind {
    match language {
        Language::AsciiDoc => DocumentKind::Asciidoc,
        Language::Markdown => DocumentKind::Markdown,
        Language::Org => DocumentKind::Org,
        Language::Rst => DocumentKind::Rst,
        _ => DocumentKind::Plain,
    }
}

/// Returns the values of the front matter. The title, description and tags say what the document is about, like its
/// headings.
fn values(parsed: Document) -> Vec<(RegionKind, String)> {
    let title = (parsed.title_source == TitleSource::FrontMatter).then_some(parsed.title);
    let about = title.into_iter().chain(parsed.description).chain(parsed.tags);
    let others = parsed.properties.into_iter().map(|property| property.value);
    let about = about.map(|value| (RegionKind::Heading, value));
    about.chain(others.map(|value| (RegionKind::Prose, value))).collect()
}

/// Returns the span of `](target)` in a link.
fn target(text: &str, link: &Link) -> Option<Span> {
    let at = link.span.of(text).rfind("](")?;
    Some(Span::new(link.span.start + at, link.span.end))
}

/// Adds a block without the targets of its links.
fn inline(block: Span, targets: &[Span], kind: RegionKind, tiles: &mut Tiles<'_>) {
    let first = targets.partition_point(|target| target.start < block.start);
    for target in targets[first..].iter().take_while(|target| target.start < block.end) {
        tiles.push(target.start, kind);
        tiles.push(target.end.min(block.end), RegionKind::Ignored);
    }
    tiles.push(block.end, kind);
}

/// Adds a block of code. The line before the code, if there is one, names its language.
fn code(text: &str, block: Block, tiles: &mut Tiles<'_>) {
    let shown = block.span.of(text);
    let opener = shown.split_inclusive('\n').next().unwrap_or_default();
    let is_fenced = opener.starts_with(['`', '~', '.', '[', '#', '-']);
    let mut language = Language::Plain;
    if is_fenced {
        tiles.push(block.span.start + opener.len(), RegionKind::Ignored);
        let mut names = opener.split(|c: char| !c.is_alphanumeric() && c != '+' && c != '#');
        language = names.find_map(Language::of_tag).unwrap_or(Language::Plain);
    }
    scan::scan(text, block.span.end, language, tiles);
}

#[cfg(test)]
mod tests {
    use super::super::{regions, words};
    use super::*;

    fn shown(path: &str, text: &str) -> String {
        let show = |kind, text: &str| match kind {
            RegionKind::Prose => text.to_owned(),
            RegionKind::Ignored => "~".to_owned(),
            RegionKind::Heading => format!("h[{text}]"),
            RegionKind::Code => format!("code[{text}]"),
            other => format!("{other:?}[{text}]"),
        };
        regions(path, text).iter().map(|region| show(region.kind, region.span.of(text))).collect()
    }

    #[test]
    fn documents_are_split_as_the_index_reads_them() {
        for (path, text, expected) in [
            ("x.md", "# A\nb\n", "h[# A\n]b\n"),
            ("x.md", "A\n===\nb", "h[A\n===\n]b"),
            ("x.md", "- a\n---\n#no\n", "- a\n---\n#no\n"),
            ("x.md", "see [a](b(c).md \"t\") d", "see [a~ d"),
            ("x.md", "`[a](b)` and `Vec<String>`", "`[a](b)` and `Vec<String>`"),
            ("x.md", "```rust\nlet a; // b\n```\nc", "~code[let a; ]Comment[// b]code[\n```\n]c"),
            ("x.md", "---\ntitle: A\n---\n# B", "~h[# B]"),
            ("x.rst", "A\n~~~~\n\nb", "h[A\n~~~~\n\n]b"),
            ("x.adoc", "== A\n\nb", "h[== A\n\n]b"),
            ("x.org", "** A\nb", "h[** A\n]b"),
            ("x.txt", "A\n===\nb", "A\n===\nb"),
        ] {
            assert_eq!(shown(path, text), expected, "{path} {text:?}");
        }
    }

    #[test]
    fn values_of_the_front_matter_count_and_keys_do_not() {
        for (text, expected) in [
            ("---\ntitle: Apple bird\nlayout: crane\n---\ndove", "Apple=4 bird=4 crane=1 dove=1"),
            ("---\ntags:\n  - xylem\n  - yarn zinc\nauthor: quail\n---\n", "xylem=4 yarn=4 zinc=4 quail=1"),
            ("\u{feff}---\r\nTitle: Apple\r\n---\r\ndove", "Apple=4 dove=1"),
            ("+++\ntitle = \"Apple\"\n[extra]\nkey = \"value\"\n+++\ndove", "Apple=4 value=1 dove=1"),
        ] {
            let found: Vec<String> =
                words("x.md", text).iter().map(|word| format!("{}={}", word.text, word.weight)).collect();
            assert_eq!(found.join(" "), expected, "{text:?}");
        }
    }
}

//! The chunk tree of a document: the document itself and the sections under its headings, in pre-order.

use super::frontmatter::is_only_title;
use super::page::is_between_pages;
use super::slug::{Unique, ascii_slug, github_anchor, slug};
use super::structure::Heading;
use crate::text::{Lines, Span, composed, is_blank};

/// The separator between the titles of a breadcrumb.
const SEPARATOR: &str = " › ";

/// The chunk tree of one document. The first node is the document; the others follow in document order, which is the
/// pre-order of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// All nodes; `nodes[ord].ord == ord`.
    pub nodes: Vec<Node>,
}

/// The document or one section. Node *a* contains node *b* if and only if `a.ord <= b.ord && b.ord < a.end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The position in pre-order; 0 is the document.
    pub ord: u32,
    /// One past the position of the last descendant.
    pub end: u32,
    /// The position of the parent; `None` for the document.
    pub parent: Option<u32>,
    /// 0 for the document, 1 to 6 for a heading.
    pub level: u8,
    /// The heading's unique name within the document; `None` for the document.
    pub slug: Option<String>,
    /// The heading's explicit id (`{#id}`), else its GitHub anchor; `None` if it is the slug.
    pub anchor: Option<String>,
    /// The slug of only the heading's ASCII letters and digits, which older ids use; `None` if it is the slug.
    pub ascii_slug: Option<String>,
    /// The heading's text without markup, or the document's title.
    pub title: String,
    /// The whole lines of the heading with their line end; empty at 0 for the document.
    pub heading: Span,
    /// The span of the node: from the end of its heading to the next heading that isn't below it.
    pub span: Span,
    /// The 1-based first and last line of heading and span.
    pub lines: (u32, u32),
    /// The number of children.
    pub children: u32,
}

impl Outline {
    /// Builds the tree over `headings`, which are in document order and don't overlap.
    pub(super) fn build(text: &str, lines: &Lines, title: String, headings: Vec<Heading>) -> Self {
        let spans = section_spans(text.len(), &headings);
        let whole = Span::new(0, text.len());
        let mut nodes = vec![Node::document(title, text.len(), line_range(lines, whole))];
        let mut open: Vec<u32> = vec![0];
        let mut slugs = Unique::default();
        let mut ascii_slugs = Unique::default();
        let mut anchors = Unique::default();
        for (heading, span) in headings.into_iter().zip(spans) {
            // Every heading takes its names, even one without a node: `#setup-1` is then the same section here as on
            // GitHub, and filling an empty section renames no other.
            let slug = slugs.name(slug(&heading.title));
            let ascii_slug = ascii_slugs.name(ascii_slug(&heading.title));
            let github_title = heading.github_title.as_ref().unwrap_or(&heading.title);
            let github = anchors.name(github_anchor(github_title));
            if is_blank(span.of(text)) {
                continue;
            }
            let ord = nodes.len() as u32;
            let parent = close_before(&mut nodes, &mut open, heading.span.start);
            open.push(ord);
            nodes.push(Node {
                ord,
                end: ord + 1,
                parent: Some(parent),
                level: heading.level,
                anchor: Some(heading.id.unwrap_or(github))
                    .filter(|anchor| !anchor.is_empty() && *anchor != slug),
                ascii_slug: Some(ascii_slug).filter(|ascii_slug| *ascii_slug != slug),
                slug: Some(slug),
                title: heading.title,
                heading: heading.span,
                span,
                lines: line_range(lines, Span::new(heading.span.start, span.end)),
                children: 0,
            });
        }
        close_before(&mut nodes, &mut open, usize::MAX);
        Self { nodes }
    }

    /// Returns the node at `ord`.
    pub fn node(&self, ord: u32) -> Option<&Node> {
        self.nodes.get(ord as usize)
    }

    /// Returns the children of the node at `ord`, in document order.
    pub fn children(&self, ord: u32) -> impl Iterator<Item = &Node> {
        let end = self.node(ord).map_or(0, |node| node.end);
        let at = move |ord: u32| self.node(ord).filter(|node| node.ord < end);
        std::iter::successors(at(ord.saturating_add(1)), move |child| at(child.end))
    }

    /// Returns the spans of the node's own text: its span without the headings and spans of its children. No span is
    /// empty.
    pub fn body_spans(&self, ord: u32) -> impl Iterator<Item = Span> {
        let span = self.node(ord).map_or(Span::default(), |node| node.span);
        let holes = self.children(ord).map(|child| Span::new(child.heading.start, child.span.end));
        let mut at = span.start;
        holes.chain(std::iter::once(Span::new(span.end, span.end))).filter_map(move |hole| {
            let piece = Span::new(at, hole.start);
            at = hole.end;
            (!piece.is_empty()).then_some(piece)
        })
    }

    /// Returns the first and last line of the node's heading and own text, up to its first child.
    pub fn own_lines(&self, ord: u32) -> (usize, usize) {
        let Some(node) = self.node(ord) else { return (0, 0) };
        let last = self.children(ord).next().map_or(node.lines.1, |child| child.lines.0 - 1);
        (node.lines.0 as usize, last.max(node.lines.0) as usize)
    }

    /// Returns the node's own text, joined.
    pub fn body(&self, ord: u32, text: &str) -> String {
        self.body_spans(ord).map(|piece| piece.of(text)).collect()
    }

    /// Returns the parts of the node's own text that say something: more than white space, the marks of pages, and a
    /// title that the first heading repeats. Marks are all that a heading without text may have, as on a slide with a
    /// picture; its words must be found, so there they count.
    pub fn own_text<'a>(&'a self, ord: u32, text: &'a str) -> impl Iterator<Item = &'a str> {
        let first = self.nodes.get(1).filter(|first| ord == 0 && first.title == self.nodes[0].title);
        let is_repeated = move |piece: &str| first.is_some_and(|first| is_only_title(piece, &first.title));
        let is_leaf = self.node(ord).is_some_and(|node| node.level > 0 && node.children == 0);
        let is_empty = move |piece: &str| if is_leaf { is_blank(piece) } else { is_between_pages(piece) };
        let pieces = self.body_spans(ord).map(|piece| piece.of(text));
        pieces.filter(move |piece| !is_empty(piece) && !is_repeated(piece))
    }

    /// True if the node's own text says something.
    pub fn has_body(&self, ord: u32, text: &str) -> bool {
        self.own_text(ord, text).next().is_some()
    }

    /// Returns the positions of the nodes that have a body: the chunks to index.
    pub fn chunks(&self, text: &str) -> impl Iterator<Item = u32> {
        self.nodes.iter().map(|node| node.ord).filter(move |&ord| self.has_body(ord, text))
    }

    /// Returns the titles from the document to the node itself. Omits the first heading if it only repeats the
    /// document's title, and headings without text.
    pub fn hierarchy(&self, ord: u32) -> Vec<&str> {
        let document_title = self.nodes.first().map_or("", |document| document.title.as_str());
        let parent_of = |node: &&Node| node.parent.and_then(|parent| self.node(parent));
        let mut titles: Vec<&str> = std::iter::successors(self.node(ord), parent_of)
            .filter(|node| node.ord == 0 || !node.title.is_empty())
            .filter(|node| node.ord != 1 || node.title != document_title)
            .map(|node| node.title.as_str())
            .collect();
        titles.reverse();
        titles
    }

    /// Returns the position of the node in the document: `Document Title › Parent › Own`.
    pub fn breadcrumb(&self, ord: u32) -> String {
        self.hierarchy(ord).join(SEPARATOR)
    }

    /// Returns the section that a fragment names: by its slug, else by its anchor, else by its ASCII slug, ignoring
    /// case.
    pub fn find(&self, fragment: &str) -> Option<&Node> {
        let wanted = composed(fragment).to_lowercase();
        let is_wanted =
            |name: &Option<String>| name.as_ref().is_some_and(|name| composed(name).to_lowercase() == wanted);
        let by = |name: fn(&Node) -> &Option<String>| self.nodes.iter().find(|node| is_wanted(name(node)));
        by(|node| &node.slug).or_else(|| by(|node| &node.anchor)).or_else(|| by(|node| &node.ascii_slug))
    }
}

impl Node {
    /// Creates the node of a whole document.
    pub(super) fn document(title: String, bytes: usize, lines: (u32, u32)) -> Self {
        Node {
            ord: 0,
            end: 1,
            parent: None,
            level: 0,
            slug: None,
            anchor: None,
            ascii_slug: None,
            title,
            heading: Span::default(),
            span: Span::new(0, bytes),
            lines,
            children: 0,
        }
    }
}

/// Returns the span of every heading: from the end of its line to the start of the next heading of equal or lower
/// level, or to the end of the text.
fn section_spans(len: usize, headings: &[Heading]) -> Vec<Span> {
    // Iterating from the end: where the nearest heading of each level or a lower one starts.
    let mut ends = [len; 7];
    let mut spans = vec![Span::default(); headings.len()];
    for (span, heading) in spans.iter_mut().zip(headings).rev() {
        let level = usize::from(heading.level.min(6));
        *span = Span::new(heading.span.end, ends[level]);
        ends[level..].fill(heading.span.start);
    }
    spans
}

/// Closes the open nodes whose span ends at or before `start`, adds a child to the innermost one that stays open, and
/// returns its position. The document is never closed before the end of the text.
pub(super) fn close_before(nodes: &mut [Node], open: &mut Vec<u32>, start: usize) -> u32 {
    let end = nodes.len() as u32;
    while let Some(node) = open.last().and_then(|&ord| nodes.get_mut(ord as usize)) {
        if node.span.end > start {
            node.children += 1;
            return node.ord;
        }
        node.end = end;
        open.pop();
    }
    0
}

/// Returns the lines that `span` touches.
fn line_range(lines: &Lines, span: Span) -> (u32, u32) {
    let (first, last) = lines.range_of(span);
    (first as u32, last as u32)
}

#[cfg(test)]
mod tests {
    use crate::document::{Document, DocumentKind, ParseOptions, parse};

    fn document(text: &str) -> Document {
        parse(
            text,
            &ParseOptions { kind: DocumentKind::Markdown, file_name: "file.md", chunk_at_headings: true },
        )
    }

    /// Renders the tree as `level slug "body"` lines, indented by depth.
    fn drawn(text: &str) -> Vec<String> {
        let outline = document(text).outline;
        let draw = |ord: u32| {
            let node = outline.node(ord)?;
            let depth = outline.nodes.iter().filter(|other| other.ord < ord && ord < other.end).count();
            let slug = node.slug.as_deref().unwrap_or("-");
            Some(format!("{}{} {slug} {:?}", " ".repeat(depth), node.level, outline.body(ord, text)))
        };
        outline.nodes.iter().filter_map(|node| draw(node.ord)).collect()
    }

    #[test]
    fn sections_nest_by_level() {
        let text = "pre\n# A\na\n## B\nb\n#### C\nc\n## D\nd\n# E\ne\n";
        assert_eq!(
            drawn(text),
            [
                r#"0 - "pre\n""#,
                r#" 1 a "a\n""#,
                r#"  2 b "b\n""#,
                r#"   4 c "c\n""#,
                r#"  2 d "d\n""#,
                r#" 1 e "e\n""#
            ]
        );
        let outline = document(text).outline;
        let intervals: Vec<_> =
            outline.nodes.iter().map(|node| (node.ord, node.end, node.parent, node.children)).collect();
        assert_eq!(
            intervals,
            [
                (0, 6, None, 2),
                (1, 5, Some(0), 2),
                (2, 4, Some(1), 1),
                (3, 4, Some(2), 0),
                (4, 5, Some(1), 0),
                (5, 6, Some(0), 0)
            ]
        );
        let lines: Vec<_> = outline.nodes.iter().map(|node| node.lines).collect();
        assert_eq!(lines, [(1, 11), (2, 9), (4, 7), (6, 7), (8, 9), (10, 11)]);
        assert_eq!(outline.nodes[2].span.of(text), "b\n#### C\nc\n");
        assert_eq!(outline.nodes[2].heading.of(text), "## B\n");
        let children: Vec<u32> = outline.children(1).map(|node| node.ord).collect();
        assert_eq!(children, [2, 4]);
    }

    #[test]
    fn levels_may_be_skipped_or_start_deep() {
        assert_eq!(
            drawn("### A\na\n## B\nb\n# C\nc"),
            [r#"0 - """#, r#" 3 a "a\n""#, r#" 2 b "b\n""#, r#" 1 c "c""#]
        );
    }

    #[test]
    fn an_empty_section_is_text_of_its_parent() {
        for (text, expected) in [
            // The line of an empty heading stays in the body around it, in one or several pieces.
            (
                "# A\na\n## Empty\n\n## B\nb\n",
                vec![r#"0 - """#, r###" 1 a "a\n## Empty\n\n""###, r#"  2 b "b\n""#],
            ),
            ("# A\n## B\nb\n## Empty\n", vec![r#"0 - """#, r###" 1 a "## Empty\n""###, r#"  2 b "b\n""#]),
            (
                "# A\na\n## B\nb\n## Empty\n## C\nc\n## Last",
                vec![r#"0 - """#, r###" 1 a "a\n## Empty\n## Last""###, r#"  2 b "b\n""#, r#"  2 c "c\n""#],
            ),
            // A section that only contains an empty section isn't empty itself.
            ("# A\n## Empty\n", vec![r#"0 - """#, r###" 1 a "## Empty\n""###]),
            ("# Empty\n\n# Empty\n", vec![r##"0 - "# Empty\n\n# Empty\n""##]),
            // Names are assigned before sections are dropped.
            ("# Setup\n# Setup\ntext", vec![r##"0 - "# Setup\n""##, r#" 1 setup-1 "text""#]),
        ] {
            assert_eq!(drawn(text), expected, "{text:?}");
        }
    }

    #[test]
    fn chunks_are_the_nodes_with_text() {
        for (text, expected) in [
            ("", vec![]),
            ("\u{feff}\n\n", vec![]),
            ("text", vec![0]),
            ("# A\n\n## B\nb\n", vec![2]),
            ("\u{feff}# A\na\n", vec![1]),
            ("---\ntitle: T\n---\n# A\na\n", vec![0, 1]),
            ("---\ntitle: A\nlang: en\n---\n\n# A\na\n", vec![1]),
            ("---\ntitle: A\ntags: [x]\n---\n# A\na\n", vec![0, 1]),
            ("---\ntitle: A\n---\nb\n# A\na\n", vec![0, 1]),
            ("---\nlang: en\n---\n\n<!-- page 1 -->\n\n# A\na\n", vec![1]),
            ("---\ntitle: A\n: a note\n---\n# A\na\n", vec![0, 1]),
            ("---\nlang: the words of elves\n---\n# A\na\n", vec![0, 1]),
            ("<!-- page 1 -->\n\n# A\n\n<!-- page 2 -->\n\n## B\nb\n", vec![2]),
            ("# A\n\n<!-- page 2 -->\n\n# B\nb\n", vec![1, 2]),
            ("# A\n<!-- page 2 --> a\n## B\nb\n", vec![1, 2]),
        ] {
            let chunks: Vec<u32> = document(text).outline.chunks(text).collect();
            assert_eq!(chunks, expected, "{text:?}");
        }
    }

    #[test]
    fn breadcrumbs_lead_from_the_document_to_the_section() {
        for (text, ord, expected) in [
            ("text", 0, "file"),
            ("# Guide\na\n## Part\nb", 0, "Guide"),
            ("# Guide\na\n## Part\nb", 1, "Guide"),
            ("# Guide\na\n## Part\nb\n### Deep\nc", 3, "Guide › Part › Deep"),
            ("---\ntitle: T\n---\n# Guide\na\n## Part\nb", 2, "T › Guide › Part"),
            ("# Guide\na\n# Guide\nb", 2, "Guide › Guide"),
            ("## Intro\na\n# Guide\nb", 1, "Guide › Intro"),
            ("# A\na\n##\nb\n### C\nc", 3, "A › C"),
            ("text", 9, ""),
        ] {
            assert_eq!(document(text).outline.breadcrumb(ord), expected, "{text:?} {ord}");
        }
        let outline = document("# Guide\na\n## Part\nb").outline;
        assert_eq!(outline.hierarchy(2), ["Guide", "Part"]);
    }

    #[test]
    fn sections_are_found_by_slug_and_by_anchor() {
        let text = "# Rock & Roll\na\n# Überblick\nb\n# Setup {#Install}\nc\n# Overview\nd\n# Overview\ne\n";
        let outline = document(text).outline;
        for (fragment, title) in [
            ("rock-roll", Some("Rock & Roll")),
            ("rock--roll", Some("Rock & Roll")),
            ("berblick", Some("Überblick")),
            ("überblick", Some("Überblick")),
            ("ÜBERBLICK", Some("Überblick")),
            ("install", Some("Setup")),
            ("SETUP", Some("Setup")),
            ("nothing", None),
            ("", None),
        ] {
            assert_eq!(outline.find(fragment).map(|node| node.title.as_str()), title, "{fragment}");
        }
        assert_eq!(outline.find("overview-1").map(|node| node.ord), Some(5));
        assert_eq!(outline.find("overview").and_then(|node| node.anchor.as_deref()), None);
    }

    #[test]
    fn an_outline_survives_serialization() {
        let outline = document("# A {#x}\na\n## B\nb").outline;
        let json = serde_json::to_string(&outline).unwrap();
        assert_eq!(serde_json::from_str::<super::Outline>(&json).unwrap(), outline);
    }
}

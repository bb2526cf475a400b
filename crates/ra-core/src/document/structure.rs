//! What a format finds in a text: headings, links, tags and blocks.

use super::Link;
use crate::text::Span;

/// A heading in the text.
#[derive(Debug)]
pub(super) struct Heading {
    /// 1 to 6.
    pub(super) level: u8,
    /// The text without markup, with white space collapsed.
    pub(super) title: String,
    /// The text without the tags that GitHub takes for HTML, if that differs from the title.
    pub(super) github_title: Option<String>,
    /// The explicit id: `# Title {#id}`.
    pub(super) id: Option<String>,
    /// The whole lines of the heading, including the line end.
    pub(super) span: Span,
}

/// The results of one pass.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The headings in document order; no two share a line.
    pub(super) headings: Vec<Heading>,
    /// The links in document order.
    pub(super) links: Vec<Link>,
    /// All occurrences of inline tags, without their `#`.
    pub(super) tags: Vec<String>,
}

/// The kinds of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading without a section of its own.
    Heading,
    /// Lines of prose.
    Paragraph,
    /// An item of a list, with everything inside it.
    ListItem,
    /// Code, fenced or indented.
    Code,
    /// A table with its header.
    Table,
    /// A quote, a callout or a footnote.
    Quote,
    /// Raw HTML.
    Html,
}

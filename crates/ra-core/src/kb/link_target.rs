//! The target of a link, or why there is none.

use super::link_facts::LinkFacts;

/// The target of a link.
pub(super) enum LinkTarget<'a> {
    /// A document, or the section of it that the fragment names.
    Document(&'a LinkFacts, String),
    /// A file that isn't a document.
    Other,
    /// Nothing: this is missing.
    Missing(Missing),
    /// No root resolves it.
    Unresolved,
}

/// The reason why a link is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The file that a path names.
    File,
    /// The page that a wiki link names.
    Page,
    /// The heading in the document.
    Heading,
    /// The block in the document.
    Block,
}

impl Missing {
    /// Returns what is missing, for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "no such file",
            Self::Page => "no such page",
            Self::Heading => "no such heading",
            Self::Block => "no such block",
        }
    }
}

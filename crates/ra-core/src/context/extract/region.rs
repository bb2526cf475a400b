//! The regions of a text, and the builder that makes them cover all of it.

use super::{Language, weight};
use crate::text::Span;

/// What a part of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// A heading of a document, or the title, description or tags in its front matter.
    Heading,
    /// A comment that documents what it stands at.
    DocComment,
    /// Any other comment.
    Comment,
    /// A string in a program.
    StringLiteral,
    /// Running text.
    Prose,
    /// Program text.
    Code,
    /// What has no words worth finding: tags, link targets, keys of front matter, licence headers.
    Ignored,
}

impl RegionKind {
    /// What one occurrence of a word counts for here.
    pub fn weight(self) -> f32 {
        weight::of(self)
    }

    /// The name to show in an explanation.
    pub fn name(self) -> &'static str {
        match self {
            RegionKind::Heading => "heading",
            RegionKind::DocComment => "doc comment",
            RegionKind::Comment => "comment",
            RegionKind::StringLiteral => "string",
            RegionKind::Prose => "text",
            RegionKind::Code => "code",
            RegionKind::Ignored => "ignored",
        }
    }
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// What it is.
    pub kind: RegionKind,
    /// The language it is written in: code inside of a document has its own.
    pub language: Language,
    /// Where it is.
    pub span: Span,
}

/// Regions in the making. Each one begins where the last one ended, so that they cannot overlap or leave a
/// gap.
pub(super) struct Tiles<'a> {
    text: &'a str,
    language: Language,
    regions: Vec<Region>,
    end: usize,
}

impl<'a> Tiles<'a> {
    pub(super) fn new(text: &'a str, language: Language) -> Self {
        Self { text, language, regions: Vec::new(), end: 0 }
    }

    /// The language of the file.
    pub(super) fn language(&self) -> Language {
        self.language
    }

    /// Where the next region begins.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// What follows the last region, up to `end`, is of this kind.
    pub(super) fn push(&mut self, end: usize, kind: RegionKind) {
        self.push_in(self.language, end, kind);
    }

    /// The same for a part in another language than the file.
    pub(super) fn push_in(&mut self, language: Language, end: usize, kind: RegionKind) {
        let end = self.text.floor_char_boundary(end);
        if end <= self.end {
            return;
        }
        match self.regions.last_mut() {
            Some(last) if last.kind == kind && last.language == language => last.span.end = end,
            _ => self.regions.push(Region { kind, language, span: Span::new(self.end, end) }),
        }
        self.end = end;
    }

    /// All regions. What no scanner spoke for is left to the kind that counts for least.
    pub(super) fn finish(mut self) -> Vec<Region> {
        self.push(self.text.len(), RegionKind::Prose);
        self.regions
    }
}

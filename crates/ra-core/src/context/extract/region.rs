//! The regions of a text, and the builder that makes them cover all of it.

use super::{Language, weight};
use crate::text::Span;

/// The kind of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegionKind {
    /// A comment that documents an item.
    DocComment,
    /// Any other comment.
    Comment,
    /// A string in a program.
    StringLiteral,
    /// Running text.
    Prose,
    /// Program text.
    Code,
    /// Without useful words: a license header.
    Ignored,
}

impl RegionKind {
    /// Returns the weight of one occurrence of a word in this region.
    pub fn weight(self) -> f32 {
        weight::of(self)
    }

    /// Returns the name shown in an explanation.
    pub fn name(self) -> &'static str {
        match self {
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
pub(super) struct Region {
    /// Its kind.
    pub kind: RegionKind,
    /// The language of the file.
    pub language: Language,
    /// Its span in the text.
    pub span: Span,
}

/// Builds regions. Each begins where the previous one ended, so they can't overlap or leave a gap.
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

    /// Adds a region of this kind from the end of the last one to `end`.
    pub(super) fn push(&mut self, end: usize, kind: RegionKind) {
        let end = self.text.floor_char_boundary(end);
        if end <= self.end {
            return;
        }
        match self.regions.last_mut() {
            Some(last) if last.kind == kind => last.span.end = end,
            _ => self.regions.push(Region { kind, language: self.language, span: Span::new(self.end, end) }),
        }
        self.end = end;
    }

    /// Returns all regions. Text that no scanner claimed is prose.
    pub(super) fn finish(mut self) -> Vec<Region> {
        self.push(self.text.len(), RegionKind::Prose);
        self.regions
    }
}

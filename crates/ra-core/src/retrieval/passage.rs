//! A result with its text: its sections, and which of their blocks are shown within a token budget.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::block_order::{BlockOrder, best_block};
use super::passage_section::{PassageSection, Role};
use crate::document::{Block, DocumentKind, Pages};
use crate::id::ChunkId;
use crate::index::{LanguageId, Match, Translation};
use crate::text::{Lines, Span};

/// A result with its text.
#[derive(Clone, Debug)]
pub struct Passage {
    /// The chunk, or the section that represents several chunks.
    pub id: ChunkId,
    /// The format of its document.
    pub kind: DocumentKind,
    /// Its position in the document, as the trace gives it.
    pub ord: u32,
    /// Its heading.
    pub title: String,
    /// Its headings, from that of the document to its own.
    pub breadcrumb: String,
    /// The heading level; 0 for a document.
    pub level: u8,
    /// The score.
    pub score: f32,
    /// The first and last line in the source file, counted from 1.
    pub lines: (usize, usize),
    /// Its pages, if the file has pages.
    pub pages: Option<Pages>,
    /// Other sections of the document that are shown with it, best first.
    pub companions: Vec<PassagePart>,
    /// The language of its document.
    pub language: LanguageId,
    /// The same page in other languages, by language.
    pub translations: Vec<Translation>,
    /// The tokens of all its text, as counted at index time.
    pub tokens: usize,
    /// The matching chunks in this result. Empty if the result is a single chunk.
    pub parts: Vec<PassagePart>,
    /// Its own sections, then those of each companion.
    pub(super) sections: Arc<[PassageSection]>,
    /// The text of each companion.
    pub(super) companion_texts: Vec<CompanionText>,
    /// The tokens of all sections.
    pub(super) all_tokens: usize,
    /// The weight of a match of each query term.
    pub(super) weights: Arc<[f32]>,
    /// The maximum number of tokens to show.
    pub(super) max_tokens: usize,
    /// The order in which the text is shown, computed on first use.
    pub(super) growth: OnceLock<Arc<BlockOrder>>,
}

/// A matching chunk inside a result.
#[derive(Clone, Debug)]
pub struct PassagePart {
    /// The chunk.
    pub id: ChunkId,
    /// Its position in the document, as the trace gives it.
    pub ord: u32,
    /// Its heading.
    pub title: String,
    /// Its first and last line.
    pub lines: (usize, usize),
    /// Its own score.
    pub score: f32,
}

/// The text of a companion.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompanionText {
    /// The number of its first section.
    pub(super) start: usize,
    /// Its tokens, as counted at index time.
    pub(super) tokens: usize,
}

/// Contiguous text of a section that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextRun {
    /// The number of the section.
    pub section: usize,
    /// The byte range in its text.
    pub span: Span,
    /// The block that the run is a part of, unless it consists of whole blocks.
    pub cut: Option<Block>,
}

/// Returns the pages from the first to the last of several ranges.
fn all_pages(ranges: impl Iterator<Item = Pages>) -> Option<Pages> {
    ranges.reduce(|all, range| (all.0.min(range.0), all.1.max(range.1)))
}

impl Passage {
    /// Returns a result without text with its text, of which at most `max_tokens` tokens are shown. Front matter is
    /// left out unless nothing else matches.
    pub(super) fn with_sections(
        mut self,
        mut sections: Vec<PassageSection>,
        weights: Arc<[f32]>,
        max_tokens: usize,
    ) -> Self {
        let mut own = self.companion_texts.first().map_or(sections.len(), |companion| companion.start);
        if let [first, others @ ..] = &sections[..own]
            && first.says_nothing()
            && others.iter().any(|other| other.role == Role::Match)
        {
            sections.remove(0);
            own -= 1;
            self.companion_texts.iter_mut().for_each(|companion| companion.start -= 1);
        }
        let own = &sections[..own];
        let lines = |section: &PassageSection| section.lines_of(section.shown());
        let first = own.first().map_or(1, |section| lines(section).0);
        let last = own.last().map_or(first, |section| lines(section).1);
        let mut parts = self.parts;
        // The lines of a document's own text begin with its front matter, which isn't shown.
        parts.iter_mut().for_each(|part| part.lines = (part.lines.0.max(first), part.lines.1.max(first)));
        Self {
            parts,
            lines: (first, last),
            pages: all_pages(own.iter().filter_map(|section| section.pages)),
            sections: sections.into(),
            weights,
            max_tokens,
            ..self
        }
    }

    /// Returns the sections, in document order, and after them those of its companions.
    pub fn sections(&self) -> &[PassageSection] {
        &self.sections
    }

    /// Returns the number of the companion that a section belongs to, or `None` for the result's own sections.
    pub fn companion_of(&self, section: usize) -> Option<usize> {
        self.companion_texts.partition_point(|companion| companion.start <= section).checked_sub(1)
    }

    /// Returns the sections of a companion, in document order, or the result's own.
    pub fn sections_of(&self, companion: Option<usize>) -> &[PassageSection] {
        let next = companion.map_or(0, |nr| nr + 1);
        let start_of =
            |nr: usize| self.companion_texts.get(nr).map_or(self.sections.len(), |companion| companion.start);
        &self.sections[companion.map_or(0, start_of)..start_of(next)]
    }

    /// Removes the companions that `is_dropped` selects, with their text.
    pub fn drop_companions(&mut self, is_dropped: impl Fn(&PassagePart) -> bool) {
        if !self.companions.iter().any(&is_dropped) {
            return;
        }
        let mut sections = self.sections_of(None).to_vec();
        let mut companions = Vec::new();
        let mut texts = Vec::new();
        for (nr, (companion, text)) in self.companions.iter().zip(&self.companion_texts).enumerate() {
            if is_dropped(companion) {
                self.all_tokens -= text.tokens;
            } else {
                companions.push(companion.clone());
                texts.push(CompanionText { start: sections.len(), ..*text });
                sections.extend_from_slice(self.sections_of(Some(nr)));
            }
        }
        (self.companions, self.companion_texts, self.sections) = (companions, texts, sections.into());
        self.growth = OnceLock::new();
    }

    /// Returns the sections that aren't only context.
    pub fn matching_sections(&self) -> impl Iterator<Item = &PassageSection> {
        self.sections.iter().filter(|section| section.role == Role::Match)
    }

    /// True if the result has context sections.
    pub fn is_expanded(&self) -> bool {
        self.sections.iter().any(|section| section.role == Role::Context)
    }

    /// Returns the matching chunk with the best score.
    pub fn best_part(&self) -> Option<&PassagePart> {
        self.parts.iter().rev().max_by(|a, b| a.score.total_cmp(&b.score))
    }

    /// Returns the matching texts, in order.
    pub fn matched_texts(&self) -> impl Iterator<Item = &str> {
        self.matching_sections()
            .flat_map(|section| section.matches.iter().map(|found| found.span.of(&section.text)))
    }

    /// Adds the matches of another query in the same result.
    pub(crate) fn add_matches(&mut self, other: &Passage) {
        let mut sections = self.sections.to_vec();
        for section in &mut sections {
            let same = other.sections.iter().filter(|other| other.span == section.span);
            section.matches.extend(same.flat_map(|other| &other.matches));
            section.matches.sort();
        }
        self.sections = sections.into();
        self.growth = OnceLock::new();
    }

    /// True if the whole result, with its companions, has at most `tokens` tokens and may be shown completely.
    pub fn is_short(&self, tokens: usize) -> bool {
        self.all_tokens <= tokens.min(self.max_tokens)
    }

    /// Returns the number of steps in which the text grows, from the best piece to everything that may be shown.
    pub fn steps(&self) -> usize {
        self.growth().additions.len()
    }

    /// Returns the number of steps after which the first block is complete.
    pub fn block_steps(&self) -> usize {
        self.growth().seed_pieces.min(self.steps())
    }

    /// Returns the tokens of the text after a number of steps.
    pub fn tokens_after(&self, steps: usize) -> usize {
        steps.checked_sub(1).and_then(|last| self.growth().additions.get(last)).map_or(0, |last| last.total)
    }

    /// Returns the text after all steps, in document order: all of it, unless it exceeds the token limit.
    pub fn all_runs(&self) -> Vec<TextRun> {
        if self.all_tokens > self.max_tokens {
            return self.runs_after(self.steps());
        }
        let whole = |(nr, section): (usize, &PassageSection)| TextRun {
            section: nr,
            span: section.shown(),
            cut: None,
        };
        self.sections.iter().enumerate().map(whole).collect()
    }

    /// Returns the text after a number of steps, in document order. Each step only adds to the previous one.
    pub fn runs_after(&self, steps: usize) -> Vec<TextRun> {
        let growth = self.growth();
        let additions = &growth.additions[..steps.min(growth.additions.len())];
        // How many bytes of each block are shown that is shown in pieces.
        let mut pieces: HashMap<(usize, Span), usize> = HashMap::new();
        for added in additions {
            if let Some(block) = added.block {
                *pieces.entry((added.section, block.span)).or_default() += added.span.len();
            }
        }
        let is_cut = |section: usize, block: &Block| pieces[&(section, block.span)] < block.span.len();
        let mut shown: Vec<TextRun> = Vec::new();
        for added in additions {
            let section = added.section;
            let heading = Span::new(0, self.sections[section].heading);
            if !heading.is_empty() && !shown.iter().any(|run| run.section == section) {
                shown.push(TextRun { section, span: heading, cut: None });
            }
            let cut = added.block.filter(|block| is_cut(section, block));
            shown.push(TextRun { section, span: added.span, cut });
        }
        shown.sort_by_key(|run| (run.section, run.span));
        let mut runs: Vec<TextRun> = Vec::new();
        for run in shown {
            match runs.last_mut() {
                Some(last) if last.section == run.section && self.continues(last, &run) => {
                    last.span.end = last.span.end.max(run.span.end);
                    last.cut = run.cut;
                }
                _ => runs.push(run),
            }
        }
        runs
    }

    /// True if a text belongs to the run before it: it is the next one, and both are pieces of the same block or neither
    /// is. The heading belongs to any text.
    fn continues(&self, run: &TextRun, next: &TextRun) -> bool {
        let is_heading = run.span.end <= self.sections[run.section].heading;
        next.span.start <= run.span.end && (run.cut == next.cut || is_heading)
    }

    /// Returns the best matching block, and its section.
    pub fn best_block(&self) -> Option<(&PassageSection, Block)> {
        let (section, block) = best_block(&self.sections, &self.weights)?;
        Some((&self.sections[section], block))
    }

    fn growth(&self) -> &BlockOrder {
        self.growth.get_or_init(|| {
            let max_tokens = if self.all_tokens > self.max_tokens { self.max_tokens } else { usize::MAX };
            Arc::new(BlockOrder::new(&self.sections, &self.weights, max_tokens))
        })
    }

    /// Returns the matching lines, each with its text and the matches in it.
    pub fn matching_lines(&self) -> Vec<MatchingLine<'_>> {
        let mut found: Vec<MatchingLine<'_>> = Vec::new();
        for section in self.matching_sections().filter(|section| !section.matches.is_empty()) {
            let lines = Lines::new(&section.text);
            for Match { span, .. } in &section.matches {
                let line = lines.line_of(span.start);
                let number = section.line + line - 1;
                let of_line = lines.span_of(line);
                match found.last_mut().filter(|last| last.number == number) {
                    Some(last) => last.matches.push(span.minus(of_line.start)),
                    None => found.push(MatchingLine {
                        number,
                        text: of_line.of(&section.text).trim_end_matches(['\n', '\r']),
                        matches: vec![span.minus(of_line.start)],
                    }),
                }
            }
        }
        found
    }
}

/// A matching line.
#[derive(Clone, Debug)]
pub struct MatchingLine<'a> {
    /// Its number in the source file, counted from 1.
    pub number: usize,
    /// Its text, without the line ending.
    pub text: &'a str,
    /// The byte ranges of the matches in the text, in order. They may overlap.
    pub matches: Vec<Span>,
}

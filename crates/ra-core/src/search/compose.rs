//! Text that grows out of runs of the source and what is added between them.

use std::collections::BTreeSet;

use super::fence::Fences;
use super::highlight::{MORE, window};
use super::window::Line;
use crate::document::front_matter_end;
use crate::text::escape::{self, Edit, MARK};
use crate::text::{Span, breaks_inside, lines};

/// A run of lines from the source file in the text that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its place in the text.
    pub span: Span,
    /// Its first line in the source file, counted from 1.
    pub line: usize,
}

/// A run of text that belongs to a result, as the source file has it.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// Its bytes in the source.
    pub(super) span: Span,
    /// Its first line, counted from 1.
    pub(super) line: usize,
    /// The length of the heading that it begins with, in bytes.
    pub(super) heading: usize,
    pub(super) text: String,
    pub(super) matches: Vec<Span>,
    pub(super) role: Role,
}

/// Why a section is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It matches, or stands for what does.
    Match,
    /// It stands near one that matches.
    Context,
}

impl Section {
    pub(super) fn count(&self) -> usize {
        1 + breaks_inside(&self.text)
    }

    /// The lines of the section, which is the one with this number.
    pub(super) fn lines(&self, section: usize) -> Vec<Line> {
        let front = if self.line == 1 { front_matter_end(&self.text) } else { 0 };
        let mut start = 0;
        let line = |(text, number): (&str, usize)| {
            let span = Span::new(start, start + text.len());
            let is_heading = start == 0 && self.heading > 0;
            let is_front = start < front;
            start = span.end;
            let is_blank = text.trim().is_empty();
            Line {
                section,
                span,
                number,
                is_heading,
                is_front,
                is_blank,
                matches: Vec::new(),
                words: BTreeSet::new(),
            }
        };
        let mut all: Vec<Line> = lines(&self.text).zip(self.line..).map(line).collect();
        for span in &self.matches {
            let after = all.partition_point(|line| line.span.start <= span.start);
            if let Some(line) = after.checked_sub(1).map(|at| &mut all[at]) {
                line.matches.push(span.minus(line.span.start));
                line.words.insert(span.of(&self.text).to_lowercase());
            }
        }
        all
    }
}

/// Text that grows out of runs of the source and what is added between them.
#[derive(Default)]
pub(super) struct Composition {
    pub(super) content: String,
    pub(super) runs: Vec<Run>,
    pub(super) matches: Vec<Span>,
}

impl Composition {
    /// Whole sections, the first of which is expected on a line. What is not next to what stands before it in the
    /// source is told apart by its lines.
    pub(super) fn sections(&mut self, line: usize, sections: &[&Section]) {
        for (nr, run) in sections.chunk_by(|a, b| a.span.end == b.span.start).enumerate() {
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            if nr > 0 || first.line != line {
                self.gap(first.line, last.line + last.count() - 1);
            }
            run.iter().for_each(|section| self.section(section));
        }
    }

    pub(super) fn section(&mut self, section: &Section) {
        self.finish_line();
        let start = self.content.len();
        self.content.push_str(&section.text);
        self.runs.push(Run { span: Span::new(start, self.content.len()), line: section.line });
        self.matches.extend(section.matches.iter().map(|span| span.plus(start)));
        let mut fences = Fences::default();
        fences.text(&section.text);
        self.closed(&fences);
    }

    /// Says which lines follow.
    pub(super) fn gap(&mut self, first: usize, last: usize) {
        self.mark(&format!("lines {first}-{last}"));
    }

    /// Says something of the text, in a line that no document can write.
    pub(super) fn mark(&mut self, what: &str) {
        self.add(&format!("{MARK}{what} ───\n"));
    }

    /// A line that is not at its place in the source.
    fn add(&mut self, line: &str) {
        self.finish_line();
        self.content.push_str(line);
    }

    pub(super) fn begin(&mut self, line: usize) {
        self.runs.push(Run { span: Span::new(self.content.len(), self.content.len()), line });
    }

    pub(super) fn line(&mut self, text: &str, matches: &[Span]) {
        let start = self.content.len();
        self.content.push_str(text);
        self.matches.extend(matches.iter().map(|span| span.plus(start)));
    }

    /// A part of a line that is too long to be shown, in a run of lines, and whatever follows it in a new one.
    pub(super) fn excerpt(&mut self, number: usize, text: &str, matches: &[Span], size: usize) {
        let text = text.trim_end();
        let window = window(text, matches, size.saturating_sub(2 * MORE.len() + 1));
        let shown = matches.iter().filter(|span| window.contains(**span));
        let shown: Vec<Span> = shown.map(|span| span.minus(window.start)).collect();
        self.end();
        if window.start > 0 {
            self.content.push_str(MORE);
        }
        self.begin(number);
        self.line(window.of(text), &shown);
        self.end();
        if window.end < text.len() {
            self.content.push_str(MORE);
        }
        self.content.push('\n');
        self.begin(number + 1);
    }

    pub(super) fn end(&mut self) {
        let end = self.content.len();
        if self.runs.pop_if(|run| run.span.start == end).is_some() {
            return;
        }
        if let Some(run) = self.runs.last_mut() {
            run.span.end = end;
        }
    }

    /// Opens the block that what follows stands in.
    pub(super) fn opened(&mut self, fences: &Fences) {
        if let Some(fence) = fences.open() {
            self.add(&fence.opening());
        }
    }

    /// Closes the block that what was last added leaves open.
    pub(super) fn closed(&mut self, fences: &Fences) {
        if let Some(fence) = fences.open() {
            self.add(&fence.closing());
        }
    }

    pub(super) fn finish_line(&mut self) {
        if !self.content.is_empty() && !self.content.ends_with('\n') {
            self.content.push('\n');
        }
    }
}

/// The first and the last line of sections in the source.
pub(super) fn lines_of(sections: &[Section]) -> (usize, usize) {
    let first = sections.first().map_or(1, |section| section.line);
    let last = sections.last().map_or(first, |section| section.line + section.count() - 1);
    (first, last)
}

/// The edits that make composed text safe to show. Only lines that begin in a run come from the document.
pub(super) fn edits(content: &str, runs: &[Run]) -> Vec<Edit> {
    escape::document_edits(content, |at| {
        let after = runs.partition_point(|run| run.span.start <= at);
        after.checked_sub(1).is_some_and(|nr| at < runs[nr].span.end)
    })
}

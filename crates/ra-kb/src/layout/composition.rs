//! The text of a result: runs of the source, with marks that say what is left out between them.

use ra_core::document::BlockKind;
use ra_core::retrieval::{Passage, PassageSection, TextRun};
use ra_core::text::escape::{self, Edit, MARK};
use ra_core::text::{Span, breaks_inside};

use super::fence::Fences;
use super::highlight::{MORE, join};

/// Text that is made of runs of the source and of lines that were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Composition {
    pub(crate) text: String,
    /// Where the text is that comes from the source; everything else was added.
    pub(crate) sources: Vec<SourceText>,
    /// Where the matches are, in order and apart from each other.
    pub(crate) matches: Vec<Span>,
    /// Whether all of the result is in it.
    pub(crate) is_whole: bool,
    /// The lines of the result that are in it.
    lines: usize,
}

/// Consecutive text of the source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceText {
    pub(crate) span: Span,
    /// Its first line in the source file, counted from 1.
    pub(crate) line: usize,
}

impl Composition {
    /// The text that runs of a result give.
    pub(crate) fn new(passage: &Passage, runs: &[TextRun]) -> Self {
        let mut composition = Self::of_runs(passage, runs);
        composition.matches = join(std::mem::take(&mut composition.matches));
        composition
    }

    /// Says how much of the result is shown, unless that is all.
    pub(crate) fn count_lines(&mut self, passage: &Passage) {
        if !self.is_whole {
            let all: usize = passage.sections().iter().map(PassageSection::line_count).sum();
            self.mark(&format!("{} of {all} lines; get shows all", self.lines));
        }
    }

    fn of_runs(passage: &Passage, runs: &[TextRun]) -> Self {
        let sections = passage.sections();
        let mut composition = Self::default();
        let mut lines = 0;
        // Where in the source the next run has to begin, if nothing is left out.
        let mut expected = sections.first().map(|section| section.span.start);
        for run in runs {
            let section = &sections[run.section];
            let source = run.span.plus(section.span.start);
            let (first, last) = section.lines_of(run.span);
            let fences = open_fences(section, run);
            if expected != Some(source.start) || run.cut.is_some() {
                composition.mark(&match run.cut {
                    None => format!("lines {first}-{last}"),
                    Some(block) => {
                        let all = 1 + breaks_inside(block.span.of(&section.text).trim());
                        format!("lines {first}-{last}, cut from {} of {all} lines", name(block.kind))
                    }
                });
            }
            composition.run(section, run, fences);
            lines += last - first + 1;
            expected = Some(source.end);
        }
        let all: usize = sections.iter().map(PassageSection::line_count).sum();
        composition.is_whole = lines == all && runs.iter().all(|run| run.cut.is_none());
        composition.lines = lines;
        composition
    }

    /// Adds a run. Code blocks that it begins or ends in are opened and closed, and a part of a cut block follows its header.
    fn run(&mut self, section: &PassageSection, run: &TextRun, mut fences: Fences) {
        let text = section.text.as_str();
        let mut span = run.span;
        if let Some(fence) = fences.open() {
            let first = span.of(text).split_inclusive('\n').next().unwrap_or_default();
            if fence.is_closed_by(first) {
                // Only the end of a code block would be shown.
                span.start += first.len();
                fences.text(first);
            } else {
                self.add(&fence.opening());
            }
        }
        let header = run.cut.and_then(|block| block.header(text));
        match header.filter(|header| header.len() <= MAX_HEADER_BYTES) {
            Some(header) if header.end <= span.start => self.source(section, header),
            // The line below the header of a table is a row like others.
            Some(header) if header.start < span.start => span.start = header.start,
            _ => {}
        }
        let last = span.of(text).trim_end().rfind('\n').map_or(0, |end| end + 1);
        fences.text(&span.of(text)[..last]);
        let was_open = fences.open().is_some();
        fences.text(&span.of(text)[last..]);
        match fences.open() {
            // Only the beginning of a code block would be shown.
            Some(_) if !was_open => {
                span.end = span.start + last;
                self.source(section, span);
            }
            Some(fence) => {
                self.source(section, span);
                self.add(&fence.closing());
            }
            None => self.source(section, span),
        }
    }

    /// Adds text of a section as the source has it. What goes on before or after it on the same line is hinted at.
    fn source(&mut self, section: &PassageSection, span: Span) {
        if span.is_empty() {
            return;
        }
        self.finish_line();
        let text = section.text.as_str();
        if span.start > 0 && !text[..span.start].ends_with('\n') {
            self.text.push_str(MORE);
        }
        let start = self.text.len();
        self.text.push_str(span.of(text));
        self.sources
            .push(SourceText { span: Span::new(start, self.text.len()), line: section.lines_of(span).0 });
        let found = section.matches_in(span).iter().map(|found| found.span.minus(span.start).plus(start));
        self.matches.extend(found.filter(|found| found.end <= self.text.len()));
        if span.end < text.len() && !self.text.ends_with('\n') {
            self.text.push_str(MORE);
            self.text.push('\n');
        }
    }

    /// Says something of the text, in a line that no document can write.
    fn mark(&mut self, what: &str) {
        self.add(&format!("{MARK}{what} ───\n"));
    }

    /// Adds a line that is not at its place in the source.
    fn add(&mut self, line: &str) {
        self.finish_line();
        self.text.push_str(line);
    }

    fn finish_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// The edits that make the text safe to show. Only lines that begin in the source come from a document.
    pub(crate) fn edits(&self) -> Vec<Edit> {
        escape::document_edits(&self.text, |at| {
            let after = self.sources.partition_point(|source| source.span.start <= at);
            after.checked_sub(1).is_some_and(|nr| at < self.sources[nr].span.end)
        })
    }
}

/// A longer header is not repeated above a part of its block.
const MAX_HEADER_BYTES: usize = 400;

/// The code blocks that are open where a run begins: inside the block that it is cut from. Whole blocks begin outside of any.
fn open_fences(section: &PassageSection, run: &TextRun) -> Fences {
    let mut fences = Fences::default();
    if let Some(block) = run.cut {
        fences.text(Span::new(block.span.start, run.span.start).of(&section.text));
    }
    fences
}

/// What a block is called in a mark.
fn name(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::FrontMatter => "metadata",
        BlockKind::Heading => "a heading",
        BlockKind::Paragraph => "a paragraph",
        BlockKind::ListItem => "a list item",
        BlockKind::Code => "a code block",
        BlockKind::Table => "a table",
        BlockKind::Quote => "a quote",
        BlockKind::Html => "an HTML block",
    }
}

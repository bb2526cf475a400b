//! The text of a result: runs of the source, with markers that say what is omitted between them.

use ra_core::document::BlockKind;
use ra_core::retrieval::{Passage, PassagePart, PassageSection, TextRun};
use ra_core::text::escape::{self, Edit, MARK};
use ra_core::text::{Span, breaks_inside};

use super::fence::Fences;
use super::highlight::{MORE, join};

/// Text that consists of runs of the source and of added lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Composition {
    pub(crate) text: String,
    /// The parts of the text that come from the source; everything else was added.
    pub(crate) sources: Vec<SourceText>,
    /// The matches, sorted and disjoint.
    pub(crate) matches: Vec<Span>,
    /// True if the text contains the whole result.
    pub(crate) is_whole: bool,
}

/// Whether an incomplete text says how many of its lines are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineCounts {
    Shown,
    Hidden,
}

/// Consecutive text of the source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceText {
    pub(crate) span: Span,
    /// Its first line in the source file, counted from 1.
    pub(crate) line: usize,
}

impl Composition {
    /// Composes the text of some runs of a result.
    pub(crate) fn new(passage: &Passage, runs: &[TextRun], counts: LineCounts) -> Self {
        let mut composition = Self::default();
        composition.add_runs(passage, runs, counts);
        composition.matches = join(std::mem::take(&mut composition.matches));
        composition
    }

    fn add_runs(&mut self, passage: &Passage, runs: &[TextRun], counts: LineCounts) {
        self.is_whole = runs.iter().all(|run| run.cut.is_none());
        let mut rest = runs;
        for companion in std::iter::once(None).chain((0..passage.companions.len()).map(Some)) {
            let count = rest.iter().take_while(|run| passage.companion_of(run.section) == companion).count();
            let (runs, others) = rest.split_at(count);
            rest = others;
            let sections = passage.sections_of(companion);
            let all: usize = sections.iter().map(PassageSection::line_count).sum();
            let lines = |run: &TextRun| {
                let (first, last) = passage.sections()[run.section].lines_of(run.span);
                last - first + 1
            };
            let shown: usize = runs.iter().map(lines).sum();
            self.is_whole &= shown == all;
            if let Some(nr) = companion.filter(|_| !runs.is_empty()) {
                let cut = (shown < all).then_some(shown);
                self.mark(&format!("also {}", companion_head(&passage.companions[nr], cut)));
            }
            // Where the next run has to begin in the source if nothing is omitted.
            let mut expected = sections.first().map(|section| section.shown().plus(section.span.start).start);
            for (nr, run) in runs.iter().enumerate() {
                let section = &passage.sections()[run.section];
                if expected != Some(run.span.plus(section.span.start).start) || run.cut.is_some() {
                    self.mark(&place_of(passage, &runs[nr..]));
                }
                self.run(section, run, open_fences(section, run));
                expected = Some(section.source_after(run.span));
            }
            if companion.is_none() && shown < all && counts == LineCounts::Shown {
                self.mark(&format!("{shown} of {all} lines; get shows all"));
            }
        }
    }

    /// Adds a run. If it begins or ends inside a code block, a fence is added. A part of a cut block is
    /// preceded by the block's header.
    fn run(&mut self, section: &PassageSection, run: &TextRun, mut fences: Fences) {
        let text = section.text.as_str();
        let mut span = run.span;
        if let Some(fence) = fences.open() {
            let first = span.of(text).split_inclusive('\n').next().unwrap_or_default();
            if fence.is_closed_by(first) {
                // The run begins with the closing fence; skip it.
                span.start += first.len();
                fences.text(first);
            } else {
                self.add(&fence.opening());
            }
        }
        let header = run.cut.and_then(|block| block.header(text));
        match header {
            Some(header) if header.end <= span.start => self.source(section, header),
            // The run begins inside the header, for example at the line below the heading row of a table; show
            // the whole header.
            Some(header) if header.start < span.start => span.start = header.start,
            _ => {}
        }
        let last = span.of(text).trim_end().rfind('\n').map_or(0, |end| end + 1);
        fences.text(&span.of(text)[..last]);
        let was_open = fences.open().is_some();
        fences.text(&span.of(text)[last..]);
        match fences.open() {
            // The run ends with an opening fence; drop it.
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

    /// Adds text of a section verbatim, with `...` if the line continues before or after it.
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

    /// Adds a marker, a line that no document can contain.
    fn mark(&mut self, what: &str) {
        self.add(&format!("{MARK}{what} ───\n"));
    }

    /// Adds a line that does not come from this place in the source.
    fn add(&mut self, line: &str) {
        self.finish_line();
        self.text.push_str(line);
    }

    fn finish_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Returns the edits that make the text safe to show. Only lines that begin in the source come from a
    /// document.
    pub(crate) fn edits(&self) -> Vec<Edit> {
        escape::document_edits(&self.text, |at| {
            let after = self.sources.partition_point(|source| source.span.start <= at);
            after.checked_sub(1).is_some_and(|nr| at < self.sources[nr].span.end)
        })
    }
}

/// Names a further section of a result's document by its slug, which saves tokens, and its lines. `cut` is the number
/// of lines that are shown, if not all are.
pub(super) fn companion_head(section: &PassagePart, cut: Option<usize>) -> String {
    let (first, last) = section.lines;
    let slug = section.id.slug.as_deref().unwrap_or("preamble");
    let cut = cut.map_or_else(String::new, |shown| format!(", {shown} shown"));
    format!("#{} (lines {first}-{last}{cut})", escape::one_line(slug))
}

/// Returns the lines of the first run and of those that continue it in the source, and what it was cut from.
fn place_of(passage: &Passage, runs: &[TextRun]) -> String {
    let section_of = |run: &TextRun| &passage.sections()[run.section];
    let source = |run: &TextRun| run.span.plus(section_of(run).span.start);
    let [run, ..] = runs else { return String::new() };
    let continues =
        |pair: &&[TextRun]| pair[1].cut.is_none() && source(&pair[0]).end == source(&pair[1]).start;
    let more = if run.cut.is_some() { 0 } else { runs.windows(2).take_while(continues).count() };
    let (first, _) = section_of(run).lines_of(run.span);
    let (_, last) = section_of(&runs[more]).lines_of(runs[more].span);
    match run.cut {
        None => format!("lines {first}-{last}"),
        Some(block) => {
            let all = 1 + breaks_inside(block.span.of(&section_of(run).text).trim());
            let lines = if all == 1 { "line" } else { "lines" };
            format!("lines {first}-{last}, cut from {} of {all} {lines}", name(block.kind))
        }
    }
}

/// Returns the code blocks that are open where a run begins. Only a run cut from a block can begin inside one.
fn open_fences(section: &PassageSection, run: &TextRun) -> Fences {
    let mut fences = Fences::default();
    if let Some(block) = run.cut {
        fences.text(Span::new(block.span.start, run.span.start).of(&section.text));
    }
    fences
}

/// The name of a block in markers.
fn name(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Heading => "a heading",
        BlockKind::Paragraph => "a paragraph",
        BlockKind::ListItem => "a list item",
        BlockKind::Code => "a code block",
        BlockKind::Table => "a table",
        BlockKind::Quote => "a quote",
        BlockKind::Html => "an HTML block",
    }
}

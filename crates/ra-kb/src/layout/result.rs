//! One result as text: its head, and as much of its text as there is room for.

use std::collections::HashSet;

use ra_core::eval::{Fragment, SectionText};
use ra_core::id::ChunkId;
use ra_core::retrieval::{Passage, TextRun};
use ra_core::text::Span;
use ra_core::text::escape::{self, MARK};
use ra_core::tokens;

use super::composition::{Composition, LineCounts, companion_head};
use super::highlight::{MORE, Snippet, join, marked, window};
use super::place;

/// A result, and how much of it is shown.
#[derive(Clone, Debug)]
pub(crate) struct ResultText {
    pub(crate) passage: Passage,
    /// The path of the file, relative to the working directory.
    pub(crate) file: String,
    pub(crate) detail: Detail,
    /// The text that is shown below the head.
    pub(crate) body: Composition,
    /// True if there is so little room that the head consists of the id only.
    pub(crate) is_tight: bool,
}

/// How much of a result is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The whole text, up to the token limit of the passage.
    Full,
    /// The text after this many steps.
    Steps(usize),
    /// A list entry: id, headings and a snippet.
    Entry,
    /// A single line: id, lines and headings.
    Line,
    /// This many of the matching lines.
    Lines(usize),
    /// A pointer to the same result under an earlier query.
    Above,
    Nothing,
}

/// How many of the other languages of a page are named. More cost tokens on every result.
const MAX_NAMED_LANGUAGES: usize = 8;

/// The length of a snippet.
const SNIPPET_BYTES: usize = 150;

/// A longer matching line is cut around its matches.
const MAX_LINE_BYTES: usize = 1000;

impl ResultText {
    /// Creates a result. [`ResultText::show`] composes its text once the room is known.
    pub(crate) fn new(passage: Passage, file: String, detail: Detail) -> Self {
        Self { passage, file, detail, body: Composition::default(), is_tight: false }
    }

    /// Identifies the result within an answer.
    pub(super) fn key(&self) -> (ChunkId, (usize, usize)) {
        (self.passage.id.clone(), self.passage.lines)
    }

    /// Changes how much is shown.
    pub(crate) fn show(&mut self, detail: Detail) {
        self.detail = detail;
        self.body = Composition::default();
        if self.has_text() {
            let counts = if self.is_tight { LineCounts::Hidden } else { LineCounts::Shown };
            self.body = Composition::new(&self.passage, &self.runs(), counts);
        }
    }

    /// True if text of the document is shown below the head.
    pub(crate) fn has_text(&self) -> bool {
        matches!(self.detail, Detail::Full | Detail::Steps(_))
    }

    /// Returns the document text that is shown. Runs that are adjacent in the source form one fragment.
    pub(crate) fn fragments(&self) -> Vec<Fragment> {
        let runs = self.runs();
        let mut fragments: Vec<Fragment> = Vec::new();
        let mut end = None;
        for run in &runs {
            let section = &self.passage.sections()[run.section];
            let source = run.span.plus(section.span.start);
            let shown = SectionText {
                id: section.id.clone(),
                text: run.span.of(&section.text).to_owned(),
                tokens: tokens::count(run.span.of(&section.text)),
                is_whole: run.span == section.shown(),
            };
            match fragments.last_mut() {
                Some(last) if end == Some(source.start) => last.sections.push(shown),
                _ => fragments.push(Fragment { sections: vec![shown] }),
            }
            end = Some(section.source_after(run.span));
        }
        fragments
    }

    /// Returns where the words that are shown stand in the source. A word that is cut isn't the whole word.
    pub(super) fn shown_words(&self) -> HashSet<Span> {
        let mut words = HashSet::new();
        for run in self.runs() {
            let section = &self.passage.sections()[run.section];
            let text = run.span.of(&section.text);
            let start = section.span.start + run.span.start;
            let span_of = |word: &str| {
                let at = start + (word.as_ptr() as usize - text.as_ptr() as usize);
                Span::new(at, at + word.len())
            };
            words.extend(text.split_whitespace().map(span_of));
        }
        words
    }

    /// Returns the parts of the text that are shown.
    fn runs(&self) -> Vec<TextRun> {
        match self.detail {
            Detail::Full => self.passage.all_runs(),
            Detail::Steps(steps) => self.passage.runs_after(steps),
            _ => Vec::new(),
        }
    }

    /// Returns a short excerpt of the best block, on one line.
    pub(crate) fn snippet(&self) -> Snippet {
        self.excerpt(SNIPPET_BYTES)
    }

    /// Returns an excerpt of the best block with about `bytes` bytes, on one line.
    pub(crate) fn excerpt(&self, bytes: usize) -> Snippet {
        let Some((section, block)) = self.passage.best_block() else { return Snippet::default() };
        let rest = &section.text[block.span.start..];
        let found = section.matches_in(block.span).iter().map(|found| found.span.minus(block.span.start));
        Snippet::of(rest, &join(found.collect()), bytes)
    }

    /// Returns the lines above the text.
    pub(crate) fn head(&self) -> Vec<String> {
        let Passage { lines, pages, tokens, score, parts, .. } = &self.passage;
        let place = place(*lines, *pages);
        let id = self.passage.id.to_string();
        let (id, breadcrumb) = (escape::one_line(&id), escape::one_line(&self.passage.breadcrumb));
        let label = if self.passage.is_expanded() { "expanded" } else { "aggregated" };
        let merged = match parts.len() {
            0 => String::new(),
            1 => format!(" [{label}: 1 match]"),
            matches => format!(" [{label}: {matches} matches]"),
        };
        let also = self.also_in().map_or_else(String::new, |languages| format!(" [{languages}]"));
        match self.detail {
            Detail::Nothing | Detail::Lines(_) => Vec::new(),
            Detail::Above => vec![format!("{MARK}{id} (above)")],
            Detail::Line => vec![self.line()],
            Detail::Entry => {
                let mut head = vec![format!("{id} ({place}, {tokens} tokens){merged}{also} {score:.2}")];
                head.push(format!("    {breadcrumb}"));
                if let Some(best) = self.passage.best_part().filter(|best| best.id != self.passage.id) {
                    let (first, last) = best.lines;
                    let best = best.id.to_string();
                    head.push(format!("    best: {} (lines {first}-{last})", escape::one_line(&best)));
                }
                let also: Vec<String> =
                    self.passage.companions.iter().map(|other| companion_head(other, None)).collect();
                if !also.is_empty() {
                    head.push(format!("    also: {}", also.join(", ")));
                }
                head
            }
            Detail::Full | Detail::Steps(_) => {
                let above = (!self.is_tight).then(|| format!("> {breadcrumb}"));
                let id = format!("{MARK}{id} ({place}){merged}{also} ───");
                [id].into_iter().chain(above).collect()
            }
        }
    }

    /// Returns the other languages that the page is in: `also in: de, ja`.
    pub(crate) fn also_in(&self) -> Option<String> {
        let languages = self.passage.translations.iter().map(|other| other.language.as_str());
        let languages: Vec<&str> = languages.collect();
        let more = languages.len().saturating_sub(MAX_NAMED_LANGUAGES);
        let named = languages[..languages.len() - more].join(", ");
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!languages.is_empty()).then(|| format!("also in: {named}{more}"))
    }

    /// Counts the tokens of everything that is shown above the first block.
    pub(super) fn head_cost(&self) -> usize {
        tokens::count(&self.head().join("\n")) + tokens::count(&self.passage.title)
    }

    /// Returns the result as a single line.
    pub(super) fn line(&self) -> String {
        let Passage { id, lines, pages, breadcrumb, .. } = &self.passage;
        let (id, place) = (id.to_string(), place(*lines, *pages));
        format!("{MARK}{} ({place}) {}", escape::one_line(&id), escape::one_line(breadcrumb))
    }

    /// Returns the text below the head, with marks around the matches. It is safe to show.
    pub(crate) fn body(&self, marks: (&str, &str)) -> String {
        match self.detail {
            Detail::Full | Detail::Steps(_) => {
                let Composition { text, matches, .. } = &self.body;
                let shown = marked(text, matches, &self.body.edits(), marks);
                format!("\n{}\n\n", shown.trim_end())
            }
            Detail::Entry => {
                let Snippet { text, matches } = self.snippet();
                let edits = escape::document_edits(&text, |_| true);
                format!("    {}\n", marked(&text, &matches, &edits, marks))
            }
            Detail::Lines(_) => {
                let (lines, more) = self.matching_lines(marks);
                let file = escape::one_line(&self.file);
                let more = (more > 0).then(|| self.more_lines(more) + "\n");
                let lines = lines.into_iter().map(|(number, line)| format!("{file}:{number}:{line}\n"));
                lines.chain(more).collect()
            }
            Detail::Line | Detail::Above | Detail::Nothing => String::new(),
        }
    }

    /// Returns the first matching lines, each with its number and with marks around the matches, and the number
    /// of further ones.
    pub(crate) fn matching_lines(&self, marks: (&str, &str)) -> (Vec<(usize, String)>, usize) {
        let Detail::Lines(count) = self.detail else { return (Vec::new(), 0) };
        let lines = self.passage.matching_lines();
        let shown = lines.iter().take(count).map(|line| {
            let (shown, matches) = shortened_line(line.text, &join(line.matches.clone()));
            // The line is prefixed with its file name, so it cannot be mistaken for structure.
            let edits = escape::document_edits(&shown, |_| false);
            (line.number, marked(&shown, &matches, &edits, marks))
        });
        (shown.collect(), lines.len().saturating_sub(count))
    }

    /// Returns the line about matching lines that are not shown.
    pub(crate) fn more_lines(&self, number: usize) -> String {
        let lines = if number == 1 { "line" } else { "lines" };
        format!("+{number} more {lines} in {}", escape::one_line(&self.file))
    }

    /// Returns the result as text.
    pub(crate) fn text(&self) -> String {
        let mut text: String = self.head().iter().flat_map(|line| [line, "\n"]).collect();
        text.push_str(&self.body(("", "")));
        text
    }

    /// Counts the tokens of the result as text.
    pub(crate) fn cost(&self) -> usize {
        tokens::count(&self.text())
    }

    /// Like [`ResultText::cost`], but `None` if it exceeds `room`.
    pub(super) fn cost_within(&self, room: usize) -> Option<usize> {
        tokens::count_to(&self.text(), room)
    }

    /// Returns how many of the matching lines there is room for.
    pub(super) fn lines_within(&self, room: usize) -> usize {
        let mut left = room;
        let file = escape::one_line(&self.file);
        let (lines, _) = self.matching_lines(("", ""));
        let fits = |(number, line): &&(usize, String)| {
            let cost = tokens::count_to(&format!("{file}:{number}:{line}\n"), left);
            left -= cost.unwrap_or(left);
            cost.is_some()
        };
        lines.iter().take_while(fits).count()
    }
}

/// Returns a line, or the part of it with the most matches if it is very long.
fn shortened_line(line: &str, matches: &[Span]) -> (String, Vec<Span>) {
    if line.len() <= MAX_LINE_BYTES {
        return (line.to_owned(), matches.to_vec());
    }
    let window = window(line, matches, MAX_LINE_BYTES);
    let before = if window.start > 0 { MORE } else { "" };
    let after = if window.end < line.len() { MORE } else { "" };
    let inside = matches.iter().filter(|found| window.contains(**found));
    let inside = inside.map(|found| found.minus(window.start).plus(before.len())).collect();
    (format!("{before}{}{after}", window.of(line)), inside)
}

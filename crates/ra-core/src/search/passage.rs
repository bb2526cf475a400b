//! A result with its text, and how much of it is shown.
//!
//! What a result looks like as text is written here once: it is what the command line prints, what MCP sends,
//! and what tokens are counted of.

use std::sync::{Arc, OnceLock};

use super::budget::{Cost, WIDE};
use super::compose::{Composition, Role, Run, Section, edits, lines_of};
use super::fence::Fences;
use super::highlight::{Snippet, add_marked};
use super::window::{Line, choose, longest_line};
use crate::id::ChunkId;
use crate::text::escape::{self, MARK};
use crate::text::{Lines, Span, is_blank};

/// A result with its text.
#[derive(Clone, Debug)]
pub struct Passage {
    /// The chunk, or the section that stands for several.
    pub id: ChunkId,
    /// Its heading.
    pub title: String,
    /// Its place in the document.
    pub breadcrumb: String,
    /// The heading level; 0 for a document.
    pub level: u8,
    /// The score.
    pub score: f32,
    /// The first and last line in the source file, counted from 1.
    pub lines: (usize, usize),
    /// The tokens of all its text, as counted when it was indexed.
    pub tokens: usize,
    /// The matching chunks that this result stands for; empty for a chunk that stands for itself alone.
    pub parts: Vec<PassagePart>,
    /// An excerpt of one line.
    pub snippet: Snippet,
    /// Whether its text stands under another question of the same answer.
    pub repeated: bool,
    /// Whether it is an entry of a list without texts. No document can write lines there, so its head needs no mark.
    is_listed: bool,
    /// How much of the text is in `content`.
    pub shown: Shown,
    /// The text that is shown, with its heading.
    pub content: String,
    /// The runs of lines that are shown; what is in none of them was added.
    pub runs: Vec<Run>,
    /// Where the matches stand in `content`.
    pub matches: Vec<Span>,
    sections: Arc<[Section]>,
    /// What stands above the text, once it was wanted.
    head: OnceLock<Vec<String>>,
    /// The lines of the sections that match, once they were wanted.
    matching_lines: OnceLock<Arc<[Line]>>,
}

/// A matching chunk inside a result.
#[derive(Clone, Debug)]
pub struct PassagePart {
    /// The chunk.
    pub id: ChunkId,
    /// Its heading.
    pub title: String,
    /// Its first and last line.
    pub lines: (usize, usize),
    /// Its own score.
    pub score: f32,
}

/// How much of a result is shown, most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// All of its text, with the sections around it where they were asked for.
    Whole,
    /// The sections that match, without those around them.
    Matching,
    /// The lines around the matches: about this many bytes.
    Windows(usize),
    /// Its heading, its place and a snippet.
    Entry,
    /// Its id.
    Name,
    /// Nothing.
    Nothing,
}

/// How many of the matching chunks the head of a result lists.
const PARTS: usize = 8;

impl Shown {
    /// Whether lines of the source are shown.
    pub fn has_text(self) -> bool {
        matches!(self, Shown::Whole | Shown::Matching | Shown::Windows(_))
    }
}

impl Passage {
    /// A result of sections. One of more than so many tokens is shown without what stands around the sections that match,
    /// and where these have more by themselves, as the lines around its matches.
    pub(super) fn new(named: Named, sections: Vec<Section>, most: usize) -> Self {
        let Named { id, title, breadcrumb, level, score, tokens, matching, parts } = named;
        let mut passage = Self {
            id,
            title,
            breadcrumb,
            level,
            score,
            lines: lines_of(&sections),
            tokens,
            parts,
            snippet: Snippet::default(),
            repeated: false,
            is_listed: false,
            shown: Shown::Whole,
            content: String::new(),
            runs: Vec::new(),
            matches: Vec::new(),
            sections: sections.into(),
            head: OnceLock::new(),
            matching_lines: OnceLock::new(),
        };
        passage.snippet = passage.excerpt();
        passage.show(match most {
            _ if tokens <= most => Shown::Whole,
            _ if matching <= most => Shown::Matching,
            _ => Shown::Windows(WIDE),
        });
        passage
    }

    /// Changes how much is shown. Windows in which no match fits become an entry.
    pub fn show(&mut self, shown: Shown) {
        let mut text = Composition::default();
        self.head.take();
        self.shown = shown;
        match shown {
            Shown::Whole => text.sections(self.lines.0, &self.sections.iter().collect::<Vec<_>>()),
            Shown::Matching => {
                text.sections(self.lines.0, &self.matching().collect::<Vec<_>>());
                if self.is_expanded() {
                    text.mark("surrounding sections omitted");
                }
            }
            Shown::Windows(limit) => match self.windows(limit) {
                Some(windows) => text = windows,
                None => self.shown = Shown::Entry,
            },
            Shown::Entry | Shown::Name | Shown::Nothing => {}
        }
        (self.content, self.runs, self.matches) = (text.content, text.runs, text.matches);
    }

    /// Makes it an entry of a list without texts.
    pub fn list(&mut self) {
        self.is_listed = true;
        self.show(Shown::Entry);
    }

    /// Takes what is shown, and leaves nothing.
    pub(super) fn take(&mut self) -> Kept {
        self.head.take();
        let shown = std::mem::replace(&mut self.shown, Shown::Nothing);
        let content = std::mem::take(&mut self.content);
        Kept {
            shown,
            content,
            runs: std::mem::take(&mut self.runs),
            matches: std::mem::take(&mut self.matches),
        }
    }

    /// Shows what was taken.
    pub(super) fn put_back(&mut self, kept: Kept) {
        self.head.take();
        Kept { shown: self.shown, content: self.content, runs: self.runs, matches: self.matches } = kept;
    }

    /// An excerpt of the sections that match. What tells runs of lines apart is no text for it.
    fn excerpt(&self) -> Snippet {
        let mut matching = self.matching();
        if let (Some(only), None) = (matching.next(), matching.next()) {
            return Snippet::of(&only.text, &only.matches);
        }
        let mut text = Composition::default();
        for section in self.matching() {
            text.finish_line();
            text.line(&section.text, &section.matches);
        }
        Snippet::of(&text.content, &text.matches)
    }

    /// Whether sections around the matching ones belong to the result.
    pub fn is_expanded(&self) -> bool {
        self.sections.iter().any(|section| section.role == Role::Context)
    }

    /// How many lines have a match, shown or not.
    pub fn count_matching_lines(&self) -> usize {
        let count = |section: &Section| {
            let lines = Lines::new(&section.text);
            let mut with: Vec<usize> = section.matches.iter().map(|span| lines.line_of(span.start)).collect();
            with.dedup();
            with.len()
        };
        self.matching().map(count).sum()
    }

    /// The line of the source file that each line of `content` stands on, counted from 1; none for lines that
    /// were added.
    pub fn line_numbers(&self) -> Vec<Option<usize>> {
        let lines = Lines::new(&self.content);
        let mut numbers = vec![None; lines.count()];
        for run in &self.runs {
            let (first, last) = lines.range_of(run.span);
            for (number, line) in numbers[first - 1..last].iter_mut().zip(run.line..) {
                *number = Some(line);
            }
        }
        numbers
    }

    /// What stands above the text: the id with the lines, the place in the document, and the matching chunks.
    pub fn head(&self) -> &[String] {
        self.head.get_or_init(|| self.compose_head())
    }

    fn compose_head(&self) -> Vec<String> {
        let (first, last) = self.lines;
        let label = if self.is_expanded() { "expanded" } else { "aggregated" };
        let parts = match self.parts.len() {
            0 => String::new(),
            1 => format!(" [{label}: 1 match]"),
            matches => format!(" [{label}: {matches} matches]"),
        };
        let id = self.id.to_string();
        let (id, breadcrumb) = (escape::one_line(&id), escape::one_line(&self.breadcrumb));
        let mark = if self.is_listed { "" } else { MARK };
        match self.shown {
            Shown::Nothing => Vec::new(),
            Shown::Name if self.repeated => vec![format!("{mark}{id} (shown above)")],
            Shown::Name => vec![format!("{mark}{id}")],
            Shown::Entry => {
                let (tokens, score) = (self.tokens, self.score);
                vec![
                    format!("{mark}{id} (lines {first}-{last}, {tokens} tokens){parts} {score:.2}"),
                    format!("    {breadcrumb}"),
                ]
            }
            Shown::Whole | Shown::Matching | Shown::Windows(_) => {
                let mut head =
                    vec![format!("{MARK}{id} (lines {first}-{last}){parts} ───"), format!("> {breadcrumb}")];
                for PassagePart { id, lines: (first, last), .. } in self.parts.iter().take(PARTS) {
                    let id = id.to_string();
                    head.push(format!("  {} (lines {first}-{last})", escape::one_line(&id)));
                }
                if self.parts.len() > PARTS {
                    head.push(format!("  and {} more", self.parts.len() - PARTS));
                }
                head
            }
        }
    }

    /// The text below the head, with marks around the matches. It is safe to show.
    pub fn body(&self, marks: (&str, &str)) -> String {
        let mut body = String::new();
        match self.shown {
            Shown::Nothing | Shown::Name => {}
            Shown::Entry => {
                body.push_str("    ");
                let Snippet { text, matches } = &self.snippet;
                add_marked(&mut body, text, matches, &escape::document_edits(text, |_| true), marks);
                body.push('\n');
            }
            Shown::Whole | Shown::Matching | Shown::Windows(_) => {
                body.push('\n');
                add_marked(&mut body, &self.content, &self.matches, &edits(&self.content, &self.runs), marks);
                body.truncate(body.trim_end().len().max(1));
                body.push_str("\n\n");
            }
        }
        body
    }

    /// The result as text.
    pub fn text(&self) -> String {
        let mut text: String = self.head().iter().flat_map(|line| [line, "\n"]).collect();
        text.push_str(&self.body(("", "")));
        text
    }

    /// What the text surely does not exceed, without counting it: a token has a byte at the least, and of what is shown
    /// whole the tokens were counted when it was indexed. Nothing is known of text that is not shown as it is.
    pub(super) fn at_most(&self) -> Option<Cost> {
        if !self.shown.has_text() || !edits(&self.content, &self.runs).is_empty() {
            return None;
        }
        let around = self.head().iter().map(|line| line.len() + 1).sum::<usize>() + "\n\n\n".len();
        let bytes = around + self.content.trim_end().len();
        let tokens = match self.shown {
            // Where counted text meets other text only what touches changes.
            Shown::Whole => {
                around + self.content.len() - self.counted() + self.tokens + 2 * self.sections.len()
            }
            _ => bytes,
        };
        debug_assert_eq!(bytes, self.text().len(), "{}", self.id);
        debug_assert!(tokens >= Cost::of(&self.text()).tokens, "{}", self.id);
        Some(Cost { tokens, bytes })
    }

    /// How many bytes of the sections were counted when they were indexed: headings were not, and neither was white
    /// space by itself.
    fn counted(&self) -> usize {
        let bodies = self.sections.iter().map(|section| &section.text[section.heading..]);
        bodies.filter(|body| !is_blank(body)).map(str::len).sum()
    }

    fn matching(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(|section| section.role == Role::Match)
    }

    fn windows(&self, limit: usize) -> Option<Composition> {
        let lines = self.matching_lines.get_or_init(|| {
            let matching =
                self.sections.iter().enumerate().filter(|(_, section)| section.role == Role::Match);
            matching.flat_map(|(nr, section)| section.lines(nr)).collect()
        });
        let text_of = |line: &Line| line.span.of(&self.sections[line.section].text);
        // Of several chunks, the best is what the others were found beside.
        let best = self.parts.iter().rev().max_by(|a, b| a.score.total_cmp(&b.score));
        let ranges = choose(lines, limit, best.map(|part| part.lines));
        if ranges.is_empty() {
            return None;
        }
        let mut text = Composition::default();
        let mut fences = Fences::default();
        let longest = longest_line(limit);
        let (mut at, mut shown, mut cut) = (0, 0, 0);
        for range in ranges {
            lines[at..range.start].iter().for_each(|line| fences.line(text_of(line)));
            shown += range.len();
            at = range.end;
            // Where sections around the matching ones belong to the result, those that match may lie apart.
            for run in lines[range].chunk_by(|line, next| line.number + 1 == next.number) {
                let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
                if !text.content.is_empty() || first.number != self.lines.0 {
                    text.gap(first.number, last.number);
                }
                text.opened(&fences);
                text.begin(first.number);
                for line in run {
                    if line.span.len() > longest {
                        cut += 1;
                        text.excerpt(line.number, text_of(line), &line.matches, longest);
                    } else {
                        text.line(text_of(line), &line.matches);
                    }
                    fences.line(text_of(line));
                }
                text.end();
                text.closed(&fences);
            }
        }
        if shown < lines.len() || cut > 0 || self.is_expanded() {
            let of = if self.is_expanded() { " of the sections that match" } else { "" };
            let cut = if cut > 0 { ", long ones cut" } else { "" };
            text.mark(&format!("{shown} of {} lines{of}{cut}; get shows all", lines.len()));
        }
        Some(text)
    }
}

/// What was shown of a result.
pub(super) struct Kept {
    shown: Shown,
    content: String,
    runs: Vec<Run>,
    matches: Vec<Span>,
}

/// What a result is called and how it was rated.
pub(super) struct Named {
    pub(super) id: ChunkId,
    pub(super) title: String,
    pub(super) breadcrumb: String,
    pub(super) level: u8,
    pub(super) score: f32,
    /// The tokens of all its sections, and of those that match.
    pub(super) tokens: usize,
    pub(super) matching: usize,
    pub(super) parts: Vec<PassagePart>,
}

//! `ra search`, `ra context` and `ra similar` on a terminal: a list of results with two lines each, and the
//! best one in full if the screen has room for it.
//!
//! Text of documents is always indented, so it can't be mistaken for the head of a result.

use std::io;

use ra_core::text::{Span, escape};

use super::{Item, SearchReport};
use crate::env::Screen;
use crate::layout::{Fences, ResultText, Snippet, marked, query_heading};
use crate::output::wrap::{self, MARKS, StyledText, wrap_line};
use crate::output::{FAINT, HEADING, MATCH, NAME, Page};

/// The indentation of everything but the number of a result.
const INDENT: usize = 4;
/// The number of lines of a result that is not shown in full.
const EXCERPT_LINES: usize = 2;
/// The size of the excerpt that these lines are chosen from.
const EXCERPT_BYTES: usize = 400;
/// Longer lines of prose are hard to read, however wide the terminal is.
const MAX_PROSE_COLUMNS: usize = 100;
/// Only this many bytes from the end of a breadcrumb are considered.
const MAX_TITLE_BYTES: usize = 400;
/// The separator between the headings in a breadcrumb.
const SEPARATOR: &str = " › ";

/// Shows an answer. The best result stays first in the list even if shown in full, so nothing is printed twice
/// and the list is in order of rank.
pub(super) fn show(shown: &SearchReport, screen: Screen, page: &mut Page<'_>) -> io::Result<()> {
    let layout = Layout { columns: screen.columns.max(2 * INDENT), full: None };
    let (text, notes) = layout.render(shown, page)?;
    let full = best(shown).and_then(|item| layout.full(&item.text, screen.rows));
    let (text, notes) = match full {
        Some(full) => {
            let more = Layout { full: Some(full), ..layout };
            let (longer, same) = more.render(shown, page)?;
            // The next prompt must fit on the screen as well.
            let rows = [&longer, &same].iter().map(|part| wrap::rows(part, screen.columns)).sum::<usize>();
            if rows < screen.rows { (longer, same) } else { (text, notes) }
        }
        None => (text, notes),
    };
    page.write_rendered(&text, &notes)
}

/// Returns the result to show in full: the first, if there is only one query.
fn best(shown: &SearchReport) -> Option<&Item> {
    match shown.queries.as_slice() {
        [only] => only.results.first(),
        _ => None,
    }
}

struct Layout {
    columns: usize,
    /// The lines of the best result, if it is shown in full.
    full: Option<Vec<String>>,
}

impl Layout {
    /// Renders the answer and its notes.
    fn render(&self, shown: &SearchReport, page: &Page<'_>) -> io::Result<(String, String)> {
        let (mut text, notes) = page.rendered(|page| self.write(shown, page))?;
        if !text.is_empty() && !notes.is_empty() {
            text.push('\n');
        }
        Ok((text, notes))
    }

    fn write(&self, shown: &SearchReport, page: &mut Page<'_>) -> io::Result<()> {
        shown.index.notes(page)?;
        let several = shown.queries.len() > 1;
        for (nr, answer) in shown.queries.iter().enumerate() {
            if several {
                let space = if nr == 0 { "" } else { "\n" };
                let heading = page.clean(&query_heading(&answer.query));
                page.line(format!("{space}{HEADING}{heading}{HEADING:#}"))?;
            }
            if let Some(explain) = &answer.explain {
                explain.human(page)?;
            }
            for (nr, item) in answer.results.iter().enumerate() {
                if nr > 0 {
                    page.line("")?;
                }
                let full = self.full.as_deref().filter(|_| nr == 0);
                self.item(nr + 1, item, full, page)?;
            }
            if let Some(facets) = &answer.facets {
                facets.human(page)?;
            }
            answer.notes(page, several, 0)?;
        }
        Ok(())
    }

    fn item(&self, rank: usize, item: &Item, full: Option<&[String]>, page: &mut Page<'_>) -> io::Result<()> {
        let mut number = format!("{rank:>2}");
        for line in self.title(&page.clean(&item.breadcrumb)) {
            page.line(format!("{FAINT}{number:<INDENT$}{FAINT:#}{line}"))?;
            number.clear();
        }
        page.block(&" ".repeat(INDENT))?;
        let place = format!("{}{}", page.clean(&item.file), place_in_file(item));
        page.link(&item.file, &format!("{NAME}{place}{NAME:#}"))?;
        let mut matches = match item.parts.len().max(1) + item.also.len() {
            1 => String::new(),
            matches => format!("  {matches} matching sections"),
        };
        if let Some(languages) = item.text.also_in() {
            matches = format!("{matches}  {languages}");
        }
        let fits = INDENT + wrap::width(&place) + matches.len() <= self.columns;
        page.line(if fits && !matches.is_empty() {
            format!("{FAINT}{matches}{FAINT:#}")
        } else {
            String::new()
        })?;
        match full {
            Some(lines) => {
                page.line("")?;
                lines.iter().try_for_each(|line| indented(line, page))
            }
            None => self.excerpt(item).iter().try_for_each(|line| indented(line, page)),
        }
    }

    /// Returns the headings that lead to a section. If they don't fit on a line, the outer ones are dropped.
    fn title(&self, breadcrumb: &str) -> Vec<String> {
        let columns = self.columns - INDENT;
        let end = breadcrumb.len();
        // A heading may be of any length, so only its end is measured.
        let tail = &breadcrumb[breadcrumb.floor_char_boundary(end.saturating_sub(MAX_TITLE_BYTES))..];
        let is_cut = tail.len() < end;
        let mut path = match tail.split_once(SEPARATOR) {
            Some((_, inner)) if is_cut => inner,
            _ => tail,
        };
        let mut left_out = if is_cut { "… › " } else { "" };
        while wrap::width(left_out) + wrap::width(path) > columns {
            let Some((_, inner)) = path.split_once(SEPARATOR) else { break };
            (path, left_out) = (inner, "… › ");
        }
        let own = path.rfind(SEPARATOR).map_or(0, |at| at + SEPARATOR.len());
        let mut title = StyledText::default();
        title.push(&format!("{left_out}{}", &path[..own]), FAINT);
        title.push(&path[own..], HEADING);
        title.wrapped(columns)
    }

    /// Returns the lines of the excerpt that have the most matches.
    fn excerpt(&self, item: &Item) -> Vec<String> {
        let Snippet { text, matches } = item.text.excerpt(EXCERPT_BYTES);
        let (text, matches) = without_heading(&text, &matches, &item.title);
        let shown = marked(text, &matches, &escape::document_edits(text, |_| false), MARKS);
        let styled = StyledText::from_marked(&shown.replace('\t', " "), MATCH);
        let columns = (self.columns - INDENT).min(MAX_PROSE_COLUMNS);
        let lines = wrap::wrap(&styled.text, columns);
        let count = |from: usize| {
            let (first, last) = (lines[from], lines[(from + EXCERPT_LINES).min(lines.len()) - 1]);
            styled.styles.iter().filter(|(span, _)| span.start >= first.start && span.end <= last.end).count()
        };
        let last = lines.len().saturating_sub(EXCERPT_LINES);
        let from = (0..=last).rev().max_by_key(|from| count(*from)).unwrap_or_default();
        let shown = lines.iter().skip(from).take(EXCERPT_LINES).filter(|line| !line.is_empty());
        shown.map(|line| styled.paint(*line)).collect()
    }

    /// Returns the text of a passage as a pipe would get it, or `None` if it does not fit into `rows` rows.
    fn full(&self, result: &ResultText, rows: usize) -> Option<Vec<String>> {
        let body = result.body(MARKS);
        // No character takes more than four bytes.
        if result.body.text.is_empty() || body.len() > 4 * rows * self.columns {
            return None;
        }
        let body = body.trim_start_matches('\n').trim_end().replace('\t', "    ");
        let styled = StyledText::from_marked(&body, MATCH);
        let (text, _) = without_heading(&styled.text, &[], &result.passage.title);
        let mut start = styled.text.len() - text.len();
        let mut lines = Vec::new();
        let mut fences = Fences::default();
        for line in text.split('\n') {
            let span = Span::new(start, start + line.len());
            start = span.end + 1;
            let was_open = fences.open().is_some();
            fences.text(line);
            let is_code = was_open || fences.open().is_some() || line.starts_with("    ");
            self.body_line(&styled, span, is_code, &mut lines);
        }
        (lines.len() < rows).then_some(lines)
    }

    /// Wraps a line of a document. Continuation lines are aligned with the text of a list item or quote.
    fn body_line(&self, styled: &StyledText, line: Span, is_code: bool, lines: &mut Vec<String>) {
        let text = line.of(&styled.text);
        let is_table = text.trim_start().starts_with('|');
        let most = if is_code || is_table { usize::MAX } else { MAX_PROSE_COLUMNS };
        let columns = (self.columns - INDENT).min(most);
        let lead = if is_code { 0 } else { lead(text) };
        let lead = if 2 * lead < columns { lead } else { 0 };
        let mut parts = Vec::new();
        wrap_line(&styled.text, Span::new(line.start + lead, line.end), columns - lead, &mut parts);
        for (nr, part) in parts.into_iter().enumerate() {
            let before = if nr == 0 { text[..lead].to_owned() } else { " ".repeat(lead) };
            lines.push(before + &styled.paint(part));
        }
    }
}

/// Returns the place of a result in its file: the line, or the page of a file that has pages. The lines of other
/// converted files aren't those of the file.
fn place_in_file(item: &Item) -> String {
    let line = item.text.passage.best_part().map_or(item.lines.0, |best| best.lines.0);
    match item.pages {
        Some((page, _)) => format!(", page {page}"),
        None if item.text.passage.kind.is_converted() => String::new(),
        None => format!(":{line}"),
    }
}

/// Returns the number of bytes before the text of a line: white space, and the marker of an item or quote. All
/// are ASCII.
fn lead(line: &str) -> usize {
    let text = line.trim_start_matches(' ');
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mark = match &text.as_bytes()[digits..] {
        [b'.' | b')', b' ', ..] if digits > 0 => digits + 2,
        [b'-' | b'*' | b'+' | b'>', b' ', ..] if digits == 0 => 2,
        _ => 0,
    };
    line.len() - text.len() + mark
}

/// Writes a line of a document, indented unless it is empty.
fn indented(line: &str, page: &mut Page<'_>) -> io::Result<()> {
    if line.is_empty() { page.line("") } else { page.line(format!("{:INDENT$}{line}", "")) }
}

/// Removes the heading at the start of the text, because the breadcrumb already shows it.
fn without_heading<'t>(text: &'t str, matches: &[Span], title: &str) -> (&'t str, Vec<Span>) {
    let unmarked = text.trim_start_matches('#');
    let rest = unmarked.trim_start().strip_prefix(title).filter(|_| unmarked.len() < text.len());
    let rest = rest.filter(|rest| rest.starts_with(char::is_whitespace)).map(str::trim_start);
    let rest = rest.filter(|rest| !rest.is_empty());
    let Some(rest) = rest else { return (text, matches.to_vec()) };
    let start = text.len() - rest.len();
    let inside = matches.iter().filter(|span| span.start >= start);
    (rest, inside.map(|span| span.minus(start)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heading_of_an_excerpt_is_not_repeated() {
        let found = |text, title, from, to| {
            let (text, matches) = without_heading(text, &[Span::new(0, 2), Span::new(from, to)], title);
            matches.iter().map(|span| span.of(text)).collect::<Vec<_>>().join("|")
        };
        assert_eq!(found("## Title Some words", "Title", 9, 13), "Some");
        assert_eq!(found("## Titles Some words", "Title", 10, 14), "##|Some");
        assert_eq!(found("Title Some words", "Title", 6, 10), "Ti|Some");
        assert_eq!(found("## Title", "Title", 3, 8), "##|Title");
    }

    #[test]
    fn titles_lose_their_outer_headings_first() {
        let shown = |columns| {
            let layout = Layout { columns, full: None };
            let lines = layout.title("Book › Validating References › Lifetime Elision");
            lines.iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(shown(80), ["Book › Validating References › Lifetime Elision"]);
        assert_eq!(shown(50), ["… › Validating References › Lifetime Elision"]);
        assert_eq!(shown(30), ["… › Lifetime Elision"]);
        assert_eq!(shown(16), ["… › Lifetime", "Elision"]);
    }

    #[test]
    fn what_a_line_is_broken_below() {
        for (line, expected) in
            [("text", 0), ("  - item", 4), ("12. item", 4), ("> quote", 2), ("-x", 0), ("1.5", 0), ("", 0)]
        {
            assert_eq!(lead(line), expected, "{line}");
        }
    }
}

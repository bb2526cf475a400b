//! Formats the page about the query language for a terminal.

use anstyle::Style;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use ra_core::text::Span;

use super::wrap::{self, StyledText};
use super::{HEADING, NAME};
use crate::env::Screen;

/// Longer lines of prose are hard to read, however wide the terminal is.
const MAX_COLUMNS: usize = 100;
/// The number of spaces between the columns of a table.
const GAP: usize = 2;
/// The indentation of tables.
const INDENT: usize = 2;

/// Formats markdown for a terminal: without markup, with styles, and in lines that fit.
pub(crate) fn for_screen(markdown: &str, screen: Screen) -> String {
    let mut setter = Setter { columns: screen.columns.clamp(20, MAX_COLUMNS), ..Setter::default() };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        setter.event(event);
    }
    setter.out
}

#[derive(Default)]
struct Setter {
    columns: usize,
    out: String,
    /// The current paragraph, heading, item or cell.
    text: StyledText,
    is_bold: bool,
    is_item: bool,
    rows: Vec<Vec<StyledText>>,
}

impl Setter {
    fn event(&mut self, event: Event<'_>) {
        let style = if self.is_bold { HEADING } else { Style::new() };
        match event {
            Event::Text(text) => self.text.push(&text, style),
            Event::Code(code) => self.text.push(&code, NAME),
            Event::SoftBreak => self.text.push(" ", Style::new()),
            Event::Start(Tag::Heading { .. } | Tag::Strong) => self.is_bold = true,
            Event::Start(Tag::Item) => self.is_item = true,
            Event::Start(Tag::TableHead | Tag::TableRow) => self.rows.push(Vec::new()),
            Event::End(TagEnd::Heading(_)) => {
                self.is_bold = false;
                self.block("", "");
            }
            Event::End(TagEnd::Strong) => self.is_bold = false,
            Event::End(TagEnd::Paragraph) if !self.is_item => self.block("", ""),
            Event::End(TagEnd::Item) => {
                self.is_item = false;
                self.block("- ", "  ");
            }
            Event::End(TagEnd::TableCell) => {
                let cell = std::mem::take(&mut self.text);
                self.rows.last_mut().into_iter().for_each(|row| row.push(cell.clone()));
            }
            Event::End(TagEnd::Table) => self.table(),
            _ => {}
        }
    }

    /// Ends a paragraph, heading or item. The first line is prefixed with `first`, the others with `others`.
    fn block(&mut self, first: &str, others: &str) {
        let text = std::mem::take(&mut self.text);
        self.space();
        for (nr, line) in text.wrapped(self.columns - first.len()).iter().enumerate() {
            self.out.push_str(if nr == 0 { first } else { others });
            self.out.push_str(line);
            self.out.push('\n');
        }
    }

    fn space(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    fn table(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        for cell in rows.iter_mut().take(1).flatten() {
            cell.styles = vec![(Span::new(0, cell.text.len()), HEADING)];
        }
        let widths = widths(&rows, self.columns - INDENT);
        self.space();
        for row in &rows {
            self.row(row, &widths);
        }
    }

    fn row(&mut self, row: &[StyledText], widths: &[usize]) {
        let cells: Vec<(Vec<Span>, &StyledText)> =
            row.iter().zip(widths).map(|(cell, width)| (wrap::wrap(&cell.text, *width), cell)).collect();
        for nr in 0..height(row, widths) {
            let mut line = " ".repeat(INDENT);
            let mut missing = 0;
            for ((lines, cell), width) in cells.iter().zip(widths) {
                let part = lines.get(nr).copied().unwrap_or(Span::new(0, 0));
                if !part.is_empty() {
                    line.push_str(&" ".repeat(missing));
                    line.push_str(&cell.paint(part));
                    missing = 0;
                }
                missing += width + GAP - wrap::width(part.of(&cell.text));
            }
            self.out.push_str(&line);
            self.out.push('\n');
        }
    }
}

/// Returns the number of lines of a row.
fn height(row: &[StyledText], widths: &[usize]) -> usize {
    row.iter().zip(widths).map(|(cell, width)| wrap::wrap(&cell.text, *width).len()).max().unwrap_or_default()
}

/// Returns the column widths of a table: those of its widest cells, unless the table is too wide. Then the
/// widest columns shrink.
fn widths(rows: &[Vec<StyledText>], columns: usize) -> Vec<usize> {
    let count = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widest =
        |nr: usize| rows.iter().filter_map(|row| row.get(nr)).map(|cell| wrap::width(&cell.text)).max();
    let mut widths: Vec<usize> = (0..count).map(|nr| widest(nr).unwrap_or_default().max(1)).collect();
    let room = columns.saturating_sub(GAP * count.saturating_sub(1)).max(count);
    while widths.iter().sum::<usize>() > room {
        let Some(widest) = widths.iter_mut().max() else { break };
        *widest -= 1;
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
# Title

Some *words* with `code` and [a link](x.md),
on two lines.

| Query | Is read as |
| --- | --- |
| `a \\|\\| b` | one `or` the other, whichever of them is there |
| `x` | |

- **First.** An item that is longer than the line is wide.
- Second.
";

    #[test]
    fn markdown_becomes_lines_that_fit() {
        let set = for_screen(PAGE, Screen { columns: 40, rows: 24 });
        insta::assert_snapshot!(anstream::adapter::strip_str(&set), @"
        Title

        Some words with code and a link, on two
        lines.

          Query   Is read as
          a || b  one or the other, whichever of
                  them is there
          x

        - First. An item that is longer than the
          line is wide.

        - Second.
        ");
        let heading = format!("{HEADING}Title{HEADING:#}\n");
        assert!(set.starts_with(&heading) && set.contains(&format!("{NAME}a || b{NAME:#}")), "{set}");
    }

    #[test]
    fn the_whole_reference_fits_every_width() {
        for columns in [30, 60, 80, 200] {
            let set = for_screen(ra_core::query::REFERENCE, Screen { columns, rows: 24 });
            let plain = anstream::adapter::strip_str(&set).to_string();
            for line in plain.lines() {
                assert!(wrap::width(line) <= columns.min(MAX_COLUMNS), "{columns}: {line}");
                assert!(!line.contains('`') && !line.contains(" | ") && !line.starts_with('#'), "{line}");
            }
            assert!(columns < 60 || plain.contains("\n  a AND b && c "), "{plain}");
        }
    }
}

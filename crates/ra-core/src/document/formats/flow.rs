//! The text of an office document as it is read: inline text that becomes paragraphs, headings, list items, code,
//! tables and notes in markdown.

use super::markup;
use crate::text::collapse;

/// The maximum number of columns of a table.
const MAX_COLUMNS: usize = 256;

/// A part of the text of a paragraph.
enum Piece {
    Text(String),
    Code(String),
    Link { text: String, target: String },
    Note(usize),
}

/// The kind of a paragraph.
pub(super) enum Kind {
    Paragraph,
    /// Its level.
    Heading(usize),
    /// Its level from 0, and its number if it has one.
    Item(usize, Option<usize>),
    Code,
}

/// The text of one paragraph.
#[derive(Default)]
pub(super) struct Inline {
    pieces: Vec<Piece>,
    /// The target of the open link, and where its text begins.
    link: Option<(String, usize)>,
}

impl Inline {
    pub(super) fn text(&mut self, text: &str) {
        // The text of a link begins a piece of its own.
        let begins_link = self.link.as_ref().is_some_and(|(_, start)| *start == self.pieces.len());
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) if !begins_link => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    pub(super) fn code(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Code(last)) if self.link.is_none() => last.push_str(text),
            _ => self.pieces.push(Piece::Code(text.to_owned())),
        }
    }

    pub(super) fn note(&mut self, number: usize) {
        self.pieces.push(Piece::Note(number));
    }

    pub(super) fn open_link(&mut self, target: String) {
        self.close_link();
        self.link = Some((target, self.pieces.len()));
    }

    pub(super) fn close_link(&mut self) {
        let Some((target, start)) = self.link.take() else { return };
        let text: String = self.pieces.drain(start..).map(|piece| piece.plain()).collect();
        let is_usable = !target.is_empty()
            && !target.contains(|c: char| c.is_whitespace() || c.is_control() || "<>()".contains(c));
        match is_usable && !text.trim().is_empty() {
            true => self.pieces.push(Piece::Link { text, target }),
            false => self.text(&text),
        }
    }

    /// Returns the text without markup.
    pub(super) fn plain(self) -> String {
        self.pieces.into_iter().map(Piece::plain).collect()
    }

    /// Returns the text as one line of markdown.
    fn markdown(self) -> String {
        let parts: Vec<String> = self.pieces.into_iter().map(Piece::markdown).collect();
        parts.concat().trim().to_owned()
    }
}

impl Piece {
    fn plain(self) -> String {
        match self {
            Self::Text(text) | Self::Code(text) | Self::Link { text, .. } => text,
            Self::Note(_) => String::new(),
        }
    }

    fn markdown(self) -> String {
        match self {
            Self::Text(text) => markup::escape(&collapsed(&text)).into_owned(),
            Self::Code(text) if text.contains('`') || text.trim().is_empty() => {
                markup::escape(&collapsed(&text)).into_owned()
            }
            Self::Code(text) => format!("`{}`", collapsed(&text)),
            Self::Link { text, target } => format!("[{}]({target})", markup::escape_heading(&text)),
            Self::Note(number) => format!("[^{number}]"),
        }
    }
}

/// Collapses white space, but keeps a space at either end.
fn collapsed(text: &str) -> String {
    let words = collapse(text);
    let before = if text.starts_with(char::is_whitespace) { " " } else { "" };
    let after = if text.ends_with(char::is_whitespace) && !words.is_empty() { " " } else { "" };
    format!("{before}{words}{after}")
}

/// An open table.
#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
}

/// The document so far.
#[derive(Default)]
pub(super) struct Flow {
    markdown: String,
    code: String,
    is_after_item: bool,
    tables: Vec<Table>,
    notes: Vec<String>,
    /// Set while the text of a note is read.
    note: Option<String>,
}

impl Flow {
    /// Ends a paragraph.
    pub(super) fn push(&mut self, inline: Inline, kind: Kind) {
        if let Some(note) = &mut self.note {
            append_words(note, &inline.markdown());
        } else if let Some(cell) =
            self.tables.last_mut().and_then(|table| table.rows.last_mut()).and_then(|row| row.last_mut())
        {
            append_words(cell, &inline.markdown().replace('|', "\\|"));
        } else if matches!(kind, Kind::Code) {
            self.code.push_str(inline.plain().trim_end());
            self.code.push('\n');
        } else {
            self.push_block(inline, &kind);
        }
    }

    fn push_block(&mut self, inline: Inline, kind: &Kind) {
        self.finish_code();
        let is_item = matches!(kind, Kind::Item(..));
        if self.is_after_item && !is_item {
            self.markdown.push('\n');
        }
        self.is_after_item = false;
        match kind {
            Kind::Heading(level) => {
                let text = inline.plain();
                if !text.trim().is_empty() {
                    self.markdown.push_str(&markup::heading(*level, &text));
                }
            }
            Kind::Item(level, number) => {
                let marker = number.map_or("-".to_owned(), |number| format!("{number}."));
                let text = inline.markdown();
                if !text.is_empty() {
                    self.markdown.push_str(&format!("{}{marker} {text}\n", "   ".repeat((*level).min(8))));
                }
                self.is_after_item = true;
            }
            Kind::Paragraph | Kind::Code => {
                let text = inline.markdown();
                if !text.is_empty() {
                    self.markdown.push_str(&format!("{text}\n\n"));
                }
            }
        }
    }

    fn finish_code(&mut self) {
        let code = std::mem::take(&mut self.code);
        if !code.trim().is_empty() {
            if std::mem::take(&mut self.is_after_item) {
                self.markdown.push('\n');
            }
            self.markdown.push_str(&markup::fenced(code.trim_start_matches('\n')));
        }
    }

    pub(super) fn begin_table(&mut self) {
        self.tables.push(Table::default());
    }

    pub(super) fn begin_row(&mut self) {
        if let Some(table) = self.tables.last_mut() {
            table.rows.push(Vec::new());
        }
    }

    pub(super) fn begin_cell(&mut self) {
        if let Some(row) = self.tables.last_mut().and_then(|table| table.rows.last_mut())
            && row.len() < MAX_COLUMNS
        {
            row.push(String::new());
        }
    }

    /// Ends a table. One that is inside of another becomes text of its cell.
    pub(super) fn end_table(&mut self) {
        let Some(table) = self.tables.pop() else { return };
        let outer =
            self.tables.last_mut().and_then(|table| table.rows.last_mut()).and_then(|row| row.last_mut());
        if let Some(cell) = self.note.as_mut().or(outer) {
            table.rows.iter().flatten().for_each(|text| append_words(cell, text));
            return;
        }
        self.finish_code();
        if std::mem::take(&mut self.is_after_item) {
            self.markdown.push('\n');
        }
        self.markdown.push_str(&table.markdown());
    }

    /// Begins the text of a note and returns its number.
    pub(super) fn begin_note(&mut self) -> usize {
        self.end_note();
        self.note = Some(String::new());
        self.notes.len() + 1
    }

    pub(super) fn end_note(&mut self) {
        self.notes.extend(self.note.take());
    }

    pub(super) fn len(&self) -> usize {
        self.markdown.len() + self.code.len()
    }

    /// Returns the whole text, with the notes at the end.
    pub(super) fn finish(mut self) -> String {
        while !self.tables.is_empty() {
            self.end_table();
        }
        self.end_note();
        self.finish_code();
        if self.is_after_item {
            self.markdown.push('\n');
        }
        for (at, note) in self.notes.iter().enumerate() {
            self.markdown.push_str(&format!("[^{}]: {note}\n\n", at + 1));
        }
        self.markdown
    }
}

fn append_words(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

impl Table {
    /// Returns the table with its first row as header. A table of one column is layout: paragraphs.
    fn markdown(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let rows: Vec<&Vec<String>> =
            self.rows.iter().filter(|row| row.iter().any(|cell| !cell.is_empty())).collect();
        if columns <= 1 || rows.len() <= 1 {
            let filled = rows.into_iter().flatten().filter(|cell| !cell.is_empty());
            return filled.map(|cell| format!("{}\n\n", cell.replace("\\|", "|"))).collect();
        }
        let mut markdown = String::new();
        for (at, row) in rows.into_iter().enumerate() {
            let cells = (0..columns).map(|column| row.get(column).map_or("", String::as_str));
            markdown.push_str(&format!("| {} |\n", cells.collect::<Vec<_>>().join(" | ")));
            if at == 0 {
                markdown.push_str(&format!("|{}\n", " --- |".repeat(columns)));
            }
        }
        markdown.push('\n');
        markdown
    }
}

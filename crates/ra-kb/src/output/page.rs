//! Where an answer writes its text, its notes and its links.

use std::borrow::Cow;
use std::io::{self, Write};

use anstyle::Style;
use ra_core::text::{escape, shortened};

use super::links::{CLOSE, Links};
use super::table::Table;
use super::{FAINT, HEADING, WARN, into_text};
use crate::env::Screen;
use crate::sanitize::{sanitize, sanitize_styled};

/// A note may repeat what a project contains, such as a name of megabytes. This many characters of it are shown.
const MAX_NOTE_CHARS: usize = 1000;

/// Returns a note as one line of a bounded length.
fn note_text(text: &str) -> String {
    shortened(&escape::one_line(text), MAX_NOTE_CHARS)
}

/// The target that an answer is written to.
pub(crate) struct Page<'a> {
    pub(super) out: &'a mut dyn Write,
    pub(super) notes: &'a mut dyn Write,
    pub(super) terminal: bool,
    /// True if styles are kept in the output.
    pub(super) styled: bool,
    /// The size of the terminal, if results are laid out for it.
    pub(super) screen: Option<Screen>,
    pub(super) links: Option<&'a Links>,
}

impl Page<'_> {
    /// Returns the size of the terminal, if results are laid out for it.
    pub(crate) fn screen(&self) -> Option<Screen> {
        self.screen
    }

    /// Renders into memory what would be written here: the text and the notes.
    pub(crate) fn rendered(
        &self,
        write: impl FnOnce(&mut Page<'_>) -> io::Result<()>,
    ) -> io::Result<(String, String)> {
        let (mut text, mut notes) = (Vec::new(), Vec::new());
        write(&mut Page { out: &mut text, notes: &mut notes, ..*self })?;
        Ok((into_text(text), into_text(notes)))
    }

    /// Writes text and notes that [`Page::rendered`] returned.
    pub(crate) fn write_rendered(&mut self, text: &str, notes: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.notes.write_all(notes.as_bytes())
    }

    /// Writes a line of our own text.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.block(text.as_ref())?;
        self.out.write_all(b"\n")
    }

    /// Writes a note that is not part of the answer, to stderr.
    pub(crate) fn note(&mut self, text: &str) -> io::Result<()> {
        let text = note_text(text);
        writeln!(self.notes, "{FAINT}note:{FAINT:#} {text}")
    }

    /// Writes a hint that belongs to a note, to stderr.
    pub(crate) fn hint(&mut self, text: &str) -> io::Result<()> {
        let text = note_text(text);
        writeln!(self.notes, "{FAINT}hint:{FAINT:#} {text}")
    }

    /// Writes a warning, to stderr.
    pub(crate) fn warning(&mut self, text: &str) -> io::Result<()> {
        let text = note_text(text);
        writeln!(self.notes, "{WARN}warning:{WARN:#} {text}")
    }

    /// Writes text of a document with a final newline, escaped so none of it looks like a line of our own.
    pub(crate) fn document(&mut self, text: &str) -> io::Result<()> {
        self.text(&escape::document(text))
    }

    /// Writes our own text with a final newline.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.block(text)?;
        if text.ends_with('\n') { Ok(()) } else { self.out.write_all(b"\n") }
    }

    /// Writes a part of a line as a link to a file. Only this writes links; the text inside is sanitized like
    /// all other text.
    pub(crate) fn link(&mut self, file: &str, text: &str) -> io::Result<()> {
        let Some(links) = self.links else { return self.block(text) };
        self.out.write_all(links.open(file).as_bytes())?;
        self.block(text)?;
        self.out.write_all(CLOSE.as_bytes())
    }

    /// Writes text without adding a newline. On a terminal, everything but our own styles is sanitized.
    pub(crate) fn block(&mut self, text: &str) -> io::Result<()> {
        let text = if self.terminal { sanitize_styled(text) } else { text.into() };
        self.out.write_all(text.as_bytes())
    }

    /// Writes a heading after an empty line.
    pub(crate) fn heading(&mut self, text: &str) -> io::Result<()> {
        self.line(format!("\n{HEADING}{text}{HEADING:#}"))
    }

    /// Makes a name, title or heading from documents, files or arguments safe as a part of a line.
    pub(crate) fn clean(&self, text: &str) -> String {
        escape::one_line(text).into_owned()
    }

    /// Sanitizes a line of a file if it goes to a terminal; programs get it unchanged.
    pub(crate) fn harmless<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.terminal { sanitize(text) } else { text.into() }
    }

    /// Returns the style, or none if styles would be removed again.
    pub(crate) fn style(&self, style: Style) -> Style {
        if self.styled { style } else { Style::new() }
    }

    /// Writes rows with aligned columns, without styles.
    pub(crate) fn table(&mut self, table: &Table) -> io::Result<()> {
        self.out.write_all(sanitize(&table.to_string()).as_bytes())
    }
}

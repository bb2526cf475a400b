//! The output is a value that owns its writer. Every answer is a wire type: JSON is its serialisation, and
//! what people read is its `human` form.

mod check;
mod config;
mod init;
mod inspect;
mod sanitize;
mod status;
mod table;

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use serde::Serialize;

use self::sanitize::sanitize;
use self::table::Table;
use crate::args::Color;
use crate::wire;

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
}

/// An answer that can be shown.
pub(crate) trait Present: Serialize {
    /// Writes the answer for people.
    fn human(&self, page: &mut Page<'_>) -> io::Result<()>;
}

/// The names, headings and marks of an answer each have one style.
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// Writes answers to standard output.
pub(crate) struct Printer {
    out: BufWriter<AutoStream<Stdout>>,
    format: Format,
    terminal: bool,
}

impl Printer {
    pub(crate) fn stdout(format: Format, color: Color) -> Self {
        let terminal = io::stdout().is_terminal();
        Self { out: BufWriter::new(AutoStream::new(io::stdout(), color.choice())), format, terminal }
    }

    /// Writes an answer in the chosen format.
    pub(crate) fn show(&mut self, answer: &impl Present) -> io::Result<()> {
        match self.format {
            Format::Human => answer.human(&mut Page { out: &mut self.out, terminal: self.terminal }),
            Format::Json => {
                serde_json::to_writer_pretty(&mut self.out, &wire::versioned(answer))?;
                self.out.write_all(b"\n")
            }
        }
    }

    /// Writes bytes that are neither for people nor JSON, such as a completion script.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    /// Writes what is still in memory, so that a full disk or a closed pipe is noticed.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What an answer is written on.
pub(crate) struct Page<'a> {
    out: &'a mut dyn Write,
    terminal: bool,
}

impl Page<'_> {
    /// A line of our own words.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.out.write_all(text.as_ref().as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// A heading, after an empty line.
    pub(crate) fn heading(&mut self, text: &str) -> io::Result<()> {
        self.line(format!("\n{HEADING}{text}{HEADING:#}"))
    }

    /// Text that comes from documents, made harmless when it goes to a terminal.
    pub(crate) fn clean(&self, text: &str) -> String {
        if self.terminal { sanitize(text) } else { text.to_owned() }
    }

    /// Rows with aligned columns.
    pub(crate) fn table(&mut self, table: &Table) -> io::Result<()> {
        self.out.write_all(table.to_string().as_bytes())
    }
}

/// A count with its noun.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (nr, digit) in digits.chars().enumerate() {
        if nr > 0 && (digits.len() - nr).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}

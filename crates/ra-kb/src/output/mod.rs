//! Prints answers. The printer is a value that owns its writer. An answer is data: JSON is its serialization, and
//! people read its `human` form.

mod links;
mod page;
mod pager;
mod progress;
mod reference;
mod table;
pub(crate) mod wrap;

use std::io::{self, BufWriter, IsTerminal, Stderr, Stdout, Write};
use std::path::Path;

use anstream::adapter::strip_bytes;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use ra_core::text::escape;
use serde::Serialize;

use self::links::Links;
pub(crate) use self::page::Page;
use self::pager::Unpaged;
pub(crate) use self::progress::Bar;
pub(crate) use self::reference::for_screen;
pub(crate) use self::table::Table;
use crate::env::{self, PagerChoice, Screen};

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
}

/// The version of the JSON output. Any change other than an addition increments it.
pub(crate) const VERSION: u32 = 1;

/// An answer with its version, as JSON.
#[derive(Serialize)]
struct Versioned<'a, T> {
    version: u32,
    #[serde(flatten)]
    answer: &'a T,
}

/// An answer that can be shown.
pub(crate) trait Present: Serialize {
    /// Writes the answer for people.
    fn human(&self, page: &mut Page<'_>) -> io::Result<()>;
}

/// The styles of names, headings and markers.
pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();
pub(crate) const MATCH: Style = AnsiColor::Red.on_default().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// Whether a long answer may go through a pager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paging {
    /// Yes, unless the user's settings say otherwise.
    Allowed,
    /// The user has turned it off.
    Off,
    /// The output must appear at once, or is for a program.
    Streaming,
}

/// Writes answers to stdout.
pub(crate) struct Printer {
    out: BufWriter<AutoStream<Stdout>>,
    notes: AutoStream<Stderr>,
    format: Format,
    terminal: bool,
    held: Option<Held>,
}

/// A buffered answer for people on a terminal. Whether it needs a pager is only known once it is complete.
/// Notes follow it, next to the prompt and never inside the pager.
struct Held {
    text: Vec<u8>,
    notes: Vec<u8>,
    screen: Screen,
    /// True if results are laid out for the screen and not as for a pipe.
    is_compact: bool,
    links: Option<Links>,
    pager: Option<PagerChoice>,
}

impl Held {
    fn new(paging: Paging, color: ColorChoice, cwd: &Path) -> Self {
        let has_links = color != ColorChoice::Never && env::supports_links();
        Held {
            text: Vec::new(),
            notes: Vec::new(),
            screen: env::screen(),
            is_compact: true,
            links: has_links.then(|| Links { host: env::host_name(), base: cwd.to_owned() }),
            pager: if paging == Paging::Allowed { env::pager() } else { None },
        }
    }

    /// True if the text and the next prompt do not fit on the screen together.
    fn is_long(&self) -> bool {
        // A cheap lower bound: every line takes at least one row.
        let lines = self.text.iter().filter(|byte| **byte == b'\n').count();
        lines >= self.screen.rows
            || wrap::rows(&String::from_utf8_lossy(&self.text), self.screen.columns) >= self.screen.rows
    }
}

impl Printer {
    /// Creates a printer for answers whose file names are relative to `cwd`.
    pub(crate) fn stdout(format: Format, color: ColorChoice, paging: Paging, cwd: &Path) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let out = AutoStream::new(io::stdout(), color);
        let is_held = is_terminal && format == Format::Human && paging != Paging::Streaming;
        Self {
            held: is_held.then(|| Held::new(paging, out.current_choice(), cwd)),
            out: BufWriter::new(out),
            notes: AutoStream::new(io::stderr(), color),
            format,
            // A user who forces color in a pipe has a terminal at its end.
            terminal: is_terminal || color == ColorChoice::Always,
        }
    }

    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Returns the size of the terminal, if there is one and the output is for people.
    pub(crate) fn screen(&self) -> Option<Screen> {
        self.held.as_ref().map(|held| held.screen)
    }

    /// True if results are laid out for a terminal.
    pub(crate) fn is_compact(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.is_compact)
    }

    /// Shows results on a terminal as they would go to a pipe.
    pub(crate) fn show_passages(&mut self) {
        if let Some(held) = &mut self.held {
            held.is_compact = false;
        }
    }

    /// Prints a note that is not part of the answer.
    pub(crate) fn note(&mut self, text: &str) -> io::Result<()> {
        let text = format!("note: {}\n", escape::one_line(text));
        match &mut self.held {
            Some(held) => held.notes.write_all(text.as_bytes()),
            None => write_after(&mut self.out, &mut self.notes, text.as_bytes()),
        }
    }

    /// Writes an answer in the chosen format. Notes follow it.
    pub(crate) fn show(&mut self, answer: &impl Present) -> io::Result<()> {
        let (terminal, styled) = (self.terminal, true);
        match (self.format, &mut self.held) {
            (Format::Human, None) => {
                let mut notes = Vec::new();
                let shown = answer.human(&mut Page {
                    out: &mut self.out,
                    notes: &mut notes,
                    terminal,
                    styled,
                    screen: None,
                    links: None,
                });
                shown.and(write_after(&mut self.out, &mut self.notes, &notes))
            }
            (Format::Human, Some(held)) => answer.human(&mut Page {
                out: &mut held.text,
                notes: &mut held.notes,
                terminal,
                styled,
                screen: held.is_compact.then_some(held.screen),
                links: held.links.as_ref(),
            }),
            (Format::Json, _) => {
                serde_json::to_writer_pretty(&mut self.out, &Versioned { version: VERSION, answer })?;
                self.out.write_all(b"\n")
            }
        }
    }

    /// True if text goes to a file or program unchanged, and not to a person.
    pub(crate) fn is_verbatim(&self) -> bool {
        self.format == Format::Human && !self.terminal
    }

    /// Writes text verbatim, so redirecting it to a file copies every byte.
    pub(crate) fn copy(&mut self, text: &str) -> io::Result<()> {
        self.out.flush()?;
        // Bypass `out`, which would strip escape sequences from the text.
        io::stdout().write_all(text.as_bytes())
    }

    /// Writes bytes that are neither for people nor JSON, such as a completion script.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.held {
            Some(held) => held.text.write_all(bytes),
            None => self.out.write_all(bytes),
        }
    }

    /// Writes buffered output. Errors such as a full disk or a closed pipe are noticed here.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        if let Some(held) = &mut self.held {
            let is_paged =
                held.is_long() && page(held, self.out.get_ref().current_choice(), &mut self.notes)?;
            if !is_paged {
                self.out.write_all(&held.text)?;
            }
            held.text.clear();
            self.out.flush()?;
            return self.notes.write_all(&std::mem::take(&mut held.notes));
        }
        self.out.flush()
    }
}

/// Writes notes after everything before them, even if stdout and stderr are the same file.
fn write_after(out: &mut impl Write, notes: &mut impl Write, text: &[u8]) -> io::Result<()> {
    let flushed = out.flush();
    notes.write_all(text)?;
    flushed
}

/// Shows an answer in the pager. Returns false if there is none or it can't be started.
fn page(held: &Held, color: ColorChoice, notes: &mut impl Write) -> io::Result<bool> {
    let Some(pager) = &held.pager else { return Ok(false) };
    let plain;
    let text = if color == ColorChoice::Never {
        plain = strip_bytes(&held.text).into_vec();
        &plain
    } else {
        &held.text
    };
    match pager.show(text) {
        Ok(()) => Ok(true),
        Err(Unpaged::Failed(error)) => Err(error),
        Err(Unpaged::NotStarted(why)) => {
            if pager.is_named {
                writeln!(notes, "{FAINT}note:{FAINT:#} {}", escape::one_line(&why))?;
            }
            Ok(false)
        }
    }
}

/// An answer as text without color, split into stdout and stderr.
pub(crate) struct Rendered {
    pub(crate) text: String,
    pub(crate) notes: String,
}

/// Renders an answer into memory as it would go to a pipe.
pub(crate) fn render(answer: &impl Present) -> io::Result<Rendered> {
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    answer.human(&mut Page {
        out: &mut out,
        notes: &mut notes,
        terminal: false,
        styled: false,
        screen: None,
        links: None,
    })?;
    Ok(Rendered { text: stripped(out), notes: stripped(notes) })
}

/// Removes styles and control characters.
fn stripped(written: Vec<u8>) -> String {
    let control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    // Most answers contain none. Without an early exit, the compiler can vectorize this loop.
    let any = written.iter().fold(false, |any, byte| any | control(byte));
    into_text(if any { strip_bytes(&written).into_vec() } else { written })
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Formats a count with its noun.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// Formats a number with thousands separators.
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
    use anstream::StripStream;

    use super::*;

    #[test]
    fn what_is_written_into_memory_is_what_a_pipe_gets() {
        for text in [
            "plain\n",
            "a\tb\r\n",
            "\x1b[31mred\x1b[0m é\u{85}",
            "bell\x07 and del\x7f, ☃",
            "\x1b]0;title\x07x",
            "",
        ] {
            let mut pipe = StripStream::new(Vec::new());
            pipe.write_all(text.as_bytes()).unwrap();
            assert_eq!(stripped(text.into()).into_bytes(), pipe.into_inner(), "{text:?}");
        }
    }

    #[test]
    fn thousands_stand_apart() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }
}

//! The output is a value that owns its writer. Every answer is a wire type: JSON is its serialisation, and
//! what people read is its `human` form.

mod agents;
mod check;
mod config;
mod eval;
mod get;
mod init;
mod inspect;
mod links;
mod list;
mod pager;
mod progress;
mod reference;
mod sanitize;
mod screen;
mod search;
mod status;
mod table;
mod wrap;

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Stderr, Stdout, Write};
use std::path::Path;

use anstream::adapter::strip_bytes;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use ra_core::text::escape;
use serde::Serialize;

use self::links::Links;
use self::pager::Unpaged;
pub(crate) use self::progress::Bar;
pub(crate) use self::reference::for_screen;
pub(crate) use self::sanitize::sanitize;
use self::sanitize::sanitize_styled;
use self::table::Table;
use crate::args::Color;
use crate::env::{self, PagerChoice, Screen};
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
pub(crate) const MATCH: Style = AnsiColor::Red.on_default().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// Whether a long answer may go through a pager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paging {
    /// If the user has not turned it off.
    Allowed,
    /// The user has turned it off.
    Off,
    /// What is printed is not one answer for people: it has to appear at once, or is for a program.
    Streaming,
}

/// Writes answers to standard output.
pub(crate) struct Printer {
    out: BufWriter<AutoStream<Stdout>>,
    notes: AutoStream<Stderr>,
    format: Format,
    terminal: bool,
    held: Option<Held>,
}

/// An answer for people on a terminal, which is written once all of it is known: only then is it clear whether it needs a
/// pager. Notes come after it, next to where the user types, and never into the screen of a pager.
struct Held {
    text: Vec<u8>,
    notes: Vec<u8>,
    screen: Screen,
    /// Whether results are laid out for the screen, and not as a pipe gets them.
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

    /// Whether the text and the line that the user types on next do not fit the screen together.
    fn is_long(&self) -> bool {
        // A row has a line end at the least.
        let lines = self.text.iter().filter(|byte| **byte == b'\n').count();
        lines >= self.screen.rows
            || wrap::rows(&String::from_utf8_lossy(&self.text), self.screen.columns) >= self.screen.rows
    }
}

impl Printer {
    /// A printer for answers that name files from `cwd`.
    pub(crate) fn stdout(format: Format, color: Color, paging: Paging, cwd: &Path) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let out = AutoStream::new(io::stdout(), color.choice());
        let is_held = is_terminal && format == Format::Human && paging != Paging::Streaming;
        Self {
            held: is_held.then(|| Held::new(paging, out.current_choice(), cwd)),
            out: BufWriter::new(out),
            notes: AutoStream::new(io::stderr(), color.choice()),
            format,
            // Who wants colour in a pipe has a terminal at its end.
            terminal: is_terminal || color.choice() == ColorChoice::Always,
        }
    }

    /// How answers are written.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// The size of the terminal, if there is one and what is printed is for people.
    pub(crate) fn screen(&self) -> Option<Screen> {
        self.held.as_ref().map(|held| held.screen)
    }

    /// Whether results are laid out for a terminal.
    pub(crate) fn is_compact(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.is_compact)
    }

    /// Shows results on a terminal as a pipe gets them, too.
    pub(crate) fn show_passages(&mut self) {
        if let Some(held) = &mut self.held {
            held.is_compact = false;
        }
    }

    /// Says something that is not part of the answer.
    pub(crate) fn note(&mut self, text: &str) -> io::Result<()> {
        let text = format!("note: {}\n", escape::one_line(text));
        match &mut self.held {
            Some(held) => held.notes.write_all(text.as_bytes()),
            None => self.notes.write_all(text.as_bytes()),
        }
    }

    /// Writes an answer in the chosen format.
    pub(crate) fn show(&mut self, answer: &impl Present) -> io::Result<()> {
        let (terminal, styled) = (self.terminal, true);
        match (self.format, &mut self.held) {
            (Format::Human, None) => answer.human(&mut Page {
                out: &mut self.out,
                notes: &mut self.notes,
                terminal,
                styled,
                screen: None,
                links: None,
            }),
            (Format::Human, Some(held)) => answer.human(&mut Page {
                out: &mut held.text,
                notes: &mut held.notes,
                terminal,
                styled,
                screen: held.is_compact.then_some(held.screen),
                links: held.links.as_ref(),
            }),
            (Format::Json, _) => {
                serde_json::to_writer_pretty(&mut self.out, &wire::versioned(answer))?;
                self.out.write_all(b"\n")
            }
        }
    }

    /// Whether text goes to a file or a program as it is, and not to a person.
    pub(crate) fn is_verbatim(&self) -> bool {
        self.format == Format::Human && !self.terminal
    }

    /// Writes text as it is: what people copy files with changes no byte of it.
    pub(crate) fn copy(&mut self, text: &str) -> io::Result<()> {
        self.out.flush()?;
        // What leads to standard output otherwise takes away what could be a style.
        io::stdout().write_all(text.as_bytes())
    }

    /// Writes bytes that are neither for people nor JSON, such as a completion script.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.held {
            Some(held) => held.text.write_all(bytes),
            None => self.out.write_all(bytes),
        }
    }

    /// Writes what is still in memory, so that a full disk or a closed pipe is noticed.
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

/// Lets the pager show an answer. Gives false where there is none, or it can't be started.
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

/// An answer as text without colour: what would go to standard output, and what to standard error.
pub(crate) struct Rendered {
    pub(crate) text: String,
    pub(crate) notes: String,
}

/// Writes an answer as a pipe would get it, into memory.
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

/// What is left of written bytes without styles and control characters.
fn stripped(written: Vec<u8>) -> String {
    let control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    // Most answers have none; not to stop at the first makes this many bytes at a time.
    let any = written.iter().fold(false, |any, byte| any | control(byte));
    let plain = if any { strip_bytes(&written).into_vec() } else { written };
    String::from_utf8(plain).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// What an answer is written on.
pub(crate) struct Page<'a> {
    out: &'a mut dyn Write,
    notes: &'a mut dyn Write,
    terminal: bool,
    /// Whether styles are of use.
    styled: bool,
    /// The size of the terminal, where results are laid out for it.
    screen: Option<Screen>,
    links: Option<&'a Links>,
}

impl Page<'_> {
    /// A line of our own words.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.block(text.as_ref())?;
        self.out.write_all(b"\n")
    }

    /// Something that is not part of the answer: it goes to standard error.
    pub(crate) fn note(&mut self, text: &str) -> io::Result<()> {
        let text = escape::one_line(text);
        writeln!(self.notes, "{FAINT}note:{FAINT:#} {text}")
    }

    /// What to do about a note.
    pub(crate) fn hint(&mut self, text: &str) -> io::Result<()> {
        let text = escape::one_line(text);
        writeln!(self.notes, "{FAINT}hint:{FAINT:#} {text}")
    }

    /// Something that may be wrong: it goes to standard error.
    pub(crate) fn warning(&mut self, text: &str) -> io::Result<()> {
        let text = escape::one_line(text);
        writeln!(self.notes, "{WARN}warning:{WARN:#} {text}")
    }

    /// Text of a document, in which nothing passes for a line of our own, with a line end.
    pub(crate) fn document(&mut self, text: &str) -> io::Result<()> {
        self.text(&escape::document(text))
    }

    /// Lines of our own words, with a line end.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.block(text)?;
        if text.ends_with('\n') { Ok(()) } else { self.out.write_all(b"\n") }
    }

    /// A part of a line that a click on a terminal opens the file from. Only this writes links: what a link is around is
    /// made safe to show as all text is.
    pub(crate) fn link(&mut self, file: &str, text: &str) -> io::Result<()> {
        let Some(links) = self.links else { return self.block(text) };
        self.out.write_all(links.open(file).as_bytes())?;
        self.block(text)?;
        self.out.write_all(links::CLOSE.as_bytes())
    }

    /// Lines that end with a line end, or nothing. Whatever they are made of, a terminal gets text and our styles only.
    pub(crate) fn block(&mut self, text: &str) -> io::Result<()> {
        let text = if self.terminal { sanitize_styled(text) } else { text.into() };
        self.out.write_all(text.as_bytes())
    }

    /// A heading, after an empty line.
    pub(crate) fn heading(&mut self, text: &str) -> io::Result<()> {
        self.line(format!("\n{HEADING}{text}{HEADING:#}"))
    }

    /// A name, title or heading that comes from documents, files or arguments, as a part of a line.
    pub(crate) fn clean(&self, text: &str) -> String {
        escape::one_line(text).into_owned()
    }

    /// A line of a file that is to be read by programs as it is, made harmless when it goes to a terminal.
    pub(crate) fn harmless<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.terminal { sanitize(text) } else { text.into() }
    }

    /// A style, or none where it would be taken away again.
    pub(crate) fn style(&self, style: Style) -> Style {
        if self.styled { style } else { Style::new() }
    }

    /// Rows with aligned columns, in which nothing has a style.
    pub(crate) fn table(&mut self, table: &Table) -> io::Result<()> {
        self.out.write_all(sanitize(&table.to_string()).as_bytes())
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

//! Errors for people: what happened, where, and a `hint:` on a line of its own.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use anstream::{AutoStream, ColorChoice};
use ra_core::error::{ConfigProblem, ConfigProblems};
use ra_core::text::{escape, shortened};

use crate::hints::Surface;
use crate::sanitize::sanitize;

/// The result of a command.
pub(crate) type Result<T> = std::result::Result<T, CliError>;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum CliError {
    /// An error of the library.
    Core(ra_core::Error),
    /// The output could not be written.
    Output(io::Error),
    /// An error that the command itself found.
    Message { message: String, hint: Option<String> },
}

/// The exit code of all failures.
pub(crate) const FAILURE: u8 = 2;

impl CliError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        CliError::Message { message: message.into(), hint: None }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        match self {
            CliError::Message { message, .. } => CliError::Message { message, hint: Some(hint.into()) },
            other => other,
        }
    }
}

impl From<ra_core::Error> for CliError {
    fn from(error: ra_core::Error) -> Self {
        CliError::Core(error)
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        CliError::Output(error)
    }
}

/// Prints an error and returns the exit code. A broken pipe is a success: the reader has seen enough.
pub(crate) fn report(error: &CliError, color: ColorChoice) -> ExitCode {
    if let CliError::Output(error) = error
        && error.kind() == io::ErrorKind::BrokenPipe
    {
        return ExitCode::SUCCESS;
    }
    let text = text(error, Surface::CommandLine);
    let mut stderr = AutoStream::new(io::stderr(), color);
    // If even this fails, there is no way to report it.
    let _ = stderr.write_all(text.as_bytes());
    ExitCode::from(FAILURE)
}

/// Formats an error with styles, and with its hint for a surface.
fn text(error: &CliError, surface: Surface) -> String {
    match error {
        CliError::Core(ra_core::Error::Config(problems)) => render(problems),
        CliError::Core(error) => {
            let hint = error.hint().map(|hint| surface.hint(&hint));
            plain(&with_causes(error), hint.as_deref())
        }
        CliError::Output(error) => plain(&format!("could not write the output: {error}"), None),
        CliError::Message { message, hint } => plain(message, hint.as_deref()),
    }
}

/// Formats an error as the server does.
pub(crate) fn plain_text(error: &CliError) -> String {
    let text = anstream::adapter::strip_str(&text(error, Surface::Tools)).to_string();
    // It may contain any name, which must not be mistaken for structure.
    escape::document(&text).into_owned()
}

/// Formats an error with its causes, on one line.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    text
}

/// An error may repeat what a project contains, such as a name of megabytes. This many characters of it are printed.
const MAX_MESSAGE_CHARS: usize = 2000;
/// This many problems of a configuration are printed.
const MAX_PROBLEMS: usize = 20;
/// A longer line of a configuration isn't printed with the problem in it.
const MAX_SOURCE_LINE_BYTES: usize = 2000;

fn plain(message: &str, hint: Option<&str>) -> String {
    let clean = |text: &str| sanitize(&shortened(text, MAX_MESSAGE_CHARS)).into_owned();
    let hint = hint.map(|hint| format!("hint: {}\n", clean(hint))).unwrap_or_default();
    format!("error: {}\n{hint}", clean(message))
}

/// Formats each problem with the line of the file underlined.
fn render(ConfigProblems(problems): &ConfigProblems) -> String {
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
    let mut text = String::new();
    let clean = |text: &str| sanitize(&shortened(text, MAX_MESSAGE_CHARS)).into_owned();
    for problem in problems.iter().take(MAX_PROBLEMS) {
        let message = clean(&problem.message);
        let path = problem.file.to_string_lossy();
        let path = escape::one_line(&path);
        text.push_str(&renderer.render(&[snippet(problem, &message, &path)]));
        text.push('\n');
        if let Some(hint) = &problem.hint {
            text.push_str(&format!("hint: {}\n", clean(hint)));
        }
        text.push('\n');
    }
    let more = problems.len().saturating_sub(MAX_PROBLEMS);
    let shown = if more > 0 { format!(", of which {MAX_PROBLEMS} are shown") } else { String::new() };
    let problems =
        if problems.len() == 1 { "1 problem".to_owned() } else { format!("{} problems", problems.len()) };
    text + &format!("error: the configuration has {problems}{shown}; nothing was done\n")
}

fn snippet<'a>(problem: &'a ConfigProblem, message: &'a str, path: &'a str) -> annotate_snippets::Group<'a> {
    let title = Level::ERROR.primary_title(message);
    let end = problem.source.len();
    let range = problem.span.start.min(end)..problem.span.end.min(end);
    let before = problem.source[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let after = problem.source[range.end..].find('\n').map_or(end, |at| range.end + at);
    if after - before > MAX_SOURCE_LINE_BYTES {
        let line = 1 + problem.source[..range.start].matches('\n').count();
        return title.element(Origin::path(path).line(line));
    }
    title
        .element(Snippet::source(&*problem.source).path(path).annotation(AnnotationKind::Primary.span(range)))
}

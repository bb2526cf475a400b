//! Reports the messages of clap: requested help, and usage errors.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use ra_core::text::nearest;

use crate::args::Args;
use crate::env;
use crate::error::{self, CliError, FAILURE};
use crate::hints::shell_quoted;
use crate::output::{Format, Paging, Printer};
use crate::sanitize::sanitize;

/// Prints a usage error, or the requested help.
pub(crate) fn report(error: &clap::Error) -> ExitCode {
    if let Some(name) = unknown_command(error) {
        return error::report(&no_command(name, &env::arguments()), ColorChoice::Auto);
    }
    if let Some(exclusion) = excluded_word(error, &env::arguments()) {
        return error::report(&exclusion, ColorChoice::Auto);
    }
    // A closed pipe is not an error.
    if !error.use_stderr() {
        let _ = print_help(error);
        return ExitCode::SUCCESS;
    }
    // The arguments may contain anything and are echoed, so sanitize the message.
    let text = error.render().to_string();
    let clean = sanitize(&text);
    let _ = if clean == text { error.print() } else { io::stderr().write_all(clean.as_bytes()) };
    ExitCode::from(FAILURE)
}

/// Prints help or the version. Clap has not parsed the other flags, so look for `--no-pager` here.
fn print_help(error: &clap::Error) -> io::Result<()> {
    let has_pager = !env::arguments().iter().any(|argument| argument == "--no-pager");
    let paging = if has_pager { Paging::Allowed } else { Paging::Off };
    let mut printer = Printer::stdout(Format::Human, ColorChoice::Auto, paging, Path::new(""));
    printer.raw(error.render().ansi().to_string().as_bytes())?;
    printer.finish()
}

/// Returns the name that was given instead of a command.
fn unknown_command(error: &clap::Error) -> Option<&str> {
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(name))) => Some(name),
        _ => None,
    }
}

/// Returns the error for an unknown command: a typo, or the first word of a query.
fn no_command(name: &str, arguments: &[String]) -> CliError {
    let start = arguments.iter().position(|argument| argument == name).map_or(arguments.len(), |at| at + 1);
    let after = &arguments[start..];
    let words = after.iter().take_while(|argument| !argument.starts_with('-')).count();
    let (words, options) = after.split_at(words);
    let ra = Args::command();
    let hint = match nearest(name, ra.get_subcommands().map(clap::Command::get_name)).first() {
        Some(near) => {
            let command = command_line([*near].into_iter().chain(after.iter().map(String::as_str)));
            format!("did you mean `{command}`?")
        }
        None => {
            let query =
                [name].into_iter().chain(words.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
            let options = options.iter().map(String::as_str);
            let command = command_line(["search", &query].into_iter().chain(options));
            format!("`{command}` searches for it")
        }
    };
    CliError::new(format!("no command `{name}`")).hint(hint)
}

/// Returns the error for `ra search words -word`, where the shell made an option of an exclusion; `None` for anything
/// else.
fn excluded_word(error: &clap::Error, arguments: &[String]) -> Option<CliError> {
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(unknown))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    let search = arguments.iter().position(|argument| argument == "search")?;
    let given = arguments.iter().skip(search).find(|argument| argument.starts_with(unknown.as_str()))?;
    if given.starts_with("--") {
        return None;
    }
    let words = arguments[search + 1..].iter().take_while(|argument| !argument.starts_with('-'));
    let query = words.chain([given]).map(String::as_str).collect::<Vec<_>>().join(" ");
    let hint = match query.starts_with('-') {
        true => format!("`{}` reads it as a query", command_line(["search", "--", &query].into_iter())),
        false => format!("`{}` leaves out a word", command_line(["search", &query].into_iter())),
    };
    Some(CliError::new(format!("`ra search` has no option `{given}`")).hint(hint))
}

fn command_line<'a>(arguments: impl Iterator<Item = &'a str>) -> String {
    ["ra".to_owned()].into_iter().chain(arguments.map(shell_quoted)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn what_is_no_command_is_a_question_or_mistyped() {
        for (line, hint) in [
            (&["error", "handling"][..], "`ra search \"error handling\"` searches for it"),
            (&["lifetimes"], "`ra search lifetimes` searches for it"),
            (&["error handling"], "`ra search \"error handling\"` searches for it"),
            (&["--json", "error", "codes", "-n", "3"], "`ra search \"error codes\" -n 3` searches for it"),
            (&["it's", "\"exact\""], "`ra search 'it'\\''s \"exact\"'` searches for it"),
            (&["serch", "x"], "did you mean `ra search x`?"),
            (&["-C", "docs", "chekc"], "did you mean `ra check`?"),
        ] {
            let arguments: Vec<String> = line.iter().map(|argument| (*argument).to_owned()).collect();
            let error = Args::try_parse_from(["ra"].iter().chain(line)).expect_err("an error");
            let name = unknown_command(&error).expect("a name");
            let CliError::Message { message, hint: given } = no_command(name, &arguments) else { panic!() };
            assert_eq!((message, given), (format!("no command `{name}`"), Some(hint.to_owned())));
        }
    }

    #[test]
    fn a_word_with_a_minus_is_an_exclusion_without_quotes() {
        for (line, hint) in [
            (
                &["search", "ownership", "-rules"][..],
                Some("`ra search \"ownership -rules\"` leaves out a word"),
            ),
            (&["search", "a b", "-x"], Some("`ra search \"a b -x\"` leaves out a word")),
            (&["search", "-x", "b"], Some("`ra search -- -x` reads it as a query")),
            (&["search", "-x b"], Some("`ra search -- \"-x b\"` reads it as a query")),
            (&["search", "--limt", "3", "b"], None),
            (&["get", "-x"], None),
        ] {
            let arguments: Vec<String> = line.iter().map(|argument| (*argument).to_owned()).collect();
            let error = Args::try_parse_from(["ra"].iter().chain(line)).expect_err("an error");
            let given = excluded_word(&error, &arguments).map(|error| match error {
                CliError::Message { hint, .. } => hint.expect("a hint"),
                _ => panic!("another error"),
            });
            assert_eq!(given.as_deref(), hint, "{line:?}");
        }
    }
}

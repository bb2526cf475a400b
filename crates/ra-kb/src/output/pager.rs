//! A pager for answers that are longer than the screen, like git's.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use super::links::without_links;
use crate::env::PagerChoice;

/// The default options of `less`: exit if the text fits on the screen, pass colors through, and leave the text
/// on the screen.
const LESS_OPTIONS: &str = "FRX";
/// The same for `lv`.
const LV_OPTIONS: &str = "-c";

/// Characters that are special to a shell.
#[cfg(unix)]
const SHELL: &str = "|&;<>()$`\\\"'*?[#~=%\n";

/// Why a text was not shown by a pager.
pub(super) enum Unpaged {
    /// The pager could not be started.
    NotStarted(String),
    /// Writing to the pager failed.
    Failed(io::Error),
}

impl PagerChoice {
    /// Shows a text in the pager and waits until it exits. It's not an error if the user quits early.
    pub(super) fn show(&self, text: &[u8]) -> Result<(), Unpaged> {
        let not_started = |why: &dyn std::fmt::Display| {
            Unpaged::NotStarted(format!("could not start the pager `{}`: {why}", self.command))
        };
        // Only recent versions of `less` pass links to the terminal; others show their escape sequences.
        let text = without_links(text);
        // Interrupts are for the pager, which may stop a search with them. If we exited first, the pager and
        // the shell would both read from the keyboard.
        let _interrupts = ignore_interrupts();
        let mut command = self.to_command();
        if !self.has_less {
            command.env("LESS", LESS_OPTIONS);
        }
        if !self.has_lv {
            command.env("LV", LV_OPTIONS);
        }
        let mut child = command.stdin(Stdio::piped()).spawn().map_err(|error| not_started(&error))?;
        let written = child.stdin.take().map_or(Ok(()), |mut input| input.write_all(&text));
        let status = child.wait().map_err(Unpaged::Failed)?;
        // The exit codes of a shell that cannot start a program.
        if self.needs_shell() && matches!(status.code(), Some(126 | 127)) {
            return Err(not_started(&"the shell cannot run it"));
        }
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Unpaged::Failed(error)),
            _ => Ok(()),
        }
    }

    /// True if the command line contains shell syntax. Otherwise it is split into a program and its arguments.
    fn needs_shell(&self) -> bool {
        #[cfg(unix)]
        return self.command.contains(|c| SHELL.contains(c));
        #[cfg(not(unix))]
        false
    }

    fn to_command(&self) -> Command {
        if self.needs_shell() {
            let mut command = Command::new("sh");
            command.args(["-c", &self.command]);
            return command;
        }
        let mut words = self.command.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        command
    }
}

/// Keeps an interrupt from ending the process. It is never undone, because nothing is left to do after the
/// pager.
fn ignore_interrupts() -> Option<impl Sized> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    let inside = runtime.enter();
    #[cfg(unix)]
    let signal = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt()).ok()?;
    #[cfg(windows)]
    let signal = tokio::signal::windows::ctrl_c().ok()?;
    drop(inside);
    Some((signal, runtime))
}

//! Hides panics until it is known that nobody has caught them.
//!
//! The search engine panics on a damaged index; the library catches that and rebuilds the index. The message
//! that the standard library prints at the time of the panic would look like a crash.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

use crate::env;
use crate::error::{CliError, Result};

/// The message and location of the last panic.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Silences panics from now on, unless the user asked for backtraces.
pub(crate) fn silence_panics() {
    if !env::wants_backtraces() {
        panic::set_hook(Box::new(|panic| {
            *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic.to_string());
        }));
    }
}

/// Runs a command. An uncaught panic becomes an error that says it is a bug.
pub(crate) fn catch_panics<T>(command: impl FnOnce() -> Result<T>) -> Result<T> {
    panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|_| {
        let said = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
        Err(error(&said.unwrap_or_else(|| "panicked".to_owned()).replace('\n', " ")))
    })
}

/// Returns the error for the message of a panic.
fn error(said: &str) -> CliError {
    // Rayon creates the threads for all cores on first use, and can only report a failure by a panic.
    if said.contains("ThreadPoolBuildError") {
        return CliError::new("the system can't start more threads")
            .hint("allow more processes or more memory; `ulimit -a` shows the limits");
    }
    CliError::new(format!("ra failed, which is a bug: {said}"))
        .hint("please report it, with what `RUST_BACKTRACE=1` shows in addition")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_catches_is_an_error_that_says_so() {
        assert_eq!(catch_panics(|| Ok(7)).ok(), Some(7));
        let failed = catch_panics(|| -> Result<()> { panic!("out of {}", "sorts") });
        let text = crate::error::plain_text(&failed.expect_err("an error"));
        assert!(text.starts_with("error: ra failed, which is a bug: panicked"), "{text}");
        assert!(text.contains("hint: please report it"), "{text}");
    }

    #[test]
    fn a_system_without_threads_is_no_bug() {
        let said = "panicked at registry.rs:171:10: no pool: ThreadPoolBuildError { kind: IOError(Os { code: 11 }) }";
        let text = crate::error::plain_text(&error(said));
        assert_eq!(
            text,
            "error: the system can't start more threads\nhint: allow more processes or more memory; `ulimit -a` shows the limits\n"
        );
    }
}

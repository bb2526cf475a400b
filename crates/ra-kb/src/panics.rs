//! Panics are kept from people until it is known that nobody has caught them.
//!
//! The search engine panics on an index that is damaged; the library catches that and builds the index anew. What
//! the standard library prints at the moment of a panic would look like a crash to whoever reads it.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

use crate::env;
use crate::error::{CliError, Result};

/// What the last panic said, and where.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Keeps panics quiet from now on, unless somebody looks for the cause of one.
pub(crate) fn silence_panics() {
    if !env::wants_backtraces() {
        panic::set_hook(Box::new(|panic| {
            *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(panic.to_string());
        }));
    }
}

/// Runs a command. A panic that nobody has caught is an error like others, and says that it is a bug.
pub(crate) fn catch_panics<T>(command: impl FnOnce() -> Result<T>) -> Result<T> {
    panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|_| {
        let said = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
        Err(error(&said.unwrap_or_else(|| "panicked".to_owned()).replace('\n', " ")))
    })
}

/// The error for what a panic said.
fn error(said: &str) -> CliError {
    // The threads for all cores are made at their first use, by a library that knows no other way to say that it
    // cannot.
    if said.contains("ThreadPoolBuildError") {
        return CliError::new("the system gives no more threads")
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
            "error: the system gives no more threads\nhint: allow more processes or more memory; `ulimit -a` shows the limits\n"
        );
    }
}

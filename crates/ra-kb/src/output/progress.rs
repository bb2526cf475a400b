//! A progress bar for long work: on a terminal only, and only when the work is long.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ra_core::kb::Progress;

/// A bar on standard error.
pub(crate) struct Bar {
    wanted: bool,
    bar: OnceLock<ProgressBar>,
}

/// Fewer documents than this are read before a bar could be looked at.
const LONG: usize = 500;

impl Bar {
    /// A bar that appears when it is worth it.
    pub(crate) fn new() -> Self {
        Self { wanted: io::stderr().is_terminal(), bar: OnceLock::new() }
    }
}

impl Progress for Bar {
    fn begin(&self, documents: usize) {
        if self.wanted && documents >= LONG {
            let bar = ProgressBar::with_draw_target(Some(documents as u64), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("indexing {bar:30} {pos}/{len} documents, {eta} left");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            // A second run of the same command line would draw over the first; there is none.
            let _ = self.bar.set(bar);
        }
    }

    fn step(&self) {
        if let Some(bar) = self.bar.get() {
            bar.inc(1);
        }
    }

    fn end(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

//! A progress bar for long work: on a terminal only, and only when the work is long.

use std::io::{self, IsTerminal};
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ra_core::kb::{Progress, Work};

/// A bar on standard error.
pub(crate) struct Bar {
    wanted: bool,
    bar: Mutex<Option<ProgressBar>>,
}

/// Fewer documents are done before a bar could be looked at.
const MIN_READ_DOCUMENTS: usize = 500;
const MIN_ENCODED_DOCUMENTS: usize = 20;

impl Bar {
    /// A bar that appears when it is worth it.
    pub(crate) fn new() -> Self {
        Self { wanted: io::stderr().is_terminal(), bar: Mutex::default() }
    }
}

impl Progress for Bar {
    fn begin(&self, work: Work, documents: usize) {
        let (name, least) = match work {
            Work::Reading => ("indexing", MIN_READ_DOCUMENTS),
            Work::Encoding => ("encoding", MIN_ENCODED_DOCUMENTS),
        };
        if self.wanted && documents >= least {
            let bar = ProgressBar::with_draw_target(Some(documents as u64), ProgressDrawTarget::stderr());
            let template = format!("{name} {{bar:30}} {{pos}}/{{len}} documents, {{eta}} left");
            let style = ProgressStyle::with_template(&template);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            self.set(Some(bar));
        }
    }

    fn step(&self) {
        if let Ok(bar) = self.bar.lock()
            && let Some(bar) = &*bar
        {
            bar.inc(1);
        }
    }

    fn end(&self) {
        self.set(None);
    }
}

impl Bar {
    /// Takes the bar away and shows another, if there is one.
    fn set(&self, bar: Option<ProgressBar>) {
        if let Ok(mut shown) = self.bar.lock()
            && let Some(before) = std::mem::replace(&mut *shown, bar)
        {
            before.finish_and_clear();
        }
    }
}

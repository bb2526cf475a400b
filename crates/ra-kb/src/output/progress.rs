//! A progress bar for long work, shown on a terminal only.

use std::io::{self, IsTerminal};
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ra_core::kb::{Progress, Work};

/// A bar on stderr.
pub(crate) struct Bar {
    wanted: bool,
    bar: Mutex<Option<ProgressBar>>,
}

/// With fewer documents, the work is done before anyone could look at a bar.
const MIN_READ_DOCUMENTS: usize = 500;
const MIN_ENCODED_DOCUMENTS: usize = 20;

impl Bar {
    /// Creates a bar that is shown once the work is long enough.
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
    /// Removes the current bar and shows another, if given.
    fn set(&self, bar: Option<ProgressBar>) {
        if let Ok(mut shown) = self.bar.lock()
            && let Some(before) = std::mem::replace(&mut *shown, bar)
        {
            before.finish_and_clear();
        }
    }
}

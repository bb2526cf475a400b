//! `ra update`: rebuilds the index or keeps it fresh.

use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use ra_core::kb::{NoProgress, Progress};

use super::Session;
use crate::answers::Update;
use crate::args::UpdateArgs;
use crate::error::{self, Result};
use crate::live::{DiskMonitor, Encoder, NextStep, OpenedKb};

/// How often the watcher is asked for changes.
const LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// How often all files are walked if they can't be watched.
const WALK_INTERVAL: Duration = Duration::from_secs(2);

/// How long changes are collected before they are indexed, because an editor writes in several steps.
const SETTLE_TIME: Duration = Duration::from_millis(200);

pub(super) fn run(session: &mut Session, args: &UpdateArgs) -> Result<ExitCode> {
    if args.watch {
        return watch(session);
    }
    let progress = session.progress();
    let kb = session.knowledge_base()?;
    let start = Instant::now();
    let updated = kb.rebuild(&progress)?;
    let took = start.elapsed();
    let encoded = match kb.last_commit()? {
        Some((snapshot, _)) => kb.encode_pages(&snapshot, &|| true, &progress)?,
        None => 0,
    };
    session.printer.show(&Update::new(updated, took).with_encoded(encoded, start.elapsed() - took))?;
    session.printer.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Keeps the index fresh until the process is interrupted, even if the configuration changes.
fn watch(session: &mut Session) -> Result<ExitCode> {
    let mut watched = WatchedIndex::new(session);
    let progress = session.progress();
    watched.refresh(session, &progress)?;
    session.printer.note("watching for changes; interrupt to stop")?;
    let mut last_error = None;
    loop {
        if watched.monitor.next_step() == NextStep::Nothing {
            thread::sleep(LOOK_INTERVAL);
            continue;
        }
        thread::sleep(if watched.monitor.is_watching() { SETTLE_TIME } else { WALK_INTERVAL });
        match watched.refresh(session, &NoProgress) {
            Ok(()) => last_error = None,
            // Report it once, and go on when it is fixed.
            Err(error) => {
                let text = error::plain_text(&error);
                if last_error.as_ref() != Some(&text) {
                    let _ = error::report(&error, session.color);
                    last_error = Some(text);
                }
            }
        }
    }
}

/// The index of `ra update --watch`.
struct WatchedIndex {
    monitor: DiskMonitor,
    encoder: Encoder,
    opened: Option<Arc<OpenedKb>>,
    /// The warnings of the last update. A change of the configuration may change nothing else.
    warnings: Vec<String>,
}

impl WatchedIndex {
    fn new(session: &Session) -> Self {
        let monitor = DiskMonitor::new(session.places.clone());
        Self { monitor, encoder: Encoder::default(), opened: None, warnings: Vec::new() }
    }

    /// Updates the index, and reports what changed.
    fn refresh(&mut self, session: &mut Session, progress: &dyn Progress) -> Result<()> {
        let start = Instant::now();
        let walk = self.monitor.begin_walk(self.opened.as_ref().map(|opened| &opened.kb))?;
        let updated = walk.kb.update(progress)?;
        let kb = self.monitor.end_walk(walk, &updated.freshness);
        let found = &updated.freshness;
        let has_changed = found.added + found.modified + found.removed > 0 || found.warnings != self.warnings;
        if self.opened.is_none() || has_changed {
            self.warnings.clone_from(&found.warnings);
            session.printer.show(&Update::new(updated, start.elapsed()))?;
            session.printer.finish()?;
        }
        if let Some((snapshot, _)) = kb.last_commit()? {
            let opened = OpenedKb::new(kb, snapshot);
            self.encoder.encode(opened.clone());
            self.opened = Some(opened);
        }
        Ok(())
    }
}

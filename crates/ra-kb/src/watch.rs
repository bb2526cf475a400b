//! Keeps the index fresh: waits for changes, collects them for a moment, and indexes them.

use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anstream::ColorChoice;
use notify::{ErrorKind, EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{
    DebounceEventResult, DebouncedEvent, Debouncer, RecommendedCache, new_debouncer,
};
use ra_core::config::{Config, SystemDirs};
use ra_core::kb::{KnowledgeBase, NoProgress, Progress};

use crate::answers::Update;
use crate::error::{self, CliError, Result};
use crate::mcp::{FileState, Stamped, stamped};
use crate::output::Printer;

/// How long changes are collected before they are indexed, because an editor writes in several steps.
const DEBOUNCE: Duration = Duration::from_millis(200);
/// How often the configuration, the roots of the trees and the targets of links are polled. Their directories
/// are not watched, because most of their other contents don't matter.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Refreshes the index, and keeps it fresh until the process is interrupted, even if the configuration changes.
pub(crate) fn run(
    places: &SystemDirs,
    printer: &mut Printer,
    progress: &dyn Progress,
    color: ColorChoice,
) -> Result<()> {
    // Take the states before reading the files, so a change while they are read is noticed later.
    let mut configuration = stamped(places.files());
    let mut kb = KnowledgeBase::open(Config::load(places, &[])?);
    let mut roots = roots_of(&kb);
    let mut watching = watch(&kb)?;
    let mut shared = refresh(&kb, printer, progress, Told::Always)?;
    let mut encoding = Encoding::default();
    printer.note("watching for changes; interrupt to stop")?;
    loop {
        encoding.go_on(&kb)?;
        match watching.1.recv_timeout(POLL_INTERVAL) {
            Ok(batch) => {
                let index = &kb.config().index_dir;
                // If the system has dropped events, refresh everything.
                if batch.map_or(true, |events| events.iter().any(|event| concerns(event, index))) {
                    encoding = Encoding::default();
                    shared = refresh(&kb, printer, &NoProgress, Told::Changes)?;
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if shared.iter().any(|(path, known)| FileState::of(path) != *known) {
            encoding = Encoding::default();
            shared = refresh(&kb, printer, &NoProgress, Told::Changes)?;
        }
        let now = stamped(places.files());
        if now != configuration {
            configuration = now;
            match Config::load(places, &[]) {
                Ok(config) => {
                    kb = KnowledgeBase::open(config);
                    roots.clear();
                }
                // Keep the previous configuration until this one is fixed.
                Err(error) => drop(error::report(&error.into(), color)),
            }
        }
        let now = roots_of(&kb);
        if now == roots {
            continue;
        }
        roots = now;
        // Drop the old watches first; the system may not allow twice as many.
        drop(watching);
        watching = watch(&kb)?;
        printer.note("the configuration or a tree has changed")?;
        encoding = Encoding::default();
        shared = refresh(&kb, printer, &NoProgress, Told::Always)?;
    }
}

/// Tracks whether the pages have been encoded since the last change.
#[derive(Default)]
struct Encoding {
    is_done: bool,
}

impl Encoding {
    /// Encodes pages for a moment. Changes that arrive meanwhile wait.
    fn go_on(&mut self, kb: &KnowledgeBase) -> Result<()> {
        if !self.is_done
            && let Some((snapshot, _)) = kb.last_commit()?
        {
            let start = Instant::now();
            kb.encode_pages(&snapshot, &|| start.elapsed() < POLL_INTERVAL, &NoProgress)?;
            self.is_done = start.elapsed() < POLL_INTERVAL;
        }
        Ok(())
    }
}

/// Which updates are reported.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Always,
    /// Only those that changed something.
    Changes,
}

/// Updates the index until the set of shared files is stable. Returns the documents that can change without an
/// event, with their states from before they were last read.
fn refresh(
    kb: &KnowledgeBase,
    printer: &mut Printer,
    progress: &dyn Progress,
    mut told: Told,
) -> Result<Vec<Stamped>> {
    let mut shared = Vec::new();
    loop {
        let start = Instant::now();
        let updated = kb.update(progress)?;
        let fresh = &updated.freshness;
        let is_known = shared.iter().map(|(path, _)| path).eq(&fresh.shared);
        if !is_known {
            shared = stamped(fresh.shared.clone());
        }
        if told == Told::Always || fresh.added + fresh.modified + fresh.removed > 0 {
            printer.show(&Update::new(updated, start.elapsed()))?;
            printer.finish()?;
        }
        // New ones may have changed before their state was taken, so update again.
        if is_known {
            return Ok(shared);
        }
        told = Told::Changes;
    }
}

type Watching = (Debouncer<RecommendedWatcher, RecommendedCache>, Receiver<DebounceEventResult>);

/// Watches the trees that exist.
fn watch(kb: &KnowledgeBase) -> Result<Watching> {
    let (sender, events) = mpsc::channel();
    let failed = |error: notify::Error| {
        CliError::new(format!("the trees cannot be watched: {error}"))
            .hint("the system may allow too few watches; every search still brings the index up to date")
    };
    let mut watcher = new_debouncer(DEBOUNCE, None, sender).map_err(failed)?;
    for tree in kb.config().trees.iter().filter(|tree| tree.root.is_dir()) {
        match watcher.watch(&tree.root, RecursiveMode::Recursive) {
            // It was removed just now.
            Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => {}
            watched => watched.map_err(failed)?,
        }
    }
    Ok((watcher, events))
}

/// Returns the roots of the trees with their states. A root that was replaced under the same name counts as
/// changed.
fn roots_of(kb: &KnowledgeBase) -> Vec<Stamped> {
    stamped(kb.config().trees.iter().map(|tree| tree.root.clone()).collect())
}

/// True if an event is a change outside of the index directory. Reading files causes events too, and so does
/// writing the index.
fn concerns(event: &DebouncedEvent, index: &Path) -> bool {
    let changes = matches!(
        event.kind,
        EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Any
    );
    changes && !event.paths.iter().all(|path| path.starts_with(index))
}

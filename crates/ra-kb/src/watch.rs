//! Keeping the index fresh: changes are waited for, gathered for a moment, and indexed.

use std::fs;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime};

use notify::{EventKind, RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{
    DebounceEventResult, DebouncedEvent, Debouncer, RecommendedCache, new_debouncer,
};
use ra_core::config::{Config, Places};
use ra_core::kb::{KnowledgeBase, Silent};

use crate::args::Color;
use crate::error::{self, CliError, Result};
use crate::output::Printer;
use crate::wire::Update;

/// How long changes are gathered before they are indexed: an editor writes in several steps.
const GATHER: Duration = Duration::from_millis(200);
/// How often the configuration is looked at, and whether the trees are there. They lie in directories of which little else
/// matters.
const LOOK: Duration = Duration::from_secs(1);

/// Watches the trees until the process is interrupted, and others when the configuration changes.
pub(crate) fn run(places: &Places, mut kb: KnowledgeBase, printer: &mut Printer, color: Color) -> Result<()> {
    let mut known = state(places, &kb);
    let (mut _watcher, mut events) = watch(&kb)?;
    printer.note("watching for changes; interrupt to stop")?;
    loop {
        match events.recv_timeout(LOOK) {
            Ok(batch) => {
                let index = &kb.config().index_dir;
                // Where the system lost count of the events, everything is looked at.
                if batch.map_or(true, |events| events.iter().any(|event| concerns(event, index))) {
                    refresh(&kb, printer, Told::Changes)?;
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let now = state(places, &kb);
        if now == known {
            continue;
        }
        known = now;
        match Config::load(places, &[]) {
            Ok(config) => {
                kb = KnowledgeBase::open(config);
                known = state(places, &kb);
                (_watcher, events) = watch(&kb)?;
                printer.note("the configuration or a tree has changed")?;
                refresh(&kb, printer, Told::Always)?;
            }
            // What was good before goes on until this is mended.
            Err(error) => drop(error::report(&error.into(), color)),
        }
    }
}

/// When an update is told of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Always,
    /// When it changed something.
    Changes,
}

fn refresh(kb: &KnowledgeBase, printer: &mut Printer, told: Told) -> Result<()> {
    let start = Instant::now();
    let updated = kb.refresh(&Silent)?;
    let fresh = &updated.freshness;
    if told == Told::Always || fresh.added + fresh.modified + fresh.removed > 0 {
        printer.show(&Update::new(updated, start.elapsed()))?;
        printer.finish()?;
    }
    Ok(())
}

type Watcher = Debouncer<RecommendedWatcher, RecommendedCache>;

/// Watches the trees that are there.
fn watch(kb: &KnowledgeBase) -> Result<(Watcher, Receiver<DebounceEventResult>)> {
    let (sender, events) = mpsc::channel();
    let failed = |error: notify::Error| {
        CliError::new(format!("the trees cannot be watched: {error}"))
            .hint("the system may allow too few watches; every search still brings the index up to date")
    };
    let mut watcher = new_debouncer(GATHER, None, sender).map_err(failed)?;
    for tree in kb.config().trees.iter().filter(|tree| tree.root.is_dir()) {
        watcher.watch(&tree.root, RecursiveMode::Recursive).map_err(failed)?;
    }
    Ok((watcher, events))
}

/// What tells whether the configuration is still the same, and which trees are there.
fn state(places: &Places, kb: &KnowledgeBase) -> (Vec<Option<(SystemTime, u64)>>, Vec<bool>) {
    let stamp = |path: &Path| {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some((metadata.modified().ok()?, metadata.len()))
    };
    let files = places.files().iter().map(|path| stamp(path)).collect();
    (files, kb.config().trees.iter().map(|tree| tree.root.is_dir()).collect())
}

/// Whether an event is a change. Reading files makes events too, and so does writing the index.
fn concerns(event: &DebouncedEvent, index: &Path) -> bool {
    let changes = matches!(
        event.kind,
        EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Any
    );
    changes && !event.paths.iter().all(|path| path.starts_with(index))
}

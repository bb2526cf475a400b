//! Keeping the index fresh: changes are waited for, gathered for a moment, and indexed.

use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use notify::{EventKind, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, new_debouncer};
use ra_core::kb::{KnowledgeBase, Silent};

use crate::error::{CliError, Result};
use crate::output::Printer;
use crate::wire::Update;

/// How long changes are gathered before they are indexed: an editor writes in several steps.
const GATHER: Duration = Duration::from_millis(200);

/// Watches the trees until the process is interrupted.
pub(crate) fn run(kb: &KnowledgeBase, printer: &mut Printer) -> Result<()> {
    let (sender, events) = mpsc::channel::<DebounceEventResult>();
    let failed = |error: notify::Error| {
        CliError::new(format!("the trees cannot be watched: {error}"))
            .hint("the system may allow too few watches; every search still brings the index up to date")
    };
    let mut debouncer = new_debouncer(GATHER, None, sender).map_err(failed)?;
    for tree in kb.config().trees.iter() {
        debouncer.watch(&tree.root, RecursiveMode::Recursive).map_err(failed)?;
    }
    printer.note("watching for changes; interrupt to stop")?;
    let index = &kb.config().index_dir;
    while let Ok(batch) = events.recv() {
        let relevant = match batch {
            Ok(events) => events.iter().any(|event| concerns(&event.kind, &event.paths, index)),
            // The system lost count of the events: everything is looked at.
            Err(_) => true,
        };
        if !relevant {
            continue;
        }
        let start = Instant::now();
        let updated = kb.refresh(&Silent)?;
        let fresh = &updated.freshness;
        if fresh.added + fresh.modified + fresh.removed > 0 {
            printer.show(&Update::new(updated, start.elapsed()))?;
            printer.finish()?;
        }
    }
    Ok(())
}

/// Reading files makes events too, and so does writing the index: neither is a change.
fn concerns(kind: &EventKind, paths: &[impl AsRef<Path>], index: &Path) -> bool {
    let changes =
        matches!(kind, EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Any);
    changes && !paths.iter().all(|path| path.as_ref().starts_with(index))
}

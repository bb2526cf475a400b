//! The floor for every answer that is to be fresh: lists a tree and asks for the time and size of each file, on all
//! cores, and does nothing else. Built by the benchmark with `rustc -O`, without any package.
//!
//! Usage: statwalk DIRECTORY

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::UNIX_EPOCH;

/// The directories that wait to be listed, and how many are waiting or being listed now. The walk is over when none is.
struct Queue {
    waiting: Vec<PathBuf>,
    open: usize,
}

struct Walk {
    queue: Mutex<Queue>,
    changed: Condvar,
    files: AtomicU64,
    bytes: AtomicU64,
    newest: AtomicU64,
}

impl Walk {
    /// The next directory, or none when the whole tree has been listed.
    fn next(&self) -> Option<PathBuf> {
        let mut queue = self.queue.lock().expect("no thread panics");
        loop {
            if let Some(directory) = queue.waiting.pop() {
                return Some(directory);
            }
            if queue.open == 0 {
                return None;
            }
            queue = self.changed.wait(queue).expect("no thread panics");
        }
    }

    fn list(&self, directory: PathBuf) {
        let (mut files, mut bytes, mut newest, mut below) = (0, 0, 0, Vec::new());
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => below.push(entry.path()),
                _ => {
                    if let Ok(metadata) = entry.metadata() {
                        let time = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
                        files += 1;
                        bytes += metadata.len();
                        newest = newest.max(time.map_or(0, |time| time.as_secs()));
                    }
                }
            }
        }
        // The counts are added once for each directory, so that threads do not fight over them at every file.
        self.files.fetch_add(files, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.newest.fetch_max(newest, Ordering::Relaxed);
        let mut queue = self.queue.lock().expect("no thread panics");
        queue.open = queue.open + below.len() - 1;
        let over = queue.open == 0;
        let found = below.len();
        queue.waiting.extend(below);
        drop(queue);
        if over || found > 1 {
            self.changed.notify_all();
        }
    }
}

fn main() {
    let Some(root) = std::env::args_os().nth(1) else {
        eprintln!("usage: statwalk DIRECTORY");
        std::process::exit(2);
    };
    let walk = Walk {
        queue: Mutex::new(Queue { waiting: vec![root.into()], open: 1 }),
        changed: Condvar::new(),
        files: AtomicU64::new(0),
        bytes: AtomicU64::new(0),
        newest: AtomicU64::new(0),
    };
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(directory) = walk.next() {
                    walk.list(directory);
                }
            });
        }
    });
    println!(
        "{} files, {} bytes, newest {}",
        walk.files.into_inner(),
        walk.bytes.into_inner(),
        walk.newest.into_inner()
    );
}

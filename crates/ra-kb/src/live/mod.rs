//! A fresh index for as long as a process runs: for `ra update --watch` and for servers.
//!
//! - `disk_monitor` tells whether the disk has changed since the last walk, with a `change_watcher` where the
//!   system has one that can be trusted.
//! - `index_refresher` gives every request of a server an index that is as fresh as its arrival. `opened_kb` is
//!   such an index, `refresh_progress` counts while it is made.
//! - `encoder` encodes the meaning of pages in the background.
//! - `worker_pool` limits how much work of requests runs at once.

mod change_watcher;
mod disk_monitor;
mod encoder;
mod index_refresher;
mod opened_kb;
mod refresh_progress;
pub(crate) mod worker_pool;

pub(crate) use self::disk_monitor::{DiskMonitor, NextStep};
pub(crate) use self::encoder::Encoder;
pub(crate) use self::index_refresher::{Availability, IndexRefresher};
pub(crate) use self::opened_kb::{OpenedKb, ServedIndex};
pub(crate) use self::refresh_progress::{RefreshProgress, progress};

//! The files of the trees: what is on the disk now, what was there at the last update, and the difference.

mod diff;
mod ignore_files;
mod link_policy;
mod manifest;
mod named_file;
mod read;
mod skip;
mod stamp;
mod walk;
mod watchlist;

pub use self::diff::{Changes, diff};
pub use self::manifest::{Manifest, ManifestEntry, TreeEntries};
pub use self::named_file::{NotOpened, open_named};
pub use self::read::{Content, Loaded, is_binary, load, looks_binary};
pub use self::skip::{Skip, filter_reason};
pub use self::stamp::FileStamp;
pub use self::walk::{Scan, SourceFile, WalkDetail, leads_nowhere, skip_reason, walk, watchlist};
pub use self::watchlist::Watchlist;

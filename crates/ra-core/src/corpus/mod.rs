//! The files of the trees: what is on the disk now, what was there at the last index, and the difference.

mod diff;
mod ignores;
mod manifest;
mod read;
mod stamp;
mod targets;
mod walk;

pub use self::diff::{Changes, diff};
pub use self::manifest::{Entry, Manifest, TreeEntries};
pub use self::read::{Content, Loaded, is_binary, load};
pub use self::stamp::Stamp;
pub use self::walk::{Extent, Scan, Skip, SourceFile, Watchlist, leads_nowhere, walk, watchlist, why};

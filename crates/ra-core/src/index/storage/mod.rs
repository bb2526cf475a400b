//! Writes documents into an index directory, and opens it again at one commit.
//!
//! | file | does |
//! | --- | --- |
//! | `schema` | names the fields |
//! | `directory`, `open_error` | keep an index on disk, complete at all times; say why one can't be opened |
//! | `commit` | names the manifest that belongs to a commit |
//! | `writer`, `indexable_doc`, `record`, `lineage`, `link_terms` | add documents |
//! | `snapshot`, `segment`, `statistics` | open the index at one commit |
//! | `store_bytes` | checks the bytes of records before tantivy trusts them |
//! | `segment_cache`, `segment_tables`, `term_table` | keep in memory what many queries to a server need |

pub(super) mod commit;
pub(super) mod directory;
pub(super) mod indexable_doc;
pub(super) mod lineage;
pub(super) mod link_terms;
mod open_error;
pub(super) mod record;
pub(super) mod schema;
pub(super) mod segment;
mod segment_cache;
mod segment_tables;
pub(super) mod snapshot;
pub(super) mod statistics;
mod store_bytes;
pub(super) mod term_table;
mod writer;

pub use self::commit::Commit;
pub use self::directory::{Fingerprint, IndexDirectory, Lock};
pub use self::indexable_doc::name_hash;
pub use self::lineage::{LineageNode, RecordId};
pub use self::link_terms::StoredLink;
pub use self::open_error::Unavailable;
pub use self::record::{Extent, NodeStats, Piece, Record, RecordHead, SourceReader};
pub use self::segment_cache::SegmentCache;
pub use self::snapshot::Snapshot;
pub use self::writer::{Batch, WriteMode};

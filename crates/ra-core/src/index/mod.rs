//! The index: what is written to it, what is read from it, and how a query is answered from it. The only
//! directory that knows tantivy.
//!
//! | file | does |
//! | --- | --- |
//! | `schema` | names the fields |
//! | `analyzer` | turns text into tokens, for documents and queries alike |
//! | `store`, `store_bytes`, `closed` | keep an index on the disk, whole at every moment; why it cannot be opened |
//! | `write`, `entry`, `record` | put documents in |
//! | `read`, `segment`, `stats` | open the index at one commit |
//! | `memory`, `words` | keep in memory what many questions need |
//! | `plan`, `compile`, `forms`, `fuzzy`, `thesaurus` | turn a query into words of the index |
//! | `filter` | keeps to trees, paths and tags |
//! | `occurrences`, `score`, `proximity`, `lists`, `retrieve`, `partial`, `exclusions`, `best`, `hit` | find and score the chunks that have them |
//! | `page_hits` | gives the chunks of a document that was found by its meaning |
//! | `sought` | finds in a text what the query looked for |

mod analyzer;
mod best;
mod closed;
mod commit;
mod compile;
mod dictionary;
mod entry;
mod exclusions;
mod filter;
mod forms;
mod fuzzy;
mod hit;
mod lineage;
mod lists;
mod memory;
mod occurrences;
mod page_hits;
mod partial;
mod plan;
mod proximity;
mod raw;
mod read;
mod record;
mod retrieve;
mod schema;
mod score;
mod segment;
mod sought;
mod stats;
mod store;
mod store_bytes;
mod thesaurus;
mod words;
mod write;

pub use self::analyzer::{Analyzer, PooledAnalyzer, TokenPrefilter};
pub use self::commit::{Commit, ManifestBytes};
pub use self::compile::Notice;
pub use self::entry::name_hash;
pub use self::filter::Scope;
pub use self::hit::{ExcludedChunks, Hit};
pub use self::lineage::{LineageNode, RecordId};
pub use self::memory::SegmentCache;
pub use self::read::Snapshot;
pub use self::record::{Extent, NodeStats, Piece, Record, RecordHead, SourceReader};
pub use self::retrieve::{Fill, RelaxReason, RetrievalRequest, Retrieved};
pub use self::score::QueryWord;
pub use self::sought::{Match, MatchFinder};
pub use self::store::{Fingerprint, IndexDirectory, Lock, Unavailable};
pub use self::write::{Batch, WriteMode};

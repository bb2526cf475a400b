//! The index: turns text into terms, stores them, and executes queries. The only directory that uses tantivy.
//!
//! | directory | does | imports |
//! | --- | --- | --- |
//! | `analysis` | turns text into terms, for documents and queries alike | none of the others |
//! | `storage` | writes documents, and opens them again at one commit | `analysis` |
//! | `execution` | compiles a query, finds its terms and scores the chunks that contain them | both |

mod analysis;
mod execution;
mod storage;

pub(crate) use self::analysis::split_camel_case;
pub use self::analysis::{
    Analyzer, DetectedLanguage, LanguageId, PooledAnalyzer, detect_document, question_language,
};
pub use self::execution::{
    ExcludedChunks, FacetMode, Facets, Fill, Hit, Match, MatchFinder, MatchSummary, Notice, QueryWord,
    RelaxReason, RetrievalRequest, Retrieved, Scope, Translation, ValueCounts,
};
pub use self::storage::{
    Batch, Commit, Extent, Fingerprint, IndexDirectory, LineageNode, Lock, NodeStats, Piece, Record,
    RecordHead, RecordId, SegmentCache, Snapshot, SourceReader, StoredLink, Unavailable, WriteMode,
    name_hash,
};

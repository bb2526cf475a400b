//! The knowledge base: the trees of a configuration, and every request that can be made of them.

mod block_name;
mod check;
mod citation;
mod code_references;
mod collect_sources;
mod context;
mod document_name;
mod duplicates;
mod fetch;
mod finding;
mod freshness;
mod heading_path;
mod index_source;
mod inspect;
mod link_facts;
mod link_resolver;
mod link_target;
mod linked;
mod links;
mod list;
mod moved_targets;
mod near_duplicates;
mod oversized;
mod question;
mod refresh;
mod refresh_warnings;
mod resolve;
mod root_links;
mod search;
mod search_answer;
mod search_request;
mod semantic_pages;
mod status;
mod suggest;
mod verify;

use std::collections::BTreeMap;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

pub use self::check::CheckReport;
pub use self::citation::{Citation, TextProof};
pub use self::code_references::CodeReferences;
pub use self::context::{ContextAnswer, ContextRequest, ContextSource, SimilarRequest, told};
pub use self::document_name::{LineSuffix, line_range, line_suffix};
pub use self::fetch::{FetchExtent, Fetched, OutlineSection};
pub use self::finding::{Finding, FindingKind, Severity};
pub use self::freshness::{Freshness, NoProgress, Progress, UpdateReport, Work};
pub use self::index_source::IndexSource;
pub use self::inspect::{Inspection, Membership, NodeReport};
pub use self::link_facts::Unchecked;
pub use self::link_target::Missing;
pub use self::links::{BrokenLink, DocumentLink, LinkGraph, LinkReport};
pub use self::list::{ListedChunk, ListedDocument, NamedDocument};
pub use self::oversized::OversizedChunk;
pub use self::search_answer::{Answer, Condition, SearchAnswers, Suggestion, UnknownWord};
pub use self::search_request::{QueryCombination, QuerySyntax, SearchRequest};
pub use self::semantic_pages::PageCounts;
pub use self::status::{
    IgnoredEntries, IgnoredEntry, IndexState, IndexStatus, RefusalReason, Status, TreeCounts,
};
pub use self::verify::{CitationState, VerifiedCitation};

use self::semantic_pages::LastPages;
use crate::config::{Config, Tree};
use crate::corpus::{self, Content, Loaded, Manifest, Scan, SourceFile, WalkDetail, Watchlist};
use crate::document::{ConversionCache, Document, SourceHash};
use crate::files;
use crate::id::{DocId, TreeName};
use crate::index::{SegmentCache, Snapshot};

/// A document as its file has it.
pub(crate) struct ReadDocument {
    pub(crate) document: Document,
    pub(crate) text: String,
    hash: SourceHash,
}

/// The trees of a configuration.
#[derive(Debug)]
pub struct KnowledgeBase {
    config: Config,
    segment_cache: SegmentCache,
    pages: LastPages,
}

impl KnowledgeBase {
    /// Opens the knowledge base that a configuration describes.
    pub fn open(config: Config) -> Self {
        Self { config, segment_cache: SegmentCache::default(), pages: LastPages::default() }
    }

    /// Returns the knowledge base with a configuration that was read again. The caches of the index are kept.
    pub fn with(&self, config: Config) -> Self {
        Self { config, segment_cache: self.segment_cache.clone(), pages: self.pages.clone() }
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the texts that were made from files of converted formats. Looks for the index on the disk, so an
    /// operation asks once.
    pub(crate) fn conversions(&self) -> ConversionCache {
        self.existing_store().conversions()
    }

    /// Reads and parses a document; `None` if its file has no text that can be read.
    pub(crate) fn read_document(
        &self,
        path: &Path,
        conversions: &ConversionCache,
        chunk_at_headings: bool,
    ) -> Option<ReadDocument> {
        let Loaded { content, hash, .. } = corpus::load(path, conversions).ok()?;
        let Content::Text(text, _) = content else { return None };
        Some(ReadDocument { document: self.parse_chunked(path, &text, chunk_at_headings), text, hash })
    }

    /// Walks every tree.
    fn scan(&self, detail: WalkDetail) -> BTreeMap<TreeName, Scan> {
        self.config.trees.iter().map(|tree| (tree.name.clone(), corpus::walk(tree, detail))).collect()
    }

    /// Returns the documents of a walk with their trees.
    fn files_of<'a>(&'a self, scans: &'a BTreeMap<TreeName, Scan>) -> Vec<(&'a Tree, &'a SourceFile)> {
        let trees = self.config.trees.iter().filter_map(|tree| Some((tree, scans.get(&tree.name)?)));
        trees.flat_map(|(tree, scan)| scan.files.iter().map(move |file| (tree, file))).collect()
    }

    /// Returns the files and directories that the documents depend on, without those of the configuration.
    pub fn watchlist(&self) -> Watchlist {
        let mut list = Watchlist::default();
        self.config.trees.iter().for_each(|tree| list.absorb(corpus::watchlist(tree)));
        for paths in [&mut list.directories, &mut list.files] {
            paths.sort_unstable();
            paths.dedup();
        }
        list
    }

    /// Returns the trees whose root is at or above an absolute path, with the path below each root. Links on the way
    /// to either are followed, so a tree may occur twice.
    fn trees_of(&self, path: &Path) -> Vec<(&Tree, String)> {
        let real = path.canonicalize().ok();
        let plain = canonical_parent(path);
        let mut found: Vec<(&Tree, String)> = Vec::new();
        for tree in self.config.trees.iter() {
            let root = tree.root.canonicalize().ok();
            for root in [Some(tree.root.as_path()), root.as_deref()].into_iter().flatten() {
                for path in [plain.as_deref(), real.as_deref()].into_iter().flatten() {
                    found.extend(files::below(path, root).map(|below| (tree, below)));
                }
            }
        }
        found.sort_by(|a, b| (&a.0.name, &a.1).cmp(&(&b.0.name, &b.1)));
        found.dedup_by(|a, b| a.0.name == b.0.name && a.1 == b.1);
        found
    }

    /// Converts paths to the form that a scope uses. A file or directory on the disk, relative to `cwd`, becomes its
    /// path in each tree; anything else is taken as a path below the root of any tree.
    pub fn scope_paths(&self, cwd: &Path, paths: &[String]) -> Vec<String> {
        let mut places = Vec::new();
        for path in paths {
            let file = cwd.join(path);
            let before = places.len();
            if let Ok(real) = file.canonicalize() {
                let mut inside = self.trees_of(&file);
                if inside.iter().any(|(tree, below)| is_document(tree, below, &file)) {
                    inside.retain(|(tree, below)| is_document(tree, below, &file));
                }
                places.extend(inside.into_iter().map(|(tree, below)| format!("{}:{below}", tree.name)));
                let is_below =
                    |tree: &&Tree| tree.root.canonicalize().is_ok_and(|root| root.starts_with(&real));
                places
                    .extend(self.config.trees.iter().filter(is_below).map(|tree| format!("{}:", tree.name)));
            }
            if places.len() == before {
                places.push(with_slashes(path));
            }
        }
        places.sort();
        places.dedup();
        places
    }

    /// Converts the path of a file, relative to `cwd`, to the name of its document or section; other names are
    /// unchanged.
    pub fn name_of(&self, cwd: &Path, name: &str) -> String {
        let document = |path: &str| {
            let file = Some(cwd.join(path)).filter(|file| !path.is_empty() && file.is_file())?;
            let inside = self.trees_of(&file);
            let (tree, below) = inside
                .iter()
                .find(|(tree, below)| is_document(tree, below, &file))
                .or_else(|| inside.iter().find(|(tree, below)| corpus::skip_reason(tree, below).is_none()))?;
            Some(DocId::new(tree.name.clone(), below))
        };
        let with_section = || {
            let (path, slug) = name.rsplit_once('#')?;
            Some(document(path)?.chunk(Some(slug)).to_string())
        };
        let with_lines = || {
            let (path, _) = document_name::line_suffix(name)?;
            Some(format!("{}{}", document(path)?, &name[path.len()..]))
        };
        let whole = document(name).map(|doc| doc.to_string());
        whole.or_else(with_section).or_else(with_lines).unwrap_or_else(|| with_slashes(name))
    }

    /// The file behind a document.
    fn file_of(tree: &Tree, path: &str) -> PathBuf {
        tree.root.join(path)
    }
}

/// Returns a name with `/` between its parts, as ids have it. On Windows, people type `\`. In a wiki link that is an
/// escape.
fn with_slashes(name: &str) -> String {
    match document_name::wiki_target(name) {
        Some(_) => name.to_owned(),
        None => name.replace(MAIN_SEPARATOR, "/"),
    }
}

/// Resolves `..` by canonicalizing the parent only, so a symlink in the last component is kept.
fn canonical_parent(path: &Path) -> Option<PathBuf> {
    if path.components().all(|part| part != Component::ParentDir) {
        return Some(path.to_owned());
    }
    Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?))
}

/// True if a file is a document under the name that was given. A link to another document is a document of its own.
fn is_document(tree: &Tree, below: &str, file: &Path) -> bool {
    let roots = [Some(tree.root.clone()), tree.root.canonicalize().ok()];
    let is_it = |plain: PathBuf| roots.iter().flatten().any(|root| root.join(below) == plain);
    canonical_parent(file).is_some_and(is_it) && file.is_file() && corpus::skip_reason(tree, below).is_none()
}

/// Returns the manifest that an index was built from; `None` if it can't be read.
pub(crate) fn manifest_of(snapshot: &Snapshot) -> Option<Manifest> {
    Manifest::decode(snapshot.manifest())
}

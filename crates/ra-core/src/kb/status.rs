//! The status of a knowledge base: its contents, and how its index compares with the disk.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{KnowledgeBase, PageCounts, manifest_of};
use crate::config::{Tree, Verdict, is_document_type};
use crate::corpus::{self, Manifest, ManifestEntry, Scan, Skip, TreeEntries, WalkDetail, filter_reason};
use crate::document::ConversionCache;
use crate::error::Result;
use crate::id::{DocId, TreeName};
use crate::index::{LanguageId, Snapshot, Unavailable};

/// The contents of a knowledge base and the state of its index.
#[derive(Clone, Debug)]
pub struct Status {
    /// The trees, in the order of the configuration.
    pub trees: Vec<TreeCounts>,
    /// The index.
    pub index: IndexStatus,
}

/// The contents of a tree.
#[derive(Clone, Debug)]
pub struct TreeCounts {
    /// The number of documents on the disk.
    pub documents: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// The number of chunks in the index; `None` if there is no index.
    pub chunks: Option<usize>,
    /// How many documents have each type, by extension in lower case.
    pub types: BTreeMap<String, usize>,
    /// How many files of the right type aren't documents, by reason and extension.
    pub refused: BTreeMap<RefusalReason, BTreeMap<String, usize>>,
    /// How many files are skipped because of their type, by extension in lower case; `""` is for files without one.
    pub skipped_types: BTreeMap<String, usize>,
    /// What ignore files and the patterns of the tree leave out.
    pub ignored: IgnoredEntries,
    /// Why the tree can't be read.
    pub problem: Option<String>,
}

/// The files and directories of a tree that ignore files or its patterns leave out. A directory that an ignore file
/// names counts once, because it isn't entered. Patterns leave out files; only those of document types are counted.
#[derive(Clone, Debug, Default)]
pub struct IgnoredEntries {
    /// How many there are.
    pub count: usize,
    /// Some of them: files that would be documents first, then directories, then other files.
    pub list: Vec<IgnoredEntry>,
}

/// A file or directory that an ignore file or a pattern leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredEntry {
    /// The path below the root, with `/`; a directory's ends in `/`.
    pub path: String,
    /// The line that excludes it and the file with that line, or what is said of the patterns.
    pub reason: String,
}

/// How many ignored entries of a tree are listed.
const MAX_LISTED_IGNORED: usize = 100;

impl IgnoredEntries {
    fn of(tree: &Tree, scan: &Scan) -> Self {
        let by_pattern = |path: &&String| {
            let verdict = tree.filter.verdict(path);
            is_document_type(path) && matches!(verdict, Verdict::Excluded(_) | Verdict::NotIncluded)
        };
        let rank = |path: &str| match path.ends_with('/') {
            true => 1,
            false if is_document_type(path) || tree.filter.verdict(path).is_document() => 0,
            false => 2,
        };
        let mut all: Vec<&String> =
            scan.ignored.keys().chain(scan.others.iter().filter(by_pattern)).collect();
        all.sort_by_key(|path| (rank(path), *path));
        let reason = |path: &String| scan.ignored.get(path).cloned().or_else(|| filter_reason(tree, path));
        let entry =
            |path: &String| IgnoredEntry { path: path.clone(), reason: reason(path).unwrap_or_default() };
        Self { count: all.len(), list: all.into_iter().take(MAX_LISTED_IGNORED).map(entry).collect() }
    }
}

/// Why a file of the right type isn't a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefusalReason {
    /// It is larger than documents of its type may be.
    TooLarge,
    /// It has no text.
    NoText,
    /// It can't be read.
    NotReadable,
    /// Its format is converted, and the conversion failed.
    ConversionFailed,
}

impl RefusalReason {
    /// Returns the reason in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TooLarge => "too large",
            Self::NoText => "no text",
            Self::NotReadable => "not readable",
            Self::ConversionFailed => "conversion failed",
        }
    }

    /// Returns why a file that was read isn't a document; `None` if it is one.
    fn of_entry(entry: &ManifestEntry) -> Option<Self> {
        match (entry.chunks, entry.failed) {
            (0, true) => Some(Self::ConversionFailed),
            (0, false) => Some(Self::NoText),
            _ => None,
        }
    }

    /// Returns why a file that wasn't read isn't a document; `None` if that isn't a refusal.
    fn of_skip(path: &str, skip: &Skip) -> Option<Self> {
        match skip {
            Skip::TooLarge => Some(Self::TooLarge),
            Skip::Unreadable(_) if !path.is_empty() && !path.ends_with('/') => Some(Self::NotReadable),
            _ => None,
        }
    }
}

/// The documents and refused files of a tree, by type.
#[derive(Default)]
struct TypeCounts {
    types: BTreeMap<String, usize>,
    refused: BTreeMap<RefusalReason, BTreeMap<String, usize>>,
}

impl TypeCounts {
    fn add(&mut self, path: &str, refusal: Option<RefusalReason>) {
        let counts = match refusal {
            Some(reason) => self.refused.entry(reason).or_default(),
            None => &mut self.types,
        };
        let extension = extension(path);
        match counts.get_mut(extension.as_ref()) {
            Some(count) => *count += 1,
            None => {
                counts.insert(extension.into_owned(), 1);
            }
        }
    }

    /// Counts the files of a walk. `entries` are those that were read.
    fn of_scan(scan: &Scan, entries: Option<&TreeEntries>) -> Self {
        let mut counts = Self::default();
        for file in &scan.files {
            let entry = entries.and_then(|entries| entries.get(&file.path));
            counts.add(&file.path, entry.and_then(RefusalReason::of_entry));
        }
        for (path, skip) in &scan.skipped {
            if let Some(reason) = RefusalReason::of_skip(path, skip) {
                counts.add(path, Some(reason));
            }
        }
        counts
    }

    /// Counts the files that were read.
    fn of_entries(entries: Option<&TreeEntries>) -> Self {
        let mut counts = Self::default();
        for (path, entry) in entries.into_iter().flatten() {
            counts.add(path, RefusalReason::of_entry(entry));
        }
        counts
    }
}

/// The current state of the index.
#[derive(Clone, Debug)]
pub struct IndexStatus {
    /// Its directory.
    pub path: PathBuf,
    /// How it compares with the disk.
    pub state: IndexState,
    /// Its size in bytes.
    pub bytes: u64,
    /// The generation of its commit, if there is one.
    pub generation: Option<u64>,
    /// When it was last written, in nanoseconds since 1970.
    pub updated: Option<i64>,
    /// How many pages have a vector; `None` if semantic search is off.
    pub pages: Option<PageCounts>,
    /// The languages of the documents with the number of documents in each, the most frequent first.
    pub languages: Vec<(LanguageId, u64)>,
}

/// How an index compares with the disk and the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexState {
    /// It matches the disk.
    Current,
    /// It hasn't been compared with the disk yet.
    Unchecked,
    /// It has only the first documents of each tree; the others are being read.
    Partial,
    /// This many documents have changed; the next search reads them.
    Behind(usize),
    /// It was built with other settings; the next search rebuilds it.
    Outdated,
    /// There is none; the next search builds one.
    Missing,
    /// It can't be read; the next search rebuilds it.
    Damaged(String),
}

impl KnowledgeBase {
    /// Counts the contents without changing anything.
    pub fn status(&self) -> Result<Status> {
        let scans = self.scan(WalkDetail::Everything);
        let store = self.existing_store();
        let conversions = store.conversions();
        let opened = Snapshot::open(&store)?;
        let (manifest, state) = match &opened {
            Err(Unavailable::Missing) => (None, IndexState::Missing),
            Err(Unavailable::Outdated) => (None, IndexState::Outdated),
            Err(Unavailable::Damaged(why)) => (None, IndexState::Damaged(why.clone())),
            Ok(snapshot) => match manifest_of(snapshot) {
                None => (None, IndexState::Damaged("the manifest cannot be read".to_owned())),
                Some(manifest) => {
                    let changes = corpus::diff(&manifest, &scans);
                    let modified =
                        changes.modified.iter().filter(|doc| self.differs(&manifest, doc, &conversions));
                    let count = changes.added.len() + modified.count() + changes.removed.len();
                    let state = if count == 0 { IndexState::Current } else { IndexState::Behind(count) };
                    (Some(manifest), state)
                }
            },
        };
        let counts = |name, scan| {
            TypeCounts::of_scan(scan, manifest.as_ref().and_then(|manifest| manifest.trees().get(name)))
        };
        let trees = scans.iter().map(|(name, scan)| (name, scan, counts(name, scan)));
        let trees = trees.map(|(name, scan, TypeCounts { types, refused })| TreeCounts {
            types,
            refused,
            documents: match &manifest {
                None => scan.files.len(),
                Some(manifest) => {
                    scan.files.iter().filter(|file| !is_empty(manifest, name, &file.path)).count()
                }
            },
            bytes: scan.files.iter().map(|file| file.stamp.size).sum(),
            chunks: manifest.as_ref().map(|manifest| {
                let entries = manifest.trees().get(name).into_iter().flat_map(|entries| entries.values());
                entries.map(|entry| entry.chunks as usize).sum()
            }),
            skipped_types: self
                .config
                .tree(name.as_str())
                .map(|tree| skipped_types(tree, scan))
                .unwrap_or_default(),
            ignored: self
                .config
                .tree(name.as_str())
                .map(|tree| IgnoredEntries::of(tree, scan))
                .unwrap_or_default(),
            problem: match scan.skipped.get("") {
                Some(Skip::Unreadable(why)) => Some(why.clone()),
                _ => None,
            },
        });
        let commit = opened.as_ref().ok().map(Snapshot::commit);
        Ok(Status {
            trees: trees.collect(),
            index: IndexStatus {
                path: store.dir().to_owned(),
                state,
                bytes: store.size(),
                generation: commit.map(|commit| commit.generation),
                updated: commit.map(|commit| commit.updated),
                pages: opened
                    .as_ref()
                    .ok()
                    .zip(manifest.as_ref())
                    .and_then(|(snapshot, manifest)| self.page_counts(snapshot, manifest)),
                languages: opened.as_ref().map(|snapshot| snapshot.languages().to_vec()).unwrap_or_default(),
            },
        })
    }

    /// Counts the contents of an index that is known to match the disk. Reads only its manifest.
    pub fn commit_status(&self, snapshot: &Snapshot) -> Status {
        let manifest = manifest_of(snapshot).unwrap_or_default();
        let counts = |tree: &Tree| {
            let entries =
                || manifest.trees().get(&tree.name).into_iter().flat_map(|entries| entries.values());
            let TypeCounts { types, refused } = TypeCounts::of_entries(manifest.trees().get(&tree.name));
            TreeCounts {
                types,
                refused,
                documents: entries().filter(|entry| entry.has_text()).count(),
                bytes: entries().map(|entry| entry.stamp.size).sum(),
                chunks: Some(entries().map(|entry| entry.chunks as usize).sum()),
                skipped_types: BTreeMap::new(),
                ignored: IgnoredEntries::default(),
                problem: None,
            }
        };
        let store = self.existing_store();
        Status {
            trees: self.config.trees.iter().map(counts).collect(),
            index: IndexStatus {
                path: store.dir().to_owned(),
                state: IndexState::Current,
                bytes: store.size(),
                generation: Some(snapshot.commit().generation),
                updated: Some(snapshot.commit().updated),
                pages: self.page_counts(snapshot, &manifest),
                languages: snapshot.languages().to_vec(),
            },
        }
    }

    /// True if a file's content differs from the indexed content. Its mtime alone doesn't tell if the file was indexed
    /// at the moment it changed.
    fn differs(&self, manifest: &Manifest, doc: &DocId, conversions: &ConversionCache) -> bool {
        let file = self.config.tree(doc.tree.as_str()).map(|tree| tree.root.join(&doc.path));
        let now = file.and_then(|path| corpus::load(&path, conversions).ok()).map(|loaded| loaded.hash);
        now.is_none() || now != manifest.get(doc).map(|entry| entry.hash)
    }
}

/// Counts the files that are skipped because of their type, by extension.
fn skipped_types(tree: &Tree, scan: &Scan) -> BTreeMap<String, usize> {
    let mut types = BTreeMap::new();
    for path in scan.others.iter().filter(|path| tree.filter.verdict(path) == Verdict::WrongType) {
        *types.entry(extension(path).into_owned()).or_default() += 1;
    }
    types
}

/// Returns the extension of a path in lower case; nothing if it has none.
fn extension(path: &str) -> Cow<'_, str> {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension.bytes().all(|byte| byte.is_ascii_lowercase()) {
        true => Cow::Borrowed(extension),
        false => Cow::Owned(extension.to_lowercase()),
    }
}

/// True if a file is known to have no text: it is in the manifest, so it isn't read again, but it isn't a document.
fn is_empty(manifest: &Manifest, tree: &TreeName, path: &str) -> bool {
    let entries = manifest.trees().get(tree);
    entries.and_then(|entries| entries.get(path)).is_some_and(|entry| !entry.has_text())
}

//! Refreshes the index: compares it with the disk before every answer, and reads only the files that changed.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use rayon::prelude::*;

use super::freshness::{Freshness, Progress, UpdateReport, Work, now};
use super::oversized::{OversizedChunk, oversized};
use super::refresh_warnings::{chain, first_few, unreadable};
use super::{KnowledgeBase, manifest_of};
use crate::config::Tree;
use crate::corpus::{self, Changes, Content, Manifest, ManifestEntry, Scan, WalkDetail};
use crate::document::{self, ConversionCache};
use crate::error::{Error, Result};
use crate::id::{DocId, TreeName};
use crate::index::{Batch, Fingerprint, IndexDirectory, Lock, Snapshot, Unavailable, WriteMode};

/// How long a request waits for another process to finish writing if there is an index to answer from.
const QUERY_LOCK_TIMEOUT: Duration = Duration::from_millis(1500);
/// How long it waits if there is none, and how long an explicit update waits.
pub(super) const UPDATE_LOCK_TIMEOUT: Duration = Duration::from_secs(120);

impl KnowledgeBase {
    /// Returns the index, updated first if the disk has changed.
    pub fn refresh(&self, progress: &dyn Progress) -> Result<(Snapshot, Freshness)> {
        let (store, place_warnings) = self.store()?;
        let opened = Snapshot::open(&store)?;
        let scans = self.scan(WalkDetail::Documents);
        let checked = now();
        let manifest = opened.as_ref().ok().and_then(manifest_of);
        let mut warnings = place_warnings.clone();
        warnings.extend(unreadable(&scans, manifest.as_ref()));
        let mut diff = manifest.map(|manifest| DiskDiff::new(manifest, scans));
        let opened = match (opened, &mut diff) {
            (Ok(snapshot), Some(diff)) if diff.changes.is_empty() => {
                let generation = snapshot.commit().generation;
                let shared = std::mem::take(&mut diff.shared);
                let fresh = Freshness { generation, checked, shared, warnings, ..Freshness::default() };
                return Ok((snapshot, fresh));
            }
            (opened, _) => opened,
        };
        let patience = if opened.is_ok() { QUERY_LOCK_TIMEOUT } else { UPDATE_LOCK_TIMEOUT };
        let updated = store.lock(patience).and_then(|lock| match lock {
            Some(lock) => {
                let diff = opened.as_ref().ok().zip(diff);
                let updated = self.apply(&store, &lock, UpdateMode::Current, diff, progress)?;
                // Open it under the lock: otherwise other writers could commit as often as this reader tries.
                Ok(Some((updated, Snapshot::open(&store)?)))
            }
            None => Ok(None),
        });
        match (updated, opened) {
            (Ok(Some((mut updated, Ok(snapshot)))), _) => {
                updated.freshness.warnings.extend(place_warnings);
                Ok((snapshot, updated.freshness))
            }
            (Ok(Some((_, Err(_)))), _) => {
                let why = "it was removed or damaged right after it was written";
                Err(Error::index("read the index in", store.dir(), why.into()))
            }
            (Ok(None), Err(_)) => Err(Error::Busy { path: store.dir().to_owned() }),
            (Err(error), Err(_)) => Err(error),
            // The existing index still answers, and says that it may be stale.
            (failed, Ok(snapshot)) => {
                let stale = match failed {
                    Err(error) => format!("the index could not be updated: {}", chain(&error)),
                    Ok(_) => "another process is updating the index".to_owned(),
                };
                let generation = snapshot.commit().generation;
                Ok((
                    snapshot,
                    Freshness { generation, checked, stale: Some(stale), warnings, ..Freshness::default() },
                ))
            }
        }
    }

    /// Opens the last commit without comparing it with the disk; `None` if there is no index. For answers that can't
    /// wait for an update.
    pub fn last_commit(&self) -> Result<Option<(Snapshot, Freshness)>> {
        let (store, warnings) = self.store()?;
        let Ok(snapshot) = Snapshot::open(&store)? else { return Ok(None) };
        let freshness = Freshness { warnings, ..Freshness::of(snapshot.commit()) };
        Ok(Some((snapshot, freshness)))
    }

    /// If there is no index yet, builds one from the first documents of each tree, so searches have something to
    /// answer from while the rest is read. The next refresh sees that the others are missing and builds the full
    /// index.
    pub fn begin(&self, documents: usize, progress: &dyn Progress) -> Result<()> {
        let (store, _) = self.store()?;
        let Some(lock) = store.lock(QUERY_LOCK_TIMEOUT)? else { return Ok(()) };
        if Snapshot::open(&store)?.is_ok() {
            return Ok(());
        }
        let mut scans = self.scan(WalkDetail::Documents);
        let is_all = scans.values().all(|scan| scan.files.len() <= documents);
        let job = if is_all { WriteMode::Rebuild } else { WriteMode::Begin };
        scans.values_mut().for_each(|scan| scan.files.truncate(documents));
        self.write(&store, &lock, job, DiskDiff::new(Manifest::default(), scans), progress)?;
        Ok(())
    }

    /// Rebuilds the index from scratch.
    pub fn rebuild(&self, progress: &dyn Progress) -> Result<UpdateReport> {
        self.run_update(UpdateMode::Rebuild, progress)
    }

    /// Brings the index up to date and reports the changes.
    pub fn update(&self, progress: &dyn Progress) -> Result<UpdateReport> {
        self.run_update(UpdateMode::Current, progress)
    }

    fn run_update(&self, mode: UpdateMode, progress: &dyn Progress) -> Result<UpdateReport> {
        let (store, warnings) = self.store()?;
        let lock =
            store.lock(UPDATE_LOCK_TIMEOUT)?.ok_or_else(|| Error::Busy { path: store.dir().to_owned() })?;
        let mut updated = self.apply(&store, &lock, mode, None, progress)?;
        updated.freshness.warnings.extend(warnings);
        Ok(updated)
    }

    /// Returns the index directory: in the cache, or among the temporary files if the cache isn't writable.
    pub(super) fn store(&self) -> Result<(IndexDirectory, Vec<String>)> {
        let config = &self.config;
        let store = self.index_directory(&config.index_dir);
        match store.probe() {
            Ok(()) => Ok((store, Vec::new())),
            Err(Error::Io { source, .. })
                if matches!(
                    source.kind(),
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
                ) =>
            {
                let warning = format!(
                    "the index is in {}, because {} cannot be used: {source}",
                    config.fallback_dir.display(),
                    config.index_dir.display(),
                );
                let store = self.index_directory(&config.fallback_dir);
                store.probe()?;
                Ok((store, vec![warning]))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the index directory that contains the index in use, without creating one.
    pub(super) fn existing_store(&self) -> IndexDirectory {
        let cached = self.index_directory(&self.config.index_dir);
        let fallback = self.index_directory(&self.config.fallback_dir);
        let is_in_use = cached.has_store() && cached.probe().is_ok();
        if is_in_use || !fallback.has_store() { cached } else { fallback }
    }

    /// Returns the store in a directory, whether or not it is writable.
    fn index_directory(&self, dir: &Path) -> IndexDirectory {
        IndexDirectory::new(
            dir,
            &self.config.index_owner,
            Fingerprint::new(&self.config),
            self.segment_cache.clone(),
        )
    }

    /// Updates or rebuilds the index while holding the lock. Walks the trees again unless nobody has committed since
    /// the last walk: another process may have indexed newer documents.
    fn apply(
        &self,
        store: &IndexDirectory,
        lock: &Lock,
        mode: UpdateMode,
        diff: Option<(&Snapshot, DiskDiff)>,
        progress: &dyn Progress,
    ) -> Result<UpdateReport> {
        if let Some((snapshot, diff)) = diff
            && snapshot.is_last()
            && !snapshot.commit().is_fragment
        {
            return self.write(store, lock, WriteMode::Update(snapshot), diff, progress);
        }
        let opened = Snapshot::open(store)?;
        let scans = self.scan(WalkDetail::Documents);
        let manifest = opened.as_ref().ok().and_then(manifest_of);
        if matches!(opened, Err(Unavailable::Damaged(_))) || opened.is_ok() && manifest.is_none() {
            store.set_aside();
        }
        match (mode, opened, manifest) {
            (UpdateMode::Current, Ok(snapshot), Some(known)) if !snapshot.commit().is_fragment => {
                self.write(store, lock, WriteMode::Update(&snapshot), DiskDiff::new(known, scans), progress)
            }
            // A rebuild would lose documents that can't be read now, such as those on a disk that isn't mounted.
            (_, Ok(snapshot), Some(known))
                if !known.is_empty() && !unreadable(&scans, None).is_empty() && !snapshot.is_damaged() =>
            {
                let diff = DiskDiff::new(known, scans);
                let mut updated = self.write(store, lock, WriteMode::Update(&snapshot), diff, progress)?;
                let message = "the index was updated, not rebuilt, to keep what could not be read".to_owned();
                updated.freshness.warnings.push(message);
                Ok(updated)
            }
            _ => {
                let diff = DiskDiff::new(Manifest::default(), scans);
                let mut updated = self.write(store, lock, WriteMode::Rebuild, diff, progress)?;
                updated.freshness.warnings.extend(self.foreign_index());
                Ok(updated)
            }
        }
    }

    /// Returns the warning about an index that came with the project.
    pub(super) fn foreign_index(&self) -> Option<String> {
        let path = self.config.project.join(".ra");
        let is_there = path.symlink_metadata().is_ok();
        is_there.then(|| format!("{} is ignored: the index is in the user's cache directory", path.display()))
    }

    fn write(
        &self,
        store: &IndexDirectory,
        lock: &Lock,
        job: WriteMode<'_>,
        diff: DiskDiff,
        progress: &dyn Progress,
    ) -> Result<UpdateReport> {
        let DiskDiff { mut manifest, changes, warnings, shared } = diff;
        let mut freshness = Freshness { checked: now(), shared, warnings, ..Freshness::default() };
        if let (WriteMode::Update(snapshot), true) = (&job, changes.is_empty()) {
            freshness.generation = snapshot.commit().generation;
            return Ok(self.report(freshness, &manifest, false));
        }
        self.config.trees.iter().for_each(|tree| manifest.place(&tree.name, &tree.root));
        let rebuilt = matches!(job, WriteMode::Rebuild);
        let batch = Batch::begin(store, lock, job)?;
        for doc in &changes.removed {
            batch.remove(doc);
            manifest.remove(doc);
        }
        freshness.removed = changes.removed.len();
        let mut work = changes.added;
        work.extend(changes.modified);
        let conversions = store.conversions();
        let read = self.read_all((&batch, &conversions), work, &manifest, progress)?;
        let mut oversized = Vec::new();
        let mut refused = Vec::new();
        for (doc, outcome) in read {
            match outcome {
                FileResult::Indexed(entry, chunks) => {
                    oversized.extend(chunks);
                    let known = manifest.insert(doc, entry).is_some();
                    *(if known { &mut freshness.modified } else { &mut freshness.added }) += 1;
                }
                FileResult::Refused(entry, why) => {
                    refused.push(format!("{doc} is not indexed: {why}"));
                    manifest.insert(doc, entry);
                }
                FileResult::Same(entry) => {
                    manifest.insert(doc, entry);
                }
                FileResult::Gone => {
                    batch.remove(&doc);
                    freshness.removed += usize::from(manifest.remove(&doc).is_some());
                }
                FileResult::Unreadable(why) => {
                    freshness.warnings.push(format!("{doc} could not be read: {why}"))
                }
            }
        }
        freshness.warnings.extend(first_few(refused));
        freshness.generation = batch.commit(&manifest.encode(), now())?.generation;
        retain_conversions(store, &manifest);
        oversized.sort_by(|a, b| (&a.id, a.line).cmp(&(&b.id, b.line)));
        Ok(UpdateReport { oversized, ..self.report(freshness, &manifest, rebuilt) })
    }

    fn report(&self, freshness: Freshness, manifest: &Manifest, rebuilt: bool) -> UpdateReport {
        let chunks = manifest.entries().map(|(_, _, entry)| entry.chunks as usize).sum();
        let documents = manifest.documents().count();
        UpdateReport { freshness, documents, chunks, rebuilt, oversized: Vec::new() }
    }

    /// Reads, parses and adds documents on all cores.
    fn read_all(
        &self,
        target: (&Batch<'_>, &ConversionCache),
        work: Vec<DocId>,
        manifest: &Manifest,
        progress: &dyn Progress,
    ) -> Result<Vec<(DocId, FileResult)>> {
        progress.begin(Work::Reading, work.len());
        let outcomes = Mutex::new(Vec::with_capacity(work.len()));
        let done = work.into_par_iter().try_for_each(|doc| {
            let Some(tree) = self.config.tree(doc.tree.as_str()) else { return Ok(()) };
            let outcome = self.read_one(target, tree, &doc, manifest.get(&doc))?;
            if let Ok(mut outcomes) = outcomes.lock() {
                outcomes.push((doc, outcome));
            }
            progress.step();
            Ok::<(), Error>(())
        });
        progress.end();
        done?;
        Ok(outcomes.into_inner().unwrap_or_default())
    }

    fn read_one(
        &self,
        (batch, conversions): (&Batch<'_>, &ConversionCache),
        tree: &Tree,
        doc: &DocId,
        known: Option<&ManifestEntry>,
    ) -> Result<FileResult> {
        let path = Self::file_of(tree, &doc.path);
        let read = now();
        let loaded = match corpus::load(&path, conversions) {
            Ok(loaded) => loaded,
            Err(Error::Io { source, .. }) if corpus::leads_nowhere(&source) => return Ok(FileResult::Gone),
            Err(error) => return Ok(FileResult::Unreadable(chain(&error))),
        };
        let mut entry = ManifestEntry::new(loaded.stamp, loaded.hash, read, 0);
        if let Some(known) = known {
            if known.hash == entry.hash {
                return Ok(FileResult::Same(ManifestEntry {
                    chunks: known.chunks,
                    failed: known.failed,
                    ..entry
                }));
            }
            batch.remove(doc);
        }
        let text = match loaded.content {
            Content::Text(text, _) => text,
            Content::Binary => return Ok(FileResult::Indexed(entry, Vec::new())),
            Content::Refused(why) => {
                let failed = !document::is_without_text(&why);
                return Ok(FileResult::Refused(ManifestEntry { failed, ..entry }, why));
            }
        };
        let document = self.parse(&path, &text);
        let large = oversized(doc, &document, &text, self.config.settings.max_chunk_size);
        let chunks = batch.add(doc, document, text, entry.hash)?;
        entry.chunks = u32::try_from(chunks).unwrap_or(u32::MAX);
        Ok(FileResult::Indexed(entry, large))
    }
}

/// The manifest of the index, and how the disk differs from it.
struct DiskDiff {
    manifest: Manifest,
    changes: Changes,
    warnings: Vec<String>,
    shared: Vec<PathBuf>,
}

impl DiskDiff {
    /// Drops the scans: with very many files they would take a large part of the memory.
    fn new(manifest: Manifest, scans: BTreeMap<TreeName, Scan>) -> Self {
        let (changes, warnings) = (corpus::diff(&manifest, &scans), unreadable(&scans, Some(&manifest)));
        let shared = scans.into_values().flat_map(|scan| scan.shared).collect();
        Self { manifest, changes, warnings, shared }
    }
}

/// The kind of index that an update produces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UpdateMode {
    /// An index that matches the disk.
    Current,
    /// An index built from scratch.
    Rebuild,
}

/// The result of reading one file.
enum FileResult {
    Indexed(ManifestEntry, Vec<OversizedChunk>),
    Same(ManifestEntry),
    /// The file has no text that can be read, for this reason.
    Refused(ManifestEntry, String),
    Gone,
    Unreadable(String),
}

/// Removes the converted texts of files that are no longer indexed.
fn retain_conversions(store: &IndexDirectory, manifest: &Manifest) {
    let conversions = store.conversions();
    let files = manifest.entries().map(|(_, path, entry)| (Path::new(path), entry.hash));
    let files = files.map(|(path, hash)| (conversions.kind_of(path), conversions.cache_hash(path, &hash)));
    conversions.retain(&files.filter(|(kind, _)| kind.is_converted()).collect());
}

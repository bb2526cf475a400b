//! The location of an index on disk.
//!
//! An index directory contains one store and a file `CURRENT` that names it. A rebuild writes a new store
//! next to the old one and then renames a new `CURRENT` into place. A reader sees either the old index or the
//! new one, never a mix. An update commits inside the store, which tantivy makes atomic. The manifest of a
//! commit is in separate files that the commit names.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tantivy::IndexSettings;
use tantivy::directory::MmapDirectory;

use super::commit::{Commit, is_bare};
use super::indexable_doc::LanguageMarkers;
use super::open_error::{OpenError, Unavailable, write_error};
use super::schema::{self, Fields};
use super::segment_cache::SegmentCache;
use super::statistics::Totals;
use crate::config::{Config, Converters};
use crate::document::ConversionCache;
use crate::error::{Error, Result, is_resource_exhausted};
use crate::files;
use crate::index::analysis::{self, AUTO, LanguageId, Pool};

/// Everything besides the documents that an index depends on. An index with another fingerprint is rebuilt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// The `stemmer` setting.
    stemmer: String,
    /// The programs that convert files.
    converters: Converters,
    text: String,
}

impl Fingerprint {
    /// Computes the fingerprint of a configuration.
    pub fn new(config: &Config) -> Self {
        let stemmer = config.search.stemmer.clone();
        let chunk_at_headings = u8::from(config.settings.chunk_at_headings);
        let (schema, conversions) = (schema::VERSION, ConversionCache::DIRECTORY);
        let mut text = format!("{schema} {conversions} {stemmer} {chunk_at_headings}");
        let converters = config.converters.clone();
        for converter in converters.all() {
            text.push_str(&format!(" {}={:?}", converter.extension, converter.command));
        }
        Self { stemmer, converters, text }
    }
}

/// An index directory.
#[derive(Clone, Debug)]
pub struct IndexDirectory {
    dir: PathBuf,
    /// The directory that is indexed.
    owner: PathBuf,
    fingerprint: Fingerprint,
    segment_cache: SegmentCache,
}

/// An index opened at one commit.
pub(crate) struct Opened {
    pub(crate) index: tantivy::Index,
    pub(crate) fields: Fields,
    pub(crate) commit: Commit,
    pub(crate) manifest: Vec<u8>,
    path: PathBuf,
}

/// An empty index in a new store.
pub(crate) struct Created {
    pub(crate) index: tantivy::Index,
    pub(crate) fields: Fields,
    pub(crate) path: PathBuf,
}

/// A write lock, held until it is dropped or the process ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

const CURRENT: &str = "CURRENT";
const MAX_CURRENT_BYTES: u64 = 16 << 10;

/// How long an index is kept after its project is gone: the project may be on a disk that is mounted again later.
const ORPHAN_LIFETIME: Duration = Duration::from_hours(30 * 24);
const LOCK: &str = "lock";

/// The block size for compressing records. Reading a record decompresses its whole block, and the records of
/// one search are mostly in different blocks.
const RECORD_BLOCK_BYTES: usize = 4 << 10;

impl IndexDirectory {
    /// Creates a handle for an index directory, which need not exist yet.
    pub fn new(dir: &Path, owner: &Path, fingerprint: Fingerprint, segment_cache: SegmentCache) -> Self {
        Self { dir: dir.to_owned(), owner: owner.to_owned(), fingerprint, segment_cache }
    }

    /// Returns the pool of analyzers for the stemmer of the index.
    pub(crate) fn analyzers(&self) -> Pool {
        self.segment_cache.analyzers(&self.fingerprint.stemmer)
    }

    /// Returns the `stemmer` setting.
    pub(crate) fn stemmer(&self) -> &str {
        &self.fingerprint.stemmer
    }

    /// Returns whether the analyzer is told the language of each document.
    pub(crate) fn language_markers(&self) -> LanguageMarkers {
        if self.stemmer() == AUTO { LanguageMarkers::Yes } else { LanguageMarkers::No }
    }

    /// Returns the texts that were made from files of converted formats.
    pub fn conversions(&self) -> ConversionCache {
        ConversionCache::in_index(&self.dir, self.converters().clone())
    }

    /// Returns the programs that convert files.
    pub(crate) fn converters(&self) -> &Converters {
        &self.fingerprint.converters
    }

    /// Returns the fingerprint that its commits must have.
    pub(crate) fn fingerprint(&self) -> &str {
        &self.fingerprint.text
    }

    /// Returns the segment cache of the process.
    pub(crate) fn segment_cache(&self) -> &SegmentCache {
        &self.segment_cache
    }

    /// Returns the path of the directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// True if the directory contains an index.
    pub fn has_store(&self) -> bool {
        self.current().is_ok_and(|current| current.is_some_and(|store| store.is_dir()))
    }

    /// Returns the size of the index on disk, in bytes.
    pub fn size(&self) -> u64 {
        let Ok(Some(current)) = self.current() else { return 0 };
        let entries = fs::read_dir(current).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
    }

    /// Creates the directory and acquires the write lock. Returns `None` if another process still holds it
    /// after `patience`.
    pub fn lock(&self, patience: Duration) -> Result<Option<Lock>> {
        let path = self.dir.join(LOCK);
        let failed = |error| Error::io("lock the index with", &path, error);
        let file = self.lock_file()?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Lock { _file: file })),
                Err(TryLockError::WouldBlock) if start.elapsed() >= patience => return Ok(None),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
    }

    /// Creates the directory. Fails if it isn't writable.
    pub fn probe(&self) -> Result<()> {
        self.lock_file().map(drop)
    }

    fn lock_file(&self) -> Result<File> {
        self.make_directory().map_err(|error| Error::io("use the index directory", &self.dir, error))?;
        let path = self.dir.join(LOCK);
        files::open_lock(&path).map_err(|error| Error::io("write the index at", &path, error))
    }

    /// Creates the index directory and its parent, which contains the indexes of all projects. Both must be
    /// private: an index is trusted because nobody else can have written it.
    fn make_directory(&self) -> io::Result<()> {
        if let Some(parent) = self.dir.parent() {
            if let Some(above) = parent.parent() {
                fs::create_dir_all(above)?;
            }
            files::private_directory(parent)?;
        }
        files::private_directory(&self.dir)
    }

    /// Returns the store that `CURRENT` names. Fails only if the system is out of resources to open it.
    fn current(&self) -> io::Result<Option<PathBuf>> {
        let name = match files::read_text(&self.dir.join(CURRENT), MAX_CURRENT_BYTES) {
            Err(error) if is_resource_exhausted(&error) => return Err(error),
            name => name.unwrap_or_default(),
        };
        let name = name.lines().next().unwrap_or_default().trim();
        // A corrupt file must not lead out of the directory.
        let path = name.starts_with("store-").then(|| self.dir.join(name));
        Ok(path.filter(|path| path.parent() == Some(&self.dir)))
    }

    /// Opens the last commit.
    pub(crate) fn open(&self) -> std::result::Result<Opened, OpenError> {
        self.open_at(&self.current()?.ok_or(Unavailable::Missing)?)
    }

    /// Returns the metadata of the last commit.
    pub(crate) fn last_commit(&self) -> Option<Commit> {
        let directory = MmapDirectory::open(self.current().ok()??).ok()?;
        let index = tantivy::Index::open(directory).ok()?;
        serde_json::from_str(&index.load_metas().ok()?.payload?).ok()
    }

    fn open_at(&self, path: &Path) -> std::result::Result<Opened, OpenError> {
        let damaged = |error: &dyn std::fmt::Display| Unavailable::Damaged(error.to_string());
        check_managed_names(path)?;
        let directory = MmapDirectory::open(path).map_err(tantivy::TantivyError::from)?;
        let index = tantivy::Index::open(directory)?;
        let payload = index.load_metas()?.payload.unwrap_or_default();
        let payload: serde_json::Value = serde_json::from_str(&payload).map_err(|error| damaged(&error))?;
        let (schema, fields) = schema::build();
        let written = payload["fingerprint"].as_str().unwrap_or_default();
        let format = written.split(' ').next().and_then(|number| number.parse().ok());
        if format.is_some_and(|format: u32| format > schema::VERSION) {
            return Err(OpenError::Newer);
        }
        if written != self.fingerprint() || index.schema() != schema {
            return Err(Unavailable::Outdated.into());
        }
        let commit: Commit = serde_json::from_value(payload).map_err(|error| damaged(&error))?;
        let manifest = commit.read_manifest(path)?;
        analysis::register(&index, self.stemmer(), LanguageId::ENGLISH);
        Ok(Opened { index, fields, commit, manifest, path: path.to_owned() })
    }

    /// Creates an empty index in a new store, which no reader sees before [`IndexDirectory::publish`].
    pub(crate) fn create(&self, _lock: &Lock) -> Result<Created> {
        let number = self.stores().iter().filter_map(|path| store_number(path)).max().unwrap_or(0) + 1;
        let path = self.dir.join(format!("store-{number}"));
        fs::create_dir_all(&path).map_err(|error| Error::io("create", &path, error))?;
        let (schema, fields) = schema::build();
        let failed = |error| write_error("create an index in", &path, error);
        let directory = MmapDirectory::open(&path).map_err(|error| failed(error.into()))?;
        let settings = IndexSettings { docstore_blocksize: RECORD_BLOCK_BYTES, ..IndexSettings::default() };
        let index = tantivy::Index::create(directory, schema, settings).map_err(failed)?;
        analysis::register(&index, self.stemmer(), LanguageId::ENGLISH);
        Ok(Created { index, fields, path })
    }

    /// Makes a store visible to readers, and removes the others.
    pub(crate) fn publish(&self, store: &Path) -> Result<()> {
        let failed = |error| Error::io("publish the index in", &self.dir, error);
        let name = store.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let current = self.dir.join(CURRENT);
        let owner = self.owner.to_string_lossy();
        files::replace_private(&current, format!("{name}\n{owner}\n").as_bytes())
            .map_err(|error| Error::io("publish the index with", &current, error))?;
        files::sync_directory(&self.dir).map_err(failed)?;
        self.clean(Some(store));
        self.remove_orphans();
        Ok(())
    }

    /// Removes the neighboring indexes whose project has been gone for long.
    fn remove_orphans(&self) {
        let beside = self.dir.parent().map(fs::read_dir);
        for entry in beside.into_iter().flatten().flatten().flatten() {
            let dir = entry.path();
            if dir != self.dir && entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_orphan(&dir) {
                // If it can't be removed now, the next rebuild tries again.
                let _ = fs::remove_dir_all(&dir);
            }
        }
    }

    /// Removes the leftovers of a process that died: stores that `CURRENT` doesn't name, and temporary files.
    pub(crate) fn clean(&self, keep: Option<&Path>) {
        // If `CURRENT` can't be read, the store in use would be removed as well.
        let Ok(current) = self.current() else { return };
        for path in self.stores() {
            if Some(path.as_path()) != keep && Some(&path) != current.as_ref() {
                // Leftovers do no harm, and the next writer tries again.
                let _ = fs::remove_dir_all(&path);
            }
        }
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(files::TEMPORARY) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Moves an unreadable store out of the way but keeps it for inspection.
    pub fn set_aside(&self) {
        if let Ok(Some(current)) = self.current() {
            let aside = self.dir.join("damaged");
            let _ = fs::remove_dir_all(&aside);
            let _ = fs::rename(&current, &aside);
        }
    }

    fn stores(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| store_number(path).is_some()).collect()
    }

    /// Returns the path of the current store, for a writer that holds the lock.
    pub(crate) fn current_path(&self) -> Result<PathBuf> {
        let current = self.current().and_then(|path| path.ok_or_else(|| io::ErrorKind::NotFound.into()));
        current.map_err(|error| Error::io("open the index in", &self.dir, error))
    }
}

impl Opened {
    /// True if the commit is still the last one.
    pub(crate) fn is_last(&self) -> tantivy::Result<bool> {
        let payload = self.index.load_metas()?.payload.unwrap_or_default();
        Ok(serde_json::from_str::<Commit>(&payload).is_ok_and(|last| last == self.commit))
    }

    /// Reads the totals of the segments that an earlier process has counted.
    pub(crate) fn totals(&self) -> BTreeMap<String, Totals> {
        let read = || {
            let bytes = files::read(&self.path.join(TOTALS), MAX_TOTALS_BYTES).ok()?;
            let (totals, check) = bytes.split_at_checked(bytes.len().checked_sub(CHECK)?)?;
            (check == &blake3::hash(totals).as_bytes()[..CHECK]).then(|| postcard::from_bytes(totals).ok())?
        };
        read().unwrap_or_default()
    }

    /// Saves the totals of the segments for later processes. If that fails, the next process counts again.
    pub(crate) fn keep_totals(&self, totals: &BTreeMap<String, Totals>) {
        let Ok(mut bytes) = postcard::to_stdvec(totals) else { return };
        let check = blake3::hash(&bytes);
        bytes.extend_from_slice(&check.as_bytes()[..CHECK]);
        let _ = files::replace_private(&self.path.join(TOTALS), &bytes);
    }
}

/// The file of the totals, and the number of hash bytes that protect it.
const TOTALS: &str = "totals";
const CHECK: usize = 8;
const MAX_TOTALS_BYTES: u64 = 64 << 20;

/// tantivy's list of its own files. tantivy deletes listed files that it no longer needs, whatever their names.
const MANAGED: &str = ".managed.json";
const MAX_MANAGED_BYTES: u64 = 16 << 20;

/// Rejects a store whose list of files names one outside of the store.
fn check_managed_names(store: &Path) -> std::result::Result<(), OpenError> {
    let bytes = files::read(&store.join(MANAGED), MAX_MANAGED_BYTES)?;
    let damaged = |why: String| OpenError::from(Unavailable::Damaged(why));
    let names: Vec<PathBuf> = serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    match names.iter().find(|name| !is_bare(name)) {
        Some(name) => Err(damaged(format!("{MANAGED} names {}, which is not in the index", name.display()))),
        None => Ok(()),
    }
}

/// True if an index directory names its owner, the owner is gone, and the index hasn't been rebuilt for long.
fn is_orphan(dir: &Path) -> bool {
    let current = dir.join(CURRENT);
    let text = files::read_text(&current, MAX_CURRENT_BYTES).unwrap_or_default();
    let Some(owner) = text.lines().nth(1).map(Path::new).filter(|owner| owner.is_absolute()) else {
        return false;
    };
    let is_gone = fs::symlink_metadata(owner).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    let written = fs::metadata(&current).and_then(|metadata| metadata.modified());
    is_gone && written.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > ORPHAN_LIFETIME))
}

fn store_number(path: &Path) -> Option<u64> {
    path.file_name()?.to_str()?.strip_prefix("store-")?.parse().ok()
}

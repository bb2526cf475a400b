//! Semantic search: when a query is compared with page vectors, and how these vectors are computed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rayon::prelude::*;

use super::freshness::{Progress, Work};
use super::{KnowledgeBase, manifest_of};
use crate::corpus::Manifest;
use crate::document::ConversionCache;
use crate::error::{Error, Result};
use crate::id::DocId;
use crate::index::Snapshot;
use crate::semantic::{self, PackedPage, PageIndex, PageKey, PageVectors, encode_page, page_text};

/// How many pages are encoded before their vectors are written.
const PAGES_PER_WRITE: usize = 32;

/// How long a writer of vectors waits for another writer.
const LOCK_TIMEOUT: Duration = Duration::from_millis(100);

/// The last page index, with the state that it was built from.
#[derive(Clone, Debug, Default)]
pub(super) struct LastPages(Arc<Mutex<Option<KnownPages>>>);

type KnownPages = (PagesState, Arc<PageIndex>);

/// Identifies the commit and the vectors that a page index was built from.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PagesState {
    dir: PathBuf,
    generation: u64,
    updated: i64,
    vector_bytes: u64,
}

/// How many pages have a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageCounts {
    /// Pages with a vector.
    pub encoded: usize,
    /// Pages without.
    pub missing: usize,
}

impl KnowledgeBase {
    /// Returns the vectors of the pages of a snapshot, as far as they have been computed.
    pub(super) fn pages(&self, snapshot: &Snapshot) -> Arc<PageIndex> {
        let commit = snapshot.commit();
        let state = PagesState {
            dir: snapshot.dir().to_owned(),
            generation: commit.generation,
            updated: commit.updated,
            vector_bytes: PageVectors::file_bytes(snapshot.dir()),
        };
        let Ok(mut last) = self.pages.0.lock() else { return Arc::default() };
        match &*last {
            Some((known, pages)) if *known == state => pages.clone(),
            _ => {
                let vectors = PageVectors::read(snapshot.dir());
                let manifest = manifest_of(snapshot).unwrap_or_default();
                let documents = pages_of(&manifest).map(|(doc, key)| (doc.index_id().into(), key));
                let pages = Arc::new(PageIndex::new(vectors, documents));
                *last = Some((state, pages.clone()));
                pages
            }
        }
    }

    /// Returns the pages closest in meaning to a query as `tree:path`, closest first. Matching words don't count.
    pub fn nearest_pages(&self, snapshot: &Snapshot, query: &str, most: usize) -> Vec<String> {
        let pages = self.pages(snapshot);
        let similarities = pages.similarities(semantic::EncodedQuery::new(query).for_pages());
        similarities.nearest(most).into_iter().map(|(id, _)| id.to_string()).collect()
    }

    /// Counts the pages of a snapshot with and without a vector; `None` if semantic search is off.
    pub(super) fn page_counts(&self, snapshot: &Snapshot, manifest: &Manifest) -> Option<PageCounts> {
        self.config.search.semantic.then(|| {
            let vectors = PageVectors::read(snapshot.dir());
            let mut counts = PageCounts::default();
            for (_, key) in pages_of(manifest) {
                match vectors.row(&key) {
                    Some(_) => counts.encoded += 1,
                    None => counts.missing += 1,
                }
            }
            counts
        })
    }

    /// Computes the missing page vectors while `goes_on` returns true. Does nothing if `semantic` is off. Writes a few
    /// vectors at a time, so searches can use them before all are done. Returns how many were written.
    pub fn encode_pages(
        &self,
        snapshot: &Snapshot,
        goes_on: &(dyn Fn() -> bool + Sync),
        progress: &dyn Progress,
    ) -> Result<usize> {
        if !self.config.search.semantic {
            return Ok(0);
        }
        let manifest = manifest_of(snapshot).unwrap_or_default();
        let vectors = PageVectors::read(snapshot.dir());
        let missing: Vec<(DocId, PageKey)> =
            pages_of(&manifest).filter(|(_, key)| vectors.row(key).is_none()).collect();
        if missing.is_empty() {
            let keys: Vec<PageKey> = pages_of(&manifest).map(|(_, key)| key).collect();
            self.with_lock(|store| vectors.compact(store, &keys))?;
            return Ok(0);
        }
        progress.begin(Work::Encoding, missing.len());
        let conversions = snapshot.conversions();
        let mut made = 0;
        for some in missing.chunks(PAGES_PER_WRITE) {
            let encode = |(doc, key): &(DocId, PageKey)| {
                let vector = goes_on().then(|| self.encode_page(doc, key, &conversions)).flatten();
                progress.step();
                vector.map(|vector| (*key, vector))
            };
            let encoded: Vec<(PageKey, PackedPage)> = some.par_iter().filter_map(encode).collect();
            if !encoded.is_empty() && self.with_lock(|dir| PageVectors::append(dir, &encoded))? {
                made += encoded.len();
            }
            if !goes_on() {
                break;
            }
        }
        progress.end();
        Ok(made)
    }

    /// Returns the vector of a page; `None` if its file has changed since it was indexed.
    fn encode_page(&self, doc: &DocId, key: &PageKey, conversions: &ConversionCache) -> Option<PackedPage> {
        let tree = self.config.tree(doc.tree.as_str())?;
        // The `chunk_at_headings` setting doesn't change what a page is about.
        let read = self.read_document(&Self::file_of(tree, &doc.path), conversions, true)?;
        let is_same = PageKey::new(&doc.path, &read.hash) == *key;
        is_same.then(|| PackedPage::new(&encode_page(&page_text(&read.document, &read.text))))
    }

    /// Writes beside the index while holding its lock. Returns false if another writer has the lock; the vectors are
    /// then computed again later.
    fn with_lock(&self, write: impl Fn(&Path) -> io::Result<()>) -> Result<bool> {
        let (store, _) = self.store()?;
        let Some(_lock) = store.lock(LOCK_TIMEOUT)? else { return Ok(false) };
        write(store.dir()).map_err(|error| Error::io("write the vectors in", store.dir(), error))?;
        Ok(true)
    }
}

/// Returns the documents that have text, each with the key of its vector.
fn pages_of(manifest: &Manifest) -> impl Iterator<Item = (DocId, PageKey)> {
    manifest
        .documents()
        .map(|(tree, path, entry)| (DocId::new(tree.clone(), path), PageKey::new(path, &entry.hash)))
}

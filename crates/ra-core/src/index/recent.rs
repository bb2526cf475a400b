//! What was looked up lately in one snapshot. Whoever asks comes back to the same words, in other company, and a
//! snapshot never changes: what it has of a word is found once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::fuzzy::NearTerm;
use super::plan::Leaf;
use super::score::LeafPostings;
use crate::error::Result;

/// How many entries the lists may have that are kept: 8 MB.
const MAX_CACHED_POSTINGS: usize = 1 << 20;
/// For how many words the near ones are kept.
const MAX_CACHED_NEAR_TERMS: usize = 1 << 12;

/// What is kept. When it is too much, it is all forgotten: the words that matter are soon back.
#[derive(Default)]
pub(super) struct TermCache(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    found: HashMap<Vec<u8>, Arc<LeafPostings>>,
    entries: usize,
    near: HashMap<(String, u8), Arc<[NearTerm]>>,
}

impl TermCache {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What there is of a leaf, as `find` gives it the first time.
    pub(super) fn leaf_postings(
        &self,
        leaf: &Leaf,
        find: impl FnOnce() -> Result<LeafPostings>,
    ) -> Result<Arc<LeafPostings>> {
        let key = key(leaf);
        if let Some(known) = self.kept().found.get(&key) {
            return Ok(known.clone());
        }
        let found = Arc::new(find()?);
        let mut kept = self.kept();
        if kept.entries + found.matches > MAX_CACHED_POSTINGS {
            kept.found.clear();
            kept.entries = 0;
        }
        if found.matches <= MAX_CACHED_POSTINGS {
            kept.entries += found.matches;
            kept.found.insert(key, found.clone());
        }
        Ok(found)
    }

    /// The words near another, as `find` gives them the first time.
    pub(super) fn near(
        &self,
        token: &str,
        distance: u8,
        find: impl FnOnce() -> Result<Vec<NearTerm>>,
    ) -> Result<Arc<[NearTerm]>> {
        let key = (token.to_owned(), distance);
        if let Some(known) = self.kept().near.get(&key) {
            return Ok(known.clone());
        }
        let near: Arc<[NearTerm]> = find()?.into();
        let mut kept = self.kept();
        if kept.near.len() >= MAX_CACHED_NEAR_TERMS {
            kept.near.clear();
        }
        kept.near.insert(key, near.clone());
        Ok(near)
    }
}

/// All that the lists of a leaf depend on. Tokens have no control characters, so those can stand between them.
fn key(leaf: &Leaf) -> Vec<u8> {
    let mut key: Vec<u8> = leaf.weights.iter().flat_map(|weight| weight.to_bits().to_le_bytes()).collect();
    for form in &leaf.forms {
        key.extend(form.form_weight.to_bits().to_le_bytes());
        key.push(form.kind as u8);
        for token in &form.tokens {
            key.extend(token.as_bytes());
            key.push(1);
        }
        key.push(2);
    }
    key
}

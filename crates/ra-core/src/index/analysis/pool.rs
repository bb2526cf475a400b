//! Analyzers that are lent out and come back: the words that one has seen are known to whoever takes it next.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use super::stream::Analyzer;

/// Analyzers for one language. A clone lends from the same ones.
#[derive(Clone)]
pub(crate) struct Pool {
    fresh: Analyzer,
    idle: Arc<Mutex<Vec<Analyzer>>>,
}

impl Pool {
    /// A pool for one language, named as [`Analyzer::new`] has it.
    pub(in crate::index) fn new(language: &str) -> Pool {
        Pool { fresh: Analyzer::new(language), idle: Arc::default() }
    }

    /// An analyzer that nobody else has.
    pub(in crate::index) fn lend(&self) -> PooledAnalyzer {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        PooledAnalyzer { analyzer: idle.unwrap_or_else(|| self.fresh.clone()), home: self.idle.clone() }
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").finish_non_exhaustive()
    }
}

/// An analyzer that goes back to its pool when it is dropped.
#[derive(Debug)]
pub struct PooledAnalyzer {
    analyzer: Analyzer,
    home: Arc<Mutex<Vec<Analyzer>>>,
}

impl Deref for PooledAnalyzer {
    type Target = Analyzer;

    fn deref(&self) -> &Analyzer {
        &self.analyzer
    }
}

impl DerefMut for PooledAnalyzer {
    fn deref_mut(&mut self) -> &mut Analyzer {
        &mut self.analyzer
    }
}

impl Drop for PooledAnalyzer {
    fn drop(&mut self) {
        let fresh = self.analyzer.clone();
        let used = std::mem::replace(&mut self.analyzer, fresh);
        self.home.lock().unwrap_or_else(PoisonError::into_inner).push(used);
    }
}

//! The documents that have a vector, and their similarity to a query.

use std::sync::Arc;

use ra_semantic::PageVector;

use super::page_vectors::{PageKey, PageVectors};

/// The vectors of the documents in an index.
#[derive(Debug, Default)]
pub struct PageIndex {
    vectors: PageVectors,
    /// The id of each document with a vector, as `tree:path`, and the row of its vector. Sorted by id.
    documents: Vec<(Arc<str>, u32)>,
    /// The number of documents without a vector.
    missing: usize,
}

impl PageIndex {
    /// Creates the index of the documents with these ids and keys.
    pub fn new(vectors: PageVectors, documents: impl Iterator<Item = (Arc<str>, PageKey)>) -> Self {
        let mut found = Vec::new();
        let mut missing = 0;
        for (id, key) in documents {
            match vectors.row(&key) {
                Some(row) => found.push((id, row)),
                None => missing += 1,
            }
        }
        found.sort_unstable();
        Self { vectors, documents: found, missing }
    }

    /// Returns the number of documents without a vector.
    pub fn missing(&self) -> usize {
        self.missing
    }

    /// Returns the number of documents with a vector.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// True if no document has a vector.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Computes the similarity of a query to each document, in the order of their ids.
    pub fn similarities(&self, query: &PageVector) -> Similarities<'_> {
        let cosines = self.documents.iter().map(|(_, row)| self.vectors.similarity(*row, query)).collect();
        Similarities { index: self, cosines }
    }
}

/// The similarity of a query to each document.
#[derive(Debug)]
pub struct Similarities<'a> {
    index: &'a PageIndex,
    cosines: Vec<f32>,
}

impl Similarities<'_> {
    /// Returns the similarity of the query to a document, or `None` if the document has no vector.
    pub fn of(&self, id: &str) -> Option<f32> {
        let at = self.index.documents.binary_search_by(|(known, _)| (**known).cmp(id)).ok()?;
        self.cosines.get(at).copied()
    }

    /// Returns at most `most` documents, the nearest first.
    pub fn nearest(&self, most: usize) -> Vec<(&Arc<str>, f32)> {
        let mut order: Vec<usize> = (0..self.cosines.len()).collect();
        let rank =
            |a: &usize, b: &usize| self.cosines[*b].total_cmp(&self.cosines[*a]).then_with(|| a.cmp(b));
        if order.len() > most {
            order.select_nth_unstable_by(most, rank);
            order.truncate(most);
        }
        order.sort_unstable_by(rank);
        order.into_iter().map(|nr| (&self.index.documents[nr].0, self.cosines[nr])).collect()
    }
}

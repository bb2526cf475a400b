//! Verifies citations: whether the cited text is still there, has moved, has changed, or is gone.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use super::citation::{Citation, TextProof, line_hashes};
use super::freshness::{Freshness, Progress};
use super::resolve::NameResolver;
use super::{FetchExtent, KnowledgeBase, manifest_of};
use crate::document::Node;
use crate::error::{Error, Result};
use crate::id::DocId;
use crate::index::{Extent, Record, Snapshot};

/// A citation that was verified.
#[derive(Clone, Debug)]
pub struct VerifiedCitation {
    /// Its line in the text that cites.
    pub line: usize,
    /// The citation.
    pub citation: Citation,
    /// The state of what it cites.
    pub state: CitationState,
}

/// The state of a cited text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CitationState {
    /// The text is where the citation says.
    Valid,
    /// The text is somewhere else: the citation to use instead.
    Moved(Citation),
    /// The document is there, but not the text. `now` is what is in its place, if anything is.
    Changed {
        /// The section, or the lines of a document, as they are now.
        now: Option<(Citation, String)>,
    },
    /// Neither the document nor the text is there.
    Gone,
}

/// Texts that are looked for: their proofs by their number of lines.
type Wanted = BTreeMap<usize, Vec<TextProof>>;

/// At most this many citations of one text are verified.
const MAX_CITATIONS: usize = 2_000;

impl KnowledgeBase {
    /// Verifies all citations in a text.
    pub fn verify(&self, text: &str, progress: &dyn Progress) -> Result<(Vec<VerifiedCitation>, Freshness)> {
        let cited = Citation::find_all(text);
        self.with_fresh_index(progress, |snapshot| self.verify_in(snapshot, cited.clone()))
    }

    /// Verifies citations in a snapshot of the index.
    pub fn verify_in(
        &self,
        snapshot: &Snapshot,
        cited: Vec<(usize, Citation)>,
    ) -> Result<Vec<VerifiedCitation>> {
        if cited.len() > MAX_CITATIONS {
            let message =
                format!("has {} citations; at most {MAX_CITATIONS} are verified at once", cited.len());
            return Err(Error::Flag { flag: "FILE", message });
        }
        let mut verified = Vec::with_capacity(cited.len());
        let mut wanted = Wanted::new();
        for (line, citation) in cited {
            let state = self.state_in_document(snapshot, &citation)?;
            if !matches!(state, CitationState::Valid | CitationState::Moved(_)) {
                wanted.entry(line_count(&citation)).or_default().push(citation.proof);
            }
            verified.push(VerifiedCitation { line, citation, state });
        }
        let found = self.find_anywhere(snapshot, wanted)?;
        for VerifiedCitation { citation, state, .. } in &mut verified {
            let is_open = !matches!(state, CitationState::Valid | CitationState::Moved(_));
            if let Some(moved) = found.get(&citation.proof).filter(|_| is_open) {
                *state = CitationState::Moved(moved.clone());
            }
        }
        Ok(verified)
    }

    /// Returns the state of a citation as its own document shows it.
    fn state_in_document(&self, snapshot: &Snapshot, citation: &Citation) -> Result<CitationState> {
        let Some((record, text)) = self.text_of(snapshot, &citation.id.doc)? else {
            return Ok(CitationState::Gone);
        };
        let lines = line_hashes(&text);
        let (first, last) = citation.lines;
        if lines.get(first - 1..last).is_some_and(|lines| TextProof::of_lines(lines) == citation.proof) {
            return Ok(CitationState::Valid);
        }
        let places = TextProof::find(&lines, line_count(citation), &[citation.proof]);
        if let Some(place) = places.into_iter().min_by_key(|(nr, _)| (nr + 1).abs_diff(first)) {
            return Ok(CitationState::Moved(cite(&record, place, line_count(citation))));
        }
        Ok(CitationState::Changed { now: self.text_now(snapshot, citation)? })
    }

    /// Returns a cited section, or the cited lines of a document, as they are now.
    fn text_now(&self, snapshot: &Snapshot, citation: &Citation) -> Result<Option<(Citation, String)>> {
        let want = match citation.id.slug {
            Some(_) => FetchExtent::Named,
            None => FetchExtent::Lines(citation.lines.0, citation.lines.1),
        };
        let fetched = self.get_in(snapshot, &[citation.id.to_string()], want)?;
        let now = fetched.into_iter().flatten().next();
        Ok(now.and_then(|now| Some((Citation::of(&now)?, now.content?))))
    }

    /// Looks for texts in all documents.
    fn find_anywhere(&self, snapshot: &Snapshot, wanted: Wanted) -> Result<HashMap<TextProof, Citation>> {
        if wanted.is_empty() {
            return Ok(HashMap::new());
        }
        let manifest = manifest_of(snapshot).unwrap_or_default();
        let docs: Vec<DocId> = manifest
            .entries()
            .filter(|(.., entry)| entry.chunks > 0)
            .map(|(tree, path, _)| DocId::new(tree.clone(), path))
            .collect();
        let in_document = |doc: &DocId| {
            let Some((record, text)) = self.text_of(snapshot, doc)? else { return Ok(Vec::new()) };
            let lines = line_hashes(&text);
            let found = wanted.iter().flat_map(|(count, proofs)| {
                let places = TextProof::find(&lines, *count, proofs);
                places.into_iter().map(|place| cite(&record, place, *count)).collect::<Vec<_>>()
            });
            Ok(found.collect())
        };
        let found: Vec<Vec<Citation>> = docs.par_iter().map(in_document).collect::<Result<_>>()?;
        let mut first = HashMap::new();
        found.into_iter().flatten().for_each(|citation| {
            first.entry(citation.proof).or_insert(citation);
        });
        Ok(first)
    }

    /// Returns the whole text of a document; `None` if it isn't there.
    fn text_of(&self, snapshot: &Snapshot, doc: &DocId) -> Result<Option<(Arc<Record>, String)>> {
        let Some(record) = snapshot.record(doc)? else { return Ok(None) };
        let Some(tree) = self.config.tree(doc.tree.as_str()) else { return Ok(None) };
        let file = Self::file_of(tree, &doc.path);
        let names = NameResolver::of(snapshot);
        let pieces = record.read(&mut names.source_reader(&file), 0, Extent::Subtree)?;
        Ok(pieces.map(|pieces| (record, pieces.into_iter().map(|piece| piece.text).collect())))
    }
}

fn line_count(citation: &Citation) -> usize {
    citation.lines.1 - citation.lines.0 + 1
}

/// Returns the citation of a text at a place in a document, by the smallest section that has all of it.
fn cite(record: &Record, (nr, proof): (usize, TextProof), count: usize) -> Citation {
    let lines = (nr + 1, nr + count);
    let holds =
        |node: &&Node| node.level > 0 && node.lines.0 as usize <= lines.0 && lines.1 <= node.lines.1 as usize;
    let ord = record.outline.nodes.iter().rev().find(holds).map_or(0, |node| node.ord);
    Citation { id: record.id(ord), proof, lines }
}

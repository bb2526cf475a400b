//! Verifies citations: whether the cited text is still there, has moved, has changed, or is gone.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use super::citation::{Citation, LineHash, TextProof, line_hashes};
use super::freshness::Freshness;
use super::index_source::IndexSource;
use super::resolve::NameResolver;
use super::{FetchExtent, KnowledgeBase, manifest_of};
use crate::document::Node;
use crate::error::{Error, Hint, Result};
use crate::id::DocId;
use crate::index::{Extent, Record, Snapshot};

/// A citation that was verified.
#[derive(Clone, Debug)]
pub struct VerifiedCitation {
    /// Its line in the text that cites.
    pub line: usize,
    /// The citation; one that is malformed, as it is written.
    pub citation: String,
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
    /// It has no complete proof or no lines, so nothing can be verified.
    Malformed,
}

/// Texts that are looked for: their proofs by their number of lines.
type Wanted = BTreeMap<usize, Vec<TextProof>>;

/// A document with the hashes of its lines.
type DocumentLines = (Arc<Record>, Vec<LineHash>);

/// At most this many citations of one text are verified.
const MAX_CITATIONS: usize = 500;

impl KnowledgeBase {
    /// Verifies all citations in a text.
    pub fn verify(&self, text: &str, index: &dyn IndexSource) -> Result<(Vec<VerifiedCitation>, Freshness)> {
        self.read_index(index, |snapshot| self.verify_from(snapshot, text))
    }

    fn verify_from(&self, snapshot: &Snapshot, text: &str) -> Result<Vec<VerifiedCitation>> {
        let trees: Vec<&str> = self.config.trees.iter().map(|tree| tree.name.as_str()).collect();
        let cited = Citation::find_all(text, &trees);
        if cited.len() > MAX_CITATIONS {
            let message = format!(
                "{} citations are too many: at most {MAX_CITATIONS} are verified at once",
                cited.len()
            );
            return Err(Error::BadRequest { message, hint: "verify the text in parts" });
        }
        let mut verified = Vec::with_capacity(cited.len());
        let mut wanted = Wanted::new();
        let mut documents = HashMap::new();
        for (line, citation) in cited {
            let citation = match citation {
                Ok(citation) => citation,
                Err(citation) => {
                    let state = CitationState::Malformed;
                    verified.push((VerifiedCitation { line, citation, state }, None));
                    continue;
                }
            };
            let document = match documents.entry(citation.id.doc.clone()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(self.document_lines(snapshot, &citation.id.doc)?),
            };
            let state = self.state_in_document(snapshot, document.as_ref(), &citation)?;
            let is_blank = citation.proof.is_blank(line_count(&citation));
            if !matches!(state, CitationState::Valid | CitationState::Moved(_)) && !is_blank {
                wanted.entry(line_count(&citation)).or_default().push(citation.proof);
            }
            let proof = citation.proof;
            verified.push((VerifiedCitation { line, citation: citation.to_string(), state }, Some(proof)));
        }
        let found = self.find_anywhere(snapshot, wanted)?;
        for (VerifiedCitation { state, .. }, proof) in &mut verified {
            let is_open = !matches!(state, CitationState::Valid | CitationState::Moved(_));
            let moved = proof.and_then(|proof| found.get(&proof)).filter(|_| is_open);
            if let Some(moved) = moved {
                *state = CitationState::Moved(moved.clone());
            }
        }
        Ok(verified.into_iter().map(|(verified, _)| verified).collect())
    }

    /// Returns the lines of its document where a cited text is now. Another text must not pass for it.
    pub(super) fn cited_lines(
        &self,
        names: &NameResolver<'_>,
        citation: &Citation,
    ) -> Result<(usize, usize)> {
        let snapshot = names.snapshot();
        let doc = &citation.id.doc;
        let document =
            self.document_lines(snapshot, doc)?.ok_or_else(|| names.not_found(&doc.to_string()))?;
        match self.state_in_document(snapshot, Some(&document), citation)? {
            CitationState::Moved(now) => Ok(now.lines),
            CitationState::Changed { .. } | CitationState::Gone => Err(Error::NotFound {
                message: format!("{doc} no longer contains the text of `{citation}`"),
                candidates: Vec::new(),
                hint: Some(Hint::Verify),
            }),
            CitationState::Valid | CitationState::Malformed => Ok(citation.lines),
        }
    }

    /// Returns the state of a citation as its own document shows it.
    fn state_in_document(
        &self,
        snapshot: &Snapshot,
        document: Option<&DocumentLines>,
        citation: &Citation,
    ) -> Result<CitationState> {
        let Some((record, lines)) = document else { return Ok(CitationState::Gone) };
        let count = line_count(citation);
        let (first, last) = citation.lines;
        if lines.get(first - 1..last).is_some_and(|lines| TextProof::of_lines(lines) == citation.proof) {
            let named = citation.id.slug.as_deref().map(|slug| record.outline.find(slug));
            let holds = |node: &Node| node.lines.0 as usize <= first && last <= node.lines.1 as usize;
            return Ok(match named {
                None => CitationState::Valid,
                Some(Some(node)) if holds(node) => CitationState::Valid,
                // The text is there, but in another section.
                Some(_) => CitationState::Moved(cite(record, (first - 1, citation.proof), count)),
            });
        }
        let places = TextProof::find(lines, count, &[citation.proof]);
        if let Some(place) = places.into_iter().min_by_key(|(nr, _)| (nr + 1).abs_diff(first)) {
            return Ok(CitationState::Moved(cite(record, place, count)));
        }
        Ok(CitationState::Changed { now: self.text_now(snapshot, citation)? })
    }

    /// Returns a cited section, or the cited lines of a document, as they are now.
    fn text_now(&self, snapshot: &Snapshot, citation: &Citation) -> Result<Option<(Citation, String)>> {
        let want = match citation.id.slug {
            Some(_) => FetchExtent::Named,
            None => FetchExtent::Lines(citation.lines.0, citation.lines.1),
        };
        let fetched = self.fetch_all(snapshot, &[citation.id.to_string()], want)?;
        let now = fetched.into_iter().flatten().next();
        Ok(now.and_then(|now| Some((Citation::of(&now)?, now.content?))))
    }

    /// Looks for texts in all documents.
    fn find_anywhere(&self, snapshot: &Snapshot, wanted: Wanted) -> Result<HashMap<TextProof, Citation>> {
        if wanted.is_empty() {
            return Ok(HashMap::new());
        }
        let manifest = manifest_of(snapshot).unwrap_or_default();
        let docs: Vec<DocId> =
            manifest.documents().map(|(tree, path, _)| DocId::new(tree.clone(), path)).collect();
        let in_document = |doc: &DocId| {
            let Some((record, lines)) = self.document_lines(snapshot, doc)? else { return Ok(Vec::new()) };
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

    /// Returns the hashes of all lines of a document; `None` if it isn't there.
    fn document_lines(&self, snapshot: &Snapshot, doc: &DocId) -> Result<Option<DocumentLines>> {
        let Some(record) = snapshot.record(doc)? else { return Ok(None) };
        let Some(tree) = self.config.tree(doc.tree.as_str()) else { return Ok(None) };
        let file = Self::file_of(tree, &doc.path);
        let names = NameResolver::of(snapshot);
        let pieces = record.read(&mut names.source_reader(&file), 0, Extent::Subtree)?;
        let text = pieces.map(|pieces| pieces.into_iter().map(|piece| piece.text).collect::<String>());
        Ok(text.map(|text| (record, line_hashes(&text))))
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

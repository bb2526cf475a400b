//! Evaluates context without judgments, using the links between documents. The source is a document without its links;
//! the documents that it links to are relevant.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::link_targets::{LinkTargets, documents, file_of};
use super::metrics::RankMetrics;
use crate::context::extract;
use crate::document::{ConversionCache, Document, LinkKind};
use crate::error::Result;
use crate::id::DocId;
use crate::index::{FacetMode, Scope, Snapshot};
use crate::kb::{
    Answer, ContextRequest, ContextSource, KnowledgeBase, QueryCombination, QuerySyntax, ReadDocument,
    SearchRequest,
};
use crate::retrieval::{Aggregation, Order};

/// The scores of each way to query, over the same documents.
#[derive(Clone, Copy, Debug)]
pub struct ContextScores {
    /// The number of source documents.
    pub documents: usize,
    /// `ra context` on the document.
    pub context: RankMetrics,
    /// Its first fifty words as a query.
    pub first_words: RankMetrics,
    /// The words of its file name as a query.
    pub file_name: RankMetrics,
}

/// A document that links to others.
struct LinkedDoc {
    doc: DocId,
    text: String,
    linked: BTreeSet<DocId>,
}

/// Documents with fewer links are skipped: they have too few right answers to measure recall.
const MIN_LINKS: usize = 3;
const FIRST_WORDS: usize = 50;

/// Evaluates up to `count` documents and scores the first `depth` results.
pub fn evaluate_context(
    kb: &KnowledgeBase,
    snapshot: &Snapshot,
    count: usize,
    depth: usize,
) -> Result<ContextScores> {
    let cases = cases(kb, snapshot, count);
    let outcomes: Vec<[RankMetrics; 3]> = cases
        .par_iter()
        .map(|case| {
            let first: Vec<&str> = words_of(&case.text).take(FIRST_WORDS).collect();
            let name = extract::path_words(file_name(&case.doc.path));
            Ok([
                score(case, &context(kb, snapshot, case)?, depth),
                score(case, &ask(kb, snapshot, &case.doc, &first.join(" "))?, depth),
                score(case, &ask(kb, snapshot, &case.doc, &name.join(" "))?, depth),
            ])
        })
        .collect::<Result<_>>()?;
    let mean = |nr: usize| RankMetrics::mean(outcomes.iter().map(|scores| scores[nr]));
    Ok(ContextScores {
        documents: outcomes.len(),
        context: mean(0),
        first_words: mean(1),
        file_name: mean(2),
    })
}

/// Returns the most specific name: that of the file, or of the directory if the file is its index.
fn file_name(path: &str) -> &str {
    path.trim_end_matches("/index.md").trim_end_matches("/_index.md").rsplit('/').next().unwrap_or(path)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn context(kb: &KnowledgeBase, snapshot: &Snapshot, case: &LinkedDoc) -> Result<Answer> {
    let path = file_of(kb.config(), &case.doc);
    let source = ContextSource::Text { name: case.doc.to_string(), path, text: case.text.clone() };
    let found = kb.context(&ContextRequest { sources: vec![source], scope: Scope::default() }, snapshot)?;
    Ok(found.answers.answers.into_iter().next().unwrap_or_default())
}

fn ask(kb: &KnowledgeBase, snapshot: &Snapshot, doc: &DocId, query: &str) -> Result<Answer> {
    let ask = SearchRequest {
        queries: vec![query.to_owned()],
        topics: QueryCombination::Joined,
        syntax: QuerySyntax::Query,
        scope: Scope { except: vec![doc.clone()], ..Scope::default() },
        aggregation: Aggregation::Sections,
        order: Order::Score,
        facets: FacetMode::None,
    };
    match kb.search(&ask, snapshot) {
        Ok(found) => Ok(found.answers.into_iter().next().unwrap_or_default()),
        // A name without letters isn't a valid query.
        Err(crate::error::Error::Query(_)) => Ok(Answer::default()),
        Err(error) => Err(error),
    }
}

fn score(case: &LinkedDoc, answer: &Answer, depth: usize) -> RankMetrics {
    let mut given: Vec<&DocId> = Vec::new();
    for passage in &answer.passages {
        if !given.contains(&&passage.id.doc) {
            given.push(&passage.id.doc);
        }
    }
    let grades: Vec<f64> = given.iter().map(|doc| f64::from(u8::from(case.linked.contains(doc)))).collect();
    RankMetrics::of(&grades, &vec![1.0; case.linked.len()], depth)
}

/// Returns documents with enough links, chosen by a hash of their ids: random, but always the same.
fn cases(kb: &KnowledgeBase, snapshot: &Snapshot, count: usize) -> Vec<LinkedDoc> {
    let mut docs = documents(snapshot);
    docs.sort_by_cached_key(|doc| *blake3::hash(doc.to_string().as_bytes()).as_bytes());
    let places = LinkTargets::new(&docs);
    let conversions = snapshot.conversions();
    let mut cases = Vec::new();
    for batch in docs.chunks(256) {
        cases.par_extend(batch.par_iter().filter_map(|doc| case(kb, &conversions, &places, doc)));
        if cases.len() >= count {
            break;
        }
    }
    cases.truncate(count);
    cases
}

fn case(
    kb: &KnowledgeBase,
    conversions: &ConversionCache,
    places: &LinkTargets<'_>,
    doc: &DocId,
) -> Option<LinkedDoc> {
    let ReadDocument { document: Document { links, .. }, text, .. } =
        kb.read_document(&file_of(kb.config(), doc), conversions, false)?;
    let mut linked = BTreeSet::new();
    let mut without = String::with_capacity(text.len());
    let mut from = 0;
    for link in &links {
        if link.kind != LinkKind::Image {
            linked.extend(places.resolve(doc, &link.target).filter(|target| *target != doc).cloned());
        }
        if link.span.start >= from {
            without.push_str(&text[from..link.span.start]);
            from = link.span.end;
        }
    }
    without.push_str(&text[from..]);
    (linked.len() >= MIN_LINKS).then(|| LinkedDoc { doc: doc.clone(), text: without, linked })
}

//! Queries in tantivy's own syntax, scored by tantivy itself: for debugging, and for queries that the query
//! language can't express.

use tantivy::collector::{Count, TopDocs};
use tantivy::query::QueryParser;
use tantivy::{DocId as EntryId, TantivyError};

use super::hit::Hit;
use super::match_finder::MatchFinder;
use super::retrieve::{RetrievalRequest, Retrieved};
use super::scored_docs::ScoredDocs;
use crate::error::{QueryProblem, Result};
use crate::index::storage::lineage::LineageNode;
use crate::index::storage::schema::{TEXTS, Text};
use crate::index::storage::snapshot::Snapshot;

impl Snapshot {
    /// Executes a query in tantivy's own syntax.
    pub fn retrieve_raw(&self, text: &str, question: &RetrievalRequest<'_>) -> Result<Retrieved> {
        let mut parser = QueryParser::for_index(self.searcher.index(), self.fields.texts.to_vec());
        let boosts = &question.search.boosts;
        for ((kind, _), field) in TEXTS.iter().zip(self.fields.texts) {
            let boost = match kind {
                Text::Title | Text::Hierarchy => boosts.hierarchy,
                Text::About | Text::Tags => boosts.tags,
                Text::Path => boosts.path,
                Text::Body => boosts.body,
            };
            parser.set_field_boost(field, boost as f32);
        }
        let refused = |what: &str, why: &dyn std::fmt::Display| QueryProblem {
            message: format!("the raw query cannot be {what}: {why}"),
            hint: "in the query language of ra itself, anything can be read".to_owned(),
        };
        let query = parser.parse_query(text).map_err(|error| refused("parsed", &error))?;
        let filters = question.scope.filters(question.trees);
        // Filters are applied after collecting, so with filters every hit is collected: the best few might
        // all be filtered out.
        let all = usize::try_from(self.searcher.num_docs()).unwrap_or(usize::MAX);
        let most = if filters.is_empty() { question.most.min(all) } else { all };
        let collectors = (TopDocs::with_limit(most.max(1)).order_by_score(), Count);
        let found = self.searcher.search(&query, &collectors).map_err(|error| match error {
            // Some fields are resolved only at this point. An unknown field is an error in the query, not in
            // the index.
            TantivyError::FieldNotFound(_)
            | TantivyError::SchemaError(_)
            | TantivyError::InvalidArgument(_) => refused("answered", &error).into(),
            error => self.failed(error),
        });
        let (top, count) = found?;
        let mut lists: Vec<ScoredDocs> = vec![ScoredDocs::new(); self.segments.len()];
        for (score, address) in top {
            lists[address.segment_ord as usize].push((address.doc_id, score));
        }
        let mut hits = Vec::new();
        for (segment, mut list) in lists.into_iter().enumerate() {
            list.sort_by_key(|(entry, _)| *entry);
            for filter in &filters {
                list = self.filtered(list, filter, segment)?;
            }
            hits.extend(
                list.into_iter().filter_map(|(entry, score)| self.raw_hit(score, segment, entry, question)),
            );
        }
        let total = if filters.is_empty() { count } else { hits.len() };
        hits.sort_by(Hit::ranking);
        hits.truncate(question.most);
        // tantivy doesn't report the highest possible score of a query.
        let best_possible = hits.first().map_or(0.0, |hit| hit.score);
        let mut retrieved =
            Retrieved { hits, total, unexcluded: total, best_possible, ..Retrieved::default() };
        let mut tokens = Vec::new();
        query.query_terms(&mut |term, _| tokens.extend(term.value().as_str().map(str::to_owned)));
        retrieved.match_finder = MatchFinder::from_tokens(tokens);
        Ok(retrieved)
    }

    fn raw_hit(
        &self,
        score: f32,
        segment: usize,
        entry: EntryId,
        question: &RetrievalRequest<'_>,
    ) -> Option<Hit> {
        let view = self.segments.get(segment)?;
        let lineage: Vec<LineageNode> =
            view.lineage(entry).iter().copied().map(LineageNode::unpack).collect();
        let doc = view.id_text(view.id_of(entry)?);
        let tree = doc.split_once(':')?.0;
        let tree = question.trees.iter().position(|known| known.as_str() == tree)?;
        let tree = u16::try_from(tree).ok()?;
        let record = self.record_id(segment, entry)?;
        (!lineage.is_empty()).then(|| Hit {
            tree,
            doc,
            score,
            is_partial: false,
            record,
            lineage,
            document: 0.0,
            proximity: 0.0,
            words: Vec::new(),
        })
    }
}

//! Queries in tantivy's own syntax, scored by tantivy itself: for debugging, and for queries that the query
//! language can't express.

use tantivy::TantivyError;
use tantivy::collector::{Count, TopDocs};
use tantivy::query::QueryParser;

use super::hit::Hit;
use super::match_finder::MatchFinder;
use super::plan::weights;
use super::retrieve::{MatchSummary, RetrievalRequest, Retrieved};
use super::scored_docs::ScoredDocs;
use crate::error::{QueryProblem, Result};
use crate::index::storage::snapshot::Snapshot;

impl Snapshot {
    /// Executes a query in tantivy's own syntax.
    pub fn retrieve_raw(&self, text: &str, question: &RetrievalRequest<'_>) -> Result<Retrieved> {
        let mut parser = QueryParser::for_index(self.searcher.index(), self.fields.texts.to_vec());
        let weights = weights(&question.search.boosts, None);
        for (field, weight) in self.fields.texts.into_iter().zip(weights) {
            parser.set_field_boost(field, weight);
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
            let hit = |(entry, score)| self.hit(segment, entry, score, question.trees);
            hits.extend(list.into_iter().filter_map(hit));
        }
        let total = if filters.is_empty() { count } else { hits.len() };
        hits.sort_by(Hit::ranking);
        hits.truncate(question.most);
        // tantivy doesn't report the highest possible score of a query.
        let best_possible = hits.first().map_or(0.0, |hit| hit.score);
        let summary = MatchSummary { total, unexcluded: total, ..MatchSummary::default() };
        let mut retrieved = Retrieved { hits, summary, best_possible, ..Retrieved::default() };
        let mut tokens = Vec::new();
        query.query_terms(&mut |term, _| tokens.extend(term.value().as_str().map(str::to_owned)));
        retrieved.match_finder = MatchFinder::from_tokens(tokens);
        Ok(retrieved)
    }
}

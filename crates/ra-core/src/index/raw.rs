//! Queries in tantivy's own syntax, scored by tantivy itself: for debugging, and for what the query
//! language does not say.

use tantivy::DocAddress;
use tantivy::collector::{Count, TopDocs};
use tantivy::query::QueryParser;

use super::hit::{Hit, Step};
use super::read::Snapshot;
use super::retrieve::{Question, Retrieved};
use super::schema::{TEXTS, Text};
use crate::error::{QueryProblem, Result};

impl Snapshot {
    /// Answers a query in tantivy's own syntax.
    pub fn retrieve_raw(&self, text: &str, question: &Question<'_>) -> Result<Retrieved> {
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
        let query = parser.parse_query(text).map_err(|error| QueryProblem {
            message: format!("the raw query cannot be parsed: {error}"),
            hint: "without --raw, the query is read in ra's own language (`ra help query`)".to_owned(),
        })?;
        let most = question.most.saturating_mul(4).max(1);
        let collectors = (TopDocs::with_limit(most).order_by_score(), Count);
        let (top, total) = self.searcher.search(&query, &collectors).map_err(|error| self.failed(error))?;
        let mut hits: Vec<Hit> =
            top.into_iter().filter_map(|(score, address)| self.raw_hit(score, address, question)).collect();
        hits.sort_by(Hit::ranking);
        hits.truncate(question.most);
        let mut retrieved = Retrieved { hits, total, ..Retrieved::default() };
        query.query_terms(&mut |term, _| {
            retrieved.tokens.extend(term.value().as_str().map(str::to_owned));
        });
        Ok(retrieved)
    }

    fn raw_hit(&self, score: f32, address: DocAddress, question: &Question<'_>) -> Option<Hit> {
        let view = self.segments.get(address.segment_ord as usize)?;
        let lineage: Vec<Step> = view.lineage.values_for_doc(address.doc_id).map(Step::unpack).collect();
        let doc = view.id_text(view.id_of(address.doc_id)?);
        let (tree, path) = doc.split_once(':')?;
        let scope = question.scope;
        let inside = (scope.trees.is_empty() || scope.trees.iter().any(|known| known.as_str() == tree))
            && (scope.paths.is_empty() || scope.paths.iter().any(|prefix| path.starts_with(prefix.as_str())));
        if lineage.is_empty() || !inside {
            return None;
        }
        let tree = question.trees.iter().position(|known| known.as_str() == tree)?;
        Some(Hit {
            tree: u16::try_from(tree).ok()?,
            doc: doc.into(),
            score,
            lineage,
            document: 0.0,
            words: Vec::new(),
        })
    }
}

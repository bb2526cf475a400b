//! Search: from the user's queries to passages, with notices, suggestions and freshness.

use std::collections::{BTreeSet, HashMap};

use super::index_source::IndexSource;
use super::question::{ParsedQuestion, questions};
use super::search_answer::{Answer, SearchAnswers};
use super::search_request::{QueryCombination, SearchRequest};
use super::{KnowledgeBase, manifest_of};
use crate::config::SearchSettings;
use crate::error::Result;
use crate::id::{TreeName, index_id};
use crate::index::{
    FacetMode, Fill, LanguageId, MatchSummary, Notice, RetrievalRequest, Scope, Snapshot, question_language,
};
use crate::query::{self, Expr};
use crate::retrieval::{
    self, Around, Expansion, Group, Meaning, Order, Passage, QueryInput, RankedResults, Request, TitleBoost,
};
use crate::semantic::PageIndex;

impl KnowledgeBase {
    /// Searches an index.
    pub fn search(&self, ask: &SearchRequest, index: &dyn IndexSource) -> Result<SearchAnswers> {
        // An invalid query isn't worth a walk of the disk.
        let questions = questions(ask)?;
        let (answers, freshness) = self.read_index(index, |snapshot| {
            let wanted = questions.iter().take_while(|_| !index.is_cancelled());
            let resolved =
                |question: &ParsedQuestion| self.with_linked(snapshot, question.resolved(snapshot)?);
            wanted.map(|question| self.answer(snapshot, ask, &resolved(question)?)).collect()
        })?;
        Ok(SearchAnswers { answers, freshness })
    }

    /// Searches for each query separately and merges the results into one list. Each section occurs once, with its
    /// highest score and the matches of all queries.
    pub fn search_multi(&self, ask: &SearchRequest, index: &dyn IndexSource) -> Result<Vec<Passage>> {
        let ask = SearchRequest { topics: QueryCombination::Apart, ..ask.clone() };
        let mut merged: Vec<Passage> = Vec::new();
        for passage in self.search(&ask, index)?.answers.into_iter().flat_map(|answer| answer.passages) {
            match merged.iter_mut().find(|known| known.id == passage.id && known.lines == passage.lines) {
                None => merged.push(passage),
                Some(known) => {
                    known.score = known.score.max(passage.score);
                    known.add_matches(&passage);
                }
            }
        }
        merged.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
        Ok(merged)
    }

    fn answer(&self, snapshot: &Snapshot, ask: &SearchRequest, question: &ParsedQuestion) -> Result<Answer> {
        let mut answer = self.answer_as_read(snapshot, ask, question)?;
        let Some(expr) = question.expr.as_ref().filter(|_| answer.summary.total == 0) else {
            return Ok(answer);
        };
        let pasted = "no match for the text as a query; searched for its words instead";
        let quoting = "no match for the quoted phrase; searched for its words instead";
        // If an exclusion left nothing, other words would only hide that.
        let may_unquote = self.config.search.relax && answer.summary.unexcluded == 0;
        let others =
            [(question.pasted(), pasted), (question.without_quotes().filter(|_| may_unquote), quoting)];
        for (plain, message) in others.into_iter().filter_map(|(plain, message)| Some((plain?, message))) {
            let mut plain = self.answer_as_read(snapshot, ask, &plain)?;
            if plain.summary.total > 0 {
                plain.summary.notices.insert(0, Notice { message: message.to_owned(), hint: None });
                return Ok(plain);
            }
        }
        answer.summary.notices.extend(self.empty_scope_notes(snapshot, &ask.scope)?);
        if self.is_empty(snapshot, &ask.scope) {
            // In an empty index every word is unknown, so don't report any.
            let (asked, unknown) = (BTreeSet::new(), Vec::new());
            return Ok(Answer { asked, unknown, ..answer });
        }
        let instead = self.suggestions(snapshot, ask, expr)?;
        Ok(Answer { instead, ..answer })
    }

    fn answer_as_read(
        &self,
        snapshot: &Snapshot,
        ask: &SearchRequest,
        question: &ParsedQuestion,
    ) -> Result<Answer> {
        let what = match &question.expr {
            Some(expr) => QueryInput::Query(expr),
            None => QueryInput::Raw(&question.text),
        };
        let dates = (ask.order == Order::Date).then(|| dates(snapshot));
        let subject = question.expr.as_ref().map(Expr::subject).unwrap_or_default();
        let is_prose = question.expr.as_ref().is_some_and(|expr| query::is_prose(&question.text, expr));
        let is_compared = is_prose && self.config.search.semantic && ask.order == Order::Score;
        let pages = || self.pages(snapshot);
        let languages: Vec<LanguageId> = snapshot.languages().iter().map(|(language, _)| *language).collect();
        let request = Request {
            language: question_language(
                if question.expr.is_some() { &subject } else { &question.text },
                &languages,
            ),
            aggregation: ask.aggregation,
            meaning: is_compared.then_some(Meaning { text: &question.text, pages: &pages }),
            order: ask.order,
            dates: dates.as_ref(),
            facets: ask.facets,
            ..Request::new(what, TitleBoost::Query(&subject), &ask.scope, &self.config.search)
        };
        let mut answer = Answer {
            read_as: question.expr.as_ref().map_or_else(|| question.text.clone(), ToString::to_string),
            asked: question.expr.iter().flat_map(Expr::words).map(str::to_owned).collect(),
            query: question.text.clone(),
            diagnostics: question.diagnostics.clone(),
            ..self.respond(snapshot, &request)?
        };
        // By now, the vectors have been read while the query was encoded.
        answer.without_vector = if is_compared { without_vector(&self.pages(snapshot)) } else { 0 };
        answer.summary.notices.splice(0..0, question.notices.iter().cloned());
        answer.unknown = self.spelling_suggestions(snapshot, &answer)?;
        Ok(answer)
    }

    /// Looks for matches without ranking them.
    pub(super) fn matches(
        &self,
        snapshot: &Snapshot,
        query: &Expr,
        scope: &Scope,
        search: &SearchSettings,
    ) -> Result<MatchSummary> {
        let trees: Vec<TreeName> = self.config.trees.iter().map(|tree| tree.name.clone()).collect();
        let request = RetrievalRequest {
            scope,
            search,
            trees: &trees,
            most: 1,
            fill: Fill::No,
            facets: FacetMode::None,
            language: None,
        };
        Ok(snapshot.retrieve(query, &request)?.summary)
    }

    /// Runs the retrieval stages and reads the text of the results.
    pub(super) fn respond(&self, snapshot: &Snapshot, request: &Request<'_>) -> Result<Answer> {
        let RankedResults { groups, mut filling, summary, match_finder, excluded, trace } =
            retrieval::run(snapshot, &self.config, request)?;
        let around = Around { limits: self.config.search.expand.as_ref(), excluded: &excluded };
        let expand =
            |groups: &[Group]| retrieval::expand(snapshot, &self.config, groups, &match_finder, &around);
        // With the surrounding sections, all matches of a document are one result, and the first decides its rank.
        let (full, rest) = match &filling {
            Some(filling) if around.limits.is_none() => groups.split_at(filling.after),
            _ => (groups.as_slice(), [].as_slice()),
        };
        let Expansion { mut passages, mut vanished } = expand(full)?;
        if let Some(filling) = &mut filling {
            let docs =
                |groups: &[Group]| groups.iter().map(|group| group.doc.clone()).collect::<BTreeSet<_>>();
            let has_full = docs(&groups[..filling.after]);
            let is_full = |passage: &&Passage| has_full.contains(passage.id.doc.to_string().as_str());
            filling.after = passages.iter().take_while(is_full).count();
        }
        if !rest.is_empty() {
            let more = expand(rest)?;
            passages.extend(more.passages);
            vanished += more.vanished;
        }
        let filling = filling.filter(|filling| filling.after < passages.len());
        if vanished > 0 && self.has_all_roots() && snapshot.is_damaged() {
            return Err(snapshot.contradiction());
        }
        Ok(Answer { passages, filling, summary, vanished, trace, ..Answer::default() })
    }
}

impl KnowledgeBase {
    /// True if the root of every tree exists. If one is missing, its text can't be shown, which doesn't prove the
    /// index wrong.
    fn has_all_roots(&self) -> bool {
        self.config.trees.iter().all(|tree| tree.root.is_dir())
    }
}

/// Returns the number of documents without a vector if most have none, or 0.
fn without_vector(pages: &PageIndex) -> usize {
    if pages.missing() > pages.len() { pages.missing() } else { 0 }
}

/// Returns the mtime of each document. The manifest has it even if the time changed but the text didn't, and the
/// document wasn't indexed again.
fn dates(snapshot: &Snapshot) -> HashMap<String, i64> {
    let manifest = manifest_of(snapshot).unwrap_or_default();
    manifest.entries().map(|(tree, path, entry)| (index_id(tree, path), entry.stamp.mtime)).collect()
}

//! Search: from the user's queries to passages, with notices, suggestions and freshness.

use std::collections::{BTreeSet, HashMap};

use super::freshness::Freshness;
use super::index_source::IndexSource;
use super::question::{ParsedQuestion, questions};
use super::suggest::{Suggestion, UnknownWord};
use super::{KnowledgeBase, manifest_of};
use crate::config::SearchSettings;
use crate::error::Result;
use crate::id::{TreeName, index_id};
use crate::index::{
    FacetMode, Fill, LanguageId, MatchSummary, Notice, QueryWord, RetrievalRequest, Scope, Snapshot,
    question_language,
};
use crate::query::{self, Diagnostic, Expr};
use crate::retrieval::{
    self, Aggregation, Around, Expansion, Group, Meaning, Order, PartialResults, Passage, QueryInput,
    RankedResults, Request, TitleBoost, Trace,
};

/// A search request.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The queries as the user wrote them.
    pub queries: Vec<String>,
    /// How several queries are combined.
    pub topics: QueryCombination,
    /// The syntax of the queries.
    pub syntax: QuerySyntax,
    /// The scope to search.
    pub scope: Scope,
    /// Whether matches are merged into sections.
    pub aggregation: Aggregation,
    /// The order of the results.
    pub order: Order,
    /// Whether facets are counted.
    pub facets: FacetMode,
}

/// How several queries are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryCombination {
    /// One question that matches if any of the queries does.
    Joined,
    /// One question per query.
    Apart,
}

/// The syntax of queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuerySyntax {
    /// The syntax described in `ra help query`.
    Query,
    /// The query syntax of tantivy.
    Raw,
}

/// The answer to a search.
#[derive(Clone, Debug, Default)]
pub struct SearchAnswers {
    /// One answer per question.
    pub answers: Vec<Answer>,
    /// The state of the index that they are based on.
    pub freshness: Freshness,
}

/// The answer to one question.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The question as the user wrote it.
    pub query: String,
    /// The question as it was parsed.
    pub read_as: String,
    /// The words that it searches for, without those that it excludes.
    pub asked: BTreeSet<String>,
    /// The results, in the requested order.
    pub passages: Vec<Passage>,
    /// The passages that lack a word, if others have all words.
    pub filling: Option<PartialResults>,
    /// All matches, and how they were found.
    pub summary: MatchSummary,
    /// Results whose file changed on the disk while they were read.
    pub vanished: usize,
    /// Warnings about the query.
    pub diagnostics: Vec<Diagnostic>,
    /// The words that no section has, each with the most similar words that exist.
    pub unknown: Vec<UnknownWord>,
    /// If nothing was found, looser questions that match.
    pub instead: Vec<Suggestion>,
    /// A record of each stage.
    pub trace: Trace,
}

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
        let around = self.config.search.expand.as_ref().map(|limits| Around { limits, excluded: &excluded });
        let expand =
            |groups: &[Group]| retrieval::expand(snapshot, &self.config, groups, &match_finder, around);
        // With the surrounding sections, all matches of a document are one result, and the first decides its rank.
        let (full, rest) = match &filling {
            Some(filling) if around.is_none() => groups.split_at(filling.after),
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

/// Returns the mtime of each document. The manifest has it even if the time changed but the text didn't, and the
/// document wasn't indexed again.
fn dates(snapshot: &Snapshot) -> HashMap<String, i64> {
    let manifest = manifest_of(snapshot).unwrap_or_default();
    manifest.entries().map(|(tree, path, entry)| (index_id(tree, path), entry.stamp.mtime)).collect()
}

impl Answer {
    /// Returns the words that the question searches for and that no section has.
    pub fn unknown_words(&self) -> BTreeSet<&str> {
        // A word missing from one field may occur in others.
        let is_unknown = |word: &&QueryWord| !word.is_known || word.matches == 0 && word.field.is_none();
        let words = self.trace.words.iter().filter(is_unknown);
        words.map(|word| word.text.as_str()).filter(|word| self.asked.contains(*word)).collect()
    }

    /// Returns the words that the question searches for and that none of the results has, although some section does.
    pub fn dropped_words(&self) -> BTreeSet<&str> {
        let numbers: BTreeSet<u16> =
            self.trace.hits.iter().flat_map(|hit| hit.words.iter().map(|(word, _)| *word)).collect();
        let text = |nr: &u16| Some(self.trace.words.get(usize::from(*nr))?.text.as_str());
        // The same word may be excluded from a field.
        let found: BTreeSet<&str> = numbers.iter().filter_map(text).collect();
        let known = self.trace.words.iter().filter(|word| word.is_known && word.matches > 0);
        let words = known.map(|word| word.text.as_str()).filter(|word| !found.contains(word));
        words.filter(|word| self.asked.contains(*word)).collect()
    }
}

//! Questions: the queries of a request, parsed.

use super::search::{QueryCombination, QuerySyntax, SearchRequest};
use crate::error::{QueryProblem, Result};
use crate::index::Snapshot;
use crate::query::{self, Diagnostic, Expr};

/// A query of a request, parsed.
pub(super) struct ParsedQuestion {
    pub(super) text: String,
    /// `None` if it is in the syntax of tantivy.
    pub(super) expr: Option<Expr>,
    pub(super) diagnostics: Vec<Diagnostic>,
    written: Written,
}

/// A query with at least this many words besides its phrases may be a message.
const MESSAGE: usize = 4;

/// Whether a question is one query or several joined queries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Once,
    Joined,
}

impl ParsedQuestion {
    /// Reads conditions on keys that no front matter has as text, and drops the warnings about those that some have.
    pub(super) fn resolved(&self, snapshot: &Snapshot) -> Result<Self> {
        let mut diagnostics = Vec::with_capacity(self.diagnostics.len());
        for diagnostic in self.diagnostics.iter().cloned() {
            let is_known = match &diagnostic.property {
                Some(key) => snapshot.has_property(key)?,
                None => false,
            };
            diagnostics.extend((!is_known).then_some(diagnostic));
        }
        let resolve = |expr: Expr| expr.resolve_properties(&|key| snapshot.has_property(key));
        let expr = self.expr.clone().map(resolve).transpose()?;
        Ok(Self { text: self.text.clone(), expr, diagnostics, written: self.written })
    }

    /// Returns the question as plain words if it is long and has several lines. Such text was pasted, not written as a
    /// query, and its punctuation has no meaning as syntax.
    pub(super) fn pasted(&self) -> Option<Self> {
        let has_lines = self.written == Written::Once && self.text.trim().contains('\n');
        self.expr.as_ref().filter(|expr| has_lines && expr.words().len() > query::MAX_TYPED_QUERY_WORDS)?;
        let expr = Some(query::plain(&self.text)?);
        Some(Self { text: self.text.clone(), expr, diagnostics: Vec::new(), written: self.written })
    }

    /// Returns the question with its phrases split into words, if it has enough other words. Messages often quote
    /// their subject.
    pub(super) fn without_quotes(&self) -> Option<Self> {
        let Some(Expr::And(items)) = &self.expr else { return None };
        let words = items.iter().filter(|item| matches!(item, Expr::Word(_))).count();
        if words < MESSAGE || !items.iter().any(|item| matches!(item, Expr::Phrase(_))) {
            return None;
        }
        let plain = |item: &Expr| match item {
            Expr::Phrase(text) => query::plain(text),
            other => Some(other.clone()),
        };
        let expr = Expr::all(items.iter().filter_map(plain));
        let (text, diagnostics) = (self.text.clone(), self.diagnostics.clone());
        Some(Self { text, expr, diagnostics, written: self.written })
    }
}

/// Parses the questions of a search request.
pub(super) fn questions(ask: &SearchRequest) -> Result<Vec<ParsedQuestion>> {
    if ask.queries.iter().all(|query| query.trim().is_empty()) {
        return Err(problem(query::QueryError::Empty, None).into());
    }
    if ask.syntax == QuerySyntax::Raw {
        return raw_questions(ask);
    }
    let mut questions = Vec::new();
    for (nr, text) in ask.queries.iter().enumerate() {
        let place = (ask.queries.len() > 1).then_some(nr);
        let parsed = query::parse(text).map_err(|error| problem(error, place))?;
        questions.push(ParsedQuestion {
            text: text.clone(),
            expr: Some(parsed.query),
            diagnostics: parsed.diagnostics,
            written: Written::Once,
        });
    }
    if ask.topics == QueryCombination::Apart || questions.len() == 1 {
        return Ok(questions);
    }
    let text = ask.queries.iter().map(|query| format!("({query})")).collect::<Vec<_>>().join(" OR ");
    let diagnostics =
        questions.iter_mut().flat_map(|question| std::mem::take(&mut question.diagnostics)).collect();
    let expr = Expr::any(questions.into_iter().filter_map(|question| question.expr));
    if let Some(expr) = &expr {
        query::check_terms(expr).map_err(|error| problem(error, None))?;
    }
    Ok(vec![ParsedQuestion { text, expr, diagnostics, written: Written::Joined }])
}

/// Returns the questions of a request in tantivy's syntax.
fn raw_questions(ask: &SearchRequest) -> Result<Vec<ParsedQuestion>> {
    let texts = match ask.queries.as_slice() {
        queries if ask.topics == QueryCombination::Apart || queries.len() == 1 => queries.to_vec(),
        queries => vec![queries.iter().map(|query| format!("({query})")).collect::<Vec<_>>().join(" OR ")],
    };
    let raw = |text: String| {
        query::check_raw(&text).map_err(|error| problem(error, None))?;
        Ok(ParsedQuestion { text, expr: None, diagnostics: Vec::new(), written: Written::Once })
    };
    texts.into_iter().map(raw).collect()
}

/// Describes an error in a query, and which of several queries has it.
fn problem(error: query::QueryError, place: Option<usize>) -> QueryProblem {
    let which = place.map_or_else(String::new, |nr| format!("query {}: ", nr + 1));
    QueryProblem { message: format!("{which}{error}"), hint: error.hint().to_owned() }
}

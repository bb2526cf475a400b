//! Questions: the queries of a request, parsed.

use super::search_request::{QueryCombination, QuerySyntax, SearchRequest};
use crate::error::{QueryProblem, Result};
use crate::index::{Notice, Snapshot, ValueCounts};
use crate::query::{self, Diagnostic, Expr, Operator, PropertyFilter};
use crate::text;

/// A query of a request, parsed.
#[derive(Clone)]
pub(super) struct ParsedQuestion {
    pub(super) text: String,
    /// `None` if it is in the syntax of tantivy.
    pub(super) expr: Option<Expr>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Conditions that were read as text.
    pub(super) notices: Vec<Notice>,
    written: Written,
}

/// How many values of a key are named as examples.
const SHOWN_VALUES: usize = 5;

/// A query with at least this many words besides its phrases may be a message.
const MIN_MESSAGE_WORDS: usize = 4;

/// Whether a question is one query or several joined queries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Once,
    Joined,
}

impl ParsedQuestion {
    /// Reads conditions that no front matter meets as text. Drops the warnings about keys that exist, and adds those
    /// about values that don't.
    pub(super) fn resolved(&self, snapshot: &Snapshot) -> Result<Self> {
        let mut diagnostics = Vec::with_capacity(self.diagnostics.len());
        for mut diagnostic in self.diagnostics.iter().cloned() {
            match diagnostic.property.as_deref() {
                Some(key) if snapshot.has_property(key)? => continue,
                Some(key) => diagnostic.hint = nearest_key(snapshot, key)?.unwrap_or(diagnostic.hint),
                None => {}
            }
            diagnostics.push(diagnostic);
        }
        let mut notices = self.notices.clone();
        let mut is_met = |filter: &PropertyFilter| -> Result<bool> {
            let values = snapshot.values_of(&filter.key)?;
            if values.is_empty() {
                return Ok(false);
            }
            // A comparison that nothing meets isn't text: it has a number or a date.
            let is_met =
                filter.operator != Operator::Equal || values.keys().any(|value| filter.accepts(value));
            if !is_met {
                notices.push(no_value(filter, &values));
            }
            Ok(is_met)
        };
        let expr = self.expr.clone().map(|expr| expr.resolve_properties(&mut is_met)).transpose()?;
        Ok(Self { expr, diagnostics, notices, ..self.clone() })
    }

    /// Returns the question as plain words if it is long and has several lines. Such text was pasted, not written as a
    /// query, and its punctuation has no meaning as syntax.
    pub(super) fn pasted(&self) -> Option<Self> {
        let has_lines = self.written == Written::Once && self.text.trim().contains('\n');
        self.expr.as_ref().filter(|expr| has_lines && expr.words().len() > query::MAX_TYPED_QUERY_WORDS)?;
        let expr = Some(query::plain(&self.text)?);
        Some(Self { expr, diagnostics: Vec::new(), notices: Vec::new(), ..self.clone() })
    }

    /// Returns the question with its phrases split into words, if it has enough other words. Messages often quote
    /// their subject.
    pub(super) fn without_quotes(&self) -> Option<Self> {
        let Some(Expr::And(items)) = &self.expr else { return None };
        let words = items.iter().filter(|item| matches!(item, Expr::Word(_))).count();
        if words < MIN_MESSAGE_WORDS || !items.iter().any(|item| matches!(item, Expr::Phrase(_))) {
            return None;
        }
        let plain = |item: &Expr| match item {
            Expr::Phrase(text) => query::plain(text),
            other => Some(other.clone()),
        };
        let expr = Expr::all(items.iter().filter_map(plain));
        Some(Self { expr, ..self.clone() })
    }
}

/// Suggests the key of a front matter that is most like `key`, or that names it in a table.
fn nearest_key(snapshot: &Snapshot, key: &str) -> Result<Option<String>> {
    let keys = snapshot.property_keys()?;
    let inner = keys.iter().find(|known| {
        let mut parts = known.split('.');
        parts.clone().count() > 1 && parts.any(|part| part.eq_ignore_ascii_case(key))
    });
    let near = text::nearest(&key.to_lowercase(), keys.iter().map(String::as_str));
    let near = inner.map(String::as_str).or(near.first().copied());
    Ok(near.map(|near| format!("did you mean `{near}:`?")))
}

/// Says that no front matter has a value, and names the most similar one.
fn no_value(filter: &PropertyFilter, values: &ValueCounts) -> Notice {
    let hint = match text::nearest(&filter.value, values.keys().map(String::as_str)).first() {
        Some(near) => format!("did you mean `{}:{near}`?", filter.key),
        None => {
            let shown: Vec<&str> = values.keys().take(SHOWN_VALUES).map(String::as_str).collect();
            format!("values of `{}` are, for example, {}", filter.key, shown.join(", "))
        }
    };
    let message = format!("no document has `{filter}` in its front matter; searched for the text instead");
    Notice { message, hint: Some(hint) }
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
            notices: Vec::new(),
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
    Ok(vec![ParsedQuestion { text, expr, diagnostics, notices: Vec::new(), written: Written::Joined }])
}

/// Returns the questions of a request in tantivy's syntax.
fn raw_questions(ask: &SearchRequest) -> Result<Vec<ParsedQuestion>> {
    let texts = match ask.queries.as_slice() {
        queries if ask.topics == QueryCombination::Apart || queries.len() == 1 => queries.to_vec(),
        queries => vec![queries.iter().map(|query| format!("({query})")).collect::<Vec<_>>().join(" OR ")],
    };
    let raw = |text: String| {
        query::check_raw(&text).map_err(|error| problem(error, None))?;
        Ok(ParsedQuestion {
            text,
            expr: None,
            diagnostics: Vec::new(),
            notices: Vec::new(),
            written: Written::Once,
        })
    };
    texts.into_iter().map(raw).collect()
}

/// Describes an error in a query, and which of several queries has it.
fn problem(error: query::QueryError, place: Option<usize>) -> QueryProblem {
    let which = place.map_or_else(String::new, |nr| format!("query {}: ", nr + 1));
    QueryProblem { message: format!("{which}{error}"), hint: error.hint().to_owned() }
}

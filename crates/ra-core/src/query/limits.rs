//! Limits on the length and complexity of a query. Each term needs a list of the sections that contain it, and
//! tantivy's own parser recurses into parentheses, so both are limited before any work is done.

use super::{Diagnostic, Expr, Parsed, QueryError, plain};
use crate::text::Span;

/// The maximum size of a query in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// The maximum number of words, phrases and exclusions in a query: enough to find a text by its words.
pub const MAX_TERMS: usize = 128;

/// The maximum size of a query in tantivy's syntax, in bytes.
pub const MAX_RAW_BYTES: usize = 8 << 10;

/// The maximum depth of parentheses in a query in tantivy's syntax.
pub(super) const MAX_NESTING: usize = 64;

pub(super) fn check_length(text: &str, most: usize) -> Result<(), QueryError> {
    if text.len() > most { Err(QueryError::TooLong { bytes: text.len(), most }) } else { Ok(()) }
}

/// Returns an error if a query has too many terms.
pub fn check_terms(query: &Expr) -> Result<(), QueryError> {
    let terms = count_terms(query);
    if terms > MAX_TERMS { Err(QueryError::TooManyTerms(terms)) } else { Ok(()) }
}

fn count_terms(query: &Expr) -> usize {
    match query {
        Expr::Word(_) | Expr::Phrase(_) | Expr::Property { .. } | Expr::Documents { .. } => 1,
        Expr::Not(inner) | Expr::Field { expr: inner, .. } | Expr::Boost { expr: inner, .. } => {
            count_terms(inner)
        }
        Expr::And(items) | Expr::Or(items) => items.iter().map(count_terms).sum(),
    }
}

/// Parses a text with too many terms as plain words, if it looks pasted: it has several lines, or no operators.
pub(super) fn as_prose(text: &str, query: &Expr) -> Option<Parsed> {
    let has_lines = text.trim().contains('\n');
    let is_plain = |item: &Expr| matches!(item, Expr::Word(_) | Expr::Phrase(_));
    let has_operators = !matches!(query, Expr::And(items) if items.iter().all(is_plain));
    if has_operators && !has_lines {
        return None;
    }
    let message = format!("the text is long; searched for its first {MAX_TERMS} different words");
    let hint = "search for a passage of it".to_owned();
    let diagnostic = Diagnostic { span: Span::new(0, text.len()), message, hint, property: None };
    Some(Parsed { query: plain(text)?, diagnostics: vec![diagnostic] })
}

/// Returns an error for a query in tantivy's syntax that its parser couldn't read in bounded time and stack.
pub fn check_raw(text: &str) -> Result<(), QueryError> {
    check_length(text, MAX_RAW_BYTES)?;
    // Inside quotes, patterns and ranges, and after a backslash, `)` closes nothing. If the text may contain these, no
    // `)` counts as closing.
    let closes = !text.contains(['"', '\'', '\\', '/', '[', '{']);
    let (mut depth, mut deepest) = (0usize, 0);
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' if closes => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    if deepest > MAX_NESTING { Err(QueryError::TooDeep(deepest)) } else { Ok(()) }
}

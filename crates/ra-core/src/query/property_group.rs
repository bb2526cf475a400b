//! Alternatives for a key of the front matter: `status:(active OR draft)` means `status:active OR status:draft`.

use super::lexer::{Token, TokenKind};
use super::{Diagnostics, Operator, PropertyFilter};

/// Replaces the values in each group directly after a key by conditions. A group that has more than words and phrases
/// joined by `OR` stays text, and its diagnostic says so.
pub(super) fn expand(tokens: Vec<Token>, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut expanded: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = &tokens[..];
    while let Some((token, after)) = rest.split_first() {
        let Some(key) = key_before_group(token, after) else {
            expanded.push(token.clone());
            rest = after;
            continue;
        };
        // The values, without the parenthesis before them.
        let values = &after[1..];
        let end = values.iter().position(|token| matches!(token.kind, TokenKind::Open | TokenKind::Close));
        let conditions = end.and_then(|end| conditions(key, &values[..end]));
        match conditions.zip(end).filter(|(_, end)| values[*end].kind == TokenKind::Close) {
            Some((conditions, end)) => {
                expanded.push(after[0].clone());
                expanded.extend(conditions);
                rest = &values[end..];
            }
            None => {
                explain(diagnostics, key, token.span.start);
                expanded.push(token.clone());
                rest = after;
            }
        }
    }
    expanded
}

/// Returns the key if a word is one with a colon, and a group follows directly.
fn key_before_group<'a>(token: &'a Token, after: &[Token]) -> Option<&'a str> {
    let TokenKind::Word(word) = &token.kind else { return None };
    let open = after.first().filter(|next| next.kind == TokenKind::Open)?;
    let (key, operator, value) = PropertyFilter::split(word)?;
    let is_key = operator == Operator::Equal && value.is_empty() && open.span.start == token.span.end;
    is_key.then_some(key)
}

/// Returns the values as conditions with `OR` between them; `None` if they aren't values.
fn conditions(key: &str, values: &[Token]) -> Option<Vec<Token>> {
    let is_alternatives = values.len() % 2 == 1
        && values.iter().enumerate().all(|(nr, token)| (token.kind == TokenKind::Or) == (nr % 2 == 1));
    let condition = |token: &Token| {
        let kind = match &token.kind {
            TokenKind::Or => TokenKind::Or,
            TokenKind::Word(value) if value.chars().all(is_plain) => {
                let filter = format!("{key}:{value}").parse().ok()?;
                TokenKind::Property { filter, is_quoted: false }
            }
            TokenKind::Phrase(value) if !value.trim().is_empty() => {
                let (key, value) = (key.to_owned(), value.clone());
                let filter = PropertyFilter { key, operator: Operator::Equal, value };
                TokenKind::Property { filter, is_quoted: true }
            }
            _ => return None,
        };
        Some(Token { kind, span: token.span })
    };
    if is_alternatives { values.iter().map(condition).collect() } else { None }
}

/// True for the characters of a value that mean nothing in a query.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// Rewords the diagnostic about the key at `start`, which also holds if a document has the key.
fn explain(diagnostics: &mut Diagnostics, key: &str, start: usize) {
    if let Some(found) = diagnostics.0.iter_mut().find(|found| found.span.start == start) {
        found.property = None;
        found.message = format!("`{key}:` takes a value or alternatives, so it is read as text here");
        found.hint = format!("write `{key}:(a OR b)`, or `{key}:a {key}:b` to require both");
    }
}

//! The special characters, and where they are special. The lexer and the printer both use these rules, so they can't
//! disagree.

use std::collections::HashSet;

/// Parentheses nested deeper than this are ignored, so no query can exhaust the stack.
pub(super) const MAX_NESTING: usize = 64;

/// True for the characters that a backslash makes literal. Before others the backslash is kept, so `C:\temp` stays
/// unchanged.
pub(super) fn is_special(c: char) -> bool {
    is_quote(c)
        || matches!(c, '(' | ')' | '-' | '+' | ':' | '^' | '\\' | '&' | '|' | '=' | '<' | '>' | '/' | '*')
}

/// True for the characters that a backslash makes literal between quotes.
pub(super) fn is_special_in_phrase(c: char) -> bool {
    is_quote(c) || c == '\\'
}

/// True for the words that are operators unless escaped with a backslash.
pub(super) fn is_keyword(word: &str) -> bool {
    matches!(word, "OR" | "AND" | "NOT")
}

/// True if a `-` before `rest` negates. `--flag`, `->` and `-=` are words.
pub(super) fn negates(rest: &str) -> bool {
    !ends_here(rest) && !rest.starts_with(['-', '>', '='])
}

/// True if a field's name and colon before `rest` are a field. `path::Path` and `file://x` are words.
pub(super) fn is_field_value(rest: &str) -> bool {
    !ends_here(rest) && !rest.starts_with(':') && !rest.starts_with("//")
}

/// True if a word ends before `rest`.
pub(super) fn ends_here(rest: &str) -> bool {
    rest.chars().next().is_none_or(|c| c.is_whitespace() || c == ')')
}

/// True for the quotes that begin and end phrases.
pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”')
}

/// Returns the positions of the opening parentheses that are closed before the next white space. Computed once for the
/// whole text, because looking ahead at each of them would take quadratic time.
pub(super) fn closed_in_run(text: &str) -> HashSet<usize> {
    let mut closed = HashSet::new();
    let mut open = Vec::new();
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            open.clear();
            escaped = false;
        } else if escaped {
            escaped = false;
        } else {
            match c {
                '\\' => escaped = true,
                '(' => open.push(at),
                ')' => closed.extend(open.pop()),
                _ => {}
            }
        }
    }
    closed
}

/// Parses the number after a `^`; `None` if it isn't a number, as in `e^x`.
pub(super) fn parse_factor(text: &str) -> Option<f32> {
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    text.parse().ok().filter(|_| is_number)
}

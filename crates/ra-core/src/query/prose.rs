//! Detects questions in plain words.

use super::ast::Expr;

/// True if a query is several plain words and nothing asks for an exact match: no operator, field or quote, no
/// identifier and no code. Such a query may also be answered by its meaning.
pub fn is_prose(text: &str, expr: &Expr) -> bool {
    let Expr::And(items) = expr else { return false };
    items.iter().all(|item| matches!(item, Expr::Word(_))) && !text.split_whitespace().any(is_code)
}

/// Characters inside or around words that occur in code but not in prose.
const CODE: &[char] = &[
    '_', ':', '/', '\\', '=', '(', ')', '{', '}', '<', '>', '$', '@', '#', ';', '|', '&', '*', '+', '~', '^',
    '%', '[', ']', '"', '`',
];

fn is_code(word: &str) -> bool {
    let word = word.trim_end_matches(['?', '!', '.', ',']);
    let is_hump = |pair: (char, char)| pair.0.is_lowercase() && pair.1.is_uppercase();
    word.contains(CODE) || word.starts_with('-') || word.chars().zip(word.chars().skip(1)).any(is_hump)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn only_plain_words_are_prose() {
        for (query, expected) in [
            ("how do I give a container more memory?", true),
            ("roll back", true),
            ("what's the error-handling of node.js, please", true),
            ("memory", false),
            ("\"roll back\"", false),
            ("roll OR back", false),
            ("roll back -deployment", false),
            ("title:roll back", false),
            ("roll back tree:docs", false),
            ("snake_case names", false),
            ("std::fs read", false),
            ("maxSurge of a deployment", false),
            ("error: cannot borrow", false),
            ("what does fn main() do", false),
            ("roll^2 back", false),
        ] {
            let parsed = parse(query).unwrap();
            assert_eq!(is_prose(query, &parsed.query), expected, "{query}");
        }
    }
}

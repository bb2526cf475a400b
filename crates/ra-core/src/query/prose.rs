//! Detects questions in plain words.

use super::ast::Expr;

/// A question may have names in camel case, such as `CrashLoopBackOff`, if it has at least this many other words.
const MIN_WORDS_WITH_NAMES: usize = 2;
/// It may have other pieces of code if it has at least this many other words, and at least `WORDS_PER_CODE` for each.
const MIN_WORDS_WITH_CODE: usize = 3;
const WORDS_PER_CODE: usize = 2;
/// Shorter words are mostly function words.
const MIN_WORD_LETTERS: usize = 4;

/// True if a query is a question in plain words and nothing asks for an exact match: no operator, field or quote. It
/// may mention identifiers and code, but not consist of them. Such a query may also be answered by its meaning.
pub fn is_prose(text: &str, expr: &Expr) -> bool {
    let Expr::And(items) = expr else { return false };
    if !items.iter().all(|item| matches!(item, Expr::Word(_))) || text.contains('"') {
        return false;
    }
    let words = || text.split_whitespace();
    let letters = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count();
    let is_plain = |word: &&str| !is_code(word) && !is_name(word) && letters(word) >= MIN_WORD_LETTERS;
    let required = match words().filter(|word| is_code(word)).count() {
        0 if words().any(is_name) => MIN_WORDS_WITH_NAMES,
        0 => 0,
        pieces => MIN_WORDS_WITH_CODE.max(WORDS_PER_CODE * pieces),
    };
    words().filter(is_plain).count() >= required
}

/// Characters inside or around words that occur in code but not in prose.
const CODE: &[char] = &[
    '_', ':', '/', '\\', '=', '(', ')', '{', '}', '<', '>', '$', '@', '#', ';', '|', '&', '*', '+', '~', '^',
    '%', '[', ']', '"', '`',
];

fn is_code(word: &str) -> bool {
    word.trim_end_matches(['?', '!', '.', ',']).contains(CODE) || word.starts_with('-')
}

/// True for a name in camel case.
fn is_name(word: &str) -> bool {
    let is_hump = |pair: (char, char)| pair.0.is_lowercase() && pair.1.is_uppercase();
    word.chars().zip(word.chars().skip(1)).any(is_hump)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn questions_in_plain_words_are_prose() {
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
            ("ImagePullBackOff private registry credentials", true),
            ("PersistentVolumeClaim is stuck terminating", true),
            ("getUserName null", false),
            ("the type doesn't implement `Display` and cannot be formatted", true),
            ("TypeError: Cannot read properties of undefined (reading 'map')", false),
            ("error[E0382]: borrow of moved value: `s1`", false),
            ("\"roll back\" of a failed deployment update", false),
        ] {
            let parsed = parse(query).unwrap();
            assert_eq!(is_prose(query, &parsed.query), expected, "{query}");
        }
    }
}

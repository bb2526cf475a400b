//! The words in a file's path.

use super::{Language, Region, RegionKind, split_words, tokens};
use crate::text::Span;

/// Names of directories and files that say nothing about their content, in lower case.
const GENERIC: [&str; 12] =
    ["app", "crates", "docs", "index", "init", "lib", "main", "mod", "packages", "pkg", "readme", "src"];

/// Returns the words of a path: its directories and the file name without the extension, whole and in parts. The path
/// must be relative to the project; otherwise the directories above it would count as words too.
pub fn path_words(path: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut components = path.split(['/', '\\']).peekable();
    while let Some(component) = components.next() {
        let is_file = components.peek().is_none();
        let name = if is_file { stem(component) } else { component };
        // As prose, names with hyphens stay whole.
        let region =
            Region { kind: RegionKind::Prose, language: Language::Prose, span: Span::new(0, name.len()) };
        tokens::each(name, region, |place| {
            let whole = &name[place];
            add(&mut words, whole);
            split_words::parts(whole).into_iter().for_each(|part| add(&mut words, &whole[part]));
        });
    }
    words
}

/// Returns the name without its extension. `.gitignore` has none.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map(|(stem, _)| stem).filter(|stem| !stem.is_empty()).unwrap_or(name)
}

fn add(words: &mut Vec<String>, word: &str) {
    let lower = word.to_lowercase();
    let is_letter = word.chars().count() == 1 && word.is_ascii();
    let is_known = words.iter().any(|known| known.to_lowercase() == lower);
    if !is_letter && !is_known && !GENERIC.contains(&lower.as_str()) {
        words.push(word.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_have_words() {
        for (path, expected) in [
            ("src/api/handlers.rs", "api handlers"),
            ("src/auth/oauth.rs", "auth oauth"),
            ("crates/ra-core/src/search/highlight.rs", "ra-core ra core search highlight"),
            ("app/UserService.test.ts", "UserService User Service test"),
            ("tests/parse_config.py", "tests parse_config parse config"),
            ("a\\HTTPServer2.cs", "HTTPServer2 HTTP Server"),
            (".gitignore", "gitignore"),
            ("./README.md", ""),
            ("C:\\x\\Api.cs", "Api"),
            ("docs/検索.md", "検索"),
            ("migrations/20240102_add_users.sql", "migrations 20240102_add_users add users"),
            ("", ""),
        ] {
            assert_eq!(path_words(path).join(" "), expected, "{path}");
        }
    }

    proptest! {
        #[test]
        fn any_path_will_do(path in "[a-zA-Z./\\\\_\\-0-9é語]{0,60}") {
            let _ = path_words(&path);
        }
    }
}

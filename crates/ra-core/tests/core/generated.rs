//! Generated documents: small, varied, and with few words, so everything matches something.

use proptest::prelude::*;

/// Words for the corner cases of the analyzer: near variants of each other, forms of one stem, compounds, other
/// scripts, function words and numbers.
pub(crate) const WORDS: &[&str] = &[
    "handle",
    "handles",
    "handler",
    "candle",
    "error",
    "errors",
    "terror",
    "rust",
    "trust",
    "zebra",
    "the",
    "of",
    "getUserName",
    "user",
    "snake_case",
    "error-handling",
    "std::fs",
    "v1.2.3",
    "DEC-0054",
    "a/b",
    "root@host",
    "Größe",
    "cafe\u{301}",
    "容器镜像",
    "контейнер",
    "2024",
    "2025",
    "async",
    "await",
    "it's",
    "C++",
    "x",
    "HTTPServer",
    "handling",
    "naïve",
    "e.g.",
    "(maybe)",
    "`code`",
    "**bold**",
    "[link](guide.md)",
    "🦀",
    "pneumonoultramicroscopicsilicovolcanoconiosisandmore",
];

/// Runs this many cases, unless `PROPTEST_CASES` asks for more: each of them builds an index.
pub(crate) fn cases(count: u32) -> ProptestConfig {
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => ProptestConfig::default(),
        None => ProptestConfig::with_cases(count),
    }
}

/// Some words on one line.
pub(crate) fn line(words: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), words).prop_map(|words| words.join(" "))
}

/// A section: the level of its heading, its title, and the lines of its text.
fn section() -> impl Strategy<Value = String> {
    let body = prop::collection::vec(line(0..7), 0..4);
    (1_usize..4, line(1..3), body).prop_map(|(level, title, body)| {
        let body: String = body.iter().map(|line| format!("{line}\n")).collect();
        format!("{} {title}\n\n{body}", "#".repeat(level))
    })
}

/// A markdown document, with or without front matter and a preamble.
pub(crate) fn document() -> impl Strategy<Value = String> {
    let tags = prop::option::weighted(0.3, prop::sample::select(&["draft", "net/http", "draft, net"]));
    let preamble = prop::option::of(line(1..6));
    (tags, preamble, prop::collection::vec(section(), 0..5)).prop_map(|(tags, preamble, sections)| {
        let tags = tags.map(|tags| format!("---\ntags: [{tags}]\n---\n")).unwrap_or_default();
        let preamble = preamble.map(|line| format!("{line}\n\n")).unwrap_or_default();
        format!("{tags}{preamble}{}", sections.concat())
    })
}

/// The paths of documents. There are few, so sequences of changes meet the same files again.
pub(crate) const PATHS: &[&str] = &["a.md", "b.md", "sub/c.md", "sub/handle.txt", "zebra/user.md"];

/// A tree of documents, each with its own path.
pub(crate) fn tree() -> impl Strategy<Value = Vec<(&'static str, String)>> {
    prop::collection::vec(document(), 1..PATHS.len() + 1)
        .prop_map(|documents| PATHS.iter().copied().zip(documents).collect())
}

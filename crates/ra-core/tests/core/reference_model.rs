//! Compares random boolean queries with an evaluator that doesn't use the index: it checks the words of every section,
//! one after the other. Fuzzy matches, synonyms and relaxation are off, because they aren't boolean logic.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::generated::cases;
use crate::kb_helpers::{env_with, exactly, open, sorted_ids};

/// Words that share no stem and aren't function words.
const VOCABULARY: &[&str] = &["alpha", "beta", "gamma", "kappa", "omega", "sigma", "zeta"];

const PATHS: &[&str] =
    &["alpha/beta/gamma.md", "alpha/zeta.md", "beta/alpha.md", "kappa.md", "omega/kappa/alpha.md"];

/// A section with the words of each of its fields. Each unit of text, such as one tag, is one list of words.
#[derive(Clone, Debug, Default)]
struct ModelSection {
    id: String,
    path: String,
    title: Vec<Vec<String>>,
    tags: Vec<Vec<String>>,
    body: Vec<Vec<String>>,
}

#[derive(Clone, Debug)]
enum ModelQuery {
    Word(&'static str),
    Phrase(Vec<&'static str>),
    Field(&'static str, Box<ModelQuery>),
    /// All of the first list and none of the second.
    All(Vec<ModelQuery>, Vec<ModelQuery>),
    Any(Vec<ModelQuery>),
}

impl ModelQuery {
    fn text(&self) -> String {
        match self {
            ModelQuery::Word(word) => (*word).to_owned(),
            ModelQuery::Phrase(words) => format!("\"{}\"", words.join(" ")),
            ModelQuery::Field(field, inner) => format!("{field}:{}", inner.text()),
            ModelQuery::All(all, none) => {
                let none = none.iter().map(|query| format!("-{}", query.text()));
                format!("({})", all.iter().map(ModelQuery::text).chain(none).collect::<Vec<_>>().join(" "))
            }
            ModelQuery::Any(any) => {
                format!("({})", any.iter().map(ModelQuery::text).collect::<Vec<_>>().join(" OR "))
            }
        }
    }

    fn matches(&self, section: &ModelSection, field: Option<&str>) -> bool {
        match self {
            ModelQuery::Word(word) => has(section, field, &[word]),
            ModelQuery::Phrase(words) => has(section, field, words),
            ModelQuery::Field(field, inner) => inner.matches(section, Some(field)),
            ModelQuery::All(all, none) => {
                all.iter().all(|query| query.matches(section, field))
                    && !none.iter().any(|query| query.matches(section, field))
            }
            ModelQuery::Any(any) => any.iter().any(|query| query.matches(section, field)),
        }
    }
}

/// True if a section has the words in sequence in a field, or in any field.
fn has(section: &ModelSection, field: Option<&str>, wanted: &[&str]) -> bool {
    let path = [words(&section.path)];
    let in_field = |name: &str, texts: &[Vec<String>]| {
        field.is_none_or(|field| field == name)
            && texts.iter().any(|text| text.windows(wanted.len()).any(|run| run == wanted))
    };
    // If a path begins with the word of `path:`, the word is a location that contains every document below it.
    let is_place = |word: &&str| PATHS.iter().any(|path| path.starts_with(*word));
    if let (Some("path"), [word]) = (field, wanted)
        && is_place(word)
    {
        let directory = format!("{word}/");
        let has_directory = PATHS.iter().any(|path| path.starts_with(&directory));
        return section.path.starts_with(if has_directory { &directory } else { *word });
    }
    in_field("title", &section.title)
        || in_field("tags", &section.tags)
        || in_field("body", &section.body)
        || in_field("path", &path)
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns the text of a document, and its sections.
fn document(
    path: &'static str,
    tags: &[String],
    parts: &[(Vec<&str>, Vec<&str>)],
) -> (String, Vec<ModelSection>) {
    let mut text = String::new();
    let mut sections = Vec::new();
    let tag_words: Vec<Vec<String>> = tags.iter().map(|tag| words(tag)).collect();
    let document_title = format!("{} part0", parts[0].0.join(" "));
    let section = |id: String, title: Vec<Vec<String>>, body: &str| ModelSection {
        id,
        path: path.to_owned(),
        title,
        tags: tag_words.clone(),
        body: vec![words(body)],
    };
    if !tags.is_empty() {
        text = format!("---\ntags: [{}]\n---\n\n", tags.join(", "));
        sections.push(section(path.to_owned(), vec![words(&document_title)], &text));
    }
    for (nr, (title, body)) in parts.iter().enumerate() {
        let title = format!("{} part{nr}", title.join(" "));
        let body = format!("{}\n", body.join(" "));
        text += &format!("{} {title}\n\n{body}\n", if nr == 0 { "#" } else { "##" });
        let slug = title.replace(' ', "-");
        sections.push(section(format!("{path}#{slug}"), vec![words(&title), words(&document_title)], &body));
    }
    (text, sections)
}

fn some_words(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(VOCABULARY), count)
}

type Parts = (Vec<String>, Vec<(Vec<&'static str>, Vec<&'static str>)>);

fn parts() -> impl Strategy<Value = Parts> {
    let tags = prop::collection::vec(some_words(1..3).prop_map(|tag| tag.join("/")), 0..3);
    (tags, prop::collection::vec((some_words(1..3), some_words(1..7)), 1..4))
}

fn query() -> impl Strategy<Value = ModelQuery> {
    let word = prop::sample::select(VOCABULARY).prop_map(ModelQuery::Word);
    let leaf = prop_oneof![3 => word, 2 => some_words(2..4).prop_map(ModelQuery::Phrase)];
    let field = prop::sample::select(&["title", "tags", "path", "body"]);
    let leaf = prop_oneof![
        4 => leaf.clone(),
        1 => (field, leaf).prop_map(|(field, leaf)| ModelQuery::Field(field, Box::new(leaf))),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let some = |count| prop::collection::vec(inner.clone(), count);
        prop_oneof![
            (some(1..4), some(0..3)).prop_map(|(all, none)| ModelQuery::All(all, none)),
            some(1..4).prop_map(ModelQuery::Any),
        ]
    })
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn boolean_queries_find_what_a_plain_evaluator_finds(
        documents in prop::collection::vec(parts(), PATHS.len()),
        queries in prop::collection::vec(query(), 60),
    ) {
        let written: Vec<(String, Vec<ModelSection>)> =
            PATHS.iter().zip(&documents).map(|(path, (tags, parts))| document(path, tags, parts)).collect();
        let files: Vec<(&str, &str)> =
            PATHS.iter().copied().zip(written.iter().map(|(text, _)| text.as_str())).collect();
        let env = env_with(&files);
        let kb = open(&env, &exactly());
        let sections: Vec<&ModelSection> = written.iter().flat_map(|(_, sections)| sections).collect();
        for query in &queries {
            let text = query.text();
            let expected: BTreeSet<String> =
                sections.iter().filter(|section| query.matches(section, None)).map(|section| section.id.clone()).collect();
            let found: BTreeSet<String> = sorted_ids(&kb, &text).into_iter().collect();
            prop_assert_eq!(found, expected, "{} over {:#?}", text, files);
        }
    }
}

//! Whether sections are found by their own words, and why not.

use ra_core::config::{Override, Value};
use ra_core::eval::{KnownItemOrigin, Retrievability, measure_retrievability};
use ra_core::kb::NoProgress;

use crate::kb_helpers::{env_with, open, set};

/// Runs up to `sample` known items of each kind in a tree of these files.
fn measure(files: &[(String, String)], flags: &[Override], sample: usize) -> Retrievability {
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let env = env_with(&files);
    let kb = open(&env, flags);
    let (snapshot, _) = kb.refresh(&NoProgress).unwrap_or_else(|error| panic!("{error}"));
    measure_retrievability(&kb, &snapshot, sample).unwrap_or_else(|error| panic!("{error}"))
}

fn files(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

/// Returns the sections that aren't found, each with the reason.
fn unfindable(found: &Retrievability) -> Vec<String> {
    let sections = found.trees.iter().flat_map(|tree| &tree.unfindable);
    sections.map(|section| format!("{}: {}", section.id, section.reason.name())).collect()
}

#[test]
fn headings_descriptions_and_links_are_asked() {
    let found = measure(
        &files(&[
            ("cats.md", "---\ndescription: Small animals that purr\n---\n# Cats\n\nThey sleep.\n"),
            (
                "dogs.md",
                "# Dogs\n\nUnlike [the sleepers](cats.md), they bark: see [why](#why) or [here](fish.md).\n\n## Why\n\nNobody knows.\n",
            ),
            (
                "fish.md",
                "# Fish\n\nNot [here](cats.md), but [reasons for barking](dogs.md#why), ![a picture](cats.md).\n",
            ),
        ]),
        &[],
        100,
    );
    assert_eq!(found.trees.len(), 1);
    let tree = &found.trees[0];
    let counts: Vec<_> = tree.asked.iter().map(|it| (it.origin, it.known, it.tally.queries)).collect();
    // "here" has two targets, a link within a document isn't counted, and neither is an image.
    assert_eq!(
        counts,
        [
            (KnownItemOrigin::Heading, 4, 4),
            (KnownItemOrigin::Description, 1, 1),
            (KnownItemOrigin::Link, 2, 2)
        ]
    );
    assert_eq!(
        (tree.asked[0].tally.first, tree.asked[0].tally.hit, tree.asked[0].tally.mrr),
        (1.0, 1.0, 1.0)
    );
    assert_eq!(tree.asked[1].tally.hit, 1.0);
    assert_eq!(tree.all.queries, 7);
    assert!(tree.unfindable.is_empty() && found.generic.is_empty());
}

/// Returns documents that each match these words better than a heading alone does.
fn rivals(words: &str) -> Vec<(String, String)> {
    let text = format!("# {words} {words}\n\n{words} {words} {words}\n");
    (0..12).map(|nr| (format!("rival-{nr}.md"), text.clone())).collect()
}

/// Returns a document with so many sections that a dozen others are few.
fn filler() -> (String, String) {
    ("filler.md".to_owned(), (0..400).map(|nr| format!("## Part {nr}x\n\ntext{nr}\n\n")).collect())
}

#[test]
fn what_is_not_found_has_a_reason() {
    // The words of the rivals, the files beside them, and the sections that aren't found with the reason.
    type Files = &'static [(&'static str, &'static str)];
    let cases: &[(&str, Files, &str)] = &[
        ("widget", &[("own.md", "# Widget\n\nNothing more.\n")], "docs:own.md#widget: beaten"),
        (
            "widget",
            &[("own.md", "# Widget\n\nNothing more.\n"), ("two.md", "# Widget\n\nNothing else.\n")],
            "docs:own.md#widget: shared, docs:two.md#widget: shared",
        ),
        ("what is it", &[("own.md", "# What is it\n\nA thing.\n")], "docs:own.md#what-is-it: function-words"),
        ("widget", &[("own.md", "# ???\n\nA question.\n")], "docs:own.md#heading: no-words"),
        ("widget", &[("own.md", "# cats -dogs\n\nAnimals.\n")], "docs:own.md#cats-dogs: syntax"),
        ("widget", &[("own.md", "# Something else\n\nFound.\n")], ""),
    ];
    for (words, own, expected) in cases {
        let mut all = rivals(words);
        all.extend(files(own));
        all.push(filler());
        assert_eq!(unfindable(&measure(&all, &[], 1000)).join(", "), *expected, "{own:?}");
    }
}

#[test]
fn common_words_are_named_as_the_reason() {
    let mut all = rivals("widget");
    all.extend(files(&[("own.md", "# Widget\n\nNothing more.\n")]));
    assert_eq!(unfindable(&measure(&all, &[], 1000)), ["docs:own.md#widget: common-words"]);
}

#[test]
fn the_cut_is_named_as_the_reason() {
    let all = files(&[
        ("zebra/zebra.md", "# Zebra\n\nA zebra is a zebra is a zebra.\n"),
        ("other.md", "# Zebra\n\nStripes.\n"),
    ]);
    let strict = set("search", "cutoff_ratio", Value::Float(0.999));
    assert_eq!(unfindable(&measure(&all, &[strict], 1000)), ["docs:other.md#zebra: elbow"]);
    assert!(unfindable(&measure(&all, &[], 1000)).is_empty());
}

#[test]
fn headings_that_many_share_are_counted_and_not_asked() {
    let mut all: Vec<(String, String)> =
        (0..11).map(|nr| (format!("{nr}.md"), format!("# Topic{nr}x\n\na\n\n## See also\n\nb\n"))).collect();
    all.push(("other.md".to_owned(), "# Other\n\n## see ALSO\n\nc\n".to_owned()));
    let found = measure(&all, &[], 1000);
    assert_eq!(found.generic, [("See also".to_owned(), 12)]);
    assert_eq!(found.trees[0].asked[0].known, 11);
    assert!(unfindable(&found).is_empty());
}

#[test]
fn a_sample_is_always_the_same() {
    let all = [filler()];
    let (first, second) = (measure(&all, &[], 7), measure(&all, &[], 7));
    let counts = |found: &Retrievability| (found.trees[0].asked[0].known, found.trees[0].asked[0].tally);
    assert_eq!(counts(&first), counts(&second));
    assert_eq!((counts(&first).0, counts(&first).1.queries), (400, 7));
}

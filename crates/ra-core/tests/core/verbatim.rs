//! The text of a document finds it, the shown text is in it, and the same query has the same answer.

use std::collections::BTreeSet;

use proptest::prelude::*;
use ra_core::kb::{KnowledgeBase, SearchRequest};
use ra_core::retrieval::Aggregation;

use crate::generated::{cases, line, tree};
use crate::kb_helpers::{
    answer, content, env_with, everything, exact, ids, open, own_lines, search_request, shown_lines,
};
use crate::test_env::TestEnv;

fn env_with_generated(files: &[(&str, String)]) -> TestEnv {
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    env_with(&files)
}

/// Returns every run of words on one line of a text, up to this length. A heading is searched by its visible text,
/// which doesn't contain the target of a link.
fn runs(text: &str, longest: usize) -> BTreeSet<String> {
    let mut runs = BTreeSet::new();
    let is_source = |line: &str| {
        line.starts_with("---") || line.starts_with("tags:") || line.starts_with('#') && line.contains("](")
    };
    for line in text.lines().filter(|line| !is_source(line)) {
        let words: Vec<&str> =
            line.split(' ').filter(|word| !word.is_empty() && !word.starts_with('#')).collect();
        for length in 1..=longest {
            runs.extend(words.windows(length).map(|run| run.join(" ")));
        }
    }
    // Words with more than 40 characters aren't indexed.
    let is_indexed = |word: &str| word.chars().any(char::is_alphanumeric) && word.chars().count() <= 40;
    runs.retain(|run| run.split(' ').any(is_indexed));
    runs
}

fn documents(kb: &KnowledgeBase, query: &str) -> BTreeSet<String> {
    answer(kb, &search_request(query)).passages.into_iter().map(|passage| passage.id.doc.path).collect()
}

proptest! {
    #![proptest_config(cases(20))]

    #[test]
    fn any_run_of_words_finds_its_document_and_its_negation_excludes_it(
        files in tree(),
        pick in any::<prop::sample::Index>(),
        longest in 1_usize..6,
    ) {
        let env = env_with_generated(&files);
        let kb = open(&env, &everything());
        let (path, text) = pick.get(&files);
        let runs: Vec<String> = runs(text, longest).into_iter().collect();
        // A few of the many runs are enough for one case; the choice varies with the case.
        for nr in 0..runs.len().min(12) {
            let run = &runs[(pick.index(runs.len()) + nr * 7) % runs.len()];
            for query in [run.clone(), format!("\"{run}\""), format!("({run})")] {
                let found = documents(&kb, &query);
                prop_assert!(found.contains(*path), "{} in {:?}: {:?}", query, text, found);
            }
            let with: BTreeSet<String> = ids(&kb, &format!("\"{run}\"")).into_iter().collect();
            let without: BTreeSet<String> = ids(&kb, &format!("tree:docs -\"{run}\"")).into_iter().collect();
            let all: BTreeSet<String> = ids(&kb, "tree:docs").into_iter().collect();
            prop_assert!(with.is_disjoint(&without), "{}", run);
            prop_assert_eq!(with.union(&without).cloned().collect::<BTreeSet<_>>(), all, "{}", run);
        }
    }

    #[test]
    fn what_is_shown_stands_at_its_lines(files in tree(), query in line(1..4), crlf: bool) {
        let files: Vec<(&str, String)> = files
            .into_iter()
            .map(|(path, text)| (path, if crlf { text.replace('\n', "\r\n") } else { text }))
            .collect();
        let env = env_with_generated(&files);
        let kb = open(&env, &everything());
        for query in [query.as_str(), "tree:docs"] {
            for aggregation in [Aggregation::Sections, Aggregation::Nothing] {
                for passage in answer(&kb, &SearchRequest { aggregation, ..search_request(query) }).passages {
                    let path = &passage.id.doc.path;
                    let (_, text) = files.iter().find(|(name, _)| name == path).unwrap();
                    let source: Vec<&str> = text.split_inclusive('\n').collect();
                    let (first, last) = passage.lines;
                    let numbers = shown_lines(&passage);
                    let text = content(&passage);
                    let shown: Vec<&str> = text.split_inclusive('\n').collect();
                    prop_assert_eq!(shown.len(), numbers.len(), "{} of {:?}", passage.id, text);
                    for (line, number) in shown.iter().zip(&numbers) {
                        let (line, source) = (line.trim_end(), source[number - 1].trim_end());
                        prop_assert_eq!(line, source, "{} of {:?}", passage.id, text);
                    }
                    let numbers = own_lines(&passage);
                    prop_assert!(numbers.is_sorted_by(|a, b| a < b), "{:?}", numbers);
                    prop_assert_eq!((numbers.first(), numbers.last()), (Some(&first), Some(&last)), "{:?}", text);
                    if aggregation == Aggregation::Sections && !passage.parts.is_empty() {
                        prop_assert_eq!(numbers, (first..=last).collect::<Vec<_>>(), "a section has no gaps");
                    }
                    for part in &passage.parts {
                        prop_assert!(first <= part.lines.0 && part.lines.1 <= last, "{:?}", part);
                    }
                    for text in passage.matched_texts() {
                        prop_assert!(!text.is_empty());
                    }
                }
            }
        }
    }

    #[test]
    fn no_match_is_lost_when_sections_stand_for_them(files in tree(), query in line(1..4)) {
        let env = env_with_generated(&files);
        let kb = open(&env, &everything());
        for query in [query.as_str(), "tree:docs", "handle OR error OR rust", "zebra OR user"] {
            let alone: Vec<String> = ids(&kb, query);
            let aggregated = answer(&kb, &SearchRequest { aggregation: Aggregation::Sections, ..search_request(query) });
            let mut parts: Vec<String> = Vec::new();
            for passage in &aggregated.passages {
                let own = passage.parts.is_empty().then_some(&passage.id);
                parts.extend(passage.parts.iter().map(|part| &part.id).chain(own).map(crate::kb_helpers::short));
                // A companion may be merged from several matches.
                let companions = passage.sections().iter().enumerate();
                let companions = companions.filter(|(nr, _)| passage.companion_of(*nr).is_some());
                let ids: BTreeSet<String> = companions.map(|(_, section)| crate::kb_helpers::short(&section.id)).collect();
                parts.extend(ids.into_iter().filter(|id| alone.contains(id)));
            }
            let count = parts.len();
            let parts: BTreeSet<String> = parts.into_iter().collect();
            prop_assert_eq!(parts.len(), count, "each match is in one result only");
            prop_assert_eq!(parts, alone.into_iter().collect::<BTreeSet<_>>(), "{}", query);
            let scores: Vec<f32> = aggregated.passages.iter().map(|passage| passage.score).collect();
            prop_assert!(scores.is_sorted_by(|a, b| a >= b), "{:?}", scores);
        }
    }

    #[test]
    fn the_same_question_has_the_same_answer(files in tree(), query in line(1..5)) {
        let env = env_with_generated(&files);
        let ask = SearchRequest { aggregation: Aggregation::Sections, ..search_request(&query) };
        let first = open(&env, &everything());
        let second = open(&env, &everything());
        let shown = exact(&answer(&first, &ask).passages);
        prop_assert_eq!(&exact(&answer(&first, &ask).passages), &shown);
        prop_assert_eq!(&exact(&answer(&second, &ask).passages), &shown);
        first.rebuild(&ra_core::kb::NoProgress).unwrap();
        prop_assert_eq!(&exact(&answer(&first, &ask).passages), &shown, "after a rebuild");
    }

    #[test]
    fn the_copy_of_a_whole_line_is_the_best_match(words in line(4..8), files in tree()) {
        // A document that contains just this line is found among those that contain the words by chance.
        let mut files: Vec<(&str, String)> = files;
        files.push(("copy/only.md", format!("{words}\n")));
        let env = env_with_generated(&files);
        let kb = open(&env, &everything());
        if words.chars().any(char::is_alphanumeric) {
            prop_assert!(documents(&kb, &words).contains("copy/only.md"), "{}", words);
        }
    }
}

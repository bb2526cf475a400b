//! Synonyms: what they find, and what they don't affect.

use ra_core::config::Value;

use crate::kb_helpers::{answer, env_with, everything, ids, open, search_request, set, short, sorted_ids};
use crate::test_env::TestEnv;

fn library() -> TestEnv {
    env_with(&[
        ("repository.md", "# R1\n\nHow to remove a repository.\n"),
        ("repo.md", "# R2\n\nTo delete a repo takes one command.\n"),
        ("color.md", "# R3\n\nEvery color has a name.\n"),
        ("factor.md", "# R4\n\nUse two factor authentication wherever you can.\n"),
        ("apart.md", "# R5\n\nAuthentication with one factor, not two.\n"),
        ("cluster.md", "# R6\n\nKubernetes schedules containers.\n"),
    ])
}

#[test]
fn other_spellings_and_names_are_found_after_the_word_itself() {
    let env = library();
    let no_near = set("search", "fuzzy", Value::Bool(false));
    let kb = open(&env, &[everything(), vec![no_near]].concat());
    for (query, expected) in [
        ("repo", &["repo.md#r2", "repository.md#r1"][..]),
        ("repository", &["repository.md#r1", "repo.md#r2"]),
        ("delete repo", &["repo.md#r2", "repository.md#r1"]),
        ("removing repositories", &["repository.md#r1", "repo.md#r2"]),
        ("colours", &["color.md#r3"]),
        // A phrase is a synonym of one word only if its words are adjacent.
        ("2fa", &["factor.md#r4"]),
        ("k8s", &["cluster.md#r6"]),
        ("body:k8s", &["cluster.md#r6"]),
        // Phrases and exclusions have no synonyms.
        ("\"a repo\"", &["repo.md#r2"]),
        ("repository -delete", &["repository.md#r1"]),
        ("repository -repo", &["repository.md#r1"]),
    ] {
        assert_eq!(ids(&kb, query), expected, "{query}");
    }
    let strict = open(&env, &[everything(), vec![set("search", "thesaurus", Value::Bool(false))]].concat());
    for (query, expected) in [("repo", &["repo.md#r2"][..]), ("delete repo", &["repo.md#r2"]), ("k8s", &[])] {
        assert_eq!(ids(&strict, query), expected, "{query}");
    }
}

#[test]
fn another_name_counts_nearly_as_much_as_the_word() {
    // A common synonym isn't worth less than a rare one.
    let mut files: Vec<(String, String)> =
        (0..20).map(|nr| (format!("{nr}.md"), format!("# P{nr}\n\nA repository of birds.\n"))).collect();
    files.push(("p.md".into(), "# P\n\nA repo of birds.\n".into()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let found = answer(&open(&env_with(&files), &everything()), &search_request("repo")).passages;
    assert_eq!((short(&found[0].id), found.len()), ("p.md#p".to_owned(), 21));
    let ratio = found[1].score / found[0].score;
    assert!((0.65..0.75).contains(&ratio), "{ratio}");
}

#[test]
fn what_was_taken_for_an_unknown_word_is_named() {
    let env = library();
    let kb = open(&env, &everything());
    for (word, expected) in [("k8s", "kubernetes"), ("colour", "color"), ("2fa", "two factor authentication")]
    {
        let unknown = answer(&kb, &search_request(word)).unknown;
        let [unknown] = unknown.as_slice() else { panic!("{word}: {unknown:?}") };
        assert_eq!((unknown.word.as_str(), unknown.is_replaced), (word, true));
        assert_eq!(unknown.nearest, [expected]);
    }
}

#[test]
fn a_project_has_words_of_its_own() {
    let env = library();
    let synonyms = "[search.synonyms]\n\"vault\" = [\"repository\", \"code store\"]\nhue = \"color\"\n";
    let plain = "root = true\n[trees]\ndocs = \"docs\"\n";
    env.write("p/docs/store.md", "# R7\n\nThe code store is down.\n");
    env.write("p/.ra.toml", format!("{plain}{synonyms}"));
    let kb = open(&env, &everything());
    assert_eq!(sorted_ids(&kb, "vault"), ["repository.md#r1", "store.md#r7"]);
    assert_eq!(ids(&kb, "repository")[0], "repository.md#r1");
    assert!(sorted_ids(&kb, "repository").contains(&"store.md#r7".to_owned()));
    assert_eq!(ids(&kb, "hue"), ["color.md#r3"]);
    // They work without a thesaurus, and in a language that has none.
    env.write("p/.ra.toml", format!("{plain}[search]\nthesaurus = false\nstemmer = \"none\"\n{synonyms}"));
    let kb = open(&env, &everything());
    assert_eq!(ids(&kb, "hue"), ["color.md#r3"]);
    assert_eq!(ids(&kb, "k8s"), [""; 0]);
}

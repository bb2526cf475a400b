//! Pages in several languages are one result, in the language of the question.

use ra_core::index::Scope;
use ra_core::kb::{KnowledgeBase, NoProgress, SimilarRequest};

use crate::kb_helpers::{answer, everything, ids, kb_with, search_request, set, sorted_ids};
use ra_core::config::Value;

/// Two pages in several languages, one page that only one language has, and pages in directories that only look like
/// languages.
const FILES: &[(&str, &str)] = &[
    (
        "content/en/pods.md",
        "# Pods\n\nThe status of a pod is CrashLoopBackOff if its container ends again and again.\n",
    ),
    (
        "content/de/pods.md",
        "# Pods\n\nDer Status eines Pods ist CrashLoopBackOff, wenn der Container immer wieder endet. CrashLoopBackOff!\n",
    ),
    (
        "content/zh-cn/pods.md",
        "# Pod\n\n如果容器一次又一次地结束，则 Pod 的状态为 CrashLoopBackOff。CrashLoopBackOff！CrashLoopBackOff！\n",
    ),
    (
        "content/en/nodes.md",
        "# Nodes\n\nThe nodes of a cluster are the machines on which the pods are run by the kubelet.\n",
    ),
    (
        "content/de/nodes.md",
        "# Knoten\n\nDie Knoten eines Clusters sind die Maschinen, auf denen das Kubelet die Pods ausführt.\n",
    ),
    (
        "content/de/only.md",
        "# Nur hier\n\nDiese Seite über CrashLoopBackOff ist nicht in eine andere Sprache übersetzt worden.\n",
    ),
    (
        "content/en/more.md",
        "# More\n\nThe kubelet is an agent on each of the nodes, and it starts the containers.\n",
    ),
    (
        "handbook/it/setup.md",
        "# Setup\n\nThe laptops of the department are set up with the image of the company.\n",
    ),
    (
        "handbook/hr/setup.md",
        "# Setup\n\nThe laptops of the people are set up on the first day of their contract.\n",
    ),
];

/// Returns the other languages of each result.
fn translations(kb: &KnowledgeBase, query: &str) -> Vec<String> {
    let shown = |passage: &ra_core::retrieval::Passage| {
        let others =
            passage.translations.iter().map(|other| format!("{} {}", other.language, other.doc.path));
        format!("{}: {}", passage.id.doc.path, others.collect::<Vec<_>>().join(", "))
    };
    answer(kb, &search_request(query)).passages.iter().map(shown).collect()
}

#[test]
fn a_page_is_shown_in_the_language_of_the_question() {
    let kb = kb_with(FILES, &everything());
    for (query, expected) in [
        // The question doesn't tell, and most documents are in English.
        ("CrashLoopBackOff", &["content/de/only.md#nur-hier", "content/en/pods.md#pods"][..]),
        ("what is the CrashLoopBackOff status of a pod", &["content/en/pods.md#pods"]),
        ("Was ist der Status CrashLoopBackOff", &["content/de/pods.md#pods"]),
        ("状态 CrashLoopBackOff", &["content/zh-cn/pods.md#pod"]),
        // A filter asks for a language explicitly.
        ("lang:de CrashLoopBackOff", &["content/de/only.md#nur-hier", "content/de/pods.md#pods"]),
        ("lang:zh CrashLoopBackOff", &["content/zh-cn/pods.md#pod"]),
        ("path:content/zh-cn/ CrashLoopBackOff", &["content/zh-cn/pods.md#pod"]),
        // A word of another language finds its own page.
        ("Knoten", &["content/de/nodes.md#knoten"]),
        ("laptops", &["handbook/hr/setup.md#setup", "handbook/it/setup.md#setup"]),
    ] {
        let found = sorted_ids(&kb, query);
        let is_found = |id: &str| found.iter().any(|found| found == id);
        assert!(expected.iter().all(|id| is_found(id)), "{query}: {found:?}");
        let pages = found.iter().filter(|id| id.contains("/pods.md")).count();
        assert!(pages <= 1, "{query}: {found:?}");
    }
}

#[test]
fn a_result_names_its_other_languages() {
    let kb = kb_with(FILES, &everything());
    let expected = ["content/en/pods.md: de content/de/pods.md, zh-cn content/zh-cn/pods.md"];
    assert_eq!(translations(&kb, "lang:en CrashLoopBackOff"), expected);
    assert_eq!(translations(&kb, "lang:de übersetzt"), ["content/de/only.md: "]);
    assert_eq!(translations(&kb, "contract"), ["handbook/hr/setup.md: "]);
}

#[test]
fn file_names_with_a_language_are_pages_too() {
    let kb = kb_with(
        &[
            ("guide.md", "# Guide\n\nThe installer is a program that you start with the command setup.\n"),
            (
                "guide.de.md",
                "# Anleitung\n\nDer Installer ist ein Programm, das mit dem Befehl setup gestartet wird.\n",
            ),
            ("README.md", "# Readme\n\nThis is the setup of the project, and it is not for the impatient.\n"),
            (
                "README_fr.md",
                "# Lisez-moi\n\nCeci est le setup du projet, et ce n'est pas pour les impatients.\n",
            ),
        ],
        &everything(),
    );
    assert_eq!(sorted_ids(&kb, "setup"), ["README.md#readme", "guide.md#guide"]);
    assert_eq!(sorted_ids(&kb, "lang:fr setup"), ["README_fr.md#lisez-moi"]);
    let others = translations(&kb, "lang:de setup");
    assert_eq!(others, ["guide.de.md: en guide.md"]);
}

#[test]
fn the_limit_does_not_change_which_language_is_shown() {
    let all = kb_with(FILES, &everything());
    let all = ids(&all, "CrashLoopBackOff");
    for limit in 1..=4 {
        let mut flags = everything();
        flags.push(set("search", "limit", Value::Int(limit)));
        flags.push(set("search", "max_candidates", Value::Int(limit)));
        let kb = kb_with(FILES, &flags);
        let found = ids(&kb, "CrashLoopBackOff");
        assert_eq!(found, all[..found.len()], "{limit}");
        assert_eq!(found.len(), all.len().min(limit as usize), "{limit}");
    }
}

#[test]
fn an_exclusion_does_not_bring_up_another_language() {
    let kb = kb_with(FILES, &everything());
    let all = sorted_ids(&kb, "CrashLoopBackOff");
    let fewer = sorted_ids(&kb, "CrashLoopBackOff -status");
    assert_eq!(fewer, ["content/de/only.md#nur-hier"]);
    assert!(fewer.iter().all(|id| all.contains(id)), "{all:?}");
}

#[test]
fn a_stemmer_for_all_documents_still_knows_translations() {
    let mut flags = everything();
    flags.push(set("search", "stemmer", Value::Text("english".to_owned())));
    let kb = kb_with(FILES, &flags);
    assert_eq!(
        sorted_ids(&kb, "CrashLoopBackOff"),
        ["content/de/only.md#nur-hier", "content/en/pods.md#pods"]
    );
}

#[test]
fn a_page_is_not_similar_to_its_translations() {
    let kb = kb_with(FILES, &everything());
    for name in ["docs:content/en/pods.md", "docs:content/de/pods.md", "docs:content/zh-cn/pods.md"] {
        let request = SimilarRequest { name: name.to_owned(), file: None, scope: Scope::default() };
        let found = kb.similar(&request, &NoProgress).unwrap();
        let docs = found.answers.answers.iter().flat_map(|answer| &answer.passages);
        let docs: Vec<String> = docs.map(|passage| passage.id.doc.path.clone()).collect();
        assert!(!docs.iter().any(|path| path.ends_with("/pods.md")), "{name}: {docs:?}");
    }
}

#[test]
fn an_unknown_language_is_said() {
    let kb = kb_with(FILES, &everything());
    let found = answer(&kb, &search_request("lang:fr kubelet"));
    assert_eq!(found.summary.total, 0);
    let notice = found.summary.notices.iter().find(|notice| notice.message.contains("`fr`"));
    assert_eq!(notice.and_then(|notice| notice.hint.as_deref()), Some("the languages are en, de, zh"));
}

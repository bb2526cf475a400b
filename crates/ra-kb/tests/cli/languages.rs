//! Documents in several languages: what answers, `ra status` and `ra inspect` say about them.

use crate::sandbox::Sandbox;

const FILES: &[(&str, &str)] = &[
    (
        "docs/en/pods.md",
        "# Pods\n\nA pod is the smallest unit that you can create, and it has one or more containers.\n",
    ),
    (
        "docs/de/pods.md",
        "# Pods\n\nEin Pod ist die kleinste Einheit, die erstellt werden kann, und hat einen oder mehr Container.\n",
    ),
    ("docs/ja/pods.md", "# Pod\n\nPod は作成できる最小の単位で、1 つ以上のコンテナを持ちます。\n"),
    (
        "docs/en/nodes.md",
        "# Nodes\n\nThe nodes are the machines of a cluster, and each of them runs a kubelet.\n",
    ),
    ("docs/note.md", "---\nlang: fr\n---\n# Note\n\nkubelet\n"),
];

#[test]
fn a_page_in_several_languages_is_one_result() {
    let sandbox = Sandbox::with(FILES);
    insta::assert_snapshot!(sandbox.run(&["search", "--no-semantic", "pod"]), @r"
    exit code 0
    --- stdout
    ─── local:docs/en/pods.md#pods (lines 1-3) [also in: de, ja] ───
    > Pods

    # Pods

    A pod is the smallest unit that you can create, and it has one or more containers.
    ");
    insta::assert_snapshot!(sandbox.run(&["search", "--no-semantic", "--list", "was ist die Einheit Pod"]), @r"
    exit code 0
    --- stdout
    local:docs/de/pods.md#pods (lines 1-3, 23 tokens) [also in: en, ja] 0.65
        Pods
        Ein Pod ist die kleinste Einheit, die erstellt werden kann, und hat einen oder mehr Container.
    ");
    let found = sandbox.json(&["search", "--no-semantic", "lang:ja pod"]);
    let results = found["queries"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["id"], "local:docs/ja/pods.md#pod");
    assert_eq!(
        results[0]["translations"],
        serde_json::json!(["local:docs/de/pods.md", "local:docs/en/pods.md"])
    );
}

#[test]
fn an_unknown_language_is_named_with_those_that_exist() {
    let sandbox = Sandbox::with(FILES);
    insta::assert_snapshot!(sandbox.run(&["search", "--no-semantic", "lang:sv pod"]), @r#"
    exit code 0
    --- stderr
    note: no document is in the language `sv`
    hint: the languages are en, fr, de, ja
    note: nothing matches "lang:sv pod"
    hint: 1 section matches without `lang:sv`: pod
    "#);
}

#[test]
fn status_and_inspect_say_the_language() {
    let sandbox = Sandbox::with(FILES);
    sandbox.write("docs/code.md", "# X\n\n12345\n");
    sandbox.run(&["update"]);
    let status = sandbox.run(&["status"]);
    assert!(
        status.contains(
            "\n  meaning:   6 of 6 documents encoded\n  languages: en 2, de 1, fr 1, ja 1, unknown 1\n"
        ),
        "{status}"
    );
    let status = sandbox.json(&["status"]);
    assert_eq!(
        status["index"]["languages"],
        serde_json::json!({ "de": 1, "en": 2, "fr": 1, "ja": 1, "und": 1 })
    );
    for (file, language) in [
        ("docs/de/pods.md", "Language: german (de)\n"),
        ("docs/ja/pods.md", "Language: japanese (ja)\n"),
        ("docs/note.md", "Language: french (fr)\n"),
        ("docs/code.md", "Language: unknown\n"),
    ] {
        let inspected = sandbox.run(&["inspect", file]);
        assert!(inspected.contains(language), "{inspected}");
    }
    assert_eq!(sandbox.json(&["inspect", "docs/de/pods.md"])["language"], "de");
}

#[test]
fn results_and_facets_say_the_language() {
    let sandbox = Sandbox::with(FILES);
    // The text alone could be in any language.
    sandbox.write("docs/page.html", "<html lang='de-AT'><body><h1>X</h1><p>kubelet 12345</p></body></html>");
    sandbox.write("docs/code.md", "# X\n\nkubelet\n");
    let found = sandbox.json(&["search", "--no-semantic", "kubelet", "--facets"]);
    let results = found["queries"][0]["results"].as_array().unwrap().iter();
    let mut languages: Vec<(String, Option<&str>)> =
        results.map(|it| (it["path"].as_str().unwrap().to_owned(), it["language"].as_str())).collect();
    languages.sort();
    let expected = [
        ("docs/code.md", None),
        ("docs/en/nodes.md", Some("en")),
        ("docs/note.md", Some("fr")),
        ("docs/page.html", Some("de")),
    ];
    assert_eq!(languages, expected.map(|(path, language)| (path.to_owned(), language)));
    let counted = ["de", "en", "fr", "und"].map(|code| serde_json::json!({ "value": code, "documents": 1 }));
    assert_eq!(found["queries"][0]["facets"]["languages"], serde_json::json!(counted));
    let shown = sandbox.run(&["search", "--no-semantic", "kubelet", "--facets"]);
    assert!(shown.contains("\n  lang: de (1), en (1), fr (1), und (1)\n"), "{shown}");
}

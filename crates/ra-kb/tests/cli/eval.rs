//! `ra eval`: measuring, and comparing with an earlier run.

use serde_json::Value;

use crate::sandbox::Sandbox;

/// Creates three documents, and queries of which one is answered well, one badly and one not at all.
fn project() -> Sandbox {
    Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        ("docs/cats.md", "# Cats\n\nA cat purrs.\n"),
        ("docs/dogs.md", "# Dogs\n\nA dog barks at a cat.\n"),
        ("docs/fish.md", "# Fish\n\nA fish is quiet.\n"),
        (
            "judged.jsonl",
            "{\"query\": \"cat\", \"relevant\": [\"docs:cats.md\"]}\n\
             {\"query\": \"barks\", \"relevant\": [\"docs:fish.md\"]}\n\
             {\"query\": \"zebra\", \"relevant\": [\"docs:fish.md\"]}\n",
        ),
    ])
}

/// Saves a run to a file, modified by `change`.
fn save(sandbox: &Sandbox, name: &str, change: impl Fn(&mut Value)) {
    let mut run = sandbox.json(&["eval", "judged.jsonl"]);
    change(&mut run);
    sandbox.write(name, run.to_string());
}

#[test]
fn a_set_is_measured() {
    insta::assert_snapshot!(project().run(&["eval", "judged.jsonl"]), @"
    exit code 0
    --- stdout
      set           queries  nDCG@10  recall@10     MRR  hit@10  empty  tokens  coherent@1000  coherent@2000  coherent@4000  fragments  shredded
      judged.jsonl        3   0.3333     0.3333  0.3333  0.3333      1      32         0.3333         0.3333         0.3333        1.0    0.0000

    nDCG@10 by words, by meaning, and by both
      set            words  meaning    both     gain  95 % interval
      judged.jsonl  0.3333   0.7103  0.3333  +0.0000  +0.0000 to +0.0000
    ");
}

#[test]
fn a_setting_is_tried_and_leaves_no_trace() {
    let sandbox = project();
    sandbox.run(&["update"]);
    for setting in ["search.stemmer=none", "settings.chunk_at_headings=false", "search.boosts.path=2"] {
        assert!(
            sandbox.run(&["eval", "judged.jsonl", "--set", setting]).contains("judged.jsonl"),
            "{setting}"
        );
        assert_ne!(sandbox.json(&["status"])["index"]["status"], "stale (config changed)", "{setting}");
    }
    for setting in ["search.limit=1", "settings.default_limit=1"] {
        let answer = sandbox.run(&["eval", "judged.jsonl", "--set", setting]);
        assert!(answer.contains("exit code 2") && answer.contains("--depth"), "{answer}");
    }
}

#[test]
fn a_query_that_cannot_be_asked_is_named() {
    let sandbox = project();
    sandbox.write("bad.jsonl", "\n{\"query\": \" \", \"relevant\": [\"docs:cats.md\"]}\n");
    let answer = sandbox.run(&["eval", "bad.jsonl"]);
    assert!(answer.contains("bad.jsonl:2: the query is empty"), "{answer}");
}

#[test]
fn what_cannot_be_measured_is_said() {
    let sandbox = project();
    sandbox.write("empty.jsonl", "\n");
    assert!(sandbox.run(&["eval", "empty.jsonl"]).contains("empty.jsonl has no queries"));
    let gone = "{\"query\": \"cat\", \"relevant\": [\"docs:cats.md\", \"docs:gone.md\"]}\n";
    sandbox.write("gone.jsonl", gone);
    let answer = sandbox.run(&["eval", "gone.jsonl"]);
    assert!(
        answer.contains("1 of the 2 relevant ids are not in the index, such as `docs:gone.md`"),
        "{answer}"
    );
    sandbox.write("nothing.jsonl", "{\"query\": \"cat\", \"relevant\": []}\n");
    let answer = sandbox.run(&["eval", "nothing.jsonl"]);
    assert!(answer.contains("nothing is relevant for 1 of the 1 queries"), "{answer}");
}

#[test]
fn a_run_compared_with_itself_changes_nothing() {
    let sandbox = project();
    save(&sandbox, "before.json", |_| {});
    let run = sandbox.json(&["eval", "judged.jsonl", "--compare", "before.json"]);
    let set = &run["comparison"]["sets"][0];
    assert_eq!((&set["won"], &set["lost"], &set["tied"]), (&0.into(), &0.into(), &3.into()));
    assert_eq!(set["before"], set["after"]);
    assert_eq!(set["change"]["ndcg"], 0.0);
    assert!(sandbox.json(&["eval", "judged.jsonl"]).get("comparison").is_none());
}

#[test]
fn wins_losses_and_what_only_one_run_has_are_named() {
    let sandbox = project();
    save(&sandbox, "before.json", |run| {
        let queries = &mut run["sets"][0]["per_query"];
        queries[0]["ndcg"] = 0.5.into();
        queries[0]["reciprocal_rank"] = 0.5.into();
        queries[1]["ndcg"] = 1.0.into();
        queries[1]["tokens"] = 100.into();
        queries[2]["query"] = "giraffe".into();
        let mut other = run["sets"][0].clone();
        other["set"] = "other.jsonl".into();
        run["sets"].as_array_mut().expect("sets").push(other);
    });
    sandbox.write("new.jsonl", "{\"query\": \"fish\", \"relevant\": [\"docs:fish.md\"]}\n");
    insta::assert_snapshot!(
        sandbox.run(&["eval", "judged.jsonl", "new.jsonl", "--compare", "before.json"]), @"
    exit code 0
    --- stdout
      set           queries  nDCG@10  recall@10     MRR  hit@10  empty  tokens  coherent@1000  coherent@2000  coherent@4000  fragments  shredded
      judged.jsonl        3   0.3333     0.3333  0.3333  0.3333      1      32         0.3333         0.3333         0.3333        1.0    0.0000
      new.jsonl           1   1.0000     1.0000  1.0000  1.0000      0      30         1.0000         1.0000         1.0000        1.0    0.0000
      all                 4   0.6667     0.6667  0.6667  0.6667      1      31         0.6667         0.6667         0.6667        1.0    0.0000

    nDCG@10 by words, by meaning, and by both
      set            words  meaning    both     gain  95 % interval
      judged.jsonl  0.3333   0.7103  0.3333  +0.0000  +0.0000 to +0.0000
      new.jsonl     1.0000   1.0000  1.0000  +0.0000  +0.0000 to +0.0000

    change since before.json
      set           queries  nDCG@10  recall@10      MRR   hit@10  empty  tokens  coherent@1000  coherent@2000  coherent@4000  fragments  shredded  nDCG: 95 % interval  won  lost  tied
      judged.jsonl        2  -0.2500    +0.0000  +0.2500  +0.0000     +0     -34        +0.0000        +0.0000        +0.0000       +0.0   +0.0000  -1.0000 to +0.5000     1     1     0

    judged.jsonl: largest wins
      before   after  query
      0.5000  1.0000  cat

    judged.jsonl: largest losses
      before   after  query
      1.0000  0.0000  barks

    judged.jsonl: queries only in before.json (left out of the comparison)
      giraffe

    judged.jsonl: queries only in this run (left out of the comparison)
      zebra

    sets only in before.json (left out of the comparison)
      other.jsonl

    sets only in this run (left out of the comparison)
      new.jsonl
    ");
}

#[test]
fn what_cannot_be_compared_with_is_refused() {
    let sandbox = project();
    sandbox.write("text.json", "not json");
    sandbox.write("list.json", "[1, 2]");
    sandbox.write("other.json", "{\"version\": 1, \"results\": []}");
    save(&sandbox, "later.json", |run| run["version"] = 99.into());
    save(&sandbox, "deep.json", |run| run["depth"] = 5.into());
    let shown: Vec<String> = ["text.json", "list.json", "other.json", "later.json", "deep.json", "gone.json"]
        .iter()
        .map(|file| sandbox.run(&["eval", "judged.jsonl", "--compare", file]))
        .collect();
    insta::assert_snapshot!(shown.join(""), @"
    exit code 2
    --- stderr
    error: --compare: text.json is not JSON: expected ident at line 1 column 2
    hint: save a run with `ra eval SET --json > FILE`, and compare a later one with that file
    exit code 2
    --- stderr
    error: --compare: list.json is not what `ra eval --json` prints: it has no version
    hint: save a run with `ra eval SET --json > FILE`, and compare a later one with that file
    exit code 2
    --- stderr
    error: --compare: other.json is not what `ra eval --json` prints: missing field `depth`
    hint: save a run with `ra eval SET --json > FILE`, and compare a later one with that file
    exit code 2
    --- stderr
    error: --compare: later.json has version 99; this ra reads version 1
    hint: save a run with `ra eval SET --json > FILE`, and compare a later one with that file
    exit code 2
    --- stderr
    error: --compare: deep.json scored 5 results, this run scores 10
    hint: use --depth 5 for this run, too
    exit code 2
    --- stderr
    error: could not read [base]/project/gone.json: No such file or directory (os error 2)
    hint: check the path above
    ");
}

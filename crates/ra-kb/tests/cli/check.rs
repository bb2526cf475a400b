//! `ra check`: every kind of finding, and its exit code.

use crate::sandbox::Sandbox;

#[test]
fn a_clean_tree_has_no_problems() {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "[trees]\ndocs = \"docs\"\n"),
        ("docs/a.md", "# A\n\nSee [b](b.md#b).\n\n## More\n\nText.\n"),
        ("docs/b.md", "# B\n\nText.\n"),
    ]);
    insta::assert_snapshot!(sandbox.run(&["check"]), @"
    exit code 0
    --- stdout
    checked 2 documents in 1 tree: 3 chunks
    index: missing
    no problems
    ");
    insta::assert_snapshot!(sandbox.run(&["check", "--json"]), @r#"
    exit code 0
    --- stdout
    {
      "version": 1,
      "errors": 0,
      "warnings": 0,
      "findings": [],
      "documents": {
        "docs": 2
      },
      "outside_project": [],
      "chunks": 3,
      "links": {
        "checked": 1,
        "broken": 0,
        "unchecked": {
          "external": 0,
          "other_schemes": 0,
          "templates": 0,
          "root": 0
        },
        "list": null
      },
      "index": "missing"
    }
    "#);
}

#[test]
fn trees_outside_the_project_are_marked() {
    let sandbox = Sandbox::with(&[
        ("p/.ra.toml", "root = true\n[trees]\ndocs = \"docs\"\nfar = \"../far\"\n"),
        ("p/docs/a.md", "# A\n\nText.\n"),
        ("far/b.md", "# B\n\nText.\n"),
    ]);
    insta::assert_snapshot!(sandbox.run(&["-C", "p", "check"]), @"
    exit code 0
    --- stdout
    checked 2 documents in 2 trees: 2 chunks
    outside the project: far
    index: missing
    no problems
    ");
    assert_eq!(sandbox.json(&["-C", "p", "check"])["outside_project"], serde_json::json!(["far"]));
}

/// Creates a project with every problem that is only a warning.
fn with_warnings() -> Sandbox {
    let sandbox = Sandbox::with(&[
        (
            ".ra.toml",
            "[settings]\nmax_chunk_size = 100\n\n[trees]\ndocs = { path = \"docs\", include = [\"**/*\", \"*.rst\"] }\n\
             empty = \"empty\"\nparts = \"docs/parts\"\n",
        ),
        ("docs/front.md", "---\ntitle: [\n---\n# A\n\nText.\n"),
        ("docs/open.md", "---\ntitle: A\n\n# A\n\nText.\n"),
        ("docs/links.md", "# L\n\n[gone](gone.md)\n[[nowhere]]\n[fine](parts/p.md)\n[far](#nothing)\n"),
        ("docs/parts/p.md", "# P\n\nText.\n"),
    ]);
    sandbox.write("docs/long.md", format!("# L\n\nshort\n\n## Long\n\n{}\n", "word ".repeat(30)));
    sandbox.write("docs/latin.md", b"# A\n\ncaf\xe9\n");
    sandbox.write("docs/fake.md", [0; 100]);
    for nr in 1..=7 {
        sandbox.write(&format!("docs/img/{nr}.png"), b"\x89PNG\r\n\x1a\n\0");
    }
    std::fs::create_dir(sandbox.path("empty")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("nothing", sandbox.path("docs/dead.md")).unwrap();
    sandbox
}

#[cfg(unix)]
#[test]
fn every_warning_says_where_and_what() {
    let sandbox = with_warnings();
    insta::assert_snapshot!(sandbox.run(&["check"]), @"
    exit code 1
    --- stdout
    warning: docs: the include pattern `*.rst` matches no file
    warning: docs: 7 binary files are not indexed: img/1.png, img/2.png, img/3.png, img/4.png, img/5.png and 2 more
    warning: docs:dead.md: is a link to nothing
    warning: docs:fake.md: is not text and is not indexed
    warning: docs:front.md:2: the front matter is not valid YAML: unclosed bracket '['
    warning: docs:latin.md:3: is not valid UTF-8; what could not be decoded is shown as �
    warning: docs:long.md#long:5: has 152 characters; `max_chunk_size` is 100
    hint: split the section with headings
    warning: docs:open.md:1: the front matter has no closing `---`
    warning: empty: [base]/project/empty: has no documents
    hint: inspect one of its files to see why it is not indexed
    warning: parts: 1 document is also in the tree `docs`, such as parts:p.md
    hint: exclude it from `docs` or from `parts`
    warning: 3 of 4 links lead nowhere
    hint: `ra check --links` lists them

    checked 7 documents in 3 trees: 10 chunks
    index: missing
    11 warnings
    ");
}

#[cfg(unix)]
#[test]
fn links_are_listed_on_demand() {
    let sandbox = with_warnings();
    let shown = sandbox.run(&["check", "--links"]);
    let links: Vec<&str> = shown.lines().skip_while(|line| !line.contains("lead nowhere")).take(8).collect();
    insta::assert_snapshot!(links.join("\n"), @"
    warning: 3 of 4 links lead nowhere
      docs:gone.md (no such file)
        docs:links.md:3
      docs:links.md#nothing (no such heading)
        docs:links.md:6
      nowhere (no such page)
        docs:links.md:4
    ");
    let found = sandbox.json(&["check", "--links"]);
    assert_eq!(found["links"]["list"].as_array().map(Vec::len), Some(3));
    assert!(sandbox.json(&["check"])["links"]["list"].is_null());
}

#[test]
fn links_are_grouped_by_target_and_those_not_checked_are_counted() {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        (
            "docs/a.md",
            "# A\n\n[x](/guide/gone)\n[y](sub/b.md#no)\n<https://a.b> <mailto:a@b.c> [z](/blog/x)\n",
        ),
        ("docs/sub/b.md", "# B\n\n[x](/guide/gone) [y](#no)\n[z]({{site}}/x)\n"),
        ("docs/guide/c.md", "# C\n\n[x](/guide/gone)\n"),
    ]);
    insta::assert_snapshot!(sandbox.run(&["check", "--links"]), @"
    exit code 1
    --- stdout
    warning: 5 of 5 links lead nowhere
      /guide/gone (no such file, 3 links)
        docs:a.md:3
        docs:guide/c.md:3
        docs:sub/b.md:3
      docs:sub/b.md#no (no such heading, 2 links)
        docs:a.md:4
        docs:sub/b.md:3
    links not checked: 1 to other sites, 1 with other schemes, 1 made by templates, 1 from the root of a site
    hint: `link_root` of a tree says where links that begin with `/` lead

    checked 3 documents in 1 tree: 3 chunks
    index: missing
    1 warning
    ");
}

#[test]
fn a_tree_that_is_not_there_is_an_error() {
    let sandbox =
        Sandbox::with(&[(".ra.toml", "[trees]\ngone = \"gone\"\nfile = \"a.md\"\n"), ("a.md", "# A\n\na\n")]);
    insta::assert_snapshot!(sandbox.run(&["check"]), @"
    exit code 2
    --- stdout
    error: file: [base]/project/a.md: Not a directory (os error 20)
    hint: create the directory, or correct the path under [trees]
    error: gone: [base]/project/gone: No such file or directory (os error 2)
    hint: create the directory, or correct the path under [trees]

    checked 0 documents in 2 trees: 0 chunks
    index: missing
    2 errors, 0 warnings
    ");
    let kinds: Vec<String> = sandbox.json(&["check"])["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| format!("{} {}", finding["severity"], finding["kind"]))
        .collect();
    assert_eq!(kinds, ["\"error\" \"tree\"", "\"error\" \"tree\""]);
}

#[test]
fn a_broken_configuration_is_an_error() {
    let sandbox = Sandbox::with(&[(".ra.toml", "[trees]\ndocs = 3\n")]);
    assert!(sandbox.run(&["check"]).starts_with("exit code 2\n--- stderr\n"));
}

#[test]
fn without_a_configuration_the_directory_is_checked() {
    let sandbox = Sandbox::with(&[("a.md", "# A\n\na\n")]);
    assert!(
        sandbox
            .run(&["check"])
            .starts_with("exit code 0\n--- stdout\nchecked 1 document in 1 tree: 1 chunk\n")
    );
    // Checking a directory leaves nothing behind in it.
    let names: Vec<_> =
        std::fs::read_dir(sandbox.project()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["a.md"]);
}

#[test]
fn binary_files_are_counted_and_a_few_are_named() {
    let sandbox = Sandbox::with(&[("a.md", "a\n")]);
    sandbox.write("x.png", b"\x89PNG\0");
    assert!(sandbox.run(&["check"]).contains("warning: local: 1 binary file is not indexed: x.png\n"));
    sandbox.write("source.rs", "fn main() {}");
    assert!(sandbox.run(&["check"]).contains("1 binary file is"), "source code is text");
}

/// Creates a dozen documents that contain "widget" more often than the one with that title.
fn with_rivals() -> Sandbox {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        ("docs/own.md", "---\ndescription: The smallest of all parts\n---\n\n# Widget\n\nNothing more.\n"),
        (
            "docs/guide.md",
            "# Guide\n\nSee [the small one](own.md).\n\n## Mark\n\n?\n\n## ???\n\nA question.\n",
        ),
    ]);
    for nr in 1..=12 {
        sandbox.write(
            &format!("docs/rival{nr}.md"),
            format!("# Widget widget\n\nWidget, widget, widget.\n\n## Notes\n\nNone: {nr}.\n"),
        );
    }
    sandbox
}

#[test]
fn sections_that_their_heading_does_not_find_are_named() {
    let sandbox = with_rivals();
    insta::assert_snapshot!(sandbox.run(&["check", "--retrieval"]), @"
    exit code 1
    --- stdout
    warning: docs:guide.md#heading:9: `???` does not find it: it has no letters or digits to look for
    hint: give the section a heading that says what it is about
    warning: docs:own.md#widget:5: `Widget` does not find it: each of its words is in more than 5% of all sections; it is match number 13, behind docs:rival1.md#widget-widget
    hint: say in the heading what sets the section apart

      tree  asked by     queries  of   hit@1  hit@10     MRR
      docs  heading            4   4  0.5000  0.5000  0.5000
      docs  description        1   1  1.0000  1.0000  1.0000
      docs  link               1   1  0.0000  0.0000  0.0000
      docs  all                6   6  0.5000  0.5000  0.5000
    not asked: 24 sections under 2 headings that more than 10 share: Notes (12), Widget widget (12)

    checked 14 documents in 1 tree: 29 chunks
    index: current
    2 warnings
    ");
    insta::assert_snapshot!(sandbox.json(&["check", "--retrieval"])["retrieval"].to_string(), @r#"
    {"trees":[{"tree":"docs","asked":[{"kind":"heading","known":4,"queries":4,"hit_at_1":0.5,"hit_at_10":0.5,"mrr":0.5},{"kind":"description","known":1,"queries":1,"hit_at_1":1.0,"hit_at_10":1.0,"mrr":1.0},{"kind":"link","known":1,"queries":1,"hit_at_1":0.0,"hit_at_10":0.0,"mrr":0.0}],"overall":{"queries":6,"hit_at_1":0.5,"hit_at_10":0.5,"mrr":0.5},"unfindable":{"common-words":1,"no-words":1}}],"generic":[{"heading":"Notes","sections":12},{"heading":"Widget widget","sections":12}]}
    "#);
    assert!(sandbox.json(&["check"]).get("retrieval").is_none());
}

#[test]
fn a_sample_is_said_to_be_one() {
    let sandbox = with_rivals();
    let shown = sandbox.run(&["check", "--retrieval", "--sample", "2"]);
    assert!(shown.contains("hint: these are samples; `--sample N` asks for more\n"), "{shown}");
    let asked =
        &sandbox.json(&["check", "--retrieval", "--sample", "2"])["retrieval"]["trees"][0]["asked"][0];
    assert_eq!(
        (&asked["kind"], &asked["known"], &asked["queries"]),
        (&"heading".into(), &4.into(), &2.into())
    );
    assert!(sandbox.run(&["check", "--sample", "2"]).starts_with("exit code 2\n"), "without --retrieval");
    assert!(
        sandbox.run(&["check", "--retrieval", "--sample", "0"]).contains("expected a number of at least 1")
    );
}

#[test]
fn broken_links_name_the_place_that_their_target_moved_to() {
    let sandbox = Sandbox::with(&[
        (".ra.toml", "root = true\n[trees]\nt = \"t\"\n"),
        (
            "t/a.md",
            "# A\n\n[1](old/setup.md#steps) [2](guide/) [3](Old%20Name.md) [[Former Title]] [5](b.md#steps)\n\
             [6](gone.md) [7](x/same.md) [8](old/a.md) [[b#^block]]\n",
        ),
        ("t/b.md", "# B\n\ntext\n"),
        ("t/new/setup.md", "# Set up\n\n## Steps\n\ntext ^block\n"),
        ("t/docs/guide/index.md", "---\naliases: [Old Name]\n---\n# Guide\n\ntext\n"),
        ("t/c.md", "# Former title\n\ntext\n"),
        ("t/y/same.md", "# Y\n\ntext\n"),
        ("t/z/same.md", "# Z\n\ntext\n"),
    ]);
    let report = sandbox.json(&["check", "--links"]);
    let moved = |link: &serde_json::Value| {
        let moved_to = link["moved_to"].as_str().unwrap_or("-");
        format!("{} {moved_to}", link["target"].as_str().unwrap())
    };
    let moved: Vec<String> = report["links"]["list"].as_array().unwrap().iter().map(moved).collect();
    assert_eq!(
        moved,
        [
            "old/setup.md#steps t:new/setup.md#steps",
            "guide/ t:docs/guide/index.md",
            "Old%20Name.md t:docs/guide/index.md",
            "Former Title t:c.md",
            "b.md#steps t:new/setup.md#steps",
            "gone.md -",
            "x/same.md -",
            "old/a.md -",
            "b#^block t:new/setup.md",
        ]
    );
    let shown = sandbox.run(&["check", "--links"]);
    assert!(shown.contains("    t:a.md:3\n    hint: did it move to t:new/setup.md#steps?\n"), "{shown}");
}

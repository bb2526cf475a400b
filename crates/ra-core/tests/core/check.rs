//! `check` on trees with the worst that disks have to offer.

use std::collections::BTreeMap;
use std::fs;

use ra_core::kb::{CheckReport, FindingKind, KnowledgeBase};

use crate::test_env::TestEnv;

fn check(env: &TestEnv, config: &str) -> CheckReport {
    env.write(".ra.toml", config);
    KnowledgeBase::open(env.config("")).check()
}

const CONFIG: &str = "root = true\n[trees]\nt = \"t\"\n";

/// Returns the findings as `kind place:line`.
fn findings(report: &CheckReport) -> Vec<String> {
    let line = |line: Option<usize>| line.map(|line| format!(":{line}")).unwrap_or_default();
    report
        .findings
        .iter()
        .map(|found| format!("{} {}{}", found.kind.as_str(), found.place, line(found.line)))
        .collect()
}

#[test]
fn a_tree_of_horrors_is_checked_to_its_end() {
    let env = TestEnv::with(&[
        ("t/crlf.md", "# One\r\n\r\ntext\r\n## Two\r\nmore\r\n"),
        ("t/bom.md", "\u{feff}---\ntitle: T\n---\n# A\ntext\n"),
        ("t/twice.md", "# Same\na\n# Same\nb\n# Same\n\nc\n[up](#same-2) [down](#same-3)\n"),
        ("t/x.md/inside.md", "# In\na\n"),
        ("t/empty.md", ""),
        ("t/blank.txt", " \n\n"),
    ]);
    env.write("t/nul.md", "# With\n\0 a NUL byte and enough text around it\n");
    env.write("t/zeros.txt", [0; 64]);
    env.write("t/latin.md", b"# Caf\xe9\ntext\n");
    env.write("t/picture.png", b"\x89PNG\r\n\x1a\n\0\0");
    // One line without an end, and words longer than any buffer.
    let mut large = "word ".repeat(4_000_000);
    large.push_str(&"x".repeat(1_000_000));
    env.write("t/large.txt", &large);
    let mut expected = vec![
        "binary t".to_owned(),
        "encoding t:latin.md:1".to_owned(),
        "oversized t:large.txt:1".to_owned(),
        "binary t:zeros.txt".to_owned(),
    ];
    // Files without text aren't documents: the empty, the blank and the binary one.
    let mut documents = 7;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        env.link("nothing", "t/dead.md");
        env.link(".", "t/loop");
        env.directory("t/locked");
        env.write("t/locked/a.md", "a");
        fs::set_permissions(env.path("t/locked"), fs::Permissions::from_mode(0o000)).unwrap();
        expected.push("dead-link t:dead.md".to_owned());
        // Permissions don't apply to the superuser.
        if fs::read_dir(env.path("t/locked")).is_err() {
            expected.push("unreadable t:locked/".to_owned());
        } else {
            documents += 1;
        }
    }
    let report = check(&env, CONFIG);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(env.path("t/locked"), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let place = |finding: &String| finding.split(' ').nth(1).unwrap_or_default().to_owned();
    expected.sort_by_key(place);
    assert_eq!(findings(&report), expected);
    assert_eq!(report.documents, BTreeMap::from([("t".parse().unwrap(), documents)]));
    let broken: Vec<&str> = report.links.broken.iter().map(|link| link.target.as_str()).collect();
    assert_eq!((report.links.checked, broken), (2, vec!["#same-3"]));
    let large = report.findings.iter().find(|found| found.kind == FindingKind::Oversized).unwrap();
    assert_eq!(large.message, "has 21000000 characters; `max_chunk_size` is 50000");
}

#[test]
fn the_same_tree_gives_the_same_report() {
    let env = TestEnv::new();
    for nr in 0..60 {
        env.write(&format!("t/{}/{nr}.md", nr % 5), format!("---\nx: [\n---\n[a](gone-{nr}.md)\n"));
    }
    let first = check(&env, CONFIG);
    assert_eq!((first.findings.len(), first.links.broken.len()), (60, 60));
    for _ in 0..3 {
        assert_eq!(format!("{:?}", check(&env, CONFIG)), format!("{first:?}"));
    }
}

#[test]
fn links_are_checked_as_their_readers_would_follow_them() {
    let env = TestEnv::with(&[
        (
            "t/notes/start.md",
            "# Start\n\
             [beside](other.md) [up](../top.md#a-b) [here](#start) [empty](#nothing-yet) [site](/docs/x) [web](https://a.b/c)\n\
             [page](../top) [built](../top.html) [dir](../notes/) [enc](../a%20b.md) [query](other.md?plain=1#part)\n\
             [[other]] [[Other#Part Two|x]] [[nick]] [[#Start]] [[other#^block]] [[pic.png]] ![[pic.png]] ![[other]]\n\
             ![alt](../img/pic.png) [anchor](../top.md#raw) [unicode](../top.md#überblick) <mailto:a@b.c>\n\
             ## Nothing Yet\n",
        ),
        ("t/notes/other.md", "---\naliases: [Nick]\n---\n# Other\n## Part\na ^block\n## Part Two\nb\n"),
        ("t/top.md", "# A & B\n<a id=\"raw\"></a>\n# A - b\nx\n# Überblick\ny\n"),
        ("t/a b.md", "x"),
    ]);
    env.write("t/img/pic.png", b"\x89PNG\0\0");
    for keys in ["", "[settings]\nchunk_at_headings = false\n"] {
        let report = check(&env, &format!("{CONFIG}{keys}"));
        let broken: Vec<&str> = report.links.broken.iter().map(|link| link.target.as_str()).collect();
        assert_eq!(broken, Vec::<&str>::new(), "{keys}");
        assert_eq!(report.links.checked, 20, "{keys}");
    }
}

#[test]
fn names_in_links_are_compared_by_their_letters() {
    let text = "# A\n\n[[\u{fc}ber]] [x](b.txt#L3) [x](b.txt#L3-L5) [x](#L)\n";
    let env = TestEnv::with(&[("t/a.md", text), ("t/u\u{308}ber.md", "x"), ("t/b.txt", "x")]);
    let broken: Vec<String> = check(&env, CONFIG).links.broken.into_iter().map(|link| link.target).collect();
    assert_eq!(broken, ["#L"]);
}

#[cfg(unix)]
#[test]
fn links_that_the_patterns_do_not_choose_are_passed_over() {
    let env = TestEnv::with(&[("t/a.md", "x"), ("t/drafts/b.md", "y")]);
    std::os::unix::fs::symlink("gone.md", env.path("t/drafts/dead.md")).unwrap();
    assert_eq!(findings(&check(&env, CONFIG)), ["dead-link t:drafts/dead.md"]);
    let config = "root = true\n[trees]\nt = { path = \"t\", exclude = [\"drafts/\"] }\n";
    assert_eq!(findings(&check(&env, config)), Vec::<String>::new());
}

#[test]
fn what_rules_include_must_be_there() {
    let env = TestEnv::with(&[
        ("t/a.md", "# A\n\n## Part\n\nx\n"),
        ("t/sub/b.md", "1"),
        ("t/c.md", "2"),
        ("t/sub/c.md", "3"),
        ("t/u\u{308}ber.md", "4"),
        ("t/one/d.md", "5"),
        ("t/two/d.md", "6"),
        ("t/f.md", "---\ntitle: The Plan\naliases: [Roadmap]\n---\n# The Plan\n\n## Next Steps\n\n7\n"),
    ]);
    let rule = "[[context.rules]]\nmatch = \"*.rs\"\ninclude = [\"t:a.md#part\", \"a.md\", \"t:b.md\", \"./sub/b.md\", \"t:c.md\", \"\u{fc}ber.md\", \"b.md#preamble\", \"t:a.md#gone\", \"gone.md\", \"d.md\", \"a.md#preamble\", \"sub/b\", \"the plan\", \"[[Roadmap#Next Steps|x]]\", \"[[Roadmap#Gone]]\", \"d\"]\n";
    let report = check(&env, &format!("{CONFIG}{rule}"));
    let messages: Vec<&str> = report.findings.iter().map(|found| found.message.as_str()).collect();
    let missing = |name: &str| format!("`include`: no document or section is called `{name}`");
    assert_eq!(
        messages,
        ["t:a.md#gone", "gone.md", "d.md", "a.md#preamble", "[[Roadmap#Gone]]", "d"].map(missing)
    );
    assert!(report.findings.iter().all(|found| found.line.is_some()));
}

#[test]
fn links_that_lead_nowhere_are_named_with_their_line() {
    let env = TestEnv::with(&[
        (
            "t/a.md",
            "# A\n[x](gone.md)\n[x](b.md#gone)\n[x](#gone)\n[[gone]]\n[[b#gone]]\n![x](gone.png)\n![[gone.png]]\n[r]\n\n[r]: gone/\n",
        ),
        ("t/b.md", "# B\nb\n"),
    ]);
    let report = check(&env, CONFIG);
    let broken: Vec<(usize, &str, &str)> = report
        .links
        .broken
        .iter()
        .map(|link| (link.line, link.target.as_str(), link.missing.as_str()))
        .collect();
    assert_eq!(
        broken,
        [
            (2, "gone.md", "no such file"),
            (3, "b.md#gone", "no such heading"),
            (4, "#gone", "no such heading"),
            (5, "gone", "no such page"),
            (6, "b#gone", "no such heading"),
            (7, "gone.png", "no such file"),
            (8, "gone.png", "no such page"),
            (9, "gone/", "no such file"),
        ]
    );
}

#[test]
fn a_pattern_is_idle_only_when_no_file_matches_it() {
    let env = TestEnv::with(&[("t/a.md", ""), ("t/git/b.md", "")]);
    let config = "root = true\n[trees]\nt = { path = \"t\", include = [\"**/*\", \"git/**\", \"hg/**\"] }\n";
    let report = check(&env, config);
    assert_eq!(findings(&report), ["pattern t"]);
    assert_eq!(report.findings[0].message, "the include pattern `hg/**` matches no file");
}

#[test]
fn files_of_two_trees_are_named_once_for_each_pair() {
    let env = TestEnv::with(&[("t/a.md", "x"), ("t/sub/b.md", "y"), ("t/sub/c.md", "z")]);
    let report = check(&env, "root = true\n[trees]\nt = \"t\"\nu = \"t/sub\"\nv = \"t/../t/sub\"\n");
    let messages: Vec<&str> = report.findings.iter().map(|found| found.message.as_str()).collect();
    let also = |example: &str| format!("2 documents are also in the tree `t`, such as {example}");
    assert_eq!(messages, [also("u:b.md"), also("v:b.md")]);
}

#[test]
fn documents_with_the_same_content_are_one_finding() {
    let env = TestEnv::with(&[
        ("t/a.md", "# Same\n\ntext\n"),
        ("t/b.md", "# Other\n\ntext\n"),
        ("t/empty.md", ""),
        ("t/none.md", ""),
        ("u/copy.md", "# Same\n\ntext\n"),
    ]);
    for nr in 0..6 {
        env.write(&format!("t/z/{nr}.md"), "# Same\n\ntext\n");
    }
    let report = check(&env, "root = true\n[trees]\nt = \"t\"\nu = \"u\"\n");
    let found: Vec<(&str, &str, &str)> = report
        .findings
        .iter()
        .map(|found| (found.kind.as_str(), found.place.as_str(), found.message.as_str()))
        .collect();
    let message = "has the same content as t:z/0.md, t:z/1.md, t:z/2.md, t:z/3.md, t:z/4.md and 2 more";
    assert_eq!(found, [("copy", "t:a.md", message)]);
    // A file that two trees index isn't a copy of itself.
    let env = TestEnv::with(&[("t/a.md", "x")]);
    let report = check(&env, "root = true\n[trees]\nt = \"t\"\nu = \"t\"\n");
    assert_eq!(findings(&report), ["duplicate u"]);
}

/// Returns the targets of broken links, how many were checked, and how many root links weren't.
fn root_links(env: &TestEnv, config: &str) -> (Vec<String>, usize, usize) {
    let links = check(env, config).links;
    let broken = links.broken.into_iter().map(|link| format!("{}: {}", link.target, link.missing.as_str()));
    (broken.collect(), links.checked, links.unchecked.root)
}

#[test]
fn root_links_are_resolved_against_the_tree_and_the_project() {
    let env = TestEnv::with(&[
        (
            "t/a.md",
            "[page](/guide/b) [file](/guide/b.md#part) [dir](/guide/) [top](/) [gone](/guide/c) [head](/guide/b#x)\n\
             [project](/t/guide/b.md) [old](/guide/old/) [elsewhere](/images/x.png) [case](/Guide/B)\n",
        ),
        ("t/guide/b.md", "---\naliases: [/guide/old]\n---\n# B\n\n## Part\n\nx\n"),
    ]);
    // A link whose first directory doesn't exist may be anything to the site, so it isn't checked.
    let broken = ["/guide/c: no such file", "/guide/b#x: no such heading"].map(str::to_owned).to_vec();
    assert_eq!(root_links(&env, CONFIG), (broken, 9, 1));
}

#[test]
fn a_link_root_is_a_directory_or_the_address_of_the_tree() {
    let text = "[a](/docs/page/) [b](/docs/part/#one) [c](/img/x.svg) [d](/docs/gone/) [e](/other/)\n";
    let env = TestEnv::with(&[
        ("t/content/en/a.md", text),
        ("t/content/en/docs/page.md", "# Page\n\n1\n"),
        ("t/content/en/docs/part/_index.md", "# Part\n\n## One\n\n2\n"),
        ("t/static/img/x.svg", "<svg/>"),
        ("t/web/css/_colon_root/index.md", "# Root\n\n3\n"),
        ("t/web/a.md", "[a](/en-US/docs/Web/CSS/:root) [b](/en-US/docs/Web/Gone#x) [c](/en-US/blog/)\n"),
    ]);
    let with = |roots: &str| format!("root = true\n[trees]\nt = {{ path = \"t\", link_root = {roots} }}\n");
    let (broken, checked, unchecked) = root_links(&env, &with("[\"content/en\", \"static\"]"));
    assert_eq!((checked, unchecked), (8, 0));
    let web = ["/en-US/docs/Web/CSS/:root", "/en-US/docs/Web/Gone#x", "/en-US/blog/"];
    let expected: Vec<String> = ["/docs/gone/", "/other/"]
        .iter()
        .chain(&web)
        .map(|target| format!("{target}: no such file"))
        .collect();
    assert_eq!(broken, expected);
    let (broken, checked, unchecked) = root_links(&env, &with("\"/en-US/docs\""));
    assert_eq!((broken, checked, unchecked), (vec!["/en-US/docs/Web/Gone#x: no such file".to_owned()], 2, 6));
}

#[test]
fn links_to_the_same_file_mean_the_same() {
    let env = TestEnv::with(&[
        ("t/a.md", "[x](gone.md) [y](./sub/../gone.md#z)\n<https://a.b> <mailto:a@b.c> [t]({{< ref x >}})\n"),
        ("t/sub/b.md", "[x](../gone.md)\n"),
    ]);
    let links = check(&env, CONFIG).links;
    let resolved: Vec<&str> = links.broken.iter().map(|link| link.resolved.as_str()).collect();
    assert_eq!(resolved, ["t:gone.md", "t:gone.md#z", "t:gone.md"]);
    let unchecked = links.unchecked;
    assert_eq!((unchecked.external, unchecked.other_schemes, unchecked.root), (1, 1, 0));
}

//! The walk of a tree: which files are documents, which are skipped, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use ra_core::config::{Converters, Tree};
use ra_core::corpus::{self, Content, Loaded, Scan, Skip, WalkDetail};
use ra_core::document::ConversionCache;

use crate::generated::cases;
use crate::test_env::TestEnv;

/// Returns the only tree of an environment, configured for the directory `t` with these keys besides its path.
fn tree(env: &TestEnv, keys: &str) -> Tree {
    let comma = if keys.is_empty() { "" } else { ", " };
    env.write(".ra.toml", format!("root = true\n[trees]\nt = {{ path = \"t\"{comma}{keys} }}\n"));
    env.config("").trees[0].clone()
}

fn walk(env: &TestEnv, keys: &str) -> Scan {
    corpus::walk(&tree(env, keys), WalkDetail::Everything)
}

fn load(env: &TestEnv, path: &str) -> Loaded {
    corpus::load(&env.path(path), &ConversionCache::in_index(&env.path("index"), Converters::default()))
        .unwrap()
}

fn paths(scan: &Scan) -> Vec<&str> {
    scan.files.iter().map(|file| file.path.as_str()).collect()
}

/// A rule, the ignore files that state it, and the remaining documents.
type IgnoreCase<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a [&'a str]);

#[test]
fn ignore_files_are_honored_as_git_does() {
    let files = ["a.md", "b.md", "sub/a.md", "sub/b.md", "sub/deep/c.md", "build/x.md"];
    let cases: &[IgnoreCase<'_>] = &[
        ("nothing is ignored", &[], &["a.md", "b.md", "build/x.md", "sub/a.md", "sub/b.md", "sub/deep/c.md"]),
        (
            "a name at any depth",
            &[("t/.gitignore", "a.md\n")],
            &["b.md", "build/x.md", "sub/b.md", "sub/deep/c.md"],
        ),
        (
            "a name at the root only",
            &[("t/.gitignore", "/a.md\nbuild/\n")],
            &["b.md", "sub/a.md", "sub/b.md", "sub/deep/c.md"],
        ),
        ("a directory's own file", &[("t/sub/.gitignore", "*.md\n")], &["a.md", "b.md", "build/x.md"]),
        (
            "a deeper file takes a name back",
            &[("t/.gitignore", "*.md\n"), ("t/sub/.gitignore", "!b.md\n")],
            &["sub/b.md"],
        ),
        ("a later line takes a name back", &[("t/.gitignore", "*.md\n!b.md\n")], &["b.md", "sub/b.md"]),
        (
            "nothing below an ignored directory comes back",
            &[("t/.gitignore", "sub/\n!sub/b.md\n"), ("t/sub/.gitignore", "!*.md\n")],
            &["a.md", "b.md", "build/x.md"],
        ),
        (
            "the rules of the directories above the tree",
            &[(".gitignore", "b.md\n/t/build\n")],
            &["a.md", "sub/a.md", "sub/deep/c.md"],
        ),
        ("rules that are not shared", &[(".git/info/exclude", "sub\n")], &["a.md", "b.md", "build/x.md"]),
        (
            "a shared rule outweighs one that is not",
            &[(".git/info/exclude", "*.md\n"), (".gitignore", "!a.md\n")],
            &["a.md", "sub/a.md"],
        ),
        ("rules for search tools", &[("t/.ignore", "sub\n")], &["a.md", "b.md", "build/x.md"]),
        (
            "rules for search tools outweigh git's",
            &[("t/.gitignore", "a.md\n"), ("t/.ignore", "!a.md\nb.md\n")],
            &["a.md", "build/x.md", "sub/a.md", "sub/deep/c.md"],
        ),
        (
            "a line that is no pattern is passed over",
            &[("t/.gitignore", "a[\n# a comment\n\n  \nb.md   \n")],
            &["a.md", "build/x.md", "sub/a.md", "sub/deep/c.md"],
        ),
        ("windows line ends", &[("t/.gitignore", "a.md\r\nb.md\r\n")], &["build/x.md", "sub/deep/c.md"]),
    ];
    for (name, ignores, expected) in cases {
        let env = TestEnv::new();
        env.write(".git/HEAD", "");
        files.iter().for_each(|file| env.write(&format!("t/{file}"), "text"));
        ignores.iter().for_each(|(path, text)| env.write(path, text));
        assert_eq!(paths(&walk(&env, "")), *expected, "{name}");
        assert_eq!(paths(&walk(&env, "ignore = false")).len(), files.len(), "{name}");
    }
}

#[test]
fn git_rules_count_only_inside_a_work_tree() {
    let env =
        TestEnv::with(&[("t/.gitignore", "a.md\n"), ("t/.ignore", "b.md\n"), ("t/a.md", ""), ("t/b.md", "")]);
    assert_eq!(paths(&walk(&env, "")), ["a.md"]);
}

#[test]
fn work_trees_below_the_root_have_their_own_rules() {
    let env = TestEnv::with(&[
        ("t/one/.git/HEAD", ""),
        ("t/one/.gitignore", "secret.md\n"),
        ("t/one/.git/info/exclude", "private.md\n"),
        ("t/one/secret.md", ""),
        ("t/one/private.md", ""),
        ("t/one/open.md", ""),
        // In a submodule or a linked work tree, `.git` is a file.
        ("t/two/.git", "gitdir: elsewhere\n"),
        ("t/two/.gitignore", "secret.md\n"),
        ("t/two/sub/secret.md", ""),
        ("t/two/private.md", ""),
        ("t/secret.md", ""),
    ]);
    let expected = ["one/open.md", "secret.md", "two/private.md"];
    assert_eq!(paths(&walk(&env, "")), expected);
    // Git rules of an outer work tree end where the inner one begins; those of `.ignore` files don't.
    env.write("t/.git/HEAD", "");
    env.write("t/.gitignore", "open.md\n");
    assert_eq!(paths(&walk(&env, "")), expected);
    env.write("t/.ignore", "private.md\n");
    assert_eq!(paths(&walk(&env, "")), ["one/open.md", "secret.md"]);
}

#[test]
fn some_places_are_never_entered_and_hidden_ones_only_when_named() {
    let env = TestEnv::new();
    for path in [
        "a.md",
        ".hidden.md",
        ".github/a.md",
        ".git/a.md",
        ".ra/a.md",
        "node_modules/x/a.md",
        "sub/.ra/a.md",
        "sub/node_modules/a.md",
        "sub/.x/a.md",
    ] {
        env.write(&format!("t/{path}"), "");
    }
    for (keys, expected) in [
        ("", &["a.md"][..]),
        ("ignore = false", &["a.md"]),
        ("include = [\"**/*\"]", &["a.md"]),
        ("include = [\".github/**\", \"*.md\"]", &[".github/a.md", ".hidden.md", "a.md", "sub/.x/a.md"]),
        ("include = [\".github/**\"]", &[".github/a.md"]),
        ("include = [\".git/**\", \".ra/**\", \"node_modules/**\"]", &[]),
    ] {
        assert_eq!(paths(&walk(&env, keys)), expected, "{keys}");
    }
}

#[test]
fn patterns_choose_and_the_rest_is_listed() {
    let env = TestEnv::new();
    for path in ["a.md", "b.TXT", "c.rst", "d.png", "drafts/e.md", "LICENSE"] {
        env.write(&format!("t/{path}"), "x");
    }
    for (keys, files, others) in [
        ("", &["a.md", "b.TXT", "c.rst", "drafts/e.md"][..], &["LICENSE", "d.png"][..]),
        ("exclude = [\"drafts/\"]", &["a.md", "b.TXT", "c.rst"], &["LICENSE", "d.png", "drafts/e.md"]),
        (
            "include = [\"*.rst\", \"**/*\", \"*.none\"]",
            &["a.md", "b.TXT", "c.rst", "drafts/e.md"],
            &["LICENSE", "d.png"],
        ),
        ("include = [\"LICENSE\"]", &["LICENSE"], &["a.md", "b.TXT", "c.rst", "d.png", "drafts/e.md"]),
    ] {
        let scan = walk(&env, keys);
        assert_eq!(paths(&scan), files, "{keys}");
        assert_eq!(scan.others, others, "{keys}");
        let documents = corpus::walk(&tree(&env, keys), WalkDetail::Documents);
        assert_eq!((documents.files, documents.others.len()), (scan.files, 0));
    }
}

#[test]
fn sizes_and_times_are_those_of_the_files() {
    let env = TestEnv::with(&[("t/a.md", "12345"), ("t/b.md", "")]);
    let scan = walk(&env, "");
    let on_disk = |path: &str| load(&env, path);
    for file in &scan.files {
        let loaded = on_disk(&format!("t/{}", file.path));
        assert_eq!(file.stamp, loaded.stamp);
    }
    assert_eq!(scan.files[0].stamp.size, 5);
    assert!(scan.files.iter().all(|file| file.stamp.mtime > 1_000_000_000_000_000_000));
}

#[test]
fn names_are_kept_as_they_are_and_sorted_by_their_bytes() {
    let names = [
        " lead.md",
        "#1 C#.md",
        "A.md",
        "[draft] & more (1).md",
        "a b.md",
        "a.md",
        "a/b.md",
        "a-b.md",
        "naïve.md",
        "日本/概要.md",
        "%20.md",
        "a\\b.md",
        "new\nline.md",
        "e\u{301}.md",
        "é.md",
        "🚀.md",
    ];
    let env = TestEnv::new();
    names.iter().for_each(|name| env.write(&format!("t/{name}"), ""));
    let mut sorted = names.to_vec();
    sorted.sort_unstable();
    let scan = walk(&env, "");
    assert_eq!(paths(&scan), sorted);
    let tree = tree(&env, "");
    assert!(names.iter().all(|name| corpus::skip_reason(&tree, name).is_none()));
}

#[test]
fn many_directories_come_in_order_every_time() {
    let env = TestEnv::new();
    for nr in 0..300 {
        env.write(&format!("t/{}/{}/f{nr}.md", nr % 7, nr % 11), "");
    }
    let first = walk(&env, "");
    assert_eq!(first.files.len(), 300);
    assert!(first.files.is_sorted_by(|a, b| a.path < b.path));
    for _ in 0..5 {
        assert_eq!(walk(&env, "").files, first.files);
    }
}

#[test]
fn a_directory_may_be_called_like_a_document() {
    let env = TestEnv::with(&[("t/x.md/inner.md", ""), ("t/y.md", "")]);
    assert_eq!(paths(&walk(&env, "")), ["x.md/inner.md", "y.md"]);
}

#[test]
fn a_root_that_is_not_there_is_not_an_empty_one() {
    let env = TestEnv::new();
    let scan = walk(&env, "");
    assert!(matches!(scan.skipped.get(""), Some(Skip::Unreadable(_))));
    assert!(scan.is_unseen("anything.md"));
    env.write("t", "a file");
    assert!(matches!(walk(&env, "").skipped.get(""), Some(Skip::Unreadable(_))));
}

#[cfg(unix)]
#[test]
fn links_to_files_are_followed_and_links_to_directories_are_not() {
    let env = TestEnv::with(&[("t/real/a.md", "12"), ("far/b.md", "123")]);
    env.link("real/a.md", "t/file.md");
    env.link(env.path("far/b.md"), "t/far.md");
    let elsewhere = TestEnv::with(&[("secret.md", "1234")]);
    env.link(elsewhere.path("secret.md"), "t/outside.md");
    env.link("file.md", "t/twice.md");
    env.link("real", "t/directory");
    env.link("real", "t/directory.md");
    env.link("nothing", "t/dead.md");
    env.link("loop.md", "t/loop.md");
    env.link("nothing", "t/dead.png");
    let scan = walk(&env, "");
    assert_eq!(paths(&scan), ["far.md", "file.md", "real/a.md", "twice.md"]);
    assert_eq!(scan.files.iter().map(|file| file.stamp.size).collect::<Vec<_>>(), [3, 2, 2, 2]);
    let reasons: BTreeMap<&str, &Skip> =
        scan.skipped.iter().map(|(path, skip)| (path.as_str(), skip)).collect();
    assert_eq!(reasons.get("outside.md"), Some(&&Skip::LinkOutside), "a project hands out no other files");
    assert_eq!(reasons.get("dead.md"), Some(&&Skip::DeadLink));
    assert_eq!(reasons.get("dead.png"), Some(&&Skip::DeadLink));
    assert_eq!(reasons.get("directory.md"), Some(&&Skip::DirectoryLink));
    assert_eq!(reasons.get("loop.md"), Some(&&Skip::DeadLink), "a circle leads nowhere");
    let tree = tree(&env, "");
    for (path, skip) in [
        ("file.md", None),
        ("outside.md", Some(Skip::LinkOutside)),
        ("dead.md", Some(Skip::DeadLink)),
        ("directory.md", Some(Skip::DirectoryLink)),
        ("directory/a.md", Some(Skip::DirectoryLink)),
    ] {
        assert_eq!(corpus::skip_reason(&tree, path), skip, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn no_link_makes_a_document_of_what_never_is_one() {
    let env = TestEnv::with(&[
        ("t/.git/config", "token"),
        ("t/.gitignore", "private/\nkeys.txt\n"),
        ("t/.env", "password"),
        ("t/docs/.hidden/a.md", "a"),
        ("t/node_modules/b/readme.md", "b"),
        ("t/private/c.md", "c"),
        ("t/keys.txt", "d"),
        ("t/docs/open.md", "e"),
    ]);
    let barred =
        [".git/config", ".env", "docs/.hidden/a.md", "node_modules/b/readme.md", "private/c.md", "keys.txt"];
    for (nr, target) in barred.iter().enumerate() {
        env.link(format!("../{target}"), &format!("t/docs/{nr}.md"));
    }
    env.link("0.md", "t/docs/twice.md");
    env.link("open.md", "t/docs/fine.md");
    let scan = walk(&env, "");
    assert_eq!(paths(&scan), ["docs/fine.md", "docs/open.md"]);
    let tree = tree(&env, "");
    for name in (0..barred.len()).map(|nr| nr.to_string()).chain(["twice".to_owned()]) {
        let path = format!("docs/{name}.md");
        assert_eq!(scan.skipped.get(&path), Some(&Skip::LinkBarred), "{path}");
        assert_eq!(corpus::skip_reason(&tree, &path), Some(Skip::LinkBarred), "{path}");
    }
    assert_eq!(corpus::skip_reason(&tree, "docs/fine.md"), None);
    // A pattern that names one hidden directory opens no other, and excluded files stay excluded.
    env.write("t/.github/own.md", "f");
    env.write("t/secret/g.md", "g");
    env.link("../.github/own.md", "t/docs/named.md");
    env.link("../secret/g.md", "t/docs/excluded.md");
    let scan = walk(&env, "include = [\"docs/*.md\", \".github/**\"], exclude = [\"secret/\"]");
    assert_eq!(paths(&scan), [".github/own.md", "docs/fine.md", "docs/named.md", "docs/open.md"]);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_reported_and_not_taken_for_empty() {
    use std::os::unix::fs::PermissionsExt;
    let env = TestEnv::with(&[("t/locked/a.md", ""), ("t/open.md", "")]);
    let locked = env.path("t/locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let bound = fs::read_dir(&locked).is_err();
    let scan = walk(&env, "");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    // Permissions don't apply to the superuser, who then sees the file.
    if bound {
        assert_eq!(paths(&scan), ["open.md"]);
        assert!(matches!(scan.skipped.get("locked/"), Some(Skip::Unreadable(_))));
        assert!(scan.is_unseen("locked/a.md") && !scan.is_unseen("locked.md"));
    } else {
        assert_eq!(paths(&scan), ["locked/a.md", "open.md"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_unicode_are_reported() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let env = TestEnv::with(&[("t/good.md", ""), ("t/\u{fffd}.md", "")]);
    fs::write(env.path("t").join(OsStr::from_bytes(b"bad\xff.md")), "").unwrap();
    let scan = walk(&env, "");
    assert_eq!(paths(&scan), ["good.md", "\u{fffd}.md"]);
    assert_eq!(scan.skipped.get("bad\u{fffd}.md"), Some(&Skip::NotUnicode));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_never_opened() {
    let env = TestEnv::with(&[("t/a.md", "")]);
    let made = std::process::Command::new("mkfifo").arg(env.path("t/pipe.md")).status();
    if made.is_ok_and(|status| status.success()) {
        assert_eq!(paths(&walk(&env, "")), ["a.md"]);
    }
}

#[test]
fn the_reason_names_the_rule() {
    let env = TestEnv::with(&[
        (".git/HEAD", ""),
        ("t/.gitignore", "# all drafts\n*.draft.md\n"),
        ("t/a.draft.md", ""),
    ]);
    let tree = tree(&env, "exclude = [\"old/\"], include = [\"**/*\"]");
    let ignored = format!("`*.draft.md` in {}", env.path("t/.gitignore").display());
    for (path, skip) in [
        ("a.draft.md", Skip::Ignored(ignored)),
        ("old/a.md", Skip::Filtered("the exclude pattern `old/` matches".to_owned())),
        ("a.png", Skip::Filtered("its type is not indexed unless a pattern names it".to_owned())),
        (".x/a.md", Skip::Hidden),
        ("node_modules/a.md", Skip::Never),
        (".git/a.md", Skip::Never),
    ] {
        assert_eq!(corpus::skip_reason(&tree, path), Some(skip), "{path}");
    }
}

#[test]
fn ignored_entries_are_listed_with_the_rule() {
    let machine = TestEnv::with(&[
        (".git/HEAD", ""),
        ("t/.gitignore", "*.log\n/build/\n"),
        ("t/a.md", ""),
        ("t/deep/x.log", ""),
        ("t/build/b.md", ""),
        ("t/.hidden.log", ""),
    ]);
    let file = machine.path("t/.gitignore").display().to_string();
    let expected = [("build/", format!("`/build/` in {file}")), ("deep/x.log", format!("`*.log` in {file}"))];
    let expected = expected.map(|(path, reason)| (path.to_owned(), reason));
    assert_eq!(walk(&machine, "").ignored.into_iter().collect::<Vec<_>>(), expected);
    assert!(walk(&machine, "ignore = false").ignored.is_empty());
    assert!(corpus::walk(&tree(&machine, ""), WalkDetail::Documents).ignored.is_empty());
}

#[cfg(unix)]
#[test]
fn only_plain_files_of_the_tree_are_opened_by_name() {
    use ra_core::corpus::NotOpened;
    let machine = TestEnv::with(&[
        (".git/HEAD", ""),
        ("t/.gitignore", "secret*\n"),
        ("t/img/a.png", "1"),
        ("t/.hidden/a.png", ""),
        ("t/.git/a.png", ""),
        ("t/node_modules/a.png", ""),
        ("t/secret.png", ""),
        ("t/old/a.png", ""),
        ("outside.png", ""),
    ]);
    machine.link("../outside.png", "t/link.png");
    machine.link("img/a.png", "t/inner.png");
    machine.link("..", "t/up");
    machine.link("img", "t/same");
    let tree = tree(&machine, "exclude = [\"old/\"]");
    let opened = |path: &str| corpus::open_named(&tree, path).map(drop);
    assert_eq!(opened("img/a.png"), Ok(()));
    for (path, reason) in [
        ("", NotOpened::Missing),
        ("img/b.png", NotOpened::Missing),
        ("img/a.png/", NotOpened::Missing),
        ("img/a.png/x", NotOpened::Missing),
        ("img//a.png", NotOpened::Missing),
        ("./img/a.png", NotOpened::Missing),
        ("../outside.png", NotOpened::Missing),
        ("img/../../outside.png", NotOpened::Missing),
        ("/etc/passwd", NotOpened::Missing),
        ("img\\a.png", NotOpened::Missing),
        ("img/a.png\0", NotOpened::Missing),
        ("%2e%2e/outside.png", NotOpened::Missing),
        ("link.png", NotOpened::Link),
        ("inner.png", NotOpened::Link),
        ("up/outside.png", NotOpened::Link),
        ("same/a.png", NotOpened::Link),
        (".hidden/a.png", NotOpened::Barred),
        (".git/a.png", NotOpened::Barred),
        ("node_modules/a.png", NotOpened::Barred),
        ("secret.png", NotOpened::Barred),
        ("old/a.png", NotOpened::Barred),
        ("img", NotOpened::Unreadable),
    ] {
        assert_eq!(opened(path), Err(reason), "{path:?}");
    }
    let outside = ra_core::config::Tree { outside: true, ..tree.clone() };
    assert_eq!(corpus::open_named(&outside, "img/a.png").map(drop), Err(NotOpened::OutsideProject));
}

#[test]
fn the_beginning_of_a_file_tells_whether_it_is_text() {
    for (bytes, binary) in [
        (&b""[..], false),
        (b"plain", false),
        (b"one \0 byte in a long enough line of text", false),
        (b"\0\0\0\0", true),
        (b"\x89PNG\r\n\x1a\n", true),
        (b"%PDF-1.7\n", true),
        (b"PK\x03\x04rest", true),
        (b"GIF89a\x01\0\x01\0", true),
        (b"GIF89a is the name of a format.\n", false),
        (b"OggS and friends: a note on containers\n", false),
        (b"\xff\xfeh\0i\0", false),
        (b"\xe9t\xe9 in Latin-1", false),
        (b"\x1b[31mcoloured log\x1b[0m\n", false),
    ] {
        let env = TestEnv::new();
        env.write("x", bytes);
        assert_eq!(corpus::is_binary(&env.path("x")).unwrap(), binary, "{}", bytes.escape_ascii());
        let loaded = load(&env, "x");
        assert_eq!(matches!(loaded.content, Content::Binary), binary, "{}", bytes.escape_ascii());
    }
}

/// Collects everything below a directory that isn't a directory, including links.
fn files_below(root: &Path, prefix: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(root.join(prefix)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            files_below(root, &format!("{path}/"), found);
        } else {
            found.insert(path);
        }
    }
}

const DIRECTORIES: &[&str] = &["a", "b", "docs", ".hidden", "node_modules", ".git", "x.md"];
const FILES: &[&str] =
    &["x.md", "y.txt", "z.png", ".h.md", "README", "keep.md", "link.md", "dead.md", ".gitignore", ".ignore"];
const RULES: &[&str] = &[
    "*.md",
    "!keep.md",
    "/a",
    "b/",
    "docs/*",
    "!docs/x.md",
    "x.md",
    "**/a/*.txt",
    "/t/b",
    "a/b/",
    "!*",
    "*",
    "!a/",
    "#",
    "y.txt",
];
const KEYS: &[&str] = &[
    "",
    "ignore = false",
    "include = [\"**/*\"]",
    "include = [\"*.png\", \"a/**\"]",
    "exclude = [\"b/\", \"keep.md\"]",
    "include = [\".hidden/**\", \"*.md\"]",
    "include = [\"docs/\"], exclude = [\"*.txt\"]",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..cases(200) })]

    #[test]
    fn a_file_is_found_exactly_when_there_is_no_reason_against_it(
        files in proptest::collection::vec(
            (proptest::collection::vec(proptest::sample::select(DIRECTORIES), 0..4), proptest::sample::select(FILES)),
            1..24,
        ),
        rules in proptest::collection::vec(proptest::sample::select(RULES), 1..6),
        above in proptest::collection::vec(proptest::sample::select(RULES), 0..3),
        in_git in any::<bool>(),
        keys in proptest::sample::select(KEYS),
    ) {
        let env = TestEnv::new();
        env.directory("t");
        if in_git {
            env.write(".git/HEAD", "");
            env.write(".gitignore", above.join("\n"));
        }
        for (nr, (directories, name)) in files.iter().enumerate() {
            let directory = env.path("t").join(directories.join("/"));
            // The name may already be that of a directory, or of a file where a directory should be.
            if fs::create_dir_all(&directory).is_err() {
                continue;
            }
            let path = directory.join(name);
            let _ = match *name {
                ".gitignore" | ".ignore" => fs::write(&path, rules[nr % rules.len()..].join("\n")),
                #[cfg(unix)]
                "link.md" => std::os::unix::fs::symlink("x.md", &path),
                #[cfg(unix)]
                "dead.md" => std::os::unix::fs::symlink("nothing", &path),
                _ => fs::write(&path, "text"),
            };
        }
        let tree = tree(&env, keys);
        let scan = corpus::walk(&tree, WalkDetail::Documents);
        let found: BTreeSet<&str> = paths(&scan).into_iter().collect();
        prop_assert_eq!(found.len(), scan.files.len());
        let mut all = BTreeSet::new();
        files_below(&tree.root, "", &mut all);
        for path in &all {
            let why = corpus::skip_reason(&tree, path);
            prop_assert_eq!(found.contains(path.as_str()), why.is_none(), "{}: {:?}", path, why);
        }
        prop_assert!(found.iter().all(|path| all.contains(*path)));
    }

    #[test]
    fn the_walk_finds_what_git_would_add(
        files in proptest::collection::vec(
            (proptest::collection::vec(proptest::sample::select(&["a", "b", "docs"][..]), 0..4), proptest::sample::select(&["x.md", "y.txt", "keep.md", ".gitignore"][..])),
            1..20,
        ),
        rules in proptest::collection::vec(proptest::sample::select(RULES), 1..6),
        excluded in proptest::collection::vec(proptest::sample::select(RULES), 0..3),
    ) {
        let env = TestEnv::new();
        env.write("t/.gitignore", rules.join("\n"));
        // Without git, there is nothing to compare with.
        if git(&env, &["init", "--quiet"]).is_none() {
            return Ok(());
        }
        env.write("t/.git/info/exclude", excluded.join("\n"));
        for (nr, (directories, name)) in files.iter().enumerate() {
            let path = ["t"].iter().chain(directories).chain([name]).copied().collect::<Vec<_>>().join("/");
            env.write(&path, rules[nr % rules.len()..].join("\n"));
        }
        let listed = git(&env, &["ls-files", "--others", "--exclude-standard"]).unwrap_or_default();
        let mut expected: Vec<&str> = listed.lines().filter(|path| !path.ends_with(".gitignore")).collect();
        expected.sort_unstable();
        let scan = walk(&env, "");
        prop_assert_eq!(paths(&scan), expected);
    }
}

/// Runs git in the tree's directory, independent of the user's own configuration.
fn git(env: &TestEnv, args: &[&str]) -> Option<String> {
    let mut command = std::process::Command::new("git");
    command.args(args).current_dir(env.path("t")).env("HOME", env.path("home"));
    command.env("GIT_CONFIG_NOSYSTEM", "1").env_remove("XDG_CONFIG_HOME").env_remove("GIT_DIR");
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

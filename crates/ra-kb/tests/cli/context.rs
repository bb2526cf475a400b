//! `ra context` and `ra similar` through the process.

use crate::sandbox::Sandbox;

/// The configuration from the specification, with additions of a project.
const CONFIG: &str = r#"
root = true

[context]
limit = 10
min_term_frequency = 2
min_word_length = 4
max_word_length = 30
sample_size = 50000

[context.patterns]
"*.rs" = ["rust"]
"*.py" = ["python"]
"src/api/**" = ["http", "handlers", "routing", "REST"]
"src/auth/**" = ["authentication", "security", "jwt"]
"src/db/**" = ["database", "queries", "migrations"]
"tests/**" = ["testing", "fixtures"]

[[context.rules]]
match = "src/db/**"
terms = ["postgres"]
trees = ["notes"]
include = ["docs:db.md#conventions"]

[trees]
docs = "docs"
notes = "notes"
"#;

const HANDLERS: &str = "\
//! Handlers for the REST interface: each route answers with JSON.

/// Parses the pagination cursor of a request.
fn parse_cursor(text: &str) -> Option<PaginationCursor> {
    PaginationCursor::decode(text)
}
";

fn project() -> Sandbox {
    Sandbox::with(&[
        (".ra.toml", CONFIG),
        ("docs/rust.md", "# Rust style\n\nHow we write rust.\n"),
        ("docs/http.md", "# HTTP\n\nRouting of http requests to handlers, REST style.\n"),
        ("docs/pagination.md", "# Pagination\n\nA cursor says where the next page begins.\n"),
        ("docs/db.md", "# Database\n\nAbout queries.\n\n## Conventions\n\nName tables in the plural.\n"),
        ("docs/cooking.md", "# Soup\n\nPeel the onions.\n"),
        ("notes/db.md", "# Migrations\n\nRun the migrations of postgres by hand.\n"),
        ("src/api/handlers.rs", HANDLERS),
        ("src/db/pool.rs", "fn pool() {}\n"),
    ])
}

#[test]
fn globs_are_relative_to_the_file_that_has_them() {
    let project = project();
    project.write("deep/.ra.toml", "[context.patterns]\n\"src/*.rs\" = [\"onions\"]\n");
    project.write("deep/src/main.rs", "fn main() {}\n");
    project.write("src/main.rs", "fn main() {}\n");
    for (directory, file, word, is_added) in [
        (".", "src/db/pool.rs", "postgres", true),
        ("deep", "../src/db/pool.rs", "postgres", true),
        ("deep", "src/main.rs", "onions", true),
        ("deep", "../src/main.rs", "onions", false),
    ] {
        let shown = project.run(&["-C", directory, "context", "--explain", "--list", file]);
        assert_eq!(shown.contains(word), is_added, "{directory} {file}: {shown}");
    }
}

/// A file that is a document is never part of its own context, whatever path leads to it.
#[cfg(unix)]
#[test]
fn the_files_themselves_are_no_answer_through_links_either() {
    let sandbox = Sandbox::with(&[
        (
            ".ra.toml",
            "root = true\n[trees]\nl = \"link\"\n[[context.rules]]\nmatch = \"*.rs\"\ninclude = [\"b.md\"]\n",
        ),
        ("real/a.md", "# Soup\n\nPeel the onions for the soup, then cook the soup.\n"),
        ("real/b.md", "# Stew\n\nCook the stew like the soup.\n"),
        ("main.rs", "// soup soup\n"),
    ]);
    std::os::unix::fs::symlink("real", sandbox.path("link")).unwrap();
    std::os::unix::fs::symlink("a.md", sandbox.path("real/again.md")).unwrap();
    assert_eq!(ids(&sandbox, &["context", "real/a.md"]), ["l:b.md#stew"]);
    assert_eq!(ids(&sandbox, &["similar", "real/a.md"]), ["l:b.md#stew"]);
    let found = ids(&sandbox, &["context", "main.rs", "real/b.md"]);
    assert!(!found.is_empty() && !found.iter().any(|id| id.starts_with("l:b.md")), "{found:?}");
    assert_eq!(
        ids(&sandbox, &["context", "main.rs", "-n", "1"]),
        ["l:b.md"],
        "the limit holds with rules too"
    );
    assert!(sandbox.run(&["inspect", "real/a.md"]).contains("yes, as l:a.md"));
}

#[test]
fn a_directory_is_no_file() {
    let (code, _, said) = piped(&project(), &["context", "docs"], b"");
    assert_eq!(code, Some(2));
    assert!(said.contains("docs is a directory\nhint: name the files"), "{said}");
}

fn piped(sandbox: &Sandbox, args: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let output = sandbox.command().args(args).write_stdin(input).output().expect("a process");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn ids(sandbox: &Sandbox, args: &[&str]) -> Vec<String> {
    let answer = sandbox.json(args);
    let results = answer["queries"][0]["results"].as_array().expect("results");
    results.iter().map(|result| result["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn the_patterns_of_the_specification_add_their_words() {
    let sandbox = project();
    let answer = sandbox.json(&["context", "src/api/handlers.rs", "--explain"]);
    let explain = &answer["queries"][0]["explain"];
    let terms = explain["terms"].as_array().expect("terms");
    let terms: Vec<String> =
        terms.iter().map(|term| term["term"].as_str().expect("a term").to_lowercase()).collect();
    for term in ["rust", "http", "handlers", "routing", "rest"] {
        assert!(terms.iter().any(|known| known == term), "{term} is not among {terms:?}");
    }
    assert_eq!(explain["patterns"][0]["pattern"], "*.rs");
    assert_eq!(explain["patterns"][1]["pattern"], "src/api/**");
    let printed = sandbox.run(&["context", "src/api/handlers.rs", "--explain", "--list"]);
    for word in ["rust", "http", "handlers", "routing", "REST", "src/api/handlers.rs matches src/api/**"] {
        assert!(printed.contains(word), "{word}: {printed}");
    }
}

#[test]
fn what_matters_for_a_file_is_found_and_nothing_else() {
    let sandbox = project();
    let found = ids(&sandbox, &["context", "src/api/handlers.rs"]);
    assert!(found.contains(&"docs:http.md#http".to_owned()), "{found:?}");
    assert!(found.contains(&"docs:pagination.md#pagination".to_owned()), "{found:?}");
    assert!(!found.iter().any(|id| id.contains("cooking")), "{found:?}");
    assert_eq!(ids(&sandbox, &["context", "src/api/handlers.rs", "-n", "1"]).len(), 1);
    let inside = ids(&sandbox, &["-C", "src/api", "context", "handlers.rs"]);
    assert_eq!(inside, found, "a file is the same from wherever it is named");
}

#[test]
fn rules_add_words_keep_to_trees_and_include_documents() {
    let sandbox = project();
    let expected = ["docs:db.md#conventions", "notes:db.md#migrations"];
    for path in ["src/db/pool.rs", "./src/db/pool.rs", "src//db/./pool.rs", "src/api/../db/pool.rs"] {
        assert_eq!(ids(&sandbox, &["context", path]), expected, "{path}");
    }
    assert_eq!(ids(&sandbox, &["-C", "docs", "context", "../src/db/pool.rs"]), expected);
    assert_eq!(ids(&sandbox, &["context", "-n", "1", "src/db/pool.rs"]).len(), 1);
    let moved = "diff --git a/src/db/pool.rs b/src/pool.rs\nsimilarity index 100%\nrename from src/db/pool.rs\nrename to src/pool.rs\n";
    let (_, out, _) = piped(&sandbox, &["context", "--list", "-"], moved.as_bytes());
    assert!(out.contains("docs:db.md#conventions"), "the path before a change counts, too: {out}");
}

#[test]
fn a_rule_for_one_file_takes_nothing_from_another() {
    let sandbox = Sandbox::with(&[
        (
            ".ra.toml",
            "root = true\n[trees]\ndocs = \"docs\"\nnotes = \"notes\"\n[[context.rules]]\nmatch = \"src/db/**\"\n\
             trees = [\"docs\"]\ninclude = [\"docs:db.md\", \"docs:db.md#tables\", \"docs:api.md\"]\n",
        ),
        ("docs/db.md", "# Database\n\n## Tables\n\nIn the plural.\n\n## Pools\n\nA pool.\n"),
        ("docs/api.md", "# API\n\nNothing yet.\n"),
        ("notes/pool.md", "# Pool\n\nThe pool of workers.\n"),
        ("src/pool.rs", "fn pool_of_workers() {}\n"),
        ("src/db/mig.rs", "fn migrate() {}\n"),
    ]);
    let note = "notes:pool.md#pool".to_owned();
    assert!(ids(&sandbox, &["context", "src/pool.rs"]).contains(&note));
    assert!(ids(&sandbox, &["context", "src/pool.rs", "src/db/mig.rs"]).contains(&note));
    // The documents that a rule includes are all shown, each once, even beyond the limit.
    assert_eq!(ids(&sandbox, &["context", "src/db/mig.rs", "-n", "1"]), ["docs:db.md", "docs:api.md"]);
}

#[test]
fn every_key_of_a_configuration_file_counts() {
    let filler: String = (0..60).map(|nr| format!("key{nr}x: value{nr}y\n")).collect();
    let project = Sandbox::with(&[
        ("docs/probes.md", "# Probes\n\nA livenessProbe restarts a container.\n"),
        ("docs/other.md", "# Other\n\nNothing of interest.\n"),
        ("deploy.yaml", &format!("{filler}livenessProbe: 5\n")),
    ]);
    assert_eq!(ids(&project, &["context", "deploy.yaml"]), ["local:docs/probes.md#probes"]);
}

#[test]
fn a_document_is_not_context_for_itself() {
    let sandbox = project();
    let found = ids(&sandbox, &["context", "docs/http.md", "docs/pagination.md"]);
    assert!(!found.iter().any(|id| id.contains("http") || id.contains("pagination")), "{found:?}");
    let found = ids(&sandbox, &["similar", "docs:http.md#http"]);
    assert!(!found.is_empty() && !found.iter().any(|id| id.starts_with("docs:http.md")), "{found:?}");
    assert_eq!(found, ids(&sandbox, &["similar", "docs/http.md"]), "by id or by file");
    assert_eq!(found, ids(&sandbox, &["-C", "docs", "similar", "http.md#http"]), "or by section of a file");
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_answered() {
    let sandbox = project();
    sandbox.write("src/logo.png", b"\x89PNG\r\n\x1a\n\0\0\0".as_slice());
    let args = ["context", "--list", "src/api/handlers.rs", "src/logo.png", "src/nowhere.rs"];
    let output = sandbox.command().args(args).output().expect("a process");
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(0));
    assert!(said.contains("note: src/logo.png is binary and was skipped"), "{said}");
    assert!(said.contains("src/nowhere.rs: No such file or directory") && !said.contains("error:"), "{said}");
    assert!(String::from_utf8(output.stdout).expect("text").contains("docs:http.md"));
    let alone = sandbox.command().args(["context", "src/nowhere.rs"]).output().expect("a process");
    assert_eq!((alone.status.code(), alone.stdout.len()), (Some(2), 0));
}

#[test]
fn terms_that_no_section_has_are_not_explained() {
    let sandbox = Sandbox::with(&[
        (
            ".ra.toml",
            "root = true\n[context.patterns]\n\"*.rs\" = [\"heron\", \"heron stork\", \"stork egret\", \"heron::nest\", \"crane\"]\n\
             [trees]\ndocs = \"docs\"\n",
        ),
        ("docs/a.md", "# A\n\nA heron, and a nest of an egret.\n"),
        ("docs/b.md", "# B\n\nA stork and an egret.\n"),
        ("src/x.rs", "fn main() {}\n"),
    ]);
    let found = sandbox.json(&["context", "--explain", "src/x.rs"]);
    let terms = found["queries"][0]["explain"]["terms"].as_array().expect("terms").iter();
    let mut terms: Vec<&str> = terms.filter_map(|term| term["term"].as_str()).collect();
    terms.sort_unstable();
    assert_eq!(terms, ["heron", "stork egret"]);
}

#[test]
fn flags_are_the_top_layer_of_context_too() {
    let sandbox = project();
    sandbox.write(".ra.toml", format!("{CONFIG}\n"));
    let counts = |args: &[&str]| {
        let args = [&["context", "--explain", "src/api/handlers.rs"], args].concat();
        let found = sandbox.json(&args);
        let explain = &found["queries"][0]["explain"];
        (explain["cut"].as_str().map(str::to_owned), explain["hits"].as_array().map_or(0, Vec::len))
    };
    let (cut, all) = counts(&["--cutoff-ratio", "0"]);
    assert_eq!(cut.as_deref(), Some("none"));
    let (cut, few) = counts(&["--cutoff-ratio", "1"]);
    assert!(few < all && cut.is_some_and(|cut| cut.contains("falls steeply")), "{few} {all}");
    let web = "# Web\n\n## Routing\n\nRouting of http requests.\n\n## Style\n\nHandlers of http.\n\n## Soup\n\nOnions.\n";
    sandbox.write("docs/web.md", web);
    let listed = |threshold: &str| {
        let flags = ["--cutoff-ratio", "0", "--aggregation-threshold", threshold];
        sandbox.run(&[&["context", "--list"][..], &flags, &["src/api/handlers.rs"]].concat())
    };
    let (merged, apart) = (listed("0.1"), listed("1"));
    assert!(merged.contains("docs:web.md#web (") && !merged.contains("docs:web.md#style"), "{merged}");
    assert!(apart.contains("docs:web.md#routing (") && apart.contains("docs:web.md#style ("), "{apart}");
    let said = sandbox.run(&["context", "--aggregation-threshold", "2", "src/api/handlers.rs"]);
    assert!(said.contains("error: --aggregation-threshold: expected a number from 0 to 1"), "{said}");
}

const DIFF: &str = "\
diff --git a/src/old.rs b/src/api/cursor.rs
similarity index 90%
rename from src/old.rs
rename to src/api/cursor.rs
--- a/src/old.rs
+++ b/src/api/cursor.rs
@@ -1,3 +1,3 @@ fn page()
 fn page() {
-    offset();
+    pagination_cursor();
 }
\\ No newline at end of file
diff --git a/logo.png b/logo.png
Binary files a/logo.png and b/logo.png differ
";

#[test]
fn a_change_is_a_source_too() {
    let sandbox = project();
    for text in [DIFF.to_owned(), DIFF.replace('\n', "\r\n")] {
        let (code, out, said) = piped(&sandbox, &["context", "-", "--list"], text.as_bytes());
        assert_eq!(code, Some(0), "{said}");
        assert!(out.contains("docs:pagination.md#pagination"), "{out}");
        assert!(said.contains("logo.png is binary and was skipped"), "{said}");
    }
    let (code, out, said) = piped(&sandbox, &["context", "-"], b"this is no diff\n");
    assert_eq!((code, out.as_str()), (Some(0), ""));
    assert!(said.contains("of the diff"), "{said}");
    let (code, _, said) = piped(&sandbox, &["context", "-"], b"");
    assert_eq!(code, Some(2));
    assert!(said.contains("standard input is empty"), "{said}");
}

#[test]
fn git_is_asked_for_what_changed() {
    let sandbox = project();
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.current_dir(sandbox.path("")).args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().is_ok_and(|output| output.status.success())
    };
    assert!(git(&["init", "-q"]) && git(&["add", "."]) && git(&["commit", "-qm", "first"]));
    let (code, _, said) = piped(&sandbox, &["context", "--diff"], b"");
    assert_eq!(code, Some(0), "an empty answer is an answer");
    assert!(said.contains("nothing that git tracks has changed since `HEAD`"), "{said}");
    sandbox.write("src/api/handlers.rs", format!("{HANDLERS}// Peel onions for the soup.\n"));
    let found = ids(&sandbox, &["context", "--diff"]);
    assert!(found.contains(&"docs:cooking.md#soup".to_owned()), "{found:?}");
    // The user's git settings for diffs don't matter.
    assert!(git(&["config", "diff.relative", "true"]) && git(&["config", "diff.noprefix", "true"]));
    assert_eq!(ids(&sandbox, &["-C", "docs", "context", "--diff"]), found);
    let (code, _, said) = piped(&sandbox, &["context", "--diff", "nope"], b"");
    assert_eq!(code, Some(2));
    assert!(said.contains("git could not compare with `nope`") && said.contains("hint:"), "{said}");
}

#[test]
fn what_a_repository_configures_is_not_run() {
    let sandbox = project();
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.current_dir(sandbox.path("")).args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(args);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().is_ok_and(|output| output.status.success())
    };
    sandbox.write(".gitattributes", "*.rs filter=evil diff=evil\n*.md filter=process\n");
    assert!(git(&["init", "-q"]) && git(&["add", "."]) && git(&["commit", "-qm", "first"]));
    let marker = sandbox.path("ran");
    let run = format!("sh -c 'touch {}; cat'", marker.display());
    for key in [
        "core.pager",
        "pager.diff",
        "core.fsmonitor",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.clean",
        "filter.process.process",
        "alias.diff",
    ] {
        assert!(git(&["config", key, &run]));
    }
    assert!(git(&["config", "filter.evil.required", "true"]));
    sandbox.write("src/api/handlers.rs", format!("{HANDLERS}// Peel onions for the soup.\n"));
    sandbox.write("docs/cooking.md", "# Cooking\n\n## Soup\n\nOnions and a soup of peeled onions.\n");
    let found = ids(&sandbox, &["context", "--diff"]);
    assert!(!marker.exists());
    assert!(!found.is_empty());
    git(&["diff"]);
    assert!(marker.exists(), "git itself runs them");
    // A name that no argument can turn off.
    assert!(git(&["config", "filter.a=b.clean", &run]));
    let (code, _, said) = piped(&sandbox, &["context", "--diff"], b"");
    assert_eq!(code, Some(2));
    assert!(
        said.contains("the filter `a=b` cannot be turned off") && said.contains("hint: pipe a unified diff"),
        "{said}"
    );
}

#[test]
fn the_paths_of_a_diff_may_begin_at_the_project_or_where_it_was_made() {
    let sandbox = Sandbox::with(&[
        (".git/HEAD", ""),
        ("p/.ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n"),
        ("p/docs/pool.md", "# Pool\n\nThe pool of connections.\n"),
        ("p/docs/other.md", "# Other\n\nA pool has connections.\n"),
    ]);
    for (cwd, name) in [("p", "docs/pool.md"), ("p", "p/docs/pool.md"), ("p/docs", "pool.md")] {
        let diff = format!("--- {name}\n+++ {name}\n@@ -3 +3 @@\n-A pool.\n+The pool of connections.\n");
        let (_, out, _) = piped(&sandbox, &["-C", cwd, "context", "-", "--list"], diff.as_bytes());
        assert!(out.contains("docs:other.md") && !out.contains("docs:pool.md"), "{name}: {out}");
    }
    // A deleted file is not confused with an existing one of the same name, which is still found.
    let gone = "--- pool.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-The pool of connections.\n";
    let (_, out, _) = piped(&sandbox, &["-C", "p/docs", "context", "-", "--list"], gone.as_bytes());
    assert!(out.contains("docs:pool.md"), "{out}");
}

#[test]
fn mistakes_in_rules_are_reported_with_their_place() {
    let sandbox = project();
    sandbox.write(
        ".ra.toml",
        "[trees]\ndocs = \"docs\"\n[[context.rules]]\nterms = [\"a\"]\n[[context.rules]]\nmatch = \"*.rs\"\ntrees = [\"dcos\"]\nterm = \"x\"\n",
    );
    let output = sandbox.command().args(["context", "src/db/pool.rs"]).output().expect("a process");
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2));
    for part in ["needs `match`", "there is no tree `dcos`", "did you mean `docs`?", "unknown key `term`"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

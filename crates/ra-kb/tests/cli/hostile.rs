//! Clones of a malicious repository: none of the user's files are read, changed or removed.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::mcp::{Client, Http};
use crate::sandbox::Sandbox;

/// Files of the user that nobody else may read or change.
const PRECIOUS: &[(&str, &str)] = &[
    ("~/.bashrc", "export MINE=1\n"),
    ("~/.ssh/id_rsa", "PRIVATE KEY zebra\n"),
    ("~/.ssh/notes.md", "# Zebra key\n\nzebra secret\n"),
    ("~/.aws/credentials", "aws_secret_access_key = zebrasecret\n"),
    ("~/folder/mine.md", "# Mine\n\nzebra secret\n"),
];

/// Every command, with arguments that make it do its work.
const COMMANDS: &[&[&str]] = &[
    &["search", "zebra"],
    &["search", "--list", "zebra"],
    &["context", "docs/guide.md"],
    &["similar", "docs:guide.md"],
    &["get", "docs:guide.md"],
    &["links", "docs:guide.md"],
    &["cite", "docs:guide.md"],
    &["verify", "docs/guide.md"],
    &["ls", "docs"],
    &["ls", "chunks"],
    &["inspect", "docs/guide.md"],
    &["check", "--links"],
    &["check", "--report", "out/report.html"],
    &["doctor"],
    &["status"],
    &["config"],
    &["eval", "judged.jsonl"],
    &["eval", "--context"],
    &["completions", "bash"],
    &["man"],
    &["help", "query"],
    &["init"],
    &["agents", "--all"],
    &["agents", "--skill"],
    &["agents", "--remove", "--all"],
    &["update"],
    &["search", "zebra"],
];

fn project() -> Sandbox {
    let sandbox = Sandbox::with(PRECIOUS);
    sandbox.write(".ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n");
    sandbox.write("docs/guide.md", "# Guide\n\nThe zebra sleeps.\n");
    sandbox.write(".git/config", "[core]\n");
    sandbox.write("judged.jsonl", "{\"query\": \"zebra\", \"relevant\": [\"docs:guide.md\"]}\n");
    sandbox
}

/// Returns everything in the home directory except the cache, and all files of git: each path with its content
/// or link target.
fn belongings(sandbox: &Sandbox) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(directory: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(directory).unwrap().flatten() {
            let path = entry.path();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && !path.ends_with(".cache") {
                found.insert(path.clone(), b"directory".to_vec());
                walk(&path, found);
            } else if kind.is_symlink() {
                found.insert(
                    path.clone(),
                    fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes(),
                );
            } else if kind.is_file() {
                found.insert(path.clone(), fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(&sandbox.home(), &mut found);
    walk(&sandbox.path(".git"), &mut found);
    found
}

/// Returns the files of an index that `ra` itself has made, for the attacker to ship.
fn real_index(sandbox: &Sandbox) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(base: &Path, directory: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for path in fs::read_dir(directory).unwrap().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                walk(base, &path, found);
            } else {
                found.insert(path.strip_prefix(base).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    assert!(sandbox.run(&["search", "zebra"]).starts_with("exit code 0"));
    let mut found = BTreeMap::new();
    walk(&sandbox.index(""), &sandbox.index(""), &mut found);
    assert!(found.keys().any(|path| path.ends_with(".managed.json")), "{found:?}");
    found
}

/// Runs every command, and checks that the user's files are unchanged.
fn withstands(sandbox: &Sandbox, what: &str) {
    let before = belongings(sandbox);
    for command in COMMANDS {
        let shown = sandbox.run(command);
        assert!(!shown.contains("killed") && !shown.contains("panicked"), "{what}: {command:?}: {shown}");
        assert!(!shown.contains("secret"), "{what}: {command:?}: {shown}");
        assert_eq!(belongings(sandbox), before, "{what}: {command:?}: {shown}");
    }
    let mut client = Client::connect(sandbox);
    let answer =
        client.request("tools/call", json!({ "name": "search", "arguments": { "queries": ["zebra"] } }));
    assert!(!answer.to_string().contains("secret"), "{what}: {answer}");
    let answer = Http::start(sandbox, &[]).tool("search", json!({ "queries": ["zebra"] }));
    assert!(!answer.to_string().contains("secret"), "{what}: {answer}");
    assert_eq!(belongings(sandbox), before, "{what}");
}

#[test]
fn a_shipped_index_is_never_used_nor_written_into() {
    let sandbox = project();
    let files = real_index(&sandbox);
    // In turn, replaces each file of a shipped index by a link or appends garbage to it, next to a crafted list
    // of files; then replaces directories by links.
    for (nr, (path, bytes)) in files.iter().enumerate() {
        let sandbox = project();
        for (path, bytes) in &files {
            sandbox.write(&format!(".ra/index/{}", path.display()), bytes);
        }
        let managed = json!(["../../../.git/config", sandbox.path("~/.ssh/id_rsa"), "meta.json"]).to_string();
        sandbox.write(".ra/index/store-1/.managed.json", managed);
        let place = sandbox.path(&format!(".ra/index/{}", path.display()));
        fs::remove_file(&place).unwrap();
        match nr % 2 {
            0 => symlink(sandbox.path("~/.bashrc"), &place).unwrap(),
            _ => fs::write(&place, [bytes.as_slice(), b"garbage"].concat()).unwrap(),
        }
        withstands(&sandbox, &path.display().to_string());
        let shipped = fs::symlink_metadata(&place).unwrap();
        assert_eq!(shipped.is_symlink(), nr % 2 == 0, "it is left as it was");
    }
    for directory in [".ra", ".ra/index", ".ra/index/store-1"] {
        let sandbox = project();
        fs::create_dir_all(sandbox.path(directory).parent().unwrap()).unwrap();
        symlink(sandbox.path("~/folder"), sandbox.path(directory)).unwrap();
        withstands(&sandbox, directory);
    }
}

#[test]
fn a_shipped_index_is_named_where_somebody_looks() {
    let sandbox = project();
    sandbox.write(".ra/index/CURRENT", "store-1\n");
    let ignored = "[base]/project/.ra is ignored: the index is in the user's cache directory";
    assert!(sandbox.run(&["search", "zebra"]).contains(ignored), "the first answer says so");
    assert!(!sandbox.run(&["search", "zebra"]).contains(ignored), "and no other");
    assert!(sandbox.run(&["update"]).contains(ignored));
    assert!(sandbox.run(&["check"]).contains(ignored));
}

#[test]
fn names_in_an_index_are_bare_file_names() {
    let sandbox = project();
    let before = sandbox.run(&["search", "zebra"]);
    let victims = [sandbox.path(".git/config"), sandbox.path("~/.bashrc")];
    let managed = json!([victims[0], "../../../../.bashrc", "meta.json"]).to_string();
    fs::write(sandbox.index("store-1/.managed.json"), managed).unwrap();
    sandbox.write("docs/guide.md", "# Guide\n\nThe zebra wakes.\n");
    for args in [&["search", "zebra"][..], &["update"], &["search", "zebra"]] {
        assert!(sandbox.run(args).starts_with("exit code 0"));
    }
    assert!(victims.iter().all(|path| path.is_file()));
    sandbox.write("docs/guide.md", "# Guide\n\nThe zebra sleeps.\n");
    assert_eq!(sandbox.run(&["search", "zebra"]), before);
}

#[test]
fn links_and_pipes_in_place_of_settings_are_refused_at_once() {
    let pipe = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    for name in
        [".ignore", ".gitignore", "docs/.ignore", ".ra.toml", ".agents.md", "AGENTS.md", "docs/pipe.md"]
    {
        for target in ["/dev/zero", "pipe", "~/.aws/credentials"] {
            let sandbox = project();
            let _ = fs::remove_file(sandbox.path(name));
            match target {
                "pipe" => pipe(&sandbox.path(name)),
                "/dev/zero" => symlink(target, sandbox.path(name)).unwrap(),
                home => symlink(sandbox.path(home), sandbox.path(name)).unwrap(),
            }
            withstands_briefly(&sandbox, name, target);
        }
    }
}

/// Runs some commands, none of which may hang, use much memory, or show files that it must not read.
fn withstands_briefly(sandbox: &Sandbox, name: &str, target: &str) {
    let before = belongings(sandbox);
    for args in [&["search", "zebra"][..], &["status"], &["inspect", "docs/guide.md"], &["agents"]] {
        let mut command = Command::new(sandbox.command().get_program());
        command.current_dir(sandbox.project()).env_clear().env("HOME", sandbox.home()).args(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if start.elapsed() > Duration::from_secs(30) {
                child.kill().unwrap();
                panic!("{name} -> {target}: {args:?} does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().unwrap();
        let shown = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!shown.contains("secret"), "{name} -> {target}: {args:?}: {shown}");
    }
    assert_eq!(belongings(sandbox), before, "{name} -> {target}");
}

#[test]
fn links_in_place_of_client_files_and_reports_lead_nowhere() {
    for (link, target) in [
        (".codex/config.toml", "~/.aws/credentials"),
        (".mcp.json", "~/.aws/credentials"),
        (".cursor", "~/.aws"),
        ("out", "~/folder"),
        ("out/report.html", "~/folder/mine.md"),
    ] {
        let sandbox = project();
        fs::create_dir_all(sandbox.path(link).parent().unwrap()).unwrap();
        symlink(sandbox.path(target), sandbox.path(link)).unwrap();
        withstands(&sandbox, link);
    }
}

/// Runs git in a directory of the sandbox.
fn git(sandbox: &Sandbox, directory: &str, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgSign=false"]);
    command.args(args).current_dir(sandbox.path(directory)).env("HOME", sandbox.home());
    command.env("GIT_CONFIG_NOSYSTEM", "1").stdout(Stdio::null()).stderr(Stdio::null());
    assert!(command.status().expect("git").success(), "{args:?}");
}

#[test]
fn git_reads_no_repository_but_that_of_the_project() {
    let sandbox = Sandbox::with(&[
        ("~/victim/guide.md", "PASSWORD=zebrasecret\n"),
        ("~/library/guide.md", "# Library\n\nzebra\n"),
        ("own/guide.md", "# Guide\n\nzebra\n"),
        ("own/a.rs", "// zebra\n"),
        ("a:b/own/guide.md", "# Guide\n\nzebra\n"),
    ]);
    for directory in ["~/victim", "~/library", "own", "a:b/own"] {
        git(&sandbox, directory, &["init", "-q"]);
        git(&sandbox, directory, &["add", "."]);
        git(&sandbox, directory, &["commit", "-qm", "first"]);
    }
    let submodule = ["-c", "protocol.file.allow=always", "submodule"];
    let library = sandbox.path("~/library").display().to_string();
    // Git writes the second name in quotes.
    for directory in ["lib", "lib;2"] {
        git(&sandbox, "own", &[&submodule[..], &["add", &library, directory]].concat());
    }
    git(&sandbox, "own", &["commit", "-qm", "library"]);
    git(&sandbox, "own", &["worktree", "add", "-q", "../linked"]);
    git(&sandbox, "linked", &[&submodule[..], &["update", "--init"]].concat());
    let diff = |directory: &str| sandbox.run(&["-C", directory, "context", "--diff", "HEAD"]);
    let submodules = ["own/lib", "own/lib;2", "linked/lib"];
    for directory in [&["own", "linked", "a:b/own"], &submodules[..]].concat() {
        assert!(diff(directory).starts_with("exit code 0"), "{directory}: {}", diff(directory));
    }
    // This moves settings of the submodule to another file.
    for directory in submodules {
        git(&sandbox, directory, &["sparse-checkout", "set", "docs"]);
        git(&sandbox, directory, &["sparse-checkout", "disable"]);
        assert!(diff(directory).starts_with("exit code 0"), "{directory}: {}", diff(directory));
    }
    let victim = sandbox.path("~/victim/.git").display().to_string();
    let evil: [(&str, &dyn Fn()); 10] = [
        ("a file", &|| sandbox.write("evil/.git", format!("gitdir: {victim}\n"))),
        ("a link", &|| symlink(&victim, sandbox.path("evil/.git")).unwrap()),
        ("links to objects", &|| {
            git(&sandbox, "evil", &["init", "-q"]);
            sandbox.write("evil/.git/HEAD", "ref: refs/heads/master\n");
            for entry in fs::read_dir(sandbox.path("~/victim/.git/objects")).unwrap().flatten() {
                let link = sandbox.path("evil/.git/objects").join(entry.file_name());
                let _ = symlink(entry.path(), link);
            }
        }),
        ("links to files of objects", &|| {
            git(&sandbox, "evil", &["init", "-q"]);
            for directory in fs::read_dir(sandbox.path("~/victim/.git/objects")).unwrap().flatten() {
                let objects = sandbox.path("evil/.git/objects").join(directory.file_name());
                fs::create_dir_all(&objects).unwrap();
                for file in fs::read_dir(directory.path()).unwrap().flatten() {
                    symlink(file.path(), objects.join(file.file_name())).unwrap();
                }
            }
        }),
        ("a link among refs", &|| {
            git(&sandbox, "evil", &["init", "-q"]);
            fs::create_dir_all(sandbox.path("evil/.git/refs/heads/a")).unwrap();
            symlink(format!("{victim}/refs/heads"), sandbox.path("evil/.git/refs/heads/a/b")).unwrap();
        }),
        ("a submodule without data", &|| {
            sandbox.write("evil/sub/.git", "gitdir: ../.git/modules/x\n");
            sandbox.write("evil/.git/modules/x/HEAD", "ref: refs/heads/master\n");
            sandbox.write("evil/.git/modules/x/config", "[core]\n\tworktree = ../../../sub\n");
            sandbox.write("evil/.git/modules/x/commondir", &victim);
        }),
        ("a submodule of another work tree", &|| {
            git(&sandbox, "evil", &["init", "-q"]);
            fs::create_dir(sandbox.path("evil/.git/modules")).unwrap();
            git(&sandbox, "evil", &["init", "-q", "--separate-git-dir=.git/modules/x", "other"]);
            sandbox.write("evil/sub/.git", "gitdir: ../.git/modules/x\n");
        }),
        ("commondir", &|| {
            sandbox.write("evil/.git/commondir", &victim);
            sandbox.write("evil/.git/HEAD", "ref: refs/heads/master\n");
        }),
        ("alternates", &|| {
            git(&sandbox, "evil", &["init", "-q"]);
            sandbox.write("evil/.git/objects/info/alternates", format!("{victim}/objects\n"));
        }),
        ("a work tree", &|| {
            sandbox.write("evil/x/worktrees/y/commondir", &victim);
            sandbox.write("evil/x/worktrees/y/gitdir", sandbox.path("evil/.git").display().to_string());
            sandbox.write("evil/.git", "gitdir: x/worktrees/y\n");
        }),
    ];
    for (what, make) in evil {
        let _ = fs::remove_dir_all(sandbox.path("evil"));
        sandbox.write("evil/guide.md", "# Guide\n\nzebra\n");
        make();
        let directory = if sandbox.path("evil/sub").exists() { "evil/sub" } else { "evil" };
        let shown = diff(directory);
        assert!(shown.contains(".git leads to the data of another repository"), "{what}: {shown}");
        assert!(!shown.contains("secret"), "{what}: {shown}");
    }
    // Git passes over a `.git` that isn't a repository.
    sandbox.write("evil/.git", format!("gitdir: {victim}\n"));
    for (directory, head) in [
        ("evil/empty", ""),
        ("evil/a:b/empty", ""),
        ("evil/no-ref", "ref: ../refs/heads/main\n"),
        ("evil/form-feed", "ref:\u{c}refs/heads/main\n"),
        ("evil/short-hash", "0123456789abcdef\n"),
    ] {
        for name in ["objects", "refs"] {
            fs::create_dir_all(sandbox.path(directory).join(".git").join(name)).unwrap();
        }
        sandbox.write(&format!("{directory}/.git/HEAD"), head);
        let shown = diff(directory);
        assert!(shown.contains(".git isn't a git repository"), "{directory}: {shown}");
        assert!(!shown.contains("secret"), "{directory}: {shown}");
    }
}

#[test]
fn context_of_what_is_no_file_answers_and_keeps_the_server_alive() {
    let sandbox = project();
    for name in ["a.pipe", "b.pipe", "c.pipe"] {
        assert!(Command::new("mkfifo").arg(sandbox.path(name)).status().unwrap().success());
    }
    symlink("/dev/zero", sandbox.path("zero.rs")).unwrap();
    let mut client = Client::connect(&sandbox);
    for file in ["a.pipe", "b.pipe", "c.pipe", "zero.rs", "a.pipe", "b.pipe"] {
        let arguments = json!({ "files": [file] });
        let answer = client.request("tools/call", json!({ "name": "context", "arguments": arguments }));
        assert!(answer.to_string().contains(file), "{answer}");
    }
    let arguments = json!({ "queries": ["zebra"] });
    let answer = client.request("tools/call", json!({ "name": "search", "arguments": arguments }));
    assert!(answer.to_string().contains("guide.md"), "{answer}");
}

#[test]
fn a_cache_that_others_can_write_is_not_trusted() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = project();
    let temporary = sandbox.path("~/tmp");
    fs::create_dir(&temporary).unwrap();
    fs::create_dir_all(sandbox.path("~/.cache/ra")).unwrap();
    fs::set_permissions(sandbox.path("~/.cache/ra"), fs::Permissions::from_mode(0o777)).unwrap();
    let output = sandbox.command().env("TMPDIR", &temporary).args(["search", "zebra"]).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && shown.contains("other users can write to it"), "{shown}");
    assert_eq!(fs::read_dir(sandbox.path("~/.cache/ra")).unwrap().count(), 0);
    let private = fs::read_dir(&temporary).unwrap().flatten().next().unwrap();
    assert_eq!(private.metadata().unwrap().permissions().mode() & 0o777, 0o700);
}

//! Many processes with one index: they search, update, and are killed in the middle.

use std::fs::{self, File};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use crate::sandbox::Sandbox;

const CONFIG: &str = "root = true\n[trees]\ndocs = \"docs\"\n[search]\nlimit = 500\n";

/// Creates a project with this many documents, each with a word of its own and one that all share.
fn project(documents: usize) -> Sandbox {
    let sandbox = Sandbox::with(&[(".ra.toml", CONFIG)]);
    for nr in 0..documents {
        write(&sandbox, nr, 0);
    }
    sandbox
}

fn write(sandbox: &Sandbox, nr: usize, round: usize) {
    // Write to a temporary file and rename it: a file that is being written is empty for a moment, and the
    // answer would be correct without it.
    sandbox.write(&format!("docs/{nr}.tmp"), format!("# Document {nr}\n\nzebra word{nr} round{round}\n"));
    fs::rename(sandbox.path(&format!("docs/{nr}.tmp")), sandbox.path(&format!("docs/{nr}.md"))).unwrap();
}

/// Returns a `std::process::Command` for `ra`, because these tests need the process itself.
pub(crate) fn process(sandbox: &Sandbox, args: &[&str]) -> Command {
    let mut command = Command::new(sandbox.command().get_program());
    command.current_dir(sandbox.project()).env_clear().env("HOME", sandbox.home()).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn search(sandbox: &Sandbox, query: &str) -> Command {
    let all = ["--json", "--no-aggregation", "--cutoff-ratio", "0", "--max-candidates", "5000"];
    process(sandbox, &[&["search", "--list", query], &all[..]].concat())
}

/// Returns the documents in an answer.
fn documents(output: &Output) -> Vec<String> {
    let shown = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an answer");
    let results = answer["queries"][0]["results"].as_array().expect("results");
    let mut paths: Vec<String> =
        results.iter().map(|result| result["path"].as_str().unwrap_or_default().to_owned()).collect();
    paths.sort();
    paths
}

/// Returns how many results an answer says it omitted because their files have changed since they were found.
fn vanished_count(output: &Output) -> usize {
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an answer");
    let notes = answer["queries"][0]["notes"].as_array().into_iter().flatten();
    let counts = notes.filter_map(|note| {
        let message = note["message"].as_str()?;
        let count = message.strip_prefix("left out because the disk no longer has what was indexed: ")?;
        count.split(' ').next()?.parse::<usize>().ok()
    });
    counts.sum()
}

/// Returns the documents that are on disk.
fn on_disk(sandbox: &Sandbox) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(sandbox.path("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Returns the names in the index directory besides stores and vectors, and the number of stores.
fn index_directory(sandbox: &Sandbox) -> (Vec<String>, usize) {
    let mut names: Vec<String> = fs::read_dir(sandbox.index(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.retain(|name| name != "page-vectors");
    let all = names.len();
    names.retain(|name| !name.starts_with("store-"));
    names.sort();
    let stores = all - names.len();
    (names, stores)
}

#[test]
fn searches_updates_and_deletions_at_once_end_in_the_right_answer() {
    const DOCUMENTS: usize = 60;
    let sandbox = project(DOCUMENTS);
    let first = search(&sandbox, "zebra").output().unwrap();
    assert_eq!(documents(&first).len(), DOCUMENTS);
    std::thread::scope(|scope| {
        for reader in 0..8 {
            let sandbox = &sandbox;
            scope.spawn(move || {
                for _ in 0..5 {
                    let output = search(sandbox, "zebra").output().unwrap();
                    let (found, left_out) = (documents(&output), vanished_count(&output));
                    // Ten documents are deleted and none added meanwhile, so every correct answer is in this
                    // range. It reports results omitted because a file was replaced or deleted after the index
                    // was compared with the disk.
                    assert!(
                        (DOCUMENTS - 10..=DOCUMENTS).contains(&(found.len() + left_out)),
                        "{reader}: {left_out} left out of {found:?}"
                    );
                }
            });
        }
        for writer in 0..2 {
            let sandbox = &sandbox;
            scope.spawn(move || {
                for round in 1..5 {
                    write(sandbox, 20 + writer, round);
                    let output = process(sandbox, &["update"]).output().unwrap();
                    let shown = String::from_utf8_lossy(&output.stderr);
                    assert_eq!(output.status.code(), Some(0), "{writer}: {shown}");
                }
            });
        }
        let sandbox = &sandbox;
        scope.spawn(move || {
            for nr in 0..10 {
                fs::remove_file(sandbox.path(&format!("docs/{nr}.md"))).unwrap();
                let output = search(sandbox, &format!("word{nr}")).output().unwrap();
                assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
            }
        });
    });
    assert_eq!(documents(&search(&sandbox, "zebra").output().unwrap()), on_disk(&sandbox));
    assert_eq!(documents(&search(&sandbox, "round4").output().unwrap()), ["20.md", "21.md"]);
    assert_eq!(index_directory(&sandbox), (vec!["CURRENT".to_owned(), "lock".to_owned()], 1));
}

#[test]
fn many_first_searches_at_once_make_one_index() {
    let sandbox = project(40);
    let children: Vec<Child> = (0..6).map(|_| search(&sandbox, "zebra").spawn().unwrap()).collect();
    for child in children {
        assert_eq!(documents(&child.wait_with_output().unwrap()).len(), 40);
    }
    assert_eq!(index_directory(&sandbox), (vec!["CURRENT".to_owned(), "lock".to_owned()], 1));
}

#[test]
fn a_process_killed_at_any_moment_leaves_an_index_that_answers() {
    const ROUNDS: usize = 60;
    let sandbox = project(12);
    for round in 1..=ROUNDS {
        // A change, a deletion and a new document, so every kind of work is in progress.
        write(&sandbox, round % 12, round);
        write(&sandbox, 100 + round, round);
        let _ = fs::remove_file(sandbox.path(&format!("docs/{}.md", 100 + round - 3)));
        let mut child = match round % 3 {
            0 => process(&sandbox, &["update"]),
            _ => search(&sandbox, "zebra"),
        }
        .spawn()
        .unwrap();
        // The delays cover the whole run time of the process, in a shuffled order.
        std::thread::sleep(Duration::from_micros((round * 37 % ROUNDS * 2500) as u64));
        // Ignore the error: a process that has finished cannot be killed.
        let _ = child.kill();
        child.wait().unwrap();
        if round % 4 == 0 {
            let output = search(&sandbox, "zebra").output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            let said = said.split("\"index\"").last().unwrap_or_default();
            assert_eq!(documents(&output), on_disk(&sandbox), "round {round}: {said}");
            let output = search(&sandbox, &format!("round{round}")).output().unwrap();
            assert_eq!(documents(&output).len(), 2, "round {round}");
        }
    }
    assert_eq!(documents(&search(&sandbox, "zebra").output().unwrap()), on_disk(&sandbox));
    // The next change cleans up after the killed processes.
    write(&sandbox, 0, ROUNDS + 1);
    assert_eq!(documents(&search(&sandbox, "zebra").output().unwrap()), on_disk(&sandbox));
    assert_eq!(index_directory(&sandbox), (vec!["CURRENT".to_owned(), "lock".to_owned()], 1));
}

#[test]
fn while_another_process_writes_the_last_commit_answers_and_says_so() {
    let sandbox = project(2);
    assert_eq!(documents(&search(&sandbox, "zebra").output().unwrap()).len(), 2);
    let lock = File::options().write(true).open(sandbox.index("lock")).unwrap();
    lock.lock().unwrap();
    write(&sandbox, 2, 0);
    let output = search(&sandbox, "zebra").output().unwrap();
    assert_eq!(documents(&output).len(), 2);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["index"]["stale"], "another process is updating the index");
    let shown = sandbox.run(&["search", "--list", "word1"]);
    assert!(shown.starts_with("exit code 0\n--- stdout\ndocs:1.md#document-1 "), "{shown}");
    assert!(shown.contains("another process is updating the index"), "{shown}");
    drop(lock);
    assert_eq!(documents(&search(&sandbox, "zebra").output().unwrap()).len(), 3);
}

/// True if a process has a file open.
#[cfg(target_os = "linux")]
fn has_open(process: u32, file: &std::path::Path) -> bool {
    let open = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    open.filter_map(|entry| fs::read_link(entry.path()).ok()).any(|path| path == file)
}

#[cfg(target_os = "linux")]
#[test]
fn an_update_waits_for_the_one_before_it() {
    let sandbox = project(2);
    assert_eq!(documents(&search(&sandbox, "zebra").output().unwrap()).len(), 2);
    let lock = File::options().write(true).open(sandbox.index("lock")).unwrap();
    lock.lock().unwrap();
    let lock_file = sandbox.index("lock").canonicalize().unwrap();
    let mut child = process(&sandbox, &["update"]).spawn().unwrap();
    while !has_open(child.id(), &lock_file) {
        assert!(child.try_wait().unwrap().is_none(), "the update did not wait");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.try_wait().unwrap().is_none(), "the update did not wait");
    drop(lock);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Runs `ra` under a `ulimit` of the shell, such as `-n 8` for eight open files.
#[cfg(unix)]
fn limited(sandbox: &Sandbox, limit: &str, args: &[&str]) -> Output {
    let ra = process(sandbox, args);
    let mut command = Command::new("sh");
    command.current_dir(sandbox.project()).env_clear().env("HOME", sandbox.home());
    command.args(["-c", &format!("ulimit {limit}; exec \"$0\" \"$@\"")]).arg(ra.get_program()).args(args);
    command.stdin(Stdio::null()).output().unwrap()
}

#[cfg(unix)]
#[test]
fn without_descriptors_the_error_is_clear_and_the_index_is_left_as_it_is() {
    let sandbox = project(5);
    assert_eq!(documents(&search(&sandbox, "zebra").output().unwrap()).len(), 5);
    let mut refused = 0;
    for most in 4..24 {
        write(&sandbox, 0, most);
        for args in [&["search", "zebra"][..], &["update"], &["mcp"]] {
            let output = limited(&sandbox, &format!("-n {most}"), args);
            let shown = String::from_utf8_lossy(&output.stderr);
            if shown.contains("error while loading shared libraries") {
                continue;
            }
            assert!(!shown.contains("panicked at"), "{most} {args:?}: {shown}");
            assert!(
                matches!(output.status.code(), Some(0 | 2)),
                "{most} {args:?}: {:?}\n{shown}",
                output.status
            );
            if output.status.code() == Some(2) {
                assert!(shown.starts_with("error: ") && shown.contains("hint: "), "{most} {args:?}: {shown}");
                refused += 1;
            }
        }
        assert!(!sandbox.index("damaged").exists(), "{most}: the index was in order");
    }
    assert!(refused > 3, "{refused}");
    assert_eq!(documents(&search(&sandbox, "round23").output().unwrap()), ["0.md"]);
    assert_eq!(index_directory(&sandbox), (vec!["CURRENT".to_owned(), "lock".to_owned()], 1));
}

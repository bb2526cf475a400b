//! Asks git when files were changed, and for a diff. A repository is hostile: nothing that it configures is run.

mod diff;
mod file_history;
mod repository;

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

pub(crate) use self::diff::diff;
pub(crate) use self::file_history::{FileCommit, FileHistory, WorkTreeFile};

/// The maximum time that git may take, and the maximum output that is read.
const GIT_TIMEOUT: Duration = Duration::from_secs(120);
const MAX_OUTPUT_BYTES: u64 = 1 << 30;
/// The maximum length of one path or time.
const MAX_TOKEN_BYTES: u64 = 1 << 16;

/// The mark of a time in the output; everything else is a path.
const TIME_MARK: &str = "\u{1}time ";

/// The times of the last commits that changed files.
#[derive(Debug, Default)]
pub(crate) struct LastChanges {
    /// In seconds since 1970, by path below the root of the work tree. Files that no commit has are missing.
    pub(crate) times: HashMap<String, i64>,
    /// True if git took too long, or printed too much, to find all of them.
    pub(crate) is_incomplete: bool,
}

/// Returns the times of the last commits that changed these files. The error is a reason for people.
pub(crate) fn last_changes(work_tree: &Path, files: &HashSet<String>) -> Result<LastChanges, String> {
    let mut command = git(work_tree)?;
    command.args(["log", "-z", "--name-only", "--no-renames", "--no-color", "--no-show-signature"]);
    command.args(["--no-ext-diff", "--no-textconv"]).arg(format!("--format={TIME_MARK}%ct"));
    let mut child = started(&mut command)?;
    let (found, has_ended) = read(&mut child, files);
    if !has_ended {
        // Everything is known, or it takes too long.
        let _ = child.kill();
    }
    let errors = child.stderr.take().map(first_line).unwrap_or_default();
    match child.wait() {
        Ok(status) if has_ended && !status.success() && found.times.is_empty() => Err(errors),
        _ => Ok(found),
    }
}

/// Starts git. The error is a reason for people.
fn started(command: &mut Command) -> Result<Child, String> {
    command.spawn().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "git is not installed".to_owned(),
        _ => format!("git could not be started: {error}"),
    })
}

/// Returns git for the work tree that contains a directory, without anything that the repository configures to be run.
/// The error is a reason for people.
fn git(directory: &Path) -> Result<Command, String> {
    let root = repository::work_tree_root(directory)?;
    let mut command = Command::new("git");
    // From the root, git finds the `.git` that was checked. Below it, it could find a bare repository first.
    command.arg("-C").arg(root.unwrap_or(directory));
    command.args(["--no-pager", "--literal-pathspecs", "--no-optional-locks"]);
    for setting in [
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "core.pager=cat",
        "safe.bareRepository=explicit",
        "log.showSignature=false",
        "log.showRoot=true",
        "log.follow=false",
        "log.mailmap=false",
        "diff.relative=false",
        "protocol.allow=never",
    ] {
        command.args(["-c", setting]);
    }
    // The repository must be the one in the work tree, and git must fetch nothing.
    for name in [
        "GIT_DIR",
        "GIT_COMMON_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_NAMESPACE",
    ] {
        command.env_remove(name);
    }
    if let Some(root) = root {
        // The repository may configure another directory.
        command.env("GIT_WORK_TREE", root);
    }
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_LAZY_FETCH", "1");
    command.env("GIT_ALLOW_PROTOCOL", "").env("GIT_NO_REPLACE_OBJECTS", "1").env("LC_ALL", "C");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command)
}

/// Reads the output until all files are known. Returns true with it if git has printed everything.
fn read(child: &mut Child, files: &HashSet<String>) -> (LastChanges, bool) {
    let (sender, receiver) = sync_channel(1024);
    let Some(output) = child.stdout.take() else { return (LastChanges::default(), true) };
    std::thread::spawn(move || send_tokens(output, &sender));
    let deadline = Instant::now() + GIT_TIMEOUT;
    let mut found = LastChanges::default();
    let mut time = 0;
    while found.times.len() < files.len() {
        let token: String = match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Some(token)) => token,
            Ok(None) => return (found, true),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                found.is_incomplete = true;
                break;
            }
        };
        let token = token.trim_start_matches('\n');
        match token.strip_prefix(TIME_MARK).map(|seconds| seconds.trim().parse()) {
            Some(seconds) => time = seconds.unwrap_or(time),
            None if files.contains(token) => {
                found.times.entry(token.to_owned()).or_insert(time);
            }
            None => {}
        }
    }
    (found, false)
}

/// Sends the tokens between NUL bytes, and `None` at the end.
fn send_tokens(output: impl Read, sender: &SyncSender<Option<String>>) {
    let mut output = BufReader::new(output.take(MAX_OUTPUT_BYTES));
    let mut total = 0;
    loop {
        let mut token = Vec::new();
        match output.by_ref().take(MAX_TOKEN_BYTES).read_until(0, &mut token) {
            Ok(0) => break,
            Ok(read) => total += read as u64,
            Err(_) => return,
        }
        if token.last() == Some(&0) {
            token.pop();
        }
        let token = String::from_utf8_lossy(&token).into_owned();
        // The receiver has all that it wants.
        if sender.send(Some(token)).is_err() {
            return;
        }
    }
    if total < MAX_OUTPUT_BYTES {
        let _ = sender.send(None);
    }
}

/// Returns the first line that isn't empty.
fn first_line(errors: impl Read) -> String {
    let mut text = Vec::new();
    let _ = errors.take(MAX_TOKEN_BYTES).read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text);
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or("git failed").trim().to_owned()
}

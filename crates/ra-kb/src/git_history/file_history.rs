//! The commits that changed one file, and its text at one of them.

use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use ra_core::config::git_root;

use super::{first_line, git, send_tokens, started};
use crate::child_output::output_of;

/// The maximum time that git may take for one file. A reader waits for it.
const FILE_TIMEOUT: Duration = Duration::from_secs(5);

/// How many commits are read.
const MAX_COMMITS: usize = 50;

/// A file in a git work tree.
#[derive(Clone, Debug)]
pub(crate) struct WorkTreeFile {
    work_tree: PathBuf,
    /// The path below the root of the work tree, with `/`.
    path: String,
}

/// The commits that changed a file under its present name.
#[derive(Debug, Default)]
pub(crate) struct FileHistory {
    /// The newest first.
    pub(crate) commits: Vec<FileCommit>,
    /// True if there are older commits.
    pub(crate) has_more: bool,
    /// True if git took too long to find all of them.
    pub(crate) is_incomplete: bool,
}

/// A commit that changed a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileCommit {
    /// The whole hash.
    pub(crate) id: String,
    /// The time of the commit, in seconds since 1970.
    pub(crate) time: i64,
    pub(crate) author: String,
    pub(crate) subject: String,
}

impl WorkTreeFile {
    /// Returns the file with its work tree; `None` if it isn't in one.
    pub(crate) fn new(file: &Path) -> Option<Self> {
        let file = file.canonicalize().ok()?;
        let work_tree = git_root(file.parent()?)?.to_owned();
        let below = file.strip_prefix(&work_tree).ok()?;
        let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
        Some(Self { path: parts?.join("/"), work_tree })
    }

    /// Returns the commits that changed the file. The error is a reason for people.
    pub(crate) fn history(&self) -> Result<FileHistory, String> {
        let mut command = git(&self.work_tree)?;
        command.args(["log", "-z", "--no-color", "--no-show-signature", "--no-notes", "--encoding=UTF-8"]);
        command.args(["--no-ext-diff", "--no-textconv", "--format=%H%x00%ct%x00%an%x00%s"]);
        command.arg(format!("--max-count={}", MAX_COMMITS + 1)).args(["HEAD", "--"]).arg(&self.path);
        let mut child = started(&mut command)?;
        let mut history = read_commits(&mut child);
        if history.is_incomplete || history.commits.len() > MAX_COMMITS {
            let _ = child.kill();
        }
        let error = child.stderr.take().map(first_line).unwrap_or_default();
        let has_failed = child.wait().is_ok_and(|status| status.code().is_some_and(|code| code != 0));
        if has_failed && history.commits.is_empty() && !history.is_incomplete {
            return Err(error);
        }
        history.has_more = history.commits.len() > MAX_COMMITS;
        history.commits.truncate(MAX_COMMITS);
        Ok(history)
    }

    /// Returns the text of the file at a commit; `None` if that has no such file, or one of more than `max` bytes.
    pub(crate) fn text_at(&self, commit: &str, max: u64) -> Option<String> {
        if commit.is_empty() || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut command = git(&self.work_tree).ok()?;
        command.args(["cat-file", "blob"]).arg(format!("{commit}:{}", self.path));
        let output = output_of(started(&mut command).ok()?, FILE_TIMEOUT, max).ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// Reads commits, each of four texts that end in a NUL byte.
fn read_commits(child: &mut Child) -> FileHistory {
    let mut history = FileHistory::default();
    let Some(output) = child.stdout.take() else { return history };
    let (sender, receiver) = sync_channel(64);
    std::thread::spawn(move || send_tokens(output, &sender));
    let deadline = Instant::now() + FILE_TIMEOUT;
    let mut fields: Vec<String> = Vec::new();
    while history.commits.len() <= MAX_COMMITS {
        match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Some(field)) => fields.push(field),
            Ok(None) | Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                history.is_incomplete = true;
                break;
            }
        }
        if let [id, time, author, subject] = fields.as_mut_slice() {
            let [id, author, subject] = [id, author, subject].map(std::mem::take);
            history.commits.push(FileCommit { id, time: time.parse().unwrap_or_default(), author, subject });
            fields.clear();
        }
    }
    history
}

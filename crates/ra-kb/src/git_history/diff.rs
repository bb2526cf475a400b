//! The diff between a revision and the files of the work tree.

use std::path::Path;
use std::process::{Command, Output};

use super::{GIT_TIMEOUT, first_line, git, started};
use crate::child_output::output_of;
use crate::error::{CliError, Result};

/// The maximum size of a diff, and of the names of all settings of filters.
const MAX_DIFF_BYTES: u64 = 64 << 20;
const MAX_SETTING_BYTES: u64 = 1 << 20;

const PIPE_HINT: &str = "pipe a unified diff of what matters into `ra context -`";
const REVISION_HINT: &str = "is this a git work tree, and does it have that revision?";

/// Returns the diff since a revision.
pub(crate) fn diff(directory: &Path, revision: &str) -> Result<String> {
    if revision.starts_with('-') {
        let message = format!("--diff: `{revision}` is not a revision");
        return Err(CliError::new(message).hint("name a commit, a branch or a tag"));
    }
    let failed = |reason: String, hint: &str| {
        let message = format!("--diff: git could not compare with `{revision}`: {reason}");
        CliError::new(message).hint(hint)
    };
    let mut command = git(directory).map_err(|reason| failed(reason, PIPE_HINT))?;
    for name in repository_filters(directory).map_err(|reason| failed(reason, PIPE_HINT))? {
        for setting in ["clean=", "process=", "required=false"] {
            command.arg("-c").arg(format!("filter.{name}.{setting}"));
        }
    }
    // Whatever is configured, paths must be relative to the work tree and have the usual prefixes.
    command.args(["diff", "--src-prefix=a/", "--dst-prefix=b/", "--no-color", "-O/dev/null"]);
    // Git would run itself in a submodule, with the configuration of that.
    command.args(["--ignore-submodules=dirty", "--submodule=short"]);
    command.args(["--no-ext-diff", "--no-textconv", revision, "--"]);
    let output = output_in_time(&mut command, MAX_DIFF_BYTES).map_err(|reason| failed(reason, PIPE_HINT))?;
    if !output.status.success() {
        // Outside of a work tree, git prints all of its options after the error.
        return Err(failed(first_line(output.stderr.as_slice()), REVISION_HINT));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn output_in_time(command: &mut Command, max_bytes: u64) -> std::result::Result<Output, String> {
    output_of(started(command)?, GIT_TIMEOUT, max_bytes).map_err(|reason| format!("it {reason}"))
}

/// Returns the names of the filters that the repository configures. No option of `git diff` turns them off. Those of
/// the user stay on: files that they change would differ from what was committed.
fn repository_filters(directory: &Path) -> std::result::Result<Vec<String>, String> {
    let mut command = git(directory)?;
    command.args(["config", "-z", "--show-scope", "--name-only", "--get-regexp", r"^filter\."]);
    let output = output_in_time(&mut command, MAX_SETTING_BYTES)?;
    // The code for no such setting.
    if !output.status.success() && output.status.code() != Some(1) {
        return Err(first_line(output.stderr.as_slice()));
    }
    let listed = String::from_utf8(output.stdout).map_err(|_| "a filter has a name that is not UTF-8")?;
    let tokens: Vec<&str> = listed.split_terminator('\0').collect();
    let mut names = Vec::new();
    for pair in tokens.chunks(2) {
        let [scope, key] = pair else { return Err("its list of filters cannot be read".to_owned()) };
        if matches!(*scope, "system" | "global" | "command") {
            continue;
        }
        let name = key.strip_prefix("filter.").and_then(|key| Some(key.rsplit_once('.')?.0));
        match name {
            // In an argument of git, the name of a setting ends at `=`.
            Some(name) if name.contains('=') => {
                return Err(format!("the filter `{name}` cannot be turned off"));
            }
            Some(name) => names.push(name.to_owned()),
            // A setting of no filter.
            None => {}
        }
    }
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

//! Planned changes to files. All files are planned first, so an error in one leaves all untouched.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use ra_core::Error;
use ra_core::files::{self, MAX_SETTINGS_BYTES, Replacement};
use similar::TextDiff;

use super::block::{self, Eol, Problem, Removed};
use super::client_file;
use super::clients::ClientConfig;
use super::section;
use crate::error::{CliError, Result};

/// A file before and after a change; `None` means that it does not exist.
#[derive(Clone, Debug)]
pub(crate) struct PlannedChange {
    /// The path as the user knows it.
    pub(crate) path: PathBuf,
    /// The path with all links resolved.
    target: PathBuf,
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
}

/// A change that is ready except for the last step.
#[derive(Debug)]
struct Staged<'a> {
    change: &'a PlannedChange,
    replacement: Option<Replacement>,
}

impl Staged<'_> {
    /// Takes the last step. If dropped instead, it leaves nothing behind.
    fn commit(self) -> Result<()> {
        let PlannedChange { path, target, .. } = self.change;
        match (self.replacement, self.change.outcome()) {
            (Some(replacement), _) => {
                replacement.commit().map_err(|error| Error::io("write", path, error))?
            }
            (None, FileAction::Removed) => {
                fs::remove_file(target).map_err(|error| Error::io("remove", path, error))?;
            }
            (None, _) => {}
        }
        Ok(())
    }
}

/// The desired state of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal<'a> {
    /// It contains a block with this text.
    Block(&'a str),
    /// It contains no block.
    NoBlock,
    /// It is a skill with this text.
    Skill(&'a str),
    /// There is no skill.
    NoSkill,
    /// It is the configuration of a client, with the entry for `ra`.
    Entry(&'a ClientConfig),
    /// It is the configuration of a client, without the entry.
    NoEntry(&'a ClientConfig),
}

/// The effect of a change on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileAction {
    Created,
    Changed,
    Unchanged,
    Removed,
}

impl PlannedChange {
    /// Reads a file and plans its change. Writes nothing.
    fn plan(path: &Path, place: &Path, goal: Goal<'_>) -> Result<PlannedChange> {
        let target = target_within(path, place)?;
        let before = match files::read(&target, MAX_SETTINGS_BYTES) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(Error::io("read", path, error).into()),
        };
        let after = match goal {
            Goal::Block(_) | Goal::NoBlock => with_block(path, before.as_deref(), goal)?,
            Goal::Skill(text) => Some(skill(path, before.as_deref(), text)?),
            Goal::NoSkill => before.clone().filter(|bytes| !section::is_our_skill(bytes)),
            Goal::Entry(_) | Goal::NoEntry(_) => with_entry(path, before.as_deref(), goal)?,
        };
        let change = PlannedChange { path: path.to_owned(), target, before, after };
        change.refuse_read_only()?;
        Ok(change)
    }

    /// Turns the change into a no-op, because another change already covers the same file.
    fn into_same_as_another(self) -> PlannedChange {
        PlannedChange { after: self.before.clone(), ..self }
    }

    pub(crate) fn outcome(&self) -> FileAction {
        match (&self.before, &self.after) {
            (before, after) if before == after => FileAction::Unchanged,
            (None, _) => FileAction::Created,
            (_, None) => FileAction::Removed,
            _ => FileAction::Changed,
        }
    }

    /// Returns the change as a unified diff for `patch -p1` or `git apply`; `None` if nothing changes.
    pub(crate) fn diff(&self, base: &Path) -> Option<String> {
        if self.outcome() == FileAction::Unchanged {
            return None;
        }
        let text = |side: &Option<Vec<u8>>| {
            String::from_utf8_lossy(side.as_deref().unwrap_or_default()).into_owned()
        };
        let (before, after) = (text(&self.before), text(&self.after));
        let name = self.path.strip_prefix(base).unwrap_or(&self.path).to_string_lossy();
        let name = name.trim_start_matches('/');
        let side = |letter: char, side: &Option<Vec<u8>>| match side {
            Some(_) => format!("{letter}/{name}"),
            None => "/dev/null".to_owned(),
        };
        let (old, new) = (side('a', &self.before), side('b', &self.after));
        Some(TextDiff::from_lines(&before, &after).unified_diff().header(&old, &new).to_string())
    }

    /// Writes the new contents beside the target. An unchanged file is not written.
    fn stage(&self) -> Result<Staged<'_>> {
        let replacement = match &self.after {
            Some(bytes) if self.outcome() != FileAction::Unchanged => {
                Some(self.replacement(bytes).map_err(|error| Error::io("write", &self.path, error))?)
            }
            _ => None,
        };
        Ok(Staged { change: self, replacement })
    }

    fn replacement(&self, bytes: &[u8]) -> io::Result<Replacement> {
        if let Some(directory) = self.target.parent() {
            fs::create_dir_all(directory)?;
        }
        Replacement::new(&self.target, bytes)
    }

    /// Refuses to replace a read-only file, even if the directory would allow it.
    fn refuse_read_only(&self) -> Result<()> {
        let protected = || fs::metadata(&self.target).is_ok_and(|found| found.permissions().readonly());
        if self.outcome() == FileAction::Unchanged || !protected() {
            return Ok(());
        }
        let message = format!("{} is read-only; nothing was written", self.path.display());
        Err(CliError::new(message).hint("make it writable and run `ra agents` again"))
    }
}

/// Plans the changes to all files before any is written. Several paths to the same file change it once. No link
/// may lead out of `place`, because the author of the repository controls its links.
pub(crate) fn plan(files: &[PathBuf], place: &Path, goal: Goal<'_>) -> Result<Vec<PlannedChange>> {
    let mut targets = BTreeSet::new();
    let mut changes = Vec::new();
    for file in files {
        let change = PlannedChange::plan(file, place, goal)?;
        let first = targets.insert(change.target.clone());
        changes.push(if first { change } else { change.into_same_as_another() });
    }
    Ok(changes)
}

/// Stages all changes, which may fail, before any file is replaced.
pub(crate) fn apply(changes: &[PlannedChange], goal: Goal<'_>) -> Result<()> {
    let staged = changes.iter().map(PlannedChange::stage).collect::<Result<Vec<_>>>()?;
    staged.into_iter().try_for_each(Staged::commit)?;
    let removed = changes.iter().filter(|change| change.outcome() == FileAction::Removed);
    for folder in removed.filter_map(|change| change.target.parent()) {
        if matches!(goal, Goal::NoSkill) {
            // The folder was created for the skill. If it contains anything else, the system refuses to remove
            // it.
            let _ = fs::remove_dir(folder);
        }
    }
    Ok(())
}

fn with_block(path: &Path, before: Option<&[u8]>, goal: Goal<'_>) -> Result<Option<Vec<u8>>> {
    if before.is_some_and(block::is_utf16) {
        let message = format!("{} is UTF-16; nothing was written", path.display());
        return Err(CliError::new(message).hint("save it as UTF-8 and run `ra agents` again"));
    }
    let refused = |problem: Problem| {
        let Problem { line, message } = problem;
        CliError::new(format!("{}:{line}: {message}; nothing was written", path.display())).hint(
            "take the `<!-- ra:begin … -->` and `<!-- ra:end -->` lines out, with what `ra agents` wrote between \
             them, and run it again",
        )
    };
    match (goal, before) {
        (Goal::Block(text), _) => block::write(before, text).map(Some).map_err(refused),
        (_, None) => Ok(None),
        (_, Some(bytes)) => match block::remove(bytes).map_err(refused)? {
            Removed::Absent => Ok(Some(bytes.to_vec())),
            Removed::Whole => Ok(None),
            Removed::Rest(rest) => Ok(Some(rest)),
        },
    }
}

fn with_entry(path: &Path, before: Option<&[u8]>, goal: Goal<'_>) -> Result<Option<Vec<u8>>> {
    let refused = |problem: String| {
        CliError::new(format!("{}: {problem}; nothing was written", path.display()))
            .hint("mend the file, or edit it by hand; `ra agents --mcp-config CLIENT` prints the entry")
    };
    let before =
        before.map(std::str::from_utf8).transpose().map_err(|_| refused("it is not UTF-8".to_owned()))?;
    let after = match (goal, before) {
        (Goal::Entry(config), _) => Some(client_file::add(before, config).map_err(refused)?),
        (Goal::NoEntry(config), Some(before)) => client_file::remove(before, config).map_err(refused)?,
        _ => None,
    };
    Ok(after.map(String::into_bytes))
}

fn skill(path: &Path, before: Option<&[u8]>, text: &str) -> Result<Vec<u8>> {
    if before.is_some_and(|bytes| !section::is_our_skill(bytes)) {
        let message = format!("{} was not written by `ra agents`; nothing was written", path.display());
        return Err(
            CliError::new(message).hint("name another folder with `--skill DIR`, or move the file away")
        );
    }
    let eol = before.and_then(|bytes| Eol::dominant([bytes])).unwrap_or(Eol::Lf);
    Ok(eol.apply(text))
}

/// The maximum length of a chain of links.
const MAX_LINKS: usize = 40;

/// Resolves a path to its file, which need not exist: many projects have one agent file and links to it.
/// Returns an error if the file is outside of `place`, or if a link leads to something hidden, such as a file
/// of git.
pub(crate) fn target_within(path: &Path, place: &Path) -> Result<PathBuf> {
    let failed = |error| CliError::from(Error::io("follow the link", path, error));
    let target = behind_links(path).map_err(failed)?;
    let real = existing_part(place).map_err(failed)?;
    let written = path.strip_prefix(place).map(|below| real.join(below));
    let is_hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
    match target.strip_prefix(&real) {
        Ok(below) if written.is_ok_and(|written| written == target) || !below.components().any(is_hidden) => {
            return Ok(target);
        }
        _ => {}
    }
    let message =
        format!("{} is a link that leads out of {} or to something hidden", path.display(), place.display());
    Err(CliError::new(message).hint("replace the link with a file or directory of its own"))
}

fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Some((directory, name)) = path.parent().zip(path.file_name()) else { break };
        let directory = existing_part(directory)?;
        let file = directory.join(name);
        match fs::read_link(&file) {
            Ok(link) => path = directory.join(link),
            Err(_) => return Ok(file),
        }
    }
    Err(io::Error::other("too many links"))
}

/// Resolves the links of a directory whose last components need not exist yet.
fn existing_part(directory: &Path) -> io::Result<PathBuf> {
    match files::real_path(directory) {
        Err(error) if error.kind() == ErrorKind::NotFound && !directory.is_symlink() => {
            match (directory.parent(), directory.file_name()) {
                (Some(parent), Some(name)) => Ok(existing_part(parent)?.join(name)),
                _ => Err(error),
            }
        }
        found => found,
    }
}

//! What is to happen to a file: planned for all files first, so that a mistake in one leaves all untouched.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

use ra_core::Error;
use ra_core::files::{self, MAX_SETTINGS_BYTES};
use similar::TextDiff;
use tempfile::{Builder, NamedTempFile};

use super::block::{self, Eol, Problem, Removed};
use super::section;
use crate::error::{CliError, Result};

/// A file as it is and as it will be; none is no file.
#[derive(Clone, Debug)]
pub(crate) struct PlannedChange {
    /// The file as people name it.
    pub(crate) path: PathBuf,
    /// The file itself, behind all links.
    target: PathBuf,
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
}

/// A change of which all is ready but the last step.
#[derive(Debug)]
struct Staged<'a> {
    change: &'a PlannedChange,
    file: Option<NamedTempFile>,
}

impl Staged<'_> {
    /// Takes the last step. Dropped instead, it leaves nothing behind.
    fn commit(self) -> Result<()> {
        let PlannedChange { path, target, .. } = self.change;
        match (self.file, self.change.outcome()) {
            (Some(file), _) => {
                file.persist(target).map_err(|error| Error::io("write", path, error.error))?;
            }
            (None, FileAction::Removed) => {
                fs::remove_file(target).map_err(|error| Error::io("remove", path, error))?;
            }
            (None, _) => {}
        }
        Ok(())
    }
}

/// What a file should become.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal<'a> {
    /// A file with a block of this text.
    Block(&'a str),
    /// A file without a block.
    NoBlock,
    /// A skill with this text.
    Skill(&'a str),
    /// No skill.
    NoSkill,
}

/// What happens to a file, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileAction {
    Created,
    Changed,
    Unchanged,
    Removed,
}

impl PlannedChange {
    /// Looks at a file and decides what it should become. Nothing is written.
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
        };
        let change = PlannedChange { path: path.to_owned(), target, before, after };
        change.refuse_read_only()?;
        Ok(change)
    }

    /// The change to a file that another change is already about.
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

    /// The change as a unified diff that `patch -p1` and `git apply` take; none when nothing changes.
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

    /// Writes what the file will hold beside it, so that the file itself is replaced in one step and nobody
    /// sees half of it. A file that stays as it is is not written at all.
    fn stage(&self) -> Result<Staged<'_>> {
        let file = match &self.after {
            Some(bytes) if self.outcome() != FileAction::Unchanged => {
                Some(beside(&self.target, bytes).map_err(|error| Error::io("write", &self.path, error))?)
            }
            _ => None,
        };
        Ok(Staged { change: self, file })
    }

    /// A file that somebody protected is not replaced, although the directory would allow it.
    fn refuse_read_only(&self) -> Result<()> {
        let protected = || fs::metadata(&self.target).is_ok_and(|found| found.permissions().readonly());
        if self.outcome() == FileAction::Unchanged || !protected() {
            return Ok(());
        }
        let message = format!("{} is read-only; nothing was written", self.path.display());
        Err(CliError::new(message).hint("make it writable and run `ra agents` again"))
    }
}

/// All files are looked at before any is written. Paths that lead to one file are about it once. No link may lead out of
/// `place`: whoever made the repository chose where its links lead.
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

/// What can fail is done for all files before any of them is replaced.
pub(crate) fn apply(changes: &[PlannedChange], goal: Goal<'_>) -> Result<()> {
    let staged = changes.iter().map(PlannedChange::stage).collect::<Result<Vec<_>>>()?;
    staged.into_iter().try_for_each(Staged::commit)?;
    let removed = changes.iter().filter(|change| change.outcome() == FileAction::Removed);
    for folder in removed.filter_map(|change| change.target.parent()) {
        if matches!(goal, Goal::NoSkill) {
            // The folder was made for the skill; one that holds more is kept, as the system refuses.
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

/// How many links may follow on each other.
const MAX_LINKS: usize = 40;

/// The file that a path leads to, whether or not it is there: many projects have one agent file and links to it. An error
/// when it lies outside of `place`, or when a link leads to something hidden, such as what git keeps to itself.
pub(super) fn target_within(path: &Path, place: &Path) -> Result<PathBuf> {
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

/// A directory without links, of which the last parts need not exist yet.
fn existing_part(directory: &Path) -> io::Result<PathBuf> {
    match directory.canonicalize() {
        Err(error) if error.kind() == ErrorKind::NotFound && !directory.is_symlink() => {
            match (directory.parent(), directory.file_name()) {
                (Some(parent), Some(name)) => Ok(existing_part(parent)?.join(name)),
                _ => Err(error),
            }
        }
        found => found,
    }
}

/// A file beside another that can take its place: what was allowed with the old one is with the new one.
fn beside(target: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let directory = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory)?;
    let mut builder = Builder::new();
    builder.prefix(".ra-agents-");
    let permissions = fs::metadata(target).map(|found| found.permissions()).ok();
    if let Some(new) = for_everyone().filter(|_| permissions.is_none()) {
        builder.permissions(new);
    }
    let mut file = builder.tempfile_in(directory)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

/// What a new file may be used for before the user's mask is applied. Temporary files are otherwise private.
#[cfg(unix)]
fn for_everyone() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn for_everyone() -> Option<fs::Permissions> {
    None
}

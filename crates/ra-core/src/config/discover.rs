//! Finds the configuration files that apply to a directory.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::keys::{Key, Value};
use super::layers::Layer;
use super::source::LayerOrigin;
use crate::error::{ConfigProblem, Error, Result};
use crate::files::{self, MAX_SETTINGS_BYTES};

/// The name of a configuration file.
pub const FILE_NAME: &str = ".ra.toml";

/// The system directories that the configuration depends on. The library never reads them from the environment; the
/// caller provides them.
#[derive(Clone, Debug)]
pub struct SystemDirs {
    /// The working directory, absolute.
    pub cwd: PathBuf,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The user's cache directory, which contains the indexes.
    pub cache: PathBuf,
    /// The directory for temporary files, which contains the indexes if the cache isn't writable.
    pub temp: PathBuf,
}

/// Returns the layers that apply to a directory, lowest first, without the defaults.
pub(super) fn layers(places: &SystemDirs, problems: &mut Vec<ConfigProblem>) -> Result<Vec<Layer>> {
    let global_path = places.home.as_ref().map(|home| home.join(FILE_NAME));
    let mut local = Vec::new();
    for directory in places.cwd.ancestors() {
        let path = directory.join(FILE_NAME);
        if global_path.as_deref().is_some_and(|global| same_file(global, &path)) {
            continue;
        }
        refuse_link_out(&path)?;
        let Some(text) = read(&path)? else { continue };
        let layer = Layer::parse(LayerOrigin::Local(path.into()), &text, problems);
        let is_root = Key::find("", "root").and_then(|key| layer.setting(key));
        let stop = matches!(is_root, Some((Value::Bool(true), _)));
        local.push(layer);
        if stop {
            break;
        }
    }
    local.reverse();
    if let Some(path) = global_path
        && let Some(text) = read(&path)?
    {
        local.insert(0, Layer::parse(LayerOrigin::Global(path.into()), &text, problems));
    }
    Ok(local)
}

impl SystemDirs {
    /// Returns every file that the configuration depends on, whether it exists or not.
    pub fn files(&self) -> Vec<PathBuf> {
        let above =
            self.cwd.ancestors().flat_map(|directory| [FILE_NAME, ".git"].map(|name| directory.join(name)));
        above.chain(self.home.iter().map(|home| home.join(FILE_NAME))).collect()
    }
}

/// Reads a file; `None` if it doesn't exist.
fn read(path: &Path) -> Result<Option<String>> {
    match files::read_text(path, MAX_SETTINGS_BYTES) {
        Ok(text) => Ok(Some(text)),
        // A directory of that name isn't a configuration, and neither is a path below a file.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(Error::io("read the configuration", path, error)),
    }
}

/// Refuses a project's configuration that is a link to a file elsewhere. Error messages quote the lines they complain
/// about, so a cloned repository could show the user's secrets to an agent.
fn refuse_link_out(path: &Path) -> Result<()> {
    if !fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink()) {
        return Ok(());
    }
    let directory = path.parent().unwrap_or(path);
    let project = git_root(directory).unwrap_or(directory);
    match (path.canonicalize(), project.canonicalize()) {
        (Ok(target), Ok(project)) if target.starts_with(&project) && target.ends_with(FILE_NAME) => Ok(()),
        (Err(error), _) if error.kind() == ErrorKind::NotFound => Ok(()),
        _ => Err(Error::LinkOut { path: path.to_owned() }),
    }
}

/// True if two paths lead to the same file or directory after following links.
pub fn same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Returns the nearest directory at or above `directory` that contains a `.git`.
pub fn git_root(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|ancestor| ancestor.join(".git").exists())
}

//! What is read from the machine: directories, and whether people are looking.

use std::env;
use std::path::{Path, PathBuf};

use ra_core::config::Places;

use crate::error::{CliError, Result};

/// The places that configuration depends on, seen from `directory` or the working directory.
pub(crate) fn places(directory: Option<&Path>) -> Result<Places> {
    let here = || {
        env::current_dir().map_err(|error| {
            CliError::new(format!("the working directory is not there: {error}"))
                .hint("change to one that exists")
        })
    };
    let cwd = match directory {
        None => here()?,
        Some(directory) => {
            let path = if directory.is_absolute() { directory.to_owned() } else { here()?.join(directory) };
            if !path.is_dir() {
                let message = format!("-C: {} is not a directory", path.display());
                return Err(CliError::new(message).hint("name a directory that exists"));
            }
            path.canonicalize().unwrap_or(path)
        }
    };
    let home = env::home_dir().filter(|home| home.is_absolute());
    let cache = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| home.as_ref().map(|home| home.join(".cache")))
        .unwrap_or_else(|| env::temp_dir().join("cache"));
    Ok(Places { cwd, home, cache, temp: env::temp_dir() })
}

/// Whether somebody looks for the cause of a panic.
pub(crate) fn wants_backtraces() -> bool {
    env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0")
}

//! Reads the environment: directories, the terminal, and the user's preferences.

use std::env;
use std::io;
use std::path::{Path, PathBuf};

use ra_core::config::SystemDirs;
use ra_core::files;

use crate::error::{CliError, Result};

/// Returns the directories that the configuration depends on, as seen from `directory` or the working
/// directory.
pub(crate) fn places(directory: Option<&Path>) -> Result<SystemDirs> {
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
            files::real_path(&path).unwrap_or(path)
        }
    };
    let home = env::home_dir().filter(|home| home.is_absolute());
    let cache = cache_directory(|name| env::var_os(name).map(PathBuf::from), home.as_deref())
        .unwrap_or_else(|| env::temp_dir().join("cache"));
    Ok(SystemDirs { cwd, home, cache, temp: env::temp_dir() })
}

/// Returns the user's cache directory. `LOCALAPPDATA` is that of Windows.
fn cache_directory(variable: impl Fn(&str) -> Option<PathBuf>, home: Option<&Path>) -> Option<PathBuf> {
    let names: &[&str] =
        if cfg!(windows) { &["XDG_CACHE_HOME", "LOCALAPPDATA"] } else { &["XDG_CACHE_HOME"] };
    let mut set = names.iter().filter_map(|name| variable(name)).filter(|path| path.is_absolute());
    set.next().or_else(|| Some(home?.join(".cache")))
}

/// Returns the file of the running program.
pub(crate) fn own_program() -> Option<PathBuf> {
    env::current_exe().ok()
}

/// Returns the first program of this name on the PATH. Relative directories on the PATH don't count.
pub(crate) fn program_on_path(name: &str) -> Option<PathBuf> {
    let directories = env::var_os("PATH")?;
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    let candidates =
        env::split_paths(&directories).filter(|path| path.is_absolute()).map(|path| path.join(&file));
    candidates.into_iter().find(|path| is_executable(path))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// True if the user asked for backtraces.
pub(crate) fn wants_backtraces() -> bool {
    env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0")
}

/// The size of the terminal, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Screen {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
}

/// The size of a terminal that does not report its own.
const USUAL_SCREEN: Screen = Screen { columns: 80, rows: 24 };

/// Returns the size of the terminal on stdout. `COLUMNS` and `LINES` override what the terminal reports.
pub(crate) fn screen() -> Screen {
    let told = terminal_size::terminal_size_of(io::stdout()).map_or(USUAL_SCREEN, |(width, height)| Screen {
        columns: usize::from(width.0),
        rows: usize::from(height.0),
    });
    let set = |name| env::var(name).ok()?.parse::<usize>().ok().filter(|number| *number > 0);
    Screen { columns: set("COLUMNS").unwrap_or(told.columns), rows: set("LINES").unwrap_or(told.rows) }
}

/// The pager that the user wants.
#[derive(Clone, Debug)]
pub(crate) struct PagerChoice {
    /// Its command line.
    pub(crate) command: String,
    /// True if the user named it. Otherwise there is no message if it isn't installed.
    pub(crate) is_named: bool,
    /// True if `LESS`, the options of the pager `less`, is set.
    pub(crate) has_less: bool,
    /// True if `LV`, the options of the pager `lv`, is set.
    pub(crate) has_lv: bool,
}

/// Returns the pager from the environment, by default `less`. `RA_PAGER` takes precedence over `PAGER`; an
/// empty value or `cat` means none, and so does a dumb terminal. The configuration cannot name a pager, because
/// that is a program to run and the configuration may come with a repository.
pub(crate) fn pager() -> Option<PagerChoice> {
    if is_dumb_terminal() {
        return None;
    }
    let named = env::var("RA_PAGER").or_else(|_| env::var("PAGER")).ok();
    let command = named.as_deref().unwrap_or("less").trim();
    (!matches!(command, "" | "cat")).then(|| PagerChoice {
        command: command.to_owned(),
        is_named: named.is_some(),
        has_less: env::var_os("LESS").is_some(),
        has_lv: env::var_os("LV").is_some(),
    })
}

/// Returns the command lines of the user's editors, the preferred one first.
pub(crate) fn editors() -> Vec<String> {
    ["VISUAL", "EDITOR"].into_iter().filter_map(|name| env::var(name).ok()).collect()
}

/// True if the terminal only supports plain text.
fn is_dumb_terminal() -> bool {
    match env::var_os("TERM") {
        Some(term) => term == "dumb",
        None => !cfg!(windows),
    }
}

/// True if the terminal supports links. Most terminals ignore unknown sequences, but some print them.
pub(crate) fn supports_links() -> bool {
    !is_dumb_terminal() && is_known_to_link(|name| env::var(name).ok().filter(|value| !value.is_empty()))
}

/// True if these variables identify a terminal that supports links.
fn is_known_to_link(variable: impl Fn(&str) -> Option<String>) -> bool {
    if let Some(forced) = variable("FORCE_HYPERLINK") {
        return forced != "0";
    }
    let is =
        |name: &str, values: &[&str]| variable(name).is_some_and(|value| values.contains(&value.as_str()));
    let term = variable("TERM").unwrap_or_default();
    // Inside a multiplexer the variables of the outer terminal are still set, but not all multiplexers pass
    // links on.
    let is_multiplexed = ["TMUX", "STY"].iter().any(|name| variable(name).is_some())
        || ["screen", "tmux"].iter().any(|name| term.starts_with(name));
    let is_vte = || {
        let version = variable("VTE_VERSION").and_then(|version| version.parse::<u32>().ok());
        // 0.50.0 crashed on links.
        version.is_some_and(|version| version > 5000)
    };
    !is_multiplexed
        && (is_vte()
            || is("TERM", &["alacritty", "contour", "foot", "xterm-ghostty", "xterm-kitty"])
            || is("TERM_PROGRAM", &["Hyper", "WezTerm", "ghostty", "iTerm.app", "rio", "vscode", "zed"])
            || ["DOMTERM", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION"]
                .iter()
                .any(|name| variable(name).is_some()))
}

/// Returns the name of this machine, which tells a terminal whether a file is local to it.
pub(crate) fn host_name() -> String {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    String::new()
}

/// Returns the command line arguments without the program name.
pub(crate) fn arguments() -> Vec<String> {
    env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_where_the_system_has_it() {
        let root = Path::new(if cfg!(windows) { r"C:\" } else { "/" });
        let home = Some(root.join("home"));
        let local = if cfg!(windows) { root.join("local") } else { root.join("home/.cache") };
        for (xdg, home, expected) in [
            (Some(root.join("cache")), home.clone(), Some(root.join("cache"))),
            (Some(PathBuf::from("relative")), home.clone(), Some(local.clone())),
            (None, home, Some(local)),
            (Some(root.join("cache")), None, Some(root.join("cache"))),
        ] {
            let variable = |name: &str| match name {
                "XDG_CACHE_HOME" => xdg.clone(),
                _ => Some(root.join("local")),
            };
            assert_eq!(cache_directory(variable, home.as_deref()), expected, "{xdg:?}");
        }
        assert_eq!(cache_directory(|_| None, None), None);
    }

    #[test]
    fn only_terminals_that_are_known_to_show_links_get_them() {
        for (variables, expected) in [
            (&[][..], false),
            (&[("TERM", "xterm-256color")], false),
            (&[("TERM", "xterm-kitty")], true),
            (&[("TERM_PROGRAM", "Apple_Terminal")], false),
            (&[("TERM_PROGRAM", "vscode")], true),
            (&[("VTE_VERSION", "4601")], false),
            (&[("VTE_VERSION", "7200")], true),
            (&[("WT_SESSION", "0b1c")], true),
            (&[("KITTY_WINDOW_ID", "1"), ("TMUX", "/tmp/tmux-0")], false),
            (&[("VTE_VERSION", "7200"), ("TERM", "screen-256color")], false),
            (&[("FORCE_HYPERLINK", "1")], true),
            (&[("FORCE_HYPERLINK", "0"), ("WT_SESSION", "0b1c")], false),
        ] {
            let value = |name: &str| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(is_known_to_link(value), expected, "{variables:?}");
        }
    }
}

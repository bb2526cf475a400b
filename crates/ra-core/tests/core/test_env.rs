//! A test environment: a home, a cache and the directories that a test needs, isolated from other tests.

use std::fs;
use std::path::{Path, PathBuf};

use ra_core::Error;
use ra_core::config::{Config, Override, SystemDirs};
use ra_core::error::ConfigProblem;
use tempfile::TempDir;

/// A directory that serves as the whole disk. Paths in tests are relative to it; `home` is the user's.
pub(crate) struct TestEnv {
    base: PathBuf,
    _keep: TempDir,
}

impl TestEnv {
    /// Creates an environment with an empty home.
    pub(crate) fn new() -> Self {
        let keep = TempDir::new().expect("a temporary directory");
        let base = keep.path().canonicalize().expect("a path without links");
        let env = Self { base, _keep: keep };
        env.directory("home");
        env
    }

    /// Creates an environment with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let env = Self::new();
        for (path, text) in files {
            env.write(path, text);
        }
        env
    }

    /// Returns the absolute path of a file or directory.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.base.clone() } else { self.base.join(path) }
    }

    /// Creates a directory and those above it.
    pub(crate) fn directory(&self, path: &str) {
        fs::create_dir_all(self.path(path)).expect("a directory");
    }

    /// Writes a file, and creates the directories above it.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, bytes).expect("a file");
    }

    /// Creates a link at `path` to `target`, which is used verbatim.
    #[cfg(unix)]
    pub(crate) fn link(&self, target: impl AsRef<Path>, path: &str) {
        std::os::unix::fs::symlink(target, self.path(path)).expect("a link");
    }

    /// Returns the system directories for a working directory.
    pub(crate) fn places(&self, cwd: &str) -> SystemDirs {
        SystemDirs {
            cwd: self.path(cwd),
            home: Some(self.path("home")),
            cache: self.path("home/.cache"),
            temp: self.path("tmp"),
        }
    }

    /// Returns the configuration of a directory, which must be valid.
    pub(crate) fn config(&self, cwd: &str) -> Config {
        self.config_with(cwd, &[]).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the configuration of a directory with flags.
    pub(crate) fn config_with(&self, cwd: &str, flags: &[Override]) -> Result<Config, Error> {
        Config::load(&self.places(cwd), flags)
    }

    /// Returns the problems of a directory's configuration.
    pub(crate) fn problems(&self, cwd: &str) -> Vec<ConfigProblem> {
        match self.config_with(cwd, &[]) {
            Ok(_) => Vec::new(),
            Err(Error::Config(problems)) => problems.0,
            Err(other) => panic!("not a problem of the configuration: {other}"),
        }
    }

    /// Returns a path in the index of the project `p`, as tests write paths.
    pub(crate) fn index(&self, below: &str) -> String {
        self.name(&self.config("p").index_dir.join(below))
    }

    /// Returns the path as tests write it.
    pub(crate) fn name(&self, path: &Path) -> String {
        path.strip_prefix(&self.base).unwrap_or(path).to_string_lossy().into_owned()
    }
}

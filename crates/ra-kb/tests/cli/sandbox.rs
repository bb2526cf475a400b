//! A temporary project with its own home directory, in which `ra` runs as a process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use ra_core::config::{Config, SystemDirs};
use tempfile::TempDir;

/// A project directory and a home directory that no other test sees.
pub(crate) struct Sandbox {
    base: TempDir,
}

impl Sandbox {
    /// Creates an empty project.
    pub(crate) fn new() -> Self {
        let base = TempDir::new().expect("a temporary directory");
        for directory in ["home", "project"] {
            fs::create_dir(base.path().join(directory)).expect("a directory");
        }
        Self { base }
    }

    /// Creates a project with these files, given as path and text.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let sandbox = Self::new();
        for (path, text) in files {
            sandbox.write(path, text);
        }
        sandbox
    }

    /// The project directory.
    pub(crate) fn project(&self) -> PathBuf {
        self.base.path().join("project")
    }

    /// The home directory.
    pub(crate) fn home(&self) -> PathBuf {
        self.base.path().join("home")
    }

    /// Writes a file of the project; `~/` is the home directory.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }

    /// Removes a file.
    pub(crate) fn remove(&self, path: &str) {
        std::fs::remove_file(self.path(path)).expect("a file");
    }

    /// Returns the text of a file of the project; `~/` is the home directory.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("a text file")
    }

    /// Returns the absolute path of a file of the project; `~/` is the home directory.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        match path.strip_prefix("~/") {
            Some(below) => self.home().join(below),
            None => self.project().join(path),
        }
    }

    /// Returns a path in the index of the project.
    pub(crate) fn index(&self, below: &str) -> PathBuf {
        let real = |path: PathBuf| path.canonicalize().expect("a directory");
        let places = SystemDirs {
            cwd: real(self.project()),
            home: Some(self.home()),
            cache: self.home().join(".cache"),
            temp: self.base.path().join("tmp"),
        };
        Config::load(&places, &[])
            .expect("a configuration")
            .index_dir
            .components()
            .chain(Path::new(below).components())
            .collect()
    }

    /// Returns a command that runs `ra` in the project.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::cargo_bin("ra").expect("the binary");
        command.current_dir(self.project()).env_clear().env("HOME", self.home());
        command
    }

    /// Runs `ra` in the project. Returns exit code, stdout and stderr as one text, in which the sandbox's own
    /// directory is replaced by `[base]`.
    pub(crate) fn run(&self, args: &[&str]) -> String {
        self.show(&self.command().args(args).output().expect("a process"))
    }

    /// Runs `ra` and returns its stdout as JSON.
    pub(crate) fn json(&self, args: &[&str]) -> serde_json::Value {
        let output = self.command().args(args).arg("--json").output().expect("a process");
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", self.show(&output)))
    }

    fn show(&self, output: &Output) -> String {
        let mut text = match output.status.code() {
            Some(code) => format!("exit code {code}\n"),
            None => "killed by a signal\n".to_owned(),
        };
        for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            if !bytes.is_empty() {
                text.push_str(&format!("--- {name}\n{}", String::from_utf8_lossy(bytes)));
            }
        }
        self.mask(&text)
    }

    fn mask(&self, text: &str) -> String {
        let base = self.base.path();
        let real = base.canonicalize().unwrap_or_else(|_| base.to_owned());
        let hide = |text: String, path: &Path| text.replace(&*path.to_string_lossy(), "[base]");
        hide(hide(text.to_owned(), &real), base)
    }
}

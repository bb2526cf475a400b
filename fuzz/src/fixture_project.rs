//! A small project on disk: documents of every kind, a configuration, and an index over them.

use std::fs;
use std::path::PathBuf;

use ra_core::config::{Config, SystemDirs};
use ra_core::index::Snapshot;
use ra_core::kb::{KnowledgeBase, NoProgress};
use tempfile::TempDir;

const CONFIG: &str = "\
root = true

[trees]
docs = \"docs\"
notes = { path = \"notes\", include = [\"*.md\", \"*.txt\"] }

[context.patterns]
\"*.rs\" = [\"rust\"]

[[context.rules]]
match = \"src/**\"
terms = [\"handle\"]
include = [\"docs:guide.md\"]
";

const FILES: &[(&str, &str)] = &[
    (
        "docs/guide.md",
        "---\ntitle: User Guide\ntags: [setup, guides/basic]\naliases: [Handbook]\ndescription: How to install it\n---\n\n\
         What this is. #inline\n\n# User Guide\n\n## Install\n\nRun the installer and handle errors. See [run](#run).\n\n\
         ### Linux\n\nInstall the package with `apt install zebra-tools`.\n\n### macOS\n\nInstall with brew.\n\n\
         ## Run\n\nStart it.\n\n```rust\nfn getUserName() -> std::fs::File { error_handling() }\n```\n",
    ),
    (
        "docs/sub/errors.md",
        "# Errors\n\nzebra handle error-handling\n\n## Panics\n\nNever panic. The lion and the zebra don't.\n\n\
         ## 错误处理\n\n处理所有错误。\n\n## Über uns\n\nNaïve café, straße, v1.2.3, user@example.org\n",
    ),
    ("docs/setext.md", "Title\n=====\n\nbody of it\n\nPart\n----\n\n> quoted *zebra*\n\n- one\n- two\n"),
    ("docs/C#basics.md", "# C#\n\nA path with a mark in it.\n"),
    ("notes/plain.txt", "plain zebra text about getUserName and local_boost\n"),
    ("notes/empty.md", ""),
    ("src/main.rs", "//! Handles errors.\nfn main() { install().expect(\"zebra\"); }\n"),
];

/// The project; it is deleted on drop.
pub struct FixtureProject {
    directory: TempDir,
}

impl FixtureProject {
    /// Writes the files to a new temporary directory.
    pub fn new() -> Self {
        let project = Self { directory: tempfile::tempdir().expect("a temporary directory") };
        project.write(".ra.toml", CONFIG);
        for (path, text) in FILES {
            project.write(path, text);
        }
        project
    }

    /// Writes a file of the project.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.project().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }

    /// The directory of the project.
    pub fn project(&self) -> PathBuf {
        self.directory.path().join("project")
    }

    /// The system directories of the project.
    pub fn places(&self) -> SystemDirs {
        let home = self.directory.path().join("home");
        SystemDirs { cwd: self.project(), cache: home.join(".cache"), temp: home.join("tmp"), home: Some(home) }
    }

    /// Opens the knowledge base of the project, with its index.
    pub fn open(&self) -> (KnowledgeBase, Snapshot) {
        let kb = KnowledgeBase::open(Config::load(&self.places(), &[]).expect("a configuration"));
        let (snapshot, _) = kb.refresh(&NoProgress).expect("an index");
        (kb, snapshot)
    }
}

impl Default for FixtureProject {
    fn default() -> Self {
        Self::new()
    }
}

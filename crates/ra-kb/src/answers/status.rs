//! The answers of `ra status` and of the tool `list_sources`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;

use ra_core::config::Config;
use ra_core::kb::{self, IgnoredEntries, IgnoredEntry, IndexState, IndexStatus};
use schemars::JsonSchema;
use serde::Serialize;

use super::config::Configuration;
use super::time::{rfc3339, serialize_rfc3339};
use crate::output::{BAD, NAME, Page, Present, Table, count, grouped};

/// The trees, the index and the configuration.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Status {
    /// The trees, by name.
    pub(crate) trees: Vec<TreeStatus>,
    /// The index.
    pub(crate) index: StatusIndex,
    /// The configuration, as `ra config` shows it.
    pub(crate) configuration: Configuration,
}

/// The answer of the tool `list_sources`: the trees, the index, and the configuration files.
#[derive(Serialize)]
pub(crate) struct Sources {
    pub(crate) trees: Vec<TreeStatus>,
    pub(crate) index: StatusIndex,
    /// The configuration files in force, lowest precedence first.
    pub(crate) configuration: Vec<String>,
}

/// A tree and its size.
#[derive(JsonSchema, Serialize)]
pub(crate) struct TreeStatus {
    /// The name of the tree.
    pub(crate) name: String,
    /// Its directory, absolute.
    pub(crate) path: String,
    /// Global when `~/.ra.toml` defines it.
    #[schemars(extend("enum" = ["local", "global"]))]
    pub(crate) scope: &'static str,
    /// Whether a project's configuration names a directory outside that project.
    pub(crate) outside_project: bool,
    /// The number of documents on the disk.
    pub(crate) documents: usize,
    /// The number of chunks in the index.
    pub(crate) chunks: Option<usize>,
    /// The size of the documents in bytes.
    pub(crate) bytes: u64,
    /// The number of documents of each type, by extension; absent if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, NonZeroUsize>")]
    pub(crate) types: BTreeMap<String, usize>,
    /// The number of files of these types that are not documents, by reason (`too large`, `no text`, `not readable` or
    /// `conversion failed`) and extension; absent if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, BTreeMap<String, NonZeroUsize>>")]
    pub(crate) refused: BTreeMap<&'static str, BTreeMap<String, usize>>,
    /// The number of files whose type is not indexed, by extension; absent if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, NonZeroUsize>")]
    pub(crate) skipped_types: BTreeMap<String, usize>,
    /// What ignore files and the tree's patterns leave out; absent if that is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ignored: Option<Ignored>,
    /// Why the tree can't be read, or null.
    pub(crate) problem: Option<String>,
}

/// The files and directories that ignore files or the tree's patterns leave out.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Ignored {
    /// Their number; a directory counts once, with all that it contains.
    #[schemars(range(min = 1))]
    pub(crate) count: usize,
    /// The first 100: files that would be documents, then directories, then other files.
    pub(crate) list: Vec<IgnoredPath>,
}

/// A file or directory that an ignore file or a pattern leaves out.
#[derive(JsonSchema, Serialize)]
pub(crate) struct IgnoredPath {
    /// The path below the directory of the tree; that of a directory ends in `/`.
    pub(crate) path: String,
    /// The line of an ignore file that excludes it, and the file with that line; or what the patterns say of it.
    pub(crate) reason: String,
}

impl Ignored {
    fn new(found: &IgnoredEntries) -> Option<Self> {
        let path =
            |entry: &IgnoredEntry| IgnoredPath { path: entry.path.clone(), reason: entry.reason.clone() };
        (found.count > 0).then(|| Self { count: found.count, list: found.list.iter().map(path).collect() })
    }
}

/// The index.
#[derive(JsonSchema, Serialize)]
pub(crate) struct StatusIndex {
    /// The directory of the index.
    pub(crate) path: String,
    /// `current`, `stale (…)`, `missing` or `damaged (…)`.
    pub(crate) status: String,
    /// The size of the index in bytes.
    pub(crate) bytes: u64,
    /// The number of the last commit, or null.
    pub(crate) generation: Option<u64>,
    /// The time of the last commit, in UTC as RFC 3339, or null.
    #[serde(serialize_with = "serialize_rfc3339")]
    #[schemars(with = "Option<String>")]
    pub(crate) updated: Option<i64>,
    /// The number of documents that can be found by meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) encoded: Option<usize>,
    /// The number of documents that can't be found by meaning yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) not_encoded: Option<usize>,
    /// The number of documents in each language, by code; `und` counts those whose language is unknown.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) languages: BTreeMap<&'static str, u64>,
}

/// Describes the state of an index.
pub(super) fn state(index: &IndexStatus) -> String {
    match &index.state {
        IndexState::Current => "current".to_owned(),
        IndexState::Partial => "being built (most documents are missing)".to_owned(),
        IndexState::Unchecked => "being compared with the disk".to_owned(),
        IndexState::Behind(1) => "stale (1 document changed)".to_owned(),
        IndexState::Behind(count) => format!("stale ({count} documents changed)"),
        IndexState::Outdated => "stale (config changed)".to_owned(),
        IndexState::Missing => "missing".to_owned(),
        IndexState::Damaged(why) => format!("damaged ({why})"),
    }
}

impl Status {
    pub(crate) fn new(config: &Config, found: kb::Status) -> Self {
        let configuration = Configuration::new(config);
        let trees = configuration.trees.iter().zip(&found.trees).map(|(tree, counts)| TreeStatus {
            name: tree.name.clone(),
            path: tree.path.clone(),
            scope: tree.scope,
            outside_project: tree.outside_project,
            documents: counts.documents,
            chunks: counts.chunks,
            bytes: counts.bytes,
            types: counts.types.clone(),
            refused: counts.refused.iter().map(|(reason, types)| (reason.as_str(), types.clone())).collect(),
            skipped_types: counts.skipped_types.clone(),
            ignored: Ignored::new(&counts.ignored),
            problem: counts.problem.clone(),
        });
        Status {
            trees: trees.collect(),
            index: StatusIndex {
                path: found.index.path.display().to_string(),
                status: state(&found.index),
                bytes: found.index.bytes,
                generation: found.index.generation,
                updated: found.index.updated,
                encoded: found.index.pages.map(|pages| pages.encoded),
                not_encoded: found.index.pages.map(|pages| pages.missing),
                languages: found.index.languages.iter().map(|(id, count)| (id.code(), *count)).collect(),
            },
            configuration,
        }
    }
}

impl Sources {
    pub(crate) fn new(config: &Config, found: kb::Status) -> Self {
        let status = Status::new(config, found);
        let configuration = config.files.iter().map(|file| file.display().to_string()).collect();
        Sources { trees: status.trees, index: status.index, configuration }
    }
}

impl Present for Status {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        inventory(&self.trees, &self.index, page)?;
        types(&self.trees, page)?;
        page.heading("Configuration:")?;
        self.configuration.human(page)?;
        match self.index.not_encoded {
            Some(missing) if missing > 0 => page.hint("`ra update` encodes the meaning of all documents"),
            _ => Ok(()),
        }
    }
}

/// How many unindexed file types are listed per tree.
const NAMED_TYPES: usize = 8;

/// Names the types of files of a tree, those with the most files first; `None` if there are none.
fn named_types(tree: &str, reason: &str, types: &BTreeMap<String, usize>, page: &Page<'_>) -> Option<String> {
    let mut types: Vec<(&String, &usize)> = types.iter().collect();
    types.sort_by_key(|(_, number)| Reverse(**number));
    let rest: usize = types.iter().skip(NAMED_TYPES).map(|(_, number)| **number).sum();
    let name = |extension: &str| match extension {
        "" => "without extension".to_owned(),
        extension => format!(".{}", page.clean(extension)),
    };
    let named = types.iter().take(NAMED_TYPES);
    let mut named: Vec<String> =
        named.map(|(extension, number)| format!("{} {}", grouped(**number), name(extension))).collect();
    if rest > 0 {
        named.push(format!("{} of other types", grouped(rest)));
    }
    let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
    (!types.is_empty()).then(|| format!("  {NAME}{tree}{NAME:#}: {}{reason}", named.join(", ")))
}

/// How many ignored files and directories are named per tree.
const NAMED_IGNORED: usize = 5;

/// Names what ignore files and patterns leave out of a tree; `None` if that is nothing.
fn named_ignored(tree: &TreeStatus, page: &Page<'_>) -> Option<String> {
    let Ignored { count, list } = tree.ignored.as_ref()?;
    let mut named: Vec<String> =
        list.iter().take(NAMED_IGNORED).map(|entry| page.clean(&entry.path)).collect();
    if *count > named.len() {
        named.push(format!("{} more", grouped(count - named.len())));
    }
    Some(format!("  {NAME}{}{NAME:#}: {}", tree.name, named.join(", ")))
}

/// Writes the types of the documents of each tree, and of the files that aren't documents.
fn types(trees: &[TreeStatus], page: &mut Page<'_>) -> io::Result<()> {
    let lines = |named: &dyn Fn(&TreeStatus) -> Vec<String>| trees.iter().flat_map(named).collect::<Vec<_>>();
    let sections = [
        ("Types:", lines(&|tree| named_types(&tree.name, "", &tree.types, page).into_iter().collect())),
        (
            "Refused:",
            lines(&|tree| {
                let refused = tree.refused.iter();
                refused.filter_map(|(why, types)| named_types(&tree.name, why, types, page)).collect()
            }),
        ),
        (
            "Not indexed because of their type:",
            lines(&|tree| named_types(&tree.name, "", &tree.skipped_types, page).into_iter().collect()),
        ),
        (
            "Left out by ignore files and patterns:",
            lines(&|tree| named_ignored(tree, page).into_iter().collect()),
        ),
    ];
    for (heading, lines) in sections.iter().filter(|(_, lines)| !lines.is_empty()) {
        page.heading(heading)?;
        lines.iter().try_for_each(|line| page.line(line))?;
    }
    Ok(())
}

impl Present for Sources {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        inventory(&self.trees, &self.index, page)?;
        types(&self.trees, page)?;
        page.heading("Configuration:")?;
        if self.configuration.is_empty() {
            page.line("  none: the tree is the work tree or directory that ra runs in")?;
        }
        self.configuration.iter().try_for_each(|file| page.line(format!("  {}", page.clean(file))))
    }
}

/// Writes the trees and the state of the index.
fn inventory(trees: &[TreeStatus], index: &StatusIndex, page: &mut Page<'_>) -> io::Result<()> {
    page.line("Trees:")?;
    tree_table(trees, page)?;
    page.heading("Index:")?;
    page.line(format!("  path:      {}", page.clean(&index.path)))?;
    page.line(format!("  status:    {}", index.status))?;
    if let (Some(generation), Some(updated)) = (index.generation, index.updated) {
        page.line(format!("  size:      {}", size(index.bytes)))?;
        page.line(format!("  updated:   {} (generation {generation})", rfc3339(updated)))?;
    }
    if let (Some(encoded), Some(missing)) = (index.encoded, index.not_encoded) {
        let all = count(encoded + missing, "document");
        page.line(format!("  meaning:   {} of {all} encoded", grouped(encoded)))?;
    }
    if !index.languages.is_empty() {
        let mut languages: Vec<_> = index.languages.iter().collect();
        languages.sort_by_key(|(_, documents)| Reverse(**documents));
        let named = languages.iter().map(|(code, documents)| {
            let name = if **code == "und" { "unknown" } else { code };
            format!("{name} {}", grouped(**documents as usize))
        });
        page.line(format!("  languages: {}", named.collect::<Vec<_>>().join(", ")))?;
    }
    Ok(())
}

/// Writes the trees and their sizes as a table.
pub(super) fn tree_table(trees: &[TreeStatus], page: &mut Page<'_>) -> io::Result<()> {
    let mut table = Table::new(&["name", ">documents", ">chunks", ">size", "scope", "path"]);
    for tree in trees {
        let outside = if tree.outside_project { ", outside the project" } else { "" };
        table.row([
            tree.name.clone(),
            grouped(tree.documents),
            tree.chunks.map_or_else(|| "-".to_owned(), grouped),
            size(tree.bytes),
            format!("{}{outside}", tree.scope),
            tree.path.clone(),
        ]);
    }
    page.table(&table)?;
    for tree in trees {
        if let Some(problem) = &tree.problem {
            page.line(format!("{BAD}error{BAD:#}: {NAME}{}{NAME:#}: {problem}", tree.name))?;
        }
    }
    Ok(())
}

/// Formats a number of bytes for people.
pub(crate) fn size(bytes: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", units[unit]) }
}

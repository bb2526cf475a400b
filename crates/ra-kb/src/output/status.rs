//! `ra status` for people.

use std::cmp::Reverse;
use std::io;

use super::{BAD, NAME, Page, Present, Table, count, grouped};
use crate::wire::{Sources, Status, StatusIndex, TreeStatus};

impl Present for Status {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        inventory(&self.trees, &self.index, page)?;
        if self.trees.iter().any(|tree| !tree.skipped_types.is_empty()) {
            page.heading("Not indexed because of their type:")?;
            self.trees.iter().try_for_each(|tree| tree.skipped_types(page))?;
        }
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

impl TreeStatus {
    /// Lists the file types that are not indexed, those with the most files first.
    fn skipped_types(&self, page: &mut Page<'_>) -> io::Result<()> {
        let mut types: Vec<(&String, &usize)> = self.skipped_types.iter().collect();
        if types.is_empty() {
            return Ok(());
        }
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
        page.line(format!("  {NAME}{}{NAME:#}: {}", self.name, named.join(", ")))
    }
}

impl Present for Sources {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        inventory(&self.trees, &self.index, page)?;
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
    page.line(format!("  path:    {}", page.clean(&index.path)))?;
    page.line(format!("  status:  {}", index.status))?;
    if let (Some(generation), Some(updated)) = (index.generation, &index.updated) {
        page.line(format!("  size:    {}", size(index.bytes)))?;
        page.line(format!("  updated: {updated} (generation {generation})"))?;
    }
    if let (Some(encoded), Some(missing)) = (index.encoded, index.not_encoded) {
        let all = count(encoded + missing, "document");
        page.line(format!("  meaning: {} of {all} encoded", grouped(encoded)))?;
    }
    if !index.languages.is_empty() {
        let mut languages: Vec<_> = index.languages.iter().collect();
        languages.sort_by_key(|(_, documents)| Reverse(**documents));
        let named =
            languages.iter().map(|(code, documents)| format!("{code} {}", grouped(**documents as usize)));
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
pub(super) fn size(bytes: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", units[unit]) }
}

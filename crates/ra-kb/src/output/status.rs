//! `ra status` for people.

use std::io;

use super::{BAD, NAME, Page, Present, Table, grouped};
use crate::wire::Status;

impl Present for Status {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.line("Trees:")?;
        let mut table = Table::new(&["name", ">documents", ">size", "scope", "path"]);
        for tree in &self.trees {
            let outside = if tree.outside_project { ", outside the project" } else { "" };
            table.row([
                tree.name.clone(),
                grouped(tree.documents),
                size(tree.bytes),
                format!("{}{outside}", tree.scope),
                tree.path.clone(),
            ]);
        }
        page.table(&table)?;
        for tree in &self.trees {
            if let Some(problem) = &tree.problem {
                page.line(format!("{BAD}error{BAD:#}: {NAME}{}{NAME:#}: {problem}", tree.name))?;
            }
        }
        page.heading("Index:")?;
        page.line(format!("  path:   {}", self.index.path))?;
        page.line(format!("  status: {}", self.index.status))?;
        page.heading("Configuration:")?;
        self.configuration.human(page)
    }
}

/// Bytes as people read them.
fn size(bytes: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < units.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", units[unit]) }
}

//! `ra ls` and `ra update` for people.

use std::io;

use super::status::{size, tree_table};
use super::{Page, Present, Table, count, grouped};
use crate::wire::{Chunks, Documents, Index, Trees, Update};

impl Present for Trees {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        tree_table(&self.trees, page)
    }
}

impl Present for Documents {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        self.index.notes(page)?;
        if self.documents.is_empty() {
            return page.note("no document matches");
        }
        let mut table = Table::new(&["id", ">chunks", ">tokens", ">size", "modified", "title"]);
        for document in &self.documents {
            table.row([
                document.id.clone(),
                grouped(document.chunks),
                grouped(document.tokens),
                size(document.bytes),
                document.modified.clone(),
                page.clean(&document.title),
            ]);
        }
        page.table(&table)
    }
}

impl Present for Chunks {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        self.index.notes(page)?;
        if self.chunks.is_empty() {
            return page.note("no document matches");
        }
        let mut table = Table::new(&["id", ">lines", ">tokens", "section"]);
        for chunk in &self.chunks {
            table.row([
                chunk.id.clone(),
                format!("{}-{}", chunk.lines.0, chunk.lines.1),
                grouped(chunk.tokens),
                page.clean(&chunk.breadcrumb),
            ]);
        }
        page.table(&table)
    }
}

impl Present for Update {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        self.index.notes(page)?;
        let done = if self.rebuilt {
            "rebuilt".to_owned()
        } else {
            format!("updated ({} added, {} changed, {} removed)", self.added, self.modified, self.removed)
        };
        let size = format!("{}, {}", count(self.documents, "document"), count(self.chunks, "chunk"));
        page.line(format!("index {done} in {} ms: {size}", grouped(self.milliseconds as usize)))?;
        if self.encoded > 0 {
            let took = grouped(self.encoding_milliseconds as usize);
            page.line(format!("meaning encoded in {took} ms: {}", count(self.encoded, "document")))?;
        }
        Ok(())
    }
}

impl Index {
    /// Writes warnings about the index: a user should know them before trusting the answer.
    pub(super) fn notes(&self, page: &mut Page<'_>) -> io::Result<()> {
        for warning in &self.warnings {
            page.warning(warning)?;
        }
        match &self.stale {
            Some(why) => page.warning(&format!("this answer may be out of date: {why}")),
            None => Ok(()),
        }
    }
}

//! Renders tables.

use super::super::table::{self, Table};
use super::super::tag::Tag;
use super::{Exit, Renderer};

impl Renderer<'_, '_> {
    pub(super) fn begin_table(&mut self, at: usize) -> Exit {
        self.end_paragraph();
        if self.plain_depth > 0 || !table::is_data(self.tree, at) {
            return Exit::Block;
        }
        self.table = Some(Table::default());
        self.inline.set_cell(true);
        Exit::Table
    }

    pub(super) fn begin_table_part(&mut self, tag: Tag) -> Exit {
        if tag == Tag::Tr {
            self.end_caption();
            self.table.iter_mut().for_each(Table::begin_row);
            return Exit::Row;
        }
        self.inline.take();
        self.plain_depth += usize::from(tag == Tag::Th);
        Exit::Cell
    }

    /// Writes the text between the start of a table and its rows.
    fn end_caption(&mut self) {
        let caption = self.inline.take();
        if !caption.is_empty() {
            self.writer.paragraph(&caption);
        }
    }

    pub(super) fn end_cell(&mut self, at: usize) {
        let is_header = self.tree.tag(at) == Tag::Th;
        self.plain_depth -= usize::from(is_header);
        let markdown = self.inline.take();
        let columns = table::span(self.tree, at, "colspan");
        let rows = table::span(self.tree, at, "rowspan");
        if let Some(table) = &mut self.table {
            table.cell(markdown, is_header, columns, rows);
        }
    }

    pub(super) fn end_table(&mut self) {
        self.end_caption();
        self.inline.set_cell(false);
        let markdown = self.table.take().unwrap_or_default().markdown();
        if !markdown.is_empty() {
            self.writer.block(&markdown);
        }
    }
}

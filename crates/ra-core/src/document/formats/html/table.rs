//! Converts tables of data to pipe tables.

use super::tag::Tag;
use super::tree::Tree;

/// A table with more columns is converted cell by cell.
const MAX_COLUMNS: usize = 40;

/// A table with a longer cell is converted cell by cell.
const MAX_CELL_BYTES: usize = 2_000;

/// The rows of a table read so far.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Row>,
    /// How many rows each column is still taken by a cell that spans several of them.
    taken: Vec<usize>,
}

#[derive(Debug, Default)]
struct Row {
    cells: Vec<String>,
    is_header: bool,
}

impl Table {
    /// Begins a row. It is a header if all its cells are.
    pub(super) fn begin_row(&mut self) {
        self.rows.push(Row { cells: Vec::new(), is_header: true });
        self.fill_taken();
    }

    /// Adds a cell to the current row.
    pub(super) fn cell(&mut self, markdown: String, is_header: bool, columns: usize, rows: usize) {
        let Some(row) = self.rows.last_mut() else { return };
        row.is_header &= is_header || markdown.is_empty();
        let start = row.cells.len();
        row.cells.push(markdown);
        row.cells.resize(start + columns.clamp(1, MAX_COLUMNS), String::new());
        let end = row.cells.len();
        self.taken.resize(self.taken.len().max(end), 0);
        self.taken[start..end].fill(rows.clamp(1, 1_000));
        self.fill_taken();
    }

    /// Adds empty cells where the next columns are taken by cells of the rows above.
    fn fill_taken(&mut self) {
        let Some(row) = self.rows.last_mut() else { return };
        while self.taken.get(row.cells.len()).is_some_and(|rows| *rows > 0) {
            row.cells.push(String::new());
        }
    }

    /// Ends the current row. One without text is removed.
    pub(super) fn end_row(&mut self) {
        self.taken.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
        self.rows.pop_if(|row| row.cells.iter().all(String::is_empty));
    }

    /// Returns the pipe table. Without a header in the source, its header is empty.
    pub(super) fn markdown(mut self) -> String {
        let columns = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        if columns == 0 {
            return String::new();
        }
        if !self.rows[0].is_header {
            self.rows.insert(0, Row::default());
        }
        let mut markdown = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            let empty = String::new();
            markdown.push('|');
            for column in 0..columns {
                markdown.extend([" ", row.cells.get(column).unwrap_or(&empty), " |"]);
            }
            markdown.push('\n');
            if number == 0 {
                markdown.extend(["|", &" --- |".repeat(columns), "\n"]);
            }
        }
        markdown
    }
}

/// True if a table can be a pipe table: it has several rows and columns, and every cell is short text.
pub(super) fn is_data(tree: &Tree<'_>, table: usize) -> bool {
    if tree.has(table, "role", "presentation") || tree.has(table, "role", "none") {
        return false;
    }
    let (mut rows, mut columns, mut row_columns, mut cell_bytes) = (0, 0, 0, 0);
    let mut at = table + 1;
    while at < tree.end(table) {
        if tree.nodes[at].is_skipped {
            at = tree.end(at);
            continue;
        }
        match tree.tag(at) {
            Tag::Tr => (rows, row_columns) = (rows + 1, 0),
            Tag::Td | Tag::Th => (row_columns, cell_bytes) = (row_columns + 1, 0),
            tag if tag.is_text() => cell_bytes += tree.text_bytes(at),
            tag if is_block_content(tag) => return false,
            _ => {}
        }
        columns = columns.max(row_columns);
        if columns > MAX_COLUMNS || cell_bytes > MAX_CELL_BYTES {
            return false;
        }
        at += 1;
    }
    rows > 1 && columns > 1
}

/// True for an element that can't be in the cell of a pipe table.
fn is_block_content(tag: Tag) -> bool {
    use Tag::*;
    tag.heading_level().is_some() || matches!(tag, Blockquote | Dl | Ol | Pre | Table | Ul | Xmp)
}

/// Returns a span such as `colspan='2'`.
pub(super) fn span(tree: &Tree<'_>, cell: usize, attribute: &str) -> usize {
    tree.attribute(cell, attribute).and_then(|value| value.trim().parse().ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_keep_the_columns_aligned() {
        let mut table = Table::default();
        for row in [
            &[("a", true, 1, 1), ("b", true, 2, 1)][..],
            &[("c", false, 1, 2), ("d", false, 1, 1), ("e", false, 1, 1)],
            &[("f", false, 1, 1)],
            &[("", false, 1, 1)],
        ] {
            table.begin_row();
            for (text, is_header, columns, rows) in row {
                table.cell((*text).to_owned(), *is_header, *columns, *rows);
            }
            table.end_row();
        }
        let expected = "| a | b |  |\n| --- | --- | --- |\n| c | d | e |\n|  | f |  |\n";
        assert_eq!(table.markdown(), expected);
        assert_eq!(Table::default().markdown(), "");
    }
}

//! Tables without borders, with columns aligned by their width on a terminal.

use std::fmt;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, presets};
use ra_core::text::escape;

/// Rows with aligned columns, indented by two spaces.
pub(crate) struct Table(comfy_table::Table);

impl Table {
    /// Creates a table with these headings; a column whose heading begins with `>` is right-aligned.
    pub(crate) fn new(headings: &[&str]) -> Self {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(headings.iter().map(|heading| heading.trim_start_matches('>')));
        for (nr, heading) in headings.iter().enumerate() {
            if let Some(column) = table.column_mut(nr) {
                column.set_padding((2, 0));
                column.set_constraint(ColumnConstraint::ContentWidth);
                if heading.starts_with('>') {
                    column.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
        Self(table)
    }

    pub(crate) fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        let shown = |cell: T| escape::one_line(&cell.into()).into_owned();
        self.0.add_row(cells.into_iter().map(shown).collect::<Vec<String>>());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.0.lines() {
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

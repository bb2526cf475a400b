//! `ra get` for people.

use std::io;

use ra_core::text::escape::MARK;

use super::{FAINT, NAME, Page, Present, Table};
use crate::layout;
use crate::wire::GetReport;

impl Present for GetReport {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        self.index.notes(page)?;
        let several = self.documents.len() > 1;
        for item in &self.documents {
            if several || !item.outline.is_empty() {
                let place = format!("{FAINT}({}){FAINT:#}", layout::place(item.lines, item.pages));
                page.line(format!("{MARK}{NAME}{}{NAME:#} {place} ───", page.clean(&item.id)))?;
            }
            if !item.outline.is_empty() {
                let mut table = Table::new(&["section", "id", ">lines", ">tokens"]);
                for section in &item.outline {
                    table.row([
                        format!("{}{}", "  ".repeat(section.depth), section.title),
                        section.id.clone(),
                        format!("{}-{}", section.lines.0, section.lines.1),
                        section.tokens.to_string(),
                    ]);
                }
                page.table(&table)?;
            }
            if let Some(content) = &item.content {
                page.document(content)?;
            }
            if let Some(citation) = &item.citation {
                page.line(format!("{MARK}cite: {} ───", page.clean(citation)))?;
            }
            if several {
                page.line("")?;
            }
        }
        Ok(())
    }
}

//! The answer of `ra get`.

use std::io;
use std::path::Path;

use ra_core::document::Pages;
use ra_core::kb::{Citation, Fetched, Freshness};
use ra_core::text::escape::MARK;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Index, LineRange};
use crate::layout;
use crate::output::{FAINT, NAME, Page, Present, Table};

/// The texts that were fetched by id.
#[derive(JsonSchema, Serialize)]
pub(crate) struct GetReport {
    /// One entry for each id that was found.
    pub(crate) documents: Vec<Item>,
    pub(crate) index: Index,
}

/// A document, a section or lines.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Item {
    /// The full id.
    pub(crate) id: String,
    /// The tree.
    pub(crate) tree: String,
    /// The path of the document below the tree's root.
    pub(crate) path: String,
    /// The source file, relative to the working directory if it is below it.
    pub(crate) file: String,
    /// The heading, or the document's title.
    pub(crate) title: String,
    /// The titles from the document's to the section's own.
    pub(crate) breadcrumb: String,
    /// The first and last line of the text, counted from 1. For a converted file, these are the lines of
    /// the converted text.
    #[schemars(with = "LineRange")]
    pub(crate) lines: (usize, usize),
    /// The first and last page, counted from 1; absent unless the file has pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<LineRange>")]
    pub(crate) pages: Option<Pages>,
    /// The citation of the text, for `ra verify`; absent for an outline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) citation: Option<String>,
    /// The number of tokens of the text without headings, counted with cl100k_base; absent with `--lines` and
    /// `--outline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tokens: Option<usize>,
    /// The text; absent with `--outline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<String>,
    /// The sections in document order; with `--outline` only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) outline: Vec<Section>,
}

/// A section in an outline.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Section {
    /// The id of the section.
    pub(crate) id: String,
    /// Its heading.
    pub(crate) title: String,
    /// Its depth below the requested document or section.
    pub(crate) depth: usize,
    /// The first and last line in the source file, counted from 1.
    #[schemars(with = "LineRange")]
    pub(crate) lines: (usize, usize),
    /// The number of tokens of the section, with all sections below it.
    pub(crate) tokens: usize,
    /// The end of the id, which says which section of the document it is.
    #[serde(skip)]
    pub(crate) anchor: String,
}

impl GetReport {
    pub(crate) fn new(fetched: Vec<Fetched>, freshness: Freshness, cwd: &Path) -> Self {
        let item = |fetched| Item::new(fetched, cwd);
        GetReport { documents: fetched.into_iter().map(item).collect(), index: Index::new(freshness) }
    }
}

impl Item {
    fn new(fetched: Fetched, cwd: &Path) -> Self {
        let section = |section: ra_core::kb::OutlineSection| Section {
            anchor: section.id.slug.as_ref().map_or_else(String::new, |slug| format!("#{slug}")),
            id: section.id.to_string(),
            title: section.title,
            depth: section.depth,
            lines: section.lines,
            tokens: section.tokens,
        };
        Item {
            citation: Citation::of(&fetched).map(|citation| citation.to_string()),
            id: fetched.id.to_string(),
            tree: fetched.id.doc.tree.to_string(),
            path: fetched.id.doc.path,
            file: fetched.file.strip_prefix(cwd).unwrap_or(&fetched.file).display().to_string(),
            title: fetched.title,
            breadcrumb: fetched.breadcrumb,
            lines: fetched.lines,
            pages: fetched.pages,
            tokens: fetched.tokens,
            content: fetched.content,
            outline: fetched.outline.into_iter().map(section).collect(),
        }
    }
}

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
                        section.anchor.clone(),
                        format!("{}-{}", section.lines.0, section.lines.1),
                        section.tokens.to_string(),
                    ]);
                }
                page.table(&table)?;
            }
            match item.content.as_deref() {
                Some("") => page.note(&format!("{} is empty", item.id))?,
                Some(content) => page.document(content)?,
                None => {}
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

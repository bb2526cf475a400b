//! The report of `ra get`.

use std::path::Path;

use ra_core::document::Pages;
use ra_core::kb::{Citation, Fetched, Freshness};
use serde::Serialize;

use super::Index;

#[derive(Serialize)]
pub(crate) struct GetReport {
    pub(crate) documents: Vec<Item>,
    pub(crate) index: Index,
}

#[derive(Serialize)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) tree: String,
    pub(crate) path: String,
    pub(crate) file: String,
    pub(crate) title: String,
    pub(crate) breadcrumb: String,
    pub(crate) lines: (usize, usize),
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pages: Option<Pages>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) citation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tokens: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) outline: Vec<Section>,
}

#[derive(Serialize)]
pub(crate) struct Section {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) depth: usize,
    pub(crate) lines: (usize, usize),
    pub(crate) tokens: usize,
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

//! The links of a document as terms, to find the documents that link to another without reading them.
//!
//! A term has the name of the linked page, a separator, the kind of the link and its target as written. It depends
//! only on the document that has the link. The linked document depends on all documents, so a query resolves it.

use crate::document::{Document, DocumentKind, LinkBase, folder_name, page_name, percent_decode, stem};
use crate::id::DocId;

/// Separates the name of a page from the link.
pub(crate) const LINK_SEPARATOR: char = '\u{1f}';

/// The maximum length of an indexed target in bytes.
const MAX_TARGET_BYTES: usize = 1000;

/// A link as its document has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredLink {
    /// True if it is a wiki link.
    pub is_wiki: bool,
    /// Its target as written.
    pub target: String,
}

impl StoredLink {
    /// Parses the part of a term after the separator.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (kind, target) = text.split_at_checked(1)?;
        Some(Self { is_wiki: kind == "w", target: target.to_owned() })
    }
}

/// Returns the terms for the links of a document, each once.
pub(crate) fn link_terms(doc: &DocId, document: &Document, text: &str) -> Vec<String> {
    let term = |name: String, kind: char, target: &str| {
        (target.len() <= MAX_TARGET_BYTES).then(|| format!("{name}{LINK_SEPARATOR}{kind}{target}"))
    };
    let directory = doc.path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let mut terms: Vec<String> = document
        .links
        .iter()
        .filter_map(|link| {
            let target = link.target.as_str();
            let path = target.split(['#', '?']).next().unwrap_or(target);
            match LinkBase::of(link, text) {
                LinkBase::Page => {
                    let page = target.split('#').next().unwrap_or(target).trim();
                    (!page.is_empty()).then(|| term(stem(page), 'w', target)).flatten()
                }
                LinkBase::Document if path.is_empty() => {
                    // A label of reStructuredText may be one of another document.
                    let is_label = document.kind == DocumentKind::Rst && target.starts_with('#');
                    is_label.then(|| term(target.to_lowercase(), 'l', target)).flatten()
                }
                LinkBase::Document => {
                    term(page_name(&format!("{directory}/{}", percent_decode(path))), 'l', target)
                }
                LinkBase::Root => {
                    let path = percent_decode(path);
                    term(page_name(&folder_name(&path).unwrap_or(path)), 'l', target)
                }
                LinkBase::External | LinkBase::OtherScheme | LinkBase::Template | LinkBase::Empty => None,
            }
        })
        .collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

//! The links that the index has: which documents may link to a page.

use std::sync::Arc;

use crate::error::Result;
use crate::index::storage::link_terms::{LINK_SEPARATOR, StoredLink};
use crate::index::storage::snapshot::Snapshot;

impl Snapshot {
    /// Returns the links to pages of a name, each with the ids of the documents that have it.
    pub fn links_named(&self, name: &str) -> Result<Vec<(StoredLink, Vec<Arc<str>>)>> {
        let prefix = format!("{name}{LINK_SEPARATOR}");
        let mut links = Vec::new();
        for (segment, view) in self.segments.iter().enumerate() {
            self.terms_with_prefix(segment, self.fields.link, &prefix, |term, location| {
                let Some(link) = StoredLink::parse(&term[prefix.len()..]) else { return Ok(()) };
                let records = self.entries_at(segment, location)?.into_iter();
                let ids = records.filter_map(|record| Some(view.id_text(view.record_number(record)?)));
                links.push((link, ids.collect()));
                Ok(())
            })?;
        }
        Ok(links)
    }
}

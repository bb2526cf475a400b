//! The page before anything is searched for: what there is.

use maud::{Markup, html};

use super::params::SearchParams;
use crate::answers::time;
use crate::mcp::{RequestError, RequestIndex};
use crate::web::frame::{counted, number};
use crate::web::links::{document_url, query};

/// How many documents and tags are shown.
const RECENT_DOCUMENTS: usize = 12;
const COMMON_TAGS: usize = 30;

pub(super) fn body(reader: &RequestIndex) -> Result<Markup, RequestError> {
    let kb = reader.kb();
    let status = reader.status();
    let mut documents = kb.document_names(reader.snapshot());
    let total = documents.len();
    documents.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.id.cmp(&b.id)));
    documents.truncate(RECENT_DOCUMENTS);
    let mut tags: Vec<(String, usize)> = kb.tags(reader)?.0.into_iter().collect();
    tags.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    tags.truncate(COMMON_TAGS);
    let tagged = |tag: &str| SearchParams { query: format!("tags:{tag}"), ..SearchParams::default() }.url();
    Ok(html! {
        section .start {
            p .lead { (counted(total, "document")) " in " (counted(kb.config().trees.iter().count(), "tree")) "." }
            h2 { "Trees" }
            ul .trees {
                @for (tree, counts) in kb.config().trees.iter().zip(&status.trees) {
                    li {
                        a href={ "/?" (query(&[("q", format!("tree:{}", tree.name))])) } { (tree.name) }
                        " " span .hint { (number(counts.documents)) " documents · " (tree.root.display()) }
                    }
                }
            }
            @if !tags.is_empty() {
                h2 { "Tags" }
                ul .tags { @for (tag, count) in &tags { li { a href=(tagged(tag)) { (tag) " " span .num { (count) } } } } }
            }
            @if !documents.is_empty() {
                h2 { "Changed last" }
                ul .recent {
                    @for document in &documents {
                        li {
                            a href=(document_url("read", &document.id)) { (document.id.path) }
                            " " span .hint { (document.id.tree) " · " time { (time::for_people(document.modified)) } }
                        }
                    }
                }
            }
        }
    })
}

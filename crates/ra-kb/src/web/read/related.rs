//! What a document is linked with, and what says much the same.

use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use ra_core::id::{ChunkId, DocId};
use ra_core::index::Scope;
use ra_core::kb::{DocumentLink, FetchExtent, LinkGraph, SimilarRequest};
use ra_core::retrieval::Passage;

use super::super::frame::{self, Tab, counted, inline_code};
use super::super::links::{document_url, parameter, parameters, read_url};
use super::super::{WebState, failed};
use crate::request::{Amount, Limits};

/// How many similar sections are shown.
const SIMILAR_SECTIONS: usize = 6;

/// How many links are shown; the rest is counted.
const MAX_LINKS: usize = 50;

pub(in crate::web) async fn related_page(
    State(web): WebState,
    Path((tree, path)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let is_part = !parameter(&parameters(query.as_deref()), "part").is_empty();
    let found = web.with_index(move |reader| {
        let kb = Limits::Context.with(reader.kb(), Amount { limit: Some(SIMILAR_SECTIONS), expand: false });
        let name = format!("{tree}:{path}");
        let (mut fetched, _) = kb.get(std::slice::from_ref(&name), FetchExtent::Outline, reader)?;
        let doc = fetched.remove(0)?.id.doc;
        let wanted = SimilarRequest { name, file: None, scope: Scope::default() };
        let mut similar = kb.similar(&wanted, reader)?.answers.answers;
        reader.check()?;
        let passages = similar.pop().map(|answer| answer.passages).unwrap_or_default();
        Ok((doc, passages))
    });
    let (doc, similar) = match found.await {
        Ok(found) => found,
        Err(error) => return failed(error, StatusCode::NOT_FOUND),
    };
    let graph = match web.link_graph().await {
        Ok(graph) => graph,
        Err(error) => return failed(error, StatusCode::INTERNAL_SERVER_ERROR),
    };
    let body = related(&doc, &similar, &graph);
    if is_part {
        return frame::part(body);
    }
    frame::page(
        "Related · ra",
        Tab::Read,
        html! {
            main #main .narrow {
                h1 { "Related to " a href=(document_url("read", &doc)) { (doc) } }
                (body)
            }
        },
    )
}

fn related(doc: &DocId, similar: &[Passage], graph: &LinkGraph) -> Markup {
    let id = ChunkId { doc: doc.clone(), slug: None };
    let backlinks: Vec<&DocumentLink> = graph.backlinks(&id).collect();
    let outgoing: Vec<&DocumentLink> = graph.outgoing(&id).filter(|link| link.to.doc != *doc).collect();
    let broken: Vec<_> = graph.broken_in(doc).collect();
    html! {
        h2 { "Linked from" }
        @if backlinks.is_empty() { p .hint { "No other document links here." } }
        (list(&backlinks, |link| &link.from))
        h2 { "Links to" }
        @if outgoing.is_empty() { p .hint { "It links to no other document." } }
        (list(&outgoing, |link| &link.to))
        @if !broken.is_empty() {
            h2 { (counted(broken.len(), "broken link")) }
            ul .links { @for link in broken.iter().take(MAX_LINKS) { li { "line " (link.line) ": " code { (link.target) } " – " (link.missing.as_str()) } } }
        }
        h2 { "Similar" }
        @if similar.is_empty() { p .hint { "No section of another document is like it." } }
        ul .links {
            @for passage in similar {
                li { a href=(read_url(&passage.id)) { (inline_code(&passage.title)) } " " span .hint { (passage.id.doc) } }
            }
        }
    }
}

fn list<'a>(links: &[&'a DocumentLink], end: impl Fn(&'a DocumentLink) -> &'a ChunkId) -> Markup {
    html! {
        ul .links {
            @for link in links.iter().take(MAX_LINKS) {
                @let id = end(link);
                li { a href=(read_url(id)) { (id) } @if !link.text.is_empty() { " " span .hint { "“" (link.text) "”" } } }
            }
        }
        @if links.len() > MAX_LINKS { p .hint { (links.len() - MAX_LINKS) " more" } }
    }
}

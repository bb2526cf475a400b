//! The state of the trees and the index, the problems of the documents, and what search doesn't find.

mod overview;
mod problems;

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use ra_core::eval::measure_retrievability;
use ra_core::kb::{KnowledgeBase, ListedDocument};

use super::frame::{self, Tab};
use super::links::{parameter, parameters};
use super::{WebState, failed};
use crate::answers::{Check, Finding, Retrieval, Status};
use crate::live::OpenedKb;
use crate::mcp::RequestError;

/// How many headings, descriptions and links of each tree are searched for.
const RETRIEVAL_SAMPLE: usize = 200;

/// The problems of all documents.
pub(crate) struct Health {
    pub(crate) check: Check,
    /// The documents that no other document links to.
    pub(crate) orphans: Vec<String>,
}

/// What a page knows about addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Linking {
    /// Ids are links to pages of the server.
    Pages,
    /// There is no server: ids are text.
    Nothing,
}

impl Health {
    /// Reads all documents and looks for problems.
    pub(crate) fn of(kb: &KnowledgeBase) -> crate::error::Result<Self> {
        let orphans = kb.link_graph().orphans().iter().map(ToString::to_string).collect();
        Ok(Self { check: Check::new(kb.check(), &kb.status()?.index, true), orphans })
    }
}

pub(super) async fn page(State(web): WebState) -> Response {
    let found = web.with_index(|reader| {
        let kb = reader.kb();
        let (documents, _) = kb.documents(&[], reader)?;
        Ok((Status::new(kb.config(), kb.status()?), documents, reader.generation()))
    });
    let (status, documents, generation) = match found.await {
        Ok(found) => found,
        Err(error) => return failed(error, StatusCode::INTERNAL_SERVER_ERROR),
    };
    frame::page(
        "Health · ra",
        Tab::Health,
        html! {
            main #main .wide .health data-generation=(generation) {
                h1 { "Health" }
                (overview(&status, &documents, Linking::Pages))
                section #problems aria-label="Problems" data-load="/health/problems?part=1" {
                    h2 { "Problems" }
                    p { a .button href="/health/problems" { "Read all documents and list their problems" } }
                }
                section #retrieval aria-label="What search does not find" {
                    h2 { "What search does not find" }
                    p { "Searches for sections by their own headings, descriptions and links, and names those that it misses. This can take a minute." }
                    p { a .button href="/health/retrieval" data-load-here="/health/retrieval?part=1" { "Try " (RETRIEVAL_SAMPLE) " of each" } }
                }
            }
        },
    )
}

pub(super) async fn problems_page(State(web): WebState, RawQuery(query): RawQuery) -> Response {
    let found = async {
        let opened = web.opened().await?;
        web.health.get(opened.snapshot.commit().generation, move || Ok(Health::of(&opened.kb)?)).await
    };
    shown("Problems", query, found.await.map(|health| problems(&health, Linking::Pages)))
}

pub(super) async fn retrieval_page(State(web): WebState, RawQuery(query): RawQuery) -> Response {
    let found = async {
        let opened = web.opened().await?;
        web.retrieval.get(opened.snapshot.commit().generation, move || MissedSections::of(&opened)).await
    };
    let body =
        |found: Arc<MissedSections>| problems::retrieval(&found.rates, found.sections.iter(), Linking::Pages);
    shown("What search does not find", query, found.await.map(body))
}

/// How well sections are found, and those that aren't.
pub(super) struct MissedSections {
    rates: Retrieval,
    sections: Vec<Finding>,
}

impl MissedSections {
    fn of(opened: &OpenedKb) -> Result<Self, RequestError> {
        let found = measure_retrievability(&opened.kb, &opened.snapshot, RETRIEVAL_SAMPLE)?;
        let sections = found.trees.iter().flat_map(|tree| &tree.unfindable);
        let sections = sections.map(|section| Finding::new(section.finding())).collect();
        Ok(Self { rates: Retrieval::new(&found), sections })
    }
}

/// Shows a section by itself, or as a part of the page.
fn shown(title: &str, query: Option<String>, found: Result<Markup, RequestError>) -> Response {
    let is_part = !parameter(&parameters(query.as_deref()), "part").is_empty();
    match found {
        Ok(body) if is_part => frame::part(html! { h2 { (title) } (body) }),
        Ok(body) => frame::page(
            &format!("{title} · ra"),
            Tab::Health,
            html! {
                main #main .wide .health {
                    p { a href="/health" { "Health" } }
                    h1 { (title) }
                    (body)
                }
            },
        ),
        Err(error) => failed(error, StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// Shows the trees, the index and what they contain.
pub(super) fn overview(status: &Status, documents: &[ListedDocument], linking: Linking) -> Markup {
    overview::body(status, documents, linking)
}

/// Shows the problems, and what search doesn't find if that was measured.
pub(super) fn problems(health: &Health, linking: Linking) -> Markup {
    problems::body(health, linking)
}

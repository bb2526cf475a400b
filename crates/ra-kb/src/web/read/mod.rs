//! A document, rendered safely, with its outline, citation, links and changes.

mod related;

use std::sync::PoisonError;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::{Path, RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use ra_core::Error;
use ra_core::kb::{Citation, FetchExtent, Fetched, OutlineSection};
use ra_core::kind::DocumentKind;
use ra_core::text::Span;
use similar::ChangeTag;

pub(super) use self::related::related_page;
use super::frame::{self, Tab, copyable, number};
use super::links::{ANCHOR, document_url, parameter, parameters, read_url};
use super::markdown::DocumentText;
use super::shown_texts::TextChanges;
use super::{Web, WebState, failed};
use crate::answers::rfc3339;
use crate::mcp::{RequestError, RequestIndex};

/// The largest document that is shown whole, in bytes. Browsers get slow with more.
const MAX_SHOWN_BYTES: usize = 2 << 20;

/// What a page about a document needs.
struct Opened {
    document: Fetched,
    outline: Vec<OutlineSection>,
    tags: Vec<String>,
    modified: Option<i64>,
}

/// Shows a document by its tree and path.
pub(super) async fn page(
    State(web): WebState,
    Path((tree, path)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let is_part = !parameter(&parameters(query.as_deref()), "part").is_empty();
    let names = likely_names(&tree, &path);
    let opened = web.with_index(move |reader| open_first(reader, &names)).await;
    let opened = match opened {
        Ok(opened) => opened,
        Err(error) => return failed(error, StatusCode::NOT_FOUND),
    };
    let title = format!("{} · ra", opened.document.title);
    let body = body(&web, &opened);
    match is_part {
        true => frame::part(body),
        false => frame::page(&title, Tab::Read, body),
    }
}

/// Sends a browser to the document or section with a name, such as that of a wiki link.
pub(super) async fn open(State(web): WebState, RawQuery(query): RawQuery) -> Response {
    let name = parameter(&parameters(query.as_deref()), "id");
    let found = web.with_index(move |reader| {
        let name = reader.kb().name_of(reader.cwd(), &name);
        let (mut fetched, _) = reader.kb().get(&[name], FetchExtent::Outline, reader)?;
        Ok(fetched.remove(0)?.id)
    });
    match found.await {
        Ok(id) => (StatusCode::SEE_OTHER, [(header::LOCATION, read_url(&id))]).into_response(),
        Err(error) => failed(error, StatusCode::NOT_FOUND),
    }
}

/// Returns the citation of a section or document as text.
pub(super) async fn cite(State(web): WebState, RawQuery(query): RawQuery) -> Response {
    let name = parameter(&parameters(query.as_deref()), "id");
    let cited = web.with_index(move |reader| {
        let (mut fetched, _) = reader.kb().get(&[name], FetchExtent::Named, reader)?;
        let fetched = fetched.remove(0)?;
        Citation::of(&fetched).map(|citation| citation.to_string()).ok_or_else(|| {
            RequestError::Error(
                "error: this is not one run of lines with text, so it has no citation\n".to_owned(),
            )
        })
    });
    match cited.await {
        Ok(citation) => frame::text(StatusCode::OK, citation),
        Err(error) => failed(error, StatusCode::NOT_FOUND),
    }
}

/// Returns the names to try for a path. Links often leave out the extension or name a directory.
fn likely_names(tree: &str, path: &str) -> Vec<String> {
    let path = path.trim_end_matches('/');
    let endings = ["", ".md", "/index.md", "/README.md", "/_index.md", ".mdx", "/index.mdx"];
    endings.iter().map(|ending| format!("{tree}:{path}{ending}")).collect()
}

/// Opens the first of several names that is a document.
fn open_first(reader: &RequestIndex, names: &[String]) -> Result<Opened, RequestError> {
    let kb = reader.kb();
    let (fetched, _) = kb.get(names, FetchExtent::Document, reader)?;
    let mut first_error: Option<Error> = None;
    for fetched in fetched {
        match fetched {
            Ok(document) => {
                let id = document.id.doc.to_string();
                let (mut outline, _) = kb.get(std::slice::from_ref(&id), FetchExtent::Outline, reader)?;
                let (listed, _) = kb.documents(&[literal_glob(&id)], reader)?;
                let listed = listed.into_iter().find(|listed| listed.id == document.id.doc);
                return Ok(Opened {
                    outline: outline.remove(0)?.outline,
                    modified: listed.as_ref().map(|listed| listed.modified),
                    tags: listed.map(|listed| listed.tags).unwrap_or_default(),
                    document,
                });
            }
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error
        .map_or_else(|| RequestError::Error("error: no such document\n".to_owned()), RequestError::from))
}

/// Returns a glob that only matches a text itself.
fn literal_glob(text: &str) -> String {
    let mut glob = String::new();
    for c in text.chars() {
        match c {
            '*' | '?' | '[' | ']' | '{' | '}' | '\\' => glob.extend(['[', c, ']']),
            c => glob.push(c),
        }
    }
    glob
}

fn body(web: &Web, opened: &Opened) -> Markup {
    let Opened { document, outline, tags, modified, .. } = opened;
    let doc = &document.id.doc;
    let content = document.content.as_deref().unwrap_or_default();
    let shown = &content[..content.floor_char_boundary(MAX_SHOWN_BYTES.min(content.len()))];
    let sections: Vec<(usize, String)> = outline
        .iter()
        .filter_map(|section| Some((section.lines.0 + 1 - document.lines.0, section.id.slug.clone()?)))
        .collect();
    let text = DocumentText { doc, text: shown, matches: &[] as &[Span], sections: &sections };
    let changes = changes(web, &doc.to_string(), content);
    html! {
        main #main .reading {
            article .document data-document {
                header {
                    p .crumbs { span .tree { (doc.tree) } " / " (doc.path) }
                    h1 .title { (document.title) }
                    @if !tags.is_empty() { ul .tags { @for tag in tags { li { (tag) } } } }
                }
                (changes)
                @if shown.len() < content.len() {
                    p .problem { "Only the first 2 MiB are shown. " code { "ra get " (doc) } " prints all of it." }
                }
                div .prose { (text.html()) }
            }
            aside .about aria-label="About this document" {
                (contents(outline))
                h2 { "Cite" }
                div #citation data-document=(doc) {
                    @if let Some(citation) = Citation::of(document) { (copyable("the citation", &citation.to_string())) }
                }
                h2 { "File" }
                (file(web, document, *modified))
                div #related data-load={ (document_url("related", doc)) "?part=1" } {
                    p { a href=(document_url("related", doc)) { "Links and similar sections" } }
                }
            }
        }
    }
}

fn contents(outline: &[OutlineSection]) -> Markup {
    let entries: Vec<(&OutlineSection, &String)> =
        outline.iter().filter_map(|section| Some((section, section.id.slug.as_ref()?))).collect();
    html! {
        @if entries.len() > 1 {
            nav .outline aria-labelledby="outline-title" {
                h2 #outline-title { "Contents" }
                ul {
                    @for (section, slug) in entries {
                        li class={ "d" (section.depth.min(5)) } {
                            a href={ "#" (ANCHOR) (slug) } { (section.title) } " " span .num { (number(section.tokens)) }
                        }
                    }
                }
            }
        }
    }
}

fn file(web: &Web, document: &Fetched, modified: Option<i64>) -> Markup {
    let doc = &document.id.doc;
    html! {
        dl .facts {
            dt { "Lines" } dd { (number(document.lines.1)) }
            @if let Some(tokens) = document.tokens { dt { "Tokens" } dd { (number(tokens)) } }
            dt { "Type" } dd { (DocumentKind::of_path(&doc.path).as_str()) }
            @if let Some(modified) = modified { dt { "Changed" } dd { time { (clock(modified)) } } }
        }
        (copyable("the path", &document.file.display().to_string()))
        @match &web.editor {
            Some(editor) => p { a .button href=(editor.link(&document.file, 1)) { "Open in editor" } },
            None => p .hint { "Start " code { "ra serve --editor NAME" } " for a link that opens your editor." },
        }
        (compared(web, &doc.to_string()))
    }
}

/// Says since when changes are known.
fn compared(web: &Web, id: &str) -> Markup {
    let since = web.shown.lock().unwrap_or_else(PoisonError::into_inner).first_shown(id);
    html! {
        @if let Some(since) = since {
            p .hint { "Changes are shown from " time { (clock(since)) } " on, when this page was first opened. The index keeps no older text." }
        }
    }
}

/// Shows what has changed since the document was first shown.
fn changes(web: &Web, id: &str, content: &str) -> Markup {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
    let now = i64::try_from(now).unwrap_or(i64::MAX);
    let changes = web.shown.lock().unwrap_or_else(PoisonError::into_inner).changes(id, content, now);
    let Some(TextChanges { since, lines }) = changes else { return html! {} };
    let class = |tag| match tag {
        ChangeTag::Delete => ("del", "−"),
        ChangeTag::Insert => ("ins", "+"),
        ChangeTag::Equal => ("same", " "),
    };
    html! {
        details .changes open {
            summary { "Changed since " (clock(since)) }
            pre tabindex="0" {
                @for (nr, line) in lines.iter().enumerate() {
                    @if line.after_gap && nr > 0 { span .gap { "⋯" } "\n" }
                    @let (class, sign) = class(line.tag);
                    span class=(class) { (sign) " " (line.text) } "\n"
                }
            }
        }
    }
}

/// Formats a time for people.
fn clock(nanoseconds: i64) -> String {
    rfc3339(nanoseconds).replace('T', " ").replace('Z', " UTC")
}

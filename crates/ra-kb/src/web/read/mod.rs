//! A document, rendered safely, with its outline, citation, links and changes.

mod history;
mod related;

use std::cell::{Cell, RefCell};
use std::sync::PoisonError;

use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use ra_core::Error;
use ra_core::config::Config;
use ra_core::id::DocId;
use ra_core::kb::{Citation, FetchExtent, Fetched, OutlineSection};
use ra_core::text::escape;

pub(super) use self::history::history_page;
pub(super) use self::related::related_page;
use super::frame::{self, Tab, copyable, counted, inline_code, number};
use super::guard::policy_with_images_of;
use super::links::{ANCHOR, document_url, parameter, parameters, query, read_url};
use super::markdown::DocumentText;
use super::reading_view::ReadingView;
use super::text_changes::{changed_lines, difference};
use super::{Web, WebState, failed};
use crate::answers::time;
use crate::mcp::{RequestError, RequestIndex};

/// The largest document that is shown whole, in bytes. Browsers get slow with more.
const MAX_SHOWN_BYTES: usize = 2 << 20;

/// What a page about a document needs.
struct Opened {
    document: Fetched,
    outline: Vec<OutlineSection>,
    tags: Vec<String>,
    modified: Option<i64>,
    generation: u64,
}

/// Shows a document by its tree and path.
pub(super) async fn page(
    State(web): WebState,
    Path((tree, path)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let parameters = parameters(query.as_deref());
    let is_part = !parameter(&parameters, "part").is_empty();
    let (site, key) = (parameter(&parameters, "images"), parameter(&parameters, "key"));
    let shared = web.clone();
    let rendered = web.with_index(move |reader| {
        let names = likely_names(reader.kb().config(), &tree, &path);
        let opened = open_first(reader, &names)?;
        let is_asked = !site.is_empty() && shared.image_key(&opened.document.id.doc, &site) == key;
        let site = is_asked.then_some(site);
        let body = body(&shared, reader.kb().config(), &opened, site.as_deref());
        Ok((format!("{} · ra", opened.document.title), body, site))
    });
    let (title, body, site) = match rendered.await {
        Ok(rendered) => rendered,
        Err(error) => return failed(error, StatusCode::NOT_FOUND),
    };
    let mut response = match is_part {
        true => frame::part(body),
        false => frame::page(&title, Tab::Read, body),
    };
    if let Some(policy) = site.and_then(|site| HeaderValue::try_from(policy_with_images_of(&site)).ok()) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
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

/// Returns the names to try for a path. Links often leave out the extension, name a directory, or begin with `/` for
/// the root of a site, which may write directories with capitals.
fn likely_names(config: &Config, tree: &str, path: &str) -> Vec<String> {
    let path = path.trim_end_matches('/');
    let mut paths = vec![path.to_owned()];
    let roots = config.tree(tree).map(|tree| tree.link_roots.as_slice()).unwrap_or_default();
    for below in roots.iter().filter_map(|root| root.path_below(path)) {
        paths.extend([below.to_lowercase(), below]);
    }
    let endings = ["", ".md", "/index.md", "/README.md", "/_index.md", ".mdx", "/index.mdx"];
    let named = |path: &String| endings.map(|ending| format!("{tree}:{path}{ending}"));
    paths.iter().flat_map(named).collect()
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
                    generation: reader.generation(),
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

fn body(web: &Web, config: &Config, opened: &Opened, site: Option<&str>) -> Markup {
    let Opened { document, outline, tags, modified, generation } = opened;
    let doc = &document.id.doc;
    let content = document.content.as_deref().unwrap_or_default();
    let shown = &content[..content.floor_char_boundary(MAX_SHOWN_BYTES.min(content.len()))];
    let sections: Vec<(usize, String)> = outline
        .iter()
        .filter_map(|section| Some((section.lines.0 + 1 - document.lines.0, section.id.slug.clone()?)))
        .collect();
    // The lines of a converted document aren't those of its file.
    let is_converted = document.kind.is_converted();
    let editor = web.editor.as_ref().filter(|_| !is_converted);
    let view = config.tree(doc.tree.as_str()).map(|tree| ReadingView {
        tree,
        editor: editor.map(|editor| (editor, document.file.as_path())),
        lines: outline
            .iter()
            .filter_map(|section| Some((section.id.slug.as_deref()?, section.lines.0)))
            .collect(),
        shown_site: site,
        other_sites: RefCell::default(),
        images: Cell::default(),
    });
    let text = DocumentText {
        doc,
        kind: document.kind,
        text: shown,
        matches: &[],
        sections: &sections,
        view: view.as_ref(),
    };
    let text = text.html();
    html! {
        main #main .reading data-generation=(generation) {
            article .document data-document {
                header {
                    p .crumbs { span .tree { (doc.tree) } " / " (doc.path) }
                    h1 .title { (inline_code(&document.title)) }
                    @if !tags.is_empty() { ul .tags { @for tag in tags { li { (tag) } } } }
                }
                (changes(web, &doc.to_string(), content))
                @if let Some(view) = &view { (other_sites(web, doc, view)) }
                @if shown.len() < content.len() {
                    p .problem { "Only the first 2 MiB are shown. " code { "ra get " (doc) } " prints all of it." }
                }
                div .prose { (text) }
            }
            aside .about aria-label="About this document" {
                (contents(outline))
                h2 { "Cite" }
                div #citation data-document=(doc) {
                    @if let Some(citation) = Citation::of(document) { (copyable("the citation", &citation.to_string())) }
                }
                h2 { "File" }
                (file(web, document, *modified))
                div #history data-load={ (document_url("history", doc)) "?part=1" } {
                    p { a href=(document_url("history", doc)) { "History" } }
                }
                div #related data-load={ (document_url("related", doc)) "?part=1" } {
                    p { a href=(document_url("related", doc)) { "Links and similar sections" } }
                }
            }
        }
    }
}

/// How many other sites a page offers to load images from.
const MAX_SITES: usize = 8;

/// Says which images aren't loaded, and offers to load those of one site.
fn other_sites(web: &Web, doc: &DocId, view: &ReadingView<'_>) -> Markup {
    let sites = view.other_sites.borrow();
    let host = |site: &str| site.split_once("://").map_or(site, |(_, host)| host).to_owned();
    html! {
        @if let Some(site) = view.shown_site {
            p .note { "Images of " (host(site)) " are loaded from there. " a href=(document_url("read", doc)) { "Stop" } }
        }
        @if !sites.is_empty() {
            p .note {
                "Images of other sites are not loaded, because these sites would learn what you read. Load from "
                @for (nr, (site, count)) in sites.iter().take(MAX_SITES).enumerate() {
                    @if nr > 0 { ", " }
                    @let parameters = [("images", site.clone()), ("key", web.image_key(doc, site))];
                    a href={ (document_url("read", doc)) "?" (query(&parameters)) } { (host(site)) }
                    " (" (counted(*count, "image")) ")"
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
                            a href={ "#" (ANCHOR) (slug) } { (inline_code(&section.title)) } " " span .num { (number(section.tokens)) }
                        }
                    }
                }
            }
        }
    }
}

fn file(web: &Web, document: &Fetched, modified: Option<i64>) -> Markup {
    html! {
        dl .facts {
            dt { "Lines" } dd { (number(document.lines.1)) }
            @if let Some(tokens) = document.tokens { dt { "Tokens" } dd { (number(tokens)) } }
            dt { "Type" } dd { (document.kind.as_str()) }
            @if let Some(modified) = modified { dt { "Changed" } dd { time { (time::for_people(modified)) } } }
        }
        (copyable("the path", &escape::one_line(&document.file.display().to_string())))
        @match &web.editor {
            Some(editor) => p { a #open-editor .button href=(editor.link(&document.file, 1)) { "Open in editor" } },
            None => p .hint { "Start " code { "ra serve --editor NAME" } " for a link that opens your editor." },
        }
    }
}

/// Shows what has changed since the page of the document was first opened.
fn changes(web: &Web, id: &str, content: &str) -> Markup {
    let earlier = web.shown.lock().unwrap_or_else(PoisonError::into_inner).earlier(id, content, time::now());
    let Some(earlier) = earlier else { return html! {} };
    html! {
        details .changes open {
            summary { "Changed since you opened this page" }
            p .hint { "The text now, compared with what the index had at " time { (time::for_people(earlier.at)) } "." }
            (difference(&changed_lines(&earlier.text, content)))
        }
    }
}

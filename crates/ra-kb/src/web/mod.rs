//! The pages of `ra serve`, and the report of `ra check --report`.
//!
//! Every page is HTML that works without JavaScript. A small script adds search while typing, shortcuts, copying and
//! live updates; for these it fetches parts of the same pages. Nothing here changes a file, and the only program that
//! is started is git, for the history of a document.
//!
//! | module | does |
//! | --- | --- |
//! | `search` | the start page, results, filters, explanations |
//! | `read` | a document, with its outline, links, history and changes |
//! | `images` | images of the trees |
//! | `health` | the state of the trees and the index, and problems |
//! | `agent` | what an MCP client receives for a tool call |
//! | `report` | the health page as one file |
//! | `events` | tells open pages that the index has changed |
//! | `login` | asks a browser for the token |
//! | `guard` | the content security policy, and who may load a page |
//! | `markdown` | documents as sanitized HTML |
//! | `html_attributes` | counts the attributes of HTML tags |
//! | `html_limits` | keeps HTML from the sanitizer that would take it too long |
//! | `html_tags` | the tags of sanitized HTML |
//! | `reading_view` | images and editor links in sanitized HTML |
//! | `document_links` | where links of documents lead |
//! | `frame` | what all pages have in common |
//! | `charts` | bars and the treemap, as SVG |
//! | `links` | addresses of pages |
//! | `once_per_commit` | keeps what takes long to compute |
//! | `shown_texts` | the texts of documents when their pages were opened |
//! | `text_changes` | the difference of two texts |
//! | `editor` | links that open an editor |
//! | `assets` | the style sheet, the script and the icon |

mod agent;
mod assets;
mod charts;
mod document_links;
mod editor;
mod events;
mod frame;
mod guard;
mod health;
mod html_attributes;
mod html_limits;
mod html_tags;
mod images;
mod links;
mod login;
mod markdown;
mod once_per_commit;
mod read;
mod reading_view;
mod report;
mod search;
mod shown_texts;
mod text_changes;

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::StatusCode;
use axum::middleware;
use axum::response::Response;
use axum::routing::{get, post};
use ra_core::id::DocId;
use ra_core::kb::LinkGraph;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub(crate) use self::editor::Editor;
pub(crate) use self::health::Health;
use self::once_per_commit::OncePerCommit;
pub(crate) use self::report::report;
use self::shown_texts::ShownTexts;
use crate::live::OpenedKb;
use crate::mcp::{RequestError, RequestIndex, RequestRunner, SiteRoutes, SiteServer};

/// The state that all pages share.
struct Web {
    runner: Arc<RequestRunner>,
    editor: Option<Editor>,
    events: events::Events,
    links: OncePerCommit<LinkGraph>,
    health: OncePerCommit<Health>,
    retrieval: OncePerCommit<health::MissedSections>,
    shown: Mutex<ShownTexts>,
    /// Limits how many git processes run at once.
    git: Arc<Semaphore>,
    /// The secret behind the links that load images of other sites.
    image_keys: RandomState,
}

/// How many git processes run at once.
const MAX_GIT_PROCESSES: usize = 2;

type WebState = axum::extract::State<Arc<Web>>;

/// Returns the pages of a server.
pub(crate) fn routes(server: SiteServer, editor: Option<Editor>) -> SiteRoutes {
    let SiteServer { runner, token, stop, .. } = server;
    let web = Arc::new(Web {
        events: events::Events::start(runner.clone(), stop),
        runner,
        editor,
        links: OncePerCommit::default(),
        health: OncePerCommit::default(),
        retrieval: OncePerCommit::default(),
        shown: Mutex::default(),
        git: Arc::new(Semaphore::new(MAX_GIT_PROCESSES)),
        image_keys: RandomState::new(),
    });
    let pages = Router::new()
        .route("/", get(search::page))
        .route("/context.txt", get(search::context_text))
        .route("/read/{tree}/{*path}", get(read::page))
        .route("/related/{tree}/{*path}", get(read::related_page))
        .route("/history/{tree}/{*path}", get(read::history_page))
        .route("/image/{tree}/{*path}", get(images::image))
        .route("/cite", get(read::cite))
        .route("/open", get(read::open))
        .route("/health", get(health::page))
        .route("/health/problems", get(health::problems_page))
        .route("/health/retrieval", get(health::retrieval_page))
        .route("/agent", get(agent::page))
        .route("/events", get(events::stream))
        .fallback(async || frame::message(StatusCode::NOT_FOUND, "There is no such page."))
        .with_state(web)
        .layer(middleware::from_fn(guard::protect));
    let mut open = assets::routes();
    if let Some(token) = token {
        open = open.merge(
            Router::new()
                .route("/login", get(login::form))
                .route("/login", post(login::check))
                .with_state(token),
        );
    }
    SiteRoutes { pages, open: open.layer(middleware::from_fn(guard::protect)) }
}

impl Web {
    /// Runs a request over a fresh index. If the browser goes away, for example because the user types on, the request
    /// is cancelled.
    async fn with_index<T: Send + 'static>(
        &self,
        job: impl FnOnce(&RequestIndex) -> Result<T, RequestError> + Send + 'static,
    ) -> Result<T, RequestError> {
        let cancelled = CancellationToken::new();
        let _guard = cancelled.clone().drop_guard();
        self.runner.run_with_index(&cancelled, job).await
    }

    /// Returns the knowledge base of a fresh index, for work that takes longer than a request may.
    async fn opened(&self) -> Result<Arc<OpenedKb>, RequestError> {
        self.with_index(|reader| Ok(reader.opened_kb())).await
    }

    /// Returns the proof that a reader has asked on the page of a document for the images of a site. Neither another
    /// site nor a document can make such a link.
    fn image_key(&self, doc: &DocId, site: &str) -> String {
        format!("{:016x}", self.image_keys.hash_one((doc.to_string(), site)))
    }

    /// Returns the links of all documents. They are read once for each commit.
    async fn link_graph(&self) -> Result<Arc<LinkGraph>, RequestError> {
        let opened = self.opened().await?;
        self.links.get(opened.snapshot.commit().generation, move || Ok(opened.kb.link_graph())).await
    }
}

/// Returns the page for a request that has no answer.
fn failed(error: RequestError, status: StatusCode) -> Response {
    match error {
        RequestError::Indexing(progress) => {
            frame::message(StatusCode::SERVICE_UNAVAILABLE, &format!("{progress}. Reload in a moment."))
        }
        RequestError::Error(text) => frame::message(status, text.trim_start_matches("error: ").trim()),
    }
}

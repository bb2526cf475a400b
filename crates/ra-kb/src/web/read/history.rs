//! The versions of a document: the commits that changed its file, and what has changed since one of them.
//!
//! The index always has the text that is on the disk, and no older one. So "since when" is for the reader to choose:
//! since a commit, or since the page of the document was first opened.

use std::sync::PoisonError;

use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use ra_core::kb::{FetchExtent, Fetched};
use tokio::task;

use super::super::frame::{self, Tab, inline_code};
use super::super::links::{document_url, parameter, parameters, query};
use super::super::shown_texts::ShownText;
use super::super::text_changes::{ChangedLine, MAX_COMPARED_BYTES, changed_lines, difference};
use super::super::{Web, WebState, failed};
use crate::answers::time;
use crate::git_history::{FileCommit, FileHistory, WorkTreeFile};
use crate::mcp::RequestError;

/// How many commits are listed beside a document.
const MAX_BESIDE: usize = 4;

/// The value of `since` that means the moment when the page was first opened.
const OPENED: &str = "opened";

/// How many digits of a hash are shown.
const SHORT_HASH: usize = 8;

/// A document, and what is known of its versions.
struct Versions {
    document: Fetched,
    /// When the index was last written, in nanoseconds since 1970.
    indexed: i64,
    history: Result<FileHistory, String>,
    /// True if the file differs from its last commit; `None` if that isn't known.
    is_modified: Option<bool>,
    opened: Option<ShownText>,
    comparison: Option<VersionComparison>,
}

/// A version that the file is compared with.
struct VersionComparison {
    base: Base,
    /// The difference, or why there is none.
    lines: Result<Vec<ChangedLine>, &'static str>,
}

enum Base {
    Commit(FileCommit),
    /// When the page was first opened, in nanoseconds since 1970.
    Opened(i64),
}

pub(in crate::web) async fn history_page(
    State(web): WebState,
    Path((tree, path)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let parameters = parameters(query.as_deref());
    let is_part = !parameter(&parameters, "part").is_empty();
    let since = (!is_part).then(|| parameter(&parameters, "since"));
    let versions = match versions(&web, format!("{tree}:{path}"), since).await {
        Ok(versions) => versions,
        Err(error) => return failed(error, StatusCode::NOT_FOUND),
    };
    let doc = &versions.document.id.doc;
    if is_part {
        let has_versions = versions.history.as_ref().is_ok_and(|history| !history.commits.is_empty());
        return frame::part(html! {
            h2 { "History" }
            (list(&versions, MAX_BESIDE))
            @if has_versions { p { a href=(document_url("history", doc)) { "What has changed" } } }
        });
    }
    frame::page(
        &format!("History of {} · ra", versions.document.title),
        Tab::Read,
        html! {
            main #main .wide .history {
                p .crumbs { span .tree { (doc.tree) } " / " (doc.path) }
                h1 { "History of " a href=(document_url("read", doc)) { (inline_code(&versions.document.title)) } }
                @if let Some(comparison) = &versions.comparison { (compared(comparison)) }
                h2 { "Versions" }
                (list(&versions, usize::MAX))
                p .hint {
                    "The index was last updated at " time { (time::for_people(versions.indexed)) }
                    " and has the text that is on the disk now. It keeps no older text, so older versions come from git."
                }
            }
        },
    )
}

/// Returns what is known of the versions of a document. Without `since`, nothing is compared but the last commit.
async fn versions(web: &Web, name: String, since: Option<String>) -> Result<Versions, RequestError> {
    let found = web.with_index(move |reader| {
        let (mut fetched, _) = reader.kb().get(&[name], FetchExtent::Document, reader)?;
        Ok((fetched.remove(0)?, reader.opened_kb().snapshot.commit().updated))
    });
    let (document, indexed) = found.await?;
    let id = document.id.doc.to_string();
    let opened = web.shown.lock().unwrap_or_else(PoisonError::into_inner).first(&id).cloned();
    let permit = web.git.clone().acquire_owned().await;
    let compute = move || {
        let _permit = permit;
        Versions::new(document, indexed, opened, since.as_deref())
    };
    let computed = task::spawn_blocking(compute).await;
    computed.map_err(|_| RequestError::Error("error: this failed inside ra, which is a bug\n".to_owned()))
}

impl Versions {
    fn new(document: Fetched, indexed: i64, opened: Option<ShownText>, since: Option<&str>) -> Self {
        let content = document.content.clone().unwrap_or_default();
        let not_comparable = match document.kind.is_converted() {
            true => Some("Versions of this format can't be compared: its text is made from the file."),
            false => (content.len() > MAX_COMPARED_BYTES).then_some("The document is too large to compare."),
        };
        let file = WorkTreeFile::new(&document.file);
        let history = match &file {
            Some(file) => file.history(),
            None => Err("the file is not in a git work tree".to_owned()),
        };
        let text_at = |commit: &FileCommit| file.as_ref()?.text_at(&commit.id, MAX_COMPARED_BYTES as u64);
        let commits = history.as_ref().map(|history| history.commits.as_slice()).unwrap_or_default();
        let newest = commits.first().filter(|_| not_comparable.is_none());
        let is_modified = newest
            .map(|newest| text_at(newest).is_none_or(|text| !changed_lines(&text, &content).is_empty()));
        let base = since.and_then(|since| base(since, commits, is_modified, opened.as_ref()));
        let comparison = base.map(|base| {
            let old = match &base {
                Base::Commit(commit) => text_at(commit),
                Base::Opened(_) => opened.as_ref().map(|shown| shown.text.clone()),
            };
            let lines = match (not_comparable, old) {
                (Some(reason), _) => Err(reason),
                (None, None) => Err("That version has no such file, or git can't show it."),
                (None, Some(old)) => Ok(changed_lines(&old, &content)),
            };
            VersionComparison { base, lines }
        });
        Self { document, indexed, history, is_modified, opened, comparison }
    }
}

/// Returns the version to compare with: the one asked for, or that before the last change.
fn base(
    since: &str,
    commits: &[FileCommit],
    is_modified: Option<bool>,
    opened: Option<&ShownText>,
) -> Option<Base> {
    let wanted = match since {
        OPENED => return opened.map(|shown| Base::Opened(shown.at)),
        "" if is_modified == Some(false) => commits.get(1).or(commits.first()),
        "" => commits.first(),
        since => commits.iter().find(|commit| commit.id == since),
    };
    wanted.cloned().map(Base::Commit)
}

/// Shows what has changed since a version, and says what is compared.
fn compared(comparison: &VersionComparison) -> Markup {
    html! {
        p .lead {
            "Compares the file on the disk now with "
            @match &comparison.base {
                Base::Commit(commit) => {
                    "its version in commit " code { (short(&commit.id)) } " of " time { (time::for_people(nanoseconds(commit))) }
                    ": " bdi { (commit.subject) }
                }
                Base::Opened(at) => { "the text that the index had when you opened its page, at " time { (time::for_people(*at)) } }
            }
        }
        @match &comparison.lines {
            Err(reason) => p { (reason) },
            Ok(lines) if lines.is_empty() => p { "There is no difference." },
            Ok(lines) => (difference(lines)),
        }
    }
}

/// Lists the versions, the newest first. Each leads to what has changed since.
fn list(versions: &Versions, max: usize) -> Markup {
    let doc = &versions.document.id.doc;
    let since = |value: &str| format!("{}?{}", document_url("history", doc), query(&[("since", value)]));
    let is_compared = |id: &str| match versions.comparison.as_ref().map(|comparison| &comparison.base) {
        Some(Base::Commit(commit)) => (commit.id == id).then_some("true"),
        Some(Base::Opened(_)) => (id == OPENED).then_some("true"),
        None => None,
    };
    let opened = versions.opened.as_ref();
    let has_changed = opened.is_some_and(|shown| Some(&shown.text) != versions.document.content.as_ref());
    html! {
        ul .versions {
            @if let Some(opened) = opened.filter(|_| has_changed) {
                li { a href=(since(OPENED)) aria-current=[is_compared(OPENED)] { "Changed since you opened its page" } span .hint { (time::for_people(opened.at)) } }
            }
            @if let (Some(true), Ok(history)) = (versions.is_modified, &versions.history) {
                @if let Some(newest) = history.commits.first() {
                    li { a href=(since(&newest.id)) { "Changed since the last commit" } span .hint { "not committed" } }
                }
            }
            @for commit in versions.history.iter().flat_map(|history| &history.commits).take(max) {
                li {
                    a href=(since(&commit.id)) aria-current=[is_compared(&commit.id)] title="What has changed since this commit" {
                        bdi { (commit.subject) }
                    }
                    span .hint { time { (time::day(commit.time)) } " · " bdi { (commit.author) } " · " code { (short(&commit.id)) } }
                }
            }
        }
        @match &versions.history {
            Err(reason) => p .hint { "There are no older versions: " (reason) "." },
            Ok(history) if history.commits.is_empty() && history.is_incomplete => p .hint { "git took too long to find the commits of this file." },
            Ok(history) if history.commits.is_empty() => p .hint { "No commit has this file." },
            Ok(history) if max == usize::MAX => {
                @if history.is_incomplete { p .hint { "git took too long to find all commits; older ones are missing." } }
                @else if history.has_more { p .hint { "Older commits are not listed." } }
            }
            Ok(_) => {},
        }
    }
}

fn short(id: &str) -> &str {
    id.get(..SHORT_HASH).unwrap_or(id)
}

fn nanoseconds(commit: &FileCommit) -> i64 {
    commit.time.saturating_mul(1_000_000_000)
}

//! Resources: all documents with their text, a template for sections, and completion of its arguments. URIs are
//! looked up in the index and never on disk, so only indexed documents are served.

use ra_core::Error;
use ra_core::id::ChunkId;
use ra_core::index::Snapshot;
use ra_core::kb::{FetchExtent, KnowledgeBase, NamedDocument};
use rmcp::RoleServer;
use rmcp::model::{
    Annotations, CompleteRequestParams, CompleteResult, CompletionInfo, ErrorData, ListResourcesResult,
    ReadResourceResult, Reference, Resource, ResourceContents, ResourceTemplate,
};
use rmcp::service::RequestContext;
use serde_json::json;

use super::request_runner::{RequestError, RequestRunner};
use super::{prompts, uri};
use crate::answers::time::rfc3339;
use crate::sanitize::sanitize;

/// The number of resources per page.
const RESOURCES_PER_PAGE: usize = 1000;
/// The maximum size of a resource in bytes.
const MAX_RESOURCE_BYTES: usize = 4 * 1024 * 1024;
/// The URI template of a section.
const TEMPLATE: &str = "ra://{tree}/{+path}{#section}";

/// Returns a page of documents, ordered by id. The cursor is the last id of the previous page, so documents
/// that are added or removed in between don't shift the pages.
pub(super) async fn list(
    runner: &RequestRunner,
    cursor: Option<String>,
    context: &RequestContext<RoleServer>,
) -> Result<ListResourcesResult, ErrorData> {
    let after =
        match cursor {
            None => None,
            Some(cursor) => {
                let after = uri::parse(&cursor).map(|id| id.doc);
                Some(after.ok_or_else(|| {
                    ErrorData::invalid_params("the cursor is not one of this server's", None)
                })?)
            }
        };
    let listed = runner.run_with_index(context, move |reader| {
        // A client takes the list for complete.
        if let Some(indexing) = reader.served.fragment() {
            return Err(RequestError::Indexing(indexing));
        }
        let fresh = &reader.served.fresh;
        let names = fresh.kb.document_names(&fresh.snapshot).into_iter();
        let mut rest = names.filter(|named| after.as_ref().is_none_or(|after| named.id > *after)).peekable();
        let mut resources = Vec::new();
        while resources.len() < RESOURCES_PER_PAGE
            && let Some(named) = rest.next()
        {
            resources.push(resource(&named, &fresh.snapshot)?);
        }
        let more = rest.peek().and_then(|_| resources.last()).map(|last| last.uri.clone());
        let mut result = ListResourcesResult::with_all_items(resources);
        result.next_cursor = more;
        Ok(result)
    });
    listed.await.map_err(protocol)
}

/// Describes a document for the list. Only its title is read from the index.
fn resource(named: &NamedDocument, snapshot: &Snapshot) -> Result<Resource, RequestError> {
    let mut annotations = Annotations::default();
    annotations.last_modified = Some(rfc3339(named.modified));
    let resource = Resource::new(uri::document(&named.id), named.id.to_string())
        .with_mime_type(mime_type(&named.id.path))
        .with_size(named.bytes)
        .with_annotations(annotations);
    let title = snapshot
        .record(&named.id)?
        .map(|record| sanitize(&record.title).into_owned())
        .filter(|title| !title.is_empty());
    Ok(match title {
        Some(title) => resource.with_title(title),
        None => resource,
    })
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = ResourceTemplate::new(TEMPLATE, "section")
        .with_title("Document or section")
        .with_description(
            "A document, or one section of it with all below, as search results name them: tree:path#section",
        )
        .with_mime_type("text/markdown");
    vec![template]
}

/// Returns the text of a document or section.
pub(super) async fn read(
    runner: &RequestRunner,
    uri: String,
    context: &RequestContext<RoleServer>,
) -> Result<ReadResourceResult, ErrorData> {
    let unknown = || {
        let shown: String = uri.chars().take(200).collect();
        let message =
            format!("no document or section has the address `{shown}`: resources/list names them all");
        ErrorData::resource_not_found(message, Some(json!({ "uri": shown })))
    };
    let id = uri::parse(&uri).ok_or_else(unknown)?;
    let wanted = id.clone();
    let fetched = runner.run_with_index(context, move |reader| {
        let names = [wanted.to_string()];
        let (fetched, _) = reader.kb().get(&names, FetchExtent::Named, reader)?;
        // A name may be the unique end of a path, but a URI must contain the whole path.
        let found = match fetched.into_iter().next() {
            Some(Err(error @ Error::Io { .. })) => return Err(error.into()),
            found => found.and_then(Result::ok),
        };
        match (found.filter(|found| found.id.doc == wanted.doc), reader.served.fragment()) {
            (None, Some(indexing)) => Err(RequestError::Indexing(indexing)),
            (found, _) => Ok(found),
        }
    });
    let fetched = fetched.await.map_err(protocol)?.ok_or_else(unknown)?;
    let text = fetched.content.unwrap_or_default();
    if text.len() > MAX_RESOURCE_BYTES {
        let message =
            format!("{id} has {} bytes: get it in parts with the tool `get`, as in {id}:1-500", text.len());
        return Err(ErrorData::invalid_params(message, None));
    }
    let contents = ResourceContents::text(text, uri::chunk(&id)).with_mime_type(mime_type(&id.doc.path));
    Ok(ReadResourceResult::new(vec![contents]))
}

/// Completes an argument of the template or of the prompt.
pub(super) async fn complete(
    runner: &RequestRunner,
    request: CompleteRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CompleteResult, ErrorData> {
    let known = match &request.r#ref {
        Reference::Resource(template) => template.uri == TEMPLATE,
        Reference::Prompt(prompt) => prompt.name == prompts::RESEARCH,
        _ => false,
    };
    if !known {
        return Err(ErrorData::invalid_params("there is nothing of this name to complete for", None));
    }
    let done = runner.run_with_index(context, move |reader| {
        let given =
            |name: &str| request.context.as_ref().and_then(|context| context.get_argument(name)).cloned();
        let fresh = &reader.served.fresh;
        let values = match request.argument.name.as_str() {
            "tree" => fresh.kb.config().trees.iter().map(|tree| tree.name.to_string()).collect(),
            "path" => paths(&fresh.kb, &fresh.snapshot, given("tree")),
            "section" => match (given("tree"), given("path")) {
                (Some(tree), Some(path)) => slugs(&fresh.kb, &fresh.snapshot, &format!("{tree}:{path}"))?,
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        Ok(best(values, &request.argument.value))
    });
    Ok(CompleteResult::new(done.await.map_err(protocol)?))
}

fn paths(kb: &KnowledgeBase, snapshot: &Snapshot, tree: Option<String>) -> Vec<String> {
    let named = kb.document_names(snapshot).into_iter().map(|named| named.id);
    named.filter(|id| tree.as_deref().is_none_or(|tree| id.tree.as_str() == tree)).map(|id| id.path).collect()
}

fn slugs(kb: &KnowledgeBase, snapshot: &Snapshot, document: &str) -> Result<Vec<String>, RequestError> {
    let fetched = kb.get(&[document.to_owned()], FetchExtent::Outline, snapshot)?.0.into_iter().next();
    let Some(Ok(fetched)) = fetched else { return Ok(Vec::new()) };
    let ids = fetched.outline.into_iter().map(|section| section.id);
    Ok(ids.filter_map(|ChunkId { slug, .. }| slug).collect())
}

/// Returns the values that begin with the typed text, then those that contain it.
fn best(values: Vec<String>, typed: &str) -> CompletionInfo {
    let typed = typed.to_lowercase();
    let rank = |value: &String| {
        let value = value.to_lowercase();
        if value.starts_with(&typed) { Some(0) } else { value.contains(&typed).then_some(1) }
    };
    let mut ranked: Vec<(u8, String)> =
        values.into_iter().filter_map(|value| rank(&value).map(|rank| (rank, value))).collect();
    ranked.sort();
    ranked.dedup();
    let mut info = CompletionInfo::default();
    info.total = u32::try_from(ranked.len()).ok();
    info.has_more = Some(ranked.len() > CompletionInfo::MAX_VALUES);
    info.values = ranked.into_iter().take(CompletionInfo::MAX_VALUES).map(|(_, value)| value).collect();
    info
}

fn mime_type(path: &str) -> &'static str {
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
    match extension.as_deref() {
        Some("md" | "markdown" | "mdx" | "mdown" | "mkd") => "text/markdown",
        _ => "text/plain",
    }
}

/// Converts an error to one of the protocol, because only tools can return errors as results.
fn protocol(refusal: RequestError) -> ErrorData {
    match refusal {
        RequestError::Error(text) => ErrorData::internal_error(text.trim_end().to_owned(), None),
        RequestError::Indexing(indexing) => {
            ErrorData::internal_error(format!("{indexing}: ask again in a few seconds"), None)
        }
    }
}

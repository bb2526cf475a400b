//! `search`: finds the sections that match.

use ra_core::index::FacetMode;
use ra_core::kb::{QueryCombination, QuerySyntax, SearchRequest};
use ra_core::retrieval::{Aggregation, Order};
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{define, sections};
use crate::answers::SearchReport;
use crate::mcp::arguments::ResultArguments;
use crate::mcp::request_runner::{RequestError, RequestIndex, RequestRunner};
use crate::request::{Amount, Filters, Limits, MAX_NAMES};

pub(super) fn definition() -> Tool {
    define::<SearchArguments>("search", "Search", DESCRIPTION)
}

const DESCRIPTION: &str = "\
Search the knowledge base: the project's own documents, which override what you know in general. Use it before \
decisions they may settle, and for concepts; use grep for exact code, and `context` for files you are about to change. \
Give several queries to research several topics in one call.
Query: two or three words must all match; in longer queries, or if no section has them all, sections with most of \
them come first; \"exact phrase\", -not, a OR b, title:x, tags:x, path:dir/, and front matter as status:x or \
date>2025. Typos and synonyms are understood.
Results are sections with id and lines; `get` fetches more by id. Nothing found? Use fewer or other words, or \
list_sources to see what there is. Set list for a cheap overview first.";

#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct SearchArguments {
    /// Search terms, one string for each topic
    #[schemars(length(min = 1, max = MAX_NAMES))]
    queries: Vec<String>,
    #[serde(flatten)]
    shown: ResultArguments,
    /// Also show the sections around each match
    #[serde(default)]
    expand: bool,
    /// Only in these trees
    #[serde(default)]
    trees: Vec<String>,
    /// Only in these files or below these directories
    #[serde(default)]
    paths: Vec<String>,
    /// Only documents with all these tags
    #[serde(default)]
    tags: Vec<String>,
    /// Only documents whose front matter has all these values, such as status:active or date>=2025-01-01
    #[serde(default)]
    fields: Vec<String>,
    /// Only documents of these types, such as markdown or pdf
    #[serde(default)]
    types: Vec<String>,
    /// Also count the trees, tags, languages, types and front matter values of all matching documents
    #[serde(default)]
    facets: bool,
}

pub(super) async fn run(
    runner: &RequestRunner,
    arguments: SearchArguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, RequestError> {
    runner.run_with_index(context, move |reader| answer(reader, arguments)).await
}

fn answer(reader: &RequestIndex, arguments: SearchArguments) -> Result<CallToolResult, RequestError> {
    let SearchArguments { queries, shown, expand, trees, paths, tags, fields, types, facets } = arguments;
    let kb = Limits::Search.with(reader.kb(), Amount { limit: shown.limit, expand });
    let filters = Filters { trees: &trees, paths: &paths, tags: &tags, fields: &fields, types: &types };
    let ask = SearchRequest {
        queries,
        topics: QueryCombination::Apart,
        syntax: QuerySyntax::Query,
        scope: reader.caller().scope(&kb, filters)?,
        aggregation: Aggregation::Sections,
        order: Order::Score,
        facets: if facets { FacetMode::Count } else { FacetMode::None },
    };
    let answers = kb.search(&ask, reader)?;
    sections(reader, &shown, Limits::Search, &kb, |view| SearchReport::new(&answers, view))
}

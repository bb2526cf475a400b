//! `search`: the sections that match.

use ra_core::id::TreeName;
use ra_core::index::Scope;
use ra_core::kb::{Answers, Ask, KnowledgeBase, Silent, Syntax, Topics};
use ra_core::search::{Gather, Order};
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::json;

use super::{BUDGET, MOST, define};
use crate::mcp::answer;
use crate::mcp::desk::{Desk, Reader, Refusal};
use crate::wire::{Show, Shown};

/// Results per query when the request does not say.
const LIMIT: usize = 5;

pub(super) fn definition() -> Tool {
    let texts = |description: &str| json!({ "type": "array", "items": { "type": "string" }, "description": description });
    let input = json!({
        "type": "object",
        "properties": {
            "queries": {
                "oneOf": [
                    { "type": "string" },
                    { "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 20 },
                ],
                "description": "Search term(s). Quote for exact phrase. Array for multi-topic.",
            },
            "limit": { "type": "integer", "minimum": 1, "maximum": 100, "default": LIMIT, "description": "Results per query" },
            "max_tokens": { "type": "integer", "minimum": 200, "maximum": MOST, "default": BUDGET, "description": "Token budget across all results" },
            "list": { "type": "boolean", "default": false, "description": "Ids and snippets only, no text" },
            "trees": texts("Only in these trees"),
            "paths": texts("Only in these files or below these directories"),
            "tags": texts("Only documents with all these tags"),
        },
        "required": ["queries"],
        "additionalProperties": false,
    });
    let output = json!({
        "type": "object",
        "properties": {
            "version": { "type": "integer" },
            "queries": { "type": "array", "items": { "type": "object" }, "description": "Per query: results (id, lines, score, snippet), total_matches, relaxed, notes" },
            "index": { "type": "object", "description": "Freshness: generation, checked, stale" },
            "indexing": { "type": "object", "description": "done and total while the index is built" },
            "notes": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["version"],
    });
    define("search", "Search", DESCRIPTION, input, output)
}

const DESCRIPTION: &str = "\
Search the knowledge base: the project's own documents, which override what you know in general. Use it before \
decisions they may settle, and for concepts; use grep for exact code. Use an array of queries for multi-topic \
research in one call.
Query: words are ANDed, and relaxed if no section has all; \"exact phrase\", -not, a OR b, title:x, tags:x, path:dir/. \
Typos are forgiven.
Results are sections with id and lines; `get` fetches more by id. Nothing found? Use fewer or other words, or \
list_sources to see what there is. Set list for a cheap overview first.";

#[derive(Debug, Deserialize)]
pub(super) struct Arguments {
    queries: Queries,
    limit: Option<usize>,
    max_tokens: Option<usize>,
    #[serde(default)]
    list: bool,
    #[serde(default)]
    trees: Vec<String>,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Queries {
    One(String),
    Many(Vec<String>),
}

pub(super) async fn run(
    desk: &Desk,
    arguments: Arguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, Refusal> {
    let cwd = desk.cwd().to_owned();
    desk.read(context, move |reader| {
        let budget = arguments.max_tokens.unwrap_or(BUDGET);
        let show = if arguments.list { Show::List } else { Show::Full };
        let (answers, kb) = search(reader, arguments)?;
        reader.check()?;
        let shown = Shown::new(answers, &kb, show, false, &cwd);
        answer::sections(shown, budget, reader.basis.indexing)
    })
    .await
}

/// Asks each query by itself, so that a request that nobody waits for any more ends between two of them.
fn search(reader: &Reader, arguments: Arguments) -> Result<(Answers, KnowledgeBase), Refusal> {
    let mut config = reader.basis.fresh.kb.config().clone();
    config.search.limit = arguments.limit.unwrap_or(LIMIT);
    let trees = arguments.trees.iter().map(|name| tree(&config.trees, name)).collect::<Result<_, _>>()?;
    let kb = KnowledgeBase::open(config);
    let scope = Scope { trees, paths: arguments.paths, tags: arguments.tags };
    let queries = match arguments.queries {
        Queries::One(query) => vec![query],
        Queries::Many(queries) => queries,
    };
    let mut all = Answers { answers: Vec::new(), freshness: reader.basis.freshness() };
    for query in queries {
        reader.check()?;
        let ask = Ask {
            queries: vec![query],
            topics: Topics::Apart,
            syntax: Syntax::Query,
            scope: scope.clone(),
            gather: Gather::Sections,
            order: Order::Score,
        };
        let (answers, freshness) = reader.ask(
            |_, snapshot| kb.search_in(snapshot, &ask),
            |_| kb.search(&ask, &Silent).map(|found| (found.answers, found.freshness)),
        )?;
        all.answers.extend(answers);
        all.freshness = freshness;
    }
    Ok((all, kb))
}

fn tree(known: &[ra_core::config::Tree], name: &str) -> Result<TreeName, Refusal> {
    if let Some(tree) = known.iter().find(|tree| tree.name.as_str() == name) {
        return Ok(tree.name.clone());
    }
    let names: Vec<&str> = known.iter().map(|tree| tree.name.as_str()).collect();
    let hint = match ra_core::text::nearest(name, names.iter().copied()).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the trees are {}", names.join(", ")),
    };
    Err(Refusal::new(format!("`trees`: there is no tree `{name}`"), hint))
}

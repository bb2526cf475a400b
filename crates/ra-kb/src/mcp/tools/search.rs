//! `search`: the sections that match.

use std::path::Path;

use ra_core::index::Scope;
use ra_core::kb::{Answers, Ask, KnowledgeBase, Silent, Syntax, Topics};
use ra_core::search::{Gather, Order};
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::json;

use super::{budget, define, limit, list, max_tokens, texts, tree, view};
use crate::mcp::answer;
use crate::mcp::desk::{Desk, Reader, Refusal};
use crate::wire::Shown;

/// The words of a short query, and the results that are few.
const SHORT: usize = 8;
const FEW_RESULTS: usize = 10;

pub(super) fn definition() -> Tool {
    let input = json!({
        "type": "object",
        "properties": {
            "queries": {
                "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 20,
                "description": "Search terms, one string for each topic",
            },
            "limit": limit(),
            "max_tokens": max_tokens(),
            "list": list(),
            "expand": { "type": "boolean", "description": "Also show the sections around each match" },
            "trees": texts("Only in these trees"),
            "paths": texts("Only in these files or below these directories"),
            "tags": texts("Only documents with all these tags"),
        },
        "required": ["queries"],
        "additionalProperties": false,
    });
    define("search", "Search", DESCRIPTION, input)
}

const DESCRIPTION: &str = "\
Search the knowledge base: the project's own documents, which override what you know in general. Use it before \
decisions they may settle, and for concepts; use grep for exact code, and `context` for files you are about to change. \
Give several queries to research several topics in one call.
Query: two or three words must all match, and most of them if no section has all or there are more; \"exact phrase\", \
-not, a OR b, title:x, tags:x, path:dir/. Typos and synonyms are understood.
Results are sections with id and lines; `get` fetches more by id. Nothing found? Use fewer or other words, or \
list_sources to see what there is. Set list for a cheap overview first.";

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Arguments {
    queries: Vec<String>,
    limit: Option<usize>,
    max_tokens: Option<usize>,
    #[serde(default)]
    list: bool,
    #[serde(default)]
    expand: bool,
    #[serde(default)]
    trees: Vec<String>,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    tags: Vec<String>,
}

impl Arguments {
    /// One question of a few words, for a few results as they are, is answered in no time.
    fn is_little(&self) -> bool {
        let is_short = match self.queries.as_slice() {
            [query] => query.split_whitespace().nth(SHORT).is_none(),
            _ => false,
        };
        let is_plain = !self.expand && self.paths.is_empty() && self.tags.is_empty();
        is_short && is_plain && self.limit.is_none_or(|limit| limit <= FEW_RESULTS)
    }
}

pub(super) async fn run(
    desk: &Desk,
    arguments: Arguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, Refusal> {
    let cwd = desk.cwd().to_owned();
    let is_little = arguments.is_little();
    let job = move |reader: &Reader| answer(reader, arguments, &cwd);
    if is_little { desk.read_little(context, job).await } else { desk.read(context, job).await }
}

fn answer(reader: &Reader, arguments: Arguments, cwd: &Path) -> Result<CallToolResult, Refusal> {
    let budget = budget(arguments.max_tokens, reader.basis.fresh.kb.config().search.max_tokens);
    let is_list = arguments.list;
    let (answers, kb) = search(reader, arguments, cwd)?;
    reader.check()?;
    let view = view(&kb, cwd, is_list);
    let shown = |room| Shown::new(&answers, &view.within(room));
    answer::sections(shown, budget, &reader.basis)
}

/// Asks each query by itself, so that a request that nobody waits for any more ends between two of them.
fn search(reader: &Reader, arguments: Arguments, cwd: &Path) -> Result<(Answers, KnowledgeBase), Refusal> {
    let mut config = reader.basis.fresh.kb.config().clone();
    config.search.limit = arguments.limit.unwrap_or(config.search.limit);
    if arguments.expand {
        config.search.expand = Some(config.search.around);
    }
    let trees = arguments.trees.iter().map(|name| tree(&config.trees, name)).collect::<Result<_, _>>()?;
    let kb = reader.basis.fresh.kb.with(config);
    let paths = kb.scope_paths(cwd, &arguments.paths);
    let scope = Scope { trees, paths, tags: arguments.tags, except: Vec::new() };
    let mut all = Answers { freshness: reader.basis.freshness(), ..Answers::default() };
    let ask = Ask {
        queries: arguments.queries,
        topics: Topics::Apart,
        syntax: Syntax::Query,
        scope,
        gather: Gather::Sections,
        order: Order::Score,
    };
    if ask.queries.len() > 1 {
        ask.check()?;
    }
    for query in &ask.queries {
        reader.check()?;
        let ask = Ask { queries: vec![query.clone()], ..ask.clone() };
        let (answers, freshness) = reader.ask(
            |_, snapshot| kb.search_in(snapshot, &ask),
            |_| kb.search(&ask, &Silent).map(|found| (found.answers, found.freshness)),
        )?;
        all.answers.extend(answers);
        all.freshness = freshness;
    }
    Ok((all, kb))
}

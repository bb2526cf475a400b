//! `search`: finds the sections that match.

use std::path::Path;

use ra_core::index::Scope;
use ra_core::kb::{KnowledgeBase, NoProgress, QueryCombination, QuerySyntax, SearchAnswers, SearchRequest};
use ra_core::retrieval::{Aggregation, Order};
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, Tool};
use rmcp::service::RequestContext;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{budget, define, tree, view};
use crate::answers::SearchReport;
use crate::mcp::answer;
use crate::mcp::arguments::ResultArguments;
use crate::mcp::request_runner::{RequestError, RequestIndex, RequestRunner};

/// A request with one query of at most this many words, and at most this many results, runs inline.
const SHORT_QUERY_WORDS: usize = 8;
const FEW_RESULTS: usize = 10;

pub(super) fn definition() -> Tool {
    define::<SearchArguments>("search", "Search", DESCRIPTION)
}

const DESCRIPTION: &str = "\
Search the knowledge base: the project's own documents, which override what you know in general. Use it before \
decisions they may settle, and for concepts; use grep for exact code, and `context` for files you are about to change. \
Give several queries to research several topics in one call.
Query: two or three words must all match, and most of them if no section has all or there are more; \"exact phrase\", \
-not, a OR b, title:x, tags:x, path:dir/. Typos and synonyms are understood.
Results are sections with id and lines; `get` fetches more by id. Nothing found? Use fewer or other words, or \
list_sources to see what there is. Set list for a cheap overview first.";

#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct SearchArguments {
    /// Search terms, one string for each topic
    #[schemars(length(min = 1, max = 20))]
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
}

impl SearchArguments {
    /// True if the request is cheap enough to run inline: one short query, few results, no filters and no
    /// expansion.
    fn is_little(&self) -> bool {
        let is_short = match self.queries.as_slice() {
            [query] => query.split_whitespace().nth(SHORT_QUERY_WORDS).is_none(),
            _ => false,
        };
        let is_plain = !self.expand && self.paths.is_empty() && self.tags.is_empty();
        is_short && is_plain && self.shown.limit.is_none_or(|limit| limit <= FEW_RESULTS)
    }
}

pub(super) async fn run(
    runner: &RequestRunner,
    arguments: SearchArguments,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, RequestError> {
    let cwd = runner.cwd().to_owned();
    let is_little = arguments.is_little();
    let job = move |reader: &RequestIndex| answer(reader, arguments, &cwd);
    if is_little { runner.run_short(context, job).await } else { runner.run_with_index(context, job).await }
}

fn answer(
    reader: &RequestIndex,
    arguments: SearchArguments,
    cwd: &Path,
) -> Result<CallToolResult, RequestError> {
    let budget = budget(arguments.shown.budget.max_tokens, reader.served.fresh.kb.config().search.max_tokens);
    let is_list = arguments.shown.list;
    let (answers, kb) = search(reader, arguments, cwd)?;
    reader.check()?;
    let view = view(&kb, cwd, is_list);
    let shown = |room| SearchReport::new(&answers, &view.within(room));
    answer::sections(shown, budget, &reader.served)
}

/// Runs each query separately, so a cancelled request can stop between two of them.
fn search(
    reader: &RequestIndex,
    arguments: SearchArguments,
    cwd: &Path,
) -> Result<(SearchAnswers, KnowledgeBase), RequestError> {
    let mut config = reader.served.fresh.kb.config().clone();
    config.search.limit = arguments.shown.limit.unwrap_or(config.search.limit);
    if arguments.expand {
        config.search.expand = Some(config.search.around);
    }
    let trees = arguments.trees.iter().map(|name| tree(&config, name)).collect::<Result<_, _>>()?;
    let kb = reader.served.fresh.kb.with(config);
    let paths = kb.scope_paths(cwd, &arguments.paths);
    let scope = Scope { trees, paths, tags: arguments.tags, except: Vec::new() };
    let mut all = SearchAnswers { freshness: reader.served.freshness(), ..SearchAnswers::default() };
    let ask = SearchRequest {
        queries: arguments.queries,
        topics: QueryCombination::Apart,
        syntax: QuerySyntax::Query,
        scope,
        aggregation: Aggregation::Sections,
        order: Order::Score,
    };
    if ask.queries.len() > 1 {
        ask.check()?;
    }
    for query in &ask.queries {
        reader.check()?;
        let ask = SearchRequest { queries: vec![query.clone()], ..ask.clone() };
        let (answers, freshness) = reader.ask(
            |_, snapshot| kb.search_in(snapshot, &ask),
            |_| kb.search(&ask, &NoProgress).map(|found| (found.answers, found.freshness)),
        )?;
        all.answers.extend(answers);
        all.freshness = freshness;
    }
    Ok((all, kb))
}

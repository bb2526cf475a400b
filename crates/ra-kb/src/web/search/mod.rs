//! The search page: the form, the answer, and the text to copy.

mod elsewhere;
mod explain;
mod filters;
mod params;
mod results;
mod start;

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use ra_core::index::FacetMode;
use ra_core::kb::{QueryCombination, QuerySyntax, SearchAnswers, SearchRequest};
use ra_core::retrieval::{Aggregation, Order};
use ra_core::tokens;

use self::params::{FILTERS, ORDERS, PagePart, SearchParams};
use super::frame::{self, Tab};
use super::{WebState, failed};
use crate::answers::SearchReport;
use crate::error::CliError;
use crate::hints::Surface;
use crate::layout::ResultForm;
use crate::mcp::{RequestError, RequestIndex};
use crate::output;
use crate::request::{Amount, Caller, Filters, Limits, MAX_BUDGET, MIN_BUDGET};

/// The token budgets that are offered for copying.
const BUDGETS: [usize; 5] = [1000, 2000, 4000, 8000, 16000];

/// The budget that is chosen at first.
const USUAL_BUDGET: usize = 4000;

pub(super) async fn page(State(web): WebState, RawQuery(query): RawQuery) -> Response {
    let params = SearchParams::parse(query.as_deref());
    let asked = params.clone();
    let answered = web.with_index(move |reader| {
        if asked.query.is_empty() && asked.language.is_none() {
            return Ok((start::body(reader)?, reader.generation()));
        }
        let facets = if asked.part == PagePart::Results { FacetMode::None } else { FacetMode::Count };
        let (answers, kb) = search(reader, &asked, facets)?;
        let view = caller(reader).view(&kb, ResultForm::Full);
        let report = SearchReport::new(&answers, &view);
        Ok((results::body(&asked, &answers, &report), reader.generation()))
    });
    let (answer, generation) = match answered.await {
        Ok((answer, generation)) => (answer, Some(generation)),
        Err(RequestError::Error(text)) => (problem(&text), None),
        Err(error) => return failed(error, StatusCode::OK),
    };
    match params.part {
        PagePart::All => frame::page(&title(&params), Tab::Search, body(&params, &answer, generation)),
        PagePart::Results | PagePart::Filters => frame::part(answer),
    }
}

/// Returns the results as text within a token budget, as `ra search` prints them.
pub(super) async fn context_text(State(web): WebState, RawQuery(query): RawQuery) -> Response {
    let params = SearchParams::parse(query.as_deref());
    let budget = params.budget.unwrap_or(USUAL_BUDGET).clamp(MIN_BUDGET, MAX_BUDGET);
    let answered = web.with_index(move |reader| {
        let (answers, kb) = search(reader, &params, FacetMode::None)?;
        let view = caller(reader).view(&kb, ResultForm::Full).within(budget);
        let report = SearchReport::new(&answers, &view);
        let shown =
            report.queries.iter().flat_map(|answer| &answer.results).filter(|item| item.content.is_some());
        let shown = shown.count();
        Ok((output::render(&report).map_err(CliError::from)?.text, shown))
    });
    match answered.await {
        Ok((text, shown)) => {
            let counts = [("x-tokens", tokens::count(&text)), ("x-shown", shown), ("x-budget", budget)];
            let headers = counts.map(|(name, count)| (name, count.to_string()));
            (headers, frame::text(StatusCode::OK, text)).into_response()
        }
        Err(RequestError::Error(text)) => frame::text(StatusCode::UNPROCESSABLE_ENTITY, text),
        Err(error) => failed(error, StatusCode::OK),
    }
}

fn caller(reader: &RequestIndex) -> Caller<'_> {
    Caller { surface: Surface::CommandLine, cwd: reader.cwd() }
}

/// Answers a search, and returns the knowledge base with its limits.
fn search(
    reader: &RequestIndex,
    params: &SearchParams,
    facets: FacetMode,
) -> Result<(SearchAnswers, ra_core::kb::KnowledgeBase), RequestError> {
    let kb = Limits::Search.with(reader.kb(), Amount { limit: Some(params.limit()), expand: false });
    let filters = Filters {
        trees: &params.trees,
        paths: &params.paths,
        tags: &params.tags,
        fields: &params.fields,
        types: &params.types,
    };
    let ask = SearchRequest {
        queries: vec![params.full_query()],
        topics: QueryCombination::Joined,
        syntax: QuerySyntax::Query,
        scope: caller(reader).scope(&kb, filters)?,
        aggregation: Aggregation::Sections,
        order: match params.sort.as_str() {
            "date" => Order::Date,
            "path" => Order::Path,
            _ => Order::Score,
        },
        facets,
    };
    let mut answers = kb.search(&ask, reader)?;
    // The server encodes the documents by itself.
    answers.answers.iter_mut().for_each(|answer| answer.without_vector = 0);
    reader.check()?;
    Ok((answers, kb))
}

fn title(params: &SearchParams) -> String {
    match params.query.as_str() {
        "" => "ra".to_owned(),
        query => format!("{query} · ra"),
    }
}

fn problem(text: &str) -> Markup {
    html! {
        section .results {
            @for line in text.lines() { p .problem { (line) } }
        }
    }
}

fn body(params: &SearchParams, answer: &Markup, generation: Option<u64>) -> Markup {
    html! {
        main #main .search data-generation=[generation] {
            h1 .visually-hidden { "Search" }
            form #search role="search" method="get" action="/" {
                div .searchbar {
                    label .visually-hidden for="q" { "Search the knowledge base" }
                    input #q name="q" type="search" value=(params.query) autocomplete="off" spellcheck="false"
                        placeholder="Ask a question, or search for words" autofocus[params.query.is_empty()]
                        aria-describedby="search-help";
                    button { "Search" }
                }
                @for name in FILTERS {
                    @for value in params.values(name) { input type="hidden" name=(name) value=(value); }
                }
                @if let Some(language) = &params.language { input type="hidden" name="lang" value=(language); }
                p #search-help .hint {
                    label for="sort" { "Order " }
                    select #sort name="sort" {
                        @for (order, label) in ORDERS {
                            option value=(order) selected[params.sort == order] { (label) }
                        }
                    }
                    span .syntax {
                        " · " code { "\"exact phrase\"" } " · " code { "-without" } " · " code { "a OR b" } " · "
                        code { "title:x" } " · " code { "status:active" }
                    }
                }
            }
            div #answer data-params=(params.text()) { (answer) }
        }
    }
}

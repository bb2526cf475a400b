//! `ra search`: finds the sections that match.

use std::process::ExitCode;

use ra_core::config::{Config, Override, Value};
use ra_core::index::{FacetMode, Notice};
use ra_core::kb::{KnowledgeBase, QueryCombination, QuerySyntax, SearchRequest};
use ra_core::query::{is_condition, is_word};
use ra_core::retrieval::{Aggregation, Order};

use super::Session;
use crate::answers::SearchReport;
use crate::args::{SearchArgs, Sort};
use crate::error::Result;
use crate::layout::ResultForm;
use crate::layout::shortened_query;
use crate::request::{Filters, Limits};

/// The maximum number of words of a query that a hint repeats.
const MAX_HINT_WORDS: usize = 6;

pub(super) fn run(session: &mut Session, args: &SearchArgs) -> Result<ExitCode> {
    let config = Config::load(&session.places, &overrides(args))?;
    let kb = KnowledgeBase::open(config);
    let filters = Filters {
        trees: &args.shown.trees,
        paths: &args.paths,
        tags: &args.tags,
        fields: &args.fields,
        types: &args.types,
    };
    let one = if args.group || args.raw { None } else { one_query(&args.queries) };
    let ask = SearchRequest {
        queries: one.clone().map_or_else(|| args.queries.clone(), |query| vec![query]),
        topics: if args.group { QueryCombination::Apart } else { QueryCombination::Joined },
        syntax: if args.raw { QuerySyntax::Raw } else { QuerySyntax::Query },
        scope: session.caller().scope(&kb, filters)?,
        aggregation: if args.no_aggregation { Aggregation::Nothing } else { Aggregation::Sections },
        order: match args.sort {
            Sort::Score => Order::Score,
            Sort::Date => Order::Date,
            Sort::Path => Order::Path,
        },
        facets: if args.facets { FacetMode::Count } else { FacetMode::None },
    };
    let mut answers = kb.search(&ask, &session.progress())?;
    if let (Some(query), Some(answer)) = (&one, answers.answers.first_mut()) {
        answer.summary.notices.extend(read_as_one(query));
    }
    let show = match (args.shown.list, args.matches) {
        (true, _) => ResultForm::List,
        (_, true) => ResultForm::Matches,
        _ => ResultForm::Full,
    };
    session.sections(&kb, Limits::Search, &args.shown, show, |view| SearchReport::new(&answers, view))
}

/// Joins arguments that are single words or conditions into one query, whose quotes were probably left out. An `OR`
/// among them keeps its meaning.
fn one_query(arguments: &[String]) -> Option<String> {
    let words = arguments.iter().filter(|argument| *argument != "OR");
    let is_part = |word: &String| is_word(word) || is_condition(word);
    let is_one = arguments.len() > 1 && words.clone().count() > 1 && words.clone().all(is_part);
    is_one.then(|| arguments.join(" "))
}

/// Returns a note that words were read as one query, or `None` if an `OR` shows that this was intended.
fn read_as_one(query: &str) -> Option<Notice> {
    let words: Vec<&str> = query.split(' ').collect();
    if words.contains(&"OR") {
        return None;
    }
    let is_safe = |c: char| c.is_alphanumeric() || " -_./".contains(c);
    let example = match words.len() <= MAX_HINT_WORDS && query.chars().all(is_safe) {
        true => words.join(" OR "),
        false => "a OR b".to_owned(),
    };
    Some(Notice {
        message: format!("read as one query: {}", shortened_query(query)),
        hint: Some(format!("for any of the words: `ra search '{example}'`")),
    })
}

/// Converts flags to the top layer of the configuration.
fn overrides(args: &SearchArgs) -> Vec<Override> {
    let set =
        |name, flag, value: Option<Value>| value.map(|value| Override { table: "search", name, flag, value });
    [
        set("fuzzy", "--fuzzy", args.fuzzy.map(|distance| Value::Bool(distance != 0))),
        set("fuzzy_distance", "--fuzzy", args.fuzzy.map(Value::Int)),
        set("semantic", "--no-semantic", args.no_semantic.then_some(Value::Bool(false))),
        set("cutoff_ratio", "--cutoff-ratio", args.cutoff_ratio.map(Value::Float)),
        set("max_candidates", "--max-candidates", args.max_candidates.map(Value::Int)),
        set("aggregation_threshold", "--aggregation-threshold", args.aggregation_threshold.map(Value::Float)),
    ]
    .into_iter()
    .flatten()
    .chain(args.shown.overrides("search"))
    .collect()
}

//! `ra eval`: measures search quality on queries with known answers.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use ra_core::Error;
use ra_core::config::{Config, FILE_NAME, KEYS, Override, SystemDirs, Value};
use ra_core::eval::{JudgedQuery, TestSet, evaluate, evaluate_context, ndcg_by_meaning, ndcg_of_searches};
use ra_core::files::{self, MAX_DOCUMENT_BYTES};
use ra_core::id::ChunkId;
use ra_core::index::Snapshot;
use ra_core::kb::KnowledgeBase;
use ra_core::text::did_you_mean;
use tempfile::TempDir;

use super::Session;
use crate::answers::{ContextEvaluation, EvaluatedSet, Evaluation, Rankings, Saved};
use crate::args::EvalArgs;
use crate::error::{CliError, Result};
use crate::hints::Surface;
use crate::layout::{self, ResultForm};

/// The settings that change the contents of an index.
const INDEXING: &[(&str, &str)] = &[("search", "stemmer"), ("settings", "chunk_at_headings")];
/// The settings that `--depth` sets.
const RESULTS: &[(&str, &str)] = &[("search", "limit"), ("settings", "default_limit"), ("context", "limit")];

pub(super) fn run(session: &mut Session, args: &EvalArgs) -> Result<ExitCode> {
    let mut overrides = vec![Override {
        table: "search",
        name: "limit",
        flag: "--depth",
        value: Value::Int(i64::from(args.depth)),
    }];
    for setting in &args.settings {
        overrides.push(setting_of(setting)?);
    }
    // Settings that change the index get a temporary one; the index of the project stays as it is.
    let makes_index = overrides.iter().any(|it| INDEXING.contains(&(it.table, it.name)));
    let scratch = makes_index.then(temporary).transpose()?;
    let open = |overrides: &[Override]| -> Result<KnowledgeBase> {
        let mut config = Config::load(&session.places, overrides)?;
        if let Some(scratch) = &scratch {
            config.index_dir = scratch.path().join("index");
        }
        Ok(KnowledgeBase::open(config))
    };
    if let Some(count) = args.context {
        overrides.push(Override {
            table: "context",
            name: "limit",
            flag: "--depth",
            value: Value::Int(i64::from(args.depth)),
        });
        let kb = open(&overrides)?;
        let snapshot = encoded(session, &kb)?;
        let measured = evaluate_context(&kb, &snapshot, count as usize, usize::from(args.depth))?;
        session.printer.show(&ContextEvaluation::new(usize::from(args.depth), &measured))?;
        return Ok(ExitCode::SUCCESS);
    }
    // Read the file first: if it cannot be compared with, there is no point in a run.
    let saved = args.compare.as_deref().map(|file| saved(session, file, args)).transpose()?;
    let mut sets = Vec::new();
    for path in &args.sets {
        let path = session.places.cwd.join(path);
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        sets.push(if path.is_dir() {
            own_documents(session, name, &path, &overrides, args)?
        } else {
            let kb = open(&overrides)?;
            let snapshot = encoded(session, &kb)?;
            let judged = JudgedQuery::read(&path)?;
            if judged.is_empty() {
                return Err(CliError::new(format!("{} has no queries", path.display())).hint(
                    "a query is a line such as {\"query\": \"…\", \"relevant\": [\"docs:guide.md\"]}",
                ));
            }
            if let Some(note) = unanswerable(&snapshot, &judged)? {
                session.printer.note(&format!("{name}: {note}"))?;
            }
            measured(name, &kb, &snapshot, &judged, args)?
        });
    }
    session.printer.show(&Evaluation::new(usize::from(args.depth), sets, saved))?;
    Ok(ExitCode::SUCCESS)
}

/// Reports answers that no search could find, because they are not in the index.
fn unanswerable(snapshot: &Snapshot, judged: &[JudgedQuery]) -> Result<Option<String>> {
    let is_relevant = |(_, grade): &&(String, f64)| *grade > 0.0;
    let ids: BTreeSet<&String> =
        judged.iter().flat_map(|it| it.relevant.iter().filter(is_relevant)).map(|(id, _)| id).collect();
    let mut missing = Vec::new();
    for &id in &ids {
        let Ok(ChunkId { doc, slug }) = id.parse() else {
            missing.push(id);
            continue;
        };
        let record = snapshot.record(&doc)?;
        let has = |slug: &str| record.as_ref().is_some_and(|record| record.outline.find(slug).is_some());
        if record.is_none() || slug.is_some_and(|slug| !has(&slug)) {
            missing.push(id);
        }
    }
    let without = judged.iter().filter(|it| !it.relevant.iter().any(|it| is_relevant(&it))).count();
    Ok(match (missing.first(), without) {
        (Some(first), _) => {
            let (all, missing) = (ids.len(), missing.len());
            Some(format!("{missing} of the {all} relevant ids are not in the index, such as `{first}`"))
        }
        (None, 1..) => Some(format!("nothing is relevant for {without} of the {} queries", judged.len())),
        (None, 0) => None,
    })
}

/// Reads the earlier run to compare with.
fn saved(session: &Session, file: &Path, args: &EvalArgs) -> Result<Saved> {
    let path = session.places.cwd.join(file);
    let text =
        files::read_text(&path, MAX_DOCUMENT_BYTES).map_err(|error| Error::io("read", &path, error))?;
    let name = file.display().to_string();
    let saved = Saved::read(&name, &text).map_err(|why| {
        CliError::new(format!("--compare: {name} {why}"))
            .hint("save a run with `ra eval SET --json > FILE`, and compare a later one with that file")
    })?;
    let depth = usize::from(args.depth);
    if saved.depth == depth {
        return Ok(saved);
    }
    let message = format!("--compare: {name} scored {} results, this run scores {depth}", saved.depth);
    Err(CliError::new(message).hint(format!("use --depth {} for this run, too", saved.depth)))
}

/// Runs a test set over its own documents, in a temporary knowledge base.
fn own_documents(
    session: &Session,
    name: String,
    path: &Path,
    overrides: &[Override],
    args: &EvalArgs,
) -> Result<EvaluatedSet> {
    let set = TestSet::read(path, "set")?;
    let folder = temporary()?;
    let write = |path: &Path, text: &str| {
        let parent = path.parent().unwrap_or(path);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(path, text))
            .map_err(|error| CliError::from(Error::io("write", path, error)))
    };
    write(
        &folder.path().join(FILE_NAME),
        "root = true\n[trees]\nset = { path = \"docs\", ignore = false }\n",
    )?;
    for (name, text) in &set.documents {
        write(&folder.path().join("docs").join(name), text)?;
    }
    let at = |name| folder.path().join(name);
    let places =
        SystemDirs { cwd: folder.path().to_owned(), home: None, cache: at("cache"), temp: at("temp") };
    let kb = KnowledgeBase::open(Config::load(&places, overrides)?);
    let snapshot = encoded(session, &kb)?;
    measured(name, &kb, &snapshot, &set.judged, args)
}

/// Runs judged queries. If semantic search is on, also compares ranking by words, by meaning and by both.
fn measured(
    name: String,
    kb: &KnowledgeBase,
    snapshot: &Snapshot,
    judged: &[JudgedQuery],
    args: &EvalArgs,
) -> Result<EvaluatedSet> {
    let depth = usize::from(args.depth);
    let outcomes = evaluate(kb, snapshot, judged, depth, &|answer, budget| {
        layout::printed(answer, budget, Surface::CommandLine.omitted_line(ResultForm::Full))
    })?;
    let rankings = match kb.config().search.semantic {
        false => None,
        true => {
            let mut config = kb.config().clone();
            config.search.semantic = false;
            let words = ndcg_of_searches(&KnowledgeBase::open(config), snapshot, judged, depth)?;
            let meaning = ndcg_by_meaning(kb, snapshot, judged, depth);
            Some(Rankings::new(&words, &meaning, &outcomes))
        }
    };
    Ok(EvaluatedSet::new(name, outcomes, rankings))
}

/// Refreshes the index, and encodes all pages if semantic search is on.
fn encoded(session: &Session, kb: &KnowledgeBase) -> Result<Snapshot> {
    let (snapshot, _) = kb.refresh(&session.progress())?;
    kb.encode_pages(&snapshot, &|| true, &session.progress())?;
    Ok(snapshot)
}

fn temporary() -> Result<TempDir> {
    tempfile::tempdir().map_err(|error| CliError::new(format!("no temporary directory: {error}")))
}

/// Parses `table.key=value`.
fn setting_of(text: &str) -> Result<Override> {
    let wrong = |message: String, hint: String| CliError::new(format!("--set: {message}")).hint(hint);
    let (path, value) = text.split_once('=').ok_or_else(|| {
        wrong(format!("`{text}` is not KEY=VALUE"), "for example --set search.boosts.path=2".to_owned())
    })?;
    let key = KEYS.iter().find(|key| key.path() == path).ok_or_else(|| {
        let paths: Vec<String> = KEYS.iter().map(|key| key.path()).collect();
        let hint = did_you_mean(path, paths.iter().map(String::as_str))
            .unwrap_or_else(|| "`ra config` lists every key".to_owned());
        wrong(format!("there is no key `{path}`"), hint)
    })?;
    if RESULTS.contains(&(key.table, key.name)) {
        let hint = "`--depth` says how many results are asked for and scored".to_owned();
        return Err(wrong(format!("`{path}` is not a setting of the measurement"), hint));
    }
    let value = match value.parse::<bool>() {
        Ok(value) => Value::Bool(value),
        Err(_) => match (value.parse::<i64>(), value.parse::<f64>()) {
            (Ok(number), _) => Value::Int(number),
            (_, Ok(number)) => Value::Float(number),
            _ => Value::Text(value.to_owned()),
        },
    };
    let value = key.check(value).map_err(|message| CliError::new(format!("--set: `{path}`: {message}")))?;
    Ok(Override { table: key.table, name: key.name, flag: "--set", value })
}

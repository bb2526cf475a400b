//! Measures twelve kinds of query on an open index: the cost of an answer without a walk of the disk.
//!
//! `cargo bench --workspace --bench query -- DIR` queries a tree of your own; without one, the project's
//! documentation. Prints the median, the 99th percentile and the slowest of each kind.

#![allow(clippy::print_stdout)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ra_core::config::{Config, SystemDirs};
use ra_core::index::{FacetMode, Scope, Snapshot};
use ra_core::kb::{KnowledgeBase, NoProgress, QueryCombination, QuerySyntax, SearchRequest};
use ra_core::retrieval::{Aggregation, Order};

const ROUNDS: usize = 200;

fn main() {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let given = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).map(PathBuf::from);
    let tree = given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs"));
    let tree = tree.canonicalize().expect("a directory");
    let project = scratch.path().join("project");
    std::fs::create_dir_all(&project).expect("a directory");
    let text = format!("root = true\n[trees]\ntree = {:?}\n", tree.to_string_lossy());
    std::fs::write(project.join(".ra.toml"), text).expect("a file");
    let at = |name| scratch.path().join(name);
    let places = SystemDirs { cwd: project, home: None, cache: at("cache"), temp: at("temp") };
    let kb = KnowledgeBase::open(Config::load(&places, &[]).expect("a configuration"));
    let (snapshot, _) = kb.refresh(&NoProgress).expect("an index");
    snapshot.warm().expect("an index");
    println!("{}: {} chunks", tree.display(), snapshot.chunks());
    println!("{:<14} {:>9} {:>9} {:>9}  query", "kind", "p50", "p99", "worst");
    let mut all = Vec::new();
    for (kind, query) in queries(&tree) {
        let mut times: Vec<Duration> = (0..ROUNDS).map(|_| timed(&kb, &snapshot, &query)).collect();
        all.extend(times.iter().copied());
        print(kind, &mut times, &query);
    }
    print("all", &mut all, "");
}

fn print(kind: &str, times: &mut [Duration], query: &str) {
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    let query: String = query.chars().take(60).collect();
    println!("{kind:<14} {:>9.1?} {:>9.1?} {:>9.1?}  {query}", at(0.5), at(0.99), at(1.0));
}

fn timed(kb: &KnowledgeBase, snapshot: &Snapshot, query: &str) -> Duration {
    let (query, scope) = match query.strip_prefix("@tree ") {
        None => (query, Scope::default()),
        Some(query) => (query, Scope { trees: vec![kb.config().trees[0].name.clone()], ..Scope::default() }),
    };
    let ask = SearchRequest {
        queries: vec![query.to_owned()],
        topics: QueryCombination::Joined,
        syntax: QuerySyntax::Query,
        scope,
        aggregation: Aggregation::Sections,
        order: Order::Score,
        facets: FacetMode::None,
    };
    let start = Instant::now();
    let answers = kb.search(&ask, snapshot).expect("an answer").answers;
    let spent = start.elapsed();
    drop(answers);
    spent
}

/// Returns a query of each kind, made of words that are as frequent in the tree as the kind requires.
fn queries(tree: &Path) -> Vec<(&'static str, String)> {
    let mut texts = Vec::new();
    collect_texts(tree, &mut texts);
    let mut counts: HashMap<String, usize> = HashMap::new();
    for text in &texts {
        let mut words: Vec<String> = words(text).map(str::to_lowercase).collect();
        words.sort();
        words.dedup();
        words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
    }
    let mut ranked: Vec<(String, usize)> = counts.into_iter().collect();
    ranked.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
    let near = |part: f64, skip: usize| {
        let wanted = ((texts.len() as f64 * part) as usize).max(3);
        let from = ranked.partition_point(|(_, count)| *count < wanted);
        let words = ranked[from..].iter().chain(&ranked).map(|(word, _)| word);
        words.filter(|word| word.len() > 5 && word.is_ascii()).nth(skip).cloned().unwrap_or_default()
    };
    let rare = near(0.0, 0);
    let common = near(0.3, 0);
    let sentence = texts[texts.len() / 2].lines().find(|line| words(line).count() > 8).unwrap_or("the text");
    let phrase: Vec<&str> = words(sentence).skip(1).take(3).collect();
    let mut typo = near(0.002, 3);
    typo.replace_range(2..3, "z");
    vec![
        ("common word", common.clone()),
        ("rare word", rare.clone()),
        ("two words", format!("{} {}", near(0.05, 0), near(0.02, 1))),
        ("four words", format!("{} {} {} {}", near(0.05, 0), near(0.02, 1), near(0.01, 2), near(0.1, 1))),
        ("phrase", format!("\"{}\"", phrase.join(" "))),
        ("typo", typo),
        ("or", format!("{} OR {}", near(0.05, 2), near(0.02, 4))),
        ("field", format!("title:{}", near(0.05, 1))),
        ("negation", format!("{} -{}", near(0.05, 0), near(0.1, 0))),
        (
            "question",
            format!(
                "how do I {} the {} when {} and {} does not {} in {}",
                near(0.05, 3),
                near(0.03, 3),
                near(0.02, 5),
                near(0.01, 6),
                near(0.004, 3),
                near(0.06, 1)
            ),
        ),
        ("no hit", "xqzwv kjqqx".to_owned()),
        ("by tree", format!("@tree {}", near(0.1, 2))),
    ]
}

fn collect_texts(dir: &Path, texts: &mut Vec<String>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(dir).expect("a directory").flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect_texts(&path, texts);
        } else if path.extension().is_some_and(|end| end == "md") {
            texts.extend(std::fs::read_to_string(&path));
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

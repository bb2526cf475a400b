//! A knowledge base over a few files, and shortcuts to query it.

use ra_core::config::{Override, Value};
use ra_core::id::ChunkId;
use ra_core::index::{FacetMode, Scope};
use ra_core::kb::{
    Answer, KnowledgeBase, NoProgress, QueryCombination, QuerySyntax, SearchAnswers, SearchRequest,
};
use ra_core::retrieval::{Aggregation, Order, Passage, TextRun};

use crate::test_env::TestEnv;

/// Returns a setting as a command line flag would give it.
pub(crate) fn set(table: &'static str, name: &'static str, value: Value) -> Override {
    Override { table, name, flag: "--test", value }
}

/// Settings that return every match, ranked by words alone.
pub(crate) fn everything() -> Vec<Override> {
    vec![
        set("search", "semantic", Value::Bool(false)),
        set("search", "limit", Value::Int(1000)),
        set("search", "cutoff_ratio", Value::Float(0.0)),
        set("search", "max_candidates", Value::Int(5000)),
    ]
}

/// Settings that return every match and nothing else: no fuzzy matches, no synonyms, and every word required.
pub(crate) fn exactly() -> Vec<Override> {
    let mut flags = everything();
    flags.push(set("search", "fuzzy", Value::Bool(false)));
    flags.push(set("search", "relax", Value::Bool(false)));
    flags.push(set("search", "thesaurus", Value::Bool(false)));
    flags
}

/// Opens the knowledge base of the directory `p`.
pub(crate) fn open(env: &TestEnv, flags: &[Override]) -> KnowledgeBase {
    KnowledgeBase::open(env.config_with("p", flags).unwrap_or_else(|error| panic!("{error}")))
}

/// Creates an environment whose directory `p` has these files as the tree `docs`.
pub(crate) fn env_with(files: &[(&str, &str)]) -> TestEnv {
    let env = TestEnv::new();
    env.write("p/.ra.toml", "root = true\n[trees]\ndocs = \"docs\"\n");
    env.directory("p/docs");
    for (path, text) in files {
        env.write(&format!("p/docs/{path}"), text);
    }
    env
}

/// A knowledge base together with the environment that contains its files.
pub(crate) struct TestKb {
    kb: KnowledgeBase,
    _machine: TestEnv,
}

impl std::ops::Deref for TestKb {
    type Target = KnowledgeBase;

    fn deref(&self) -> &KnowledgeBase {
        &self.kb
    }
}

/// Creates a knowledge base over these files.
pub(crate) fn kb_with(files: &[(&str, &str)], flags: &[Override]) -> TestKb {
    let env = env_with(files);
    TestKb { kb: open(&env, flags), _machine: env }
}

/// Returns a request for one query, with every match as a separate result.
pub(crate) fn search_request(query: &str) -> SearchRequest {
    SearchRequest {
        queries: vec![query.to_owned()],
        topics: QueryCombination::Joined,
        syntax: QuerySyntax::Query,
        scope: Scope::default(),
        aggregation: Aggregation::Nothing,
        order: Order::Score,
        facets: FacetMode::None,
    }
}

/// Returns the answers of a knowledge base, which must not fail.
pub(crate) fn answers(kb: &KnowledgeBase, ask: &SearchRequest) -> SearchAnswers {
    kb.search(ask, &NoProgress).unwrap_or_else(|error| panic!("{:?}: {error}: {error:?}", ask.queries))
}

/// Returns the answer to one query.
pub(crate) fn answer(kb: &KnowledgeBase, ask: &SearchRequest) -> Answer {
    answers(kb, ask).answers.remove(0)
}

/// Returns the ids of the results of a query, best first, without the name of the tree.
pub(crate) fn ids(kb: &KnowledgeBase, query: &str) -> Vec<String> {
    answer(kb, &search_request(query)).passages.iter().map(|passage| short(&passage.id)).collect()
}

/// Returns the ids of the results of a query, sorted.
pub(crate) fn sorted_ids(kb: &KnowledgeBase, query: &str) -> Vec<String> {
    let mut ids = ids(kb, query);
    ids.sort();
    ids
}

/// Returns an id of the tree `docs` without the name of the tree.
pub(crate) fn short(id: &ChunkId) -> String {
    let id = id.to_string();
    id.strip_prefix("docs:").unwrap_or(&id).to_owned()
}

/// Returns the text that may be shown of a result.
pub(crate) fn content(passage: &Passage) -> String {
    passage.all_runs().iter().map(|run| run.span.of(&passage.sections()[run.section].text)).collect()
}

/// Returns the numbers of the lines that may be shown of a result.
pub(crate) fn shown_lines(passage: &Passage) -> Vec<usize> {
    passage.all_runs().iter().flat_map(|run| lines_of(passage, run)).collect()
}

/// Returns the numbers of the lines that may be shown of the result itself, without its companions.
pub(crate) fn own_lines(passage: &Passage) -> Vec<usize> {
    let own = passage.all_runs().into_iter().filter(|run| passage.companion_of(run.section).is_none());
    own.flat_map(|run| lines_of(passage, &run)).collect()
}

fn lines_of(passage: &Passage, run: &TextRun) -> std::ops::RangeInclusive<usize> {
    let (first, last) = passage.sections()[run.section].lines_of(run.span);
    first..=last
}

/// Returns everything about a list of results that must not vary, with scores to the last bit.
pub(crate) fn exact(passages: &[Passage]) -> Vec<String> {
    passages
        .iter()
        .map(|passage| {
            let parts: Vec<String> = passage
                .parts
                .iter()
                .map(|part| format!("{} {:08x}", part.id, part.score.to_bits()))
                .collect();
            format!(
                "{} {:08x} {:?} {:?} {:?} {:?}",
                passage.id,
                passage.score.to_bits(),
                passage.lines,
                content(passage),
                passage.matched_texts().collect::<Vec<_>>(),
                parts
            )
        })
        .collect()
}

//! Queries: any text is parsed, printed, parsed again, and searched for in a real index, in both syntaxes.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ra_core::Error;
use ra_core::index::{FacetMode, Scope, Snapshot};
use ra_core::kb::{KnowledgeBase, QueryCombination, QuerySyntax, SearchRequest};
use ra_core::query;
use ra_core::retrieval::{Aggregation, Order};
use ra_fuzz::FixtureProject;

struct Library {
    kb: KnowledgeBase,
    snapshot: Snapshot,
    _project: FixtureProject,
}

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let project = FixtureProject::new();
    let (kb, snapshot) = project.open();
    Library { kb, snapshot, _project: project }
});

fuzz_target!(|data: &[u8]| {
    let text = ra_fuzz::text(data);
    read(&text);
    search(&text, QuerySyntax::Query);
    search(&text, QuerySyntax::Raw);
});

/// Checks that a printed query parses to the same query without diagnostics.
fn read(text: &str) {
    let Ok(parsed) = query::parse(text) else { return };
    let printed = parsed.query.to_string();
    let again = query::parse(&printed).unwrap_or_else(|error| panic!("{printed:?}: {error}"));
    assert_eq!(again.query, parsed.query, "{printed:?}");
    // Only an index tells whether a key is known.
    let wrong: Vec<_> = again.diagnostics.iter().filter(|diagnostic| diagnostic.property.is_none()).collect();
    assert!(wrong.is_empty(), "{printed:?}: {wrong:?}");
    for diagnostic in &parsed.diagnostics {
        let Some(_) = text.get(diagnostic.span.start..diagnostic.span.end) else { panic!("{diagnostic:?}") };
        assert!(!diagnostic.message.is_empty() && !diagnostic.hint.is_empty(), "{diagnostic:?}");
    }
}

/// Checks that a query is answered or refused as a query; no other error may occur.
fn search(text: &str, syntax: QuerySyntax) {
    let ask = SearchRequest {
        queries: vec![text.to_owned()],
        topics: QueryCombination::Joined,
        syntax,
        scope: Scope::default(),
        aggregation: Aggregation::Sections,
        order: Order::Score,
        facets: FacetMode::None,
    };
    match LIBRARY.kb.search(&ask, &LIBRARY.snapshot) {
        Ok(found) => {
            assert_eq!(found.answers.len(), 1);
            for passage in &found.answers[0].passages {
                assert!(passage.score.is_finite(), "{passage:?}");
                for (text, found) in passage.sections().iter().flat_map(|section| {
                    section.matches.iter().map(|found| (section.text.as_str(), found.span))
                }) {
                    assert!(text.get(found.start..found.end).is_some(), "{passage:?}");
                }
            }
        }
        Err(Error::Query(problem)) => {
            assert!(!problem.message.is_empty() && !problem.hint.is_empty(), "{problem:?}")
        }
        Err(other) => panic!("{syntax:?}: {other:?}"),
    }
}

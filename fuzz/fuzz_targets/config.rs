//! Configuration: any file is either a configuration or a list of problems, and the problems can be shown.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ra_core::Error;
use ra_core::config::Config;
use ra_fuzz::FixtureProject;

static SHELF: LazyLock<FixtureProject> = LazyLock::new(FixtureProject::new);

/// Paths that patterns and rules are matched against.
const PATHS: &[&str] = &["guide.md", "sub/errors.md", "src/main.rs", "a/b/c/d.txt", "C#basics.md", "ü.rst"];

fuzz_target!(|data: &[u8]| {
    SHELF.write(".ra.toml", &ra_fuzz::text(data));
    match Config::load(&SHELF.places(), &[]) {
        Ok(config) => use_it(&config),
        Err(error) => explain(error),
    }
});

/// Runs the parts of a configuration that take paths.
fn use_it(config: &Config) {
    assert!(!config.trees.is_empty() && config.search.limit > 0, "{config:?}");
    for path in PATHS {
        for tree in config.trees.iter() {
            let _ = tree.filter.verdict(path);
        }
        for rule in config.context.patterns.iter().chain(config.context.rules.iter()) {
            let _ = rule.matching(path);
        }
    }
}

/// More problems than this aren't shown.
const MAX_SHOWN_PROBLEMS: usize = 20;

/// Checks that every problem has a location in the file, and that the first ones can be shown to people.
fn explain(error: Error) {
    let Error::Config(problems) = &error else { panic!("{error:?}") };
    assert!(!problems.0.is_empty());
    for problem in &problems.0 {
        assert!(problem.source.get(problem.span.start..problem.span.end).is_some(), "{problem:?}");
        assert!(!problem.message.is_empty() && problem.line() >= 1, "{problem:?}");
    }
    let count = problems.0.len().min(MAX_SHOWN_PROBLEMS);
    let shown = ra_kb::explain(error);
    assert!(shown.matches("error").count() > count, "{shown}");
}

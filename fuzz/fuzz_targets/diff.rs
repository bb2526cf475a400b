//! Diffs: any text is parsed into files and problems, and gets one answer.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ra_core::context::diff::{self, Diff};
use ra_core::index::{Scope, Snapshot};
use ra_core::kb::{ContextRequest, KnowledgeBase, ContextSource};
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
    check(&diff::parse(&text), &text);
    let source = ContextSource::Diff { text: text.clone(), cwd: LIBRARY.kb.config().project.clone() };
    let context = ContextRequest { sources: vec![source], scope: Scope::default() };
    let found = LIBRARY.kb.context(&context, &LIBRARY.snapshot);
    let found = found.unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(found.answers.answers.len(), 1, "{found:?}");
});

fn check(diff: &Diff<'_>, text: &str) {
    let lines = text.matches('\n').count() + 1;
    for problem in &diff.problems {
        assert!((1..=lines).contains(&problem.line) && !problem.message.is_empty(), "{problem:?}");
    }
    for file in &diff.files {
        assert!(!file.path().is_empty(), "{file:?}");
        for hunk in &file.hunks {
            let changed = hunk.added.iter().chain(&hunk.removed).chain(&hunk.context);
            for line in changed {
                assert!(!line.contains('\n') && text.contains(line), "{line:?}");
            }
        }
    }
}

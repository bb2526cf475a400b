//! Documents that were last changed before the files that they name.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use ra_core::kb::{CodeReferences, Finding, FindingKind, KnowledgeBase, Severity};

use crate::answers::time::day;
use crate::error::{CliError, Result};
use crate::git_history::{LastChanges, last_changes};

/// Returns a finding for each document that is older than a file that it names.
pub(super) fn findings(kb: &KnowledgeBase) -> Result<Vec<Finding>> {
    let references = kb.code_references();
    let mut by_work_tree: BTreeMap<&Path, Vec<&CodeReferences>> = BTreeMap::new();
    for reference in &references {
        by_work_tree.entry(&reference.work_tree).or_default().push(reference);
    }
    if by_work_tree.is_empty() && !kb.config().trees.iter().any(|tree| is_in_work_tree(&tree.root)) {
        return Err(CliError::new("--stale: no tree is in a git work tree")
            .hint("only the history of a git repository says when a document was changed"));
    }
    let mut findings = Vec::new();
    for (work_tree, references) in by_work_tree {
        let files = references.iter().flat_map(|reference| reference.files.keys().chain([&reference.path]));
        let files: HashSet<String> = files.cloned().collect();
        let changes = last_changes(work_tree, &files).map_err(|reason| {
            CliError::new(format!("--stale: no history of {}: {reason}", work_tree.display()))
                .hint("is git installed, and does the repository have a commit?")
        })?;
        findings.extend(changes.is_incomplete.then(|| incomplete(work_tree)));
        findings.extend(references.iter().filter_map(|reference| stale(reference, &changes)));
    }
    findings.sort_by(|a, b| a.place.cmp(&b.place));
    Ok(findings)
}

fn is_in_work_tree(directory: &Path) -> bool {
    directory.canonicalize().is_ok_and(|directory| ra_core::config::git_root(&directory).is_some())
}

fn incomplete(work_tree: &Path) -> Finding {
    let message = "git took too long to list all commits; documents may be missing here".to_owned();
    finding(work_tree.display().to_string(), None, message, None)
}

/// Returns the finding for a document, which names the file that was changed last.
fn stale(reference: &CodeReferences, changes: &LastChanges) -> Option<Finding> {
    let own = *changes.times.get(&reference.path)?;
    let newer = reference.files.iter().filter_map(|(path, line)| {
        let time = *changes.times.get(path)?;
        (time > own).then_some((time, path, *line))
    });
    let newer: Vec<(i64, &String, usize)> = newer.collect();
    let (time, path, line) = *newer.iter().max_by_key(|(time, path, _)| (*time, std::cmp::Reverse(*path)))?;
    let more = match newer.len() - 1 {
        0 => String::new(),
        1 => ", and so was 1 more file that it names".to_owned(),
        more => format!(", and so were {more} more files that it names"),
    };
    let message =
        format!("was last changed on {}, but `{path}`, which it names, on {}{more}", day(own), day(time));
    let hint = "check that it is still true, and commit the document".to_owned();
    Some(finding(reference.doc.to_string(), Some(line), message, Some(hint)))
}

fn finding(place: String, line: Option<usize>, message: String, hint: Option<String>) -> Finding {
    Finding { severity: Severity::Warning, kind: FindingKind::Stale, place, line, message, hint }
}

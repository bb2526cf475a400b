//! The configuration, the trees and the index.

use ra_core::kb::{IndexState, IndexStatus, KnowledgeBase, Progress, Status};

use super::{Repair, shown};
use crate::answers::DoctorCheck;
use crate::error;
use crate::output::{count, grouped};

pub(super) fn examine(kb: &KnowledgeBase, repair: Repair, progress: &dyn Progress) -> Vec<DoctorCheck> {
    let files = kb.config().files.iter().map(|file| shown(file)).collect::<Vec<_>>();
    let trees = count(kb.config().trees.len(), "tree");
    let mut checks = vec![DoctorCheck::good(
        "configuration",
        if files.is_empty() { format!("none; {trees}") } else { format!("{}; {trees}", files.join(", ")) },
    )];
    match kb.status() {
        Ok(status) => {
            checks.extend(tree_problems(kb, &status));
            checks.extend(index(kb, &status.index, repair, progress));
        }
        Err(error) => checks.push(DoctorCheck::error("index", error::with_causes(&error))),
    }
    checks
}

fn tree_problems(kb: &KnowledgeBase, status: &Status) -> Vec<DoctorCheck> {
    let trees = kb.config().trees.iter().zip(&status.trees);
    let problem = |(tree, counts): (&ra_core::config::Tree, &ra_core::kb::TreeCounts)| {
        let topic = format!("tree {}", tree.name);
        match &counts.problem {
            Some(why) => Some(DoctorCheck::warning(topic, format!("{}: {why}", shown(&tree.root)))),
            None if counts.documents == 0 => {
                let message = format!("{} has no documents", shown(&tree.root));
                Some(DoctorCheck::warning(topic, message).hint("`ra status` says which files were left out"))
            }
            None => None,
        }
    };
    trees.filter_map(problem).collect()
}

fn index(
    kb: &KnowledgeBase,
    status: &IndexStatus,
    repair: Repair,
    progress: &dyn Progress,
) -> Vec<DoctorCheck> {
    let path = shown(&status.path);
    if repair == Repair::WhatIsSafe {
        return match repaired(kb, status, progress) {
            Ok(checks) => checks,
            Err(error) => {
                vec![DoctorCheck::error("index", format!("{path}: {}", error::with_causes(&error)))]
            }
        };
    }
    let mut checks = vec![match &status.state {
        IndexState::Current => DoctorCheck::good("index", format!("{path} is current")),
        IndexState::Behind(changed) => {
            let changed = count(*changed, "document");
            DoctorCheck::good("index", format!("{path}; the next search reads {changed} that changed"))
        }
        IndexState::Missing => DoctorCheck::good("index", format!("{path} is made by the first search")),
        IndexState::Outdated | IndexState::Partial | IndexState::Unchecked => {
            DoctorCheck::good("index", format!("{path} is rebuilt by the next search"))
        }
        IndexState::Damaged(why) => DoctorCheck::warning("index", format!("{path} is damaged: {why}"))
            .hint("the next search rebuilds it; `ra doctor --fix` does so now"),
    }];
    // Opening the index tells whether its directory can be used.
    match kb.last_commit() {
        Ok(Some((_, freshness))) => {
            checks.extend(freshness.warnings.into_iter().map(|text| DoctorCheck::warning("index", text)))
        }
        Ok(None) => {}
        Err(error) => checks.push(DoctorCheck::error("index", error::with_causes(&error))),
    }
    if let Some(pages) = status.pages.filter(|pages| pages.missing > 0) {
        let (missing, all) = (grouped(pages.missing), grouped(pages.missing + pages.encoded));
        checks.push(
            DoctorCheck::warning("meaning", format!("{missing} of {all} documents are not encoded yet"))
                .hint(
                    "`ra update` or `ra doctor --fix` encodes them; until then their words alone rank them",
                ),
        );
    }
    checks
}

/// Updates the index, and encodes what is not encoded.
fn repaired(
    kb: &KnowledgeBase,
    status: &IndexStatus,
    progress: &dyn Progress,
) -> Result<Vec<DoctorCheck>, ra_core::Error> {
    let path = shown(&status.path);
    let updated = kb.update(progress)?;
    let encoded = match kb.last_commit()? {
        Some((snapshot, _)) => kb.encode_pages(&snapshot, &|| true, progress)?,
        None => 0,
    };
    let changes = updated.freshness.added + updated.freshness.modified + updated.freshness.removed;
    let mut checks = vec![match &status.state {
        IndexState::Current if changes == 0 => DoctorCheck::good("index", format!("{path} is current")),
        _ => DoctorCheck::fixed("index", format!("{path} was updated: {}", count(changes, "change"))),
    }];
    let warnings = updated.freshness.warnings.into_iter();
    checks.extend(warnings.map(|text| DoctorCheck::warning("index", text)));
    if encoded > 0 {
        checks.push(DoctorCheck::fixed("meaning", format!("{} encoded", count(encoded, "document"))));
    }
    Ok(checks)
}

//! The warnings of an update: what it couldn't read.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::Path;

use crate::corpus::{Manifest, Scan, Skip};
use crate::error::Error;
use crate::id::TreeName;

/// Returns a warning for every path that the walks couldn't read. What the manifest has of it stays indexed, unless the
/// root of its tree is another directory now.
pub(super) fn unreadable(scans: &BTreeMap<TreeName, Scan>, manifest: Option<&Manifest>) -> Vec<String> {
    let is_indexed = |tree: &TreeName, root: &Path, path: &str| {
        let manifest = manifest.filter(|manifest| !manifest.was_elsewhere(tree, root));
        let entries = manifest.and_then(|manifest| manifest.trees().get(tree));
        entries.is_some_and(|entries| {
            let from = entries.range::<str, _>((Bound::Included(path), Bound::Unbounded)).next();
            from.is_some_and(|(known, _)| known.starts_with(path))
        })
    };
    let mut warnings = Vec::new();
    for (tree, scan) in scans {
        for (path, skip) in &scan.skipped {
            if let Skip::Unreadable(why) = skip {
                let kept = match is_indexed(tree, &scan.root, path) {
                    true => "what was indexed of it before is kept",
                    false => "nothing of it is indexed",
                };
                warnings.push(format!("{tree}:{path} could not be read ({why}); {kept}"));
            }
        }
    }
    warnings
}

/// Returns the first of many similar warnings, and how many more there are.
pub(super) fn first_few(mut warnings: Vec<String>) -> Vec<String> {
    const SHOWN: usize = 5;
    warnings.sort();
    let more = warnings.len().saturating_sub(SHOWN);
    warnings.truncate(SHOWN);
    if more > 0 {
        warnings.push(format!("{more} more files are not indexed for such reasons"));
    }
    warnings
}

pub(super) fn chain(error: &Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

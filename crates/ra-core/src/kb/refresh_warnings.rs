//! The warnings of an update: what it couldn't read.

use std::collections::BTreeMap;

use crate::corpus::{Scan, Skip};
use crate::error::Error;
use crate::id::TreeName;

/// Returns a warning for every path that the walks couldn't read.
pub(super) fn unreadable(scans: &BTreeMap<TreeName, Scan>) -> Vec<String> {
    let mut warnings = Vec::new();
    for (tree, scan) in scans {
        for (path, skip) in &scan.skipped {
            if let Skip::Unreadable(why) = skip {
                let kept = "what was indexed of it before is kept";
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

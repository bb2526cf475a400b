//! Shows the best sections of a document together.
//!
//! A page may be the right one while its best section by score isn't the one that answers: an introduction or a
//! neighbor scores a little more. So sections that score nearly as much as the best one of their document are shown
//! with it. They aren't results of their own, so they take no place from other documents.

use std::collections::HashMap;

use super::aggregate::Group;
use crate::index::RecordId;

/// A section is shown with the best one of its document if it scores at least this share of it.
const MIN_SHARE: f32 = 0.85;

/// The maximum number of sections that are shown with the best one.
const MAX_COMPANIONS: usize = 3;

/// Adds to the best group of each document those that score nearly as much.
pub(super) fn join_companions(mut groups: Vec<Group>) -> Vec<Group> {
    groups.sort_by(|a, b| b.best.total_cmp(&a.best).then_with(|| a.ranking(b)));
    let mut joined: Vec<Group> = Vec::new();
    let mut leads: HashMap<RecordId, usize> = HashMap::new();
    for group in groups {
        match leads.get(&group.record).map(|lead| &mut joined[*lead]) {
            Some(lead) if lead.companions.len() < MAX_COMPANIONS && group.best >= MIN_SHARE * lead.best => {
                lead.companions.push(group);
            }
            Some(_) => joined.push(group),
            None => {
                leads.insert(group.record, joined.len());
                joined.push(group);
            }
        }
    }
    joined
}

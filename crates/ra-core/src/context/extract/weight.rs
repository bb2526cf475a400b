//! The weight of a word, depending on its region. All weights are defined here.

use super::RegionKind;

/// Comments are written for people, with the same words as documentation.
const DOC_COMMENT: f32 = 2.0;
const COMMENT: f32 = 2.0;
/// Strings contain messages, names of settings and routes.
const STRING_LITERAL: f32 = 1.5;
const PROSE: f32 = 1.0;
const CODE: f32 = 1.0;

/// The factor for a word or identifier as written.
pub(super) const WHOLE: f32 = 1.0;
/// The factor for a part of an identifier: less, because the whole already counts.
pub(super) const PART: f32 = 0.5;

/// Returns the weight of one occurrence in a region.
pub(super) fn of(kind: RegionKind) -> f32 {
    match kind {
        RegionKind::DocComment => DOC_COMMENT,
        RegionKind::Comment => COMMENT,
        RegionKind::StringLiteral => STRING_LITERAL,
        RegionKind::Prose => PROSE,
        RegionKind::Code => CODE,
        RegionKind::Ignored => 0.0,
    }
}

//! The state of the index behind an answer.

use std::io;

use ra_core::kb::Freshness;
use schemars::JsonSchema;
use serde::Serialize;

use super::time::rfc3339;
use crate::output::Page;

/// The state of the index behind the answer.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Index {
    /// The number of the commit that the answer is from.
    pub(crate) generation: u64,
    /// When the disk was compared with the index, in UTC as RFC 3339.
    pub(crate) checked: String,
    /// Why the answer may be older than the disk; absent if it isn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stale: Option<String>,
    /// Warnings, such as about files that could not be read; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

impl Index {
    pub(crate) fn new(freshness: Freshness) -> Self {
        Index {
            generation: freshness.generation,
            checked: rfc3339(freshness.checked),
            stale: freshness.stale,
            warnings: freshness.warnings,
        }
    }
}

impl Index {
    /// Writes warnings about the index: a user should know them before trusting the answer.
    pub(crate) fn notes(&self, page: &mut Page<'_>) -> io::Result<()> {
        for warning in &self.warnings {
            page.warning(warning)?;
        }
        match &self.stale {
            Some(why) => page.warning(&format!("this answer may be out of date: {why}")),
            None => Ok(()),
        }
    }
}

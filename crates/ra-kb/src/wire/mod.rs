//! The answers of `ra` as data, which `--json` prints. Any change other than an addition increments
//! [`VERSION`].

mod agents;
mod check;
mod cite;
mod compare;
mod config;
mod eval;
mod explain;
mod get;
mod index;
mod inspect;
mod links;
mod list;
mod retrieval;
#[cfg(test)]
mod schemas;
mod search;
mod status;
mod time;
mod would_match;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

pub(crate) use self::agents::{AgentFiles, McpConfig};
pub(crate) use self::check::{BrokenLink, Check, Finding, Links, Unchecked};
pub(crate) use self::cite::{CheckedCitation, CiteReport, VerifyReport};
pub(crate) use self::compare::{Comparison, QueryChange, Saved};
pub(crate) use self::config::Configuration;
pub(crate) use self::eval::{ContextEvaluation, Difference, EvaluatedSet, Evaluation, Measures, Rankings};
pub(crate) use self::explain::Explain;
pub(crate) use self::get::GetReport;
pub(crate) use self::index::{Index, Update};
pub(crate) use self::inspect::Inspection;
pub(crate) use self::links::{LinkedDocument, LinksReport};
pub(crate) use self::list::{Chunks, Documents, Trees};
pub(crate) use self::retrieval::{Rates, Retrieval};
pub(crate) use self::search::{Item, Nearest, QueryAnswer, ResultForm, SearchReport, View};
pub(crate) use self::status::{Sources, Status, StatusIndex, TreeStatus};
pub(crate) use self::time::rfc3339;
pub(crate) use self::would_match::WouldMatch;

/// The version of the types in this module.
pub(crate) const VERSION: u32 = 1;

/// An answer with its version.
#[derive(Serialize)]
pub(crate) struct Versioned<'a, T> {
    version: u32,
    #[serde(flatten)]
    answer: &'a T,
}

pub(crate) fn versioned<T>(answer: &T) -> Versioned<'_, T> {
    Versioned { version: VERSION, answer }
}

/// The schema of the first and last line or page of a text, counted from 1.
type LineRange = (NonZeroUsize, NonZeroUsize);

/// The file that was written.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Init {
    /// The configuration file that was written.
    pub(crate) created: PathBuf,
}

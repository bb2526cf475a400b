//! One file for each answer: its data, which `--json` prints, and its text for people and agents. The doc comments of
//! the data are its documentation in `docs/reference/schema`.

mod agents;
mod check;
mod cite;
mod config;
mod doctor;
mod eval;
mod get;
mod index;
mod init;
mod inspect;
mod links;
mod list;
mod retrieval;
#[cfg(test)]
mod schemas;
mod search;
mod status;
pub(crate) mod time;
mod update;
mod values;

use std::num::NonZeroUsize;

pub(crate) use self::agents::{AgentFiles, McpConfig};
pub(crate) use self::check::{Check, Finding};
pub(crate) use self::cite::{CiteReport, VerifyReport};
pub(crate) use self::config::Configuration;
pub(crate) use self::doctor::{Doctor, DoctorCheck};
pub(crate) use self::eval::{ContextEvaluation, EvaluatedSet, Evaluation, Rankings, Saved};
pub(crate) use self::get::GetReport;
pub(crate) use self::index::Index;
pub(crate) use self::init::Init;
pub(crate) use self::inspect::Inspection;
pub(crate) use self::links::LinksReport;
pub(crate) use self::list::{Chunks, Documents, Trees};
pub(crate) use self::retrieval::Retrieval;
pub(crate) use self::search::{Item as SearchItem, QueryAnswer, SearchReport, View};
pub(crate) use self::status::{Ignored, Sources, Status, TreeStatus, size as byte_size};
pub(crate) use self::update::Update;
pub(crate) use self::values::{Counted, Facets, Fields, Tags};

/// The schema of the first and last line or page of a text, counted from 1.
type LineRange = (NonZeroUsize, NonZeroUsize);

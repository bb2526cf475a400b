//! Tests of the `ra` process, as users run it.

mod agents;
mod broken_config;
mod check;
mod cite;
mod config;
mod context;
mod convert;
mod docs;
mod doctor;
mod eval;
mod fields;
mod fixture_project;
mod forged;
mod formats;
mod general;
mod get;
#[cfg(unix)]
mod hostile;
mod init;
mod inspect;
mod languages;
mod links;
mod list;
mod mcp;
mod processes;
#[cfg(unix)]
mod pty;
mod sandbox;
mod search;
mod serve;
mod short_queries;
mod stale;
mod status;
#[cfg(unix)]
mod terminal;
mod watch;

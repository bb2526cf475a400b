//! The MCP server: the knowledge base as tools, resources and prompts for agents.
//!
//! `rmcp` implements the protocol; the library and `crate::answers` produce the answers. This module connects
//! them: it decides how an answer is fitted into a token budget, and which clients are allowed to connect.

mod answer;
mod arguments;
mod connections;
mod fit_documents;
mod http;
mod in_process;
mod instructions;
mod outgoing;
mod prompts;
mod request_runner;
mod resources;
mod run;
mod security;
mod server;
mod stdio;
mod tools;
mod uri;

pub(crate) use self::http::{SiteRoutes, http_address};
pub use self::in_process::InProcessServer;
pub(crate) use self::request_runner::{RequestError, RequestIndex, RequestRunner};
pub(crate) use self::run::{ServerTransport, SiteServer, run};
pub(crate) use self::security::Token;

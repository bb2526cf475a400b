//! The MCP server: the knowledge base as tools, resources and prompts for agents.
//!
//! The protocol is the business of `rmcp`; what is answered is that of the library and of [`crate::wire`].
//! What stands between them is here: when the index is brought up to date, how many requests work at once,
//! how an answer is fitted into a budget, and who may ask.

mod answer;
mod arguments;
mod change_watcher;
mod connections;
mod encoder;
mod fit_documents;
mod http;
mod in_process;
mod index_refresher;
mod instructions;
mod opened_kb;
mod outgoing;
mod partial_message;
mod prompts;
mod refresh_progress;
mod request_runner;
mod resources;
mod run;
mod security;
mod server;
mod stdio;
mod tools;
mod uri;
mod worker_pool;

pub(crate) use self::change_watcher::{FileState, Stamped, stamped};
pub use self::in_process::InProcessServer;
pub(crate) use self::run::{ServerTransport, run};
pub(crate) use self::security::Token;

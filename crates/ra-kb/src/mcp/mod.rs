//! The MCP server: the knowledge base as tools, resources and prompts for agents.
//!
//! The protocol is the business of `rmcp`; what is answered is that of the library and of [`crate::wire`].
//! What stands between them is here: when the index is brought up to date, how many requests work at once,
//! how an answer is fitted into a budget, and who may ask.

mod answer;
mod arguments;
mod connections;
mod desk;
mod encoder;
mod fit;
mod hosted;
mod http;
mod indexing;
mod instructions;
mod keeper;
mod lookout;
mod opened_kb;
mod outgoing;
mod partial;
mod prompts;
mod resources;
mod run;
mod security;
mod server;
mod stdio;
mod tools;
mod uri;
mod work;

pub use self::hosted::InProcessServer;
pub(crate) use self::lookout::{FileState, Stamped, stamped};
pub(crate) use self::run::{ServerTransport, run};
pub(crate) use self::security::Token;

//! The flags of `ra mcp`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct McpArgs {
    /// The directory whose knowledge base is served, instead of the working directory
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// Serve over HTTP at /mcp, on this port or address (127.0.0.1:7270 if ADDR is omitted)
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "127.0.0.1:7270")]
    pub(crate) http: Option<String>,

    /// Require this bearer token from HTTP clients; at least 16 characters
    #[arg(long, value_name = "TOKEN", requires = "http", conflicts_with = "token_file")]
    pub(crate) token: Option<String>,

    /// Require the bearer token in this file from HTTP clients
    #[arg(long, value_name = "FILE", requires = "http")]
    pub(crate) token_file: Option<PathBuf>,
}

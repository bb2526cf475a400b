//! The command line of `ra serve`.

use std::net::IpAddr;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
The page is for this machine only, unless --host says otherwise. The same server offers MCP at /mcp.

Examples:
  ra serve                      on a free port, and open a browser
  ra serve --port 7271 --no-open
  ra serve --editor zed         with links that open a file in an editor
  ra serve --host 0.0.0.0 --port 80 --token-file token.txt";

#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// The port; 0 for a free one
    #[arg(long, value_name = "PORT", default_value = "0")]
    pub(crate) port: u16,

    /// The address to listen on; one that other machines can reach needs a token
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub(crate) host: IpAddr,

    /// Do not open a browser
    #[arg(long)]
    pub(crate) no_open: bool,

    /// Link to files in this editor, such as `vscode`, or with this link, such as `myeditor://{file}:{line}`
    /// [default: the editor of VISUAL or EDITOR]
    #[arg(long, value_name = "NAME")]
    pub(crate) editor: Option<String>,

    /// Require this token from browsers and HTTP clients; at least 16 characters
    #[arg(long, value_name = "TOKEN", conflicts_with = "token_file")]
    pub(crate) token: Option<String>,

    /// Require the token in this file from browsers and HTTP clients
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
}

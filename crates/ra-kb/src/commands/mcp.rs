//! `ra mcp`: serves the knowledge base over MCP.

use std::path::Path;
use std::process::ExitCode;

use ra_core::files::{self, MAX_SETTINGS_BYTES};

use super::Session;
use crate::args::McpArgs;
use crate::env;
use crate::error::{CliError, Result};
use crate::mcp::{self, ServerTransport, Token, http_address};

pub(super) fn run(session: &Session, args: &McpArgs) -> Result<ExitCode> {
    let places = match &args.root {
        None => session.places.clone(),
        Some(root) => {
            let root = session.places.cwd.join(root);
            if !root.is_dir() {
                let message = format!("--root: {} is not a directory", root.display());
                return Err(CliError::new(message).hint("name a directory that exists"));
            }
            env::places(Some(&root))?
        }
    };
    let transport = match &args.http {
        None => ServerTransport::Stdio,
        Some(address) => ServerTransport::Http {
            address: http_address(address)?,
            flag: "--http",
            token: token(args.token.as_deref(), args.token_file.as_deref())?,
            site: None,
        },
    };
    mcp::run(places, transport)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the token from the flag or from the file.
pub(super) fn token(token: Option<&str>, file: Option<&Path>) -> Result<Option<Token>> {
    let (flag, text) = match (token, file) {
        (Some(token), _) => ("--token", token.to_owned()),
        (None, Some(file)) => {
            let text = files::read_text(file, MAX_SETTINGS_BYTES).map_err(|error| {
                CliError::new(format!("--token-file: could not read {}: {error}", file.display()))
            })?;
            ("--token-file", text)
        }
        (None, None) => return Ok(None),
    };
    let token = Token::new(text.trim()).ok_or_else(|| {
        CliError::new(format!("{flag}: the token must be at least 16 visible ASCII characters"))
            .hint("`openssl rand -hex 32` makes a good one")
    })?;
    Ok(Some(token))
}

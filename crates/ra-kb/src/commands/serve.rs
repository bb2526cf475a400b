//! `ra serve`: shows the knowledge base in a browser.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::{Command, ExitCode, Stdio};

use super::Session;
use super::mcp::token;
use crate::args::ServeArgs;
use crate::env;
use crate::error::Result;
use crate::mcp::{self, ServerTransport, SiteServer};
use crate::web::{self, Editor};

pub(super) fn run(session: &Session, args: &ServeArgs) -> Result<ExitCode> {
    let editor = match &args.editor {
        Some(editor) => Some(Editor::parse(editor)?),
        // An editor on this machine can't open files of another one.
        None if args.host.is_loopback() => {
            env::editors().iter().find_map(|command| Editor::of_command(command))
        }
        None => None,
    };
    let opens = !args.no_open;
    let site = move |server: SiteServer| {
        let url = format!("http://{}/", server.bound);
        // Ignore the error: stderr may be closed.
        let _ = writeln!(io::stderr(), "note: serving at {url} and {url}mcp; Ctrl-C stops");
        if opens && !open_browser(&url) {
            let _ = writeln!(io::stderr(), "note: no browser could be started; open {url}");
        }
        web::routes(server, editor)
    };
    let transport = ServerTransport::Http {
        address: SocketAddr::new(args.host, args.port),
        flag: "--host",
        token: token(args.token.as_deref(), args.token_file.as_deref())?,
        site: Some(Box::new(site)),
    };
    mcp::run(session.places.clone(), transport)?;
    Ok(ExitCode::SUCCESS)
}

/// Asks the system to open a page. Returns false if that can't be started.
fn open_browser(url: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

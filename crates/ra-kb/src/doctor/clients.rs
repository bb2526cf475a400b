//! The clients: which of them have an entry for `ra`, and whether the server starts the way the entry says.
//!
//! The file of a project may come from anybody. So an entry is only tried if it starts this program, for this
//! project.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use ra_core::files;
use serde_json::Value;

use super::{Repair, handshake, shown};
use crate::agents::{self, Client, ClientConfig, ConfigScope, Goal};
use crate::answers::DoctorCheck;
use crate::error::{CliError, with_causes};
use crate::output::count;

/// The maximum size of a client's file. Claude Code keeps more than its settings in one.
const MAX_CLIENT_FILE_BYTES: u64 = 16 << 20;

/// Returns what is to be said of the clients that have an entry, and the names of the others.
pub(super) fn examine(
    project: &Path,
    home: Option<&Path>,
    program: Option<&Path>,
    repair: Repair,
) -> (Vec<DoctorCheck>, Vec<String>) {
    let mut checks = Vec::new();
    let mut unused = Vec::new();
    for client in Client::value_variants() {
        let before = checks.len();
        let config = client.config(project);
        let own = config.path(project, home);
        let of_user = client.user_file().and_then(|below| Some(home?.join(below)));
        let mut paths: Vec<PathBuf> = own.iter().cloned().chain(of_user).collect();
        paths.dedup();
        for path in paths {
            let is_trusted = Some(&path) != own.as_ref() || config.place == ConfigScope::User;
            let file = ClientFile { client: *client, config: &config, path: &path, is_trusted };
            checks.extend(file.examine(project, program, repair));
        }
        if checks.len() == before {
            unused.push(client.name());
        }
    }
    (checks, unused)
}

struct ClientFile<'a> {
    client: Client,
    config: &'a ClientConfig,
    path: &'a Path,
    /// True if only the user writes this file. The file of a project may come from others.
    is_trusted: bool,
}

impl ClientFile<'_> {
    /// Returns `None` if the file has no entry.
    fn examine(&self, project: &Path, program: Option<&Path>, repair: Repair) -> Option<DoctorCheck> {
        let topic = self.client.name();
        let path = shown(self.path);
        let entry = match self.entry(project) {
            Ok(entry) => entry?,
            Err(why) => return Some(DoctorCheck::warning(topic, format!("{path} can't be read: {why}"))),
        };
        let Some((command, arguments)) = command_line(&entry) else {
            let message = format!("{path} has an entry that doesn't start a server");
            return Some(
                self.replaced(project, repair)
                    .unwrap_or(DoctorCheck::warning(topic, message).hint(self.rewrite_hint())),
            );
        };
        let is_bare = Path::new(&command).components().count() == 1;
        let target = if is_bare && command == "ra" {
            program.map(Path::to_owned)
        } else {
            files::real_path(Path::new(&command)).ok().filter(|_| !is_bare)
        };
        let line = [std::slice::from_ref(&command), &arguments[..]].concat().join(" ");
        let Some(target) = target else {
            let message = format!("{path} starts `{line}`, and there is no such program");
            return Some(if is_bare && command != "ra" {
                DoctorCheck::good(
                    topic,
                    format!("{path} starts `{line}`; not tried, because it isn't this program"),
                )
            } else {
                self.replaced(project, repair)
                    .unwrap_or(DoctorCheck::warning(topic, message).hint(self.rewrite_hint()))
            });
        };
        if Some(target.as_path()) != program {
            let message = format!("{path} starts `{line}`; not tried, because it isn't this program");
            return Some(DoctorCheck::good(topic, message));
        }
        let Some(arguments) = self.safe_arguments(&arguments, project) else {
            let message =
                format!("{path} starts `{line}`; not tried, because it doesn't serve this project alone");
            return Some(DoctorCheck::good(topic, message));
        };
        Some(match handshake::count_tools(&target, &arguments, project) {
            Ok(tools) => DoctorCheck::good(
                topic,
                format!("{path} starts `{line}`, which offers {}", count(tools, "tool")),
            ),
            Err(why) => DoctorCheck::error(topic, format!("{path} starts `{line}`: {why}"))
                .hint("run the command by hand to see its errors"),
        })
    }

    fn entry(&self, project: &Path) -> Result<Option<Value>, String> {
        let path = match self.is_trusted {
            true => self.path.to_owned(),
            // A link could lead to any file of the user, and what is in that must not be shown.
            false => agents::target_within(self.path, project).map_err(|error| match error {
                CliError::Core(error) => with_causes(&error),
                _ => "it is a link that leads out of the project or to something hidden".to_owned(),
            })?,
        };
        let bytes = match files::read(&path, MAX_CLIENT_FILE_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        agents::find_entry(&String::from_utf8_lossy(&bytes), self.config)
    }

    /// Returns the arguments to try: those that serve the project, or, in a file of the user, any directory.
    fn safe_arguments(&self, arguments: &[String], project: &Path) -> Option<Vec<String>> {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let root = match &arguments[..] {
            ["mcp"] => return Some(vec!["mcp".to_owned()]),
            ["mcp", "--root", "${workspaceFolder}"] => project.to_owned(),
            ["mcp", "--root", root] => PathBuf::from(root),
            _ => return None,
        };
        let is_project = root.canonicalize().ok() == project.canonicalize().ok();
        (is_project || self.is_trusted).then(|| vec!["mcp".to_owned(), "--root".to_owned(), shown(&root)])
    }

    fn rewrite_hint(&self) -> String {
        format!("`ra agents --mcp-config {} --write` writes it again", self.client.name())
    }

    /// Writes the entry again if this is the file that `ra agents` writes.
    fn replaced(&self, project: &Path, repair: Repair) -> Option<DoctorCheck> {
        if repair == Repair::Nothing {
            return None;
        }
        let place = if self.config.place == ConfigScope::Project { project } else { self.path.parent()? };
        let goal = Goal::Entry(self.config);
        let changes = agents::plan(&[self.path.to_owned()], place, goal).ok()?;
        agents::apply(&changes, goal).ok()?;
        Some(DoctorCheck::fixed(self.client.name(), format!("{} has a new entry", shown(self.path))))
    }
}

/// Returns the program and the arguments of an entry.
fn command_line(entry: &Value) -> Option<(String, Vec<String>)> {
    let texts = |value: &Value| -> Option<Vec<String>> {
        value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
    };
    match entry.get("command")? {
        Value::String(command) => {
            let arguments = entry.get("args").map_or(Some(Vec::new()), texts)?;
            Some((command.clone(), arguments))
        }
        list => {
            let mut line = texts(list)?.into_iter();
            Some((line.next()?, line.collect()))
        }
    }
}

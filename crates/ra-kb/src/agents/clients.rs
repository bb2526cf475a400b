//! The configuration that makes MCP clients start `ra mcp`.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Value, json};

/// A program that can start MCP servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// Claude Code: .mcp.json
    ClaudeCode,
    /// Claude Desktop: claude_desktop_config.json
    ClaudeDesktop,
    /// Codex: .codex/config.toml
    Codex,
    /// Cursor: .cursor/mcp.json
    Cursor,
    /// Gemini CLI: .gemini/settings.json
    Gemini,
    /// OpenCode: opencode.json
    Opencode,
    /// Visual Studio Code: .vscode/mcp.json
    Vscode,
    /// Windsurf: ~/.codeium/windsurf/mcp_config.json
    Windsurf,
    /// Zed: .zed/settings.json
    Zed,
}

/// A configuration entry for a client.
#[derive(Clone, Debug)]
pub(crate) struct ClientConfig {
    /// The client's configuration file, as its users know it.
    pub(crate) file: &'static str,
    /// Where that file is.
    pub(crate) place: ConfigScope,
    /// Its format.
    pub(crate) format: ConfigFormat,
    /// The key of the table that has one entry for each server.
    pub(super) servers: &'static str,
    /// The entry.
    pub(super) entry: Value,
    /// Another key that a new file needs.
    pub(super) schema: Option<(&'static str, &'static str)>,
}

/// Where a client's configuration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConfigScope {
    /// In the project, so it can be shared.
    Project,
    /// In the user's home, so the entry has to name a project.
    User,
}

/// The format of a client's configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConfigFormat {
    Json,
    Toml,
}

impl Client {
    /// Returns the name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// Returns the file, below the home directory, whose entries hold for all projects, for a client that usually
    /// keeps them in the project.
    pub(crate) fn user_file(self) -> Option<&'static str> {
        match self {
            Client::ClaudeCode => Some(".claude.json"),
            Client::Codex => Some(".codex/config.toml"),
            Client::Cursor => Some(".cursor/mcp.json"),
            Client::Gemini => Some(".gemini/settings.json"),
            Client::Opencode => Some(".config/opencode/opencode.json"),
            Client::Zed => Some(".config/zed/settings.json"),
            Client::Vscode => Some(VSCODE),
            Client::ClaudeDesktop | Client::Windsurf => None,
        }
    }

    /// Returns the entry that makes the client start `ra mcp` for a project.
    pub(crate) fn config(self, project: &Path) -> ClientConfig {
        let here = json!(["mcp"]);
        // Editors start servers in any directory, but substitute the folder that is open.
        let folder = json!(["mcp", "--root", "${workspaceFolder}"]);
        let named = json!(["mcp", "--root", project.to_string_lossy()]);
        let start = |args: Value| json!({ "command": "ra", "args": args });
        let json = |file, place, servers, entry| ClientConfig {
            file,
            place,
            format: ConfigFormat::Json,
            servers,
            entry,
            schema: None,
        };
        let in_project = |file, servers, entry| json(file, ConfigScope::Project, servers, entry);
        let of_user = |file, servers, entry| json(file, ConfigScope::User, servers, entry);
        match self {
            Client::ClaudeCode => in_project(".mcp.json", "mcpServers", start(here)),
            Client::ClaudeDesktop => of_user("claude_desktop_config.json", "mcpServers", start(named)),
            Client::Codex => ClientConfig {
                format: ConfigFormat::Toml,
                ..in_project(".codex/config.toml", "mcp_servers", start(here))
            },
            Client::Cursor => in_project(".cursor/mcp.json", "mcpServers", start(folder)),
            Client::Gemini => in_project(".gemini/settings.json", "mcpServers", start(here)),
            Client::Opencode => ClientConfig {
                schema: Some(("$schema", "https://opencode.ai/config.json")),
                ..in_project(
                    "opencode.json",
                    "mcp",
                    json!({ "type": "local", "command": ["ra", "mcp"], "enabled": true }),
                )
            },
            Client::Vscode => in_project(
                ".vscode/mcp.json",
                "servers",
                json!({ "type": "stdio", "command": "ra", "args": folder }),
            ),
            Client::Windsurf => of_user("~/.codeium/windsurf/mcp_config.json", "mcpServers", start(named)),
            Client::Zed => in_project(
                ".zed/settings.json",
                "context_servers",
                json!({ "command": "ra", "args": here, "env": {} }),
            ),
        }
    }
}

impl ClientConfig {
    /// Returns the path of the file, or `None` if it is in the user's home and there is none.
    pub(crate) fn path(&self, project: &Path, home: Option<&Path>) -> Option<PathBuf> {
        match (self.place, self.file.strip_prefix("~/")) {
            (ConfigScope::Project, _) => Some(project.join(self.file)),
            (ConfigScope::User, Some(below)) => Some(home?.join(below)),
            (ConfigScope::User, None) => Some(home?.join(CLAUDE_DESKTOP).join(self.file)),
        }
    }
}

/// Where Claude Desktop keeps its configuration, below the home directory.
const CLAUDE_DESKTOP: &str = if cfg!(target_os = "macos") {
    "Library/Application Support/Claude"
} else if cfg!(windows) {
    "AppData/Roaming/Claude"
} else {
    ".config/Claude"
};

/// Where Visual Studio Code keeps the servers for all projects, below the home directory.
const VSCODE: &str = if cfg!(target_os = "macos") {
    "Library/Application Support/Code/User/mcp.json"
} else if cfg!(windows) {
    "AppData/Roaming/Code/User/mcp.json"
} else {
    ".config/Code/User/mcp.json"
};

#[cfg(test)]
mod tests {
    use super::super::client_file;
    use super::*;

    #[test]
    fn every_entry_starts_the_server_for_the_project() {
        for client in Client::value_variants() {
            let config = client.config(Path::new("/pro \"ject"));
            let text = client_file::add(None, &config).unwrap();
            assert!(text.ends_with('\n') && text.contains("\"mcp\""), "{text}");
            assert_eq!(text.contains("/pro \\\"ject"), config.place == ConfigScope::User, "{text}");
            let help = client.to_possible_value().and_then(|value| value.get_help().map(ToString::to_string));
            assert!(help.is_some_and(|help| help.ends_with(config.file)), "{config:?}");
            let path = config.path(Path::new("/p"), Some(Path::new("/home/u"))).unwrap();
            assert!(path.ends_with(config.file.trim_start_matches("~/")), "{path:?}");
            assert_eq!(path.starts_with("/home/u"), config.place == ConfigScope::User, "{path:?}");
        }
    }
}

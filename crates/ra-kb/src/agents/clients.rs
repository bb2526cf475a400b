//! The configuration that makes MCP clients start `ra mcp`.

use std::path::Path;

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
    /// The client's configuration file.
    pub(crate) file: &'static str,
    /// Where that file is.
    pub(crate) place: ConfigScope,
    /// Its format: `json` or `toml`.
    pub(crate) format: &'static str,
    /// The entry.
    pub(crate) text: String,
}

/// Where a client's configuration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConfigScope {
    /// In the project, so it can be shared.
    Project,
    /// In the user's home, so the entry has to name a project.
    User,
}

/// Returns the entry that makes a client start `ra mcp` for a project.
pub(crate) fn entry(client: Client, project: &Path) -> ClientConfig {
    let here = json!(["mcp"]);
    // Editors start servers in any directory, but substitute the folder that is open.
    let folder = json!(["mcp", "--root", "${workspaceFolder}"]);
    let named = json!(["mcp", "--root", project.to_string_lossy()]);
    let server = |args: &Value| json!({ "mcpServers": { "ra": { "command": "ra", "args": args } } });
    let in_project =
        |file, text| ClientConfig { file, place: ConfigScope::Project, format: "json", text: pretty(&text) };
    let of_user =
        |file, text| ClientConfig { file, place: ConfigScope::User, format: "json", text: pretty(&text) };
    match client {
        Client::ClaudeCode => in_project(".mcp.json", server(&here)),
        Client::ClaudeDesktop => of_user("claude_desktop_config.json", server(&named)),
        Client::Codex => ClientConfig {
            file: ".codex/config.toml",
            place: ConfigScope::Project,
            format: "toml",
            text: "[mcp_servers.ra]\ncommand = \"ra\"\nargs = [\"mcp\"]\n".to_owned(),
        },
        Client::Cursor => in_project(".cursor/mcp.json", server(&folder)),
        Client::Gemini => in_project(".gemini/settings.json", server(&here)),
        Client::Opencode => in_project(
            "opencode.json",
            json!({
                "$schema": "https://opencode.ai/config.json",
                "mcp": { "ra": { "type": "local", "command": ["ra", "mcp"], "enabled": true } },
            }),
        ),
        Client::Vscode => in_project(
            ".vscode/mcp.json",
            json!({ "servers": { "ra": { "type": "stdio", "command": "ra", "args": folder } } }),
        ),
        Client::Windsurf => of_user("~/.codeium/windsurf/mcp_config.json", server(&named)),
        Client::Zed => in_project(
            ".zed/settings.json",
            json!({ "context_servers": { "ra": { "command": "ra", "args": here, "env": {} } } }),
        ),
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_starts_the_server_for_the_project() {
        for client in Client::value_variants() {
            let entry = entry(*client, Path::new("/pro \"ject"));
            assert!(entry.text.ends_with('\n') && entry.text.contains("\"mcp\""), "{entry:?}");
            assert_eq!(entry.text.contains("/pro \\\"ject"), entry.place == ConfigScope::User, "{entry:?}");
            if entry.format == "json" {
                let value: Value = serde_json::from_str(&entry.text).unwrap();
                assert!(value.is_object());
            }
            let help = client.to_possible_value().and_then(|value| value.get_help().map(ToString::to_string));
            assert!(help.is_some_and(|help| help.ends_with(entry.file)), "{entry:?}");
        }
    }
}

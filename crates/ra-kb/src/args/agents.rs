//! The command line of `ra agents`.

use std::path::PathBuf;

use crate::agents::Client;

pub(crate) const EXAMPLES: &str = "\
The text is in one marked block. Running again replaces the block; text outside it is never
touched. The block starts with .agents.md from the project and ~/.agents.md, if they exist.

Examples:
  ra agents                             write AGENTS.md beside .ra.toml
  ra agents --all                       also write CLAUDE.md and GEMINI.md
  ra agents --diff                      show what would change
  ra agents --remove                    remove the block again
  ra agents --skill                     write .claude/skills/ra/SKILL.md instead
  ra agents --mcp-config claude-code    print the entry for .mcp.json
  ra agents --mcp-config codex --write  add the entry to .codex/config.toml";

#[derive(Debug, clap::Args)]
pub(crate) struct AgentsArgs {
    /// Also write CLAUDE.md
    #[arg(long)]
    pub(crate) claude: bool,

    /// Also write GEMINI.md
    #[arg(long)]
    pub(crate) gemini: bool,

    /// Write AGENTS.md, CLAUDE.md and GEMINI.md
    #[arg(long)]
    pub(crate) all: bool,

    /// Write a skill to this folder instead of agent files [default: .claude/skills/ra in the project]
    #[arg(long, value_name = "DIR", num_args = 0..=1, conflicts_with_all = ["claude", "gemini", "all"])]
    pub(crate) skill: Option<Option<PathBuf>>,

    /// Print the text instead of writing files
    #[arg(long, conflicts_with_all = ["diff", "remove", "quiet"])]
    pub(crate) stdout: bool,

    /// Show what would change, and write nothing
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) diff: bool,

    /// Do not show what changed
    #[arg(short = 'q', long)]
    pub(crate) quiet: bool,

    /// Remove what these same flags write, and delete files that contain nothing else
    #[arg(long)]
    pub(crate) remove: bool,

    /// Print the entry that makes this client start `ra mcp`
    #[arg(long, value_name = "CLIENT", conflicts_with_all = ["claude", "gemini", "all", "skill", "stdout"])]
    pub(crate) mcp_config: Option<Client>,

    /// With --mcp-config, add the entry to the client's file; everything else in it stays
    #[arg(long, requires = "mcp_config", conflicts_with = "remove")]
    pub(crate) write: bool,
}

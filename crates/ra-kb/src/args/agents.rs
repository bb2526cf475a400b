//! The command line of `ra agents`.

use std::path::PathBuf;

use crate::agents::Client;

pub(crate) const EXAMPLES: &str = "\
The text lives in one marked block. Running again replaces the block; text outside it is
never touched. If .agents.md in the project or ~/.agents.md are there, the block begins with them.

Examples:
  ra agents                             write AGENTS.md beside .ra.toml
  ra agents --all                       also CLAUDE.md and GEMINI.md
  ra agents --diff                      show what would change
  ra agents --remove                    take the block out again
  ra agents --skill                     write .claude/skills/ra/SKILL.md instead
  ra agents --mcp-config claude-code    print the entry for .mcp.json
  ra agents --mcp-config codex --write  add the entry to .codex/config.toml";

#[derive(Debug, clap::Args)]
pub(crate) struct AgentsArgs {
    /// Also CLAUDE.md
    #[arg(long)]
    pub(crate) claude: bool,

    /// Also GEMINI.md
    #[arg(long)]
    pub(crate) gemini: bool,

    /// AGENTS.md, CLAUDE.md and GEMINI.md
    #[arg(long)]
    pub(crate) all: bool,

    /// A skill in this folder instead of agent files [default: .claude/skills/ra in the project]
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

    /// Take out what was written, and files that held nothing else
    #[arg(long)]
    pub(crate) remove: bool,

    /// Print the entry that makes this client start `ra mcp`
    #[arg(long, value_name = "CLIENT", conflicts_with_all = ["claude", "gemini", "all", "skill", "stdout"])]
    pub(crate) mcp_config: Option<Client>,

    /// With --mcp-config, add the entry to the client's file; everything else in it stays
    #[arg(long, requires = "mcp_config", conflicts_with = "remove")]
    pub(crate) write: bool,
}

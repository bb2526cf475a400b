//! The command line: every command and flag, with its help.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

/// Research Assistant: gives agents, and the people who keep knowledge for them, exactly the sections of a
/// documentation tree that matter.
#[derive(Debug, Parser)]
#[command(name = "ra", version, max_term_width = 100, propagate_version = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Run as if started in this directory
    #[arg(
        short = 'C',
        long = "directory",
        value_name = "DIR",
        global = true,
        help_heading = "Global options"
    )]
    pub(crate) directory: Option<PathBuf>,

    /// When to use colour
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, help_heading = "Global options")]
    pub(crate) color: Color,

    /// Print JSON instead of text
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  ra init                     write a starter .ra.toml for this project
  ra check                    look for problems in the configuration and the documents
  ra inspect docs/guide.md    show how a file is read

Exit codes: 0 answered, 1 warnings (check), 2 error.";

/// When to use colour.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    pub(crate) fn choice(self) -> anstream::ColorChoice {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a starter .ra.toml
    #[command(after_help = "\
Examples:
  ra init             write .ra.toml here, and keep .ra/ out of git
  ra init --global    write ~/.ra.toml")]
    Init(InitArgs),

    /// Show how a file is read, and whether it is indexed
    #[command(after_help = "\
Examples:
  ra inspect docs/guide.md           chunks, sizes, tags, links and warnings
  ra inspect --json docs/guide.md    the same for programs")]
    Inspect(InspectArgs),

    /// Look for problems in the configuration and the documents
    #[command(after_help = "\
Examples:
  ra check            problems, worst first
  ra check --links    also every link that leads nowhere

Exit codes: 0 nothing found, 1 warnings, 2 errors.")]
    Check(CheckArgs),

    /// Show the trees, their documents and the index
    #[command(after_help = "\
Examples:
  ra status
  ra status --json")]
    Status,

    /// Show the merged configuration, each value with the file that set it
    #[command(after_help = "\
Examples:
  ra config             every value that is in force
  ra config --changed   only what differs from the defaults
  ra config --defaults  the built-in defaults, as a commented .ra.toml")]
    Config(ConfigArgs),

    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  ra completions bash > ~/.local/share/bash-completion/completions/ra
  ra completions zsh > ~/.zfunc/_ra
  ra completions fish > ~/.config/fish/completions/ra.fish")]
    Completions(CompletionsArgs),

    /// Print the manual page of ra or of one of its commands
    #[command(after_help = "\
Examples:
  ra man | man -l -
  ra man check > ra-check.1")]
    Man(ManArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct InitArgs {
    /// Write ~/.ra.toml instead, for trees that every project shares
    #[arg(long)]
    pub(crate) global: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct InspectArgs {
    /// The file
    pub(crate) file: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// List every link that leads nowhere, not only their number
    #[arg(long)]
    pub(crate) links: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ConfigArgs {
    /// Only what differs from the defaults
    #[arg(long, conflicts_with = "defaults")]
    pub(crate) changed: bool,

    /// Print the built-in defaults
    #[arg(long, conflicts_with = "json")]
    pub(crate) defaults: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// The command; none for ra itself
    pub(crate) command: Option<String>,
}

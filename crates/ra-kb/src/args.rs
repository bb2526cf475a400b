//! The command line: every command and flag, with its help.

mod agents;
mod check;
mod context;
mod doctor;
mod eval;
mod mcp;
mod result;
mod search;
mod serve;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
pub(crate) use ra_core::kb::line_range;

pub(crate) use self::agents::AgentsArgs;
pub(crate) use self::check::CheckArgs;
pub(crate) use self::context::{ContextArgs, SimilarArgs};
pub(crate) use self::doctor::DoctorArgs;
pub(crate) use self::eval::EvalArgs;
pub(crate) use self::mcp::McpArgs;
pub(crate) use self::result::ResultArgs;
pub(crate) use self::search::{SearchArgs, Sort};
pub(crate) use self::serve::ServeArgs;

/// Research Assistant: gives agents, and the people who keep knowledge for them, exactly the sections of a
/// documentation tree that matter.
#[derive(Debug, Parser)]
#[command(name = "ra", version, max_term_width = 100, propagate_version = true, disable_help_subcommand = true, after_help = EXAMPLES)]
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

    /// When to use color
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, help_heading = "Global options")]
    pub(crate) color: Color,

    /// Print JSON instead of text
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) json: bool,

    /// Do not start a pager for output that is longer than the screen
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) no_pager: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  ra search 'error handling'  find the sections that have both words
  ra context src/main.rs      find what matters for a file
  ra get guide.md             print a document
  ra init                     write a starter .ra.toml for this project
  ra agents                   teach agents to use ra, in AGENTS.md
  ra check                    look for problems in the configuration and the documents
  ra inspect docs/guide.md    show how a file is read

Exit codes: 0 answered, 1 warnings (check, doctor, verify), 2 error.";

/// When to use color.
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
    /// Find the sections that match
    #[command(after_help = search::EXAMPLES)]
    Search(SearchArgs),

    /// Find what matters for the files or the change at hand
    #[command(after_help = context::EXAMPLES)]
    Context(ContextArgs),

    /// Find sections that resemble a section or a file
    #[command(after_help = context::SIMILAR_EXAMPLES)]
    Similar(SimilarArgs),

    /// Print sections, documents or lines by id
    #[command(after_help = "\
Examples:
  ra get docs:guide.md#installation     a section with all below it
  ra get guide.md                       a document, by the end of its path
  ra get docs:guide.md#preamble         the text before the first heading
  ra get guide.md --outline             its headings, with ids and sizes
  ra get guide.md --lines 10-20         some of its lines
  ra get guide.md:10-20                 the same
  ra get guide.md:701                   the section that line 701 is in
  ra get 'Meeting notes'                a document, by its file name, title or alias
  ra get '[[Meeting notes#Agenda]]'     what a wiki link leads to")]
    Get(GetArgs),

    /// Show what a document links to, and what links to it
    #[command(after_help = "\
Examples:
  ra links guide.md                     of a document
  ra links docs:guide.md#installation   of a section
  ra links --orphans                    documents that no other document links to")]
    Links(LinksArgs),

    /// Print citations that can be verified later
    #[command(after_help = "\
A citation names a text and proves what it says. `ra verify` tells whether it still does.

Examples:
  ra cite docs:guide.md#installation    a section with all below it
  ra cite guide.md:10-20                some lines")]
    Cite(CiteArgs),

    /// Say whether the citations in a text still hold
    #[command(after_help = "\
Each citation is valid, moved (with its new place), changed (with what the section says now), gone, or
malformed: its proof or its lines are incomplete.
The exit code is 1 if any is not valid.

Examples:
  ra verify report.md
  pbpaste | ra verify -")]
    Verify(VerifyArgs),

    /// List trees, documents, chunks, tags or front matter fields
    #[command(after_help = "\
Examples:
  ra ls trees
  ra ls docs 'api/**'         documents whose path matches
  ra ls chunks guide.md       the chunks of a document")]
    Ls(LsArgs),

    /// Rebuild the index and encode all documents
    #[command(after_help = "\
Every search updates the index by itself; this command builds it from scratch, or keeps that of a very large tree \
fresh in the background.

Examples:
  ra update
  ra update --watch    keep the index fresh until interrupted")]
    Update(UpdateArgs),

    /// Write a starter .ra.toml
    #[command(after_help = "\
Examples:
  ra init             write .ra.toml here
  ra init --global    write ~/.ra.toml")]
    Init(InitArgs),

    /// Write files that teach agents to use ra
    #[command(after_help = agents::EXAMPLES)]
    Agents(AgentsArgs),

    /// Show how a file is read, and whether it is indexed
    #[command(after_help = "\
Examples:
  ra inspect docs/guide.md           chunks, sizes, tags, links and warnings
  ra inspect --json docs/guide.md    the same for programs")]
    Inspect(InspectArgs),

    /// Look for problems in the configuration and the documents
    #[command(after_help = check::EXAMPLES)]
    Check(CheckArgs),

    /// Say whether ra works: the program, the index, and the clients that start it
    #[command(after_help = doctor::EXAMPLES)]
    Doctor(DoctorArgs),

    /// Show the trees, their documents and the index
    #[command(after_help = "\
Examples:
  ra status
  ra status --all
  ra status --json")]
    Status(StatusArgs),

    /// Show the merged configuration, each value with the file that set it
    #[command(after_help = "\
Examples:
  ra config             every value that is in force
  ra config --changed   only what a file or a flag sets
  ra config --defaults  the built-in defaults, as a commented .ra.toml")]
    Config(ConfigArgs),

    /// Measure search with queries whose right answers are known
    #[command(after_help = eval::EXAMPLES)]
    Eval(EvalArgs),

    /// Serve the knowledge base to agents over the Model Context Protocol
    #[command(after_help = "\
Without --http the server speaks on standard input and output, and ends with its client.

Examples:
  ra mcp                                 for a client that starts the server itself
  ra mcp --root ~/notes                  another directory's knowledge base
  ra mcp --http                          http://127.0.0.1:7270/mcp, for many clients
  ra mcp --http 0.0.0.0:80 --token-file token.txt")]
    Mcp(McpArgs),

    /// Show the knowledge base in a browser
    #[command(after_help = serve::EXAMPLES)]
    Serve(ServeArgs),

    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  ra completions bash > ~/.local/share/bash-completion/completions/ra
  ra completions zsh > ~/.zfunc/_ra
  ra completions fish > ~/.config/fish/completions/ra.fish")]
    Completions(CompletionsArgs),

    /// Print help for ra, for a command, or for the query language
    #[command(after_help = "\
Examples:
  ra help search
  ra help query")]
    Help(HelpArgs),

    /// Print the manual page of ra or of one of its commands
    #[command(after_help = "\
Examples:
  ra man | man -l -
  ra man check > ra-check.1")]
    Man(ManArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct GetArgs {
    /// Ids, ends of paths, file names, titles or aliases that only one document has; `:10-20` after one means lines
    #[arg(required = true, value_name = "ID")]
    pub(crate) ids: Vec<String>,

    /// The whole document, even when the id names a section
    #[arg(long, conflicts_with_all = ["lines", "outline"])]
    pub(crate) full_document: bool,

    /// These lines of the document
    #[arg(long, value_name = "A-B", conflicts_with = "outline", value_parser = line_range)]
    pub(crate) lines: Option<(usize, usize)>,

    /// The headings with their ids and sizes, without text
    #[arg(long)]
    pub(crate) outline: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct LinksArgs {
    /// Ids or names, as `ra get` takes them
    #[arg(required_unless_present = "orphans", value_name = "ID")]
    pub(crate) ids: Vec<String>,

    /// The documents that no other document links to
    #[arg(long)]
    pub(crate) orphans: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CiteArgs {
    /// Ids or names, as `ra get` takes them; `:10-20` after one means lines
    #[arg(required = true, value_name = "ID")]
    pub(crate) ids: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// Files with citations; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct LsArgs {
    /// What to list
    pub(crate) what: Listing,

    /// Only documents whose path or id matches one of these globs; for `fields`, only these keys
    pub(crate) globs: Vec<String>,
}

/// What `ra ls` lists.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Listing {
    /// The configured trees.
    Trees,
    /// The indexed documents.
    #[value(alias = "documents")]
    Docs,
    /// The indexed chunks.
    #[value(alias = "sections")]
    Chunks,
    /// The tags, with the number of documents that have each.
    Tags,
    /// The keys and values of the front matter, with the number of documents that have each.
    Fields,
}

#[derive(Debug, clap::Args)]
pub(crate) struct UpdateArgs {
    /// Update the index now, and after every change, until interrupted
    #[arg(long)]
    pub(crate) watch: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct HelpArgs {
    /// A command, or `query` for the query language
    pub(crate) topic: Option<String>,
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
pub(crate) struct StatusArgs {
    /// Also show settings that have their default values
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ConfigArgs {
    /// Only what a file or a flag sets
    #[arg(long, conflicts_with = "defaults")]
    pub(crate) changed: bool,

    /// Print the built-in defaults
    #[arg(long)]
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

//! The command lines of `ra context` and `ra similar`.

use ra_core::config::{Override, Value};

use super::ResultArgs;

pub(crate) const EXAMPLES: &str = "\
The query is built from the paths and contents of the files and from the patterns and rules of [context]. \
The files themselves are never results.

Examples:
  ra context src/api/handlers.rs            what matters for a file
  ra context --list src/*.rs                ids and snippets only
  git diff main | ra context -              what matters for a change
  ra context --diff                         the same for what is not committed yet
  ra context --explain src/api/handlers.rs  which words were looked for, and why";

pub(crate) const SIMILAR_EXAMPLES: &str = "\
Examples:
  ra similar docs:guide.md#installation
  ra similar --list notes/idea.md";

#[derive(Debug, clap::Args)]
pub(crate) struct ContextArgs {
    /// The files; `-` reads a unified diff from standard input
    #[arg(required_unless_present = "diff", value_name = "FILE")]
    pub(crate) files: Vec<String>,

    /// Use the changes that git reports since REV; without REV, the uncommitted changes to tracked files
    #[arg(long, value_name = "REV", num_args = 0..=1, default_missing_value = "HEAD")]
    pub(crate) diff: Option<String>,

    /// Drop all results after the first score that is below this fraction of the previous one
    #[arg(long, value_name = "RATIO")]
    pub(crate) cutoff_ratio: Option<f64>,

    /// The fraction of a section's children that must match before they are merged into it
    #[arg(long, value_name = "PART")]
    pub(crate) aggregation_threshold: Option<f64>,

    #[command(flatten)]
    pub(crate) shown: ResultArgs,
}

impl ContextArgs {
    /// The flags as the top layer of the configuration.
    pub(crate) fn overrides(&self) -> Vec<Override> {
        let set = |name, flag, value: Option<f64>| {
            value.map(|value| Override { table: "context", name, flag, value: Value::Float(value) })
        };
        let own = [
            set("cutoff_ratio", "--cutoff-ratio", self.cutoff_ratio),
            set("aggregation_threshold", "--aggregation-threshold", self.aggregation_threshold),
        ];
        own.into_iter().flatten().chain(self.shown.overrides("context")).collect()
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct SimilarArgs {
    /// The id of a section or document, another name of it as for `ra get`, or a file
    #[arg(value_name = "ID|FILE")]
    pub(crate) source: String,

    #[command(flatten)]
    pub(crate) shown: ResultArgs,
}

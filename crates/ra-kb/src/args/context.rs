//! The command lines of `ra context` and `ra similar`.

use ra_core::config::{Override, Value};

use super::ResultArgs;

pub(crate) const EXAMPLES: &str = "\
The paths of the files, what they hold, and the patterns and rules of [context] become one question. The \
files themselves are not part of the answer.

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

    /// What git says has changed since a revision; without one, what is not committed yet of the files it tracks
    #[arg(long, value_name = "REV", num_args = 0..=1, default_missing_value = "HEAD")]
    pub(crate) diff: Option<String>,

    /// Drop everything after a score falls below this part of the one before it
    #[arg(long, value_name = "RATIO")]
    pub(crate) cutoff_ratio: Option<f64>,

    /// The part of a section's children that must match before they are merged into it
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

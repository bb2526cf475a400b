//! The command line of `ra eval`.

use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
A file holds a JSON object a line: {\"query\": \"…\", \"relevant\": [\"tree:path#section\", …]}, or with grades \
{\"relevant\": {\"tree:path\": 2}}. \"answers\": [\"text\", …] names texts of which a printed answer must \
contain one. It is run against the knowledge base here. A directory holds a test set in the \
BEIR layout (corpus.jsonl, queries.jsonl, qrels/*.tsv); its documents are indexed by themselves.

Examples:
  ra eval questions.jsonl
  ra eval sets/cranfield sets/tldr-man --json > before.json
  ra eval sets/cranfield sets/tldr-man --compare before.json
  ra eval --context    measure `ra context` by the links between the documents here";

#[derive(Debug, clap::Args)]
pub(crate) struct EvalArgs {
    /// Files of judged queries, or directories of test sets
    #[arg(required_unless_present = "context", value_name = "SET")]
    pub(crate) sets: Vec<PathBuf>,

    /// How many results are scored, and asked for
    #[arg(short = 'k', long, value_name = "N", default_value = "10")]
    pub(crate) depth: u16,

    /// Override a setting for this run, such as search.boosts.path=2 (may be given several times)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,

    /// Set this run against one that was saved with --json, query by query
    #[arg(long, value_name = "FILE", conflicts_with = "context")]
    pub(crate) compare: Option<PathBuf>,

    /// Measure `ra context` instead, on N documents that link to others: what they link to is what matters
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "200", conflicts_with = "sets",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) context: Option<u32>,
}

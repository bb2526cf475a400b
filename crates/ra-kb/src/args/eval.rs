//! The command line of `ra eval`.

use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
A file has one JSON object per line: {\"query\": \"…\", \"relevant\": [\"tree:path#section\", …]}, optionally with \
grades: {\"relevant\": {\"tree:path\": 2}}. If \"answers\": [\"text\", …] is given, a printed answer must contain one \
of its texts. The queries run against the knowledge base of the current directory. A directory is a test set in the BEIR \
layout (corpus.jsonl, queries.jsonl, qrels/*.tsv); its documents get an index of their own.

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

    /// How many results to request and score
    #[arg(short = 'k', long, value_name = "N", default_value = "10")]
    pub(crate) depth: u16,

    /// Override a setting for this run, such as search.boosts.path=2 (may be given several times)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,

    /// Compare this run, query by query, with one that was saved with --json
    #[arg(long, value_name = "FILE", conflicts_with = "context")]
    pub(crate) compare: Option<PathBuf>,

    /// Measure `ra context` instead, on N documents that link to others (200 if N is omitted); the linked documents are
    /// the right answers
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "200", conflicts_with = "sets",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) context: Option<u32>,
}

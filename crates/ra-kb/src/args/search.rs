//! The command line of `ra search`.

use clap::ValueEnum;

use super::ResultArgs;
use super::result::whole_number;

pub(crate) const EXAMPLES: &str = "\
Examples:
  ra search 'error handling'            sections with both words
  ra search '\"error handling\"'          the exact phrase
  ra search 'title:guide -deprecated'   in headings, and without a word
  ra search logging tracing --group     one list for each query
  ra search --list auth                 ids and snippets only
  ra search --matches auth              matching lines, like grep

`ra help query` explains the query language. Several words are one query; several queries are joined with OR.";

#[derive(Debug, clap::Args)]
pub(crate) struct SearchArgs {
    /// What to look for; several words are one query, several queries are joined with OR
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) queries: Vec<String>,

    #[command(flatten)]
    pub(crate) shown: ResultArgs,

    /// Matching lines only, as path:line:text
    #[arg(long, conflicts_with_all = ["list", "full"])]
    pub(crate) matches: bool,

    /// Keep the queries apart; each gets a list of up to --limit results
    #[arg(long)]
    pub(crate) group: bool,

    /// Only in this file or below this directory: a path on the disk, or one inside a tree (may be given several times)
    #[arg(long = "path", value_name = "PATH")]
    pub(crate) paths: Vec<String>,

    /// Only in documents with this tag or one below it (if given several times, with all of them)
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,

    /// Only in documents whose front matter has this value: `status:active`, `date>=2025-01-01`
    /// (if given several times, with all of them)
    #[arg(long = "field", value_name = "KEY:VALUE")]
    pub(crate) fields: Vec<String>,

    /// Only documents of this type, such as `markdown` or `pdf` (may be given several times)
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,

    /// Count the trees, tags, languages, types and front matter values of all matching documents
    #[arg(long)]
    pub(crate) facets: bool,

    /// The order of the results
    #[arg(long, value_name = "ORDER", default_value = "score")]
    pub(crate) sort: Sort,

    /// How many edits a typo may be: 0, 1 or 2
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub(crate) fuzzy: Option<i64>,

    /// Rank by words alone, not by meaning
    #[arg(long)]
    pub(crate) no_semantic: bool,

    /// Every match is a result; none is merged into its section
    #[arg(long)]
    pub(crate) no_aggregation: bool,

    /// Drop all results after the first score that is below this fraction of the previous one
    #[arg(long, value_name = "RATIO")]
    pub(crate) cutoff_ratio: Option<f64>,

    /// Maximum number of raw matches that enter aggregation [default: 200, or five per result if that is more]
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub(crate) max_candidates: Option<i64>,

    /// The fraction of a section's children that must match before they are merged into it
    #[arg(long, value_name = "PART")]
    pub(crate) aggregation_threshold: Option<f64>,

    /// Hand the query to tantivy's own parser
    #[arg(long)]
    pub(crate) raw: bool,
}

/// The order of results.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Sort {
    /// The best first.
    Score,
    /// Most recently changed first.
    Date,
    /// By tree, path and position.
    Path,
}

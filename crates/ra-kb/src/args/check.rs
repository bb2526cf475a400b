//! The command line of `ra check`.

use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  ra check                problems, worst first
  ra check --links        also every link that leads nowhere
  ra check --stale        also the documents that are older than the code they name
  ra check --retrieval    also the sections that search does not find by their own heading
  ra check --report kb.html    also as a page for people

Exit codes: 0 nothing found, 1 warnings, 2 errors.";

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// List every link that leads nowhere, not only their number
    #[arg(long)]
    pub(crate) links: bool,

    /// Ask git for documents that were last changed before the files that they link to or name in backticks
    #[arg(long)]
    pub(crate) stale: bool,

    /// Search for sections by their headings, their documents' descriptions and the links to them, and list those that
    /// are not found
    #[arg(long)]
    pub(crate) retrieval: bool,

    /// How many headings, descriptions and links of each tree are tried
    #[arg(long, value_name = "N", default_value = "500", requires = "retrieval", value_parser = at_least_one)]
    pub(crate) sample: usize,

    /// Also write the problems, the trees and the state of the index to this file, as a web page
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
}

fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "expected a number of at least 1".to_owned())
}

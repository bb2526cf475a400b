//! The flags that `ra search`, `ra context` and `ra similar` share.

use ra_core::config::{Override, Value};

/// The flags of commands that show sections: where to look, and how much to show.
#[derive(Debug, clap::Args)]
pub(crate) struct ResultArgs {
    /// Maximum number of results
    #[arg(short = 'n', long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub(crate) limit: Option<i64>,

    /// Token budget of the answer; 0 turns it off. The best results get room first
    #[arg(long, value_name = "N", value_parser = whole_number, allow_negative_numbers = true)]
    pub(crate) max_tokens: Option<i64>,

    /// Also show the text around each match, as one result per document
    #[arg(long)]
    pub(crate) expand: bool,

    /// Ids, headings and snippets only
    #[arg(long)]
    pub(crate) list: bool,

    /// On a terminal, print the text of every result, as in a pipe; --expand and --max-tokens imply it
    #[arg(long, conflicts_with = "list")]
    pub(crate) full: bool,

    /// Only in this tree (may be given several times)
    #[arg(short = 't', long = "tree", value_name = "TREE")]
    pub(crate) trees: Vec<String>,

    /// Show what was looked for, what each stage did, and why each result scored as it did
    #[arg(long)]
    pub(crate) explain: bool,
}

/// Parses a number, whose range the configuration checks.
pub(super) fn whole_number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "expected a whole number".to_owned())
}

impl ResultArgs {
    /// True if a terminal gets results as a pipe does: because a flag asks for that, or for an amount of text.
    pub(crate) fn wants_passages(&self) -> bool {
        self.full || self.expand || self.max_tokens.is_some()
    }

    /// Returns the flags as settings. `limited` is the table whose limits they set.
    pub(crate) fn overrides(&self, limited: &'static str) -> Vec<Override> {
        let set = |table, name, flag, value: Option<Value>| {
            value.map(|value| Override { table, name, flag, value })
        };
        [
            set(limited, "limit", "--limit", self.limit.map(Value::Int)),
            set(limited, "max_tokens", "--max-tokens", self.max_tokens.map(Value::Int)),
            set("search", "expand", "--expand", self.expand.then_some(Value::Bool(true))),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

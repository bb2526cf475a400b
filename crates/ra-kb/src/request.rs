//! Turns flags or tool arguments into requests of the library. The command line and the server only differ in how they
//! read their input, in the words of their hints, and in how much a request may take.

use std::path::Path;

use ra_core::config::Config;
use ra_core::id::TreeName;
use ra_core::index::Scope;
use ra_core::kb::{FetchExtent, KnowledgeBase};
use ra_core::kind::DocumentKind;
use ra_core::query::{Field, PropertyFilter};
use ra_core::text::hint_among;

use crate::answers::View;
use crate::error::{CliError, Result};
use crate::hints::Surface;
use crate::layout::ResultForm;

/// The largest diff or text that the command line reads.
pub(crate) const MAX_INPUT_BYTES: u64 = 64 << 20;

/// The largest diff or text that a tool takes.
pub(crate) const MAX_INPUT_CHARS: usize = 200_000;

/// How many results a tool returns for each query, at most.
pub(crate) const MAX_RESULTS: usize = 100;

/// How many queries or ids a tool takes, at most.
pub(crate) const MAX_NAMES: usize = 20;

/// The smallest and the largest token budget of a tool.
pub(crate) const MIN_BUDGET: usize = 100;
pub(crate) const MAX_BUDGET: usize = 25_000;

/// The token budget of the tool `get`. It is larger than that of a search, because the caller knows what to fetch.
pub(crate) const GET_BUDGET: usize = 8000;

/// Returns the token budget of a tool: from the request, or from the configuration.
pub(crate) fn tool_budget(asked: Option<usize>, configured: Option<usize>) -> usize {
    asked.or(configured).unwrap_or(MAX_BUDGET).min(MAX_BUDGET)
}

/// The table of the configuration that limits an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limits {
    /// `[search]`
    Search,
    /// `[context]`
    Context,
}

impl Limits {
    /// Returns the configured token budget.
    pub(crate) fn max_tokens(self, config: &Config) -> Option<usize> {
        match self {
            Limits::Search => config.search.max_tokens,
            Limits::Context => config.context.max_tokens,
        }
    }

    /// Returns the knowledge base for one request of a tool. On the command line, flags are a layer of the
    /// configuration instead.
    pub(crate) fn with(self, kb: &KnowledgeBase, amount: Amount) -> KnowledgeBase {
        let mut config = kb.config().clone();
        let limit = match self {
            Limits::Search => &mut config.search.limit,
            Limits::Context => &mut config.context.limit,
        };
        *limit = amount.limit.unwrap_or(*limit);
        if amount.expand {
            config.search.expand = Some(config.search.around);
        }
        kb.with(config)
    }
}

/// How much a tool is asked for.
#[derive(Clone, Copy, Default)]
pub(crate) struct Amount {
    /// The number of results, if not the configured one.
    pub(crate) limit: Option<usize>,
    /// True if the sections around each match are shown.
    pub(crate) expand: bool,
}

/// Who asks.
#[derive(Clone, Copy)]
pub(crate) struct Caller<'a> {
    /// Where the answer is read.
    pub(crate) surface: Surface,
    /// The directory that paths are relative to.
    pub(crate) cwd: &'a Path,
}

/// Which documents are searched, as flags or arguments name them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Filters<'a> {
    pub(crate) trees: &'a [String],
    pub(crate) paths: &'a [String],
    pub(crate) tags: &'a [String],
    pub(crate) fields: &'a [String],
    pub(crate) types: &'a [String],
}

impl<'a> Caller<'a> {
    /// Returns the scope of a search. A tree that doesn't exist is an error, with the most similar one as a hint.
    pub(crate) fn scope(self, kb: &KnowledgeBase, filters: Filters<'_>) -> Result<Scope> {
        let trees = filters.trees.iter().map(|name| self.tree(kb.config(), name));
        Ok(Scope {
            trees: trees.collect::<Result<_>>()?,
            paths: kb.scope_paths(self.cwd, filters.paths),
            tags: filters.tags.to_vec(),
            kinds: filters.types.iter().map(|name| self.kind(name)).collect::<Result<_>>()?,
            properties: filters.fields.iter().map(|text| self.field(text)).collect::<Result<_>>()?,
            except: Vec::new(),
        })
    }

    fn tree(self, config: &Config, name: &str) -> Result<TreeName> {
        let argument = match self.surface {
            Surface::CommandLine => "--tree",
            Surface::Tools => "`trees`",
        };
        let unknown = |hint| CliError::new(format!("{argument}: there is no tree `{name}`")).hint(hint);
        config.tree_named(name).map(|tree| tree.name.clone()).map_err(unknown)
    }

    /// Reads the name of a format.
    fn kind(self, name: &str) -> Result<DocumentKind> {
        let argument = match self.surface {
            Surface::CommandLine => "--type",
            Surface::Tools => "`types`",
        };
        DocumentKind::named(name).ok_or_else(|| {
            let known: Vec<&str> = DocumentKind::all().map(DocumentKind::as_str).collect();
            let hint = hint_among(name, &known, "the types are");
            CliError::new(format!("{argument}: there is no type `{name}`")).hint(hint)
        })
    }

    /// Reads a condition on the front matter.
    fn field(self, text: &str) -> Result<PropertyFilter> {
        let argument = match self.surface {
            Surface::CommandLine => "--field",
            Surface::Tools => "`fields`",
        };
        let hint = "write a key and a value, such as `status:active` or `date>=2025-01-01`";
        let (key, value) = text.split_once(':').unwrap_or((text, ""));
        if key.parse::<Field>().is_ok() {
            let message = format!("{argument}: `{key}` is a field of the query");
            return Err(CliError::new(message).hint(format!("write `{key}:{value}` in the query")));
        }
        let plain = match value {
            "" => text.to_owned(),
            value => format!("{}:{}", key.trim(), value.trim().trim_matches('"')),
        };
        plain.parse().map_err(|error| CliError::new(format!("{argument}: {error}")).hint(hint))
    }

    /// Converts paths of files to ids; other names are unchanged.
    pub(crate) fn ids(self, kb: &KnowledgeBase, names: &[String]) -> Vec<String> {
        names.iter().map(|name| kb.name_of(self.cwd, name)).collect()
    }

    /// Returns how results are shown, without a token budget.
    pub(crate) fn view(self, kb: &'a KnowledgeBase, show: ResultForm) -> View<'a> {
        let Caller { surface, cwd } = self;
        View { kb, cwd, show, explain: false, max_tokens: None, surface, is_json: false }
    }
}

/// How much of the named documents and sections is fetched, as flags or arguments say it.
#[derive(Clone, Copy, Default)]
pub(crate) struct FetchOptions {
    pub(crate) lines: Option<(usize, usize)>,
    pub(crate) outline: bool,
    pub(crate) full_document: bool,
}

impl FetchOptions {
    pub(crate) fn extent(self) -> Result<FetchExtent> {
        match (self.lines, self.outline, self.full_document) {
            (Some((from, to)), ..) => Ok(FetchExtent::Lines(from, to)),
            (None, true, true) => Err(CliError::new("`outline` and `full_document` exclude each other")
                .hint("give one of them, or none for what the ids name")),
            (None, true, false) => Ok(FetchExtent::Outline),
            (None, false, true) => Ok(FetchExtent::Document),
            (None, false, false) => Ok(FetchExtent::Named),
        }
    }
}

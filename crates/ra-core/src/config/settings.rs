//! The settings: the values that each key accepts, and the type that the program reads it from. Their defaults are in
//! `defaults.toml`.

use std::sync::Arc;

use super::keys::{Key, MAX_COUNT_SETTING, TABLES, Value, ValueKind};
use super::values::Values;
use super::{ContextRule, Synonyms};

/// The largest value of `max_candidates`.
pub const MOST_CANDIDATES: i64 = 10_000;

/// The values of the `stemmer` setting: the language of each document, one language for all, or none.
pub const STEMMERS: &[&str] = &[
    "auto",
    "arabic",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "greek",
    "hungarian",
    "italian",
    "norwegian",
    "portuguese",
    "romanian",
    "russian",
    "spanish",
    "swedish",
    "tamil",
    "turkish",
    "none",
];

/// Every scalar key.
pub const KEYS: &[Key] = &[
    key("", "root", ValueKind::Bool),
    key("settings", "default_limit", ValueKind::Int(1, 1000)),
    key("settings", "local_boost", ValueKind::Float(0.01, 100.0)),
    key("settings", "chunk_at_headings", ValueKind::Bool),
    key("settings", "max_chunk_size", ValueKind::Int(1, MAX_COUNT_SETTING)),
    key("settings", "max_binary_size", ValueKind::Int(0, MAX_COUNT_SETTING)),
    key("search", "limit", ValueKind::Int(1, 1000)),
    key("search", "fuzzy", ValueKind::Bool),
    key("search", "fuzzy_distance", ValueKind::Int(0, 2)),
    key("search", "stemmer", ValueKind::OneOf(STEMMERS)),
    key("search", "relax", ValueKind::Bool),
    key("search", "semantic", ValueKind::Bool),
    key("search", "thesaurus", ValueKind::Bool),
    key("search", "max_tokens", ValueKind::Int(0, MAX_COUNT_SETTING)),
    key("search", "max_result_tokens", ValueKind::Int(1, MAX_COUNT_SETTING)),
    key("search", "expand", ValueKind::Bool),
    key("search", "expand_siblings", ValueKind::Int(0, 1000)),
    key("search", "expand_children", ValueKind::Int(0, 1000)),
    key("search", "cutoff_ratio", ValueKind::Float(0.0, 1.0)),
    key("search", "max_candidates", ValueKind::Int(1, MOST_CANDIDATES)),
    key("search", "aggregation_threshold", ValueKind::Float(0.0, 1.0)),
    key("search", "min_aggregation_matches", ValueKind::Int(1, 1000)),
    key("search", "score_cap_multiplier", ValueKind::Float(1.0, 1000.0)),
    key("search.boosts", "hierarchy", ValueKind::Float(0.0, 1000.0)),
    key("search.boosts", "path", ValueKind::Float(0.0, 1000.0)),
    key("search.boosts", "tags", ValueKind::Float(0.0, 1000.0)),
    key("search.boosts", "body", ValueKind::Float(0.0, 1000.0)),
    key("context", "limit", ValueKind::Int(1, 1000)),
    key("context", "max_tokens", ValueKind::Int(0, MAX_COUNT_SETTING)),
    key("context", "min_term_frequency", ValueKind::Int(1, MAX_COUNT_SETTING)),
    key("context", "min_word_length", ValueKind::Int(1, 1000)),
    key("context", "max_word_length", ValueKind::Int(1, 1000)),
    key("context", "sample_size", ValueKind::Int(1, MAX_COUNT_SETTING)),
    key("context", "cutoff_ratio", ValueKind::Float(0.0, 1.0)),
    key("context", "max_candidates", ValueKind::Int(1, MOST_CANDIDATES)),
    key("context", "aggregation_threshold", ValueKind::Float(0.0, 1.0)),
];

impl Key {
    /// Returns the key `name` of `table`, if it exists.
    pub fn find(table: &str, name: &str) -> Option<&'static Key> {
        KEYS.iter().find(|key| key.table == table && key.name == name)
    }
}

/// Returns the table in which a key or table of that name is valid; empty for the top level.
pub(super) fn home_of(name: &str) -> Option<&'static str> {
    let key = KEYS.iter().find(|key| key.name == name).map(|key| key.table);
    key.or_else(|| {
        let mut nested = TABLES.iter().map(|known| known.rsplit_once('.').unwrap_or(("", known)));
        nested.find(|(_, last)| *last == name).map(|(parent, _)| parent)
    })
}

const fn key(table: &'static str, name: &'static str, kind: ValueKind) -> Key {
    Key { table, name, kind }
}

/// `[settings]`
#[derive(Clone, Debug)]
pub struct Settings {
    /// The score multiplier of local trees.
    pub local_boost: f64,
    /// True if documents are split at headings.
    pub chunk_at_headings: bool,
    /// Chunks with more characters than this get a warning.
    pub max_chunk_size: usize,
    /// PDF, DOCX, ODT and EPUB files with more bytes than this aren't documents.
    pub max_binary_size: usize,
}

/// `[search]`
#[derive(Clone, Debug)]
pub struct SearchSettings {
    /// The number of results per query.
    pub limit: usize,
    /// The edit distance of fuzzy matching; 0 if `fuzzy` is off.
    pub fuzzy_distance: u8,
    /// `auto`, the language of the stemmer, or `none`.
    pub stemmer: String,
    /// True if sections may lack query words: to fill up short answers, and in long questions.
    pub relax: bool,
    /// True if queries are also compared with page vectors.
    pub semantic: bool,
    /// True if the built-in synonyms of query words are also searched for.
    pub thesaurus: bool,
    /// `[search.synonyms]`: additional synonyms.
    pub synonyms: Arc<Vec<Synonyms>>,
    /// The token budget of an answer, if any.
    pub max_tokens: Option<usize>,
    /// The maximum number of tokens shown of one result.
    pub max_result_tokens: usize,
    /// The sections shown around a match, if any.
    pub expand: Option<Expand>,
    /// The sections that `expand` would show around a match.
    pub around: Expand,
    /// The parameters of cutoff and aggregation.
    pub pipeline: Pipeline,
    /// How many children must match before their parent replaces them.
    pub min_aggregation_matches: usize,
    /// The cap of an aggregated score.
    pub score_cap_multiplier: f64,
    /// The weight of each field.
    pub boosts: Boosts,
}

impl SearchSettings {
    /// Returns the same settings without fuzzy matching, synonyms, semantic search and relaxation.
    pub fn exact(&self) -> Self {
        Self {
            fuzzy_distance: 0,
            relax: false,
            semantic: false,
            thesaurus: false,
            synonyms: Arc::default(),
            ..self.clone()
        }
    }
}

/// How many sections are shown around a match, besides its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expand {
    /// The number of sections before it, and of those after it.
    pub siblings: usize,
    /// The number of sections below it.
    pub children: usize,
}

/// The parameters that `[search]` and `[context]` share.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The ratio at which the score curve is cut.
    pub cutoff_ratio: f64,
    /// The maximum number of matches that enter aggregation. `None`: it grows with the limit.
    pub max_candidates: Option<usize>,
    /// The fraction of a parent's children that must match.
    pub aggregation_threshold: f64,
}

/// `[search.boosts]`
#[derive(Clone, Debug)]
pub struct Boosts {
    /// Headings.
    pub hierarchy: f64,
    /// The file's path.
    pub path: f64,
    /// Tags.
    pub tags: f64,
    /// The text.
    pub body: f64,
}

/// `[context]`
#[derive(Clone, Debug)]
pub struct ContextSettings {
    /// The number of chunks to return.
    pub limit: usize,
    /// The token budget of an answer, if any.
    pub max_tokens: Option<usize>,
    /// The minimum number of times a word must occur in the source.
    pub min_term_frequency: usize,
    /// The minimum length of a word.
    pub min_word_length: usize,
    /// The maximum length of a word.
    pub max_word_length: usize,
    /// How many bytes of a file are analyzed.
    pub sample_size: usize,
    /// The parameters of cutoff and aggregation.
    pub pipeline: Pipeline,
    /// `[context.patterns]`
    pub patterns: Arc<Vec<ContextRule>>,
    /// `[[context.rules]]`
    pub rules: Arc<Vec<ContextRule>>,
}

impl Values<'_> {
    pub(super) fn settings(&self) -> Settings {
        Settings {
            local_boost: self.number("settings", "local_boost"),
            chunk_at_headings: self.bool("settings", "chunk_at_headings"),
            max_chunk_size: self.size("settings", "max_chunk_size"),
            max_binary_size: self.size("settings", "max_binary_size"),
        }
    }

    pub(super) fn search(&self, synonyms: Vec<Synonyms>) -> SearchSettings {
        let fuzzy_distance =
            if self.bool("search", "fuzzy") { self.size("search", "fuzzy_distance") } else { 0 };
        let around = Expand {
            siblings: self.size("search", "expand_siblings"),
            children: self.size("search", "expand_children"),
        };
        SearchSettings {
            limit: self.size("search", "limit"),
            fuzzy_distance: fuzzy_distance.min(2) as u8,
            stemmer: match self.get("search", "stemmer") {
                Some(Value::Text(language)) => language.clone(),
                _ => "none".to_owned(),
            },
            relax: self.bool("search", "relax"),
            semantic: self.bool("search", "semantic"),
            thesaurus: self.bool("search", "thesaurus"),
            synonyms: Arc::new(synonyms),
            max_tokens: self.budget("search"),
            max_result_tokens: self.size("search", "max_result_tokens"),
            expand: self.bool("search", "expand").then_some(around),
            around,
            pipeline: self.pipeline("search"),
            min_aggregation_matches: self.size("search", "min_aggregation_matches"),
            score_cap_multiplier: self.number("search", "score_cap_multiplier"),
            boosts: Boosts {
                hierarchy: self.number("search.boosts", "hierarchy"),
                path: self.number("search.boosts", "path"),
                tags: self.number("search.boosts", "tags"),
                body: self.number("search.boosts", "body"),
            },
        }
    }

    /// Returns the token budget of an answer; 0 turns it off. Falls back to `[search]` if `table` doesn't set it.
    fn budget(&self, table: &str) -> Option<usize> {
        let tokens = self.int(table, "max_tokens").or_else(|| self.int("search", "max_tokens"));
        tokens.filter(|tokens| *tokens > 0)
    }

    /// Returns the pipeline parameters. Falls back to `[search]` for those that `table` doesn't set.
    fn pipeline(&self, table: &str) -> Pipeline {
        let number = |name| self.float(table, name).unwrap_or_else(|| self.number("search", name));
        Pipeline {
            cutoff_ratio: number("cutoff_ratio"),
            max_candidates: self
                .int(table, "max_candidates")
                .or_else(|| self.int("search", "max_candidates")),
            aggregation_threshold: number("aggregation_threshold"),
        }
    }

    pub(super) fn context(&self, patterns: Vec<ContextRule>, rules: Vec<ContextRule>) -> ContextSettings {
        ContextSettings {
            limit: self.size("context", "limit"),
            max_tokens: self.budget("context"),
            min_term_frequency: self.size("context", "min_term_frequency"),
            min_word_length: self.size("context", "min_word_length"),
            max_word_length: self.size("context", "max_word_length"),
            sample_size: self.size("context", "sample_size"),
            pipeline: self.pipeline("context"),
            patterns: Arc::new(patterns),
            rules: Arc::new(rules),
        }
    }
}

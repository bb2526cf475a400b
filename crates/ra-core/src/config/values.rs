//! Typed access to the merged values.

use std::sync::Arc;

use super::keys::Value;
use super::{
    Boosts, ContextPattern, ContextRule, ContextSettings, Expand, Pipeline, SearchSettings, Setting,
    Settings, Synonyms,
};

/// The merged values. `defaults.toml` sets every key that isn't optional, which a test checks, so the fallbacks here
/// are never used.
pub(super) struct Values<'a>(pub(super) &'a [Setting]);

impl Values<'_> {
    fn get(&self, table: &str, name: &str) -> Option<&Value> {
        self.0.iter().find(|set| set.key.table == table && set.key.name == name).map(|set| &set.value)
    }

    fn bool(&self, table: &str, name: &str) -> bool {
        matches!(self.get(table, name), Some(Value::Bool(true)))
    }

    fn int(&self, table: &str, name: &str) -> Option<usize> {
        match self.get(table, name)? {
            Value::Int(number) => usize::try_from(*number).ok(),
            _ => None,
        }
    }

    fn size(&self, table: &str, name: &str) -> usize {
        self.int(table, name).unwrap_or_default()
    }

    fn float(&self, table: &str, name: &str) -> Option<f64> {
        match self.get(table, name)? {
            Value::Float(number) => Some(*number),
            _ => None,
        }
    }

    fn number(&self, table: &str, name: &str) -> f64 {
        self.float(table, name).unwrap_or_default()
    }

    pub(super) fn settings(&self) -> Settings {
        Settings {
            local_boost: self.number("settings", "local_boost"),
            chunk_at_headings: self.bool("settings", "chunk_at_headings"),
            max_chunk_size: self.size("settings", "max_chunk_size"),
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

    pub(super) fn context(&self, patterns: Vec<ContextPattern>, rules: Vec<ContextRule>) -> ContextSettings {
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

//! Parses one configuration file field by field, so all its problems are reported at once.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{Key, MAX_ENTRIES, MAX_FILE_ENTRIES, SUPERSEDED, TABLES, Value};
use super::settings::{KEYS, home_of};
use super::source::{LayerOrigin, SettingSource};
use super::tree::{DocumentType, LinkRoot};
use crate::error::ConfigProblem;
use crate::id::TreeName;
use crate::text::{Lines, Span, did_you_mean};

/// A value with its span in the file.
#[derive(Clone, Debug)]
pub(super) struct Located<T> {
    pub(super) value: T,
    pub(super) span: Span,
}

/// The content of one file.
pub(super) struct Layer {
    pub(super) origin: LayerOrigin,
    pub(super) text: Arc<str>,
    lines: Lines,
    pub(super) settings: Vec<(&'static Key, Value, usize)>,
    pub(super) trees: Vec<TreeDef>,
    pub(super) includes: Vec<IncludeDef>,
    pub(super) patterns: Vec<ListDef>,
    pub(super) synonyms: Vec<ListDef>,
    pub(super) converters: Vec<ListDef>,
    pub(super) rules: Vec<RuleDef>,
}

/// `[trees] name = …`
pub(super) struct TreeDef {
    pub(super) name: TreeName,
    pub(super) path: Located<String>,
    pub(super) include: Vec<Located<String>>,
    pub(super) exclude: Vec<Located<String>>,
    pub(super) ignore: bool,
    pub(super) link_roots: Vec<LinkRoot>,
    pub(super) types: Option<Vec<DocumentType>>,
}

/// `[[include]]`
pub(super) struct IncludeDef {
    pub(super) tree: Located<String>,
    pub(super) pattern: Located<String>,
}

/// An entry of `[context.patterns]` or `[search.synonyms]`: `name = [words]`.
pub(super) struct ListDef {
    pub(super) name: Located<String>,
    pub(super) words: Vec<String>,
}

/// An entry of `[[context.rules]]`.
pub(super) struct RuleDef {
    pub(super) globs: Vec<Located<String>>,
    pub(super) terms: Vec<String>,
    pub(super) trees: Vec<Located<String>>,
    pub(super) include: Vec<String>,
    pub(super) span: Span,
}

impl Layer {
    /// Parses the text of a file. Adds its problems to `problems` and keeps the rest.
    pub(super) fn parse(origin: LayerOrigin, text: &str, problems: &mut Vec<ConfigProblem>) -> Layer {
        let text: Arc<str> = text.into();
        let (table, errors) = DeTable::parse_recoverable(&text);
        let layer = Layer {
            origin,
            lines: Lines::new(&text),
            text: text.clone(),
            settings: Vec::new(),
            trees: Vec::new(),
            includes: Vec::new(),
            patterns: Vec::new(),
            synonyms: Vec::new(),
            converters: Vec::new(),
            rules: Vec::new(),
        };
        let mut reader = Reader { layer, entries: 0, problems };
        for error in errors {
            let span = error.span().unwrap_or(0..0);
            reader.report(span.into(), error.message(), None);
        }
        reader.table("", table.get_ref());
        // A TOML table is sorted by key; restore the order in which the lists were written.
        for lists in [&mut reader.layer.patterns, &mut reader.layer.synonyms] {
            lists.sort_by_key(|list| list.name.span);
        }
        reader.layer
    }

    /// Returns the value of a setting and its line.
    pub(super) fn setting(&self, key: &Key) -> Option<(&Value, usize)> {
        let found =
            self.settings.iter().find(|(known, ..)| known.table == key.table && known.name == key.name)?;
        Some((&found.1, found.2))
    }

    /// Creates a problem at a span of this layer's file.
    pub(super) fn problem(
        &self,
        span: Span,
        message: impl Into<String>,
        hint: Option<String>,
    ) -> ConfigProblem {
        let file = self.origin.file().unwrap_or(Path::new("defaults.toml")).to_owned();
        ConfigProblem { file, source: self.text.clone(), span, message: message.into(), hint }
    }

    /// Returns the source of a span in this layer's file.
    pub(super) fn source(&self, span: Span) -> SettingSource {
        SettingSource { origin: self.origin.clone(), line: self.lines.line_of(span.start) }
    }
}

pub(super) struct Reader<'a> {
    pub(super) layer: Layer,
    /// The number of entries of all lists so far.
    entries: usize,
    problems: &'a mut Vec<ConfigProblem>,
}

pub(super) type TomlEntry<'a> = (&'a Spanned<Cow<'a, str>>, &'a Spanned<DeValue<'a>>);

impl Reader<'_> {
    pub(super) fn report(&mut self, span: Span, message: impl Into<String>, hint: Option<String>) {
        self.problems.push(self.layer.problem(span, message, hint));
    }

    /// Counts the entries of a list. Reports an error and returns false if there are more than a file may have.
    fn has_room(&mut self, name: &str, count: usize, span: Span) -> bool {
        let had_room = self.entries <= MAX_FILE_ENTRIES;
        self.entries = self.entries.saturating_add(count);
        let message = match count {
            _ if count > MAX_ENTRIES => {
                format!("`{name}` has {count} entries; at most {MAX_ENTRIES} are read")
            }
            _ if had_room && self.entries > MAX_FILE_ENTRIES => {
                format!("the lists of this file have more than {MAX_FILE_ENTRIES} entries; no more are read")
            }
            _ => return had_room,
        };
        self.report(span, message, Some("one glob can match many paths: `drafts/**`".to_owned()));
        false
    }

    fn table(&mut self, path: &str, table: &DeTable<'_>) {
        for entry in table {
            let name = entry.0.get_ref().as_ref();
            let full = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            if let Some(key) = Key::find(path, name) {
                self.scalar(key, entry);
            } else if full == "include" {
                self.includes(entry.1);
            } else if full == "context.rules" {
                self.rules(entry.1);
            } else if TABLES.contains(&full.as_str()) {
                let is_list =
                    matches!(full.as_str(), "trees" | "context.patterns" | "search.synonyms" | "convert");
                match entry.1.get_ref().as_table() {
                    Some(inner) if is_list && !self.has_room(&full, inner.len(), entry.1.span().into()) => {}
                    Some(inner) if full == "trees" => inner.iter().for_each(|tree| self.tree(tree)),
                    Some(inner) if full == "convert" => inner.iter().for_each(|item| self.converter(item)),
                    Some(inner) if full == "context.patterns" => {
                        self.layer.patterns = inner.iter().map(|item| self.list(&full, item)).collect();
                    }
                    Some(inner) if full == "search.synonyms" => {
                        self.layer.synonyms = inner.iter().map(|item| self.list(&full, item)).collect();
                    }
                    Some(inner) => self.table(&full, inner),
                    None => self.wrong_type(&full, "a table", entry.1),
                }
            } else {
                self.unknown(path, name, entry.0.span().into());
            }
        }
    }

    fn scalar(&mut self, key: &'static Key, (name, value): TomlEntry<'_>) {
        match key.read(value.get_ref()) {
            Ok(read) => self.layer.settings.push((key, read, self.layer.lines.line_of(name.span().start))),
            Err(message) => self.report(value.span().into(), format!("`{}`: {message}", key.path()), None),
        }
    }

    pub(super) fn wrong_type(&mut self, name: &str, expected: &str, value: &Spanned<DeValue<'_>>) {
        let found = value.get_ref().type_str();
        self.report(value.span().into(), format!("`{name}`: expected {expected}, found {found}"), None);
    }

    fn unknown(&mut self, table: &str, name: &str, span: Span) {
        let place = if table.is_empty() { "at the top level".to_owned() } else { format!("in [{table}]") };
        if let Some((.., instead)) = SUPERSEDED.iter().find(|(_, old, _)| *old == name) {
            let message = format!("`{name}` belongs to an older design and is no longer read");
            return self.report(span, message, Some((*instead).to_owned()));
        }
        let here = KEYS.iter().filter(|key| key.table == table).map(|key| key.name);
        let inner = TABLES.iter().filter_map(|known| match known.rsplit_once('.') {
            Some((parent, last)) => (parent == table).then_some(last),
            None => table.is_empty().then_some(*known),
        });
        let belongs = || match home_of(name)? {
            "" => Some(format!("`{name}` belongs at the top level, before any table")),
            table => Some(format!("`{name}` belongs in [{table}]")),
        };
        let hint = did_you_mean(name, here.chain(inner)).or_else(belongs);
        self.report(span, format!("unknown key `{name}` {place}"), hint);
    }

    pub(super) fn unknown_among(&mut self, known: &[&str], place: &str, key: &Spanned<Cow<'_, str>>) {
        let name = key.get_ref();
        let hint = did_you_mean(name, known.iter().copied());
        self.report(key.span().into(), format!("unknown key `{name}` {place}"), hint);
    }

    fn includes(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(array) = value.get_ref().as_array() else {
            return self.wrong_type("include", "an array of tables, [[include]]", value);
        };
        if !self.has_room("include", array.len(), value.span().into()) {
            return;
        }
        for item in array.iter() {
            let Some(table) = item.get_ref().as_table() else {
                self.wrong_type("include", "a table with `tree` and `pattern`", item);
                continue;
            };
            let (mut tree, mut pattern) = (None, None);
            let missing = ["tree", "pattern"].iter().any(|name| !table.contains_key(*name));
            for (key, value) in table {
                match key.get_ref().as_ref() {
                    "tree" => tree = self.text("include.tree", value),
                    "pattern" => pattern = self.text("include.pattern", value),
                    _ => self.unknown_among(&["tree", "pattern"], "in [[include]]", key),
                }
            }
            match (tree, pattern) {
                (Some(tree), Some(pattern)) => self.layer.includes.push(IncludeDef { tree, pattern }),
                _ if missing => {
                    self.report(item.span().into(), "[[include]] needs `tree` and `pattern`", None);
                }
                // A value of the wrong type has been reported.
                _ => {}
            }
        }
    }

    pub(super) fn list(&mut self, table: &str, (name, value): TomlEntry<'_>) -> ListDef {
        let label = format!("{table}.{:?}", name.get_ref());
        let words = self.texts(&label, value).into_iter().map(|word| word.value).collect();
        let name = Located { value: name.get_ref().to_string(), span: name.span().into() };
        ListDef { name, words }
    }

    fn rules(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(array) = value.get_ref().as_array() else {
            return self.wrong_type("context.rules", "an array of tables, [[context.rules]]", value);
        };
        if !self.has_room("context.rules", array.len(), value.span().into()) {
            return;
        }
        for item in array.iter() {
            let Some(table) = item.get_ref().as_table() else {
                self.wrong_type("context.rules", "a table with `match`", item);
                continue;
            };
            let values = |texts: Vec<Located<String>>| texts.into_iter().map(|text| text.value).collect();
            let (globs, terms, trees, include) = Default::default();
            let mut rule = RuleDef { globs, terms, trees, include, span: item.span().into() };
            for (key, value) in table {
                match key.get_ref().as_ref() {
                    "match" => rule.globs = self.texts("context.rules.match", value),
                    "terms" => rule.terms = values(self.texts("context.rules.terms", value)),
                    "trees" => rule.trees = self.texts("context.rules.trees", value),
                    "include" => rule.include = values(self.texts("context.rules.include", value)),
                    _ => self.unknown_among(
                        &["match", "terms", "trees", "include"],
                        "in [[context.rules]]",
                        key,
                    ),
                }
            }
            if table.contains_key("match") {
                self.layer.rules.push(rule);
            } else {
                let hint = Some("match = \"src/api/**\"".to_owned());
                self.report(item.span().into(), "[[context.rules]] needs `match`", hint);
            }
        }
    }

    pub(super) fn text(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Option<Located<String>> {
        match value.get_ref().as_str() {
            Some(text) => Some(Located { value: text.to_owned(), span: value.span().into() }),
            None => {
                self.wrong_type(name, "a text", value);
                None
            }
        }
    }

    /// Reads a list of texts; a single text counts as a list of one.
    pub(super) fn texts(&mut self, name: &str, value: &Spanned<DeValue<'_>>) -> Vec<Located<String>> {
        match value.get_ref() {
            DeValue::String(_) => self.text(name, value).into_iter().collect(),
            DeValue::Array(items) => match self.has_room(name, items.len(), value.span().into()) {
                true => items.iter().filter_map(|item| self.text(name, item)).collect(),
                false => Vec::new(),
            },
            _ => {
                self.wrong_type(name, "a list of texts", value);
                Vec::new()
            }
        }
    }
}

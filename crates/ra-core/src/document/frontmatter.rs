//! The metadata block at the start of a document: YAML between `---` fences or TOML between `+++` fences.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::front_matter_format::FrontMatterFormat;
use super::page::is_between_pages;
use super::properties::{self, Property};
use super::salvage::{is_key_line, salvage};
use super::{BOM, Warning, WarningKind};
use crate::text::{Span, collapse};

/// The metadata block of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrontMatter {
    /// The language it is written in.
    pub format: FrontMatterFormat,
    /// The span of the whole block, including both fences and the last line end.
    pub span: Span,
    /// Its keys and values in order; for a malformed block, those that could be salvaged.
    pub fields: Map<String, Value>,
}

/// The metadata that front matter gives about its document.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub(super) title: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) aliases: Vec<String>,
    pub(super) description: Option<String>,
}

impl FrontMatter {
    /// Returns the tag of the language that the document is in, such as `de-AT`.
    pub fn language(&self) -> Option<String> {
        self.text(&["lang", "language", "locale"])
    }

    /// Returns the values of the well-known keys.
    pub(super) fn metadata(&self) -> Metadata {
        let tags = self.words(&["tags", "tag", "keywords"], split_tags).into_iter();
        Metadata {
            title: self.text(&["title"]),
            tags: tags
                .map(|tag| tag.trim_start_matches('#').to_owned())
                .filter(|tag| !tag.is_empty())
                .collect(),
            aliases: self.words(&["aliases", "alias"], |text| text.split(',').collect()),
            description: self.text(&["description", "summary"]),
        }
    }

    /// Returns the values of all other keys.
    pub(super) fn properties(&self) -> Vec<Property> {
        properties::properties(&self.fields)
    }

    /// Returns the first non-empty text under the keys called `names`.
    fn text(&self, names: &'static [&'static str]) -> Option<String> {
        self.values(names).filter_map(scalar).map(|text| collapse(&text)).find(|text| !text.is_empty())
    }

    /// Returns all words under the keys called `names`. List items stay whole; only a string is split.
    fn words(&self, names: &'static [&'static str], split: fn(&str) -> Vec<&str>) -> Vec<String> {
        let mut words = Vec::new();
        for value in self.values(names) {
            match value {
                Value::Array(items) => {
                    words.extend(items.iter().filter_map(scalar).map(|item| collapse(&item)))
                }
                value => words.extend(scalar(value).iter().flat_map(|text| split(text)).map(collapse)),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    /// Returns the values of the keys called `names`, in the order of the names, ignoring case.
    fn values(&self, names: &'static [&'static str]) -> impl Iterator<Item = &Value> {
        names.iter().flat_map(|name| {
            self.fields.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
        })
    }
}

/// Reads the front matter at the start of `text`, if there is any.
pub(super) fn read(text: &str, warnings: &mut Vec<Warning>) -> Option<FrontMatter> {
    let opening = Opening::find(text)?;
    let first_line = text.get(opening.content..)?.lines().next().unwrap_or("");
    let mut unclosed = || {
        if is_key_line(first_line, opening.format) {
            let message = format!("the front matter has no closing `{}`", opening.fence());
            warnings.push(Warning { kind: WarningKind::UnclosedFrontMatter, line: 1, message });
        }
        None
    };
    let Some((content, span)) = opening.close(text) else { return unclosed() };
    let inside = content.of(text);
    // A line of dashes followed by a blank line is a thematic break, unless a key follows.
    if first_line.trim().is_empty() {
        let first_words = inside.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
        if !is_key_line(first_words, opening.format) {
            return None;
        }
    }
    let block = FrontMatter { format: opening.format, span, fields: Map::new() };
    match opening.parse(text, content) {
        Ok(Value::Null) => Some(block),
        Ok(Value::Object(mut fields)) => {
            keep_digits(&mut fields, inside, opening.format);
            Some(FrontMatter { fields, ..block })
        }
        // A section inside the block means that the closing fence belongs to the text.
        _ if has_section(inside, opening.format) => unclosed(),
        Ok(_) => {
            let message = "the front matter has no keys: write `key: value` lines".to_owned();
            warnings.push(Warning { kind: WarningKind::FrontMatterNotMapping, line: 2, message });
            Some(block)
        }
        Err((line, reason)) => {
            let message = format!("the front matter is not valid {}: {reason}", opening.language());
            warnings.push(Warning { kind: WarningKind::MalformedFrontMatter, line, message });
            Some(FrontMatter { fields: salvage(inside, opening.format), ..block })
        }
    }
}

/// Returns where the front matter at the start of a text ends, or 0 if there is none. Parses only what looks like text.
pub fn front_matter_end(text: &str) -> usize {
    let end = |opening: Opening| {
        let (content, block) = opening.close(text)?;
        let inside = content.of(text);
        let first = inside.lines().find(|line| !line.trim().is_empty())?;
        // As in `read`: a section inside means that the closing fence belongs to the text, unless the block is valid.
        let is_closed = || {
            !has_section(inside, opening.format)
                || matches!(opening.parse(text, content), Ok(Value::Object(_)))
        };
        (is_key_line(first, opening.format) && is_closed()).then_some(block.end)
    };
    Opening::find(text).and_then(end).unwrap_or(0)
}

/// True if a text is nothing but front matter with no more than this title and a language, before the marks of pages.
pub(super) fn is_only_title(text: &str, title: &str) -> bool {
    let (block, rest) = text.split_at(front_matter_end(text));
    let is_known = |line: &str| match line.trim().split_once([':', '=']) {
        None => matches!(line.trim(), "" | "---" | "+++" | "..."),
        Some((key, value)) => match (key.trim_end(), value.trim().trim_matches(['"', '\''])) {
            ("title", value) => value == title,
            ("lang" | "language" | "locale", value) => !value.contains(char::is_whitespace),
            _ => false,
        },
    };
    !block.is_empty() && is_between_pages(rest) && block.trim_start_matches(BOM).lines().all(is_known)
}

/// The opening fence of a block.
struct Opening {
    format: FrontMatterFormat,
    /// The start of the fence, after a byte order mark.
    start: usize,
    /// The start of the first line after the fence.
    content: usize,
}

impl Opening {
    fn find(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(BOM).unwrap_or(text);
        let start = text.len() - rest.len();
        let content = start + rest.find('\n')? + 1;
        let format = match Span::new(start, content).of(text).trim_end() {
            "---" => FrontMatterFormat::Yaml,
            "+++" => FrontMatterFormat::Toml,
            _ => return None,
        };
        Some(Self { format, start, content })
    }

    fn fence(&self) -> &'static str {
        match self.format {
            FrontMatterFormat::Yaml => "---",
            FrontMatterFormat::Toml => "+++",
        }
    }

    fn language(&self) -> &'static str {
        match self.format {
            FrontMatterFormat::Yaml => "YAML",
            FrontMatterFormat::Toml => "TOML",
        }
    }

    /// Returns the span between the fences, and that of the whole block; `None` if the closing fence is missing.
    fn close(&self, text: &str) -> Option<(Span, Span)> {
        let mut at = self.content;
        for line in text.get(at..)?.split_inclusive('\n') {
            let fence = line.trim_end();
            if fence == self.fence() || (fence == "..." && self.format == FrontMatterFormat::Yaml) {
                return Some((Span::new(self.content, at), Span::new(self.start, at + line.len())));
            }
            at += line.len();
        }
        None
    }

    /// Returns the value of the block, or the line in the file with a description of the error.
    fn parse(&self, text: &str, content: Span) -> Result<Value, (usize, String)> {
        match self.format {
            // The fence is valid YAML; including it makes the parser's line numbers those of the file.
            FrontMatterFormat::Yaml => parse_yaml(Span::new(self.start, content.end).of(text)),
            FrontMatterFormat::Toml => parse_toml(content.of(text)).map_err(|(offset, message)| {
                let before = Span::new(0, content.start + offset).of(text);
                (1 + memchr::memchr_iter(b'\n', before.as_bytes()).count(), message)
            }),
        }
    }
}

fn parse_yaml(yaml: &str) -> Result<Value, (usize, String)> {
    use serde_saphyr::MessageFormatter;

    // Front matter is small. The limits keep a file made to exhaust the parser, such as with nested aliases that
    // multiply, from costing more than an ordinary one.
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! {
            max_nodes: 10_000,
            max_events: 50_000,
            max_depth: 32,
            max_anchors: 100,
            max_aliases: 100,
            max_recorded_anchor_events: 10_000,
            max_total_scalar_bytes: 1 << 20,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 10_000 },
    };
    serde_saphyr::from_str_with_options(yaml, options).map_err(|error| {
        let line = error.location().map_or(1, |location| location.line().max(1) as usize);
        let message = serde_saphyr::UserMessageFormatter.format_message(error.without_snippet()).into_owned();
        (line, collapse(&message))
    })
}

/// Like [`parse_yaml`], but with a byte offset instead of a line.
fn parse_toml(content: &str) -> Result<Value, (usize, String)> {
    let table: toml::Table = toml::from_str(content)
        .map_err(|error| (error.span().map_or(0, |span| span.start), collapse(error.message())))?;
    Ok(json_of(toml::Value::Table(table)))
}

/// Converts a value to JSON; a date becomes its text.
fn json_of(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => Value::from(number),
        toml::Value::Float(number) => Value::from(number),
        toml::Value::Boolean(truth) => Value::Bool(truth),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Array(items) => items.into_iter().map(json_of).collect(),
        toml::Value::Table(table) => table.into_iter().map(|(key, value)| (key, json_of(value))).collect(),
    }
}

/// Keeps decimals as written: `1.10` must not become the number 1.1.
fn keep_digits(fields: &mut Map<String, Value>, inside: &str, format: FrontMatterFormat) {
    if !fields.iter().any(|(key, value)| value.is_f64() || value.is_number() && key == "title") {
        return;
    }
    let mut written = salvage(inside, format);
    for (key, value) in fields.iter_mut().filter(|(_, value)| value.is_number()) {
        let is_title = key == "title";
        if let Some(text) =
            written.remove(key).filter(|text| is_title || text.as_str() != Some(&value.to_string()))
        {
            *value = text;
        }
    }
}

/// True if the block contains a markdown heading: a `# …` line after a blank line that isn't a comment above a key.
fn has_section(inside: &str, format: FrontMatterFormat) -> bool {
    let lines: Vec<&str> = inside.lines().collect();
    lines.windows(3).any(|three| {
        let &[before, line, after] = three else { return false };
        let is_heading = line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
        is_heading && before.trim().is_empty() && !is_key_line(after, format)
    })
}

/// Returns the text of a scalar value.
fn scalar(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(_) | Value::Bool(_) => Some(Cow::Owned(value.to_string())),
        _ => None,
    }
}

/// Splits the tags in a string at commas, or at spaces if it has no commas.
fn split_tags(text: &str) -> Vec<&str> {
    if text.contains(',') { text.split(',').collect() } else { text.split_whitespace().collect() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(text: &str) -> (Option<FrontMatter>, Vec<Warning>) {
        let mut warnings = Vec::new();
        (read(text, &mut warnings), warnings)
    }

    /// Returns the fields and warnings of a text.
    fn fields(text: &str) -> (Option<Value>, Vec<(WarningKind, usize)>) {
        let (block, warnings) = parsed(text);
        let warnings = warnings.iter().map(|warning| (warning.kind, warning.line)).collect();
        (block.map(|block| Value::Object(block.fields)), warnings)
    }

    #[test]
    fn the_end_is_found_as_the_block_is_read() {
        for (text, end) in [
            ("---\ntitle: x\n---\nbody\n", 17),
            ("+++\ntitle = \"x\"\n+++\nbody\n", 20),
            ("---\n\nA walrus: here\n\nmore\n---\nbody\n", 0),
            ("---\nNote: x\n\n# Title\n\nbody\n\n---\n\nmore\n", 0),
            ("---\na: x\n\n# two\n# comments\nb: y\n---\n", 36),
            ("---\ntitle: x\n", 0),
            ("body\n", 0),
        ] {
            assert_eq!(front_matter_end(text), end, "{text:?}");
            let read = read(text, &mut Vec::new()).map_or(0, |block| block.span.end);
            assert_eq!(read, end, "{text:?}");
        }
    }

    #[test]
    fn valid_blocks() {
        for (text, expected) in [
            ("---\ntitle: A\n---\nx", json!({"title": "A"})),
            ("\u{feff}---\r\ntitle: A\r\n---\r\nx", json!({"title": "A"})),
            ("---  \ntitle: A\n...\t\nx", json!({"title": "A"})),
            ("---\n---\n", json!({})),
            ("---\n# only a comment\n---\n", json!({})),
            ("---\n\ntitle: A\n---", json!({"title": "A"})),
            (
                "---\non: yes\nb: true\nn: 3\nd: 2024-01-02\nz: ~\n---",
                json!({"on": "yes", "b": true, "n": 3, "d": "2024-01-02", "z": null}),
            ),
            (
                "---\na: [x, {b: c}]\n\n# comment\nd: |\n  e\n  f\n---\n",
                json!({"a": ["x", {"b": "c"}], "d": "e\nf\n"}),
            ),
            ("---\ntitle: 1.10 # version\n---\n", json!({"title": "1.10"})),
            (
                "+++\ntitle = \"A\"\nd = 2024-01-02\n[x]\ny = [1, 2.5, true]\n+++\n",
                json!({"title": "A", "d": "2024-01-02", "x": {"y": [1, 2.5, true]}}),
            ),
            ("+++\n+++\n", json!({})),
        ] {
            assert_eq!(fields(text), (Some(expected), vec![]), "{text:?}");
        }
    }

    #[test]
    fn the_span_holds_both_fences() {
        for (text, expected) in [
            ("---\na: b\n---\nx", "---\na: b\n---\n"),
            ("\u{feff}---\r\na: b\r\n--- \r\nx", "---\r\na: b\r\n--- \r\n"),
            ("+++\n+++", "+++\n+++"),
        ] {
            let (block, _) = parsed(text);
            assert_eq!(block.map(|block| block.span.of(text)), Some(expected), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_front_matter() {
        use WarningKind::UnclosedFrontMatter;
        for (text, warnings) in [
            ("", vec![]),
            ("---", vec![]),
            ("---\n", vec![]),
            ("text\n---\na: b\n---\n", vec![]),
            ("\n---\na: b\n---\n", vec![]),
            (" ---\na: b\n---\n", vec![]),
            ("----\na: b\n----\n", vec![]),
            ("---\n\nA thematic break.\n", vec![]),
            ("---\n\n# Title\n\nBetween two breaks.\n\n---\n", vec![]),
            ("---\nhttps://example.org\n", vec![]),
            ("---\ntitle: A\n\n# Text\n", vec![(UnclosedFrontMatter, 1)]),
            ("+++\ntitle = 'A'\n", vec![(UnclosedFrontMatter, 1)]),
            ("+++\ntitle = 'A'\n---\n", vec![(UnclosedFrontMatter, 1)]),
            // The line that closes this one is a thematic break of the text.
            ("---\ntitle: A\n\n# Text\n\nwords: and: more\n\n---\n", vec![(UnclosedFrontMatter, 1)]),
        ] {
            assert_eq!(fields(text), (None, warnings), "{text:?}");
        }
    }

    #[test]
    fn malformed_blocks_keep_what_can_be_read() {
        use WarningKind::{FrontMatterNotMapping, MalformedFrontMatter};
        for (text, expected, warning) in [
            ("---\nx: 1\ntitle: A: B\n---\n", json!({"title": "A: B"}), (MalformedFrontMatter, 3)),
            (
                "---\ntitle: \"A\" b\ntags: [x, 'y'\n---\n",
                json!({"title": "\"A\" b", "tags": ["x", "y"]}),
                (MalformedFrontMatter, 2),
            ),
            (
                "---\ntitle: 'A'\ntags:\n  - x\n  - \"y\"\nbad: *missing\nsummary: >-\n  two\n  lines\n---\n",
                json!({"title": "A", "tags": ["x", "y"], "summary": "two lines"}),
                (MalformedFrontMatter, 6),
            ),
            ("---\ntitle: A\ntitle: B\n---\n", json!({"title": "A"}), (MalformedFrontMatter, 3)),
            (
                "+++\ntitle = \"A\"\nbad\ntags = [\"x\"]\n+++\n",
                json!({"title": "A", "tags": ["x"]}),
                (MalformedFrontMatter, 3),
            ),
            ("---\n- a\n- b\n---\n", json!({}), (FrontMatterNotMapping, 2)),
            ("---\njust words\n---\n", json!({}), (FrontMatterNotMapping, 2)),
        ] {
            assert_eq!(fields(text), (Some(expected), vec![warning]), "{text:?}");
        }
    }

    #[test]
    fn messages_are_one_line_without_position() {
        for text in ["---\na: b: c\n---\n", "---\n\"a\n---\n", "+++\na = \n+++\n"] {
            let (_, warnings) = parsed(text);
            let message = &warnings[0].message;
            assert!(
                !message.is_empty() && !message.contains('\n') && !message.contains("line "),
                "{message}"
            );
        }
    }

    /// Expanded, the aliases would not fit into any memory.
    #[test]
    fn an_alias_bomb_is_refused() {
        let mut text = String::from("---\ntitle: Bomb\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for level in 1..30 {
            let before = format!("*a{}", level - 1);
            text += &format!("a{level}: &a{level} [{}]\n", [before.as_str(); 9].join(", "));
        }
        text += "---\n";
        let (block, warnings) = parsed(&text);
        assert_eq!(block.map(|block| Value::Object(block.fields)), Some(json!({"title": "Bomb"})));
        assert_eq!(warnings[0].kind, WarningKind::MalformedFrontMatter);
    }

    #[test]
    fn well_known_keys() {
        for (yaml, title, tags, aliases, description) in [
            ("title: A  b", Some("A b"), vec![], vec![], None),
            ("Title: 2024", Some("2024"), vec![], vec![], None),
            ("title: ''\nsummary: s", None, vec![], vec![], Some("s")),
            ("summary: s\ndescription: d", None, vec![], vec![], Some("d")),
            (
                "tags: [a, '#b', c/d, 7, two words]",
                None,
                vec!["a", "b", "c/d", "7", "two words"],
                vec![],
                None,
            ),
            ("tags: a, b c,, '#d'", None, vec!["a", "b c", "'#d'"], vec![], None),
            ("tags: \"#a b\"\nkeywords: c\ntag: d", None, vec!["a", "b", "d", "c"], vec![], None),
            ("tags:\n- a\n- {b: c}\n- null", None, vec!["a"], vec![], None),
            ("aliases: [A b, C]\nalias: D e, F", None, vec![], vec!["A b", "C", "D e", "F"], None),
        ] {
            let (block, _) = parsed(&format!("---\n{yaml}\n---\n"));
            let metadata = block.unwrap().metadata();
            assert_eq!(metadata.title.as_deref(), title, "{yaml}");
            assert_eq!(metadata.tags, tags, "{yaml}");
            assert_eq!(metadata.aliases, aliases, "{yaml}");
            assert_eq!(metadata.description.as_deref(), description, "{yaml}");
        }
    }
}

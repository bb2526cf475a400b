//! Reads front matter that its parser rejected, line by line, as far as possible.

use serde_json::{Map, Value};

use super::front_matter_format::FrontMatterFormat;

/// The keys worth salvaging: those that say what a document is about.
#[rustfmt::skip]
const KEYS: [&str; 11] = [
    "title", "tags", "tag", "keywords", "aliases", "alias", "description", "summary", "lang", "language",
    "locale",
];

/// True if the line looks like `key: value` (YAML) or `key = value` (TOML).
pub(super) fn is_key_line(line: &str, format: FrontMatterFormat) -> bool {
    split_key(line, format).is_some()
}

/// Returns the well-known keys of an invalid block. The first of two equal keys counts.
pub(super) fn salvage(content: &str, format: FrontMatterFormat) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut lines = content.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((key, written)) = split_key(line, format) else { continue };
        let key = key.to_ascii_lowercase();
        if !KEYS.contains(&key.as_str()) {
            continue;
        }
        let mut below = Vec::new();
        while let Some(next) = lines.next_if(|next| is_continuation(next)) {
            below.push(next.trim());
        }
        let value = match written {
            "" => list(below.iter().filter_map(|item| item.strip_prefix('-'))),
            // A block scalar: its text is on the lines below.
            ">" | "|" | ">-" | "|-" | ">+" | "|+" => Value::String(below.join(" ")),
            written => match written.strip_prefix('[') {
                Some(items) => list(items.trim_end_matches(']').split(',')),
                None => Value::String(unquote(written).to_owned()),
            },
        };
        fields.entry(key).or_insert(value);
    }
    fields
}

/// Splits a line into key and value, without a trailing comment.
fn split_key(line: &str, format: FrontMatterFormat) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(match format {
        FrontMatterFormat::Yaml => ':',
        FrontMatterFormat::Toml => '=',
    })?;
    let key = if format == FrontMatterFormat::Toml { key.trim_end() } else { key };
    let is_key = key.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    // In YAML, `https://…` isn't a key.
    let is_value =
        value.is_empty() || value.starts_with(char::is_whitespace) || format == FrontMatterFormat::Toml;
    let value = value.split_once(" #").map_or(value, |(value, _)| value);
    (is_key && is_value).then_some((key, value.trim()))
}

/// True for an indented line and for a list item, which may be unindented.
fn is_continuation(line: &str) -> bool {
    line.starts_with([' ', '\t']) || line == "-" || line.starts_with("- ")
}

fn list<'a>(items: impl Iterator<Item = &'a str>) -> Value {
    items.map(|item| unquote(item.trim())).filter(|item| !item.is_empty()).collect()
}

/// Returns the text without the quotes around it, even if the closing one is missing.
fn unquote(text: &str) -> &str {
    let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) else { return text };
    let inner = text.trim_start_matches(quote);
    match inner.find(quote) {
        None => inner,
        Some(at) if at + 1 == inner.len() => inner.get(..at).unwrap_or(inner),
        Some(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn known_keys_are_saved_from_any_text() {
        for (content, expected) in [
            ("title: A # comment\nother: x\n", json!({"title": "A"})),
            ("Tags:\n- a\n-b\n-\n  - 'c'\n", json!({"tags": ["a"]})),
            ("  title: nested\ntitle:glued\ntitle : spaced\n", json!({})),
            (
                "description: |\n  one\n  two\nalias: [x, \"y\", ]\n",
                json!({"description": "one two", "alias": ["x", "y"]}),
            ),
            ("title: \"open\nsummary: 'it''s'\n", json!({"title": "open", "summary": "'it''s'"})),
            ("tag:\n\ntitle: \"\"\n", json!({"tag": [], "title": ""})),
        ] {
            assert_eq!(Value::Object(salvage(content, FrontMatterFormat::Yaml)), expected, "{content:?}");
        }
        let toml = "title = \"A\"\ntags=[\"x\"]\n[extra]\n";
        assert_eq!(
            Value::Object(salvage(toml, FrontMatterFormat::Toml)),
            json!({"title": "A", "tags": ["x"]})
        );
    }
}

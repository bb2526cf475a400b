//! The kinds of configuration keys, how their values are checked, and the keys of an older design with their
//! replacements.

use std::fmt;

use serde::Serialize;
use toml::de::DeValue;

/// A scalar setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A word.
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => value.fmt(f),
            Value::Int(value) => value.fmt(f),
            // `{:?}` keeps the decimal point, so the text is still a TOML float.
            Value::Float(value) => write!(f, "{value:?}"),
            Value::Text(value) => write!(f, "{value:?}"),
        }
    }
}

/// The values that a key accepts.
#[derive(Clone, Copy, Debug)]
pub enum ValueKind {
    /// `true` or `false`.
    Bool,
    /// A whole number in the inclusive range.
    Int(i64, i64),
    /// A number in the inclusive range; integers are accepted.
    Float(f64, f64),
    /// One of these words.
    OneOf(&'static [&'static str]),
}

/// The largest value of a key that has no other limit.
pub(super) const MAX_COUNT_SETTING: i64 = 1_000_000_000;

/// A scalar key: its table, its name and the values it accepts.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The table, such as `search.boosts`; empty for the top level.
    pub table: &'static str,
    /// The name inside the table.
    pub name: &'static str,
    /// The values it accepts.
    pub kind: ValueKind,
}

/// Keys of an earlier design, with their replacements.
pub(super) const SUPERSEDED: &[(&str, &str, &str)] = &[
    ("search", "merge_threshold", "use `min_aggregation_matches` and `aggregation_threshold`"),
    ("search", "merge_bonus", "an aggregated score is the sum of its parts' up to `score_cap_multiplier`"),
    (
        "search",
        "max_merge_depth",
        "a document replaces its sections only when it matches itself or all of them do",
    ),
    (
        "settings",
        "max_leaf_chars",
        "sections are never split; `max_chunk_size` sets which are reported as large",
    ),
    (
        "settings",
        "min_leaf_chars",
        "sections are never absorbed by size; `aggregation_threshold` joins them when shown",
    ),
    ("settings", "min_document_chars", "small documents are chunked like any other; see `chunk_at_headings`"),
];

/// The maximum number of entries of a list or table in a file. Every pattern is matched against every file of its
/// tree.
pub(super) const MAX_ENTRIES: usize = 1000;

/// The maximum number of entries of all lists and tables in a file together.
pub(super) const MAX_FILE_ENTRIES: usize = 10_000;

/// The tables that contain more than scalar keys, or are nested.
pub(super) const TABLES: &[&str] = &[
    "settings",
    "search",
    "search.boosts",
    "search.synonyms",
    "context",
    "context.patterns",
    "context.rules",
    "trees",
    "include",
    "convert",
];

impl Key {
    /// Returns the full name, such as `search.boosts.path`.
    pub fn path(&self) -> String {
        if self.table.is_empty() { self.name.to_owned() } else { format!("{}.{}", self.table, self.name) }
    }

    /// Reads a TOML value, or describes why it is invalid.
    pub(super) fn read(&self, value: &DeValue<'_>) -> Result<Value, String> {
        let found = match value {
            DeValue::Boolean(value) => Value::Bool(*value),
            DeValue::Integer(value) => i64::from_str_radix(value.as_str(), value.radix())
                .map(Value::Int)
                .map_err(|_| format!("{} does not fit into 64 bits", value.as_str()))?,
            DeValue::Float(value) => value
                .as_str()
                .parse()
                .map(Value::Float)
                .map_err(|_| format!("`{}` is not a number", value.as_str()))?,
            DeValue::String(value) => Value::Text(value.to_string()),
            other => return Err(format!("expected {}, found {}", self.kind, other.type_str())),
        };
        self.check(found)
    }

    /// Checks a value against the key's kind and range.
    pub fn check(&self, value: Value) -> Result<Value, String> {
        let fits = match (&self.kind, &value) {
            (ValueKind::Bool, Value::Bool(_)) => true,
            (ValueKind::Int(low, high), Value::Int(number)) => (low..=high).contains(&number),
            (ValueKind::Float(low, high), Value::Float(number)) => (low..=high).contains(&number),
            (ValueKind::Float(..), Value::Int(number)) => return self.check(Value::Float(*number as f64)),
            (ValueKind::OneOf(words), Value::Text(word)) => {
                let lower = word.to_lowercase();
                if words.contains(&lower.as_str()) {
                    return Ok(Value::Text(lower));
                }
                false
            }
            _ => false,
        };
        if fits { Ok(value) } else { Err(format!("expected {}, found {value}", self.kind)) }
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueKind::Bool => f.write_str("true or false"),
            ValueKind::Int(low, MAX_COUNT_SETTING) => write!(f, "a whole number of at least {low}"),
            ValueKind::Int(low, high) => write!(f, "a whole number from {low} to {high}"),
            ValueKind::Float(low, high) => write!(f, "a number from {low} to {high}"),
            ValueKind::OneOf(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

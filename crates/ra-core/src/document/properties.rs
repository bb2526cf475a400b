//! The front matter of a document as pairs of key and value, for filters.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::text::collapse;

/// Keys with a field of their own in the index.
const OWN_FIELDS: [&str; 8] =
    ["title", "tags", "tag", "keywords", "aliases", "alias", "description", "summary"];

/// The maximum number of properties of a document.
const MAX_PROPERTIES: usize = 256;

/// The maximum number of characters in a key with its parents, and in a value. Longer ones are left out: nobody
/// filters by a paragraph.
const MAX_KEY_CHARS: usize = 100;
const MAX_VALUE_CHARS: usize = 200;

/// One value of the front matter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Property {
    /// Its key in lower case, after those of the tables around it: `author.name`.
    pub key: String,
    /// Its text on one line.
    pub value: String,
}

/// Returns the properties of a document, each once. The items of a list are properties with the same key.
pub(super) fn properties(fields: &Map<String, Value>) -> Vec<Property> {
    let mut found = Vec::new();
    for (key, value) in fields {
        if !OWN_FIELDS.iter().any(|own| key.eq_ignore_ascii_case(own)) {
            collect(&key.to_lowercase(), value, &mut found);
        }
    }
    found.sort();
    found.dedup();
    found.truncate(MAX_PROPERTIES);
    found
}

/// Adds the properties in a value. The parser of the front matter bounds how deep values are nested.
fn collect(key: &str, value: &Value, found: &mut Vec<Property>) {
    if found.len() >= MAX_PROPERTIES || key.chars().nth(MAX_KEY_CHARS).is_some() {
        return;
    }
    let text = match value {
        Value::Null => return,
        Value::Array(items) => return items.iter().for_each(|item| collect(key, item, found)),
        Value::Object(fields) => {
            return fields.iter().for_each(|(inner, value)| {
                collect(&format!("{key}.{}", inner.to_lowercase()), value, found)
            });
        }
        Value::String(text) => collapse(text),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    };
    let is_usable = |text: &str| !text.is_empty() && text.chars().nth(MAX_VALUE_CHARS).is_none();
    if is_usable(&text) && is_usable(key) && !key.contains(char::is_whitespace) {
        found.push(Property { key: key.to_owned(), value: text });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_flattened() {
        let fields = json!({
            "title": "A", "Tags": ["x"], "Status": "Active", "draft": false, "date": "2025-01-02", "weight": 10,
            "owners": ["ann", "bob", "ann"], "author": { "name": "Jane  Doe", "Site": { "url": "x" } },
            "none": null, "empty": "", "with space": 1, "long": "x".repeat(300),
        });
        let Value::Object(fields) = fields else { panic!("an object") };
        let found: Vec<String> =
            properties(&fields).into_iter().map(|Property { key, value }| format!("{key}={value}")).collect();
        assert_eq!(
            found,
            [
                "author.name=Jane Doe",
                "author.site.url=x",
                "date=2025-01-02",
                "draft=false",
                "owners=ann",
                "owners=bob",
                "status=Active",
                "weight=10",
            ]
        );
    }

    #[test]
    fn a_document_has_a_bounded_number_of_them() {
        let fields: Map<String, Value> = (0..5000).map(|nr| (format!("k{nr:04}"), json!(nr))).collect();
        assert_eq!(properties(&fields).len(), MAX_PROPERTIES);
    }
}

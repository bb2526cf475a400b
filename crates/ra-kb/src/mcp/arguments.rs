//! The arguments that tools share, and how arguments are checked against the schema that is derived from them.
//!
//! Some forms that models commonly send instead are converted: a single string for an array, and an array, a number or
//! a boolean written as a string. Anything else is refused with an error that says what is accepted. Serde alone would
//! refuse the first and name no accepted value for the second.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::request_runner::RequestError;
use crate::request::{MAX_BUDGET, MAX_RESULTS, MIN_BUDGET};

/// The arguments of tools that show sections. Their defaults are in the configuration.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(super) struct ResultArguments {
    /// How many results; the configured number if not given
    #[schemars(range(min = 1, max = MAX_RESULTS))]
    pub(super) limit: Option<usize>,
    /// Token budget of the whole answer; the configured one if not given
    #[schemars(range(min = MIN_BUDGET, max = MAX_BUDGET))]
    pub(super) max_tokens: Option<usize>,
    /// Only ids, headings and snippets, no text
    #[serde(default)]
    pub(super) list: bool,
}

/// The maximum length of a string, unless the schema allows more.
const MAX_ARGUMENT_CHARS: usize = 4000;
/// The maximum number of items in an array, unless the schema says otherwise.
const MAX_LIST_ITEMS: usize = 100;

/// Checks arguments against the schema and deserializes them.
pub(super) fn read<T: DeserializeOwned>(
    schema: &JsonObject,
    mut arguments: JsonObject,
) -> Result<T, RequestError> {
    // Some clients send every argument, with `null` for the unused ones.
    arguments.retain(|_, value| !value.is_null());
    let known = schema.get("properties").and_then(Value::as_object);
    for (name, value) in &mut arguments {
        if let Some(meant) = known.and_then(|known| known.get(name)).and_then(|rule| coerce(rule, value)) {
            *value = meant;
        }
    }
    check(schema, &arguments)?;
    serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        RequestError::new(format!("the arguments cannot be read: {error}"), "see the tool's schema")
    })
}

/// Converts a value to the type that the schema asks for; `None` if the value is used as it is.
fn coerce(rule: &Value, value: &Value) -> Option<Value> {
    match (kind(rule), value) {
        // In JSON, 2.0 is an integer too.
        ("integer", Value::Number(number)) => {
            let whole = number.as_f64().filter(|whole| number.is_f64() && whole.fract() == 0.0);
            whole.map(|whole| Value::from(whole as i64))
        }
        ("integer", Value::String(text)) => text.trim().parse::<i64>().ok().map(Value::from),
        ("boolean", Value::String(text)) => match text.trim().to_lowercase().as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        ("array", Value::String(text)) if text.trim().is_empty() => Some(Value::Array(Vec::new())),
        ("array", Value::String(text)) => {
            let array = text.trim_start().starts_with('[').then(|| serde_json::from_str(text).ok()).flatten();
            let strings = array.filter(|items: &Vec<Value>| items.iter().all(Value::is_string));
            Some(Value::Array(strings.unwrap_or_else(|| vec![value.clone()])))
        }
        _ => None,
    }
}

fn check(schema: &JsonObject, arguments: &JsonObject) -> Result<(), RequestError> {
    let empty = JsonObject::new();
    let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    for (name, value) in arguments {
        let Some(rule) = known.get(name) else { return Err(unknown(name, known)) };
        if let Err(problem) = follow(rule, value) {
            return Err(RequestError::new(format!("`{name}` {problem}"), example(name, rule)));
        }
    }
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    match required.filter_map(Value::as_str).find(|name| !arguments.contains_key(*name)) {
        Some(name) => {
            let hint = known.get(name).map(|rule| example(name, rule)).unwrap_or_default();
            Err(RequestError::new(format!("`{name}` is missing"), hint))
        }
        None => Ok(()),
    }
}

fn unknown(name: &str, known: &JsonObject) -> RequestError {
    // A misspelled name comes from the client, so only its beginning is repeated.
    let name: String = name.chars().take(60).collect();
    let names = known.keys().map(String::as_str);
    let near = ra_core::text::nearest(&name, names.clone()).first().copied();
    // A singular such as `query` for `queries` is farther away than a typo.
    let begins = |known: &&str| name.len() >= 4 && known.get(..4) == name.get(..4);
    let hint = match near.or_else(|| names.clone().find(begins)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "this tool takes no arguments".to_owned(),
        None => format!("the arguments are {}", names.collect::<Vec<_>>().join(", ")),
    };
    RequestError::new(format!("there is no argument `{name}`"), hint)
}

/// Checks one value against its rule; the error says what is wrong with it.
fn follow(rule: &Value, value: &Value) -> Result<(), String> {
    let kind = kind(rule);
    if !has_type(value, kind) {
        return Err(format!("must be {}", named(kind)));
    }
    match value {
        Value::Number(number) => {
            let bound = |name| rule.get(name).and_then(Value::as_i64);
            let (least, most) = (bound("minimum").unwrap_or(i64::MIN), bound("maximum").unwrap_or(i64::MAX));
            match number.as_i64() {
                Some(number) if (least..=most).contains(&number) => Ok(()),
                _ => Err(format!("must be from {least} to {most}")),
            }
        }
        Value::String(text) => {
            let most = rule
                .get("maxLength")
                .and_then(Value::as_u64)
                .map_or(MAX_ARGUMENT_CHARS, |most| most as usize);
            if text.chars().count() > most {
                Err(format!("is longer than {most} characters"))
            } else {
                Ok(())
            }
        }
        Value::Array(items) => {
            let most =
                rule.get("maxItems").and_then(Value::as_u64).map_or(MAX_LIST_ITEMS, |most| most as usize);
            let least = rule.get("minItems").and_then(Value::as_u64).map_or(0, |least| least as usize);
            if items.len() > most {
                return Err(format!("has {} items; at most {most} are taken", items.len()));
            }
            if items.len() < least {
                return Err("is empty".to_owned());
            }
            let inner = rule.get("items").unwrap_or(&Value::Null);
            items.iter().try_for_each(|item| {
                follow(inner, item).map_err(|problem| format!("has an item that {problem}"))
            })
        }
        _ => Ok(()),
    }
}

fn kind(rule: &Value) -> &str {
    rule.get("type").and_then(Value::as_str).unwrap_or("anything")
}

fn has_type(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

fn named(kind: &str) -> &str {
    match kind {
        "string" => "a string",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "array" => "an array of strings",
        other => other,
    }
}

fn example(name: &str, rule: &Value) -> String {
    match kind(rule) {
        "integer" => {
            format!("for example {{\"{name}\": {}}}", rule.get("minimum").unwrap_or(&Value::from(1)))
        }
        "boolean" => format!("for example {{\"{name}\": true}}"),
        "array" => format!("for example {{\"{name}\": [\"…\"]}}"),
        _ => format!("for example {{\"{name}\": \"…\"}}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_does_not_follow_the_schema_is_refused_with_a_reason() {
        let schema = json!({
            "type": "object",
            "properties": {
                "queries": { "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": 3 },
                "limit": { "type": "integer", "minimum": 1, "maximum": 100 },
                "list": { "type": "boolean" },
            },
            "required": ["queries"],
        });
        let schema = schema.as_object().expect("an object");
        for (arguments, said) in [
            (json!({ "queries": "a", "limit": 5, "list": true }), ""),
            (json!({ "queries": ["a", "b"], "limit": null }), ""),
            (json!({}), "`queries` is missing"),
            (json!({ "queries": "a", "limt": 5 }), "did you mean `limit`?"),
            (json!({ "query": "a" }), "did you mean `queries`?"),
            (json!({ "queries": "a", "colour": 5 }), "the arguments are queries, limit, list"),
            (json!({ "queries": "a", "limit": 0 }), "`limit` must be from 1 to 100"),
            (json!({ "queries": "a", "limit": 101 }), "`limit` must be from 1 to 100"),
            (json!({ "queries": "a", "limit": "five" }), "`limit` must be a whole number"),
            (json!({ "queries": "a", "limit": "500" }), "`limit` must be from 1 to 100"),
            (json!({ "queries": "a", "list": "yes" }), "`list` must be true or false"),
            (json!({ "queries": "a", "limit": 2.5 }), "`limit` must be a whole number"),
            (json!({ "queries": "a", "limit": u64::MAX }), "`limit` must be from 1 to 100"),
            (json!({ "queries": 7 }), "`queries` must be an array of strings"),
            (json!({ "queries": [] }), "`queries` is empty"),
            (json!({ "queries": " " }), "`queries` is empty"),
            (json!({ "queries": "[]" }), "`queries` is empty"),
            (json!({ "queries": "[\"a\", \"b\", \"c\", \"d\"]" }), "`queries` has 4 items"),
            (json!({ "queries": ["a", 1] }), "`queries` has an item that must be a string"),
            (json!({ "queries": ["a", "b", "c", "d"] }), "`queries` has 4 items; at most 3 are taken"),
            (
                json!({ "queries": "x".repeat(5000) }),
                "`queries` has an item that is longer than 4000 characters",
            ),
        ] {
            let read: Result<Value, RequestError> =
                read(schema, arguments.as_object().expect("an object").clone());
            match read {
                Ok(_) => assert_eq!(said, "", "{arguments}"),
                Err(RequestError::Error(text)) => assert!(!said.is_empty() && text.contains(said), "{text}"),
                Err(other) => panic!("{other:?}"),
            }
        }
    }
    #[test]
    fn forms_that_models_send_mean_what_the_schema_asks_for() {
        let schema = json!({ "properties": {
            "queries": { "type": "array", "items": { "type": "string" } },
            "limit": { "type": "integer" },
            "list": { "type": "boolean" },
            "id": { "type": "string" },
        } });
        for (sent, meant) in [
            (json!({ "queries": "a b" }), json!({ "queries": ["a b"] })),
            (json!({ "queries": "[\"a\", \"b\"]" }), json!({ "queries": ["a", "b"] })),
            (json!({ "queries": "[link] text" }), json!({ "queries": ["[link] text"] })),
            (json!({ "queries": "[1, 2]" }), json!({ "queries": ["[1, 2]"] })),
            (json!({ "limit": "5" }), json!({ "limit": 5 })),
            (json!({ "limit": 5.0 }), json!({ "limit": 5 })),
            (json!({ "list": "true" }), json!({ "list": true })),
            (json!({ "list": "False" }), json!({ "list": false })),
            (json!({ "id": "5" }), json!({ "id": "5" })),
        ] {
            let schema = schema.as_object().expect("an object");
            let read: Value = read(schema, sent.as_object().expect("an object").clone()).expect("arguments");
            assert_eq!(read, meant, "{sent}");
        }
    }
}

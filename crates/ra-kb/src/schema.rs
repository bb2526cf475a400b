//! Derives JSON schemas from types: for the answers of commands, and for the arguments of tools.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// Derives the schema of a type that is read from JSON.
pub(crate) fn of_input<T: JsonSchema>() -> Map<String, Value> {
    derive::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

/// Derives the schema of a type that is written as JSON.
#[cfg(test)]
pub(crate) fn of_output<T: JsonSchema>() -> Map<String, Value> {
    derive::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn derive<T: JsonSchema>(settings: SchemaSettings) -> Map<String, Value> {
    let settings = settings.with_transform(RecursiveTransform(simplify));
    match settings.into_generator().into_root_schema_for::<T>().to_value() {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

/// Keeps what a reader needs of a schema. The sizes of Rust's numbers are left out, and an object has no other
/// fields than those of its type.
fn simplify(schema: &mut Schema) {
    schema.remove("format");
    // The configuration decides about defaults, which the type doesn't know.
    schema.remove("default");
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ");
    }
    drop_nulls(schema);
    let is_struct = schema.get("type").is_some_and(|kind| kind == "object");
    if is_struct && schema.get("additionalProperties").is_none() {
        schema.ensure_object().entry("properties").or_insert_with(|| Map::new().into());
        schema.insert("additionalProperties".to_owned(), false.into());
    }
}

/// Removes `null` from the types of fields that may be absent. They are left out instead of being null.
fn drop_nulls(schema: &mut Schema) {
    let required: Vec<String> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect();
    let Some(Value::Object(fields)) = schema.get_mut("properties") else { return };
    for (_, field) in fields.iter_mut().filter(|(name, _)| !required.contains(name)) {
        let Value::Object(field) = field else { continue };
        if let Some(Value::Array(types)) = field.get_mut("type") {
            types.retain(|name| name != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                field.insert("type".to_owned(), only);
            }
        }
        if let Some(Value::Array(mut choices)) = field.shift_remove("anyOf") {
            choices.retain(|choice| choice["type"] != "null");
            match choices.pop() {
                Some(Value::Object(only)) if choices.is_empty() => field.extend(only),
                last => {
                    choices.extend(last);
                    field.insert("anyOf".to_owned(), choices.into());
                }
            }
        }
    }
}

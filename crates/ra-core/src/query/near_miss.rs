//! Words that look like something that the query language doesn't have: fields, wildcards.

use super::Field;
use super::chars::{ends_here, is_quote};
use crate::text;

/// A longer name before a colon isn't taken for a misspelled field.
pub(super) const MAX_FIELD_NAME: usize = 24;

/// Returns the beginning of a word that ends with a star. Anything else with stars is code or markup.
pub(super) fn wildcard(raw: &str) -> Option<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    raw.strip_suffix('*').filter(|word| word.chars().nth(1).is_some() && word.chars().all(is_part))
}

/// Returns a message and a hint about a word at the start of `rest` that looks like a field but isn't one. Times,
/// addresses, paths and `std::fs` don't look like one.
pub(super) fn almost_field(rest: &str) -> Option<(String, String)> {
    let is_name = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-');
    let name = &rest[..rest.bytes().take(MAX_FIELD_NAME).take_while(is_name).count()];
    let value = rest[name.len()..].strip_prefix(':').filter(|_| name.len() > 1)?;
    if name.parse::<Field>().is_ok() {
        let message = format!("nothing follows `{name}:`, so it is read as a word");
        let hint = format!("write the value directly after the colon: `{name}:word`");
        return ends_here(value).then_some((message, hint));
    }
    let names = Field::ALL.map(Field::as_str);
    let near = text::nearest(name, names);
    let first = value.chars().next()?;
    let is_value = first.is_alphabetic() || is_quote(first) || matches!(first, '_' | '(');
    // `localhost:8080` isn't a mistake, but `titel:8080` is.
    if !is_value && (near.is_empty() || !first.is_numeric()) {
        return None;
    }
    let hint = match near.first() {
        Some(field) => format!("did you mean `{field}:`?"),
        None => format!("the fields are {}; write `{name}\\:` to mean the text", names.join(", ")),
    };
    Some((format!("`{name}` is not a field, so `{name}:` is read as text"), hint))
}

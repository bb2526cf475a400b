//! Finds the id of a request that is too long to be read: at its beginning, or at its end, where most clients
//! write it.

use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

/// How many bytes at the end of a message are searched for an id.
pub(super) const TAIL_BYTES: usize = 512;

/// Returns the id of a message of which only the beginning is known.
pub(super) fn id_at_start(beginning: &[u8]) -> Option<Value> {
    let mut found = None;
    // The text is truncated, so this always fails; the id may have been found by then.
    let _ = serde_json::Deserializer::from_slice(beginning).deserialize_map(Members { id: &mut found });
    found.filter(is_id)
}

/// Returns the id of a message of which only the last bytes are known. It must be one of the members after the
/// last nested value.
pub(super) fn id_at_end(end: &[u8]) -> Option<Value> {
    let end = String::from_utf8_lossy(end);
    let mut starts = end.match_indices(",\"").map(|(at, _)| at + 1);
    let members = starts.find_map(|at| serde_json::from_str::<Value>(&format!("{{{}", &end[at..])).ok());
    members.and_then(|members| members.get("id").cloned()).filter(is_id)
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.is_number()
}

/// Reads the members of an object up to its id, and keeps that.
struct Members<'a> {
    id: &'a mut Option<Value>,
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        while let Some(name) = members.next_key::<String>()? {
            if name == "id" {
                *self.id = Some(members.next_value()?);
                return Ok(());
            }
            members.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_id_is_found_at_either_end_of_a_message() {
        for (text, start, end) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":"bbb"#, Some(json!(7)), None),
            (r#"{"id":"seven","params":["#, Some(json!("seven")), None),
            (r#"{"method":"x","params":{"id":3,"a":"#, None, None),
            (r#"bbb","id":3}},"jsonrpc":"2.0","id":9}"#, None, Some(json!(9))),
            (r#"bbb"}},"id":"nine","jsonrpc":"2.0"}"#, None, Some(json!("nine"))),
            (r#"bbb","id":3}}"#, None, None),
            (r#"bbb,\"id\":3}"#, None, None),
            ("", None, None),
            ("[1,2", None, None),
            (r#"{"id":{},"a":"#, None, None),
        ] {
            assert_eq!((id_at_start(text.as_bytes()), id_at_end(text.as_bytes())), (start, end), "{text}");
        }
    }
}

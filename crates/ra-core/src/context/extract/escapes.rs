//! Escapes in strings and entities in text, which aren't words.

/// Returns the length of an escape in a string, such as `\n` or `\u{1F600}`; the text begins with the backslash.
pub(super) fn escape_length(text: &str) -> usize {
    let mut chars = text.chars().skip(1);
    let Some(first) = chars.next() else { return 1 };
    let hex = |from: usize, most: usize| {
        let digits = text.as_bytes().get(from..).unwrap_or_default().iter().take(most);
        from + digits.take_while(|byte| byte.is_ascii_hexdigit()).count()
    };
    match first {
        'x' => hex(2, 2),
        'u' if text[2..].starts_with('{') => hex(3, 6),
        'u' => hex(2, 4),
        'U' => hex(2, 8),
        _ => 1 + first.len_utf8(),
    }
}

/// Returns the length of an entity such as `&nbsp;` or `&#x20;`; the text begins with the ampersand.
pub(super) fn entity_length(text: &str) -> Option<usize> {
    let name = text
        .bytes()
        .skip(1)
        .take(32)
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#')
        .count();
    (name > 0 && text.as_bytes().get(name + 1) == Some(&b';')).then_some(name + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_entities_have_a_length() {
        for (text, expected) in
            [("\\n", 2), ("\\x1b[", 4), ("\\u{e9}t", 5), ("\\u00e9t", 6), ("\\", 1), ("\\é", 3)]
        {
            assert_eq!(escape_length(text), expected, "{text}");
        }
        for (text, expected) in [("&nbsp;b", Some(6)), ("&#x20;", Some(6)), ("& b", None), ("&D", None)] {
            assert_eq!(entity_length(text), expected, "{text}");
        }
    }
}

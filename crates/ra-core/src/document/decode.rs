//! Decodes bytes to text.

/// True for bytes with a byte order mark of UTF-16.
pub fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}

/// Decodes `bytes`: as UTF-16 if there is a byte order mark for it, else as UTF-8. Invalid bytes become U+FFFD; the
/// second value is the offset of the first one in the text. A byte order mark stays in the text.
pub fn decode(bytes: Vec<u8>) -> (String, Option<usize>) {
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => decode_utf16(&bytes, u16::from_le_bytes),
        [0xfe, 0xff, ..] => decode_utf16(&bytes, u16::from_be_bytes),
        _ => String::from_utf8(bytes).map(|text| (text, None)).unwrap_or_else(|error| {
            let valid = error.utf8_error().valid_up_to();
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(valid))
        }),
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (String, Option<usize>) {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len());
    let mut first_invalid = None;
    for decoded in char::decode_utf16(pairs.iter().copied().map(unit)) {
        if decoded.is_err() {
            first_invalid.get_or_insert(text.len());
        }
        text.push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    if !rest.is_empty() {
        first_invalid.get_or_insert(text.len());
        text.push(char::REPLACEMENT_CHARACTER);
    }
    (text, first_invalid)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bytes_become_text() {
        for (bytes, text, invalid) in [
            (b"".as_slice(), "", None),
            ("h\u{e9}".as_bytes(), "hé", None),
            (b"\xef\xbb\xbf# A", "\u{feff}# A", None),
            (b"ab\xffcd", "ab\u{fffd}cd", Some(2)),
            (b"ab\xe2\x82", "ab\u{fffd}", Some(2)),
            (b"\xff\xfe#\0 \0\xe9\0", "\u{feff}# é", None),
            (b"\xfe\xff\0#\0 \0\xe9", "\u{feff}# é", None),
            (b"\xff\xfea\0\x3d\xd8\x80\xde", "\u{feff}a\u{1f680}", None),
            (b"\xff\xfea\0\x3d\xd8b\0", "\u{feff}a\u{fffd}b", Some(4)),
            (b"\xff\xfea\0b", "\u{feff}a\u{fffd}", Some(4)),
        ] {
            assert_eq!(decode(bytes.to_vec()), (text.to_owned(), invalid), "{bytes:x?}");
        }
    }

    proptest! {
        #[test]
        fn text_before_invalid_bytes_is_kept(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let (text, invalid) = decode(bytes.clone());
            if let Some(at) = invalid {
                prop_assert!(text[at..].starts_with(char::REPLACEMENT_CHARACTER));
                prop_assert!(is_utf16(&bytes) || text.as_bytes()[..at] == bytes[..at]);
            }
        }
    }
}

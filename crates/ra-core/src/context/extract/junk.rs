//! Detects things that look like words but aren't: addresses, hashes, encoded data, numbers.

/// The minimum length of encoded data.
const MIN_BLOB: usize = 24;
/// Data of this length is also recognized by fewer changes, if it contains digits: images begin with zeros.
const LONG_BLOB: usize = 64;
/// The minimum length of an abbreviated hash.
const MIN_HASH: usize = 7;
/// A token that begins with a digit is a word if it has more letters than this: `10ms` is a number, `3scale` a name.
const UNIT: usize = 3;

/// Returns the end of the longest run of base64 characters, standard or URL-safe, from `start`.
pub(super) fn run_end(text: &str, start: usize) -> usize {
    let bytes = &text.as_bytes()[start..];
    let inside = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/=_-".contains(byte);
    start + bytes.iter().take_while(inside).count()
}

/// True for encoded data. Names change between lower case, upper case and digits once per word; data does so at nearly
/// every second character.
pub(super) fn is_blob(run: &str) -> bool {
    let kind = |byte: u8| match byte {
        b'a'..=b'z' => Some(0),
        b'A'..=b'Z' => Some(1),
        b'0'..=b'9' => Some(2),
        _ => None,
    };
    let changes = run.as_bytes().windows(2).filter(|pair| match (kind(pair[0]), kind(pair[1])) {
        // An upper-case letter before a lower-case one begins a word.
        (Some(1), Some(0)) => false,
        (Some(before), Some(after)) => before != after,
        _ => false,
    });
    let changes = changes.count();
    let digits = run.bytes().filter(u8::is_ascii_digit).count();
    let is_long_blob = run.len() >= LONG_BLOB && changes * 7 >= run.len() && digits * 20 >= run.len();
    is_long_blob || (run.len() >= MIN_BLOB && changes * 4 >= run.len())
}

/// True for numbers in any base, with or without units.
pub(super) fn is_number(word: &str) -> bool {
    let starts_with_digit = word.starts_with(|c: char| c.is_numeric());
    let is_coded = word.starts_with("0x") || word.starts_with("0X");
    starts_with_digit && (is_coded || word.chars().filter(|c| c.is_alphabetic()).count() <= UNIT)
}

/// True for hashes and UUIDs: hexadecimal digits that aren't all letters.
pub(super) fn is_hash(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_hex = word.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    is_hex && word.len() >= MIN_HASH && digits >= 2
}

/// Returns the end of an address whose first word ends at `end`, if it is one: `https://…`, `www.…`, `mailto:…`,
/// `name@host`.
pub(super) fn address_end(text: &str, word: &str, end: usize) -> Option<usize> {
    let rest = &text[end..];
    let is_url = rest.starts_with("://") || (word == "www" && rest.starts_with('.'));
    if is_url || (word == "mailto" && rest.starts_with(':')) {
        let stop = |c: char| c.is_whitespace() || "\"'`<>()[]{}|\\".contains(c);
        return Some(rest.find(stop).map_or(text.len(), |length| end + length));
    }
    let host = rest.strip_prefix('@')?;
    let length =
        host.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-').unwrap_or(host.len());
    host[..length].contains('.').then_some(end + 1 + length)
}

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
    fn data_is_told_from_names() {
        for (run, expected) in [
            (
                "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg",
                true,
            ),
            ("testThatTheParserOfTheConfigurationHandlesAllValuesOfAllKindsInV2", false),
            ("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", true),
            ("sha512-x9Kq3LmPzR7bV2nW8sTf5YdHcJ4Gg6", true),
            ("AbstractSingletonProxyFactoryBeanV2", false),
            ("src/components/user/ProfileSettings", false),
            ("MAX_RETRY_COUNT_BEFORE_GIVING_UP_10", false),
            ("a1B2c3", false),
        ] {
            assert_eq!(is_blob(run), expected, "{run}");
        }
    }

    #[test]
    fn numbers_and_hashes_are_told_from_words() {
        for word in ["1", "10ms", "0xdeadbeef", "1e10", "2024-01-02", "64kB"] {
            assert!(is_number(word), "{word}");
        }
        for word in ["3scale", "k8s", "v1", "i18n"] {
            assert!(!is_number(word), "{word}");
        }
        for word in ["1a2b3c4", "550e8400-e29b-41d4-a716-446655440000", "DA39A3EE5E6B4B0D"] {
            assert!(is_hash(word), "{word}");
        }
        for word in ["deadbeef", "facade", "decade1", "sha256"] {
            assert!(!is_hash(word), "{word}");
        }
    }
}

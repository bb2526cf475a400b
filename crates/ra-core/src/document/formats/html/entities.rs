//! Decodes character references: `&amp;`, `&#38;` and `&#x26;`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

/// All names of the HTML standard with their code points in hexadecimal. A name without a semicolon is one that old
/// pages may write without it.
static NAMES: LazyLock<HashMap<&str, String>> = LazyLock::new(|| {
    let entry = |line: &'static str| {
        let (name, points) = line.split_once(' ')?;
        let chars =
            points.split(' ').filter_map(|point| char::from_u32(u32::from_str_radix(point, 16).ok()?));
        Some((name, chars.collect()))
    };
    include_str!("entities.txt").lines().filter_map(entry).collect()
});

/// The length of the longest name.
const MAX_NAME_BYTES: usize = 32;

/// The length of the longest name that may lack its semicolon.
const MAX_BARE_NAME_BYTES: usize = 6;

/// The characters that the references `&#128;` to `&#159;` mean. As in a browser, they are those of Windows-1252.
const WINDOWS_1252: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// Decodes all references in a text.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'&', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut decoded = String::with_capacity(text.len());
    decoded.push_str(&text[..first]);
    let mut rest = &text[first..];
    while !rest.is_empty() {
        let taken = push_reference(rest, &mut decoded);
        let after = &rest[taken..];
        let next = memchr::memchr(b'&', after.as_bytes()).unwrap_or(after.len());
        decoded.push_str(&after[..next]);
        rest = &after[next..];
    }
    Cow::Owned(decoded)
}

/// Decodes the reference at the start of `text`, which begins with `&`, and returns its length. If it isn't one, the
/// `&` is text.
fn push_reference(text: &str, decoded: &mut String) -> usize {
    let after = &text[1..];
    if let Some(number) = after.strip_prefix('#') {
        if let Some((c, digits)) = numeric(number) {
            decoded.push(c);
            return 2 + digits;
        }
    } else if let Some((chars, length)) = named(after) {
        decoded.push_str(chars);
        return 1 + length;
    }
    decoded.push('&');
    1
}

/// Returns the character of a number such as `38;` or `x26;`, and the length of that number.
fn numeric(text: &str) -> Option<(char, usize)> {
    let (digits, radix) = match text.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => (hexadecimal, 16),
        None => (text, 10),
    };
    let length =
        digits.bytes().position(|byte| !byte.is_ascii_hexdigit() || radix == 10 && !byte.is_ascii_digit());
    let length = length.unwrap_or(digits.len());
    if length == 0 {
        return None;
    }
    let value = u32::from_str_radix(&digits[..length], radix).unwrap_or(u32::MAX);
    let c = match value {
        0x80..=0x9f => WINDOWS_1252.chars().nth(value as usize - 0x80),
        0 => None,
        _ => char::from_u32(value),
    };
    let semicolon = usize::from(digits[length..].starts_with(';'));
    Some((c.unwrap_or(char::REPLACEMENT_CHARACTER), text.len() - digits.len() + length + semicolon))
}

/// Returns the characters that the name at the start of `text` means, and the length of that name.
fn named(text: &str) -> Option<(&'static str, usize)> {
    let word = text.bytes().take(MAX_NAME_BYTES).take_while(u8::is_ascii_alphanumeric).count();
    let find = |length: usize| NAMES.get(text.get(..length)?).map(|chars| (chars.as_str(), length));
    if text[word..].starts_with(';')
        && let Some(found) = find(word + 1)
    {
        return Some(found);
    }
    // `&copy2024` is a name and digits, but `?a=1&copy=2` is part of an address.
    (2..=word.min(MAX_BARE_NAME_BYTES)).rev().find_map(find).filter(|(_, length)| {
        let next = text.as_bytes().get(*length);
        *length == word && next != Some(&b'=')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_decoded_as_in_a_browser() {
        for (text, expected) in [
            ("a & b && c", "a & b && c"),
            ("&amp;lt; &lt;&gt; &quot;&apos;", "&lt; <> \"'"),
            ("&nbsp;&copy;&hellip;&Aacute;", "\u{a0}©…Á"),
            ("&copy 2024 &lt", "© 2024 <"),
            ("?a=1&copy=2&lang=x", "?a=1&copy=2&lang=x"),
            ("&CounterClockwiseContourIntegral; &unknown; &", "∳ &unknown; &"),
            ("&#65;&#x42;&#X43;&#68 &#; &#x;", "ABCD &#; &#x;"),
            ("&#0;&#xd800;&#99999999999;&#150;", "\u{fffd}\u{fffd}\u{fffd}–"),
            ("&#xe9;é&é", "éé&é"),
        ] {
            assert_eq!(decode(text), expected, "{text}");
        }
    }
}

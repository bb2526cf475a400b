//! The part of a file that is analyzed.

use std::borrow::Cow;

use crate::document::{decode, is_utf16};

/// Returns the text in the first `size` bytes, without a line or character that is cut at the end. Invalid bytes are
/// replaced by U+FFFD. If the file is longer, `bytes` must have at least one byte more than `size`, or the cut isn't
/// noticed.
pub fn sample(bytes: &[u8], size: usize) -> Cow<'_, str> {
    let is_cut = bytes.len() > size;
    let taken = &bytes[..bytes.len().min(size)];
    let mut text = match is_utf16(bytes) {
        // A character that is cut in its middle isn't invalid.
        true => Cow::Owned(decode(taken[..taken.len() & !1].to_vec()).0),
        false => decode_utf8(taken, is_cut),
    };
    if is_cut && let Some(end) = last_line_end(&text) {
        match &mut text {
            Cow::Borrowed(text) => *text = &text[..end],
            Cow::Owned(text) => text.truncate(end),
        }
    }
    text
}

/// Returns the end of the last whole line; `None` if more than half of the text would be lost.
fn last_line_end(text: &str) -> Option<usize> {
    text.rfind('\n').map(|at| at + 1).filter(|&end| end >= text.len() / 2)
}

fn decode_utf8(bytes: &[u8], is_cut: bool) -> Cow<'_, str> {
    let incomplete = match bytes.utf8_chunks().last() {
        Some(last)
            if is_cut && str::from_utf8(last.invalid()).is_err_and(|error| error.error_len().is_none()) =>
        {
            last.invalid().len()
        }
        _ => 0,
    };
    String::from_utf8_lossy(&bytes[..bytes.len() - incomplete])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn samples_end_between_lines_and_characters() {
        for (bytes, size, text) in [
            ("abc".as_bytes(), 10, "abc"),
            (b"abc", 3, "abc"),
            (b"ab\ncd\nef", 7, "ab\ncd\n"),
            (b"a\nlong line", 8, "a\nlong l"),
            ("aé".as_bytes(), 2, "a"),
            (b"a\xff", 10, "a\u{fffd}"),
            (b"a\xe2\x82", 10, "a\u{fffd}"),
            (b"\xff\xfea\0b\0", 100, "\u{feff}ab"),
            (b"abc", 0, ""),
            (b"", 0, ""),
        ] {
            assert_eq!(sample(bytes, size), text, "{bytes:x?}");
        }
    }

    proptest! {
        #[test]
        fn a_sample_is_a_prefix(text in "[a\u{e9}\u{1f600}\n]{0,40}", size in 0usize..100) {
            let sample = sample(text.as_bytes(), size);
            prop_assert!(text.starts_with(sample.as_ref()));
            prop_assert!(sample.len() <= size);
        }

        #[test]
        fn any_bytes_will_do(bytes in proptest::collection::vec(any::<u8>(), 0..60), size in 0usize..70) {
            let _ = sample(&bytes, size);
        }
    }
}

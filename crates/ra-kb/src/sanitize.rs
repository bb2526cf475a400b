//! Sanitizes text from documents, file names and arguments: none of it may move the cursor, change colors, or
//! reorder or hide text. See [`ra_core::text::escape`].

use std::borrow::Cow;

use ra_core::text::escape;

/// The escape sequences of the styles that answers use.
const STYLES: &[&str] = &["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"];

/// Escapes control characters, but keeps our own styles.
pub(crate) fn sanitize_styled(text: &str) -> Cow<'_, str> {
    if !text.contains(|c: char| c.is_control() && c != '\n' || !c.is_ascii()) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\x1b') {
        let (before, after) = rest.split_at(at);
        let style = STYLES.iter().find(|style| after.starts_with(**style)).copied();
        clean.push_str(&sanitize(before));
        clean.push_str(style.unwrap_or("\\u{1b}"));
        rest = &after[style.map_or(1, str::len)..];
    }
    clean.push_str(&sanitize(rest));
    Cow::Owned(clean)
}

/// Escapes control characters, but keeps newlines.
pub(crate) fn sanitize(text: &str) -> Cow<'_, str> {
    escape::characters(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_styles_are_left_as_they_are() {
        use crate::output::{BAD, FAINT, GOOD, HEADING, MATCH, NAME, WARN};
        for style in [BAD, FAINT, GOOD, HEADING, MATCH, NAME, WARN] {
            let text = format!("{style}e\x1b[34m\x1b]0;x\x07{style:#}\n");
            let clean = format!("{style}e\\u{{1b}}[34m\\u{{1b}}]0;x\\u{{7}}{style:#}\n");
            assert_eq!(sanitize_styled(&text), clean);
        }
    }
}

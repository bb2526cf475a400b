//! What comes from documents, file names and arguments on a terminal: nothing in it may move the cursor, change colours
//! or hide.

use std::borrow::Cow;

/// The codes of the styles that answers are written in.
const STYLES: &[&str] = &["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"];

/// Does what [`sanitize`] does to a text that has styles of ours in it, and leaves these.
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
        clean.push_str(style.unwrap_or("\u{241b}"));
        rest = &after[style.map_or(1, str::len)..];
    }
    clean.push_str(&sanitize(rest));
    Cow::Owned(clean)
}

/// Replaces control characters by visible ones, and takes out characters that reorder or hide text.
pub(crate) fn sanitize(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => clean.push(c),
            // A carriage return would overwrite the line; at a line's end it is only a line end.
            '\r' => {}
            '\u{0}'..='\u{1f}' => clean.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}')),
            '\u{7f}' => clean.push('\u{2421}'),
            '\u{80}'..='\u{9f}' => clean.push('\u{fffd}'),
            '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}' => {}
            '\u{e0000}'..='\u{e007f}' => {}
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_styles_are_left_as_they_are() {
        use crate::output::{BAD, FAINT, GOOD, HEADING, MATCH, NAME, WARN};
        for style in [BAD, FAINT, GOOD, HEADING, MATCH, NAME, WARN] {
            let text = format!("{style}e\x1b[34m\x1b]0;x\x07{style:#}\n");
            let clean = format!("{style}e\u{241b}[34m\u{241b}]0;x\u{2407}{style:#}\n");
            assert_eq!(sanitize_styled(&text), clean);
        }
    }

    #[test]
    fn nothing_reaches_the_terminal_but_text() {
        for (text, clean) in [
            ("plain é 漢字\ttab\n", "plain é 漢字\ttab\n"),
            ("\u{1b}[31mred", "\u{241b}[31mred"),
            ("a\rb\u{7}", "ab\u{2407}"),
            ("x\u{202e}y\u{200b}\u{61c}z", "xyz"),
            ("\u{9b}31m", "\u{fffd}31m"),
        ] {
            assert_eq!(sanitize(text), clean);
        }
    }
}

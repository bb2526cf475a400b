//! Document text on a terminal: nothing in it may move the cursor, change colours or hide.

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

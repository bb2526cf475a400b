//! Writes text as markdown that means what the text said in its source.

use std::borrow::Cow;

/// The beginning of the reason for a file that could be read, but has no text.
pub(in super::super) const NO_TEXT: &str = "no text";

/// The largest file that is converted.
pub(super) const MAX_INPUT_BYTES: usize = 64 << 20;

/// The largest result of a conversion.
pub(super) const MAX_OUTPUT_BYTES: usize = 32 << 20;

/// The maximum length of a heading.
const MAX_HEADING_CHARS: usize = 2_000;

/// Collapses white space, and drops control characters and the end of an overlong text.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let filled: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    filled.join(" ").chars().take(MAX_HEADING_CHARS).collect()
}

/// True if the alternative text of a picture says something: it isn't empty, and not the name of a file or an address.
pub(super) fn is_description(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && (text.contains(char::is_whitespace) || !text.contains(['.', '/', '\\']))
}

/// Escapes a paragraph, which is one line, so it can't become a heading, a fence, front matter, HTML, a link or a tag.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    let from_start = if starts_block(text) { "\\" } else { "" };
    if from_start.is_empty() && !text.contains(['<', '#', '[']) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    escaped.push_str(from_start);
    let mut before = if from_start.is_empty() { ' ' } else { '\\' };
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        let is_markup = match c {
            '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
            '#' => before.is_whitespace() && (next.is_alphanumeric() || next == '_'),
            // Also keeps `[^1]` from being a footnote, and `[[page]]` from being a link.
            '[' => before != '\\' && matches!(next, '[' | '^'),
            '(' => before == ']',
            _ => false,
        };
        if is_markup && before != '\\' {
            escaped.push('\\');
        }
        escaped.push(c);
        before = c;
    }
    Cow::Owned(escaped)
}

/// True if a line would begin a block other than a paragraph or a list.
fn starts_block(line: &str) -> bool {
    let only = |marks: &[char]| line.chars().all(|c| marks.contains(&c) || c == ' ');
    match line.as_bytes().first() {
        Some(b'#') => line.trim_start_matches('#').starts_with([' ', '\t']) || only(&['#']),
        Some(b'`') => line.starts_with("```"),
        Some(b'~') => line.starts_with("~~~"),
        Some(b'=') => only(&['=']),
        Some(b'-') => only(&['-', ':', '|']),
        Some(b'+') => only(&['+']),
        Some(b'*') => only(&['*']),
        Some(b'_') => only(&['_']),
        Some(b'>' | b'|' | b'[') => true,
        _ => false,
    }
}

/// Escapes the text of a heading, where emphasis and code would change the title.
pub(super) fn escape_heading(text: &str) -> String {
    let line = one_line(text);
    let mut escaped = String::with_capacity(line.len() + 8);
    let mut before = ' ';
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        let is_markup = match c {
            '*' | '`' | '[' | ']' => true,
            '_' => !(before.is_alphanumeric() && next.is_alphanumeric()),
            '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
            '#' => before.is_whitespace() || next.is_whitespace(),
            '{' => next == '#',
            '\\' => next.is_ascii_punctuation(),
            _ => false,
        };
        if is_markup {
            escaped.push('\\');
        }
        escaped.push(c);
        before = c;
    }
    escaped
}

/// Returns a heading with a blank line after it.
pub(super) fn heading(level: usize, text: &str) -> String {
    format!("{} {}\n\n", "#".repeat(level.clamp(1, 6)), escape_heading(text))
}

/// Returns a fence for lines of code that none of them can close.
pub(super) fn fence_around(code: &str) -> String {
    let lines = code.lines().map(str::trim_start);
    let longest = lines.map(|line| line.len() - line.trim_start_matches('`').len()).max();
    "`".repeat(longest.unwrap_or(0).max(2) + 1)
}

/// Returns lines of code in a fence.
pub(super) fn fenced(code: &str) -> String {
    let fence = fence_around(code);
    format!("{fence}\n{}\n{fence}\n\n", code.trim_end_matches('\n'))
}

/// Returns `markdown` if it is within the limit.
pub(super) fn within_limit(markdown: String) -> Result<String, String> {
    if markdown.len() > MAX_OUTPUT_BYTES {
        return Err(output_too_large());
    }
    Ok(markdown)
}

/// Returns the error for a file whose text is larger than the limit.
pub(super) fn output_too_large() -> String {
    format!("its text is larger than {} MiB", MAX_OUTPUT_BYTES >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_looks_like_markdown_is_escaped() {
        for (text, expected) in [
            ("plain text, a_b * c", "plain text, a_b * c"),
            ("# no heading", "\\# no heading"),
            ("a #tag, C# and #1", "a \\#tag, C# and \\#1"),
            ("```", "\\```"),
            ("---", "\\---"),
            ("===", "\\==="),
            ("- item", "- item"),
            ("> quote", "\\> quote"),
            ("|a|b|", "\\|a|b|"),
            ("[x]: http://x", "\\[x]: http://x"),
            ("see [[x]] and [a](b) [1]", "see \\[[x]] and [a]\\(b) [1]"),
            ("a <b> c < d <!-- e", "a \\<b> c < d \\<!-- e"),
        ] {
            assert_eq!(escape(text), expected, "{text:?}");
        }
        assert_eq!(
            heading(2, "The `__init__` of\n a_b #1 {#x}"),
            "## The \\`\\_\\_init\\_\\_\\` of a_b \\#1 \\{#x}\n\n"
        );
    }

    #[test]
    fn a_fence_is_longer_than_those_inside() {
        assert_eq!(fenced("a\n"), "```\na\n```\n\n");
        assert_eq!(fenced("  ```` x\n"), "`````\n  ```` x\n`````\n\n");
    }
}

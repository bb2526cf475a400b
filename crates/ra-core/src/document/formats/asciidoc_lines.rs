//! The kinds of lines in AsciiDoc: delimiters, attributes, comments and list markers.

use super::super::BlockKind;
use super::line_scan::{SourceLine, find_line};

/// Returns the kind of block that a delimiter line opens.
pub(super) fn delimiter(line: &SourceLine<'_>) -> Option<BlockKind> {
    let content = line.content;
    let is_uniform = || content.bytes().all(|byte| byte == content.as_bytes()[0]);
    match content.get(..4) {
        _ if line.indent > 0 => None,
        _ if content == "--" => Some(BlockKind::Paragraph),
        _ if content.starts_with("```") => (!content[3..].contains('`')).then_some(BlockKind::Code),
        Some("|===" | ",===" | ":===" | "!===") if content[1..].bytes().all(|byte| byte == b'=') => {
            Some(BlockKind::Table)
        }
        Some("----" | "....") if is_uniform() => Some(BlockKind::Code),
        Some("====" | "****" | "____") if is_uniform() => Some(BlockKind::Quote),
        Some("++++") if is_uniform() => Some(BlockKind::Html),
        Some("////") if is_uniform() => Some(BlockKind::Paragraph),
        _ => None,
    }
}

/// True if a delimiter line opens a block without inline markup.
pub(super) fn is_verbatim(line: &SourceLine<'_>) -> bool {
    let kind = delimiter(line);
    matches!(kind, Some(BlockKind::Code | BlockKind::Html))
        || (kind.is_some() && line.content.starts_with("//"))
}

/// Returns the line that closes the block opened by a delimiter line.
pub(super) fn terminator<'t>(line: &SourceLine<'t>) -> &'t str {
    if line.content.starts_with("```") { "```" } else { line.content }
}

/// Returns the end of the block opened at `at`. Without a closing line, it extends to the end of the text.
pub(super) fn delimited_end(lines: &[SourceLine<'_>], at: usize) -> usize {
    let terminator = terminator(&lines[at]);
    let close = find_line(lines, at + 1, |line| line.indent == 0 && line.content == terminator);
    (close + 1).min(lines.len())
}

/// True if a line has no part in the structure: a comment, an attribute entry or a condition.
pub(super) fn is_transparent(line: &SourceLine<'_>) -> bool {
    line.indent == 0
        && (is_comment(line) || attribute_entry(line.content).is_some() || is_condition(line.content))
}

/// Returns the end of the adjacent transparent lines. An attribute ending with a backslash goes on.
pub(super) fn transparent_end(lines: &[SourceLine<'_>], at: usize) -> usize {
    let continues = |line: usize| line > at && lines[line - 1].content.ends_with(" \\");
    (at..lines.len())
        .find(|&line| lines[line].is_blank() || !(is_transparent(&lines[line]) || continues(line)))
        .unwrap_or(lines.len())
}

pub(super) fn is_comment(line: &SourceLine<'_>) -> bool {
    line.content.starts_with("//") && !line.content.starts_with("///")
}

pub(super) fn is_condition(content: &str) -> bool {
    ["ifdef::", "ifndef::", "ifeval::", "endif::"].iter().any(|name| content.starts_with(name))
}

/// Returns the name and the value of an attribute entry: `:name: value`.
pub(super) fn attribute_entry(content: &str) -> Option<(&str, &str)> {
    let (name, value) = content.strip_prefix(':')?.split_once(':')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '!');
    let is_entry = !name.is_empty() && name.chars().all(is_name);
    (is_entry && (value.is_empty() || value.starts_with([' ', '\t']))).then(|| (name, value.trim()))
}

/// True if a line belongs to the block below it: a title or a list of attributes.
pub(super) fn is_attached(line: &SourceLine<'_>) -> bool {
    let title = line.content.strip_prefix('.').filter(|_| line.indent == 0);
    let title = title.map(|title| title.strip_prefix('.').unwrap_or(title));
    title.is_some_and(|title| !title.starts_with(['.', ' ', '\t']) && !title.is_empty())
        || is_attribute_list(line)
}

/// True for `[attributes]` and `[[id]]`.
pub(super) fn is_attribute_list(line: &SourceLine<'_>) -> bool {
    let inside = line.content.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let is_first =
        |c: char| c.is_alphabetic() || matches!(c, '_' | '.' | '#' | '%' | '{' | ',' | '"' | '\'' | '[');
    line.indent == 0 && inside.is_some_and(|inside| inside.is_empty() || inside.starts_with(is_first))
}

/// Returns the kind of the block below a list of attributes, if its first attribute tells.
pub(super) fn style_kind(content: &str) -> Option<BlockKind> {
    let inside = content.strip_prefix('[')?.strip_suffix(']')?;
    match inside.split([',', '%', '#', '.']).next()?.trim() {
        "source" | "listing" | "literal" | "stem" | "latexmath" | "asciimath" => Some(BlockKind::Code),
        "quote" | "verse" | "abstract" | "sidebar" | "example" => Some(BlockKind::Quote),
        "NOTE" | "TIP" | "IMPORTANT" | "WARNING" | "CAUTION" => Some(BlockKind::Quote),
        "" if inside.starts_with(',') => Some(BlockKind::Code),
        _ => None,
    }
}

pub(super) fn is_admonition(content: &str) -> bool {
    ["NOTE: ", "TIP: ", "IMPORTANT: ", "WARNING: ", "CAUTION: "]
        .iter()
        .any(|label| content.starts_with(label))
}

/// True for a break, and for a block macro such as `image::path[]`.
pub(super) fn is_single_line(content: &str) -> bool {
    let is_macro =
        |(name, _): (&str, &str)| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    matches!(content, "'''" | "---" | "***" | "<<<" | "- - -" | "* * *")
        || (content.ends_with(']') && content.split_once("::").is_some_and(is_macro))
}

/// The marker of a list item. The items of one list have equal markers.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Marker {
    pub(super) mark: char,
    pub(super) count: usize,
    /// True if text follows the marker on its line.
    pub(super) has_text: bool,
}

/// Returns the marker at the start of a list item.
pub(super) fn list_marker(content: &str) -> Option<Marker> {
    let new = |mark, count, has_text| Some(Marker { mark, count, has_text });
    let (word, text) = content.split_once([' ', '\t']).unwrap_or((content, ""));
    let first = word.chars().next()?;
    let is_uniform = word.len() <= 5 && word.chars().all(|c| c == first);
    let has_text = !text.trim().is_empty();
    match first {
        '*' | '.' if is_uniform && has_text => return new(first, word.len(), true),
        '-' | '•' if is_uniform && has_text && word.chars().count() == 1 => return new(first, 1, true),
        '<' if word.ends_with('>') && has_text && word.len() <= 5 => return new('<', 1, true),
        _ if has_text && is_number(word) => {
            let mark = if first.is_ascii_digit() { '1' } else { 'a' };
            return new(mark, usize::from(word.ends_with(')')), true);
        }
        _ => {}
    }
    let (count, has_text) = description(content)?;
    new(':', count, has_text)
}

/// True for `1.`, `a.` and `iv)`.
fn is_number(word: &str) -> bool {
    let digits = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let letter = |number: &str| number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_alphabetic());
    let roman = |number: &str| !number.is_empty() && number.bytes().all(|byte| b"ivxIVX".contains(&byte));
    word.strip_suffix('.').is_some_and(|number| digits(number) || letter(number))
        || word.strip_suffix(')').is_some_and(roman)
}

/// Returns the number of colons after the term of a description (0 for `;;`), and true if text follows.
fn description(content: &str) -> Option<(usize, bool)> {
    let ends_term = |at: &usize| {
        let marks = content[*at..].bytes().take_while(|byte| *byte == content.as_bytes()[*at]).count();
        let after = &content[at + marks..];
        (2..=4).contains(&marks) && (after.is_empty() || after.starts_with([' ', '\t']))
    };
    // Only the first of adjacent marks counts, so a long run of them isn't counted repeatedly.
    let is_first = |at: &usize| *at > 0 && content.as_bytes()[at - 1] != content.as_bytes()[*at];
    let at = memchr::memchr2_iter(b':', b';', content.as_bytes()).filter(is_first).find(ends_term)?;
    let marks = &content[at..];
    let count = marks.len() - marks.trim_start_matches(':').len();
    let after = marks.trim_start_matches([':', ';']);
    (count > 0 || marks.starts_with(";;")).then(|| (count, !after.trim().is_empty()))
}

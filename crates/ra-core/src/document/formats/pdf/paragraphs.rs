//! Lines to markdown: paragraphs, list items and code.

use std::collections::HashSet;

use super::super::markup;
use super::headings::Heading;
use super::lines::PdfLine;
use crate::text::collapse;

/// Marks of list items.
const BULLETS: [char; 12] = ['•', '◦', '▪', '‣', '∙', '●', '○', '■', '◆', '➢', '⁃', '►'];

/// The distance of lines in a paragraph, at most, as a multiple of the usual distance on the page.
const MAX_LINE_DISTANCE: f32 = 1.3;

/// The marks at the end of a line whose last word goes on in the next.
const HYPHENS: [char; 3] = ['-', SOFT_HYPHEN, '‐'];

/// The hyphen that is never a part of a word.
const SOFT_HYPHEN: char = '\u{ad}';

/// How much the sizes of the lines of a paragraph may differ, as a share.
const SIZE_TOLERANCE: f32 = 0.12;

/// The same if there is code in them, which is often smaller than the text around it.
const CODE_SIZE_TOLERANCE: f32 = 0.2;

/// The words of a document that no line break divides, in lower case.
pub(super) struct WholeWords(HashSet<String>);

impl WholeWords {
    pub(super) fn of(pages: &[Vec<PdfLine>]) -> Self {
        let mut words = HashSet::new();
        let mut is_divided = false;
        for line in pages.iter().flatten() {
            let of_line = line.text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            let first = usize::from(is_divided);
            is_divided = line.text.trim_end().ends_with(HYPHENS);
            let mut of_line = of_line.skip(first).peekable();
            while let Some(word) = of_line.next() {
                if of_line.peek().is_some() || !is_divided {
                    words.insert(word.to_lowercase());
                }
            }
        }
        Self(words)
    }

    /// True if the hyphen between the parts of a divided word belongs to the word: the document has both parts as
    /// words, and not the whole.
    fn has_hyphen(&self, before: &str, after: &str) -> bool {
        let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        let first = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        !self.0.contains(&format!("{last}{first}")) && self.0.contains(&last) && self.0.contains(&first)
    }
}

/// Writes the lines of a page. Monospaced lines are code unless the whole document is monospaced.
pub(super) fn write(
    lines: &[PdfLine],
    headings: &[Heading],
    (words, is_all_mono): (&WholeWords, bool),
    markdown: &mut String,
) {
    let distance = usual_distance(lines);
    let mut headings = headings.iter().peekable();
    let mut at = 0;
    while at < lines.len() {
        if let Some(heading) = headings.next_if(|heading| heading.start == at) {
            let mut text = String::new();
            lines[at..heading.end].iter().for_each(|line| append_line(&mut text, &line.text, words));
            markdown.push_str(&markup::heading(heading.level, &text));
            at = heading.end;
            continue;
        }
        let limit = headings.peek().map_or(lines.len(), |heading| heading.start);
        let code = if is_all_mono { 0 } else { code_len(lines, at, limit, distance) };
        let end = match code {
            0 => paragraph_end(lines, at, limit, distance, is_all_mono),
            _ => at + code,
        };
        match code {
            0 => push_paragraph(&lines[at..end], words, markdown),
            _ => markdown.push_str(&code_block(&lines[at..end], distance)),
        }
        at = end;
    }
}

/// Returns how many lines at `at` are code: several monospaced lines, or one with space around it. Another single line
/// is the name of something at the end of a paragraph.
fn code_len(lines: &[PdfLine], at: usize, limit: usize, distance: f32) -> usize {
    let count = lines[at..limit].iter().take_while(|line| line.mono).count();
    let is_apart = |first: Option<&PdfLine>, second: Option<&PdfLine>| match (first, second) {
        (Some(first), Some(second)) => {
            let gap = second.baseline - first.baseline;
            gap < 0.0 || gap > 1.1 * distance * first.size.min(second.size)
        }
        _ => true,
    };
    let before = at.checked_sub(1).and_then(|before| lines.get(before));
    let is_single =
        count == 1 && is_apart(before, lines.get(at)) && is_apart(lines.get(at), lines.get(at + 1));
    if count > 1 || is_single { count } else { 0 }
}

/// Returns the median distance of neighboring lines in sizes of their font.
fn usual_distance(lines: &[PdfLine]) -> f32 {
    let mut distances: Vec<f32> = lines
        .windows(2)
        .map(|pair| (pair[1].baseline - pair[0].baseline) / pair[0].size.max(1.0))
        .filter(|distance| (0.8..2.5).contains(distance))
        .collect();
    distances.sort_by(f32::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(1.2)
}

/// Returns where the paragraph that begins at `start` ends.
fn paragraph_end(lines: &[PdfLine], start: usize, limit: usize, distance: f32, is_all_mono: bool) -> usize {
    let mut end = start + 1;
    let is_code = |at: usize| !is_all_mono && lines[at].mono && code_len(lines, at, limit, distance) > 0;
    while end < limit && !is_code(end) && is_same_paragraph(&lines[start..end], &lines[end], distance) {
        end += 1;
    }
    end
}

/// True if `next` continues the paragraph of the lines before it.
fn is_same_paragraph(paragraph: &[PdfLine], next: &PdfLine, distance: f32) -> bool {
    let Some(line) = paragraph.last() else { return false };
    let size = line.size.max(1.0);
    let gap = (next.baseline - line.baseline) / size;
    let begins_lower = next.text.starts_with(char::is_lowercase);
    let width = (line.column.1 - line.column.0).max(1.0);
    let is_short = line.right < line.column.1 - 0.2 * width;
    let goes_on = !is_short && !ends_sentence(&line.text);
    let has_code = line.has_mono || next.has_mono;
    let tolerance = if goes_on && has_code { CODE_SIZE_TOLERANCE } else { SIZE_TOLERANCE };
    if (line.size - next.size).abs() > tolerance * size || begins_item(&next.text) {
        return false;
    }
    if gap < -0.5 || line.column != next.column {
        // The next column: a sentence goes on, or a new paragraph begins.
        return begins_lower && !ends_sentence(&line.text);
    }
    if gap > distance * MAX_LINE_DISTANCE {
        return false;
    }
    if is_short && (ends_sentence(&line.text) || !begins_lower && gap > distance * 1.1) {
        return false;
    }
    // The first line of a paragraph is indented, or those after it are (hanging indentation).
    let is_indented = next.left > line.left + 0.8 * size;
    let is_hanging = paragraph.len() == 1 && !is_short;
    !is_indented || is_hanging || begins_lower
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end().ends_with(['.', ':', '!', '?', '。'])
}

/// True if a line begins a list item.
fn begins_item(text: &str) -> bool {
    let text = text.trim_start();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_numbered =
        (1..=2).contains(&digits) && (text[digits..].starts_with(". ") || text[digits..].starts_with(") "));
    let is_dashed = text.starts_with("– ") || text.starts_with("- ") || text.starts_with("* ");
    is_numbered || is_dashed || text.starts_with(BULLETS)
}

/// Writes a paragraph as one line.
fn push_paragraph(lines: &[PdfLine], words: &WholeWords, markdown: &mut String) {
    let mut text = String::new();
    for line in lines {
        append_line(&mut text, &line.text, words);
    }
    let text = collapse(&text);
    let item = text.strip_prefix(BULLETS).or_else(|| text.strip_prefix("– ")).map(str::trim_start);
    match item {
        Some("") => return,
        Some(item) => markdown.push_str(&format!("- {}", markup::escape(item))),
        None if text.is_empty() => return,
        None => markdown.push_str(&markup::escape(&text)),
    }
    markdown.push_str("\n\n");
}

/// Appends a line to the text of its paragraph or heading. A word that is divided at the end of the line is joined, and
/// so are words around a slash.
fn append_line(text: &mut String, line: &str, words: &WholeWords) {
    let line = line.trim();
    let divided = text.strip_suffix(HYPHENS).filter(|before| before.ends_with(char::is_alphabetic));
    let is_soft = text.ends_with(SOFT_HYPHEN);
    let is_joined = |before: &str| line.starts_with(char::is_lowercase) && !words.has_hyphen(before, line);
    match divided {
        Some(before) if is_soft || is_joined(before) => text.truncate(before.len()),
        Some(_) => {}
        None if text.is_empty() || is_unspaced(text, line) => {}
        None if text.ends_with('/') && !text.ends_with(" /") => {}
        None => text.push(' '),
    }
    text.push_str(line);
}

/// True if the script around a line break has no spaces between words.
fn is_unspaced(before: &str, after: &str) -> bool {
    let is_cjk =
        |c: char| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}');
    before.ends_with(is_cjk) && after.starts_with(is_cjk)
}

/// Returns lines of code with their indentation and the blank lines between them.
fn code_block(lines: &[PdfLine], distance: f32) -> String {
    let left = lines.iter().map(|line| line.left).fold(f32::MAX, f32::min);
    let mut code = String::new();
    let mut before: Option<&PdfLine> = None;
    for line in lines {
        let chars = line.text.chars().count().max(1) as f32;
        let measured = (line.right - line.left) / chars;
        let char_width = measured.clamp(0.4 * line.size, 0.8 * line.size).max(1.0);
        let indentation = ((line.left - left) / char_width).round().clamp(0.0, 80.0) as usize;
        let is_far =
            before.is_some_and(|before| line.baseline - before.baseline > 1.6 * distance * before.size);
        if is_far {
            code.push('\n');
        }
        code.push_str(&" ".repeat(indentation));
        code.push_str(line.text.trim());
        code.push('\n');
        before = Some(line);
    }
    markup::fenced(&code)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a page of lines with their left and right ends, 12 points apart; an empty text leaves a gap.
    fn page(texts: &[(&str, f32, f32)], mono: bool) -> Vec<PdfLine> {
        let line = |(at, (text, left, right)): (usize, &(&str, f32, f32))| PdfLine {
            text: (*text).to_owned(),
            left: *left,
            right: *right,
            baseline: 12.0 * (at + 1) as f32,
            size: 10.0,
            bold: false,
            mono,
            has_mono: mono,
            column: (0.0, 100.0),
            heading: None,
        };
        texts.iter().enumerate().filter(|(_, (text, ..))| !text.is_empty()).map(line).collect()
    }

    fn written(lines: &[PdfLine], is_all_mono: bool) -> String {
        let mut markdown = String::new();
        let words = WholeWords::of(&[lines.to_vec()]);
        write(lines, &[], (&words, is_all_mono), &mut markdown);
        markdown
    }

    #[test]
    fn lines_become_paragraphs() {
        for (lines, expected) in [
            (
                vec![("One infor-", 0.0, 100.0), ("mation and Non-", 0.0, 100.0), ("Linear x", 0.0, 50.0)],
                "One information and Non-Linear x\n\n",
            ),
            (
                vec![("an error in handling", 0.0, 100.0), ("error-", 0.0, 100.0), ("handling", 0.0, 40.0)],
                "an error in handling error-handling\n\n",
            ),
            (
                vec![("work in a flow", 0.0, 100.0), ("work\u{ad}", 0.0, 100.0), ("flow", 0.0, 40.0)],
                "work in a flow workflow\n\n",
            ),
            (
                vec![("be a cause because", 0.0, 100.0), ("be-", 0.0, 100.0), ("cause", 0.0, 40.0)],
                "be a cause because because\n\n",
            ),
            (
                vec![("a b", 0.0, 100.0), ("", 0.0, 0.0), ("", 0.0, 0.0), ("c d", 0.0, 100.0)],
                "a b\n\nc d\n\n",
            ),
            (vec![("A first.", 0.0, 40.0), ("A second", 0.0, 100.0)], "A first.\n\nA second\n\n"),
            (
                vec![
                    ("one", 0.0, 100.0),
                    ("two", 0.0, 100.0),
                    ("New one", 15.0, 100.0),
                    ("goes on", 0.0, 100.0),
                ],
                "one two\n\nNew one goes on\n\n",
            ),
            (
                vec![("• an item", 0.0, 100.0), ("of two lines", 10.0, 100.0), ("• another", 0.0, 100.0)],
                "- an item of two lines\n\n- another\n\n",
            ),
            (vec![("# not one", 0.0, 100.0)], "\\# not one\n\n"),
            (vec![("版本", 0.0, 100.0), ("一二", 0.0, 100.0)], "版本一二\n\n"),
        ] {
            assert_eq!(written(&page(&lines, false), false), expected, "{lines:?}");
        }
    }

    #[test]
    fn a_line_of_smaller_code_is_in_the_paragraph() {
        let mut lines =
            page(&[("We take", 0.0, 100.0), ("user1.email from", 0.0, 100.0), ("it.", 0.0, 10.0)], false);
        lines[1].size = 8.5;
        assert_eq!(written(&lines, false), "We take\n\nuser1.email from\n\nit.\n\n");
        lines[1].has_mono = true;
        assert_eq!(written(&lines, false), "We take user1.email from it.\n\n");
        lines[0].right = 40.0;
        assert_eq!(written(&lines, false), "We take\n\nuser1.email from it.\n\n");
    }

    #[test]
    fn monospaced_lines_are_code_in_a_document_that_is_not() {
        let lines = page(
            &[("if x:", 0.0, 30.0), ("y = 1", 24.0, 54.0), ("", 0.0, 0.0), ("", 0.0, 0.0), ("z", 0.0, 6.0)],
            true,
        );
        assert_eq!(written(&lines, false), "```\nif x:\n    y = 1\n\nz\n```\n\n");
        assert_eq!(written(&lines[..1], true), "if x:\n\n");
    }
}

//! Fits documents into a token budget, and says what was omitted and how to get it.

use ra_core::kb::Citation;
use ra_core::tokens;
use serde_json::json;

use super::request_runner::RequestError;
use crate::answers::GetReport;
use crate::layout::Fences;

/// Returns the messages about names that could not be fetched, as many as fit, and one more that lists the
/// names of the others.
pub(super) fn messages(all: &[(String, String)], budget: usize) -> Vec<String> {
    let first = |kept: usize| -> Vec<String> {
        let (told, others) = all.split_at(kept);
        let others: Vec<&str> = others.iter().map(|(name, _)| name.as_str()).collect();
        let more = (!others.is_empty()).then(|| {
            format!("note: +{} more that could not be fetched: {}\n", others.len(), some(&others, budget / 2))
        });
        told.iter().map(|(_, message)| message.clone()).chain(more).collect()
    };
    let fits = |kept: &usize| tokens::count(&first(*kept).concat()) <= budget;
    first((0..=all.len()).rev().find(fits).unwrap_or_default())
}

/// Joins as many of the names as fit, followed by the number of the others.
fn some(names: &[&str], budget: usize) -> String {
    let first = |kept: usize| match names.len() - kept {
        0 => names.join(", "),
        _ if kept == 0 => "too long to be named".to_owned(),
        others => format!("{} and {others} more", names[..kept].join(", ")),
    };
    let fits = |kept: &usize| tokens::count(&first(*kept)) <= budget;
    first((0..=names.len()).rev().find(fits).unwrap_or_default())
}

/// An outline keeps at least this many headings when its deepest level is dropped.
const MIN_OUTLINE_HEADINGS: usize = 20;

/// Drops whole documents from the end until the rest fits. If a single one is still too large, shortens its
/// text or outline.
pub(super) fn documents(
    mut got: GetReport,
    budget: usize,
    fits: impl Fn(&GetReport, &[String]) -> Result<bool, RequestError>,
) -> Result<(GetReport, Vec<String>), RequestError> {
    let mut out: Vec<String> = Vec::new();
    let mut notes = Vec::new();
    while !fits(&got, &notes)? {
        if got.documents.len() > 1 {
            out.extend(got.documents.pop().map(|item| item.id));
            let names: Vec<&str> = out.iter().rev().map(String::as_str).collect();
            notes = vec![
                format!("note: +{} more that did not fit: {}", out.len(), some(&names, budget / 4)),
                "hint: ask for them in another call".to_owned(),
            ];
        } else {
            return match got.documents.first_mut().and_then(|item| item.content.take()) {
                Some(whole) => lines(got, &whole, budget, notes, fits),
                None => headings(got, notes, fits),
            };
        }
    }
    Ok((got, notes))
}

/// Drops lines from the end of the only document.
fn lines(
    mut got: GetReport,
    whole: &str,
    budget: usize,
    notes: Vec<String>,
    fits: impl Fn(&GetReport, &[String]) -> Result<bool, RequestError>,
) -> Result<(GetReport, Vec<String>), RequestError> {
    let (first, last) = got.documents.first().map_or((1, 1), |item| item.lines);
    let mut prefix = Prefix::new(whole, budget);
    loop {
        let end = (first + prefix.count.max(1) - 1).min(last);
        let mut said = notes.clone();
        said.push(match prefix.count {
            0 => format!("note: line {first} does not fit and is cut"),
            _ => format!("note: lines {first}-{end} of {first}-{last} are shown"),
        });
        for item in &mut got.documents {
            item.content = Some(prefix.text());
            item.lines = (first, end);
            item.citation =
                item.citation.take().and_then(|_| Citation::of_lines(&item.id, &prefix.text(), first));
            item.tokens = None;
            if end < last {
                let next = json!({ "ids": [format!("{}:{}-{last}", item.id, end + 1)] });
                said.push(format!("hint: the rest: get {next}"));
            }
        }
        if fits(&got, &said)? || !prefix.shorten() {
            return Ok((got, said));
        }
    }
}

/// Drops the deepest headings of an outline while enough others are left, then headings from its end.
fn headings(
    mut got: GetReport,
    notes: Vec<String>,
    fits: impl Fn(&GetReport, &[String]) -> Result<bool, RequestError>,
) -> Result<(GetReport, Vec<String>), RequestError> {
    let mut left_out = 0;
    loop {
        let Some(item) = got.documents.first_mut() else { return Ok((got, notes)) };
        let before = item.outline.len();
        let deepest = item.outline.iter().map(|section| section.depth).max().unwrap_or(0);
        let others = item.outline.iter().filter(|section| section.depth < deepest).count();
        if others >= MIN_OUTLINE_HEADINGS {
            item.outline.retain(|section| section.depth < deepest);
        } else {
            item.outline.truncate(before - before.div_ceil(10));
        }
        left_out += before - item.outline.len();
        let said = [
            notes.clone(),
            vec![
                format!("note: +{left_out} more headings that did not fit"),
                format!(
                    "hint: get with a larger max_tokens, or the outline of a section, or search with paths: [\"{}\"]",
                    item.path
                ),
            ],
        ]
        .concat();
        if item.outline.is_empty() || fits(&got, &said)? {
            return Ok((got, said));
        }
    }
}

/// The first lines of a text, which can be shortened step by step.
struct Prefix<'a> {
    lines: Vec<&'a str>,
    /// The number of lines that are kept; zero if even the first is cut.
    count: usize,
    /// The number of characters that are kept of the first line if it is cut.
    characters: usize,
}

impl<'a> Prefix<'a> {
    /// Takes as many lines as may fit. Text far beyond the budget isn't tokenized.
    fn new(text: &'a str, budget: usize) -> Self {
        let mut lines = Vec::new();
        let mut sum = 0;
        for line in text.split_inclusive('\n') {
            // A token is rarely longer than this, and long lines are slow to tokenize.
            sum += if line.len() > budget * 16 { budget + 1 } else { tokens::count(line) };
            if sum > budget {
                break;
            }
            lines.push(line);
        }
        let count = lines.len();
        if count == 0 {
            lines.extend(text.split_inclusive('\n').next());
        }
        Prefix { lines, count, characters: budget * 4 }
    }

    /// Shortens the text a little; false if nothing is left.
    fn shorten(&mut self) -> bool {
        if self.count > 0 {
            self.count -= self.count.div_ceil(20);
        } else {
            self.characters -= self.characters.div_ceil(4);
        }
        self.count > 0 || self.characters > 0
    }

    /// Returns the text, with an open code block closed.
    fn text(&self) -> String {
        if self.count == 0 {
            return self
                .lines
                .first()
                .map_or_else(String::new, |line| line.chars().take(self.characters).collect());
        }
        let mut text = self.lines[..self.count].concat();
        let mut fences = Fences::default();
        fences.text(&text);
        if let Some(fence) = fences.open() {
            text.push_str(&fence.closing());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_do_not_fit_are_counted() {
        let names = ["a.md", "b.md", "c.md"];
        assert_eq!(some(&names, 100), "a.md, b.md, c.md");
        assert_eq!(some(&names, 6), "a.md and 2 more");
        assert_eq!(some(&[&"x y ".repeat(100)], 10), "too long to be named");
    }

    #[test]
    fn a_beginning_ends_between_lines_and_closes_its_code() {
        let text = "# A\n\n```rust\nlet a = 1;\nlet b = 2;\n```\n\nEnd.\n";
        let mut prefix = Prefix::new(text, 1000);
        assert_eq!(prefix.text(), text);
        let mut seen = Vec::new();
        while prefix.shorten() && prefix.count > 0 {
            seen.push(prefix.text());
        }
        assert_eq!(seen[3], "# A\n\n```rust\nlet a = 1;\n```\n");
        assert_eq!(seen.last().map(String::as_str), Some("# A\n"));
    }

    #[test]
    fn a_line_that_never_ends_is_cut() {
        let text = "x".repeat(1_000_000);
        let mut prefix = Prefix::new(&text, 200);
        assert_eq!((prefix.count, prefix.text().len()), (0, 800));
        assert!(prefix.shorten());
        assert_eq!(prefix.text().len(), 600);
    }
}

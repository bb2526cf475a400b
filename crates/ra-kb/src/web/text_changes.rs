//! The difference of two texts, line by line.

use std::time::Duration;

use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};

/// The largest text that is compared.
pub(super) const MAX_COMPARED_BYTES: usize = 1 << 20;

/// The maximum time for the search for the smallest difference; after that, a larger one is shown.
const DIFF_TIMEOUT: Duration = Duration::from_millis(300);

/// How many lines of a difference are shown.
const MAX_CHANGED_LINES: usize = 2000;

/// A line of a difference.
#[derive(Debug)]
pub(super) struct ChangedLine {
    pub(super) tag: ChangeTag,
    pub(super) text: String,
    /// True if lines are left out before it.
    pub(super) after_gap: bool,
}

/// Returns the changed lines, and a few lines around each. Line ends don't count: git may convert them.
pub(super) fn changed_lines(old: &str, new: &str) -> Vec<ChangedLine> {
    let (old, new) = (normalized(old), normalized(new));
    let diff = TextDiff::configure().timeout(DIFF_TIMEOUT).diff_lines(&old, &new);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(2) {
        let mut after_gap = true;
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let text = change.value().trim_end_matches('\n').to_owned();
            lines.push(ChangedLine { tag: change.tag(), text, after_gap });
            after_gap = false;
        }
    }
    lines
}

/// Returns a text without a byte order mark and with `\n` at the end of every line.
fn normalized(text: &str) -> String {
    let mut text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    if !text.ends_with('\n') && !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Shows a difference.
pub(super) fn difference(lines: &[ChangedLine]) -> Markup {
    let class = |tag| match tag {
        ChangeTag::Delete => ("del", "−", "removed: "),
        ChangeTag::Insert => ("ins", "+", "added: "),
        ChangeTag::Equal => ("same", " ", ""),
    };
    html! {
        pre .difference tabindex="0" {
            @for (nr, line) in lines.iter().take(MAX_CHANGED_LINES).enumerate() {
                @if line.after_gap && nr > 0 { span .gap { "⋯" } "\n" }
                @let (class, sign, said) = class(line.tag);
                span class=(class) {
                    span aria-hidden="true" { (sign) " " } span .visually-hidden { (said) } (line.text)
                } "\n"
            }
        }
        @if lines.len() > MAX_CHANGED_LINES {
            p .hint { "Only the first " (super::frame::number(MAX_CHANGED_LINES)) " lines are shown." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_compared_without_their_ends() {
        assert!(changed_lines("one\r\ntwo", "\u{feff}one\ntwo\n").is_empty());
        let lines = changed_lines("one\ntwo\n", "one\nthree\n");
        let lines: Vec<(ChangeTag, &str)> = lines.iter().map(|line| (line.tag, line.text.as_str())).collect();
        let expected = [(ChangeTag::Equal, "one"), (ChangeTag::Delete, "two"), (ChangeTag::Insert, "three")];
        assert_eq!(lines, expected);
    }
}

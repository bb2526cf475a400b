//! The comments of Obsidian: `%% text %%`. They are text for a search, but links inside of them lead nowhere.

use memchr::memmem;

use crate::text::{Span, is_blank};

const MARK: &str = "%%";

/// True if a text may have comments.
pub(super) fn has_mark(text: &str) -> bool {
    memmem::find(text.as_bytes(), MARK.as_bytes()).is_some()
}

/// Returns the comments of a text from byte `from` on. A comment is within a paragraph, unless its mark begins a line.
/// Marks in `code`, whose spans are in order, aren't marks.
pub(super) fn comments(text: &str, from: usize, code: &[Span]) -> Vec<Span> {
    let is_code = |at: usize| {
        let after = code.partition_point(|span| span.start <= at);
        after > 0 && at < code[after - 1].end
    };
    let marks = memmem::find_iter(&text.as_bytes()[from..], MARK).map(|at| from + at);
    let mut comments = Vec::new();
    // An open mark, and whether it begins a line.
    let mut open: Option<(usize, bool)> = None;
    // The text before a mark is read up to the mark before it: a line may have very many.
    let mut last = 0;
    for at in marks.filter(|at| !is_code(*at)) {
        let line_start = text[last..at].rfind('\n').map(|end| last + end + 1).or((last == 0).then_some(0));
        let begins_line = line_start.is_some_and(|start| is_blank(&text[start..at]));
        match open {
            Some((start, is_block)) if is_block || !has_blank_line(&text[start..at]) => {
                comments.push(Span::new(start, at + MARK.len()));
                open = None;
            }
            _ => open = Some((at, begins_line)),
        }
        last = at + MARK.len();
    }
    comments
}

fn has_blank_line(text: &str) -> bool {
    let mut lines = text.split('\n');
    lines.next();
    lines.next_back();
    lines.any(is_blank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_inline_or_between_lines() {
        for (text, code, expected) in [
            ("a %%b%% c %%d%%", vec![], vec!["%%b%%", "%%d%%"]),
            ("a %%b\nc%% d", vec![], vec!["%%b\nc%%"]),
            ("a 5%% b\n\nc 6%% d", vec![], vec![]),
            ("x\n%%\na\n\nb\n%%\ny", vec![], vec!["%%\na\n\nb\n%%"]),
            ("`%%` a %%b%%", vec![Span::new(0, 4)], vec!["%%b%%"]),
            ("%% never closed", vec![], vec![]),
        ] {
            let found: Vec<&str> = comments(text, 0, &code).into_iter().map(|span| span.of(text)).collect();
            assert_eq!(found, expected, "{text:?}");
        }
        assert!(has_mark("a %% b") && !has_mark("100 %"));
    }
}

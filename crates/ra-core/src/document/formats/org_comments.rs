//! The comments of Org, which are not part of the text.

use super::line_scan::split_lines;
use super::org::{Org, headline, is_comment, is_comment_block, is_commented_out};

/// Returns a text with blanks in place of its comments: `# lines`, `#+begin_comment` blocks, and headlines that begin
/// with `COMMENT`, with everything below them. Every line stays where it is. Returns `None` if there are no comments.
pub(super) fn without_comments(text: &str) -> Option<String> {
    let lines = split_lines(text, 0);
    let org = Org::new(&lines);
    let states = org.todo_states();
    let mut blanked = Vec::new();
    // The level of the headline that is commented out here.
    let mut hidden: Option<usize> = None;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if let Some((level, rest)) = headline(line) {
            hidden = hidden.filter(|above| level > *above);
            if hidden.is_none() && is_commented_out(rest, &states) {
                hidden = Some(level);
            }
        }
        // Lines of a block are read with it: in a shell script, `# text` isn't a comment of Org.
        let end = org.end_of(at).unwrap_or(at + 1);
        if hidden.is_some() || is_comment_block(line.content) && end > at + 1 || is_comment(line.content) {
            blanked.extend(lines[at..end].iter().map(|line| line.span));
        }
        at = end;
    }
    if blanked.is_empty() {
        return None;
    }
    let mut kept = String::with_capacity(text.len());
    let mut done = 0;
    for span in blanked {
        kept.push_str(&text[done..span.start]);
        kept.extend(
            span.of(text)
                .bytes()
                .map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }),
        );
        done = span.end;
    }
    kept.push_str(&text[done..]);
    Some(kept)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::line_scan::checks::joined;
    use super::*;

    #[test]
    fn comments_are_blank_and_lines_stay() {
        for (text, expected) in [
            ("a\n", None),
            ("# é\r\na\n", Some("    \r\na\n")),
            ("#+title: T\n#+begin_src sh\n# code\n#+end_src\n", None),
            ("a\n#+begin_comment\nb\n#+end_comment\nc\n", Some("a\n               \n \n             \nc\n")),
            ("#+begin_comment\nnever closed\n", None),
            ("* COMMENT A\nx\n** B\ny\n* C\nz\n", Some("           \n \n    \n \n* C\nz\n")),
            ("* TODO COMMENT A\nx", Some("                \n ")),
            ("* COMMENTS\nx\n", None),
            ("* A\n** COMMENT B\nb\n** C\nc\n", Some("* A\n            \n \n** C\nc\n")),
        ] {
            assert_eq!(without_comments(text).as_deref(), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn lengths_and_line_ends_stay(text in joined(
            &["* ", "** ", "COMMENT ", "# ", "#+begin_comment", "#+end_comment", "é", "\n", "\r\n", ":END:", ":X:"],
            30,
        )) {
            if let Some(kept) = without_comments(&text) {
                prop_assert_eq!(kept.len(), text.len());
                prop_assert_eq!(kept.lines().count(), text.lines().count());
                prop_assert_eq!(without_comments(&kept), None);
            }
        }
    }
}

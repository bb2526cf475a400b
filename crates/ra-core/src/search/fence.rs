//! Code fences in what is shown are balanced: an excerpt that begins or ends inside a code block gets the
//! fence that it lacks.

use std::sync::LazyLock;

use memchr::memmem::Finder;

/// What can begin or end a block. To make ready for a search costs more than to search a short text.
static MARKS: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| [Finder::new("```"), Finder::new("~~~")]);

/// A code block that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fence {
    /// The line that opens it, without its line end.
    opening: String,
    /// What stands before the fence: the marks of quotes and the indentation of lists.
    prefix: String,
    mark: char,
    length: usize,
}

impl Fence {
    /// The line that opens the block again, with its line end.
    pub(super) fn opening(&self) -> String {
        format!("{}\n", self.opening)
    }

    /// The line that closes the block, with its line end.
    pub(super) fn closing(&self) -> String {
        format!("{}{}\n", self.prefix, String::from(self.mark).repeat(self.length))
    }
}

/// Goes over a text line by line and knows whether a code block is open.
#[derive(Clone, Debug, Default)]
pub(super) struct Fences {
    open: Option<Fence>,
}

impl Fences {
    /// The block that is open after the lines so far.
    pub(super) fn open(&self) -> Option<&Fence> {
        self.open.as_ref()
    }

    /// Takes all lines of a text. Those without a mark open and close nothing, and are passed over.
    pub(super) fn text(&mut self, text: &str) {
        let mut places: Vec<usize> = MARKS.iter().flat_map(|mark| mark.find_iter(text.as_bytes())).collect();
        places.sort_unstable();
        let mut done = 0;
        for place in places {
            if place >= done {
                let start = text[..place].rfind('\n').map_or(0, |end| end + 1);
                done = text[place..].find('\n').map_or(text.len(), |end| place + end + 1);
                self.line(&text[start..done]);
            }
        }
    }

    /// Takes the next line.
    pub(super) fn line(&mut self, line: &str) {
        let line = line.trim_end_matches(['\n', '\r']);
        let bare = line.trim_start_matches([' ', '\t', '>']);
        match &self.open {
            Some(fence) => {
                let marks = bare.chars().take_while(|c| *c == fence.mark).count();
                if marks >= fence.length && bare[marks..].trim().is_empty() {
                    self.open = None;
                }
            }
            None => self.open = opened(line),
        }
    }
}

/// The code block that a line opens.
fn opened(line: &str) -> Option<Fence> {
    let bare = without_marker(line.trim_start_matches([' ', '\t', '>']));
    let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = bare.chars().take_while(|c| *c == mark).count();
    // What follows backticks must not hold another: that would be code inside a line.
    if length < 3 || (mark == '`' && bare[length..].contains('`')) {
        return None;
    }
    let before = &line[..line.len() - bare.len()];
    let blank = |c: char| if c == '>' || c.is_whitespace() { c } else { ' ' };
    Some(Fence { opening: line.to_owned(), prefix: before.chars().map(blank).collect(), mark, length })
}

/// The line without the mark of a list item, in which a block may begin at once.
fn without_marker(line: &str) -> &str {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let after = match digits {
        0 => line.strip_prefix(['-', '*', '+']),
        1..10 => line[digits..].strip_prefix(['.', ')']),
        _ => None,
    };
    match after {
        Some(rest) if rest.starts_with([' ', '\t']) => rest.trim_start_matches([' ', '\t']),
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_open_and_close_as_in_markdown() {
        for (text, closing) in [
            ("plain\n", None),
            ("```rust\nlet x;\n", Some("```\n")),
            ("```\ncode\n```\n", None),
            ("````\n```\n", Some("````\n")),
            ("~~~ text\n```\n", Some("~~~\n")),
            ("> ```\n> code\n", Some("> ```\n")),
            ("- ```sh\n  ls\n", Some("  ```\n")),
            ("1. ```sh\n   ls\n   ```\n", None),
            ("```inline``` code\n", None),
            ("``\n", None),
            ("a ``` b\n```\nc\r\n~~~\n", Some("```\n")),
            ("~~~\nx\n~~~\n``````` y\n```", Some("```````\n")),
        ] {
            let (mut by_lines, mut at_once) = (Fences::default(), Fences::default());
            text.lines().for_each(|line| by_lines.line(line));
            at_once.text(text);
            for fences in [by_lines, at_once] {
                assert_eq!(fences.open().map(Fence::closing).as_deref(), closing, "{text:?}");
            }
        }
    }
}

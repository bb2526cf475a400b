//! Balances code fences in the output: an excerpt that begins or ends inside a code block gets the missing
//! fence.

/// A longer opening line is repeated without its info string.
const MAX_OPENING_BYTES: usize = 200;

/// An open code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    /// The line that opens it, without its line ending.
    opening: String,
    /// The text before the fence: quote markers and list indentation.
    prefix: String,
    mark: char,
    length: usize,
}

impl Fence {
    /// Returns the line that opens the block again, with its line ending.
    pub(crate) fn opening(&self) -> String {
        let is_long = self.opening.len() > MAX_OPENING_BYTES;
        if is_long { self.closing() } else { format!("{}\n", self.opening) }
    }

    /// True if a line closes the block.
    pub(crate) fn is_closed_by(&self, line: &str) -> bool {
        let bare = line.trim_start_matches([' ', '\t', '>']);
        let marks = bare.chars().take_while(|c| *c == self.mark).count();
        marks >= self.length && bare[marks..].trim().is_empty()
    }

    /// Returns the line that closes the block, with its line ending.
    pub(crate) fn closing(&self) -> String {
        format!("{}{}\n", self.prefix, String::from(self.mark).repeat(self.length))
    }
}

/// Tracks whether a code block is open while reading a text line by line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fences {
    open: Option<Fence>,
}

impl Fences {
    /// Returns the block that is open after the lines so far.
    pub(crate) fn open(&self) -> Option<&Fence> {
        self.open.as_ref()
    }

    /// Reads all lines of a text. Lines without fence characters open and close nothing and are skipped.
    pub(crate) fn text(&mut self, text: &str) {
        let has_mark = |line: &&str| line.contains("```") || line.contains("~~~");
        text.split_inclusive('\n').filter(has_mark).for_each(|line| self.line(line));
    }

    /// Reads the next line.
    fn line(&mut self, line: &str) {
        match &self.open {
            Some(fence) if fence.is_closed_by(line) => self.open = None,
            Some(_) => {}
            None => self.open = opened(line.trim_end_matches(['\n', '\r'])),
        }
    }
}

/// Returns the code block that a line opens.
fn opened(line: &str) -> Option<Fence> {
    let bare = without_marker(line.trim_start_matches([' ', '\t', '>']));
    let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = bare.chars().take_while(|c| *c == mark).count();
    // Backticks after a backtick fence make it inline code.
    if length < 3 || (mark == '`' && bare[length..].contains('`')) {
        return None;
    }
    let before = &line[..line.len() - bare.len()];
    let blank = |c: char| if c == '>' || c.is_whitespace() { c } else { ' ' };
    Some(Fence { opening: line.to_owned(), prefix: before.chars().map(blank).collect(), mark, length })
}

/// Returns the line without a list marker, because a code block may begin right after one.
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
            let mut fences = Fences::default();
            fences.text(text);
            assert_eq!(fences.open().map(Fence::closing).as_deref(), closing, "{text:?}");
        }
    }
}

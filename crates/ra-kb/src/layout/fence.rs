//! Code fences in what is shown are balanced: an excerpt that begins or ends inside a code block gets the
//! fence that it lacks.

/// A longer line is repeated without what it says of the code.
const MAX_OPENING_BYTES: usize = 200;

/// A code block that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    /// The line that opens it, without its line end.
    opening: String,
    /// What stands before the fence: the marks of quotes and the indentation of lists.
    prefix: String,
    mark: char,
    length: usize,
}

impl Fence {
    /// The line that opens the block again, with its line end.
    pub(crate) fn opening(&self) -> String {
        let is_long = self.opening.len() > MAX_OPENING_BYTES;
        if is_long { self.closing() } else { format!("{}\n", self.opening) }
    }

    /// Whether a line closes the block.
    pub(crate) fn is_closed_by(&self, line: &str) -> bool {
        let bare = line.trim_start_matches([' ', '\t', '>']);
        let marks = bare.chars().take_while(|c| *c == self.mark).count();
        marks >= self.length && bare[marks..].trim().is_empty()
    }

    /// The line that closes the block, with its line end.
    pub(crate) fn closing(&self) -> String {
        format!("{}{}\n", self.prefix, String::from(self.mark).repeat(self.length))
    }
}

/// Goes over a text line by line and knows whether a code block is open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fences {
    open: Option<Fence>,
}

impl Fences {
    /// The block that is open after the lines so far.
    pub(crate) fn open(&self) -> Option<&Fence> {
        self.open.as_ref()
    }

    /// Takes all lines of a text. Those without a mark open and close nothing.
    pub(crate) fn text(&mut self, text: &str) {
        let has_mark = |line: &&str| line.contains("```") || line.contains("~~~");
        text.split_inclusive('\n').filter(has_mark).for_each(|line| self.line(line));
    }

    /// Takes the next line.
    fn line(&mut self, line: &str) {
        match &self.open {
            Some(fence) if fence.is_closed_by(line) => self.open = None,
            Some(_) => {}
            None => self.open = opened(line.trim_end_matches(['\n', '\r'])),
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
            let mut fences = Fences::default();
            fences.text(text);
            assert_eq!(fences.open().map(Fence::closing).as_deref(), closing, "{text:?}");
        }
    }
}

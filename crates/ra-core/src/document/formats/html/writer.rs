//! Writes blocks of markdown inside lists and quotes.

use super::inline::{escape_line_start, longest_run};

/// Lists and quotes nested deeper than this aren't indented further, so a line has a short prefix.
const MAX_CONTAINERS: usize = 10;

/// A list item or a quote around the next block.
struct Container {
    /// The prefix of its first line.
    first: String,
    /// The prefix of its other lines.
    other: String,
    /// True if its first line is written.
    is_begun: bool,
}

/// The blocks written so far.
#[derive(Default)]
pub(super) struct Writer {
    markdown: String,
    containers: Vec<Container>,
    /// True if no blank line comes before the next block.
    is_tight: bool,
}

impl Writer {
    /// Returns the size of the markdown.
    pub(super) fn len(&self) -> usize {
        self.markdown.len()
    }

    /// Returns the markdown.
    pub(super) fn finish(self) -> String {
        self.markdown
    }

    /// Begins a quote.
    pub(super) fn begin_quote(&mut self) {
        self.begin("> ".to_owned(), "> ".to_owned());
    }

    /// Begins a list item. A tight one has no blank line before it.
    pub(super) fn begin_item(&mut self, marker: &str, is_tight: bool) {
        self.is_tight |= is_tight;
        self.begin(marker.to_owned(), " ".repeat(marker.len()));
    }

    fn begin(&mut self, first: String, other: String) {
        let is_shown = self.containers.len() < MAX_CONTAINERS;
        let (first, other) = if is_shown { (first, other) } else { (String::new(), String::new()) };
        self.containers.push(Container { first, other, is_begun: false });
    }

    /// Ends the innermost quote or list item. One without blocks leaves nothing behind.
    pub(super) fn end_container(&mut self) {
        if self.containers.pop().is_some_and(|container| !container.is_begun) {
            self.is_tight = false;
        }
    }

    /// Writes a paragraph, whose lines are escaped where they would begin another block.
    pub(super) fn paragraph(&mut self, markdown: &str) {
        self.separate();
        markdown.lines().for_each(|line| self.line(&escape_line_start(line)));
    }

    /// Writes a block as it is.
    pub(super) fn block(&mut self, markdown: &str) {
        self.separate();
        markdown.lines().for_each(|line| self.line(line));
    }

    /// Writes a fenced code block.
    pub(super) fn code(&mut self, language: &str, code: &str) {
        let fence = "`".repeat(longest_run(code, '`').max(2) + 1);
        self.separate();
        self.line(&format!("{fence}{language}"));
        code.lines().for_each(|line| self.line(line));
        self.line(&fence);
    }

    /// Writes the blank line before a block.
    fn separate(&mut self) {
        let is_tight = std::mem::take(&mut self.is_tight);
        if is_tight || self.markdown.is_empty() {
            return;
        }
        let begun = self.containers.iter().take_while(|container| container.is_begun);
        let prefix: String = begun.map(|container| container.other.as_str()).collect();
        self.markdown.extend([prefix.trim_end(), "\n"]);
    }

    fn line(&mut self, line: &str) {
        let start = self.markdown.len();
        for container in &mut self.containers {
            let is_first = !std::mem::replace(&mut container.is_begun, true);
            self.markdown.push_str(if is_first { &container.first } else { &container.other });
        }
        self.markdown.push_str(line);
        let end = start + self.markdown[start..].trim_end().len();
        self.markdown.truncate(end);
        self.markdown.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_indented_inside_lists_and_quotes() {
        let mut writer = Writer::default();
        writer.paragraph("# a");
        writer.begin_item("- ", false);
        writer.paragraph("b");
        writer.begin_item("10. ", true);
        writer.code("rs", "c\n\n```");
        writer.paragraph("d\\\n- e");
        writer.end_container();
        writer.end_container();
        writer.begin_item("- ", true);
        writer.end_container();
        writer.begin_quote();
        writer.paragraph("f");
        writer.paragraph("g");
        writer.end_container();
        writer.block("## h");
        let expected = "\\# a\n\n- b\n  10. ````rs\n      c\n\n      ```\n      ````\n\n      d\\\n      \\- e\n\n\
                        > f\n>\n> g\n\n## h\n";
        assert_eq!(writer.finish(), expected);
    }
}

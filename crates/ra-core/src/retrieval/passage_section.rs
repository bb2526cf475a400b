//! A section of a result: its text as in the source file, its matches, and its blocks.

use crate::document::{Block, DocumentKind, Pages, blocks, front_matter_end};
use crate::id::ChunkId;
use crate::index::Match;
use crate::text::{Span, breaks_inside, lines};

/// Contiguous text of a result, as in the source file: the own text of a node, or a part of it between two children.
#[derive(Clone, Debug)]
pub struct PassageSection {
    /// The node that it belongs to.
    pub id: ChunkId,
    /// Its byte range in the source.
    pub span: Span,
    /// Its first line, counted from 1.
    pub line: usize,
    /// Its pages, if the file has pages.
    pub pages: Option<Pages>,
    /// The length of the heading at its start, in bytes.
    pub heading: usize,
    /// The text, including the heading.
    pub text: String,
    /// The matches in the text, in order. They may overlap.
    pub matches: Vec<Match>,
    /// Why it is part of the result.
    pub role: Role,
    /// The format of its document.
    pub(super) kind: DocumentKind,
    /// The score of its chunk, or `None` if the chunk itself didn't match.
    pub(super) score: Option<f32>,
}

/// Why a section is part of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The section matches, or is inside a section that was merged from matching ones.
    Match,
    /// The section is near a matching one.
    Context,
}

impl PassageSection {
    /// Returns the part of the text that is shown: all but the front matter, the comments below it, and the comments,
    /// anchors and link definitions at the end, unless there is nothing else.
    pub fn shown(&self) -> Span {
        let start = self.text_start();
        let end = self.text_end();
        let has_text = end > start.max(self.heading);
        Span::new(
            if start == self.text.len() { 0 } else { start },
            if has_text { end } else { self.text.len() },
        )
    }

    /// Returns where the text ends: before the comments, anchors and link definitions that follow it after a blank
    /// line, which stays. Without one, a link definition is a part of the text.
    fn text_end(&self) -> usize {
        let is_blank = |line: &&str| line.trim().is_empty();
        let is_hidden = |line: &&str| is_blank(line) || is_invisible(line.trim_end());
        let hidden: Vec<&str> = lines_backwards(&self.text).take_while(is_hidden).collect();
        let below = hidden.iter().rposition(is_blank).map_or(&hidden[..0], |blank| &hidden[..blank]);
        if !self.kind.is_markdown() || below.iter().all(is_blank) {
            return self.text.len();
        }
        self.text.len() - below.iter().map(|line| line.len()).sum::<usize>()
    }

    /// Returns where the text of a document begins: after front matter, and the comments and blank lines below it.
    fn text_start(&self) -> usize {
        if !self.kind.is_markdown() || self.line != 1 || self.heading > 0 {
            return 0;
        }
        let front = front_matter_end(&self.text);
        let mut start = front;
        loop {
            let rest = &self.text[start..];
            let blank: usize = lines(rest).take_while(|line| line.trim().is_empty()).map(str::len).sum();
            let comment = rest[blank..].strip_prefix("<!").filter(|inside| inside.starts_with("--"));
            // `<!-->` and `<!--->` are whole comments.
            let length = comment.and_then(|inside| inside.find("-->"));
            let end = length.map(|length| start + blank + "<!".len() + length + "-->".len());
            // A comment with text on its last line is a part of the text.
            let line_end = |end: usize| end + lines(&self.text[end..]).next().map_or(0, str::len);
            match end.filter(|end| self.text[*end..line_end(*end)].trim().is_empty()) {
                Some(end) => start = line_end(end),
                None if start > 0 => return start + blank,
                None => return 0,
            }
        }
    }

    /// Returns where the source goes on after a part of the text. What is hidden at the end belongs to the text before.
    pub fn source_after(&self, span: Span) -> usize {
        self.span.start + if span.end == self.shown().end { self.text.len() } else { span.end }
    }

    /// True if there is nothing but front matter and comments.
    pub(super) fn says_nothing(&self) -> bool {
        !self.text.is_empty() && self.text_start() == self.text.len()
    }

    /// True if the heading is followed by nothing but what a reader doesn't see as text: macros, anchors, comments and
    /// link definitions.
    pub(super) fn is_markup_only(&self) -> bool {
        let is_macro = |line: &str| line.starts_with("{{") && line.ends_with("}}");
        let is_markup = |line: &str| line.is_empty() || is_macro(line) || is_invisible(line);
        self.kind.is_markdown() && lines(&self.text[self.heading..]).map(str::trim).all(is_markup)
    }

    /// Returns the number of lines that are shown.
    pub fn line_count(&self) -> usize {
        1 + breaks_inside(self.shown().of(&self.text))
    }

    /// Returns the first and the last line of a part of the text, in the source file.
    pub fn lines_of(&self, span: Span) -> (usize, usize) {
        let first = self.line + memchr::memchr_iter(b'\n', &self.text.as_bytes()[..span.start]).count();
        (first, first + breaks_inside(span.of(&self.text)))
    }

    /// Returns the blocks after the heading and the front matter.
    pub fn blocks(&self) -> Vec<Block> {
        let shown = self.shown();
        blocks(&self.text[..shown.end], self.heading.max(shown.start), self.kind)
    }

    /// True if the heading contains each of the first `terms` terms.
    pub(super) fn has_terms_in_heading(&self, terms: usize) -> bool {
        let inside = self.matches_in(Span::new(0, self.heading));
        (0..terms).all(|term| inside.iter().any(|found| usize::from(found.term) == term))
    }

    /// Returns the matches in a part of the text.
    pub fn matches_in(&self, span: Span) -> &[Match] {
        let from = self.matches.partition_point(|found| found.span.start < span.start);
        let to = self.matches.partition_point(|found| found.span.start < span.end);
        &self.matches[from..to]
    }
}

/// True for a line of markdown that a reader doesn't see: a comment, an anchor without text, or a link definition.
fn is_invisible(line: &str) -> bool {
    let is_comment = line.starts_with("<!--") && line.find("-->") == line.len().checked_sub("-->".len());
    let is_anchor = line.starts_with("<a ") && line.ends_with("></a>") && line.matches('<').count() == 2;
    is_comment || is_anchor || is_link_definition(line)
}

/// True for the definition of a link: a label, an address and perhaps a title. Other text in brackets is visible.
fn is_link_definition(line: &str) -> bool {
    let Some((label, rest)) = line.strip_prefix('[').and_then(|line| line.split_once("]:")) else {
        return false;
    };
    let (address, title) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
    let has_title_form = title.is_empty() || title.trim_start().starts_with(['"', '\'', '(']);
    !label.starts_with('^') && !label.contains(['[', ']']) && !address.is_empty() && has_title_form
}

/// Returns the lines of a text with their line breaks, the last one first.
fn lines_backwards(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let before_break = rest.strip_suffix('\n').unwrap_or(rest);
        let start = before_break.rfind('\n').map_or(0, |at| at + 1);
        let line = &rest[start..];
        rest = &rest[..start];
        (!line.is_empty()).then_some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(text: &str, heading: usize) -> PassageSection {
        PassageSection {
            id: "docs:a.md#b".parse().unwrap(),
            span: Span::new(0, text.len()),
            line: 5,
            pages: None,
            heading,
            text: text.to_owned(),
            matches: Vec::new(),
            role: Role::Match,
            kind: DocumentKind::Markdown,
            score: None,
        }
    }

    #[test]
    fn what_a_reader_does_not_see_is_not_shown_at_the_end() {
        for (body, shown) in [
            ("Text.\n", "Text.\n"),
            ("Text.\n\n\n", "Text.\n\n\n"),
            ("Text.\n\n\n[a]: b\n", "Text.\n\n"),
            ("Text.\n\n<!-- Old headings. -->\n<a id=\"x\"></a>\n\n", "Text.\n\n"),
            ("Text.\n\n[a]: b.html\n[c]: d.html\n", "Text.\n\n"),
            ("Text.\r\n\r\n[a]: b.html\r\n", "Text.\r\n\r\n"),
            ("Text.\n\n[a]: b.html", "Text.\n\n"),
            ("Text.\n\n[a]: b.html \"A title\"\n", "Text.\n\n"),
            ("Text.\n\n[^1]: A note.\n", "Text.\n\n[^1]: A note.\n"),
            ("Text.\n\n[ERROR]: disk full\n", "Text.\n\n[ERROR]: disk full\n"),
            ("Text.\n\n[x](y) and [a]: b\n", "Text.\n\n[x](y) and [a]: b\n"),
            ("Text.\n[a]: b\n", "Text.\n[a]: b\n"),
            ("Text.\n[a]: b\n\n[c]: d\n", "Text.\n[a]: b\n\n"),
            ("Text.\n\n<a href=\"b\">More</a>\n", "Text.\n\n<a href=\"b\">More</a>\n"),
            ("<!-- a --> Text. <!-- b -->\n", "<!-- a --> Text. <!-- b -->\n"),
            ("[a]: b.html\n", "[a]: b.html\n"),
            ("```\n[a]: b\n```\n", "```\n[a]: b\n```\n"),
        ] {
            let heading = "## B\n";
            let text = format!("{heading}{body}");
            let section = section(&text, heading.len());
            assert_eq!(section.shown().of(&text), format!("{heading}{shown}"), "{body:?}");
            assert_eq!(section.source_after(section.shown()), text.len(), "{body:?}");
            assert_eq!(section.blocks().last().unwrap().span.end, section.shown().end, "{body:?}");
        }
    }

    #[test]
    fn macros_anchors_and_definitions_are_only_markup() {
        for (body, expected) in [
            ("\n{{Specifications}}\n", true),
            ("<a id=\"x\"></a>\n[a]: b.html\n", true),
            ("", true),
            ("{{Compat}} and text\n", false),
            ("Text.\n", false),
        ] {
            let heading = "## B\n";
            let section = section(&format!("{heading}{body}"), heading.len());
            assert_eq!(section.is_markup_only(), expected, "{body:?}");
        }
    }
}

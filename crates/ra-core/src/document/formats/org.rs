//! Reads Org: headlines, links, metadata and blocks.

use std::collections::HashMap;
use std::ops::Range;

use super::super::frontmatter::Metadata;
use super::super::structure::{Findings, Heading};
use super::super::{BlockKind, tags};
use super::line_scan::{
    Part, SourceLine, find_line, keywords, non_empty, part_starts, prose_runs, push_link, span_of,
    split_lines,
};
use super::org_inline::{links, plain_text};
use crate::text::{Lines, collapse};

/// The states of a headline that count without a `#+TODO:` line.
const TODO_STATES: &[&str] =
    &["TODO", "DONE", "NEXT", "WAITING", "WAIT", "HOLD", "STARTED", "SOMEDAY", "CANCELLED", "CANCELED"];

/// Reads metadata, headings and links.
pub(super) fn scan(text: &str, lines: &Lines) -> (Metadata, Findings) {
    let split = split_lines(text, 0);
    let org = Org::new(&split);
    let parts = org.parts();
    let mut found = Findings::default();
    org.read_headlines(&parts, &mut found);
    for run in prose_runs(&split, &org.prose_lines()) {
        for mut link in links(run.of(text)) {
            link.span = link.span.plus(run.start);
            push_link(&mut found.links, lines, link.as_found());
        }
    }
    (org.metadata(), found)
}

/// Returns the start of each block with its kind, in order, for text from byte `from` on.
pub(super) fn block_starts(text: &str, from: usize) -> Vec<(usize, BlockKind)> {
    let lines = split_lines(text, from);
    part_starts(&lines, &Org::new(&lines).parts())
}

/// The lines of a document, and where its delimited blocks end.
pub(super) struct Org<'a, 't> {
    lines: &'a [SourceLine<'t>],
    /// For each line: one past the last line of the block or drawer that it begins, if any.
    ends: Vec<Option<usize>>,
}

impl<'a, 't> Org<'a, 't> {
    /// Finds the end of each block and drawer, going backwards so every line is read once. A block without an end is
    /// text; a drawer ends at the next headline at the latest.
    pub(super) fn new(lines: &'a [SourceLine<'t>]) -> Self {
        let mut ends = vec![None; lines.len()];
        let mut block_ends: HashMap<String, usize> = HashMap::new();
        let mut drawer_end = None;
        for (at, line) in lines.iter().enumerate().rev() {
            if let Some(name) = block_name(line.content, "end") {
                block_ends.insert(name, at + 1);
            } else if let Some(end) =
                block_name(line.content, "begin").and_then(|name| block_ends.remove(&name))
            {
                // An end is used once: an earlier beginning without an end of its own is text.
                ends[at] = Some(end);
            } else if line.content.eq_ignore_ascii_case(":end:") {
                drawer_end = Some(at + 1);
            } else if is_drawer(line.content) {
                ends[at] = drawer_end.take();
            } else if headline(line).is_some() {
                drawer_end = None;
            }
        }
        Self { lines, ends }
    }

    /// Returns the end of the block or drawer that begins at `at`.
    pub(super) fn end_of(&self, at: usize) -> Option<usize> {
        self.ends.get(at).copied().flatten()
    }

    /// Splits the lines into blocks.
    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(line) = self.lines.get(at) {
            if line.is_blank() {
                at += 1;
                continue;
            }
            // Keywords such as `#+CAPTION:` belong to the block below them.
            let is_body = |line: &SourceLine<'_>| keyword(line.content).is_none() || is_begin(line.content);
            let body = find_line(self.lines, at, is_body);
            let is_alone =
                self.lines.get(body).is_none_or(|line| line.is_blank() || headline(line).is_some());
            let (kind, end) =
                if is_alone && body > at { (BlockKind::Paragraph, body) } else { self.block(body) };
            parts.push(Part { kind, lines: at..end });
            at = end;
        }
        parts
    }

    /// Returns the kind and the end of the block that begins at `at`.
    fn block(&self, at: usize) -> (BlockKind, usize) {
        let line = &self.lines[at];
        if headline(line).is_some() {
            (BlockKind::Heading, self.heading_end(at))
        } else if let Some(end) = self.end_of(at) {
            (block_kind(line.content), end)
        } else if line.content.starts_with('|') {
            let is_row =
                |line: &SourceLine<'_>| line.content.starts_with('|') || is_table_formula(line.content);
            (BlockKind::Table, find_line(self.lines, at, |line| !is_row(line)))
        } else if is_item(line) {
            (BlockKind::ListItem, self.item_end(at))
        } else if is_fixed_width(line.content) {
            (BlockKind::Code, find_line(self.lines, at, |line| !is_fixed_width(line.content)))
        } else if line.indent == 0 && is_footnote(line.content) {
            (BlockKind::Quote, self.paragraph_end(at))
        } else {
            (BlockKind::Paragraph, self.paragraph_end(at))
        }
    }

    /// Returns the end of a paragraph: a blank line, or a line that begins another block.
    fn paragraph_end(&self, at: usize) -> usize {
        let begins_other = |at: usize| {
            let line = &self.lines[at];
            line.is_blank()
                || headline(line).is_some()
                || self.end_of(at).is_some()
                || line.content.starts_with('|')
                || is_item(line)
                || is_fixed_width(line.content)
                || keyword(line.content).is_some()
        };
        (at + 1..self.lines.len()).find(|&at| begins_other(at)).unwrap_or(self.lines.len())
    }

    /// Returns the end of a list item: the next line that isn't indented deeper, outside of blocks, or two blank lines.
    fn item_end(&self, start: usize) -> usize {
        let indent = self.lines[start].indent;
        let (mut at, mut blanks) = (start + 1, 0);
        while let Some(line) = self.lines.get(at) {
            if line.is_blank() {
                blanks += 1;
                at += 1;
            } else if blanks > 1 || line.indent <= indent {
                break;
            } else {
                blanks = 0;
                at = self.end_of(at).unwrap_or(at + 1);
            }
        }
        at
    }

    /// Tells for each line if it is prose; code, comments and properties aren't.
    fn prose_lines(&self) -> Vec<bool> {
        let is_text = |line: &SourceLine<'_>| !is_comment(line.content) && !is_fixed_width(line.content);
        let mut is_prose: Vec<bool> = self.lines.iter().map(is_text).collect();
        let mut at = 0;
        while let Some(line) = self.lines.get(at) {
            let is_literal = || {
                block_kind(line.content) == BlockKind::Code
                    || line.content.eq_ignore_ascii_case(":properties:")
            };
            let end = self.end_of(at).filter(|_| is_literal());
            is_prose[at..end.unwrap_or(at)].fill(false);
            at = end.unwrap_or(at + 1);
        }
        is_prose
    }

    fn read_headlines(&self, parts: &[Part], found: &mut Findings) {
        let states = self.todo_states();
        for part in parts.iter().filter(|part| part.kind == BlockKind::Heading) {
            let line = &self.lines[part.lines.start];
            let Some((level, rest)) = headline(line) else { continue };
            let (title, written) = split_tags(without_state(rest, &states));
            found.tags.extend(written.filter(|tag| tags::fits(tag)).map(str::to_owned));
            found.headings.push(Heading {
                level: level.min(6) as u8,
                title: collapse(&plain_text(title)),
                github_title: None,
                id: self.custom_id(part.lines.start + 1),
                span: span_of(self.lines, &part.lines),
            });
        }
    }

    /// Returns the states defined by `#+TODO:` lines, besides the usual ones.
    pub(super) fn todo_states(&self) -> Vec<&'t str> {
        let mut states = TODO_STATES.to_vec();
        for line in self.lines {
            if let Some((name, value)) = keyword(line.content)
                && ["todo", "seq_todo", "typ_todo"].iter().any(|known| name.eq_ignore_ascii_case(known))
            {
                let names = value.split_whitespace().map(|state| state.split('(').next().unwrap_or(state));
                states.extend(names.filter(|state| *state != "|").take(MAX_TODO_STATES - states.len()));
            }
        }
        states
    }

    /// Returns the end of the heading at `at`. Its properties belong to it: they describe the section and aren't text.
    fn heading_end(&self, at: usize) -> usize {
        let drawer = self.drawer_after(at + 1);
        let is_properties = |line: &SourceLine<'_>| line.content.eq_ignore_ascii_case(":properties:");
        let end = self.end_of(drawer).filter(|_| self.lines.get(drawer).is_some_and(is_properties));
        end.unwrap_or(at + 1)
    }

    /// Returns where the property drawer of a headline begins, if there is one: below an optional planning line.
    fn drawer_after(&self, after: usize) -> usize {
        let is_planning = |line: &SourceLine<'_>| {
            ["SCHEDULED:", "DEADLINE:", "CLOSED:"].iter().any(|name| line.content.starts_with(name))
        };
        after + usize::from(self.lines.get(after).is_some_and(is_planning))
    }

    /// Returns the `CUSTOM_ID` in the property drawer after a headline.
    fn custom_id(&self, after: usize) -> Option<String> {
        self.property(self.drawer_after(after), "CUSTOM_ID")
    }

    /// Returns the value of a property in the drawer that begins at `at`.
    fn property(&self, at: usize, name: &str) -> Option<String> {
        let range: Range<usize> = at..self.end_of(at)?;
        if !self.lines[at].content.eq_ignore_ascii_case(":properties:") {
            return None;
        }
        let value = |line: &SourceLine<'t>| {
            let (key, value) = line.content.strip_prefix(':')?.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        };
        self.lines[range].iter().find_map(value).filter(|value| !value.is_empty())
    }

    /// Reads the keywords that describe the document.
    fn metadata(&self) -> Metadata {
        let (mut title, mut description) = (String::new(), String::new());
        let mut metadata = Metadata::default();
        let mut at = 0;
        while let Some(line) = self.lines.get(at) {
            if let Some((name, value)) = keyword(line.content) {
                match name.to_ascii_lowercase().as_str() {
                    "title" => title.extend([" ", value]),
                    "description" => description.extend([" ", value]),
                    "filetags" => metadata.tags.extend(file_tags(value)),
                    "keywords" => metadata.tags.extend(keywords(value)),
                    _ => {}
                }
            }
            at = self.end_of(at).unwrap_or(at + 1);
        }
        metadata.title = non_empty(&plain_text(&title));
        metadata.description = non_empty(&plain_text(&description));
        metadata
    }
}

/// How many states of headlines are recognized; each headline is compared with all of them.
const MAX_TODO_STATES: usize = 64;

/// Returns the level and the text of a headline.
pub(super) fn headline<'t>(line: &SourceLine<'t>) -> Option<(usize, &'t str)> {
    let rest = line.content.trim_start_matches('*');
    let level = line.content.len() - rest.len();
    let is_headline = level > 0 && line.indent == 0 && (rest.starts_with([' ', '\t']));
    is_headline.then(|| (level, rest.trim_start()))
}

/// Returns a headline's text without its state and its priority.
fn without_state<'t>(text: &'t str, states: &[&str]) -> &'t str {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let text = if states.contains(&word) { rest.trim_start() } else { text };
    let is_priority = |rest: &&str| text.starts_with("[#") && rest.find(']').is_some_and(|end| end < 3);
    match text.get(2..).filter(is_priority).and_then(|rest| rest.split_once(']')) {
        Some((_, rest)) => rest.trim_start(),
        None => text,
    }
}

/// True if a headline's text begins with `COMMENT`: it and everything below it isn't part of the text.
pub(super) fn is_commented_out(text: &str, states: &[&str]) -> bool {
    let rest = without_state(text, states).strip_prefix("COMMENT");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// True if a line begins a block of comments.
pub(super) fn is_comment_block(content: &str) -> bool {
    block_name(content, "begin").as_deref() == Some("comment")
}

/// Splits a headline's text into the title and its tags: `Title :a:b:`.
fn split_tags(text: &str) -> (&str, impl Iterator<Item = &str>) {
    let is_tag = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '#' | '%' | ':');
    let start = text.rfind(char::is_whitespace).map_or(0, |at| text.ceil_char_boundary(at + 1));
    let last = &text[start..];
    let is_tags = last.len() > 2 && last.starts_with(':') && last.ends_with(':') && last.chars().all(is_tag);
    let (title, tags) = if is_tags { (&text[..start], last) } else { (text, "") };
    (title, tags.split(':').filter(|tag| !tag.is_empty()))
}

/// Splits `:a:b:` or words.
fn file_tags(value: &str) -> Vec<String> {
    value.split([':', ' ', '\t']).filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}

/// Returns the name and the value of `#+NAME: value`.
fn keyword(content: &str) -> Option<(&str, &str)> {
    let (name, value) = content.strip_prefix("#+")?.split_once(':')?;
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    is_name.then(|| (name, value.trim()))
}

fn is_begin(content: &str) -> bool {
    block_name(content, "begin").is_some()
}

/// Returns the name of the block that a `#+begin_name` or `#+end_name` line delimits, in lower case. A dynamic block
/// has no name.
fn block_name(content: &str, edge: &str) -> Option<String> {
    let rest = content.strip_prefix("#+")?;
    let rest = rest
        .get(..edge.len())
        .filter(|start| start.eq_ignore_ascii_case(edge))
        .map(|_| &rest[edge.len()..])?;
    match rest.strip_prefix('_') {
        Some(name) => name.split_whitespace().next().map(str::to_ascii_lowercase),
        None => rest.starts_with(':').then(String::new),
    }
}

fn block_kind(content: &str) -> BlockKind {
    match block_name(content, "begin").as_deref() {
        Some("src" | "example" | "export" | "comment" | "latex" | "html") => BlockKind::Code,
        Some("") | None => BlockKind::Paragraph,
        Some(_) => BlockKind::Quote,
    }
}

/// True for `:NAME:` on a line of its own.
fn is_drawer(content: &str) -> bool {
    let name = content.strip_prefix(':').and_then(|rest| rest.strip_suffix(':')).unwrap_or_default();
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}

pub(super) fn is_comment(content: &str) -> bool {
    content == "#" || content.starts_with("# ")
}

fn is_fixed_width(content: &str) -> bool {
    content == ":" || content.starts_with(": ")
}

fn is_footnote(content: &str) -> bool {
    content.starts_with("[fn:")
}

fn is_table_formula(content: &str) -> bool {
    keyword(content).is_some_and(|(name, _)| name.eq_ignore_ascii_case("tblfm"))
}

/// True if a line begins a list item: `-`, `+`, an indented `*`, `1.` or `1)`.
fn is_item(line: &SourceLine<'_>) -> bool {
    let (word, _) = line.content.split_once([' ', '\t']).unwrap_or((line.content, ""));
    let is_number = |number: &str| {
        let is_letter = number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_alphabetic());
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) || is_letter
    };
    match word {
        "-" | "+" => true,
        "*" => line.indent > 0,
        _ => word.strip_suffix(['.', ')']).is_some_and(is_number),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::LinkKind::{Image, Markdown};
    use super::super::line_scan::checks::*;
    use super::*;

    #[test]
    fn headlines_lose_state_priority_and_tags() {
        let states = "#+TODO: FIX(f@/!) | GONE\n* FIX A\n* GONE B\n* OTHER C\n";
        let others = "* COMMENT A\n* DONE\n* B [1/2]\n* [50%] C\n";
        check_headings(
            scan,
            &[
                ("* A\n** B\n******* G\n", &[(1, "A", ""), (2, "B", ""), (6, "G", "")]),
                ("* TODO [#A] Title :tag1:tag2:\n", &[(1, "Title", "")]),
                (states, &[(1, "A", ""), (1, "B", ""), (1, "OTHER C", "")]),
                (others, &[(1, "COMMENT A", ""), (1, "", ""), (1, "B", ""), (1, "C", "")]),
                ("*bold*\n * item\n*\n", &[]),
                ("* =a*b= /i/ [[x][y]] ~c_d~ a/b/c\n", &[(1, "a*b i y c_d a/b/c", "")]),
                ("* Time 10:30: now\n", &[(1, "Time 10:30: now", "")]),
            ],
        );
        let described = "* A\nDEADLINE: <x>\n:PROPERTIES:\n:ID: 1\n:END:\n";
        check_spans(
            scan,
            &[
                ("x\n* A :t:\r\n** B", &["* A :t:\r\n", "** B"]),
                (&format!("{described}x\n* B\n:LOGBOOK:\n:END:\n"), &[described, "* B\n"]),
            ],
        );
    }

    #[test]
    fn custom_ids_come_from_the_property_drawer() {
        check_headings(
            scan,
            &[
                ("* A\n:PROPERTIES:\n:ID: 1\n:CUSTOM_ID: a-b\n:END:\n", &[(1, "A", "a-b")]),
                ("* A\nSCHEDULED: <x>\n  :properties:\n  :custom_id: c\n  :end:\n", &[(1, "A", "c")]),
                ("* A\n:PROPERTIES:\n:CUSTOM_ID: a\n* B\n:END:\n", &[(1, "A", ""), (1, "B", "")]),
                ("* A\n\nx\n:PROPERTIES:\n:CUSTOM_ID: a\n:END:\n", &[(1, "A", "")]),
            ],
        );
    }

    #[test]
    fn blocks_contain_no_headlines() {
        check_headings(
            scan,
            &[
                ("#+BEGIN_SRC org\n* A\n#+END_SRC\n* B\n", &[(1, "B", "")]),
                ("#+begin_example\n* A\n#+end_src\n#+END_EXAMPLE\n* B\n", &[(1, "B", "")]),
                ("#+BEGIN_SRC\n* A\n#+BEGIN_SRC\n* C\n#+END_SRC\n", &[(1, "A", "")]),
                ("#+BEGIN_SRC\n* A\n", &[(1, "A", "")]),
            ],
        );
    }

    #[test]
    fn metadata_comes_from_keywords() {
        let keywords = "#+title: A\n#+TITLE: B\n#+FILETAGS: :x:y:\n#+KEYWORDS: a b, c\n#+DESCRIPTION: D\n";
        check_metadata(
            scan,
            &[
                (keywords, ("A B", &["x", "y", "a b", "c"], "D")),
                ("#+BEGIN_SRC\n#+TITLE: A\n#+END_SRC\n", ("", &[], "")),
            ],
        );
    }

    #[test]
    fn tags_of_headlines_are_collected() {
        let text = "* A :x:y@z:\n* B ::\n* C :no tag:\n";
        assert_eq!(scan(text, &Lines::new(text)).1.tags, ["x", "y@z"]);
    }

    #[test]
    fn links_of_every_kind() {
        let literal = "# [[a]]\n: [[a]]\n#+begin_src\n[[a]]\n#+end_src\n";
        let quote = format!("{literal}#+begin_quote\n[[b]]\n#+end_quote\n");
        check_links(
            scan,
            &[
                (
                    "[[https://x][a *b*]] [[a.org]]",
                    &[(Markdown, "https://x", "a b"), (Markdown, "a.org", "a.org")],
                ),
                (
                    "[[file:x.org::*Head][t]] [[file:x.org::#id]]",
                    &[(Markdown, "x.org#Head", "t"), (Markdown, "x.org#id", "file:x.org::#id")],
                ),
                (
                    "[[#id][t]] [[*Head]] [[Head]]",
                    &[(Markdown, "#id", "t"), (Markdown, "#Head", "*Head"), (Markdown, "#Head", "Head")],
                ),
                ("[[./a.png]] [[file:b.PNG][t]]", &[(Image, "./a.png", ""), (Markdown, "b.PNG", "t")]),
                ("[[a\nb][c\nd]] [[]] [[kbd:][e]] [[x", &[(Markdown, "#a b", "c d")]),
                (&quote, &[(Markdown, "#b", "b")]),
            ],
        );
    }

    #[test]
    fn every_kind_of_block_is_found() {
        use BlockKind::*;
        check_blocks(
            block_starts,
            &[
                (
                    "a\nb\n\n#+NAME: x\n#+begin_src\nc\n\n#+end_src\nd\n",
                    &[
                        (Paragraph, "a\nb\n\n"),
                        (Code, "#+NAME: x\n#+begin_src\nc\n\n#+end_src\n"),
                        (Paragraph, "d\n"),
                    ],
                ),
                (
                    "- a\n  - b\n\n  c\n  #+begin_src\nd\n  #+end_src\n- e\n\n\n  f\n",
                    &[
                        (ListItem, "- a\n  - b\n\n  c\n  #+begin_src\nd\n  #+end_src\n"),
                        (ListItem, "- e\n\n\n"),
                        (Paragraph, "  f\n"),
                    ],
                ),
                (
                    "|a|\n|-|\n#+TBLFM: x\n#+begin_quote\nq\n#+end_quote\n",
                    &[(Table, "|a|\n|-|\n#+TBLFM: x\n"), (Quote, "#+begin_quote\nq\n#+end_quote\n")],
                ),
                (
                    ": a\n: b\n[fn:1] x\n\n:LOG:\n\n- y\n:END:\n* H\n",
                    &[
                        (Code, ": a\n: b\n"),
                        (Quote, "[fn:1] x\n\n"),
                        (Paragraph, ":LOG:\n\n- y\n:END:\n"),
                        (Heading, "* H\n"),
                    ],
                ),
                (
                    "#+TITLE: x\n#+DATE: y\n\n1. a\n2) b\n",
                    &[(Paragraph, "#+TITLE: x\n#+DATE: y\n\n"), (ListItem, "1. a\n"), (ListItem, "2) b\n")],
                ),
            ],
        );
    }

    #[test]
    fn repeated_pieces_take_linear_time() {
        let inline = ["[[", "[", "[[a][", "*a ", "* [ "];
        let blocks = ["#+begin_src\n", ":a:\n", "* A\n", "- a\n", "#+a: b\n", "* A\n:properties:\n"];
        check_speed(scan, block_starts, &inline);
        check_speed(scan, block_starts, &blocks);
    }

    /// Pieces of Org that are most likely to break when combined.
    const FRAGMENTS: &[&str] = &[
        "* A",
        "** TODO [#A] B :x:",
        "* ",
        "*",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "#+BEGIN_SRC\n",
        "#+END_SRC\n",
        "#+begin_quote\n",
        "#+end_quote\n",
        "#+BEGIN: x\n",
        "#+END:\n",
        "#+TITLE: t",
        "#+FILETAGS: :a:",
        "#+TODO: X | Y",
        "#+CAPTION: c\n",
        ":PROPERTIES:\n",
        ":CUSTOM_ID: x\n",
        ":END:\n",
        "- ",
        "1. ",
        "  ",
        "\t",
        "|a|b|\n",
        "#+TBLFM: x\n",
        ": ",
        "# ",
        "[[",
        "]]",
        "][",
        "[1/2]",
        "[",
        "file:",
        "::",
        "*b*",
        "=c=",
        "~",
        "/",
        "_",
        "[fn:1] ",
        "-----",
        "\u{feff}",
        "é",
        "概要",
        "🚀",
        "\u{2028}",
        "\u{a0}",
        "\r",
        "\0",
        "SCHEDULED: ",
        "X ",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(1500)))]

        #[test]
        fn fragments_keep_the_invariants(text in joined(FRAGMENTS, 40)) {
            check(&text, scan, block_starts)?;
        }

        #[test]
        fn any_text_keeps_the_invariants(text in any::<String>()) {
            check(&text, scan, block_starts)?;
        }
    }
}

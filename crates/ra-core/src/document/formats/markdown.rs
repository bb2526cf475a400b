//! Extracts headings, links and inline tags from markdown in one pass over the parser's events.

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::super::link_target::{inline_target, wiki_target};
use super::super::structure::{Findings, Heading};
use super::super::{Link, LinkKind, MAX_HEADINGS, elements, tags};
use super::html::raw_links;
use super::obsidian_comments;
use crate::text::{Lines, Span, collapse};

/// How many levels of nested links and images pass their text on. Without a limit, a small file of images nested
/// thousands deep would store every text thousands of times.
const MAX_NESTING: usize = 8;

/// How far after an inline tag `<a>` its text may end.
const MAX_RAW_LINK_BYTES: usize = 4_000;

/// How much text the parser gets at once: its state takes several times as much memory. References and footnotes
/// defined farther away from their use aren't resolved, and appear in titles as written.
const WINDOW: usize = 4 << 20;

/// Reads the markdown in `text` that begins at byte `from`, after front matter or a byte order mark. All spans are
/// relative to the start of `text`.
pub(super) fn scan(text: &str, from: usize, lines: &Lines) -> Findings {
    scan_by(WINDOW, text, from, lines)
}

/// Reads window by window. Each window begins at a heading that the previous one found, which ends all blocks before
/// it; if there is none in reach, the window is enlarged.
fn scan_by(window: usize, text: &str, from: usize, lines: &Lines) -> Findings {
    let mut scanner = Scanner::new(text, from, lines);
    let (mut start, mut size) = (from, window);
    loop {
        let end = memchr::memchr(b'\n', text.as_bytes().get(start + size..).unwrap_or_default())
            .map_or(text.len(), |at| start + size + at + 1);
        let before = scanner.progress();
        match scanner.window(Span::new(start, end)) {
            Some(heading) => (start, size) = (heading, window),
            None if end == text.len() => break,
            None => {
                scanner.return_to(before);
                size = 2 * (end - start);
            }
        }
    }
    scanner.finish_run();
    scanner.without_comments()
}

/// Returns the supported syntax. Heading attributes are read by [`take_id`] instead: the parser's own option takes
/// every brace at the end of a heading, and `GET /users/{id}` would lose its last word.
pub(super) fn syntax() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_WIKILINKS
}

/// The heading being read.
struct OpenHeading {
    level: u8,
    span: Span,
    text: String,
    /// `text` without tags that aren't HTML, set at the first such tag.
    github_text: Option<String>,
    /// Where the last code span in `text` ends: braces in code are never attributes.
    code_end: usize,
}

/// The state of one pass.
struct Scanner<'t> {
    text: &'t str,
    from: usize,
    lines: &'t Lines,
    found: Findings,
    heading: Option<OpenHeading>,
    /// The links and images around the current event, as indexes into `found.links`.
    open_links: Vec<usize>,
    in_code_block: bool,
    /// The code of a text that may have comments of Obsidian, whose marks mean nothing in code.
    code: Option<Vec<Span>>,
    /// The run of plain text that the last text events cover. The parser splits text at every character that could be
    /// markup: `#snake_case` arrives in parts, so tags are searched only in whole runs.
    run: Span,
}

/// The progress of a pass.
struct Progress {
    headings: usize,
    links: usize,
    tags: usize,
    run: Span,
}

impl<'t> Scanner<'t> {
    fn new(text: &'t str, from: usize, lines: &'t Lines) -> Self {
        Self {
            text,
            from,
            lines,
            found: Findings::default(),
            heading: None,
            open_links: Vec::new(),
            in_code_block: false,
            code: obsidian_comments::has_mark(text).then(Vec::new),
            run: Span::new(from, from),
        }
    }

    /// Reads a part of the text. If that isn't the last part, stops at one of its last headings, where the next part
    /// can begin, and returns its position; `None` if there is no such heading.
    fn window(&mut self, window: Span) -> Option<usize> {
        let is_last = window.end == self.text.len();
        let late = window.end - window.len() / 8;
        let mut depth = 0;
        for (event, range) in Parser::new_ext(window.of(self.text), syntax()).into_offset_iter() {
            let span = Span::new(range.start + window.start, range.end + window.start);
            match &event {
                // Nothing before this line extends past it: no list, quote or footnote continues over such a heading.
                Event::Start(Tag::Heading { .. })
                    if depth == 0
                        && !is_last
                        && span.start >= late
                        && self.text[..span.start].ends_with('\n')
                        && self.text[span.start..].starts_with('#') =>
                {
                    return Some(span.start);
                }
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                _ => {}
            }
            self.event(event, span);
        }
        None
    }

    fn progress(&self) -> Progress {
        let Findings { headings, links, tags } = &self.found;
        Progress { headings: headings.len(), links: links.len(), tags: tags.len(), run: self.run }
    }

    /// Drops everything found since `progress`.
    fn return_to(&mut self, progress: Progress) {
        self.found.headings.truncate(progress.headings);
        self.found.links.truncate(progress.links);
        self.found.tags.truncate(progress.tags);
        self.run = progress.run;
    }

    fn event(&mut self, event: Event<'_>, span: Span) {
        match event {
            Event::Start(tag) => self.start(tag, span),
            Event::End(tag) => self.end(tag),
            Event::Text(_) if self.in_code_block => {}
            Event::Text(text) => {
                self.inline(&text);
                self.extend_run(span);
            }
            Event::Code(code) => {
                self.inline(&code);
                self.code.iter_mut().for_each(|spans| spans.push(span));
                if let Some(heading) = &mut self.heading {
                    heading.code_end = heading.text.len();
                }
            }
            Event::SoftBreak | Event::HardBreak => self.inline(" "),
            Event::InlineHtml(html) if !elements::is_html(&html) => self.tag_as_text(&html),
            Event::InlineHtml(_) => {
                let end = self.text.floor_char_boundary(span.end + MAX_RAW_LINK_BYTES);
                self.raw_links(Span::new(span.start, end), span.len());
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, span: Span) {
        match tag {
            Tag::Heading { level, .. } => {
                let (text, github_text) = (String::new(), None);
                self.heading = Some(OpenHeading { level: level as u8, span, text, github_text, code_end: 0 });
            }
            Tag::CodeBlock(_) => {
                self.in_code_block = true;
                self.code.iter_mut().for_each(|spans| spans.push(span));
            }
            Tag::HtmlBlock => self.raw_links(span, span.len()),
            Tag::Link { link_type, dest_url, .. } => {
                let (kind, target) = match link_type {
                    LinkType::WikiLink { .. } => match inline_target(self.text, span.end) {
                        Some(target) => (LinkKind::Markdown, target),
                        None => (LinkKind::Wiki, wiki_target(&dest_url)),
                    },
                    LinkType::Email => (LinkKind::Markdown, format!("mailto:{dest_url}")),
                    _ => (LinkKind::Markdown, dest_url.into_string()),
                };
                self.open_link(kind, target, span);
            }
            Tag::Image { link_type, dest_url, .. } => {
                let target = match link_type {
                    LinkType::WikiLink { .. } => wiki_target(&dest_url),
                    _ => dest_url.into_string(),
                };
                self.open_link(LinkKind::Image, target, span);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                if let Some(heading) = self.heading.take() {
                    self.close_heading(heading);
                }
            }
            TagEnd::CodeBlock => self.in_code_block = false,
            TagEnd::Link | TagEnd::Image => self.close_link(),
            _ => {}
        }
    }

    /// Adds visible text to the heading and the link around it.
    fn inline(&mut self, text: &str) {
        if let Some(heading) = &mut self.heading {
            heading.text.push_str(text);
            if let Some(github_text) = &mut heading.github_text {
                github_text.push_str(text);
            }
        }
        if let Some(link) = self.open_links.last().and_then(|&at| self.found.links.get_mut(at)) {
            link.text.push_str(text);
        }
    }

    /// Adds text that looks like an HTML tag but isn't one, such as `<void>` in `Promise<void>`, to the heading and
    /// the link around it. GitHub removes it from its anchors.
    fn tag_as_text(&mut self, tag: &str) {
        if let Some(heading) = &mut self.heading {
            let github_text = heading.github_text.take().unwrap_or_else(|| heading.text.clone());
            heading.text.push_str(tag);
            heading.github_text = Some(github_text);
        }
        if let Some(link) = self.open_links.last().and_then(|&at| self.found.links.get_mut(at)) {
            link.text.push_str(tag);
        }
    }

    fn open_link(&mut self, kind: LinkKind, target: String, span: Span) {
        self.open_links.push(self.found.links.len());
        let line = self.lines.line_of(span.start);
        self.found.links.push(Link { kind, target, text: String::new(), line, span });
    }

    /// Adds the links and images whose tags begin in the first `until` bytes of raw HTML.
    fn raw_links(&mut self, html: Span, until: usize) {
        for link in raw_links(html.of(self.text), until) {
            let span = Span::new(link.start, link.end).plus(html.start);
            let (line, text) = (self.lines.line_of(span.start), collapse(&link.text));
            self.found.links.push(Link { kind: link.kind, target: link.target, text, line, span });
        }
    }

    /// Returns the findings without the links in comments of Obsidian.
    fn without_comments(mut self) -> Findings {
        if let Some(code) = &self.code {
            let comments = obsidian_comments::comments(self.text, self.from, code);
            let is_comment = |link: &Link| {
                let after = comments.partition_point(|comment| comment.start <= link.span.start);
                after > 0 && link.span.start < comments[after - 1].end
            };
            self.found.links.retain(|link| !is_comment(link));
        }
        self.found
    }

    /// Closes the innermost link. The text of an image is also the text of the link around it.
    fn close_link(&mut self) {
        let depth = self.open_links.len();
        let Some(inner) = self.open_links.pop() else { return };
        if depth > MAX_NESTING {
            return;
        }
        let Some(&outer) = self.open_links.last() else { return };
        if let Ok([outer, inner]) = self.found.links.get_disjoint_mut([outer, inner]) {
            outer.text.push_str(&inner.text);
        }
    }

    fn close_heading(&mut self, open: OpenHeading) {
        let span = whole_lines(self.text, open.span);
        // The outline relies on headings that don't overlap, so enforce it here.
        let free_from = self.found.headings.last().map_or(0, |last| last.span.end);
        // Keep one more than the limit, so the caller sees that there are too many.
        if span.start < free_from || self.found.headings.len() > MAX_HEADINGS {
            return;
        }
        let OpenHeading { level, mut text, mut github_text, code_end, .. } = open;
        let id = take_id(&mut text, code_end);
        if let (Some(github_text), Some(_)) = (&mut github_text, &id) {
            take_id(github_text, 0);
        }
        let github_title = github_text.map(|text| collapse(&text));
        self.found.headings.push(Heading { level, title: collapse(&text), github_title, id, span });
    }

    fn extend_run(&mut self, span: Span) {
        if !self.open_links.is_empty() {
            return;
        }
        if self.run.end == span.start {
            self.run.end = span.end;
        } else {
            self.finish_run();
            self.run = span;
        }
    }

    /// Collects the tags of the current run. Reads it from the source, where an escaped `\#` still has its backslash
    /// and an entity its ampersand.
    fn finish_run(&mut self) {
        let run = self.run.of(self.text);
        for at in memchr::memchr_iter(b'#', run.as_bytes()) {
            let at = self.run.start + at;
            let before = Span::new(self.from, at).of(self.text);
            if before.chars().next_back().is_none_or(char::is_whitespace)
                && let Some(tag) = tags::at_start(Span::new(at + 1, self.run.end).of(self.text))
            {
                self.found.tags.push(tag.to_owned());
            }
        }
    }
}

/// Removes a trailing `{#id}`, with or without classes or attributes after the id, from a heading's text and returns
/// the id. Braces in code, which end at `code_end`, and braces without an id are text.
fn take_id(text: &mut String, code_end: usize) -> Option<String> {
    let start = text.rfind("{#").filter(|&start| start >= code_end)?;
    let mut parts = text.get(start..)?.trim_end().strip_prefix("{#")?.strip_suffix('}')?.split_whitespace();
    let id = parts.next().filter(|id| !id.contains(['{', '}']))?.to_owned();
    if !parts.all(|part| part.starts_with('.') || part.contains('=')) {
        return None;
    }
    text.truncate(start);
    Some(id)
}

/// Extends the range to whole lines, including the last line end. As in the parser, a lone `\r` ends a line too.
fn whole_lines(text: &str, span: Span) -> Span {
    let bytes = text.as_bytes();
    let before = bytes.get(..span.start).unwrap_or(bytes);
    let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
    let content = span.of(text).trim_end_matches(['\n', '\r']);
    let after = span.start + content.len();
    let end = match bytes.get(after..).and_then(|rest| memchr::memchr2(b'\n', b'\r', rest)) {
        None => text.len(),
        Some(at) if bytes.get(after + at..).is_some_and(|rest| rest.starts_with(b"\r\n")) => after + at + 2,
        Some(at) => after + at + 1,
    };
    Span::new(start, end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Findings {
        scan(text, 0, &Lines::new(text))
    }

    fn headings(text: &str) -> Vec<(u8, String)> {
        found(text).headings.into_iter().map(|heading| (heading.level, heading.title)).collect()
    }

    fn check_headings(table: &[(&str, &[(u8, &str)])]) {
        for (text, expected) in table {
            let expected: Vec<(u8, String)> =
                expected.iter().map(|(level, title)| (*level, (*title).into())).collect();
            assert_eq!(headings(text), expected, "{text:?}");
            let crlf = text.replace('\n', "\r\n");
            assert_eq!(headings(&crlf), expected, "{crlf:?}");
        }
    }

    #[test]
    fn atx_headings() {
        check_headings(&[
            ("# one\n## two\n### three\n", &[(1, "one"), (2, "two"), (3, "three")]),
            ("#### four\n##### five\n###### six", &[(4, "four"), (5, "five"), (6, "six")]),
            ("####### seven\n", &[]),
            ("#5 bolt\n\n#hashtag\n", &[]),
            ("#\ttab\n", &[(1, "tab")]),
            ("\\## escaped\n", &[]),
            ("# with *emphasis* and \\*escapes\\*\n", &[(1, "with emphasis and *escapes*")]),
            ("#                  wide                     \n", &[(1, "wide")]),
            (" ### one\n  ## two\n   # three\n", &[(3, "one"), (2, "two"), (1, "three")]),
            ("    # indented code\n", &[]),
            ("text\n    # lazy\n", &[]),
            ("## closed ##\n  ###   loosely    ###\n", &[(2, "closed"), (3, "loosely")]),
            ("# many ##################################\n##### few ##\n", &[(1, "many"), (5, "few")]),
            ("### blanks after ###     \n", &[(3, "blanks after")]),
            ("### not closed ### b\n", &[(3, "not closed ### b")]),
            ("# glued#\n", &[(1, "glued#")]),
            ("### a \\###\n## b #\\##\n# c \\#\n", &[(3, "a ###"), (2, "b ###"), (1, "c #")]),
            ("****\n## between breaks\n****\n", &[(2, "between breaks")]),
            ("before\n# interrupts\nafter\n", &[(1, "interrupts")]),
            ("## \n#\n### ###\n", &[(2, ""), (1, ""), (3, "")]),
        ]);
    }

    #[test]
    fn setext_headings() {
        check_headings(&[
            ("Foo *bar*\n=========\n\nFoo *bar*\n---------\n", &[(1, "Foo bar"), (2, "Foo bar")]),
            ("Foo *bar\nbaz*\n====\n", &[(1, "Foo bar baz")]),
            ("  Foo *bar\nbaz*\t\n====\n", &[(1, "Foo bar baz")]),
            ("long\n-------------------------\n\nshort\n=\n", &[(2, "long"), (1, "short")]),
            ("   a\n---\n\n  b\n-----\n\n  c\n  ===\n", &[(2, "a"), (2, "b"), (1, "c")]),
            ("    code\n    ---\n\n    code\n---\n", &[]),
            ("Foo\n   ----      \n", &[(2, "Foo")]),
            ("Foo\n    ---\n", &[]),
            ("Foo\n= =\n\nFoo\n--- -\n", &[]),
            ("hard break  \n-----\n", &[(2, "hard break")]),
            ("backslash\\\n----\n", &[(2, "backslash\\")]),
            ("`Foo\n----\n`\n", &[(2, "`Foo")]),
            ("> quote\n-----\n", &[]),
            ("> quote\nlazy\n===\n", &[]),
            ("- item\n---\n", &[]),
            ("two\nlines\n---\n", &[(2, "two lines")]),
            ("---\nFoo\n---\nBar\n---\nBaz\n", &[(2, "Foo"), (2, "Bar")]),
            ("\n====\n", &[]),
            ("---\n---\n", &[]),
            ("- foo\n-----\n", &[]),
            ("\\> foo\n------\n", &[(2, "> foo")]),
            ("Foo\n\nbar\n---\nbaz\n", &[(2, "bar")]),
            ("Foo\nbar\n\n---\n\nbaz\n", &[]),
            ("Foo\nbar\n\\---\nbaz\n", &[]),
        ]);
    }

    #[test]
    fn headings_inside_and_beside_other_blocks() {
        check_headings(&[
            ("> # quoted\n> text\n", &[(1, "quoted")]),
            ("> setext\n> ---\n", &[(2, "setext")]),
            ("- # item\n- other\n  ---\n  text\n", &[(1, "item"), (2, "other")]),
            ("1. > ## deep\n", &[(2, "deep")]),
            ("```\n# code\n```\n# real\n", &[(1, "real")]),
            ("~~~sh\n# code\n```\n# code\n~~~\n# real\n", &[(1, "real")]),
            ("```\n# never closed\n", &[]),
            ("<!--\n# comment\n-->\n# real\n", &[(1, "real")]),
            ("<pre>\n# html\n</pre>\n\n# real\n", &[(1, "real")]),
            ("| # a | b |\n|---|---|\n| # c | d |\n", &[]),
            ("[^1]: note\n\n    # in a note\n", &[(1, "in a note")]),
        ]);
    }

    #[test]
    fn titles_are_what_a_reader_sees() {
        check_headings(&[
            ("# The `Result<T>` *type*\n", &[(1, "The Result<T> type")]),
            ("# [link](x) ![alt](y) [[page|wiki]] ~~gone~~\n", &[(1, "link alt wiki gone")]),
            ("# a &amp; b &lt;c&gt; <b>d</b>\n", &[(1, "a & b <c> d")]),
            ("# snake_case_name * star\n", &[(1, "snake_case_name * star")]),
            ("# GET /users/{id}\n", &[(1, "GET /users/{id}")]),
            ("# {{ macro(\"x\") }}\n", &[(1, "{{ macro(\"x\") }}")]),
            ("# no\u{a0}break\u{a0}\u{a0}space\n", &[(1, "no break space")]),
            ("# note[^1]\n\n[^1]: x\n", &[(1, "note")]),
            ("# Promise<void>\n", &[(1, "Promise<void>")]),
            ("# Box<dyn Error> and Vec<u8>\n", &[(1, "Box<dyn Error> and Vec<u8>")]),
            ("# <T>value</T> <br/> <kbd>Esc</kbd> <BR>\n", &[(1, "<T>value</T> Esc")]),
            ("# Table <Badge text=\"new\"/> <!-- x -->\n", &[(1, "Table")]),
        ]);
    }

    #[test]
    fn github_drops_tags_that_are_not_html_from_its_anchors() {
        for (text, title, github_title) in [
            ("# Promise<void> here\n", "Promise<void> here", Some("Promise here")),
            ("# Promise<void> {#id}\n", "Promise<void>", Some("Promise")),
            ("# `Promise<void>`\n", "Promise<void>", None),
            ("# a <b>b</b>\n", "a b", None),
        ] {
            let found = found(text);
            let heading = &found.headings[0];
            assert_eq!((heading.title.as_str(), heading.github_title.as_deref()), (title, github_title));
        }
    }

    #[test]
    fn explicit_ids_leave_the_title() {
        for (text, title, id) in [
            ("# Setup {#install}\n", "Setup", Some("install")),
            ("# Setup {#install} ##\n", "Setup", Some("install")),
            ("Setup {#in_st_all}\n===\n", "Setup", Some("in_st_all")),
            ("# Setup {#install .wide key=value}\n", "Setup", Some("install")),
            ("# Setup{#install}\n", "Setup", Some("install")),
            ("# Setup {#two words}\n", "Setup {#two words}", None),
            ("# Setup {install}\n", "Setup {install}", None),
            ("# Setup {#}\n", "Setup {#}", None),
            ("# Svelte `{#if}`\n", "Svelte {#if}", None),
            ("# `{#if}` {#if-block}\n", "{#if}", Some("if-block")),
        ] {
            let found = found(text);
            let heading = &found.headings[0];
            assert_eq!((heading.title.as_str(), heading.id.as_deref()), (title, id), "{text:?}");
        }
    }

    #[test]
    fn headings_take_whole_lines() {
        for (text, lines) in [
            ("  # a\nb", vec!["  # a\n"]),
            ("> - # a #\r\n> b", vec!["> - # a #\r\n"]),
            ("x\n\n> a\n> b\n> ===\ny", vec!["> a\n> b\n> ===\n"]),
            ("# a", vec!["# a"]),
            ("# a\r# b\rc", vec!["# a\r", "# b\r"]),
            ("#\n#\n", vec!["#\n", "#\n"]),
        ] {
            let found: Vec<&str> = found(text).headings.iter().map(|heading| heading.span.of(text)).collect();
            assert_eq!(found, lines, "{text:?}");
        }
    }

    #[test]
    fn links_of_every_kind() {
        use LinkKind::{Image, Markdown, Wiki};
        for (text, expected) in [
            ("[a *b* `c`](x.md#y \"title\")", vec![(Markdown, "x.md#y", "a b c")]),
            ("[a](<x y.md>) [b](x\\_y&amp;z)", vec![(Markdown, "x y.md", "a"), (Markdown, "x_y&z", "b")]),
            (
                "[a][r] [r][] [r]\n\n[r]: x.md",
                vec![(Markdown, "x.md", "a"), (Markdown, "x.md", "r"), (Markdown, "x.md", "r")],
            ),
            ("[a][missing] [b]", vec![]),
            (
                "<https://a.b/c> <me@a.b>",
                vec![(Markdown, "https://a.b/c", "https://a.b/c"), (Markdown, "mailto:me@a.b", "me@a.b")],
            ),
            ("[[page]] [[page#part|text]]", vec![(Wiki, "page", "page"), (Wiki, "page#part", "text")]),
            ("![alt](a.png) ![[b.png]]", vec![(Image, "a.png", "alt"), (Image, "b.png", "b.png")]),
            ("[![alt](a.png) more](b.md)", vec![(Markdown, "b.md", "alt more"), (Image, "a.png", "alt")]),
            ("[[1]](https://a.b/c_(d))", vec![(Markdown, "https://a.b/c_(d)", "1")]),
            ("[[page]](an aside) [[page]]()", vec![(Wiki, "page", "page"), (Wiki, "page", "page")]),
            ("| a |\n|---|\n| [[page\\|text]] |", vec![(Wiki, "page", "text")]),
            ("`[a](b)`\n\n    [a](b)\n\n<!-- [a](b) -->", vec![]),
        ] {
            let links = found(text).links;
            let actual: Vec<_> =
                links.iter().map(|link| (link.kind, link.target.as_str(), link.text.as_str())).collect();
            assert_eq!(actual, expected, "{text:?}");
        }
    }

    #[test]
    fn nested_images_do_not_multiply_their_text() {
        let depth = 5_000;
        let links = found(&("![a".repeat(depth) + &"](x)".repeat(depth))).links;
        assert_eq!(links.len(), depth);
        assert!(links.iter().map(|link| link.text.len()).sum::<usize>() <= depth * MAX_NESTING);
    }

    #[test]
    fn links_know_where_they_stand() {
        let text = "a\r\n\r\nb [c](d)\r\n";
        let link = &found(text).links[0];
        assert_eq!((link.line, link.span.of(text)), (3, "[c](d)"));
    }

    #[test]
    fn inline_tags() {
        for (text, expected) in [
            ("#tag and #a/b, (#no) x#no #snake_case-x.", vec!["tag", "a/b", "snake_case-x"]),
            ("#12 #1a #2024/q1 #-1 #", vec!["1a", "2024/q1"]),
            ("#überblick #概要 #naïve", vec!["überblick", "概要", "naïve"]),
            ("`#code` \\#escaped &#35;entity <i title='a #attr'>", vec![]),
            ("```\n#code\n```\n\n    #code\n", vec![]),
            ("# Heading #tag\n#line-start\n- #item\n> #quote\n", vec!["tag", "line-start", "item", "quote"]),
            ("[see #here](x#y) [[page #z]] https://a.b/#frag", vec![]),
            ("#trailing/ #/path #_x", vec!["trailing", "_x"]),
            ("#__ #--", vec![]),
            ("#one#two ##three", vec!["one"]),
            ("#a_b_c #d*e*", vec!["a_b_c", "d"]),
        ] {
            assert_eq!(found(text).tags, expected, "{text:?}");
        }
    }

    #[test]
    fn a_tag_that_is_too_long_or_too_deep_is_text() {
        let levels = |count: usize| vec!["a"; count].join("/");
        for (tag, is_tag) in [
            ("a".repeat(tags::MAX_CHARS), true),
            ("a".repeat(tags::MAX_CHARS + 1), false),
            (levels(tags::MAX_LEVELS), true),
            (levels(tags::MAX_LEVELS + 1), false),
            (levels(50_000), false),
        ] {
            let expected = if is_tag { vec![tag.clone()] } else { Vec::new() };
            assert_eq!(found(&format!("#{tag}")).tags, expected, "{} bytes", tag.len());
        }
    }

    proptest! {
        /// Only references and footnotes extend from one window into another, and they don't make headings.
        #[test]
        fn windows_find_what_one_look_finds(
            blocks in proptest::collection::vec(
                prop_oneof![
                    "#{1,7} [a-c#*`_]{0,6}( \\{#x\\})?",
                    " {0,4}#{1,3} [a-c]{0,3}",
                    "[-*>1. ]{1,4}#{0,2} ?[a-c]{0,4}",
                    "(```|~~~|    |<pre>|</pre>|<!--|-->|\\$\\$|\\| a \\| b \\||---|===)[a-c ]{0,4}",
                    "[a-c #*_`<>!()\\\\]{0,12}",
                    "\\[\\[?[a-c]{0,3}\\]?\\]\\([a-c]{1,3}\\)",
                    "\\[\\^?[ab]\\]:? ?[ab]{0,2}",
                    "#{1,2} \\[\\^?[ab]\\]",
                    Just(String::new()),
                ],
                0..24,
            ),
            end in prop_oneof![Just("\n"), Just("\r\n"), Just("\n\n")],
            window in 1usize..80,
        ) {
            let text = blocks.join(end);
            let lines = Lines::new(&text);
            let whole = scan_by(usize::MAX / 4, &text, 0, &lines);
            let parts = scan_by(window, &text, 0, &lines);
            let spans = |found: &Findings| found.headings.iter().map(|it| (it.level, it.span)).collect::<Vec<_>>();
            prop_assert_eq!(spans(&parts), spans(&whole));
            if !text.contains("]:") {
                prop_assert_eq!(format!("{parts:?}"), format!("{whole:?}"));
            }
        }
    }
}

//! Lines, parts and inline markup: the helpers shared by the readers of line-oriented markup.

use std::ops::Range;

use memchr::memmem;

use super::super::{BOM, BlockKind, Link, LinkKind};
use crate::text::{Lines, Span, collapse, lines};

/// How far the end of a link's target or text is searched for. Without a limit, each of many unclosed links would be
/// scanned to the end of its paragraph.
pub(super) const MAX_LINK_BYTES: usize = 1024;

/// A line of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceLine<'t> {
    /// Its bytes, including the line end.
    pub(super) span: Span,
    /// The columns of white space at its start. A tab extends to the next multiple of 8; a blank line has 0.
    pub(super) indent: usize,
    /// Its text without the byte order mark, the indentation and the white space at the end.
    pub(super) content: &'t str,
}

impl SourceLine<'_> {
    pub(super) fn is_blank(&self) -> bool {
        self.content.is_empty()
    }

    /// True if the line has text in its first column.
    pub(super) fn is_flush(&self) -> bool {
        self.indent == 0 && !self.is_blank()
    }
}

/// Splits a text from byte `from` on into lines.
pub(super) fn split_lines(text: &str, from: usize) -> Vec<SourceLine<'_>> {
    let mut at = from;
    let mut split = Vec::new();
    for line in lines(text.get(from..).unwrap_or_default()) {
        let written = if at == 0 { line.strip_prefix(BOM).unwrap_or(line) } else { line };
        let content = written.trim();
        let indent = if content.is_empty() { 0 } else { columns(written) };
        split.push(SourceLine { span: Span::new(at, at + line.len()), indent, content });
        at += line.len();
    }
    split
}

/// Returns the columns of white space at the start of a line.
fn columns(line: &str) -> usize {
    let blanks = line.chars().take_while(|c| c.is_whitespace());
    blanks.fold(0, |column, c| if c == '\t' { (column / 8 + 1) * 8 } else { column + 1 })
}

/// A block as a range of lines. It may end with blank lines.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) kind: BlockKind,
    pub(super) lines: Range<usize>,
}

/// Returns the bytes of a range of lines.
pub(super) fn span_of(lines: &[SourceLine<'_>], range: &Range<usize>) -> Span {
    let lines = lines.get(range.clone()).unwrap_or_default();
    match (lines.first(), lines.last()) {
        (Some(first), Some(last)) => Span::new(first.span.start, last.span.end),
        _ => Span::default(),
    }
}

/// Returns the start of each part with its kind.
pub(super) fn part_starts(lines: &[SourceLine<'_>], parts: &[Part]) -> Vec<(usize, BlockKind)> {
    parts.iter().map(|part| (span_of(lines, &part.lines).start, part.kind)).collect()
}

/// Returns the first line from `at` on for which `is_end` is true, or the number of lines.
pub(super) fn find_line<'t>(
    lines: &[SourceLine<'t>],
    at: usize,
    is_end: impl Fn(&SourceLine<'t>) -> bool,
) -> usize {
    (at..lines.len()).find(|&line| is_end(&lines[line])).unwrap_or(lines.len())
}

/// Returns the end of the indented and blank lines from `at` on.
pub(super) fn indented_end(lines: &[SourceLine<'_>], at: usize) -> usize {
    find_line(lines, at, SourceLine::is_flush)
}

/// Returns the spans of adjacent lines that aren't blank and for which `is_prose` is true. Inline markup doesn't
/// extend past them.
pub(super) fn prose_runs(lines: &[SourceLine<'_>], is_prose: &[bool]) -> Vec<Span> {
    let mut runs: Vec<Span> = Vec::new();
    for (line, is_prose) in lines.iter().zip(is_prose) {
        match runs.last_mut() {
            _ if line.is_blank() || !is_prose => {}
            Some(run) if run.end == line.span.start => run.end = line.span.end,
            _ => runs.push(line.span),
        }
    }
    runs
}

/// Appends a link, unless its target is empty.
pub(super) fn push_link(links: &mut Vec<Link>, lines: &Lines, link: FoundLink<'_>) {
    let target = collapse(link.target);
    if !target.is_empty() {
        let line = lines.line_of(link.span.start);
        links.push(Link { kind: link.kind, target, text: collapse(link.text), line, span: link.span });
    }
}

/// A link as written in the text.
pub(super) struct FoundLink<'a> {
    pub(super) kind: LinkKind,
    pub(super) target: &'a str,
    pub(super) text: &'a str,
    pub(super) span: Span,
}

/// Splits keywords at commas, or at white space if there are no commas.
pub(super) fn keywords(text: &str) -> Vec<String> {
    let words: Vec<&str> =
        if text.contains(',') { text.split(',').collect() } else { text.split_whitespace().collect() };
    words.into_iter().map(collapse).filter(|word| !word.is_empty()).collect()
}

/// Returns the text if it is more than white space, with white space collapsed.
pub(super) fn non_empty(text: &str) -> Option<String> {
    Some(collapse(text)).filter(|text| !text.is_empty())
}

/// Returns the text before the first `needle` in the first [`MAX_LINK_BYTES`] of `text`.
pub(super) fn before<'t>(text: &'t str, needle: &str) -> Option<&'t str> {
    let near = &text[..text.floor_char_boundary(MAX_LINK_BYTES)];
    memmem::find(near.as_bytes(), needle.as_bytes()).map(|end| &near[..end])
}

/// The inline markup of a format.
pub(super) struct Marks {
    /// The marks around text that contains no other marks.
    pub(super) code: &'static [char],
    /// The marks around emphasized text.
    pub(super) emphasis: &'static [char],
    /// True if a doubled mark counts inside a word too.
    pub(super) doubled_in_words: bool,
    /// True for a character that a backslash makes plain text.
    pub(super) is_escapable: fn(char) -> bool,
}

/// A run of equal marks in a text.
struct MarkRun {
    mark: char,
    span: Span,
    opens: bool,
    closes: bool,
}

impl Marks {
    /// Returns a text without marks. Marks without a partner stay.
    pub(super) fn strip(&self, text: &str) -> String {
        let (runs, mut escapes) = self.runs(text);
        let mut dropped: Vec<Span> = Vec::new();
        let mut code: Vec<Span> = Vec::new();
        let mut open: Vec<(char, Span)> = Vec::new();
        let mut open_code: Option<(char, Span)> = None;
        for run in runs {
            let is_partner = |(mark, span): &(char, Span)| *mark == run.mark && span.len() == run.span.len();
            if let Some(opening) = open_code {
                if run.closes && is_partner(&opening) {
                    dropped.extend([opening.1, run.span]);
                    code.push(Span::new(opening.1.end, run.span.start));
                    open_code = None;
                }
                continue;
            }
            match open.iter().position(is_partner).filter(|_| run.closes) {
                Some(at) => dropped.extend([open.remove(at).1, run.span]),
                None if run.opens && self.code.contains(&run.mark) => open_code = Some((run.mark, run.span)),
                None if run.opens && open.len() < MAX_OPEN_MARKS => open.push((run.mark, run.span)),
                None => {}
            }
        }
        escapes.retain(|escape| !is_inside(*escape, &code));
        dropped.extend(escapes);
        without(text, dropped)
    }

    /// Returns a text without the backslashes of escapes.
    pub(super) fn unescape(&self, text: &str) -> String {
        let mut chars = text.chars().peekable();
        let mut plain = String::with_capacity(text.len());
        while let Some(c) = chars.next() {
            match chars.peek() {
                Some(next) if c == '\\' && (self.is_escapable)(*next) => plain.extend(chars.next()),
                _ => plain.push(c),
            }
        }
        plain
    }

    /// Returns the runs of marks, and the backslashes of escapes.
    fn runs(&self, text: &str) -> (Vec<MarkRun>, Vec<Span>) {
        let is_mark = |c: char| self.code.contains(&c) || self.emphasis.contains(&c);
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let (mut runs, mut escapes) = (Vec::new(), Vec::new());
        let mut chars = text.char_indices().peekable();
        let mut previous = None;
        while let Some((at, c)) = chars.next() {
            if c == '\\' && chars.peek().is_some_and(|(_, c)| (self.is_escapable)(*c)) {
                escapes.push(Span::new(at, at + 1));
                previous = chars.next().map(|(_, c)| c);
                continue;
            }
            if is_mark(c) {
                let mut end = at + c.len_utf8();
                while chars.next_if(|(_, next)| *next == c).is_some() {
                    end += c.len_utf8();
                }
                let next = chars.peek().map(|(_, c)| *c);
                let in_words = self.doubled_in_words && end - at == 2 * c.len_utf8();
                let opens = !is_blank(next) && (in_words || !is_word(previous));
                let closes = !is_blank(previous) && (in_words || !is_word(next));
                runs.push(MarkRun { mark: c, span: Span::new(at, end), opens, closes });
            }
            previous = Some(c);
        }
        (runs, escapes)
    }
}

/// How many opening marks wait for their partners. More than one of each kind is text in practice.
const MAX_OPEN_MARKS: usize = 16;

/// True if one of `spans`, which are in order, contains `span`.
fn is_inside(span: Span, spans: &[Span]) -> bool {
    let after = spans.partition_point(|other| other.start <= span.start);
    after > 0 && spans[after - 1].contains(span)
}

/// Returns a text without the given spans.
fn without(text: &str, mut dropped: Vec<Span>) -> String {
    dropped.sort();
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for span in dropped {
        kept.push_str(Span::new(at, span.start).of(text));
        at = at.max(span.end);
    }
    kept.push_str(Span::new(at, text.len()).of(text));
    kept
}

/// Checks of the rules that every format keeps.
#[cfg(test)]
pub(super) mod checks {
    use proptest::prelude::*;

    use super::super::super::frontmatter::Metadata;
    use super::super::super::structure::Findings;
    use super::*;

    type ScanFn = fn(&str, &Lines) -> (Metadata, Findings);
    type BlockStartsFn = fn(&str, usize) -> Vec<(usize, BlockKind)>;

    /// Returns up to `most` of `pieces`, joined.
    pub(in super::super) fn joined(
        pieces: &'static [&'static str],
        most: usize,
    ) -> impl Strategy<Value = String> {
        proptest::collection::vec(proptest::sample::select(pieces), 0..most).prop_map(|parts| parts.concat())
    }

    /// Checks the rules that the rest of the program relies on.
    pub(in super::super) fn check(
        text: &str,
        scan: ScanFn,
        block_starts: BlockStartsFn,
    ) -> Result<(), TestCaseError> {
        let begins_line = |at: usize| at == 0 || text.as_bytes()[at - 1] == b'\n';
        let (_, found) = scan(text, &Lines::new(text));
        let mut end = 0;
        for heading in &found.headings {
            prop_assert!((1..=6).contains(&heading.level));
            prop_assert!(
                heading.span.start >= end && !heading.span.is_empty() && begins_line(heading.span.start)
            );
            end = heading.span.end;
            prop_assert!(end == text.len() || begins_line(end));
        }
        prop_assert!(found.links.is_sorted_by_key(|link| link.span.start));
        for link in &found.links {
            let Span { start, end } = link.span;
            prop_assert!(start < end && text.is_char_boundary(start) && text.is_char_boundary(end));
            prop_assert_eq!(link.line, Lines::new(text).line_of(start));
        }
        let starts = block_starts(text, 0);
        prop_assert!(starts.is_sorted_by(|one, next| one.0 < next.0));
        for (start, _) in &starts {
            let line = text[*start..].lines().next().unwrap_or_default();
            prop_assert!(begins_line(*start) && !line.trim().is_empty());
        }
        for heading in &found.headings {
            let is_inside = |start: usize| heading.span.start <= start && start < heading.span.end;
            prop_assert!(starts.iter().any(|(start, kind)| *kind == BlockKind::Heading && is_inside(*start)));
        }
        let first = starts.first().map_or(text, |(start, _)| &text[..*start]);
        prop_assert!(crate::text::is_blank(first));
        Ok(())
    }

    /// Returns the level, the title and the id of each heading.
    pub(in super::super) fn read_headings(text: &str, scan: ScanFn) -> Vec<(u8, String, String)> {
        let headings = scan(text, &Lines::new(text)).1.headings.into_iter();
        headings.map(|heading| (heading.level, heading.title, heading.id.unwrap_or_default())).collect()
    }

    /// A text with the level, the title and the id of each heading.
    pub(in super::super) type HeadingCase<'a> = (&'a str, &'a [(u8, &'a str, &'a str)]);

    /// Compares headings, also with Windows line ends.
    pub(in super::super) fn check_headings(scan: ScanFn, table: &[HeadingCase<'_>]) {
        for (text, expected) in table {
            let expected: Vec<(u8, String, String)> =
                expected.iter().map(|(level, title, id)| (*level, (*title).into(), (*id).into())).collect();
            assert_eq!(read_headings(text, scan), expected, "{text:?}");
            let crlf = text.replace('\n', "\r\n");
            assert_eq!(read_headings(&crlf, scan), expected, "{crlf:?}");
        }
    }

    /// Compares the texts of the headings' spans.
    pub(in super::super) fn check_spans(scan: ScanFn, table: &[(&str, &[&str])]) {
        for (text, expected) in table {
            let found = scan(text, &Lines::new(text)).1.headings;
            let spans: Vec<&str> = found.iter().map(|heading| heading.span.of(text)).collect();
            assert_eq!(spans, *expected, "{text:?}");
        }
    }

    /// A text with the kind, the target and the text of each link.
    pub(in super::super) type LinkCase<'a> = (&'a str, &'a [(LinkKind, &'a str, &'a str)]);

    /// Compares links by kind, target and text.
    pub(in super::super) fn check_links(scan: ScanFn, table: &[LinkCase<'_>]) {
        for (text, expected) in table {
            let links = scan(text, &Lines::new(text)).1.links;
            let found: Vec<_> =
                links.iter().map(|link| (link.kind, link.target.as_str(), link.text.as_str())).collect();
            assert_eq!(found, *expected, "{text:?}");
        }
    }

    /// Compares blocks by kind and text.
    pub(in super::super) fn check_blocks(
        block_starts: BlockStartsFn,
        table: &[(&str, &[(BlockKind, &str)])],
    ) {
        for (text, expected) in table {
            let starts = block_starts(text, 0);
            let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([text.len()]);
            let found: Vec<_> =
                starts.iter().zip(ends).map(|((start, kind), end)| (*kind, &text[*start..end])).collect();
            assert_eq!(found, *expected, "{text:?}");
        }
    }

    /// The title, the tags and the description of a text.
    pub(in super::super) type ExpectedMetadata<'a> = (&'a str, &'a [&'a str], &'a str);

    /// Compares title, tags and description.
    pub(in super::super) fn check_metadata(scan: ScanFn, table: &[(&str, ExpectedMetadata<'_>)]) {
        for (text, (title, tags, description)) in table {
            let (metadata, _) = scan(text, &Lines::new(text));
            let found = (metadata.title.unwrap_or_default(), metadata.description.unwrap_or_default());
            assert_eq!((found.0.as_str(), found.1.as_str()), (*title, *description), "{text:?}");
            assert_eq!(metadata.tags, *tags, "{text:?}");
        }
    }

    /// Reads large texts of repeated pieces. A format that took quadratic time would need minutes.
    pub(in super::super) fn check_speed(scan: ScanFn, block_starts: BlockStartsFn, pieces: &[&str]) {
        const REPEATS: usize = 100_000;
        for piece in pieces {
            let text = piece.repeat(REPEATS);
            scan(&text, &Lines::new(&text));
            block_starts(&text, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_their_indentation_and_content() {
        let text = "\u{feff}a \r\n\n \tb\n";
        let lines = split_lines(text, 0);
        let found: Vec<_> =
            lines.iter().map(|line| (line.span.of(text), line.indent, line.content)).collect();
        assert_eq!(found, [("\u{feff}a \r\n", 0, "a"), ("\n", 0, ""), (" \tb\n", 8, "b")]);
    }

    #[test]
    fn marks_with_a_partner_are_removed() {
        let marks =
            Marks { code: &['`'], emphasis: &['*', '_'], doubled_in_words: true, is_escapable: |c| c == '*' };
        for (text, expected) in [
            ("a *b* _c_ `d`", "a b c d"),
            ("**a**b *c", "ab *c"),
            ("snake_case_name 2 * 3 * 4", "snake_case_name 2 * 3 * 4"),
            ("`*a*` \\*b*", "*a* *b*"),
            ("`a\\*b` `c", "a\\*b `c"),
            ("*a _b_ c*", "a b c"),
            ("é*ü* *ü*", "é*ü* ü"),
        ] {
            assert_eq!(marks.strip(text), expected, "{text:?}");
        }
    }

    #[test]
    fn keywords_are_split_at_commas_or_blanks() {
        for (text, expected) in [("a b, c", vec!["a b", "c"]), (" a  b ", vec!["a", "b"]), (",", vec![])] {
            assert_eq!(keywords(text), expected, "{text:?}");
        }
    }
}

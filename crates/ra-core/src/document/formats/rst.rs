//! Reads reStructuredText: headings, links, metadata and blocks. Follows docutils, but takes every well-formed title
//! for a heading, even where docutils reports that its level is inconsistent.

use super::super::BlockKind;
use super::super::frontmatter::Metadata;
use super::super::structure::{Findings, Heading};
use super::line_scan::{
    Part, SourceLine, find_line, indented_end, keywords, non_empty, part_starts, prose_runs, span_of,
    split_lines,
};
use super::rst_inline::{LinkReader, plain_text};
use super::rst_markup::{directive, explicit_markup};
use super::rst_toctree::toctree_links;
use crate::text::{Lines, collapse};

/// An adornment this long marks a title even if the title is longer.
const MIN_SHORT_ADORNMENT: usize = 4;

/// Directives whose content isn't prose.
#[rustfmt::skip]
const CODE_DIRECTIVES: &[&str] = &[
    "code-block", "code", "sourcecode", "literalinclude", "parsed-literal", "math", "highlight", "doctest",
    "testcode", "testoutput", "testsetup", "testcleanup", "prompt", "console", "ipython", "jupyter-execute",
    "graphviz", "digraph", "mermaid", "plot", "raw", "productionlist",
];

/// Directives whose content is a table.
const TABLE_DIRECTIVES: &[&str] = &["table", "csv-table", "list-table", "flat-table", "autosummary"];

/// Directives that set their content apart from the text.
#[rustfmt::skip]
const ADMONITIONS: &[&str] = &[
    "admonition", "attention", "caution", "danger", "error", "hint", "important", "note", "seealso", "tip",
    "todo", "warning", "versionadded", "versionchanged", "versionremoved", "deprecated", "epigraph",
    "highlights", "pull-quote", "topic", "sidebar",
];

/// Reads metadata, headings and links.
pub(super) fn scan(text: &str, lines: &Lines) -> (Metadata, Findings) {
    let split = split_lines(text, 0);
    let parts = parts(&split);
    let mut links = LinkReader::new(text, lines, &split);
    for run in prose_runs(&split, &prose_lines(&split)) {
        links.read(run);
    }
    let mut links = links.finish(&split);
    links.extend(toctree_links(&split, lines));
    links.sort_by_key(|link| link.span.start);
    (metadata(&split, &parts), Findings { headings: headings(&split, &parts), links, tags: Vec::new() })
}

/// Returns the start of each block with its kind, in order, for text from byte `from` on.
pub(super) fn block_starts(text: &str, from: usize) -> Vec<(usize, BlockKind)> {
    let lines = split_lines(text, from);
    part_starts(&lines, &parts(&lines))
}

/// Splits the lines into blocks.
fn parts(lines: &[SourceLine<'_>]) -> Vec<Part> {
    let mut parts = Vec::new();
    let (mut at, mut expects_literal) = (0, false);
    while let Some(line) = lines.get(at) {
        if line.is_blank() {
            at += 1;
            continue;
        }
        let (kind, end) = match line.indent {
            0 => flush_part(lines, at),
            _ if expects_literal => (BlockKind::Code, indented_end(lines, at)),
            _ => (BlockKind::Quote, indented_end(lines, at)),
        };
        expects_literal = kind == BlockKind::Paragraph && lines[end - 1].content.ends_with("::");
        parts.push(Part { kind, lines: at..end });
        at = end;
    }
    parts
}

/// Returns the kind and the end of the block that begins with an unindented line.
fn flush_part(lines: &[SourceLine<'_>], at: usize) -> (BlockKind, usize) {
    let content = lines[at].content;
    if is_bullet(content) || field(content).is_some() || is_enumerated(lines, at) {
        (BlockKind::ListItem, indented_end(lines, at + 1))
    } else if content.starts_with(">>> ") {
        (BlockKind::Code, find_line(lines, at, SourceLine::is_blank))
    } else if is_line_block(content) {
        (BlockKind::Paragraph, find_line(lines, at, |line| line.indent == 0 && !is_line_block(line.content)))
    } else if is_grid_border(content) {
        (BlockKind::Table, find_line(lines, at, |line| !line.content.starts_with(['+', '|'])))
    } else if is_simple_border(content) {
        (BlockKind::Table, simple_table_end(lines, at))
    } else if let Some(markup) = explicit_markup(content) {
        (explicit_kind(markup), indented_end(lines, at + 1))
    } else if content == "__" || content.starts_with("__ ") {
        (BlockKind::Paragraph, at + 1)
    } else if is_adornment(content) && is_overline(lines, at) {
        (BlockKind::Heading, at + 3)
    } else if is_adornment(content) && content.len() >= MIN_SHORT_ADORNMENT {
        (BlockKind::Paragraph, at + 1)
    } else {
        text_part(lines, at)
    }
}

/// Returns the kind and the end of the block that begins with a line of text: a title, a definition or a paragraph.
fn text_part(lines: &[SourceLine<'_>], at: usize) -> (BlockKind, usize) {
    match lines.get(at + 1) {
        Some(next) if next.indent > 0 => (BlockKind::ListItem, indented_end(lines, at + 1)),
        Some(next) if is_adornment(next.content) && adorns(next.content, lines[at].content) => {
            (BlockKind::Heading, at + 2)
        }
        _ => (BlockKind::Paragraph, find_line(lines, at, |line| !line.is_flush())),
    }
}

/// True if the line at `at` is the first of a title between two adornments.
fn is_overline(lines: &[SourceLine<'_>], at: usize) -> bool {
    let (Some(title), Some(underline)) = (lines.get(at + 1), lines.get(at + 2)) else { return false };
    let overline = lines[at].content;
    let is_title = title.indent > 0 || (title.is_flush() && !is_adornment(title.content));
    is_title && underline.indent == 0 && underline.content == overline && adorns(overline, title.content)
}

/// True if an adornment is long enough for a title.
fn adorns(adornment: &str, title: &str) -> bool {
    // Characters from here on are mostly East Asian, which docutils counts as two columns.
    let width = |c: char| if c >= '\u{1100}' { 2 } else { 1 };
    adornment.len() >= MIN_SHORT_ADORNMENT || adornment.len() >= title.chars().map(width).sum()
}

/// True if a line consists of one repeated punctuation character.
fn is_adornment(content: &str) -> bool {
    let bytes = content.as_bytes();
    bytes.first().is_some_and(|first| first.is_ascii_punctuation() && bytes.iter().all(|byte| byte == first))
}

fn is_bullet(content: &str) -> bool {
    let rest = content.strip_prefix(['*', '+', '-', '•', '‣', '⁃']);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

fn is_line_block(content: &str) -> bool {
    content == "|" || content.starts_with("| ")
}

/// True if the line begins an enumerated list item. A line such as `1. Title` above an underline doesn't.
fn is_enumerated(lines: &[SourceLine<'_>], at: usize) -> bool {
    is_enumerator(lines[at].content)
        && lines.get(at + 1).is_none_or(|next| !next.is_flush() || is_enumerator(next.content))
}

/// True if a line begins with `1.`, `a)`, `(iv)`, `#.` or similar.
fn is_enumerator(content: &str) -> bool {
    let rest = content.strip_prefix('(').unwrap_or(content);
    let Some(end) = rest.find(['.', ')']) else { return false };
    let (number, after) = (&rest[..end], &rest[end + 1..]);
    let is_roman = |c: char| matches!(c.to_ascii_lowercase(), 'i' | 'v' | 'x' | 'l' | 'c' | 'd' | 'm');
    let is_number = match number.len() {
        0 => false,
        1 => number == "#" || number.chars().all(|c| c.is_ascii_alphanumeric()),
        _ => number.bytes().all(|byte| byte.is_ascii_digit()) || number.chars().all(is_roman),
    };
    is_number && (after.is_empty() || after.starts_with(char::is_whitespace))
}

/// Returns the name and the first line of the body of a field: `:name: body`.
fn field(content: &str) -> Option<(&str, &str)> {
    let rest = content.strip_prefix(':')?;
    for (at, _) in rest.match_indices(':') {
        let after = &rest[at + 1..];
        if after.starts_with('`') || at == 0 {
            return None;
        }
        if after.is_empty() || after.starts_with(char::is_whitespace) {
            let name = &rest[..at];
            let is_name = !name.starts_with(char::is_whitespace) && !name.ends_with(char::is_whitespace);
            return is_name.then(|| (name, after.trim_start()));
        }
    }
    None
}

fn is_grid_border(content: &str) -> bool {
    content.starts_with("+-") && content.ends_with("-+") && content.bytes().all(|byte| b"+-".contains(&byte))
}

fn is_simple_border(content: &str) -> bool {
    content.starts_with('=')
        && content.contains(' ')
        && content.bytes().all(|byte| byte == b'=' || byte == b' ')
}

/// Returns the end of a simple table: after its third border, or after the second if a blank line follows. All tables
/// of a text take linear time: a search that fails has seen every border left.
fn simple_table_end(lines: &[SourceLine<'_>], at: usize) -> usize {
    let mut last = None;
    let borders = (at + 1..lines.len()).filter(|&line| is_simple_border(lines[line].content)).take(2);
    for border in borders {
        last = Some(border + 1);
        if lines.get(border + 1).is_none_or(SourceLine::is_blank) {
            break;
        }
    }
    last.unwrap_or_else(|| find_line(lines, at, SourceLine::is_blank))
}

fn explicit_kind(markup: &str) -> BlockKind {
    match directive(markup) {
        Some((name, _)) if CODE_DIRECTIVES.contains(&name) => BlockKind::Code,
        Some((name, _)) if TABLE_DIRECTIVES.contains(&name) => BlockKind::Table,
        Some((name, _)) if ADMONITIONS.contains(&name) => BlockKind::Quote,
        None if markup.starts_with('[') => BlockKind::Quote,
        _ => BlockKind::Paragraph,
    }
}

/// Tells for each line if it is prose; code and comments aren't.
fn prose_lines(lines: &[SourceLine<'_>]) -> Vec<bool> {
    // The lines that are indented deeper than this aren't prose.
    let mut literal: Option<usize> = None;
    let mut is_prose = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        if !line.is_blank() && literal.is_some_and(|indent| line.indent <= indent) {
            literal = None;
        }
        is_prose.push(literal.is_none() && !line.content.starts_with(">>> "));
        if literal.is_none() && opens_literal(line, lines.get(at + 1)) {
            literal = Some(line.indent + marker_width(line.content));
        }
    }
    is_prose
}

/// True if the indented lines after this one are code or a comment.
fn opens_literal(line: &SourceLine<'_>, next: Option<&SourceLine<'_>>) -> bool {
    match explicit_markup(line.content) {
        Some(markup) => match directive(markup) {
            Some((name, _)) => CODE_DIRECTIVES.contains(&name),
            None => !markup.starts_with(['[', '_', '|']),
        },
        None => line.content.ends_with("::") && next.is_some_and(SourceLine::is_blank),
    }
}

/// Returns the width of the list markers at the start of a line.
fn marker_width(content: &str) -> usize {
    let mut rest = content;
    while is_bullet(rest) || is_enumerator(rest) {
        let Some((_, after)) = rest.split_once(char::is_whitespace) else { break };
        rest = after.trim_start();
    }
    content.len() - rest.len()
}

/// Returns the headings. The level is the order in which their adornments first appear. Labels directly above a
/// heading belong to it.
fn headings(lines: &[SourceLine<'_>], parts: &[Part]) -> Vec<Heading> {
    let mut styles: Vec<(&str, bool)> = Vec::new();
    // The line of the first label above, and the name of the last.
    let mut label: Option<(usize, &str)> = None;
    let mut headings = Vec::new();
    for part in parts {
        let first = lines[part.lines.start].content;
        if part.kind != BlockKind::Heading {
            let line = label.map_or(part.lines.start, |(line, _)| line);
            label = explicit_markup(first).and_then(internal_target).map(|name| (line, name));
            continue;
        }
        let has_overline = part.lines.len() == 3;
        let (title, underline) = (lines[part.lines.end - 2].content, lines[part.lines.end - 1].content);
        let style = (&underline[..1], has_overline);
        let known = styles.iter().position(|known| *known == style);
        let level = known.unwrap_or_else(|| {
            styles.push(style);
            styles.len() - 1
        });
        let label = label.take();
        let start = label.map_or(part.lines.start, |(line, _)| line);
        headings.push(Heading {
            level: level.min(5) as u8 + 1,
            title: collapse(&plain_text(title)),
            github_title: None,
            id: label.map(|(_, name)| name.to_owned()),
            span: span_of(lines, &(start..part.lines.end)),
        });
    }
    headings
}

/// Returns the name of a target without an address: `_name:`.
fn internal_target(markup: &str) -> Option<&str> {
    let name = markup.strip_prefix('_')?.strip_suffix(':')?;
    let name = name.strip_prefix('`').and_then(|name| name.strip_suffix('`')).unwrap_or(name);
    Some(name).filter(|name| !name.is_empty() && !name.starts_with('_'))
}

/// Reads the fields at the start of a document and those of `meta` directives.
fn metadata(lines: &[SourceLine<'_>], parts: &[Part]) -> Metadata {
    let mut metadata = Metadata::default();
    let mut is_docinfo = true;
    for part in parts {
        let part_lines = &lines[part.lines.clone()];
        let first = part_lines[0].content;
        let markup = explicit_markup(first);
        if markup.and_then(directive).is_some_and(|(name, _)| name == "meta") {
            read_fields(&part_lines[1..], &mut metadata);
        } else if is_docinfo && field(first).is_some() {
            read_fields(part_lines, &mut metadata);
        } else {
            is_docinfo &= markup.is_some() || part.kind == BlockKind::Heading;
        }
    }
    metadata
}

fn read_fields(lines: &[SourceLine<'_>], metadata: &mut Metadata) {
    let mut fields: Vec<(&str, String)> = Vec::new();
    let indent = lines.iter().find(|line| !line.is_blank()).map_or(0, |line| line.indent);
    for line in lines {
        match field(line.content) {
            Some((name, body)) if line.indent == indent => fields.push((name, body.to_owned())),
            _ => {
                if let Some((_, body)) = fields.last_mut() {
                    body.push(' ');
                    body.push_str(line.content);
                }
            }
        }
    }
    for (name, body) in fields {
        // A name in a `meta` directive can have attributes: `:description lang=en:`.
        match name.split_whitespace().next().unwrap_or_default().to_ascii_lowercase().as_str() {
            "title" => metadata.title = metadata.title.take().or(non_empty(&plain_text(&body))),
            "tags" | "keywords" => metadata.tags.extend(keywords(&body)),
            "description" | "summary" => {
                metadata.description = metadata.description.take().or(non_empty(&plain_text(&body)));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::LinkKind::{Image, Markdown};
    use super::super::line_scan::checks::*;
    use super::*;

    #[test]
    fn adornments_get_their_level_when_they_first_appear() {
        check_headings(
            scan,
            &[
                ("A\n=\n\nB\n-\n\nC\n=\n", &[(1, "A", ""), (2, "B", ""), (1, "C", "")]),
                ("===\n A\n===\n\nB\n===\n", &[(1, "A", ""), (2, "B", "")]),
                ("\u{feff}A\n~\nx\n", &[(1, "A", "")]),
                ("Long title\n====\n\nLong title\n===\n", &[(1, "Long title", "")]),
                ("1. One\n======\n", &[(1, "1. One", "")]),
                ("- item\nTitle\n=====\n", &[(1, "Title", "")]),
                ("日本\n==\n\n日本\n====\n", &[(1, "日本", "")]),
            ],
        );
    }

    #[test]
    fn other_lines_of_punctuation_are_not_headings() {
        check_headings(
            scan,
            &[
                ("a\n\n-----\n\nb\n", &[]),
                ("two\nlines\n=====\n", &[]),
                ("=====  ====\nA      B\n=====  ====\na      b\n=====  ====\n", &[]),
                ("+---+\n| a |\n+---+\n", &[]),
                ("Code::\n\n  A\n  =\n", &[]),
                (".. code-block:: rst\n\n   A\n   =\n", &[]),
                ("  A\n  =\n", &[]),
                ("- item\n------\n", &[]),
                ("====\nA\n----\n", &[(1, "A", "")]),
            ],
        );
    }

    #[test]
    fn titles_have_no_markup_and_labels_are_ids() {
        check_headings(
            scan,
            &[
                (".. _a-b:\n\nT\n=\n", &[(1, "T", "a-b")]),
                (".. _a:\n.. _`b c`:\n\nT\n=\n\nU\n=\n", &[(1, "T", "b c"), (1, "U", "")]),
                (".. _a:\n\ntext\n\nT\n=\n", &[(1, "T", "")]),
                ("The ``x_y`` *big* :class:`~a.B`\\ s\n====\n", &[(1, "The x_y big Bs", "")]),
                ("`Site <http://x>`_ and name_ ix_() |v|\n====\n", &[(1, "Site and name ix_() v", "")]),
                (":pep:`8` :mod:`!os` \\*args _`here`\n====\n", &[(1, "PEP 8 os *args here", "")]),
            ],
        );
        check_spans(scan, &[("x\n\n===\n A\n===\nB\n-\r\n", &["===\n A\n===\n", "B\n-\r\n"])]);
    }

    #[test]
    fn metadata_comes_from_fields_and_meta_directives() {
        let fields = "T\n=\n\n:Author: x\n:tags: a, b c\n:description: One\n  two\n\nText\n";
        let directive = ":title: *T*\n\n.. meta::\n   :keywords: a b\n   :description lang=en: D\n";
        check_metadata(
            scan,
            &[
                (fields, ("", &["a", "b c"], "One two")),
                (directive, ("T", &["a", "b"], "D")),
                ("Text\n\n:tags: a\n", ("", &[], "")),
            ],
        );
    }

    #[test]
    fn links_of_every_kind() {
        let named = "Py_ `a B`_ no_\n\n.. _py: http://p\n.. _A b:\n\nx";
        let images = "- x\n\n  .. image:: a.png\n     :alt: A b\n\n.. |s| image:: b.png\n";
        let literal = "x::\n\n  `a <b>`_\n\n.. comment\n   `a <b>`_\n\n.. code::\n\n   `a <b>`_\n";
        let nested = ".. note:: `a <b>`_\n\n   - c::\n\n       `d <e>`_\n\n     `f <g>`_\n";
        check_links(
            scan,
            &[
                ("`a\nb <x y.html>`_ ``c <d>`_``", &[(Markdown, "xy.html", "a b")]),
                (":doc:`/a/b` :doc:`t <c>`", &[(Markdown, "/a/b", "/a/b"), (Markdown, "c", "t")]),
                (":ref:`t <l>` :ref:`l` :class:`x`", &[(Markdown, "#l", "t"), (Markdown, "#l", "l")]),
                (named, &[(Markdown, "http://p", "Py"), (Markdown, "#A b", "a B")]),
                ("`a`__ `b`__\n\n__ u\n.. __: v\n", &[(Markdown, "u", "a"), (Markdown, "v", "b")]),
                (images, &[(Image, "a.png", "A b"), (Image, "b.png", "")]),
                (literal, &[]),
                (nested, &[(Markdown, "b", "a"), (Markdown, "g", "f")]),
            ],
        );
    }

    #[test]
    fn every_kind_of_block_is_found() {
        use BlockKind::*;
        check_blocks(
            block_starts,
            &[
                ("a\nb\n\nc\n", &[(Paragraph, "a\nb\n\n"), (Paragraph, "c\n")]),
                (
                    "a::\n\n  b\n\n  c\n\nd\n",
                    &[(Paragraph, "a::\n\n"), (Code, "  b\n\n  c\n\n"), (Paragraph, "d\n")],
                ),
                (
                    ".. code:: x\n\n  b\n\n  c\nd\n",
                    &[(Code, ".. code:: x\n\n  b\n\n  c\n"), (Paragraph, "d\n")],
                ),
                (
                    "- a\n\n  - b\n- c\n1. d\n",
                    &[(ListItem, "- a\n\n  - b\n"), (ListItem, "- c\n"), (ListItem, "1. d\n")],
                ),
                (
                    "term\n  def\n\n  more\nterm\n  def\n",
                    &[(ListItem, "term\n  def\n\n  more\n"), (ListItem, "term\n  def\n")],
                ),
                (
                    ".. note::\n   x\n\n   y\n\n.. [1] z\n",
                    &[(Quote, ".. note::\n   x\n\n   y\n\n"), (Quote, ".. [1] z\n")],
                ),
                (
                    "== ==\na  b\n== ==\n1  2\n\n3  4\n== ==\nx\n",
                    &[(Table, "== ==\na  b\n== ==\n1  2\n\n3  4\n== ==\n"), (Paragraph, "x\n")],
                ),
                ("+-+\n|a|\n+-+\nx\n", &[(Table, "+-+\n|a|\n+-+\n"), (Paragraph, "x\n")]),
                (
                    "a\n\n  quote\n\nT\n=\n>>> 1\n1\n\n----\n",
                    &[
                        (Paragraph, "a\n\n"),
                        (Quote, "  quote\n\n"),
                        (Heading, "T\n=\n"),
                        (Code, ">>> 1\n1\n\n"),
                        (Paragraph, "----\n"),
                    ],
                ),
            ],
        );
    }

    #[test]
    fn repeated_pieces_take_linear_time() {
        let inline = ["`a ", "`` ", "a_ ", ":a:", "\\`", "*a ", ":x: `"];
        let blocks = ["- ", "=== ==\n", "T\n=\n", ".. _a: b\n", "a::\n\n b\n", "a\n b\n"];
        check_speed(scan, block_starts, &inline);
        check_speed(scan, block_starts, &blocks);
    }

    #[test]
    fn references_to_a_long_address_take_little_memory() {
        let text = format!(".. _a: {}\n\n{}", "x".repeat(100_000), "a_ ".repeat(100_000));
        let links = scan(&text, &Lines::new(&text)).1.links;
        assert!(links.iter().map(|link| link.target.len()).sum::<usize>() <= text.len());
    }

    /// Pieces of reStructuredText that are most likely to break when combined.
    #[rustfmt::skip]
    const FRAGMENTS: &[&str] = &[
        "Title", "\n", "\n", "\n\n", "\n===\n", "\n-----\n", "=====", "== ==\n", "+--+\n", "| a |\n", "::",
        "..", ".. note:: ", ".. image:: a.png", ".. _l:", ".. _a: b", ".. |s| image:: x", "   ", " ", "\t",
        "- ", "1. ", ":f: ", ":ref:", "`", "``", "_", "__", "<t>", "*", "**", "|", "\\", "\r\n", "\r",
        "\u{feff}", "é", "概要", "🚀", ">>> ", "[1]_", "a_", "\u{2028}", "\u{a0}", "\0", ":",
        ".. meta::\n   :keywords: a",
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

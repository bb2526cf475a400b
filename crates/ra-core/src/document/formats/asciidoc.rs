//! Reads AsciiDoc: headings, links, metadata and blocks. Follows Asciidoctor, but doesn't evaluate conditions,
//! includes and attributes: the lines of all branches count.

use super::super::BlockKind;
use super::super::frontmatter::Metadata;
use super::super::structure::{Findings, Heading};
use super::asciidoc_inline::{macros, plain_text, take_anchor};
use super::asciidoc_lines::{
    Marker, attribute_entry, delimited_end, delimiter, is_admonition, is_attached, is_attribute_list,
    is_comment, is_condition, is_single_line, is_transparent, is_verbatim, list_marker, style_kind,
    terminator, transparent_end,
};
use super::line_scan::{
    Part, SourceLine, find_line, keywords, non_empty, part_starts, prose_runs, push_link, span_of,
    split_lines,
};
use crate::text::{Lines, collapse};

/// Reads metadata, headings and links.
pub(super) fn scan(text: &str, lines: &Lines) -> (Metadata, Findings) {
    let split = split_lines(text, 0);
    let parts = parts(&split);
    let mut links = Vec::new();
    for run in prose_runs(&split, &prose_lines(&split, &parts)) {
        for mut link in macros(run.of(text)) {
            link.span = link.span.plus(run.start);
            push_link(&mut links, lines, link.as_found());
        }
    }
    (metadata(&split, &parts), Findings { headings: headings(&split, &parts), links, tags: Vec::new() })
}

/// Returns the start of each block with its kind, in order, for text from byte `from` on.
pub(super) fn block_starts(text: &str, from: usize) -> Vec<(usize, BlockKind)> {
    let lines = split_lines(text, from);
    part_starts(&lines, &parts(&lines))
}

/// Splits the lines into blocks.
fn parts(lines: &[SourceLine<'_>]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let (mut at, mut has_heading) = (0, false);
    while let Some(line) = lines.get(at) {
        let start = at;
        if line.is_blank() {
            at += 1;
            continue;
        }
        if is_transparent(line) {
            at = transparent_end(lines, at);
            parts.push(Part { kind: BlockKind::Paragraph, lines: start..at });
            continue;
        }
        // Titles and attributes belong to the block below them, unless that is a heading.
        let body =
            find_line(lines, at, |line| !is_attached(line) && !is_transparent(line) && !line.is_blank());
        let style = lines[at..body].iter().filter_map(|line| style_kind(line.content)).next_back();
        let is_heading = body < lines.len() && heading_level(lines, body).is_some();
        if body == lines.len() || (is_heading && body > at) {
            parts.push(Part { kind: BlockKind::Paragraph, lines: start..body });
            at = body;
        }
        if body < lines.len() {
            let (kind, end) = block(lines, body, style);
            parts.push(Part { kind, lines: at..end });
            at = end;
            if is_heading
                && !std::mem::replace(&mut has_heading, true)
                && heading_level(lines, body).is_some_and(|(level, _)| level == 1)
            {
                at = header_end(lines, end);
                parts.extend((at > end).then_some(Part { kind: BlockKind::Paragraph, lines: end..at }));
            }
        }
    }
    parts
}

/// Returns the end of the author and revision lines after the title of a document.
fn header_end(lines: &[SourceLine<'_>], at: usize) -> usize {
    let is_body = |line: &SourceLine<'_>| line.is_blank() || is_transparent(line) || is_attached(line);
    let has_heading = at < lines.len() && heading_level(lines, at).is_some();
    if has_heading { at } else { find_line(lines, at, is_body).min(at + 2) }
}

/// Returns the kind and the end of the block that begins at `at`, after its title and attributes.
fn block(lines: &[SourceLine<'_>], at: usize, style: Option<BlockKind>) -> (BlockKind, usize) {
    let line = &lines[at];
    if let Some((_, end)) = heading_level(lines, at) {
        (BlockKind::Heading, end)
    } else if let Some(kind) = delimiter(line) {
        let is_styled = matches!(line.content, "--") || kind == BlockKind::Quote;
        (style.filter(|_| is_styled).unwrap_or(kind), delimited_end(lines, at))
    } else if let Some(marker) = list_marker(line.content) {
        (BlockKind::ListItem, item_end(lines, at, marker))
    } else if line.indent > 0 {
        (style.unwrap_or(BlockKind::Code), paragraph_end(lines, at))
    } else if is_single_line(line.content) {
        (BlockKind::Paragraph, at + 1)
    } else {
        let kind = if is_admonition(line.content) { BlockKind::Quote } else { BlockKind::Paragraph };
        (style.unwrap_or(kind), paragraph_end(lines, at))
    }
}

fn paragraph_end(lines: &[SourceLine<'_>], at: usize) -> usize {
    let ends =
        |line: &SourceLine<'_>| line.is_blank() || delimiter(line).is_some() || is_attribute_list(line);
    find_line(lines, at + 1, ends)
}

/// Returns the level of the heading at `at`, and where it ends.
fn heading_level(lines: &[SourceLine<'_>], at: usize) -> Option<(usize, usize)> {
    let line = &lines[at];
    if let Some((level, _)) = one_line_title(line.content).filter(|_| line.indent == 0) {
        return Some((level, at + 1));
    }
    let underline = lines.get(at + 1).filter(|next| next.is_flush())?.content;
    let level = 1 + ['=', '-', '~', '^', '+'].iter().position(|c| underline.starts_with(*c))?;
    let is_uniform = underline.bytes().all(|byte| byte == underline.as_bytes()[0]);
    let title = line.content;
    let is_title = title.contains(|c: char| c.is_alphanumeric() || c == '_') && !title.starts_with('.');
    let fits = || (line.indent + title.chars().count()).abs_diff(underline.len()) < 2;
    (is_uniform && is_title && fits()).then_some((level, at + 2))
}

/// Returns the level and the text of `== Title` or `## Title`, with or without the same marks at the end.
fn one_line_title(content: &str) -> Option<(usize, &str)> {
    let mark = content.chars().next().filter(|c| matches!(c, '=' | '#'))?;
    let rest = content.trim_start_matches(mark);
    let level = content.len() - rest.len();
    if level > 6 || !rest.starts_with([' ', '\t']) {
        return None;
    }
    let title = rest.trim_start();
    let inside = title.strip_suffix(&content[..level]).filter(|inside| inside.ends_with([' ', '\t']));
    Some((level, inside.map_or(title, str::trim_end)))
}

/// Returns the end of a list item, which includes nested lists and attached blocks.
fn item_end(lines: &[SourceLine<'_>], start: usize, marker: Marker) -> usize {
    let (mut at, mut after_blank, mut is_attaching) = (start + 1, false, false);
    let mut has_text = marker.has_text;
    while let Some(line) = lines.get(at) {
        if line.is_blank() || is_condition(line.content) {
            after_blank |= line.is_blank();
            at += 1;
        } else if line.content == "+" {
            (after_blank, is_attaching) = (false, true);
            at += 1;
        } else if delimiter(line).is_some() || is_attached(line) {
            if !is_attaching {
                break;
            }
            // An attribute list is followed by the block that it attaches.
            is_attaching = delimiter(line).is_none();
            (after_blank, has_text) = (false, true);
            at = if is_attaching { at + 1 } else { delimited_end(lines, at) };
        } else if let Some(other) = list_marker(line.content).filter(|_| !is_attaching) {
            // Adjacent terms share the description below them.
            if (other.mark, other.count) == (marker.mark, marker.count) && has_text {
                break;
            }
            (after_blank, has_text) = (false, other.has_text);
            at += 1;
        } else {
            if after_blank && !is_attaching && has_text && line.indent == 0 {
                break;
            }
            (after_blank, is_attaching, has_text) = (false, false, true);
            at += 1;
        }
    }
    at
}

/// Tells for each line if it is prose; code and comments aren't.
fn prose_lines(lines: &[SourceLine<'_>], parts: &[Part]) -> Vec<bool> {
    let mut is_prose = vec![false; lines.len()];
    for part in parts {
        if matches!(part.kind, BlockKind::Code | BlockKind::Html) {
            continue;
        }
        let mut open: Option<&str> = None;
        for at in part.lines.clone() {
            let line = &lines[at];
            is_prose[at] = open.is_none() && !is_comment(line) && attribute_entry(line.content).is_none();
            open = match open {
                Some(terminator) if line.indent == 0 && line.content == terminator => None,
                None if part.kind != BlockKind::Heading && is_verbatim(line) => Some(terminator(line)),
                open => open,
            };
        }
    }
    is_prose
}

/// Returns the headings. Attributes directly above a heading belong to it.
fn headings(lines: &[SourceLine<'_>], parts: &[Part]) -> Vec<Heading> {
    let mut headings = Vec::new();
    let (mut id, mut offset) = (None, 0);
    // The line where the attributes above begin.
    let mut above = None;
    for part in parts {
        let part_lines = &lines[part.lines.clone()];
        if part.kind != BlockKind::Heading {
            id =
                part_lines.iter().filter(|line| is_attribute_list(line)).filter_map(attribute_id).next_back();
            offset = part_lines.iter().fold(offset, |offset, line| level_offset(line.content, offset));
            above = part_lines.iter().all(is_attribute_list).then_some(part.lines.start);
            continue;
        }
        let Some((level, _)) = heading_level(lines, part.lines.start) else { continue };
        let written = part_lines[0].content;
        let mut title = one_line_title(written).map_or(written, |(_, title)| title);
        let anchor = take_anchor(&mut title);
        headings.push(Heading {
            level: (level as i64).saturating_add(offset).clamp(1, 6) as u8,
            title: collapse(&plain_text(title)),
            github_title: None,
            id: id.take().or(anchor).map(str::to_owned),
            span: span_of(lines, &(above.take().unwrap_or(part.lines.start)..part.lines.end)),
        });
    }
    headings
}

/// Returns the id in a list of attributes: `[[id]]`, `[#id]`, `[style#id]` or `[id=id]`.
fn attribute_id<'t>(line: &SourceLine<'t>) -> Option<&'t str> {
    let inside = line.content.strip_prefix('[')?.strip_suffix(']')?;
    let id = match inside.strip_prefix('[') {
        Some(anchor) => anchor.strip_suffix(']')?.split(',').next()?,
        None => match inside.split(',').find_map(|attribute| attribute.trim().strip_prefix("id=")) {
            Some(id) => id.trim_matches(['"', '\'']),
            None => inside.split(',').next()?.split_once('#')?.1.split(['.', '%']).next()?,
        },
    };
    Some(id.trim()).filter(|id| !id.is_empty())
}

/// Returns the offset of the levels after an attribute entry: `:leveloffset: +1`.
fn level_offset(content: &str, offset: i64) -> i64 {
    match attribute_entry(content) {
        Some(("leveloffset", value)) => match value.parse::<i64>() {
            Ok(number) if value.starts_with(['+', '-']) => offset.saturating_add(number),
            Ok(number) => number,
            Err(_) => 0,
        },
        Some(("!leveloffset" | "leveloffset!", _)) => 0,
        _ => offset,
    }
}

/// Reads the attribute entries that describe the document.
fn metadata(lines: &[SourceLine<'_>], parts: &[Part]) -> Metadata {
    let mut metadata = Metadata::default();
    for part in parts.iter().filter(|part| is_transparent(&lines[part.lines.start])) {
        for (name, value) in entries(&lines[part.lines.clone()]) {
            match name.to_ascii_lowercase().as_str() {
                "keywords" if metadata.tags.is_empty() => metadata.tags = keywords(&value),
                "description" => metadata.description = metadata.description.take().or(non_empty(&value)),
                _ => {}
            }
        }
    }
    metadata
}

/// Returns the attribute entries of a part. A value that ends with a backslash goes on in the next line.
fn entries<'t>(lines: &[SourceLine<'t>]) -> Vec<(&'t str, String)> {
    let mut entries: Vec<(&str, String)> = Vec::new();
    let mut continues = false;
    for line in lines {
        let entry = attribute_entry(line.content).filter(|_| !continues);
        let (value, goes_on) = match entry.map_or(line.content, |(_, value)| value).strip_suffix('\\') {
            Some(value) => (value.trim_end().trim_end_matches(" +"), true),
            None => (entry.map_or(line.content, |(_, value)| value), false),
        };
        match (entry, entries.last_mut()) {
            (Some((name, _)), _) => entries.push((name, value.to_owned())),
            (None, Some((_, last))) if continues => last.extend([" ", value]),
            _ => {}
        }
        continues = goes_on;
    }
    entries
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::LinkKind::{Image, Markdown};
    use super::super::line_scan::checks::*;
    use super::*;

    #[test]
    fn headings_have_one_or_two_lines() {
        check_headings(
            scan,
            &[
                (
                    "= D\n\n== A\n\n=== B ===\n\n====== F\n",
                    &[(1, "D", ""), (2, "A", ""), (3, "B", ""), (6, "F", "")],
                ),
                ("## A\n\n# D #\n", &[(2, "A", ""), (1, "D", "")]),
                ("Doc\n===\n\nPart\n-----\n\nSub\n~~\n", &[(1, "Doc", ""), (2, "Part", ""), (3, "Sub", "")]),
                ("Six\n^^^\n\nFive\n+++++\n", &[(4, "Six", ""), (5, "Five", "")]),
                ("Doc\n=====\n", &[]),
                ("======= G\n\n==A\n", &[]),
                ("text\n== A\n", &[]),
                ("// c\n:a: b\n= D\nAuthor <a@b>\nv1\n:x: y\n\n== A\n", &[(1, "D", ""), (2, "A", "")]),
                (":leveloffset: +1\n\n= A\n\n:leveloffset: 0\n\n== B\n", &[(2, "A", ""), (2, "B", "")]),
                ("ifdef::x[]\n== A\nendif::[]\n== B\n", &[(2, "A", ""), (2, "B", "")]),
            ],
        );
        check_spans(scan, &[("[[x]]\n== A\n\nBcd\n---\r\n", &["[[x]]\n== A\n", "Bcd\n---\r\n"])]);
    }

    #[test]
    fn delimited_blocks_contain_no_headings() {
        for delimiter in ["----", "....", "====", "****", "____", "++++", "////", "|===", "```", "--"] {
            let text = format!("{delimiter}\n\n== A\n\n{delimiter}\n\n== B\n");
            assert_eq!(read_headings(&text, scan), [(2, "B".to_owned(), String::new())], "{text:?}");
        }
        check_headings(
            scan,
            &[
                ("-----\n== A\n----\n== B\n-----\n\n== C\n", &[(2, "C", "")]),
                ("* a\n+\n----\n\n== A\n----\n\n== B\n", &[(2, "B", "")]),
                ("a::\n+\n----\nx\n----\n\nGIT\n---\n", &[(2, "GIT", "")]),
                ("----\n== A\n", &[]),
                ("[source]\n----\n== A\n----\n", &[]),
            ],
        );
    }

    #[test]
    fn titles_have_no_markup_and_anchors_are_ids() {
        check_headings(
            scan,
            &[
                ("[[i]]\n== T\n\n[#j.role]\n\n== U\n", &[(2, "T", "i"), (2, "U", "j")]),
                ("[discrete#k]\n== V\n", &[(2, "V", "k")]),
                ("[id=\"i\"]\n== T\n\n== U\n", &[(2, "T", "i"), (2, "U", "")]),
                ("== [[i]]T\n\n== U [[j]]\n", &[(2, "T", "i"), (2, "U", "j")]),
                ("== The `a_b` *bold* link:x[l] <<id,r>> C\\*\n", &[(2, "The a_b bold l r C*", "")]),
                ("== snake_case_name **b**old C++\n", &[(2, "snake_case_name bold C++", "")]),
            ],
        );
    }

    #[test]
    fn metadata_comes_from_attributes() {
        check_metadata(
            scan,
            &[
                ("= T\n:keywords: a, b c\n:description: One \\\ntwo\n\nx\n", ("", &["a", "b c"], "One two")),
                ("----\n:keywords: a\n----\n", ("", &[], "")),
            ],
        );
    }

    #[test]
    fn links_of_every_kind() {
        let verbatim = "----\nlink:a[b]\n----\n// link:a[b]\n\n link:a[b]\n\n";
        let nested = format!("{verbatim}====\n....\nlink:a[b]\n....\nlink:c[d]\n====\n");
        check_links(
            scan,
            &[
                (
                    "link:a.html[b *c*] https://x.y/z[t^] https://x.y",
                    &[(Markdown, "a.html", "b c"), (Markdown, "https://x.y/z", "t")],
                ),
                (
                    "link:https://x[t,window=_blank] link:a[\"b, c\",r=d]",
                    &[(Markdown, "https://x", "t"), (Markdown, "a", "b, c")],
                ),
                ("xref:a[t] xref:b.adoc#c[]", &[(Markdown, "#a", "t"), (Markdown, "b.adoc#c", "b.adoc#c")]),
                ("<<d>> <<e.adoc#f,g h>>", &[(Markdown, "#d", "d"), (Markdown, "e.adoc#f", "g h")]),
                (
                    "image::a b.png[Alt,100]\n\nx image:c.png[]",
                    &[(Image, "a b.png", "Alt"), (Image, "c.png", "")],
                ),
                ("link:a[b\\]c] \\link:a[b] xlink:a[b]", &[(Markdown, "a", "b]c")]),
                (&nested, &[(Markdown, "c", "d")]),
                ("Title\n-----\n\nlink:a[b]\n", &[(Markdown, "a", "b")]),
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
                    "a\nb\n\n.T\n[source]\n----\nc\n\n----\nd\n",
                    &[(Paragraph, "a\nb\n\n"), (Code, ".T\n[source]\n----\nc\n\n----\n"), (Paragraph, "d\n")],
                ),
                (
                    "* a\n** b\n\n* c\n+\n--\nd\n\ne\n--\n\nf\n",
                    &[
                        (ListItem, "* a\n** b\n\n"),
                        (ListItem, "* c\n+\n--\nd\n\ne\n--\n\n"),
                        (Paragraph, "f\n"),
                    ],
                ),
                (
                    "s::\nt:: a\nu::\n\n  b\n\nc\n",
                    &[(ListItem, "s::\nt:: a\n"), (ListItem, "u::\n\n  b\n\n"), (Paragraph, "c\n")],
                ),
                (
                    "|===\n|a\n\n|b\n|===\n\nNOTE: x\n",
                    &[(Table, "|===\n|a\n\n|b\n|===\n\n"), (Quote, "NOTE: x\n")],
                ),
                (
                    "____\na\n\nb\n____\n lit\n\n[NOTE]\nx\n",
                    &[(Quote, "____\na\n\nb\n____\n"), (Code, " lit\n\n"), (Quote, "[NOTE]\nx\n")],
                ),
                (
                    "= T\nA B\n:k: v\n\n[[i]]\n== U\nx\n",
                    &[
                        (Heading, "= T\n"),
                        (Paragraph, "A B\n"),
                        (Paragraph, ":k: v\n\n"),
                        (Paragraph, "[[i]]\n"),
                        (Heading, "== U\n"),
                        (Paragraph, "x\n"),
                    ],
                ),
            ],
        );
    }

    #[test]
    fn repeated_pieces_take_linear_time() {
        let inline = ["link:", "<<", "link:a[", "a::", ";;", "https://", "`a "];
        let blocks = ["* a\n", "a::\n", "----\n", "-----\n----\n", "[a]\n", "== A\n", ":a: \\\n", "= A\nb\n"];
        check_speed(scan, block_starts, &inline);
        check_speed(scan, block_starts, &blocks);
    }

    /// Pieces of AsciiDoc that are most likely to break when combined.
    const FRAGMENTS: &[&str] = &[
        "= T",
        "== A",
        "## B",
        "Title\n=====",
        "Title\n-----",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "----\n",
        "....\n",
        "====\n",
        "|===\n",
        "--\n",
        "```\n",
        "////\n",
        "// c",
        "[[id]]",
        "[#id]\n",
        "[source]\n",
        ".Title",
        ":a: b",
        ":a: \\\n",
        "+\n",
        "* ",
        "** ",
        ". ",
        "t:: ",
        "t::\n",
        "<1> ",
        "link:",
        "xref:",
        "image::",
        "https://",
        "<<",
        ">>",
        "[",
        "]",
        "\\",
        "*",
        "_",
        "`",
        "+",
        "#",
        " ",
        "\t",
        "NOTE: ",
        "ifdef::a[]\n",
        "\u{feff}",
        "é",
        "概要",
        "🚀",
        "\u{2028}",
        "\u{a0}",
        "\r",
        "\0",
        ",",
        ":leveloffset: 9",
        "'''",
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

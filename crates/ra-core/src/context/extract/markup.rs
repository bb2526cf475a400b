//! Splits HTML and XML into text, headings, comments, and embedded programs.

use super::region::Tiles;
use super::{Language, RegionKind, scan};

/// Anything longer than this isn't a tag but a stray `<`. Keeps the search for the end linear.
const MAX_TAG: usize = 1024;

/// Tags that end an unclosed heading.
const BLOCKS: [&str; 10] = ["body", "div", "main", "nav", "ol", "p", "section", "table", "template", "ul"];

/// Splits a file of HTML, XML, Vue or the like.
pub(super) fn scan(text: &str, tiles: &mut Tiles<'_>) {
    let mut kind = RegionKind::Prose;
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let Some(end) = tag_end(text, start) else {
            at = start + 1;
            continue;
        };
        tiles.push(start, kind);
        let tag = &text[start..end];
        if tag.starts_with("<!--") {
            tiles.push(end, RegionKind::Comment);
        } else {
            tiles.push(end, RegionKind::Ignored);
            kind = kind_after(tag, kind);
            if let Some((name, language)) = program(tag) {
                let close = find_closing(text, end, name);
                scan::scan(text, close, language, tiles);
            }
        }
        at = tiles.end();
    }
    tiles.push(text.len(), kind);
}

/// Returns the end of the tag, comment or declaration that begins at `start`, if one does. An unclosed comment extends
/// to the end of the text.
pub(super) fn tag_end(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    if rest.starts_with("<!--") {
        return Some(rest.find("-->").map_or(text.len(), |length| start + length + 3));
    }
    if rest.starts_with("<![CDATA[") {
        return Some(start + "<![CDATA[".len());
    }
    let first = *rest.as_bytes().get(1)?;
    if !first.is_ascii_alphabetic() && !b"/!?".contains(&first) {
        return None;
    }
    let mut quote = None;
    for (at, &byte) in rest.as_bytes().iter().enumerate().take(MAX_TAG).skip(1) {
        match (quote, byte) {
            (None, b'>') => return Some(start + at + 1),
            (None, b'<') => return None,
            // An apostrophe in text after a stray `<` opens no value: it must follow `=`.
            (None, b'"' | b'\'') if rest.as_bytes()[at - 1] == b'=' => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

fn name(tag: &str) -> String {
    let name = tag.trim_start_matches(['<', '/']);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    name[..end].to_ascii_lowercase()
}

/// Returns the kind of the text that follows a tag.
fn kind_after(tag: &str, kind: RegionKind) -> RegionKind {
    let name = name(tag);
    let is_heading = matches!(name.as_str(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "title");
    match (is_heading, tag.starts_with("</")) {
        (true, false) if !tag.ends_with("/>") => RegionKind::Heading,
        (true, _) => RegionKind::Prose,
        (false, _) if BLOCKS.contains(&name.as_str()) => RegionKind::Prose,
        _ => kind,
    }
}

/// Returns the closing tag of an embedded program, and its language.
fn program(tag: &str) -> Option<(&'static str, Language)> {
    if tag.starts_with("</") || tag.ends_with("/>") {
        return None;
    }
    match name(tag).as_str() {
        "script" => Some(("</script", Language::JavaScript)),
        "style" => Some(("</style", Language::Css)),
        _ => None,
    }
}

/// Returns where the closing tag begins, ignoring case.
fn find_closing(text: &str, from: usize, close: &str) -> usize {
    let bytes = &text.as_bytes()[from..];
    let found = bytes.windows(close.len()).position(|window| window.eq_ignore_ascii_case(close.as_bytes()));
    found.map_or(text.len(), |length| from + length)
}

#[cfg(test)]
mod tests {
    use super::super::regions;
    use super::*;

    #[test]
    fn tags_are_cut_out() {
        for (text, expected) in [
            ("a <b class='x > y'>c</b> d", "a ~c~ d"),
            ("<h1>A <i>b</i></h1>c", "~Heading[A ]~Heading[b]~c"),
            ("<h2>A<p>b", "~Heading[A]~b"),
            ("<!-- a -->b", "Comment[<!-- a -->]b"),
            ("<!-- a", "Comment[<!-- a]"),
            ("1 < 2 <3 <", "1 < 2 <3 <"),
            ("<SCRIPT>let a; // b\n</script>c", "~Code[let a; ]Comment[// b]Code[\n]~c"),
            ("<style>a{}", "~Code[a{}]"),
            ("<?xml version=\"1\"?><a><![CDATA[b]]></a>", "~b]]>~"),
            ("<a href=\"x", "<a href=\"x"),
        ] {
            let show = |kind, text: &str| match kind {
                RegionKind::Prose => text.to_owned(),
                RegionKind::Ignored => "~".to_owned(),
                other => format!("{other:?}[{text}]"),
            };
            let regions = regions("x.html", text);
            let shown: String =
                regions.iter().map(|region| show(region.kind, region.span.of(text))).collect();
            assert_eq!(shown, expected);
        }
    }
}

//! Front matter at the top of a document. Its values describe the document; its keys don't.

use super::RegionKind;
use super::prose::line_end;
use super::region::Tiles;

/// The keys whose values say what a document is about, like its headings.
const TITLES: [&str; 4] = ["title", "description", "tags", "keywords"];

/// Splits off the front matter, if there is any.
pub(super) fn scan(text: &str, tiles: &mut Tiles<'_>) {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let body = line_end(text, start);
    let (mark, separator) = match text[start..body].trim_end() {
        "---" => ("---", ':'),
        "+++" => ("+++", '='),
        _ => return,
    };
    let Some(end) = find_end(text, body, mark) else { return };
    tiles.push(body, RegionKind::Ignored);
    let mut kind = RegionKind::Prose;
    while tiles.end() < end {
        let at = tiles.end();
        let line = &text[at..line_end(text, at)];
        if let Some(key) = top_level_key(line, separator) {
            kind = if TITLES.contains(&key.to_lowercase().as_str()) {
                RegionKind::Heading
            } else {
                RegionKind::Prose
            };
        }
        let key = key_length(line, separator);
        tiles.push(at + key, RegionKind::Ignored);
        tiles.push(at + line.len(), if is_constant(&line[key..]) { RegionKind::Ignored } else { kind });
    }
    tiles.push(line_end(text, end), RegionKind::Ignored);
}

/// Returns where the closing line begins; `None` if there isn't one, and then there is no front matter.
fn find_end(text: &str, body: usize, mark: &str) -> Option<usize> {
    let mut at = body;
    while at < text.len() {
        let end = line_end(text, at);
        let line = text[at..end].trim_end();
        if line == mark || (mark == "---" && line == "...") {
            return Some(at);
        }
        at = end;
    }
    None
}

/// Returns the key at the start of an unindented line; a TOML table header counts as one.
fn top_level_key(line: &str, separator: char) -> Option<&str> {
    if line.starts_with([' ', '\t', '-', '#']) {
        return None;
    }
    line.split_once(separator).map(|(key, _)| key.trim()).or(line.starts_with('[').then_some(line))
}

/// Returns the length of the key and everything else before its value.
fn key_length(line: &str, separator: char) -> usize {
    let is_table = separator == '=' && line.starts_with('[');
    if is_table || line.trim_start().starts_with('#') {
        return line.len();
    }
    let Some((key, value)) = line.split_once(separator) else { return 0 };
    let name = key.trim().trim_start_matches('-').trim().trim_matches(['"', '\'']);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    // `https://a.b` in a list is a value, not a key.
    let ends_key = separator == '=' || value.is_empty() || value.starts_with(char::is_whitespace);
    if is_name && ends_key { key.len() + separator.len_utf8() } else { 0 }
}

/// True for values that aren't words.
fn is_constant(value: &str) -> bool {
    matches!(value.trim(), "true" | "false" | "null" | "yes" | "no" | "|" | ">" | "|-" | ">-" | "" | "~")
}

#[cfg(test)]
mod tests {
    use super::super::{RegionKind, regions};

    fn shown(text: &str) -> String {
        let of = |kind: RegionKind| {
            let regions = regions("x.md", text);
            let texts =
                regions.iter().filter(|region| region.kind == kind).map(|region| region.span.of(text));
            texts.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
        };
        format!("{} | {}", of(RegionKind::Heading), of(RegionKind::Prose))
    }

    #[test]
    fn values_are_kept_by_their_key() {
        for (text, expected) in [
            ("---\ntitle: A b\nlayout: c\n---\nd", "A b | c d"),
            ("---\ntags:\n  - x\n  - y z\nauthor: q\n---\n", "- x - y z | q"),
            ("\u{feff}---\r\nTitle: A\r\n---\r\nd", "A | d"),
            ("---\ntitle: A: b\ndraft: true\n...\nd", "A: b | d"),
            ("---\ndescription: >\n  Long\n  text\nmenu:\n  main: w\n---\n", "Long text | w"),
            ("+++\ntitle = \"A\"\n[extra]\nk = \"v\"\n+++\nd", "\"A\" | \"v\" d"),
            ("---\ntitle: no end", " | --- title: no end"),
            ("---\n# note\nseealso:\n- https://a.b\n---\n", " | - https://a.b"),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }
}

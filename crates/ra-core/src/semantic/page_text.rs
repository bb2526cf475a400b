//! The texts from which vectors are computed.

use crate::document::{Document, Fences, front_matter_end, is_html};

/// The encoder reads 126 word pieces. This many words leave room for some headings.
const MAX_PROSE_WORDS: usize = 70;

/// The rest of a longer text is ignored.
const MAX_SCANNED_BYTES: usize = 16 << 10;

/// Returns the title of a page, its description, the first words of its prose, and its headings.
pub fn page_text(document: &Document, text: &str) -> String {
    let Document { title, description, outline, .. } = document;
    let mut page = format!("{title}. ");
    let mut words = Words { page: &mut page, left: MAX_PROSE_WORDS };
    words.add_all(description.iter().flat_map(|text| text.split_whitespace()));
    let mut scanned = 0;
    for node in &outline.nodes {
        for body in outline.own_text(node.ord, text) {
            if words.left == 0 || scanned > MAX_SCANNED_BYTES {
                break;
            }
            let body = without_front_matter(body, node.ord);
            let end = body.floor_char_boundary(MAX_SCANNED_BYTES);
            scanned += end;
            words.add_prose(&body[..end]);
        }
    }
    for node in outline.nodes.iter().skip(1).filter(|node| node.title != *title).take(MAX_PROSE_WORDS) {
        page.push_str(". ");
        page.push_str(
            node.title.get(..node.title.floor_char_boundary(MAX_HEADING_BYTES)).unwrap_or_default(),
        );
    }
    page
}

/// Returns the own text of a node, without the front matter if the node is the document itself.
pub fn without_front_matter(body: &str, ord: u32) -> &str {
    if ord == 0 { &body[front_matter_end(body)..] } else { body }
}

/// Longer headings are cut.
const MAX_HEADING_BYTES: usize = 200;

/// Appends words to the text of a page until `left` is 0.
struct Words<'a> {
    page: &'a mut String,
    left: usize,
}

impl Words<'_> {
    fn add_all<'b>(&mut self, words: impl Iterator<Item = &'b str>) {
        for word in words.take(self.left) {
            self.left -= 1;
            self.page.push_str(word);
            self.page.push(' ');
        }
    }

    /// Adds the prose of a markdown text. Skips code blocks.
    fn add_prose(&mut self, body: &str) {
        let mut fences = Fences::default();
        for line in body.lines().filter(|line| !fences.is_code(line)) {
            self.add_all(prose(line).split_whitespace());
            if self.left == 0 {
                return;
            }
        }
    }
}

/// Returns a markdown text as a person reads it: without markup, and code without its fences. The same text then has
/// the same vector in every format.
pub fn readable_text(body: &str) -> String {
    let body = &body[..body.floor_char_boundary(MAX_SCANNED_BYTES)];
    let mut readable = String::with_capacity(body.len());
    let mut fences = Fences::default();
    for line in body.lines() {
        let was_code = fences.open().is_some();
        if !fences.is_code(line) {
            readable.push_str(&prose(line));
        } else if was_code && fences.open().is_some() {
            readable.push_str(line);
        }
        readable.push('\n');
    }
    readable
}

/// A longer tag, shortcode or link target is text.
const MAX_MARKUP_BYTES: usize = 2000;

/// A text in angle brackets that has one of these and no space is an address.
const ADDRESS: [char; 4] = ['/', '.', '#', '@'];

/// The characters that may be markup.
const MARKUP: [char; 11] = ['\\', '<', '{', ']', '`', '*', '_', '|', '#', '[', '>'];

/// Strips the markup of a line: tags, shortcodes, link targets and emphasis.
fn prose(line: &str) -> String {
    let mut prose = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((at, first)) = rest.match_indices(MARKUP).next() {
        prose.push_str(&rest[..at]);
        rest = &rest[at..];
        // `Rc\<T>` is how converters write `Rc<T>`.
        if let Some(escaped) = rest[1..].chars().next().filter(|c| first == "\\" && c.is_ascii_punctuation())
        {
            prose.push(readable(escaped));
            rest = &rest[2..];
            continue;
        }
        let skipped =
            [("<", ">"), ("{{", "}}"), ("{%", "%}"), ("](", ")")].into_iter().find_map(|(open, close)| {
                let inside = rest.strip_prefix(open)?;
                let inside = &inside[..inside.floor_char_boundary(MAX_MARKUP_BYTES)];
                let length = open.len() + inside.find(close)? + close.len();
                // `Vec<u8>` and `<pod-name>` are text, but the target of a link in reStructuredText isn't.
                let tag = &rest[..length];
                let is_address = || tag.contains(ADDRESS) && !tag.contains(char::is_whitespace);
                (open != "<" || is_html(tag) || is_address()).then_some(length)
            });
        if skipped.is_none() {
            let is_quote = first == ">" && prose.trim().is_empty();
            prose.extend(first.chars().map(|c| if is_quote { ' ' } else { readable(c) }));
        }
        rest = &rest[skipped.unwrap_or(first.len())..];
    }
    prose.push_str(rest);
    prose
}

/// Returns a character of the text, or a space for one that is usually markup. Converters escape more characters than
/// people do, so it doesn't matter whether it is escaped.
fn readable(c: char) -> char {
    if matches!(c, '`' | '*' | '_' | '|' | '#' | '[' | ']') { ' ' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DocumentKind, ParseOptions, parse};

    fn page(text: &str) -> String {
        let options =
            ParseOptions { kind: DocumentKind::Markdown, file_name: "a.md", chunk_at_headings: true };
        page_text(&parse(text, &options), text)
    }

    #[test]
    fn a_page_is_its_title_its_first_prose_and_its_headings() {
        let text = "---\ntitle: Pods\ndescription: What a pod is.\n---\n\n```sh\nkubectl\n```\n\
                    A **pod** is a [group](groups.md) of `containers`{{< x >}}.\n\n## Use\n\nRun it.\n\n## Limits\n\nFew.\n";
        let words: Vec<String> = page(text).split_whitespace().map(str::to_owned).collect();
        assert_eq!(
            words.join(" "),
            "Pods. What a pod is. A pod is a group of containers . Run it. Few. . Use. Limits"
        );
    }

    #[test]
    fn a_text_is_readable_without_its_markup() {
        for (text, expected) in [
            ("A [**pod**](pods.md#x) of {{< glossary_tooltip >}}", "A pod of"),
            ("<a id=\"x\"></a>`Vec` {a, b} < c | d[s](x)", "Vec {a, b} < c d s"),
            ("`a guide <guide.rst#x>`__ <https://a.b>", "a guide"),
            ("> a Vec\\<u8> and \\*, C:\\dir", "a Vec<u8> and , C:\\dir"),
            ("a `Vec<u8>` of <pod-name>, a < b > c", "a Vec<u8> of <pod-name>, a < b > c"),
            ("rate < 1.5 s and > 3, a < b, it's c > d", "rate < 1.5 s and > 3, a < b, it's c > d"),
            ("snake\\_case and snake_case", "snake case and snake case"),
            ("before\n\n```rust\nlet a: Vec<T> = b[0];\n```\nafter", "before let a: Vec<T> = b[0]; after"),
        ] {
            let words: Vec<String> = readable_text(text).split_whitespace().map(str::to_owned).collect();
            assert_eq!(words.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn hostile_markup_costs_no_more_than_its_length() {
        for text in ["<".repeat(100_000), "](".repeat(50_000), "{{".repeat(50_000), "# \n".repeat(10_000)] {
            assert!(page(&text).len() < 100_000);
            assert!(readable_text(&text).len() <= MAX_SCANNED_BYTES + 1);
        }
    }
}

//! The targets of links: what they are relative to, and the name of what they lead to.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::{DocumentKind, Link, LinkKind};
use crate::text::composed;

/// Files with these names, in any case, are the page of their directory.
pub const INDEX_NAMES: &[&str] = &["_index", "index", "README"];

/// True if a file with this name, without its extension, is the page of its directory.
pub fn is_index_name(stem: &str) -> bool {
    INDEX_NAMES.iter().any(|name| name.eq_ignore_ascii_case(stem))
}

/// The place that the target of a link is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkBase {
    /// The document.
    Document,
    /// The root of the site.
    Root,
    /// Nothing: a wiki link names its page.
    Page,
    /// Nothing here: it leads to another site.
    External,
    /// Nothing here: it has another scheme, such as `mailto:`.
    OtherScheme,
    /// Nothing here: only the program that publishes the documents can resolve its template syntax.
    Template,
    /// Nothing: the target is empty.
    Empty,
}

impl LinkBase {
    /// Returns the base of a link of a document with this text.
    pub fn of(link: &Link, text: &str) -> Self {
        // The parser reads `![[embed]]` as an image, but its target is named like that of a wiki link.
        match link.kind == LinkKind::Wiki || link.span.of(text).starts_with("![[") {
            true => Self::Page,
            false => Self::of_target(&link.target),
        }
    }

    fn of_target(target: &str) -> Self {
        let first = target.split(['/', '#', '?']).next().unwrap_or_default();
        if target.contains("{{") || target.contains("{%") {
            Self::Template
        } else if target.starts_with("//")
            || matches!(first.to_ascii_lowercase().as_str(), "http:" | "https:")
        {
            Self::External
        } else if first.contains(':') {
            Self::OtherScheme
        } else if target.starts_with('/') {
            Self::Root
        } else if !target.is_empty() {
            Self::Document
        } else {
            Self::Empty
        }
    }
}

/// Returns the name of the page that a path leads to: its last component in lower case, without an ending that links
/// omit. The page of a directory has the name of the directory. Different ways to write a link to a document give one
/// of a few names.
pub fn page_name(path: &str) -> String {
    let mut parts = path_parts(path);
    let last = parts.pop().map(stem).unwrap_or_default();
    match is_index_name(&last) {
        true => parts.pop().map(stem).unwrap_or_default(),
        false => last,
    }
}

/// Returns the components of a path, with `.` and `..` resolved.
pub fn path_parts(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
}

/// Returns the last component of a path in lower case, without an ending that links omit.
pub fn stem(path: &str) -> String {
    let last = path.rsplit('/').next().unwrap_or(path).trim();
    let name = composed(last).to_lowercase();
    let is_page = |extension: &str| DocumentKind::page_extensions().any(|known| known == extension);
    match name.rsplit_once('.') {
        Some((stem, extension)) if is_page(extension) => stem.to_owned(),
        _ => name,
    }
}

/// Decodes `%20` and the like. Other percent signs stay.
pub fn percent_decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Decodes `%20` and the like; `None` if a percent sign begins nothing like that, or the result isn't text.
pub fn percent_decode_strict(text: &str) -> Option<String> {
    let is_byte = |rest: &[u8]| rest.get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    let is_valid = text.as_bytes().split(|byte| *byte == b'%').skip(1).all(is_byte);
    is_valid.then(|| percent_decode_str(text).decode_utf8().ok().map(Cow::into_owned)).flatten()
}

/// Returns the page that a wiki link names. In a table its `|` is escaped; the backslash isn't part of the name.
pub(super) fn wiki_target(written: &str) -> String {
    written.strip_suffix('\\').unwrap_or(written).trim().to_owned()
}

/// Returns the target in parentheses at byte `at`. After a wiki link it means that this isn't one: `[[1]](https://…)`
/// is a link with brackets in its text, a common form for notes and sources.
pub(super) fn inline_target(text: &str, at: usize) -> Option<String> {
    const MAX_TARGET_CHARS: usize = 1024;
    let rest = text.get(at..)?.strip_prefix('(')?;
    let mut open = 1;
    // Without a limit, each of many unclosed parentheses would be scanned to the end of the text.
    for (at, c) in rest.char_indices().take(MAX_TARGET_CHARS) {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            _ if c.is_whitespace() => return None,
            _ => {}
        }
        if open == 0 {
            return rest.get(..at).filter(|target| !target.is_empty()).map(str::to_owned);
        }
    }
    None
}

/// Converts a path to the folder name that MDN uses if the name of a page has characters that not every file system
/// allows.
pub fn folder_name(path: &str) -> Option<String> {
    let replaced = [("::", "_doublecolon_"), (":", "_colon_"), ("*", "_star_"), ("?", "_question_")];
    path.contains([':', '*', '?'])
        .then(|| replaced.iter().fold(path.to_owned(), |path, (from, to)| path.replace(from, to)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_relative_to_its_document_or_to_a_root_or_leads_elsewhere() {
        use LinkBase::{Document, Empty, External, OtherScheme, Root, Template};
        for (target, base) in [
            ("a.md", Document),
            ("../b/c.md#d", Document),
            ("#e", Document),
            ("a%20b.md", Document),
            ("x/y:z.md", Document),
            ("/docs/a", Root),
            ("https://a.b", External),
            ("HTTP://a.b", External),
            ("//a.b/c", External),
            ("mailto:a@b", OtherScheme),
            ("{{< ref x >}}", Template),
            ("/x/{% y %}", Template),
            ("", Empty),
        ] {
            assert_eq!(LinkBase::of_target(target), base, "{target}");
        }
    }

    #[test]
    fn the_ways_to_write_a_link_to_a_page_give_one_name() {
        for path in [
            "guide/Intro.md",
            "guide/intro",
            "/guide/intro/",
            "x/../intro.html",
            "intro.Mdown",
            "intro/index.md",
            "intro/README.htm",
            "intro/.",
        ] {
            assert_eq!(page_name(path), "intro", "{path}");
        }
        for (path, name) in [("index.md", ""), ("/", ""), ("..", ""), ("a.pdf", "a.pdf"), ("v1.2.md", "v1.2")]
        {
            assert_eq!(page_name(path), name, "{path}");
        }
    }

    #[test]
    fn percent_signs_are_decoded_where_they_mean_something() {
        for (text, decoded) in
            [("a%20b", "a b"), ("100%", "100%"), ("%zz", "%zz"), ("%C3%A9", "é"), ("é%2", "é%2")]
        {
            assert_eq!(percent_decode(text), decoded);
            let strict = Some(decoded.to_owned()).filter(|decoded| !decoded.contains('%'));
            assert_eq!(percent_decode_strict(text), strict);
        }
    }

    #[test]
    fn folders_spell_out_what_file_systems_refuse() {
        assert_eq!(folder_name("css/::part").as_deref(), Some("css/_doublecolon_part"));
        assert_eq!(folder_name("css/:root/data-*").as_deref(), Some("css/_colon_root/data-_star_"));
        assert_eq!(folder_name("css/color"), None);
    }
}

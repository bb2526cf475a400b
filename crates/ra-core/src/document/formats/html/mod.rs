//! Converts HTML to markdown: the main content of a page, without navigation.
//!
//! - `tokens` splits the source into tags and text; `attributes` and `entities` read what is inside of them.
//! - `tree` stores the elements in document order; `tag` lists those that are known.
//! - `main_content` finds the main content and skips the rest, by the names in `known_names`.
//! - `render` turns it into markdown, with `inline` for the text of a paragraph, `table` for tables and `writer` for
//!   the blocks. `names` reads ids, classes and addresses.
//! - `raw_links` finds links in raw HTML of other formats.
//! - `xml` reads the XML files of a book with the same parser.
//!
//! Nothing here recurses, and every pass takes linear time: a page may be hostile.

mod attributes;
mod entities;
mod inline;
mod known_names;
mod main_content;
mod names;
mod raw_links;
mod render;
mod table;
mod tag;
#[cfg(test)]
mod tests;
mod tokens;
mod tree;
mod writer;
mod xml;

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use self::main_content::{Content, PageKind};
pub(in super::super) use self::raw_links::raw_links;
use self::render::Renderer;
use self::tag::Tag;
use self::tree::Tree;
pub(super) use self::xml::Xml;
use super::metadata::Metadata;
use crate::document::Fences;

/// How far from the start of a page its encoding may be declared.
const MAX_CHARSET_OFFSET: usize = 4_096;

/// Converts the bytes of a page to markdown. The error is a reason for people.
pub(super) fn convert(bytes: &[u8]) -> Result<String, String> {
    let source = decode(bytes);
    let is_xml = source.trim_start().starts_with("<?xml");
    let mut tree = Tree::parse(&source, is_xml)?;
    let mut metadata = metadata(&tree);
    let content = Content::find(&mut tree, PageKind::Website);
    let body = Renderer::new(&tree, &content).render()?;
    // The title of a page often has the name of its site after it; its first heading doesn't.
    if has_title(&body) {
        metadata.title.clear();
    }
    Ok(metadata.front_matter() + &body)
}

/// True if a markdown text has a heading of level 1 before any code.
fn has_title(body: &str) -> bool {
    let mut fences = Fences::default();
    body.lines().take_while(|line| !fences.is_code(line)).any(|line| line.starts_with("# "))
}

/// Converts a chapter of a book to markdown without front matter.
pub(super) fn convert_chapter(bytes: &[u8]) -> Result<String, String> {
    let source = decode(bytes);
    let mut tree = Tree::parse(&source, true)?;
    let content = Content::find(&mut tree, PageKind::Chapter);
    Renderer::new(&tree, &content).render()
}

/// Decodes a page: by its byte order mark, else by the encoding that it declares, else as UTF-8.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let declared = || declared_charset(&bytes[..bytes.len().min(MAX_CHARSET_OFFSET)]);
    let encoding = Encoding::for_bom(bytes).map(|(encoding, _)| encoding).or_else(declared);
    encoding.unwrap_or(UTF_8).decode(bytes).0
}

/// Returns the encoding in `<meta charset=…>`, `<meta content='…; charset=…'>` or `<?xml encoding='…'?>`.
fn declared_charset(start: &[u8]) -> Option<&'static Encoding> {
    let start = String::from_utf8_lossy(start).to_ascii_lowercase();
    let label_after = |key: &str| {
        let (_, after) = start.split_once(key)?;
        let label = after.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
        let end = label.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '>' | '/' | '?'));
        Encoding::for_label(&label.as_bytes()[..end.unwrap_or(label.len())])
    };
    let encoding = label_after("charset").or_else(|| label_after("encoding"))?;
    // The declaration is readable as ASCII, so the page isn't UTF-16.
    Some(if encoding.is_ascii_compatible() { encoding } else { UTF_8 })
}

/// Reads the title, description, keywords and language of a page.
fn metadata(tree: &Tree<'_>) -> Metadata {
    /// `<head>` is at the start.
    const MAX_HEAD_NODES: usize = 2_000;
    let mut metadata = Metadata::default();
    for at in 0..tree.nodes.len().min(MAX_HEAD_NODES) {
        match tree.tag(at) {
            Tag::Html => {
                let lang = tree.attribute(at, "lang").or_else(|| tree.attribute(at, "xml:lang"));
                metadata.lang = lang.unwrap_or_default().trim().to_owned();
            }
            Tag::Title if metadata.title.is_empty() => metadata.title = tree.inner_text(at),
            Tag::Meta => read_meta(tree, at, &mut metadata),
            _ => {}
        }
    }
    metadata
}

fn read_meta(tree: &Tree<'_>, at: usize, metadata: &mut Metadata) {
    let name = tree.attribute(at, "name").or_else(|| tree.attribute(at, "property")).unwrap_or_default();
    let value = tree.attribute(at, "content").unwrap_or_default();
    match name.to_ascii_lowercase().as_str() {
        "description" => metadata.description = value.into_owned(),
        "og:description" if metadata.description.is_empty() => metadata.description = value.into_owned(),
        "keywords" => metadata.tags.extend(value.split(',').map(|tag| tag.trim().to_owned())),
        _ => {}
    }
}

/// Returns a text as markdown that shows it as it is.
pub(super) fn escape(text: &str) -> String {
    let mut inline = inline::Inline::default();
    inline.text(text);
    inline.take()
}

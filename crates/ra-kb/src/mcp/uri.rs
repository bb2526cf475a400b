//! The URIs of documents and sections: `ra://tree/path#section`, percent-encoded where a URI requires it.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use ra_core::document::percent_decode_strict as decode;
use ra_core::id::{ChunkId, DocId};

const SCHEME: &str = "ra://";

/// Everything but the characters that are unreserved in every part of a URI.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// The same in a path or fragment, which may contain slashes.
const RESERVED_IN_PATH: &AsciiSet = &RESERVED.remove(b'/');

/// Returns the URI of a document.
pub(super) fn document(doc: &DocId) -> String {
    let path = utf8_percent_encode(&doc.path, RESERVED_IN_PATH);
    format!("{SCHEME}{}/{path}", utf8_percent_encode(doc.tree.as_str(), RESERVED))
}

/// Returns the URI of a section, or of a document if the id has no slug.
pub(super) fn chunk(id: &ChunkId) -> String {
    let document = document(&id.doc);
    match &id.slug {
        Some(slug) => format!("{document}#{}", utf8_percent_encode(slug, RESERVED_IN_PATH)),
        None => document,
    }
}

/// Parses a URI; `None` if it is not one of ours.
pub(super) fn parse(uri: &str) -> Option<ChunkId> {
    let rest = uri.strip_prefix(SCHEME)?;
    let (rest, slug) = match rest.split_once('#') {
        Some((rest, slug)) => (rest, Some(decode(slug)?)),
        None => (rest, None),
    };
    let (tree, path) = rest.split_once('/')?;
    let path = decode(path)?;
    if path.is_empty() {
        return None;
    }
    let doc = DocId::new(decode(tree)?.parse().ok()?, path);
    Some(ChunkId { doc, slug: slug.filter(|slug| !slug.is_empty()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_back_to_what_they_were_made_from() {
        for (id, uri) in [
            ("docs:guide.md", "ra://docs/guide.md"),
            ("docs:a/b c.md#two-words", "ra://docs/a/b%20c.md#two-words"),
            ("docs:100%.md", "ra://docs/100%25.md"),
            ("büro:größe.md#größe", "ra://b%C3%BCro/gr%C3%B6%C3%9Fe.md#gr%C3%B6%C3%9Fe"),
        ] {
            let parsed: ChunkId = id.parse().expect("an id");
            assert_eq!(chunk(&parsed), uri);
            assert_eq!(parse(uri), Some(parsed));
        }
        let odd = DocId::new("docs".parse().expect("a name"), "what?#.md");
        assert_eq!(document(&odd), "ra://docs/what%3F%23.md");
        assert_eq!(parse("ra://docs/what%3F%23.md"), Some(ChunkId { doc: odd, slug: None }));
    }

    #[test]
    fn what_is_not_an_address_names_nothing() {
        for uri in
            ["", "ra:", "ra://", "ra://docs", "ra://docs/", "ra:///x", "file:///etc/passwd", "ra://docs/%"]
        {
            assert_eq!(parse(uri), None, "{uri}");
        }
        for uri in ["ra://docs/%zz", "ra://docs/%ff", "ra://a:b/c", "http://docs/guide.md"] {
            assert_eq!(parse(uri), None, "{uri}");
        }
    }
}

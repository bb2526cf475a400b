//! The URIs of documents and sections: `ra://tree/path#section`, percent-encoded where a URI requires it.

use ra_core::id::{ChunkId, DocId};

const SCHEME: &str = "ra://";

/// Returns the URI of a document.
pub(super) fn document(doc: &DocId) -> String {
    format!("{SCHEME}{}/{}", encode(doc.tree.as_str(), ""), encode(&doc.path, "/"))
}

/// Returns the URI of a section, or of a document if the id has no slug.
pub(super) fn chunk(id: &ChunkId) -> String {
    let section = id.slug.as_deref().map(|slug| format!("#{}", encode(slug, "/"))).unwrap_or_default();
    document(&id.doc) + &section
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

/// Percent-encodes all bytes except those that are unreserved in every part of a URI, and those in `keep`.
fn encode(text: &str, keep: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        let c = char::from(byte);
        if c.is_ascii_alphanumeric() || "-._~".contains(c) || keep.contains(c) {
            out.push(c);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Undoes [`encode`]; `None` if the result is not UTF-8.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            let digits = std::str::from_utf8(&digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
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

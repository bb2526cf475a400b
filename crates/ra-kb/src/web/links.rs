//! Addresses of pages.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use ra_core::id::{ChunkId, DocId};

/// What a heading's id on a page begins with, so it can't be that of another element.
pub(super) const ANCHOR: &str = "s-";

/// Everything in one part of a path that could have another meaning.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
/// The same in a whole path.
const RESERVED_IN_PATH: &AsciiSet = &RESERVED.remove(b'/');

/// Returns the address of a document or section.
pub(super) fn read_url(id: &ChunkId) -> String {
    let page = document_url("read", &id.doc);
    match &id.slug {
        Some(slug) => format!("{page}#{ANCHOR}{}", utf8_percent_encode(slug, RESERVED)),
        None => page,
    }
}

/// Returns the address of a page about a document.
pub(super) fn document_url(page: &str, doc: &DocId) -> String {
    path_url(page, doc.tree.as_str(), &doc.path)
}

/// Returns the address of a page about a path in a tree.
pub(super) fn path_url(page: &str, tree: &str, path: &str) -> String {
    let path = utf8_percent_encode(path, RESERVED_IN_PATH);
    format!("/{page}/{}/{path}", utf8_percent_encode(tree, RESERVED))
}

/// Returns the address of a page about an id as text.
pub(super) fn id_url(id: &str) -> String {
    match id.parse::<ChunkId>() {
        Ok(id) => read_url(&id),
        Err(_) => format!("/open?{}", query(&[("id", id)])),
    }
}

/// Encodes a path, but not its slashes and the colon of a drive.
pub(super) fn encoded_path(path: &str) -> String {
    const RESERVED_IN_FILE: &AsciiSet = &RESERVED_IN_PATH.remove(b':');
    utf8_percent_encode(path, RESERVED_IN_FILE).to_string()
}

/// Encodes parameters of an address.
pub(super) fn query<V: AsRef<str>>(pairs: &[(&str, V)]) -> String {
    let mut text = form_urlencoded::Serializer::new(String::new());
    for (name, value) in pairs {
        text.append_pair(name, value.as_ref());
    }
    text.finish()
}

/// Decodes the parameters of an address.
pub(super) fn parameters(query: Option<&str>) -> Vec<(String, String)> {
    form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect()
}

/// Returns the value of a parameter, or an empty text.
pub(super) fn parameter(all: &[(String, String)], name: &str) -> String {
    all.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_encoded() {
        for (id, url) in [
            ("docs:guide.md", "/read/docs/guide.md"),
            ("docs:a b/ü?.md#set-up", "/read/docs/a%20b/%C3%BC%3F.md#s-set-up"),
            ("docs:\"><script>.md", "/read/docs/%22%3E%3Cscript%3E.md"),
        ] {
            assert_eq!(id_url(id), url);
        }
        assert_eq!(query(&[("q", "a&b"), ("tag", "ü")]), "q=a%26b&tag=%C3%BC");
        assert_eq!(parameter(&parameters(Some("q=a%26b&tag=x+y")), "tag"), "x y");
    }
}

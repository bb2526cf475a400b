//! Where links of documents lead on these pages.

use ra_core::document::percent_decode;
use ra_core::id::DocId;

use super::links::{ANCHOR, path_url};

/// Returns where a link of a document leads; `None` if it may not be followed.
pub(super) fn target(doc: &DocId, link: &str) -> Option<String> {
    if is_remote(link) || link.to_ascii_lowercase().starts_with("mailto:") {
        return Some(link.to_owned());
    }
    let fragment = link.split_once('#').map(|(_, fragment)| fragment);
    let anchor = fragment.map(|fragment| format!("#{ANCHOR}{fragment}")).unwrap_or_default();
    if link.split(['#', '?']).next().unwrap_or_default().is_empty() {
        return fragment.map(|_| anchor);
    }
    Some(path_url("read", doc.tree.as_str(), &path_in_tree(doc, link)?) + &anchor)
}

/// Returns the path below the root of the document's tree that a link names; `None` if it names another site or leads
/// out of the tree.
pub(super) fn path_in_tree(doc: &DocId, link: &str) -> Option<String> {
    let path = link.split(['#', '?']).next().unwrap_or_default();
    let has_scheme = path.split('/').next().is_some_and(|first| first.contains(':'));
    if path.is_empty() || has_scheme || path.starts_with("//") || path.contains('\\') {
        return None;
    }
    let decoded = percent_decode(path);
    let mut parts: Vec<&str> = match decoded.starts_with('/') {
        true => Vec::new(),
        false => doc.path.rsplit_once('/').map(|(folder, _)| folder.split('/').collect()).unwrap_or_default(),
    };
    for part in decoded.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// True if a link leads to another site.
pub(super) fn is_remote(url: &str) -> bool {
    let lower = url.get(..8).unwrap_or(url).to_ascii_lowercase();
    lower.starts_with("http://") || lower.starts_with("https://")
}

/// Returns the site of an address, such as `https://example.org`, if a content security policy can name it.
pub(super) fn origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let authority = rest.split(['/', '?', '#', '\\']).next()?.to_ascii_lowercase();
    let (host, port) = authority.split_once(':').unwrap_or((&authority, "0"));
    let is_host = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
    let is_usable = matches!(scheme.as_str(), "http" | "https") && !host.is_empty() && is_host;
    (is_usable && port.parse::<u16>().is_ok()).then(|| format!("{scheme}://{authority}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc() -> DocId {
        "docs:guide/setup.md".parse::<ra_core::id::ChunkId>().expect("an id").doc
    }

    #[test]
    fn links_lead_to_pages() {
        for (link, expected) in [
            ("other.md", Some("/read/docs/guide/other.md")),
            ("./other.md#a-b", Some("/read/docs/guide/other.md#s-a-b")),
            ("../top.md", Some("/read/docs/top.md")),
            ("/top.md?raw=1", Some("/read/docs/top.md")),
            ("a%20b.md", Some("/read/docs/guide/a%20b.md")),
            ("c++.md", Some("/read/docs/guide/c%2B%2B.md")),
            ("../../../etc/passwd", None),
            ("%2e%2e/%2e%2e/etc/passwd", None),
            ("..%2f..%2fetc/passwd", None),
            ("#here", Some("#s-here")),
            ("https://x.example/y", Some("https://x.example/y")),
            ("vscode://file/x", None),
            ("javascript:x", None),
            ("?x", None),
            ("", None),
        ] {
            assert_eq!(target(&doc(), link).as_deref(), expected, "{link}");
        }
    }

    #[test]
    fn only_plain_sites_can_be_named_in_a_policy() {
        for (url, expected) in [
            ("https://Example.org/a.png", Some("https://example.org")),
            ("http://localhost:8080?x", Some("http://localhost:8080")),
            ("https://a.example; script-src *", None),
            ("https://a.example'/", None),
            ("https://user@a.example/", None),
            ("https://*/x", None),
            ("https:///x", None),
            ("https://a.example:x/", None),
            ("ftp://a.example/", None),
            ("//a.example/", None),
        ] {
            assert_eq!(origin(url).as_deref(), expected, "{url}");
        }
    }
}

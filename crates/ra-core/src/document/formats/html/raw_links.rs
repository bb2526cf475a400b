//! The links and images of raw HTML in a text of another format, such as markdown.

use super::super::super::LinkKind;
use super::attributes::Attributes;
use super::entities::decode;
use super::tag::Tag;
use super::tokens::{HtmlToken, Tokens};

/// The maximum length of the text of a link. A link without an end has no more.
const MAX_LINK_TEXT_BYTES: usize = 1_000;

/// A link or an image.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super::super) struct RawLink {
    pub(in super::super::super) kind: LinkKind,
    pub(in super::super::super) target: String,
    /// The text, without tags; for an image, its alternative text.
    pub(in super::super::super) text: String,
    /// The range of bytes from its tag to the end of its text.
    pub(in super::super::super) start: usize,
    pub(in super::super::super) end: usize,
}

/// Returns the links and images of `source` whose tags begin before byte `until`, in order.
pub(in super::super::super) fn raw_links(source: &str, until: usize) -> Vec<RawLink> {
    let mut links: Vec<RawLink> = Vec::new();
    // The first tag decides at once for most inline HTML.
    let name = source.get(1..2).unwrap_or_default();
    if until < source.len() && !name.eq_ignore_ascii_case("a") && !name.eq_ignore_ascii_case("i") {
        return links;
    }
    // The link whose text is being read.
    let mut open: Option<usize> = None;
    for token in Tokens::new(source) {
        let (start, link) = match token {
            HtmlToken::Start { tag, start, end, .. } => (start - 1, link_of(source, tag, start - 1..end + 1)),
            HtmlToken::End { tag: Tag::A, start, .. } => {
                open = None;
                (start, None)
            }
            HtmlToken::End { start, .. } => (start, None),
            HtmlToken::Text { start, end, is_raw } => {
                if let Some(link) = open.and_then(|at| links.get_mut(at)) {
                    let text = &source[start..end];
                    link.text.push_str(&if is_raw { text.into() } else { decode(text) });
                    link.end = end;
                    if link.text.len() > MAX_LINK_TEXT_BYTES {
                        link.text.truncate(link.text.floor_char_boundary(MAX_LINK_TEXT_BYTES));
                        open = None;
                    }
                }
                (start, None)
            }
        };
        if start >= until && (open.is_none() || link.is_some()) {
            break;
        }
        let Some(link) = link else { continue };
        if link.kind == LinkKind::Image {
            // The text of an image is also that of the link around it.
            if let Some(around) = open.and_then(|at| links.get_mut(at)) {
                around.text.push_str(&link.text);
            }
        } else {
            open = Some(links.len());
        }
        links.push(link);
    }
    links
}

/// Returns the link or image that a start tag begins. Code in place of an address, as in JSX, isn't one.
fn link_of(source: &str, tag: Tag, range: std::ops::Range<usize>) -> Option<RawLink> {
    let (kind, key) = match tag {
        Tag::A => (LinkKind::Markdown, "href"),
        Tag::Img => (LinkKind::Image, "src"),
        _ => return None,
    };
    let inside = &source[..range.end];
    let name_end = range.start + 1 + if tag == Tag::A { "a".len() } else { "img".len() };
    let attribute = |name: &str| Attributes::new(inside, name_end).find(name).map(|value| decode(value));
    let target = attribute(key)?.trim().to_owned();
    let text = if kind == LinkKind::Image { attribute("alt").unwrap_or_default() } else { "".into() };
    let is_address = !target.is_empty() && !target.starts_with('{');
    is_address.then(|| RawLink { kind, target, text: text.into_owned(), start: range.start, end: range.end })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str, until: usize) -> Vec<(LinkKind, String, String)> {
        raw_links(source, until).into_iter().map(|link| (link.kind, link.target, link.text)).collect()
    }

    #[test]
    fn links_have_their_text_and_images_their_alternative_text() {
        use LinkKind::{Image, Markdown};
        for (source, expected) in [
            ("<a href=\"x.md\">A &amp; <b>b</b></a> c", vec![(Markdown, "x.md", "A & b")]),
            ("<IMG alt='A kite' SRC=k.png>", vec![(Image, "k.png", "A kite")]),
            ("<a href=x><img src=y alt=z></a>", vec![(Markdown, "x", "z"), (Image, "y", "z")]),
            ("<a name=x>y</a><a href={to}>z</a><a href=''>w</a><abbr href=v>", vec![]),
            ("<!-- <a href=x>y</a> --><a href=z>never closed", vec![(Markdown, "z", "never closed")]),
            ("<a href=x", vec![]),
        ] {
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(kind, target, text): (_, &str, &str)| (kind, target.to_owned(), text.to_owned()))
                .collect();
            assert_eq!(found(source, source.len()), expected, "{source}");
        }
        assert_eq!(found("<a href=x>y</a><a href=z>w</a>", 1).len(), 1);
        assert_eq!(raw_links(&format!("<a href=x>{}", "é".repeat(2_000)), 1)[0].text.len(), 1_000);
    }
}

//! Splits sanitized HTML into tags and text.
//!
//! The input is what the sanitizer writes: every `<` begins a tag, every value is in double quotes, and quotes in
//! values are escaped.

/// A part of sanitized HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HtmlPart<'a> {
    Text(&'a str),
    Start(StartTag<'a>),
    /// An end tag, with its name.
    End(&'a str),
}

/// A start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StartTag<'a> {
    pub(super) name: &'a str,
    attributes: &'a str,
    /// The whole tag, with its angle brackets.
    pub(super) source: &'a str,
}

impl StartTag<'_> {
    /// Returns the value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let mut rest = self.attributes;
        while let Some((key, after)) = rest.split_once("=\"") {
            let (value, after) = after.split_once('"')?;
            if key.trim().rsplit(' ').next() == Some(name) {
                return Some(unescaped(value));
            }
            rest = after;
        }
        None
    }
}

/// Returns the parts of sanitized HTML. Together they are the whole of it.
pub(super) fn parts(html: &str) -> impl Iterator<Item = HtmlPart<'_>> {
    let mut rest = html;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = if rest.starts_with('<') { tag_end(rest) } else { rest.find('<').unwrap_or(rest.len()) };
        let (part, after) = rest.split_at(end);
        rest = after;
        let Some(inner) = part.strip_prefix('<').map(|part| part.trim_end_matches('>')) else {
            return Some(HtmlPart::Text(part));
        };
        if let Some(name) = inner.strip_prefix('/') {
            return Some(HtmlPart::End(name.trim()));
        }
        let name_end = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
        let (name, attributes) = inner.split_at(name_end);
        Some(HtmlPart::Start(StartTag { name, attributes, source: part }))
    })
}

/// Returns where the tag at the start of a text ends. Inside quotes, `>` doesn't end it.
fn tag_end(text: &str) -> usize {
    let mut in_quotes = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => in_quotes = !in_quotes,
            b'>' if !in_quotes => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Decodes what the sanitizer escapes in a value.
fn unescaped(value: &str) -> String {
    let mut text = value.to_owned();
    for (name, c) in [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u{a0}"), ("&amp;", "&")] {
        text = text.replace(name, c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_told_from_text_and_values() {
        let html = "a &lt;b <img src=\"x?a=1&amp;b=&quot;\" title=\"<h1 id=\"> c</p>";
        let found: Vec<HtmlPart<'_>> = parts(html).collect();
        let HtmlPart::Start(image) = found[1] else { panic!("{found:?}") };
        assert_eq!(image.name, "img");
        assert_eq!(image.attribute("src").as_deref(), Some("x?a=1&b=\""));
        assert_eq!(image.attribute("title").as_deref(), Some("<h1 id="));
        assert_eq!(image.attribute("alt"), None);
        assert_eq!((found[0], found[2]), (HtmlPart::Text("a &lt;b "), HtmlPart::Text(" c")));
        assert_eq!(found[3], HtmlPart::End("p"));
        for html in ["", "<", "<a", "<a b=\"", "</", "<>", "x<y"] {
            parts(html).for_each(drop);
        }
    }
}

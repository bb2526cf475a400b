//! Splits the source of a page into tags and text.

use memchr::memmem;

use super::attributes::{Attributes, is_space};
use super::tag::Tag;

/// A part of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HtmlToken {
    /// Text, as a range of bytes. `is_raw` if `&` isn't special in it.
    Text { start: usize, end: usize, is_raw: bool },
    /// A start tag: its name and attributes, as a range of bytes.
    Start { tag: Tag, start: usize, end: usize, is_self_closing: bool },
    /// An end tag: its name, as a range of bytes.
    End { tag: Tag, start: usize, end: usize },
}

/// Iterates over the tokens of a page. Comments, declarations and the content of scripts are left out.
pub(super) struct Tokens<'a> {
    source: &'a str,
    at: usize,
    /// The element whose content is only text, if the last token was its start tag.
    raw_element: Option<Tag>,
    /// Elements of that type that are never closed from here on, so the search for their end isn't repeated.
    unclosed: Vec<Tag>,
}

impl<'a> Tokens<'a> {
    /// Creates an iterator over `source`.
    pub(super) fn new(source: &'a str) -> Self {
        Self { source, at: 0, raw_element: None, unclosed: Vec::new() }
    }

    fn rest(&self) -> &'a [u8] {
        &self.source.as_bytes()[self.at..]
    }

    /// Moves behind the next `end`, or to the end of the source.
    fn skip_past(&mut self, end: &[u8]) {
        let found = memmem::find(self.rest(), end);
        self.at = found.map_or(self.source.len(), |found| self.at + found + end.len());
    }

    /// Reads text up to the next tag. The first byte is text even if it is `<`.
    fn text(&mut self) -> HtmlToken {
        let start = self.at;
        let mut from = start + 1;
        let bytes = self.source.as_bytes();
        let end = loop {
            match memchr::memchr(b'<', bytes.get(from..).unwrap_or_default()) {
                None => break bytes.len(),
                Some(found) if begins_markup(&bytes[from + found..]) => break from + found,
                Some(found) => from += found + 1,
            }
        };
        self.at = end;
        HtmlToken::Text { start, end, is_raw: false }
    }

    /// Reads a start or end tag; `None` if the source ends inside it.
    fn tag(&mut self) -> Option<HtmlToken> {
        let is_end = self.rest().get(1) == Some(&b'/');
        let start = self.at + if is_end { 2 } else { 1 };
        let bytes = &self.source.as_bytes()[start..];
        let is_name_end = |byte: &u8| is_space(*byte) || matches!(byte, b'/' | b'>');
        let name_end = start + bytes.iter().position(is_name_end).unwrap_or(bytes.len());
        let tag = Tag::of(&self.source.as_bytes()[start..name_end]);
        let Some(end) = Attributes::new(self.source, name_end).find_tag_end() else {
            self.at = self.source.len();
            return None;
        };
        self.at = end + 1;
        if is_end {
            return Some(HtmlToken::End { tag, start, end: name_end });
        }
        let is_self_closing = end > name_end.max(1) - 1 && self.source.as_bytes()[end - 1] == b'/';
        if !is_self_closing && has_raw_content(tag) {
            self.raw_element = Some(tag);
        }
        Some(HtmlToken::Start { tag, start, end, is_self_closing })
    }

    /// Skips a comment, a declaration or a processing instruction; returns the text of a CDATA section.
    fn declaration(&mut self) -> Option<HtmlToken> {
        let rest = self.rest();
        if rest.starts_with(b"<![CDATA[") {
            let start = self.at + b"<![CDATA[".len();
            self.at = start;
            self.skip_past(b"]]>");
            let is_closed = self.source[start..self.at].ends_with("]]>");
            return Some(HtmlToken::Text {
                start,
                end: self.at - if is_closed { 3 } else { 0 },
                is_raw: true,
            });
        }
        if rest.starts_with(b"<!-->") || rest.starts_with(b"<!--->") {
            self.skip_past(b">");
        } else if rest.starts_with(b"<!--") {
            self.at += b"<!--".len();
            self.skip_past(b"-->");
        } else {
            self.skip_past(b">");
        }
        None
    }

    /// Reads the content of an element that has no markup inside, up to its end tag.
    fn raw_content(&mut self, tag: Tag) -> HtmlToken {
        let start = self.at;
        let end = self.find_end_tag(tag).unwrap_or(match tag {
            // An unclosed title must not swallow the page.
            Tag::Title | Tag::Textarea => {
                memchr::memchr(b'<', self.rest()).map_or(self.source.len(), |at| start + at)
            }
            _ => self.source.len(),
        });
        self.at = end;
        let has_references = matches!(tag, Tag::Title | Tag::Textarea);
        HtmlToken::Text { start, end, is_raw: !has_references }
    }

    /// Returns the position of the next end tag for `tag`.
    fn find_end_tag(&mut self, tag: Tag) -> Option<usize> {
        if tag == Tag::Plaintext || self.unclosed.contains(&tag) {
            return None;
        }
        let bytes = self.source.as_bytes();
        let is_end = |&at: &usize| {
            let name = &bytes[at + 2..];
            let length = name.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(name.len());
            Tag::of(&name[..length]) == tag
        };
        let found = memmem::find_iter(self.rest(), b"</").map(|found| self.at + found).find(is_end);
        if found.is_none() {
            self.unclosed.push(tag);
        }
        found
    }
}

impl Iterator for Tokens<'_> {
    type Item = HtmlToken;

    fn next(&mut self) -> Option<HtmlToken> {
        if let Some(tag) = self.raw_element.take() {
            return Some(self.raw_content(tag));
        }
        while self.at < self.source.len() {
            let rest = self.rest();
            let token = match (begins_markup(rest), rest.get(1)) {
                (false, _) => Some(self.text()),
                (true, Some(b'/')) if !rest.get(2).is_some_and(u8::is_ascii_alphabetic) => {
                    self.skip_past(b">");
                    None
                }
                (true, Some(b'!' | b'?')) => self.declaration(),
                (true, _) => self.tag(),
            };
            if token.is_some() {
                return token;
            }
        }
        None
    }
}

/// True if the source, which begins with any byte, begins with a tag, a comment or a declaration.
fn begins_markup(source: &[u8]) -> bool {
    source.first() == Some(&b'<')
        && source.get(1).is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?'))
}

/// True if everything up to the end tag is text.
fn has_raw_content(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Script | Style | Xmp | Iframe | Noembed | Noframes | Title | Textarea | Plaintext)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renders the tokens as strings.
    fn tokens(source: &str) -> Vec<String> {
        let render = |token: HtmlToken| match token {
            HtmlToken::Text { start, end, is_raw: false } => source[start..end].to_owned(),
            HtmlToken::Text { start, end, .. } => format!("raw {}", &source[start..end]),
            HtmlToken::Start { start, end, is_self_closing, .. } => {
                format!("<{}{}>", &source[start..end], if is_self_closing { " self-closing" } else { "" })
            }
            HtmlToken::End { start, end, .. } => format!("</{}>", &source[start..end]),
        };
        Tokens::new(source).map(render).collect()
    }

    #[test]
    fn a_page_is_split_into_tags_and_text() {
        for (source, expected) in [
            ("a<b c='>'>d</b >e", &["a", "<b c='>'>", "d", "</b>", "e"][..]),
            ("1 < 2 <3 <", &["1 < 2 <3 <"]),
            ("<br/><a b=c/>", &["<br/ self-closing>", "<a b=c/ self-closing>"]),
            ("a<!-- <b> -->b<!-->c<!doctype html>d<?php x ?>e</ x>f", &["a", "b", "c", "d", "e", "f"]),
            ("<![CDATA[a<b&amp;]]>c", &["raw a<b&amp;", "c"]),
            ("<script>a<b</SCRIPT>c", &["<script>", "raw a<b", "</SCRIPT>", "c"]),
            ("<script>a</scriptx>b", &["<script>", "raw a</scriptx>b"]),
            ("<title>a &amp; <b>", &["<title>", "a &amp; ", "<b>"]),
            ("<style>never closed", &["<style>", "raw never closed"]),
            ("a<b c='", &["a"]),
            ("a<!-- never closed", &["a"]),
            ("a<![CDATA[b", &["a", "raw b"]),
        ] {
            assert_eq!(tokens(source), expected, "{source}");
        }
    }
}

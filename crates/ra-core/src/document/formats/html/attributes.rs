//! Reads the attributes of a tag from its source.

/// How many attributes of a tag are looked at. The tags of real pages have far fewer.
const MAX_ATTRIBUTES: usize = 64;

/// A cursor over the attributes of a tag. It stops at the `>` that ends the tag, or at the end of the source.
pub(super) struct Attributes<'a> {
    source: &'a str,
    at: usize,
}

impl<'a> Attributes<'a> {
    /// Creates a cursor at byte `at`, after the name of a tag.
    pub(super) fn new(source: &'a str, at: usize) -> Self {
        Self { source, at }
    }

    /// Moves to the `>` that ends the tag and returns its position; `None` if the source ends first.
    pub(super) fn find_tag_end(mut self) -> Option<usize> {
        while self.next().is_some() {}
        (self.at < self.source.len()).then_some(self.at)
    }

    /// Returns the value of the attribute called `name`, with its references.
    pub(super) fn find(self, name: &str) -> Option<&'a str> {
        self.take(MAX_ATTRIBUTES).find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    fn byte(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    /// Moves to the first byte that `is_end` accepts, and returns the source up to it.
    fn take_until(&mut self, is_end: impl Fn(u8) -> bool) -> &'a str {
        let rest = &self.source[self.at..];
        let taken = &rest[..rest.bytes().position(is_end).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn value(&mut self) -> &'a str {
        self.take_until(|byte| !is_space(byte));
        let Some(quote @ (b'"' | b'\'')) = self.byte() else {
            return self.take_until(|byte| is_space(byte) || byte == b'>');
        };
        self.at += 1;
        let rest = &self.source[self.at..];
        let end = memchr::memchr(quote, rest.as_bytes()).unwrap_or(rest.len());
        self.at = (self.at + end + 1).min(self.source.len());
        &rest[..end]
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        self.take_until(|byte| !is_space(byte) && byte != b'/');
        if self.byte().is_none_or(|byte| byte == b'>') {
            return None;
        }
        let start = self.at;
        // The first character is part of the name, even if it is `=`.
        self.at = self.source.ceil_char_boundary(start + 1);
        self.take_until(|byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='));
        let name = &self.source[start..self.at];
        self.take_until(|byte| !is_space(byte));
        if self.byte() != Some(b'=') {
            return Some((name, ""));
        }
        self.at += 1;
        Some((name, self.value()))
    }
}

/// True for the white space of HTML.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_in_every_notation() {
        for (source, expected, is_closed) in [
            (" a=1 b = '2' c=\"3 > 2\" d>x", vec![("a", "1"), ("b", "2"), ("c", "3 > 2"), ("d", "")], true),
            ("/>", vec![], true),
            (" href=a/b/>", vec![("href", "a/b/")], true),
            (" title=it's>", vec![("title", "it's")], true),
            (" =x é=y>", vec![("=x", ""), ("é", "y")], true),
            (" a='never closed > ", vec![("a", "never closed > ")], false),
            (" a=", vec![("a", "")], false),
            ("", vec![], false),
        ] {
            assert_eq!(Attributes::new(source, 0).collect::<Vec<_>>(), expected, "{source}");
            let end = source.rfind('>').filter(|_| is_closed);
            assert_eq!(Attributes::new(source, 0).find_tag_end(), end, "{source}");
        }
        assert_eq!(Attributes::new(" ID=x id=y", 0).find("id"), Some("x"));
    }
}

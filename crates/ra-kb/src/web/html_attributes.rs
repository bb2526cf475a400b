//! Counts the attributes of HTML tags.

/// Returns how many attributes a tag has, at most.
///
/// Where tags begin depends on the elements around them. This takes each `<` before a name for one, so it can find more
/// attributes than the parser does, such as in a comment, but never fewer.
pub(super) fn most_attributes(html: &str) -> usize {
    let (mut tags, mut most) = (OpenTags::default(), None);
    let mut before = [0, 0];
    for byte in html.bytes() {
        // A name begins after `<` or `</`.
        let begins = byte.is_ascii_alphabetic() && matches!(before, [_, b'<'] | [b'<', b'/']);
        if begins || tags != OpenTags::default() {
            tags = tags.after(byte);
            most = most.max(tags.in_name);
        }
        if begins {
            tags.in_tag_name = Some(0);
        }
        let [_, last] = before;
        before = [last, byte];
    }
    most.unwrap_or(0)
}

/// The most attributes of a tag that would be in one of the tokenizer's states here; `None` if no tag would be.
#[derive(Clone, Copy, Default, PartialEq)]
struct OpenTags {
    in_tag_name: Option<usize>,
    between: Option<usize>,
    in_name: Option<usize>,
    before_value: Option<usize>,
    in_unquoted: Option<usize>,
    in_double_quotes: Option<usize>,
    in_single_quotes: Option<usize>,
}

impl OpenTags {
    fn after(self, byte: u8) -> Self {
        let in_quotes = Self {
            in_double_quotes: self.in_double_quotes,
            in_single_quotes: self.in_single_quotes,
            ..Self::default()
        };
        let names = self.in_tag_name.max(self.between).max(self.in_name);
        let new_name = self.between.map(|count| count + 1);
        let in_unquoted = self.in_unquoted.max(self.before_value);
        match byte {
            b'>' => in_quotes,
            b'/' => Self { between: names, in_unquoted, ..in_quotes },
            _ if byte.is_ascii_whitespace() => {
                Self { between: names.max(self.in_unquoted), before_value: self.before_value, ..in_quotes }
            }
            // After a name and white space this begins a value, otherwise a name.
            b'=' => Self {
                in_tag_name: self.in_tag_name,
                in_name: new_name,
                before_value: self.in_name.max(self.between),
                in_unquoted,
                ..in_quotes
            },
            b'"' => Self {
                between: self.in_double_quotes,
                in_double_quotes: self.before_value,
                ..self.in_text(self.in_unquoted)
            },
            b'\'' => Self {
                between: self.in_single_quotes,
                in_single_quotes: self.before_value,
                ..self.in_text(self.in_unquoted)
            },
            _ => self.in_text(in_unquoted),
        }
    }

    /// Returns the states after a character that is part of a name or a value.
    fn in_text(self, in_unquoted: Option<usize>) -> Self {
        let new_name = self.between.map(|count| count + 1);
        Self { between: None, in_name: self.in_name.max(new_name), before_value: None, in_unquoted, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_counted_as_the_tokenizer_does() {
        for (html, most) in [
            ("", 0),
            ("a < b c d", 0),
            ("<a>b c d", 0),
            ("<a b c=d>e f g", 2),
            ("<a b><c d e f><g h>", 3),
            ("<a/b/c d/>", 3),
            ("<a b=\"c d e\" f='g h \" i'>", 2),
            ("<a b=\">\" c='>' d>", 3),
            ("<a b=\"c\"d='e'f>", 3),
            ("<a b=c/d/e f>", 2),
            ("<a b=\n\"c d\">", 1),
            ("<a b==\"c d>", 2),
            ("<a=\"/b/c/d>", 3),
            ("<a =b =c>", 2),
            ("<a \" ' b>", 3),
            ("<img src=\"data:a/b/c/d\">", 1),
            ("</a b c>", 2),
            ("</a= b/c>", 2),
            // The parser sees one attribute here.
            ("<a title=\"<b c d e>\">", 3),
        ] {
            assert_eq!(most_attributes(html), most, "{html}");
        }
    }
}

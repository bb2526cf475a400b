//! Splits program text into regions, by the rules of the language.
//!
//! The scanner works on bytes. That is safe because all openers and closers are ASCII, and it is linear because each
//! rule either advances past the bytes it read or reads no further than a fixed distance.

use super::region::Tiles;
use super::syntax::{Body, CommentSyntax, Guard, Rule};
use super::{Language, RegionKind};

/// The maximum length of a character between quotes: `'\u{10FFFF}'`.
const MAX_CHARACTER: usize = 12;
/// The maximum length of a raw string delimiter in the C++ standard.
const MAX_CPP_DELIMITER: usize = 16;

/// Splits the text from the end of the tiles to `end`, which is all in one language.
pub(super) fn scan(text: &str, end: usize, language: Language, tiles: &mut Tiles<'_>) {
    let syntax = language.syntax();
    let mut may_open = [false; 256];
    for rule in syntax.rules {
        may_open[usize::from(rule.open.as_bytes()[0])] = true;
    }
    let bytes = &text.as_bytes()[..end.min(text.len())];
    let scanner = Scanner { bytes, at: tiles.end(), begin: tiles.end(), syntax, language, tiles };
    scanner.run(&may_open);
}

struct Scanner<'a, 'b> {
    bytes: &'a [u8],
    at: usize,
    /// Where this text begins; anything before it isn't part of it.
    begin: usize,
    syntax: &'static CommentSyntax,
    language: Language,
    tiles: &'a mut Tiles<'b>,
}

impl<'a> Scanner<'a, '_> {
    fn run(mut self, may_open: &[bool; 256]) {
        let mut heredoc: Option<&[u8]> = None;
        // A here document without an end isn't one; the search for the end fails only once.
        let mut opener = self.syntax.heredoc;
        while let Some(&byte) = self.bytes.get(self.at) {
            if may_open[usize::from(byte)]
                && let Some((end, kind)) = self.matched()
            {
                self.tiles.push_in(self.language, self.at, RegionKind::Code);
                self.tiles.push_in(self.language, end, kind);
                self.at = end;
                continue;
            }
            if byte == b'<' && heredoc.is_none() {
                heredoc = opener.and_then(|opener| self.heredoc_tag(opener));
            }
            self.at += 1;
            if byte == b'\n'
                && let Some(tag) = heredoc.take()
            {
                match self.heredoc_end(tag) {
                    Some(end) => {
                        self.tiles.push_in(self.language, self.at, RegionKind::Code);
                        self.tiles.push_in(self.language, end, RegionKind::StringLiteral);
                        self.at = end;
                    }
                    None => opener = None,
                }
            }
        }
        self.tiles.push_in(self.language, self.bytes.len(), RegionKind::Code);
    }

    /// Returns the end and kind of the comment or string that begins here.
    fn matched(&self) -> Option<(usize, RegionKind)> {
        self.syntax.rules.iter().find_map(|rule| {
            let opens = self.bytes[self.at..].starts_with(rule.open.as_bytes());
            let end = if opens && self.allows(rule) { self.end_of(rule)? } else { return None };
            Some((end, rule.kind))
        })
    }

    fn before(&self) -> Option<u8> {
        (self.at > self.begin).then(|| self.bytes[self.at - 1])
    }

    fn allows(&self, rule: &Rule) -> bool {
        let before = self.before();
        match rule.guard {
            Guard::None => true,
            Guard::LineStart => before.is_none_or(|byte| byte == b'\n'),
            Guard::WordStart => {
                before.is_none_or(|byte| byte.is_ascii_whitespace() || b";(`".contains(&byte))
            }
            Guard::NotInWord => before.is_none_or(|byte| !is_word(byte)),
            Guard::Statement => self.begins_statement(),
            Guard::DocAttribute => self.follows_doc_attribute(),
            Guard::NotOperator => {
                let after = self.bytes.get(self.at + rule.open.len());
                after.is_none_or(|byte| !b"!#$%&*+./<=>?@\\^|~:".contains(byte))
            }
        }
    }

    /// True at the start of a line, possibly after a string prefix, if no expression is open.
    fn begins_statement(&self) -> bool {
        let line = &self.bytes[self.begin..self.at];
        let line = line.trim_suffix_while(|byte| b"rRuUbBfF".contains(&byte));
        let code = line.trim_suffix_while(|byte| byte.is_ascii_whitespace());
        let on_own_line = code.is_empty() || line[code.len()..].contains(&b'\n');
        on_own_line && code.last().is_none_or(|byte| !b"([{,=+%\\".contains(byte))
    }

    /// True after `@doc`, `@moduledoc ~S` and the like.
    fn follows_doc_attribute(&self) -> bool {
        let code = &self.bytes[self.begin..self.at];
        let code = code.strip_suffix(b"~S").or(code.strip_suffix(b"~s")).unwrap_or(code);
        code.trim_suffix_while(|byte| byte == b' ').ends_with(b"doc")
    }

    fn end_of(&self, rule: &Rule) -> Option<usize> {
        let body = self.at + rule.open.len();
        match rule.body {
            Body::Line => Some(self.line_end(body)),
            Body::Block(close, inner) => Some(self.block_end(body, close, inner)),
            Body::Short(close) => Some(self.quoted_end(body, close, Until::Line)),
            Body::Long(close) => Some(self.quoted_end(body, close, Until::Text)),
            Body::Raw(close) => Some(self.block_end(body, close, None)),
            Body::Character => self.character_end(),
            Body::RustRaw => self.rust_raw_end(),
            Body::CppRaw => self.cpp_raw_end(),
            Body::Escape => Some(self.after_character(body)),
            Body::Opener => Some(body),
        }
    }

    /// Returns where the line ends, before its line feed.
    fn line_end(&self, from: usize) -> usize {
        let from = from.min(self.bytes.len());
        from + self.bytes[from..].iter().position(|&byte| byte == b'\n').unwrap_or(self.bytes.len() - from)
    }

    fn block_end(&self, from: usize, close: &str, inner: Option<&str>) -> usize {
        let (close, inner) = (close.as_bytes(), inner.map(str::as_bytes));
        let mut depth = 1usize;
        let mut at = from;
        while at < self.bytes.len() {
            let rest = &self.bytes[at..];
            if rest.starts_with(close) {
                depth -= 1;
                at += close.len();
                if depth == 0 {
                    return at;
                }
            } else if let Some(inner) = inner.filter(|inner| rest.starts_with(inner)) {
                depth += 1;
                at += inner.len();
            } else {
                at += 1;
            }
        }
        self.bytes.len()
    }

    fn quoted_end(&self, from: usize, close: &str, until: Until) -> usize {
        let mut at = from;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 2,
                b'\n' if until == Until::Line => return at,
                _ if self.bytes[at..].starts_with(close.as_bytes()) => return at + close.len(),
                _ => at += 1,
            }
        }
        self.bytes.len()
    }

    /// Returns where the character that begins at `from` ends.
    fn after_character(&self, from: usize) -> usize {
        let mut end = (from + 1).min(self.bytes.len());
        while self.bytes.get(end).is_some_and(|&byte| (0x80..0xC0).contains(&byte)) {
            end += 1;
        }
        end
    }

    fn character_end(&self) -> Option<usize> {
        let first = self.at + 1;
        if self.bytes.get(first) == Some(&b'\\') {
            let from = (first + 2).min(self.bytes.len());
            let near = &self.bytes[from..self.bytes.len().min(from + MAX_CHARACTER)];
            let length = near.iter().position(|&byte| byte == b'\'' || byte == b'\n')?;
            return (near[length] == b'\'').then_some(from + length + 1);
        }
        let end = self.after_character(first);
        (self.bytes.get(end) == Some(&b'\'') && self.bytes[first] != b'\'').then_some(end + 1)
    }

    fn rust_raw_end(&self) -> Option<usize> {
        let prefix = self.bytes[self.begin..self.at].trim_suffix_while(|byte| byte == b'b' || byte == b'c');
        let is_name = prefix.last().is_some_and(|&byte| is_word(byte));
        if is_name || self.at - self.begin - prefix.len() > 1 {
            return None;
        }
        let rest = &self.bytes[self.at + 1..];
        let hashes = rest.iter().take_while(|&&byte| byte == b'#').count();
        if rest.get(hashes) != Some(&b'"') {
            return None;
        }
        let mut at = self.at + 1 + hashes + 1;
        while let Some(&byte) = self.bytes.get(at) {
            at += 1;
            if byte == b'"' {
                let found = self.bytes[at..].iter().take(hashes).take_while(|&&byte| byte == b'#').count();
                at += found;
                if found == hashes {
                    return Some(at);
                }
            }
        }
        Some(self.bytes.len())
    }

    fn cpp_raw_end(&self) -> Option<usize> {
        let from = self.at + 2;
        let near = &self.bytes[from..self.bytes.len().min(from + MAX_CPP_DELIMITER + 1)];
        let delimiter = &near[..near.iter().position(|&byte| byte == b'(')?];
        let mut at = from + delimiter.len() + 1;
        while let Some(&byte) = self.bytes.get(at) {
            at += 1;
            let close = self.bytes[at..].strip_prefix(delimiter).filter(|_| byte == b')');
            if close.is_some_and(|rest| rest.first() == Some(&b'"')) {
                return Some(at + delimiter.len() + 1);
            }
        }
        Some(self.bytes.len())
    }

    /// Returns the word that ends the here document which begins here.
    fn heredoc_tag(&self, opener: &str) -> Option<&'a [u8]> {
        let rest = self.bytes[self.at..].strip_prefix(opener.as_bytes())?;
        if self.before() == Some(b'<') {
            return None;
        }
        let marked = rest.first().is_some_and(|byte| b"-~".contains(byte));
        let rest = &rest[usize::from(marked)..];
        let rest = rest.trim_prefix_while(|byte| byte == b' ');
        let quoted = rest.first().is_some_and(|byte| b"'\"\\".contains(byte));
        let rest = &rest[usize::from(quoted)..];
        let tag = &rest[..rest.iter().take(64).take_while(|&&byte| is_word(byte)).count()];
        // A tag without other marks must be in capitals, because `<<` is also a shift.
        let is_tag = tag
            .first()
            .is_some_and(|byte| byte.is_ascii_uppercase() || ((marked || quoted) && is_word(*byte)));
        is_tag.then_some(tag)
    }

    /// Returns the start of the line that ends the here document.
    fn heredoc_end(&self, tag: &[u8]) -> Option<usize> {
        let mut at = self.at;
        while at < self.bytes.len() {
            let end = self.line_end(at);
            let line = self.bytes[at..end].trim_ascii();
            if line.strip_prefix(tag).is_some_and(|rest| rest.first().is_none_or(|&byte| !is_word(byte))) {
                return Some(at);
            }
            at = end + 1;
        }
        None
    }
}

/// Where an unclosed string ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    Line,
    Text,
}

/// True for letters, digits, the underscore, and everything that isn't ASCII.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Trims byte strings by a condition.
trait Trim {
    fn trim_prefix_while(&self, condition: impl Fn(u8) -> bool) -> &Self;
    fn trim_suffix_while(&self, condition: impl Fn(u8) -> bool) -> &Self;
}

impl Trim for [u8] {
    fn trim_prefix_while(&self, condition: impl Fn(u8) -> bool) -> &[u8] {
        let length = self.iter().take_while(|&&byte| condition(byte)).count();
        &self[length..]
    }

    fn trim_suffix_while(&self, condition: impl Fn(u8) -> bool) -> &[u8] {
        let length = self.iter().rev().take_while(|&&byte| condition(byte)).count();
        &self[..self.len() - length]
    }
}

#[cfg(test)]
mod tests {
    use super::super::regions;
    use super::*;

    /// Returns the text with each region that isn't code in brackets, after a letter for its kind.
    fn shown(path: &str, text: &str) -> String {
        let show = |kind, text: &str| match kind {
            RegionKind::Code => text.to_owned(),
            RegionKind::Comment => format!("c[{text}]"),
            RegionKind::DocComment => format!("d[{text}]"),
            RegionKind::StringLiteral => format!("s[{text}]"),
            other => format!("{other:?}[{text}]"),
        };
        regions(path, text).iter().map(|region| show(region.kind, region.span.of(text))).collect()
    }

    #[test]
    fn rust() {
        for (text, expected) in [
            ("a // b\nc", "a c[// b]\nc"),
            ("//! m\n/// d\nfn", "d[//! m]\nd[/// d]\nfn"),
            ("/* a /* b */ c */ d", "c[/* a /* b */ c */] d"),
            ("/**/ x /** y */ z", "c[/**/] x d[/** y */] z"),
            (r##"r#"a"b"# c"##, r##"s[r#"a"b"#] c"##),
            (r##"br#"a"# "q\"r" x"##, r##"bs[r#"a"#] s["q\"r"] x"##),
            ("r#type \"x\"", "r#type s[\"x\"]"),
            ("for\"x\"", "fors[\"x\"]"),
            (
                "fn f<'a>(x: &'a str) { b'\"'; '\\''; '\"'; \"s\" }",
                "fn f<'a>(x: &'a str) { b'\"'; '\\''; '\"'; s[\"s\"] }",
            ),
            ("\"two\nlines\" x", "s[\"two\nlines\"] x"),
            ("\"open", "s[\"open]"),
            ("r##\"open\"#", "s[r##\"open\"#]"),
            ("/* open", "c[/* open]"),
            ("'", "'"),
            ("'\\", "'\\"),
            ("\"a\\", "s[\"a\\]"),
            ("// a\r\nb", "c[// a\r]\nb"),
        ] {
            assert_eq!(shown("x.rs", text), expected);
        }
    }

    #[test]
    fn python() {
        for (text, expected) in [
            ("\"\"\"Doc.\"\"\"\nx = 1 # c", "d[\"\"\"Doc.\"\"\"]\nx = 1 c[# c]"),
            ("def f():\n    r'''Doc.\n\n    More.'''\n", "def f():\n    rd['''Doc.\n\n    More.''']\n"),
            ("x = \"\"\"s\"\"\"", "x = s[\"\"\"s\"\"\"]"),
            ("f(\n  \"\"\"s\"\"\")", "f(\n  s[\"\"\"s\"\"\"])"),
            ("'it\\'s' + \"a#b\"", "s['it\\'s'] + s[\"a#b\"]"),
            ("'open\nnext", "s['open]\nnext"),
        ] {
            assert_eq!(shown("x.py", text), expected);
        }
    }

    #[test]
    fn other_languages() {
        for (path, text, expected) in [
            ("x.c", "int a; /* b */ char c = '\"'; // d", "int a; c[/* b */] char c = '\"'; c[// d]"),
            ("x.cpp", "R\"x(a)\" b)x\" c 1'000", "s[R\"x(a)\" b)x\"] c 1'000"),
            ("x.go", "`a\\` \"b\" 'c'", "s[`a\\`] s[\"b\"] 'c'"),
            ("x.cs", "@\"c:\\\" x /// d", "s[@\"c:\\\"] x d[/// d]"),
            ("x.ts", "`a\n${b}` 'c' /** d */", "s[`a\n${b}`] s['c'] d[/** d */]"),
            ("x.sh", "echo $# ${a#b} # c\n'a\\' \\\" b", "echo $# ${a#b} c[# c]\ns['a\\'] \\\" b"),
            (
                "x.sh",
                "cat <<'EOF' | x\nit's\n  EOF\necho 'a'",
                "cat <<s['EOF'] | x\ns[it's\n]  EOF\necho s['a']",
            ),
            ("x.sh", "cat <<-end\na\nno", "cat <<-end\na\nno"),
            ("x.rb", "a << b\n=begin\nd\n=end\n'c'", "a << b\nd[=begin\nd\n=end]\ns['c']"),
            ("x.yaml", "a: don't # b\nc: 'd#e'\nf: g#h", "a: don't c[# b]\nc: s['d#e']\nf: g#h"),
            ("x.toml", "a = \"\"\"b\nc\"\"\" # d", "a = s[\"\"\"b\nc\"\"\"] c[# d]"),
            ("x.sql", "select 'it''s' -- c\n\"d\"", "select s['it''s'] c[-- c]\n\"d\""),
            ("x.lua", "--[[a\nb]] c --- d\n[[e]]", "c[--[[a\nb]]] c d[--- d]\ns[[[e]]]"),
            (
                "x.hs",
                "-- | d\nf' x --> y -- c\n{- {- a -} -}",
                "d[-- | d]\nf' x --> y c[-- c]\nc[{- {- a -} -}]",
            ),
            ("x.ml", "(** d *) (* a (* b *) *) 'a' ( *)", "d[(** d *)] c[(* a (* b *) *)] 'a' ( *)"),
            ("x.clj", "(a \\\" \"b\") ; c", "(a \\\" s[\"b\"]) c[; c]"),
            ("x.ex", "@doc \"\"\"\nd\n\"\"\"\nx = \"a\"", "@doc d[\"\"\"\nd\n\"\"\"]\nx = s[\"a\"]"),
            ("x.php", "<?php # a\n$x = <<<EOT\nb\nEOT;\n", "<?php c[# a]\n$x = <<<EOT\ns[b\n]EOT;\n"),
            ("x.json", "{\"a\": \"b//c\"}", "{s[\"a\"]: s[\"b//c\"]}"),
            ("x.css", "a { b: 'c' } /* d */", "a { b: s['c'] } c[/* d */]"),
            ("x.tex", "50\\% a % b", "50\\% a c[% b]"),
        ] {
            assert_eq!(shown(path, text), expected, "{path}");
        }
    }
}

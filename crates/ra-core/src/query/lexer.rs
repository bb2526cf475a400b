//! Splits text into tokens. Everything that depends on adjacent characters is decided here: a [`Minus`] or
//! [`Field`] token is followed by its operand, a [`Boost`] follows the operand that it weights, and every
//! [`Open`] has its [`Close`].
//!
//! [`Minus`]: TokenKind::Minus
//! [`Field`]: TokenKind::Field
//! [`Boost`]: TokenKind::Boost
//! [`Open`]: TokenKind::Open
//! [`Close`]: TokenKind::Close

use std::collections::HashSet;

use super::chars::{
    MAX_NESTING, closed_in_run, ends_here, is_field_value, is_keyword, is_quote, is_special,
    is_special_in_phrase, negates, parse_factor,
};
use super::near_miss::{MAX_FIELD_NAME, almost_field, wildcard};
use super::{Diagnostics, Field, Operator, PropertyFilter};
use crate::text::Span;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    Open,
    Close,
    Minus,
    Or,
    Field(Field),
    Word(String),
    Phrase(String),
    Property { filter: PropertyFilter, is_quoted: bool },
    Boost(f32),
}

impl TokenKind {
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self, TokenKind::Word(text) if text == word)
    }
}

/// Splits `text` into tokens.
pub(super) fn lex(text: &str, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = Lexer {
        text,
        at: 0,
        tokens: Vec::new(),
        open: Vec::new(),
        too_deep: 0,
        told_too_deep: false,
        closed_in_run: closed_in_run(text),
        diagnostics,
    };
    while let Some(c) = lexer.peek() {
        match c {
            '(' => lexer.open(),
            ')' => lexer.close(),
            '-' => lexer.minus(),
            '+' => lexer.plus(),
            _ if c.is_whitespace() => lexer.at += c.len_utf8(),
            _ if is_quote(c) => lexer.phrase(c),
            _ => lexer.field_or_word(),
        }
    }
    lexer.finish()
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    /// The groups that are open here.
    open: Vec<OpenGroup>,
    /// How many parentheses beyond [`MAX_NESTING`] are open here.
    too_deep: usize,
    told_too_deep: bool,
    closed_in_run: HashSet<usize>,
    diagnostics: &'a mut Diagnostics,
}

/// An open group.
struct OpenGroup {
    start: usize,
    /// True if its words name documents: `linked:(docs:a.md OR docs:b.md)`.
    has_names: bool,
}

/// A scanned word.
struct Scanned {
    /// The text with its escapes resolved.
    text: String,
    /// The last `^` that may begin a boost: its position in the query and in `text`.
    caret: Option<(usize, usize)>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token { kind, span: Span::new(start, self.at) });
    }

    fn report(&mut self, start: usize, message: impl Into<String>, hint: impl Into<String>) {
        self.diagnostics.add(Span::new(start, self.at), message, hint);
    }

    /// True directly after a `-` or a field, where only a value is valid: `title:OR`, `-NOT`.
    fn is_bound(&self) -> bool {
        self.tokens.last().is_some_and(|token| {
            matches!(token.kind, TokenKind::Minus | TokenKind::Field(_)) && token.span.end == self.at
        })
    }

    fn has_names(&self) -> bool {
        self.open.last().is_some_and(|group| group.has_names)
    }

    fn open(&mut self) {
        let start = self.at;
        self.at += 1;
        if self.open.len() < MAX_NESTING {
            let is_linked = |token: &Token| token.kind == TokenKind::Field(Field::Linked);
            let has_names = self.has_names() || self.tokens.last().is_some_and(is_linked);
            self.open.push(OpenGroup { start, has_names });
            self.push(TokenKind::Open, start);
            return;
        }
        if !std::mem::replace(&mut self.told_too_deep, true) {
            let message = format!("parentheses nested deeper than {MAX_NESTING} are ignored");
            self.report(start, message, "use fewer parentheses");
        }
        self.too_deep += 1;
    }

    fn close(&mut self) {
        let start = self.at;
        self.at += 1;
        if self.too_deep > 0 {
            self.too_deep -= 1;
            self.boost_after_closing();
        } else if self.open.pop().is_some() {
            self.push(TokenKind::Close, start);
            self.push_boost_after_closing();
        } else {
            self.report(
                start,
                "`)` closes nothing and is ignored",
                "remove it, or write `\\)` to mean the character",
            );
        }
    }

    /// Closes the groups that are still open.
    fn finish(mut self) -> Vec<Token> {
        if let Some(group) = self.open.first() {
            self.diagnostics.add(
                Span::new(group.start, group.start + 1),
                "this parenthesis is never closed; the group is read to the end",
                "add `)`, or write `\\(` to mean the character",
            );
        }
        for _ in 0..self.open.len() {
            self.push(TokenKind::Close, self.text.len());
        }
        self.tokens
    }

    fn minus(&mut self) {
        let start = self.at;
        let after = &self.rest()[1..];
        if negates(after) {
            self.at += 1;
            self.push(TokenKind::Minus, start);
        } else if ends_here(after) && !self.is_bound() {
            self.at += 1;
            self.report(start, "a lone `-` is ignored", "write it directly before what to exclude: `-word`");
        } else {
            self.field_or_word();
        }
    }

    fn plus(&mut self) {
        let start = self.at;
        let requires = |c: char| c.is_alphanumeric() || is_quote(c) || matches!(c, '_' | '(');
        if !self.rest()[1..].starts_with(requires) {
            return self.field_or_word();
        }
        self.at += 1;
        self.report(start, "`+` is ignored", "to require a word, write it in quotes: `\"word\"`");
    }

    fn phrase(&mut self, opening: char) {
        let start = self.at;
        self.at += opening.len_utf8();
        let mut text = String::new();
        let mut closed = false;
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            // A phrase that begins with a straight quote may contain curly ones, as copied prose does.
            if if opening == '"' { c == '"' } else { is_quote(c) } {
                closed = true;
                break;
            }
            let escaped = self.peek().filter(|&next| c == '\\' && is_special_in_phrase(next));
            self.at += escaped.map_or(0, char::len_utf8);
            text.push(escaped.unwrap_or(c));
        }
        if text.trim().is_empty() {
            self.report(start, "the phrase is empty and is ignored", "put words between the quotes");
        } else if !closed {
            let hint = "add the closing quote, or write `\\\"` to mean the character";
            self.report(start, "this quote is never closed; the phrase is read to the end", hint);
        }
        match self.key_before(start) {
            Some((key, value_start)) if !text.trim().is_empty() => {
                self.tokens.pop();
                let filter = PropertyFilter { key, operator: Operator::Equal, value: text };
                self.push(TokenKind::Property { filter, is_quoted: true }, value_start);
            }
            _ => self.push(TokenKind::Phrase(text), start),
        }
        self.push_boost_after_closing();
    }

    /// Returns the key of the front matter directly before the phrase at `start`, and where the key begins.
    fn key_before(&self, start: usize) -> Option<(String, usize)> {
        let Token { kind: TokenKind::Word(word), span } =
            self.tokens.last().filter(|token| token.span.end == start)?
        else {
            return None;
        };
        let is_as_written = *word == self.text[span.start..span.end];
        let (key, _, _) =
            PropertyFilter::split(word).filter(|(_, _, value)| is_as_written && value.is_empty())?;
        Some((key.to_owned(), span.start))
    }

    fn push_boost_after_closing(&mut self) {
        let start = self.at;
        if let Some(factor) = self.boost_after_closing() {
            self.push(TokenKind::Boost(factor), start);
        }
        // `"a b", (c d).` is punctuated like prose; the punctuation marks aren't words.
        self.at = self.text.len() - self.rest().trim_start_matches([',', '.', ';', ':', '!', '?']).len();
    }

    /// Reads the `^2` that may follow a phrase or a group.
    fn boost_after_closing(&mut self) -> Option<f32> {
        let start = self.at;
        let after = self.rest().strip_prefix('^')?;
        let number =
            after.len() - after.trim_start_matches(|c: char| c.is_alphanumeric() || "+-.".contains(c)).len();
        self.at += 1 + number;
        self.usable(start, parse_factor(&after[..number]).unwrap_or(f32::NAN))
    }

    /// Returns the factor if it is finite and above zero; otherwise reports it.
    fn usable(&mut self, start: usize, factor: f32) -> Option<f32> {
        if factor.is_finite() && factor > 0.0 {
            return Some(factor);
        }
        self.report(start, "the boost is ignored", "a boost is a number above zero: `word^2.5`");
        None
    }

    fn field_or_word(&mut self) {
        let start = self.at;
        let rest = self.rest();
        let name = &rest[..rest.bytes().take(MAX_FIELD_NAME).take_while(u8::is_ascii_alphabetic).count()];
        let value = rest[name.len()..].strip_prefix(':');
        if let (Ok(field), true) = (name.parse::<Field>(), value.is_some_and(is_field_value)) {
            self.at += name.len() + 1;
            return self.push(TokenKind::Field(field), start);
        }
        let is_value = self.is_bound();
        let word = self.scan_word();
        self.push_word(word, start, is_value);
    }

    /// Consumes a word with its escapes. Never called before white space, a quote or a parenthesis, so it always
    /// consumes something.
    fn scan_word(&mut self) -> Scanned {
        let start = self.at;
        let mut word = Scanned { text: String::new(), caret: None };
        let mut depth = 0usize;
        let mut previous = None;
        while let Some(c) = self.peek() {
            let next = self.rest()[c.len_utf8()..].chars().next();
            if let Some(literal) = next.filter(|&next| c == '\\' && is_special(next)) {
                self.at += 1 + literal.len_utf8();
                word.text.push(literal);
                previous = None;
                continue;
            }
            match c {
                '(' if depth > 0 || self.continues_word(start, previous) => depth += 1,
                ')' if depth > 0 => depth -= 1,
                '(' | ')' => break,
                '^' if depth == 0 && !word.text.is_empty() => word.caret = Some((self.at, word.text.len())),
                // The phrase of an unknown field stays a phrase: `author:"A B"`.
                _ if is_quote(c) && previous == Some(':') && depth == 0 => break,
                _ if c.is_whitespace() => break,
                _ => {}
            }
            self.at += c.len_utf8();
            word.text.push(c);
            previous = Some(c);
        }
        word
    }

    /// True if the `(` here belongs to a word, as in `foo()` and `println!(x)`.
    fn continues_word(&self, start: usize, previous: Option<char>) -> bool {
        previous.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ')' | ']' | '>' | '!'))
            && self.closed_in_run.contains(&self.at)
            && !is_keyword(&self.text[start..self.at])
    }

    fn push_word(&mut self, word: Scanned, start: usize, is_value: bool) {
        let Scanned { mut text, caret } = word;
        let end = self.at;
        let boost = caret.and_then(|(at, len)| Some((at, len, parse_factor(&self.text[at + 1..end])?)));
        let raw = &self.text[start..boost.map_or(end, |(at, ..)| at)];
        if boost.is_none() && !is_value && self.operator(raw, start) {
            return;
        }
        // The value of a field may contain colons: `path:notes:today`.
        let is_in_field = is_value && self.tokens.last().is_some_and(|token| token.kind != TokenKind::Minus)
            || self.has_names();
        if !is_in_field && let Some((message, hint)) = almost_field(&self.text[start..]) {
            self.report(start, message, hint);
            if let (Some((key, _, _)), Some(reported)) =
                (PropertyFilter::split(raw), self.diagnostics.0.last_mut())
            {
                reported.property = Some(key.to_owned());
            }
        }
        if let Some((_, len, _)) = boost {
            text.truncate(len);
        }
        if let Some(word) = wildcard(raw) {
            let hint = "write the whole word: all its forms are found, and words like it";
            self.report(start, format!("there are no wildcards, so `{raw}` is read as `{word}`"), hint);
            text.pop();
        }
        // The letter after this backslash isn't special, so the scan has kept both.
        if raw.strip_prefix('\\').is_some_and(is_keyword) {
            text.remove(0);
        }
        self.at = start + raw.len();
        let kind = match raw.parse() {
            // A backslash at the end would escape what follows the printed filter, and a caret would boost it.
            Ok(filter) if !is_in_field && text == raw && !raw.ends_with('\\') && !raw.contains('^') => {
                TokenKind::Property { filter, is_quoted: false }
            }
            _ => TokenKind::Word(text),
        };
        self.push(kind, start);
        self.at = end;
        if let Some((at, _, factor)) = boost
            && let Some(factor) = self.usable(at, factor)
        {
            self.push(TokenKind::Boost(factor), at);
        }
    }

    /// Reads `raw` as an operator, if it is one.
    fn operator(&mut self, raw: &str, start: usize) -> bool {
        match raw {
            "OR" => self.push(TokenKind::Or, start),
            "||" => {
                self.push(TokenKind::Or, start);
                self.report(start, "`||` is read as `OR`", "write `OR`");
            }
            "AND" | "&&" => {
                let message = format!("`{raw}` isn't needed: words next to each other are combined anyway");
                let hint = "leave it out; `OR` binds tighter, so group with parentheses: `(a b) OR c`";
                self.report(start, message, hint);
            }
            "NOT" => {
                self.push(TokenKind::Minus, start);
                let hint = "write `-` directly before what to exclude: `-word`";
                self.report(start, "`NOT` is read as `-`", hint);
            }
            _ => return false,
        }
        true
    }
}

//! The inline markup of reStructuredText: roles, references and emphasis.

use std::collections::HashMap;

use memchr::memmem;

use super::super::{Link, LinkKind};
use super::line_scan::{FoundLink, Marks, SourceLine, push_link};
use super::rst_markup::{directive, explicit_markup};
use crate::text::{Lines, Span, collapse};

/// The longest role that is recognized: `:py:class:`.
const MAX_ROLE_BYTES: usize = 64;

/// Resolved references can take this much, even in a small file.
const MIN_RESOLVED_BYTES: usize = 100_000;

const MARKS: Marks =
    Marks { code: &[], emphasis: &['*', '|'], doubled_in_words: false, is_escapable: |_| true };

/// A part of a text between marks.
enum InlinePiece {
    Text(Span),
    /// Double backquotes around code.
    Literal(Span),
    Quoted(Quoted),
}

/// Text between backquotes.
struct Quoted {
    /// The whole markup.
    span: Span,
    /// The name of the role, without colons.
    role: Option<Span>,
    content: Span,
    /// The number of underscores after it: 1 for a reference, 2 for an anonymous one.
    underscores: usize,
}

/// Splits a text at its backquotes. Every search that fails ends the splitting, so it takes linear time.
fn pieces(text: &str) -> Vec<InlinePiece> {
    let bytes = text.as_bytes();
    let mut pieces = Vec::new();
    // The text from `done` on isn't in a piece yet; marks are searched from `at` on.
    let (mut done, mut at) = (0, 0);
    while let Some(open) = memchr::memchr(b'`', &bytes[at..]).map(|found| at + found) {
        if open > done && bytes[open - 1] == b'\\' {
            at = open + 1;
        } else if bytes[open..].starts_with(b"``") {
            let Some(close) = memmem::find(&bytes[open + 2..], b"``").map(|found| open + 2 + found) else {
                break;
            };
            let close = close + bytes[close + 2..].iter().take_while(|byte| **byte == b'`').count();
            pieces.extend([
                InlinePiece::Text(Span::new(done, open)),
                InlinePiece::Literal(Span::new(open + 2, close)),
            ]);
            (done, at) = (close + 2, close + 2);
        } else {
            let role = role_before(text, done, open);
            if role.is_none() && !can_open(text, open) {
                at = open + 1;
                continue;
            }
            let Some(quoted) = Quoted::find(text, role, done, open) else { break };
            at = quoted.span.end;
            pieces.push(InlinePiece::Text(Span::new(done, quoted.span.start)));
            done = quoted.span.end;
            pieces.push(InlinePiece::Quoted(quoted));
        }
    }
    pieces.push(InlinePiece::Text(Span::new(done, text.len())));
    pieces
}

impl Quoted {
    /// Reads the markup with the opening backquote at `open`; the text before `done` is used already.
    fn find(text: &str, role: Option<Span>, done: usize, open: usize) -> Option<Self> {
        let bytes = text.as_bytes();
        let is_close = |at: &usize| bytes[at - 1] != b'\\';
        let close = memchr::memchr_iter(b'`', &bytes[open + 1..]).map(|at| open + 1 + at).find(is_close)?;
        // An inline target has an underscore before it.
        let is_target = role.is_none() && text[..open].ends_with('_') && open > done;
        let start = role.map_or(open - usize::from(is_target), |role| role.start - 1);
        let underscores = bytes[close + 1..].iter().take(2).take_while(|byte| **byte == b'_').count();
        Some(Self {
            span: Span::new(start, close + 1 + underscores),
            role,
            content: Span::new(open + 1, close),
            underscores,
        })
    }
}

/// True if the backquote at `open` can begin quoted text: it isn't inside a word, and no white space follows.
fn can_open(text: &str, open: usize) -> bool {
    let (before, after) = (text[..open].chars().next_back(), text[open + 1..].chars().next());
    !before.is_some_and(char::is_alphanumeric) && after.is_some_and(|c| !c.is_whitespace())
}

/// Returns the span of the role name in `:role:` before the byte `open`.
fn role_before(text: &str, done: usize, open: usize) -> Option<Span> {
    let from = text.ceil_char_boundary(done.max(open.saturating_sub(MAX_ROLE_BYTES)));
    let before = text.get(from..open)?.strip_suffix(':')?;
    let is_role = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '+' | ':' | '.');
    let name = &before[before.trim_end_matches(is_role).len()..];
    let name = name.strip_prefix(':').filter(|name| !name.is_empty())?;
    Some(Span::new(open - 1 - name.len(), open - 1))
}

/// Splits `text <target>`.
fn split_target(content: &str) -> Option<(&str, &str)> {
    let (text, target) = content.strip_suffix('>')?.rsplit_once('<')?;
    Some((text.trim_end(), target))
}

/// Returns a text as a reader sees it, without markup.
pub(super) fn plain_text(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            InlinePiece::Text(span) => plain.push_str(&plain_words(span.of(text))),
            InlinePiece::Literal(span) => plain.push_str(span.of(text)),
            InlinePiece::Quoted(quoted) => plain.push_str(&quoted_text(&quoted, text)),
        }
    }
    plain
}

/// Returns a text without emphasis, escapes and the underscores of references.
fn plain_words(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut done = 0;
    for reference in references(text) {
        plain.push_str(Span::new(done, reference.end).of(text));
        done = reference.end + text[reference.end..].bytes().take_while(|byte| *byte == b'_').count();
    }
    plain.push_str(&text[done..]);
    MARKS.strip(&plain.replace("\\ ", ""))
}

/// Returns the visible text of quoted text. A Sphinx role shows the last part of `~package.Name`.
fn quoted_text(quoted: &Quoted, text: &str) -> String {
    let content = quoted.content.of(text);
    let has_target = quoted.role.is_some() || quoted.underscores > 0;
    match quoted.role.map(|role| role.of(text)) {
        Some("pep" | "PEP") => return format!("PEP {content}"),
        Some("rfc" | "RFC") => return format!("RFC {content}"),
        _ => {}
    }
    let shown = match split_target(content) {
        Some((shown, target)) if has_target => {
            if shown.is_empty() {
                target
            } else {
                shown
            }
        }
        _ if quoted.role.is_none() => content,
        _ => match content.strip_prefix('~') {
            Some(path) => path.rsplit('.').next().unwrap_or(path),
            None => content.strip_prefix('!').unwrap_or(content),
        },
    };
    MARKS.unescape(shown)
}

/// Returns the words before a reference mark: `word_`, but not `_word_` or `a_b`.
fn references(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-.+_".contains(&byte) || !byte.is_ascii();
    let mut found = Vec::new();
    let mut start = 0;
    for (at, byte) in bytes.iter().enumerate() {
        if !is_word(*byte) {
            start = at + 1;
            continue;
        }
        let ends_word = *byte == b'_' && bytes.get(at + 1).is_none_or(|next| ends_reference(*next));
        if ends_word {
            let name = text[start..at].trim_end_matches('_');
            let underscores = at + 1 - start - name.len();
            if underscores <= 2 && is_reference_name(name) {
                found.push(Span::new(start, start + name.len()));
            }
            start = at + 1;
        }
    }
    found
}

/// True if this byte can follow a reference.
fn ends_reference(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"'\")]}>-/:.,;!?\\".contains(&byte)
}

/// True if a name begins and ends with a letter or a digit and has no repeated punctuation.
fn is_reference_name(name: &str) -> bool {
    let is_edge = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    is_edge(name.chars().next()) && is_edge(name.chars().next_back()) && !name.contains("__")
}

/// Collects the links of a document.
pub(super) struct LinkReader<'t> {
    text: &'t str,
    lines: &'t Lines,
    links: Vec<Link>,
    /// The addresses that names refer to.
    targets: HashMap<String, String>,
    /// The addresses of anonymous references, in order; the next one is last.
    anonymous: Vec<&'t str>,
    /// How many bytes of resolved addresses may still be stored. Without a limit, a small file of references to one
    /// long address would take memory in the square of its size.
    budget: usize,
}

impl<'t> LinkReader<'t> {
    /// Reads the targets that links can refer to.
    pub(super) fn new(text: &'t str, lines: &'t Lines, split: &[SourceLine<'t>]) -> Self {
        let mut reader = Self {
            text,
            lines,
            links: Vec::new(),
            targets: HashMap::new(),
            anonymous: Vec::new(),
            budget: text.len().max(MIN_RESOLVED_BYTES),
        };
        for (at, line) in split.iter().enumerate() {
            if let Some(address) = line.content.strip_prefix("__ ") {
                reader.anonymous.push(address.trim());
            } else if let Some(definition) = explicit_markup(line.content).and_then(|it| it.strip_prefix('_'))
            {
                let next = split.get(at + 1).filter(|next| next.indent > line.indent);
                reader.define(definition, next.map_or("", |next| next.content));
            }
        }
        reader.anonymous.reverse();
        reader
    }

    /// Adds the target `name: address`. A long address is on the next line.
    fn define(&mut self, definition: &'t str, next_line: &'t str) {
        let (name, address) = match definition.strip_prefix('`').and_then(|rest| rest.split_once("`:")) {
            Some(quoted) => quoted,
            None => match definition.split_once(": ").or(definition.strip_suffix(':').map(|name| (name, "")))
            {
                Some(split) => split,
                None => return,
            },
        };
        let address = if address.trim().is_empty() { next_line } else { address.trim() };
        match (name, address) {
            ("_", address) => self.anonymous.push(address),
            (name, "") => drop(self.targets.insert(normalized(name), format!("#{name}"))),
            (name, address) => drop(self.targets.insert(normalized(name), address.to_owned())),
        }
    }

    /// Reads the links in a run of prose.
    pub(super) fn read(&mut self, run: Span) {
        let text = run.of(self.text);
        for piece in pieces(text) {
            match piece {
                InlinePiece::Quoted(quoted) => self.quoted(text, &quoted, run.start),
                InlinePiece::Text(span) => self.words(span.of(text), run.start + span.start),
                InlinePiece::Literal(_) => {}
            }
        }
    }

    fn words(&mut self, text: &str, offset: usize) {
        if self.targets.is_empty() {
            return;
        }
        for span in references(text) {
            let name = span.of(text);
            if let Some(target) = self.lookup(name) {
                let end =
                    span.end + text[span.end..].bytes().take(2).take_while(|byte| *byte == b'_').count();
                self.push(&target, name, Span::new(span.start, end).plus(offset));
            }
        }
    }

    fn quoted(&mut self, text: &str, quoted: &Quoted, offset: usize) {
        let content = quoted.content.of(text);
        let split = split_target(content);
        let (shown, target) = split.unwrap_or((content, content));
        let shown = if shown.is_empty() { target } else { shown };
        let target = match quoted.role.map(|role| role.of(text)) {
            Some("ref" | "numref") => format!("#{}", target.trim_start_matches('!')),
            Some("doc" | "download") => target.to_owned(),
            Some(_) => return,
            None if quoted.underscores == 0 => return,
            None => match self.resolve(split.map(|(_, target)| target), content, quoted.underscores) {
                Some(target) => target,
                None => return,
            },
        };
        self.push(&target, shown, quoted.span.plus(offset));
    }

    /// Returns the address of a reference: the embedded one, or that of the name it refers to.
    fn resolve(&mut self, embedded: Option<&str>, content: &str, underscores: usize) -> Option<String> {
        match embedded {
            Some(address) => match address.strip_suffix('_') {
                Some(name) => self.lookup(name.trim_matches('`')),
                None => Some(address.split_whitespace().collect()),
            },
            None if underscores == 2 => self.anonymous.pop().map(str::to_owned),
            None => self.lookup(content),
        }
    }

    /// Returns the address that a name refers to.
    fn lookup(&mut self, name: &str) -> Option<String> {
        let target = self.targets.get(&normalized(name))?;
        self.budget = self.budget.checked_sub(target.len())?;
        Some(target.clone())
    }

    fn push(&mut self, target: &str, text: &str, span: Span) {
        push_link(&mut self.links, self.lines, FoundLink { kind: LinkKind::Markdown, target, text, span });
    }

    /// Adds the images and returns all links in document order.
    pub(super) fn finish(mut self, split: &[SourceLine<'t>]) -> Vec<Link> {
        for (at, line) in split.iter().enumerate() {
            let Some((name, target)) = explicit_markup(line.content).and_then(directive) else { continue };
            if matches!(name, "image" | "figure") {
                let options = split[at + 1..].iter().take_while(|option| option.content.starts_with(':'));
                let alt = options.filter_map(|option| option.content.strip_prefix(":alt:")).next();
                let image =
                    FoundLink { kind: LinkKind::Image, target, text: alt.unwrap_or(""), span: line.span };
                push_link(&mut self.links, self.lines, image);
            }
        }
        self.links.sort_by_key(|link| link.span.start);
        self.links
    }
}

/// Returns a name as references compare it: without case and with white space collapsed.
fn normalized(name: &str) -> String {
    collapse(name).to_lowercase()
}

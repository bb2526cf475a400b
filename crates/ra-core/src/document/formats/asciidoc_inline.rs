//! The inline markup of AsciiDoc: links, cross references, images, anchors and emphasis.

use super::super::LinkKind;
use super::line_scan::{FoundLink, MAX_LINK_BYTES, Marks, before};
use crate::text::Span;

const MARKS: Marks = Marks {
    code: &['`', '+'],
    emphasis: &['*', '_', '#'],
    doubled_in_words: true,
    is_escapable: |c| matches!(c, '*' | '_' | '`' | '#' | '+' | '{' | '<' | '['),
};

/// The longest name of a macro with a link: `https`.
const MAX_NAME_BYTES: usize = 5;

/// A link, a cross reference or an image.
pub(super) struct Macro {
    kind: LinkKind,
    target: String,
    text: String,
    pub(super) span: Span,
}

impl Macro {
    pub(super) fn as_found(&self) -> FoundLink<'_> {
        FoundLink { kind: self.kind, target: &self.target, text: &self.text, span: self.span }
    }
}

/// Returns the links, cross references and images in a text.
pub(super) fn macros(text: &str) -> Vec<Macro> {
    let mut found = Vec::new();
    let mut from = 0;
    for at in memchr::memchr2_iter(b':', b'<', text.as_bytes()) {
        if at < from {
            continue;
        }
        let next =
            if text[at..].starts_with('<') { cross_reference(text, at) } else { named_macro(text, from, at) };
        if let Some(next) = next {
            from = next.span.end;
            found.push(next);
        }
    }
    found
}

/// Reads `<<id,text>>` at byte `at`.
fn cross_reference(text: &str, at: usize) -> Option<Macro> {
    let inside = before(text[at..].strip_prefix("<<")?, ">>")?;
    if inside.is_empty() || inside.starts_with(['<', ' ']) || text[..at].ends_with(['\\', '<']) {
        return None;
    }
    let (id, shown) = inside.split_once(',').unwrap_or((inside, ""));
    let span = Span::new(at, at + inside.len() + 4);
    Some(Macro {
        kind: LinkKind::Markdown,
        target: reference_target(id),
        text: shown_or(&MARKS.strip(shown), id),
        span,
    })
}

/// Reads the macro with the colon after its name at `colon`: `link:target[text]`.
fn named_macro(text: &str, from: usize, colon: usize) -> Option<Macro> {
    let near = text.ceil_char_boundary(from.max(colon.saturating_sub(MAX_NAME_BYTES + 1)));
    let ahead = &text[near..colon];
    let name = &ahead[ahead.trim_end_matches(|c: char| c.is_ascii_alphanumeric()).len()..];
    let start = colon - name.len();
    let is_url = matches!(name, "http" | "https") && text[colon..].starts_with("://");
    let is_known = is_url || matches!(name, "link" | "xref" | "image");
    if !is_known || text[..start].ends_with(|c: char| c.is_alphanumeric() || c == '\\') {
        return None;
    }
    let after = &text[colon + 1..];
    let is_block = name == "image" && after.starts_with(':');
    let target_start = colon + 1 + usize::from(is_block);
    let target = before(&text[target_start..], "[")?;
    if target.contains(char::is_whitespace) && !is_block || target.contains(['\n', '<']) {
        return None;
    }
    let list = bracketed(&text[target_start + target.len() + 1..])?;
    let span = Span::new(start, target_start + target.len() + list.len() + 2);
    let url = Span::new(start, target_start + target.len()).of(text);
    let (kind, target) = match name {
        "image" => (LinkKind::Image, target.to_owned()),
        "xref" => (LinkKind::Markdown, reference_target(target)),
        "link" => (LinkKind::Markdown, target.to_owned()),
        _ => (LinkKind::Markdown, url.to_owned()),
    };
    let shown = shown_text(list, kind);
    let shown = if kind == LinkKind::Image { shown } else { shown_or(&shown, &target) };
    Some(Macro { kind, target, text: shown, span })
}

/// Returns the text up to the bracket that closes it; a bracket after a backslash doesn't.
fn bracketed(text: &str) -> Option<&str> {
    let near = &text[..text.floor_char_boundary(MAX_LINK_BYTES)];
    let is_close = |at: &usize| *at == 0 || near.as_bytes()[at - 1] != b'\\';
    memchr::memchr_iter(b']', near.as_bytes()).find(is_close).map(|end| &near[..end])
}

/// Returns the visible text in the attributes of a macro.
fn shown_text(list: &str, kind: LinkKind) -> String {
    let text = match list.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        Some((quoted, _)) => quoted,
        None if kind == LinkKind::Image || list.contains('=') => match list.split(',').next() {
            Some(first) if !first.contains('=') => first,
            _ => "",
        },
        None => list.trim_end_matches('^'),
    };
    MARKS.strip(&text.replace("\\]", "]"))
}

fn shown_or(shown: &str, target: &str) -> String {
    let shown = shown.trim();
    if shown.is_empty() { target.trim_start_matches('#').to_owned() } else { shown.to_owned() }
}

/// Returns the target of a cross reference. A name that isn't a file is an id in the same document.
fn reference_target(target: &str) -> String {
    let target = target.trim();
    let is_file = [".adoc", ".asciidoc", ".asc", ".html", ".txt"].iter().any(|end| target.ends_with(end));
    if is_file || target.contains('#') { target.to_owned() } else { format!("#{target}") }
}

/// Removes an anchor at the start or the end of a title, and returns its id.
pub(super) fn take_anchor<'t>(title: &mut &'t str) -> Option<&'t str> {
    let (anchor, rest) = match title.strip_prefix("[[") {
        Some(after) => after.split_once("]]")?,
        None => {
            let (rest, anchor) = title.strip_suffix("]]")?.rsplit_once("[[")?;
            (anchor, rest)
        }
    };
    *title = rest.trim();
    anchor.split(',').next().map(str::trim).filter(|id| !id.is_empty())
}

/// Returns a text as a reader sees it, without markup.
pub(super) fn plain_text(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut done = 0;
    for found in macros(text) {
        plain.push_str(Span::new(done, found.span.start).of(text));
        plain.push_str(&found.text);
        done = found.span.end;
    }
    plain.push_str(&text[done..]);
    MARKS.strip(&plain)
}

//! The inline markup of Org: links, emphasis and progress cookies.

use super::super::LinkKind;
use super::line_scan::{FoundLink, Marks, before};
use crate::text::Span;

const MARKS: Marks = Marks {
    code: &['=', '~'],
    emphasis: &['*', '/', '_', '+'],
    doubled_in_words: false,
    is_escapable: |_| false,
};

const IMAGE_EXTENSIONS: &[&str] = &[".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"];

/// A link: `[[target][text]]`.
pub(super) struct OrgLink {
    kind: LinkKind,
    target: String,
    text: String,
    pub(super) span: Span,
}

impl OrgLink {
    pub(super) fn as_found(&self) -> FoundLink<'_> {
        FoundLink { kind: self.kind, target: &self.target, text: &self.text, span: self.span }
    }
}

/// Returns the links in a text.
pub(super) fn links(text: &str) -> Vec<OrgLink> {
    let mut links: Vec<OrgLink> = Vec::new();
    for at in memchr::memmem::find_iter(text.as_bytes(), "[[") {
        let is_free = links.last().is_none_or(|last| last.span.end <= at);
        links.extend(is_free.then(|| link_at(text, at)).flatten());
    }
    links
}

/// Reads the link at byte `at`. A link without a text to an image shows that image.
fn link_at(text: &str, at: usize) -> Option<OrgLink> {
    let inside = before(&text[at + 2..], "]]")?;
    let (target, shown) = inside.split_once("][").unwrap_or((inside, ""));
    let is_image = IMAGE_EXTENSIONS.iter().any(|end| target.to_ascii_lowercase().ends_with(end));
    let kind = if is_image && shown.is_empty() { LinkKind::Image } else { LinkKind::Markdown };
    let resolved = link_target(target.trim());
    let text = match kind {
        LinkKind::Image => String::new(),
        _ if shown.is_empty() => target.to_owned(),
        _ => MARKS.strip(shown),
    };
    (!target.is_empty()).then(|| OrgLink {
        kind,
        target: resolved,
        text,
        span: Span::new(at, at + inside.len() + 4),
    })
}

/// Returns a target in the form of an address: `file:a.org::*Heading` becomes `a.org#Heading`.
fn link_target(target: &str) -> String {
    let is_file = target.starts_with("file:");
    let path = target.strip_prefix("file:").unwrap_or(target);
    match path.split_once("::") {
        Some((file, place)) if is_file || file.ends_with(".org") => {
            let place = place.strip_prefix(['*', '#']).unwrap_or(place);
            format!("{file}#{place}")
        }
        _ => match path.strip_prefix('*') {
            Some(heading) => format!("#{heading}"),
            // An abbreviation without an address, such as `[[kbd:][TAB]]`, only formats its text.
            None if path.ends_with(':') => String::new(),
            None if is_file || path.contains(['/', '.', ':', '#']) => path.to_owned(),
            // Org looks for such a target in the same document.
            None => format!("#{path}"),
        },
    }
}

/// Returns a text as a reader sees it, without markup and progress cookies.
pub(super) fn plain_text(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut done = 0;
    for link in links(text) {
        plain.push_str(Span::new(done, link.span.start).of(text));
        plain.push_str(&link.text);
        done = link.span.end;
    }
    plain.push_str(&text[done..]);
    without_cookies(&MARKS.strip(&plain))
}

/// Returns a text without `[2/3]` and `[66%]`.
fn without_cookies(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let inside = before(&rest[open + 1..], "]").filter(|inside| is_cookie(inside));
        plain.push_str(&rest[..open]);
        plain.push_str(if inside.is_some() { "" } else { "[" });
        rest = &rest[open + 1 + inside.map_or(0, |inside| inside.len() + 1)..];
    }
    plain.push_str(rest);
    plain
}

fn is_cookie(inside: &str) -> bool {
    let is_number = |number: &str| number.bytes().all(|byte| byte.is_ascii_digit());
    inside.strip_suffix('%').is_some_and(is_number)
        || inside.split_once('/').is_some_and(|(done, all)| is_number(done) && is_number(all))
}

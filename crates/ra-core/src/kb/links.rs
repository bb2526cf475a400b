//! Links between documents: which of them lead nowhere.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::document::{Document, Link, LinkKind};
use crate::id::DocId;
use crate::text::composed;

/// What link checking needs to know of one document, once its text is gone.
pub(super) struct Facts {
    pub(super) doc: DocId,
    pub(super) file: PathBuf,
    links: Vec<LocalLink>,
    /// What links may name, and of it what is a section.
    anchors: HashSet<String>,
    sections: HashSet<String>,
    has_preamble: bool,
    aliases: Vec<String>,
}

struct LocalLink {
    wiki: bool,
    target: String,
    line: usize,
}

/// A link that leads nowhere.
#[derive(Clone, Debug)]
pub struct BrokenLink {
    /// The document it stands in.
    pub doc: DocId,
    /// The 1-based line.
    pub line: usize,
    /// The target as written.
    pub target: String,
    /// What is missing.
    pub missing: &'static str,
}

impl Facts {
    pub(super) fn new(doc: DocId, file: PathBuf, document: &Document, text: &str) -> Self {
        // `![[embed]]` is an image to the parser, and names its target as a wiki link does.
        let is_wiki = |link: &Link| link.kind == LinkKind::Wiki || link.span.of(text).starts_with("![[");
        let links = document.links.iter().filter(|link| is_wiki(link) || is_relative(&link.target));
        let links =
            links.map(|link| LocalLink { wiki: is_wiki(link), target: link.target.clone(), line: link.line });
        let nodes = &document.outline.nodes;
        let headings = nodes.iter().flat_map(|node| [&node.slug, &node.anchor]).flatten();
        let sections: HashSet<String> = headings.map(|anchor| anchor.to_lowercase()).collect();
        let written = html_anchors(text).chain(written_headings(text));
        Self {
            doc,
            file,
            links: links.collect(),
            anchors: sections.iter().cloned().chain(written).collect(),
            sections,
            has_preamble: document.outline.has_body(0, text),
            aliases: document.aliases.clone(),
        }
    }

    /// Whether the document has a section of this name.
    pub(super) fn has_section(&self, slug: &str) -> bool {
        self.sections.contains(&slug.to_lowercase()) || slug == "preamble" && self.has_preamble
    }

    /// How many links this document has to others of the same disk.
    pub(super) fn count(&self) -> usize {
        self.links.len()
    }
}

/// The headings as they are written. The outline leaves out those without a text below them, which a link may
/// name all the same; a comment in a code block does no harm here.
fn written_headings(text: &str) -> impl Iterator<Item = String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| line.trim_matches(['#', ' ', '\t', '\r']).to_lowercase().replace(' ', "-"))
}

/// The anchors that raw HTML sets: `id="…"` and `name="…"`.
fn html_anchors(text: &str) -> impl Iterator<Item = String> {
    ["id=\"", "name=\""]
        .into_iter()
        .flat_map(move |mark| {
            let starts = text.match_indices(mark).map(move |(at, _)| &text[at + mark.len()..]);
            starts
                .filter_map(|rest| rest.split_once('"').map(|(name, _)| name))
                .filter(|name| name.len() < 200)
        })
        .map(str::to_lowercase)
}

/// True for targets that name a file by its place beside the document. Addresses, paths from a site's
/// root and templates mean something only to whatever publishes the documents.
fn is_relative(target: &str) -> bool {
    let scheme = target.split(['/', '#', '?']).next().is_some_and(|first| first.contains(':'));
    !(target.is_empty() || scheme || target.starts_with('/') || target.contains("{{"))
}

/// The links that lead nowhere, in the order of the documents. `others` are the paths of the files that are
/// no documents, such as pictures: a wiki link may name one without its directory.
pub(super) fn broken<'a>(facts: &[Facts], others: impl Iterator<Item = &'a str>) -> Vec<BrokenLink> {
    let attachments: HashSet<String> = others.map(last_name).collect();
    let by_file: HashMap<&Path, &Facts> = facts.iter().map(|facts| (facts.file.as_path(), facts)).collect();
    let mut pages: HashMap<String, &Facts> = HashMap::new();
    for facts in facts {
        let stem = facts.file.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
        let aliases = facts.aliases.iter().map(|alias| alias.to_lowercase());
        let name = facts.file.file_name().map(|name| name.to_string_lossy().to_lowercase());
        for page in stem.into_iter().chain(name).chain(aliases) {
            pages.entry(composed(&page).into_owned()).or_insert(facts);
        }
    }
    let check = |facts: &Facts, link: &LocalLink| {
        let missing = if link.wiki {
            missing_page(facts, &link.target, &by_file, &pages)
                .filter(|_| !attachments.contains(&last_name(&link.target)))
        } else {
            missing_file(facts, &link.target, &by_file)
        }?;
        Some(BrokenLink { doc: facts.doc.clone(), line: link.line, target: link.target.clone(), missing })
    };
    facts.iter().flat_map(|facts| facts.links.iter().filter_map(move |link| check(facts, link))).collect()
}

fn missing_file(facts: &Facts, target: &str, by_file: &HashMap<&Path, &Facts>) -> Option<&'static str> {
    let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
    let path = percent_decode(path.split('?').next().unwrap_or(path));
    if path.is_empty() {
        return missing_heading(facts, fragment);
    }
    let directory = facts.file.parent()?;
    match candidates(&path).map(|path| clean(&directory.join(path))).find(|path| path.exists()) {
        None => Some("no such file"),
        Some(found) => missing_heading(by_file.get(found.as_path())?, fragment),
    }
}

fn missing_page(
    facts: &Facts,
    target: &str,
    by_file: &HashMap<&Path, &Facts>,
    pages: &HashMap<String, &Facts>,
) -> Option<&'static str> {
    let (page, fragment) = target.split_once('#').unwrap_or((target, ""));
    let page = page.trim();
    if page.is_empty() {
        return missing_heading(facts, &as_anchor(fragment));
    }
    let name = last_name(page);
    let beside = || {
        let directory = facts.file.parent()?;
        candidates(page).map(|path| clean(&directory.join(path))).find(|path| path.exists())
    };
    match pages.get(&name) {
        Some(found) => missing_heading(found, &as_anchor(fragment)),
        None => match beside() {
            Some(found) => missing_heading(by_file.get(found.as_path())?, &as_anchor(fragment)),
            None => Some("no such page"),
        },
    }
}

/// The name of a file as wiki links give it: without its directory and whatever its case.
fn last_name(path: &str) -> String {
    composed(path.rsplit('/').next().unwrap_or(path).trim()).to_lowercase()
}

/// Obsidian writes the heading itself after `#`, and block references as `#^id`.
fn as_anchor(fragment: &str) -> String {
    let last = fragment.rsplit('#').next().unwrap_or(fragment);
    if last.starts_with('^') { String::new() } else { last.trim().replace(' ', "-") }
}

fn missing_heading(facts: &Facts, fragment: &str) -> Option<&'static str> {
    let anchor = percent_decode(fragment).to_lowercase();
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let known = anchor.is_empty()
        || is_line(&anchor)
        || facts.anchors.contains(&anchor)
        || facts.anchors.iter().any(|known| plain(known) == plain(&anchor));
    (!known).then_some("no such heading")
}

/// Whether an anchor names lines, as in `#L3` and `#L3-L5`, which the sites that show files understand.
fn is_line(anchor: &str) -> bool {
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
    let parts = anchor.splitn(2, '-').map(|part| part.trim_start_matches('l'));
    anchor.starts_with('l') && parts.into_iter().all(number)
}

/// The files that a written path may mean: itself, the source of a page that is published under that
/// name, or the page of a directory.
fn candidates(path: &str) -> impl Iterator<Item = String> {
    let source = path.strip_suffix(".html").map(|stem| format!("{stem}.md"));
    let own = path.trim_end_matches('/');
    [Some(path.to_owned()), Some(format!("{own}.md")), source].into_iter().flatten()
}

fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (bytes[at], hex) {
            (b'%', Some(byte)) => {
                decoded.push(byte);
                at += 3;
            }
            (byte, _) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_places_beside_the_document_are_checked() {
        for target in ["a.md", "../b/c.md#d", "#e", "a%20b.md", "x/y:z.md"] {
            assert!(is_relative(target), "{target}");
        }
        for target in ["https://a.b", "mailto:a@b", "/docs/a", "{{< ref x >}}", "", "//a.b/c"] {
            assert!(!is_relative(target), "{target}");
        }
    }

    #[test]
    fn percent_signs_are_decoded_where_they_mean_something() {
        for (text, decoded) in
            [("a%20b", "a b"), ("100%", "100%"), ("%zz", "%zz"), ("%C3%A9", "é"), ("é%2", "é%2")]
        {
            assert_eq!(percent_decode(text), decoded);
        }
    }
}

//! Finds broken links between documents.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::document_name::heading_key;
use super::root_links::{Destination, Site};
use crate::config::Config;
use crate::document::{Document, LinkKind};
use crate::id::DocId;
use crate::text::composed;

/// The facts about one document that link checking needs after its text is dropped.
pub(super) struct LinkFacts {
    pub(super) doc: DocId,
    pub(super) file: PathBuf,
    pub(super) title: String,
    pub(super) aliases: Vec<String>,
    links: Vec<LocalLink>,
    unchecked: Unchecked,
    /// The anchors that links may name: the sections and everything else.
    anchors: HashSet<String>,
    /// The keys of the anchors, computed when a link matches no anchor exactly.
    heading_keys: OnceLock<HashSet<String>>,
    sections: HashSet<String>,
    has_preamble: bool,
}

struct LocalLink {
    base: Base,
    target: String,
    line: usize,
}

/// The base that a link's target is resolved against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    /// The document.
    Document,
    /// The root of the site.
    Root,
    /// Nothing: a wiki link names its page.
    Page,
}

/// The result of checking the links of all documents.
#[derive(Clone, Debug, Default)]
pub struct LinkReport {
    /// How many links were checked.
    pub checked: usize,
    /// The broken links, in document order.
    pub broken: Vec<BrokenLink>,
    /// How many links weren't checked.
    pub unchecked: Unchecked,
}

/// How many links weren't checked, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unchecked {
    /// Links to other sites.
    pub external: usize,
    /// Links with another scheme, such as `mailto:`.
    pub other_schemes: usize,
    /// Links with template syntax that only the publishing program can resolve.
    pub templates: usize,
    /// Links that begin with `/` and that no root resolves.
    pub root: usize,
}

/// A broken link.
#[derive(Clone, Debug)]
pub struct BrokenLink {
    /// The document that contains it.
    pub doc: DocId,
    /// The 1-based line.
    pub line: usize,
    /// The target as written.
    pub target: String,
    /// The target independent of where it is written: broken links with the same value miss the same thing.
    pub resolved: String,
    /// The missing thing: a file, a page or a heading.
    pub missing: &'static str,
}

impl LinkFacts {
    fn heading_keys(&self) -> &HashSet<String> {
        self.heading_keys.get_or_init(|| self.anchors.iter().map(|anchor| heading_key(anchor)).collect())
    }

    pub(super) fn new(doc: DocId, file: PathBuf, document: &Document, text: &str) -> Self {
        let mut unchecked = Unchecked::default();
        let mut links = Vec::new();
        for link in &document.links {
            // The parser reads `![[embed]]` as an image, but its target is named like that of a wiki link.
            let is_wiki = link.kind == LinkKind::Wiki || link.span.of(text).starts_with("![[");
            let base = if is_wiki { Some(Base::Page) } else { base_of(&link.target, &mut unchecked) };
            let local = |base| LocalLink { base, target: link.target.clone(), line: link.line };
            links.extend(base.map(local));
        }
        let nodes = &document.outline.nodes;
        let headings = nodes.iter().flat_map(|node| [&node.slug, &node.anchor]).flatten();
        let sections: HashSet<String> = headings.map(|anchor| anchor.to_lowercase()).collect();
        let written = html_anchors(text).chain(written_headings(text));
        Self {
            heading_keys: OnceLock::new(),
            doc,
            file,
            title: document.title.clone(),
            links,
            unchecked,
            anchors: sections.iter().cloned().chain(written).collect(),
            sections,
            has_preamble: document.outline.has_body(0, text),
            aliases: document.aliases.clone(),
        }
    }

    /// True if the document has a section of this name.
    pub(super) fn has_section(&self, slug: &str) -> bool {
        let key = heading_key(slug);
        self.sections.contains(&slug.to_lowercase())
            || slug == "preamble" && self.has_preamble
            || !key.is_empty() && self.sections.iter().any(|known| heading_key(known) == key)
    }
}

/// Returns the headings as written. The outline omits headings without text below them, but a link may name them.
/// Comments in code blocks are also taken for headings, which does no harm here.
fn written_headings(text: &str) -> impl Iterator<Item = String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| line.trim_matches(['#', ' ', '\t', '\r']).to_lowercase().replace(' ', "-"))
}

/// Returns the anchors that raw HTML defines: `id="…"` and `name="…"`.
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

/// Returns the base of a target; `None` for an empty one, and for one that isn't checked, which is counted.
fn base_of(target: &str, unchecked: &mut Unchecked) -> Option<Base> {
    let first = target.split(['/', '#', '?']).next().unwrap_or_default();
    if target.contains("{{") || target.contains("{%") {
        unchecked.templates += 1;
    } else if target.starts_with("//") || matches!(first.to_ascii_lowercase().as_str(), "http:" | "https:") {
        unchecked.external += 1;
    } else if first.contains(':') {
        unchecked.other_schemes += 1;
    } else if target.starts_with('/') {
        return Some(Base::Root);
    } else if !target.is_empty() {
        return Some(Base::Document);
    }
    None
}

/// Checks the links of all documents. `others` are the absolute paths of files that aren't documents, such as images.
pub(super) fn check(facts: &[LinkFacts], others: &[String], config: &Config) -> LinkReport {
    let checker = Checker {
        by_file: facts.iter().map(|facts| (facts.file.as_path(), facts)).collect(),
        pages: pages(facts),
        attachments: others.iter().map(|path| last_name(path)).collect(),
        site: Site::new(facts, others.iter().cloned(), &config.project),
        config,
    };
    let mut report = LinkReport::default();
    for facts in facts {
        report.unchecked.add(&facts.unchecked);
        for link in &facts.links {
            let missing = match checker.missing(facts, link) {
                Verdict::Unresolved => {
                    report.unchecked.root += 1;
                    continue;
                }
                Verdict::Fine => None,
                Verdict::Missing(missing) => Some(missing),
            };
            report.checked += 1;
            report.broken.extend(missing.map(|missing| BrokenLink {
                doc: facts.doc.clone(),
                line: link.line,
                target: link.target.clone(),
                resolved: checker.resolved(facts, link),
                missing,
            }));
        }
    }
    report
}

/// Indexes the documents by the names that wiki links use for them.
fn pages(facts: &[LinkFacts]) -> HashMap<String, &LinkFacts> {
    let mut pages: HashMap<String, &LinkFacts> = HashMap::new();
    for facts in facts {
        let stem = facts.file.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
        let aliases = facts.aliases.iter().map(|alias| alias.to_lowercase());
        let name = facts.file.file_name().map(|name| name.to_string_lossy().to_lowercase());
        for page in stem.into_iter().chain(name).chain(aliases) {
            pages.entry(composed(&page).into_owned()).or_insert(facts);
        }
    }
    pages
}

impl Unchecked {
    fn add(&mut self, other: &Unchecked) {
        self.external += other.external;
        self.other_schemes += other.other_schemes;
        self.templates += other.templates;
        self.root += other.root;
    }
}

/// The result of checking a link.
enum Verdict {
    Fine,
    Missing(&'static str),
    Unresolved,
}

impl Verdict {
    fn new(missing: Option<&'static str>) -> Self {
        missing.map_or(Verdict::Fine, Verdict::Missing)
    }
}

/// Everything that links may lead to.
struct Checker<'a> {
    by_file: HashMap<&'a Path, &'a LinkFacts>,
    pages: HashMap<String, &'a LinkFacts>,
    /// The names of other files: a wiki link may name one without its directory.
    attachments: HashSet<String>,
    site: Site<'a>,
    config: &'a Config,
}

impl Checker<'_> {
    fn missing(&self, facts: &LinkFacts, link: &LocalLink) -> Verdict {
        let target = &link.target;
        match link.base {
            Base::Document => Verdict::new(missing_file(facts, target, &self.by_file)),
            Base::Page => {
                let missing = missing_page(facts, target, &self.by_file, &self.pages);
                Verdict::new(missing.filter(|_| !self.attachments.contains(&last_name(target))))
            }
            Base::Root => {
                let fragment = target.split_once('#').map_or("", |(_, fragment)| fragment);
                let tree = self.config.tree(facts.doc.tree.as_str());
                match tree.map_or(Destination::NoRoot, |tree| self.site.destination(tree, target)) {
                    Destination::Document(found) => Verdict::new(missing_heading(found, fragment)),
                    Destination::Other => Verdict::Fine,
                    Destination::Nothing => Verdict::Missing("no such file"),
                    Destination::NoRoot => Verdict::Unresolved,
                }
            }
        }
    }

    /// Returns the target independent of where it is written. A target relative to its document is prefixed with the
    /// tree.
    fn resolved(&self, facts: &LinkFacts, link: &LocalLink) -> String {
        let Base::Document = link.base else { return link.target.clone() };
        let (path, fragment) = link.target.split_once('#').map_or((link.target.as_str(), ""), |parts| parts);
        let path = percent_decode(path.split('?').next().unwrap_or(path));
        let file = match facts.file.parent() {
            Some(directory) if !path.is_empty() => clean(&directory.join(path)),
            _ => facts.file.clone(),
        };
        let tree = self.config.tree(facts.doc.tree.as_str());
        let below = tree.and_then(|tree| file.strip_prefix(&tree.root).ok());
        let name = match below {
            Some(below) => format!("{}:{}", facts.doc.tree, below.display()),
            None => file.strip_prefix(&self.config.project).unwrap_or(&file).display().to_string(),
        };
        if fragment.is_empty() { name } else { format!("{name}#{fragment}") }
    }
}

fn missing_file(
    facts: &LinkFacts,
    target: &str,
    by_file: &HashMap<&Path, &LinkFacts>,
) -> Option<&'static str> {
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
    facts: &LinkFacts,
    target: &str,
    by_file: &HashMap<&Path, &LinkFacts>,
    pages: &HashMap<String, &LinkFacts>,
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

/// Returns the name of a file as wiki links write it: without its directory, in lower case.
fn last_name(path: &str) -> String {
    composed(path.rsplit('/').next().unwrap_or(path).trim()).to_lowercase()
}

/// Returns the anchor of a wiki link. Obsidian writes the heading itself after `#`, and block references as `#^id`.
fn as_anchor(fragment: &str) -> String {
    let last = fragment.rsplit('#').next().unwrap_or(fragment);
    if last.starts_with('^') { String::new() } else { last.trim().replace(' ', "-") }
}

fn missing_heading(facts: &LinkFacts, fragment: &str) -> Option<&'static str> {
    let anchor = percent_decode(fragment).to_lowercase();
    let key = heading_key(&anchor);
    let known = anchor.is_empty()
        || is_line(&anchor)
        || facts.anchors.contains(&anchor)
        || facts.heading_keys().contains(&key);
    (!known).then_some("no such heading")
}

/// True if an anchor names lines, as in `#L3` and `#L3-L5`, which sites that show source files support.
fn is_line(anchor: &str) -> bool {
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
    let parts = anchor.splitn(2, '-').map(|part| part.trim_start_matches('l'));
    anchor.starts_with('l') && parts.into_iter().all(number)
}

/// Returns the files that a path may refer to: itself, the source of a page that is published under that name, or the
/// page of a directory.
fn candidates(path: &str) -> impl Iterator<Item = String> {
    let source = path.strip_suffix(".html").map(|stem| format!("{stem}.md"));
    let own = path.trim_end_matches('/');
    let sources = ["md", "mdx", "markdown"].map(|extension| format!("{own}.{extension}"));
    [path.to_owned()].into_iter().chain(sources).chain(source)
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

pub(super) fn percent_decode(text: &str) -> String {
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
    fn a_target_is_relative_to_its_document_or_to_a_root_or_counted() {
        let mut unchecked = Unchecked::default();
        for target in ["a.md", "../b/c.md#d", "#e", "a%20b.md", "x/y:z.md"] {
            assert_eq!(base_of(target, &mut unchecked), Some(Base::Document), "{target}");
        }
        assert_eq!(base_of("/docs/a", &mut unchecked), Some(Base::Root));
        assert_eq!(unchecked, Unchecked::default());
        for target in
            ["https://a.b", "HTTP://a.b", "//a.b/c", "mailto:a@b", "{{< ref x >}}", "/x/{% y %}", ""]
        {
            assert_eq!(base_of(target, &mut unchecked), None, "{target}");
        }
        assert_eq!(unchecked, Unchecked { external: 3, other_schemes: 1, templates: 2, root: 0 });
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

//! The facts about one document that resolving links needs after its text is dropped.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::OnceLock;

use super::block_name::block_ids;
use super::document_name::heading_key;
use super::heading_path::{PathHeading, find_path};
use crate::document::{Document, DocumentKind, LinkBase, Node, Outline, percent_decode};
use crate::id::{ChunkId, DocId};
use crate::index::RecordHead;

/// The facts about one document that link checking needs after its text is dropped.
pub(super) struct LinkFacts {
    pub(super) doc: DocId,
    kind: DocumentKind,
    pub(super) file: PathBuf,
    pub(super) title: String,
    pub(super) aliases: Vec<String>,
    pub(super) links: Vec<LocalLink>,
    pub(super) unchecked: Unchecked,
    /// The anchors that links may name: the sections and everything else.
    pub(super) anchors: HashSet<String>,
    /// The keys of the anchors, computed when a link matches no anchor exactly.
    heading_keys: OnceLock<HashSet<String>>,
    /// The slug of each section by its anchor and its slug in lower case.
    sections: HashMap<String, String>,
    /// The sections in document order.
    headings: Vec<SectionHeading>,
    has_preamble: bool,
}

/// The heading of a section.
struct SectionHeading {
    /// Its 1-based line.
    line: usize,
    slug: String,
    path: PathHeading,
}

/// A link that may lead to a document.
pub(super) struct LocalLink {
    pub(super) base: LinkBase,
    /// The target as written.
    pub(super) target: String,
    /// The visible text.
    pub(super) text: String,
    /// The 1-based line.
    pub(super) line: usize,
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

impl Unchecked {
    fn count(&mut self, base: LinkBase) {
        match base {
            LinkBase::External => self.external += 1,
            LinkBase::OtherScheme => self.other_schemes += 1,
            LinkBase::Template => self.templates += 1,
            LinkBase::Document | LinkBase::Root | LinkBase::Page | LinkBase::Empty => {}
        }
    }

    pub(super) fn add(&mut self, other: &Unchecked) {
        self.external += other.external;
        self.other_schemes += other.other_schemes;
        self.templates += other.templates;
        self.root += other.root;
    }
}

impl LinkFacts {
    pub(super) fn heading_keys(&self) -> &HashSet<String> {
        self.heading_keys.get_or_init(|| self.anchors.iter().map(|anchor| heading_key(anchor)).collect())
    }

    pub(super) fn new(doc: DocId, file: PathBuf, document: &Document, text: &str) -> Self {
        let mut unchecked = Unchecked::default();
        let mut links = Vec::new();
        for link in &document.links {
            let base = LinkBase::of(link, text);
            if !matches!(base, LinkBase::Document | LinkBase::Root | LinkBase::Page) {
                unchecked.count(base);
                continue;
            }
            let (target, text) = (link.target.clone(), link.text.clone());
            links.push(LocalLink { base, target, text, line: link.line });
        }
        let sections = sections_of(&document.outline);
        let nodes = document.outline.nodes.iter().filter_map(|node| Some((node, node.slug.as_ref()?)));
        let blocks = block_ids(text).map(|id| format!("^{}", id.to_lowercase()));
        let written = html_anchors(text).chain(written_headings(text)).chain(blocks);
        Self {
            heading_keys: OnceLock::new(),
            doc,
            kind: document.kind,
            file,
            title: document.title.clone(),
            links,
            unchecked,
            anchors: sections.keys().cloned().chain(written).collect(),
            sections,
            headings: nodes.map(|(node, slug)| SectionHeading::new(node, slug)).collect(),
            has_preamble: document.outline.has_body(0, text),
            aliases: document.aliases.clone(),
        }
    }

    /// Returns the facts that the index has about a document: its names, but not its links and sections.
    pub(super) fn of_names(head: RecordHead, file: PathBuf) -> Self {
        Self {
            doc: head.doc,
            kind: head.kind,
            file,
            title: head.title,
            aliases: head.aliases,
            links: Vec::new(),
            unchecked: Unchecked::default(),
            anchors: HashSet::new(),
            heading_keys: OnceLock::new(),
            sections: HashMap::new(),
            headings: Vec::new(),
            has_preamble: false,
        }
    }

    pub(super) fn is_rst(&self) -> bool {
        self.kind == DocumentKind::Rst
    }

    /// Adds the sections of an outline that the index has.
    pub(super) fn add_sections(&mut self, outline: &Outline) {
        self.sections = sections_of(outline);
        self.anchors = self.sections.keys().cloned().collect();
    }

    /// True if the document has a section of this name.
    pub(super) fn has_section(&self, slug: &str) -> bool {
        let key = heading_key(slug);
        self.sections.contains_key(&slug.to_lowercase())
            || slug == "preamble" && self.has_preamble
            || !key.is_empty() && self.sections.keys().any(|known| heading_key(known) == key)
            || find_path(self.headings.iter().map(|heading| &heading.path), slug).is_some()
    }

    /// Returns the names of all sections, each with the document.
    pub(super) fn labels(&self) -> impl Iterator<Item = (String, &LinkFacts)> {
        self.sections.keys().map(move |label| (label.clone(), self))
    }

    /// Returns the section that a fragment of a link names, or the document.
    pub(super) fn section(&self, fragment: &str) -> ChunkId {
        let anchor = percent_decode(fragment).to_lowercase();
        let key = heading_key(&anchor);
        let similar =
            || self.sections.iter().find(|(known, _)| heading_key(known) == key).map(|(_, slug)| slug);
        let slug = match anchor.is_empty() {
            true => None,
            false => self.sections.get(&anchor).or_else(|| if key.is_empty() { None } else { similar() }),
        };
        self.doc.chunk(slug.map(String::as_str))
    }

    /// Returns the section that a line is in, or the document.
    pub(super) fn section_at(&self, line: usize) -> ChunkId {
        let after = self.headings.partition_point(|heading| heading.line <= line);
        self.doc.chunk(after.checked_sub(1).map(|nr| self.headings[nr].slug.as_str()))
    }

    /// True if an anchor in lower case names a section, a block or another place of the document.
    pub(super) fn has_anchor(&self, anchor: &str) -> bool {
        self.anchors.contains(anchor)
            || !anchor.starts_with('^') && self.heading_keys().contains(&heading_key(anchor))
    }

    /// Returns the anchor that the fragment of a wiki link means. Obsidian writes the heading itself after `#`, with
    /// those above it if need be, and blocks as `#^id`.
    pub(super) fn wiki_anchor(&self, fragment: &str) -> String {
        let written = fragment.trim().replace(' ', "-");
        // A heading may contain a `#` of its own.
        let Some((_, last)) = written.rsplit_once('#').filter(|_| !self.has_anchor(&written.to_lowercase()))
        else {
            return written;
        };
        match find_path(self.headings.iter().map(|heading| &heading.path), fragment) {
            Some(nr) => self.headings[nr].slug.clone(),
            // A heading without text has no section, but a link may name it.
            None if written
                .split('#')
                .all(|part| self.has_anchor(&part.trim_matches('-').to_lowercase())) =>
            {
                last.trim_matches('-').to_owned()
            }
            None if last.starts_with('^') => last.to_owned(),
            None => written,
        }
    }
}

impl SectionHeading {
    fn new(node: &Node, slug: &str) -> Self {
        let path = PathHeading { level: node.level, key: heading_key(&node.title) };
        Self { line: node.lines.0 as usize, slug: slug.to_owned(), path }
    }
}

/// Returns the slug of each section by its anchor and its slug in lower case. A heading with an anchor has no other id
/// on a site, so anchors take precedence over the slugs of other headings.
fn sections_of(outline: &Outline) -> HashMap<String, String> {
    let named = || outline.nodes.iter().filter_map(|node| Some((node, node.slug.as_ref()?)));
    let anchors = named().filter_map(|(node, slug)| Some((node.anchor.as_ref()?, slug)));
    let mut sections = HashMap::new();
    for (name, slug) in anchors.chain(named().map(|(_, slug)| (slug, slug))) {
        sections.entry(name.to_lowercase()).or_insert_with(|| slug.clone());
    }
    sections
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

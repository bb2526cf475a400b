//! Known items: queries derived from the documents themselves, each with the section or document it should find.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use super::link_targets::{LinkTargets, documents, file_of};
use crate::document::{ConversionCache, Document, LinkKind, Node};
use crate::error::Result;
use crate::id::{ChunkId, DocId, TreeName};
use crate::index::{Analyzer, LanguageId, LineageNode, Record, Snapshot};
use crate::kb::{KnowledgeBase, ReadDocument};

/// The origin of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KnownItemOrigin {
    /// The heading of a section.
    Heading,
    /// The description in a document's front matter.
    Description,
    /// The text of a link to a section or a document.
    Link,
}

impl KnownItemOrigin {
    /// Every origin.
    pub const ALL: [KnownItemOrigin; 3] =
        [KnownItemOrigin::Heading, KnownItemOrigin::Description, KnownItemOrigin::Link];
}

/// A query and its target.
#[derive(Clone, Debug)]
pub(super) struct KnownItem {
    pub(super) origin: KnownItemOrigin,
    pub(super) query: String,
    pub(super) target: Target,
}

/// The section or document that a query should find.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Target {
    pub(super) id: ChunkId,
    /// The document, as hits name it.
    doc: Arc<str>,
    ord: u32,
    /// One past the last node that also counts as found.
    end: u32,
    pub(super) line: usize,
    pub(super) language: LanguageId,
}

impl Target {
    /// A section itself; its subsections don't count.
    fn section(record: &Record, doc: &Arc<str>, node: &Node) -> Self {
        Target { end: node.ord + 1, ..Self::anything_in(record, doc, node) }
    }

    /// A section or document with everything in it.
    fn anything_in(record: &Record, doc: &Arc<str>, node: &Node) -> Self {
        Target {
            id: record.id(node.ord),
            doc: doc.clone(),
            ord: node.ord,
            end: node.end,
            line: node.lines.0 as usize,
            language: record.language,
        }
    }

    pub(super) fn tree(&self) -> &TreeName {
        &self.id.doc.tree
    }

    /// True if a match in this document at this node is the section itself.
    pub(super) fn is_match(&self, doc: &str, ord: u32) -> bool {
        *self.doc == *doc && self.ord == ord
    }

    /// True if a result in this document at this node shows the target.
    pub(super) fn is_shown_by(&self, doc: &str, node: &LineageNode) -> bool {
        *self.doc == *doc && (node.contains(self.ord) || (self.ord..self.end).contains(&node.ord))
    }
}

/// All known items of an index.
#[derive(Debug, Default)]
pub(super) struct KnownItems {
    pub(super) items: Vec<KnownItem>,
    /// How many sections have each heading.
    headings: HashMap<String, usize>,
    /// Headings that too many sections share, spelled as in one of them, with the number of sections. These sections
    /// are not queried.
    pub(super) generic: BTreeMap<String, (String, usize)>,
}

impl KnownItems {
    /// Returns how many sections have this heading.
    pub(super) fn namesakes(&self, analyzer: &mut Analyzer, heading: &str) -> usize {
        self.headings.get(&key(analyzer, heading)).copied().unwrap_or_default()
    }

    /// Derives queries from every heading, description and link text. A heading that more than `most` sections have
    /// identifies none of them.
    pub(super) fn collect(kb: &KnowledgeBase, snapshot: &Snapshot, most: usize) -> Result<Self> {
        let docs = documents(snapshot);
        let records: Vec<(Arc<Record>, Arc<str>)> = docs
            .par_iter()
            .filter_map(|doc| Some(snapshot.record(doc).transpose()?.map(|it| (it, doc.to_string().into()))))
            .collect::<Result<_>>()?;
        let sections: Vec<(String, KnownItem)> = records
            .par_iter()
            .map_init(|| snapshot.analyzer(), |analyzer, (record, doc)| sections(analyzer, record, doc))
            .flatten_iter()
            .collect();
        let mut known = KnownItems::default();
        for (key, _) in &sections {
            *known.headings.entry(key.clone()).or_default() += 1;
        }
        for (key, section) in sections {
            match known.headings.get(&key) {
                Some(count) if *count > most => {
                    known.generic.entry(key).or_insert((section.query, *count));
                }
                _ => known.items.push(section),
            }
        }
        known.items.extend(from_texts(kb, snapshot, &docs, &records));
        Ok(known)
    }
}

/// Returns a text as the index analyzes it, so different spellings of the same words are equal.
fn key(analyzer: &mut Analyzer, text: &str) -> String {
    let mut key = String::new();
    analyzer.tokens(text, &mut |token| {
        key.push_str(token.text);
        key.push(' ');
    });
    if key.is_empty() { text.to_lowercase() } else { key }
}

/// Returns the sections of a document by their headings.
fn sections(analyzer: &mut Analyzer, record: &Record, doc: &Arc<str>) -> Vec<(String, KnownItem)> {
    let keys: Vec<String> = record.outline.nodes.iter().map(|node| key(analyzer, &node.title)).collect();
    let mut found = Vec::new();
    for ((node, part), key) in record.outline.nodes.iter().zip(&record.parts).zip(&keys) {
        // The title often repeats the first heading; the heading then counts for both.
        let repeated = node.level == 0 && keys.iter().skip(1).any(|other| other == key);
        if part.tokens > 0 && !repeated {
            let target = Target::section(record, doc, node);
            found.push((
                key.clone(),
                KnownItem { origin: KnownItemOrigin::Heading, query: node.title.clone(), target },
            ));
        }
    }
    found
}

/// The description of a document, and its links as text, document and heading.
#[derive(Default)]
struct DocumentTexts {
    description: Option<String>,
    links: Vec<(String, DocId, String)>,
}

/// Returns the queries derived from descriptions and links.
fn from_texts(
    kb: &KnowledgeBase,
    snapshot: &Snapshot,
    docs: &[DocId],
    records: &[(Arc<Record>, Arc<str>)],
) -> Vec<KnownItem> {
    let places = LinkTargets::new(docs);
    let by_doc: HashMap<&DocId, &(Arc<Record>, Arc<str>)> =
        records.iter().map(|entry| (&entry.0.doc, entry)).collect();
    let conversions = snapshot.conversions();
    let texts: Vec<(&DocId, DocumentTexts)> = docs
        .par_iter()
        .filter_map(|doc| Some((doc, document_texts(kb, &conversions, &places, doc)?)))
        .collect();
    let mut analyzer = snapshot.analyzer();
    let mut items = Vec::new();
    let mut links: BTreeMap<String, (String, BTreeSet<Target>)> = BTreeMap::new();
    for (doc, texts) in texts {
        if let (Some(query), Some((record, name))) = (texts.description, by_doc.get(doc))
            && let Some(node) = record.outline.node(0)
        {
            let target = Target::anything_in(record, name, node);
            items.push(KnownItem { origin: KnownItemOrigin::Description, query, target });
        }
        for (text, target, fragment) in texts.links {
            let Some((record, name)) = by_doc.get(&target) else { continue };
            let Some(node) = named(record, &fragment) else { continue };
            let entry = links.entry(key(&mut analyzer, &text)).or_insert_with(|| (text, BTreeSet::new()));
            entry.1.insert(Target::anything_in(record, name, node));
        }
    }
    // A link text with several targets, such as "here", identifies none of them.
    for (query, targets) in links.into_values().filter(|(_, targets)| targets.len() == 1) {
        items.extend(targets.into_iter().map(|target| KnownItem {
            origin: KnownItemOrigin::Link,
            query: query.clone(),
            target,
        }));
    }
    items
}

/// Returns the texts of a document that can be used as queries.
fn document_texts(
    kb: &KnowledgeBase,
    conversions: &ConversionCache,
    places: &LinkTargets<'_>,
    doc: &DocId,
) -> Option<DocumentTexts> {
    let ReadDocument { document: Document { links, description, .. }, .. } =
        kb.read_document(&file_of(kb.config(), doc), conversions, false)?;
    let mut texts = DocumentTexts {
        description: description.filter(|description| description.contains(char::is_alphanumeric)),
        links: Vec::new(),
    };
    for link in links.iter().filter(|link| link.kind != LinkKind::Image) {
        let text = link.text.trim();
        let is_name = text.contains(char::is_alphanumeric) && !text.contains("://");
        let target = places.resolve(doc, &link.target).filter(|target| is_name && *target != doc);
        if let Some(target) = target {
            let fragment = link.target.split_once('#').map_or("", |(_, fragment)| fragment);
            texts.links.push((text.to_owned(), target.clone(), fragment.to_lowercase()));
        }
    }
    Some(texts)
}

/// Returns the node that a fragment names, or the document if the fragment is empty; `None` if no heading has that
/// name.
fn named<'a>(record: &'a Record, fragment: &str) -> Option<&'a Node> {
    if fragment.is_empty() {
        return record.outline.node(0);
    }
    let is_it = |name: &Option<String>| name.as_ref().is_some_and(|name| name.to_lowercase() == fragment);
    record.outline.nodes.iter().find(|node| is_it(&node.slug) || is_it(&node.anchor))
}

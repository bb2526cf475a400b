//! From results to text: only now is anything read from the disk, and only what will be shown.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::aggregate::Group;
use super::highlight::ranges;
use crate::config::Config;
use crate::document::Node;
use crate::error::Result;
use crate::id::{ChunkId, DocId};
use crate::index::{Extent, Record, Snapshot};
use crate::text::{Lines, Span};

/// A result with its text.
#[derive(Clone, Debug)]
pub struct Passage {
    /// The chunk, or the section that stands for several.
    pub id: ChunkId,
    /// Its heading.
    pub title: String,
    /// Its place in the document.
    pub breadcrumb: String,
    /// The heading level; 0 for a document.
    pub level: u8,
    /// The score.
    pub score: f32,
    /// The first and last line in the source file, counted from 1.
    pub lines: (usize, usize),
    /// The tokens of the text, as counted when it was indexed.
    pub tokens: usize,
    /// The text, with its heading.
    pub content: String,
    /// Where each run of lines begins: its offset in `content` and its line in the source file. There is one,
    /// unless sections that are results of their own stand in between.
    pub runs: Vec<(usize, usize)>,
    /// Where the matches stand in `content`.
    pub matches: Vec<Span>,
    /// The matching chunks that this result stands for; empty for a chunk that stands for itself alone.
    pub parts: Vec<PassagePart>,
}

impl Passage {
    /// The line of the source file that each line of `content` stands on, counted from 1.
    pub fn line_numbers(&self) -> Vec<usize> {
        let lines = Lines::new(&self.content);
        let mut numbers = Vec::with_capacity(lines.count());
        for (nr, &(from, line)) in self.runs.iter().enumerate() {
            let end = self.runs.get(nr + 1).map_or(lines.count() + 1, |(next, _)| lines.line_of(*next));
            numbers.extend((lines.line_of(from)..end).zip(line..).map(|(_, line)| line));
        }
        numbers
    }
}

/// A matching chunk inside a result.
#[derive(Clone, Debug)]
pub struct PassagePart {
    /// The chunk.
    pub id: ChunkId,
    /// Its heading.
    pub title: String,
    /// Its first and last line.
    pub lines: (usize, usize),
    /// Its own score.
    pub score: f32,
}

/// What reading gave.
#[derive(Debug, Default)]
pub struct Expansion {
    /// The results with their text.
    pub passages: Vec<Passage>,
    /// Results that the disk no longer has as they were indexed.
    pub vanished: usize,
}

/// Reads the text of the results.
pub fn expand(
    snapshot: &Snapshot,
    config: &Config,
    groups: &[Group],
    tokens: &BTreeSet<String>,
) -> Result<Expansion> {
    let mut expansion = Expansion::default();
    let mut analyzer = snapshot.analyzer();
    let mut records: HashMap<Arc<str>, Option<Record>> = HashMap::new();
    for group in groups {
        let Some(doc) = DocId::from_column(&group.doc) else { continue };
        let Some(tree) = config.tree(doc.tree.as_str()) else { continue };
        let file = tree.root.join(&doc.path);
        // Several results are often of one document, whose record may be large.
        let record = match records.entry(group.doc.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(snapshot.record(&doc)?),
        };
        match record.as_ref().and_then(|record| passage(group, record, &file)) {
            None => expansion.vanished += 1,
            Some(mut passage) => {
                passage.matches = ranges(&mut analyzer, tokens, &passage.content);
                expansion.passages.push(passage);
            }
        }
    }
    Ok(expansion)
}

fn passage(group: &Group, record: &Record, file: &std::path::Path) -> Option<Passage> {
    let node = record.outline.node(group.node.ord)?;
    let extent = if group.is_aggregated() { Extent::Subtree } else { Extent::Own };
    let pieces = record.read(file, node.ord, extent)?;
    let lines = (pieces.first()?.lines.0, pieces.last()?.lines.1);
    let tokens = match extent {
        Extent::Own => record.parts.get(node.ord as usize)?.tokens as usize,
        Extent::Subtree => record.tokens(node.ord),
    };
    let part = |ord: u32, score: f32| {
        let node: &Node = record.outline.node(ord)?;
        let lines = record.outline.own_lines(ord);
        Some(PassagePart { id: record.id(ord), title: node.title.clone(), lines, score })
    };
    let parts = if group.is_aggregated() {
        group.parts.iter().filter_map(|hit| part(hit.ord, hit.score)).collect()
    } else {
        Vec::new()
    };
    let mut content = String::new();
    let mut runs = Vec::with_capacity(pieces.len());
    for piece in pieces {
        runs.push((content.len(), piece.lines.0));
        content.push_str(&piece.text);
    }
    Some(Passage {
        id: record.id(node.ord),
        title: node.title.clone(),
        breadcrumb: record.outline.breadcrumb(node.ord),
        level: node.level,
        score: group.score,
        lines,
        tokens,
        content,
        runs,
        matches: Vec::new(),
        parts,
    })
}

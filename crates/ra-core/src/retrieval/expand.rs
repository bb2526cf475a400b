//! Reads the text of results from the source files. Of the earlier stages, only `fusion` reads any source text.
//!
//! With context, each matching section brings its parent, its nearest siblings and its first children. All
//! sections of one document then become one result in document order.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::aggregate::{Group, GroupHit};
use super::passage::{CompanionText, Passage, PassagePart};
use super::passage_section::{PassageSection, Role};
use crate::config::{Config, Expand};
use crate::document::Outline;
use crate::error::Result;
use crate::index::{
    Analyzer, ExcludedChunks, Extent, LanguageId, LineageNode, MatchFinder, PooledAnalyzer, Record, RecordId,
    Snapshot, SourceReader, Translation,
};

/// The output of [`expand`].
#[derive(Debug, Default)]
pub struct Expansion {
    /// The results with their text.
    pub passages: Vec<Passage>,
    /// The number of results whose text on disk is gone or no longer as indexed.
    pub vanished: usize,
}

/// Which sections to read besides the matching ones.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// The number of siblings and children; `None` if no context is wanted.
    pub limits: Option<&'a Expand>,
    /// The chunks to leave out.
    pub excluded: &'a ExcludedChunks,
}

impl Around<'_> {
    /// True if a node is left out: an excluded node, or a heading without its own text that has excluded
    /// nodes below it and doesn't contain the result.
    fn excludes(&self, group: &Group, record: &Record, ord: u32) -> bool {
        let Some(node) = record.outline.node(ord) else { return false };
        let step = LineageNode { ord, end: node.end, children: node.children };
        let has_text = record.parts.get(ord as usize).is_some_and(|part| part.tokens > 0);
        let is_bare = !has_text && !step.contains(group.node.ord);
        self.excluded.contains(group.record, ord) || is_bare && self.excluded.are_in(group.record, &step)
    }
}

/// The nodes to read from one document.
#[derive(Clone, Debug)]
struct Selection {
    id: RecordId,
    record: Arc<Record>,
    score: f32,
    /// The same page in other languages.
    translations: Vec<Translation>,
    /// The node that names the result.
    top: u32,
    /// The matching chunks. Empty for a single chunk without context.
    parts: Vec<GroupHit>,
    /// The nodes whose own text belongs to the result.
    nodes: BTreeMap<u32, Role>,
    /// Other sections of the document that are shown with it, best first.
    companions: Vec<Selection>,
}

impl Selection {
    /// Adds a section with text to a result that has none itself, such as a document that begins with nothing but front
    /// matter. If the section belongs to a companion, the whole companion becomes a part of the result.
    fn add(&mut self, ord: u32) {
        match self.companions.iter().position(|companion| companion.nodes.contains_key(&ord)) {
            Some(nr) => {
                let companion = self.companions.remove(nr);
                self.nodes.extend(companion.nodes);
                self.parts.extend(companion.parts);
                self.parts.sort_by_key(|part| part.ord);
            }
            None => {
                self.nodes.insert(ord, Role::Match);
            }
        }
    }
}

/// Reads the text of the results.
pub fn expand(
    snapshot: &Snapshot,
    config: &Config,
    groups: &[Group],
    match_finder: &MatchFinder,
    around: &Around<'_>,
) -> Result<Expansion> {
    let mut expansion = Expansion::default();
    let mut selections: Vec<Selection> = Vec::new();
    for group in groups {
        let record = snapshot.record_at(group.record)?;
        let translations = snapshot.translations(group.record)?;
        match around.limits {
            None => {
                let companions = group.companions.iter().map(|other| alone(other, record.clone())).collect();
                selections.push(Selection { translations, companions, ..alone(group, record) });
            }
            // All sections of a document are one result anyway.
            Some(limits) => {
                for group in group.with_companions() {
                    let translations = translations.clone();
                    let found = Selection { translations, ..alone(group, record.clone()) };
                    select_with_surroundings(&mut selections, group, found, (limits, around));
                }
            }
        }
    }
    let weights: Arc<[f32]> = match_finder.weights().into();
    // Highlight with the document's own stemmer, which decides what matched.
    let mut analyzers: HashMap<LanguageId, PooledAnalyzer> = HashMap::new();
    for selection in selections {
        let language = selection.record.language;
        let analyzer = analyzers.entry(language).or_insert_with(|| snapshot.analyzer_for(language));
        match passage(snapshot, config, (selection, groups), around, analyzer, (match_finder, &weights))? {
            Some(passage) => expansion.passages.push(passage),
            None => expansion.vanished += 1,
        }
    }
    Ok(expansion)
}

/// Selects a result without context.
fn alone(group: &Group, record: Arc<Record>) -> Selection {
    Selection {
        id: group.record,
        record,
        score: group.score,
        translations: Vec::new(),
        top: group.node.ord,
        parts: group.parts.clone(),
        nodes: shown_nodes(group).map(|ord| (ord, Role::Match)).collect(),
        companions: Vec::new(),
    }
}

/// Returns the nodes whose own text belongs to a result.
fn shown_nodes(group: &Group) -> Range<u32> {
    let end = if group.is_aggregated() { group.node.end } else { group.node.ord + 1 };
    group.node.ord..end
}

/// Adds a result and its context to the selection of its document.
fn select_with_surroundings(
    selections: &mut Vec<Selection>,
    group: &Group,
    mut found: Selection,
    (limits, around): (&Expand, &Around<'_>),
) {
    for ord in relatives(&found.record.outline, group.node.ord, limits) {
        if !around.excludes(group, &found.record, ord) {
            found.nodes.entry(ord).or_insert(Role::Context);
        }
    }
    let selection = match selections.iter_mut().find(|known| known.record.doc == found.record.doc) {
        None => {
            selections.push(found);
            selections.last_mut()
        }
        Some(known) => {
            // Results come best first, so the first score of a document is its highest.
            known.parts.extend(found.parts);
            for (ord, role) in found.nodes {
                let known = known.nodes.entry(ord).or_insert(role);
                if role == Role::Match {
                    *known = Role::Match;
                }
            }
            Some(known)
        }
    };
    if let Some(selection) = selection {
        selection.parts.sort_by_key(|part| part.ord);
        selection.top = common(&selection.record.outline, &selection.nodes);
    }
}

/// Returns the parent of a node, its nearest siblings and its first children, as far as they exist.
fn relatives(outline: &Outline, ord: u32, limits: &Expand) -> Vec<u32> {
    let mut found: Vec<u32> = outline.children(ord).take(limits.children).map(|child| child.ord).collect();
    if let Some(parent) = outline.node(ord).and_then(|node| node.parent) {
        let siblings: Vec<u32> = outline.children(parent).map(|sibling| sibling.ord).collect();
        let here = siblings.iter().position(|sibling| *sibling == ord).unwrap_or(siblings.len());
        found.extend(siblings[..here].iter().rev().take(limits.siblings));
        found.extend(siblings.iter().skip(here + 1).take(limits.siblings));
        found.push(parent);
    }
    found
}

/// Returns the lowest node that contains all of `nodes`.
fn common(outline: &Outline, nodes: &BTreeMap<u32, Role>) -> u32 {
    let (Some((&first, _)), Some((&last, _))) = (nodes.first_key_value(), nodes.last_key_value()) else {
        return 0;
    };
    let mut top = first;
    while let Some(node) = outline.node(top) {
        match node.parent {
            Some(parent) if last >= node.end => top = parent,
            _ => break,
        }
    }
    top
}

/// Reads a node with its subtree, as a result without a query. Text of more than `most` tokens is shortened.
/// Returns `None` if the disk no longer has the node as indexed.
pub fn whole(
    snapshot: &Snapshot,
    record: &Arc<Record>,
    file: &Path,
    ord: u32,
    most: usize,
) -> Result<Option<Passage>> {
    let Some(node) = record.outline.node(ord) else { return Ok(None) };
    let nodes = (ord..node.end).map(|ord| (ord, Role::Match)).collect();
    let selection = Selection {
        id: RecordId::default(),
        record: record.clone(),
        score: 0.0,
        translations: Vec::new(),
        top: ord,
        parts: Vec::new(),
        nodes,
        companions: Vec::new(),
    };
    let sections = read(snapshot, &selection, file)?;
    let (Some(passage), Some(sections)) = (without_text(&selection), sections) else { return Ok(None) };
    Ok(Some(passage.with_sections(sections, Arc::default(), most)))
}

/// Reads the text of a selection. Leaves out context sections that are gone, and returns `None` if a matching
/// section is gone.
fn passage(
    snapshot: &Snapshot,
    config: &Config,
    (mut selection, others): (Selection, &[Group]),
    around: &Around<'_>,
    analyzer: &mut Analyzer,
    (match_finder, weights): (&MatchFinder, &Arc<[f32]>),
) -> Result<Option<Passage>> {
    let doc = &selection.record.doc;
    let Some(tree) = config.tree(doc.tree.as_str()) else { return Ok(None) };
    let path = tree.root.join(&doc.path);
    let mut own = read(snapshot, &selection, &path)?;
    let says_nothing = own.as_ref().is_some_and(|own| own.iter().all(PassageSection::says_nothing));
    if says_nothing && let Some(first) = first_below(&selection, others, around.excluded) {
        selection.add(first);
        own = read(snapshot, &selection, &path)?;
        // It represents the whole result, so it ranks before all companions.
        own.iter_mut().flatten().for_each(|section| section.score = Some(f32::INFINITY));
    }
    let (Some(mut passage), Some(mut sections)) = (without_text(&selection), own) else {
        return Ok(None);
    };
    for companion in &selection.companions {
        if let (Some(mut part), Some(more)) = (top_part(companion), read(snapshot, companion, &path)?)
            && !more.iter().all(|section| section.says_nothing() || section.is_markup_only())
        {
            part.lines.0 = more.first().map_or(part.lines.0, |section| section.lines_of(section.shown()).0);
            let text = CompanionText { start: sections.len(), tokens: tokens(companion) };
            passage.all_tokens += text.tokens;
            passage.companions.push(part);
            passage.companion_texts.push(text);
            sections.extend(more);
        }
    }
    let texts: Vec<&str> = sections.iter().map(|section| section.text.as_str()).collect();
    let matches = match_finder.places(analyzer, &texts);
    for (section, matches) in sections.iter_mut().zip(matches) {
        section.matches = matches;
    }
    Ok(Some(passage.with_sections(sections, weights.clone(), config.search.max_result_tokens)))
}

/// Returns the first section with text below the one that names a result. Sections of other results and those that the
/// query excludes don't count.
fn first_below(selection: &Selection, groups: &[Group], excluded: &ExcludedChunks) -> Option<u32> {
    let Selection { id, record, top, .. } = selection;
    let has_text = |ord: u32| record.parts.get(ord as usize).is_some_and(|part| part.tokens > 0);
    let is_elsewhere = |ord: u32| {
        let others = groups.iter().filter(|group| group.record == *id && group.node.ord != *top);
        others.flat_map(Group::with_companions).any(|other| shown_nodes(other).contains(&ord))
    };
    let mut below = *top + 1..record.outline.node(*top)?.end;
    below.find(|ord| has_text(*ord) && !excluded.contains(*id, *ord) && !is_elsewhere(*ord))
}

/// Counts the tokens of a selection without its companions.
fn tokens(Selection { record, nodes, .. }: &Selection) -> usize {
    let tokens = |ord: &u32| record.parts.get(*ord as usize).map_or(0, |part| part.tokens as usize);
    nodes.keys().map(tokens).sum()
}

/// Describes a node of a document.
fn part(record: &Record, ord: u32, lines: (usize, usize), score: f32) -> Option<PassagePart> {
    let title = record.outline.node(ord)?.title.clone();
    Some(PassagePart { id: record.id(ord), ord, title, lines, score })
}

/// Describes a selection as a whole.
fn top_part(Selection { record, top, nodes, score, .. }: &Selection) -> Option<PassagePart> {
    let lines = |ord: &u32| record.outline.own_lines(*ord);
    let (first, last) = (nodes.keys().next().map(lines)?, nodes.keys().next_back().map(lines)?);
    part(record, *top, (first.0, last.1), *score)
}

/// Creates the result of a selection, without its companions and its text.
fn without_text(selection: &Selection) -> Option<Passage> {
    let record = &selection.record;
    let node = record.outline.node(selection.top)?;
    let part = |part: &GroupHit| self::part(record, part.ord, record.outline.own_lines(part.ord), part.score);
    let tokens = tokens(selection);
    Some(Passage {
        id: record.id(node.ord),
        kind: record.kind,
        ord: node.ord,
        title: node.title.clone(),
        breadcrumb: record.outline.breadcrumb(node.ord),
        level: node.level,
        score: selection.score,
        language: record.language,
        translations: selection.translations.clone(),
        tokens,
        all_tokens: tokens,
        // A single chunk needs no list of parts.
        parts: match selection.parts.as_slice() {
            [only] if only.ord == node.ord => Vec::new(),
            parts => parts.iter().filter_map(part).collect(),
        },
        companions: Vec::new(),
        companion_texts: Vec::new(),
        lines: (1, 1),
        pages: None,
        sections: Arc::default(),
        weights: Arc::default(),
        max_tokens: 0,
        growth: OnceLock::new(),
    })
}

/// Reads the own text of the nodes, in document order. Returns `None` if a matching node is gone.
fn read(
    snapshot: &Snapshot,
    Selection { record, nodes, parts, .. }: &Selection,
    file: &Path,
) -> Result<Option<Vec<PassageSection>>> {
    let mut source = SourceReader::new(file, snapshot.conversions());
    let mut sections = Vec::new();
    for (&ord, &role) in nodes {
        let Some(node) = record.outline.node(ord) else { return Ok(None) };
        let heading = if node.level == 0 { 0 } else { node.heading.len() };
        let score = parts.iter().find(|part| part.ord == ord).map(|part| part.score);
        match record.read(&mut source, ord, Extent::Own)? {
            None if role == Role::Match => return Ok(None),
            None => {}
            Some(pieces) => sections.extend(pieces.into_iter().map(|piece| PassageSection {
                id: record.id(ord),
                heading: if piece.span.start == node.heading.start { heading } else { 0 },
                span: piece.span,
                line: piece.lines.0,
                pages: piece.pages,
                text: piece.text,
                matches: Vec::new(),
                role,
                kind: record.kind,
                score,
            })),
        }
    }
    sections.sort_by_key(|section| section.span);
    Ok((!sections.is_empty()).then_some(sections))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{self, DocumentKind, ParseOptions};

    const GUIDE: &str = "\
# Guide
## Installation
Installation overview
### Prerequisites
p
### Steps
Installation steps
#### Step1
Step 1 details
### Configuration
c
### Later
l
### Last
z
## Other
o
";

    #[test]
    fn relatives_are_those_of_the_outline() {
        let options =
            ParseOptions { kind: DocumentKind::Markdown, file_name: "guide.md", chunk_at_headings: true };
        let outline = document::parse(GUIDE, &options).outline;
        let ord = |title: &str| outline.nodes.iter().find(|node| node.title == title).map(|node| node.ord);
        let titles = |name: &str, siblings, children| {
            let limits = Expand { siblings, children };
            let mut found = relatives(&outline, ord(name).unwrap(), &limits);
            found.sort_unstable();
            let title = |ord: &u32| outline.node(*ord).unwrap().title.clone();
            found.iter().map(title).collect::<Vec<String>>()
        };
        let around = ["Installation", "Prerequisites", "Step1", "Configuration", "Later"];
        assert_eq!(titles("Steps", 2, 5), around);
        assert_eq!(titles("Steps", 0, 0), ["Installation"]);
        assert_eq!(titles("Last", 1, 5), ["Installation", "Later"]);
        assert_eq!(titles("Step1", 2, 5), ["Steps"]);
    }
}

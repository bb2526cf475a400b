//! Answering a plan: every word becomes a list of the entries that have it with a score each, the lists are
//! combined as the plan says, and the best entries become hits.
//!
//! The score of a word is BM25F: its occurrences in all fields, weighted and each set against the field's
//! length, are summed first and saturated once. So a word in a heading counts for more than one in the text,
//! but no number of headings lets one common word outweigh the others.

use std::collections::BTreeSet;
use std::sync::Arc;

use tantivy::DocId as EntryId;

use super::compile::{Compiled, Notice, compile};
use super::hit::{Hit, Step};
use super::lists::{List, difference, intersection, score_of, union};
use super::plan::{Filter, Leaf, Plan};
use super::read::Snapshot;
use super::write::tag_levels;
use crate::config::Search;
use crate::error::Result;
use crate::id::TreeName;
use crate::query::Expr;

/// Where to look.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Only in these trees; in all when empty.
    pub trees: Vec<TreeName>,
    /// Only below these paths; everywhere when empty.
    pub paths: Vec<String>,
    /// Only in documents with all of these tags.
    pub tags: Vec<String>,
}

/// How a question is to be answered.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Where to look.
    pub scope: &'a Scope,
    /// The settings of the search.
    pub search: &'a Search,
    /// The trees there are, in the order that hits count them by.
    pub trees: &'a [TreeName],
    /// How many hits to give.
    pub most: usize,
    /// With fewer hits than this, a long query counts as not answered.
    pub few: usize,
}

/// What the index found.
#[derive(Debug, Default)]
pub struct Retrieved {
    /// The best hits, best first.
    pub hits: Vec<Hit>,
    /// How many chunks match in all.
    pub total: usize,
    /// True when not every word was required after all.
    pub relaxed: bool,
    /// The words of the query, in order.
    pub words: Vec<Word>,
    /// How the query was read where that is not obvious.
    pub notices: Vec<Notice>,
    /// The tokens that matched, for highlighting.
    pub tokens: BTreeSet<String>,
}

/// A word of the query and what became of it.
#[derive(Clone, Debug)]
pub struct Word {
    /// As it was written.
    pub text: String,
    /// The forms that were looked for, with their weight.
    pub forms: Vec<(String, f32)>,
    /// How many chunks have it.
    pub matches: usize,
    /// How rare it is: what one strong match is worth.
    pub rarity: f32,
}

/// A query with this many words is a question in prose, which no section needs to answer word for word.
const LONG_QUERY: usize = 4;

/// The constants of BM25: how fast repetition stops counting, and how much length matters.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// How much the document as a whole counts beside the chunk.
const DOCUMENT: f32 = 0.5;

impl Snapshot {
    /// Finds the best chunks.
    pub fn retrieve(&self, query: &Expr, question: &Question<'_>) -> Result<Retrieved> {
        let compiled = compile(self, query, question.search, question.trees)?;
        let documents = self.segments.iter().map(|segment| vec![0.0; segment.documents()]).collect();
        let mut evaluation = Evaluation {
            snapshot: self,
            compiled: &compiled,
            lists: Vec::new(),
            words: Vec::new(),
            documents,
        };
        let factors = compiled.factors();
        for (leaf, factor) in compiled.leaves.iter().zip(factors) {
            evaluation.look_up(leaf, factor)?;
        }
        let scope = scope_filters(question.scope, question.trees);
        let mut found = evaluation.matches(&scope, Mode::Strict)?;
        let mut total: usize = found.iter().map(Vec::len).sum();
        let mut relaxed = false;
        let optional = compiled.leaves.iter().filter(|leaf| leaf.may_be_missing).count();
        let unanswered = total == 0 || optional >= LONG_QUERY && total < question.few;
        if question.search.relax && optional > 1 && unanswered {
            let more = evaluation.matches(&scope, Mode::Relaxed)?;
            let count: usize = more.iter().map(Vec::len).sum();
            if count > total {
                (found, total, relaxed) = (more, count, true);
            }
        }
        let hits = evaluation.best(found, question);
        let tokens = evaluation.tokens();
        Ok(Retrieved { hits, total, relaxed, tokens, words: evaluation.words, notices: compiled.notices })
    }
}

/// Whether every word is required.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Strict,
    Relaxed,
}

fn scope_filters(scope: &Scope, trees: &[TreeName]) -> Vec<Filter> {
    let mut filters = Vec::new();
    let chosen = if scope.trees.is_empty() { trees } else { &scope.trees };
    if !scope.trees.is_empty() || !scope.paths.is_empty() {
        let everywhere = [String::new()];
        let paths = if scope.paths.is_empty() { &everywhere[..] } else { &scope.paths };
        let prefixes = chosen.iter().flat_map(|tree| {
            paths
                .iter()
                .map(move |path| format!("{tree}:{}", path.trim_start_matches("./").trim_start_matches('/')))
        });
        filters.push(Filter::Prefix(prefixes.collect()));
    }
    filters.extend(scope.tags.iter().filter_map(|tag| tag_levels(tag).last()).map(Filter::Tag));
    filters
}

struct Evaluation<'a> {
    snapshot: &'a Snapshot,
    compiled: &'a Compiled,
    /// For each leaf and segment, the entries that have it.
    lists: Vec<Vec<List>>,
    words: Vec<Word>,
    /// For each segment, the score of every document as a whole.
    documents: Vec<Vec<f32>>,
}

impl Evaluation<'_> {
    /// Finds the entries that have a word, and their scores.
    fn look_up(&mut self, leaf: &Leaf, factor: f32) -> Result<()> {
        let count = self.snapshot.segments.len();
        let mut lists: Vec<List> = vec![List::new(); count];
        let mut own: Vec<List> = vec![List::new(); count];
        let mut written = 0;
        for form in &leaf.forms {
            for segment in 0..count {
                let (mut found, mut raw) = self.snapshot.occurrences(segment, &form.tokens, &leaf.weights)?;
                for (_, score) in &mut found {
                    *score = form.closeness * saturated(*score);
                }
                for (_, score) in &mut raw {
                    *score *= form.closeness;
                }
                lists[segment] = union(std::mem::take(&mut lists[segment]), found, f32::max);
                own[segment] = union(std::mem::take(&mut own[segment]), raw, f32::max);
            }
            // Near words share the rarity of the word they stand for, or a rare typo would outrank it.
            if form.closeness > 0.8 || written == 0 {
                written = lists.iter().map(Vec::len).sum();
            }
        }
        let rarity = rarity(written, self.snapshot.stats.chunks);
        for (_, score) in lists.iter_mut().flatten() {
            *score *= rarity;
        }
        if factor > 0.0 {
            self.add_to_documents(&own, factor);
        }
        let forms = leaf.forms.iter().map(|form| (form.tokens.join(" "), form.closeness)).collect();
        let matches = lists.iter().map(Vec::len).sum();
        self.words.push(Word { text: leaf.text.clone(), forms, matches, rarity });
        self.lists.push(lists);
        Ok(())
    }

    /// Scores whole documents for a word, by the same formula as chunks.
    fn add_to_documents(&mut self, own: &[List], factor: f32) {
        let stats = &self.snapshot.stats;
        let mut counts: Vec<Vec<(u64, EntryId, f32)>> = Vec::with_capacity(own.len());
        for (segment, list) in self.snapshot.segments.iter().zip(own) {
            let mut documents: Vec<(u64, EntryId, f32)> = Vec::new();
            for &(entry, count) in list {
                let Some(id) = segment.id_of(entry) else { continue };
                match documents.last_mut() {
                    Some(last) if last.0 == id => last.2 += count,
                    _ => documents.push((id, entry, count)),
                }
            }
            counts.push(documents);
        }
        let rarity = rarity(counts.iter().map(Vec::len).sum(), stats.documents);
        for ((segment, documents), scores) in
            self.snapshot.segments.iter().zip(counts).zip(&mut self.documents)
        {
            for (id, entry, count) in documents {
                let length = segment.document_length.first(entry).unwrap_or_default();
                let count = weighted(count, 1.0, length as f32, stats.document);
                if let Some(score) = scores.get_mut(id as usize) {
                    *score += factor * rarity * saturated(count);
                }
            }
        }
    }

    /// What the document of an entry adds to its score.
    fn of_document(&self, segment: usize, entry: EntryId) -> f32 {
        let id = self.snapshot.segments[segment].id_of(entry);
        id.and_then(|id| self.documents[segment].get(id as usize)).map_or(0.0, |score| DOCUMENT * score)
    }

    /// The entries of every segment that match the plan and the scope.
    fn matches(&self, scope: &[Filter], mode: Mode) -> Result<Vec<List>> {
        let mut all = Vec::with_capacity(self.snapshot.segments.len());
        for segment in 0..self.snapshot.segments.len() {
            let mut list = self.list(&self.compiled.plan, segment, mode)?;
            for filter in scope {
                list = self.filtered(list, filter, segment)?;
            }
            all.push(list);
        }
        Ok(all)
    }

    fn list(&self, plan: &Plan, segment: usize, mode: Mode) -> Result<List> {
        Ok(match plan {
            Plan::Leaf(leaf) => self.lists[*leaf][segment].clone(),
            Plan::All(items) => self.all(items, segment, mode)?,
            Plan::Any(items) => {
                let mut list = List::new();
                for item in items {
                    list = union(list, self.list(item, segment, mode)?, |a, b| a + b);
                }
                list
            }
            Plan::Not(inner) => difference(self.everything(segment), &self.list(inner, segment, mode)?),
            Plan::Boost(inner, factor) => {
                let mut list = self.list(inner, segment, mode)?;
                for (_, score) in &mut list {
                    *score *= factor;
                }
                list
            }
            Plan::Filter(filter) => self.filtered(self.everything(segment), filter, segment)?,
            Plan::Everything => self.everything(segment),
        })
    }

    fn all(&self, items: &[Plan], segment: usize, mode: Mode) -> Result<List> {
        let mut required: Option<List> = None;
        let mut optional: Option<List> = None;
        for item in items.iter().filter(|item| !matches!(item, Plan::Not(_) | Plan::Filter(_))) {
            let list = self.list(item, segment, mode)?;
            if mode == Mode::Relaxed && self.may_be_missing(item) {
                optional = Some(union(optional.unwrap_or_default(), list, |a, b| a + b));
            } else {
                required = Some(match required {
                    None => list,
                    Some(before) => intersection(&before, &list),
                });
            }
        }
        let mut list = match (required, optional) {
            (Some(required), Some(optional)) => {
                let with_words = intersection(&required, &optional);
                union(required, with_words, |_, sum| sum)
            }
            (Some(list), None) | (None, Some(list)) => list,
            (None, None) => self.everything(segment),
        };
        for item in items {
            list = match item {
                Plan::Filter(filter) => self.filtered(list, filter, segment)?,
                Plan::Not(inner) => difference(list, &self.list(inner, segment, mode)?),
                _ => list,
            };
        }
        Ok(list)
    }

    fn may_be_missing(&self, plan: &Plan) -> bool {
        match plan {
            Plan::Leaf(leaf) => self.compiled.leaves[*leaf].may_be_missing,
            Plan::Boost(inner, _) => self.may_be_missing(inner),
            _ => false,
        }
    }

    /// Every chunk, with nothing to choose between them.
    fn everything(&self, segment: usize) -> List {
        self.snapshot.segments[segment].chunks().map(|entry| (entry, 1.0)).collect()
    }

    fn filtered(&self, mut list: List, filter: &Filter, segment: usize) -> Result<List> {
        let view = &self.snapshot.segments[segment];
        match filter {
            Filter::Prefix(prefixes) => {
                let ranges: Vec<_> = prefixes.iter().map(|prefix| view.ids_with_prefix(prefix)).collect();
                list.retain(|&(entry, _)| {
                    view.id_of(entry).is_some_and(|id| ranges.iter().any(|range| range.contains(&id)))
                });
                Ok(list)
            }
            Filter::Tag(tag) => {
                let tagged = self.snapshot.tagged(segment, tag)?;
                list.retain(|(entry, _)| tagged.binary_search(entry).is_ok());
                Ok(list)
            }
        }
    }

    /// The best entries as hits. Where scores are equal, the order of ids decides; ids of one segment
    /// compare by number, so only what may be in the answer is ever read as text.
    fn best(&self, found: Vec<List>, question: &Question<'_>) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (segment, mut list) in found.into_iter().enumerate() {
            for (entry, score) in &mut list {
                *score += self.of_document(segment, *entry);
            }
            let view = &self.snapshot.segments[segment];
            let ord = |entry: EntryId| view.lineage.first(entry).map_or(0, |packed| Step::unpack(packed).ord);
            let rank = |a: &(EntryId, f32), b: &(EntryId, f32)| {
                b.1.total_cmp(&a.1)
                    .then_with(|| view.id_of(a.0).cmp(&view.id_of(b.0)))
                    .then_with(|| ord(a.0).cmp(&ord(b.0)))
            };
            if list.len() > question.most {
                list.select_nth_unstable_by(question.most, rank);
                list.truncate(question.most);
            }
            hits.extend(
                list.into_iter().filter_map(|(entry, score)| self.hit(segment, entry, score, question)),
            );
        }
        hits.sort_by(Hit::ranking);
        hits.truncate(question.most);
        hits
    }

    fn hit(&self, segment: usize, entry: EntryId, score: f32, question: &Question<'_>) -> Option<Hit> {
        let view = &self.snapshot.segments[segment];
        let doc: Arc<str> = view.id_text(view.id_of(entry)?).into();
        let tree = doc.split_once(':')?.0;
        let tree = question.trees.iter().position(|known| known.as_str() == tree)?;
        let words = self
            .lists
            .iter()
            .enumerate()
            .filter_map(|(nr, lists)| Some((u16::try_from(nr).ok()?, score_of(&lists[segment], entry)?)));
        Some(Hit {
            doc,
            tree: u16::try_from(tree).ok()?,
            score,
            lineage: view.lineage.values_for_doc(entry).map(Step::unpack).collect(),
            document: self.of_document(segment, entry),
            words: words.collect(),
        })
    }

    fn tokens(&self) -> BTreeSet<String> {
        let forms = self.compiled.leaves.iter().flat_map(|leaf| &leaf.forms);
        forms.flat_map(|form| form.tokens.iter().cloned()).collect()
    }
}

/// What a number of occurrences counts for: less in a long text than in a short one.
pub(super) fn weighted(count: f32, weight: f32, length: f32, average: f32) -> f32 {
    weight * count / (1.0 - B + B * length / average.max(1.0))
}

/// The more often a word occurs, the less another occurrence adds.
fn saturated(count: f32) -> f32 {
    count * (K1 + 1.0) / (count + K1)
}

/// What a word is worth that `with` of `all` have.
fn rarity(with: usize, all: u64) -> f32 {
    let (with, all) = (with as f32, all as f32);
    (1.0 + (all - with + 0.5).max(0.0) / (with + 0.5)).ln()
}

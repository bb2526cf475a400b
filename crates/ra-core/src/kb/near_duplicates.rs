//! Finds documents and sections that are nearly the same, by the overlap of their runs of words.
//!
//! A text is reduced to a sketch: the smallest hash in each of 64 buckets over all runs of five words. The share of
//! equal buckets estimates the overlap of two texts, so no two texts are compared word by word.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use super::finding::{Finding, FindingKind, warning};
use crate::document::{Document, Node};
use crate::id::{ChunkId, DocId};

/// How many buckets a sketch has.
const BUCKETS: usize = 64;

/// How many buckets in a row must be equal before two sketches are compared.
const BAND: usize = 8;

/// How many words a run has.
const RUN_WORDS: usize = 5;

/// Shorter texts are alike by accident.
const MIN_WORDS: usize = 60;

/// The share of equal buckets from which on two texts are nearly the same.
const MIN_OVERLAP: f32 = 0.9;

/// How many others a finding names, and how many findings there are.
const MAX_NAMED_COPIES: usize = 5;
const MAX_FINDINGS: usize = 50;

/// The sketch of a document or section.
pub(super) struct Sketch {
    id: ChunkId,
    line: usize,
    /// The hash of the whole text, without white space.
    whole: u64,
    buckets: [u32; BUCKETS],
}

impl Sketch {
    /// Returns the sketches of a document and of its sections that are long enough.
    pub(super) fn all(id: &DocId, document: &Document, text: &str) -> Vec<Sketch> {
        let nodes = document.outline.nodes.iter();
        let sketch = |node: &Node| {
            let own = if node.level == 0 {
                node.span.of(text).to_owned()
            } else {
                document.outline.body(node.ord, text)
            };
            Self::of(id.chunk(node.slug.as_deref()), node.lines.0 as usize, &own)
        };
        nodes.filter_map(sketch).collect()
    }

    fn of(id: ChunkId, line: usize, text: &str) -> Option<Self> {
        let mut buckets = [u32::MAX; BUCKETS];
        let mut run = [0u64; RUN_WORDS];
        let mut words = 0;
        let mut whole = DefaultHasher::new();
        for word in text.split_whitespace() {
            let mut hasher = DefaultHasher::new();
            hasher.write(word.as_bytes());
            whole.write_u64(hasher.finish());
            run[words % RUN_WORDS] = hasher.finish();
            words += 1;
            if words >= RUN_WORDS {
                let mut hasher = DefaultHasher::new();
                (0..RUN_WORDS).for_each(|nr| hasher.write_u64(run[(words + nr) % RUN_WORDS]));
                let hash = hasher.finish();
                let bucket = &mut buckets[hash as usize % BUCKETS];
                *bucket = (*bucket).min((hash >> 32) as u32);
            }
        }
        (words >= MIN_WORDS).then(|| Self { id, line, whole: whole.finish(), buckets })
    }

    fn overlap(&self, other: &Sketch) -> f32 {
        let equal = self.buckets.iter().zip(&other.buckets).filter(|(one, other)| one == other).count();
        equal as f32 / BUCKETS as f32
    }
}

/// Reports texts that are nearly the same, one finding for each group. Documents with the same content are reported
/// elsewhere, and sections of documents that are nearly the same aren't reported again.
pub(super) fn near_copies(sketches: &[Sketch]) -> Vec<Finding> {
    let mut bands: HashMap<(usize, &[u32]), Vec<usize>> = HashMap::new();
    for (nr, sketch) in sketches.iter().enumerate() {
        for (band, buckets) in sketch.buckets.chunks(BAND).enumerate() {
            bands.entry((band, buckets)).or_default().push(nr);
        }
    }
    let mut groups = Groups::new(sketches.len());
    for similar in bands.into_values() {
        // Only the first of a band is compared, so a text that occurs a thousand times takes a thousand steps.
        for other in &similar[1..] {
            let (one, other) = (&sketches[similar[0]], other);
            if one.id.doc != sketches[*other].id.doc && one.overlap(&sketches[*other]) >= MIN_OVERLAP {
                groups.join(similar[0], *other);
            }
        }
    }
    findings(sketches, groups.collect())
}

fn findings(sketches: &[Sketch], groups: Vec<Vec<usize>>) -> Vec<Finding> {
    let is_document = |nr: &usize| sketches[*nr].id.slug.is_none();
    let documents: Vec<&Vec<usize>> = groups.iter().filter(|group| group.iter().any(is_document)).collect();
    let is_known = |group: &&Vec<usize>| {
        let docs: Vec<_> = group.iter().map(|nr| &sketches[*nr].id.doc).collect();
        documents
            .iter()
            .any(|known| docs.iter().all(|doc| known.iter().any(|nr| sketches[*nr].id.doc == **doc)))
    };
    let sections =
        groups.iter().filter(|group| !group.iter().any(is_document)).filter(|group| !is_known(group));
    // Copies of whole documents have a finding of their own.
    let differ =
        |group: &&&Vec<usize>| group.iter().any(|nr| sketches[*nr].whole != sketches[group[0]].whole);
    let all: Vec<&Vec<usize>> =
        documents.iter().copied().filter(|group| differ(&group)).chain(sections).collect();
    let mut findings: Vec<Finding> =
        all.iter().take(MAX_FINDINGS).map(|group| finding(sketches, group)).collect();
    if let (Some(last), more @ 1..) = (findings.last_mut(), all.len().saturating_sub(MAX_FINDINGS)) {
        last.message.push_str(&format!("; {more} more groups of texts are nearly the same"));
    }
    findings
}

fn finding(sketches: &[Sketch], group: &[usize]) -> Finding {
    let first = &sketches[group[0]];
    let named: Vec<String> =
        group[1..].iter().take(MAX_NAMED_COPIES).map(|nr| sketches[*nr].id.to_string()).collect();
    let more = group.len().saturating_sub(MAX_NAMED_COPIES + 1);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let message = format!("is nearly the same as {}{more}", named.join(", "));
    let hint = Some("keep one of them, and link to it from the others".to_owned());
    Finding { hint, ..warning(FindingKind::NearCopy, &first.id, Some(first.line), message) }
}

/// Groups of numbers, joined pair by pair.
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut nr: usize) -> usize {
        while self.0[nr] != nr {
            self.0[nr] = self.0[self.0[nr]];
            nr = self.0[nr];
        }
        nr
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
    }

    /// Returns the groups of more than one, in order.
    fn collect(mut self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.0.len()];
        for nr in 0..self.0.len() {
            let root = self.root(nr);
            groups[root].push(nr);
        }
        groups.retain(|group| group.len() > 1);
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketches(texts: &[(&str, String)]) -> Vec<Sketch> {
        let sketch = |(path, text): &(&str, String)| {
            let (path, slug) = path.split_once('#').map_or((*path, None), |(path, slug)| (path, Some(slug)));
            let id = DocId::new("docs".parse().unwrap(), path).chunk(slug);
            Sketch::of(id, 1, text)
        };
        texts.iter().filter_map(sketch).collect()
    }

    fn words(from: usize, count: usize) -> String {
        (from..from + count).map(|nr| format!("word{nr} ")).collect()
    }

    #[test]
    fn texts_with_a_few_other_words_are_nearly_the_same() {
        let found = near_copies(&sketches(&[
            ("a.md", words(0, 400)),
            ("b.md", words(0, 400) + "and more"),
            ("c.md", words(200, 400)),
            ("d.md", words(1000, 400)),
            ("short.md", words(0, 20)),
        ]));
        let found: Vec<String> =
            found.iter().map(|finding| format!("{}: {}", finding.place, finding.message)).collect();
        assert_eq!(found, ["docs:a.md: is nearly the same as docs:b.md"]);
    }

    #[test]
    fn sections_are_reported_unless_their_documents_are() {
        let sections = |path: &'static str| vec![(path, words(0, 100))];
        let mut texts = sections("a.md#x");
        texts.extend(sections("b.md#x"));
        assert_eq!(near_copies(&sketches(&texts)).len(), 1);
        texts.extend([("a.md", words(500, 300)), ("b.md", words(500, 300) + "end")]);
        let found = near_copies(&sketches(&texts));
        assert_eq!(found.iter().map(|finding| finding.place.as_str()).collect::<Vec<_>>(), ["docs:a.md"]);
        // The same content is reported elsewhere.
        let same = [("a.md", words(0, 100)), ("b.md", words(0, 100))];
        assert!(near_copies(&sketches(&same)).is_empty());
    }

    #[test]
    fn many_copies_are_one_finding() {
        let texts: Vec<(String, String)> =
            (0..2_000).map(|nr| (format!("{nr}.md#x"), words(0, 100))).collect();
        let texts: Vec<(&str, String)> =
            texts.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
        let found = near_copies(&sketches(&texts));
        assert_eq!(
            (found.len(), found[0].message.ends_with("and 1994 more")),
            (1, true),
            "{}",
            found[0].message
        );
    }
}

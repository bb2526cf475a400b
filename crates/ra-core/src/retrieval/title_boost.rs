//! Boosts the documents that a query names: those whose title words it contains, or whose file name it is. A
//! query that was built from a text gets a strong boost, because a text is about some things and only
//! mentions others, and both kinds of documents matter. A typed query gets a small one.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::RESULTS_PER_PAGE;
use crate::document::is_index_name;
use crate::index::{Analyzer, Hit, QueryWord, RecordId, Snapshot, name_hash};

/// The words to compare with titles.
#[derive(Clone, Copy, Debug)]
pub enum TitleBoost<'a> {
    /// The words of a query.
    Query(&'a str),
    /// The tokens of a text at hand.
    Text(&'a BTreeSet<String>),
}

/// The boost of a document whose whole title is in the query, or in the text.
const QUERY_TITLE_BOOST: f32 = 0.1;
const TEXT_TITLE_BOOST: f32 = 1.0;

/// The boost of a document whose file name is the query.
const BY_FILE_NAME: f32 = 0.2;

impl TitleBoost<'_> {
    /// Returns the minimum number of raw hits to retrieve: more if titles decide more.
    pub(super) fn min_hits(self, results: usize) -> usize {
        match self {
            TitleBoost::Query(_) => 0,
            TitleBoost::Text(_) => results.max(RESULTS_PER_PAGE).saturating_mul(20),
        }
    }

    /// Returns the largest factor that a document can get.
    pub(super) fn best_factor(self) -> f32 {
        match self {
            TitleBoost::Query(_) => 1.0 + QUERY_TITLE_BOOST.max(BY_FILE_NAME),
            TitleBoost::Text(_) => 1.0 + TEXT_TITLE_BOOST,
        }
    }
}

/// Raises the scores of documents by the share of their title that is named, and sorts the hits again.
/// Returns the factor of each document.
pub fn boost_titles(
    hits: &mut [Hit],
    named: TitleBoost<'_>,
    words: &[QueryWord],
    snapshot: &Snapshot,
) -> HashMap<RecordId, f32> {
    let (known, most) = match named {
        TitleBoost::Text(tokens) => (tokens.iter().map(|token| name_hash(token)).collect(), TEXT_TITLE_BOOST),
        TitleBoost::Query(query) => {
            let analyzers = snapshot.analyzers().into_iter();
            let mut known: HashSet<u64> =
                analyzers.flat_map(|mut analyzer| hashes(&mut analyzer, query)).collect();
            let nearly = words.iter().filter(|word| query.contains(&word.text)).flat_map(QueryWord::nearly);
            known.extend(nearly.map(name_hash));
            (known, QUERY_TITLE_BOOST)
        }
    };
    let file = match named {
        TitleBoost::Query(query) => letters(query).collect(),
        TitleBoost::Text(_) => String::new(),
    };
    let factor = |hit: &Hit| {
        if is_file_name(&file, &hit.doc) {
            return 1.0 + BY_FILE_NAME;
        }
        let part = part_named(&snapshot.name(hit.record), &known);
        1.0 + most * part * part
    };
    let mut factors: HashMap<RecordId, f32> = HashMap::new();
    for hit in hits.iter_mut() {
        let factor = *factors.entry(hit.record).or_insert_with(|| factor(hit));
        hit.score *= factor;
    }
    hits.sort_by(Hit::ranking);
    factors
}

fn hashes(analyzer: &mut Analyzer, text: &str) -> Vec<u64> {
    let mut hashes = Vec::new();
    analyzer.tokens(text, &mut |token| hashes.push(name_hash(token.text)));
    hashes
}

/// Returns the letters and digits of a text, in lower case.
fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// True if a query, given by its letters, is the name of a file, with or without its extension. An index file
/// also has the name of its directory.
fn is_file_name(query: &str, doc: &str) -> bool {
    let path = doc.split_once(':').map_or(doc, |(_, path)| path);
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let above = directory.rsplit('/').next().filter(|_| is_index_name(stem));
    let is_it = |name: &str| letters(name).eq(query.chars());
    !query.is_empty() && [Some(name), Some(stem), above].into_iter().flatten().any(is_it)
}

/// Returns the share of a title's words that are in `known`.
fn part_named(title: &[u64], known: &HashSet<u64>) -> f32 {
    let named = title.iter().filter(|word| known.contains(word)).count();
    named as f32 / title.len().max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_its_letters() {
        for (query, doc, is_named) in [
            ("cron jobs", "k8s:docs/cron-jobs.md", true),
            ("Cron-Jobs.md", "k8s:docs/cron-jobs.md", true),
            ("cron", "k8s:docs/cron-jobs.md", false),
            ("@media", "mdn:css/@media/index.md", true),
            ("index", "mdn:css/@media/index.md", true),
            ("guide", "docs:guide/README.md", true),
            ("guide", "docs:guide/other.md", false),
            ("guide", "docs:guide", true),
            ("docs", "docs:README.md", false),
            ("??", "docs:?.md", false),
        ] {
            assert_eq!(is_file_name(&letters(query).collect::<String>(), doc), is_named, "{query} {doc}");
        }
    }

    #[test]
    fn a_title_is_named_by_its_words_in_any_form() {
        let mut analyzer = Analyzer::new("english");
        let text = "how pods use persistent volumes";
        let at_hand = hashes(&mut analyzer, text).into_iter().collect();
        for (title, part) in
            [("Persistent Volume", 1.0), ("Volume snapshots", 0.5), ("Nodes", 0.0), ("", 0.0)]
        {
            assert_eq!(part_named(&hashes(&mut analyzer, title), &at_hand), part, "{title}");
        }
    }
}

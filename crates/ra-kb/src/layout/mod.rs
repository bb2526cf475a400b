//! Renders answers as text. Only this module decides what a result looks like and how much of it is shown.
//!
//! | module | does |
//! | --- | --- |
//! | `result` | one result: head, text, entry of a list |
//! | `composition` | the text of a result, with markers between its runs |
//! | `budget` | limits the results to a number of tokens |
//! | `fence` | keeps code blocks closed |
//! | `highlight` | marks matches, and makes snippets |

mod budget;
mod composition;
mod fence;
mod highlight;
mod result;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use ra_core::document::Pages;
use ra_core::eval::Printed;
use ra_core::id::{ChunkId, DocId};
use ra_core::kb::Answer;
use ra_core::retrieval::Passage;
use ra_core::text::escape::{self, MARK};
use ra_core::text::{Span, shortened};
use ra_core::tokens;

pub(crate) use self::budget::OmittedResults;
pub(crate) use self::composition::Composition;
pub(crate) use self::fence::Fences;
pub(crate) use self::highlight::{Snippet, marked};
pub(crate) use self::result::{Detail, ResultText};

/// How much of each result is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultForm {
    /// The text.
    Full,
    /// Ids, headings and snippets.
    List,
    /// Matching lines.
    Matches,
}

/// Returns the place of a text in its file.
pub(crate) fn place((first, last): (usize, usize), pages: Option<Pages>) -> String {
    let lines = format!("lines {first}-{last}");
    match pages {
        None => lines,
        Some((first, last)) if first == last => format!("page {first}, {lines}"),
        Some((first, last)) => format!("pages {first}-{last}, {lines}"),
    }
}

/// Fits the results of all queries into a number of tokens, which they share by rank. Returns what was omitted,
/// and whether there was no room for the query headings.
pub(crate) fn fit_all(
    results: &mut [Vec<ResultText>],
    queries: &[&str],
    budget: usize,
    left_out: &dyn Fn(usize) -> String,
) -> (OmittedResults, bool) {
    let headings: usize = match queries {
        [] | [_] => 0,
        many => many.iter().map(|query| tokens::count(&(query_heading(query) + "\n"))).sum(),
    };
    let is_unnamed = headings > budget;
    let room = if is_unnamed { budget } else { budget - headings };
    let before: Vec<Vec<Detail>> =
        results.iter().map(|results| results.iter().map(|result| result.detail).collect()).collect();
    let mut rest = fit_by_rank(results, room, left_out);
    let repeated = repeated_texts(results);
    if !repeated.is_empty() {
        for (result, detail) in results.iter_mut().flatten().zip(before.into_iter().flatten()) {
            result.show(detail);
        }
        repeated.into_iter().for_each(|(query, nr)| results[query][nr].show(Detail::Above));
        rest = fit_by_rank(results, room, left_out);
    }
    // Drop "(above)" pointers to results that were omitted.
    let mut there: Vec<DocumentLines> = Vec::new();
    for results in results.iter_mut() {
        let is_dangling = |result: &ResultText| {
            let lines = DocumentLines::of(&result.passage.id, result.passage.lines);
            result.detail == Detail::Above && !there.iter().any(|other| other.contain(&lines))
        };
        rest.results += results.iter().filter(|result| is_dangling(result)).count();
        results.retain(|result| result.detail != Detail::Nothing && !is_dangling(result));
        let shown = results.iter().filter(|result| result.detail != Detail::Above);
        there.extend(shown.flat_map(|result| DocumentLines::of_passage(&result.passage)));
    }
    if !rest.line.is_empty() {
        rest.line = left_out(rest.results);
    }
    (rest, is_unnamed)
}

/// Fits the results of all queries, the first of each query first.
fn fit_by_rank(
    results: &mut [Vec<ResultText>],
    room: usize,
    left_out: &dyn Fn(usize) -> String,
) -> OmittedResults {
    let mut ranked: Vec<(usize, &mut ResultText)> =
        results.iter_mut().flat_map(|results| (0..).zip(results)).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut ranked: Vec<&mut ResultText> = ranked.into_iter().map(|(_, result)| result).collect();
    budget::fit(&mut ranked, room, left_out)
}

/// Replaces results whose text is also shown under an earlier query by pointers to it.
pub(crate) fn point_to_shown(results: &mut [Vec<ResultText>]) {
    repeated_texts(results).into_iter().for_each(|(query, nr)| results[query][nr].show(Detail::Above));
}

/// Returns the results that are a part of a result under an earlier query, with no word that isn't shown there, by
/// query and rank.
fn repeated_texts(results: &[Vec<ResultText>]) -> Vec<(usize, usize)> {
    let mut repeated = Vec::new();
    let mut earlier: Vec<DocumentLines> = Vec::new();
    let mut shown: HashMap<DocId, HashSet<Span>> = HashMap::new();
    for (query, results) in results.iter().enumerate() {
        let words: Vec<HashSet<Span>> = results.iter().map(ResultText::shown_words).collect();
        for (nr, (ResultText { passage, .. }, words)) in results.iter().zip(&words).enumerate() {
            let lines = DocumentLines::of(&passage.id, passage.lines);
            let is_part = earlier.iter().any(|other| other.contain(&lines));
            let is_shown = shown.get(&passage.id.doc).is_some_and(|shown| words.is_subset(shown));
            if is_part && is_shown && !words.is_empty() {
                repeated.push((query, nr));
            }
        }
        for (ResultText { passage, .. }, words) in results.iter().zip(words) {
            earlier.extend(DocumentLines::of_passage(passage));
            shown.entry(passage.id.doc.clone()).or_default().extend(words);
        }
    }
    repeated
}

/// The first results of a query, whose text is shown under this query and not as a part of another query's result.
const FIRST_RESULTS: usize = 3;

/// Leaves a section to the query whose result it is, if it would also be shown beside a result of another query.
pub(crate) fn drop_repeated_companions(results: &mut [Vec<ResultText>]) {
    let mut owned: Vec<(usize, DocumentLines)> = Vec::new();
    for (query, results) in results.iter().enumerate() {
        let first = results.iter().take(FIRST_RESULTS).map(|result| &result.passage);
        owned.extend(first.map(|passage| (query, DocumentLines::of(&passage.id, passage.lines))));
    }
    for (query, results) in results.iter_mut().enumerate() {
        for ResultText { passage, .. } in results {
            passage.drop_companions(|other| {
                let lines = DocumentLines::of(&other.id, other.lines);
                owned.iter().any(|(owner, known)| *owner != query && known.contain(&lines))
            });
            let companions = passage.companions.iter();
            owned.extend(companions.map(|other| (query, DocumentLines::of(&other.id, other.lines))));
        }
    }
}

/// Consecutive lines of a document.
struct DocumentLines {
    doc: DocId,
    first: usize,
    last: usize,
}

impl DocumentLines {
    fn of(id: &ChunkId, (first, last): (usize, usize)) -> Self {
        Self { doc: id.doc.clone(), first, last }
    }

    /// Returns the lines of a result and those of its companions.
    fn of_passage(passage: &Passage) -> impl Iterator<Item = Self> {
        let companions = passage.companions.iter().map(|other| Self::of(&other.id, other.lines));
        std::iter::once(Self::of(&passage.id, passage.lines)).chain(companions)
    }

    fn contain(&self, other: &Self) -> bool {
        self.doc == other.doc && self.first <= other.first && other.last <= self.last
    }
}

/// Lays out an answer and measures the printed text. `left_out` formats the line about omitted results.
pub(crate) fn printed(answer: &Answer, budget: Option<usize>, left_out: &dyn Fn(usize) -> String) -> Printed {
    let text = |passage: &Passage| ResultText::new(passage.clone(), String::new(), Detail::Full);
    let mut results: Vec<ResultText> = answer.passages.iter().map(text).collect();
    let mut omitted = OmittedResults::default();
    match budget {
        Some(budget) => {
            omitted = budget::fit(&mut results.iter_mut().collect::<Vec<_>>(), budget, left_out);
        }
        None => results.iter_mut().for_each(|result| result.show(Detail::Full)),
    }
    let tokens = results.iter().map(ResultText::cost).sum::<usize>() + tokens::count(&omitted.line);
    Printed { tokens, fragments: results.iter().flat_map(ResultText::fragments).collect() }
}

/// Shows a result that several queries found only once, with pointers to it under the other queries.
pub(crate) fn point_to_repeated(results: &mut [Vec<ResultText>]) {
    let mut seen = Vec::new();
    for result in results.iter_mut().flatten() {
        if seen.contains(&result.key()) {
            result.show(Detail::Above);
        } else {
            seen.push(result.key());
        }
    }
}

/// The maximum length of a query in the heading above its results.
const MAX_QUERY_CHARS: usize = 80;

/// The heading above the results of one of several queries.
pub(crate) fn query_heading(query: &str) -> String {
    format!("{MARK}query: {} ───", escape::one_line(&shortened_query(query)))
}

/// Returns the query, truncated if it is long.
pub(crate) fn shortened_query(query: &str) -> String {
    shortened(query, MAX_QUERY_CHARS)
}

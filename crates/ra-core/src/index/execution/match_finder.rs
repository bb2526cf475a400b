//! Finds the matches of a query in a text, for highlighting.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::plan::{Compound, Leaf, Plan};
use crate::index::analysis::{Analyzer, is_unspaced};
use crate::text::Span;

/// Only this many tokens of a row are compared. A text with all of those is taken as a match, and the work
/// stays proportional to the text.
const MAX_HIGHLIGHTED_TOKENS: usize = 64;

/// The tokens that a query searches for, alone and in a row.
#[derive(Clone, Debug, Default)]
pub struct MatchFinder {
    /// All tokens.
    tokens: BTreeSet<String>,
    /// Tokens that match anywhere, with the term that each belongs to.
    alone: BTreeMap<String, u16>,
    /// Tokens that must match one after the other, with their term.
    rows: Vec<(Vec<String>, u16)>,
    /// The fallback for compounds that a text doesn't contain as written: the numbers of the compound's rows,
    /// and the finder of its parts.
    apart: Vec<(Vec<usize>, MatchFinder)>,
    /// The weight of a match of each term: its idf times its weight in the query.
    weights: Vec<f32>,
}

/// A part of a text that matches a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    /// The byte range in the text.
    pub span: Span,
    /// The query term that it matches, as an index into [`MatchFinder::weights`].
    pub term: u16,
}

/// A query token found in a text.
struct TokenMatch {
    /// The number of its text.
    text: usize,
    token: String,
    span: Span,
}

impl MatchFinder {
    /// Creates a finder for the leaves of a plan with their weights, without those that the plan excludes.
    pub(crate) fn new(plan: &Plan, leaves: &[Leaf], weights: Vec<f32>) -> Self {
        let mut match_finder = MatchFinder { weights, ..MatchFinder::default() };
        match_finder.plan(plan, leaves);
        match_finder
    }

    /// Creates a finder for tokens anywhere in a text. Each token is its own term, and all have the same weight.
    pub fn from_tokens(tokens: impl IntoIterator<Item = String>) -> Self {
        let mut match_finder = MatchFinder::default();
        for (nr, token) in tokens.into_iter().enumerate() {
            match_finder.form(&[token], u16::try_from(nr).unwrap_or(u16::MAX));
            match_finder.weights.push(1.0);
        }
        match_finder
    }

    /// Returns the weight of a match of each term.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn plan(&mut self, plan: &Plan, leaves: &[Leaf]) {
        match plan {
            Plan::Leaf(leaf) => self.leaf(*leaf, leaves),
            Plan::Compound(Compound { whole, parts, .. }) => {
                let first = self.rows.len();
                self.leaf(*whole, leaves);
                let mut apart = MatchFinder::default();
                parts.iter().for_each(|part| apart.leaf(*part, leaves));
                self.tokens.extend(apart.tokens.iter().cloned());
                self.apart.push(((first..self.rows.len()).collect(), apart));
            }
            Plan::All(items) | Plan::Any(items) => items.iter().for_each(|item| self.plan(item, leaves)),
            Plan::Boost(inner, _) => self.plan(inner, leaves),
            Plan::Not(_) | Plan::Filter(_) | Plan::Everything => {}
        }
    }

    fn leaf(&mut self, leaf: usize, leaves: &[Leaf]) {
        let term = u16::try_from(leaf).unwrap_or(u16::MAX);
        leaves[leaf].forms.iter().for_each(|form| self.form(&form.tokens, term));
    }

    fn form(&mut self, tokens: &[String], term: u16) {
        self.tokens.extend(tokens.iter().cloned());
        match tokens {
            [token] => {
                self.alone.entry(token.clone()).or_insert(term);
            }
            row => self.rows.push((row.iter().take(MAX_HIGHLIGHTED_TOKENS).cloned().collect(), term)),
        }
    }

    /// Finds the matches in texts that belong together. The matches of each text are in order, but may overlap.
    pub fn places(&self, analyzer: &mut Analyzer, texts: &[&str]) -> Vec<Vec<Match>> {
        let mut found: Vec<Vec<Match>> = vec![Vec::new(); texts.len()];
        let mut places: Vec<TokenMatch> = Vec::new();
        for (nr, text) in texts.iter().enumerate() {
            analyzer.tokens(text, &mut |token| {
                if self.tokens.contains(token.text) {
                    let span = Span::new(token.start, token.end);
                    places.push(TokenMatch { text: nr, token: token.text.to_owned(), span });
                }
            });
        }
        self.matches(texts, &places, &mut found);
        found.iter_mut().for_each(|found| found.sort());
        found
    }

    fn matches(&self, texts: &[&str], places: &[TokenMatch], found: &mut [Vec<Match>]) {
        for place in places {
            if let Some(&term) = self.alone.get(&place.token) {
                found[place.text].push(Match { span: place.span, term });
            }
        }
        let mut is_there = vec![false; self.rows.len()];
        for ((row, term), is_there) in self.rows.iter().zip(&mut is_there) {
            let mut rows = PhraseMatcher { texts, places, row, failed: HashSet::new() };
            for (at, place) in places.iter().enumerate() {
                if let Some(end) = rows.end(at, 0) {
                    let spans = on_lines(texts[place.text], Span::new(place.span.start, end));
                    found[place.text].extend(spans.map(|span| Match { span, term: *term }));
                    *is_there = true;
                }
            }
        }
        for (rows, parts) in &self.apart {
            if !rows.iter().any(|row| is_there[*row]) {
                parts.matches(texts, places, found);
            }
        }
    }
}

/// Splits a match that continues on the next line into one match per line.
fn on_lines(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let mut at = span.start;
    span.of(text).split('\n').filter_map(move |line| {
        let (start, end) = (at, at + line.len());
        at = end + 1;
        // Characters around a line break, such as a quote marker, aren't part of the match.
        let is_around = |c: char| !c.is_alphanumeric();
        let cut = if start == span.start { line } else { line.trim_start_matches(is_around) };
        let start = end - cut.len();
        let cut = if end == span.end { cut } else { cut.trim_end_matches(is_around) };
        (!cut.is_empty()).then(|| Span::new(start, start + cut.len()))
    })
}

/// Finds rows of tokens among the places.
struct PhraseMatcher<'a> {
    texts: &'a [&'a str],
    places: &'a [TokenMatch],
    row: &'a [String],
    /// Pairs of a place and a token number from which the rest of the row is known not to match.
    failed: HashSet<(usize, usize)>,
}

impl PhraseMatcher<'_> {
    /// Returns the end of the match if the places from `at` match the row from `nr`.
    fn end(&mut self, at: usize, nr: usize) -> Option<usize> {
        let (place, token) = (self.places.get(at)?, self.row.get(nr)?);
        if place.token != *token || self.failed.contains(&(at, nr)) {
            return None;
        }
        if nr + 1 == self.row.len() {
            return Some(place.span.end);
        }
        let mut next = at + 1;
        while self.places.get(next).is_some_and(|next| self.is_near(place, next)) {
            if self.follows(place, &self.places[next])
                && let Some(end) = self.end(next, nr + 1)
            {
                return Some(end);
            }
            next += 1;
        }
        self.failed.insert((at, nr));
        None
    }

    /// True if there is no word between two places.
    fn is_near(&self, place: &TokenMatch, next: &TokenMatch) -> bool {
        let gap = || self.texts[place.text].get(place.span.end..next.span.start);
        place.text == next.text
            && (next.span.start <= place.span.end
                || gap().is_some_and(|gap| !gap.contains(char::is_alphanumeric)))
    }

    /// True if the next token directly follows a place. Bigrams of a script without spaces overlap; other
    /// tokens don't.
    fn follows(&self, place: &TokenMatch, next: &TokenMatch) -> bool {
        let is_pair = |place: &TokenMatch| is_unspaced(place.span.of(self.texts[place.text]));
        match (is_pair(place) && is_pair(next), next.span.start.cmp(&place.span.end)) {
            (true, Ordering::Less) => next.span.start > place.span.start,
            (true, Ordering::Equal) | (false, Ordering::Less) => false,
            (_, Ordering::Greater) | (false, Ordering::Equal) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a finder. `a b` is a row, and a compound is its whole and its parts.
    fn finder_of(rows: &[&str], compounds: &[(&str, &[&str])]) -> MatchFinder {
        let row = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let mut match_finder = MatchFinder::default();
        rows.iter().for_each(|tokens| match_finder.form(&row(tokens), 0));
        for (whole, parts) in compounds {
            let first = match_finder.rows.len();
            match_finder.form(&row(whole), 0);
            let apart = MatchFinder::from_tokens(parts.iter().map(|part| (*part).to_owned()));
            match_finder.tokens.extend(apart.tokens.iter().cloned());
            match_finder.apart.push((vec![first], apart));
        }
        match_finder
    }

    /// `failed` makes sure that each dead end is tried only once.
    #[test]
    fn a_row_of_the_same_again_takes_no_longer_than_another() {
        let match_finder = finder_of(&[&vec!["哈哈"; 60].join(" "), &vec!["a"; 60].join(" ")], &[]);
        let mut analyzer = Analyzer::new("english");
        let text = format!("{} {}", "哈".repeat(60), "a ".repeat(59));
        assert_eq!(match_finder.places(&mut analyzer, &[&text]), [[]]);
        let text = "哈".repeat(61);
        let whole = Match { span: Span::new(0, text.len()), term: 0 };
        assert_eq!(match_finder.places(&mut analyzer, &[&text]), [[whole]]);
    }

    #[test]
    fn a_row_matches_in_a_row_and_parts_only_where_the_whole_is_nowhere() {
        let none: &[(&str, &[&str])] = &[];
        let compound: &[(&str, &[&str])] = &[("local boost", &["local", "boost"])];
        for (rows, compounds, texts, expected) in [
            (
                &["red panda"][..],
                none,
                &["A red panda, red or panda, red-panda."][..],
                &["red panda|red-panda"][..],
            ),
            (&["red panda"], none, &["red", "panda"], &["", ""]),
            (&["red panda"], none, &["a red,\n> panda"], &["red|panda"]),
            (&["red", "red panda"], none, &["red panda red"], &["red|red panda|red"]),
            (&["get user name"], none, &["call getUserName"], &["getUserName"]),
            (&["容器 器镜 镜像"], none, &["容器镜像和容器"], &["容器镜像"]),
            (&["a a b"], none, &["a a a b"], &["a a b"]),
            (&["容器 器镜"], none, &["容器器镜，容器镜"], &["容器镜"]),
            (&["au cafe"], none, &["un au cafe\u{301}."], &["au cafe\u{301}"]),
            (&[], compound, &["set local_boost", "a boost"], &["local_boost", ""]),
            (&[], compound, &["the local one", "a boost"], &["local", "boost"]),
        ] {
            let match_finder = finder_of(rows, compounds);
            let mut analyzer = Analyzer::new("english");
            let found = match_finder.places(&mut analyzer, texts);
            let shown: Vec<String> = found
                .iter()
                .zip(texts)
                .map(|(found, text)| {
                    found.iter().map(|found| found.span.of(text)).collect::<Vec<_>>().join("|")
                })
                .collect();
            assert_eq!(shown, expected, "{rows:?} {compounds:?} {texts:?}");
        }
    }
}

//! What a query looks for, as it stands in a text: the places that are shown as its matches.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashSet};

use super::analyzer::{Analyzer, Wanted, is_unspaced};
use super::plan::{Compound, Form, Leaf, Plan};
use crate::text::Span;

/// A row is found by so many of its tokens: what has as many has all, and the work stays in proportion to the text.
const LONGEST: usize = 64;

/// The tokens that a query looks for, alone and in a row.
#[derive(Clone, Debug, Default)]
pub struct Sought {
    /// All tokens.
    tokens: BTreeSet<String>,
    /// Those that match wherever they stand.
    alone: BTreeSet<String>,
    /// Those that match one after the other.
    rows: Vec<Vec<String>>,
    /// What stands for a compound where a text does not have it as it is written: the rows that it is written as, by
    /// their numbers, and what its parts look for.
    apart: Vec<(Vec<usize>, Sought)>,
}

/// A token that is looked for, found in a text.
struct Place {
    /// The number of its text.
    text: usize,
    token: String,
    span: Span,
}

impl Sought {
    /// What the leaves of a plan look for; what it excludes is not looked for.
    pub(super) fn new(plan: &Plan, leaves: &[Leaf]) -> Self {
        let mut sought = Sought::default();
        sought.plan(plan, leaves);
        sought
    }

    /// Tokens that match wherever they stand.
    pub fn alone(tokens: impl IntoIterator<Item = String>) -> Self {
        let mut sought = Sought::default();
        tokens.into_iter().for_each(|token| sought.form(&[token]));
        sought
    }

    fn plan(&mut self, plan: &Plan, leaves: &[Leaf]) {
        match plan {
            Plan::Leaf(leaf) => self.forms(&leaves[*leaf].forms),
            Plan::Compound(Compound { whole, parts, .. }) => {
                let first = self.rows.len();
                self.forms(&leaves[*whole].forms);
                let mut apart = Sought::default();
                parts.iter().for_each(|part| apart.forms(&leaves[*part].forms));
                self.tokens.extend(apart.tokens.iter().cloned());
                self.apart.push(((first..self.rows.len()).collect(), apart));
            }
            Plan::All(items) | Plan::Any(items) => items.iter().for_each(|item| self.plan(item, leaves)),
            Plan::Boost(inner, _) => self.plan(inner, leaves),
            Plan::Not(_) | Plan::Filter(_) | Plan::Everything => {}
        }
    }

    fn forms(&mut self, forms: &[Form]) {
        forms.iter().for_each(|form| self.form(&form.tokens));
    }

    fn form(&mut self, tokens: &[String]) {
        self.tokens.extend(tokens.iter().cloned());
        match tokens {
            [token] => {
                self.alone.insert(token.clone());
            }
            row => self.rows.push(row.iter().take(LONGEST).cloned().collect()),
        }
    }

    /// Which bytes tell of a word that may be looked for.
    pub fn wanted(&self, analyzer: &Analyzer) -> Wanted<'_> {
        analyzer.wanted(&self.tokens)
    }

    /// Where the matches stand in texts that belong together: in each text in order, but they may overlap.
    pub fn places(&self, analyzer: &mut Analyzer, wanted: &Wanted<'_>, texts: &[&str]) -> Vec<Vec<Span>> {
        let mut spans: Vec<Vec<Span>> = vec![Vec::new(); texts.len()];
        if self.rows.is_empty() {
            for (text, spans) in texts.iter().zip(&mut spans) {
                analyzer.places(text, wanted, &mut |_, start, end| spans.push(Span::new(start, end)));
            }
            return spans;
        }
        let mut places: Vec<Place> = Vec::new();
        for (nr, text) in texts.iter().enumerate() {
            analyzer.places(text, wanted, &mut |token, start, end| {
                places.push(Place { text: nr, token: token.to_owned(), span: Span::new(start, end) });
            });
        }
        self.matches(texts, &places, &mut spans);
        spans.iter_mut().for_each(|spans| spans.sort());
        spans
    }

    fn matches(&self, texts: &[&str], places: &[Place], spans: &mut [Vec<Span>]) {
        for place in places.iter().filter(|place| self.alone.contains(&place.token)) {
            spans[place.text].push(place.span);
        }
        let mut is_there = vec![false; self.rows.len()];
        for (row, is_there) in self.rows.iter().zip(&mut is_there) {
            let mut rows = Rows { texts, places, row, failed: HashSet::new() };
            for (at, place) in places.iter().enumerate() {
                if let Some(end) = rows.end(at, 0) {
                    spans[place.text].extend(on_lines(texts[place.text], Span::new(place.span.start, end)));
                    *is_there = true;
                }
            }
        }
        for (rows, parts) in &self.apart {
            if !rows.iter().any(|row| is_there[*row]) {
                parts.matches(texts, places, spans);
            }
        }
    }
}

/// A match that goes on in the next line, as one on each line.
fn on_lines(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let mut at = span.start;
    span.of(text).split('\n').filter_map(move |line| {
        let (start, end) = (at, at + line.len());
        at = end + 1;
        // What stands around a line break, such as the mark of a quotation, is no part of the match.
        let is_around = |c: char| !c.is_alphanumeric();
        let cut = if start == span.start { line } else { line.trim_start_matches(is_around) };
        let start = end - cut.len();
        let cut = if end == span.end { cut } else { cut.trim_end_matches(is_around) };
        (!cut.is_empty()).then(|| Span::new(start, start + cut.len()))
    })
}

/// Finds rows of tokens among places.
struct Rows<'a> {
    texts: &'a [&'a str],
    places: &'a [Place],
    row: &'a [String],
    /// Where the rest of the row, from one of its tokens on, does not begin.
    failed: HashSet<(usize, usize)>,
}

impl Rows<'_> {
    /// The end of what stands in the places from `at` on like the row from `nr` on, if it does.
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

    /// Whether no word stands between two places.
    fn is_near(&self, place: &Place, next: &Place) -> bool {
        let gap = || self.texts[place.text].get(place.span.end..next.span.start);
        place.text == next.text
            && (next.span.start <= place.span.end
                || gap().is_some_and(|gap| !gap.contains(char::is_alphanumeric)))
    }

    /// Whether the next token of a text comes after another. The pairs of a script without spaces overlap; all other
    /// tokens do not.
    fn follows(&self, place: &Place, next: &Place) -> bool {
        let is_pair = |place: &Place| is_unspaced(place.span.of(self.texts[place.text]));
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

    /// `a b` is a row, and `{whole|part part}` a compound.
    fn sought(rows: &[&str], compounds: &[(&str, &[&str])]) -> Sought {
        let row = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let mut sought = Sought::default();
        rows.iter().for_each(|tokens| sought.form(&row(tokens)));
        for (whole, parts) in compounds {
            let first = sought.rows.len();
            sought.form(&row(whole));
            let apart = Sought::alone(parts.iter().map(|part| (*part).to_owned()));
            sought.tokens.extend(apart.tokens.iter().cloned());
            sought.apart.push((vec![first], apart));
        }
        sought
    }

    /// Each of the many ways to go wrong is gone once.
    #[test]
    fn a_row_of_the_same_again_takes_no_longer_than_another() {
        let sought = sought(&[&vec!["哈哈"; 60].join(" "), &vec!["a"; 60].join(" ")], &[]);
        let mut analyzer = Analyzer::new("english");
        let wanted = sought.wanted(&analyzer);
        let text = format!("{} {}", "哈".repeat(60), "a ".repeat(59));
        assert_eq!(sought.places(&mut analyzer, &wanted, &[&text]), [[]]);
        let text = "哈".repeat(61);
        assert_eq!(sought.places(&mut analyzer, &wanted, &[&text]), [[Span::new(0, text.len())]]);
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
            let sought = sought(rows, compounds);
            let mut analyzer = Analyzer::new("english");
            let wanted = sought.wanted(&analyzer);
            let found = sought.places(&mut analyzer, &wanted, texts);
            let shown: Vec<String> = found
                .iter()
                .zip(texts)
                .map(|(spans, text)| spans.iter().map(|span| span.of(text)).collect::<Vec<_>>().join("|"))
                .collect();
            assert_eq!(shown, expected, "{rows:?} {compounds:?} {texts:?}");
        }
    }
}

//! What a query looks for, as it stands in a text: the places that are shown as its matches.

use std::collections::BTreeSet;

use super::analyzer::{Analyzer, Wanted};
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
            for (at, place) in places.iter().enumerate() {
                if let Some(end) = end_of_row(texts[place.text], &places[at..], row) {
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
        let is_around = |c: char| !c.is_alphanumeric();
        let start = at + line.len() - line.trim_start_matches(is_around).len();
        let end = at + line.trim_end_matches(is_around).len();
        at += line.len() + 1;
        (start < end).then(|| Span::new(start, end))
    })
}

/// The end of the row of tokens that begins with the first place, if one does.
fn end_of_row(text: &str, places: &[Place], row: &[String]) -> Option<usize> {
    let (first, rest) = places.split_first()?;
    let (token, row) = row.split_first()?;
    if first.token != *token {
        return None;
    }
    if row.is_empty() {
        return Some(first.span.end);
    }
    // The pairs of a script without spaces overlap, and the pieces of a compound lie in it. All others follow with
    // no word in between.
    let follows = |next: &Place| {
        let gap = || text.get(first.span.end..next.span.start);
        next.text == first.text
            && (next.span.start <= first.span.end
                || gap().is_some_and(|gap| !gap.contains(char::is_alphanumeric)))
    };
    (1..=rest.len())
        .take_while(|&nr| follows(&places[nr]))
        .filter(|&nr| places[nr].span.start > first.span.start)
        .find_map(|nr| end_of_row(text, &places[nr..], row))
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

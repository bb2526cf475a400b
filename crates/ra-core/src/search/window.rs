//! Which lines of a long section are worth showing: those around its matches.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::text::Span;

/// A line that could be shown.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The section that it belongs to.
    pub(super) section: usize,
    /// Its bytes in the section, the line end included.
    pub(super) span: Span,
    /// Its number in the source file.
    pub(super) number: usize,
    /// Whether it is the heading of a section, which is always shown with what stands below it.
    pub(super) is_heading: bool,
    /// Whether it belongs to the front matter, which says of the document what its text says better.
    pub(super) is_front: bool,
    /// Whether there is nothing to see in it.
    pub(super) is_blank: bool,
    /// Where in it the matches stand.
    pub(super) matches: Vec<Span>,
    /// The words of the query that it has.
    pub(super) words: BTreeSet<String>,
}

/// How long a line may be where so many bytes are shown. Of a longer one the part with the most matches is.
pub(super) fn longest_line(limit: usize) -> usize {
    limit / 4 * 3
}

/// How many lines before and after a match are shown when its paragraph is too long.
const BEFORE: usize = 2;
const AFTER: usize = 4;

/// The lines to show, as ranges of their places: the first heading, then the lines of the source from `best.0` to
/// `best.1` as a whole, and then around the lines that have most of the words not shown yet, while no more than `limit` bytes
/// are taken; front matter only for words that nothing else has. Empty when not one line with a match fits.
pub(super) fn choose(lines: &[Line], limit: usize, best: Option<(usize, usize)>) -> Vec<Range<usize>> {
    let longest = longest_line(limit);
    let mut choice = Choice { lines, longest, kept: vec![false; lines.len()], left: limit };
    if lines.first().is_some_and(|line| line.is_heading) {
        choice.keep(0..1);
    }
    let best = best.map_or(0..0, |(first, last)| {
        let is_before = |line: &Line| line.number < first || line.is_front && line.number <= last;
        lines.partition_point(is_before)..lines.partition_point(|line| line.number <= last)
    });
    let has_best = lines[best.clone()].iter().any(|line| !line.words.is_empty()) && choice.keep(best.clone());
    let mut waiting: Vec<usize> =
        (0..lines.len()).filter(|&at| !lines[at].words.is_empty() && !choice.kept[at]).collect();
    if waiting.is_empty() && has_best {
        return choice.ranges();
    }
    if waiting.is_empty() {
        choice.keep_beginning();
        return choice.ranges();
    }
    let shown = if has_best { &lines[best.clone()] } else { &[] };
    let mut covered: BTreeSet<&str> =
        shown.iter().flat_map(|line| line.words.iter().map(String::as_str)).collect();
    let mut refused = 0;
    // A few lines may be too long; when several in a row are, the room is used up.
    while refused < 4 {
        let gain = |at: usize| {
            let new = lines[at].words.iter().filter(|word| !covered.contains(word.as_str())).count();
            (!lines[at].is_front, new, best.contains(&at), lines[at].words.len(), std::cmp::Reverse(at))
        };
        let Some(best) = waiting.iter().copied().max_by_key(|&at| gain(at)) else { break };
        if lines[best].is_front && gain(best).1 == 0 {
            break;
        }
        let taken = [choice.around(best, limit), best..best + 1].into_iter().any(|range| choice.keep(range));
        if taken {
            covered.extend(lines[best].words.iter().map(String::as_str));
            refused = 0;
        } else {
            refused += 1;
        }
        waiting.retain(|&at| at != best && !choice.kept[at]);
    }
    if covered.is_empty() { Vec::new() } else { choice.ranges() }
}

struct Choice<'a> {
    lines: &'a [Line],
    longest: usize,
    kept: Vec<bool>,
    left: usize,
}

impl Choice<'_> {
    /// Keeps the lines if there is room for them.
    fn keep(&mut self, range: Range<usize>) -> bool {
        let cost: usize = range.clone().filter(|&at| !self.kept[at]).map(|at| self.cost(at)).sum();
        if cost > self.left {
            return false;
        }
        self.left -= cost;
        self.kept[range].fill(true);
        true
    }

    /// The bytes that are shown of a line.
    fn cost(&self, at: usize) -> usize {
        self.lines[at].span.len().min(self.longest)
    }

    /// The paragraph of a line, or the lines next to it where that is long.
    fn around(&self, at: usize, limit: usize) -> Range<usize> {
        if self.lines[at].is_front {
            return at..at + 1;
        }
        let apart = |a: usize, b: usize| {
            let (a, b) = (&self.lines[a], &self.lines[b]);
            a.is_blank || b.is_blank || a.is_front != b.is_front || b.number != a.number + 1
        };
        let first = (1..=at).rev().find(|&line| apart(line - 1, line)).unwrap_or(0);
        let end = (at + 1..self.lines.len()).find(|&line| apart(line - 1, line)).unwrap_or(self.lines.len());
        let size: usize = (first..end).map(|at| self.cost(at)).sum();
        if size <= limit / 2 {
            return first..end;
        }
        first.max(at.saturating_sub(BEFORE))..end.min(at + AFTER + 1)
    }

    /// Keeps as many of the first lines as fit: a section may match by its heading or its path alone.
    fn keep_beginning(&mut self) {
        let front = self.lines.partition_point(|line| line.is_front);
        for at in front..self.lines.len() {
            if !self.keep(at..at + 1) {
                break;
            }
        }
    }

    /// What is kept, in runs; an empty line between two kept ones is kept too, and none at an end of a run.
    fn ranges(mut self) -> Vec<Range<usize>> {
        for at in 1..self.kept.len().saturating_sub(1) {
            self.kept[at] |= self.lines[at].is_blank && self.kept[at - 1] && self.kept[at + 1];
        }
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for at in (0..self.kept.len()).filter(|&at| self.kept[at]) {
            match ranges.last_mut() {
                Some(last) if last.end == at && self.lines[at].number == self.lines[at - 1].number + 1 => {
                    last.end = at + 1;
                }
                _ if self.lines[at].is_blank => {}
                _ => ranges.push(at..at + 1),
            }
        }
        for range in &mut ranges {
            range.end -= self.lines[range.clone()].iter().rev().take_while(|line| line.is_blank).count();
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Lines of a text in which words in capitals are matches.
    fn lines(text: &str) -> Vec<Line> {
        let words = |line: &str| {
            let words = line.split_whitespace().filter(|word| word.chars().all(char::is_uppercase));
            words.map(str::to_owned).collect()
        };
        let line = |(line, number): (&str, usize)| Line {
            section: 0,
            span: Span::new(0, line.len()),
            number,
            is_heading: line.starts_with('#'),
            is_front: line.starts_with('-'),
            is_blank: line.trim().is_empty(),
            matches: Vec::new(),
            words: words(line),
        };
        text.split_inclusive('\n').zip(1..).map(line).collect()
    }

    fn chosen(text: &str, limit: usize) -> Vec<(usize, usize)> {
        chosen_with(text, limit, None)
    }

    fn chosen_with(text: &str, limit: usize, best: Option<(usize, usize)>) -> Vec<(usize, usize)> {
        choose(&lines(text), limit, best).into_iter().map(|range| (range.start + 1, range.end)).collect()
    }

    const TEXT: &str =
        "# Head\n\na few\nwords\n\nthe NEEDLE is\nhere\n\nfar away\n\nNEEDLE and THREAD\n\nend\n";

    #[test]
    fn lines_with_the_most_words_come_first() {
        assert_eq!(chosen(TEXT, 200), [(1, 1), (6, 7), (11, 11)]);
        assert_eq!(chosen(TEXT, 30), [(1, 1), (11, 11)]);
        assert_eq!(chosen(TEXT, 10), [], "no line with a match fits");
    }

    #[test]
    fn a_line_that_never_ends_is_chosen_for_a_part_of_it() {
        let text = format!("# Head\n\na NEEDLE\n\nTHREAD and {}\n", "more ".repeat(100));
        assert_eq!(chosen(&text, 100), [(1, 5)]);
    }

    #[test]
    fn the_best_part_comes_first_and_whole() {
        assert_eq!(chosen_with(TEXT, 36, Some((6, 9))), [(1, 1), (6, 9)]);
        assert_eq!(chosen_with(TEXT, 200, Some((6, 9))), [(1, 1), (6, 11)]);
        // One that does not fit is no better than the others.
        assert_eq!(chosen_with(TEXT, 30, Some((2, 9))), [(1, 1), (11, 11)]);
        assert_eq!(chosen_with(TEXT, 30, Some((2, 4))), [(1, 1), (11, 11)]);
    }

    #[test]
    fn without_a_match_the_beginning_is_shown() {
        assert_eq!(chosen("# Head\n\none\ntwo\nthree\n", 16), [(1, 4)]);
        assert_eq!(chosen("# a\none\n# b\ntwo\n# c\nthree\n# d\nfour\n", 16), [(1, 4)]);
    }

    #[test]
    fn front_matter_is_shown_only_for_what_nothing_else_has() {
        let text = "---\n- THREAD\n- NEEDLE\n---\na NEEDLE\nhere\n\nthe NEEDLE\n\nend\n";
        assert_eq!(chosen(text, 100), [(2, 2), (5, 8)]);
        assert_eq!(chosen(&text.replace("THREAD", "NEEDLE"), 100), [(5, 8)]);
        assert_eq!(chosen_with(&text.replace("THREAD", "NEEDLE"), 100, Some((1, 7))), [(5, 8)]);
        assert_eq!(chosen(&text.replace("NEEDLE", "x").replace("THREAD", "x"), 14), [(5, 6)]);
    }

    #[test]
    fn a_long_paragraph_is_shown_around_its_match() {
        let text = format!("{}NEEDLE\n{}", "hay\n".repeat(30), "straw\n".repeat(30));
        assert_eq!(chosen(&text, 100), [(29, 35)]);
    }

    proptest! {
        #[test]
        fn no_more_is_taken_than_there_is_room_for(
            text in "([a-cA-C #]{0,9}\n){0,30}",
            limit in 0usize..120,
            best in proptest::option::of((1usize..40, 1usize..40)),
        ) {
            let lines = lines(&text);
            let ranges = choose(&lines, limit, best.filter(|(first, last)| first <= last));
            let blanks = lines.iter().filter(|line| line.is_blank).count() * 9;
            let size: usize = ranges.iter().cloned().flatten().map(|at| lines[at].span.len().min(longest_line(limit))).sum();
            prop_assert!(size <= limit + blanks, "{size} of {limit}");
            for pair in ranges.windows(2) {
                prop_assert!(pair[0].end < pair[1].start || lines[pair[1].start].number > lines[pair[0].end - 1].number + 1);
            }
        }
    }
}

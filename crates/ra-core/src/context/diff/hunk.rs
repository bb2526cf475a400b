//! Reads hunk headers and counts the lines of hunks.

use super::{Hunk, Line};

/// How many lines remain, and the number of the next one. A diff with several old files, as `git diff --cc` writes for
/// a merge, has one column of marks for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counter {
    old: Vec<Side>,
    new: Side,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Side {
    next: usize,
    left: usize,
}

impl Side {
    fn advance(&mut self) {
        self.next = self.next.saturating_add(1);
        self.left = self.left.saturating_sub(1);
    }
}

/// Reads `@@ -1,2 +3,4 @@ heading`, with one more `@` for each additional old file.
pub(super) fn read_header(line: &str) -> Option<(Counter, Hunk<'_>)> {
    let rest = line.trim_start_matches('@');
    let marks = &line[..line.len() - rest.len()];
    let (ranges, heading) = rest.strip_prefix(' ')?.split_once(marks).filter(|_| marks.len() >= 2)?;
    let mut old = Vec::new();
    let mut new = None;
    for range in ranges.split_whitespace() {
        match (range.strip_prefix('-'), range.strip_prefix('+')) {
            (Some(range), _) => old.push(read_range(range)?),
            (_, Some(range)) => new = Some(read_range(range)?),
            _ => return None,
        }
    }
    let counter = Counter { new: new?, old };
    (counter.old.len() == marks.len() - 1)
        .then(|| (counter, Hunk { heading: heading.trim(), ..Hunk::default() }))
}

/// Reads `start,count`; the count is 1 if omitted.
fn read_range(range: &str) -> Option<Side> {
    let (start, count) = range.split_once(',').unwrap_or((range, "1"));
    Some(Side { next: start.parse().ok()?, left: count.parse().ok()? })
}

impl Counter {
    /// True if no lines remain.
    pub(super) fn is_done(&self) -> bool {
        self.new.left == 0 && self.old.iter().all(|side| side.left == 0)
    }

    /// True if exactly one old and one new line remain.
    pub(super) fn expects_one_pair(&self) -> bool {
        self.new.left == 1 && self.old.iter().all(|side| side.left == 1)
    }

    /// Returns the number of lines that remain.
    pub(super) fn left(&self) -> usize {
        self.old.iter().map(|side| side.left).fold(self.new.left, usize::max)
    }

    /// Adds a line to the hunk. Returns false for a line that can't be part of it.
    pub(super) fn take<'a>(&mut self, line: &'a str, hunk: &mut Hunk<'a>) -> bool {
        let columns = self.old.len();
        // Some programs trim trailing white space, which removes the mark of an empty line.
        if line.len() < columns {
            return line.trim().is_empty() && self.context("", hunk);
        }
        let Some((marks, text)) = line.split_at_checked(columns) else { return false };
        if !marks.bytes().all(|mark| b" +-".contains(&mark)) {
            return false;
        }
        if marks.contains('-') {
            self.removed(marks, text, hunk)
        } else if marks.contains('+') {
            self.added(marks, text, hunk)
        } else {
            self.context(text, hunk)
        }
    }

    fn context<'a>(&mut self, text: &'a str, hunk: &mut Hunk<'a>) -> bool {
        let fits = self.new.left > 0 && self.old.iter().all(|side| side.left > 0);
        if fits {
            hunk.context.push(Line { number: self.new.next, text });
            self.new.advance();
            self.old.iter_mut().for_each(Side::advance);
        }
        fits
    }

    /// Adds a line that is new relative to the files with a `+`; the others already have it.
    fn added<'a>(&mut self, marks: &str, text: &'a str, hunk: &mut Hunk<'a>) -> bool {
        let fits = self.new.left > 0;
        if fits {
            hunk.added.push(Line { number: self.new.next, text });
            self.new.advance();
            self.advance_old(marks, b' ');
        }
        fits
    }

    /// Adds a line that was removed from the files with a `-`; the others never had it.
    fn removed<'a>(&mut self, marks: &str, text: &'a str, hunk: &mut Hunk<'a>) -> bool {
        let from = marks.bytes().position(|mark| mark == b'-').and_then(|at| self.old.get(at)).copied();
        let Some(side) = from.filter(|side| side.left > 0) else { return false };
        hunk.removed.push(Line { number: side.next, text });
        self.advance_old(marks, b'-');
        true
    }

    fn advance_old(&mut self, marks: &str, mark: u8) {
        let marked = std::iter::zip(&mut self.old, marks.bytes()).filter(|(_, found)| *found == mark);
        marked.for_each(|(side, _)| side.advance());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read() {
        for (line, expected) in [
            ("@@ -1,2 +3,4 @@", Some(("", 4))),
            ("@@ -1 +1 @@ fn a() @@ b", Some(("fn a() @@ b", 1))),
            ("@@ -0,0 +1,7 @@\r", Some(("", 7))),
            ("@@@ -1,2 -1,3 +1,4 @@@ x", Some(("x", 4))),
            ("@@ -1,2 +3,4", None),
            ("@@ -1,2 @@", None),
            ("@@ +1 @@", None),
            ("@@ -a +1 @@", None),
            ("@@ -99999999999999999999999 +1 @@", None),
            ("@ -1 +1 @", None),
            ("@@@ -1 +1 @@@", None),
            ("@@", None),
            ("", None),
        ] {
            let found = read_header(line);
            assert_eq!(found.map(|(counter, hunk)| (hunk.heading, counter.left())), expected, "{line}");
        }
    }
}

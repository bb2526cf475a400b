//! Reads hunk headers and counts the lines of hunks.

use super::Hunk;

/// How many lines remain. A diff with several old files, as `git diff --cc` writes for a merge, has one column of marks
/// for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counter {
    old: Vec<usize>,
    new: usize,
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

/// Returns the count of `start,count`; it is 1 if omitted.
fn read_range(range: &str) -> Option<usize> {
    let (start, count) = range.split_once(',').unwrap_or((range, "1"));
    start.parse::<usize>().ok()?;
    count.parse().ok()
}

impl Counter {
    /// True if no lines remain.
    pub(super) fn is_done(&self) -> bool {
        self.new == 0 && self.old.iter().all(|left| *left == 0)
    }

    /// True if exactly one old and one new line remain.
    pub(super) fn expects_one_pair(&self) -> bool {
        self.new == 1 && self.old.iter().all(|left| *left == 1)
    }

    /// Returns the number of lines that remain.
    pub(super) fn left(&self) -> usize {
        self.old.iter().copied().fold(self.new, usize::max)
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
        let fits = self.new > 0 && self.old.iter().all(|left| *left > 0);
        if fits {
            hunk.context.push(text);
            self.new -= 1;
            self.old.iter_mut().for_each(|left| *left -= 1);
        }
        fits
    }

    /// Adds a line that is new relative to the files with a `+`; the others already have it.
    fn added<'a>(&mut self, marks: &str, text: &'a str, hunk: &mut Hunk<'a>) -> bool {
        let fits = self.new > 0;
        if fits {
            hunk.added.push(text);
            self.new -= 1;
            self.count_old(marks, b' ');
        }
        fits
    }

    /// Adds a line that was removed from the files with a `-`; the others never had it.
    fn removed<'a>(&mut self, marks: &str, text: &'a str, hunk: &mut Hunk<'a>) -> bool {
        let from = marks.bytes().position(|mark| mark == b'-').and_then(|at| self.old.get(at));
        let fits = from.is_some_and(|left| *left > 0);
        if fits {
            hunk.removed.push(text);
            self.count_old(marks, b'-');
        }
        fits
    }

    fn count_old(&mut self, marks: &str, mark: u8) {
        let marked = std::iter::zip(&mut self.old, marks.bytes()).filter(|(_, found)| *found == mark);
        marked.for_each(|(left, _)| *left = left.saturating_sub(1));
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

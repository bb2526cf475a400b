//! Parses the lines of a diff into files.

use super::header::Header;
use super::hunk::{self, Counter};
use super::{Diff, DiffProblem, Hunk};

/// Parses a diff. Skips anything that isn't part of one, such as a commit message.
pub fn parse(text: &str) -> Diff<'_> {
    let mut parser = Parser { lines: text.split('\n').map(without_return).collect(), ..Parser::default() };
    while parser.at < parser.lines.len() {
        parser.step();
    }
    parser.finish_file();
    let mut diff = parser.diff;
    if diff.files.is_empty() && diff.problems.is_empty() {
        diff.problems.push(DiffProblem { line: 1, message: why_empty(text).to_owned() });
    }
    diff
}

fn without_return(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

fn why_empty(text: &str) -> &'static str {
    if text.trim().is_empty() {
        "the diff is empty"
    } else if text.contains("\x1b[") {
        "no diff was found, because the text is colored"
    } else {
        "no diff was found"
    }
}

#[derive(Default)]
struct Parser<'a> {
    lines: Vec<&'a str>,
    at: usize,
    /// The current file.
    header: Option<Header>,
    hunks: Vec<Hunk<'a>>,
    /// The line where the current file begins.
    started: usize,
    diff: Diff<'a>,
}

impl<'a> Parser<'a> {
    fn line(&self, ahead: usize) -> Option<&'a str> {
        self.lines.get(self.at + ahead).copied()
    }

    fn report(&mut self, line: usize, message: impl Into<String>) {
        self.diff.problems.push(DiffProblem { line: line + 1, message: message.into() });
    }

    /// Reads the next line outside a hunk, or a whole hunk.
    fn step(&mut self) {
        let line = self.lines[self.at];
        if let Some(header) = Header::opened_by(line) {
            self.begin_file(header);
        } else if let Some((old, new)) = self.marked_paths() {
            self.set_paths(old, new);
            self.at += 1;
        } else if line.starts_with("@@ ") || line.starts_with("@@@") {
            self.hunk_or_problem(line);
            return;
        } else {
            self.header_line(line);
        }
        self.at += 1;
    }

    /// Returns the paths of a `---` line and the `+++` line after it.
    fn marked_paths(&self) -> Option<(&'a str, &'a str)> {
        let old = self.line(0)?.strip_prefix("--- ")?;
        let new = self.line(1)?.strip_prefix("+++ ")?;
        Some((old, new))
    }

    fn begin_file(&mut self, header: Header) {
        self.finish_file();
        self.header = Some(header);
        self.started = self.at;
    }

    /// Sets the paths of a `---` line in the open header, or begins a new file if that is complete.
    fn set_paths(&mut self, old: &str, new: &str) {
        if !self.header.as_ref().is_some_and(Header::is_open) {
            self.begin_file(Header::default());
        }
        if let Some(header) = &mut self.header {
            header.set_paths(old, new);
        }
    }

    fn header_line(&mut self, line: &str) {
        if let Some(header) = self.header.as_mut().filter(|header| header.is_open()) {
            header.extend(line);
            return;
        }
        // For binary files, plain `diff` only says that they differ.
        let mut header = Header::default();
        if line.starts_with("Binary files ") && header.extend(line) {
            self.begin_file(header);
        }
    }

    fn finish_file(&mut self) {
        let hunks = std::mem::take(&mut self.hunks);
        let Some(header) = self.header.take() else { return };
        match header.finish(hunks) {
            Some(file) => self.diff.files.push(file),
            None => self.report(self.started, "the header names no file"),
        }
    }

    fn hunk_or_problem(&mut self, line: &'a str) {
        let start = self.at;
        self.at += 1;
        match hunk::read_header(line) {
            None => self.report(start, "the hunk header cannot be read"),
            Some(_) if self.header.is_none() => {
                self.report(start, "the hunk comes before the name of a file")
            }
            Some((counter, hunk)) => self.hunk(start, counter, hunk),
        }
    }

    /// Reads the lines of a hunk by count, because they may look like anything.
    fn hunk(&mut self, start: usize, mut counter: Counter, mut hunk: Hunk<'a>) {
        while !counter.is_done() {
            let Some(line) = self.line(0).filter(|_| !self.is_next_file(&counter)) else { break };
            let is_note = line.starts_with('\\');
            // The text after the last line feed isn't a line.
            let is_end = line.is_empty() && self.at + 1 == self.lines.len();
            if is_end || !(is_note || counter.take(line, &mut hunk)) {
                break;
            }
            self.at += 1;
        }
        if !counter.is_done() {
            self.report(start, format!("the hunk ends early, {} lines are missing", counter.left()));
        }
        self.hunks.push(hunk);
    }

    /// True if the hunk was cut off before the next file. The header of that file could also be a removed and an added
    /// line, but only if the hunk ends with them.
    fn is_next_file(&self, counter: &Counter) -> bool {
        let next = self.marked_paths().and(self.line(2)).is_some_and(|line| line.starts_with("@@ -"));
        next && !counter.expects_one_pair()
    }
}

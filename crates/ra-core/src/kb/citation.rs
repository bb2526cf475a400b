//! Citations: the name of a text together with a proof of what it says, such as
//! `docs:guide.md#setup@1f2e3d4c5b6a70:10-20`.

use std::collections::HashSet;
use std::fmt::{self, Write};

use super::Fetched;
use crate::document::percent_decode_strict;
use crate::id::ChunkId;

/// The proof of a text: a hash of its lines. White space at the ends of lines doesn't count.
///
/// The first bytes are the sum of the lines' first bytes without carry. It can be moved from line to line, so a text
/// is found in a document without hashing every run of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextProof([u8; PROOF_BYTES]);

/// Citations are for people, too: more would be hard to read, and an accident is improbable with this.
const PROOF_BYTES: usize = 7;

/// The name of a text with the proof of what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The section or document.
    pub id: ChunkId,
    /// The proof of its text.
    pub proof: TextProof,
    /// The first and the last line, counted from 1.
    pub lines: (usize, usize),
}

/// The size of the part of a proof that is a sum.
const SUM_BYTES: usize = 3;

/// The hash of one line.
pub(super) type LineHash = [u8; 8];

fn sum_of(line: &LineHash) -> u32 {
    u32::from_le_bytes([line[0], line[1], line[2], 0])
}

impl TextProof {
    /// Returns the proof of a text.
    pub fn of(text: &str) -> Self {
        Self::of_lines(&line_hashes(text))
    }

    /// Returns the proof of a text from the hashes of its lines.
    pub(super) fn of_lines(lines: &[LineHash]) -> Self {
        let mut hasher = blake3::Hasher::new();
        lines.iter().for_each(|line| {
            hasher.update(line);
        });
        let mut proof = [0; PROOF_BYTES];
        proof.copy_from_slice(&hasher.finalize().as_bytes()[..PROOF_BYTES]);
        let sum = lines.iter().fold(0, |sum, line| sum ^ sum_of(line));
        proof[..SUM_BYTES].copy_from_slice(&sum.to_le_bytes()[..SUM_BYTES]);
        Self(proof)
    }

    fn sum(&self) -> u32 {
        u32::from_le_bytes([self.0[0], self.0[1], self.0[2], 0])
    }

    /// Returns the lines, counted from 0, where a text of `count` lines with one of the wanted proofs begins.
    pub(super) fn find(lines: &[LineHash], count: usize, wanted: &[TextProof]) -> Vec<(usize, TextProof)> {
        let sums: HashSet<u32> = wanted.iter().map(TextProof::sum).collect();
        let mut sum = lines.iter().take(count).fold(0, |sum, line| sum ^ sum_of(line));
        let mut found = Vec::new();
        for (nr, window) in lines.windows(count).enumerate() {
            if nr > 0 {
                sum ^= sum_of(&lines[nr - 1]) ^ sum_of(&window[count - 1]);
            }
            if sums.contains(&sum) {
                let proof = Self::of_lines(window);
                found.extend(wanted.contains(&proof).then_some((nr, proof)));
            }
        }
        found
    }

    /// True if a text of this many lines with this proof has nothing but white space.
    pub(super) fn is_blank(&self, count: usize) -> bool {
        const MAX_BLANK_LINES: usize = 100;
        count <= MAX_BLANK_LINES && *self == Self::of(&"\n".repeat(count))
    }

    fn parse(text: &str) -> Option<Self> {
        let is_hex = text.len() == 2 * PROOF_BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let mut proof = [0; PROOF_BYTES];
        for (nr, byte) in proof.iter_mut().enumerate().filter(|_| is_hex) {
            *byte = u8::from_str_radix(&text[2 * nr..2 * nr + 2], 16).ok()?;
        }
        is_hex.then_some(Self(proof))
    }
}

/// Returns the hash of each line of a text, without the white space at its end.
pub(super) fn line_hashes(text: &str) -> Vec<LineHash> {
    let hash = |line: &str| {
        let mut short = LineHash::default();
        short.copy_from_slice(&blake3::hash(line.trim_end().as_bytes()).as_bytes()[..8]);
        short
    };
    text.lines().map(hash).collect()
}

impl Citation {
    /// Returns the citation of a text that was fetched, without the blank lines at its end. Returns `None` for an
    /// outline, for white space, and for a text that isn't one run of lines.
    pub fn of(fetched: &Fetched) -> Option<Self> {
        let text = fetched.content.as_deref()?;
        let (first, last) = fetched.lines;
        let cited = text.trim_end();
        let count = cited.lines().count();
        let is_run = text.lines().count() == last + 1 - first;
        let lines = (first, first + count.checked_sub(1)?);
        is_run.then(|| Self { id: fetched.id.clone(), proof: TextProof::of(cited), lines })
    }

    /// Returns the citation of the lines of a document from `first` on.
    pub fn of_lines(id: &str, text: &str, first: usize) -> Option<String> {
        let cited = text.trim_end();
        let last = first + cited.lines().count().checked_sub(1)?;
        let id = id.parse().ok()?;
        Some(Self { id, proof: TextProof::of(cited), lines: (first, last) }.to_string())
    }

    /// Reads a citation.
    pub fn parse(text: &str) -> Option<Self> {
        let (rest, lines) = text.rsplit_once(':')?;
        let (id, proof) = rest.rsplit_once('@')?;
        let (first, last) = lines.split_once(DASHES).unwrap_or((lines, lines));
        let lines = (number(first)?, number(last)?);
        let id = percent_decode_strict(id)?.parse().ok()?;
        (lines.0 <= lines.1).then_some(Self { id, proof: TextProof::parse(proof)?, lines })
    }

    /// Finds all citations in a text. Returns each with its line in that text; `Err` is what looks like a citation and
    /// isn't one, because its proof or its lines are incomplete. `trees` are the names that ids may begin with: before
    /// one of them, a citation may follow any other text, as in `(see:docs:a.md@…`.
    pub fn find_all(text: &str, trees: &[&str]) -> Vec<(usize, Result<Citation, String>)> {
        let mut found = Vec::new();
        for (line, nr) in text.lines().zip(1..) {
            let mut from = 0;
            for (at, _) in line.match_indices('@') {
                let Some(length) = proof_and_lines(&line[at + 1..]) else { continue };
                let end = at + 1 + length;
                let Some(before) = line.get(from..at) else { continue };
                let after = after_incomplete(before, trees);
                let start = from + after + id_start(&before[after..], trees);
                let written = &line[start..end];
                found.extend(incomplete_in(&line[from..start], trees).map(|text| (nr, Err(text))));
                found.push((nr, Citation::parse(written).ok_or_else(|| written.to_owned())));
                from = end;
            }
            found.extend(incomplete_in(&line[from..], trees).map(|text| (nr, Err(text))));
        }
        found
    }
}

/// Returns where the rest of a text begins that follows an incomplete citation without a space, as in
/// `docs:a.md@beef,docs:b.md`. Returns 0 if there is none.
fn after_incomplete(text: &str, trees: &[&str]) -> usize {
    let rest = || {
        let proof = &text[text.rfind('@')? + 1..];
        let rest = proof[incomplete_proof(proof)?..].strip_prefix([',', ';'])?;
        let names_tree = |tree: &&str| rest.strip_prefix(*tree).is_some_and(|path| path.starts_with(':'));
        trees.iter().any(names_tree).then_some(rest)
    };
    rest().map_or(0, |rest| text.len() - rest.len())
}

/// Returns what looks like citations of these trees with incomplete proofs.
fn incomplete_in(text: &str, trees: &[&str]) -> impl Iterator<Item = String> {
    let mut from = 0;
    text.match_indices('@').filter_map(move |(at, _)| {
        let length = incomplete_proof(&text[at + 1..])?;
        let before = text.get(from..at)?;
        // The name of a tree has no `@`, so what is before this one matters to no other.
        from = at;
        let id = &before[id_start(before, trees)..];
        let names_tree = id.split_once(':').is_some_and(|(tree, _)| trees.contains(&tree));
        names_tree.then(|| format!("{id}{}", &text[at..at + 1 + length]))
    })
}

/// A shorter run of hexadecimal digits after an `@` isn't taken for a proof.
const MIN_PROOF_DIGITS: usize = 4;

/// Returns the length of what looks like a proof, perhaps with lines, at the start of a text. It isn't one if a name
/// goes on after it, as in `notes@2024.md`. A sentence may begin after it without a space.
fn incomplete_proof(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_hexdigit).count();
    if digits < MIN_PROOF_DIGITS {
        return None;
    }
    let length = text.find(|c: char| !c.is_ascii_alphanumeric() && c != ':' && !DASHES.contains(&c));
    let proof = text[..length.unwrap_or(text.len())].trim_end_matches(':');
    let mut rest = text[proof.len()..].chars();
    let goes_on = match rest.next() {
        Some('.') => rest.next().is_some_and(|c| c.is_alphanumeric() && !c.is_uppercase()),
        Some('/' | '_' | '@' | '%') => rest.next().is_some_and(char::is_alphanumeric),
        _ => false,
    };
    (!goes_on).then_some(proof.len())
}

/// Returns the length of a proof with its lines at the start of a text.
fn proof_and_lines(text: &str) -> Option<usize> {
    let proof =
        text.get(..2 * PROOF_BYTES).filter(|proof| proof.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let rest = text[proof.len()..].strip_prefix(':')?;
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = Some(digits(rest)).filter(|count| *count > 0)?;
    let dash = rest[first..].chars().next().filter(|c| DASHES.contains(c)).map_or(0, char::len_utf8);
    let last = if dash > 0 { digits(&rest[first + dash..]) } else { 0 };
    Some(proof.len() + 1 + first + if last > 0 { dash + last } else { 0 })
}

/// The marks between two lines; word processors change the first.
const DASHES: [char; 2] = ['-', '–'];

/// Returns where the id at the end of a text begins: at the first name of a tree, or else after the last character
/// that isn't part of an id.
fn id_start(text: &str, trees: &[&str]) -> usize {
    let word = text.rfind(|c: char| c.is_whitespace() || ENCODED.contains(&c));
    let word = word.map_or(0, |at| text.ceil_char_boundary(at + 1));
    let is_start = |at: &usize| !text[word..*at].ends_with(char::is_alphanumeric);
    let names = trees.iter().flat_map(|tree| {
        let places = text[word..].match_indices(*tree).map(|(at, _)| word + at);
        places.filter(|at| text[at + tree.len()..].starts_with(':'))
    });
    names.filter(is_start).min().unwrap_or(word)
}

/// Characters that end a citation in prose; in an id they are written as `%XX`.
const ENCODED: [char; 19] = [
    '<', '>', '(', ')', '[', ']', '{', '}', '"', '\'', '`', '|', '\u{3000}', '“', '”', '„', '「', '」', '、',
];

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.id.to_string().chars() {
            match c.is_whitespace() || c.is_control() || c == '%' || ENCODED.contains(&c) {
                false => f.write_char(c)?,
                true => {
                    let mut bytes = [0; 4];
                    c.encode_utf8(&mut bytes).bytes().try_for_each(|byte| write!(f, "%{byte:02X}"))?;
                }
            }
        }
        f.write_char('@')?;
        self.proof.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        write!(f, ":{}-{}", self.lines.0, self.lines.1)
    }
}

fn number(text: &str) -> Option<usize> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::id::DocId;

    fn find(text: &str) -> Vec<String> {
        let found = Citation::find_all(text, &["docs"]).into_iter();
        found.filter_map(|(_, citation)| Some(citation.ok()?.to_string())).collect()
    }

    #[test]
    fn citations_are_found_in_prose() {
        let cited = "docs:guide.md#setup@0123456789abcd:10-20";
        for text in [
            "C",
            "See C.",
            "(see `C`, [C])",
            "**C**: yes, *C*, _C_ and ~~C~~",
            "<C>",
            "me@example.org says \"C\" and “C”",
            "see:C, Source=C",
            "C,C;C",
            "[^1]:C",
            "—C— C… C/ C&gt;",
            "「C」。C、C",
        ] {
            let expected = vec![cited; text.matches('C').count()];
            assert_eq!(find(&text.replace('C', cited)), expected, "{text}");
        }
        assert_eq!(find("docs:a.md@0123456789abcd:3–5."), ["docs:a.md@0123456789abcd:3-5"]);
        assert_eq!(find("docs:a.md@0123456789abcd:3."), ["docs:a.md@0123456789abcd:3-3"]);
        assert_eq!(find("other:a.md@0123456789abcd:3-3"), ["other:a.md@0123456789abcd:3-3"]);
        for path in ["release@2024.md", "bob@facebook.com/x.md", "a@beef@cafe"] {
            let cited = format!("docs:{path}@0123456789abcd:3-3");
            assert_eq!(find(&format!("see {cited}.")), [cited]);
        }
        let (line, citation) =
            Citation::find_all("a\nb docs:my%20notes.md@0123456789abcd:3-3", &["docs"]).remove(0);
        let citation = citation.unwrap();
        assert_eq!((line, citation.id.to_string().as_str(), citation.lines), (2, "docs:my notes.md", (3, 3)));
    }

    #[test]
    fn what_looks_like_a_citation_and_is_none_is_malformed() {
        for text in [
            "docs:a.md@0123456789abcd",
            "docs:a.md@01234567",
            "docs:a.md@0123456789abc:1-2",
            "docs:a.md@0123456789abcg:1-2",
            "docs:a.md@0123456789abcd:2-1",
            "docs:a.md@0123456789abcd:0-1",
            "a.md@0123456789abcd:1-2",
            "docs:a%f@0123456789abcd:1-2",
            "docs:a%ff@0123456789abcd:1-2",
        ] {
            let found = Citation::find_all(&format!("see `{text}`."), &["docs"]);
            assert_eq!(found, [(1, Err(text.to_owned()))], "{text}");
        }
        for between in [" ", ",", ";"] {
            let cited = ["docs:a.md@dead", "docs:b.md@0123456789abcd:1-2", "docs:c.md@beef"].join(between);
            let all = Citation::find_all(&cited, &["docs"]);
            let is_malformed: Vec<bool> = all.iter().map(|(_, citation)| citation.is_err()).collect();
            assert_eq!(is_malformed, [true, false, true], "{cited}");
        }
        let next = Citation::find_all("docs:a.md@0123456789abcd.Next", &["docs"]);
        assert_eq!(next, [(1, Err("docs:a.md@0123456789abcd".to_owned()))]);
    }

    #[test]
    fn what_is_no_citation_is_passed_over() {
        for text in [
            "",
            "me@example.org",
            "docs:me@example.org",
            "dead@beef",
            "docs:a.md@é123",
            "docs:a.md @abcdef",
            "docs:alice@facebook.com",
            "docs:release@2024.md",
            "docs:bob@face/x.md",
        ] {
            assert_eq!(Citation::find_all(text, &["docs"]), [], "{text}");
        }
    }

    #[test]
    fn white_space_at_the_ends_of_lines_does_not_count() {
        assert_eq!(TextProof::of("a\nb\n"), TextProof::of("a  \r\nb"));
        assert_ne!(TextProof::of("a\nb\n"), TextProof::of("ab"));
        assert_ne!(TextProof::of("a\nb\n"), TextProof::of("a\n b\n"));
    }

    proptest! {
        #[test]
        fn display_then_parse_is_identity(
            path in "[a-z#:/ \\[\\]&%@.é()-]{1,16}",
            slug in proptest::option::of("[a-z0-9_-]{1,8}"),
            lines in (1..50usize, 0..50usize),
        ) {
            let id = ChunkId { doc: DocId::new("docs".parse().unwrap(), path), slug };
            let proof = TextProof::of("text");
            let citation = Citation { id, proof, lines: (lines.0, lines.0 + lines.1) };
            let found = Citation::find_all(&format!("see {citation}."), &["docs"]);
            prop_assert_eq!(found, [(1, Ok(citation))]);
        }

        #[test]
        fn any_text_can_be_searched(text in any::<String>()) {
            let _ = Citation::find_all(&text, &["docs", "a"]);
        }
    }
}

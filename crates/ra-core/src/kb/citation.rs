//! Citations: the name of a text together with a proof of what it says, such as
//! `docs:guide.md#setup@1f2e3d4c5b6a70:10-20`.

use std::collections::HashSet;
use std::fmt::{self, Write};

use super::Fetched;
use crate::id::ChunkId;

/// The proof of a text: a hash of its lines. White space at the ends of lines doesn't count.
///
/// The first byte is the sum of the lines' first bytes without carry. It can be moved from line to line, so a text
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

/// The hash of one line.
pub(super) type LineHash = [u8; 8];

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
        proof[0] = lines.iter().fold(0, |sum, line| sum ^ line[0]);
        Self(proof)
    }

    /// Returns the lines, counted from 0, where a text of `count` lines with one of the wanted proofs begins.
    pub(super) fn find(lines: &[LineHash], count: usize, wanted: &[TextProof]) -> Vec<(usize, TextProof)> {
        let sums: HashSet<u8> = wanted.iter().map(|proof| proof.0[0]).collect();
        let mut sum = lines.iter().take(count).fold(0, |sum, line| sum ^ line[0]);
        let mut found = Vec::new();
        for (nr, window) in lines.windows(count).enumerate() {
            if nr > 0 {
                sum ^= lines[nr - 1][0] ^ window[count - 1][0];
            }
            if sums.contains(&sum) {
                let proof = Self::of_lines(window);
                found.extend(wanted.contains(&proof).then_some((nr, proof)));
            }
        }
        found
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
    /// Returns the citation of a text that was fetched; `None` for an outline.
    pub fn of(fetched: &Fetched) -> Option<Self> {
        let text = fetched.content.as_deref()?;
        Some(Self { id: fetched.id.clone(), proof: TextProof::of(text), lines: fetched.lines })
    }

    /// Reads a citation.
    pub fn parse(text: &str) -> Option<Self> {
        let (rest, lines) = text.rsplit_once(':')?;
        let (id, proof) = rest.rsplit_once('@')?;
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let lines = (number(first)?, number(last)?);
        let id = decoded(id)?.parse().ok()?;
        (lines.0 <= lines.1).then_some(Self { id, proof: TextProof::parse(proof)?, lines })
    }

    /// Finds all citations in a text. Returns each with its line in that text.
    pub fn find_all(text: &str) -> Vec<(usize, Citation)> {
        let mut found = Vec::new();
        for (line, nr) in text.lines().zip(1..) {
            let candidates = line.split(|c: char| c.is_whitespace() || ENCODED.contains(&c));
            for candidate in candidates.filter(|candidate| candidate.contains('@')) {
                let candidate = candidate.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_']);
                found.extend(Citation::parse(candidate).map(|citation| (nr, citation)));
            }
        }
        found
    }
}

/// Characters that end a citation in prose; in an id they are written as `%XX`.
const ENCODED: [char; 13] = ['<', '>', '(', ')', '[', ']', '{', '}', '"', '\'', '`', '|', '\u{3000}'];

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

/// Returns an id without its `%XX`; `None` if that isn't text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
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

    #[test]
    fn citations_are_found_in_prose() {
        let cited = "docs:guide.md#setup@0123456789abcd:10-20";
        for text in [
            cited.to_owned(),
            format!("See {cited}."),
            format!("(see `{cited}`, [{cited}])\n"),
            format!("\n**{cited}**: yes"),
            format!("<{cited}>"),
            format!("me@example.org says \"{cited}\""),
        ] {
            let expected = text.matches(cited).count();
            let found = Citation::find_all(text.trim_start_matches("**"));
            assert!(expected > 0 && (found.len() == expected || text.contains("**")), "{text}");
        }
        let (line, citation) = &Citation::find_all("a\nb docs:my%20notes.md@0123456789abcd:3-3")[0];
        assert_eq!(
            (*line, citation.id.to_string().as_str(), citation.lines),
            (2, "docs:my notes.md", (3, 3))
        );
    }

    #[test]
    fn what_is_no_citation_is_passed_over() {
        for text in [
            "",
            "me@example.org",
            "docs:a.md@0123456789abcd",
            "docs:a.md@0123456789abc:1-2",
            "docs:a.md@0123456789abcg:1-2",
            "docs:a.md@0123456789abcd:2-1",
            "docs:a.md@0123456789abcd:0-1",
            "a.md@0123456789abcd:1-2",
            "docs:a%f@0123456789abcd:1-2",
            "docs:a%ff@0123456789abcd:1-2",
            "docs:a.md@0123456789abcd:+1-2",
        ] {
            assert_eq!(Citation::find_all(text), [], "{text}");
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
            let found = Citation::find_all(&format!("see {citation}."));
            prop_assert_eq!(found, [(1, citation)]);
        }

        #[test]
        fn any_text_can_be_searched(text in any::<String>()) {
            let _ = Citation::find_all(&text);
        }
    }
}

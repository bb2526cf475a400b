//! Coherence: whether the printed part of an answer is readable, not made of shreds.

use super::JudgedQuery;
use crate::id::ChunkId;

/// The printed part of an answer.
#[derive(Clone, Debug, Default)]
pub struct Printed {
    /// The tokens of everything printed.
    pub tokens: usize,
    /// The document text in it.
    pub fragments: Vec<Fragment>,
}

/// Consecutive text of one document.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// Its sections.
    pub sections: Vec<SectionText>,
}

/// Consecutive text of one section.
#[derive(Clone, Debug)]
pub struct SectionText {
    /// The section.
    pub id: ChunkId,
    /// The text shown.
    pub text: String,
    /// Its tokens.
    pub tokens: usize,
    /// True if the whole section is shown.
    pub is_whole: bool,
}

/// A fragment with at least this many tokens is readable by itself.
const COHERENT_TOKENS: usize = 100;
/// A fragment with fewer tokens is a shred, unless it contains a whole section.
const SHRED_TOKENS: usize = 60;

impl Fragment {
    fn tokens(&self) -> usize {
        self.sections.iter().map(|section| section.tokens).sum()
    }

    fn has_whole_section(&self) -> bool {
        self.sections.iter().any(|section| section.is_whole)
    }

    /// True if it is a readable part of a relevant document or section.
    fn is_coherent_for(&self, judged: &JudgedQuery) -> bool {
        let is_relevant = |id: &str| judged.grade(id) > 0.0;
        let is_readable = |section: &SectionText| section.is_whole || section.tokens >= COHERENT_TOKENS;
        let has_section =
            self.sections.iter().any(|section| is_readable(section) && is_relevant(&section.id.to_string()));
        let of_document =
            self.sections.first().is_some_and(|section| is_relevant(&section.id.doc.to_string()));
        has_section || of_document && (self.has_whole_section() || self.tokens() >= COHERENT_TOKENS)
    }
}

impl Printed {
    /// True if it contains the answer, or a readable passage of something relevant if the answer isn't known.
    pub fn is_coherent_for(&self, judged: &JudgedQuery) -> bool {
        if !judged.answers.is_empty() {
            let texts = self.fragments.iter().flat_map(|fragment| &fragment.sections);
            let texts: Vec<&str> = texts.map(|section| section.text.as_str()).collect();
            return judged.is_answered_by(&texts.join("\n"));
        }
        self.fragments.iter().any(|fragment| fragment.is_coherent_for(judged))
    }

    /// Returns the fraction of the document tokens that is in shreds.
    pub fn shredded(&self) -> f64 {
        let all: usize = self.fragments.iter().map(Fragment::tokens).sum();
        let is_shred =
            |fragment: &&Fragment| fragment.tokens() < SHRED_TOKENS && !fragment.has_whole_section();
        let shreds: usize = self.fragments.iter().filter(is_shred).map(Fragment::tokens).sum();
        shreds as f64 / all.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fragment(sections: &[(&str, usize, bool)]) -> Fragment {
        let section = |&(id, tokens, is_whole): &(&str, usize, bool)| SectionText {
            id: id.parse().expect("an id"),
            text: format!("The text\nof {id}."),
            tokens,
            is_whole,
        };
        Fragment { sections: sections.iter().map(section).collect() }
    }

    #[test]
    fn a_passage_of_a_relevant_page_or_section_counts_when_it_can_be_read() {
        let judged = |relevant: &str| JudgedQuery {
            query: "q".to_owned(),
            relevant: vec![(relevant.to_owned(), 1.0)],
            answers: Vec::new(),
        };
        for (relevant, sections, is_coherent) in [
            ("t:a.md", &[("t:a.md#x", 40, false)][..], false),
            ("t:a.md", &[("t:a.md#x", 100, false)], true),
            ("t:a.md", &[("t:a.md#x", 60, false), ("t:a.md#y", 40, false)], true),
            ("t:a.md", &[("t:a.md#x", 9, true)], true),
            ("t:a.md", &[("t:b.md#x", 900, true)], false),
            ("t:a.md#x", &[("t:a.md#x", 99, false), ("t:a.md#y", 40, true)], false),
            ("t:a.md#x", &[("t:a.md#y", 40, true), ("t:a.md#x", 100, false)], true),
            ("t:a.md#x", &[("t:a.md#x", 5, true)], true),
        ] {
            let printed = Printed { tokens: 0, fragments: vec![fragment(sections)] };
            assert_eq!(printed.is_coherent_for(&judged(relevant)), is_coherent, "{relevant} {sections:?}");
        }
    }

    #[test]
    fn a_known_answer_must_be_printed() {
        let printed = Printed {
            tokens: 0,
            fragments: vec![fragment(&[("t:a.md#x", 9, false), ("t:b.md", 900, true)])],
        };
        for (answers, is_answered) in [
            (&["text of t:a.md#x"][..], true),
            (&["no such text", " of\n t:b.md. "], true),
            (&["no such text"], false),
            (&["Text of"], false),
        ] {
            let answers = answers.iter().copied().map(str::to_owned).collect();
            let judged =
                JudgedQuery { query: "q".to_owned(), relevant: vec![("t:b.md".to_owned(), 1.0)], answers };
            assert_eq!(printed.is_coherent_for(&judged), is_answered, "{judged:?}");
        }
    }

    #[test]
    fn shreds_are_short_and_no_whole_section() {
        let fragments = vec![
            fragment(&[("t:a.md#x", 59, false)]),
            fragment(&[("t:a.md#x", 20, true)]),
            fragment(&[("t:a.md#x", 59, false), ("t:a.md#y", 1, false)]),
            fragment(&[("t:a.md#x", 61, false)]),
        ];
        let printed = Printed { tokens: 0, fragments };
        assert!((printed.shredded() - 59.0 / 200.0).abs() < 1e-9);
        assert_eq!(Printed::default().shredded(), 0.0);
    }
}

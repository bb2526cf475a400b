//! The answer to a search.

use std::path::Path;

use ra_core::index::Relaxed;
use ra_core::kb::{self, KnowledgeBase};
use ra_core::search::{self, Passage};
use ra_core::text::{Lines, Span};
use serde::Serialize;

use super::Index;

/// How much of each result is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    /// The text.
    Full,
    /// Ids, headings and snippets.
    List,
    /// Matching lines.
    Matches,
}

#[derive(Serialize)]
pub(crate) struct Shown {
    pub(crate) queries: Vec<QueryAnswer>,
    pub(crate) index: Index,
    #[serde(skip)]
    pub(crate) show: Show,
}

#[derive(Serialize)]
pub(crate) struct QueryAnswer {
    pub(crate) query: String,
    pub(crate) results: Vec<Item>,
    pub(crate) total_matches: usize,
    /// True when not every word was required.
    pub(crate) relaxed: bool,
    /// Why it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) relaxed_because: Option<&'static str>,
    /// Words that some sections have, but none of the results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) dropped_words: Vec<String>,
    /// Words that no section has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) unknown_words: Vec<String>,
    /// How the query was read where that is not obvious.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<Note>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) explain: Option<Explain>,
}

#[derive(Serialize)]
pub(crate) struct Note {
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) tree: String,
    pub(crate) path: String,
    pub(crate) file: String,
    pub(crate) title: String,
    pub(crate) breadcrumb: String,
    pub(crate) lines: (usize, usize),
    pub(crate) score: f32,
    pub(crate) tokens: usize,
    pub(crate) snippet: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) match_ranges: Option<Vec<(usize, usize)>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) matched_lines: Vec<MatchedLine>,
    /// The matching chunks that an aggregated result stands for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) parts: Vec<Part>,
    /// True when the text is shown under an earlier query.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) shown_above: bool,
    #[serde(skip)]
    pub(crate) ranges: Vec<Span>,
}

#[derive(Serialize)]
pub(crate) struct MatchedLine {
    pub(crate) line: usize,
    pub(crate) text: String,
    #[serde(skip)]
    pub(crate) ranges: Vec<Span>,
}

#[derive(Serialize)]
pub(crate) struct Part {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) lines: (usize, usize),
    pub(crate) score: f32,
}

/// What each stage did.
#[derive(Serialize)]
pub(crate) struct Explain {
    pub(crate) read_as: String,
    pub(crate) words: Vec<Word>,
    pub(crate) retrieved: usize,
    pub(crate) normalized: bool,
    pub(crate) cut: String,
    pub(crate) gathered: usize,
    pub(crate) hits: Vec<ExplainedHit>,
}

#[derive(Serialize)]
pub(crate) struct Word {
    pub(crate) word: String,
    pub(crate) matches: usize,
    pub(crate) rarity: f32,
    /// What was looked for, with the weight of each form.
    pub(crate) forms: Vec<(String, f32)>,
}

#[derive(Serialize)]
pub(crate) struct ExplainedHit {
    pub(crate) document: String,
    pub(crate) position: u32,
    pub(crate) score: f32,
    /// What the document as a whole gave to the raw score.
    pub(crate) from_document: f32,
    /// What each word gave to the raw score.
    pub(crate) words: Vec<(String, f32)>,
}

impl Shown {
    pub(crate) fn new(
        answers: kb::Answers,
        kb: &KnowledgeBase,
        show: Show,
        explain: bool,
        cwd: &Path,
    ) -> Self {
        let mut seen: Vec<(String, (usize, usize))> = Vec::new();
        let mut queries = Vec::new();
        for answer in answers.answers {
            let mut query = QueryAnswer::new(answer, kb, show, explain, cwd);
            for item in &mut query.results {
                let key = (item.id.clone(), item.lines);
                if seen.contains(&key) && show == Show::Full {
                    item.shown_above = true;
                    item.content = None;
                    item.match_ranges = None;
                }
                seen.push(key);
            }
            queries.push(query);
        }
        Shown { queries, index: Index::new(answers.freshness), show }
    }
}

impl QueryAnswer {
    fn new(answer: kb::Answer, kb: &KnowledgeBase, show: Show, explain: bool, cwd: &Path) -> Self {
        let diagnostics = answer.diagnostics.iter().map(|diagnostic| Note {
            message: format!("{} (at character {})", diagnostic.message, diagnostic.span.start + 1),
            hint: Some(diagnostic.hint.clone()).filter(|hint| !hint.is_empty()),
        });
        let notices = answer
            .notices
            .iter()
            .map(|notice| Note { message: notice.message.clone(), hint: notice.hint.clone() });
        let vanished = (answer.vanished > 0).then(|| Note {
            message: format!(
                "left out because the disk no longer has what was indexed: {}",
                if answer.vanished == 1 {
                    "1 result".to_owned()
                } else {
                    format!("{} results", answer.vanished)
                }
            ),
            hint: Some("ask again; if it stays, a tree or file cannot be read".to_owned()),
        });
        QueryAnswer {
            notes: diagnostics.chain(notices).chain(vanished).collect(),
            unknown_words: answer.unknown_words().into_iter().map(str::to_owned).collect(),
            dropped_words: answer.dropped_words().into_iter().map(str::to_owned).collect(),
            explain: explain.then(|| Explain::new(&answer)),
            results: answer.passages.into_iter().map(|passage| Item::new(passage, kb, show, cwd)).collect(),
            query: answer.query,
            total_matches: answer.total,
            relaxed: answer.relaxed.is_some(),
            relaxed_because: answer.relaxed.map(|reason| match reason {
                Relaxed::NothingHasAll => "no section has every word",
                Relaxed::LongQuery => "the query is long",
            }),
        }
    }
}

impl Item {
    fn new(passage: Passage, kb: &KnowledgeBase, show: Show, cwd: &Path) -> Self {
        let doc = &passage.id.doc;
        let file =
            kb.config().tree(doc.tree.as_str()).map(|tree| tree.root.join(&doc.path)).unwrap_or_default();
        let file = file.strip_prefix(cwd).unwrap_or(&file);
        let parts: Vec<Part> = passage
            .parts
            .iter()
            .map(|part| Part {
                id: part.id.to_string(),
                title: part.title.clone(),
                lines: part.lines,
                score: part.score,
            })
            .collect();
        let full = show == Show::Full;
        let ranges = || passage.matches.iter().map(|range| (range.start, range.end)).collect();
        Item {
            id: passage.id.to_string(),
            tree: doc.tree.to_string(),
            path: doc.path.clone(),
            file: file.display().to_string(),
            snippet: search::snippet(&passage.content, &passage.matches, ("<b>", "</b>")),
            match_ranges: (full && parts.is_empty()).then(ranges),
            matched_lines: if show == Show::Matches { matched_lines(&passage) } else { Vec::new() },
            title: passage.title,
            breadcrumb: passage.breadcrumb,
            lines: passage.lines,
            score: passage.score,
            tokens: passage.tokens,
            content: full.then_some(passage.content),
            ranges: passage.matches,
            parts,
            shown_above: false,
        }
    }
}

/// The lines of a passage that have a match.
fn matched_lines(passage: &Passage) -> Vec<MatchedLine> {
    let lines = Lines::new(&passage.content);
    let numbers = passage.line_numbers();
    let mut matched: Vec<MatchedLine> = Vec::new();
    for range in &passage.matches {
        let number = lines.line_of(range.start);
        let span = lines.span_of(number);
        let range = range.minus(span.start);
        let line = numbers.get(number - 1).copied().unwrap_or(passage.lines.0);
        match matched.last_mut().filter(|last| last.line == line) {
            Some(last) => last.ranges.push(range),
            None => {
                let text = span.of(&passage.content).trim_end_matches(['\n', '\r']).to_owned();
                matched.push(MatchedLine { line, text, ranges: vec![range] });
            }
        }
    }
    matched
}

impl Explain {
    fn new(answer: &kb::Answer) -> Self {
        let trace = &answer.trace;
        let name =
            |nr: u16| trace.words.get(usize::from(nr)).map(|word| word.text.clone()).unwrap_or_default();
        let cut = match (trace.cut.elbow, trace.cut.capped) {
            (Some(at), _) => {
                format!("after {at}, where the score falls steeply; {} dropped", trace.cut.dropped)
            }
            (None, true) => format!("at max_candidates; {} dropped", trace.cut.dropped),
            (None, false) => "none".to_owned(),
        };
        Explain {
            read_as: answer.read_as.clone(),
            words: trace
                .words
                .iter()
                .map(|word| Word {
                    word: word.text.clone(),
                    matches: word.matches,
                    rarity: word.rarity,
                    forms: word.forms.clone(),
                })
                .collect(),
            retrieved: trace.retrieved,
            normalized: trace.normalized,
            cut,
            gathered: trace.gathered,
            hits: trace
                .hits
                .iter()
                .map(|hit| ExplainedHit {
                    document: hit.doc.to_string(),
                    position: hit.ord,
                    score: hit.score,
                    from_document: hit.document,
                    words: hit.words.iter().map(|(nr, score)| (name(*nr), *score)).collect(),
                })
                .collect(),
        }
    }
}

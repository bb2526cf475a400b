//! Explains how an answer was computed, for `--explain`.

use std::io;

use ra_core::context::Term;
use ra_core::kb::{self, ContextAnswer, told};
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::{Page, Table, count};

/// The result of each stage; with `--explain` only.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Explain {
    /// The query in canonical form.
    pub(crate) read_as: String,
    /// The words of the files that were searched for; with `ra context` and `ra similar` only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) terms: Vec<ExplainedTerm>,
    /// The patterns and rules of the configuration that the files match; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) patterns: Vec<MatchedPattern>,
    /// The words of the query.
    pub(crate) words: Vec<Word>,
    /// The number of chunks that were retrieved.
    pub(crate) retrieved: usize,
    /// Whether scores were divided by the highest score that the query could reach.
    pub(crate) normalized: bool,
    /// The highest score that the query could reach, which all scores are divided by.
    pub(crate) best_possible_score: f32,
    /// Where the results were cut off, and why.
    pub(crate) cut: String,
    /// The number of results before the limit.
    pub(crate) aggregated: usize,
    /// The hits that entered aggregation.
    pub(crate) hits: Vec<ExplainedHit>,
}

/// A word of the files that was searched for.
#[derive(JsonSchema, Serialize)]
pub(crate) struct ExplainedTerm {
    /// The word.
    pub(crate) term: String,
    /// Its weight.
    pub(crate) weight: f32,
    /// Its idf: high if few sections have it.
    pub(crate) rarity: f32,
    /// The parts of the files that it comes from.
    pub(crate) from: Vec<String>,
}

/// A pattern of the configuration that a file matches.
#[derive(JsonSchema, Serialize)]
pub(crate) struct MatchedPattern {
    /// The file.
    pub(crate) file: String,
    /// The glob that it matches.
    pub(crate) pattern: String,
}

/// A word of the query.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Word {
    /// The word or phrase as it was written.
    pub(crate) word: String,
    /// The number of chunks that have it.
    pub(crate) matches: usize,
    /// Its idf: high if few sections have it.
    pub(crate) rarity: f32,
    /// The forms that were searched for, with their weights.
    pub(crate) forms: Vec<(String, f32)>,
}

/// A hit, and how its score was computed.
#[derive(JsonSchema, Serialize)]
pub(crate) struct ExplainedHit {
    /// The document, as `tree:path`.
    pub(crate) document: String,
    /// The position of the chunk in its document.
    pub(crate) position: u32,
    /// The score that entered aggregation.
    pub(crate) score: f32,
    /// The contribution of the whole document to the raw score.
    pub(crate) from_document: f32,
    /// The contribution of the proximity of neighboring words to the raw score.
    pub(crate) from_proximity: f32,
    /// The factor from the document's title.
    pub(crate) title_factor: f32,
    /// The score from words alone.
    pub(crate) lexical_score: f32,
    /// The cosine similarity of the query and the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) page_similarity: Option<f32>,
    /// The cosine similarity of the query and the nearest passage of the section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) passage_similarity: Option<f32>,
    /// The contribution of each word to the raw score.
    pub(crate) words: Vec<(String, f32)>,
}

impl Explain {
    pub(super) fn new(answer: &kb::Answer) -> Self {
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
            terms: Vec::new(),
            patterns: Vec::new(),
            words: trace
                .words
                .iter()
                .map(|word| Word {
                    word: word.text.clone(),
                    matches: word.matches,
                    rarity: word.idf,
                    forms: word.forms.clone(),
                })
                .collect(),
            retrieved: trace.retrieved,
            normalized: trace.best_possible > 0.0,
            best_possible_score: trace.best_possible,
            cut,
            aggregated: trace.aggregated,
            hits: trace
                .hits
                .iter()
                .map(|hit| ExplainedHit {
                    document: hit.doc.to_string(),
                    position: hit.ord,
                    score: hit.score,
                    from_document: hit.document,
                    from_proximity: hit.proximity,
                    title_factor: hit.title,
                    lexical_score: hit.lexical,
                    page_similarity: hit.similarity.page,
                    passage_similarity: hit.similarity.passage,
                    words: hit.words.iter().map(|(nr, score)| (name(*nr), *score)).collect(),
                })
                .collect(),
        }
    }

    /// Adds how the query was made from files.
    pub(super) fn sources(&mut self, found: &ContextAnswer) {
        self.terms = found.terms.iter().map(ExplainedTerm::new).collect();
        let pattern =
            |(file, glob): &(String, String)| MatchedPattern { file: file.clone(), pattern: glob.clone() };
        self.patterns = found.patterns.iter().map(pattern).collect();
    }
}

impl ExplainedTerm {
    fn new(term: &Term) -> Self {
        let from = term.signals.iter().map(|(file, signal)| format!("{file}: {}", told(signal))).collect();
        Self { term: term.text.clone(), weight: term.weight, rarity: term.idf, from }
    }
}

impl Explain {
    pub(super) fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.line(format!("read as: {}", page.clean(&self.read_as)))?;
        for matched in &self.patterns {
            page.line(format!("{} matches {}", page.clean(&matched.file), page.clean(&matched.pattern)))?;
        }
        if !self.terms.is_empty() {
            let mut terms = Table::new(&["term", ">weight", ">rarity", "from"]);
            for term in &self.terms {
                terms.row([
                    page.clean(&term.term),
                    format!("{:.2}", term.weight),
                    format!("{:.2}", term.rarity),
                    page.clean(&term.from.join(", ")),
                ]);
            }
            page.table(&terms)?;
        }
        let mut words = Table::new(&["word", ">sections", ">rarity", "looked for"]);
        for word in &self.words {
            let forms: Vec<String> =
                word.forms.iter().map(|(form, weight)| format!("{form}×{weight:.2}")).collect();
            words.row([
                word.word.clone(),
                word.matches.to_string(),
                format!("{:.2}", word.rarity),
                forms.join(" "),
            ]);
        }
        page.table(&words)?;
        page.line(format!("retrieved: {}", count(self.retrieved, "chunk")))?;
        page.line(format!("scores are divided by: {:.2}, the best possible", self.best_possible_score))?;
        page.line(format!("cut: {}", self.cut))?;
        page.line(format!("aggregated into: {}", count(self.aggregated, "result")))?;
        let mut hits = Table::new(&[">score", "chunk", "from"]);
        for hit in &self.hits {
            let document = ("its document".to_owned(), hit.from_document);
            let proximity = ("proximity".to_owned(), hit.from_proximity);
            let more = [&document, &proximity].into_iter().filter(|(_, score)| *score > 0.0);
            let words: Vec<String> =
                hit.words.iter().chain(more).map(|(word, score)| format!("{word} {score:.2}")).collect();
            let title = match hit.title_factor {
                factor if factor > 1.0 => format!(", × {factor:.2} for its name"),
                _ => String::new(),
            };
            let similarities = [("page", hit.page_similarity), ("passage", hit.passage_similarity)];
            let near: Vec<String> = similarities
                .iter()
                .filter_map(|(what, cosine)| cosine.map(|cosine| format!("{what} {cosine:.2}")))
                .collect();
            let meaning = match near.as_slice() {
                [] => String::new(),
                near => format!("; words {:.3}, meaning: {}", hit.lexical_score, near.join(", ")),
            };
            hits.row([
                format!("{:.3}", hit.score),
                format!("{} @{}", hit.document, hit.position),
                words.join(" + ") + &title + &meaning,
            ]);
        }
        page.table(&hits)?;
        page.line("")
    }
}

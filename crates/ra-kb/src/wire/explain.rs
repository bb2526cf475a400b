//! Explains how an answer was computed, for `--explain`.

use ra_core::context::Term;
use ra_core::kb::{self, ContextAnswer, told};
use schemars::JsonSchema;
use serde::Serialize;

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
    pub(crate) gathered: usize,
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
    pub(crate) from_closeness: f32,
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
            gathered: trace.gathered,
            hits: trace
                .hits
                .iter()
                .map(|hit| ExplainedHit {
                    document: hit.doc.to_string(),
                    position: hit.ord,
                    score: hit.score,
                    from_document: hit.document,
                    from_closeness: hit.proximity,
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

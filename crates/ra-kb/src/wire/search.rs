//! The answer to a search.

use std::path::Path;

use ra_core::document::Pages;
use ra_core::id::ChunkId;
use ra_core::index::RelaxReason;
use ra_core::kb::{self, ContextAnswer, KnowledgeBase};
use ra_core::retrieval::Passage;
use serde::{Serialize, Serializer};

use super::{Explain, Index, WouldMatch};
use crate::hints::Surface;
use crate::layout::{self, Detail, OmittedResults, ResultText};

/// How much of each result is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultForm {
    /// The text.
    Full,
    /// Ids, headings and snippets.
    List,
    /// Matching lines.
    Matches,
}

#[derive(Serialize)]
pub(crate) struct SearchReport {
    pub(crate) queries: Vec<QueryAnswer>,
    /// The number of results that the token budget omitted.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) left_out: usize,
    pub(crate) index: Index,
    /// The line about them.
    #[serde(skip)]
    pub(crate) left_out_line: String,
    /// True if there was no room for the query headings.
    #[serde(skip)]
    pub(crate) is_unnamed: bool,
    #[serde(skip)]
    pub(crate) show: ResultForm,
}

impl SearchReport {
    /// True if nothing was found; omitted results count as found.
    pub(crate) fn is_empty(&self) -> bool {
        let is_empty = |answer: &QueryAnswer| answer.total_matches == 0 && answer.results.is_empty();
        self.left_out == 0 && self.queries.iter().all(is_empty)
    }
}

/// Serializes a score with its shortest decimal representation, both to text and to a JSON value.
fn serialize_score<S: Serializer>(score: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    let short = score.to_string().parse().unwrap_or_else(|_| f64::from(*score));
    serializer.serialize_f64(short)
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Serialize)]
pub(crate) struct QueryAnswer {
    pub(crate) query: String,
    pub(crate) results: Vec<Item>,
    pub(crate) total_matches: usize,
    /// True if not every word was required.
    pub(crate) relaxed: bool,
    /// Why not, if that is worth a note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) relaxed_because: Option<&'static str>,
    /// The number of the first result that lacks a word, if those before it have all words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) partial_from: Option<usize>,
    /// The words of which each section from there on lacks one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) missing_words: Vec<String>,
    /// Words that some sections have, but none of the results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) dropped_words: Vec<String>,
    /// Words that no section has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) unknown_words: Vec<String>,
    /// For each of those, the nearest words that some section has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) nearest_words: Vec<Nearest>,
    /// Queries that would match, if this one doesn't.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) would_match: Vec<WouldMatch>,
    /// How the query was read, where that is not obvious.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<Note>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) explain: Option<Explain>,
}

#[derive(Serialize)]
pub(crate) struct Nearest {
    pub(crate) word: String,
    pub(crate) nearest: Vec<String>,
    /// True if these words were searched for instead.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) looked_for: bool,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pages: Option<Pages>,
    /// The ids of the same page in other languages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) translations: Vec<String>,
    #[serde(serialize_with = "serialize_score")]
    pub(crate) score: f32,
    pub(crate) tokens: usize,
    pub(crate) snippet: String,
    /// How much of the text is in `content`.
    pub(crate) shown: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) match_ranges: Option<Vec<(usize, usize)>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) matched_lines: Vec<MatchedLine>,
    /// The matching chunks that an aggregated result was merged from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) parts: Vec<Part>,
    /// True if the text is shown under an earlier query.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) shown_above: bool,
    #[serde(skip)]
    pub(crate) text: ResultText,
}

#[derive(Serialize)]
pub(crate) struct MatchedLine {
    pub(crate) line: usize,
    pub(crate) text: String,
}

#[derive(Serialize)]
pub(crate) struct Part {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) lines: (usize, usize),
    #[serde(serialize_with = "serialize_score")]
    pub(crate) score: f32,
}

/// How to show an answer.
pub(crate) struct View<'a> {
    pub(crate) kb: &'a KnowledgeBase,
    /// The working directory, which file names are relative to.
    pub(crate) cwd: &'a Path,
    pub(crate) show: ResultForm,
    /// True if each stage is to be explained.
    pub(crate) explain: bool,
    /// The token budget, if there is one.
    pub(crate) max_tokens: Option<usize>,
    /// Where the answer is read.
    pub(crate) surface: Surface,
    /// True if the answer is written as JSON.
    pub(crate) is_json: bool,
}

impl<'a> View<'a> {
    /// Returns the same view with a token budget.
    pub(crate) fn within(&self, tokens: usize) -> View<'a> {
        View { max_tokens: Some(tokens), ..*self }
    }

    fn file(&self, id: &ChunkId) -> String {
        let tree = self.kb.config().tree(id.doc.tree.as_str());
        let file = tree.map(|tree| tree.root.join(&id.doc.path)).unwrap_or_default();
        file.strip_prefix(self.cwd).unwrap_or(&file).display().to_string()
    }

    fn result(&self, passage: &Passage) -> ResultText {
        let detail = match self.show {
            ResultForm::Full => Detail::Full,
            ResultForm::List => Detail::Entry,
            ResultForm::Matches => Detail::Lines(usize::MAX),
        };
        ResultText::new(passage.clone(), self.file(&passage.id), detail)
    }
}

impl SearchReport {
    pub(crate) fn new(answers: &kb::SearchAnswers, view: &View<'_>) -> Self {
        let texts =
            |answer: &kb::Answer| answer.passages.iter().map(|passage| view.result(passage)).collect();
        let mut results: Vec<Vec<ResultText>> = answers.answers.iter().map(texts).collect();
        if view.show == ResultForm::Full {
            layout::point_to_repeated(&mut results);
        }
        let queries: Vec<&str> = answers.answers.iter().map(|answer| answer.query.as_str()).collect();
        let (left_out, is_unnamed) = match view.max_tokens {
            Some(tokens) => {
                layout::fit_all(&mut results, &queries, tokens, view.surface.omitted_line(view.show))
            }
            None => {
                results.iter_mut().flatten().for_each(|result| result.show(result.detail));
                (OmittedResults::default(), false)
            }
        };
        let answer = |(answer, results)| QueryAnswer::new(answer, results, view);
        SearchReport {
            queries: answers.answers.iter().zip(results).map(answer).collect(),
            left_out: left_out.results,
            left_out_line: left_out.line,
            is_unnamed,
            index: Index::new(answers.freshness.clone()),
            show: view.show,
        }
    }
}

impl SearchReport {
    /// Builds the answer to a query that was made from files.
    pub(crate) fn context(found: &ContextAnswer, view: &View<'_>) -> Self {
        let mut shown = Self::new(&found.answers, view);
        for answer in &mut shown.queries {
            let warnings = found.warnings.iter().map(|warning| Note { message: warning.clone(), hint: None });
            answer.notes.extend(warnings);
            let is_unexplained = answer.notes.is_empty() && answer.results.is_empty();
            if found.terms.is_empty() && !found.names.is_empty() && is_unexplained {
                let message = "no word of it is in the documents".to_owned();
                answer.notes.push(Note { message, hint: Some("search for words of your own".to_owned()) });
            }
            if let Some(explain) = &mut answer.explain {
                explain.sources(found);
            }
        }
        shown
    }
}

impl QueryAnswer {
    fn new(answer: &kb::Answer, results: Vec<ResultText>, view: &View<'_>) -> Self {
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
            hint: Some(view.surface.vanished().to_owned()),
        });
        QueryAnswer {
            notes: diagnostics.chain(notices).chain(vanished).collect(),
            unknown_words: answer.unknown_words().into_iter().map(str::to_owned).collect(),
            nearest_words: answer
                .unknown
                .iter()
                .filter(|unknown| !unknown.nearest.is_empty())
                .map(|unknown| Nearest {
                    word: unknown.word.clone(),
                    nearest: unknown.nearest.clone(),
                    looked_for: unknown.is_replaced,
                })
                .collect(),
            would_match: answer.instead.iter().map(|offer| WouldMatch::new(offer, view.surface)).collect(),
            dropped_words: answer.dropped_words().into_iter().map(str::to_owned).collect(),
            explain: view.explain.then(|| Explain::new(answer)),
            results: results.into_iter().map(|text| Item::new(text, view)).collect(),
            query: answer.query.clone(),
            total_matches: answer.total,
            relaxed: answer.relaxed.is_some(),
            relaxed_because: match answer.relaxed {
                Some(RelaxReason::NothingHasAll) => Some("no section has every word"),
                Some(RelaxReason::FewHaveAll) => Some("few sections have every word"),
                // A question in prose is not expected to have all of its words in one section.
                Some(RelaxReason::LongQuery) | None => None,
            },
            partial_from: answer.filling.as_ref().map(|filling| filling.after + 1),
            missing_words: answer.filling.as_ref().map(|filling| filling.missing.clone()).unwrap_or_default(),
        }
    }
}

impl Item {
    fn new(text: ResultText, view: &View<'_>) -> Self {
        let passage = &text.passage;
        let doc = &passage.id.doc;
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
        let matched = |(line, text)| MatchedLine { line, text };
        let ranges = || text.body.matches.iter().map(|range| (range.start, range.end)).collect();
        Item {
            id: passage.id.to_string(),
            tree: doc.tree.to_string(),
            path: doc.path.clone(),
            file: text.file.clone(),
            snippet: if view.is_json { text.snippet().marked(("<b>", "</b>")) } else { String::new() },
            shown: match text.detail {
                Detail::Full if text.body.is_whole => "whole",
                Detail::Full | Detail::Steps(_) => "passage",
                Detail::Lines(_) => "matches",
                Detail::Entry | Detail::Line | Detail::Nothing => "entry",
                Detail::Above => "above",
            },
            match_ranges: (text.has_text() && parts.is_empty()).then(ranges),
            matched_lines: text.matching_lines(("", "")).0.into_iter().map(matched).collect(),
            title: passage.title.clone(),
            breadcrumb: passage.breadcrumb.clone(),
            translations: passage.translations.iter().map(|other| other.doc.to_string()).collect(),
            lines: passage.lines,
            pages: passage.pages,
            score: passage.score,
            tokens: passage.tokens,
            content: text.has_text().then(|| text.body.text.clone()),
            shown_above: text.detail == Detail::Above,
            parts,
            text,
        }
    }
}

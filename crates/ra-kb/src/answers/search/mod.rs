//! The answer of `ra search`, `ra context` and `ra similar`.
//!
//! | module | does |
//! | --- | --- |
//! | `text` | the answer for pipes and agents |
//! | `screen` | the answer on a terminal |
//! | `view` | how much of each result is shown, and to whom |
//! | `explain` | how the answer was computed |
//! | `notes` | what was done other than asked, and what would help |
//! | `would_match` | suggestions for a query without results |

mod explain;
mod notes;
mod screen;
mod text;
mod view;
mod would_match;

use ra_core::document::Pages;
use ra_core::index::RelaxReason;
use ra_core::kb::{self, ContextAnswer};
use ra_core::retrieval::PassagePart;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

pub(crate) use self::explain::Explain;
use self::notes::{notes, unread_files};
pub(crate) use self::view::View;
pub(crate) use self::would_match::WouldMatch;
use super::{Facets, Index, LineRange};
use crate::layout::{self, Detail, OmittedResults, ResultForm, ResultText};

/// The answer to a search.
#[derive(JsonSchema, Serialize)]
pub(crate) struct SearchReport {
    /// One answer for each query with `--group`, else one for all.
    pub(crate) queries: Vec<QueryAnswer>,
    /// The number of results that the token budget omitted; absent if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(range(min = 1))]
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

/// The answer to a query.
#[derive(JsonSchema, Serialize)]
pub(crate) struct QueryAnswer {
    /// The query as it was written; several joined queries as `(a) OR (b)`.
    pub(crate) query: String,
    /// The results, in the requested order.
    pub(crate) results: Vec<Item>,
    /// The number of chunks that match.
    pub(crate) total_matches: usize,
    /// Whether sections that lack a word were accepted.
    pub(crate) relaxed: bool,
    /// Why sections that lack a word were accepted; absent for a query of four or more words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["no section has every word", "few sections have every word"]))]
    pub(crate) relaxed_because: Option<&'static str>,
    /// The number of the first result whose sections lack a word; those before it have every word.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub(crate) partial_from: Option<usize>,
    /// The words of which each section from there on lacks one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) missing_words: Vec<String>,
    /// Words that some sections have, but none of the results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) dropped_words: Vec<String>,
    /// Words that no section has; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) unknown_words: Vec<String>,
    /// Words near those that no section has; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) nearest_words: Vec<Nearest>,
    /// If nothing matches, similar queries that do; absent otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) would_match: Vec<WouldMatch>,
    /// How the query was read, if that isn't obvious; absent if there is nothing to say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<Note>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) facets: Option<Facets>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) explain: Option<Explain>,
}

/// A word that no section has, and the most similar words that some section has.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Nearest {
    /// A word that no section has.
    pub(crate) word: String,
    /// Words that some section has, by their letters or their meaning, nearest first.
    pub(crate) nearest: Vec<String>,
    /// Whether these words were searched for instead; absent if they were not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) looked_for: bool,
}

/// A note about the query.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Note {
    /// The note.
    pub(crate) message: String,
    /// What to do about it; absent if there is nothing to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

/// A result.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Item {
    /// The id of the section, for `ra get`.
    pub(crate) id: String,
    /// The tree.
    pub(crate) tree: String,
    /// The path of the document below the tree's root.
    pub(crate) path: String,
    /// The source file, relative to the working directory if it is below it.
    pub(crate) file: String,
    /// The heading, or the document's title.
    pub(crate) title: String,
    /// The titles from the document's to the section's own.
    pub(crate) breadcrumb: String,
    /// The first and last line of the text, counted from 1. For a converted file, these are the lines of
    /// the converted text.
    #[schemars(with = "LineRange")]
    pub(crate) lines: (usize, usize),
    /// The first and last page, counted from 1; absent unless the file has pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<LineRange>")]
    pub(crate) pages: Option<Pages>,
    /// The code of the language of the document, or null if it is unknown.
    pub(crate) language: Option<&'static str>,
    /// The ids of the same page in other languages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) translations: Vec<String>,
    /// The score; comparable within one answer only.
    #[serde(serialize_with = "serialize_score")]
    pub(crate) score: f32,
    /// The number of tokens of the text without headings, counted with cl100k_base.
    pub(crate) tokens: usize,
    /// About 150 characters around the matches, which are between `<b>` and `</b>`.
    pub(crate) snippet: String,
    /// How much of the text is shown.
    #[schemars(extend("enum" = ["whole", "passage", "entry", "above", "matches"]))]
    pub(crate) shown: &'static str,
    /// The text as it is shown; absent if none is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<String>,
    /// The byte ranges of the matches in `content`, sorted and disjoint: the first byte, and one past the last.
    /// Absent for results of several sections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) match_ranges: Option<Vec<(usize, usize)>>,
    /// The matching lines; with `--matches` only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) matched_lines: Vec<MatchedLine>,
    /// The matching chunks that an aggregated result was merged from; absent for other results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) parts: Vec<Part>,
    /// Further sections of the document that are shown with this one because they match nearly as well, best first;
    /// absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) also: Vec<Part>,
    /// True if the text is shown under an earlier query; absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("const" = true))]
    pub(crate) shown_above: bool,
    #[serde(skip)]
    pub(crate) text: ResultText,
}

/// A line that matches.
#[derive(JsonSchema, Serialize)]
pub(crate) struct MatchedLine {
    /// The line in the source file, counted from 1.
    #[schemars(range(min = 1))]
    pub(crate) line: usize,
    /// The line, without its end.
    pub(crate) text: String,
}

/// A matching chunk of an aggregated result, or a further section of its document.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Part {
    /// The id of the chunk.
    pub(crate) id: String,
    /// Its heading.
    pub(crate) title: String,
    /// The first and last line in the source file, counted from 1.
    #[schemars(with = "LineRange")]
    pub(crate) lines: (usize, usize),
    /// Its own score.
    #[serde(serialize_with = "serialize_score")]
    pub(crate) score: f32,
}

impl SearchReport {
    pub(crate) fn new(answers: &kb::SearchAnswers, view: &View<'_>) -> Self {
        let texts =
            |answer: &kb::Answer| answer.passages.iter().map(|passage| view.result(passage)).collect();
        let mut results: Vec<Vec<ResultText>> = answers.answers.iter().map(texts).collect();
        if view.show == ResultForm::Full {
            layout::drop_repeated_companions(&mut results);
            layout::point_to_repeated(&mut results);
        }
        let queries: Vec<&str> = answers.answers.iter().map(|answer| answer.query.as_str()).collect();
        let (left_out, is_unnamed) = match view.max_tokens {
            Some(tokens) => {
                layout::fit_all(&mut results, &queries, tokens, view.surface.omitted_line(view.show))
            }
            None => {
                results.iter_mut().flatten().for_each(|result| result.show(result.detail));
                layout::point_to_shown(&mut results);
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
            let warnings = found.warnings.iter().cloned().chain(unread_files(found, view.surface));
            answer.notes.extend(warnings.map(|message| Note { message, hint: None }));
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
        QueryAnswer {
            notes: notes(answer, view.surface),
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
            facets: answer.summary.facets.clone().map(Facets::new),
            explain: view.explain.then(|| Explain::new(answer)),
            results: results.into_iter().map(|text| Item::new(text, view)).collect(),
            query: answer.query.clone(),
            total_matches: answer.summary.total,
            relaxed: answer.summary.relaxed.is_some(),
            relaxed_because: match answer.summary.relaxed {
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
        let parts: Vec<Part> = passage.parts.iter().map(Part::new).collect();
        let also: Vec<Part> = passage.companions.iter().map(Part::new).collect();
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
            match_ranges: (text.has_text() && parts.is_empty() && also.is_empty()).then(ranges),
            matched_lines: text.matching_lines(("", "")).0.into_iter().map(matched).collect(),
            title: passage.title.clone(),
            breadcrumb: passage.breadcrumb.clone(),
            language: Some(passage.language).filter(|it| it.is_known()).map(|it| it.code()),
            translations: passage.translations.iter().map(|other| other.doc.to_string()).collect(),
            lines: passage.lines,
            pages: passage.pages,
            score: passage.score,
            tokens: passage.tokens,
            content: text.has_text().then(|| text.body.text.clone()),
            shown_above: text.detail == Detail::Above,
            parts,
            also,
            text,
        }
    }
}

impl Part {
    fn new(part: &PassagePart) -> Self {
        let PassagePart { id, title, lines, score, .. } = part;
        Part { id: id.to_string(), title: title.clone(), lines: *lines, score: *score }
    }
}

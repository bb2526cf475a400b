//! The answer to a search.

use std::path::Path;

use ra_core::id::ChunkId;
use ra_core::index::Relaxed;
use ra_core::kb::{self, ContextAnswer, KnowledgeBase};
use ra_core::search::{self, Budget, Look, Passage, Rest};
use ra_core::text::{Lines, Span, escape};
use serde::{Serialize, Serializer};

use super::{Explain, Index};
use crate::hints::Surface;

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
    /// Results that the token budget left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) left_out: usize,
    pub(crate) index: Index,
    #[serde(skip)]
    pub(crate) rest: Rest,
    #[serde(skip)]
    pub(crate) show: Show,
}

impl Shown {
    /// Whether nothing was found, whatever a budget left out.
    pub(crate) fn is_empty(&self) -> bool {
        let is_empty = |answer: &QueryAnswer| answer.total_matches == 0 && answer.results.is_empty();
        self.left_out == 0 && self.queries.iter().all(is_empty)
    }
}

/// Writes a score with no more digits than it has, whether it goes to text or to a value that is written later.
fn short<S: Serializer>(score: &f32, serializer: S) -> Result<S::Ok, S::Error> {
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
    /// For each of those, the nearest words that some section has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) nearest_words: Vec<Nearest>,
    /// What would match, when nothing does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) would_match: Vec<WouldMatch>,
    /// How the query was read where that is not obvious.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<Note>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) explain: Option<Explain>,
}

#[derive(Serialize)]
pub(crate) struct Nearest {
    pub(crate) word: String,
    pub(crate) nearest: Vec<String>,
    /// True when they were looked for in its place.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) looked_for: bool,
}

#[derive(Serialize)]
pub(crate) struct WouldMatch {
    pub(crate) without: String,
    pub(crate) query: String,
    pub(crate) matches: usize,
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
    #[serde(serialize_with = "short")]
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
    /// The matching chunks that an aggregated result stands for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) parts: Vec<Part>,
    /// True when the text is shown under an earlier query.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) shown_above: bool,
    #[serde(skip)]
    pub(crate) passage: Passage,
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
    #[serde(serialize_with = "short")]
    pub(crate) score: f32,
}

/// How an answer is to be shown.
pub(crate) struct View<'a> {
    pub(crate) kb: &'a KnowledgeBase,
    /// Where the user is, so that files can be named from there.
    pub(crate) cwd: &'a Path,
    pub(crate) show: Show,
    /// Whether what each stage did is wanted.
    pub(crate) explain: bool,
    /// Tokens at the most, if there is a limit.
    pub(crate) max_tokens: Option<usize>,
    /// Where it is read.
    pub(crate) surface: Surface,
}

impl<'a> View<'a> {
    /// The same within a number of tokens.
    pub(crate) fn within(&self, tokens: usize) -> View<'a> {
        View { max_tokens: Some(tokens), ..*self }
    }

    fn file(&self, id: &ChunkId) -> String {
        let tree = self.kb.config().tree(id.doc.tree.as_str());
        let file = tree.map(|tree| tree.root.join(&id.doc.path)).unwrap_or_default();
        file.strip_prefix(self.cwd).unwrap_or(&file).display().to_string()
    }

    /// The lines of a result that match, as they are printed.
    fn matches(&self, passage: &Passage) -> String {
        let file = self.file(&passage.id);
        let lines = matched_lines(passage);
        let more = more_lines(passage, lines.len(), &file);
        let lines = lines.into_iter().map(|line| {
            format!("{}:{}:{}", escape::one_line(&file), line.line, escape::characters(&line.text))
        });
        let more = more.map(|more| escape::one_line(&more).into_owned());
        lines.chain(more).map(|line| line + "\n").collect()
    }
}

impl Shown {
    pub(crate) fn new(mut answers: kb::Answers, view: &View<'_>) -> Self {
        let passages = answers.answers.iter_mut().flat_map(|answer| &mut answer.passages);
        let levels = match view.show {
            Show::List => {
                passages.for_each(Passage::list);
                search::LIST
            }
            Show::Matches => {
                passages.for_each(|passage| passage.show(search::Shown::Matching));
                search::MATCHES
            }
            Show::Full => {
                answers.name_repeats();
                search::TEXTS
            }
        };
        if let Some(tokens) = view.max_tokens {
            let matches = |passage: &Passage| view.matches(passage);
            let look = match view.show {
                Show::Full | Show::List => Look::Text,
                Show::Matches => Look::Other(&matches),
            };
            answers.fit(&Budget { tokens, levels, look, rest: view.surface.left_out(view.show) });
        }
        let answer = |answer: kb::Answer| QueryAnswer::new(answer, view);
        Shown {
            queries: answers.answers.into_iter().map(answer).collect(),
            left_out: answers.rest.left_out,
            rest: answers.rest,
            index: Index::new(answers.freshness),
            show: view.show,
        }
    }
}

impl Shown {
    /// The answer to a question that was made of files.
    pub(crate) fn context(found: &ContextAnswer, view: &View<'_>) -> Self {
        let mut shown = Self::new(found.answers.clone(), view);
        for answer in &mut shown.queries {
            let warnings = found.warnings.iter().map(|warning| Note { message: warning.clone(), hint: None });
            answer.notes.extend(warnings);
            if found.terms.is_empty() && !found.names.is_empty() && answer.results.is_empty() {
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
    fn new(answer: kb::Answer, view: &View<'_>) -> Self {
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
            would_match: answer
                .instead
                .iter()
                .map(|instead| WouldMatch {
                    without: instead.without.clone(),
                    query: instead.query.clone(),
                    matches: instead.matches,
                })
                .collect(),
            dropped_words: answer.dropped_words().into_iter().map(str::to_owned).collect(),
            explain: view.explain.then(|| Explain::new(&answer)),
            results: answer.passages.into_iter().map(|passage| Item::new(passage, view)).collect(),
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
    fn new(passage: Passage, view: &View<'_>) -> Self {
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
        let has_text = view.show == Show::Full && !passage.content.is_empty();
        let ranges = || passage.matches.iter().map(|range| (range.start, range.end)).collect();
        Item {
            id: passage.id.to_string(),
            tree: doc.tree.to_string(),
            path: doc.path.clone(),
            file: view.file(&passage.id),
            snippet: passage.snippet.marked(("<b>", "</b>")),
            shown: match (view.show, passage.shown) {
                (Show::Matches, _) => "matches",
                (_, search::Shown::Whole) => "whole",
                (_, search::Shown::Matching) => "matching",
                (_, search::Shown::Windows(_)) => "windows",
                (_, search::Shown::Entry) => "entry",
                (_, search::Shown::Name | search::Shown::Nothing) => "name",
            },
            match_ranges: (has_text && parts.is_empty()).then(ranges),
            matched_lines: if view.show == Show::Matches { matched_lines(&passage) } else { Vec::new() },
            title: passage.title.clone(),
            breadcrumb: passage.breadcrumb.clone(),
            lines: passage.lines,
            score: passage.score,
            tokens: passage.tokens,
            content: has_text.then(|| passage.content.clone()),
            shown_above: passage.repeated,
            passage,
            parts,
        }
    }
}

/// What is said of matching lines of a passage that are not shown.
pub(crate) fn more_lines(passage: &Passage, shown: usize, file: &str) -> Option<String> {
    let more = passage.count_matching_lines().saturating_sub(shown);
    (more > 0).then(|| format!("+{more} more lines in {file}"))
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
        let Some(line) = numbers.get(number - 1).copied().flatten() else { continue };
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

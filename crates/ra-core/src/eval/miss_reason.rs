//! Explains why a section isn't found by its own heading.

use std::fmt;

use super::known_items::{KnownItem, KnownItems};
use crate::config::Pipeline;
use crate::error::Result;
use crate::id::DocId;
use crate::index::{Analyzer, QueryWord, Scope, Snapshot};
use crate::kb::KnowledgeBase;
use crate::query::{self, Expr};
use crate::retrieval::{self, Group, QueryInput, RankedResults, Request, TitleBoost};

/// How many results are checked.
pub const RETRIEVABILITY_DEPTH: usize = 10;

/// Why a section isn't found by its own heading.
#[derive(Clone, Debug, PartialEq)]
pub enum MissReason {
    /// The heading has no words to search for.
    NoWords,
    /// The heading has only function words.
    FunctionWords,
    /// The heading is read as query syntax.
    Syntax {
        /// The query as it is read.
        read_as: String,
    },
    /// The list is cut before it, at a steep drop in score.
    Elbow {
        /// Its rank without the cutoff, from 1.
        rank: usize,
    },
    /// Other sections have the same heading.
    Shared {
        /// How many sections have it.
        sections: usize,
    },
    /// Each word of the heading is in many sections, and others rank higher.
    CommonWords(LowRank),
    /// Others rank higher.
    Beaten(LowRank),
    /// It matches well, but better results of its document come first, and each one lowers the score of the next.
    Spread {
        /// Its rank among the matches, from 1.
        rank: usize,
    },
    /// Nothing is found at all.
    Nothing,
}

/// The rank of a section that isn't among the first results.
#[derive(Clone, Debug, PartialEq)]
pub struct LowRank {
    /// Its rank among the matches, from 1, if it is among those that were checked.
    pub rank: Option<usize>,
    /// The first result.
    pub best: String,
}

/// How many results are checked for a section that isn't among the first.
const MAX_CHECKED_RESULTS: usize = 100;

/// A word is common if more than this percentage of the sections has it.
const COMMON_WORD_PERCENT: u64 = 5;

impl MissReason {
    /// Returns the reason as a short stable word.
    pub fn name(&self) -> &'static str {
        match self {
            MissReason::NoWords => "no-words",
            MissReason::FunctionWords => "function-words",
            MissReason::Syntax { .. } => "syntax",
            MissReason::Elbow { .. } => "elbow",
            MissReason::Shared { .. } => "shared",
            MissReason::CommonWords(_) => "common-words",
            MissReason::Beaten(_) => "beaten",
            MissReason::Spread { .. } => "spread",
            MissReason::Nothing => "nothing",
        }
    }

    /// Returns how to fix it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            MissReason::NoWords | MissReason::FunctionWords => {
                Some("give the section a heading that says what it is about")
            }
            MissReason::Shared { .. } | MissReason::CommonWords(_) => {
                Some("say in the heading what sets the section apart")
            }
            MissReason::Elbow { .. } => Some("a lower `cutoff_ratio` under [search] keeps more"),
            MissReason::Syntax { .. }
            | MissReason::Beaten(_)
            | MissReason::Spread { .. }
            | MissReason::Nothing => None,
        }
    }
}

impl fmt::Display for MissReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MissReason::NoWords => f.write_str("it has no letters or digits to look for"),
            MissReason::FunctionWords => f.write_str("it has only function words"),
            MissReason::Syntax { read_as } => write!(f, "as a query it means {read_as}"),
            MissReason::Elbow { rank } => {
                write!(f, "it would be number {rank}, but the list ends before it at a steep fall in score")
            }
            MissReason::Shared { sections } => write!(f, "{sections} sections have this heading"),
            MissReason::CommonWords(place) => {
                write!(f, "each of its words is in more than {COMMON_WORD_PERCENT}% of all sections; {place}")
            }
            MissReason::Beaten(place) => place.fmt(f),
            MissReason::Spread { rank } => {
                write!(f, "it is match number {rank}, but behind others of its document it counts for less")
            }
            MissReason::Nothing => f.write_str("nothing is found"),
        }
    }
}

impl fmt::Display for LowRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rank {
            Some(rank) => write!(f, "it is match number {rank}, behind {}", self.best),
            None => write!(f, "it is far behind {}", self.best),
        }
    }
}

/// Searches for known items as a user would.
pub(super) struct KnownItemSearcher<'a> {
    pub(super) kb: &'a KnowledgeBase,
    pub(super) snapshot: &'a Snapshot,
    pub(super) known: &'a KnownItems,
}

impl KnownItemSearcher<'_> {
    /// Returns the rank of an item's target among the first results, from 0.
    pub(super) fn rank(&self, known: &KnownItem) -> Result<Option<usize>> {
        match query::parse(&known.query) {
            // A query without words finds nothing.
            Err(_) => Ok(None),
            Ok(parsed) => {
                Ok(place(&self.ask(&parsed.query, known, RETRIEVABILITY_DEPTH, self.pipeline())?, known))
            }
        }
    }

    /// Returns why a section isn't among the first results for its heading.
    pub(super) fn reason(&self, known: &KnownItem) -> Result<MissReason> {
        let heading = &known.query;
        let mut analyzer = self.snapshot.analyzer();
        let Ok(parsed) = query::parse(heading) else { return Ok(MissReason::NoWords) };
        if !has_tokens(&mut analyzer, heading) {
            return Ok(MissReason::NoWords);
        }
        let mut words = heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        if words.all(|word| analyzer.is_function_word(&word.to_lowercase())) {
            return Ok(MissReason::FunctionWords);
        }
        if let Some(plain) = plain(heading)
            && plain != parsed.query
            && place(&self.ask(&plain, known, RETRIEVABILITY_DEPTH, self.pipeline())?, known).is_some()
        {
            return Ok(MissReason::Syntax { read_as: parsed.query.to_string() });
        }
        let uncut = Pipeline { cutoff_ratio: 0.0, ..self.pipeline().clone() };
        if let Some(rank) = place(&self.ask(&parsed.query, known, RETRIEVABILITY_DEPTH, &uncut)?, known) {
            return Ok(MissReason::Elbow { rank: rank + 1 });
        }
        let sections = self.known.namesakes(&mut analyzer, heading);
        if sections > 1 {
            return Ok(MissReason::Shared { sections });
        }
        self.beaten(known, &parsed.query)
    }

    /// Returns why others rank higher than a section.
    fn beaten(&self, known: &KnownItem, query: &Expr) -> Result<MissReason> {
        let shown = self.ask(query, known, RETRIEVABILITY_DEPTH, self.pipeline())?;
        let Some(first) = shown.groups.first() else { return Ok(MissReason::Nothing) };
        let deep =
            Pipeline { cutoff_ratio: 0.0, max_candidates: Some(usize::MAX), ..self.pipeline().clone() };
        let found = self.ask(query, known, MAX_CHECKED_RESULTS, &deep)?;
        // Count matches, not groups: a longer list merges more of them into other sections.
        let mut matches = found.trace.hits.iter();
        let rank = matches.position(|hit| known.target.is_match(&hit.doc, hit.ord)).map(|rank| rank + 1);
        if let Some(rank) = rank.filter(|rank| *rank <= RETRIEVABILITY_DEPTH) {
            return Ok(MissReason::Spread { rank });
        }
        let place = LowRank { rank, best: self.id(first)? };
        // In a small index every word is in a large fraction of the sections.
        let many = |word: &QueryWord| {
            word.matches > RETRIEVABILITY_DEPTH
                && word.matches as u64 * 100 > self.snapshot.chunks() * COMMON_WORD_PERCENT
        };
        let words = &found.trace.words;
        let common = !words.is_empty() && words.iter().all(many);
        Ok(if common { MissReason::CommonWords(place) } else { MissReason::Beaten(place) })
    }

    /// Returns the id of a result.
    fn id(&self, group: &Group) -> Result<String> {
        let record = match DocId::of_index_id(&group.doc) {
            Some(doc) => self.snapshot.record(&doc)?,
            None => None,
        };
        Ok(record.map_or_else(|| group.doc.to_string(), |record| record.id(group.node.ord).to_string()))
    }

    fn pipeline(&self) -> &Pipeline {
        &self.kb.config().search.pipeline
    }

    /// Asks as a reader of the section would, in its language.
    fn ask(
        &self,
        query: &Expr,
        known: &KnownItem,
        limit: usize,
        pipeline: &Pipeline,
    ) -> Result<RankedResults> {
        let config = self.kb.config();
        let (subject, scope) = (query.subject(), Scope::default());
        let (what, titles) = (QueryInput::Query(query), TitleBoost::Query(&subject));
        let language = Some(known.target.language);
        let request =
            Request { pipeline, limit, language, ..Request::new(what, titles, &scope, &config.search) };
        retrieval::run(self.snapshot, config, &request)
    }
}

/// Returns the rank of an item's target, from 0.
fn place(found: &RankedResults, known: &KnownItem) -> Option<usize> {
    found.groups.iter().position(|group| known.target.is_shown_by(&group.doc, &group.node))
}

fn has_tokens(analyzer: &mut Analyzer, text: &str) -> bool {
    let mut any = false;
    analyzer.tokens(text, &mut |_| any = true);
    any
}

/// Returns the words of a heading without anything that the query language could interpret.
fn plain(heading: &str) -> Option<Expr> {
    let words = heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    Expr::all(words.map(|word| Expr::Word(word.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_say_what_is_wrong() {
        let behind = |rank| LowRank { rank, best: "docs:a.md#b".to_owned() };
        for (reason, name, text) in [
            (MissReason::Elbow { rank: 3 }, "elbow", "it would be number 3, but the list ends"),
            (MissReason::Shared { sections: 4 }, "shared", "4 sections have this heading"),
            (MissReason::Syntax { read_as: "a -b".to_owned() }, "syntax", "as a query it means a -b"),
            (MissReason::Beaten(behind(Some(12))), "beaten", "it is match number 12, behind docs:a.md#b"),
            (MissReason::Beaten(behind(None)), "beaten", "it is far behind docs:a.md#b"),
            (
                MissReason::CommonWords(behind(None)),
                "common-words",
                "each of its words is in more than 5% of",
            ),
            (
                MissReason::Spread { rank: 1 },
                "spread",
                "it is match number 1, but behind others of its document",
            ),
        ] {
            assert_eq!(reason.name(), name);
            assert!(reason.to_string().starts_with(text), "{reason}");
        }
    }

    #[test]
    fn a_heading_is_read_as_its_words_alone() {
        for (heading, query) in
            [("a -b (c)", Some("a b c")), ("title:x", Some("title x")), ("word", Some("word")), ("???", None)]
        {
            assert_eq!(plain(heading).map(|expr| expr.to_string()).as_deref(), query);
        }
    }
}

//! Why a section is not found by its own heading.

use std::fmt;

use super::findable::DEPTH;
use super::known::{Known, KnownItems};
use crate::config::Pipeline;
use crate::error::Result;
use crate::id::DocId;
use crate::index::{Analyzer, Scope, Snapshot, Word};
use crate::kb::KnowledgeBase;
use crate::query::{self, Expr};
use crate::search::{self, Found, Gather, Group, Named, Order, Request, What};

/// Why a section is not found by its own heading.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The heading has nothing to look for.
    NoWords,
    /// The heading has only words that every text has.
    FunctionWords,
    /// The heading means something else in the query language.
    Syntax {
        /// How it is read.
        read_as: String,
    },
    /// The list ends before it, at a steep fall in score.
    Elbow {
        /// Its number without the cut, from 1.
        rank: usize,
    },
    /// Other sections have the same heading.
    Shared {
        /// How many sections have it.
        sections: usize,
    },
    /// Each word of the heading is in many sections, and others stand before it.
    CommonWords(Place),
    /// Others stand before it.
    Beaten(Place),
    /// It matches well, but better results of its document come first, and each makes the next one count for less.
    Spread {
        /// Its number among the matches, from 1.
        rank: usize,
    },
    /// Nothing is found at all.
    Nothing,
}

/// Where a section stands that is not among the first results.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its number among the matches, from 1, if it is among those that were looked at.
    pub rank: Option<usize>,
    /// The first result.
    pub best: String,
}

/// For how many results a section is looked for that is not among the first.
const DEEP: usize = 100;

/// A word is common when more than so many of a hundred sections have it.
const COMMON: u64 = 5;

impl Reason {
    /// The reason as a short stable word.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::NoWords => "no-words",
            Reason::FunctionWords => "function-words",
            Reason::Syntax { .. } => "syntax",
            Reason::Elbow { .. } => "elbow",
            Reason::Shared { .. } => "shared",
            Reason::CommonWords(_) => "common-words",
            Reason::Beaten(_) => "beaten",
            Reason::Spread { .. } => "spread",
            Reason::Nothing => "nothing",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Reason::NoWords | Reason::FunctionWords => {
                Some("give the section a heading that says what it is about")
            }
            Reason::Shared { .. } | Reason::CommonWords(_) => {
                Some("say in the heading what sets the section apart")
            }
            Reason::Elbow { .. } => Some("a lower `cutoff_ratio` under [search] keeps more"),
            Reason::Syntax { .. } | Reason::Beaten(_) | Reason::Spread { .. } | Reason::Nothing => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NoWords => f.write_str("it has no letters or digits to look for"),
            Reason::FunctionWords => f.write_str("it has only function words"),
            Reason::Syntax { read_as } => write!(f, "as a query it means {read_as}"),
            Reason::Elbow { rank } => {
                write!(f, "it would be number {rank}, but the list ends before it at a steep fall in score")
            }
            Reason::Shared { sections } => write!(f, "{sections} sections have this heading"),
            Reason::CommonWords(place) => {
                write!(f, "each of its words is in more than {COMMON}% of all sections; {place}")
            }
            Reason::Beaten(place) => place.fmt(f),
            Reason::Spread { rank } => {
                write!(f, "it is match number {rank}, but behind others of its document it counts for less")
            }
            Reason::Nothing => f.write_str("nothing is found"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rank {
            Some(rank) => write!(f, "it is match number {rank}, behind {}", self.best),
            None => write!(f, "it is far behind {}", self.best),
        }
    }
}

/// Asks known items as a user would.
pub(super) struct Asker<'a> {
    pub(super) kb: &'a KnowledgeBase,
    pub(super) snapshot: &'a Snapshot,
    pub(super) known: &'a KnownItems,
}

impl Asker<'_> {
    /// The place of what an item means among the first results, from 0.
    pub(super) fn rank(&self, known: &Known) -> Result<Option<usize>> {
        match query::parse(&known.query) {
            // What has no words finds nothing.
            Err(_) => Ok(None),
            Ok(parsed) => Ok(place(&self.ask(&parsed.query, DEPTH, self.pipeline())?, known)),
        }
    }

    /// Why a section is not among the first results for its heading.
    pub(super) fn reason(&self, known: &Known) -> Result<Reason> {
        let heading = &known.query;
        let mut analyzer = self.snapshot.analyzer();
        let Ok(parsed) = query::parse(heading) else { return Ok(Reason::NoWords) };
        if !has_tokens(&mut analyzer, heading) {
            return Ok(Reason::NoWords);
        }
        let mut words = heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        if words.all(|word| analyzer.is_function_word(&word.to_lowercase())) {
            return Ok(Reason::FunctionWords);
        }
        if let Some(plain) = plain(heading)
            && plain != parsed.query
            && place(&self.ask(&plain, DEPTH, self.pipeline())?, known).is_some()
        {
            return Ok(Reason::Syntax { read_as: parsed.query.to_string() });
        }
        let uncut = Pipeline { cutoff_ratio: 0.0, ..self.pipeline().clone() };
        if let Some(rank) = place(&self.ask(&parsed.query, DEPTH, &uncut)?, known) {
            return Ok(Reason::Elbow { rank: rank + 1 });
        }
        let sections = self.known.namesakes(&mut analyzer, heading);
        if sections > 1 {
            return Ok(Reason::Shared { sections });
        }
        self.beaten(known, &parsed.query)
    }

    /// Why others stand before a section.
    fn beaten(&self, known: &Known, query: &Expr) -> Result<Reason> {
        let shown = self.ask(query, DEPTH, self.pipeline())?;
        let Some(first) = shown.groups.first() else { return Ok(Reason::Nothing) };
        let deep =
            Pipeline { cutoff_ratio: 0.0, max_candidates: Some(usize::MAX), ..self.pipeline().clone() };
        let found = self.ask(query, DEEP, &deep)?;
        // Matches are counted, as more of them are gathered into other sections than in a shorter list.
        let mut matches = found.trace.hits.iter();
        let rank = matches.position(|hit| known.target.is_match(&hit.doc, hit.ord)).map(|rank| rank + 1);
        if let Some(rank) = rank.filter(|rank| *rank <= DEPTH) {
            return Ok(Reason::Spread { rank });
        }
        let place = Place { rank, best: self.id(first)? };
        // In a small index every word is in a large part of the sections.
        let many =
            |word: &Word| word.matches > DEPTH && word.matches as u64 * 100 > self.snapshot.chunks() * COMMON;
        let words = &found.trace.words;
        let common = !words.is_empty() && words.iter().all(many);
        Ok(if common { Reason::CommonWords(place) } else { Reason::Beaten(place) })
    }

    /// The id of a result.
    fn id(&self, group: &Group) -> Result<String> {
        let (tree, path) = group.doc.split_once(':').unwrap_or_default();
        let record = match self.kb.config().tree(tree) {
            Some(tree) => self.snapshot.record(&DocId::new(tree.name.clone(), path))?,
            None => None,
        };
        Ok(record.map_or_else(|| group.doc.to_string(), |record| record.id(group.node.ord).to_string()))
    }

    fn pipeline(&self) -> &Pipeline {
        &self.kb.config().search.pipeline
    }

    fn ask(&self, query: &Expr, limit: usize, pipeline: &Pipeline) -> Result<Found> {
        let config = self.kb.config();
        let request = Request {
            what: What::Query(query),
            scope: &Scope::default(),
            search: &config.search,
            pipeline,
            limit,
            gather: Gather::Sections,
            meaning: None,
            titles: Named::Query(&query.subject()),
            order: Order::Score,
            dates: &Default::default(),
        };
        search::run(self.snapshot, config, &request)
    }
}

/// The place of what an item means, from 0.
fn place(found: &Found, known: &Known) -> Option<usize> {
    found.groups.iter().position(|group| known.target.is_shown_by(&group.doc, &group.node))
}

fn has_tokens(analyzer: &mut Analyzer, text: &str) -> bool {
    let mut any = false;
    analyzer.tokens(text, &mut |_| any = true);
    any
}

/// The words of a heading with nothing that the query language could read into it.
fn plain(heading: &str) -> Option<Expr> {
    let words = heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    Expr::all(words.map(|word| Expr::Word(word.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_say_what_is_wrong() {
        let behind = |rank| Place { rank, best: "docs:a.md#b".to_owned() };
        for (reason, name, text) in [
            (Reason::Elbow { rank: 3 }, "elbow", "it would be number 3, but the list ends"),
            (Reason::Shared { sections: 4 }, "shared", "4 sections have this heading"),
            (Reason::Syntax { read_as: "a -b".to_owned() }, "syntax", "as a query it means a -b"),
            (Reason::Beaten(behind(Some(12))), "beaten", "it is match number 12, behind docs:a.md#b"),
            (Reason::Beaten(behind(None)), "beaten", "it is far behind docs:a.md#b"),
            (Reason::CommonWords(behind(None)), "common-words", "each of its words is in more than 5% of"),
            (Reason::Spread { rank: 1 }, "spread", "it is match number 1, but behind others of its document"),
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

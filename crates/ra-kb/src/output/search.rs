//! `ra search` for people, and for agents that read text.

use std::io;

use ra_core::kb::Condition;

use super::{FAINT, HEADING, MATCH, NAME, Page, Present, Table, count, screen};
use crate::layout::{Detail, query_heading, shortened_query};
use crate::wire::{Explain, Item, Nearest, QueryAnswer, ResultForm, SearchReport, WouldMatch};

impl Present for SearchReport {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        if let (Some(size), ResultForm::Full) = (page.screen, self.show) {
            return screen::show(self, size, page);
        }
        self.index.notes(page)?;
        let several = self.queries.len() > 1 && !self.is_unnamed;
        for answer in &self.queries {
            if several {
                page.line(format!("{HEADING}{}{HEADING:#}", page.clean(&query_heading(&answer.query))))?;
            }
            if let Some(explain) = &answer.explain {
                explain.human(page)?;
            }
            for item in &answer.results {
                item.human(page)?;
            }
            let silent = answer.results.iter().filter(|item| item.matched_lines.is_empty()).count();
            let silent = if self.show == ResultForm::Matches { silent } else { 0 };
            answer.notes(page, several, silent)?;
        }
        page.block(&self.left_out_line)?;
        if self.left_out > 0 && self.left_out_line.is_empty() {
            page.note(&format!(
                "{} left out: the budget has no room for more",
                count(self.left_out, "result")
            ))?;
        }
        Ok(())
    }
}

impl QueryAnswer {
    /// Writes the notes of an answer, and one about results that have no line to show.
    pub(super) fn notes(&self, page: &mut Page<'_>, several: bool, silent: usize) -> io::Result<()> {
        // If there are several queries, each note names its query.
        let of = if several { format!("{:?}: ", shortened_query(&self.query)) } else { String::new() };
        if silent > 0 {
            let results = count(silent, "result");
            page.note(&format!("{of}{results} without a line to show: what matches is not in the text"))?;
            page.hint("--list shows all of them")?;
        }
        for note in &self.notes {
            page.note(&format!("{of}{}", note.message))?;
            if let Some(hint) = &note.hint {
                page.hint(hint)?;
            }
        }
        match (self.partial_from, self.relaxed_because) {
            (Some(first), _) if first <= self.results.len() => {
                page.note(&format!("{of}{}", lacking(first, &self.missing_words)))?;
            }
            (None, Some(reason)) if !self.results.is_empty() => {
                page.note(&format!("{of}{reason}; those with most of them come first"))?;
            }
            _ => {}
        }
        if !self.dropped_words.is_empty() && !self.results.is_empty() {
            page.note(&format!("{of}in none of these sections: {}", self.dropped_words.join(", ")))?;
        }
        if !self.unknown_words.is_empty() {
            page.note(&format!("{of}no section has: {}", self.unknown_words.join(", ")))?;
            for Nearest { word, nearest, looked_for } in &self.nearest_words {
                let nearest = nearest.join(", ");
                match looked_for {
                    true => {
                        page.note(&format!("instead of `{word}`, similar words were looked for: {nearest}"))?
                    }
                    false => page.hint(&format!("near `{word}`: {nearest}"))?,
                }
            }
        }
        if self.total_matches == 0 && self.results.is_empty() {
            page.note(&format!("nothing matches {:?}", self.query))?;
            for offer in &self.would_match {
                page.hint(&offer.hint())?;
            }
        }
        Ok(())
    }
}

impl WouldMatch {
    /// Describes the condition that prevents matches, and the query that would match without it.
    fn hint(&self) -> String {
        let WouldMatch { without, query, matches, condition } = self;
        let (found, has) = match matches {
            1 => ("1 section matches".to_owned(), "has"),
            _ => (format!("{matches} sections match"), "have"),
        };
        let sections = count(*matches, "section");
        match condition {
            Condition::Phrase(_) => format!("{sections} {has} the words of {without} apart: {query}"),
            Condition::Field(_) => format!("{found} if `{without}` may be in any field: {query}"),
            _ => format!("{found} without `{without}`: {query}"),
        }
    }
}

/// Says from which result on sections lack a word, and which word.
fn lacking(first: usize, words: &[String]) -> String {
    let start = if first == 1 { "these".to_owned() } else { format!("from result {first} on,") };
    match words {
        [] => format!("{start} sections have most of the words, not all"),
        [word] => format!("{start} sections lack: {word}"),
        words => format!("{start} sections lack one of: {}", words.join(", ")),
    }
}

impl Item {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        for (nr, line) in self.text.head().iter().enumerate() {
            let style = page.style(if nr == 0 { NAME } else { FAINT });
            let line = format!("{style}{}{style:#}", page.clean(line));
            match nr {
                0 => page.link(&self.file, &line).and_then(|()| page.line(""))?,
                _ => page.line(line)?,
            }
        }
        let style = page.style(MATCH);
        let (open, close) = (format!("{style}"), format!("{style:#}"));
        match self.text.detail {
            Detail::Lines(_) => self.matching_lines(page, (&open, &close)),
            _ => page.block(&self.text.body((&open, &close))),
        }
    }

    /// Writes the same matching lines as the body, with links to their file.
    fn matching_lines(&self, page: &mut Page<'_>, marks: (&str, &str)) -> io::Result<()> {
        let (lines, more) = self.text.matching_lines(marks);
        for (number, line) in lines {
            let style = page.style(NAME);
            page.link(&self.file, &format!("{style}{}{style:#}:{number}", page.clean(&self.file)))?;
            page.line(format!(":{line}"))?;
        }
        if more > 0 { page.line(self.text.more_lines(more)) } else { Ok(()) }
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
        page.line(format!("gathered into: {}", count(self.gathered, "result")))?;
        let mut hits = Table::new(&[">score", "chunk", "from"]);
        for hit in &self.hits {
            let document = ("its document".to_owned(), hit.from_document);
            let close = ("closeness".to_owned(), hit.from_closeness);
            let more = [&document, &close].into_iter().filter(|(_, score)| *score > 0.0);
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

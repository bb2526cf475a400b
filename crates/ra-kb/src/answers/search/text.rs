//! The answer of a search as text, for pipes and for agents.

use std::io;

use ra_core::text::shortened;

use super::{Item, Nearest, QueryAnswer, SearchReport, screen};
use crate::layout::{Detail, ResultForm, query_heading, shortened_query};
use crate::output::{FAINT, HEADING, MATCH, NAME, Page, Present, count};

impl Present for SearchReport {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        if let (Some(size), ResultForm::Full) = (page.screen(), self.show) {
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
            if let Some(facets) = &answer.facets {
                facets.human(page)?;
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
            page.note(&format!("{of}in none of these sections: {}", listed(&self.dropped_words)))?;
        }
        if !self.unknown_words.is_empty() {
            page.note(&format!("{of}no section has: {}", listed(&self.unknown_words)))?;
            for Nearest { word, nearest, looked_for } in self.nearest_words.iter().take(LISTED_WORDS) {
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
            page.note(&format!("nothing matches {:?}", shortened_query(&self.query)))?;
            for offer in &self.would_match {
                page.hint(&offer.hint())?;
            }
        }
        Ok(())
    }
}

/// Says from which result on sections lack a word, and which word.
fn lacking(first: usize, words: &[String]) -> String {
    let start = if first == 1 { "these".to_owned() } else { format!("from result {first} on,") };
    match words {
        [] => format!("{start} sections have most of the words, not all"),
        [word] => format!("{start} sections lack: {word}"),
        words => format!("{start} sections lack one of: {}", listed(words)),
    }
}

/// A note lists at most this many words, and this many characters of each.
const LISTED_WORDS: usize = 12;
const LISTED_CHARS: usize = 60;

fn listed(words: &[String]) -> String {
    let more = words.len().saturating_sub(LISTED_WORDS);
    let listed: Vec<String> =
        words[..words.len() - more].iter().map(|word| shortened(word, LISTED_CHARS)).collect();
    let listed = listed.join(", ");
    if more > 0 { format!("{listed} and {more} more") } else { listed }
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

//! `ra search` for people, and for agents that read text.

use std::io;

use super::{FAINT, HEADING, MATCH, NAME, Page, Present, Table, count};
use crate::wire::{Explain, Item, QueryAnswer, Show, Shown};

impl Present for Shown {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        self.index.notes(page)?;
        let several = self.queries.len() > 1;
        for answer in &self.queries {
            if several {
                page.line(format!("{HEADING}═══ {} ═══{HEADING:#}", page.clean(&answer.query)))?;
            }
            if let Some(explain) = &answer.explain {
                explain.human(page)?;
            }
            for item in &answer.results {
                match self.show {
                    Show::Full => item.full(page)?,
                    Show::List => item.listed(page)?,
                    Show::Matches => item.lines(page)?,
                }
            }
            answer.notes(page)?;
        }
        Ok(())
    }
}

impl QueryAnswer {
    /// What the answer has to say of itself.
    fn notes(&self, page: &mut Page<'_>) -> io::Result<()> {
        for note in &self.notes {
            page.note(&note.message)?;
            if let Some(hint) = &note.hint {
                page.hint(hint)?;
            }
        }
        if let Some(reason) = self.relaxed_because.filter(|_| !self.results.is_empty()) {
            page.note(&format!("{reason}: these sections have most of the words"))?;
        }
        if !self.dropped_words.is_empty() && !self.results.is_empty() {
            page.note(&format!("in none of these sections: {}", self.dropped_words.join(", ")))?;
        }
        if !self.unknown_words.is_empty() {
            page.note(&format!("no section has: {}", self.unknown_words.join(", ")))?;
        }
        if self.results.is_empty() {
            page.note(&format!("nothing matches {:?}", self.query))?;
        }
        Ok(())
    }
}

impl Item {
    fn header(&self, page: &Page<'_>) -> String {
        let (first, last) = self.lines;
        let parts = match self.parts.len() {
            0 => String::new(),
            matches => format!(" [aggregated: {}]", matches_of(matches)),
        };
        format!("{NAME}{}{NAME:#} {FAINT}(lines {first}-{last}){FAINT:#}{parts}", page.clean(&self.id))
    }

    fn full(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.line(format!("─── {} ───", self.header(page)))?;
        page.line(format!("{FAINT}> {}{FAINT:#}", page.clean(&self.breadcrumb)))?;
        for part in &self.parts {
            let (first, last) = part.lines;
            page.line(format!("{FAINT}  {} (lines {first}-{last}){FAINT:#}", page.clean(&part.id)))?;
        }
        page.line("")?;
        match &self.content {
            Some(content) => {
                let (open, close) = (format!("{MATCH}"), format!("{MATCH:#}"));
                let text = page.highlighted(content, &self.ranges, (&open, &close));
                page.line(text.trim_end())?;
            }
            None => page.line(format!("{FAINT}(shown above){FAINT:#}"))?,
        }
        page.line("")
    }

    fn listed(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.line(format!("{} {FAINT}{:.2}{FAINT:#}", self.header(page), self.score))?;
        page.line(format!("    {}", page.clean(&self.breadcrumb)))?;
        let snippet = page.clean(&self.snippet);
        let snippet = snippet.replace("<b>", &format!("{MATCH}")).replace("</b>", &format!("{MATCH:#}"));
        page.line(format!("    {FAINT}{snippet}{FAINT:#}"))
    }

    fn lines(&self, page: &mut Page<'_>) -> io::Result<()> {
        for line in &self.matched_lines {
            let (open, close) = (format!("{MATCH}"), format!("{MATCH:#}"));
            let text = page.highlighted(&line.text, &line.ranges, (&open, &close));
            page.line(format!("{NAME}{}{NAME:#}:{}:{text}", page.clean(&self.file), line.line))?;
        }
        Ok(())
    }
}

impl Explain {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        page.line(format!("read as: {}", page.clean(&self.read_as)))?;
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
        page.line(format!("normalised per tree: {}", if self.normalized { "yes" } else { "no, one tree" }))?;
        page.line(format!("cut: {}", self.cut))?;
        page.line(format!("gathered into: {}", count(self.gathered, "result")))?;
        let mut hits = Table::new(&[">score", "chunk", "from"]);
        for hit in &self.hits {
            let document = ("its document".to_owned(), hit.from_document);
            let words: Vec<String> = hit
                .words
                .iter()
                .chain([&document])
                .map(|(word, score)| format!("{word} {score:.2}"))
                .collect();
            hits.row([
                format!("{:.3}", hit.score),
                format!("{} @{}", hit.document, hit.position),
                words.join(" + "),
            ]);
        }
        page.table(&hits)?;
        page.line("")
    }
}

fn matches_of(number: usize) -> String {
    if number == 1 { "1 match".to_owned() } else { format!("{number} matches") }
}

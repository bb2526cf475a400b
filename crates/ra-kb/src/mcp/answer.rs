//! Answers: the text that the command line prints, and nothing else.
//!
//! Clients that receive `structuredContent` hand the model that and hide the text, so no answer has any.

use ra_core::tokens;
use rmcp::model::{CallToolResult, ContentBlock};

use super::fit_documents;
use super::index_refresher::ServedIndex;
use super::refresh_progress::RefreshProgress;
use super::request_runner::RequestError;
use crate::error::CliError;
use crate::output::{self, Present, Rendered};
use crate::wire::{GetReport, Index, SearchReport, Sources};

/// The line after the last text of a document.
const NOTES: &str = "─── notes ───\n";

/// Sections that were found, as much of them as fits. `build` makes the answer within a number of tokens for the
/// results; what the answer says beside them is not known before, and has to fit as well.
pub(super) fn sections(
    build: impl Fn(usize) -> SearchReport,
    budget: usize,
    served: &ServedIndex,
) -> Result<CallToolResult, RequestError> {
    let mut room = budget.saturating_sub(USUAL_NOTES_TOKENS);
    loop {
        let shown = build(room);
        if let (Some(indexing), true) = (served.fragment(), shown.is_empty()) {
            return Err(RequestError::Indexing(indexing));
        }
        let rendered = output::render(&shown).map_err(CliError::from)?;
        let results = tokens::count(&rendered.text);
        let text = joined(rendered, Some(&shown.index), &[]);
        let size = tokens::count(&text);
        if size <= budget || room == 0 {
            return Ok(answered(within(text, budget)));
        }
        let beside = size.saturating_sub(results);
        room = room.saturating_sub(size - budget).min(budget.saturating_sub(beside));
    }
}

/// What an answer mostly says beside its results: the line above the notes, and the state of the index.
const USUAL_NOTES_TOKENS: usize = 36;

/// The text, cut where it is over the budget.
fn within(text: String, budget: usize) -> String {
    if tokens::count(&text) <= budget { text } else { cut(&text, budget) }
}

/// As many of the first lines of a text as fit together with what is said of the others: an answer to many questions
/// has something to say of each.
fn cut(text: &str, budget: usize) -> String {
    const CUT: &str = "─── the budget has no room for more ───\n";
    let mut left = budget;
    let fits = |line: &&str| match tokens::count_to(line, left) {
        Some(cost) => {
            left -= cost;
            true
        }
        None => false,
    };
    let mut lines: Vec<&str> = text.split_inclusive('\n').take_while(fits).collect();
    loop {
        let cut = [lines.concat().as_str(), CUT].concat();
        if lines.pop().is_none() || tokens::count(&cut) <= budget {
            return cut;
        }
    }
}

/// What get fetched, as much of it as fits, with what could not be found.
pub(super) fn documents(
    got: GetReport,
    missing: Vec<String>,
    budget: usize,
) -> Result<CallToolResult, RequestError> {
    let missing: Vec<String> = missing.iter().map(|text| text.trim_end().to_owned()).collect();
    let (got, mut notes) = fit_documents::documents(got, budget, |got, notes| {
        let notes: Vec<String> = missing.iter().chain(notes).cloned().collect();
        Ok(size(got, &got.index, &notes)? <= budget)
    })?;
    notes.splice(0..0, missing);
    // A name alone may be longer than the budget.
    Ok(answered(within(text(&got, Some(&got.index), &notes)?, budget)))
}

/// The trees and the index, as much of them as fits.
pub(super) fn sources(
    sources: &Sources,
    indexing: Option<RefreshProgress>,
    budget: usize,
) -> Result<CallToolResult, RequestError> {
    let notes: Vec<String> = indexing.iter().map(|indexing| format!("note: {indexing}")).collect();
    Ok(answered(within(text(sources, None, &notes)?, budget)))
}

fn answered(text: String) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

/// The answer to a request that has none.
pub(super) fn refused(refusal: RequestError) -> CallToolResult {
    match refusal {
        RequestError::Error(text) => CallToolResult::error(vec![ContentBlock::text(text.trim_end())]),
        // Not an error, and not an empty answer: there will be one.
        RequestError::Indexing(indexing) => {
            answered(format!("{indexing}: there is no answer yet\nhint: ask again in a few seconds"))
        }
    }
}

/// What the command line prints, then what it says beside it, then what only this answer has to say.
fn text(answer: &impl Present, index: Option<&Index>, notes: &[String]) -> Result<String, RequestError> {
    Ok(joined(output::render(answer).map_err(CliError::from)?, index, notes))
}

fn joined(rendered: Rendered, index: Option<&Index>, notes: &[String]) -> String {
    let mut text = rendered.text;
    if index.is_some() {
        // What comes before may be text of documents, which cannot have this line.
        text.push_str(NOTES);
    }
    text.push_str(&rendered.notes);
    for note in notes {
        text.push_str(note);
        text.push('\n');
    }
    if let Some(index) = index {
        text.push_str(&format!("index: generation {}, checked {}\n", index.generation, index.checked));
    }
    text
}

fn size(answer: &impl Present, index: &Index, notes: &[String]) -> Result<usize, RequestError> {
    Ok(tokens::count(&text(answer, Some(index), notes)?))
}

//! Tool results: the text that the command line prints, and nothing else.
//!
//! Clients that receive `structuredContent` pass only that to the model and drop the text, so no answer has
//! any.

use ra_core::tokens;
use rmcp::model::{CallToolResult, ContentBlock};

use super::fit_documents;
use super::request_runner::RequestError;
use crate::answers::{GetReport, Index, SearchReport, Sources, VerifyReport};
use crate::error::CliError;
use crate::live::{RefreshProgress, ServedIndex};
use crate::output::{self, Present, Rendered};

/// The line between the text of documents and the notes.
const NOTES: &str = "─── notes ───\n";

/// Renders search results within a token budget. `build` makes the report for a number of tokens. The notes
/// count too, and their size is only known after rendering, so this retries with less room until everything
/// fits.
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
        let mut rendered = output::render(&shown).map_err(CliError::from)?;
        if !rendered.text.is_empty() {
            rendered.notes = cut(rendered.notes, budget / MAX_NOTES_SHARE, NO_ROOM_FOR_NOTES);
        }
        let results = tokens::count(&rendered.text);
        let text = joined(rendered, Some(&shown.index), &[]);
        let size = tokens::count(&text);
        if size <= budget || room == 0 {
            return Ok(answered(cut(text, budget, NO_ROOM)));
        }
        let beside = size.saturating_sub(results);
        room = room.saturating_sub(size - budget).min(budget.saturating_sub(beside));
    }
}

/// The usual size of the text besides the results: the separator line, and the state of the index.
const USUAL_NOTES_TOKENS: usize = 36;

/// Notes take at most one part in this many of the budget, so they never displace the results.
const MAX_NOTES_SHARE: usize = 4;

const NO_ROOM: &str = "─── the budget has no room for more ───\n";
const NO_ROOM_FOR_NOTES: &str = "note: there are more notes; a larger budget shows them\n";

/// Returns the text, or as many of its first lines as fit together with the line `ending`.
fn cut(text: String, budget: usize, ending: &str) -> String {
    if tokens::count(&text) <= budget {
        return text;
    }
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
        let cut = [lines.concat().as_str(), ending].concat();
        if lines.pop().is_none() || tokens::count(&cut) <= budget {
            return cut;
        }
    }
}

/// Renders fetched documents within a token budget, with messages about those that were not found.
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
    // A single name may be longer than the budget.
    Ok(answered(cut(text(&got, Some(&got.index), &notes)?, budget, NO_ROOM)))
}

/// Renders the state of citations within a token budget.
pub(super) fn verified(report: &VerifyReport, budget: usize) -> Result<CallToolResult, RequestError> {
    Ok(answered(cut(text(report, report.index.as_ref(), &[])?, budget, NO_ROOM)))
}

/// Renders the trees and the state of the index within a token budget.
pub(super) fn sources(
    sources: &Sources,
    indexing: Option<RefreshProgress>,
    budget: usize,
) -> Result<CallToolResult, RequestError> {
    let notes: Vec<String> = indexing.iter().map(|indexing| format!("note: {indexing}")).collect();
    Ok(answered(cut(text(sources, None, &notes)?, budget, NO_ROOM)))
}

fn answered(text: String) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

/// Returns the result for a request that has no answer.
pub(super) fn refused(refusal: RequestError) -> CallToolResult {
    match refusal {
        RequestError::Error(text) => CallToolResult::error(vec![ContentBlock::text(text.trim_end())]),
        // Neither an error nor an empty result: there will be an answer later.
        RequestError::Indexing(indexing) => {
            answered(format!("{indexing}: there is no answer yet\nhint: ask again in a few seconds"))
        }
    }
}

/// Renders the text that the command line prints, then its notes, then the extra notes of this answer.
fn text(answer: &impl Present, index: Option<&Index>, notes: &[String]) -> Result<String, RequestError> {
    Ok(joined(output::render(answer).map_err(CliError::from)?, index, notes))
}

fn joined(rendered: Rendered, index: Option<&Index>, notes: &[String]) -> String {
    let mut text = rendered.text;
    if index.is_some() {
        // The text above may come from documents, which cannot contain this line.
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

//! The notes of an answer: what was done other than asked, and what would help.

use ra_core::kb::{self, ContextAnswer};

use super::Note;
use crate::error;
use crate::hints::Surface;
use crate::output::count;

/// For how many unreadable files a model gets the error.
const MAX_UNREAD_FILES: usize = 3;

/// Describes the files that could not be read. The others are answered for.
pub(super) fn unread_files(found: &ContextAnswer, surface: Surface) -> Vec<String> {
    let shown = match surface {
        Surface::CommandLine => found.problems.len(),
        Surface::Tools => found.problems.len().min(MAX_UNREAD_FILES),
    };
    let (shown, others) = found.problems.split_at(shown);
    let mut warnings: Vec<String> = shown.iter().map(|problem| error::with_causes(problem)).collect();
    if !others.is_empty() {
        let files = if others.len() == 1 { "file" } else { "files" };
        warnings.push(format!("{} more {files} could not be read", others.len()));
    }
    warnings
}

/// Answers don't mention missing vectors if fewer documents than this lack one.
const MIN_WITHOUT_VECTOR: usize = 20;

/// Returns the notes of the answer to a query.
pub(super) fn notes(answer: &kb::Answer, surface: Surface) -> Vec<Note> {
    let diagnostics = answer.diagnostics.iter().map(|diagnostic| Note {
        message: format!("{} (at character {})", diagnostic.message, diagnostic.span.start + 1),
        hint: Some(diagnostic.hint.clone()).filter(|hint| !hint.is_empty()),
    });
    let notices = answer
        .summary
        .notices
        .iter()
        .map(|notice| Note { message: notice.message.clone(), hint: notice.hint.clone() });
    let vanished = (answer.vanished > 0).then(|| Note {
        message: format!(
            "left out because the disk no longer has what was indexed: {}",
            count(answer.vanished, "result")
        ),
        hint: Some(surface.vanished().to_owned()),
    });
    // `ra mcp` encodes the documents itself.
    let needs_vectors = surface == Surface::CommandLine && answer.without_vector >= MIN_WITHOUT_VECTOR;
    let without_vectors = needs_vectors.then(|| Note {
        message: format!("{} can't be found by meaning yet", count(answer.without_vector, "document")),
        hint: Some("`ra update` encodes them once; then answers are better".to_owned()),
    });
    diagnostics.chain(notices).chain(vanished).chain(without_vectors).collect()
}

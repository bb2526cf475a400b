//! How an answer is shown.

use std::path::Path;

use ra_core::id::ChunkId;
use ra_core::kb::KnowledgeBase;
use ra_core::retrieval::Passage;

use crate::hints::Surface;
use crate::layout::{Detail, ResultForm, ResultText};

/// How to show an answer.
pub(crate) struct View<'a> {
    pub(crate) kb: &'a KnowledgeBase,
    /// The working directory, which file names are relative to.
    pub(crate) cwd: &'a Path,
    pub(crate) show: ResultForm,
    /// True if each stage is to be explained.
    pub(crate) explain: bool,
    /// The token budget, if there is one.
    pub(crate) max_tokens: Option<usize>,
    /// Where the answer is read.
    pub(crate) surface: Surface,
    /// True if the answer is written as JSON.
    pub(crate) is_json: bool,
}

impl<'a> View<'a> {
    /// Returns the same view with a token budget.
    pub(crate) fn within(&self, tokens: usize) -> View<'a> {
        View { max_tokens: Some(tokens), ..*self }
    }

    fn file(&self, id: &ChunkId) -> String {
        let tree = self.kb.config().tree(id.doc.tree.as_str());
        let file = tree.map(|tree| tree.root.join(&id.doc.path)).unwrap_or_default();
        file.strip_prefix(self.cwd).unwrap_or(&file).display().to_string()
    }

    pub(super) fn result(&self, passage: &Passage) -> ResultText {
        let detail = match self.show {
            ResultForm::Full => Detail::Full,
            ResultForm::List => Detail::Entry,
            ResultForm::Matches => Detail::Lines(usize::MAX),
        };
        ResultText::new(passage.clone(), self.file(&passage.id), detail)
    }
}

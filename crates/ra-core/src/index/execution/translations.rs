//! Translations: the documents of a tree whose paths differ only in a language tag are one page. An answer shows each
//! page in one language, that of the question if there is a match in it.

use std::cmp::Ordering;
use std::collections::HashMap;

use tantivy::DocId as EntryId;

use super::scored_docs::ScoredDocs;
use crate::error::Result;
use crate::id::DocId;
use crate::index::analysis::{self, LanguageId};
use crate::index::storage::indexable_doc::column_key;
use crate::index::storage::lineage::RecordId;
use crate::index::storage::snapshot::Snapshot;

/// A page in another language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Translation {
    /// The language, as the path of the document spells it: `zh-cn`.
    pub language: String,
    /// The document.
    pub doc: DocId,
}

/// A page is only shown in a language if a section in it has at least this share of the page's best score. A word of
/// another language may be a typo away from one of the preferred language.
const MIN_SHARE_OF_BEST: f32 = 0.3;

/// A document that matches, with the score of its best section.
#[derive(Clone, Copy)]
struct MatchingDocument {
    record: EntryId,
    page: u64,
    score: f32,
}

/// Chooses the document that represents each page.
pub(crate) struct PageChoice<'a> {
    snapshot: &'a Snapshot,
    /// The languages, the preferred ones first.
    languages: Vec<LanguageId>,
    /// The document of each page, by segment and record.
    chosen: HashMap<u64, (usize, EntryId)>,
}

impl<'a> PageChoice<'a> {
    /// Prefers documents in the language of the question, then those in frequent languages.
    pub(crate) fn new(snapshot: &'a Snapshot, question: Option<LanguageId>) -> Self {
        let frequent = snapshot.languages().iter().map(|(language, _)| *language);
        Self { snapshot, languages: question.into_iter().chain(frequent).collect(), chosen: HashMap::new() }
    }

    /// Removes the entries of all other documents of a page. Pages that were chosen before stay as they are.
    pub(crate) fn retain_chosen(&mut self, lists: &mut [ScoredDocs]) {
        if !self.snapshot.may_have_translations() {
            return;
        }
        let documents: Vec<Vec<MatchingDocument>> =
            lists.iter().enumerate().map(|(segment, list)| self.documents(segment, list)).collect();
        let mut pages: HashMap<u64, Vec<(usize, MatchingDocument)>> = HashMap::new();
        for (segment, documents) in documents.iter().enumerate() {
            for document in documents.iter().filter(|document| !self.chosen.contains_key(&document.page)) {
                pages.entry(document.page).or_default().push((segment, *document));
            }
        }
        for (page, documents) in pages {
            let best = documents.iter().map(|(_, document)| document.score).fold(0.0, f32::max);
            let is_match =
                |(_, document): &&(usize, MatchingDocument)| document.score >= best * MIN_SHARE_OF_BEST;
            let places =
                documents.iter().filter(is_match).map(|(segment, document)| (*segment, document.record));
            let chosen = places.min_by(|a, b| self.snapshot.preference(&self.languages, *a, *b));
            self.chosen.extend(chosen.map(|chosen| (page, chosen)));
        }
        for (segment, (list, documents)) in lists.iter_mut().zip(documents).enumerate() {
            let is_other = |it: &&MatchingDocument| self.chosen.get(&it.page) != Some(&(segment, it.record));
            let others: Vec<EntryId> = documents.iter().filter(is_other).map(|it| it.record).collect();
            let view = &self.snapshot.segments[segment];
            if !others.is_empty() {
                let is_other = |record: EntryId| others.binary_search(&record).is_ok();
                list.retain(|(entry, _)| !view.record_of(*entry).is_some_and(is_other));
            }
        }
    }

    /// Returns the documents of the entries in a list, in order.
    fn documents(&self, segment: usize, list: &ScoredDocs) -> Vec<MatchingDocument> {
        let view = &self.snapshot.segments[segment];
        let mut documents: Vec<MatchingDocument> = Vec::new();
        for (entry, score) in list {
            let Some(record) = view.record_of(*entry) else { continue };
            match documents.last_mut() {
                // The entries of a document are adjacent.
                Some(last) if last.record == record => last.score = last.score.max(*score),
                _ => {
                    let page = self.snapshot.page(segment, record);
                    documents.push(MatchingDocument { record, page, score: *score });
                }
            }
        }
        documents
    }
}

impl Snapshot {
    /// False if no path has a language tag, or all documents are in one language. There are no translations then.
    fn may_have_translations(&self) -> bool {
        let languages = self.languages().iter().filter(|(language, _)| language.is_known()).count();
        languages > 1 && self.segments.iter().any(|segment| segment.has_language_tags())
    }

    /// Returns the hash that the translations of a page share.
    fn page(&self, segment: usize, record: EntryId) -> u64 {
        let view = &self.segments[segment];
        view.page(record).unwrap_or_else(|| column_key(&self.id_text(segment, record)))
    }

    /// Returns the hash that the translations of a page share, or `None` if the index can't have translations.
    pub fn page_of(&self, record: RecordId) -> Option<u64> {
        self.may_have_translations().then(|| self.page(record.segment as usize, record.entry))
    }

    fn id_text(&self, segment: usize, record: EntryId) -> String {
        let view = &self.segments[segment];
        view.record_number(record).map(|id| view.id_text(id).to_string()).unwrap_or_default()
    }

    /// Orders two documents of a page, the preferred one first.
    fn preference(&self, languages: &[LanguageId], a: (usize, EntryId), b: (usize, EntryId)) -> Ordering {
        let rank = |(segment, record): (usize, EntryId)| {
            let language = self.segments[segment].language(record);
            languages.iter().position(|known| *known == language).unwrap_or(languages.len())
        };
        rank(a).cmp(&rank(b)).then_with(|| self.id_text(a.0, a.1).cmp(&self.id_text(b.0, b.1)))
    }

    /// Returns the records of all documents of a page.
    fn records_of_page(&self, page: u64) -> Result<Vec<(usize, EntryId)>> {
        let mut records = self.entries_with_number(self.fields.page, page)?;
        // The document without a tag has the hash of the page as its own.
        let untagged = self.entries_with_number(self.fields.key, page)?.into_iter();
        records.extend(untagged.filter(|(segment, entry)| !self.segments[*segment].is_chunk(*entry)));
        Ok(records)
    }

    /// Returns the other documents of the same page, by language.
    pub fn translations(&self, record: RecordId) -> Result<Vec<Translation>> {
        let Some(page) = self.page_of(record) else { return Ok(Vec::new()) };
        let mut others = Vec::new();
        for (segment, entry) in self.records_of_page(page)? {
            if (segment, entry) == (record.segment as usize, record.entry) {
                continue;
            }
            let id = self.id_text(segment, entry);
            let Some(doc) = DocId::of_index_id(&id) else { continue };
            let language = analysis::language_label(&doc.path, self.segments[segment].language(entry));
            others.push(Translation { language, doc });
        }
        others.sort();
        Ok(others)
    }

    /// Returns the other documents of the page of a document.
    pub fn translations_of(&self, doc: &DocId) -> Result<Vec<Translation>> {
        self.record_of(doc)?.map_or_else(|| Ok(Vec::new()), |record| self.translations(record))
    }

    /// Returns the document of a page that a question in a language prefers.
    pub fn preferred_translation(&self, doc: &DocId, question: Option<LanguageId>) -> Result<DocId> {
        let record = if self.may_have_translations() { self.record_of(doc)? } else { None };
        let Some(record) = record else { return Ok(doc.clone()) };
        let languages = PageChoice::new(self, question).languages;
        let mut records = self.records_of_page(self.page(record.segment as usize, record.entry))?;
        records.sort_by(|a, b| self.preference(&languages, *a, *b));
        let best = records.first().map(|(segment, record)| self.id_text(*segment, *record));
        Ok(best.and_then(|id| DocId::of_index_id(&id)).unwrap_or_else(|| doc.clone()))
    }
}

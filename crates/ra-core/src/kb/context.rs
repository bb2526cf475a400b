//! Context: finds the documentation for given files, changes or sections. Only the query is built differently;
//! retrieval is the same as for a search.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use super::KnowledgeBase;
use super::collect_sources::CollectedSources;
use super::fetch::FetchExtent;
use super::index_source::IndexSource;
use super::resolve::NameResolver;
use super::search_answer::{Answer, SearchAnswers};
use crate::context::{Signal, Term, extract, question};
use crate::error::{Error, Result};
use crate::id::{ChunkId, DocId};
use crate::index::{Analyzer, LanguageId, Scope, Snapshot, question_language};
use crate::retrieval::{self, Passage, QueryInput, Request, TitleBoost};

/// Results below this fraction of the best score are noise: they share a few common words with the files.
const MIN_CONTEXT_SCORE: f32 = 0.1;

/// The files and changes to find documentation for.
#[derive(Clone, Debug)]
pub struct ContextRequest {
    /// The files and changes.
    pub sources: Vec<ContextSource>,
    /// The scope to search.
    pub scope: Scope,
}

/// Something to find documentation for.
#[derive(Clone, Debug)]
pub enum ContextSource {
    /// A file.
    File {
        /// The name as the user wrote it.
        name: String,
        /// Its absolute path.
        path: PathBuf,
    },
    /// A file with this text, on disk or not.
    Text {
        /// Its name.
        name: String,
        /// Its absolute path.
        path: PathBuf,
        /// Its text.
        text: String,
    },
    /// A unified diff.
    Diff {
        /// The diff.
        text: String,
        /// The directory where it was made; its paths may be relative to it.
        cwd: PathBuf,
    },
}

/// A request for sections similar to a given one.
#[derive(Clone, Debug)]
pub struct SimilarRequest {
    /// The id of a section or document, or the end of a path.
    pub name: String,
    /// The file to use if no document has this name.
    pub file: Option<PathBuf>,
    /// The scope to search.
    pub scope: Scope,
}

/// The answer, and how its query was built.
#[derive(Debug)]
pub struct ContextAnswer {
    /// The answer.
    pub answers: SearchAnswers,
    /// The names of the sources.
    pub names: Vec<String>,
    /// The terms that were searched for.
    pub terms: Vec<Term>,
    /// The patterns and rules that matched, each with the file.
    pub patterns: Vec<(String, String)>,
    /// Sources that couldn't be used, and why.
    pub warnings: Vec<String>,
    /// Files that could not be read.
    pub problems: Vec<Error>,
}

impl KnowledgeBase {
    /// Finds the documentation for the given files and changes. A file that can't be read doesn't keep the others from
    /// being answered.
    pub fn context(&self, context: &ContextRequest, index: &dyn IndexSource) -> Result<ContextAnswer> {
        let (mut found, freshness) =
            self.read_index(index, |snapshot| self.context_from(snapshot, context))?;
        found.answers.freshness = freshness;
        Ok(found)
    }

    fn context_from(&self, snapshot: &Snapshot, context: &ContextRequest) -> Result<ContextAnswer> {
        let mut collected = CollectedSources::default();
        for source in &context.sources {
            match source {
                ContextSource::File { name, path } => self.collect_file(&mut collected, name, path),
                ContextSource::Text { name, path, text } => {
                    self.collect_text(&mut collected, name, path, text)
                }
                ContextSource::Diff { text, cwd } => self.collect_diff(&mut collected, text, cwd),
            }
        }
        if collected.names.is_empty()
            && let Some(error) = collected.problems.pop()
        {
            return Err(error);
        }
        self.answer_collected(snapshot, collected, &context.scope)
    }

    /// Finds sections similar to the one that a name or file gives. Its own document is excluded.
    pub fn similar(&self, similar: &SimilarRequest, index: &dyn IndexSource) -> Result<ContextAnswer> {
        let (mut found, freshness) =
            self.read_index(index, |snapshot| self.similar_from(snapshot, similar))?;
        found.answers.freshness = freshness;
        Ok(found)
    }

    fn similar_from(&self, snapshot: &Snapshot, similar: &SimilarRequest) -> Result<ContextAnswer> {
        let name = &similar.name;
        let mut collected = CollectedSources::default();
        let fetched =
            self.fetch_all(snapshot, std::slice::from_ref(name), FetchExtent::Named)?.into_iter().next();
        let (path, text) = match (fetched, &similar.file) {
            (Some(Ok(fetched)), _) => {
                collected.own.push(fetched.id.doc.clone());
                collected.names.push(fetched.id.to_string());
                (fetched.id.doc.path, fetched.content)
            }
            (Some(Err(error)), None) => return Err(error),
            (Some(Err(error)), Some(file)) if !file.is_file() => return Err(error),
            (_, file) => {
                let file = file.clone().unwrap_or_default();
                collected.own.extend(self.documents_at(&file));
                collected.names.push(name.clone());
                (name.clone(), self.sample(&file)?)
            }
        };
        match text {
            Some(text) => {
                let words = extract::words(&path, &text);
                collected.terms.content(name, &words, 1.0, &self.config.context);
                collected.texts.push(text);
            }
            None => collected.warnings.push(format!("{name} is binary and was skipped")),
        }
        self.answer_collected(snapshot, collected, &similar.scope)
    }

    fn answer_collected(
        &self,
        snapshot: &Snapshot,
        collected: CollectedSources,
        scope: &Scope,
    ) -> Result<ContextAnswer> {
        let CollectedSources {
            terms: collected_terms,
            texts,
            names,
            own,
            trees,
            include,
            patterns,
            mut warnings,
            problems,
        } = collected;
        let named = scope.trees.clone();
        let mut scope = scope.clone();
        let language = language_of(snapshot, &own, &texts)?;
        for doc in &own {
            scope.except.extend(snapshot.translations_of(doc)?.into_iter().map(|other| other.doc));
        }
        scope.except.extend(own);
        // If any source is restricted to no tree, search all trees.
        if scope.trees.is_empty() && trees.iter().all(|trees| !trees.is_empty()) {
            scope.trees = trees.concat();
        }
        let mut terms = Vec::new();
        for term in collected_terms.choose(snapshot, language)? {
            if self.has_match(snapshot, &term)? {
                terms.push(term);
            }
        }
        let at_hand = tokens(&mut snapshot.analyzer_for(language), &texts);
        let files: HashSet<PathBuf> = scope.except.iter().filter_map(|own| self.real_file(own)).collect();
        let is_own =
            |doc: &DocId| !files.is_empty() && self.real_file(doc).is_some_and(|file| files.contains(&file));
        let mut answer = loop {
            let answer = self.answer_terms(snapshot, &terms, &at_hand, &scope, language)?;
            // A source can also be found under another name, where it takes the place of other results. Ask again
            // without it.
            let docs: BTreeSet<&DocId> = answer.passages.iter().map(|passage| &passage.id.doc).collect();
            let own: Vec<DocId> = docs.into_iter().filter(|doc| is_own(doc)).cloned().collect();
            if own.is_empty() {
                break answer;
            }
            scope.except.extend(own);
        };
        let is_wanted = |doc: &DocId| (named.is_empty() || named.contains(&doc.tree)) && !is_own(doc);
        let (pinned, missing) = self.pin(snapshot, &mut answer, &include, &is_wanted)?;
        answer.passages.truncate(self.config.context.limit.max(pinned));
        let unknown = |name: String| format!("[[context.rules]] include: no document is called `{name}`");
        warnings.extend(missing.into_iter().map(unknown));
        if answer.passages.is_empty() {
            answer.summary.notices.extend(self.empty_trees(snapshot, &scope));
        }
        let query = if names.is_empty() { "the change".to_owned() } else { names.join(", ") };
        let answer = Answer { query, ..answer };
        let answers = SearchAnswers { answers: vec![answer], ..SearchAnswers::default() };
        Ok(ContextAnswer { answers, names, terms, patterns, warnings, problems })
    }

    /// True if a section contains the term. Each of its words is in the index, but a configured term can be several
    /// words that no section has together.
    fn has_match(&self, snapshot: &Snapshot, term: &Term) -> Result<bool> {
        if term.text.chars().all(char::is_alphanumeric) {
            return Ok(true);
        }
        let Some(query) = question(std::slice::from_ref(term)) else { return Ok(false) };
        let matches = self.matches(snapshot, &query, &Scope::default(), &self.config.search.exact())?;
        Ok(matches.total > 0)
    }

    /// Searches for terms. Each was chosen because it is in the index, so fuzzy matches and synonyms are off, and no
    /// term is required.
    fn answer_terms(
        &self,
        snapshot: &Snapshot,
        terms: &[Term],
        at_hand: &BTreeSet<String>,
        scope: &Scope,
        language: LanguageId,
    ) -> Result<Answer> {
        let Some(query) = question(terms) else { return Ok(Answer::default()) };
        let search = self.config.search.exact();
        let request = Request {
            pipeline: &self.config.context.pipeline,
            limit: self.config.context.limit,
            language: Some(language),
            ..Request::new(QueryInput::Query(&query), TitleBoost::Text(at_hand), scope, &search)
        };
        let mut answer = self.respond(snapshot, &request)?;
        let best = answer.passages.first().map_or(0.0, |passage| passage.score);
        answer.passages.retain(|passage| passage.score >= best * MIN_CONTEXT_SCORE);
        Ok(Answer { read_as: query.to_string(), ..answer })
    }

    /// Returns the file behind a document, with links resolved.
    fn real_file(&self, doc: &DocId) -> Option<PathBuf> {
        let tree = self.config.tree(doc.tree.as_str())?;
        Self::file_of(tree, &doc.path).canonicalize().ok()
    }

    /// Puts the documents that rules always include before the results, if they are wanted. Returns their number, and
    /// the names that refer to nothing.
    fn pin(
        &self,
        snapshot: &Snapshot,
        answer: &mut Answer,
        include: &[String],
        is_wanted: &dyn Fn(&DocId) -> bool,
    ) -> Result<(usize, Vec<String>)> {
        let names = NameResolver::of(snapshot);
        let mut pinned: Vec<Passage> = Vec::new();
        let hold = |pinned: &[Passage], id: &ChunkId| {
            pinned.iter().any(|known| known.id == *id || known.level == 0 && known.id.doc == id.doc)
        };
        let mut missing = Vec::new();
        for name in include {
            let found = match self.locate(&names, name) {
                Err(error @ Error::Index { .. }) => return Err(error),
                Err(_) => None,
                Ok((record, file, ord)) => {
                    retrieval::whole(snapshot, &record, &file, ord, self.config.search.max_result_tokens)?
                }
            };
            match found {
                Some(passage) if hold(&pinned, &passage.id) => {}
                Some(passage) if !is_wanted(&passage.id.doc) => {}
                Some(passage) => {
                    // A document contains its sections.
                    pinned.retain(|known| passage.level > 0 || known.id.doc != passage.id.doc);
                    pinned.push(passage);
                }
                None => missing.push(name.clone()),
            }
        }
        answer.passages.retain(|passage| !hold(&pinned, &passage.id));
        let number = pinned.len();
        answer.passages.splice(0..0, pinned);
        Ok((number, missing))
    }
}

/// Returns the language of the sources: that of the first one that is a document, or else the one that their words seem
/// to be in.
fn language_of(snapshot: &Snapshot, own: &[DocId], texts: &[String]) -> Result<LanguageId> {
    for doc in own {
        if let Some(record) = snapshot.record(doc)?.filter(|record| record.language.is_known()) {
            return Ok(record.language);
        }
    }
    let languages: Vec<LanguageId> = snapshot.languages().iter().map(|(language, _)| *language).collect();
    let first = texts.first().map(|text| &text[..text.floor_char_boundary(MAX_LANGUAGE_BYTES)]);
    let detected = first.and_then(|text| question_language(text, &languages));
    Ok(detected.unwrap_or_else(|| snapshot.main_language()))
}

/// How much of a source is read to detect its language.
const MAX_LANGUAGE_BYTES: usize = 4 << 10;

/// Returns the tokens of texts, analyzed as in the index.
fn tokens(analyzer: &mut Analyzer, texts: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for text in texts {
        analyzer.tokens(text, &mut |token| {
            if !found.contains(token.text) {
                found.insert(token.text.to_owned());
            }
        });
    }
    found
}

/// Describes the origin of a term in a few words.
pub fn told(signal: &Signal) -> String {
    match signal {
        Signal::Path => "path".to_owned(),
        Signal::Link => "link".to_owned(),
        Signal::Pattern(glob) => format!("pattern {glob}"),
        Signal::Content(kind, count) => format!("{} ×{count}", kind.name()),
    }
}

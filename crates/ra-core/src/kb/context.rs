//! Context: the documentation that matters for the files, the change or the section at hand. Only the question is
//! made differently; it is answered like any other.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::KnowledgeBase;
use super::ask::{Answer, Answers};
use super::fetch::Want;
use super::freshness::Progress;
use super::resolve::Names;
use crate::config::{Search, git_root};
use crate::context::{Signal, Term, Terms, diff, extract, question};
use crate::document::{self, Kind, ParseOptions};
use crate::error::{Error, Result};
use crate::id::{ChunkId, DocId, TreeName};
use crate::index::{Scope, Snapshot};
use crate::search::{self, Gather, Named, Order, Passage, Request, What};

/// What is at hand.
#[derive(Clone, Debug)]
pub struct Context {
    /// The files and changes.
    pub sources: Vec<Source>,
    /// Where to look.
    pub scope: Scope,
}

/// Something that documentation is wanted for.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file.
    File {
        /// As the user wrote it.
        name: String,
        /// Its absolute path.
        path: PathBuf,
    },
    /// A file that has, or might have, this text.
    Text {
        /// What it is called.
        name: String,
        /// Its absolute path.
        path: PathBuf,
        /// What it holds.
        text: String,
    },
    /// A unified diff.
    Diff(String),
}

/// What something similar is wanted to.
#[derive(Clone, Debug)]
pub struct Similar {
    /// The id of a section or document, or the end of a path.
    pub name: String,
    /// The file that is meant when no document is called so.
    pub file: Option<PathBuf>,
    /// Where to look.
    pub scope: Scope,
}

/// The answer, and how the question came about.
#[derive(Debug)]
pub struct ContextAnswer {
    /// The answer.
    pub answers: Answers,
    /// What was looked for.
    pub terms: Vec<Term>,
    /// The patterns and rules that matched, each with the file.
    pub patterns: Vec<(String, String)>,
    /// What could not be used, and why.
    pub warnings: Vec<String>,
    /// Files that could not be read.
    pub problems: Vec<Error>,
}

/// How much lines that change count, and lines around them.
const CHANGED: f32 = 2.0;
const AROUND: f32 = 0.5;

/// What the sources gave.
#[derive(Default)]
struct Gathered {
    terms: Terms,
    texts: Vec<String>,
    names: Vec<String>,
    /// The sources that are documents themselves.
    own: Vec<DocId>,
    trees: Vec<TreeName>,
    include: Vec<String>,
    patterns: Vec<(String, String)>,
    warnings: Vec<String>,
    problems: Vec<Error>,
}

impl KnowledgeBase {
    /// Finds what matters for the files and changes at hand. A file that cannot be read does not keep the others
    /// from being answered.
    pub fn context(&self, context: &Context, progress: &dyn Progress) -> Result<ContextAnswer> {
        let (mut found, freshness) = self.consult(progress, |snapshot| self.context_in(snapshot, context))?;
        found.answers.freshness = freshness;
        Ok(found)
    }

    /// Finds what matters at one commit of the index.
    pub fn context_in(&self, snapshot: &Snapshot, context: &Context) -> Result<ContextAnswer> {
        let mut gathered = Gathered::default();
        for source in &context.sources {
            match source {
                Source::File { name, path } => self.gather_file(&mut gathered, name, path),
                Source::Text { name, path, text } => self.gather_text(&mut gathered, name, path, text),
                Source::Diff(text) => self.gather_diff(&mut gathered, text),
            }
        }
        if gathered.names.is_empty()
            && let Some(error) = gathered.problems.pop()
        {
            return Err(error);
        }
        self.answer_gathered(snapshot, gathered, &context.scope)
    }

    /// Finds sections like the one that a name or a file gives; its own document is not among them.
    pub fn similar(&self, similar: &Similar, progress: &dyn Progress) -> Result<ContextAnswer> {
        let (mut found, freshness) = self.consult(progress, |snapshot| self.similar_in(snapshot, similar))?;
        found.answers.freshness = freshness;
        Ok(found)
    }

    /// Finds similar sections at one commit of the index.
    pub fn similar_in(&self, snapshot: &Snapshot, similar: &Similar) -> Result<ContextAnswer> {
        let name = &similar.name;
        let mut gathered = Gathered::default();
        let fetched = self.get_in(snapshot, std::slice::from_ref(name), Want::Named)?.into_iter().next();
        let (path, text) = match (fetched, &similar.file) {
            (Some(Ok(fetched)), _) => {
                gathered.own.push(fetched.id.doc.clone());
                gathered.names.push(fetched.id.to_string());
                (fetched.id.doc.path, fetched.content)
            }
            (Some(Err(error)), None) => return Err(error),
            (Some(Err(error)), Some(file)) if !file.is_file() => return Err(error),
            (_, file) => {
                let file = file.clone().unwrap_or_default();
                gathered.own.extend(self.documents_of(&file));
                gathered.names.push(name.clone());
                (name.clone(), self.sample(&file)?)
            }
        };
        match text {
            Some(text) => {
                let words = extract::words(&path, &text);
                gathered.terms.content(name, &words, 1.0, &self.config.context);
                gathered.texts.push(text);
            }
            None => gathered.warnings.push(format!("{name} is binary and was skipped")),
        }
        self.answer_gathered(snapshot, gathered, &similar.scope)
    }

    fn answer_gathered(
        &self,
        snapshot: &Snapshot,
        gathered: Gathered,
        scope: &Scope,
    ) -> Result<ContextAnswer> {
        let Gathered { terms, texts, names, own, trees, include, patterns, mut warnings, problems } =
            gathered;
        let mut scope = scope.clone();
        scope.except.extend(own);
        if scope.trees.is_empty() {
            scope.trees = trees;
        }
        let terms = terms.choose(snapshot)?;
        let mut answer = self.answer_terms(snapshot, &terms, &tokens(snapshot, &texts), &scope)?;
        let missing = self.pin(snapshot, &mut answer, &include)?;
        let unknown = |name: String| format!("[[context.rules]] include: no document is called `{name}`");
        warnings.extend(missing.into_iter().map(unknown));
        let query = if names.is_empty() { "the change".to_owned() } else { names.join(", ") };
        let answer = Answer { query, ..answer };
        let answers = Answers { answers: vec![answer], ..Answers::default() };
        Ok(ContextAnswer { answers, terms, patterns, warnings, problems })
    }

    /// Asks for terms. Each was chosen because it is in the index, so none is matched nearly, and any may be
    /// missing.
    fn answer_terms(
        &self,
        snapshot: &Snapshot,
        terms: &[Term],
        at_hand: &BTreeSet<String>,
        scope: &Scope,
    ) -> Result<Answer> {
        let Some(query) = question(terms) else { return Ok(Answer::default()) };
        let search = Search { fuzzy_distance: 0, relax: false, ..self.config.search.clone() };
        let request = Request {
            what: What::Query(&query),
            scope,
            search: &search,
            pipeline: &self.config.context.pipeline,
            limit: self.config.context.limit,
            gather: Gather::Sections,
            titles: Named::Text(at_hand),
            order: Order::Score,
            dates: &Default::default(),
        };
        let answer = self.respond(snapshot, &request)?;
        Ok(Answer { read_as: query.to_string(), ..answer })
    }

    /// Puts the documents that rules always include before what was found. Gives the names that mean nothing.
    fn pin(&self, snapshot: &Snapshot, answer: &mut Answer, include: &[String]) -> Result<Vec<String>> {
        let names = Names::of(snapshot);
        let mut pinned: Vec<Passage> = Vec::new();
        let mut missing = Vec::new();
        for name in include {
            let found = match self.locate(&names, name) {
                Err(error @ Error::Index { .. }) => return Err(error),
                Err(_) => None,
                Ok((record, file, ord)) => search::whole(&record, &file, ord),
            };
            match found {
                Some(passage) if pinned.iter().any(|known| known.id == passage.id) => {}
                Some(passage) => pinned.push(passage),
                None => missing.push(name.clone()),
            }
        }
        let holds = |id: &ChunkId| {
            pinned.iter().any(|known| known.id == *id || known.level == 0 && known.id.doc == id.doc)
        };
        answer.passages.retain(|passage| !holds(&passage.id));
        for passage in &mut pinned {
            passage.shorten(self.config.search.max_result_tokens);
        }
        answer.passages.splice(0..0, pinned);
        Ok(missing)
    }

    fn gather_file(&self, gathered: &mut Gathered, name: &str, path: &Path) {
        match self.sample(path) {
            Err(error) => gathered.problems.push(error),
            Ok(None) => {
                gathered.names.push(name.to_owned());
                gathered.warnings.push(format!("{name} is binary and was skipped"));
            }
            Ok(Some(text)) => self.gather_text(gathered, name, path, &text),
        }
    }

    fn gather_text(&self, gathered: &mut Gathered, name: &str, path: &Path, text: &str) {
        gathered.names.push(name.to_owned());
        let relative = self.gather_path(gathered, name, path);
        let words = extract::words(&relative, text);
        gathered.terms.content(name, &words, 1.0, &self.config.context);
        gather_links(&mut gathered.terms, name, &relative, text);
        gathered.texts.push(format!("{relative}\n{text}"));
    }

    /// Adds what the path of a source tells. Gives the path as the project has it.
    fn gather_path(&self, gathered: &mut Gathered, name: &str, path: &Path) -> String {
        let relative =
            path.strip_prefix(&self.config.project).map_or(name, |path| path.to_str().unwrap_or(name));
        let relative = relative.replace(std::path::MAIN_SEPARATOR, "/");
        for word in extract::path_words(&relative) {
            gathered.terms.path(name, &word);
        }
        for pattern in self.config.context.patterns.iter().filter(|pattern| pattern.matches(&relative)) {
            for term in &pattern.terms {
                gathered.terms.pattern(name, &pattern.glob, term);
            }
            gathered.patterns.push((name.to_owned(), pattern.glob.clone()));
        }
        for rule in self.config.context.rules.iter() {
            let Some(glob) = rule.matching(&relative) else { continue };
            for term in &rule.terms {
                gathered.terms.pattern(name, glob, term);
            }
            gathered.trees.extend(rule.trees.iter().cloned());
            gathered.include.extend(rule.include.iter().cloned());
            gathered.patterns.push((name.to_owned(), glob.to_owned()));
        }
        gathered.own.extend(self.documents_of(path));
        relative
    }

    fn gather_diff(&self, gathered: &mut Gathered, text: &str) {
        let diff = diff::parse(text);
        for problem in &diff.problems {
            gathered.warnings.push(format!("line {} of the diff: {}", problem.line, problem.message));
        }
        // The paths of a diff begin where git's work tree does.
        let root = git_root(&self.config.project).unwrap_or(&self.config.project).to_owned();
        for file in &diff.files {
            let name = file.path();
            gathered.names.push(name.to_owned());
            if file.is_binary {
                gathered.warnings.push(format!("{name} is binary and was skipped"));
                continue;
            }
            let relative = self.gather_path(gathered, name, &root.join(name));
            if let Some(old) = file.old.as_deref().filter(|old| *old != name) {
                gathered.own.extend(self.documents_of(&root.join(old)));
                extract::path_words(old).iter().for_each(|word| gathered.terms.path(name, word));
            }
            let changed = file.hunks.iter().flat_map(|hunk| hunk.added.iter().chain(&hunk.removed));
            let around = file.hunks.iter().flat_map(|hunk| &hunk.context);
            let headings = file.hunks.iter().map(|hunk| hunk.heading);
            let join = |lines: &mut dyn Iterator<Item = &str>| {
                lines.fold(String::new(), |text, line| text + line + "\n")
            };
            let changed = self.cut(join(&mut changed.map(|line| line.text)));
            let around = self.cut(join(&mut around.map(|line| line.text).chain(headings)));
            // A change is short, and a word that it has once may be what it is about.
            let settings = crate::config::Context { min_term_frequency: 1, ..self.config.context.clone() };
            gathered.terms.content(name, &extract::words(&relative, &changed), CHANGED, &settings);
            gathered.terms.content(name, &extract::words(&relative, &around), AROUND, &settings);
            gather_links(&mut gathered.terms, name, &relative, &changed);
            gathered.texts.push(format!("{relative}\n{changed}{around}"));
        }
    }

    /// The documents that a file is.
    fn documents_of(&self, path: &Path) -> Vec<DocId> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let trees = self.trees_of(path).chain(self.trees_of(&real));
        trees.map(|(tree, below)| DocId::new(tree.name.clone(), below.as_str())).collect()
    }

    fn cut(&self, text: String) -> String {
        extract::sample(text.as_bytes(), self.config.context.sample_size).text.into_owned()
    }

    /// The beginning of a file; none when it is binary. However large the file is, no more is read.
    fn sample(&self, path: &Path) -> Result<Option<String>> {
        let failed = |error| Error::io("read", path, error);
        let size = self.config.context.sample_size;
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(failed)?;
        file.take(size as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
        if extract::is_binary(&bytes) {
            return Ok(None);
        }
        Ok(Some(extract::sample(&bytes, size).text.into_owned()))
    }
}

/// The tokens of texts, as the index has them.
fn tokens(snapshot: &Snapshot, texts: &[String]) -> BTreeSet<String> {
    let mut analyzer = snapshot.analyzer();
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

/// Adds the words of what a document links to.
fn gather_links(terms: &mut Terms, name: &str, path: &str, text: &str) {
    if Kind::of_path(path) != Kind::Markdown {
        return;
    }
    let options = ParseOptions { kind: Kind::Markdown, file_name: path, chunk_at_headings: false };
    for link in document::parse(text, &options).links.iter().filter(|link| !link.target.contains("://")) {
        let target = link.target.split(['#', '?']).next().unwrap_or_default();
        let page = target.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        extract::path_words(page).iter().for_each(|word| terms.link(name, word));
    }
}

/// What of a term's origin is worth telling, in a few words.
pub fn told(signal: &Signal) -> String {
    match signal {
        Signal::Path => "path".to_owned(),
        Signal::Link => "link".to_owned(),
        Signal::Pattern(glob) => format!("pattern {glob}"),
        Signal::Content(kind, count) => format!("{} ×{count}", kind.name()),
    }
}

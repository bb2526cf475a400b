//! Reads the context sources: collects terms from files and diffs, and finds the documents that they are themselves.

use std::io::Read;
use std::path::{Component, Path};

use super::KnowledgeBase;
use crate::config::{self, ContextSettings, LayerOrigin, git_root};
use crate::context::diff::FileChange;
use crate::context::extract::Language;
use crate::context::{TermCollector, diff, extract};
use crate::corpus::{self, Content};
use crate::document::{self, DocumentKind, ParseOptions};
use crate::error::{Error, Result};
use crate::files;
use crate::id::{DocId, TreeName};

/// The weights of changed lines and of the lines around them.
const CHANGED_WEIGHT: f32 = 2.0;
const SURROUNDING_WEIGHT: f32 = 0.5;

/// Everything that was collected from the sources.
#[derive(Default)]
pub(super) struct CollectedSources {
    pub(super) terms: TermCollector,
    pub(super) texts: Vec<String>,
    pub(super) names: Vec<String>,
    /// The sources that are documents themselves.
    pub(super) own: Vec<DocId>,
    /// For each source, the trees that rules restrict it to; empty if no rule restricts it.
    pub(super) trees: Vec<Vec<TreeName>>,
    pub(super) include: Vec<String>,
    pub(super) patterns: Vec<(String, String)>,
    pub(super) warnings: Vec<String>,
    pub(super) problems: Vec<Error>,
}

impl KnowledgeBase {
    pub(super) fn collect_file(&self, collected: &mut CollectedSources, name: &str, path: &Path) {
        match self.sample(path) {
            Err(error) => collected.problems.push(error),
            Ok(None) => {
                collected.names.push(name.to_owned());
                collected.warnings.push(format!("{name} is binary and was skipped"));
            }
            Ok(Some(text)) => self.collect_text(collected, name, path, &text),
        }
    }

    pub(super) fn collect_text(&self, collected: &mut CollectedSources, name: &str, path: &Path, text: &str) {
        collected.names.push(name.to_owned());
        let relative = self.collect_path(collected, (name, path), None);
        let words = extract::words(&relative, text);
        // Every key of a configuration file occurs once, however much it matters.
        let settings = match Language::of(&relative, text) {
            Language::Settings => self.all_words(),
            _ => self.config.context.clone(),
        };
        collected.terms.content(name, &words, 1.0, &settings);
        collect_links(&mut collected.terms, name, &relative, text);
        collected.texts.push(format!("{relative}\n{text}"));
    }

    /// Adds the terms of a source's path, and of its path before a rename. Returns the path relative to the project.
    fn collect_path(
        &self,
        collected: &mut CollectedSources,
        (name, path): (&str, &Path),
        old: Option<(&str, &Path)>,
    ) -> String {
        let both = || [(name, path)].into_iter().chain(old);
        let relative = |(name, path): (&str, &Path)| {
            below(path, &self.config.project).unwrap_or_else(|| name.replace(std::path::MAIN_SEPARATOR, "/"))
        };
        let paths: Vec<String> = both().map(relative).collect();
        // A file outside `base` is known only by its name.
        let seen_from = |base: &Path| -> Vec<String> {
            let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
            both().filter_map(|(_, path)| below(path, base).or_else(|| name(path))).collect()
        };
        for word in paths.iter().flat_map(|path| extract::path_words(path)) {
            collected.terms.path(name, &word);
        }
        let mut trees = Vec::new();
        let context = &self.config.context;
        for rule in context.patterns.iter().chain(context.rules.iter()) {
            let paths = seen_from(self.base(&rule.source));
            let Some(glob) = paths.iter().find_map(|path| rule.matching(path)) else { continue };
            for term in &rule.terms {
                collected.terms.pattern(name, glob, term);
            }
            trees.extend(rule.trees.iter().cloned());
            collected.include.extend(rule.include.iter().cloned());
            collected.patterns.push((name.to_owned(), glob.to_owned()));
        }
        collected.trees.push(trees);
        let own = [path].into_iter().chain(old.map(|(_, path)| path));
        collected.own.extend(own.flat_map(|path| self.documents_at(path)));
        paths.into_iter().next().unwrap_or_default()
    }

    /// Returns the directory that the globs of a configuration file are relative to: the file's own, or the project
    /// for globs that come from no project.
    fn base<'a>(&'a self, source: &'a config::SettingSource) -> &'a Path {
        match &source.origin {
            LayerOrigin::Local(file) => file.parent().unwrap_or(&self.config.project),
            LayerOrigin::Global(_) | LayerOrigin::BuiltIn | LayerOrigin::Flag(_) => &self.config.project,
        }
    }

    pub(super) fn collect_diff(&self, collected: &mut CollectedSources, text: &str, cwd: &Path) {
        let diff = diff::parse(text);
        for problem in &diff.problems {
            collected.warnings.push(format!("line {} of the diff: {}", problem.line, problem.message));
        }
        // The paths of a git diff begin at the work tree; those of other programs at the project, or at the directory
        // where the program ran.
        let project = self.config.project.as_path();
        let work_tree = git_root(project).unwrap_or(project);
        let fitting = |root: &&Path| diff.files.iter().filter(|file| fits(root, file)).count();
        let root = [cwd, project, work_tree].into_iter().max_by_key(fitting).unwrap_or(work_tree);
        for file in &diff.files {
            let name = file.path();
            collected.names.push(name.to_owned());
            if file.is_binary {
                collected.warnings.push(format!("{name} is binary and was skipped"));
                continue;
            }
            let old = file.old.as_deref().filter(|old| *old != name).map(|old| (old, root.join(old)));
            let old = old.as_ref().map(|(name, path)| (*name, path.as_path()));
            let relative = self.collect_path(collected, (name, &root.join(name)), old);
            let changed = file.hunks.iter().flat_map(|hunk| hunk.added.iter().chain(&hunk.removed));
            let around = file.hunks.iter().flat_map(|hunk| &hunk.context);
            let headings = file.hunks.iter().map(|hunk| hunk.heading);
            let join = |lines: &mut dyn Iterator<Item = &str>| {
                lines.fold(String::new(), |text, line| text + line + "\n")
            };
            let changed = self.cut(join(&mut changed.copied()));
            let around = self.cut(join(&mut around.copied().chain(headings)));
            // A diff is short: a word that occurs in it once may be its subject.
            let settings = self.all_words();
            collected.terms.content(name, &extract::words(&relative, &changed), CHANGED_WEIGHT, &settings);
            collected.terms.content(name, &extract::words(&relative, &around), SURROUNDING_WEIGHT, &settings);
            collect_links(&mut collected.terms, name, &relative, &changed);
            collected.texts.push(format!("{relative}\n{changed}{around}"));
        }
    }

    /// The documents that a file is.
    pub(super) fn documents_at(&self, path: &Path) -> Vec<DocId> {
        let trees = self.trees_of(path).into_iter();
        trees.map(|(tree, below)| DocId::new(tree.name.clone(), below.as_str())).collect()
    }

    /// Returns the settings under which a word counts even if it occurs once.
    fn all_words(&self) -> ContextSettings {
        ContextSettings { min_term_frequency: 1, ..self.config.context.clone() }
    }

    fn cut(&self, text: String) -> String {
        extract::sample(text.as_bytes(), self.config.context.sample_size).into_owned()
    }

    /// Returns the beginning of the text of a file that is converted; `None` if it has none.
    fn converted_sample(&self, path: &Path, size: usize) -> Result<Option<String>> {
        Ok(match corpus::load(path, &self.conversions())?.content {
            Content::Text(text, _) => Some(extract::sample(text.as_bytes(), size).into_owned()),
            Content::Binary | Content::Refused(_) => None,
        })
    }

    /// Returns the beginning of a file; `None` if it is binary. Reads no more than that, however large the file is.
    pub(super) fn sample(&self, path: &Path) -> Result<Option<String>> {
        let failed = |error| Error::io("read", path, error);
        let size = self.config.context.sample_size;
        let mut bytes = Vec::new();
        if path.is_dir() {
            let message = format!("{} is a directory", path.display());
            return Err(Error::BadRequest { message, hint: "name the files that are at hand" });
        }
        if self.config.converters.kind_of(&path.to_string_lossy()).is_converted() {
            return self.converted_sample(path, size);
        }
        let file = files::open(path).map_err(failed)?;
        file.take(size as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
        if corpus::looks_binary(&bytes) {
            return Ok(None);
        }
        Ok(Some(extract::sample(&bytes, size).into_owned()))
    }
}

/// Returns a path relative to a directory, however it is written; `None` if it is outside.
fn below(path: &Path, base: &Path) -> Option<String> {
    // Only the file system can resolve `..`, and only for a path that exists.
    if !path.components().any(|part| part == Component::ParentDir) {
        return files::below(path, base);
    }
    files::below(&path.canonicalize().ok()?, &base.canonicalize().ok()?)
}

/// True if a directory looks as the change leaves it, assuming that the paths begin there.
fn fits(root: &Path, change: &FileChange<'_>) -> bool {
    let path = root.join(change.path());
    match change.new {
        Some(_) => path.exists(),
        None => !path.exists() && path.parent().is_some_and(Path::is_dir),
    }
}

/// Adds the words of the pages that a document links to.
fn collect_links(terms: &mut TermCollector, name: &str, path: &str, text: &str) {
    if DocumentKind::of_known_type(path) != Some(DocumentKind::Markdown) {
        return;
    }
    let options = ParseOptions { kind: DocumentKind::Markdown, file_name: path, chunk_at_headings: false };
    for link in document::parse(text, &options).links.iter().filter(|link| !link.target.contains("://")) {
        let target = link.target.split(['#', '?']).next().unwrap_or_default();
        let page = target.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        extract::path_words(page).iter().for_each(|word| terms.link(name, word));
    }
}

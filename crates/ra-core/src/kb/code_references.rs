//! The files that documents name, such as source code: linked, or in backticks.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::{KnowledgeBase, ReadDocument};
use crate::config::{Tree, git_root};
use crate::corpus::{SourceFile, WalkDetail};
use crate::document::{ConversionCache, DocumentKind, Fences, LinkBase, percent_decode};
use crate::files;
use crate::id::DocId;

/// A document with the files of its git work tree that it names.
#[derive(Clone, Debug)]
pub struct CodeReferences {
    /// The document.
    pub doc: DocId,
    /// The root of the work tree.
    pub work_tree: PathBuf,
    /// The path of the document below it, with `/`.
    pub path: String,
    /// The files that aren't documents, by their path below it, each with the 1-based line that names it first.
    pub files: BTreeMap<String, usize>,
}

/// The maximum number of names of one document that are looked up.
const MAX_NAMES: usize = 500;
/// The maximum length of a name in backticks.
const MAX_NAME_BYTES: usize = 300;

impl KnowledgeBase {
    /// Returns the documents in git work trees that name files there.
    pub fn code_references(&self) -> Vec<CodeReferences> {
        let scans = self.scan(WalkDetail::Documents);
        let all = self.files_of(&scans);
        let conversions = self.conversions();
        let documents: HashSet<PathBuf> =
            all.iter().filter_map(|(tree, file)| real(&Self::file_of(tree, &file.path))).collect();
        all.par_iter()
            .filter_map(|(tree, file)| self.references_of(tree, file, &documents, &conversions))
            .collect()
    }

    fn references_of(
        &self,
        tree: &Tree,
        file: &SourceFile,
        documents: &HashSet<PathBuf>,
        conversions: &ConversionCache,
    ) -> Option<CodeReferences> {
        let path = Self::file_of(tree, &file.path);
        let own = real(&path)?;
        let work_tree = git_root(own.parent()?)?.to_owned();
        let ReadDocument { document, text, .. } = self.read_document(&path, conversions, false)?;
        let linked = document.links.iter().filter_map(|link| {
            let is_local = matches!(LinkBase::of(link, &text), LinkBase::Document | LinkBase::Root);
            let target = link.target.split(['#', '?']).next().unwrap_or_default();
            is_local.then(|| (percent_decode(target), link.line))
        });
        let names = linked.chain(names_in_backticks(&text)).take(MAX_NAMES);
        let bases =
            [own.parent()?.to_owned(), real(&tree.root)?, real(&self.config.project)?, work_tree.clone()];
        let mut files: BTreeMap<String, usize> = BTreeMap::new();
        for (name, line) in names {
            let relative = name.trim_start_matches('/');
            let named = bases.iter().map(|base| files::without_dots(&base.join(relative)));
            let is_code = |path: &PathBuf| {
                // Changelogs and the like change all the time, in a tree or not.
                let is_text = DocumentKind::of_known_type(&path.to_string_lossy()).is_some();
                // A link of the repository may lead anywhere, so it isn't followed.
                path.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
                    && !is_text
                    && !documents.contains(path)
            };
            let found = named.filter(|path| path.starts_with(&work_tree)).find(is_code);
            if let Some(path) = found.and_then(|path| below(&path, &work_tree)) {
                let first = files.entry(path).or_insert(line);
                *first = line.min(*first);
            }
        }
        let path = below(&own, &work_tree)?;
        let doc = DocId::new(tree.name.clone(), &file.path);
        (!files.is_empty()).then_some(CodeReferences { doc, work_tree, path, files })
    }
}

/// Returns the path of a file with the links in its directory resolved, but not the file itself.
fn real(path: &Path) -> Option<PathBuf> {
    match path.file_name() {
        Some(name) => Some(files::real_path(path.parent()?).ok()?.join(name)),
        None => files::real_path(path).ok(),
    }
}

/// Returns a path below a directory, with `/`; `None` for what git keeps to itself.
fn below(path: &Path, directory: &Path) -> Option<String> {
    files::below(path, directory).filter(|below| below.split('/').all(|part| part != ".git"))
}

/// Returns the texts in backticks that may be paths, each with its line. Code blocks are left out.
fn names_in_backticks(text: &str) -> impl Iterator<Item = (String, usize)> {
    let mut fences = Fences::default();
    text.lines().enumerate().flat_map(move |(nr, line)| {
        let inside = if fences.is_code(line) { "" } else { line };
        let spans = inside.split('`').skip(1).filter(|span| is_path(span));
        spans.map(move |span| (without_line(span).to_owned(), nr + 1)).collect::<Vec<_>>()
    })
}

/// True if a text looks like the path of a file.
fn is_path(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || "/._-+@:".contains(c);
    text.len() <= MAX_NAME_BYTES
        && text.contains(['/', '.'])
        && text.chars().all(is_name)
        && text.chars().any(char::is_alphanumeric)
}

/// Returns a path without a line number: `src/main.rs:12` is `src/main.rs`.
fn without_line(text: &str) -> &str {
    let numbers = |c: char| c.is_ascii_digit() || c == ':';
    let stripped = text.trim_end_matches(numbers);
    if stripped.len() < text.len() && text[stripped.len()..].starts_with(':') { stripped } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_backticks_are_found() {
        let text = "See `src/main.rs:12`, ``lib/a-b.py`` and `not a path`.\n\n```\n~~~\n`c/d.rs`\n```\n`Makefile.am` `x`\n";
        let found: Vec<(String, usize)> = names_in_backticks(text).collect();
        let expected = [("src/main.rs", 1), ("lib/a-b.py", 1), ("Makefile.am", 7)];
        assert_eq!(found, expected.map(|(path, line)| (path.to_owned(), line)));
    }
}

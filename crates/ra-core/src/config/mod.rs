//! The configuration: the settings of every layer, merged and resolved once, then immutable.

mod converter;
mod converter_table;
mod discover;
mod keys;
mod layers;
mod merge;
mod settings;
mod source;
mod tree;
mod tree_table;
mod values;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::GlobMatcher;

pub use self::converter::{Converter, Converters};
pub use self::discover::{FILE_NAME, SystemDirs, git_root, same_file};
pub use self::keys::{Key, Value, ValueKind};
pub use self::settings::{
    Boosts, ContextSettings, Expand, KEYS, MOST_CANDIDATES, Pipeline, STEMMERS, SearchSettings, Settings,
};
pub use self::source::{LayerOrigin, SettingSource};
pub use self::tree::{
    DocumentFilter, DocumentType, LinkRoot, Pattern, Tree, TreeScope, Verdict, is_bounded_glob,
    is_document_type,
};

use self::layers::Layer;
use self::values::Values;
use crate::error::{ConfigProblems, Error, Result};
use crate::files;
use crate::id::TreeName;
use crate::text::hint_among;

/// The text of the built-in defaults, which documents every key.
pub const DEFAULTS: &str = include_str!("defaults.toml");

/// The maximum number of problems in an error; each is shown with its place in the file.
const MAX_PROBLEMS: usize = 50;

/// A value set by a command line flag, which is the top layer.
#[derive(Clone, Debug)]
pub struct Override {
    /// The key's table.
    pub table: &'static str,
    /// The key's name.
    pub name: &'static str,
    /// The flag, for messages.
    pub flag: &'static str,
    /// The value.
    pub value: Value,
}

/// The resolved configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// `[settings]`
    pub settings: Settings,
    /// `[search]`
    pub search: SearchSettings,
    /// `[context]`
    pub context: ContextSettings,
    /// The trees, by name.
    pub trees: Arc<Vec<Tree>>,
    /// `[convert]`: the programs that convert files.
    pub converters: Converters,
    /// The directory that the project's paths are relative to.
    pub project: PathBuf,
    /// The directory that the index belongs to: the project, or the home directory if only `~/.ra.toml` names trees.
    pub index_owner: PathBuf,
    /// The directory of the index. It is in the user's cache directory, never in the project, which may come from
    /// somebody else.
    pub index_dir: PathBuf,
    /// The directory of the index if `index_dir` isn't writable.
    pub fallback_dir: PathBuf,
    /// The files that were read, lowest precedence first.
    pub files: Vec<PathBuf>,
    /// Every scalar that is set, with its source.
    pub values: Arc<Vec<Setting>>,
}

/// A scalar with its source.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The key.
    pub key: &'static Key,
    /// The effective value.
    pub value: Value,
    /// The layer and line that set it.
    pub source: SettingSource,
}

/// An entry of `[search.synonyms]`.
#[derive(Clone, Debug)]
pub struct Synonyms {
    /// The word on the left and those on the right, which are all synonyms of each other.
    pub words: Vec<String>,
    /// The layer and line that set it.
    pub source: SettingSource,
}

/// An entry of `[[context.rules]]` or `[context.patterns]`, which is a rule with one glob that only adds words.
#[derive(Clone, Debug)]
pub struct ContextRule {
    /// The globs as written.
    pub globs: Vec<String>,
    /// The words it adds.
    pub terms: Vec<String>,
    /// The trees it restricts the search to; all if empty.
    pub trees: Vec<TreeName>,
    /// The documents and sections it always includes.
    pub include: Vec<String>,
    /// The layer and line that set it.
    pub source: SettingSource,
    matchers: Vec<GlobMatcher>,
}

impl ContextRule {
    /// Returns the first of its globs that matches a path. The path uses `/` and is relative to the directory of the
    /// rule's file.
    pub fn matching(&self, path: &str) -> Option<&str> {
        let mut globs = self.globs.iter().zip(&self.matchers);
        globs.find(|(_, matcher)| matcher.is_match(path)).map(|(glob, _)| glob.as_str())
    }
}

impl Config {
    /// Finds, reads, merges and checks the configuration for a working directory.
    pub fn load(places: &SystemDirs, overrides: &[Override]) -> Result<Config> {
        let mut problems = Vec::new();
        let mut layers = vec![Layer::parse(LayerOrigin::BuiltIn, DEFAULTS, &mut problems)];
        layers.extend(discover::layers(places, &mut problems)?);
        let values = merge::values(&layers, overrides)?;
        let trees = merge::trees(&layers, places, &mut problems);
        let patterns = merge::patterns(&layers, &mut problems);
        let rules = merge::context_rules(&layers, &trees, &mut problems);
        if !problems.is_empty() {
            // Problems are found file by file in one pass and tree by tree in another. Report them in the order of
            // files and lines.
            let rank = |file: &Path| layers.iter().position(|layer| layer.origin.file() == Some(file));
            problems.sort_by_cached_key(|problem| (rank(&problem.file), problem.span));
            let more = problems.len().saturating_sub(MAX_PROBLEMS);
            problems.truncate(MAX_PROBLEMS);
            if let Some(last) = problems.last_mut().filter(|_| more > 0) {
                last.hint = Some(format!("{more} more problems are not listed"));
            }
            return Err(Error::Config(ConfigProblems(problems)));
        }
        let synonyms = merge::synonyms(&layers);
        Self::resolve(places, &layers, values, trees, (patterns, rules, synonyms))
    }

    fn resolve(
        places: &SystemDirs,
        layers: &[Layer],
        values: Vec<Setting>,
        mut trees: Vec<Tree>,
        (patterns, rules, synonyms): (Vec<ContextRule>, Vec<ContextRule>, Vec<Synonyms>),
    ) -> Result<Config> {
        let read_files: Vec<PathBuf> =
            layers.iter().filter_map(|layer| layer.origin.file().map(Path::to_owned)).collect();
        let nearest_local = layers.iter().rev().find_map(|layer| match &layer.origin {
            LayerOrigin::Local(path) => path.parent().map(Path::to_owned),
            _ => None,
        });
        let project =
            nearest_local.clone().unwrap_or_else(|| git_root(&places.cwd).unwrap_or(&places.cwd).to_owned());
        // If only the global configuration applies, all directories share one index.
        let owner = match (&nearest_local, &places.home) {
            (None, Some(home)) if !trees.is_empty() => home.clone(),
            _ => project.clone(),
        };
        let name = index_name(&owner);
        if trees.is_empty() {
            refuse_as_tree(&project, places.home.as_deref())?;
            trees.extend(implicit_tree(&project));
        }
        let read = Values(&values);
        let settings = read.settings();
        let converters = Converters::of(layers);
        for tree in &mut trees {
            tree.max_binary_size = settings.max_binary_size as u64;
            tree.filter.add_converters(&converters);
        }
        Ok(Config {
            settings,
            search: read.search(synonyms),
            context: read.context(patterns, rules),
            trees: Arc::new(trees),
            converters,
            project,
            index_owner: owner,
            index_dir: places.cache.join("ra").join(&name),
            fallback_dir: places.temp.join(format!("ra-{}", files::user_id())).join(&name),
            files: read_files,
            values: Arc::new(values),
        })
    }

    /// Returns the tree of that name.
    pub fn tree(&self, name: &str) -> Option<&Tree> {
        self.trees.iter().find(|tree| tree.name.as_str() == name)
    }

    /// Returns the tree that a user names. The error is a hint for a name that no tree has.
    pub fn tree_named(&self, name: &str) -> std::result::Result<&Tree, String> {
        let names = || self.trees.iter().map(|tree| tree.name.as_str()).collect::<Vec<_>>();
        self.tree(name).ok_or_else(|| hint_among(name, &names(), "the trees are"))
    }

    /// True if a tree is outside the project, whichever file defines it.
    pub fn lies_outside(&self, tree: &Tree) -> bool {
        tree.outside || !is_inside(&tree.root, &self.project)
    }
}

/// Returns the tree that is searched if no configuration names one.
fn implicit_tree(project: &Path) -> Option<Tree> {
    Some(Tree {
        name: "local".parse().ok()?,
        root: project.to_owned(),
        scope: TreeScope::Local,
        outside: false,
        source: None,
        ignore: true,
        link_roots: Vec::new(),
        filter: DocumentFilter::default(),
        max_binary_size: 0,
    })
}

/// Refuses to search the home directory or one above it unless the configuration names it as a tree.
fn refuse_as_tree(project: &Path, home: Option<&Path>) -> Result<()> {
    if project.parent().is_none() || home.is_some_and(|home| is_inside(home, project)) {
        return Err(Error::NoTree { directory: project.to_owned() });
    }
    Ok(())
}

/// True if a path is a directory or below it.
fn is_inside(path: &Path, directory: &Path) -> bool {
    match (path.canonicalize(), directory.canonicalize()) {
        (Ok(path), Ok(directory)) => path.starts_with(directory),
        _ => path.starts_with(directory),
    }
}

/// Returns a directory name that people recognize and that no other project shares.
fn index_name(project: &Path) -> String {
    let name = project.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(40).collect();
    let hash = blake3::hash(project.as_os_str().as_encoded_bytes()).to_hex();
    format!("{plain}-{}", &hash.as_str()[..12])
}

//! Merges the layers: scalars and trees by the nearest definition, includes by concatenation, context patterns by
//! glob, synonyms by word.

use std::path::{Path, PathBuf, is_separator};

use super::discover::SystemDirs;
use super::is_inside;
use super::layers::{IncludeDef, Layer, Located, TreeDef};
use super::settings::KEYS;
use super::source::{LayerOrigin, SettingSource};
use super::tree::{self, DocumentFilter, Pattern, Tree, TreeScope};
use super::{ContextRule, Override, Setting, Synonyms};
use crate::error::{ConfigProblem, Error, Result};
use crate::files;
use crate::id::TreeName;
use crate::text::{Span, did_you_mean};

pub(super) fn values(layers: &[Layer], overrides: &[Override]) -> Result<Vec<Setting>> {
    let mut settings = Vec::new();
    for key in KEYS {
        let flag = overrides.iter().rev().find(|flag| flag.table == key.table && flag.name == key.name);
        if let Some(Override { flag, value, .. }) = flag {
            let value = key.check(value.clone()).map_err(|message| Error::Flag { flag, message })?;
            settings.push(Setting {
                key,
                value,
                source: SettingSource { origin: LayerOrigin::Flag(flag), line: 0 },
            });
            continue;
        }
        let found = layers.iter().rev().find_map(|layer| layer.setting(key).map(|found| (layer, found)));
        if let Some((layer, (value, line))) = found {
            let source = SettingSource { origin: layer.origin.clone(), line };
            settings.push(Setting { key, value: value.clone(), source });
        }
    }
    apply_default_limit(&mut settings);
    Ok(settings)
}

/// `[settings] default_limit` is the default of `[search] limit`. If it is set, it replaces the built-in default of
/// the latter, also where the settings are shown.
fn apply_default_limit(settings: &mut [Setting]) {
    let is = |set: &Setting, table, name| set.key.table == table && set.key.name == name;
    let Some(general) = settings.iter().find(|set| is(set, "settings", "default_limit")).cloned() else {
        return;
    };
    let limit = settings.iter_mut().find(|set| is(set, "search", "limit"));
    if let Some(limit) = limit.filter(|limit| limit.source.origin == LayerOrigin::BuiltIn) {
        limit.value = general.value;
        limit.source = general.source;
    }
}

/// Merges trees by name. The nearest definition wins, and the includes that any layer adds to it are kept.
pub(super) fn trees(layers: &[Layer], places: &SystemDirs, problems: &mut Vec<ConfigProblem>) -> Vec<Tree> {
    let mut defined: Vec<(&Layer, &TreeDef)> = Vec::new();
    for layer in layers {
        for tree in &layer.trees {
            defined.retain(|(_, earlier)| earlier.name != tree.name);
            defined.push((layer, tree));
        }
    }
    defined.sort_by(|a, b| a.1.name.cmp(&b.1.name));
    let names: Vec<&str> = defined.iter().map(|(_, tree)| tree.name.as_str()).collect();
    let includes: Vec<(&Layer, &IncludeDef)> =
        layers.iter().flat_map(|layer| layer.includes.iter().map(move |include| (layer, include))).collect();
    for (layer, include) in &includes {
        if !names.contains(&include.tree.value.as_str()) {
            problems.push(no_such_tree(layer, &include.tree, names.iter().copied()));
        }
    }
    let resolve = |(layer, tree): &(&Layer, &TreeDef)| resolve_tree(layer, tree, &includes, places, problems);
    defined.iter().filter_map(resolve).collect()
}

fn resolve_tree(
    layer: &Layer,
    tree: &TreeDef,
    includes: &[(&Layer, &IncludeDef)],
    places: &SystemDirs,
    problems: &mut Vec<ConfigProblem>,
) -> Option<Tree> {
    let base = layer.origin.file()?.parent()?;
    let root = match resolve_path(&tree.path.value, base, places.home.as_deref()) {
        Ok(root) => root,
        Err(message) => {
            problems.push(layer.problem(tree.path.span, message, None));
            return None;
        }
    };
    let (scope, outside) = match &layer.origin {
        LayerOrigin::Global(_) => (TreeScope::Global, false),
        _ => (TreeScope::Local, !is_inside(&root, base)),
    };
    if scope == TreeScope::Local && is_of_git(&root, base) {
        let message =
            format!("the tree `{}` is in a `.git` or `.ra` directory, which is never searched", tree.name);
        problems.push(layer.problem(tree.path.span, message, None));
        return None;
    }
    if outside && let Some(message) = refused_outside(&tree.name, &root, base, places.home.as_deref()) {
        let hint = "define the tree in ~/.ra.toml if it is yours and you want it searched".to_owned();
        problems.push(layer.problem(tree.path.span, message, Some(hint)));
        return None;
    }
    let mut include = compile(tree.include.iter().map(|glob| (layer, glob)), problems);
    for (from, added) in includes.iter().filter(|(_, include)| include.tree.value == tree.name.as_str()) {
        let patterns = compile(std::iter::once((*from, &added.pattern)), problems);
        // Only the file that defines a tree can open it to hidden files and other types: another file may come from a
        // clone.
        let is_own = from.origin == layer.origin;
        include.extend(patterns.into_iter().map(|it| if is_own { it } else { it.for_documents_only() }));
    }
    let exclude = compile(tree.exclude.iter().map(|glob| (layer, glob)), problems);
    Some(Tree {
        name: tree.name.clone(),
        root,
        scope,
        outside,
        source: Some(layer.source(tree.path.span)),
        ignore: tree.ignore,
        link_roots: tree.link_roots.clone(),
        filter: DocumentFilter::new(include, exclude, outside).with_types(tree.types.clone()),
        max_binary_size: 0,
    })
}

fn compile<'a>(
    globs: impl Iterator<Item = (&'a Layer, &'a Located<String>)>,
    problems: &mut Vec<ConfigProblem>,
) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for (layer, glob) in globs {
        match Pattern::new(&glob.value, layer.source(glob.span)) {
            Ok(pattern) => patterns.push(pattern),
            Err(error) => problems.push(bad_glob(layer, glob.span, &error)),
        }
    }
    patterns
}

fn bad_glob(layer: &Layer, span: Span, message: &str) -> ConfigProblem {
    layer.problem(span, message, None)
}

/// Merges context patterns by glob. The nearest entry wins; the order is that of their first definitions.
pub(super) fn patterns(layers: &[Layer], problems: &mut Vec<ConfigProblem>) -> Vec<ContextRule> {
    let mut merged: Vec<ContextRule> = Vec::new();
    for layer in layers {
        for pattern in &layer.patterns {
            let matcher = match tree::anchored(&pattern.name.value) {
                Ok(glob) => glob.compile_matcher(),
                Err(error) => {
                    problems.push(bad_glob(layer, pattern.name.span, &error));
                    continue;
                }
            };
            let entry = ContextRule {
                globs: vec![pattern.name.value.clone()],
                terms: pattern.words.clone(),
                trees: Vec::new(),
                include: Vec::new(),
                source: layer.source(pattern.name.span),
                matchers: vec![matcher],
            };
            match merged.iter_mut().find(|known| known.globs == entry.globs) {
                Some(known) => *known = entry,
                None => merged.push(entry),
            }
        }
    }
    merged
}

/// Merges synonyms by word. The nearest entry wins; the order is that of their first definitions.
pub(super) fn synonyms(layers: &[Layer]) -> Vec<Synonyms> {
    let mut merged: Vec<Synonyms> = Vec::new();
    for (layer, list) in layers.iter().flat_map(|layer| layer.synonyms.iter().map(move |list| (layer, list)))
    {
        let word = list.name.value.clone();
        let source = layer.source(list.name.span);
        let entry = Synonyms { words: [vec![word], list.words.clone()].concat(), source };
        match merged.iter_mut().find(|known| known.words[0] == entry.words[0]) {
            Some(known) => *known = entry,
            None => merged.push(entry),
        }
    }
    merged
}

/// Returns the rules of all layers, the farthest first: rules add to each other.
pub(super) fn context_rules(
    layers: &[Layer],
    trees: &[Tree],
    problems: &mut Vec<ConfigProblem>,
) -> Vec<ContextRule> {
    let mut rules = Vec::new();
    for (layer, rule) in layers.iter().flat_map(|layer| layer.rules.iter().map(move |rule| (layer, rule))) {
        let mut matchers = Vec::new();
        for glob in &rule.globs {
            match tree::anchored(&glob.value) {
                Ok(compiled) => matchers.push(compiled.compile_matcher()),
                Err(error) => problems.push(bad_glob(layer, glob.span, &error)),
            }
        }
        let mut wanted = Vec::new();
        for name in &rule.trees {
            match trees.iter().find(|tree| tree.name.as_str() == name.value) {
                Some(tree) => wanted.push(tree.name.clone()),
                None => problems.push(no_such_tree(layer, name, trees.iter().map(|tree| tree.name.as_str()))),
            }
        }
        rules.push(ContextRule {
            globs: rule.globs.iter().map(|glob| glob.value.clone()).collect(),
            terms: rule.terms.clone(),
            trees: wanted,
            include: rule.include.clone(),
            source: layer.source(rule.span),
            matchers,
        });
    }
    rules
}

fn no_such_tree<'a>(
    layer: &Layer,
    name: &Located<String>,
    known: impl Iterator<Item = &'a str>,
) -> ConfigProblem {
    let hint = did_you_mean(&name.value, known)
        .unwrap_or_else(|| format!("define it under [trees]: {} = \"./docs\"", name.value));
    layer.problem(name.span, format!("there is no tree `{}`", name.value), Some(hint))
}

/// Resolves `~`, relative parts and `..` without accessing the disk, so it also works for a path that doesn't exist
/// yet.
fn resolve_path(path: &str, base: &Path, home: Option<&Path>) -> std::result::Result<PathBuf, String> {
    let below_home =
        path.strip_prefix('~').filter(|below| below.is_empty() || below.starts_with(is_separator));
    let full = if let Some(below) = below_home {
        let home = home.ok_or("`~` cannot be resolved: the home directory is not known")?;
        home.join(below.trim_start_matches(is_separator))
    } else if path.starts_with('~') {
        return Err("`~name` is not supported: write the whole path, or `~/` for your own home".to_owned());
    } else {
        base.join(path)
    };
    Ok(files::without_dots(&full))
}

/// Returns why a project's configuration must not name this directory outside the project. The user who cloned the
/// project didn't choose it.
fn refused_outside(name: &TreeName, root: &Path, base: &Path, home: Option<&Path>) -> Option<String> {
    if home.is_some_and(|home| is_inside(home, root)) || root.parent().is_none() {
        return Some(format!("the tree `{name}` would contain the whole home directory"));
    }
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let places = [(root.to_owned(), base.to_owned()), (real(root), real(base))];
    let is_hidden = places.iter().any(|(root, base)| {
        // In the home directory every hidden component counts, even one that leads to the project itself.
        let mut homes = home.into_iter().flat_map(|home| [home.to_owned(), real(home)]);
        let from = homes.find(|home| root.starts_with(home));
        leads_through_hidden(root, from.as_ref().unwrap_or(base))
    });
    is_hidden.then(|| format!("the tree `{name}` is in a hidden directory outside the project"))
}

/// True if a tree's root is, or is in, a private directory of git or of an older `ra`.
fn is_of_git(root: &Path, base: &Path) -> bool {
    let private = |path: &Path, base: &Path| {
        let below = path.strip_prefix(base).unwrap_or(path);
        below.components().any(|part| [".git", ".ra"].iter().any(|name| part.as_os_str() == *name))
    };
    let real = root.canonicalize().ok().zip(base.canonicalize().ok());
    private(root, base) || real.is_some_and(|(root, base)| private(&root, &base))
}

/// True if the path from one directory to another enters a hidden one.
fn leads_through_hidden(to: &Path, from: &Path) -> bool {
    let shared = to.components().zip(from.components()).take_while(|(a, b)| a == b).count();
    let mut entered = to.components().skip(shared);
    entered.any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."))
}

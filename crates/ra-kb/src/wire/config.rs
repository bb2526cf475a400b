//! The report of `ra config`.

use ra_core::config::{Config, LayerOrigin, SettingSource, TreeScope, Value};
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Configuration {
    pub(crate) files: Vec<String>,
    pub(crate) values: Vec<Setting>,
    pub(crate) trees: Vec<Tree>,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) synonyms: Vec<Synonyms>,
}

#[derive(Serialize)]
pub(crate) struct Setting {
    pub(crate) key: String,
    pub(crate) value: Value,
    pub(crate) source: String,
}

#[derive(Serialize)]
pub(crate) struct Tree {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) scope: &'static str,
    pub(crate) outside_project: bool,
    pub(crate) ignore: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) link_root: Vec<String>,
    pub(crate) include: Vec<Glob>,
    pub(crate) exclude: Vec<Glob>,
    pub(crate) source: String,
}

#[derive(Serialize)]
pub(crate) struct Glob {
    pub(crate) glob: String,
    pub(crate) source: String,
}

#[derive(Serialize)]
pub(crate) struct Pattern {
    pub(crate) glob: String,
    pub(crate) terms: Vec<String>,
    pub(crate) source: String,
}

#[derive(Serialize)]
pub(crate) struct Rule {
    #[serde(rename = "match")]
    pub(crate) globs: Vec<String>,
    pub(crate) terms: Vec<String>,
    pub(crate) trees: Vec<String>,
    pub(crate) include: Vec<String>,
    pub(crate) source: String,
}

#[derive(Serialize)]
pub(crate) struct Synonyms {
    pub(crate) words: Vec<String>,
    pub(crate) source: String,
}

impl Configuration {
    pub(crate) fn new(config: &Config) -> Self {
        let values = config.values.iter().map(|set| Setting {
            key: set.key.path(),
            value: set.value.clone(),
            source: source(&set.source),
        });
        let patterns = config.context.patterns.iter().map(|pattern| Pattern {
            glob: pattern.glob.clone(),
            terms: pattern.terms.clone(),
            source: source(&pattern.source),
        });
        let rules = config.context.rules.iter().map(|rule| Rule {
            globs: rule.globs.clone(),
            terms: rule.terms.clone(),
            trees: rule.trees.iter().map(ToString::to_string).collect(),
            include: rule.include.clone(),
            source: source(&rule.source),
        });
        let synonyms = config
            .search
            .synonyms
            .iter()
            .map(|group| Synonyms { words: group.words.clone(), source: source(&group.source) });
        Configuration {
            files: config.files.iter().map(|file| file.display().to_string()).collect(),
            values: values.collect(),
            trees: config.trees.iter().map(Tree::new).collect(),
            patterns: patterns.collect(),
            rules: rules.collect(),
            synonyms: synonyms.collect(),
        }
    }

    /// Removes the settings that have their default values.
    pub(crate) fn keep_changed(&mut self) {
        self.values.retain(|value| value.source != BUILT_IN);
        self.patterns.retain(|pattern| pattern.source != BUILT_IN);
    }
}

impl Tree {
    pub(crate) fn new(tree: &ra_core::config::Tree) -> Self {
        let globs = |patterns: &[ra_core::config::Pattern]| {
            let glob = |pattern: &ra_core::config::Pattern| Glob {
                glob: pattern.glob.clone(),
                source: source(&pattern.source),
            };
            patterns.iter().map(glob).collect()
        };
        Tree {
            name: tree.name.to_string(),
            path: tree.root.display().to_string(),
            scope: match tree.scope {
                TreeScope::Global => "global",
                TreeScope::Local => "local",
            },
            outside_project: tree.outside,
            ignore: tree.ignore,
            link_root: tree.link_roots.iter().map(ToString::to_string).collect(),
            include: globs(tree.filter.include()),
            exclude: globs(tree.filter.exclude()),
            source: tree.source.as_ref().map_or_else(|| "implied: no tree is configured".to_owned(), source),
        }
    }
}

const BUILT_IN: &str = "built-in default";

fn source(source: &SettingSource) -> String {
    match &source.origin {
        LayerOrigin::BuiltIn => BUILT_IN.to_owned(),
        LayerOrigin::Flag(flag) => (*flag).to_owned(),
        LayerOrigin::Global(path) | LayerOrigin::Local(path) => format!("{}:{}", path.display(), source.line),
    }
}

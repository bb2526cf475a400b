//! The answer of `ra config`.

use std::io;

use ra_core::config::{Config, LayerOrigin, SettingSource, TreeScope, Value};
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::{FAINT, NAME, Page, Present, Table};

/// The merged configuration.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Configuration {
    /// The configuration files, lowest precedence first.
    pub(crate) files: Vec<String>,
    /// Every setting with its value.
    pub(crate) values: Vec<Setting>,
    /// The trees.
    pub(crate) trees: Vec<Tree>,
    /// The entries of `[context.patterns]`.
    pub(crate) patterns: Vec<Pattern>,
    /// The entries of `[[context.rules]]`.
    pub(crate) rules: Vec<Rule>,
    /// The entries of `[search.synonyms]`.
    pub(crate) synonyms: Vec<Synonyms>,
    /// The entries of `[convert]`; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) convert: Vec<Converter>,
}

/// A program that converts files.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Converter {
    /// The extension of the files.
    pub(crate) extension: String,
    /// The program and its arguments.
    pub(crate) command: Vec<String>,
    /// Where it is set.
    pub(crate) source: String,
}

/// A setting, and where it is set.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Setting {
    /// The key with its tables, such as `search.limit`.
    pub(crate) key: String,
    /// The value that applies.
    #[schemars(with = "serde_json::Value", extend("type" = ["boolean", "number", "string"]))]
    pub(crate) value: Value,
    /// Where it is set: `FILE:LINE`, a flag, or `built-in default`.
    pub(crate) source: String,
}

/// A tree.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Tree {
    /// The name of the tree.
    pub(crate) name: String,
    /// Its directory, absolute.
    pub(crate) path: String,
    /// Global when `~/.ra.toml` defines it.
    #[schemars(extend("enum" = ["local", "global"]))]
    pub(crate) scope: &'static str,
    /// Whether a project's configuration names a directory outside that project.
    pub(crate) outside_project: bool,
    /// Whether ignore files apply.
    pub(crate) ignore: bool,
    /// The types of documents, as kinds or extensions; absent for the default types.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) types: Vec<String>,
    /// The directories that links beginning with `/` are relative to; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) link_root: Vec<String>,
    /// The include patterns, in the order they are tried.
    pub(crate) include: Vec<Glob>,
    /// The exclude patterns.
    pub(crate) exclude: Vec<Glob>,
    /// The file and line that define it.
    pub(crate) source: String,
}

/// A pattern that includes or excludes files.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Glob {
    /// The pattern as it was written.
    pub(crate) glob: String,
    /// Where it is set.
    pub(crate) source: String,
}

/// Words that are added to the search for files of a pattern.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Pattern {
    /// The pattern as it was written.
    pub(crate) glob: String,
    /// The words that it adds.
    pub(crate) terms: Vec<String>,
    /// Where it is set.
    pub(crate) source: String,
}

/// A rule for files that match its patterns.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Rule {
    /// The patterns as they were written.
    #[serde(rename = "match")]
    pub(crate) globs: Vec<String>,
    /// The words that it adds.
    pub(crate) terms: Vec<String>,
    /// The trees that are searched; all if empty.
    pub(crate) trees: Vec<String>,
    /// The documents that are always shown first.
    pub(crate) include: Vec<String>,
    /// Where it is set.
    pub(crate) source: String,
}

/// Words with the same meaning.
#[derive(JsonSchema, Serialize)]
pub(crate) struct Synonyms {
    /// The words with the same meaning.
    pub(crate) words: Vec<String>,
    /// The file and line that define them.
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
            glob: pattern.globs.join(" "),
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
            convert: config.converters.all().iter().map(Converter::new).collect(),
        }
    }

    /// Removes the settings that have their default values.
    pub(crate) fn keep_changed(&mut self) {
        self.values.retain(|value| value.source != BUILT_IN);
        self.patterns.retain(|pattern| pattern.source != BUILT_IN);
    }
}

impl Converter {
    fn new(converter: &ra_core::config::Converter) -> Self {
        Converter {
            extension: converter.extension.clone(),
            command: converter.command.clone(),
            source: source(&converter.source),
        }
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
            types: tree.filter.types().unwrap_or_default().iter().map(ToString::to_string).collect(),
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

impl Present for Configuration {
    fn human(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.files.is_empty() {
            page.line("no configuration file applies here")?;
        }
        for file in self.files.iter().rev() {
            page.line(format!("{NAME}{file}{NAME:#}"))?;
        }
        self.values(page)?;
        page.heading("Trees:")?;
        for tree in &self.trees {
            let outside = if tree.outside_project { ", outside the project" } else { "" };
            let ignore = if tree.ignore { "" } else { ", ignore files not honored" };
            page.line(format!(
                "  {NAME}{}{NAME:#} = {} ({}{outside}{ignore})",
                tree.name, tree.path, tree.scope
            ))?;
            page.line(format!("    {FAINT}{}{FAINT:#}", tree.source))?;
            if !tree.types.is_empty() {
                page.line(format!("    types {}", tree.types.join(", ")))?;
            }
            for root in &tree.link_root {
                page.line(format!("    link_root {root:?}"))?;
            }
            for (word, globs) in [("include", &tree.include), ("exclude", &tree.exclude)] {
                for glob in globs {
                    page.line(format!("    {word} {:?}  {FAINT}{}{FAINT:#}", glob.glob, glob.source))?;
                }
            }
        }
        self.converters(page)?;
        self.synonyms(page)?;
        self.patterns(page)?;
        self.rules(page)
    }
}

impl Configuration {
    fn converters(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.convert.is_empty() {
            return Ok(());
        }
        page.heading("Converters:")?;
        let mut table = Table::new(&["extension", "command", "set by"]);
        for converter in &self.convert {
            let cells = [&converter.extension, &converter.command.join(" "), &converter.source];
            table.row(cells.map(|cell| page.clean(cell)));
        }
        page.table(&table)
    }

    fn synonyms(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.synonyms.is_empty() {
            return Ok(());
        }
        page.heading("Synonyms:")?;
        let mut table = Table::new(&["words", "set by"]);
        for group in &self.synonyms {
            table.row([&group.words.join(", "), &group.source].map(|cell| page.clean(cell)));
        }
        page.table(&table)
    }

    fn patterns(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.patterns.is_empty() {
            return Ok(());
        }
        page.heading("Context patterns:")?;
        let mut table = Table::new(&["glob", "terms", "set by"]);
        for pattern in &self.patterns {
            let cells = [&pattern.glob, &pattern.terms.join(", "), &pattern.source];
            table.row(cells.map(|cell| page.clean(cell)));
        }
        page.table(&table)
    }

    fn rules(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.rules.is_empty() {
            return Ok(());
        }
        page.heading("Context rules:")?;
        for rule in &self.rules {
            let globs = page.clean(&rule.globs.join(", "));
            page.line(format!("  {NAME}{globs}{NAME:#}  {FAINT}{}{FAINT:#}", page.clean(&rule.source)))?;
            for (word, values) in [("terms", &rule.terms), ("trees", &rule.trees), ("include", &rule.include)]
            {
                if !values.is_empty() {
                    page.line(format!("    {word} {}", page.clean(&values.join(", "))))?;
                }
            }
        }
        Ok(())
    }

    fn values(&self, page: &mut Page<'_>) -> io::Result<()> {
        if self.values.is_empty() {
            return Ok(());
        }
        page.heading("Values:")?;
        let mut table = Table::new(&["key", "value", "set by"]);
        for set in &self.values {
            table.row([set.key.clone(), set.value.to_string(), set.source.clone()]);
        }
        page.table(&table)
    }
}

//! Checks the architecture of the library by reading its source: which module may import which, which may use the
//! search engine, and what no part of the library may do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules from top to bottom. A module imports only from the rows below its own.
const LAYERS: &[&[&str]] = &[
    &["eval"],
    &["kb"],
    &["retrieval", "context", "corpus"],
    &["index"],
    &["semantic"],
    &["document", "query"],
    &["config"],
    &["error"],
    &["files", "id", "kind", "text", "tokens"],
];

/// The modules of the program from top to bottom, with the same rule.
const PROGRAM_LAYERS: &[&[&str]] = &[
    &["commands", "usage"],
    &["web"],
    &["mcp", "doctor"],
    &["request"],
    &["answers", "args"],
    &["agents"],
    &["output", "conversion_worker", "git_history", "live", "panics"],
    &["external_converter"],
    &["env", "child_output"],
    &["error"],
    &["hints"],
    &["layout", "sanitize", "schema"],
];

/// The directories of the index from top to bottom, with the same rule.
const INDEX_LAYERS: &[&str] = &["execution", "storage", "analysis"];

/// The limit for the lines of a file before its tests.
const MAX_FILE_LINES: usize = 400;

/// Calls that would make the library print, exit, or depend on its environment.
const FORBIDDEN: &[&str] = &[
    "println!",
    "eprintln!",
    "print!",
    "eprint!",
    "dbg!",
    "process::exit",
    "process::abort",
    "std::env",
    "env::var",
    "env::current_dir",
    "home_dir(",
];

/// Ways to open, read or write files. Only `files.rs` uses them: it never writes through a link, blocks, or reads
/// without a limit.
const FILE_ACCESS: &[&str] = &[
    "File::open",
    "File::create",
    "File::options",
    "OpenOptions",
    "fs::read(",
    "read_to_string(",
    "fs::write(",
];

/// A file of the library.
struct Source {
    /// The path below `src`, with `/`.
    path: String,
    text: String,
}

impl Source {
    fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// Returns the top-level module that the file belongs to.
    fn module(&self) -> &str {
        let first = self.path.split('/').next().unwrap_or_default();
        first.strip_suffix(".rs").unwrap_or(first)
    }

    /// Returns how many `super::` lead from the file to the root of the crate.
    fn depth(&self) -> usize {
        let names = self.path.split('/').count();
        if self.path.ends_with("/mod.rs") { names - 1 } else { names }
    }

    /// Returns the lines before the tests, without comments and the contents of string literals.
    fn code(&self) -> impl Iterator<Item = (usize, String)> {
        let lines: Vec<&str> = self.text.lines().map(str::trim).collect();
        let is_mark = |nr: usize| lines.get(nr) == Some(&"#[cfg(test)]");
        // A declaration for tests is one line; anything longer is the tests themselves.
        let is_short = |nr: usize| lines.get(nr + 1).is_some_and(|line| line.ends_with(';'));
        let end = (0..lines.len()).find(|&nr| is_mark(nr) && !is_short(nr)).unwrap_or(lines.len());
        let is_code = |nr: &usize| !is_mark(*nr) && (*nr == 0 || !is_mark(*nr - 1));
        let numbers: Vec<usize> = (0..end).filter(is_code).collect();
        let lines = self.text.lines().collect::<Vec<_>>();
        numbers.into_iter().map(move |nr| (nr + 1, without_comments_and_texts(lines[nr])))
    }

    /// Returns every module of the crate that the code names, with its line.
    fn imports(&self) -> Vec<(usize, String)> {
        let root = format!("{}{{", "super::".repeat(self.depth()));
        let mut imports = Vec::new();
        let mut group = 0;
        for (line, code) in self.code() {
            let code = code.replace(&root, "crate::{").replace(&root[..root.len() - 1], "crate::");
            if group > 0 {
                group = names(line, &code, group, &mut imports);
                continue;
            }
            for (at, mark) in code.match_indices("crate::") {
                let rest = &code[at + mark.len()..];
                let is_word = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
                match rest.strip_prefix('{') {
                    _ if is_word => {}
                    Some(inner) => group = names(line, inner, 1, &mut imports),
                    None => imports.push((line, first_name(rest))),
                }
            }
        }
        imports
    }

    /// Returns the imports that violate the order of the modules.
    fn wrong_imports(&self, layers: &[&[&str]]) -> Vec<String> {
        let row = |module: &str| layers.iter().position(|layer| layer.contains(&module));
        let Some(own) = row(self.module()) else {
            return vec![format!("{}: the module `{}` has no place in the order", self.path, self.module())];
        };
        let mut wrong = Vec::new();
        for (line, import) in self.imports() {
            // The crate root re-exports the error type.
            let module = if import.starts_with(char::is_uppercase) { "error" } else { import.as_str() };
            let fine = module == self.module() || row(module).is_some_and(|row| row > own);
            if !fine {
                wrong.push(format!("{}:{line}: `{}` must not import `{module}`", self.path, self.module()));
            }
        }
        wrong.extend(self.wrong_imports_within_index());
        wrong
    }

    /// Returns the imports that violate the order of the directories of the index.
    fn wrong_imports_within_index(&self) -> Vec<String> {
        let row = |name: &str| INDEX_LAYERS.iter().position(|layer| *layer == name);
        let own = self.path.strip_prefix("index/").and_then(|path| path.split('/').next());
        let Some((own, own_row)) = own.and_then(|own| Some((own, row(own)?))) else { return Vec::new() };
        let mut wrong = Vec::new();
        for (line, code) in self.code() {
            for (at, mark) in code.match_indices("crate::index::") {
                let import = first_name(&code[at + mark.len()..]);
                if row(&import).is_none_or(|row| row < own_row) {
                    wrong.push(format!("{}:{line}: `{own}` must not import `index::{import}`", self.path));
                }
            }
        }
        wrong
    }

    /// Returns the files of its own module among `paths` that the code names.
    fn neighbors(&self, paths: &BTreeSet<&str>) -> BTreeSet<String> {
        let code: String = self.code().map(|(_, line)| line + " ").collect();
        let own_module = "super::".repeat(self.depth().saturating_sub(1));
        let code = code.replace(&format!("crate::{}::", self.module()), &own_module);
        let parts: Vec<&str> = self.path.split('/').collect();
        let mut found = BTreeSet::new();
        for (at, mark) in code.match_indices("super::").filter(|(at, mark)| !code[..*at].ends_with(mark)) {
            let rest = code[at..].trim_start_matches(mark);
            let levels = (code.len() - at - rest.len()) / mark.len();
            let mut imports = Vec::new();
            match rest.strip_prefix('{') {
                Some(inner) => _ = names(0, inner, 1, &mut imports),
                None => imports.push((0, first_name(rest))),
            }
            let directory = &parts[..self.depth().saturating_sub(levels)];
            for (_, name) in imports {
                let file = [directory, &[&format!("{name}.rs")]].concat().join("/");
                let module = [directory, &[&name, "mod.rs"]].concat().join("/");
                found.extend([file, module].into_iter().filter(|path| paths.contains(path.as_str())));
            }
        }
        found
    }

    /// Returns the forbidden names that the code uses.
    fn forbidden(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (line, code) in self.code() {
            let is_engine = code.contains("tantivy") && self.module() != "index";
            let engine = is_engine.then_some("tantivy");
            let access: &[&str] = if self.module() == "files" { &[] } else { FILE_ACCESS };
            let words = FORBIDDEN.iter().chain(access).copied();
            for word in words.filter(|word| code.contains(word)).chain(engine) {
                found.push(format!("{}:{line}: `{word}`", self.path));
            }
        }
        found
    }
}

/// Reads the names of an import group up to its last brace; returns how many braces are still open.
fn names(line: usize, code: &str, open: usize, imports: &mut Vec<(usize, String)>) -> usize {
    let mut depth = open;
    let mut at_start = true;
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' => at_start = true,
            _ if depth == 1 && at_start && (c.is_alphabetic() || c == '_') => {
                imports.push((line, first_name(&code[at..])));
                at_start = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    depth
}

fn first_name(code: &str) -> String {
    code.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn without_comments_and_texts(line: &str) -> String {
    let mut code = String::new();
    let mut chars = line.chars().peekable();
    let mut in_text = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' if in_text => {
                chars.next();
            }
            // A quotation mark as a character literal begins no string.
            '\'' if !in_text && chars.peek() == Some(&'"') => {
                chars.nth(1);
            }
            '"' => {
                in_text = !in_text;
                code.push(c);
            }
            '/' if !in_text && chars.peek() == Some(&'/') => break,
            _ if in_text => {}
            _ => code.push(c),
        }
    }
    code
}

/// Returns every source file below a directory.
fn sources(root: &Path) -> Vec<Source> {
    let mut found = Vec::new();
    let mut directories = vec![PathBuf::new()];
    while let Some(below) = directories.pop() {
        for entry in fs::read_dir(root.join(&below)).expect("a directory") {
            let entry = entry.expect("an entry");
            let path = below.join(entry.file_name());
            if entry.path().is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(entry.path()).expect("source text");
                let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
                // The tests of a module may be in a file of their own.
                if parts.last().is_some_and(|name| name != "tests.rs") {
                    found.push(Source { path: parts.join("/"), text });
                }
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn library() -> Vec<Source> {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(sources.len() > 20, "the library's source was not found");
    sources
}

#[test]
fn imports_point_downwards() {
    let mut wrong = Vec::new();
    for (root, layers) in crate_sources().zip([LAYERS, PROGRAM_LAYERS]) {
        let is_module = |source: &Source| !matches!(source.path.as_str(), "lib.rs" | "main.rs");
        let modules = sources(&root).into_iter().filter(is_module);
        wrong.extend(modules.flat_map(|source| source.wrong_imports(layers)));
    }
    assert!(wrong.is_empty(), "imports against the order of the modules:\n{}", wrong.join("\n"));
}

#[test]
fn files_do_not_import_each_other() {
    let known = [
        Source::new("kb/mod.rs", "mod a;\nuse self::a::A;"),
        Source::new("kb/a.rs", "use super::b::{B, C};"),
        Source::new("kb/b.rs", "use crate::kb::c;"),
        Source::new("kb/c.rs", "use crate::error::Error;\nuse super::{a::A, d};"),
        Source::new("kb/d.rs", "use crate::error::Error;"),
    ];
    assert_eq!(files_in_circles(&known), ["kb/a.rs", "kb/b.rs", "kb/c.rs"], "a circle isn't seen");
    for root in crate_sources() {
        assert_eq!(
            files_in_circles(&sources(&root)),
            [""; 0],
            "files of {} that import each other",
            root.display()
        );
    }
}

/// Returns the files that import each other, directly or by way of others.
fn files_in_circles(sources: &[Source]) -> Vec<&str> {
    let paths: BTreeSet<&str> = sources.iter().map(|source| source.path.as_str()).collect();
    let neighbors: BTreeMap<&str, BTreeSet<String>> =
        sources.iter().map(|source| (source.path.as_str(), source.neighbors(&paths))).collect();
    paths.into_iter().filter(|path| is_in_circle(path, &neighbors)).collect()
}

/// True if a file is among the files that it imports, or that these import, and so on.
fn is_in_circle(path: &str, neighbors: &BTreeMap<&str, BTreeSet<String>>) -> bool {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut next = vec![path];
    while let Some(file) = next.pop() {
        let imported = neighbors.get(file).into_iter().flatten().map(String::as_str);
        next.extend(imported.filter(|file| seen.insert(file)));
    }
    seen.contains(path)
}

#[test]
fn the_library_is_silent_and_hermetic_and_only_the_index_knows_the_engine() {
    let found: Vec<String> = library().iter().flat_map(Source::forbidden).collect();
    assert!(found.is_empty(), "not allowed in the library:\n{}", found.join("\n"));
}

#[test]
fn files_stay_short() {
    let mut long = Vec::new();
    for root in crate_sources() {
        for source in &sources(&root) {
            let lines = source.code().count();
            if lines >= MAX_FILE_LINES {
                long.push(format!("{}: {lines} lines", root.join(&source.path).display()));
            }
        }
    }
    assert!(long.is_empty(), "files of {MAX_FILE_LINES} lines and more:\n{}", long.join("\n"));
}

#[test]
fn a_type_name_means_one_thing_or_two() {
    for root in crate_sources() {
        let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for source in sources(&root) {
            for name in source.code().filter_map(|(_, code)| defined_type(&code)) {
                files.entry(name).or_default().push(source.path.clone());
            }
        }
        files.retain(|_, files| files.len() > MAX_MEANINGS);
        assert!(files.is_empty(), "names of too many types in {}: {files:#?}", root.display());
    }
}

/// Returns the name of the type that a line defines. Associated types are indented.
fn defined_type(code: &str) -> Option<String> {
    let visible = code.strip_prefix("pub").map_or(code, |rest| {
        rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest)
    });
    let (keyword, rest) = visible.trim_start().split_once(' ')?;
    let is_definition = !code.starts_with(' ') && matches!(keyword, "struct" | "enum" | "trait" | "type");
    is_definition.then(|| first_name(rest))
}

/// How many types of a crate may share a name.
const MAX_MEANINGS: usize = 2;

/// Returns the sources of the library, and of the program beside it, unless the library was published by itself.
fn crate_sources() -> impl Iterator<Item = PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the directory of the crates");
    ["ra-core", "ra-kb"].map(|name| crates.join(name).join("src")).into_iter().filter(|root| root.is_dir())
}

#[test]
fn a_wrong_import_is_seen_however_it_is_written() {
    for (path, text, wrong) in [
        (
            "config/mod.rs",
            "use crate::kb::KnowledgeBase;",
            &["config/mod.rs:1: `config` must not import `kb`"][..],
        ),
        (
            "retrieval/cut.rs",
            "\nuse crate::corpus;\n",
            &["retrieval/cut.rs:2: `retrieval` must not import `corpus`"],
        ),
        ("id.rs", "fn f() { crate::text::nearest() }", &["id.rs:1: `id` must not import `text`"]),
        (
            "index/write.rs",
            "use crate::{\n    config::{Config, Tree},\n    kb,\n    retrieval::{self},\n};",
            &[
                "index/write.rs:3: `index` must not import `kb`",
                "index/write.rs:4: `index` must not import `retrieval`",
            ],
        ),
        ("index/mod.rs", "use super::kb;", &["index/mod.rs:1: `index` must not import `kb`"]),
        (
            "index/write.rs",
            "use super::super::{kb, id};",
            &["index/write.rs:1: `index` must not import `kb`"],
        ),
        ("text.rs", "use crate::Result;", &["text.rs:1: `text` must not import `error`"]),
        (
            "id.rs",
            "#[cfg(test)]\nmod sample;\nuse crate::text;\n#[cfg(test)]\nmod tests {\nuse crate::kb;\n}",
            &["id.rs:3: `id` must not import `text`"],
        ),
        ("extra.rs", "", &["extra.rs: the module `extra` has no place in the order"]),
        (
            "index/storage/segment.rs",
            "use crate::index::execution::hit::Hit;\nuse crate::index::Snapshot;",
            &[
                "index/storage/segment.rs:1: `storage` must not import `index::execution`",
                "index/storage/segment.rs:2: `storage` must not import `index::Snapshot`",
            ],
        ),
    ] {
        assert_eq!(Source::new(path, text).wrong_imports(LAYERS), wrong, "{text}");
    }
}

#[test]
fn a_right_import_passes() {
    for (path, text) in [
        ("kb/mod.rs", "use crate::{retrieval, corpus::{self, Scan}, id::DocId};"),
        ("kb/check.rs", "use super::links;\nuse super::super::text::Lines;"),
        ("corpus/read.rs", "use crate::document;\nuse crate::Error;"),
        ("config/mod.rs", "use self::layers::Layer;\nuse crate::config::Tree;"),
        ("config/mod.rs", "// use crate::kb;\n#[cfg(test)]\nmod tests { use crate::kb; }"),
        ("index/execution/hit.rs", "use crate::index::storage::lineage::RecordId;\nuse super::plan::Plan;"),
        ("text.rs", "const HINT: &str = \"see crate::kb\"; // not crate::kb"),
    ] {
        assert_eq!(Source::new(path, text).wrong_imports(LAYERS), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn what_is_forbidden_is_seen() {
    for (path, text, found) in [
        ("kb/mod.rs", "println!(\"{x}\");", 1),
        ("kb/mod.rs", "let home = std::env::home_dir();", 2),
        ("kb/mod.rs", "use tantivy::Index;", 1),
        ("index/mod.rs", "use tantivy::Index;", 0),
        ("kb/mod.rs", "/// As println! does.\nlet c = '\"'; let s = \"std::env::var and println!\";", 0),
        ("kb/mod.rs", "let s = \"\\\"\"; std::process::exit(1)", 1),
    ] {
        let seen = Source::new(path, text).forbidden();
        assert_eq!(seen.iter().filter(|line| !line.contains("`print!`")).count(), found, "{text}: {seen:?}");
    }
}

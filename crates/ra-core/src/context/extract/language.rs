//! Detects the language of a file from its name.

use super::keywords;

/// A language, or a group of languages with the same keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Language {
    C,
    CSharp,
    /// Also other languages that look like C.
    Cpp,
    Css,
    Elixir,
    Go,
    Haskell,
    /// Components and templates; an HTML page is a document.
    Html,
    Java,
    JavaScript,
    Kotlin,
    Lisp,
    Lua,
    OCaml,
    /// TeX and Erlang.
    Percent,
    Perl,
    Php,
    Python,
    Ruby,
    Rust,
    Scala,
    Shell,
    /// Configuration files: JSON, TOML, YAML and the like.
    Settings,
    /// Small languages, and data.
    Small,
    /// Also Ada and VHDL.
    Sql,
    Swift,
    /// Documents, and anything unknown.
    Prose,
}

use Language as L;

/// The extensions of programs and settings. Documents are converted to text, or are text as they are.
#[rustfmt::skip]
const EXTENSIONS: &[(Language, &[&str])] = &[
    (L::C, &["c", "h"]),
    (L::CSharp, &["cs", "csx"]),
    (L::Cpp, &["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "inl", "cu", "cuh"]),
    (L::Cpp, &["ino", "dart", "zig", "proto", "groovy", "gradle", "m", "mm", "d", "v", "sv", "sol"]),
    (L::Cpp, &["glsl", "hlsl", "wgsl", "metal", "vala", "hx", "as", "qml", "rules", "cue", "prisma", "odin"]),
    (L::Cpp, &["move", "wit"]),
    (L::Css, &["css", "scss", "sass", "less"]),
    (L::Elixir, &["ex", "exs"]),
    (L::Go, &["go"]),
    (L::Haskell, &["hs", "lhs", "elm", "purs"]),
    (L::Html, &["xml", "svg", "vue", "svelte", "astro", "xsd", "xsl", "plist", "csproj", "erb", "hbs", "handlebars"]),
    (L::Html, &["mustache", "jsp", "ejs", "twig", "xaml", "rss", "atom"]),
    (L::Java, &["java"]),
    (L::JavaScript, &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"]),
    (L::Kotlin, &["kt", "kts"]),
    (L::Lisp, &["clj", "cljs", "cljc", "edn", "lisp", "lsp", "cl", "el", "scm", "ss", "rkt", "asm"]),
    (L::Lisp, &["s", "fnl", "hy"]),
    (L::Lua, &["lua", "luau"]),
    (L::OCaml, &["ml", "mli", "fs", "fsi", "fsx", "sml"]),
    (L::Percent, &["tex", "sty", "cls", "bib", "erl", "hrl", "pro"]),
    (L::Perl, &["pl", "pm", "t", "raku"]),
    (L::Php, &["php", "phtml", "php5", "phps"]),
    (L::Python, &["py", "pyi", "pyw", "pyx", "bazel"]),
    (L::Ruby, &["rb", "rake", "gemspec", "ru", "podspec"]),
    (L::Rust, &["rs"]),
    (L::Scala, &["scala", "sc", "sbt"]),
    (L::Settings, &["conf", "cfg", "ini", "properties", "env", "editorconfig", "gitignore", "dockerignore", "nginx", "service"]),
    (L::Settings, &["json", "jsonc", "json5", "webmanifest", "toml", "yaml", "yml", "tf", "tfvars", "hcl", "jsonnet", "libsonnet"]),
    (L::Small, &["r", "jl", "nim", "cmake", "mk", "awk", "sed", "tcl", "gd", "pp", "graphql", "gql", "cr", "coffee", "bzl", "star"]),
    (L::Small, &["just", "feature", "rego", "nix", "thrift", "lock", "jsonl", "ndjson", "geojson"]),
    (L::Shell, &["ps1", "psm1", "psd1", "sh", "bash", "zsh", "ksh", "fish", "bats", "envrc", "bashrc", "zshrc"]),
    (L::Sql, &["adb", "ads", "vhd", "vhdl", "applescript", "sql", "psql", "mysql", "ddl", "pgsql", "plsql"]),
    (L::Swift, &["swift"]),
];

/// Files whose name is more specific than their extension.
const NAMES: &[(Language, &[&str])] = &[
    (L::Settings, &["codeowners", ".gitconfig", ".gitattributes", "dockerfile", "containerfile", "procfile"]),
    (L::Small, &["makefile", "gnumakefile", "cmakelists.txt", "justfile", "requirements.txt"]),
    (L::Python, &["build", "workspace", "sconstruct", "snakefile", "wscript"]),
    (L::Ruby, &["gemfile", "rakefile", "vagrantfile", "podfile", "brewfile", "fastfile", "guardfile"]),
    (L::Cpp, &["jenkinsfile", "go.mod"]),
    (L::Shell, &["pkgbuild", ".profile", ".bash_profile", ".bash_aliases"]),
];

/// Programs that a `#!` line may name.
const PROGRAMS: &[(Language, &[&str])] = &[
    (L::JavaScript, &["node", "deno", "bun"]),
    (L::Perl, &["perl"]),
    (L::Python, &["python"]),
    (L::Ruby, &["ruby"]),
    (L::Lua, &["lua"]),
    (L::Php, &["php"]),
    (L::Shell, &["sh", "bash", "zsh", "dash", "ksh", "fish"]),
];

impl Language {
    /// Returns the language of a file, by its name or else by its `#!` line.
    pub fn of(path: &str, text: &str) -> Language {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_lowercase();
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        find(NAMES, &name)
            .or_else(|| find(EXTENSIONS, extension?))
            .or_else(|| of_program(text))
            .unwrap_or(Language::Prose)
    }

    /// True if names in its code may contain hyphens, which are minus signs in other languages.
    pub(super) fn has_hyphens(self) -> bool {
        matches!(self, L::Css | L::Html | L::Lisp | L::Settings | L::Shell | L::Small)
    }

    /// True if the word is part of the language, not a name that somebody chose.
    pub(super) fn is_keyword(self, word: &str) -> bool {
        match self {
            L::Sql | L::Php => keywords::of(self).contains(&word.to_ascii_lowercase().as_str()),
            _ => keywords::of(self).contains(&word),
        }
    }
}

fn find(table: &[(Language, &[&str])], name: &str) -> Option<Language> {
    table.iter().find(|(_, names)| names.contains(&name)).map(|(language, _)| *language)
}

/// Returns the language of the program in a `#!` line; `python3.12` is `python`.
fn of_program(text: &str) -> Option<Language> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    line.split([' ', '\t', '/']).find_map(|word| {
        find(PROGRAMS, word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_language() {
        for (path, text, language) in [
            ("src/main.rs", "", L::Rust),
            ("A/B.PY", "", L::Python),
            ("a\\b\\x.cs", "", L::CSharp),
            ("CMakeLists.txt", "", L::Small),
            (".gitignore", "", L::Settings),
            ("docker/Dockerfile", "", L::Settings),
            ("run", "#!/usr/bin/env python3.12\n", L::Python),
            ("run", "#!/bin/sh -e\n", L::Shell),
            ("run", "plain", L::Prose),
            ("x.unknown", "#!/bin/sh", L::Shell),
            ("notes.txt", "", L::Prose),
            ("", "", L::Prose),
            ("README.md", "", L::Prose),
            ("page.html", "", L::Prose),
            ("App.vue", "", L::Html),
        ] {
            assert_eq!(Language::of(path, text), language, "{path}");
        }
    }

    #[test]
    fn no_extension_is_listed_twice() {
        let mut all: Vec<&str> = EXTENSIONS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        all.sort_unstable();
        let twice: Vec<_> = all.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}

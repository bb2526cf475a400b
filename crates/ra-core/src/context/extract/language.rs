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
    /// JSON, TOML, YAML and the like, and small languages.
    Settings,
    /// Also Ada and VHDL.
    Sql,
    Swift,
    /// Documents, and anything unknown.
    Prose,
}

use Language as L;

const EXTENSIONS: &[(Language, &[&str])] = &[
    (L::C, &["c", "h"]),
    (L::CSharp, &["cs", "csx", "csharp", "c#"]),
    (L::Lisp, &["clj", "cljs", "cljc", "edn", "clojure"]),
    (L::Cpp, &["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "inl", "cu", "cuh", "ino"]),
    (L::Css, &["css", "scss", "sass", "less"]),
    (L::Sql, &["adb", "ads", "vhd", "vhdl", "applescript"]),
    (L::Elixir, &["ex", "exs", "elixir"]),
    (L::Go, &["go", "golang"]),
    (
        L::Settings,
        &["r", "jl", "julia", "nim", "cmake", "mk", "makefile", "dockerfile", "awk", "sed", "tcl", "gd"],
    ),
    (
        L::Settings,
        &["conf", "cfg", "ini", "properties", "env", "editorconfig", "gitignore", "dockerignore", "pp"],
    ),
    (
        L::Settings,
        &["graphql", "gql", "cr", "coffee", "bzl", "star", "just", "feature", "nginx", "service", "rego"],
    ),
    (L::Settings, &["tf", "tfvars", "hcl", "terraform", "nix", "jsonnet", "libsonnet", "thrift"]),
    (L::Haskell, &["hs", "lhs", "haskell", "elm", "purs"]),
    (
        L::Html,
        &["html", "htm", "xhtml", "xml", "svg", "vue", "svelte", "astro", "xsd", "xsl", "plist", "csproj"],
    ),
    (L::Html, &["erb", "hbs", "handlebars", "mustache", "jsp", "ejs", "twig", "xaml", "rss", "atom"]),
    (L::Java, &["java"]),
    (L::JavaScript, &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "javascript", "typescript"]),
    (L::Settings, &["json", "jsonc", "json5", "jsonl", "ndjson", "ipynb", "webmanifest", "geojson"]),
    (L::Kotlin, &["kt", "kts", "kotlin"]),
    (L::Lisp, &["lisp", "lsp", "cl", "el", "scm", "ss", "rkt", "scheme", "racket", "asm", "s", "fnl", "hy"]),
    (L::Lua, &["lua", "luau"]),
    (L::OCaml, &["ml", "mli", "ocaml", "fs", "fsi", "fsx", "fsharp", "sml"]),
    (L::Percent, &["tex", "sty", "cls", "bib", "latex", "erl", "hrl", "erlang", "pro"]),
    (L::Perl, &["pl", "pm", "t", "perl", "raku"]),
    (L::Php, &["php", "phtml", "php5", "phps"]),
    (L::Shell, &["ps1", "psm1", "psd1", "powershell", "pwsh"]),
    (L::Python, &["py", "pyi", "pyw", "pyx", "python", "bazel", "starlark"]),
    (L::Ruby, &["rb", "rake", "gemspec", "ru", "ruby", "podspec"]),
    (L::Rust, &["rs", "rust"]),
    (L::Scala, &["scala", "sc", "sbt"]),
    (L::Shell, &["sh", "bash", "zsh", "ksh", "fish", "shell", "console", "bats", "envrc", "bashrc", "zshrc"]),
    (L::Cpp, &["dart", "zig", "proto", "groovy", "gradle", "m", "mm", "d", "v", "sv", "sol", "glsl", "hlsl"]),
    (L::Cpp, &["wgsl", "metal", "vala", "hx", "as", "qml", "rules", "cue", "prisma", "odin", "move", "wit"]),
    (L::Sql, &["sql", "psql", "mysql", "ddl", "pgsql", "plsql"]),
    (L::Swift, &["swift"]),
    (L::Settings, &["toml", "lock"]),
    (L::Settings, &["yaml", "yml"]),
];

/// Files whose name is more specific than their extension.
const NAMES: &[(Language, &[&str])] = &[
    (L::Settings, &["makefile", "gnumakefile", "dockerfile", "containerfile", "cmakelists.txt", "justfile"]),
    (L::Settings, &["codeowners", ".gitconfig", ".gitattributes", "procfile", "requirements.txt"]),
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
        matches!(self, L::Css | L::Html | L::Lisp | L::Settings | L::Shell)
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
            ("CMakeLists.txt", "", L::Settings),
            (".gitignore", "", L::Settings),
            ("docker/Dockerfile", "", L::Settings),
            ("run", "#!/usr/bin/env python3.12\n", L::Python),
            ("run", "#!/bin/sh -e\n", L::Shell),
            ("run", "plain", L::Prose),
            ("x.unknown", "#!/bin/sh", L::Shell),
            ("notes.txt", "", L::Prose),
            ("", "", L::Prose),
            ("README.md", "", L::Prose),
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

//! The reserved words of languages, with the names of their basic types. They only identify the language of a file,
//! which its extension already does.

use super::Language;

/// Names that are in nearly every program. The list is short on purpose: the index knows which words are common in
/// documentation, and those weigh little anyway.
pub(super) const NOISE: [&str; 9] =
    ["self", "this", "super", "args", "argv", "argc", "kwargs", "main", "init"];

/// Words that mark a comment as a reminder. In lower case they may be ordinary words.
pub(super) const MARKERS: [&str; 4] = ["TODO", "FIXME", "XXX", "HACK"];

/// Returns the keywords of a language.
pub(super) fn of(language: Language) -> &'static [&'static str] {
    match language {
        Language::C => C,
        Language::CSharp => CSHARP,
        Language::Cpp => CPP,
        Language::Elixir => ELIXIR,
        Language::Go => GO,
        Language::Haskell => HASKELL,
        Language::Java => JAVA,
        Language::JavaScript | Language::Html => JAVASCRIPT,
        Language::Kotlin => KOTLIN,
        Language::Lisp => LISP,
        Language::Lua => LUA,
        Language::OCaml => OCAML,
        Language::Perl => PERL,
        Language::Php => PHP,
        Language::Python => PYTHON,
        Language::Ruby => RUBY,
        Language::Rust => RUST,
        Language::Scala => SCALA,
        Language::Settings | Language::Small => VALUES,
        Language::Shell => SHELL,
        Language::Sql => SQL,
        Language::Swift => SWIFT,
        Language::Css | Language::Percent | Language::Prose => &[],
    }
}

const VALUES: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "True", "False", "None"];

#[rustfmt::skip]
const RUST: &[&str] = &[
    "as", "async", "await", "bool", "box", "break", "char", "const", "continue", "crate", "dyn", "else", "enum",
    "extern", "f32", "f64", "false", "fn", "for", "i128", "i16", "i32", "i64", "i8", "if", "impl", "in", "isize",
    "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "Self", "static", "str", "struct", "trait",
    "true", "type", "u128", "u16", "u32", "u64", "u8", "union", "unsafe", "use", "usize", "where", "while", "yield",
    "Some", "None", "Ok", "Err", "Option", "Result", "String", "Vec", "derive", "cfg",
];

#[rustfmt::skip]
const PYTHON: &[&str] = &[
    "and", "as", "assert", "async", "await", "bool", "break", "bytes", "case", "class", "cls", "continue", "def",
    "del", "dict", "elif", "else", "except", "False", "finally", "float", "for", "from", "global", "if", "import",
    "in", "int", "is", "lambda", "len", "list", "match", "None", "nonlocal", "not", "object", "or", "pass", "print",
    "raise", "range", "return", "set", "str", "True", "try", "tuple", "while", "with", "yield",
];

#[rustfmt::skip]
const JAVASCRIPT: &[&str] = &[
    "abstract", "any", "as", "async", "await", "boolean", "break", "case", "catch", "class", "const", "continue",
    "debugger", "declare", "default", "delete", "do", "else", "enum", "export", "extends", "false", "finally", "for",
    "from", "function", "get", "if", "implements", "import", "in", "infer", "instanceof", "interface", "is", "keyof",
    "let", "namespace", "never", "new", "null", "number", "of", "private", "protected", "public", "readonly",
    "require", "return", "satisfies", "set", "static", "string", "switch", "symbol", "throw", "true", "try", "type",
    "typeof", "undefined", "unknown", "var", "void", "while", "with", "yield",
];

#[rustfmt::skip]
const GO: &[&str] = &[
    "any", "append", "bool", "break", "byte", "cap", "case", "chan", "const", "continue", "default", "defer", "else",
    "error", "fallthrough", "false", "float32", "float64", "for", "func", "go", "goto", "if", "import", "int",
    "int16", "int32", "int64", "int8", "interface", "iota", "len", "make", "map", "new", "nil", "package", "panic",
    "range", "return", "rune", "select", "string", "struct", "switch", "true", "type", "uint", "uint16", "uint32",
    "uint64", "uint8", "uintptr", "var", "err",
];

#[rustfmt::skip]
const JAVA: &[&str] = &[
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue",
    "default", "do", "double", "else", "enum", "extends", "false", "final", "finally", "float", "for", "goto", "if",
    "implements", "import", "instanceof", "int", "interface", "long", "native", "new", "null", "package", "permits",
    "private", "protected", "public", "record", "return", "sealed", "short", "static", "strictfp", "String", "switch",
    "synchronized", "throw", "throws", "transient", "true", "try", "var", "void", "volatile", "while", "yield",
    "Override",
];

#[rustfmt::skip]
const KOTLIN: &[&str] = &[
    "abstract", "actual", "annotation", "as", "Boolean", "break", "by", "catch", "class", "companion", "const",
    "constructor", "continue", "crossinline", "data", "do", "else", "enum", "expect", "external", "false", "final",
    "finally", "for", "fun", "if", "import", "in", "infix", "inline", "inner", "Int", "interface", "internal", "is",
    "it", "lateinit", "Long", "noinline", "null", "object", "open", "operator", "out", "override", "package",
    "private", "protected", "public", "reified", "return", "sealed", "String", "suspend", "tailrec", "throw", "true",
    "try", "typealias", "typeof", "Unit", "val", "value", "var", "vararg", "when", "where", "while",
];

#[rustfmt::skip]
const C: &[&str] = &[
    "auto", "bool", "break", "case", "char", "const", "continue", "default", "define", "do", "double", "elif", "else",
    "endif", "enum", "extern", "false", "float", "for", "goto", "if", "ifdef", "ifndef", "include", "inline", "int",
    "int16_t", "int32_t", "int64_t", "int8_t", "long", "NULL", "nullptr", "pragma", "register", "restrict", "return",
    "short", "signed", "size_t", "sizeof", "ssize_t", "static", "struct", "switch", "true", "typedef", "uint16_t",
    "uint32_t", "uint64_t", "uint8_t", "undef", "union", "unsigned", "void", "volatile", "while",
];

#[rustfmt::skip]
const CPP: &[&str] = &[
    "alignas", "alignof", "and", "auto", "bool", "break", "case", "catch", "char", "class", "co_await", "co_return",
    "co_yield", "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype",
    "default", "define", "delete", "do", "double", "dynamic_cast", "elif", "else", "endif", "enum", "explicit",
    "export", "extern", "false", "final", "float", "for", "friend", "goto", "if", "ifdef", "ifndef", "import",
    "include", "inline", "int", "int16_t", "int32_t", "int64_t", "int8_t", "long", "mutable", "namespace", "new",
    "noexcept", "not", "NULL", "nullptr", "operator", "or", "override", "pragma", "private", "protected", "public",
    "register", "reinterpret_cast", "requires", "return", "short", "signed", "size_t", "sizeof", "static",
    "static_assert", "static_cast", "std", "struct", "switch", "template", "throw", "true", "try", "typedef",
    "typeid", "typename", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "undef", "union", "unsigned", "using",
    "virtual", "void", "volatile", "while",
];

#[rustfmt::skip]
const CSHARP: &[&str] = &[
    "abstract", "as", "async", "await", "base", "bool", "break", "byte", "case", "catch", "char", "checked", "class",
    "const", "continue", "decimal", "default", "delegate", "do", "double", "dynamic", "else", "enum", "event",
    "explicit", "extern", "false", "finally", "fixed", "float", "for", "foreach", "get", "global", "goto", "if",
    "implicit", "in", "init", "int", "interface", "internal", "is", "lock", "long", "nameof", "namespace", "new",
    "not", "null", "object", "operator", "out", "override", "params", "partial", "private", "protected", "public",
    "readonly", "record", "ref", "required", "return", "sbyte", "sealed", "set", "short", "sizeof", "stackalloc",
    "static", "string", "struct", "switch", "throw", "true", "try", "typeof", "uint", "ulong", "unchecked", "unsafe",
    "ushort", "using", "value", "var", "virtual", "void", "volatile", "when", "where", "while", "with", "yield",
];

#[rustfmt::skip]
const RUBY: &[&str] = &[
    "alias", "and", "attr_accessor", "attr_reader", "attr_writer", "begin", "break", "case", "class", "def",
    "defined", "do", "each", "else", "elsif", "end", "ensure", "extend", "false", "for", "if", "in", "include",
    "initialize", "lambda", "loop", "module", "new", "next", "nil", "not", "or", "private", "proc", "protected",
    "public", "puts", "raise", "redo", "require", "require_relative", "rescue", "retry", "return", "then", "true",
    "undef", "unless", "until", "when", "while", "yield",
];

/// In lower case, because PHP ignores case.
#[rustfmt::skip]
const PHP: &[&str] = &[
    "abstract", "and", "array", "as", "bool", "break", "callable", "case", "catch", "class", "clone", "const",
    "continue", "declare", "default", "die", "do", "echo", "else", "elseif", "empty", "endfor", "endforeach", "endif",
    "endswitch", "endwhile", "enum", "exit", "extends", "false", "final", "finally", "float", "fn", "for", "foreach",
    "function", "global", "goto", "if", "implements", "include", "include_once", "instanceof", "insteadof", "int",
    "interface", "isset", "list", "match", "mixed", "namespace", "new", "null", "or", "php", "print", "private",
    "protected", "public", "readonly", "require", "require_once", "return", "static", "string", "switch", "throw",
    "trait", "true", "try", "unset", "use", "var", "void", "while", "xor", "yield",
];

#[rustfmt::skip]
const SWIFT: &[&str] = &[
    "actor", "any", "as", "associatedtype", "async", "await", "Bool", "break", "case", "catch", "class", "continue",
    "convenience", "default", "defer", "deinit", "didSet", "do", "Double", "else", "enum", "extension", "fallthrough",
    "false", "fileprivate", "final", "for", "func", "get", "guard", "if", "import", "in", "indirect", "inout", "Int",
    "internal", "is", "lazy", "let", "mutating", "nil", "nonisolated", "open", "operator", "override", "private",
    "protocol", "public", "repeat", "required", "rethrows", "return", "Self", "set", "some", "static", "String",
    "struct", "subscript", "switch", "throw", "throws", "true", "try", "typealias", "unowned", "var", "weak", "where",
    "while", "willSet",
];

#[rustfmt::skip]
const SHELL: &[&str] = &[
    "begin", "bin", "break", "case", "cd", "continue", "declare", "dev", "do", "done", "echo", "elif", "else", "end",
    "esac", "eval", "exec", "exit", "export", "false", "fi", "for", "foreach", "function", "if", "in", "local", "null",
    "param", "printf", "read", "readonly", "return", "select", "set", "shift", "source", "switch", "test", "then",
    "trap", "true", "try", "unset", "until", "usr", "while", "bash", "env", "sh",
];

/// In lower case, because SQL ignores case.
#[rustfmt::skip]
const SQL: &[&str] = &[
    "add", "all", "alter", "and", "any", "as", "asc", "begin", "between", "bigint", "boolean", "by", "cascade", "case",
    "cast", "char", "check", "column", "commit", "constraint", "create", "cross", "current_timestamp", "database",
    "date", "default", "delete", "desc", "distinct", "drop", "else", "end", "except", "exists", "false", "foreign",
    "from", "full", "function", "grant", "group", "having", "if", "in", "index", "inner", "insert", "int", "integer",
    "intersect", "into", "is", "join", "key", "language", "left", "like", "limit", "not", "null", "numeric", "offset",
    "on", "or", "order", "outer", "over", "primary", "references", "replace", "return", "returning", "returns",
    "right", "rollback", "schema", "select", "serial", "set", "table", "text", "then", "timestamp", "trigger", "true",
    "truncate", "union", "unique", "update", "using", "uuid", "values", "varchar", "view", "when", "where", "with",
];

#[rustfmt::skip]
const HASKELL: &[&str] = &[
    "as", "Bool", "case", "class", "data", "default", "deriving", "do", "Double", "Either", "else", "exposing", "False",
    "family", "forall", "foreign", "hiding", "if", "import", "in", "infix", "infixl", "infixr", "instance", "Int",
    "Integer", "IO", "Just", "LANGUAGE", "Left", "let", "Maybe", "mdo", "module", "newtype", "Nothing", "of", "otherwise",
    "qualified", "return", "Right", "String", "Text", "then", "True", "type", "where",
];

#[rustfmt::skip]
const OCAML: &[&str] = &[
    "and", "as", "assert", "begin", "bool", "class", "constraint", "do", "done", "downto", "else", "end", "exception",
    "external", "false", "float", "for", "fun", "function", "functor", "if", "in", "include", "inherit",
    "initializer", "int", "lazy", "let", "list", "match", "member", "method", "module", "mutable", "namespace", "new",
    "None", "nonrec", "object", "of", "open", "option", "or", "private", "rec", "sig", "Some", "string", "struct",
    "then", "to", "true", "try", "type", "unit", "val", "virtual", "when", "while", "with", "yield",
];

#[rustfmt::skip]
const ELIXIR: &[&str] = &[
    "after", "alias", "and", "case", "catch", "cond", "def", "defdelegate", "defexception", "defguard", "defimpl",
    "defmacro", "defmodule", "defp", "defprotocol", "defstruct", "do", "doc", "else", "end", "false", "fn", "for", "if",
    "import", "in", "moduledoc", "nil", "not", "ok", "or", "quote", "raise", "receive", "require", "rescue", "spec",
    "then", "throw", "true", "try", "unless", "unquote", "use", "when", "with",
];

#[rustfmt::skip]
const LISP: &[&str] = &[
    "and", "apply", "as", "assoc", "begin", "case", "catch", "cond", "declare", "def", "defmacro", "defmethod",
    "defmulti", "defn", "defonce", "defprotocol", "defrecord", "deftype", "defun", "defvar", "define", "display", "do",
    "doseq", "else", "false", "finally", "fn", "for", "if", "import", "keys", "lambda", "let", "loop", "map", "nil",
    "not", "ns", "or", "progn", "quote", "recur", "refer", "require", "setq", "str", "throw", "true", "try", "use",
    "when",
];

#[rustfmt::skip]
const SCALA: &[&str] = &[
    "abstract", "Any", "as", "Boolean", "case", "catch", "class", "def", "derives", "do", "else", "end", "enum",
    "export", "extends", "extension", "false", "final", "finally", "for", "forSome", "given", "if", "implicit",
    "import", "inline", "Int", "lazy", "match", "new", "None", "null", "object", "opaque", "open", "Option",
    "override", "package", "private", "protected", "return", "sealed", "Some", "String", "then", "throw", "trait",
    "true", "try", "type", "Unit", "using", "val", "var", "while", "with", "yield",
];

#[rustfmt::skip]
const LUA: &[&str] = &[
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "ipairs", "local",
    "nil", "not", "or", "pairs", "print", "repeat", "require", "return", "then", "true", "until", "while",
];

#[rustfmt::skip]
const PERL: &[&str] = &[
    "bless", "die", "do", "else", "elsif", "for", "foreach", "if", "last", "local", "my", "next", "our", "package",
    "print", "qw", "require", "return", "shift", "strict", "sub", "undef", "unless", "until", "use", "warnings",
    "while",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_keyword_is_listed_twice() {
        for list in [
            RUST, PYTHON, JAVASCRIPT, GO, JAVA, KOTLIN, C, CPP, CSHARP, RUBY, PHP, SWIFT, SHELL, SQL,
            HASKELL, OCAML, ELIXIR, LISP, SCALA, LUA, PERL,
        ] {
            let mut sorted = list.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), list.len(), "{:?}", list.first());
        }
    }

    #[test]
    fn languages_without_case_have_small_keywords() {
        for list in [SQL, PHP] {
            assert!(list.iter().all(|word| word.chars().all(|c| !c.is_uppercase())));
        }
    }
}

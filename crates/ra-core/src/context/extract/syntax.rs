//! The comment and string syntax of the languages, as tables. The first matching rule wins, so longer openers come
//! before shorter ones.

use super::RegionKind;

/// How to find the comments and strings of a language.
#[derive(Debug)]
pub(super) struct CommentSyntax {
    pub(super) rules: &'static [Rule],
    /// The opener of a here document, whose text follows on the next lines.
    pub(super) heredoc: Option<&'static str>,
}

/// One kind of comment or string.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) open: &'static str,
    pub(super) guard: Guard,
    pub(super) body: Body,
    pub(super) kind: RegionKind,
}

/// A condition on the context of the opener.
#[derive(Clone, Copy, Debug)]
pub(super) enum Guard {
    None,
    /// It is at the start of a line.
    LineStart,
    /// It follows white space, as `#` must in a shell.
    WordStart,
    /// It doesn't follow a letter: the apostrophe in `don't` opens no string.
    NotInWord,
    /// It is a statement of its own, like a docstring.
    Statement,
    /// It is the value of `@doc`, `@moduledoc` or the like.
    DocAttribute,
    /// No operator character follows: `-->` isn't a comment in Haskell.
    NotOperator,
}

/// Where it ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body {
    /// At the end of the line.
    Line,
    /// At the closer. Nested comments begin with the second text.
    Block(&'static str, Option<&'static str>),
    /// At the closer on the same line; a backslash escapes the next character.
    Short(&'static str),
    /// At the closer on any line; a backslash escapes the next character.
    Long(&'static str),
    /// At the closer on any line; a backslash is an ordinary character.
    Raw(&'static str),
    /// After one character between quotes, if it is one: `'a` may also be a lifetime or a type.
    Character,
    /// After a quote and as many `#` as the Rust raw string began with.
    RustRaw,
    /// After the delimiter that the C++ raw string began with.
    CppRaw,
    /// After the next character.
    Escape,
    /// After the opener.
    Opener,
}

use Body::{Block, Character, CppRaw, Escape, Line, Long, Opener, Raw, RustRaw, Short};
use RegionKind::{Code, Comment, DocComment, StringLiteral as Text};

const fn rule(open: &'static str, body: Body, kind: RegionKind) -> Rule {
    Rule { open, guard: Guard::None, body, kind }
}

const fn when(guard: Guard, open: &'static str, body: Body, kind: RegionKind) -> Rule {
    Rule { open, guard, body, kind }
}

const fn syntax(rules: &'static [Rule]) -> CommentSyntax {
    CommentSyntax { rules, heredoc: None }
}

const LINE_DOC: Rule = rule("///", Line, DocComment);
const INNER_DOC: Rule = rule("//!", Line, DocComment);
const LINE: Rule = rule("//", Line, Comment);
const EMPTY_BLOCK: Rule = rule("/**/", Opener, Comment);
const BLOCK_DOC: Rule = rule("/**", Block("*/", None), DocComment);
const INNER_BLOCK_DOC: Rule = rule("/*!", Block("*/", None), DocComment);
const BLOCK: Rule = rule("/*", Block("*/", None), Comment);
const HASH_LINE: Rule = rule("#", Line, Comment);
const HASH_WORD: Rule = when(Guard::WordStart, "#", Line, Comment);
const DOUBLE: Rule = rule("\"", Short("\""), Text);
const SINGLE: Rule = rule("'", Short("'"), Text);
const LONG_DOUBLE: Rule = rule("\"", Long("\""), Text);
const LONG_SINGLE: Rule = rule("'", Long("'"), Text);
const TRIPLE: Rule = rule("\"\"\"", Long("\"\"\""), Text);
const BACKTICK: Rule = rule("`", Long("`"), Text);
const CHARACTER: Rule = rule("'", Character, Code);
const ESCAPE: Rule = rule("\\", Escape, Code);

/// No comments and no strings.
pub(super) static NONE: CommentSyntax = syntax(&[]);

pub(super) static SLASHES: CommentSyntax = syntax(&[
    LINE_DOC,
    INNER_DOC,
    LINE,
    EMPTY_BLOCK,
    BLOCK_DOC,
    INNER_BLOCK_DOC,
    BLOCK,
    TRIPLE,
    DOUBLE,
    SINGLE,
]);

pub(super) static C: CommentSyntax = syntax(&[
    LINE_DOC,
    INNER_DOC,
    LINE,
    EMPTY_BLOCK,
    BLOCK_DOC,
    INNER_BLOCK_DOC,
    BLOCK,
    rule("R\"", CppRaw, Text),
    DOUBLE,
    CHARACTER,
]);

/// Also for Kotlin, Scala and Swift.
pub(super) static JAVA: CommentSyntax =
    syntax(&[LINE_DOC, LINE, EMPTY_BLOCK, BLOCK_DOC, BLOCK, TRIPLE, DOUBLE, CHARACTER]);

pub(super) static CSHARP: CommentSyntax = syntax(&[
    LINE_DOC,
    LINE,
    EMPTY_BLOCK,
    BLOCK_DOC,
    BLOCK,
    rule("\"\"\"", Raw("\"\"\""), Text),
    rule("@\"", Raw("\""), Text),
    DOUBLE,
    CHARACTER,
]);

pub(super) static GO: CommentSyntax =
    syntax(&[LINE, EMPTY_BLOCK, BLOCK_DOC, BLOCK, DOUBLE, rule("`", Raw("`"), Text), CHARACTER]);

pub(super) static JAVASCRIPT: CommentSyntax =
    syntax(&[LINE_DOC, LINE, EMPTY_BLOCK, BLOCK_DOC, BLOCK, DOUBLE, SINGLE, BACKTICK]);

pub(super) static RUST: CommentSyntax = syntax(&[
    LINE_DOC,
    INNER_DOC,
    LINE,
    EMPTY_BLOCK,
    rule("/**", Block("*/", Some("/*")), DocComment),
    rule("/*!", Block("*/", Some("/*")), DocComment),
    rule("/*", Block("*/", Some("/*")), Comment),
    rule("r", RustRaw, Text),
    LONG_DOUBLE,
    CHARACTER,
]);

pub(super) static PYTHON: CommentSyntax = syntax(&[
    HASH_LINE,
    when(Guard::Statement, "\"\"\"", Long("\"\"\""), DocComment),
    when(Guard::Statement, "'''", Long("'''"), DocComment),
    TRIPLE,
    rule("'''", Long("'''"), Text),
    DOUBLE,
    SINGLE,
]);

pub(super) static ELIXIR: CommentSyntax = syntax(&[
    HASH_LINE,
    when(Guard::DocAttribute, "\"\"\"", Long("\"\"\""), DocComment),
    when(Guard::DocAttribute, "\"", Long("\""), DocComment),
    TRIPLE,
    LONG_DOUBLE,
    when(Guard::NotInWord, "'", Long("'"), Text),
    rule("?\\", Escape, Code),
]);

pub(super) static RUBY: CommentSyntax = CommentSyntax {
    rules: &[
        HASH_LINE,
        when(Guard::LineStart, "=begin", Block("\n=end", None), DocComment),
        LONG_DOUBLE,
        LONG_SINGLE,
        BACKTICK,
        ESCAPE,
    ],
    heredoc: Some("<<"),
};

pub(super) static PERL: CommentSyntax = CommentSyntax {
    rules: &[
        HASH_WORD,
        when(Guard::LineStart, "=pod", Block("\n=cut", None), DocComment),
        when(Guard::LineStart, "=head", Block("\n=cut", None), DocComment),
        when(Guard::LineStart, "=encoding", Block("\n=cut", None), DocComment),
        LONG_DOUBLE,
        when(Guard::NotInWord, "'", Long("'"), Text),
        ESCAPE,
    ],
    heredoc: Some("<<"),
};

pub(super) static SHELL: CommentSyntax = CommentSyntax {
    rules: &[HASH_WORD, ESCAPE, LONG_DOUBLE, rule("'", Raw("'"), Text)],
    heredoc: Some("<<"),
};

pub(super) static PHP: CommentSyntax = CommentSyntax {
    rules: &[LINE, HASH_WORD, EMPTY_BLOCK, BLOCK_DOC, BLOCK, LONG_DOUBLE, LONG_SINGLE],
    heredoc: Some("<<<"),
};

pub(super) static POWERSHELL: CommentSyntax = syntax(&[
    rule("<#", Block("#>", None), DocComment),
    HASH_WORD,
    rule("@\"", Raw("\n\"@"), Text),
    rule("@'", Raw("\n'@"), Text),
    rule("\"", Raw("\""), Text),
    rule("'", Raw("'"), Text),
]);

/// Settings, YAML and the like, where a quote inside a word is an apostrophe.
pub(super) static HASH: CommentSyntax = syntax(&[
    HASH_WORD,
    when(Guard::LineStart, ";", Line, Comment),
    when(Guard::NotInWord, "\"\"\"", Long("\"\"\""), Text),
    when(Guard::NotInWord, "'''", Raw("'''"), Text),
    when(Guard::NotInWord, "\"", Short("\""), Text),
    when(Guard::NotInWord, "'", Short("'"), Text),
]);

pub(super) static HASH_SLASHES: CommentSyntax = syntax(&[
    HASH_WORD,
    LINE,
    EMPTY_BLOCK,
    BLOCK_DOC,
    BLOCK,
    rule("''", Raw("''"), Text),
    DOUBLE,
    when(Guard::NotInWord, "'", Short("'"), Text),
]);

/// A doubled quote inside a string needs no rule: it looks like two adjacent strings. Names in double quotes are code.
pub(super) static SQL: CommentSyntax = syntax(&[rule("--", Line, Comment), BLOCK, rule("'", Raw("'"), Text)]);

pub(super) static LUA: CommentSyntax = syntax(&[
    rule("--[[", Block("]]", None), Comment),
    rule("--[=[", Block("]=]", None), Comment),
    rule("---", Line, DocComment),
    rule("--", Line, Comment),
    rule("[[", Raw("]]"), Text),
    rule("[=[", Raw("]=]"), Text),
    DOUBLE,
    SINGLE,
]);

pub(super) static HASKELL: CommentSyntax = syntax(&[
    rule("-- |", Line, DocComment),
    rule("-- ^", Line, DocComment),
    when(Guard::NotOperator, "--", Line, Comment),
    rule("{-#", Block("#-}", None), Code),
    rule("{-|", Block("-}", Some("{-")), DocComment),
    rule("{- |", Block("-}", Some("{-")), DocComment),
    rule("{-", Block("-}", Some("{-")), Comment),
    TRIPLE,
    DOUBLE,
    CHARACTER,
]);

/// Also for F#, which has `//` as well.
pub(super) static OCAML: CommentSyntax = syntax(&[
    rule("(*)", Opener, Code),
    rule("(**)", Opener, Comment),
    rule("(**", Block("*)", Some("(*")), DocComment),
    rule("(*", Block("*)", Some("(*")), Comment),
    LINE_DOC,
    LINE,
    rule("{|", Raw("|}"), Text),
    LONG_DOUBLE,
    CHARACTER,
]);

pub(super) static LISP: CommentSyntax = syntax(&[
    ESCAPE,
    rule(";;;", Line, DocComment),
    rule(";", Line, Comment),
    rule("#|", Block("|#", Some("#|")), Comment),
    LONG_DOUBLE,
]);

pub(super) static PERCENT: CommentSyntax =
    syntax(&[ESCAPE, rule("%%", Line, DocComment), rule("%", Line, Comment)]);

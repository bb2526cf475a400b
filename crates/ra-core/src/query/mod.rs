//! The query language: parses text into an [`Expr`] and diagnostics.
//!
//! - [`ast`]: the meaning of a query; `Display` prints the canonical form, which parses to the same expression
//! - `limits`: limits on the length and complexity of a query
//! - `chars`: the special characters, for the lexer and for `Display`
//! - `lexer`: text → tokens; everything that depends on adjacent characters
//! - `near_miss`: words that look like a field or a wildcard
//! - `parser`: tokens → [`Expr`]; everything that depends on how terms combine
//! - `property`: conditions on the front matter
//! - `property_group`: alternatives for one of its keys
//! - `prose`: whether a query is a question in plain words
//! - `reference.md`: the language as its users see it
//!
//! Every text can be parsed. If the result may be surprising, a [`Diagnostic`] says so.

pub mod ast;
mod chars;
mod lexer;
mod limits;
mod near_miss;
mod parser;
mod property;
mod property_group;
mod prose;

use crate::text::Span;

pub use ast::{Expr, Field};
pub use limits::{MAX_BYTES, MAX_RAW_BYTES, MAX_TERMS, check_raw, check_terms};
pub use property::{NotAPropertyFilter, Operator, PropertyFilter};
pub use prose::is_prose;

/// The reference of the query language, used as help text and as a page of the documentation.
pub const REFERENCE: &str = include_str!("reference.md");

/// A query with more words was copied from some text, not typed.
pub const MAX_TYPED_QUERY_WORDS: usize = 24;

/// The maximum number of diagnostics; more would only hide the first ones.
const MAX_DIAGNOSTICS: usize = 8;

/// A parsed query.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed {
    /// The query, in the normal form that [`Expr`] describes.
    pub query: Expr,
    /// Surprising interpretations, in the order of the text; at most eight.
    pub diagnostics: Vec<Diagnostic>,
}

/// A part of a query whose interpretation may not be the intended one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The bytes of the query that this is about.
    pub span: Span,
    /// The problem, and how the text was interpreted.
    pub message: String,
    /// The text to write instead.
    pub hint: String,
    /// The key of the front matter that the text may name. If there is one, nothing is wrong.
    pub property: Option<String>,
}

/// Why a text isn't a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// There is no word to search for.
    #[error("the query is empty")]
    Empty,
    /// Every part excludes something.
    #[error("the query only excludes: it says what must not match, but not what should")]
    OnlyNegation,
    /// The text is longer than a query may be.
    #[error("the query has {bytes} bytes; at most {most} are read")]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The maximum length.
        most: usize,
    },
    /// The query has too many words, phrases and exclusions.
    #[error("the query has {0} words, phrases and exclusions; at most {MAX_TERMS} are searched for")]
    TooManyTerms(usize),
    /// The parentheses of a raw query are nested too deep.
    #[error("the raw query has {0} parentheses inside each other; at most {most} are read", most = limits::MAX_NESTING)]
    TooDeep(usize),
}

impl QueryError {
    /// Returns how to fix it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Empty => "give at least one word, for example `error handling`",
            Self::OnlyNegation => {
                "add a word to search for, or a filter: `rust -deprecated`, `tree:docs -draft`"
            }
            Self::TooLong { .. } => "search for a passage of it",
            Self::TooManyTerms(_) => "leave out what matters least, or ask in several queries",
            Self::TooDeep(_) => "leave out parentheses that change nothing",
        }
    }
}

/// Parses a query. Takes time linear in the length of `text`.
pub fn parse(text: &str) -> Result<Parsed, QueryError> {
    limits::check_length(text, MAX_BYTES)?;
    let mut diagnostics = Diagnostics::default();
    let tokens = property_group::expand(lexer::lex(text, &mut diagnostics), &mut diagnostics);
    let query = parser::parse(tokens, &mut diagnostics).ok_or(QueryError::Empty)?;
    if let Err(error) = check_terms(&query) {
        return limits::as_prose(text, &query).ok_or(error);
    }
    if query.only_excludes() {
        return Err(QueryError::OnlyNegation);
    }
    diagnostics.0.sort_by_key(|diagnostic| diagnostic.span);
    Ok(Parsed { query, diagnostics: diagnostics.0 })
}

/// True if a text is one plain word: no operator, phrase, field or group, and no diagnostics.
pub fn is_word(text: &str) -> bool {
    let is_it = |parsed: Parsed| parsed.query == Expr::Word(text.to_owned()) && parsed.diagnostics.is_empty();
    parse(text).is_ok_and(is_it)
}

/// True if a text is one condition that documents must meet: an exclusion, or a filter by tree, path, language or front
/// matter.
pub fn is_condition(text: &str) -> bool {
    let is_filter = |expr: &Expr| match expr {
        Expr::Property { .. } => true,
        Expr::Field { field, .. } => *field == Field::Path || field.is_filter(),
        _ => false,
    };
    match parse(text) {
        Ok(parsed) => is_filter(&parsed.query),
        Err(error) => error == QueryError::OnlyNegation && !text.trim().contains(char::is_whitespace),
    }
}

/// Collects diagnostics up to the limit.
#[derive(Default)]
struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    fn add(&mut self, span: Span, message: impl Into<String>, hint: impl Into<String>) {
        if self.0.len() < MAX_DIAGNOSTICS {
            self.0.push(Diagnostic { span, message: message.into(), hint: hint.into(), property: None });
        }
    }
}

/// Returns the words of a text without interpreting any character: pasted text isn't a query. `None` if it has no
/// words.
pub fn plain(text: &str) -> Option<Expr> {
    let mut words: Vec<&str> = Vec::new();
    for word in text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)) {
        if words.len() < MAX_TERMS && !words.contains(&word) {
            words.push(word);
        }
    }
    Expr::all(words.into_iter().map(|word| Expr::Word(word.to_owned())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_plain_word_has_no_operator() {
        for word in ["zebra", "error-handling", "snake_case", "v1.2.3", "std::fs", "don't", "или", "or"] {
            assert!(is_word(word), "{word}");
        }
        for other in [
            "",
            " ",
            "two words",
            "\"a\"",
            "-a",
            "a^2",
            "title:a",
            "tree:a",
            "(a)",
            "handl*",
            "OR",
            "AND",
            "NOT",
            "&&",
        ] {
            assert!(!is_word(other), "{other}");
        }
    }

    /// Returns the query if no front matter has any key.
    fn as_text(query: Expr) -> Expr {
        query.resolve_properties(&mut |_| Ok::<bool, ()>(false)).unwrap()
    }

    #[test]
    fn conditions_on_the_front_matter_are_text_only_if_no_document_has_the_key() {
        for (input, known, unknown) in [
            ("status:active", "status:active", "status\\:active"),
            ("Status:active b", "Status:active b", "Status\\:active b"),
            ("-draft:true x", "-draft:true x", "-draft\\:true x"),
            ("date>=2025-01-01 x", "date>=2025-01-01 x", "date\\>\\=2025\\-01\\-01 x"),
            ("author:\"Jane Doe\" x", "author:\"Jane Doe\" x", "author: \"Jane Doe\" x"),
            ("(author:\"Jane Doe\" OR b)", "author:\"Jane Doe\" OR b", "(author: \"Jane Doe\") OR b"),
            ("Vec<String>", "Vec<String>", "Vec<String>"),
            ("title:status:active", "title:status\\:active", "title:status\\:active"),
            ("status\\:active", "status\\:active", "status\\:active"),
        ] {
            let parsed = parse(input).unwrap();
            assert_eq!(parsed.query.to_string(), known, "{input}");
            assert_eq!(as_text(parsed.query).to_string(), unknown, "{input}");
        }
    }

    /// Input, canonical form, number of diagnostics.
    const READINGS: &[(&str, &str, usize)] = &[
        // The examples of the specification.
        ("rust", "rust", 0),
        ("error handling", "error handling", 0),
        ("\"error handling\"", "\"error handling\"", 0),
        ("\"error handling\" logging", "\"error handling\" logging", 0),
        ("rust -deprecated", "rust -deprecated", 0),
        ("rust OR golang", "rust OR golang", 0),
        ("\"error handling\" -legacy", "\"error handling\" -legacy", 0),
        ("title:guide", "title:guide", 0),
        ("title:guide rust", "title:guide rust", 0),
        ("tree:docs", "tree:docs", 0),
        ("path:api/", "path:api/", 0),
        ("a OR foo:b\\ c", "(a OR foo\\:b\\\\) c", 1),
        ("a linked:docs:b.md#c", "a linked:docs\\:b.md#c", 0),
        ("linked:(\"docs:b.md\" OR \"c d\")", "linked:(\"docs:b.md\" OR \"c d\")", 0),
        ("linked:(docs:b.md OR c.md#d:e)", "linked:(docs\\:b.md OR c.md#d:e)", 0),
        ("linked:(docs:b.md) docs:c", "linked:docs\\:b.md docs\\:c", 1),
        ("x status:(a OR \"b c\")", "x (status\\:a OR (status: \"b c\"))", 1),
        ("x -status:(a OR 2025-01-01)", "x -(status\\:a OR status\\:2025\\-01\\-01)", 1),
        ("status:(a b)", "status: a b", 1),
        ("status:(a OR (b c))", "status: (a OR (b c))", 1),
        ("tree:local authentication", "tree:local authentication", 0),
        ("(rust async) OR (go goroutine)", "(rust async) OR (go goroutine)", 0),
        (
            "(\"error handling\") OR (\"exception handling\")",
            "\"error handling\" OR \"exception handling\"",
            0,
        ),
        // Precedence and groups.
        ("a b OR c", "a (b OR c)", 0),
        ("a OR b c OR d", "(a OR b) (c OR d)", 0),
        ("(a b) OR c", "(a b) OR c", 0),
        ("a (b (c d))", "a b c d", 0),
        ("a OR (b OR c)", "a OR b OR c", 0),
        ("((a))", "a", 0),
        ("(a)(b)", "a b", 0),
        ("(a)OR(b)", "a OR b", 0),
        ("a (-b)", "a -b", 0),
        ("a (-b -c)", "a -b -c", 0),
        ("or and not", "or and not", 0),
        ("\"a b\", (c d).", "\"a b\" c d", 0),
        // Negation.
        ("a -\"b c\"", "a -\"b c\"", 0),
        ("a -(b c)", "a -(b c)", 0),
        ("a -(b OR c)", "a -(b OR c)", 0),
        ("a -tree:x", "a -tree:x", 0),
        ("a -.env", "a -.env", 0),
        ("a -OR", "a -\\OR", 0),
        ("--flag", "--flag", 0),
        ("a -> b", "a -> b", 0),
        ("x -= 1", "x -= 1", 0),
        ("a -b^2", "a -b^2", 0),
        // Fields.
        ("title:(a b)", "title:(a b)", 0),
        ("title:\"a b\"", "title:\"a b\"", 0),
        ("title:“a b”", "title:\"a b\"", 0),
        ("title:(a -b)", "title:(a -b)", 0),
        ("title:(a OR b) c", "title:(a OR b) c", 0),
        ("a title:(-b)", "a -title:b", 0),
        ("TITLE:a Tag:b", "title:a tags:b", 0),
        ("heading:a hierarchy:b text:c content:d file:e", "title:a title:b body:c body:d path:e", 0),
        ("tree:(a OR b)", "tree:(a OR b)", 0),
        ("path:/api path:C:\\x", "path:/api path:C:\\x", 0),
        ("title:OR", "title:\\OR", 0),
        ("body:--flag", "body:--flag", 0),
        // Boosts.
        ("x^2.5", "x^2.5", 0),
        ("\"a b\"^2 c", "\"a b\"^2 c", 0),
        ("(a b)^.5", "(a b)^0.5", 0),
        ("title:x^2", "title:x^2", 0),
        ("title:(x^2)", "title:(x^2)", 0),
        ("title:(a b)^1e1", "title:(a b)^10", 0),
        ("(x^2)^3", "(x^2)^3", 0),
        ("x^abc", "x^abc", 0),
        ("x^2a ^2 x^", "x^2a ^2 x^", 0),
        ("x^0", "x", 1),
        ("x^-1", "x", 1),
        ("x^1e99", "x", 1),
        ("x^inf", "x^inf", 0),
        ("\"a b\"^c", "\"a b\"", 1),
        ("(a b)^", "a b", 1),
        ("a (-b)^2", "a -b", 1),
        // Words with inner punctuation.
        ("error-handling snake_case v1.2.3", "error-handling snake_case v1.2.3", 0),
        ("std::fs a/b user@host C++", "std::fs a/b user@host C++", 0),
        ("http://x.y/z file:///x path::Path", "http://x.y/z file:///x path::Path", 0),
        ("foo(bar) foo() push(x).len()", "foo(bar) foo() push(x).len()", 0),
        ("(foo() bar)", "foo() bar", 0),
        ("foo(a b)", "foo a b", 0),
        ("f(g(x)) f((x)", "f(g(x)) f x", 1),
        ("println!(\"hi\") 12:30 C:\\x", "println!(\"hi\") 12:30 C:\\x", 0),
        ("5\" don\"t", "5\" don\"t", 0),
        ("a|b a&&b", "a|b a&&b", 0),
        // Escapes.
        ("\\\"a \\-b \\(c\\) title\\:d", "\\\"a \\-b \\(c\\) title\\:d", 0),
        ("\\OR \\AND \\NOT", "\\OR \\AND \\NOT", 0),
        ("x\\^2 \\+x", "x\\^2 \\+x", 0),
        ("\"a \\\"b\\\" c\\\\\"", "\"a \\\"b\\\" c\\\\\"", 0),
        ("\"C:\\dir\"", "\"C:\\dir\"", 0),
        ("dir\\", "dir\\\\", 0),
        ("a\\/b", "a/b", 0),
        // Odd input.
        ("say \"hello world", "say \"hello world\"", 1),
        ("“a b”", "\"a b\"", 0),
        ("\"a “b” c\"", "\"a “b” c\"", 0),
        ("(a b", "a b", 1),
        ("a b)", "a b", 1),
        ("a ()", "a", 1),
        ("a \"\"", "a", 1),
        ("a \"", "a", 1),
        ("a title:()", "a", 1),
        ("a OR ()", "a", 1),
        ("a - b", "a b", 1),
        ("a -", "a", 1),
        ("(a -)", "a", 1),
        ("author:smith", "author\\:smith", 1),
        ("titel:x", "titel\\:x", 1),
        ("titel:12 localhost:80", "titel\\:12 localhost\\:80", 1),
        ("author:\"A B\"", "author: \"A B\"", 1),
        ("author:(a b)", "author: a b", 1),
        ("author: x", "author: x", 0),
        ("title: x", "title\\: x", 1),
        ("x (title:)", "x title\\:", 1),
        ("a NOT b", "a -b", 1),
        ("a AND NOT (b c)", "a -(b c)", 2),
        ("a NOT", "a", 2),
        ("a AND b && c", "a b c", 2),
        ("a || b", "a OR b", 1),
        ("+a +\"b c\"", "a \"b c\"", 2),
        ("OR a", "a", 1),
        ("a OR", "a", 1),
        ("a OR OR b", "a OR b", 1),
        ("(OR a) b", "a b", 1),
        ("a OR -b", "a -b", 1),
        ("a OR -b OR c", "(a OR c) -b", 1),
        ("x OR (a OR -b)", "x OR (a -b)", 1),
        ("-(-a)", "a", 1),
        ("-(-a -b) c", "(a OR b) c", 1),
        ("-(-(-a)) b", "-a b", 1),
        ("title:(a body:b)", "title:a body:b", 1),
        ("title:(body:b)^2", "body:b^2", 1),
        ("title:((a OR body:b) -c)", "(title:a OR body:b) -title:c", 1),
        ("title:body:b", "body:b", 1),
        ("a title:-b", "a -title:b", 1),
    ];

    #[test]
    fn every_input_has_its_reading() {
        for &(input, canonical, count) in READINGS {
            let parsed = parse(input).unwrap();
            assert_eq!(as_text(parsed.query).to_string(), canonical, "{input}");
            assert_eq!(parsed.diagnostics.len(), count, "{input}: {:#?}", parsed.diagnostics);
            check(input);
        }
    }

    #[test]
    fn what_asks_for_nothing_is_an_error() {
        for input in
            ["", " \t\n", "()", "\"\"", "-", "OR", "AND", "NOT", "( OR )", "-()", "title:()", "\"  \"^2"]
        {
            assert_eq!(parse(input), Err(QueryError::Empty), "{input}");
        }
        for input in ["-a", "-a -b", "(-a) OR (-b)", "((-a) -b)", "NOT a", "title:(-a)", "-(a b)", "-(-(-a))"]
        {
            assert_eq!(parse(input), Err(QueryError::OnlyNegation), "{input}");
        }
    }

    #[test]
    fn diagnostics_say_where_and_what_to_write() {
        let report = |input: &str| {
            let parsed = parse(input).unwrap();
            let [diagnostic] = &parsed.diagnostics[..] else { panic!("{input}: {:#?}", parsed.diagnostics) };
            (diagnostic.span.of(input).to_owned(), diagnostic.hint.clone())
        };
        for (input, place, hint) in [
            ("a titel:b", "titel:b", "did you mean `title:`?"),
            ("a && b", "&&", "leave it out"),
            ("a frob*", "frob*", "write the whole word"),
            ("say \"hello", "\"hello", "closing quote"),
            ("a (b c", "(", "add `)`"),
            ("é x^0", "^0", "above zero"),
            ("a OR -b", "-", "outside of the `OR`"),
            ("x author:y", "author:y", "title, tags, path, body, tree"),
        ] {
            let (actual_place, actual_hint) = report(input);
            assert_eq!(actual_place, place, "{input}");
            assert!(actual_hint.contains(hint), "{input}: {actual_hint}");
        }
    }

    #[test]
    fn the_words_are_those_that_are_looked_for() {
        let parsed = parse("tree:x a -b title:(\"c d\" OR e)^2 path:f").unwrap();
        assert_eq!(parsed.query.words(), ["a", "c d", "e", "f"]);
    }

    #[test]
    fn several_queries_join() {
        let queries = ["a b", "c OR d"].map(|text| parse(text).unwrap().query);
        assert_eq!(Expr::any(queries).unwrap().to_string(), "(a b) OR c OR d");
    }

    #[test]
    fn deep_nesting_is_cut() {
        for open in ["(", "a(", "-(", "title:(", "a OR b (", "-title:", "((a"] {
            for close in ["", ")", "))^2"] {
                let input = format!("{} x {}", open.repeat(20_000), close.repeat(20_000));
                if let Ok(parsed) = parse(&input) {
                    assert!(parsed.diagnostics.len() <= MAX_DIAGNOSTICS);
                }
            }
        }
        for depth in [65, 100_000] {
            let input = format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
            let parsed = parse(&input).unwrap();
            assert_eq!((parsed.query, parsed.diagnostics.len()), (Expr::Word("a".into()), 1));
        }
    }

    #[test]
    fn a_query_beyond_the_limits_is_an_error() {
        let words = |count: usize, prefix: &str| {
            (0..count).map(|nr| format!("{prefix}w{nr}")).collect::<Vec<_>>().join(" ")
        };
        assert!(parse(&format!("a {}", words(MAX_TERMS - 1, "-"))).is_ok());
        for text in [
            format!("a {}", words(MAX_TERMS, "-")),
            words(MAX_TERMS + 1, "title:"),
            words(MAX_TERMS + 1, "OR "),
        ] {
            assert_eq!(parse(&text), Err(QueryError::TooManyTerms(MAX_TERMS + 1)), "{text}");
        }
        let text = "a".repeat(MAX_BYTES + 1);
        assert_eq!(parse(&text), Err(QueryError::TooLong { bytes: MAX_BYTES + 1, most: MAX_BYTES }));
    }

    #[test]
    fn long_prose_is_read_by_its_first_words() {
        let prose: String = (0..1300).map(|nr| format!("word{nr} ")).collect();
        let quoting = format!("He said \"so it is\" (or not). {prose}");
        let lines = format!("-- removed\n-{}\n", prose.trim().replace(' ', "\n-"));
        for text in [prose, quoting, lines] {
            let parsed = parse(&text).unwrap();
            assert_eq!(parsed.query.words().len(), MAX_TERMS);
            let [diagnostic] = &parsed.diagnostics[..] else { panic!("{:?}", parsed.diagnostics) };
            assert!(diagnostic.message.contains("first 128 different words"), "{}", diagnostic.message);
            check(&text);
        }
    }

    #[test]
    fn raw_queries_have_limits_of_their_own() {
        let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(check_raw(&nested(64)), Ok(()));
        assert_eq!(check_raw(&nested(65)), Err(QueryError::TooDeep(65)));
        assert_eq!(check_raw(&nested(4000)), Err(QueryError::TooDeep(4000)));
        assert_eq!(check_raw(&"(a) OR ".repeat(1000)), Ok(()));
        // Parentheses that quotes or patterns may hide don't close an open one.
        for hidden in ["\")\"", "')'", "\\)", "/)/"] {
            assert_eq!(
                check_raw(&format!("({hidden}").repeat(100)),
                Err(QueryError::TooDeep(100)),
                "{hidden}"
            );
        }
        let long = MAX_RAW_BYTES + 1;
        assert_eq!(
            check_raw(&"a".repeat(long)),
            Err(QueryError::TooLong { bytes: long, most: MAX_RAW_BYTES })
        );
    }

    #[test]
    fn a_deep_tree_still_prints_what_parses() {
        for level in ["a b OR (", "a OR b -(", "a title:b OR (c^2 ", "-(NOT =x ", "title:(a body:b^2 -"] {
            check(&format!("z {} c d {}", level.repeat(64), ")".repeat(64)));
        }
    }

    /// Checks the rows of the form `input` | `reading` in the tables of the reference.
    #[test]
    fn the_reference_tells_the_truth() {
        let mut rows = 0;
        for line in REFERENCE.lines().filter(|line| line.starts_with("| `")) {
            let line = line.replace("\\|", "¦");
            let cells: Vec<String> =
                line.split('|').map(|cell| cell.trim().trim_matches('`').replace('¦', "|")).collect();
            let input = cells[1].trim();
            let parsed = parse(input).unwrap_or_else(|error| panic!("{input}: {error}"));
            if line.split('|').nth(2).is_some_and(|cell| cell.trim().starts_with('`')) {
                let meant = parse(&cells[2]).unwrap();
                assert_eq!((as_text(parsed.query), meant.diagnostics.len()), (meant.query, 0), "{input}");
                rows += 1;
            }
        }
        assert!(rows >= 15, "{rows}");
    }

    /// Checks the invariants for any input.
    fn check(input: &str) {
        let Ok(parsed) = parse(input) else { return };
        let printed = parsed.query.to_string();
        // Whether a key is known isn't decided here.
        let again = parse(&printed).map(|mut again| {
            again.diagnostics.retain(|diagnostic| diagnostic.property.is_none());
            again
        });
        let expected = Parsed { query: parsed.query, diagnostics: Vec::new() };
        assert_eq!(again, Ok(expected), "{input:?} → {printed:?}");
        assert!(parsed.diagnostics.len() <= MAX_DIAGNOSTICS);
        for diagnostic in &parsed.diagnostics {
            assert!(
                input.get(diagnostic.span.start..diagnostic.span.end).is_some(),
                "{input:?}: {diagnostic:?}"
            );
            assert!(!diagnostic.message.is_empty() && !diagnostic.hint.is_empty());
        }
    }

    fn fragments() -> impl Strategy<Value = String> {
        let pieces = [
            "a", "b", "é", " ", " ", " ", "(", ")", "\"", "“", "”", "-", "--", "->", "=", "+", "\\", "^",
            "^2", "^0", "ab*", "*", ":", "/", "title:", "tree:", "foo:", "OR", "AND", "NOT", "&&", "||",
            " OR ", " -", ".", "()", "f(x)", "!", "\u{3000}",
        ];
        proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..24)
            .prop_map(|parts| parts.concat())
    }

    /// Expressions in normal form, of words and phrases that are as odd as possible.
    fn expressions() -> impl Strategy<Value = Expr> {
        let odd = "[ab\"“()\\-+:^\\\\&|=>/.*2é]{1,6}|OR|AND|NOT|\\\\OR|title:a|titel:a|f\\(x\\)|//x|--a";
        let leaf =
            prop_oneof![odd.prop_map(Expr::Word), "[ab \"“”\\\\(-]{0,5}[ab\\\\\"]".prop_map(Expr::Phrase),];
        leaf.prop_recursive(5, 40, 4, |inner| {
            let items = proptest::collection::vec(inner.clone(), 2..4);
            let field = proptest::sample::select(Field::ALL.to_vec());
            prop_oneof![
                inner.clone().prop_map(Expr::negated),
                items.clone().prop_map(|items| Expr::all(items).unwrap()),
                items.prop_map(|items| {
                    let keep = items.iter().filter(|item| !item.only_excludes()).cloned();
                    Expr::any(keep).unwrap_or(Expr::Word("none".into()))
                }),
                (field, inner.clone()).prop_map(|(field, expr)| expr.within(field)),
                (inner, 0.001f32..1e6).prop_map(|(expr, factor)| match expr.only_excludes() {
                    true => expr,
                    false => Expr::Boost { expr: Box::new(expr), factor },
                }),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(2000)))]

        #[test]
        fn any_text_is_read(input in "\\PC{0,40}") {
            check(&input);
        }

        #[test]
        fn any_mix_of_operators_is_read(input in fragments()) {
            check(&input);
        }

        #[test]
        fn what_is_printed_parses_to_the_same(query in expressions()) {
            let printed = query.to_string();
            let expected = match query.only_excludes() {
                true => Err(QueryError::OnlyNegation),
                false => Ok(Parsed { query, diagnostics: Vec::new() }),
            };
            prop_assert_eq!(parse(&printed), expected, "{}", printed);
        }
    }
}

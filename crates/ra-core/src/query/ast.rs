//! The meaning of a query. [`Expr`] is kept in a normal form, so equal queries mostly look equal and code that
//! compiles one has few cases. `Display` prints a canonical text that parses to the same expression, without
//! diagnostics.

use std::fmt;
use std::str::FromStr;

use super::{Diagnostics, PropertyFilter, chars, lexer};

/// A query.
///
/// The normal form, which [`parse`](super::parse) and the constructors below keep:
/// - `And` and `Or` have at least two items and don't directly contain their own kind;
/// - `Not` is at the top or directly in an `And`, and its operand doesn't itself only exclude: there is no `Not` of a
///   `Not`, and none as an item of `Or` or alone inside a `Boost` or a `Field`;
/// - a `Field` contains no other `Field`, at any depth;
/// - words aren't empty and contain no white space; phrases aren't blank.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// One word, verbatim: `error`, `error-handling`, `std::fs`.
    Word(String),
    /// The text between two quotes, verbatim.
    Phrase(String),
    /// Must not match.
    Not(Box<Expr>),
    /// All must match.
    And(Vec<Expr>),
    /// At least one must match.
    Or(Vec<Expr>),
    /// Must match in one field.
    Field {
        /// The field.
        field: Field,
        /// The query to match in it.
        expr: Box<Expr>,
    },
    /// The front matter must meet a condition. If no document has the key, this is text.
    Property {
        /// The condition.
        filter: PropertyFilter,
        /// True if the value is in quotes.
        is_quoted: bool,
    },
    /// The documents that the name in a field was resolved to.
    Documents {
        /// The name: a word or a phrase.
        name: Box<Expr>,
        /// The ids of the documents.
        ids: Vec<String>,
    },
    /// Has a different weight.
    Boost {
        /// The weighted query.
        expr: Box<Expr>,
        /// The weight: finite and above zero.
        factor: f32,
    },
}

/// A field that a query can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The headings: the section's title and those above it.
    Title,
    /// The tags of the document.
    Tags,
    /// The path of the document.
    Path,
    /// The text of the section.
    Body,
    /// The name of the tree.
    Tree,
    /// The language of the document.
    Lang,
    /// A document that is connected with this one by a link.
    Linked,
}

/// A name that no field has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no field `{0}`")]
pub struct UnknownField(String);

impl Field {
    /// Every field.
    pub const ALL: [Field; 7] =
        [Field::Title, Field::Tags, Field::Path, Field::Body, Field::Tree, Field::Lang, Field::Linked];

    /// True if the field is a filter: its value isn't looked for in the text of documents.
    pub fn is_filter(self) -> bool {
        matches!(self, Field::Tree | Field::Lang | Field::Linked)
    }

    /// Returns the name that queries are printed with.
    pub fn as_str(self) -> &'static str {
        match self {
            Field::Title => "title",
            Field::Tags => "tags",
            Field::Path => "path",
            Field::Body => "body",
            Field::Tree => "tree",
            Field::Lang => "lang",
            Field::Linked => "linked",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Field {
    type Err = UnknownField;

    /// Accepts the names and their aliases in any case.
    fn from_str(name: &str) -> Result<Self, UnknownField> {
        match name.to_ascii_lowercase().as_str() {
            "title" | "heading" | "hierarchy" => Ok(Field::Title),
            "tags" | "tag" => Ok(Field::Tags),
            "path" | "file" => Ok(Field::Path),
            "body" | "text" | "content" => Ok(Field::Body),
            "tree" => Ok(Field::Tree),
            "lang" | "language" => Ok(Field::Lang),
            "linked" => Ok(Field::Linked),
            _ => Err(UnknownField(name.to_owned())),
        }
    }
}

impl Expr {
    /// Returns a query that requires all of `items`; `None` if there are none.
    pub fn all(items: impl IntoIterator<Item = Expr>) -> Option<Expr> {
        let mut flat = Vec::new();
        for item in items {
            match item {
                Expr::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() > 1 { Some(Expr::And(flat)) } else { flat.pop() }
    }

    /// Returns a query that matches any of `items`, none of which may [only exclude](Expr::only_excludes); `None` if
    /// there are no items.
    pub fn any(items: impl IntoIterator<Item = Expr>) -> Option<Expr> {
        let mut flat = flatten_or(items);
        if flat.len() > 1 { Some(Expr::Or(flat)) } else { flat.pop() }
    }

    /// Returns the negation. An expression that only excludes turns into what it excluded: `-(-a -b)` is `a OR b`.
    pub fn negated(self) -> Expr {
        match self {
            Expr::Not(inner) => *inner,
            Expr::And(items) if items.iter().all(Expr::only_excludes) => {
                Expr::Or(flatten_or(items.into_iter().map(Expr::negated)))
            }
            other => Expr::Not(Box::new(other)),
        }
    }

    /// Restricts the query to `field`. A field named further inside keeps its part.
    pub fn within(self, field: Field) -> Expr {
        if !self.only_excludes() && !self.names_field() {
            return Expr::Field { field, expr: Box::new(self) };
        }
        match self {
            Expr::And(items) => Expr::And(items.into_iter().map(|item| item.within(field)).collect()),
            Expr::Or(items) => Expr::Or(items.into_iter().map(|item| item.within(field)).collect()),
            Expr::Not(expr) => Expr::Not(Box::new(expr.within(field))),
            Expr::Boost { expr, factor } => Expr::Boost { expr: Box::new(expr.within(field)), factor },
            other => other,
        }
    }

    /// Replaces conditions that no front matter meets by their text.
    pub fn resolve_properties<E>(
        self,
        is_known: &mut dyn FnMut(&PropertyFilter) -> Result<bool, E>,
    ) -> Result<Expr, E> {
        Ok(match self {
            Expr::Property { filter, is_quoted } if !is_known(&filter)? => match is_quoted {
                true => Expr::And(vec![Expr::Word(format!("{}:", filter.key)), Expr::Phrase(filter.value)]),
                false => Expr::Word(filter.to_string()),
            },
            // An item may have become a conjunction.
            Expr::And(items) => Expr::all(resolve_all(items, is_known)?).unwrap_or(Expr::And(Vec::new())),
            Expr::Or(items) => Expr::Or(resolve_all(items, is_known)?),
            Expr::Not(inner) => Expr::Not(Box::new(inner.resolve_properties(is_known)?)),
            Expr::Boost { expr, factor } => {
                Expr::Boost { expr: Box::new(expr.resolve_properties(is_known)?), factor }
            }
            other => other,
        })
    }

    /// Replaces the names in `linked:` by the documents that `find` returns for each.
    pub fn resolve_linked<E>(self, find: &mut dyn FnMut(&str) -> Result<Vec<String>, E>) -> Result<Expr, E> {
        self.resolve_names(false, find)
    }

    fn resolve_names<E>(
        self,
        is_linked: bool,
        find: &mut dyn FnMut(&str) -> Result<Vec<String>, E>,
    ) -> Result<Expr, E> {
        let mut inner = |expr: Box<Expr>, is_linked| expr.resolve_names(is_linked, find).map(Box::new);
        Ok(match self {
            Expr::Word(text) if is_linked => {
                let ids = find(&text)?;
                Expr::Documents { name: Box::new(Expr::Word(text)), ids }
            }
            Expr::Phrase(text) if is_linked => {
                let ids = find(&text)?;
                Expr::Documents { name: Box::new(Expr::Phrase(text)), ids }
            }
            Expr::Field { field, expr } => Expr::Field { field, expr: inner(expr, field == Field::Linked)? },
            Expr::Not(expr) => Expr::Not(inner(expr, is_linked)?),
            Expr::Boost { expr, factor } => Expr::Boost { expr: inner(expr, is_linked)?, factor },
            Expr::And(items) => {
                let items = items.into_iter().map(|item| item.resolve_names(is_linked, find));
                Expr::And(items.collect::<Result<_, E>>()?)
            }
            Expr::Or(items) => {
                let items = items.into_iter().map(|item| item.resolve_names(is_linked, find));
                Expr::Or(items.collect::<Result<_, E>>()?)
            }
            other => other,
        })
    }

    /// True if this only says what must not match.
    pub fn only_excludes(&self) -> bool {
        match self {
            Expr::Not(_) => true,
            Expr::And(items) => items.iter().all(|item| matches!(item, Expr::Not(_))),
            _ => false,
        }
    }

    /// True if a field is named anywhere inside.
    pub(super) fn names_field(&self) -> bool {
        matches!(self, Expr::Field { .. } | Expr::Property { .. })
            || self.children().iter().any(Expr::names_field)
    }

    /// Returns the texts of the words and phrases to search for, in reading order. Omits excluded ones and the names
    /// of trees, because no document has to contain them.
    pub fn words(&self) -> Vec<&str> {
        self.words_outside(&[Field::Tree, Field::Lang, Field::Linked])
    }

    /// Returns the words that describe the subject of the query, without trees and paths.
    pub fn subject(&self) -> String {
        self.words_outside(&[Field::Tree, Field::Path, Field::Lang, Field::Linked]).join(" ")
    }

    fn words_outside(&self, fields: &[Field]) -> Vec<&str> {
        match self {
            Expr::Word(text) | Expr::Phrase(text) => vec![text],
            Expr::Field { field, .. } if fields.contains(field) => Vec::new(),
            Expr::Not(_) | Expr::Property { .. } | Expr::Documents { .. } => Vec::new(),
            _ => self.children().iter().flat_map(|child| child.words_outside(fields)).collect(),
        }
    }

    fn children(&self) -> &[Expr] {
        match self {
            Expr::Word(_) | Expr::Phrase(_) | Expr::Property { .. } | Expr::Documents { .. } => &[],
            Expr::And(items) | Expr::Or(items) => items,
            Expr::Not(expr) | Expr::Field { expr, .. } | Expr::Boost { expr, .. } => {
                std::slice::from_ref(&**expr)
            }
        }
    }

    fn height(&self) -> usize {
        self.children().iter().map(|child| child.height() + 1).max().unwrap_or(0)
    }

    /// Returns the precedence of the printed form, which determines the parentheses of [`Printer`].
    fn rank(&self) -> u8 {
        match self {
            Expr::And(_) => 0,
            Expr::Or(_) => 1,
            Expr::Not(_) => 2,
            Expr::Boost { .. } => 3,
            Expr::Field { .. } => 4,
            Expr::Word(_) | Expr::Phrase(_) | Expr::Property { .. } | Expr::Documents { .. } => 5,
        }
    }
}

fn resolve_all<E>(
    items: Vec<Expr>,
    is_known: &mut dyn FnMut(&PropertyFilter) -> Result<bool, E>,
) -> Result<Vec<Expr>, E> {
    items.into_iter().map(|item| item.resolve_properties(is_known)).collect()
}

fn flatten_or(items: impl IntoIterator<Item = Expr>) -> Vec<Expr> {
    let mut flat = Vec::new();
    for item in items {
        match item {
            Expr::Or(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    flat
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `a b OR c` is easily misread, so `Or` inside `And` gets parentheses that the grammar doesn't need. Each pair
        // corresponds to at least one level of the tree, so they can exceed the nesting limit only if the tree is
        // higher than the limit.
        let printer = Printer { rank_in_and: if self.height() <= chars::MAX_NESTING { 2 } else { 1 } };
        f.write_str(&printer.print(self))
    }
}

struct Printer {
    rank_in_and: u8,
}

impl Printer {
    fn print(&self, expr: &Expr) -> String {
        match expr {
            Expr::Word(text) => print_word(text),
            Expr::Phrase(text) => print_phrase(text),
            Expr::Property { filter, is_quoted: false } => filter.to_string(),
            Expr::Property { filter, is_quoted: true } => {
                format!("{}:{}", filter.key, print_phrase(&filter.value))
            }
            Expr::Documents { name, .. } => self.print(name),
            Expr::And(items) => self.join(items, " ", self.rank_in_and),
            Expr::Or(items) => self.join(items, " OR ", 2),
            Expr::Not(expr) => attach("-", &self.operand(expr, 3), chars::negates),
            Expr::Boost { expr, factor } => format!("{}^{factor}", self.operand(expr, 4)),
            Expr::Field { field, expr } => {
                attach(&format!("{field}:"), &self.operand(expr, 5), chars::is_field_value)
            }
        }
    }

    fn join(&self, items: &[Expr], separator: &str, rank: u8) -> String {
        items.iter().map(|item| self.operand(item, rank)).collect::<Vec<_>>().join(separator)
    }

    /// Prints `expr` in parentheses unless its rank is at least `rank`.
    fn operand(&self, expr: &Expr, rank: u8) -> String {
        let text = self.print(expr);
        if expr.rank() < rank { format!("({text})") } else { text }
    }
}

/// Puts `prefix` directly before `text`. A word such as `=x` would hide the prefix, so it is escaped.
fn attach(prefix: &str, text: &str, accepts: fn(&str) -> bool) -> String {
    let escape = if accepts(text) { "" } else { "\\" };
    format!("{prefix}{escape}{text}")
}

/// Returns the word unchanged if it parses as itself; otherwise with every special character escaped.
fn print_word(word: &str) -> String {
    let mut diagnostics = Diagnostics::default();
    let tokens = lexer::lex(word, &mut diagnostics);
    let is_itself = matches!(&tokens[..], [token] if token.kind.is_word(word));
    // A trailing backslash would escape the next printed character.
    if is_itself && diagnostics.0.is_empty() && !word.ends_with('\\') {
        return word.to_owned();
    }
    let mut printed = String::new();
    if chars::is_keyword(word) {
        printed.push('\\');
    }
    for c in word.chars() {
        if chars::is_special(c) {
            printed.push('\\');
        }
        printed.push(c);
    }
    printed
}

fn print_phrase(text: &str) -> String {
    let mut printed = String::from("\"");
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let next = rest.clone().next();
        if c == '"' || c == '\\' && next.is_none_or(chars::is_special_in_phrase) {
            printed.push('\\');
        }
        printed.push(c);
    }
    printed.push('"');
    printed
}

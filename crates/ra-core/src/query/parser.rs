//! Tokens → [`Expr`], by recursive descent. The lexer bounds the nesting, and with it the recursion.
//!
//! ```text
//! sequence     = alternatives*
//! alternatives = operand ("OR" operand)*
//! operand      = ("-" | field)* (word | phrase | property | "(" sequence ")") boost?
//! ```

use std::iter::Peekable;
use std::vec::IntoIter;

use super::lexer::{Token, TokenKind};
use super::{Diagnostics, Expr, Field};
use crate::text::Span;

const OR_HINT: &str = "put `OR` between two words: `a OR b`";

/// Parses the tokens; `None` if nothing is left to search for.
pub(super) fn parse(tokens: Vec<Token>, diagnostics: &mut Diagnostics) -> Option<Expr> {
    Parser { tokens: tokens.into_iter().peekable(), diagnostics }.sequence()
}

struct Parser<'a> {
    tokens: Peekable<IntoIter<Token>>,
    diagnostics: &'a mut Diagnostics,
}

/// The prefixes of an operand.
#[derive(Default)]
struct Prefix {
    span: Option<Span>,
    negations: usize,
    field: Option<Field>,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<&TokenKind> {
        self.tokens.peek().map(|token| &token.kind)
    }

    fn at_end(&mut self) -> bool {
        matches!(self.peek(), None | Some(TokenKind::Close))
    }

    fn sequence(&mut self) -> Option<Expr> {
        let mut items = Vec::new();
        while !self.at_end() {
            self.alternatives(&mut items);
        }
        Expr::all(items)
    }

    /// Reads operands joined by `OR` into `items`: one item for the alternatives, followed by the negated operands.
    fn alternatives(&mut self, items: &mut Vec<Expr>) {
        let mut options = Vec::new();
        let mut excluded = Vec::new();
        let mut misplaced = None;
        self.skip_or("nothing comes before this `OR`, so it is ignored");
        while !self.at_end() {
            let start = self.tokens.peek().map(|token| token.span);
            match self.operand() {
                Some(expr) if expr.only_excludes() => {
                    misplaced = misplaced.or(start);
                    excluded.push(expr);
                }
                expr => options.extend(expr),
            }
            let Some(or) = self.tokens.next_if(|token| token.kind == TokenKind::Or) else { break };
            self.skip_or("this `OR` is one too many and is ignored");
            if self.at_end() {
                self.diagnostics.add(or.span, "nothing follows this `OR`, so it is ignored", OR_HINT);
            }
        }
        if options.len() + excluded.len() > 1
            && let Some(span) = misplaced
        {
            let message = "an exclusion cannot be an alternative; it holds for the whole group";
            self.diagnostics.add(span, message, "write it outside of the `OR`: `(a OR b) -c`");
        }
        items.extend(Expr::any(options));
        items.extend(excluded);
    }

    fn skip_or(&mut self, message: &str) {
        while let Some(or) = self.tokens.next_if(|token| token.kind == TokenKind::Or) {
            self.diagnostics.add(or.span, message, OR_HINT);
        }
    }

    fn operand(&mut self) -> Option<Expr> {
        let prefix = self.prefix();
        let atom = self.atom();
        let boost = self.boost();
        let mut expr = atom?;
        let span = prefix.span.unwrap_or_default();
        if let Some(field) = prefix.field {
            if expr.names_field() {
                self.field_in_field(span);
            }
            expr = expr.within(field);
        }
        if let Some((factor, span)) = boost {
            if expr.only_excludes() {
                let message = "an exclusion cannot be weighted; the boost is ignored";
                self.diagnostics.add(span, message, "boost what is searched for");
            } else {
                expr = Expr::Boost { expr: Box::new(expr), factor };
            }
        }
        if prefix.negations + usize::from(expr.only_excludes()) > 1 {
            self.diagnostics.add(span, "an exclusion inside of an exclusion cancels it", "leave out both");
        }
        if prefix.negations % 2 == 1 {
            expr = expr.negated();
        }
        Some(expr)
    }

    fn prefix(&mut self) -> Prefix {
        let mut prefix = Prefix::default();
        let is_prefix = |token: &Token| matches!(token.kind, TokenKind::Minus | TokenKind::Field(_));
        while let Some(token) = self.tokens.next_if(is_prefix) {
            prefix.span.get_or_insert(token.span);
            if let TokenKind::Field(field) = token.kind {
                if prefix.field.replace(field).is_some() {
                    self.field_in_field(token.span);
                }
                continue;
            }
            prefix.negations += 1;
            if let Some(field) = prefix.field {
                let hint = format!("write `-{field}:word`");
                self.diagnostics.add(token.span, "the minus sign belongs before the field", hint);
            }
        }
        if let Some(span) = prefix.span
            && (self.at_end() || self.peek() == Some(&TokenKind::Or))
        {
            let hint = "write a word, a phrase or a group after it";
            self.diagnostics.add(span, "nothing follows this, so it is ignored", hint);
        }
        prefix
    }

    fn field_in_field(&mut self, span: Span) {
        let message = "a field is named inside of another; the inner one counts for its part";
        self.diagnostics.add(span, message, "name one field for each word or group: `title:a body:b`");
    }

    fn atom(&mut self) -> Option<Expr> {
        let token = self.tokens.next_if(|token| {
            matches!(
                token.kind,
                TokenKind::Word(_) | TokenKind::Phrase(_) | TokenKind::Property { .. } | TokenKind::Open
            )
        })?;
        match token.kind {
            TokenKind::Word(text) => Some(Expr::Word(text)),
            TokenKind::Property { filter, is_quoted } => Some(Expr::Property { filter, is_quoted }),
            // The lexer has reported a blank phrase.
            TokenKind::Phrase(text) => (!text.trim().is_empty()).then_some(Expr::Phrase(text)),
            _ => {
                if self.at_end() {
                    let hint = "put words between the parentheses";
                    self.diagnostics.add(token.span, "the group is empty and is ignored", hint);
                }
                let inner = self.sequence();
                self.tokens.next_if(|token| token.kind == TokenKind::Close);
                inner
            }
        }
    }

    fn boost(&mut self) -> Option<(f32, Span)> {
        let is_boost = |token: &Token| matches!(token.kind, TokenKind::Boost(_));
        match self.tokens.next_if(is_boost)? {
            Token { kind: TokenKind::Boost(factor), span } => Some((factor, span)),
            _ => None,
        }
    }
}

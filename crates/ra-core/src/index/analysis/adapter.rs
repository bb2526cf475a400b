//! Adapts the analyzer to tantivy.

use tantivy::Index;
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer};

use super::stream::{Analyzer, Stream};

/// The name of the analyzer in tantivy.
pub(in crate::index) const ANALYZER: &str = "ra";

/// Registers the analyzer for a language with an index.
pub(in crate::index) fn register(index: &Index, language: &str) {
    let adapter = Adapter(Analyzer::new(language));
    index.tokenizers().register(ANALYZER, TextAnalyzer::builder(adapter).build());
}

#[derive(Clone)]
struct Adapter(Analyzer);

struct Adapted<'a> {
    stream: Stream<'a>,
    token: Token,
}

impl Tokenizer for Adapter {
    type TokenStream<'a> = Adapted<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Adapted<'a> {
        Adapted { stream: self.0.stream(text), token: Token::default() }
    }
}

impl TokenStream for Adapted<'_> {
    fn advance(&mut self) -> bool {
        let Some(next) = self.stream.advance() else { return false };
        self.token.text.clear();
        self.token.text.push_str(next.text);
        self.token.position = next.position as usize;
        self.token.offset_from = next.start;
        self.token.offset_to = next.end;
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

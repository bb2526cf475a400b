//! The analyzer as tantivy wants it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tantivy::Index;
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer};

use super::stream::{Analyzer, Stream};
use crate::index::schema::ANALYZER;

/// Makes the analyzer for a language known to an index, and gives a meter of the text that goes through it.
pub(in crate::index) fn register(index: &Index, language: &str) -> Meter {
    let meter = Meter::default();
    let adapter = Adapter { analyzer: Analyzer::new(language), meter: meter.clone() };
    index.tokenizers().register(ANALYZER, TextAnalyzer::builder(adapter).build());
    meter
}

/// Counts the bytes that have been analysed. Tantivy queues documents without telling how many wait; this is
/// how whoever adds them can tell.
#[derive(Clone, Debug, Default)]
pub(in crate::index) struct Meter(Arc<AtomicU64>);

impl Meter {
    /// The bytes so far.
    pub(in crate::index) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Clone)]
struct Adapter {
    analyzer: Analyzer,
    meter: Meter,
}

struct Adapted<'a> {
    stream: Stream<'a>,
    token: Token,
}

impl Tokenizer for Adapter {
    type TokenStream<'a> = Adapted<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Adapted<'a> {
        self.meter.0.fetch_add(text.len() as u64, Ordering::Relaxed);
        Adapted { stream: self.analyzer.stream(text), token: Token::default() }
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

//! Adapts the analyzer to tantivy.

use tantivy::Index;
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer};

use super::language::LanguageId;
use super::stream::{Analyzer, Stream};

/// The name of the analyzer in tantivy.
pub(in crate::index) const ANALYZER: &str = "ra";

/// Registers the analyzer for a `stemmer` setting with an index. `language` is that of texts without a marker.
pub(in crate::index) fn register(index: &Index, stemmer: &str, language: LanguageId) {
    let mut adapter = Adapter(Analyzer::new(stemmer));
    adapter.0.set_language(language);
    index.tokenizers().register(ANALYZER, TextAnalyzer::builder(adapter).build());
}

/// Returns a value that says in which language the following values of a field are. tantivy has one analyzer for a
/// field, and no other way to tell it something about a document. A marker is known by its address in the memory of the
/// program, so no text of a document can be one.
pub(in crate::index) fn language_marker(language: LanguageId) -> &'static str {
    language.code()
}

fn marked_language(text: &str) -> Option<LanguageId> {
    LanguageId::all().find(|language| std::ptr::eq(language_marker(*language), text))
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
        let marked = marked_language(text);
        if let Some(language) = marked {
            self.0.set_language(language);
        }
        let text = if marked.is_some() { "" } else { text };
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

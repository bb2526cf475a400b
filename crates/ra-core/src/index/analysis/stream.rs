//! The tokens of a text, returned one by one.

use std::collections::HashSet;
use std::ops::Range;

use super::fold;
use super::language::{Asking, Language, LanguageId, WordPosition};
use super::term_normalizer::{TermNormalizer, TermStatus};
use super::{camel, word_runs};

/// Whether a token covers all the text at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenPart {
    /// The first token at its position: a word, the whole of a compound, or a bigram.
    Whole,
    /// A part of a camelCase compound, at the same position as the whole.
    Piece,
}

/// A token, and its location in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// The term: normalized, stemmed and folded; never empty.
    pub text: &'a str,
    /// The position. Wholes have consecutive positions.
    pub position: u32,
    /// The byte offset of the start in the source text, on a character boundary.
    pub start: usize,
    /// The byte offset of the end, on a character boundary.
    pub end: usize,
    /// Whether this is a whole or a piece of one.
    pub part: TokenPart,
}

/// Turns text into tokens. It has buffers and a cache, so one analyzer should be used for many texts. A clone
/// starts without them and is cheap.
#[derive(Clone, Debug)]
pub struct Analyzer {
    terms: TermNormalizer,
    /// The spans of the current word that are still to be returned, last one first.
    pending: Vec<TokenSpan>,
    /// The language whose function words count.
    language: Option<LanguageId>,
    /// True if the language of a text decides how its words are stemmed.
    is_auto: bool,
}

/// The setting that stems every text in its own language.
pub(in crate::index) const AUTO: &str = "auto";

impl Analyzer {
    /// Creates an analyzer for a `stemmer` setting: the name of a language in lower case (`english`), or `auto` for
    /// texts of all languages, where [`Analyzer::set_language`] says which one follows. Any other name, by convention
    /// `none`, means no stemming.
    pub fn new(stemmer: &str) -> Analyzer {
        let language = Language::with_stemmer(stemmer);
        let pending = Vec::new();
        let mut analyzer =
            Analyzer { terms: TermNormalizer::new(language), pending, language, is_auto: stemmer == AUTO };
        analyzer.set_language(LanguageId::ENGLISH);
        analyzer
    }

    /// Says which language the following texts are in. It changes nothing if the setting names one for all texts.
    pub fn set_language(&mut self, language: LanguageId) {
        if self.is_auto {
            self.language = Some(if language.is_known() { language } else { LanguageId::ENGLISH });
            self.terms.set_language(language);
        }
    }

    /// Returns the names of the languages that can be stemmed, in alphabetical order.
    pub fn languages() -> impl Iterator<Item = &'static str> {
        LanguageId::all().filter(|id| id.is_known() && id.stemmed_as() == *id).map(LanguageId::name)
    }

    /// True if words are stemmed as English.
    pub(in crate::index) fn stems_english(&self) -> bool {
        self.terms.language().is_some_and(Language::folds_first)
    }

    /// Starts reading the tokens of a text.
    pub fn stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        self.pending.clear();
        Stream { analyzer: self, text, cursor: 0, unspaced_end: 0, next_position: 0, dropped: None }
    }

    /// Calls `each` with every token of a text.
    pub fn tokens(&mut self, text: &str, each: &mut dyn FnMut(Token<'_>)) {
        let mut stream = self.stream(text);
        while let Some(token) = stream.advance() {
            each(token);
        }
    }

    /// Returns the tokens of a text, without the pieces of compounds.
    pub fn whole_tokens(&mut self, text: &str) -> Vec<String> {
        let mut wholes = Vec::new();
        self.tokens(text, &mut |token| {
            if token.part == TokenPart::Whole {
                wholes.push(token.text.to_owned());
            }
        });
        wholes
    }

    /// Returns the first word of a text that is dropped because it has more than `MAX_CHARS` characters.
    pub fn dropped_word<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let mut stream = self.stream(text);
        while stream.advance().is_some() {}
        stream.dropped.map(|word| &text[word])
    }

    /// Returns the function words of the language, in the form that [`Analyzer::is_function_word`] accepts.
    pub fn function_words(&self) -> impl Iterator<Item = String> {
        let words = self.language.map_or("", |language| language.language().function_words);
        words.split_whitespace().map(str::to_lowercase)
    }

    /// Returns the tokens of the function words of the language.
    pub fn function_stems(&mut self) -> HashSet<String> {
        let words: Vec<String> = self.function_words().collect();
        words.iter().flat_map(|word| self.whole_tokens(word)).collect()
    }

    /// True if a word, lower-cased but not stemmed, is an article, pronoun, preposition, auxiliary or
    /// question word, which says nothing about the topic of a question.
    pub fn is_function_word(&self, word: &str) -> bool {
        self.language.is_some_and(|language| language.function_words().contains(&fold::folded(word)))
    }

    /// Returns which parts of a question say nothing about its topic: function words, their contractions, and
    /// the words of phrases such as *what does … mean*. Each part is a word, lower-cased but not stemmed, or
    /// `None` for anything that isn't a single word.
    pub fn asking(&self, parts: &[Option<String>]) -> Vec<bool> {
        let is_function = |word: &str| word.split('\'').all(|part| self.is_function_word(part));
        let mut asks: Vec<bool> = parts.iter().map(|part| part.as_deref().is_some_and(is_function)).collect();
        let rules = self.language.map_or(&[][..], |language| language.language().asking);
        let has = |words: &str, part: &Option<String>| {
            part.iter().any(|part| words.split(' ').any(|it| it == part))
        };
        for (nr, part) in parts.iter().enumerate() {
            let fits = |rule: &&Asking| {
                has(rule.words, part)
                    && rule.after.iter().all(|words| parts[..nr].iter().any(|part| has(words, part)))
                    && match rule.place {
                        WordPosition::Anywhere => true,
                        WordPosition::End => asks[nr + 1..].iter().all(|asks| *asks),
                        WordPosition::Before(word) => parts.get(nr + 1).is_some_and(|part| has(word, part)),
                    }
            };
            if rules.iter().any(|rule| fits(&rule)) {
                asks[nr] = true;
            }
        }
        asks
    }
}

/// The kind of a span, which decides how it becomes a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SpanKind {
    Word,
    Piece,
    Bigram,
}

#[derive(Clone, Copy, Debug)]
struct TokenSpan {
    start: usize,
    end: usize,
    kind: SpanKind,
}

/// The tokens of one text, in order of position. Not an `Iterator`, because a token borrows from the stream.
#[derive(Debug)]
pub struct Stream<'a> {
    analyzer: &'a mut Analyzer,
    text: &'a str,
    /// The offset to continue at.
    cursor: usize,
    /// The end of the current run without spaces. The cursor is inside the run while it's before this offset.
    unspaced_end: usize,
    next_position: u32,
    /// The first word that was dropped because of its length.
    dropped: Option<Range<usize>>,
}

impl Stream<'_> {
    /// Returns the next token, or `None` at the end of the text.
    pub fn advance(&mut self) -> Option<Token<'_>> {
        let span = loop {
            let span = self.next_span()?;
            match self.resolve(span) {
                TermStatus::Term => break span,
                TermStatus::Empty => {}
                TermStatus::Long if span.kind == SpanKind::Word => self.drop_word(span),
                TermStatus::Long => {}
            }
        };
        let part = if span.kind == SpanKind::Piece { TokenPart::Piece } else { TokenPart::Whole };
        if part == TokenPart::Whole {
            self.next_position = self.next_position.saturating_add(1);
        }
        Some(Token {
            text: self.analyzer.terms.text(),
            position: self.next_position.saturating_sub(1),
            start: span.start,
            end: span.end,
            part,
        })
    }

    fn resolve(&mut self, span: TokenSpan) -> TermStatus {
        let source = &self.text[span.start..span.end];
        let terms = &mut self.analyzer.terms;
        match span.kind {
            SpanKind::Word | SpanKind::Piece => terms.resolve(self.text, span.start..span.end),
            // Only a pile of marks makes a bigram too long.
            SpanKind::Bigram => match terms.resolve(self.text, span.start..span.end) {
                TermStatus::Long => terms.resolve_plain(source),
                outcome => outcome,
            },
        }
    }

    fn next_span(&mut self) -> Option<TokenSpan> {
        if let Some(span) = self.analyzer.pending.pop() {
            return Some(span);
        }
        if self.cursor < self.unspaced_end {
            return Some(self.next_bigram());
        }
        let run = word_runs::next_run(self.text, self.cursor)?;
        if run.unspaced {
            (self.cursor, self.unspaced_end) = (run.start, run.end);
            return Some(self.next_bigram());
        }
        self.cursor = run.end;
        if run.compound {
            let pending = &mut self.analyzer.pending;
            camel::pieces(&self.text[run.start..run.end], |piece| {
                pending.push(TokenSpan {
                    start: run.start + piece.start,
                    end: run.start + piece.end,
                    kind: SpanKind::Piece,
                });
            });
            pending.reverse();
        }
        Some(TokenSpan { start: run.start, end: run.end, kind: SpanKind::Word })
    }

    /// Returns the bigram at the cursor, and moves the cursor by one unit. A run of a single unit is returned
    /// as it is, and the last unit of a longer run is already part of the last bigram.
    fn next_bigram(&mut self) -> TokenSpan {
        let run_end = self.unspaced_end;
        let start = self.cursor;
        let middle = start + word_runs::unit_len(&self.text[start..run_end]);
        let end = middle + word_runs::unit_len(&self.text[middle..run_end]);
        self.cursor = if end == run_end { run_end } else { middle };
        TokenSpan { start, end, kind: SpanKind::Bigram }
    }

    /// Drops a word that is too long. The pieces of a compound stay, as separate words at consecutive positions.
    fn drop_word(&mut self, word: TokenSpan) {
        let pending = &mut self.analyzer.pending;
        if self.text[word.start..word.end].contains(char::is_numeric) {
            // A hash, a key or encoded data, where a change of case means nothing.
            pending.clear();
        }
        pending.iter_mut().for_each(|piece| piece.kind = SpanKind::Word);
        if pending.is_empty() {
            self.dropped.get_or_insert(word.start..word.end);
        }
    }
}

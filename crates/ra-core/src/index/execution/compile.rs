//! Compiles the syntax tree of a query into a plan over the terms of the index.

use std::collections::HashSet;
use std::ops::Range;

use super::filter::Filter;
use super::notice::Notice;
use super::plan::{Compound, Leaf, Plan, TermForm, weights};
use super::thesaurus::{self, SynonymGroup};
use crate::config::{Boosts, SearchSettings};
use crate::error::Result;
use crate::id::TreeName;
use crate::index::analysis::{LanguageId, PooledAnalyzer, TokenPart};
use crate::index::storage::snapshot::{Snapshot, Stemming};
use crate::query::{Expr, Field, MAX_TYPED_QUERY_WORDS};

/// A compiled query.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) plan: Plan,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) notices: Vec<Notice>,
    /// True if the query is a sentence, which no section needs to match word for word.
    pub(crate) is_question: bool,
}

impl Compiled {
    /// Returns the weight of each leaf for the score of the whole document: its boosts, or 0 if it excludes.
    pub(crate) fn factors(&self) -> Vec<f32> {
        fn visit(plan: &Plan, factor: f32, factors: &mut [f32]) {
            match plan {
                Plan::Leaf(leaf) => factors[*leaf] = factor,
                Plan::Compound(Compound { whole, parts, .. }) => {
                    factors[*whole] = factor;
                    parts.iter().for_each(|part| factors[*part] = factor * Compound::COMPOUND_PART_WEIGHT);
                }
                Plan::All(items) | Plan::Any(items) => {
                    items.iter().for_each(|item| visit(item, factor, factors));
                }
                Plan::Boost(inner, more) => visit(inner, factor * more, factors),
                Plan::Not(_) | Plan::Filter(_) | Plan::Everything => {}
            }
        }
        let mut factors = vec![0.0; self.leaves.len()];
        visit(&self.plan, 1.0, &mut factors);
        factors
    }
}

/// Only a word with at most this frequency is also searched for as two words.
const RARE_WORD_ENTRIES: u32 = 10;

/// Only this many tokens of a phrase or a compound are compared. A text with all of those is taken as a match.
pub(crate) const MAX_PHRASE_TOKENS: usize = 256;
/// Parts of compounds are skipped once a query has this many leaves. A long text in a script without spaces
/// is one compound with as many parts as it has characters.
const MAX_LEAVES: usize = 256;
/// A query with this many words is a question in prose. Its function words count: `how to delete an account`
/// doesn't mean that both content words are required. Counting them gains .012 nDCG@10 on ghdocs, .007 on tldr-man and
/// .012 on s10-manual; no other set changes.
pub(crate) const LONG_QUERY: usize = 4;
/// So is a query with this many words if one of them is a function word: `delete an account`. That gains another .003
/// on ghdocs, and nothing changes on the other sets.
const SHORT_SENTENCE: usize = 3;
/// Returns how many query words a compound counts for: one, or about one per two characters of a script
/// without spaces, whose bigrams overlap.
fn words(parts: &[Range<usize>]) -> usize {
    1 + parts.windows(2).filter(|pair| pair[1].start < pair[0].end).count().div_ceil(2)
}

/// True if a long query can match without this word.
fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Word(_) => true,
        Expr::Boost { expr, .. } => is_plain(expr),
        _ => false,
    }
}

/// Compiles a query. `language` is that of the question, if it is known.
pub(crate) fn compile(
    snapshot: &Snapshot,
    query: &Expr,
    search: &SearchSettings,
    trees: &[TreeName],
    language: Option<LanguageId>,
) -> Result<Compiled> {
    // A long text already has many words about its topic.
    let is_written = query.words().len() <= MAX_TYPED_QUERY_WORDS;
    let own = if is_written { thesaurus::configured(&search.synonyms).collect() } else { Vec::new() };
    let known = if is_written && search.thesaurus { thesaurus::groups() } else { &[] };
    let language = language.unwrap_or_else(|| snapshot.main_language());
    let mut compiler = Compiler {
        snapshot,
        analyzer: snapshot.analyzer_for(language),
        language,
        stemmings: snapshot.stemmings(language),
        boosts: &search.boosts,
        distance: search.fuzzy_distance,
        is_written,
        near_known: is_written,
        lookups_left: MAX_TYPED_QUERY_WORDS,
        synonyms: (own, known),
        splits: search.relax,
        trees,
        leaves: Vec::new(),
        notices: Vec::new(),
        long_words: Vec::new(),
        is_question: false,
    };
    // A query whose words all mean nothing finds nothing, even if it also excludes something.
    let plan = compiler.expr(query, None)?.filter(Plan::selects).unwrap_or(Plan::Any(Vec::new()));
    let mut notices = compiler.notices;
    notices.extend(Notice::too_long(&compiler.long_words));
    Ok(Compiled { plan, leaves: compiler.leaves, notices, is_question: compiler.is_question })
}

pub(crate) struct Compiler<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) analyzer: PooledAnalyzer,
    /// The language that the query is taken to be in.
    pub(crate) language: LanguageId,
    /// The ways in which documents are stemmed, that of the query first.
    pub(crate) stemmings: Vec<Stemming>,
    boosts: &'a Boosts,
    pub(crate) distance: u8,
    /// True if the query is short enough to have been typed, not pasted.
    pub(crate) is_written: bool,
    /// The number of unknown words for which near terms are still looked up. Each lookup takes milliseconds,
    /// and a long text is found by its other words.
    pub(crate) lookups_left: usize,
    /// True if near variants of known words are looked up, too.
    pub(crate) near_known: bool,
    /// The synonyms: those of the configuration and those of the language.
    pub(crate) synonyms: (Vec<SynonymGroup<'a>>, &'static [SynonymGroup<'static>]),
    /// True if the parts of a compound may match separately, and a long query may lack words.
    splits: bool,
    pub(super) trees: &'a [TreeName],
    leaves: Vec<Leaf>,
    pub(super) notices: Vec<Notice>,
    /// The words that are too long to be in the index.
    long_words: Vec<String>,
    is_question: bool,
}

impl Compiler<'_> {
    /// Returns the plan of an expression, or `None` if it contains nothing to search for.
    fn expr(&mut self, expr: &Expr, field: Option<Field>) -> Result<Option<Plan>> {
        Ok(match expr {
            Expr::Word(text) => self.word(text, field)?,
            Expr::Phrase(text) => self.phrase(text, field)?,
            Expr::Property { filter, .. } => Some(Plan::Filter(Filter::Property(filter.clone()))),
            Expr::Documents { ids, .. } => Some(Plan::Filter(Filter::documents(ids))),
            Expr::Not(inner) => {
                // Excludes only the exact word: a near term may be the one that is searched for.
                let distance = std::mem::take(&mut self.distance);
                let splits = std::mem::take(&mut self.splits);
                let synonyms = std::mem::take(&mut self.synonyms);
                let is_question = self.is_question;
                let plan = self.expr(inner, field);
                (self.distance, self.splits, self.synonyms) = (distance, splits, synonyms);
                self.is_question = is_question;
                plan?.map(|plan| Plan::Not(Box::new(plan)))
            }
            Expr::Field { field, expr } => self.expr(expr, Some(*field))?,
            Expr::Boost { expr, factor } => {
                self.expr(expr, field)?.map(|plan| Plan::Boost(Box::new(plan), *factor))
            }
            Expr::Or(items) => {
                let plans = self.items(items, field)?;
                (!plans.is_empty()).then_some(Plan::Any(plans))
            }
            Expr::And(items) => {
                let content = self.content(items);
                // Function words count if there is nothing else.
                let scored = content.iter().any(|item| self.says_something(item));
                let chosen: Vec<&Expr> = if scored { content } else { items.iter().collect() };
                // A near variant of a known word must not make a section count as having every word.
                let near_known = self.near_known;
                let required = chosen.iter().filter(|item| self.is_looked_for(item)).count();
                // The words of a sentence count as typed: nobody phrases one to require each of its words.
                let words = items.iter().filter(|item| is_plain(item)).count();
                let has_function_words = chosen.len() < items.len();
                let is_question = words >= LONG_QUERY || words >= SHORT_SENTENCE && has_function_words;
                self.is_question |= is_question;
                self.near_known &= required < 2 || self.splits && is_question;
                let plans = self.items(chosen, field);
                self.near_known = near_known;
                let plans = plans?;
                match plans.iter().all(|plan| matches!(plan, Plan::Not(_))) {
                    true if plans.is_empty() => None,
                    // Every positive part was punctuation, so the exclusions apply to whatever the rest of
                    // the query finds.
                    true => Some(Plan::All([vec![Plan::Everything], plans].concat())),
                    false => Some(Plan::All(plans)),
                }
            }
        })
    }

    fn items<'e>(
        &mut self,
        items: impl IntoIterator<Item = &'e Expr>,
        field: Option<Field>,
    ) -> Result<Vec<Plan>> {
        let mut plans = Vec::new();
        for item in items {
            plans.extend(self.expr(item, field)?);
        }
        Ok(plans)
    }

    /// Drops the function words of a question, and heading ids.
    fn content<'e>(&self, items: &'e [Expr]) -> Vec<&'e Expr> {
        let word = |item: &Expr| match item {
            Expr::Word(text) => {
                Some(text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('’', "'"))
            }
            _ => None,
        };
        // Exclusions aren't part of the question and must not change how the rest of it is interpreted.
        let positive = items.iter().filter(|item| !item.only_excludes());
        let words: Vec<Option<String>> = positive.map(word).collect();
        let mut asks = self.analyzer.asking(&words).into_iter();
        // The id in a copied heading (`{#id}`) isn't part of its text.
        let is_id =
            |item: &Expr| matches!(item, Expr::Word(text) if text.starts_with("{#") && text.ends_with('}'));
        let mut is_said = |item: &Expr| !asks.next().unwrap_or_default() && !is_id(item);
        items.iter().filter(|item| item.only_excludes() || is_said(item)).collect()
    }

    /// False for exclusions and punctuation.
    fn says_something(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Not(_) => false,
            Expr::Word(text) | Expr::Phrase(text) => !self.whole_tokens(text).is_empty(),
            _ => true,
        }
    }

    /// False also for filters by tree or path.
    fn is_looked_for(&mut self, expr: &Expr) -> bool {
        let is_place = match expr {
            Expr::Field { field, .. } if field.is_filter() => true,
            Expr::Property { .. } => true,
            Expr::Field { field: Field::Path, expr } => {
                matches!(&**expr, Expr::Word(path) | Expr::Phrase(path) if self.path(path).is_some())
            }
            _ => false,
        };
        !is_place && self.says_something(expr)
    }

    fn word(&mut self, text: &str, field: Option<Field>) -> Result<Option<Plan>> {
        if let Some(filter) = self.filter(text, field) {
            return Ok(Some(Plan::Filter(filter)));
        }
        let parts = if field.is_none() && self.splits { self.parts(text) } else { Vec::new() };
        if parts.len() < 2 {
            return self.plain(text, field);
        }
        let forms = self.forms(text);
        let Some(Plan::Leaf(whole)) = self.leaf(text, forms, field, false) else { return Ok(None) };
        let room = MAX_LEAVES.saturating_sub(self.leaves.len());
        let mut compound = Compound { whole, parts: Vec::new(), words: words(&parts) };
        for part in parts.into_iter().take(room) {
            if let Some(Plan::Leaf(leaf)) = self.plain(&text[part], field)? {
                compound.parts.push(leaf);
            }
        }
        Ok(Some(Plan::Compound(compound)))
    }

    /// Plans a word that must match as written, or nearly so.
    fn plain(&mut self, text: &str, field: Option<Field>) -> Result<Option<Plan>> {
        let mut forms = self.forms(text);
        let mut is_known = true;
        // One form as written for each way of stemming it.
        let written: Vec<&TermForm> = forms.iter().filter(|form| form.form_weight == 1.0).collect();
        if !written.is_empty() && written.iter().all(|form| form.tokens.len() == 1) {
            let tokens: Vec<String> = written.iter().flat_map(|form| form.tokens.clone()).collect();
            let others = forms.len() - tokens.len();
            let (token, frequency) = self.most_frequent(&tokens)?;
            let may_split = self.splits && others == 0 && frequency <= RARE_WORD_ENTRIES;
            let apart = if may_split { self.apart(text)? } else { Vec::new() };
            is_known = frequency > 0 || others > 0 || !apart.is_empty();
            let synonyms = self.synonyms(text)?;
            let is_taken = !apart.is_empty() || !synonyms.is_empty();
            let near = if frequency > 0 || !is_taken { self.near(text, token)? } else { Vec::new() };
            for form in apart.into_iter().chain(synonyms).chain(near) {
                // The closest forms come first.
                if forms.iter().all(|known| known.tokens != form.tokens) {
                    forms.push(form);
                }
            }
        }
        let before = forms.len();
        self.add_pairs(&mut forms)?;
        is_known |= forms.len() > before;
        let plan = self.leaf(text, forms, field, field.is_none());
        if let (Some(_), Some(leaf)) = (&plan, self.leaves.last_mut()) {
            leaf.is_known = is_known;
        }
        Ok(plan)
    }

    /// Returns the token that most sections have, and their number.
    fn most_frequent<'t>(&self, tokens: &'t [String]) -> Result<(&'t str, u32)> {
        let mut best = ("", 0);
        for (nr, token) in tokens.iter().enumerate() {
            let frequency = self.snapshot.frequency(token)?;
            if nr == 0 || frequency > best.1 {
                best = (token, frequency);
            }
        }
        Ok(best)
    }

    /// Returns the ranges of the parts of a compound that mean something on their own. Skips numbers, single
    /// letters and function words.
    fn parts(&mut self, text: &str) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut stream = self.analyzer.stream(text);
        while let Some(token) = stream.advance() {
            if token.part == TokenPart::Whole {
                parts.push(token.start..token.end);
            }
        }
        let mut seen = HashSet::new();
        parts.retain(|part| {
            let part = &text[part.clone()];
            seen.insert(part)
                && part.chars().nth(1).is_some()
                && part.chars().any(char::is_alphabetic)
                && !self.analyzer.is_function_word(&part.to_lowercase())
        });
        parts
    }

    fn phrase(&mut self, text: &str, field: Option<Field>) -> Result<Option<Plan>> {
        if let Some(filter) = self.filter(text, field) {
            return Ok(Some(Plan::Filter(filter)));
        }
        if self.whole_tokens(text).len() > MAX_PHRASE_TOKENS {
            let message = format!("a phrase is long; only its first {MAX_PHRASE_TOKENS} words were compared");
            self.notices.push(Notice { message, hint: None });
        }
        let mut forms = self.in_every_language(|compiler| {
            let mut tokens = compiler.whole_tokens(text);
            tokens.truncate(MAX_PHRASE_TOKENS);
            if tokens.is_empty() { Vec::new() } else { vec![TermForm::same(tokens, 1.0)] }
        });
        self.add_pairs(&mut forms)?;
        Ok(self.leaf(text, forms, field, false))
    }

    fn leaf(
        &mut self,
        text: &str,
        forms: Vec<TermForm>,
        field: Option<Field>,
        may_be_missing: bool,
    ) -> Option<Plan> {
        let nothing =
            Notice { message: format!("`{text}` has no letters or digits and was passed over"), hint: None };
        match self.analyzer.dropped_word(text) {
            Some(word) if !self.long_words.iter().any(|known| known == word) => {
                self.long_words.push(word.to_owned());
            }
            None if forms.is_empty() && !self.notices.contains(&nothing) => self.notices.push(nothing),
            _ => {}
        }
        if forms.is_empty() {
            return None;
        }
        let weights = weights(self.boosts, field);
        let text = text.to_owned();
        self.leaves.push(Leaf { text, forms, field, weights, may_be_missing, is_known: true });
        Some(Plan::Leaf(self.leaves.len() - 1))
    }

    pub(crate) fn whole_tokens(&mut self, text: &str) -> Vec<String> {
        self.analyzer.whole_tokens(text)
    }
}

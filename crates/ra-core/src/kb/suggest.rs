//! Explains answers that found nothing, or not every word: which words are similar to those that no section has, and
//! which looser question would match.

use std::collections::{BTreeMap, BTreeSet};

use super::search_answer::{Answer, Condition, Suggestion, UnknownWord};
use super::search_request::SearchRequest;
use super::{KnowledgeBase, manifest_of};
use crate::config::{Tree, Verdict};
use crate::corpus::{self, Skip, WalkDetail};
use crate::error::Result;
use crate::id::TreeName;
use crate::index::{
    ExcludedChunks, MatchFinder, Notice, PooledAnalyzer, QueryWord, RelaxReason, Scope, Snapshot,
};
use crate::query::{Expr, Field};
use crate::retrieval::{self, Aggregation, Around, QueryInput, Request, TitleBoost};
use crate::text;

/// How many words and questions are suggested.
const MAX_SUGGESTIONS: usize = 3;
/// How many looser questions are tried.
const MAX_LOOSER_QUERIES: usize = 12;
/// How many unknown words get suggestions.
const MAX_UNKNOWN_WORDS: usize = 8;

impl KnowledgeBase {
    /// Returns the words of the question that no section has, each with the most similar words that exist.
    pub(super) fn spelling_suggestions(
        &self,
        snapshot: &Snapshot,
        answer: &Answer,
    ) -> Result<Vec<UnknownWord>> {
        let mut unknown = Vec::new();
        for word in answer.unknown_words().into_iter().take(MAX_UNKNOWN_WORDS) {
            let mut nearest = self.substituted_words(snapshot, answer, word);
            if !nearest.is_empty() {
                unknown.push(UnknownWord { word: word.to_owned(), nearest, is_replaced: true });
                continue;
            }
            for token in snapshot.near_words(word)?.into_iter().take(MAX_SUGGESTIONS) {
                let written = self.surface_form(snapshot, &token)?.unwrap_or(token);
                if !nearest.contains(&written) {
                    nearest.push(written);
                }
            }
            unknown.push(UnknownWord { word: word.to_owned(), nearest, is_replaced: false });
        }
        Ok(unknown)
    }

    /// Returns the words that the search used in place of an unknown one, as the results spell them.
    fn substituted_words(&self, snapshot: &Snapshot, answer: &Answer, word: &str) -> Vec<String> {
        let known = answer.trace.words.iter().filter(|known| known.text == word);
        // The most similar tokens come first.
        let tokens: Vec<&str> = known.flat_map(QueryWord::nearly).collect();
        let shown = answer.passages.iter().flat_map(|passage| passage.matched_texts().map(str::to_lowercase));
        let mut analyzers = snapshot.analyzers();
        let mut taken: BTreeSet<(usize, String)> = BTreeSet::new();
        for text in shown.collect::<BTreeSet<String>>() {
            let mut number = |analyzer: &mut PooledAnalyzer| {
                let wholes = analyzer.whole_tokens(&text);
                // Several words can replace one.
                let row = wholes.join(" ");
                let is_it = |token: &&str| row == *token || wholes.iter().any(|whole| whole == token);
                tokens.iter().position(is_it)
            };
            if let Some(nr) = analyzers.iter_mut().find_map(&mut number) {
                taken.insert((nr, text));
            }
        }
        taken.into_iter().map(|(_, text)| text).take(MAX_SUGGESTIONS).collect()
    }

    /// Returns a token as some section spells it; the index itself contains only stems.
    fn surface_form(&self, snapshot: &Snapshot, token: &str) -> Result<Option<String>> {
        let query = Expr::Word(token.to_owned());
        let search = self.config.search.exact();
        let scope = Scope::default();
        let request = Request {
            limit: 1,
            aggregation: Aggregation::Nothing,
            ..Request::new(QueryInput::Query(&query), TitleBoost::Query(token), &scope, &search)
        };
        let found = retrieval::run(snapshot, &self.config, &request)?;
        let token = MatchFinder::from_tokens([token.to_owned()]);
        let around = Around { limits: None, excluded: &ExcludedChunks::NONE };
        let passages = retrieval::expand(snapshot, &self.config, &found.groups, &token, &around)?.passages;
        let written =
            passages.first().and_then(|passage| passage.matched_texts().next().map(str::to_lowercase));
        Ok(written)
    }

    /// Returns looser versions of this question that match something, those with the most matches first.
    pub(super) fn suggestions(
        &self,
        snapshot: &Snapshot,
        ask: &SearchRequest,
        query: &Expr,
    ) -> Result<Vec<Suggestion>> {
        let mut offers = Vec::new();
        for (without, scope) in looser_scopes(&ask.scope) {
            let matches = self.count(snapshot, query, &scope)?;
            offers.push(Suggestion { without, query: query.to_string(), matches });
        }
        for (without, looser) in looser_queries(query).into_iter().take(MAX_LOOSER_QUERIES) {
            let matches = self.count(snapshot, &looser, &ask.scope)?;
            offers.push(Suggestion { without, query: looser.to_string(), matches });
        }
        offers.retain(|offer| offer.matches > 0);
        offers.sort_by_key(|offer| std::cmp::Reverse(offer.matches));
        offers.truncate(MAX_SUGGESTIONS);
        Ok(offers)
    }

    /// Returns notices for paths, trees and tags of the scope that no document has.
    pub(super) fn empty_scope_notes(&self, snapshot: &Snapshot, scope: &Scope) -> Result<Vec<Notice>> {
        let trees: Vec<_> = self.config.trees.iter().map(|tree| tree.name.clone()).collect();
        let mut notices = Vec::new();
        let places = Scope { paths: scope.paths.clone(), ..Scope::default() };
        // A path in an empty tree never has documents; the notice about the tree says it.
        if !snapshot.has_documents_in(&places, &trees)? && !self.is_empty(snapshot, scope) {
            let message = format!("no document is, or lies below, `{}`", scope.paths.join("`, `"));
            let general =
                "a path is a file or a directory, from the root of its tree or seen from here; not a pattern";
            let meant = scope.paths.iter().find_map(|path| similar_path(snapshot, scope, path));
            let hint = meant.map_or_else(|| general.to_owned(), |path| format!("did you mean `{path}`?"));
            notices.push(Notice { message, hint: Some(hint) });
        }
        notices.extend(self.empty_trees(snapshot, scope));
        for tag in &scope.tags {
            if !snapshot.has_documents_in(&Scope { tags: vec![tag.clone()], ..Scope::default() }, &trees)? {
                notices.push(Notice { message: format!("no document has the tag `{tag}`"), hint: None });
            }
        }
        for property in &scope.properties {
            let one = Scope { properties: vec![property.clone()], ..Scope::default() };
            if !snapshot.has_documents_in(&one, &trees)? {
                let message = format!("no document has `{property}` in its front matter");
                notices.push(Notice { message, hint: None });
            }
        }
        let formats = Scope { kinds: scope.kinds.clone(), ..Scope::default() };
        if !snapshot.has_documents_in(&formats, &trees)? && !self.is_empty(snapshot, scope) {
            let names: Vec<&str> = scope.kinds.iter().map(|kind| kind.as_str()).collect();
            let message = format!("no document is of the type `{}`", names.join("`, `"));
            notices.push(Notice { message, hint: None });
        }
        Ok(notices)
    }

    /// True if none of the searched trees has a document.
    pub(super) fn is_empty(&self, snapshot: &Snapshot, scope: &Scope) -> bool {
        let documents = document_counts(snapshot);
        self.searched(scope).all(|tree| !documents.contains_key(&tree.name))
    }

    /// Names the searched trees that have no documents, and the files that they contain instead.
    pub(super) fn empty_trees(&self, snapshot: &Snapshot, scope: &Scope) -> Vec<Notice> {
        let documents = document_counts(snapshot);
        let empty = self.searched(scope).filter(|tree| !documents.contains_key(&tree.name));
        empty.filter_map(no_documents).take(MAX_SUGGESTIONS).collect()
    }

    fn searched<'a>(&'a self, scope: &'a Scope) -> impl Iterator<Item = &'a Tree> {
        let is_named = |tree: &&Tree| scope.trees.is_empty() || scope.trees.contains(&tree.name);
        self.config.trees.iter().filter(is_named)
    }

    /// Counts the sections that match all required parts.
    fn count(&self, snapshot: &Snapshot, query: &Expr, scope: &Scope) -> Result<usize> {
        let found = self.matches(snapshot, query, scope, &self.config.search)?;
        Ok(if found.relaxed == Some(RelaxReason::NothingHasAll) { 0 } else { found.total })
    }
}

/// Returns the scope without each of its conditions in turn, with the condition that was dropped.
fn looser_scopes(scope: &Scope) -> Vec<(Condition, Scope)> {
    let Scope { trees, paths, tags, properties, kinds, .. } = scope.clone();
    let mut looser = Vec::new();
    if !trees.is_empty() {
        let names = trees.iter().map(ToString::to_string).collect();
        looser.push((Condition::Trees(names), Scope { trees: Vec::new(), ..scope.clone() }));
    }
    if !paths.is_empty() {
        looser.push((Condition::Paths(paths), Scope { paths: Vec::new(), ..scope.clone() }));
    }
    if !tags.is_empty() {
        looser.push((Condition::Tags(tags), Scope { tags: Vec::new(), ..scope.clone() }));
    }
    if !properties.is_empty() {
        let names = properties.iter().map(ToString::to_string).collect();
        looser.push((Condition::Properties(names), Scope { properties: Vec::new(), ..scope.clone() }));
    }
    if !kinds.is_empty() {
        let names = kinds.iter().map(|kind| kind.as_str().to_owned()).collect();
        looser.push((Condition::Kinds(names), Scope { kinds: Vec::new(), ..scope.clone() }));
    }
    looser
}

/// Counts the documents with text in each tree; trees without any are omitted.
fn document_counts(snapshot: &Snapshot) -> BTreeMap<TreeName, usize> {
    let manifest = manifest_of(snapshot).unwrap_or_default();
    let mut documents = BTreeMap::new();
    for (tree, _, _) in manifest.documents() {
        *documents.entry(tree.clone()).or_default() += 1;
    }
    documents
}

/// Returns the notice that a tree has no documents; `None` if its root can't be read, which the answer reports anyway.
fn no_documents(tree: &Tree) -> Option<Notice> {
    // This walk costs as much as the one before every answer.
    let scan = corpus::walk(tree, WalkDetail::Everything);
    if let Some(Skip::Unreadable(_)) = scan.skipped.get("") {
        return None;
    }
    let message = format!("tree `{}` ({}) has no documents", tree.name, tree.root.display());
    let verdicts = |wanted: fn(&Verdict) -> bool| {
        scan.others.iter().filter(|path| wanted(&tree.filter.verdict(path))).count()
    };
    let wrong_type = verdicts(|verdict| *verdict == Verdict::WrongType);
    let filtered = verdicts(|verdict| matches!(verdict, Verdict::Excluded(_) | Verdict::NotIncluded));
    let files = |number: usize| if number == 1 { "1 file".to_owned() } else { format!("{number} files") };
    let mut hints = Vec::new();
    if !scan.files.is_empty() {
        hints.push(format!("{} without text", files(scan.files.len())));
    }
    if wrong_type > 0 {
        let types = "indexed only if `include` names them";
        hints.push(format!("{} of other types ({types})", files(wrong_type)));
    }
    if filtered > 0 {
        hints.push(format!("{} left out by its `include` and `exclude` patterns", files(filtered)));
    }
    if !scan.ignored.is_empty() {
        let entries = if scan.ignored.len() == 1 { "entry" } else { "entries" };
        hints.push(format!("{} {entries} that ignore files leave out", scan.ignored.len()));
    }
    let hint = (!hints.is_empty()).then(|| format!("it has {}", hints.join("; ")));
    Some(Notice { message, hint })
}

/// Returns the query with each required part dropped or loosened in turn, with the condition that was changed.
fn looser_queries(query: &Expr) -> Vec<(Condition, Expr)> {
    let items = match query {
        Expr::And(items) => items.as_slice(),
        single => std::slice::from_ref(single),
    };
    let mut looser = Vec::new();
    for (nr, item) in items.iter().enumerate() {
        let others = || items.iter().enumerate().filter(move |(other, _)| *other != nr).map(|(_, item)| item);
        let name = item.to_string();
        if let Some(apart) = taken_apart(item) {
            let condition = match item {
                Expr::Phrase(_) => Condition::Phrase(name.clone()),
                _ => Condition::Field(name.clone()),
            };
            let query = Expr::all(others().cloned().chain([apart]));
            looser.extend(query.map(|query| (condition, query)));
        }
        let says_something = others().any(|item| !item.only_excludes());
        if says_something && !matches!(item, Expr::Word(_)) {
            looser.extend(Expr::all(others().cloned()).map(|query| (Condition::Part(name), query)));
        }
    }
    looser
}

/// Splits a phrase into its words, and lifts the restriction of a part to one field.
fn taken_apart(item: &Expr) -> Option<Expr> {
    match item {
        Expr::Phrase(text) => {
            let words = text.split_whitespace().map(|word| Expr::Word(word.to_owned()));
            Expr::all(words).filter(|apart| *apart != Expr::Word(text.clone()))
        }
        // The name of a tree, path, language or document isn't a word to search for.
        Expr::Field { field, .. } if *field == Field::Path || field.is_filter() => None,
        Expr::Field { expr, .. } => Some((**expr).clone()),
        _ => None,
    }
}

/// Returns the document or directory in the searched trees that ends with a path, or is most similar to it.
fn similar_path(snapshot: &Snapshot, scope: &Scope, path: &str) -> Option<String> {
    let wanted = path.trim_start_matches("./").trim_matches('/');
    let manifest = manifest_of(snapshot).unwrap_or_default();
    let is_searched = |tree: &TreeName| scope.trees.is_empty() || scope.trees.contains(tree);
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for (_, path, _) in manifest.documents().filter(|(tree, ..)| is_searched(tree)) {
        known.extend(path.match_indices('/').map(|(end, _)| &path[..end]).chain([path]));
    }
    let ends = |known: &&&str| known.strip_suffix(wanted).is_some_and(|before| before.ends_with('/'));
    let longer = known.iter().find(ends).copied();
    longer.or_else(|| text::nearest(wanted, known.iter().copied()).first().copied()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query;

    #[test]
    fn each_required_part_is_loosened_in_turn() {
        for (text, expected) in [
            ("word", &[][..]),
            ("\"two words\"", &["two words"]),
            ("a \"b c\"", &["a b c", "a"]),
            ("title:x y", &["y x", "y"]),
            ("a -b", &["a"]),
            ("-b a tree:docs", &["a tree:docs", "-b a"]),
            ("path:x/ a", &["a"]),
        ] {
            let query = query::parse(text).unwrap().query;
            let looser: Vec<String> =
                looser_queries(&query).into_iter().map(|(_, query)| query.to_string()).collect();
            assert_eq!(looser, expected, "{text}");
        }
    }
}

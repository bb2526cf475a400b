//! The trees, the index, and where the knowledge is.

use std::collections::BTreeMap;

use maud::{Markup, html};
use ra_core::kb::ListedDocument;

use super::Linking;
use crate::answers::{Ignored, Status, TreeStatus, byte_size, time};
use crate::web::charts::{bars, treemap};
use crate::web::frame::{capitalized, counted, number};
use crate::web::links::query;

/// How many kinds of files, languages and formats are shown.
const MAX_BARS: usize = 10;

/// The treemap goes down until it has this many tiles, to documents if there are few directories.
const MIN_TILES: usize = 12;
const MAX_LEVELS: usize = 4;

pub(super) fn body(status: &Status, documents: &[ListedDocument], linking: Linking) -> Markup {
    let tokens: usize = documents.iter().map(|document| document.tokens).sum();
    let chunks: usize = documents.iter().map(|document| document.chunks).sum();
    let index = &status.index;
    html! {
        dl .tiles {
            div { dt { "Documents" } dd { (number(documents.len())) } }
            div { dt { "Sections" } dd { (number(chunks)) } }
            div { dt { "Tokens" } dd { (number(tokens)) } }
            div { dt { "Index" } dd class=(if index.status == "current" { "good" } else { "bad" }) { (index.status) } }
            div { dt { "Index size" } dd { (byte_size(index.bytes)) } }
            @if let Some(updated) = index.updated { div { dt { "Last commit" } dd { (time::age(updated)) } } }
        }
        section {
            h2 { "Trees" }
            div .scroll tabindex="0" role="region" aria-label="Trees" { (trees(status)) }
            p .hint {
                "Index: " code { (index.path) }
                @if let Some(updated) = index.updated { ", last commit " (time::rfc3339(updated)) }
                @if let (Some(encoded), Some(missing)) = (index.encoded, index.not_encoded) {
                    ", " (number(encoded)) " of " (counted(encoded + missing, "document")) " can be found by meaning"
                }
            }
        }
        section .columns {
            div { h2 { "Languages" } (languages(status)) }
            div { h2 { "Formats" } (bars(&formats(documents), MAX_BARS)) }
            div { h2 { "Changed" } (bars_in_order(&ages(documents))) }
        }
        section {
            h2 { "Where the knowledge is" }
            p .hint { "Tokens by directory, or by document if there are few directories." }
            (where_it_is(documents, linking))
        }
        (skipped(status))
    }
}

fn trees(status: &Status) -> Markup {
    html! {
        table .plain {
            thead { tr { th scope="col" { "Tree" } th scope="col" .num { "Documents" } th scope="col" .num { "Sections" } th scope="col" .num { "Size" } th scope="col" { "Directory" } } }
            tbody {
                @for tree in &status.trees {
                    tr {
                        th scope="row" { (tree.name) }
                        td .num { (number(tree.documents)) }
                        td .num { (tree.chunks.map_or_else(|| "–".to_owned(), number)) }
                        td .num { (byte_size(tree.bytes)) }
                        td { code { (tree.path) } @if let Some(problem) = &tree.problem { p .problem { (problem) } } }
                    }
                }
            }
        }
    }
}

fn languages(status: &Status) -> Markup {
    let values: Vec<(String, usize)> = status
        .index
        .languages
        .iter()
        .map(|(code, documents)| ((*code).to_owned(), usize::try_from(*documents).unwrap_or(usize::MAX)))
        .collect();
    match values.is_empty() {
        true => html! { p .hint { "No language was detected." } },
        false => bars(&values, MAX_BARS),
    }
}

fn formats(documents: &[ListedDocument]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for document in documents {
        *counts.entry(document.kind.as_str()).or_default() += 1;
    }
    counts.into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect()
}

/// Counts documents by the time of their last change, the newest first.
fn ages(documents: &[ListedDocument]) -> Vec<(String, usize)> {
    let spans =
        [("today", 1), ("this week", 7), ("this month", 31), ("this year", 366), ("earlier", i64::MAX)];
    let mut counts = spans.map(|(name, _)| (name.to_owned(), 0));
    for document in documents {
        let age = time::days_since(document.modified);
        let nr = spans.iter().position(|(_, days)| age < *days).unwrap_or(spans.len() - 1);
        counts[nr].1 += 1;
    }
    counts.into_iter().filter(|(_, count)| *count > 0).collect()
}

fn bars_in_order(values: &[(String, usize)]) -> Markup {
    html! { @for pair in values { (bars_of_one(pair, values)) } }
}

/// Returns one bar, in proportion to the largest of all.
fn bars_of_one((name, value): &(String, usize), all: &[(String, usize)]) -> Markup {
    let largest = all.iter().map(|(_, value)| *value).max().unwrap_or(1).max(1);
    html! {
        div .row-bar {
            span { (name) }
            svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
                rect width=(format!("{:.2}", 100.0 * *value as f64 / largest as f64)) height="8" {}
            }
            span .num { (number(*value)) }
        }
    }
}

/// Sums tokens by directory, down to a number of levels; `None` means documents.
fn tokens_by_place(documents: &[ListedDocument], levels: Option<usize>) -> BTreeMap<String, usize> {
    let mut tokens: BTreeMap<String, usize> = BTreeMap::new();
    for document in documents {
        let parts: Vec<&str> = document.id.path.split('/').collect();
        let shown = levels.map_or(parts.len(), |levels| levels.min(parts.len() - 1));
        *tokens.entry(format!("{}:{}", document.id.tree, parts[..shown].join("/"))).or_default() +=
            document.tokens;
    }
    tokens
}

fn where_it_is(documents: &[ListedDocument], linking: Linking) -> Markup {
    let mut levels = (1..=MAX_LEVELS).map(|levels| tokens_by_place(documents, Some(levels)));
    let tokens = levels.find(|tokens| tokens.len() >= MIN_TILES);
    let tokens = tokens.unwrap_or_else(|| tokens_by_place(documents, None));
    let url = |place: &str| {
        let (tree, path) = place.split_once(':').unwrap_or((place, ""));
        match path {
            "" => format!("/?{}", query(&[("q", format!("tree:{tree}"))])),
            _ => format!("/?{}", query(&[("q", format!("tree:{tree}")), ("path", place.to_owned())])),
        }
    };
    treemap(&tokens, (linking == Linking::Pages).then_some(&url))
}

/// Says what of each tree isn't indexed, and why.
fn skipped(status: &Status) -> Markup {
    let is_whole = |tree: &&TreeStatus| {
        tree.skipped_types.is_empty() && tree.refused.is_empty() && tree.ignored.is_none()
    };
    html! {
        section {
            h2 { "What was skipped, and why" }
            @if status.trees.iter().all(|tree| is_whole(&tree)) { p { "No file was skipped because of its type, its content, an ignore file or a pattern." } }
            @for tree in status.trees.iter().filter(|tree| !is_whole(tree)) {
                h3 { "In the tree " (tree.name) }
                @if !tree.skipped_types.is_empty() {
                    details open {
                        summary { "Because of their type · " (counted(tree.skipped_types.values().sum(), "file")) }
                        (bars(&by_extension(&tree.skipped_types), MAX_BARS))
                    }
                }
                @for (reason, types) in &tree.refused {
                    details open {
                        summary { (capitalized(reason)) " · " (counted(types.values().sum(), "file")) }
                        (bars(&by_extension(types), MAX_BARS))
                    }
                }
                @if let Some(ignored) = &tree.ignored { (left_out(ignored)) }
            }
            p .hint {
                "Hidden files, and the directories " code { ".git" } ", " code { ".ra" } " and " code { "node_modules" }
                " are never read, unless a pattern names a hidden file. " code { "ra inspect FILE" } " says why one file is or isn't indexed."
            }
        }
    }
}

/// Lists what ignore files and patterns leave out of a tree.
fn left_out(ignored: &Ignored) -> Markup {
    let more = ignored.count - ignored.list.len();
    html! {
        details {
            summary { "Left out by ignore files and patterns · " (number(ignored.count)) }
            p .hint { "A directory counts once, with all that it contains. Files that would be documents come first." }
            ul .findings {
                @for entry in &ignored.list { li { code { (entry.path) } ": " (quoted(&entry.reason)) } }
            }
            @if more > 0 { p .hint { (number(more)) " more" } }
        }
    }
}

/// Returns a reason with the pattern in its backticks as code.
fn quoted(reason: &str) -> Markup {
    let parts = reason.split_once('`').and_then(|(before, rest)| Some((before, rest.rsplit_once("` ")?)));
    match parts {
        Some((before, (pattern, after))) => html! { (before) code { (pattern) } " " (after) },
        None => html! { (reason) },
    }
}

fn by_extension(types: &BTreeMap<String, usize>) -> Vec<(String, usize)> {
    let name = |name: &str| if name.is_empty() { "no extension".to_owned() } else { format!(".{name}") };
    types.iter().map(|(extension, count)| (name(extension), *count)).collect()
}

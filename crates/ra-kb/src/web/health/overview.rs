//! The trees, the index, and where the knowledge is.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use maud::{Markup, html};
use ra_core::kb::ListedDocument;
use ra_core::kind::DocumentKind;

use super::Linking;
use crate::answers::{Ignored, Status, TreeStatus, byte_size};
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
            @if let Some(updated) = &index.updated { div { dt { "Last commit" } dd { (age(updated)) } } }
        }
        section {
            h2 { "Trees" }
            div .scroll tabindex="0" role="region" aria-label="Trees" { (trees(status)) }
            p .hint {
                "Index: " code { (index.path) }
                @if let Some(updated) = &index.updated { ", last commit " (updated) }
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
        *counts.entry(DocumentKind::of_path(&document.id.path).as_str()).or_default() += 1;
    }
    counts.into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect()
}

const DAY_SECONDS: i64 = 86_400;

fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
    i64::try_from(now).unwrap_or(i64::MAX)
}

/// Counts documents by the time of their last change, the newest first.
fn ages(documents: &[ListedDocument]) -> Vec<(String, usize)> {
    let spans = [
        ("today", 1),
        ("this week", 7),
        ("this month", 31),
        ("this year", 366),
        ("earlier", i64::MAX / DAY_SECONDS),
    ];
    let mut counts = spans.map(|(name, _)| (name.to_owned(), 0));
    let now = now();
    for document in documents {
        let seconds = now.saturating_sub(document.modified / 1_000_000_000);
        let nr = spans.iter().position(|(_, days)| seconds < days * DAY_SECONDS).unwrap_or(spans.len() - 1);
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

/// Returns how long ago a time was. It is in UTC as RFC 3339.
fn age(updated: &str) -> String {
    let number = |range: std::ops::Range<usize>| updated.get(range).and_then(|part| part.parse::<i64>().ok());
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else {
        return updated.to_owned();
    };
    let clock = [number(11..13), number(14..16), number(17..19)].map(Option::unwrap_or_default);
    let (year_from_march, month_from_march) =
        if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year_from_march / 4 - year_from_march / 100 + year_from_march / 400;
    let days = 365 * year_from_march + leap_days + (153 * month_from_march + 2) / 5 + day - 1 - 719_468;
    let then = days * DAY_SECONDS + clock[0] * 3600 + clock[1] * 60 + clock[2];
    match now().saturating_sub(then) {
        seconds @ ..60 => format!("{} s ago", seconds.max(0)),
        seconds @ ..3600 => format!("{} min ago", seconds / 60),
        seconds @ ..DAY_SECONDS => format!("{} h ago", seconds / 3600),
        seconds => counted(usize::try_from(seconds / DAY_SECONDS).unwrap_or_default(), "day") + " ago",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_told_in_the_nearest_unit() {
        let at = |seconds: i64| crate::answers::rfc3339((now() - seconds) * 1_000_000_000);
        for (seconds, text) in [(120, "2 min ago"), (7300, "2 h ago"), (3 * DAY_SECONDS + 60, "3 days ago")] {
            assert_eq!(age(&at(seconds)), text);
        }
        assert_eq!(age("never"), "never");
    }
}

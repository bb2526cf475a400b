//! The answer to a search: notes, the bar for copying, and the results.

use maud::{Markup, html};
use ra_core::kb::{Answer, SearchAnswers};
use ra_core::retrieval::Passage;
use ra_core::text::Span;
use ra_core::text::escape::MARK;

use super::elsewhere;
use super::explain;
use super::filters;
use super::params::{PagePart, SearchParams, USUAL_LIMIT};
use super::{BUDGETS, USUAL_BUDGET};
use crate::answers::{QueryAnswer, SearchItem, SearchReport};
use crate::layout::Composition;
use crate::web::frame::{counted, inline_code, number};
use crate::web::links::{id_url, read_url};
use crate::web::markdown::DocumentText;

/// The length of an excerpt in bytes.
const EXCERPT_BYTES: usize = 280;

pub(super) fn body(params: &SearchParams, answers: &SearchAnswers, report: &SearchReport) -> Markup {
    let (Some(answer), Some(shown)) = (answers.answers.first(), report.queries.first()) else {
        return html! { section .results { p { "There is no answer." } } };
    };
    let filters = filters::body(params, shown.facets.as_ref());
    if params.part == PagePart::Filters {
        return filters;
    }
    html! {
        a .skip href="#count" { "Skip the filters" }
        (filters)
        section .results aria-label="Results" {
            p #count role="status" tabindex="-1" { (count(answer.summary.total, shown)) }
            @for warning in &report.index.warnings { p .problem { (warning) } }
            @if let Some(why) = &report.index.stale { p .problem { "This answer may be out of date: " (why) } }
            @for note in &shown.notes {
                p .note { (note.message) @if let Some(hint) = &note.hint { " " span .hint { (hint) } } }
            }
            (spelling(params, shown))
            @if !shown.results.is_empty() { (toolbar(params)) }
            ol .hits {
                @for (nr, item) in shown.results.iter().enumerate() {
                    @if shown.partial_from == Some(nr + 1) && nr > 0 {
                        li .divider { "From here on, each result lacks one of: " (shown.missing_words.join(", ")) }
                    }
                    li { (result(nr, item, answer)) }
                }
            }
            @if answer.summary.total > shown.results.len() && shown.results.len() >= params.limit() && params.limit() < 100 {
                @let more = SearchParams { limit: Some((params.limit() * 2).clamp(USUAL_LIMIT * 2, 100)), ..params.clone() };
                p .more { a .button href=(more.url()) data-swap { "More results" } }
            }
        }
    }
}

fn count(total: usize, shown: &QueryAnswer) -> String {
    match (total, shown.results.len()) {
        (0, 0) => "Nothing matches.".to_owned(),
        (total, results) => {
            let matching = counted(total.max(1), "matching section");
            format!("{} from {matching}", counted(results, "result"))
        }
    }
}

/// Shows the words that no section has, and similar queries that match something.
fn spelling(params: &SearchParams, shown: &QueryAnswer) -> Markup {
    let with_query = |query: &str| SearchParams { query: query.to_owned(), language: None, ..params.clone() };
    let lost = |word: &&String| !shown.nearest_words.iter().any(|unknown| unknown.word == **word);
    let lost: Vec<&str> = shown.unknown_words.iter().filter(lost).map(String::as_str).collect();
    html! {
        @if let Some(reason) = shown.relaxed_because {
            p .note { "Because " (reason) ", those with most of them follow." }
        }
        @if !lost.is_empty() { p .note { "No section has " (lost.join(", ")) "." } }
        @for unknown in &shown.nearest_words {
            p .note {
                "No section has “" (unknown.word) "”. "
                @if unknown.looked_for { "Searched for instead: " } @else { "Did you mean " }
                @for (nr, word) in unknown.nearest.iter().enumerate() {
                    @if nr > 0 { ", " }
                    a href=(with_query(&params.query.replace(&unknown.word, word)).url()) data-swap { (word) }
                }
            }
        }
        @for offer in &shown.would_match {
            p .note {
                (counted(offer.matches, "section")) " without " code { (offer.without) } ": "
                a href=(with_query(&offer.query).url()) data-swap { (offer.query) }
            }
        }
    }
}

/// The bar with the text to copy, and how to get the same answer elsewhere.
fn toolbar(params: &SearchParams) -> Markup {
    html! {
        div .toolbar {
            form #copying method="get" action="/context.txt" {
                @for (name, value) in crate::web::links::parameters(Some(&params.text())) {
                    input type="hidden" name=(name) value=(value);
                }
                label for="budget" { "Context for a model, up to" }
                select #budget name="budget" {
                    @for budget in BUDGETS {
                        option value=(budget) selected[budget == USUAL_BUDGET] { (number(budget)) " tokens" }
                    }
                }
                button #copy { "Show as text" }
                meter #meter min="0" max=(USUAL_BUDGET) value="0" aria-label="Tokens of the budget that the context takes" hidden {}
                output #tokens for="budget" {}
            }
            details .elsewhere {
                summary { "Same answer elsewhere" }
                (elsewhere::body(params))
            }
        }
    }
}

fn result(nr: usize, item: &SearchItem, answer: &Answer) -> Markup {
    let passage = &item.text.passage;
    let excerpt = item.text.excerpt(EXCERPT_BYTES);
    let doc = &passage.id.doc;
    let line = DocumentText {
        doc,
        kind: passage.kind,
        text: &excerpt.text,
        matches: &excerpt.matches,
        sections: &[],
        view: None,
    };
    let url = read_url(&passage.id);
    let is_nested = item.breadcrumb != item.title;
    html! {
        article .hit id={ "hit-" (nr) } {
            @if is_nested { p .crumbs { (inline_code(&item.breadcrumb)) } }
            h2 { a .title href=(url) { (inline_code(&item.title)) } }
            p .excerpt { (line.line()) }
            p .facts {
                span .tree { (item.tree) }
                span .file { (item.path) }
                span { "lines " (item.lines.0) "–" (item.lines.1) }
                @if let Some((first, last)) = item.pages {
                    span { @if first == last { "page " (first) } @else { "pages " (first) "–" (last) } }
                }
                span { (number(item.tokens)) " tokens" }
                @if !item.also.is_empty() { span { (counted(item.also.len(), "further section")) } }
                @if !item.parts.is_empty() { span { (counted(item.parts.len(), "matching section")) " merged" } }
            }
            @if !item.translations.is_empty() {
                p .facts .translations {
                    span { "Translations:" }
                    @for other in &item.translations { a href=(id_url(other)) { (distinct_part(&item.path, other)) } }
                }
            }
            details .passage open[nr == 0] {
                summary { "Passage" span .visually-hidden { " of " (item.title) } }
                div .prose tabindex="0" role="group" aria-label={ "Passage of " (item.title) } { (passage_html(item)) }
            }
            details .why {
                summary { "Why this result" span .visually-hidden { ": " (item.title) } }
                (explain::body(passage, answer))
            }
        }
    }
}

/// Returns the part of the path of a translation that tells it from another, such as `de` in `content/de/guide.md`.
fn distinct_part<'a>(path: &str, translation: &'a str) -> &'a str {
    let other = translation.split_once(':').map_or(translation, |(_, path)| path);
    let mut pairs = other.split('/').zip(path.split('/'));
    pairs.find(|(other, own)| other != own).map_or(other, |(other, _)| other)
}

/// Returns the text of a result, with its matches marked.
fn passage_html(item: &SearchItem) -> Markup {
    let (text, matches) = with_spaced_markers(&item.text.body);
    let Passage { id, kind, .. } = &item.text.passage;
    DocumentText { doc: &id.doc, kind: *kind, text: &text, matches: &matches, sections: &[], view: None }
        .html()
}

/// Adds an empty line after each line that says what is omitted, so it is a paragraph of its own.
fn with_spaced_markers(body: &Composition) -> (String, Vec<Span>) {
    let mut text = String::with_capacity(body.text.len());
    // Where lines were added, in the original text.
    let mut added = Vec::new();
    let mut at = 0;
    for line in body.text.split_inclusive('\n') {
        text.push_str(line);
        at += line.len();
        let is_source = body.sources.iter().any(|source| source.span.start < at && source.span.end >= at);
        if line.starts_with(MARK) && !is_source {
            text.push('\n');
            added.push(at);
        }
    }
    let shift = |at: usize| at + added.iter().filter(|added| **added <= at).count();
    let matches = body.matches.iter().map(|span| Span::new(shift(span.start), shift(span.end)));
    (text, matches.collect())
}

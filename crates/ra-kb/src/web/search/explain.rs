//! A picture of what the score of a result is made of.

use maud::{Markup, html};
use ra_core::kb::Answer;
use ra_core::retrieval::{Passage, TracedHit};

/// A part of a score.
struct Share {
    name: String,
    value: f32,
    /// The number of its color in the style sheet.
    color: usize,
}

/// How many colors the style sheet has for words; later words begin again.
const WORD_COLORS: usize = 6;
const DOCUMENT_COLOR: usize = 6;
const PROXIMITY_COLOR: usize = 7;

pub(super) fn body(passage: &Passage, answer: &Answer) -> Markup {
    let doc = passage.id.doc.to_string();
    let ords: Vec<u32> = match passage.parts.as_slice() {
        [] => vec![passage.ord],
        parts => parts.iter().map(|part| part.ord).collect(),
    };
    let mut hits: Vec<&TracedHit> =
        answer.trace.hits.iter().filter(|hit| *hit.doc == *doc && ords.contains(&hit.ord)).collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    let title = |hit: &TracedHit| {
        let part = passage.parts.iter().find(|part| part.ord == hit.ord);
        part.map_or_else(|| passage.title.clone(), |part| part.title.clone())
    };
    html! {
        div .explained {
            @if hits.is_empty() {
                p { "It was found by its meaning, or represents sections whose scores were not kept." }
            }
            @for hit in &hits {
                @if hits.len() > 1 { h3 { (title(hit)) } }
                (picture(hit, answer))
            }
            @if hits.len() > 1 {
                p { "These sections were merged into one result, with the score " (format!("{:.3}", passage.score)) "." }
            }
        }
    }
}

fn picture(hit: &TracedHit, answer: &Answer) -> Markup {
    let shares = shares(hit, answer);
    let raw: f32 = shares.iter().map(|share| share.value).sum();
    let positions = shares.iter().scan(0.0, |at, share| {
        let start = *at;
        *at += 100.0 * share.value / raw;
        Some(start)
    });
    let placed: Vec<(&Share, f32)> = shares.iter().zip(positions).collect();
    let near = [("Page", hit.similarity.page), ("Passage", hit.similarity.passage)];
    let near: Vec<(&str, f32)> = near.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    html! {
        @if raw > 0.0 {
            svg .stack viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
                @for (share, at) in &placed {
                    @let width = 100.0 * share.value / raw;
                    rect class={ "c" (share.color) } x=(format!("{at:.2}")) width=(format!("{width:.2}")) height="10" {}
                }
            }
            table .shares {
                caption { "What the words contribute" }
                @for share in &shares {
                    tr {
                        td { svg .key viewBox="0 0 10 10" aria-hidden="true" { rect class={ "c" (share.color) } width="10" height="10" rx="2" {} } }
                        th scope="row" { (share.name) }
                        td .num { (format!("{:.2}", share.value)) }
                        td .num { (format!("{:.0}", 100.0 * share.value / raw)) " %" }
                    }
                }
            }
        }
        p .sum {
            (format!("{raw:.2}"))
            @let scaled = raw * hit.title / answer.trace.best_possible.max(f32::MIN_POSITIVE);
            @let boost = if scaled > 0.0 { hit.lexical / scaled } else { 1.0 };
            @if hit.title > 1.0 { " × " (format!("{:.2}", hit.title)) " for the title" }
            @if answer.trace.best_possible > 0.0 { " ÷ " (format!("{:.2}", answer.trace.best_possible)) ", the best possible" }
            @if (boost - 1.0).abs() > 0.01 { " × " (format!("{boost:.2}")) " because the tree is the project's own" }
            " = " strong { (format!("{:.3}", hit.lexical)) } " by words"
        }
        @if !near.is_empty() {
            table .bars {
                caption { "How near it is to the question in meaning" }
                @for (name, value) in near {
                    tr {
                        th scope="row" { (name) }
                        td .bar aria-hidden="true" {
                            svg viewBox="0 0 100 8" preserveAspectRatio="none" { rect width=(format!("{:.1}", 100.0 * value.clamp(0.0, 1.0))) height="8" {} }
                        }
                        td .num { (format!("{value:.2}")) }
                    }
                }
            }
        }
        p .sum { "Score: " strong { (format!("{:.3}", hit.score)) } }
    }
}

/// Returns the parts of the raw score, the largest first.
fn shares(hit: &TracedHit, answer: &Answer) -> Vec<Share> {
    let words = &answer.trace.words;
    let name = |nr: u16| words.get(usize::from(nr)).map(|word| word.text.clone()).unwrap_or_default();
    let by_word = hit.words.iter().map(|(nr, value)| Share {
        name: name(*nr),
        value: *value,
        color: usize::from(*nr) % WORD_COLORS,
    });
    let document =
        Share { name: "its whole document".to_owned(), value: hit.document, color: DOCUMENT_COLOR };
    let proximity =
        Share { name: "words near each other".to_owned(), value: hit.proximity, color: PROXIMITY_COLOR };
    let mut shares: Vec<Share> =
        by_word.chain([document, proximity]).filter(|share| share.value > 0.0).collect();
    shares.sort_by(|a, b| b.value.total_cmp(&a.value));
    shares
}

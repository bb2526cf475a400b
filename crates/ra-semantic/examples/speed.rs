//! Prints how long the encoders take: `cargo run --release --example speed`.
//!
//! The first line is the first query of the process, with the page faults of the model.
#![allow(clippy::print_stdout)]

use std::{hint::black_box, time::Instant};

use ra_semantic::{
    PackedPage, PassageTokens, dot_packed, encode_page, encode_passages, encode_query, token_ids,
};

const QUERY: &str = "how do i roll back a failed deployment safely";
const SENTENCE: &str =
    "A controller tracks at least one Kubernetes resource type, and `kubectl` shows its state. ";

/// Runs `work` `runs` times and returns the fastest time in milliseconds.
fn fastest_ms(runs: usize, mut work: impl FnMut()) -> f64 {
    let times = (0..runs).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1000.0
    });
    times.fold(f64::INFINITY, f64::min)
}

fn main() {
    let body = SENTENCE.repeat(150 / SENTENCE.split(' ').count() + 1);
    let first_query = fastest_ms(1, || _ = black_box(encode_query(QUERY)));
    println!("first query of {} tokens: {first_query:.2} ms", token_ids(QUERY, 62).len() + 2);
    let query = fastest_ms(200, || _ = black_box(encode_query(QUERY)));
    println!("warm query: {query:.2} ms");
    let page = fastest_ms(50, || _ = black_box(encode_page(&body)));
    println!("page of {} tokens: {page:.2} ms", token_ids(&body, 126).len() + 2);
    let encode = |count: usize| {
        let bodies = std::iter::repeat_n(&*body, count);
        _ = black_box(encode_passages(&PassageTokens::of_section("Controllers", bodies)));
    };
    let first_section = fastest_ms(1, || encode(1));
    println!("first section: {first_section:.2} ms");
    let section = fastest_ms(2000, || encode(1));
    let words = body.split_whitespace().count();
    println!("sections of {words} words, {} tokens: {:.0}/s", token_ids(&body, 448).len(), 1000.0 / section);
    let sixteen = fastest_ms(500, || encode(16));
    println!("sixteen passages at once: {:.0} µs each", sixteen * 1000.0 / 16.0);
    let tokens = fastest_ms(2000, || _ = black_box(token_ids(&body, 448)));
    println!("of that, tokenizing: {:.1} µs of {:.1} µs", tokens * 1000.0, section * 1000.0);
    let (query, stored) = (encode_query(QUERY).page, PackedPage::new(&encode_page(&body)));
    let dot = || _ = black_box(dot_packed(&query, stored.scale, black_box(&stored.steps)));
    let dots = fastest_ms(20, || (0..10_000).for_each(|_| dot()));
    println!("10,000 dot products: {dots:.2} ms");
}

//! Measures how fast documents are parsed and outlined, in bytes per second on one core.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ra_core::document::{DocumentKind, ParseOptions, parse};

/// The words of the generated text: enough that no line repeats for a while.
const WORDS: &[&str] = &[
    "the",
    "index",
    "is",
    "read",
    "from",
    "disk",
    "when",
    "a",
    "query",
    "arrives",
    "and",
    "every",
    "section",
    "keeps",
    "its",
    "place",
    "in",
    "document",
    "`Config::load`",
    "returns",
    "*all*",
    "problems",
    "at",
    "once",
    "with",
    "line",
    "numbers",
    "see",
    "[the guide](../guide/start.md#setup)",
    "for",
    "**details**",
    "or",
    "[[Notes|notes]]",
    "über",
    "naïve",
    "検索",
    "#howto",
    "snake_case",
    "don't",
    "v1.2.3",
    "https://example.org/a_b",
    "&amp;",
    "<br>",
    "e.g.",
    "1,000",
];

/// Pseudo-random numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn sentence(&mut self, words: usize) -> String {
        let picked: Vec<&str> = (0..words).map(|_| WORDS[self.roll(WORDS.len())]).collect();
        picked.join(" ")
    }
}

/// Returns realistic documentation: front matter, headings, prose, lists, tables, quotes and code.
fn documentation(bytes: usize) -> String {
    let mut dice = Dice(7);
    let mut text =
        String::from("---\ntitle: A Handbook\ntags: [guide, reference]\ndescription: All of it.\n---\n\n");
    let mut nr = 0;
    while text.len() < bytes {
        nr += 1;
        let level = 1 + dice.roll(4);
        text.push_str(&format!("{} {} {nr}\n\n", "#".repeat(level), dice.sentence(3)));
        for _ in 0..1 + dice.roll(4) {
            match dice.roll(8) {
                0 => {
                    for _ in 0..4 {
                        text.push_str(&format!("- {}\n", dice.sentence(9)));
                    }
                }
                1 => {
                    text.push_str("```rust\n# not a heading\nfn main() {\n    let x = vec![1, 2, 3];\n");
                    text.push_str(&format!("    // {}\n}}\n```\n", dice.sentence(8)));
                }
                2 => {
                    text.push_str("| name | value |\n| --- | --- |\n");
                    for _ in 0..3 {
                        text.push_str(&format!("| {} | {} |\n", dice.sentence(2), dice.sentence(4)));
                    }
                }
                3 => text.push_str(&format!("> {}\n> {}\n", dice.sentence(10), dice.sentence(7))),
                _ => {
                    for _ in 0..4 {
                        text.push_str(&dice.sentence(14));
                        text.push('\n');
                    }
                }
            }
            text.push('\n');
        }
    }
    text
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    for (name, kind, bytes) in [
        ("page of 8 kB", DocumentKind::Markdown, 8 << 10),
        ("book of 1 MB", DocumentKind::Markdown, 1 << 20),
        ("plain text of 1 MB", DocumentKind::Plain, 1 << 20),
    ] {
        let text = documentation(bytes);
        let options = ParseOptions { kind, file_name: "handbook.md", chunk_at_headings: true };
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(name), &text, |bencher, text| {
            bencher.iter(|| parse(text, &options));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);

//! Writes `src/tokenizer/char_ranges.rs` to standard output. Runs when the tables need an update.
#![allow(clippy::print_stdout)]

use unicode_categories::UnicodeCategories;

const MAX_RANGE_CHARS: u32 = 256;

/// Lists runs of matching characters as `first << 8 | count - 1`.
fn ranges(matches: impl Fn(char) -> bool) -> Vec<u32> {
    let mut ranges: Vec<u32> = Vec::new();
    let mut next = 0;
    for code in (0x80..=0x0010_ffff).filter(|&code| char::from_u32(code).is_some_and(&matches)) {
        match ranges.last_mut() {
            Some(range) if code == next && (*range & 0xff) + 1 < MAX_RANGE_CHARS => *range += 1,
            _ => ranges.push(code << 8),
        }
        next = code + 1;
    }
    ranges
}

fn print(name: &str, doc: &str, ranges: &[u32]) {
    println!("\n/// {doc}\npub(crate) static {name}: [u32; {}] = [", ranges.len());
    for line in ranges.chunks(8) {
        println!("    {},", line.iter().map(|range| format!("{range:#x}")).collect::<Vec<_>>().join(", "));
    }
    println!("];");
}

fn main() {
    println!(
        "//! Character categories outside ASCII, in the Unicode version that the `tokenizers` crate uses."
    );
    println!("//! Written by `examples/char_ranges.rs`. Each number is `first << 8 | count - 1`.");
    let mark = "Nonspacing marks (Mn): removed after decomposition.";
    print("MARK_RANGES", mark, &ranges(|c| c.is_mark_nonspacing()));
    let removed =
        "Control, format and private-use characters (Cc, Cf, Co), except the large private-use areas.";
    print("REMOVED_RANGES", removed, &ranges(|c| c.is_other() && !c.is_other_private_use()));
    let punctuation = "Punctuation (P*): each character is a word.";
    print("PUNCTUATION_RANGES", punctuation, &ranges(|c| c.is_punctuation()));
}

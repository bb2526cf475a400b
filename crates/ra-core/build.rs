//! Lays out what counting tokens needs as tables that are part of the binary and need no loading:
//! the vocabulary of the cl100k_base encoding, and which characters are letters.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use regex_syntax::hir::{Class, HirKind};

#[path = "src/tokens/hash.rs"]
mod hash;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tokens/hash.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names the directory"));
    let write =
        |name: &str, bytes: &[u8]| fs::write(out.join(name), bytes).expect("the directory can be written to");
    let vocabulary = Vocabulary::new();
    write("cl100k_slots", &numbers(&vocabulary.slots));
    write("cl100k_pairs", &numbers(&vocabulary.pairs));
    write("cl100k_starts", &numbers(&vocabulary.starts));
    write("cl100k_bytes", &vocabulary.bytes);
    write("letters.rs", letters().as_bytes());
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().copied().flat_map(u32::to_le_bytes).collect()
}

/// The tables that `src/tokens/vocabulary.rs` reads.
struct Vocabulary {
    slots: Vec<u32>,
    pairs: Vec<u32>,
    starts: Vec<u32>,
    bytes: Vec<u8>,
}

impl Vocabulary {
    fn new() -> Vocabulary {
        let encoding = tiktoken::get_encoding("cl100k_base").expect("the crate is built with this encoding");
        let (slots, pairs) = (vec![0; hash::SLOTS], vec![0; 1 << 16]);
        let mut tables = Vocabulary { slots, pairs, starts: vec![0], bytes: Vec::new() };
        for rank in 0..encoding.vocab_size() as u32 {
            let token = encoding.decode(&[rank]);
            assert!(!token.is_empty(), "ranks leave no gaps");
            tables.add(rank, &token);
        }
        tables
    }

    fn add(&mut self, rank: u32, token: &[u8]) {
        let (mut slot, mark) = hash::place(token);
        while self.slots[slot] != 0 {
            slot = (slot + 1) % hash::SLOTS;
        }
        self.slots[slot] = mark | (rank + 1);
        if let [first, second] = *token {
            self.pairs[usize::from(u16::from_be_bytes([first, second]))] = rank + 1;
        }
        self.bytes.extend(token);
        self.starts.push(self.bytes.len() as u32);
    }
}

/// The ranges of characters that are letters, as the regular expression of the encoding has them.
fn letters() -> String {
    let parsed = regex_syntax::parse(r"\p{L}").expect("a class is an expression");
    let HirKind::Class(Class::Unicode(class)) = parsed.kind() else { panic!("the expression is a class") };
    let mut source = String::from("/// The first and last characters of the ranges of letters, in order.\n");
    writeln!(source, "static LETTERS: [(char, char); {}] = [", class.ranges().len())
        .expect("a string takes all");
    for range in class.ranges() {
        writeln!(source, "    ({:?}, {:?}),", range.start(), range.end()).expect("a string takes all");
    }
    source + "];\n"
}

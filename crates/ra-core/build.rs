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
    let (slots, starts, bytes) = vocabulary();
    write("cl100k_slots", &slots);
    write("cl100k_starts", &starts);
    write("cl100k_bytes", &bytes);
    write("letters.rs", letters().as_bytes());
}

/// The slots of the table, where each token begins, and the tokens in the order of their ranks.
fn vocabulary() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let encoding = tiktoken::get_encoding("cl100k_base").expect("the crate is built with this encoding");
    let mut slots = vec![0_u32; hash::SLOTS];
    let (mut starts, mut bytes) = (vec![0], Vec::new());
    for rank in 0..encoding.vocab_size() as u32 {
        let token = encoding.decode(&[rank]);
        assert!(!token.is_empty(), "ranks leave no gaps");
        let (mut slot, mark) = hash::place(&token);
        while slots[slot] != 0 {
            slot = (slot + 1) % hash::SLOTS;
        }
        slots[slot] = mark | (rank + 1);
        bytes.extend(token);
        starts.push(bytes.len() as u32);
    }
    let numbers = |numbers: Vec<u32>| numbers.into_iter().flat_map(u32::to_le_bytes).collect();
    (numbers(slots), numbers(starts), bytes)
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

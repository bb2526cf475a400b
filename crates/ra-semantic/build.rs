//! Prepares the vocabulary: a hash table of token ids and the offset of each entry in `vocab.txt`.

use std::{env, error::Error, fs, path::Path};

#[path = "src/tokenizer/hash.rs"]
mod hash;

use hash::{CONTINUATION_PREFIX, EMPTY_SLOT, SLOT_COUNT, extend_hash, first_slot, next_slot, start_hash};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tokenizer/hash.rs");
    println!("cargo::rerun-if-changed=data/vocab.txt");
    let vocabulary = fs::read_to_string("data/vocab.txt")?;
    let directory = env::var("OUT_DIR")?;
    let slots: Vec<u8> = slots(&vocabulary)?.iter().flat_map(|id| id.to_le_bytes()).collect();
    fs::write(Path::new(&directory).join("vocabulary_slots.bin"), slots)?;
    let offsets: Vec<u8> = offsets(&vocabulary).iter().flat_map(|offset| offset.to_le_bytes()).collect();
    fs::write(Path::new(&directory).join("vocabulary_offsets.bin"), offsets)?;
    Ok(())
}

/// Inserts each entry into an open-addressing table with linear probing.
fn slots(vocabulary: &str) -> Result<Vec<u16>, Box<dyn Error>> {
    let mut slots = vec![EMPTY_SLOT; SLOT_COUNT];
    for (id, entry) in vocabulary.lines().enumerate() {
        let piece = entry.strip_prefix(CONTINUATION_PREFIX);
        let hash = piece.unwrap_or(entry).bytes().fold(start_hash(piece.is_some()), extend_hash);
        let mut slot = first_slot(hash);
        while slots[slot] != EMPTY_SLOT {
            slot = next_slot(slot);
        }
        slots[slot] = u16::try_from(id)?;
    }
    Ok(slots)
}

/// Lists where each line starts, and where a line after the last would start.
fn offsets(vocabulary: &str) -> Vec<u32> {
    let ends = vocabulary.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
    std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect()
}

//! Extracts the words of a source file, to find the documentation for it.
//!
//! A text goes through three steps. The [`Language`] follows from the path; a scanner splits programs into comments,
//! strings and code; and the words of these regions are counted, each weighted by its region. A document is one region.
//! Nothing here fails: a text that isn't what its name says still gives words.

mod chars;
mod escapes;
mod keywords;
mod language;
mod license;
mod path;
mod region;
mod sample;
mod scan;
mod split_words;
mod tokens;
mod weight;
mod words;

pub use language::Language;
pub use path::path_words;
use region::Region;
pub use region::RegionKind;
pub use sample::sample;
pub use words::{SourceWord, words};

use region::Tiles;

/// Splits a text into adjacent regions that cover all of it. The path determines the language.
fn regions(path: &str, text: &str) -> Vec<Region> {
    let language = Language::of(path, text);
    let mut tiles = Tiles::new(text, language);
    if language != Language::Prose {
        scan::scan(text, &mut tiles);
    }
    let mut regions = tiles.finish();
    license::ignore(text, &mut regions);
    regions
}

#[cfg(test)]
mod tests;

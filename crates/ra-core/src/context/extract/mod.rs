//! Extracts the words of a source file, to find the documentation for it.
//!
//! A text goes through three steps. The [`Language`] follows from the path; a scanner splits the text into regions
//! (comments, strings, headings, code, …); and the words of the regions are counted, each weighted by its region.
//! Nothing here fails: a text that isn't what its name says still gives words.

mod chars;
mod documents;
mod fences;
mod junk;
mod keywords;
mod language;
mod licence;
mod markup;
mod path;
mod region;
mod sample;
mod scan;
mod split_words;
mod syntax;
mod tokens;
mod weight;
mod words;

pub use language::Language;
pub use path::path_words;
use region::Region;
pub use region::RegionKind;
pub use sample::{is_binary, sample};
pub use words::{SourceWord, words};

use language::Family;
use region::Tiles;

/// A text, split into regions.
struct SplitText {
    /// Adjacent regions that cover all of the text.
    regions: Vec<Region>,
    /// The values of the front matter, each with the kind of region that it counts as.
    values: Vec<(RegionKind, String)>,
}

/// Splits a text into regions. The path determines the language.
fn split(path: &str, text: &str) -> SplitText {
    let language = Language::of(path, text);
    let mut tiles = Tiles::new(text, language);
    let mut values = Vec::new();
    match language.family() {
        Family::Code => scan::scan(text, text.len(), language, &mut tiles),
        Family::Markup => markup::scan(text, &mut tiles),
        Family::Prose => values = documents::scan(text, &mut tiles),
    }
    let mut regions = tiles.finish();
    licence::ignore(text, &mut regions);
    fences::mark(text, &mut regions);
    SplitText { regions, values }
}

#[cfg(test)]
fn regions(path: &str, text: &str) -> Vec<Region> {
    split(path, text).regions
}

#[cfg(test)]
mod tests;

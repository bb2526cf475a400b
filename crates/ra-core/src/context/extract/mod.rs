//! Extracts the words of a source file, to find the documentation for it.
//!
//! A text goes through three steps. The [`Language`] follows from the path; a scanner splits the text into [`Region`]s
//! (comments, strings, headings, code, …); and the words of the regions are counted, each weighted by its region.
//! Nothing here fails: a text that isn't what its name says still gives words.

mod chars;
mod fences;
mod frontmatter;
mod junk;
mod keywords;
mod language;
mod licence;
mod markup;
mod path;
mod prose;
mod region;
mod sample;
mod scan;
mod split;
mod syntax;
mod tokens;
mod weight;
mod words;

pub use language::Language;
pub use path::path_words;
pub use region::{Region, RegionKind};
pub use sample::{is_binary, sample};
pub use words::{SourceWord, words};

use language::Family;
use region::Tiles;

/// Splits a text into adjacent regions that cover all of it. The path determines the language.
pub fn regions(path: &str, text: &str) -> Vec<Region> {
    let language = Language::of(path, text);
    let mut tiles = Tiles::new(text, language);
    match language.family() {
        Family::Code => scan::scan(text, text.len(), language, &mut tiles),
        Family::Markup => markup::scan(text, &mut tiles),
        Family::Prose => prose::scan(text, &mut tiles),
    }
    let mut regions = tiles.finish();
    licence::ignore(text, &mut regions);
    fences::mark(text, &mut regions);
    regions
}

#[cfg(test)]
mod tests;

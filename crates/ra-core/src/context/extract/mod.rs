//! The words of a source file, for finding the documentation that matters for it.
//!
//! A text goes through three steps. The [`Language`] follows from the path; a scanner cuts the text into
//! [`Region`]s (comments, strings, headings, code, …); and the words of the regions are counted, each weighed
//! by where it stands. Nothing here fails: a text that is not what its name says still gives words.

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
pub use sample::{Sample, is_binary, sample};
pub use words::{SourceWord, words};

use language::Family;
use region::Tiles;

/// Cuts a text into regions that touch each other and cover all of it. The path says how to read the text.
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

//! Embedding vectors: texts with the same meaning have similar vectors, even if they share no words.
//!
//! - [`page_text()`] returns the text from which the vector of a page is computed, and [`readable_text`] that of a
//!   section.
//! - [`PageVectors`] stores the vectors of pages, which are computed after indexing.
//! - [`PageIndex`] returns the similarity of a query to each document.
//! - [`EncodedQuery`] returns the similarity of a query to passages, which are encoded on demand.

mod page_index;
mod page_text;
mod page_vectors;
mod query;

pub use self::page_index::{PageIndex, Similarities};
pub use self::page_text::{page_text, readable_text, without_front_matter};
pub use self::page_vectors::{PageKey, PageVectors};
pub use self::query::{EncodedQuery, SectionTokens};
pub use ra_semantic::{PackedPage, encode_page};

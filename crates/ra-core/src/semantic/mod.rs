//! Vectors that stand close together when texts mean the same, whatever their words.
//!
//! - [`page_text`] returns the text that a page is encoded from.
//! - [`PageVectors`] keeps the vectors of pages, which are made when there is time.
//! - [`PageIndex`] tells how near a query is to each document.
//! - [`EncodedQuery`] tells how near a query is to passages, which are encoded when they are needed.

mod page_index;
mod page_text;
mod page_vectors;
mod query;

pub use self::page_index::{PageIndex, Similarities};
pub use self::page_text::{page_text, without_front_matter};
pub use self::page_vectors::{PageKey, PageVectors, StoredVector};
pub use self::query::EncodedQuery;
pub use ra_semantic::encode_page;

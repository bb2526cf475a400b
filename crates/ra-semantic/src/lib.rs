//! Text embeddings for `ra`, computed from models that are part of the binary.
//!
//! Two encoders share one space of 256 dimensions: [`encode_passages`] is a table lookup with a small MLP and
//! encodes thousands of sections per second; [`encode_query`] is a transformer of six layers with 4-bit
//! weights. Before its last projection the transformer also gives a vector of 384 dimensions, in which
//! queries and pages are encoded alike, the latter with [`encode_page`].
//!
//! All vectors have unit length, so the dot product is the cosine. [`PackedPage`] stores that of a
//! page in half a byte per dimension. Results are bit-identical on every CPU. Nothing is loaded before the first use.

#[cfg(test)]
mod determinism;
mod kernel;
mod model;
mod packed_page;
mod query;
mod section;
mod tokenizer;

pub use self::{
    model::{PAGE_DIMENSIONS, SECTION_DIMENSIONS},
    packed_page::{PACKED_PAGE_BYTES, PackedPage, dot_packed},
    query::{PageVector, QueryVectors, encode_page, encode_query},
    section::{PassageTokens, SectionVector, encode_passages},
    tokenizer::{is_in_vocabulary, token_ids},
};

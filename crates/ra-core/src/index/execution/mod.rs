//! Executes a query: compiles it into a plan, finds its terms, and scores the chunks that contain them.
//!
//! | file | does |
//! | --- | --- |
//! | `compile`, `plan`, `notice` | turn a query into a plan of terms |
//! | `term_forms`, `fuzzy`, `dictionary`, `thesaurus` | find the forms of a word that the index has |
//! | `filter`, `field_filter` | restrict a query to trees, paths, tags and languages |
//! | `stored_links` | finds the documents that may link to a page |
//! | `retrieve` | executes a plan; start reading here |
//! | `postings`, `score`, `proximity`, `scored_docs` | find and score the chunks that contain a term |
//! | `translations` | keeps one document of each page that several languages have |
//! | `partial_match`, `exclusions` | find chunks that lack a word, or contain an excluded one |
//! | `top_hits`, `hit`, `page_hits` | turn the best chunks, or a page found by meaning, into hits |
//! | `raw_query` | hands a query to tantivy's own parser |
//! | `properties` | finds documents by their front matter, and counts its values and the tags |
//! | `match_finder` | finds the matches of a query in a text |

mod compile;
mod dictionary;
mod exclusions;
mod field_filter;
mod filter;
mod fuzzy;
mod hit;
mod match_finder;
mod notice;
mod page_hits;
mod partial_match;
mod plan;
mod postings;
mod properties;
mod proximity;
mod raw_query;
mod retrieve;
mod score;
mod scored_docs;
mod stored_links;
mod term_forms;
mod thesaurus;
mod top_hits;
mod translations;

pub use self::filter::Scope;
pub use self::hit::{ExcludedChunks, Hit};
pub use self::match_finder::{Match, MatchFinder};
pub use self::notice::Notice;
pub use self::properties::{FacetMode, Facets, ValueCounts};
pub use self::retrieve::{Fill, MatchSummary, RelaxReason, RetrievalRequest, Retrieved};
pub use self::score::QueryWord;
pub use self::translations::Translation;

//! A search request, as data.

use crate::index::{FacetMode, Scope};
use crate::retrieval::{Aggregation, Order};

/// A search request.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The queries as the user wrote them.
    pub queries: Vec<String>,
    /// How several queries are combined.
    pub topics: QueryCombination,
    /// The syntax of the queries.
    pub syntax: QuerySyntax,
    /// The scope to search.
    pub scope: Scope,
    /// Whether matches are merged into sections.
    pub aggregation: Aggregation,
    /// The order of the results.
    pub order: Order,
    /// Whether facets are counted.
    pub facets: FacetMode,
}

/// How several queries are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryCombination {
    /// One question that matches if any of the queries does.
    Joined,
    /// One question per query.
    Apart,
}

/// The syntax of queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuerySyntax {
    /// The syntax described in `ra help query`.
    Query,
    /// The query syntax of tantivy.
    Raw,
}

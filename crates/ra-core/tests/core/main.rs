//! Tests of the library through the doors that its callers have.

mod aggregation;
mod architecture;
mod asking;

mod changes;
mod check;
mod config;
mod copied;
mod corpus;
mod findable;
mod freshness;
mod invented;
mod languages;
mod limits;
mod machine;
mod meaning;
mod partial;
mod passages;
mod problems;
mod reference;
mod relations;
mod searching;
mod synonyms;

//! Tests of the library through its public API.

mod aggregation;
mod architecture;
mod kb_helpers;

mod check;
mod config;
mod corpus;
mod freshness;
mod generated;
mod incremental_update;
mod languages;
mod limits;
mod partial;
mod passages;
mod problems;
mod properties;
mod query_relations;
mod reference_model;
mod retrievability;
mod searching;
mod semantic;
mod synonyms;
mod test_env;
mod translations;
mod verbatim;

//! Tests of the library through the doors that its callers have.

mod architecture;
mod asking;
mod check;
mod config;
mod corpus;
mod languages;
mod machine;
mod problems;
mod searching;

//! Tests of the library through the doors that its callers have.

mod architecture;
mod check;
mod config;
mod corpus;
mod machine;
mod problems;

//! Tests through the door that users have: the `ra` process.

mod broken_config;
mod check;
mod config;
mod docs;
mod general;
mod init;
mod inspect;
mod sandbox;
mod smoke;
mod status;

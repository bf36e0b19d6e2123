//! The server, through its socket: what is served, to whom, how much.
#![cfg(feature = "server")]
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod access;
mod class;
#[path = "../common/mod.rs"]
mod common;
mod file;
mod limits;
mod routes;

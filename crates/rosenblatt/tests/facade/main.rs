//! The tests of what the crate adds to the engine and the proofs, one module for each subject.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

#[allow(dead_code)] // each of the test programs that share it uses a part
#[path = "../../../rosenblatt-core/tests/runs/common/mod.rs"]
mod common;

mod best;
mod decay;
mod guarantee;
mod library;
mod recipe;
mod study;

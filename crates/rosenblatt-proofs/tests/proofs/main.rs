//! The tests of searches and proofs, one module for each subject.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

#[allow(dead_code)] // each of the test programs that share it uses a part
#[path = "../../../rosenblatt-core/tests/runs/common/mod.rs"]
mod common;

mod convergence;
mod least_errors;
mod runs;
mod second_opinion;
mod separability;
mod separation;
mod small_sets;
mod written;

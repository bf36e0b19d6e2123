//! Exports of models made by hand, read back.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

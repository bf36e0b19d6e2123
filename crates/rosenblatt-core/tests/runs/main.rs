//! The tests of the engine, one module for each subject.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

#[allow(dead_code)] // each of the test programs that share it uses a part
mod common;

mod any_options;
mod bad_input;
mod calibration;
mod cases;
mod checkpoints;
mod classify;
mod converged;
mod decision_radius;
mod explanation;
mod fitting_rows;
mod given;
mod interrupt;
mod joint;
mod kernel_bounds;
mod kernel_input;
mod kernels;
mod learner;
mod many_classes;
mod mistaken;
mod mixing;
mod new_option;
mod penalties;
mod pocket;
mod prototypes;
mod report_bounds;
mod same_bits;
mod signed_distance;
mod stopping;
mod streams;
mod theorems;
mod vectors;
mod votes;
mod weights;

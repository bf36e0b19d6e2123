//! The tests of the engine, one module for each subject.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

mod bad_input;
mod calibration;
mod cases;
mod checkpoints;
mod classify;
mod converged;
mod convergence;
mod decay;
mod decision_radius;
mod exact_score;
mod fitting_rows;
mod given;
mod guarantee;
mod interrupt;
mod joint;
mod kernel_bounds;
mod kernel_input;
mod kernels;
mod learner;
mod least_errors;
mod library;
mod many_classes;
mod mistaken;
mod mixing;
mod penalties;
mod pocket;
mod prototypes;
mod report_bounds;
mod same_bits;
mod second_opinion;
mod separability;
mod separation;
mod signed_distance;
mod small_sets;
mod stopping;
mod streams;
mod study;
mod theorems;
mod vectors;
mod votes;
mod weights;
mod written;

//! The engine of the crate `rosenblatt`. **It may change in any release: the crate to use is `rosenblatt`**, which covers what
//! it re-exports of this one by its promises.
//!
//! The engine turns data in memory into a model and a report. It opens no file, prints nothing and reads no clock. The
//! module [`reference`](mod@reference) defines what a run computes, and the tests compare the engine with it.
//!
//! # The modules
//! - [`data`]: rows, labels, classes, scaling. [`split`]: folds and held-out examples. [`transforms`]: steps of preparation.
//! - [`options`]: the options of a run, as a list too. [`dynamics`]: what they do to it. [`rules`], [`keep`], [`schedule`]: their kinds.
//! - [`kernel`], [`space`], [`hyperplane`], [`radius`]: scores in feature space or in that of a kernel.
//! - [`learner`]: one hyperplane, one example at a time. [`train`]: runs and streams. [`events`], [`trace`]: what observers see.
//! - [`model`], [`report`], [`prototype`], [`calibration`], [`decision_radius`], [`signed_distance`],
//!   [`explanation`]: what comes of a run.
//! - [`margin`]: margins and bounds. [`mixing`]: a mean of hyperplanes, and a search on several machines.

#![cfg_attr(not(feature = "fast"), allow(dead_code, unused_imports))] // what only `fast` uses

#[cfg(test)]
extern crate self as rosenblatt_core; // for files that tests of this crate and of others share

pub mod calibration;
pub mod data;
pub mod decision_radius;
pub mod dynamics;
mod evaluate;
pub mod events;
pub mod explanation;
#[cfg(feature = "fast")]
mod fast;
pub mod hyperplane;
pub mod keep;
pub mod kernel;
pub mod learner;
pub mod margin;
pub mod metrics;
pub mod mixing;
pub mod model;
pub mod options;
mod parallel;
pub mod prototype;
pub mod radius;
pub mod reference;
pub mod report;
pub mod rules;
pub mod schedule;
pub mod signed_distance;
pub mod space;
pub mod split;
pub mod trace;
pub mod train;
pub mod transforms;
pub mod validation;

use rosenblatt_exact as exact;
use rosenblatt_exact::{double_double, simd};

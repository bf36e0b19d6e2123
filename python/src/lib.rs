//! The native part of the Python package: it passes arrays and options to the engine, and results back.
//!
//! Arrays are borrowed ([`matrix`], [`table`]). While the engine works, other Python threads run, and Ctrl-C is polled
//! ([`signals`]). scikit-learn's contract is in Python, in `rosenblatt/`. Rows and features are counted from 0.

use pyo3::prelude::*;

mod choice;
mod classifier;
mod errors;
mod file;
mod fit;
mod guarantee;
mod hyperplanes;
mod lab;
mod labels;
mod matrix;
mod mixing;
mod model_description;
mod observer;
mod options;
mod read;
mod scaling;
mod schema;
mod separability;
mod shards;
mod signals;
mod stream;
mod study;
mod table;
mod trace;

#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::{
        choice::choose,
        classifier::Classifier,
        file::{export, load, save, write},
        fit::fit,
        guarantee::error_guarantee,
        lab::lab_page,
        labels::encode,
        mixing::{mix, one_pass, plateau, worst},
        options::{RunOptions, choices, notes, preparation, rules},
        read::{read, read_frame},
        scaling::{scaled, scaling, statistics},
        schema::Schema,
        separability::{
            convergence, least_errors, separable, separation, verify, verify_convergence,
            verify_least_errors, verify_separation,
        },
        shards::row_hashes,
        stream::Stream,
        study::study,
        table::table,
        trace::trace,
    };
}

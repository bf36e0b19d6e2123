//! The native part of the Python package: from arrays to the engine and back.
//!
//! Nothing is decided here. Arrays are borrowed ([`matrix`], [`table`]), the interpreter is left alone
//! while the engine works, and Ctrl-C is looked for ([`watch`]). What scikit-learn expects of an
//! estimator is Python's, in `rosenblatt/`. Rows and features are counted from 0, as everywhere in Python.

use pyo3::prelude::*;

mod classifier;
mod description;
mod failure;
mod file;
mod fit;
mod hyperplanes;
mod labels;
mod matrix;
mod read;
mod separability;
mod stream;
mod study;
mod table;
mod watch;

#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::{
        classifier::Classifier,
        file::{export, load, save, write},
        fit::{check_options, fit},
        labels::encode,
        read::read,
        separability::{separable, verify},
        stream::Stream,
        study::study,
        table::table,
    };
}

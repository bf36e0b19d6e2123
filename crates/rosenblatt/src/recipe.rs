//! From labelled rows to a model, and what it is worth on rows that it did not learn from.
//!
//! [`Perceptron`](crate::Perceptron), the command and Python make their models by these steps: a [`Table`] is split
//! ([`Splitter`](rosenblatt_core::split::Splitter)); [`Recipe::prepare`] fits the preparation to a [`Part`] of it; the caller makes
//! the run ([`Prepared::fit`], or one that it observes); [`Prepared::model`] joins both, and [`Judgement`] compares
//! its predictions of other rows with their labels. [`cross_validate`](Recipe::cross_validate) does so for each fold.
//!
//! Places in errors and supporting rows are those of the table.

mod choice;
mod classes;
mod folds;
mod own_folds;
mod part;
mod prepared;
mod workers;

pub use choice::{Choice, Chooser, Setting, comparisons, settings};
pub use classes::LearnedClasses;
pub use folds::{CrossValidation, JudgedBy, MakeRun};
pub use own_folds::{FEWEST_EXAMPLES, FOLDS, NoFolds, own_folds};
pub use part::{Part, Refilled, Table};
pub use prepared::{EarlyStopping, Judgement, Prepared, Trained, calibrated};

use rosenblatt_core::{
    options::{Options, Resources},
    transforms::PrepareOptions,
};

/// What is made of a table: the options of the run and of the preparation. Resources and the limit change no bit.
#[derive(Clone, Copy, Debug)]
pub struct Recipe<'o> {
    /// The options of the run.
    pub options: &'o Options,
    /// The options of the preparation.
    pub prepare: PrepareOptions,
    /// Threads and memory.
    pub resources: Resources,
    /// The maximum number of values of sparse rows that the preparation makes dense.
    pub dense_limit: usize,
}

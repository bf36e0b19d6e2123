//! The arguments and the data that all runs of one `train` share.

use std::borrow::Cow;

use rosenblatt::{
    data::{Classes, Rows},
    model::PredictError,
    preparation::PrepareOptions,
    split::Split,
};
use rosenblatt_data::Dataset;

use crate::{args::TrainArgs, error::CliError};

/// The arguments, the data and their classes.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) arguments: &'a TrainArgs,
    pub(super) dataset: &'a Dataset,
    pub(super) classes: &'a Classes,
    /// The number of the class of each row of the data.
    pub(super) numbers: &'a [u32],
    pub(super) prepare: PrepareOptions,
}

impl Context<'_> {
    /// An error of classifying rows; `place` gives the index in the data of one of the rows.
    pub(super) fn predict_error(
        &self,
        error: PredictError,
        place: impl FnOnce(usize) -> usize,
    ) -> CliError {
        CliError::predicting(&self.dataset.file, error, |row| place(row) as u64 + 1)
    }
}

/// Some rows of the data.
pub(super) struct Part<'a> {
    pub(super) rows: Cow<'a, Rows<'a>>,
    /// The number of the class of each row.
    pub(super) classes: Vec<u32>,
    /// The index in the data of each row; `None` if the rows are all of the data.
    places: Option<&'a [usize]>,
}

impl<'a> Part<'a> {
    /// All rows of the data.
    pub(super) fn whole(context: &Context<'a>) -> Self {
        let rows = Cow::Borrowed(&context.dataset.rows);
        Part { rows, classes: context.numbers.to_vec(), places: None }
    }

    /// The rows at these indices of the data.
    pub(super) fn select(context: &Context<'a>, places: &'a [usize]) -> Self {
        let rows = Cow::Owned(context.dataset.rows.select(places));
        let classes = places.iter().map(|&i| context.numbers[i]).collect();
        Part { rows, classes, places: Some(places) }
    }

    /// The number of examples of each class.
    pub(super) fn class_sizes(&self, classes: &Classes) -> Vec<usize> {
        let mut sizes = vec![0; classes.names().len()];
        self.classes.iter().for_each(|&class| sizes[class as usize] += 1);
        sizes
    }

    /// The index in the data of a row.
    pub(super) fn place(&self, row: usize) -> usize {
        self.places.map_or(row, |places| places[row])
    }
}

/// The examples to learn from, and those held out.
pub(super) struct Parts<'a> {
    pub(super) train: Part<'a>,
    pub(super) held_out: Option<Part<'a>>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(context: &Context<'a>, split: Option<&'a Split>) -> Self {
        let train =
            split.map_or_else(|| Part::whole(context), |split| Part::select(context, &split.train));
        Parts { train, held_out: split.map(|split| Part::select(context, &split.test)) }
    }
}

//! The arguments and the data that all runs of one `train` share.

use std::borrow::Cow;

use rosenblatt::{
    data::{Classes, Rows},
    model::PredictError,
    split::{Split, Splitter},
    transforms::PrepareOptions,
};
use rosenblatt_data::Dataset;

use crate::{args::TrainArgs, error::CliError};

/// The arguments, the data and their classes.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) arguments: &'a TrainArgs,
    pub(super) dataset: &'a Dataset,
    pub(super) classes: &'a Classes,
    /// The number of the class of each row of the data; the number of classes for a row whose class the examples to learn from
    /// do not have.
    pub(super) numbers: &'a [u32],
    /// The classes that the examples to learn from do not have.
    pub(super) unlearned: &'a [String],
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
    /// Of held-out rows, whether the features of each occur among the rows to learn from.
    pub(super) seen: Vec<bool>,
}

impl<'a> Part<'a> {
    /// All rows of the data.
    pub(super) fn whole(context: &Context<'a>) -> Self {
        let rows = Cow::Borrowed(&context.dataset.rows);
        Part { rows, classes: context.numbers.to_vec(), places: None, seen: Vec::new() }
    }

    /// The rows at these indices of the data.
    pub(super) fn select(context: &Context<'a>, places: &'a [usize]) -> Self {
        let rows = Cow::Owned(context.dataset.rows.select(places));
        let classes = places.iter().map(|&i| context.numbers[i]).collect();
        Part { rows, classes, places: Some(places), seen: Vec::new() }
    }

    /// The rows that a split holds out.
    pub(super) fn held_out(
        context: &Context<'a>,
        splitter: &Splitter<'_>,
        split: &'a Split,
    ) -> Self {
        let seen = splitter.copies().are_seen(&split.train, &split.test);
        Part { seen, ..Part::select(context, &split.test) }
    }

    /// The number of the class of each row, if it is one of the classes to learn.
    pub(super) fn known(&self, classes: &Classes) -> Vec<Option<u32>> {
        let count = classes.names().len() as u32;
        self.classes.iter().map(|&class| Some(class).filter(|&class| class < count)).collect()
    }

    /// The number of examples of each class.
    pub(super) fn class_sizes(&self, classes: &Classes) -> Vec<usize> {
        let mut sizes = vec![0; classes.names().len()];
        self.known(classes).into_iter().flatten().for_each(|class| sizes[class as usize] += 1);
        sizes
    }

    /// Whether these are all rows of the data.
    pub(super) fn is_whole(&self) -> bool {
        self.places.is_none()
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
    /// The parts of the split of `--holdout`, if there is one.
    pub(super) fn new(context: &Context<'a>, split: Option<(&Splitter<'_>, &'a Split)>) -> Self {
        let Some((splitter, split)) = split else {
            return Parts { train: Part::whole(context), held_out: None };
        };
        let held_out = Some(Part::held_out(context, splitter, split));
        Parts { train: Part::select(context, &split.train), held_out }
    }
}

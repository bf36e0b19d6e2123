//! A table of labelled rows, and parts of it.

use std::borrow::Cow;

use crate::{Result, error::Error};
use rosenblatt_core::{
    data::{Labelled, Rows, Scheme},
    split::{Split, Splitter},
};

/// Labelled rows that are whole in memory.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// The rows.
    pub rows: &'a Rows<'a>,
    /// The number of the class of each row. A number past the classes of the scheme is a class that is not learned.
    pub numbers: &'a [u32],
    /// The classes to learn.
    pub scheme: Scheme,
    /// A positive weight of each row, which multiplies the learning rate.
    pub weights: Option<&'a [f64]>,
    /// The rows if only some of them are learned from, where these differ.
    pub refilled: Option<&'a Refilled<'a>>,
}

/// The rows of a table if only those at these ascending places are learned from: numbers that stand in for missing ones follow
/// from these. `None` if they are the same.
pub type Refilled<'a> = dyn Fn(&[usize]) -> Option<Rows<'static>> + Sync + 'a;

/// Some rows of a table.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    rows: PartRows<'a>,
    numbers: Cow<'a, [u32]>,
    weights: Option<Cow<'a, [f64]>>,
    scheme: Scheme,
    /// The place in the table of each row; `None` if these are all.
    places: Option<&'a [usize]>,
    /// Of held-out rows, whether the features of each occur among the rows to learn from.
    seen: Vec<bool>,
}

/// `Cow` would make parts invariant in their lifetime.
#[derive(Clone, Debug)]
enum PartRows<'a> {
    All(&'a Rows<'a>),
    Selected(Rows<'static>),
}

impl<'a> Part<'a> {
    /// All rows.
    pub fn whole(table: Table<'a>) -> Self {
        Part {
            rows: PartRows::All(table.rows),
            numbers: Cow::Borrowed(table.numbers),
            weights: table.weights.map(Cow::Borrowed),
            scheme: table.scheme,
            places: None,
            seen: Vec::new(),
        }
    }

    /// The rows at these places.
    pub fn select(table: Table<'_>, places: &'a [usize]) -> Self {
        let weights = |all: &[f64]| places.iter().map(|&place| all[place]).collect();
        Part {
            rows: PartRows::Selected(table.rows.select(places)),
            numbers: places.iter().map(|&place| table.numbers[place]).collect(),
            weights: table.weights.map(|all| Cow::Owned(weights(all))),
            scheme: table.scheme,
            places: Some(places),
            seen: Vec::new(),
        }
    }

    /// The rows that a split holds out.
    pub fn held_out(table: Table<'_>, splitter: &Splitter<'_>, split: &'a Split) -> Self {
        let seen = splitter.copies().are_seen(&split.train, &split.test);
        Part { seen, ..Part::select(table, &split.test) }
    }

    /// These rows as a table of their own.
    pub(super) fn table(&self) -> Table<'_> {
        Table {
            rows: self.rows(),
            numbers: &self.numbers,
            scheme: self.scheme,
            weights: self.weights(),
            refilled: None,
        }
    }

    /// The rows.
    pub fn rows(&self) -> &Rows<'_> {
        match &self.rows {
            PartRows::All(rows) => rows,
            PartRows::Selected(rows) => rows,
        }
    }

    /// The number of the class of each row.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// How the classes are learned.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Whether these are all rows of the table.
    pub fn is_whole(&self) -> bool {
        self.places.is_none()
    }

    /// The place in the table of a row.
    pub fn place(&self, row: usize) -> usize {
        self.places.map_or(row, |places| places[row])
    }

    /// The number of the class of each row, if it is one of the classes to learn.
    pub fn known(&self) -> Vec<Option<u32>> {
        let count = self.scheme.classes() as u32;
        self.numbers.iter().map(|&class| Some(class).filter(|&class| class < count)).collect()
    }

    /// The number of rows of each class.
    pub fn class_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.scheme.classes()];
        self.known().into_iter().flatten().for_each(|class| sizes[class as usize] += 1);
        sizes
    }

    pub(super) fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    pub(super) fn seen(&self) -> &[bool] {
        &self.seen
    }

    /// These examples with prepared rows.
    pub(crate) fn labelled<'p>(&'p self, rows: &'p Rows<'p>) -> Result<Labelled<'p>> {
        let labelled = Labelled::new(rows, &self.numbers, self.scheme)?;
        Ok(self.weights().map_or(Ok(labelled), |weights| labelled.weighted(weights))?)
    }

    /// An error about a row of this part, with its place in the table.
    pub(super) fn error(&self, error: impl Into<Error>) -> Error {
        error.into().moved(|row| self.place(row))
    }
}

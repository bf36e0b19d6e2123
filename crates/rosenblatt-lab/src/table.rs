//! The user's file for the page: a sample of its rows, two columns at a time.

use std::collections::HashMap;

use rosenblatt_core::{
    data::{Row, Rows, Values},
    schedule::Order,
};
use serde::Serialize;

use crate::pairs::{ColumnPair, best_pairs};

/// The reason why a table, or a part of it, cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Rows, names and classes do not match.
    #[error("{what}: {found}, expected {expected}")]
    Mismatch {
        /// The name of the list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The expected length.
        expected: usize,
    },
    /// A column that does not exist.
    #[error("there is no column {column}; there are {columns}, counted from 0")]
    NoSuchColumn {
        /// The requested column.
        column: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A class that does not exist.
    #[error("there is no class `{0}`")]
    NoSuchClass(String),
}

/// Rows of a file with their classes: a sample if the file has many rows, and the most frequent features if
/// it has many features. Sparse rows stay sparse.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Rows<'static>,
    /// The number of the class of each row.
    numbers: Vec<u32>,
    /// The feature of each column of the page.
    features: Vec<usize>,
    about: About,
}

/// The classes of the rows of a table.
#[derive(Clone, Debug)]
pub struct Labels {
    /// The names of the classes.
    pub classes: Vec<String>,
    /// The number of the class of each row.
    pub numbers: Vec<u32>,
    /// The number of the class that is positive unless the page chooses another.
    pub positive: usize,
}

/// The answer to `GET /file`.
#[derive(Clone, Debug, Serialize)]
struct About {
    name: String,
    rows: usize,
    shown: usize,
    features: Vec<String>,
    /// The number of features of the file; the page gets the names of at most [`Table::MOST_FEATURES`].
    features_in_file: usize,
    classes: Vec<String>,
    positive: String,
    /// The pairs of columns that separate the positive class best, the best first.
    pairs: Vec<ColumnPair>,
}

/// A table with its rows.
#[derive(Serialize)]
pub(crate) struct TableValues<'a> {
    #[serde(flatten)]
    about: &'a About,
    columns: Vec<Vec<f64>>,
    numbers: &'a [u32],
}

/// The answer to `GET /file/points`.
#[derive(Serialize)]
struct ColumnPoints {
    rows: Vec<[f64; 2]>,
    signs: Vec<i8>,
}

/// The content of a table: see [`Table::new`].
pub(crate) struct TableInput<'a> {
    pub(crate) name: String,
    pub(crate) rows: &'a Rows<'a>,
    pub(crate) names: Vec<String>,
    pub(crate) labels: Labels,
}

impl TableInput<'_> {
    /// Checks that rows, names and classes match.
    fn check(&self) -> Result<(), TableError> {
        let fits = |what, found, expected| {
            let mismatch = TableError::Mismatch { what, found, expected };
            if found == expected { Ok(()) } else { Err(mismatch) }
        };
        let Labels { classes, numbers, positive } = &self.labels;
        fits("names of features", self.names.len(), self.rows.features())?;
        fits("labels", numbers.len(), self.rows.len())?;
        let most = numbers.iter().map(|&number| number as usize).chain([*positive]).max();
        fits("classes", classes.len(), classes.len().max(most.unwrap_or(0) + 1))
    }
}

impl Table {
    /// The maximum number of rows that the page gets.
    pub const MOST_ROWS: usize = 2_000;
    /// The maximum number of features that the page offers.
    pub const MOST_FEATURES: usize = 1_000;

    /// The name of the second column of a file with one feature: all zeros, so that its points lie on a line.
    pub const NOTHING: &str = "0";

    /// A table called `name` with the names of its features.
    ///
    /// If there are more than [`Self::MOST_ROWS`] rows, the table keeps a sample, drawn by seed 0, with at least one
    /// row of each class. If there are more than [`Self::MOST_FEATURES`] features, it keeps those that are not 0 in the
    /// most rows of the sample.
    ///
    /// # Errors
    /// [`TableError::Mismatch`].
    pub fn new(
        name: String,
        rows: &Rows<'_>,
        names: Vec<String>,
        labels: Labels,
    ) -> Result<Self, TableError> {
        Self::within(usize::MAX, TableInput { name, rows, names, labels })
    }

    /// As [`Self::new`], with so few features that the table has at most `most_values` values.
    pub(crate) fn within(most_values: usize, input: TableInput<'_>) -> Result<Self, TableError> {
        input.check()?;
        let TableInput { name, rows, mut names, labels } = input;
        let Labels { classes, numbers, positive } = labels;
        let places = sample(&numbers, Self::MOST_ROWS);
        let mut kept = rows.select(&places);
        if kept.features() == 1 {
            kept = on_a_line(&kept)?;
            names.push(Self::NOTHING.to_owned());
        }
        let most = Self::MOST_FEATURES.min(most_values / kept.len().max(1));
        let features = frequent(&kept, most);
        let numbers: Vec<u32> = places.iter().map(|&place| numbers[place]).collect();
        let is_positive: Vec<bool> =
            numbers.iter().map(|&number| number as usize == positive).collect();
        let pairs = best_pairs(&columns(&kept, &features), &is_positive);
        let about = About {
            name,
            rows: rows.len(),
            shown: kept.len(),
            features: features.iter().map(|&feature| names[feature].clone()).collect(),
            features_in_file: rows.features(),
            positive: classes[positive].clone(),
            classes,
            pairs,
        };
        Ok(Table { rows: kept, numbers, features, about })
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.about.name
    }

    /// The number of rows of the file.
    pub fn rows(&self) -> usize {
        self.about.rows
    }

    /// The number of rows that the page gets.
    pub fn shown(&self) -> usize {
        self.about.shown
    }

    /// The table without its rows.
    pub(crate) fn json(&self) -> Vec<u8> {
        to_json(&self.about)
    }

    /// The table with its rows, column by column.
    pub(crate) fn values(&self) -> TableValues<'_> {
        let columns = columns(&self.rows, &self.features);
        TableValues { about: &self.about, columns, numbers: &self.numbers }
    }

    /// Returns two columns as points, with the sign +1 for the class `positive`.
    pub(crate) fn points(
        &self,
        columns: [usize; 2],
        positive: Option<&str>,
    ) -> Result<Vec<u8>, TableError> {
        let feature = |column: usize| {
            let columns = self.features.len();
            let none = TableError::NoSuchColumn { column, columns };
            self.features.get(column).copied().ok_or(none)
        };
        let (x, y) = (feature(columns[0])?, feature(columns[1])?);
        let positive = positive.unwrap_or(&self.about.positive);
        let number = self.about.classes.iter().position(|class| class == positive);
        let number = number.ok_or_else(|| TableError::NoSuchClass(positive.to_owned()))?;
        let sign = |&class: &u32| if class as usize == number { 1 } else { -1 };
        Ok(to_json(&ColumnPoints {
            rows: self.rows.iter().map(|row| [value(&row, x), value(&row, y)]).collect(),
            signs: self.numbers.iter().map(sign).collect(),
        }))
    }
}

/// Rows of one feature, with a second one of zeros.
fn on_a_line(rows: &Rows<'_>) -> Result<Rows<'static>, TableError> {
    let values: Vec<f64> = rows.iter().flat_map(|row| [value(&row, 0), 0.0]).collect();
    let shape = TableError::Mismatch { what: "features", found: 1, expected: 2 };
    Rows::dense(values, 2).map_err(|_| shape)
}

/// Returns at most `most` places in ascending order: the first of each class in an order drawn by seed 0, then
/// the first others in that order.
fn sample(numbers: &[u32], most: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..numbers.len()).collect();
    if places.len() <= most {
        return places;
    }
    Order::Shuffle.arrange(0, 1, &mut places);
    let mut met = std::collections::HashSet::new();
    let (mut chosen, others): (Vec<_>, Vec<_>) =
        places.into_iter().partition(|&place| met.insert(numbers[place]));
    chosen.extend(others);
    chosen.truncate(most);
    chosen.sort_unstable();
    chosen
}

/// Returns at most `most` features in ascending order: those that are not 0 in the most rows.
fn frequent(rows: &Rows<'_>, most: usize) -> Vec<usize> {
    if rows.features() <= most {
        return (0..rows.features()).collect();
    }
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for row in rows.iter() {
        row.for_each(|feature, value| {
            if value != 0.0 {
                *counts.entry(feature).or_default() += 1;
            }
        });
    }
    let mut counted: Vec<(usize, usize)> = counts.into_iter().collect();
    counted.sort_unstable_by_key(|&(feature, count)| (std::cmp::Reverse(count), feature));
    let mut features: Vec<usize> = counted.into_iter().map(|(feature, _)| feature).collect();
    features.truncate(most);
    features.sort_unstable();
    features
}

/// The values of features, each as a column.
fn columns(rows: &Rows<'_>, features: &[usize]) -> Vec<Vec<f64>> {
    let column = |&feature: &usize| rows.iter().map(|row| value(&row, feature)).collect();
    features.iter().map(column).collect()
}

/// One value of a row.
fn value(row: &Row<'_>, feature: usize) -> f64 {
    let place = match row.indices() {
        None => Some(feature),
        Some(indices) => indices.binary_search_by_key(&feature, |&index| index as usize).ok(),
    };
    place.map_or(0.0, |place| match row.values() {
        Values::F32(values) => f64::from(values[place]),
        Values::F64(values) => values[place],
    })
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    // Numbers, texts and lists always are JSON.
    serde_json::to_vec(value).unwrap_or_default()
}

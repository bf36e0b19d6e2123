//! The person's own file, as the page sees it: a sample of its rows, two columns at a time.

use std::collections::HashMap;

use rosenblatt::{
    data::{Row, Rows, Values},
    schedule::Order,
};
use serde::Serialize;

/// Why a table, or a part of it, cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Rows, names and classes that do not belong together.
    #[error("{what}: {found}, expected {expected}")]
    Mismatch {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A column that does not exist.
    #[error("there is no column {column}; there are {columns}, counted from 0")]
    NoSuchColumn {
        /// What was asked for.
        column: usize,
        /// How many columns there are.
        columns: usize,
    },
    /// A class that does not exist.
    #[error("there is no class `{0}`")]
    NoSuchClass(String),
}

/// Rows of a file with their classes. Of many rows a sample is kept, of many features those that the rows
/// have most; sparse rows stay sparse.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Rows<'static>,
    /// The number of the class of each row.
    numbers: Vec<u32>,
    /// For each column of the page, the feature.
    features: Vec<usize>,
    about: About,
}

/// The answer to `GET /file`.
#[derive(Clone, Debug, Serialize)]
struct About {
    name: String,
    rows: usize,
    shown: usize,
    features: Vec<String>,
    /// How many features the file has; the page gets the names of at most [`Table::MOST_FEATURES`].
    features_in_file: usize,
    classes: Vec<String>,
    positive: String,
}

/// The answer to `GET /file/points`.
#[derive(Serialize)]
struct Points {
    rows: Vec<[f64; 2]>,
    signs: Vec<i8>,
}

impl Table {
    /// The most rows that the page gets.
    pub const MOST_ROWS: usize = 2_000;
    /// The most features between which the page chooses.
    pub const MOST_FEATURES: usize = 1_000;

    /// A table called `name`: rows, the names of their features, the names of the classes, the number of
    /// each row's class and of the class that is positive unless the page says otherwise.
    ///
    /// Of more than [`Self::MOST_ROWS`] rows a sample is kept, drawn by seed 0, with at least one row
    /// of each class; of more than [`Self::MOST_FEATURES`] features, those that are not 0 in the most
    /// rows of the sample.
    ///
    /// # Errors
    /// [`TableError::Mismatch`].
    pub fn new(
        name: String,
        rows: &Rows<'_>,
        names: Vec<String>,
        (classes, numbers): (Vec<String>, &[u32]),
        positive: usize,
    ) -> Result<Self, TableError> {
        let fits = |what, found, expected| {
            let mismatch = TableError::Mismatch { what, found, expected };
            if found == expected { Ok(()) } else { Err(mismatch) }
        };
        fits("names of features", names.len(), rows.features())?;
        fits("labels", numbers.len(), rows.len())?;
        let most = numbers.iter().map(|&number| number as usize).chain([positive]).max();
        fits("classes", classes.len(), classes.len().max(most.unwrap_or(0) + 1))?;
        let places = sample(numbers, Self::MOST_ROWS);
        let kept = rows.select(&places);
        let features = frequent(&kept, Self::MOST_FEATURES);
        let about = About {
            name,
            rows: rows.len(),
            shown: kept.len(),
            features: features.iter().map(|&feature| names[feature].clone()).collect(),
            features_in_file: rows.features(),
            positive: classes[positive].clone(),
            classes,
        };
        let numbers = places.iter().map(|&place| numbers[place]).collect();
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
    pub(super) fn json(&self) -> Vec<u8> {
        to_json(&self.about)
    }

    /// Two columns as points; `positive` against the rest.
    pub(super) fn points(
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
        Ok(to_json(&Points {
            rows: self.rows.iter().map(|row| [value(&row, x), value(&row, y)]).collect(),
            signs: self.numbers.iter().map(sign).collect(),
        }))
    }
}

/// At most so many places, ascending: the first of each class in an order drawn by seed 0, and then
/// whichever come first in that order.
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

/// At most so many features, ascending: those that are not 0 in the most rows.
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

//! The features of a model in a file: the part of a model that reads.

use std::collections::{HashMap, HashSet};

pub use super::interactions::Interaction;
use super::{
    interactions::{LARGEST_FACTOR, Products},
    shape::Shape,
};
use crate::{
    number_form::NumberForm,
    options::{Delimiter, Encoding, Hashing, Quoting},
};

/// How the rows of a file become the features of a model.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Schema {
    /// The format of the training file.
    pub format: Format,
    /// Where the features come from.
    pub inputs: Inputs,
}

/// How the bytes of a file are to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A table, one example a row.
    Table {
        /// The separator of the cells.
        delimiter: Delimiter,
        /// Whether the first row names the columns.
        header: bool,
        /// The other signs of the table; absent for the usual ones.
        #[serde(skip_serializing_if = "Quoting::is_usual", default)]
        quoting: Quoting,
        /// The encoding of its text; absent for UTF-8.
        #[serde(skip_serializing_if = "Encoding::is_usual", default)]
        encoding: Encoding,
    },
    /// `label index:value …`, one example a line.
    Libsvm {
        /// Whether the indices count from 0 instead of 1.
        zero_based: bool,
    },
    /// IDX: numbers in records of one shape, the labels in a second file.
    Idx {
        /// The shape of a record.
        shape: Shape,
    },
}

impl Format {
    fn plain_csv(header: bool) -> Self {
        let (quoting, encoding) = (Quoting::default(), Encoding::default());
        Format::Table { delimiter: Delimiter::Byte(b','), header, quoting, encoding }
    }

    /// The format in words.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Format::Table { .. } => "a table",
            Format::Libsvm { .. } => "LIBSVM data",
            Format::Idx { .. } => "IDX data",
        }
    }

    /// The format with its details in words.
    pub fn words(self) -> String {
        match self {
            Format::Libsvm { zero_based: false } => "LIBSVM".to_owned(),
            Format::Libsvm { zero_based: true } => "LIBSVM from 0".to_owned(),
            Format::Idx { shape } => format!("IDX (records of {shape} values)"),
            Format::Table { delimiter, header, .. } => {
                let header = if header { "" } else { ", no header" };
                format!("a table (cells separated by {delimiter}{header})")
            }
        }
    }
}

/// Where the features of a model come from.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Inputs {
    /// The indices of a sparse format, or the values of a record.
    Indexed {
        /// The number of features.
        features: usize,
    },
    /// The columns of a table.
    Columns(Columns),
}

/// The columns of a table that a model knows.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Columns {
    /// The number of columns of the training file.
    pub count: usize,
    /// The name of the column with the labels.
    pub target: String,
    /// Its position, from 1.
    pub target_position: usize,
    /// The columns that are features, in the order of the training file.
    pub features: Vec<Column>,
    /// The names of the columns that were left out.
    pub ignored: Vec<String>,
    /// The pairs of columns whose products are features too, after those of the columns.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub interactions: Vec<Interaction>,
}

/// A column of a table that gives one feature, or one for each of its categories.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Column {
    /// Its name; its position where the file has no header.
    pub name: String,
    /// Its position, from 1.
    pub position: usize,
    /// Its categories in sorted order, each a feature that is 1 or 0; absent for numbers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub categories: Option<Vec<String>>,
    /// How its words are features; absent where the column is no text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub words: Option<Words>,
    /// Format of the numbers (decimal comma, thousands, units, dates); `None` for plain numbers such as `1234.5`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub form: Option<NumberForm>,
    /// The rule for missing cells; absent where such a cell is an error.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub missing: Option<Missing>,
    /// The cells that are missing besides the empty one; absent for the usual spellings.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub missing_values: Option<Vec<String>>,
}

/// The rule for the missing cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Missing {
    /// The rule.
    pub fill: Fill,
    /// The number, learned from the training examples.
    pub value: f64,
    /// Whether a second feature of the column is 1 where the cell is missing, else 0.
    pub indicator: bool,
}

/// A rule for missing cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fill {
    /// The mean of the numbers of the column.
    Mean,
    /// Their median.
    Median,
    /// 0.
    Zero,
    /// In a column of categories, the empty category.
    Category,
}

impl Fill {
    /// Whether the value follows from the numbers of the training examples.
    pub(crate) fn is_learned(self) -> bool {
        matches!(self, Fill::Mean | Fill::Median)
    }
}

/// A column of text: each bucket of hashed n-grams is a feature; see [`Hashing`].
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Words {
    /// How the text is cut and hashed.
    pub hashing: Hashing,
    /// The most frequent n-gram of each bucket that was met, in the order of the buckets; empty when
    /// no dictionary is kept.
    pub dictionary: Vec<(u32, String)>,
    /// How many other n-grams share a bucket with one of these; absent without a dictionary.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub collisions: Option<u64>,
}

impl Column {
    /// The number of features of the column.
    pub fn features(&self) -> usize {
        match (&self.words, &self.categories) {
            (Some(words), _) => words.hashing.buckets(),
            (None, Some(categories)) => categories.len(),
            (None, None) => 1 + usize::from(self.has_indicator()),
        }
    }

    /// Whether its cells are numbers.
    pub(crate) fn has_numbers(&self) -> bool {
        self.categories.is_none() && self.words.is_none()
    }

    /// Whether its second feature says that the cell is missing.
    pub(crate) fn has_indicator(&self) -> bool {
        self.missing.is_some_and(|missing| missing.indicator)
    }

    /// Whether missing cells get a number that follows from the training examples.
    pub fn has_learned_fill(&self) -> bool {
        self.missing.is_some_and(|missing| missing.fill.is_learned())
    }
}

impl Columns {
    /// The number of features of the columns themselves.
    pub(crate) fn own_features(&self) -> usize {
        self.features.iter().map(Column::features).sum()
    }

    /// The number of features of each interaction.
    pub fn interaction_features(&self) -> Vec<usize> {
        self.products().iter().map(Products::features).collect()
    }

    /// The products of all interactions, in order.
    pub(crate) fn products(&self) -> Vec<Products> {
        let mut start = 0;
        let mut places = HashMap::new();
        for column in &self.features {
            places.insert(&column.name, start..start + column.features());
            start += column.features();
        }
        // A column that is not there has no features.
        let place = |name: &String| places.get(name).cloned().unwrap_or_default();
        let placed = self.interactions.iter().map(|interaction| {
            let products =
                Products::new(interaction, interaction.columns.each_ref().map(place), start);
            start += products.features();
            products
        });
        placed.collect()
    }

    /// Whether the column has a part in an interaction.
    pub(crate) fn is_factor(&self, column: &Column) -> bool {
        self.interactions.iter().any(|one| one.columns.contains(&column.name))
    }
}

impl Schema {
    /// The columns of numbers of a table with a header, in the order of the features, beside a label column.
    pub fn of_names(names: Vec<String>) -> Self {
        let mut target = "target".to_owned();
        while names.contains(&target) {
            target.push('_');
        }
        Self::of_columns(names, target, true)
    }

    /// This many columns of numbers of a table without a header, before the label.
    pub fn of_numbered(features: usize) -> Self {
        let names = (1..=features).map(|number| number.to_string()).collect();
        Self::of_columns(names, (features + 1).to_string(), false)
    }

    /// Sparse rows with this many features, which count from 1.
    pub fn of_indexed(features: usize) -> Self {
        let format = Format::Libsvm { zero_based: false };
        Schema { format, inputs: Inputs::Indexed { features } }
    }

    /// The same columns in plain CSV, as [`ReadOptions::of_plain_csv`](crate::ReadOptions::of_plain_csv) has it, whatever the signs of the training file were.
    pub fn of_plain_csv(&self) -> Self {
        let Inputs::Columns(columns) = &self.inputs else { return self.clone() };
        Schema {
            format: Format::plain_csv(self.has_header()),
            inputs: Inputs::Columns(columns.clone()),
        }
    }

    fn of_columns(names: Vec<String>, target: String, header: bool) -> Self {
        let target_position = names.len() + 1;
        let column = |(j, name)| Column { name, position: j + 1, ..Column::default() };
        let columns = Columns {
            count: target_position,
            target,
            target_position,
            features: names.into_iter().enumerate().map(column).collect(),
            ignored: Vec::new(),
            interactions: Vec::new(),
        };
        Schema { format: Format::plain_csv(header), inputs: Inputs::Columns(columns) }
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        match &self.inputs {
            Inputs::Indexed { features } => *features,
            Inputs::Columns(columns) => {
                columns.own_features() + columns.interaction_features().iter().sum::<usize>()
            }
        }
    }

    /// Whether products of columns are features.
    pub(crate) fn has_interactions(&self) -> bool {
        matches!(&self.inputs, Inputs::Columns(columns) if !columns.interactions.is_empty())
    }

    /// Whether n-grams of characters are features.
    pub(crate) fn has_characters(&self) -> bool {
        let Inputs::Columns(columns) = &self.inputs else { return false };
        let texts = columns.features.iter().filter_map(|column| column.words.as_ref());
        texts.into_iter().any(|words| words.hashing.chars.is_some())
    }

    /// The name of the column with the labels, in a table.
    pub fn target(&self) -> Option<&str> {
        match &self.inputs {
            Inputs::Indexed { .. } => None,
            Inputs::Columns(columns) => Some(&columns.target),
        }
    }

    /// Whether the first row of the training file named the columns.
    pub fn has_header(&self) -> bool {
        matches!(self.format, Format::Table { header: true, .. })
    }

    /// The name of each feature in order: a column's name, `column=category`, `one * other` of a product, an index, or
    /// `row,column` of a record.
    pub fn feature_names(&self) -> Vec<String> {
        match &self.inputs {
            Inputs::Indexed { features } => {
                if let Format::Idx { shape } = &self.format {
                    return shape.names();
                }
                let first = usize::from(self.format != Format::Libsvm { zero_based: true });
                (first..first + features).map(|index| index.to_string()).collect()
            }
            Inputs::Columns(columns) => {
                let mut names: Vec<String> =
                    columns.features.iter().flat_map(column_names).collect();
                let products = columns.products().into_iter().zip(&columns.interactions);
                let of_products = products.flat_map(|(products, one)| products.names(one, &names));
                let of_products: Vec<String> = of_products.collect();
                names.extend(of_products);
                names
            }
        }
    }

    /// For each feature the value that stands for its name: −1 where the name is a word that counts
    /// with the sign −1, else 1. A weight times this is the weight of the name.
    pub fn feature_directions(&self) -> Vec<f64> {
        match &self.inputs {
            Inputs::Indexed { features } => vec![1.0; *features],
            Inputs::Columns(columns) => {
                let mut directions: Vec<f64> =
                    columns.features.iter().flat_map(column_directions).collect();
                let products = columns.products();
                let of_products =
                    products.iter().flat_map(|products| products.directions(&directions));
                let of_products: Vec<f64> = of_products.collect();
                directions.extend(of_products);
                directions
            }
        }
    }

    /// For each feature whether its name says that something is there: a category, a word, or that a cell is missing.
    pub fn feature_presences(&self) -> Vec<bool> {
        match &self.inputs {
            Inputs::Indexed { features } => vec![false; *features],
            Inputs::Columns(columns) => {
                let mut presences: Vec<bool> =
                    columns.features.iter().flat_map(column_presences).collect();
                let products = columns.products();
                let of_products =
                    products.iter().flat_map(|products| products.presences(&presences));
                let of_products: Vec<bool> = of_products.collect();
                presences.extend(of_products);
                presences
            }
        }
    }

    /// Whether everything in it fits together; a schema from a file may hold anything.
    pub(crate) fn is_sound(&self) -> bool {
        let sorted = |names: &[String]| names.windows(2).all(|pair| pair[0] < pair[1]);
        match (&self.format, &self.inputs) {
            (Format::Libsvm { .. }, Inputs::Indexed { .. }) => true,
            (Format::Idx { shape }, Inputs::Indexed { features }) => shape.features() == *features,
            (Format::Table { quoting, .. }, Inputs::Columns(columns)) if quoting.is_sound() => {
                let within = |position| (1..=columns.count).contains(&position);
                let ascending =
                    columns.features.windows(2).all(|pair| pair[0].position < pair[1].position);
                let mut names = HashSet::from([&columns.target]);
                let distinct = columns.features.iter().all(|column| names.insert(&column.name));
                within(columns.target_position)
                    && ascending
                    && distinct
                    && columns.features.iter().all(|column| {
                        within(column.position)
                            && column.position != columns.target_position
                            && column.categories.as_deref().is_none_or(sorted)
                            && column.words.as_ref().is_none_or(Words::is_sound)
                            && !(column.words.is_some() && column.categories.is_some())
                            && column.missing.is_none_or(|missing| {
                                missing.value.is_finite()
                                    && !(columns.is_factor(column)
                                        && missing.value.abs() > LARGEST_FACTOR)
                            })
                    })
                    && columns
                        .interactions
                        .iter()
                        .all(|one| one.is_sound(columns.features.iter().map(|column| &column.name)))
            }
            _ => false,
        }
    }
}

impl Words {
    fn is_sound(&self) -> bool {
        let ascending = self.dictionary.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let within = |(bucket, _): &(u32, String)| (*bucket as usize) < self.hashing.buckets();
        self.hashing.is_sound() && ascending && self.dictionary.iter().all(within)
    }

    /// `column=word` where the word is known, `column#bucket` elsewhere.
    fn names(&self, column: &str) -> Vec<String> {
        let mut known = self.dictionary.iter().peekable();
        let name = |bucket: usize| match known.next_if(|(known, _)| *known as usize == bucket) {
            Some((_, word)) => format!("{column}={word}"),
            None => format!("{column}#{bucket}"),
        };
        (0..self.hashing.buckets()).map(name).collect()
    }
}

fn column_directions(column: &Column) -> Vec<f64> {
    let mut directions = vec![1.0; column.features()];
    let words = column.words.iter().flat_map(|words| {
        words.dictionary.iter().map(|(bucket, word)| (*bucket, words.hashing.sign(word)))
    });
    words.for_each(|(bucket, sign)| directions[bucket as usize] = sign);
    directions
}

fn column_presences(column: &Column) -> impl Iterator<Item = bool> {
    let is_number = column.has_numbers();
    (0..column.features()).map(move |feature| feature > 0 || !is_number)
}

fn column_names(column: &Column) -> Vec<String> {
    if let Some(words) = &column.words {
        return words.names(&column.name);
    }
    match &column.categories {
        None if column.has_indicator() => {
            vec![column.name.clone(), format!("{} is missing", column.name)]
        }
        None => vec![column.name.clone()],
        Some(categories) => {
            categories.iter().map(|category| format!("{}={category}", column.name)).collect()
        }
    }
}

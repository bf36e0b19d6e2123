//! The batches of a file, joined to a data set.

use rosenblatt_core::data::ClassError;
use rosenblatt_proofs::{Decimals, OtherDecimal};

use super::{
    batch::{Batch, Body, Labels, Spelling},
    dataset::{Dataset, MissingNumber},
    encode::Encoder,
    interactions::Products,
    missing::learned,
    rows::TableRows,
    schema::{Column, Columns, Inputs, Schema},
    words::Texts,
};
use crate::{
    mapped_file::Seal,
    notes::{Filled, Notes},
    options::ReadOptions,
    read_error::{MostFeatures, ReadError},
    room,
};

/// The batches of a file so far, joined.
pub(crate) struct Gathered<'o> {
    pub(crate) all: Option<Batch>,
    limits: Limits,
    options: &'o ReadOptions,
}

impl<'o> Gathered<'o> {
    pub(crate) fn new(options: &'o ReadOptions) -> Self {
        Gathered { all: None, limits: Limits::new(options), options }
    }

    /// Takes in the next batch of `file`, whose schema is complete but for categories and words.
    pub(crate) fn add(
        &mut self,
        batch: Batch,
        file: &str,
        schema: &Schema,
    ) -> Result<(), ReadError> {
        match &mut self.all {
            None => self.all = Some(batch),
            Some(all) => all.join(batch),
        }
        match &self.all {
            // The rows of a packed file fill no memory, and its labels were within the limits of its packing.
            None | Some(Batch { body: Body::Encoded(_), .. }) => Ok(()),
            Some(all) => self.limits.check(all, file, schema),
        }
    }

    /// The data set, when all batches were added. `seal` belongs to rows of a packed file.
    pub(crate) fn dataset(
        self,
        file: String,
        mut schema: Schema,
        mut notes: Notes,
        seal: Option<Seal>,
    ) -> Result<Dataset, ReadError> {
        let Some(all) = self.all.filter(|all| !all.is_empty()) else {
            let (skipped, first, header) =
                (notes.skipped, notes.first_skipped, schema.has_header());
            return Err(ReadError::NoExamples { file, skipped, first, header });
        };
        complete(&mut schema, &all.body, self.options);
        check_features(&schema, &file, self.options)?;
        let missing = match (&schema.inputs, &all.body) {
            (Inputs::Columns(columns), Body::Table(table)) => {
                notes.filled = filled(columns, table);
                missing_numbers(columns, table)
            }
            _ => Vec::new(),
        };
        let decimals = all.spelling.and_then(|spelling| decimals(spelling, &all.body, &schema));
        let rows = Encoder::new(&schema).encode(all.body);
        let (ids, labels) = (all.ids, all.labels);
        Ok(Dataset { file, rows, schema, notes, ids, decimals, labels, missing, seal })
    }
}

/// How the numbers of the encoded rows are written; `None` if some are no decimals.
fn decimals(spelling: Spelling, body: &Body, schema: &Schema) -> Option<Decimals> {
    if spelling.has_times {
        return None;
    }
    let (features, products) = match &schema.inputs {
        Inputs::Columns(columns) => {
            let factors =
                columns.products().iter().map(Products::factors).collect::<Option<_>>()?;
            (features_of_numbers(columns), factors)
        }
        Inputs::Indexed { .. } => (vec![], vec![]),
    };
    let place = |i: usize| match body {
        Body::Sparse { offsets, indices, .. } => {
            (offsets.partition_point(|&offset| offset <= i) - 1, indices[i] as usize)
        }
        Body::Table(_) | Body::Encoded(_) => (i / features.len(), features[i % features.len()]),
    };
    let other = |(i, value)| {
        let (row, feature) = place(i);
        OtherDecimal { row, feature, value }
    };
    Some(Decimals { others: spelling.others.into_iter().map(other).collect(), products })
}

/// The feature of each column of numbers.
fn features_of_numbers(columns: &Columns) -> Vec<usize> {
    let mut next = 0;
    let first = |column: &Column| {
        let first = next;
        next += column.features();
        (column.categories.is_none() && column.words.is_none()).then_some(first)
    };
    columns.features.iter().filter_map(first).collect()
}

/// The limits on features and labels. Each is checked while the file is read, before its names fill the memory.
pub(crate) struct Limits {
    features: usize,
    labels: Option<usize>,
    /// The number of spellings of labels at which the labels are looked at next.
    next: usize,
}

impl Limits {
    pub(crate) fn new(options: &ReadOptions) -> Self {
        let labels = options.max_labels;
        Limits { features: options.max_features, labels, next: labels.unwrap_or(0) }
    }

    /// Checks everything that was read so far.
    fn check(&mut self, all: &Batch, file: &str, schema: &Schema) -> Result<(), ReadError> {
        self.check_labels(&all.labels, file, schema)?;
        match (&all.body, &schema.inputs) {
            (Body::Table(table), Inputs::Columns(columns)) => {
                check_words(table, columns, file)?;
                self.check_categories(table, columns, file, schema.features())
            }
            _ => Ok(()),
        }
    }

    /// Checks the number of features; `others` are those that are not categories.
    fn check_categories(
        &self,
        table: &TableRows,
        columns: &Columns,
        file: &str,
        others: usize,
    ) -> Result<(), ReadError> {
        let sizes = || table.categories.iter().map(|names| names.names().len());
        let features = others + sizes().sum::<usize>();
        if features <= self.features {
            return Ok(());
        }
        let of_categories = columns.features.iter().filter(|column| column.categories.is_some());
        let column = most_features(of_categories.map(|column| &column.name).zip(sizes()));
        let (file, limit) = (file.to_owned(), self.features);
        Err(ReadError::TooManyFeatures { file, features, column, limit })
    }

    /// Checks the number of labels.
    pub(crate) fn check_labels(
        &mut self,
        labels: &Labels,
        file: &str,
        schema: &Schema,
    ) -> Result<(), ReadError> {
        let (Some(most), found) = (self.labels, labels.dictionary.names().len()) else {
            return Ok(());
        };
        if found <= self.next {
            return Ok(());
        }
        // Several spellings may be one class. Looked at when there are twice as many, all looks together cost little.
        self.next = 2 * found;
        let spellings = labels.dictionary.spellings();
        let Err(ClassError::ManyClasses { shown, .. }) = spellings.at_most(most) else {
            return Ok(());
        };
        let (file, target) = (file.to_owned(), schema.target().map(str::to_owned));
        Err(ReadError::TooManyLabels { file, target, shown, most })
    }
}

/// Refuses more n-grams than are remembered.
fn check_words(table: &TableRows, columns: &Columns, file: &str) -> Result<(), ReadError> {
    let of_text = columns.features.iter().filter(|column| column.words.is_some());
    match of_text.zip(&table.texts).find(|(_, texts)| texts.has_too_many_ngrams()) {
        None => Ok(()),
        Some((column, _)) => {
            let (file, column) = (file.to_owned(), column.name.clone());
            Err(ReadError::TooManyNgrams { file, column, most: Texts::MOST_NGRAMS })
        }
    }
}

/// The column with the most features, the first of several.
fn most_features<'c>(columns: impl Iterator<Item = (&'c String, usize)>) -> Option<MostFeatures> {
    let most = columns.reduce(|most, column| if column.1 > most.1 { column } else { most });
    most.map(|(column, features)| MostFeatures { column: column.clone(), features })
}

/// Refuses more features than allowed.
pub(crate) fn check_features(
    schema: &Schema,
    file: &str,
    options: &ReadOptions,
) -> Result<(), ReadError> {
    let (features, limit) = (schema.features(), options.max_features);
    if features <= limit {
        let no_room = |no_room| ReadError::NoRoom { file: file.to_owned(), no_room };
        return room::check(features as u64).map_err(no_room);
    }
    let column = match &schema.inputs {
        Inputs::Columns(columns) if 2 * columns.own_features() < features => {
            let (file, products) = (file.to_owned(), features - columns.own_features());
            return Err(ReadError::TooManyProducts { file, features, products, limit });
        }
        Inputs::Columns(columns) => {
            most_features(columns.features.iter().map(|column| (&column.name, column.features())))
        }
        Inputs::Indexed { .. } => None,
    };
    Err(ReadError::TooManyFeatures { file: file.to_owned(), features, column, limit })
}

/// Fills in what only the whole file shows: the number of sparse features, the categories, the words.
pub(crate) fn complete(schema: &mut Schema, body: &Body, options: &ReadOptions) {
    match (&mut schema.inputs, body) {
        (Inputs::Indexed { features }, Body::Sparse { features: found, .. }) => *features = *found,
        (Inputs::Columns(columns), Body::Table(table)) => {
            if options.dictionary {
                fill_in_words(columns, table);
            }
            fill_in_categories(columns, table);
            fill_in_missing(columns, table);
        }
        _ => {}
    }
}

/// The columns of numbers, in order.
fn number_columns(columns: &Columns) -> impl Iterator<Item = &Column> {
    columns.features.iter().filter(|column| column.categories.is_none() && column.words.is_none())
}

/// The numbers of the column of numbers at `place`.
fn numbers_at(
    table: &TableRows,
    place: usize,
    width: usize,
) -> impl Iterator<Item = f64> + use<'_> {
    table.numbers.iter().skip(place).step_by(width).copied()
}

/// Learns what stands in for missing numbers.
fn fill_in_missing(columns: &mut Columns, table: &TableRows) {
    let width = number_columns(columns).count();
    let numbers = columns
        .features
        .iter_mut()
        .filter(|column| column.categories.is_none() && column.words.is_none());
    for (place, column) in numbers.enumerate() {
        if let Some(missing) = &mut column.missing
            && missing.fill.is_learned()
        {
            let there = numbers_at(table, place, width).filter(|number| !number.is_nan());
            missing.value = learned(missing.fill, there.collect());
        }
    }
}

/// The missing cells of each column that has any.
fn filled(columns: &Columns, table: &TableRows) -> Vec<Filled> {
    let width = number_columns(columns).count();
    let missing_numbers = |(place, column): (usize, &Column)| match column.missing {
        None => 0,
        Some(_) => numbers_at(table, place, width).filter(|number| number.is_nan()).count(),
    };
    let numbers = number_columns(columns).enumerate();
    let numbers = numbers.map(|(place, column)| (column, missing_numbers((place, column))));
    let categories = columns.features.iter().filter(|column| column.categories.is_some());
    let categories = categories.zip(table.categories.iter().map(|all| all.count("")));
    let filled = numbers.chain(categories).filter(|(_, cells)| *cells > 0);
    let mut filled: Vec<(&Column, usize)> = filled.collect();
    filled.sort_by_key(|(column, _)| column.position);
    let shown = |(column, cells): (&Column, usize)| Filled {
        column: column.name.clone(),
        cells: cells as u64,
    };
    filled.into_iter().map(shown).collect()
}

/// The places of missing numbers whose values are learned, row after row.
fn missing_numbers(columns: &Columns, table: &TableRows) -> Vec<MissingNumber> {
    if !columns.features.iter().any(Column::has_learned_fill) {
        return Vec::new();
    }
    let mut first = 0;
    let mut features = Vec::new();
    for column in &columns.features {
        if column.categories.is_none() && column.words.is_none() {
            features.push((first, column.has_learned_fill()));
        }
        first += column.features();
    }
    let places = table.numbers.iter().enumerate().filter(|(_, number)| number.is_nan());
    let place = |(i, _): (usize, &f64)| {
        let (feature, is_learned) = features[i % features.len()];
        is_learned.then_some(MissingNumber { row: i / features.len(), feature })
    };
    places.filter_map(place).collect()
}

fn fill_in_words(columns: &mut Columns, table: &TableRows) {
    let words = columns.features.iter_mut().filter_map(|column| column.words.as_mut());
    for (words, texts) in words.zip(&table.texts) {
        let (dictionary, collisions) = texts.dictionary();
        (words.dictionary, words.collisions) = (dictionary, Some(collisions));
    }
}

fn fill_in_categories(columns: &mut Columns, table: &TableRows) {
    let names = columns.features.iter_mut().filter_map(|column| column.categories.as_mut());
    for (names, dictionary) in names.zip(&table.categories) {
        names.clear();
        names.extend_from_slice(dictionary.names());
        names.sort_unstable();
    }
}

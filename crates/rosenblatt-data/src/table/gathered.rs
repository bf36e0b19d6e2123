//! The batches of a file, joined to a data set.

use rosenblatt::data::ClassError;

use super::{
    batch::{Batch, Body, Labels},
    dataset::Dataset,
    encode::Encoder,
    rows::TableRows,
    schema::{Columns, Inputs, Schema},
};
use crate::{
    mapped_file::Seal,
    notes::Notes,
    options::ReadOptions,
    read_error::{MostFeatures, ReadError},
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
        notes: Notes,
        seal: Option<Seal>,
    ) -> Result<Dataset, ReadError> {
        let Some(all) = self.all.filter(|all| !all.is_empty()) else {
            let header = schema.has_header();
            return Err(ReadError::NoExamples { file, skipped: notes.skipped, header });
        };
        complete(&mut schema, &all.body, self.options);
        check_features(&schema, &file, self.options)?;
        let rows = Encoder::new(&schema).encode(all.body).rows;
        Ok(Dataset { file, rows, schema, notes, labels: all.labels, seal })
    }
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
        return Ok(());
    }
    let column = match &schema.inputs {
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
        }
        _ => {}
    }
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

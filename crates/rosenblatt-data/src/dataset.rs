//! A whole file in memory.

use rosenblatt::data::{ClassError, Classes, Rows, Spellings};

use crate::{
    batch::{Batch, Body, Labels},
    dictionary::Dictionary,
    encode::Encoder,
    error::{MostFeatures, ReadError},
    options::{Format, ReadOptions},
    packed::{Packed, Seal},
    reader::{Notes, Reader},
    room::append,
    schema::{Inputs, Schema},
    source::Source,
};

/// Rows, labels and how they were read.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The name of the file in messages.
    pub file: String,
    /// The rows, in the order of the file.
    pub rows: Rows<'static>,
    /// How a file becomes such rows.
    pub schema: Schema,
    /// What was come across beside the data.
    pub notes: Notes,
    pub(crate) labels: Labels,
    /// Of rows that lie in a packed file.
    pub(crate) seal: Option<Seal>,
}

impl Dataset {
    /// Sees that the rows are still those that were read: rows of a packed file lie in it, where another program
    /// can write. To be called before anything is said or written that was learned from them. Cost: for such rows a
    /// pass over them, else nothing.
    ///
    /// # Errors
    /// [`ReadError::Columnar`].
    pub fn check_unchanged(&self) -> Result<(), ReadError> {
        self.seal.as_ref().map_or(Ok(()), Seal::check)
    }

    /// Decides the classes and gives the number of the class of each row.
    ///
    /// # Errors
    /// [`ClassError`] when there are fewer than two classes, or too many.
    pub fn classes(&self, positive: Option<&str>) -> Result<(Classes, Vec<u32>), ClassError> {
        let Labels { codes, dictionary } = &self.labels;
        let (classes, of_spelling) = spellings(dictionary).classes(positive)?;
        let numbers = codes.iter().map(|&code| of_spelling[code as usize]).collect();
        Ok((classes, numbers))
    }

    /// The number of the label of each row, and the labels as spelt.
    pub fn into_labels(self) -> (Vec<u32>, Vec<String>) {
        let Labels { codes, dictionary } = self.labels;
        (codes, dictionary.names().to_vec())
    }

    /// The data of a file whose batches were read and joined.
    pub(crate) fn of(
        reader: Reader,
        all: Option<Batch>,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let (file, mut schema, notes) = reader.into_parts();
        let Some(all) = all.filter(|all| !all.is_empty()) else {
            let header = matches!(schema.format, Format::Table { header: true, .. });
            return Err(ReadError::NoExamples { file, skipped: notes.skipped, header });
        };
        complete(&mut schema, &all.body, options);
        check_complete(&schema, &file, options)?;
        let (labels, body) = (all.labels, all.body);
        let rows = Encoder::new(&schema).encode(body).rows;
        Ok(Dataset { file, rows, schema, notes, labels, seal: None })
    }
}

/// Reads a whole file to learn from.
///
/// # Errors
/// [`ReadError`].
pub fn read(mut source: Source, options: &ReadOptions) -> Result<Dataset, ReadError> {
    if let Some(packed) = Packed::of(&mut source, options)? {
        return packed.dataset(options);
    }
    let mut reader = Reader::for_training(source, options)?;
    let mut gathered = Gathered::new(options);
    while let Some(batch) = reader.next() {
        gathered.add(batch?, &reader)?;
    }
    Dataset::of(reader, gathered.all, options)
}

/// The batches of a file so far, joined.
pub(crate) struct Gathered {
    pub(crate) all: Option<Batch>,
    limits: Limits,
}

impl Gathered {
    pub(crate) fn new(options: &ReadOptions) -> Self {
        Gathered { all: None, limits: Limits::of(options) }
    }

    /// Takes in the next batch of this reader.
    pub(crate) fn add(&mut self, batch: Batch, reader: &Reader) -> Result<(), ReadError> {
        match &mut self.all {
            None => self.all = Some(batch),
            Some(all) => join(all, batch),
        }
        let Some(all) = &self.all else { return Ok(()) };
        self.limits.check(&all.body, &all.labels, reader)
    }
}

/// What a file may not have too many of. Whether it has shows while it is read, before its names fill the memory.
pub(crate) struct Limits {
    features: usize,
    labels: Option<usize>,
    /// So many spellings of labels are to be looked at next.
    next: usize,
}

impl Limits {
    pub(crate) fn of(options: &ReadOptions) -> Self {
        let labels = options.max_labels;
        Limits { features: options.max_features, labels, next: labels.unwrap_or(0) }
    }

    /// Looks at everything that was read so far.
    pub(crate) fn check(
        &mut self,
        body: &Body,
        labels: &Labels,
        reader: &Reader,
    ) -> Result<(), ReadError> {
        self.check_labels(labels, reader)?;
        let (Body::Table { categories, .. }, schema) = (body, reader.schema()) else {
            return Ok(());
        };
        let found: usize = categories.iter().map(|names| names.names().len()).sum();
        // The categories of the schema are not known yet.
        let features = schema.features() + found;
        if features <= self.features {
            return Ok(());
        }
        let Inputs::Columns(columns) = &schema.inputs else { return Ok(()) };
        let of_categories = columns.features.iter().filter(|column| column.categories.is_some());
        let sizes = categories.iter().map(|names| names.names().len());
        let column = most_features(of_categories.map(|column| &column.name).zip(sizes));
        let (file, limit) = (reader.file().to_owned(), self.features);
        Err(ReadError::TooManyFeatures { file, features, column, limit })
    }

    /// Looks at the labels alone.
    pub(crate) fn check_labels(
        &mut self,
        labels: &Labels,
        reader: &Reader,
    ) -> Result<(), ReadError> {
        let (Some(most), found) = (self.labels, labels.dictionary.names().len()) else {
            return Ok(());
        };
        if found <= self.next {
            return Ok(());
        }
        // Several spellings may be one class. Looked at when there are twice as many, all looks together cost little.
        self.next = 2 * found;
        let Err(ClassError::ManyClasses { shown, .. }) =
            spellings(&labels.dictionary).at_most(most)
        else {
            return Ok(());
        };
        let target = reader.schema().target().map(str::to_owned);
        let file = reader.file().to_owned();
        Err(ReadError::TooManyLabels { file, target, shown, most })
    }
}

/// Of columns and how many features each gives, the one with the most, the first of several.
fn most_features<'c>(columns: impl Iterator<Item = (&'c String, usize)>) -> Option<MostFeatures> {
    let most = columns.reduce(|most, column| if column.1 > most.1 { column } else { most });
    most.map(|(column, features)| MostFeatures { column: column.clone(), features })
}

pub(crate) fn spellings(labels: &Dictionary) -> Spellings {
    Spellings { labels: labels.names().to_vec(), counts: labels.counts().to_vec() }
}

/// Refuses more features than allowed.
pub(crate) fn check_complete(
    schema: &Schema,
    file: &str,
    options: &ReadOptions,
) -> Result<(), ReadError> {
    let (features, limit) = (schema.features(), options.max_features);
    if features > limit {
        let column = match &schema.inputs {
            Inputs::Columns(columns) => most_features(
                columns.features.iter().map(|column| (&column.name, column.features())),
            ),
            Inputs::Indexed { .. } => None,
        };
        return Err(ReadError::TooManyFeatures { file: file.to_owned(), features, column, limit });
    }
    Ok(())
}

/// Fills in what only the whole file shows: the number of sparse features, the categories.
pub(crate) fn complete(schema: &mut Schema, body: &Body, options: &ReadOptions) {
    match (&mut schema.inputs, body) {
        (Inputs::Indexed { features }, Body::Sparse { features: found, .. }) => *features = *found,
        (Inputs::Columns(columns), Body::Table { categories, texts, .. }) => {
            let words = columns.features.iter_mut().filter_map(|column| column.words.as_mut());
            for (words, texts) in words.zip(texts).filter(|_| options.dictionary) {
                let (dictionary, collisions) = texts.dictionary();
                (words.dictionary, words.collisions) = (dictionary, Some(collisions));
            }
            let text = columns.features.iter_mut().filter_map(|column| column.categories.as_mut());
            for (names, dictionary) in text.zip(categories) {
                names.clear();
                names.extend_from_slice(dictionary.names());
                names.sort_unstable();
            }
        }
        _ => {}
    }
}

/// Appends a batch to those before it.
pub(crate) fn join(all: &mut Batch, batch: Batch) {
    let map = all.labels.dictionary.merge(&batch.labels.dictionary);
    all.labels.codes.extend(batch.labels.codes.iter().map(|&code| map[code as usize]));
    match (&mut all.body, batch.body) {
        (
            Body::Sparse { offsets, indices, values, features },
            Body::Sparse {
                offsets: more_offsets,
                indices: more_indices,
                values: more_values,
                features: more_features,
            },
        ) => {
            let before = indices.len();
            offsets.extend(more_offsets[1..].iter().map(|offset| offset + before));
            append(indices, &more_indices);
            append(values, &more_values);
            *features = more_features.max(*features);
        }
        (
            Body::Table { rows, numbers, codes, categories, texts },
            Body::Table {
                rows: more_rows,
                numbers: more_numbers,
                codes: more_codes,
                categories: more_categories,
                texts: more_texts,
            },
        ) => {
            *rows += more_rows;
            append(numbers, &more_numbers);
            let maps: Vec<Vec<u32>> = categories
                .iter_mut()
                .zip(&more_categories)
                .map(|(all, more)| all.merge(more))
                .collect();
            let width = maps.len().max(1);
            let renumber = |(i, &code): (usize, &u32)| maps[i % width][code as usize];
            codes.extend(more_codes.iter().enumerate().map(renumber));
            texts.iter_mut().zip(more_texts).for_each(|(all, more)| all.join(more));
        }
        // A file has one format.
        _ => {}
    }
}

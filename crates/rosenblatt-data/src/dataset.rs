//! A whole file in memory.

use rosenblatt::data::{ClassError, Classes, Rows, Spellings};

use crate::{
    batch::{Batch, Body, Labels},
    encode::Encoder,
    error::ReadError,
    options::{Format, ReadOptions},
    packed::Packed,
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
}

impl Dataset {
    /// Decides the classes and gives the number of the class of each row.
    ///
    /// # Errors
    /// [`ClassError`] when there are fewer than two classes, or too many.
    pub fn classes(&self, positive: Option<&str>) -> Result<(Classes, Vec<u32>), ClassError> {
        let Labels { codes, dictionary } = &self.labels;
        let spellings =
            Spellings { labels: dictionary.names().to_vec(), counts: dictionary.counts().to_vec() };
        let (classes, of_spelling) = spellings.classes(positive)?;
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
        Ok(Dataset { file, rows, schema, notes, labels })
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
    let mut all: Option<Batch> = None;
    for batch in reader.by_ref() {
        let batch = batch?;
        match &mut all {
            None => all = Some(batch),
            Some(all) => join(all, batch),
        }
    }
    Dataset::of(reader, all, options)
}

/// Refuses more features than allowed.
pub(crate) fn check_complete(
    schema: &Schema,
    file: &str,
    options: &ReadOptions,
) -> Result<(), ReadError> {
    let (features, limit) = (schema.features(), options.max_features);
    if features > limit {
        return Err(ReadError::TooManyFeatures { file: file.to_owned(), features, limit });
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

//! A file from which each example is learned once: whole in memory while it is small, else batch by batch.

use rosenblatt_core::data::{Classes, Rows, Scheme, same_label};

use crate::{
    input::{
        reader::{ReadFile, Reader},
        source::Source,
    },
    notes::Notes,
    options::ReadOptions,
    read,
    read_error::ReadError,
    table::{
        batch::{Batch, Body},
        dataset::Dataset,
        dictionary::Dictionary,
        encode::Encoder,
        gathered::Gathered,
        schema::{Column, Inputs, Schema},
    },
};

/// A file from which each example is learned once.
pub enum TrainingInput {
    /// All of it: it is small, or has categories or text, whose features only the whole file shows.
    Whole(Box<Dataset>),
    /// One batch after the other.
    Batches(Box<Batches>),
}

/// The examples of a file, batch by batch; memory does not grow with the file.
pub struct Batches {
    reader: Reader,
    /// With the number of features so far.
    schema: Schema,
    /// The examples that were read until the classes were known.
    first: Option<Batch>,
    labels: Dictionary,
    positive: Option<String>,
    classes: Classes,
    /// The number of the class of each spelling of a label.
    of_spelling: Vec<u32>,
    examples: u64,
}

/// The examples of one batch.
pub struct TrainingBatch {
    /// The rows.
    pub rows: Rows<'static>,
    /// The number of the class of each.
    pub classes: Vec<u32>,
}

/// Why there is no next batch.
#[derive(Debug)]
pub enum BatchError {
    /// The file cannot be read.
    Read(ReadError),
    /// A class that the examples before did not have.
    NewClass {
        /// The name of the file.
        file: String,
        /// Its label.
        label: String,
        /// After how many examples it comes, at least.
        after: u64,
        /// The classes so far.
        classes: String,
    },
}

impl TrainingInput {
    /// The largest size of a file that is read whole, in bytes of numbers: 8 MiB.
    pub const SMALL: usize = 1 << 23;

    /// Opens a file to learn from. It is read whole while its numbers take at most `small` bytes. Batches begin when
    /// there are examples of two classes; `positive` is that of
    /// [`Spellings::classes`](rosenblatt_core::data::Spellings::classes).
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn open(
        source: Source,
        options: &ReadOptions,
        positive: Option<&str>,
        small: usize,
    ) -> Result<Self, ReadError> {
        let mut reader = Reader::for_training(source, options)?;
        let seal = reader.take_seal();
        let may_be_large = seal.is_none() && has_fixed_features(reader.schema(), options);
        let mut gathered = Gathered::new(options);
        let mut sides = Sides::default();
        while may_be_large && let Some(batch) = reader.next() {
            gathered.add(batch?, reader.file(), reader.schema())?;
            let schema = reader.schema();
            let large = gathered.all.as_ref().filter(|all| all.body.encoded_bytes(schema) > small);
            let found = large.and_then(|all| sides.classes(&all.labels.dictionary, positive));
            if let Some(found) = found {
                let batches = Batches::begin(reader, gathered.all, found, positive);
                return Ok(TrainingInput::Batches(Box::new(batches)));
            }
        }
        let dataset = read::rest(reader, gathered, seal)?;
        Ok(TrainingInput::Whole(Box::new(dataset)))
    }
}

/// The classes of the spellings of labels so far.
struct FoundClasses {
    labels: Dictionary,
    classes: Classes,
    of_spelling: Vec<u32>,
}

/// Whether there are labels of two classes, found by one look at each spelling.
#[derive(Default)]
struct Sides {
    /// The number of spellings that were looked at.
    seen: usize,
    /// The positive label, or the first one where none is to be positive, has come; and another one.
    has_one: bool,
    has_other: bool,
}

impl Sides {
    /// The classes, once there are labels of two.
    fn classes(&mut self, labels: &Dictionary, positive: Option<&str>) -> Option<FoundClasses> {
        if !self.are_two(labels, positive) {
            return None;
        }
        let (classes, of_spelling) = labels.spellings().classes(positive).ok()?;
        Some(FoundClasses { labels: labels.clone(), classes, of_spelling })
    }

    fn are_two(&mut self, labels: &Dictionary, positive: Option<&str>) -> bool {
        let names = labels.names();
        let Some(one) = positive.or(names.first().map(String::as_str)) else { return false };
        for name in &names[self.seen..] {
            match same_label(name, one) {
                true => self.has_one = true,
                false => self.has_other = true,
            }
        }
        self.seen = names.len();
        self.has_one && self.has_other
    }
}

/// Whether the features are known, or only grow in number, from the first batch on.
fn has_fixed_features(schema: &Schema, options: &ReadOptions) -> bool {
    match &schema.inputs {
        Inputs::Indexed { .. } => true,
        Inputs::Columns(columns) => {
            let numbers = |column: &Column| {
                column.categories.is_none() && column.words.is_none() && !column.has_learned_fill()
            };
            columns.features.iter().all(numbers) && schema.features() <= options.max_features
        }
    }
}

impl Batches {
    fn begin(
        reader: Reader,
        first: Option<Batch>,
        found: FoundClasses,
        positive: Option<&str>,
    ) -> Self {
        let FoundClasses { labels, classes, of_spelling } = found;
        let (schema, positive) = (reader.schema().clone(), positive.map(str::to_owned));
        Batches { reader, schema, first, labels, positive, classes, of_spelling, examples: 0 }
    }

    /// The name of the file.
    pub fn file(&self) -> &str {
        self.reader.file()
    }

    /// The classes.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The examples of the next batch.
    ///
    /// # Errors
    /// [`BatchError`]; there is no batch after it.
    #[allow(clippy::should_implement_trait)] // An iterator that ends in more than its items.
    pub fn next(&mut self) -> Option<Result<TrainingBatch, BatchError>> {
        let (batch, map) = match self.first.take() {
            Some(batch) => {
                let spellings = self.labels.names().len() as u32;
                (batch, (0..spellings).collect())
            }
            None => match self.reader.next()? {
                Err(error) => return Some(Err(BatchError::Read(error))),
                Ok(batch) => {
                    let known = self.labels.names().len();
                    let map = self.labels.merge(&batch.labels.dictionary);
                    if self.labels.names().len() > known
                        && let Err(error) = self.classify(known)
                    {
                        return Some(Err(error));
                    }
                    (batch, map)
                }
            },
        };
        Some(Ok(self.examples(batch, &map)))
    }

    /// The examples of a batch; `map` gives the number here of each of its labels.
    fn examples(&mut self, batch: Batch, map: &[u32]) -> TrainingBatch {
        let codes = batch.labels.codes.iter();
        let class = |&code: &u32| self.of_spelling[map[code as usize] as usize];
        let classes: Vec<u32> = codes.map(class).collect();
        if let (Inputs::Indexed { features }, Body::Sparse { features: found, .. }) =
            (&mut self.schema.inputs, &batch.body)
        {
            *features = *found.max(features);
        }
        self.examples += classes.len() as u64;
        TrainingBatch { rows: Encoder::new(&self.schema).encode(batch.body), classes }
    }

    /// Finds the classes of the spellings from number `known` on, which must be those that there are.
    fn classify(&mut self, known: usize) -> Result<(), BatchError> {
        let rest_and_one = self.classes.scheme() == Scheme::Two { positive: 1 };
        if self.positive.is_some() && rest_and_one && self.classes.is_one_vs_rest() {
            // Each new label is another spelling of the positive one, or belongs to the rest.
            let number = |name: &String| self.classes.number(name).unwrap_or(0) as u32;
            let more: Vec<u32> = self.labels.names()[known..].iter().map(number).collect();
            self.of_spelling.extend(more);
            return Ok(());
        }
        let found = self.labels.spellings().classes(self.positive.as_deref());
        match found {
            Ok((classes, of_spelling)) if self.are_the_same(&classes, &of_spelling) => {
                (self.classes, self.of_spelling) = (classes, of_spelling);
                Ok(())
            }
            _ => Err(BatchError::NewClass {
                file: self.reader.file().to_owned(),
                label: self.labels.names()[known].clone(),
                after: self.examples,
                classes: self.classes.shown(),
            }),
        }
    }

    /// Whether each spelling so far has the class that it had; a class may have found another name.
    fn are_the_same(&self, classes: &Classes, of_spelling: &[u32]) -> bool {
        classes.scheme() == self.classes.scheme() && of_spelling.starts_with(&self.of_spelling)
    }

    /// The name of the file, the schema, the notes of reading, and the classes.
    pub fn into_parts(self) -> (String, Schema, Notes, Classes) {
        // Which spelling names a class is known at the end.
        let classes = self.labels.spellings().classes(self.positive.as_deref());
        let classes = classes.map_or(self.classes, |(classes, _)| classes);
        let ReadFile { file, notes, .. } = self.reader.into_file();
        (file, self.schema, notes, classes)
    }
}

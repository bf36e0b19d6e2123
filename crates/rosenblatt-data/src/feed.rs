//! A file that is learned from once: whole in memory while it is small, else batch by batch.

use rosenblatt::data::{Classes, Rows, Scheme, same_label};

use crate::{
    batch::{Batch, Body},
    dataset::{Dataset, Gathered, spellings},
    dictionary::Dictionary,
    encode::Encoder,
    error::ReadError,
    options::ReadOptions,
    packed::Packed,
    reader::{Notes, Reader},
    schema::{Inputs, Schema},
    source::Source,
};

/// A file to learn from once.
pub enum Feed {
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

/// Why the batches cannot go on.
#[derive(Debug)]
pub enum FeedError {
    /// What the file holds cannot be read.
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

/// Examples and the number of the class of each.
pub type Examples = (Rows<'static>, Vec<u32>);

impl Feed {
    /// What is held in memory at most until the batches begin, in bytes of numbers: 8 MiB.
    pub const SMALL: usize = 1 << 23;

    /// Reads a file to learn from, whole while its numbers take at most `small` bytes. Batches begin when
    /// there are examples of two classes; `positive` is that of
    /// [`Spellings::classes`](rosenblatt::data::Spellings::classes).
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn open(
        mut source: Source,
        options: &ReadOptions,
        positive: Option<&str>,
        small: usize,
    ) -> Result<Self, ReadError> {
        if let Some(packed) = Packed::of(&mut source, options)? {
            return packed.dataset(options).map(|dataset| Feed::Whole(Box::new(dataset)));
        }
        let mut reader = Reader::for_training(source, options)?;
        let fixed = has_fixed_features(reader.schema(), options);
        let mut gathered = Gathered::new(options);
        let mut sides = Sides::default();
        while let Some(batch) = reader.next() {
            gathered.add(batch?, &reader)?;
            let large =
                gathered.all.as_ref().filter(|all| fixed && all.body.encoded_bytes() > small);
            let found = large.and_then(|all| {
                let labels = &all.labels.dictionary;
                if !sides.are_two(labels, positive) {
                    return None;
                }
                let classes = spellings(labels).classes(positive).ok()?;
                Some((classes, labels.clone()))
            });
            if let Some(((classes, of_spelling), labels)) = found {
                let (schema, first) = (reader.schema().clone(), gathered.all);
                let positive = positive.map(str::to_owned);
                let batches = Batches {
                    reader,
                    schema,
                    first,
                    labels,
                    positive,
                    classes,
                    of_spelling,
                    examples: 0,
                };
                return Ok(Feed::Batches(Box::new(batches)));
            }
        }
        Dataset::of(reader, gathered.all, options).map(|dataset| Feed::Whole(Box::new(dataset)))
    }
}

/// Whether there are labels of two classes, found by one look at each spelling.
#[derive(Default)]
struct Sides {
    /// How many spellings were looked at.
    seen: usize,
    /// The positive label, or the first one where none is to be positive, has come; and another one.
    has_one: bool,
    has_other: bool,
}

impl Sides {
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
            let numbers = |column: &crate::schema::Column| {
                column.categories.is_none() && column.words.is_none()
            };
            columns.features.iter().all(numbers) && schema.features() <= options.max_features
        }
    }
}

impl Batches {
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
    /// [`FeedError`]; there is no batch after it.
    #[allow(clippy::should_implement_trait)] // An iterator that ends in more than its items.
    pub fn next(&mut self) -> Option<Result<Examples, FeedError>> {
        let (batch, map) = match self.first.take() {
            Some(batch) => {
                let spellings = self.labels.names().len() as u32;
                (batch, (0..spellings).collect())
            }
            None => match self.reader.next()? {
                Err(error) => return Some(Err(FeedError::Read(error))),
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
        let classes = batch.labels.codes.iter();
        let of_spelling = &self.of_spelling;
        let classes: Vec<u32> =
            classes.map(|&code| of_spelling[map[code as usize] as usize]).collect();
        if let (Inputs::Indexed { features }, Body::Sparse { features: found, .. }) =
            (&mut self.schema.inputs, &batch.body)
        {
            *features = *found.max(features);
        }
        self.examples += classes.len() as u64;
        Some(Ok((Encoder::new(&self.schema).encode(batch.body).rows, classes)))
    }

    /// Finds the classes of the spellings from number `known` on, which must be those that there are.
    fn classify(&mut self, known: usize) -> Result<(), FeedError> {
        let rest_and_one = self.classes.scheme() == Scheme::Two { positive: 1 };
        if self.positive.is_some() && rest_and_one && self.classes.is_one_against_rest() {
            // Whatever comes is the positive label, spelt anew, or belongs to the rest.
            let number = |name: &String| self.classes.number(name).unwrap_or(0) as u32;
            let more: Vec<u32> = self.labels.names()[known..].iter().map(number).collect();
            self.of_spelling.extend(more);
            return Ok(());
        }
        let found = spellings(&self.labels).classes(self.positive.as_deref());
        match found {
            Ok((classes, of_spelling)) if self.are_the_same(&classes, &of_spelling) => {
                (self.classes, self.of_spelling) = (classes, of_spelling);
                Ok(())
            }
            _ => Err(FeedError::NewClass {
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

    /// The name of the file, how it becomes rows, what was come across, and the classes.
    pub fn into_parts(self) -> (String, Schema, Notes, Classes) {
        // Which spelling names a class is known at the end.
        let classes = spellings(&self.labels).classes(self.positive.as_deref());
        let classes = classes.map_or(self.classes, |(classes, _)| classes);
        let (file, _, notes) = self.reader.into_parts();
        (file, self.schema, notes, classes)
    }
}

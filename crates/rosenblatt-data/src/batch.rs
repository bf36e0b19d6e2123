//! What a parser makes of one block: rows as they stand in the file.

use rosenblatt::data::{Classes, Rows};

use crate::{
    dictionary::Dictionary,
    error::{Excerpt, Fault, Problem},
    options::OnError,
    words::Texts,
};

/// The examples of one block, in order.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub(crate) labels: Labels,
    pub(crate) body: Body,
    /// Rows that were left out, each with its first fault.
    pub(crate) skipped: Vec<Fault>,
    /// Sparse entries past the model's last feature, left out.
    pub(crate) beyond: u64,
}

/// The rows of a block, in the form of the file.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// Of LIBSVM: row `i` has the entries `offsets[i]..offsets[i + 1]`.
    Sparse { offsets: Vec<usize>, indices: Vec<u32>, values: Vec<f64>, features: usize },
    /// Of a table: for each row the cells of the columns of numbers; for each row the number of the
    /// category of each column of categories in that column's dictionary; each column of text.
    Table {
        rows: usize,
        numbers: Vec<f64>,
        codes: Vec<u32>,
        categories: Vec<Dictionary>,
        texts: Vec<Texts>,
    },
    /// Of a packed file.
    Encoded(Rows<'static>),
}

impl Body {
    /// The bytes of rows when they are encoded: 8 a number, 12 an entry of a sparse row and 8 the row.
    pub(crate) fn encoded_bytes(&self) -> usize {
        let sparse = |rows: usize, entries: usize| 8 * rows + 12 * entries;
        match self {
            Body::Sparse { offsets, values, .. } => sparse(offsets.len(), values.len()),
            Body::Table { numbers, categories, texts, .. }
                if categories.is_empty() && texts.is_empty() =>
            {
                8 * numbers.len()
            }
            Body::Table { rows, numbers, codes, texts, .. } => {
                let words: usize = texts.iter().map(|text| text.values.len()).sum();
                sparse(*rows, numbers.len() + codes.len() + words)
            }
            Body::Encoded(rows) => sparse(rows.len(), rows.stored()),
        }
    }
}

impl Default for Body {
    fn default() -> Self {
        Body::Sparse { offsets: vec![0], indices: Vec::new(), values: Vec::new(), features: 0 }
    }
}

/// The label of each row, as numbers in a dictionary of the labels as spelt.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    pub(crate) codes: Vec<u32>,
    pub(crate) dictionary: Dictionary,
}

impl Batch {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match &self.body {
            Body::Sparse { offsets, .. } => offsets.len() - 1,
            Body::Table { rows, .. } => *rows,
            Body::Encoded(rows) => rows.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of the class of each row's label, for a reader that was opened with these classes.
    pub fn classes(&self, classes: &Classes) -> Vec<u32> {
        let Labels { codes, dictionary } = &self.labels;
        // The reader let no other label pass.
        let number = |name: &String| classes.number(name).unwrap_or(0) as u32;
        let numbers: Vec<u32> = dictionary.names().iter().map(number).collect();
        codes.iter().map(|&code| numbers[code as usize]).collect()
    }

    /// Stops at a fault, or notes it and goes on.
    pub(crate) fn fault(&mut self, fault: Fault, on_error: OnError) -> Result<(), Fault> {
        match on_error {
            OnError::Stop => Err(fault),
            OnError::Skip => {
                self.skipped.push(fault);
                Ok(())
            }
        }
    }
}

/// What a parser does with labels.
#[derive(Clone, Debug)]
pub(crate) enum LabelUse {
    /// Any label; each row must have one.
    Learn,
    /// Labels of these classes; each row must have one.
    Check(Classes),
    /// None is needed, and one that is there is not looked at.
    Ignore,
}

impl LabelUse {
    /// Whether a label that was not met before may stand here.
    pub(crate) fn allows(&self, label: &str) -> Result<(), Problem> {
        match self {
            LabelUse::Check(classes) if classes.number(label).is_none() => {
                let text = Excerpt::new(label.as_bytes());
                Err(Problem::UnknownLabel { text, classes: classes.shown() })
            }
            _ => Ok(()),
        }
    }
}

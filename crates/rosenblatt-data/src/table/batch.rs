//! The rows of one block, as they stand in the file.

use std::collections::HashMap;

use rosenblatt_core::data::{Classes, Decimal, Rows};

use super::{
    dictionary::Dictionary,
    rows::TableRows,
    schema::{Column, Columns, Inputs, Interaction, Schema},
};
use crate::{
    fast::prefault::append,
    fault::{Excerpt, Fault, Problem},
    options::OnError,
};

/// The examples of one block, in order.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub(crate) labels: Labels,
    pub(crate) body: Body,
    /// Rows that were left out, each with its first fault.
    pub(crate) skipped: Vec<Fault>,
    /// How many of these are certainly no examples.
    pub(crate) no_examples: u64,
    /// How many of these have a single cell.
    pub(crate) lone_cells: u64,
    /// How many of these have no label.
    pub(crate) unlabelled: u64,
    /// The number of rows that were left out because a cell is missing.
    pub(crate) dropped: u64,
    /// The places of such rows, with [`OnError::Blank`].
    pub(crate) gaps: Vec<Gap>,
    /// The cell of each row in the column [`ReadOptions::id`](crate::ReadOptions::id), if there is one.
    pub(crate) ids: Vec<String>,
    /// Sparse entries past the model's last feature, left out.
    pub(crate) beyond: u64,
    /// How the numbers of a text are written, with [`ReadOptions::decimals`](crate::ReadOptions::decimals).
    pub(crate) spelling: Option<Spelling>,
}

/// How the numbers of a text are written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spelling {
    /// The numbers that are not the shortest decimals of their floats, by their places in the body, ascending.
    pub(crate) others: Vec<(usize, Decimal)>,
    /// Whether some are times of a day, which are no decimals.
    pub(crate) has_times: bool,
}

impl Spelling {
    /// Appends that of another batch, whose numbers follow `before` others.
    pub(super) fn join(&mut self, more: Spelling, before: usize) {
        self.others.extend(more.others.into_iter().map(|(place, value)| (before + place, value)));
        self.has_times |= more.has_times;
    }
}

/// The place of a row that was left out, or of a blank line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The number of rows of the batch before it.
    pub before: usize,
    /// The cell of the column that names the rows, if it can be read.
    pub id: Option<String>,
    /// The problem of the row; a blank line has none.
    pub problem: Option<String>,
}

/// The rows of a block, in the form of the file.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// Of LIBSVM: row `i` has the entries `offsets[i]..offsets[i + 1]`.
    Sparse { offsets: Vec<usize>, indices: Vec<u32>, values: Vec<f64>, features: usize },
    /// Of a table.
    Table(TableRows),
    /// Of a packed file.
    Encoded(Rows<'static>),
}

impl Body {
    /// The bytes of rows when they are encoded: 8 a number, 12 an entry of a sparse row and 8 the row.
    pub(crate) fn encoded_bytes(&self, schema: &Schema) -> usize {
        let sparse = |rows: usize, entries: usize| 8 * rows + 12 * entries;
        match self {
            Body::Sparse { offsets, values, .. } => sparse(offsets.len(), values.len()),
            Body::Table(table) if table.is_numbers() => {
                (8 * table.rows).saturating_mul(schema.features())
            }
            Body::Table(table) => {
                let words: usize = table.texts.iter().map(|text| text.values.len()).sum();
                let products = match &schema.inputs {
                    Inputs::Columns(columns) => most_products(columns, table),
                    Inputs::Indexed { .. } => 0,
                };
                sparse(table.rows, table.numbers.len() + table.codes.len() + words + products)
            }
            Body::Encoded(rows) => sparse(rows.len(), rows.stored()),
        }
    }
}

/// About how many products are not 0: exactly so, where texts have one number of words.
fn most_products(columns: &Columns, table: &TableRows) -> usize {
    let mut texts = table.texts.iter().map(|text| text.values.len());
    let mut entries = |column: &Column| match &column.words {
        Some(_) => texts.next().unwrap_or(0),
        None => table.rows * (1 + usize::from(column.has_indicator())),
    };
    let of_columns: HashMap<&String, usize> =
        columns.features.iter().map(|column| (&column.name, entries(column))).collect();
    let of_pair = |interaction: &Interaction| {
        let [one, other] = interaction.columns.each_ref().map(|name| of_columns[name]);
        one.saturating_mul(other).div_ceil(table.rows.max(1))
    };
    columns.interactions.iter().map(of_pair).fold(0, usize::saturating_add)
}

impl Default for Body {
    fn default() -> Self {
        Body::Sparse { offsets: vec![0], indices: Vec::new(), values: Vec::new(), features: 0 }
    }
}

impl Body {
    /// The numbers that a spelling may be of.
    fn numbers(&self) -> usize {
        match self {
            Body::Sparse { values, .. } => values.len(),
            Body::Table(table) => table.numbers.len(),
            Body::Encoded(_) => 0,
        }
    }

    /// Appends the rows of another batch. A file has one form of rows, so both are of the same form.
    fn join(&mut self, more: Body) {
        match (self, more) {
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
            (Body::Table(table), Body::Table(more)) => table.join(more),
            _ => {}
        }
    }
}

/// The label of each row, as numbers in a dictionary of the labels as spelt.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    pub(crate) codes: Vec<u32>,
    pub(crate) dictionary: Dictionary,
}

impl Labels {
    /// Adds the label of a row, by its number if it has occurred. `None`: it may not stand here.
    #[inline(always)]
    pub(crate) fn take_in(&mut self, label: Result<u32, &str>, allowed: &LabelUse) -> Option<()> {
        let code = match label {
            Ok(code) => {
                self.dictionary.count_again(code);
                code
            }
            Err(new) => self.dictionary.number(new, |name| allowed.allows(name)).ok()?,
        };
        self.codes.push(code);
        Some(())
    }

    /// Appends the labels of another batch.
    fn join(&mut self, more: &Labels) {
        let map = self.dictionary.merge(&more.dictionary);
        self.codes.extend(more.codes.iter().map(|&code| map[code as usize]));
    }
}

impl Batch {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match &self.body {
            Body::Sparse { offsets, .. } => offsets.len() - 1,
            Body::Table(table) => table.rows,
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

    /// The number of the class of each row's label, or the label where it is none of these classes.
    pub fn known_classes(&self, classes: &Classes) -> Vec<Result<u32, &str>> {
        let Labels { codes, dictionary } = &self.labels;
        let number = |name: &'_ String| classes.number(name).map(|number| number as u32);
        let numbers: Vec<Option<u32>> = dictionary.names().iter().map(number).collect();
        let known =
            |&code: &u32| numbers[code as usize].ok_or(dictionary.names()[code as usize].as_str());
        codes.iter().map(known).collect()
    }

    /// Appends the rows of the next batch of the same file.
    pub(crate) fn join(&mut self, more: Batch) {
        self.spelling = match (self.spelling.take(), more.spelling) {
            (Some(mut all), Some(more)) => {
                all.join(more, self.body.numbers());
                Some(all)
            }
            _ => None,
        };
        self.labels.join(&more.labels);
        self.ids.extend(more.ids);
        self.body.join(more.body);
    }

    /// The cells of the column that names the rows, if the options name one.
    pub fn take_ids(&mut self) -> Vec<String> {
        std::mem::take(&mut self.ids)
    }

    /// The places of rows that were left out, and of blank lines, in order.
    pub fn take_gaps(&mut self) -> Vec<Gap> {
        std::mem::take(&mut self.gaps)
    }

    /// Stops at a fault of the row after `before` rows, or notes it and goes on. A row without a label is no example.
    pub(crate) fn fault(
        &mut self,
        fault: Fault,
        on_error: OnError,
        labels: &LabelUse,
        before: usize,
    ) -> Result<(), Fault> {
        let is_unlabelled = labels.pass_over(&fault.problem);
        self.unlabelled += u64::from(is_unlabelled);
        match on_error {
            OnError::Stop if is_unlabelled => {}
            OnError::Stop => return Err(fault),
            OnError::Skip => {}
            OnError::Blank => {
                let problem = Some(fault.problem.to_string());
                self.gaps.push(Gap { before, id: None, problem });
            }
        }
        self.skipped.push(fault);
        Ok(())
    }
}

/// How a parser uses labels.
#[derive(Clone, Debug)]
pub(crate) enum LabelUse {
    /// Any label; each row must have one.
    Learn,
    /// Labels of these classes; each row must have one.
    Check(Classes),
    /// Labels are neither needed nor read.
    Ignore,
}

impl LabelUse {
    /// Whether rows that are no examples are left out without being asked. A prediction has each row.
    pub(crate) fn pass_over_rows(&self) -> bool {
        matches!(self, LabelUse::Learn)
    }

    /// Whether a row with this problem is left out without being asked: it has no label.
    pub(crate) fn pass_over(&self, problem: &Problem) -> bool {
        self.pass_over_rows() && problem.is_of_no_label()
    }

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

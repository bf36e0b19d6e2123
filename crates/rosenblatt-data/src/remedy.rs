//! The change of options that resolves an error or a note: one map for all who give advice.

use crate::{
    CsvProblem, Encoding, Header, JsonProblem, NotText, NumberForm, OnError, Problem, ReadError,
    ReadOptions,
};

/// A change of the options of reading, or of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Remedy {
    /// Take the labels from this column.
    Target(String),
    /// Read the text in this encoding.
    Encoding(Encoding),
    /// Separate cells by this character; a blank stands for one or more.
    Separator(char),
    /// Read the first row as names or as an example.
    Header(Header),
    /// Learn from the words of this column.
    Text(String),
    /// Leave this column out.
    Ignore(String),
    /// Read cells of this text as missing.
    MissingValue(String),
    /// Fill missing cells with the median of their column.
    FillMissing,
    /// Read the numbers of a column in this form.
    Form {
        /// The column.
        column: String,
        /// The form of its numbers.
        form: NumberForm,
    },
    /// Leave out rows that cannot be read.
    SkipRows,
    /// Leave out rows that cannot be read, up to this share of all.
    SkipShare {
        /// The share in whole percent.
        percent: u64,
    },
    /// Set an option of the run. It resolves notes, never an error of reading.
    Run {
        /// The name of the option.
        option: &'static str,
        /// Its value.
        value: &'static str,
    },
}

impl Remedy {
    /// A separator of cells in text that is read as one cell.
    pub fn separator_in(cell: &str) -> Option<char> {
        [';', '\t', '|'].into_iter().find(|&separator| cell.contains(separator))
    }

    /// Whether these options leave open what the remedy sets, so that it can be tried.
    pub fn is_open(&self, options: &ReadOptions) -> bool {
        match self {
            Remedy::Target(_) => options.target.is_none(),
            Remedy::Encoding(_) => options.encoding == Encoding::Utf8,
            Remedy::Separator(_) => options.delimiter.is_none() && options.format.is_none(),
            Remedy::Header(_) => options.header == Header::Expected,
            Remedy::FillMissing => options.missing.iter().all(|option| option.column.is_some()),
            Remedy::SkipRows => options.on_error != OnError::Skip,
            Remedy::Text(_)
            | Remedy::Ignore(_)
            | Remedy::MissingValue(_)
            | Remedy::Form { .. }
            | Remedy::SkipShare { .. }
            | Remedy::Run { .. } => true,
        }
    }
}

impl ReadError {
    /// The change of options that resolves the error, if one is known.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            ReadError::UnclearTarget { others, .. } => Remedy::Target(others.first()?.clone()),
            ReadError::NotText { found: NotText::Utf16, .. } => Remedy::Encoding(Encoding::Utf16),
            ReadError::OtherSeparator { separator, .. } => Remedy::Separator(*separator),
            ReadError::NoFeatures { columns: 1, target, .. } => {
                Remedy::Separator(Remedy::separator_in(target)?)
            }
            ReadError::UnknownFormat { line, .. } => {
                Remedy::Separator(if line.contains('|') { '|' } else { ' ' })
            }
            ReadError::TooManySkipped { skipped, rows, .. } => {
                let percent = (100.0 * *skipped as f64 / *rows as f64).ceil() as u64;
                Remedy::SkipShare { percent }
            }
            ReadError::Data { problem, .. } => return problem.remedy(),
            _ => return None,
        })
    }
}

impl Problem {
    /// The change of options that resolves the problem, if one is known.
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            // Prose that is now and then a number alone.
            Problem::MixedColumn { column, counts, .. } if 100 * counts.numbers <= counts.texts => {
                Remedy::Text(column.clone())
            }
            Problem::OneText { text, .. } => {
                let text = text.to_string();
                return (!text.contains([',', '…'])).then_some(Remedy::MissingValue(text));
            }
            Problem::ManyValues { column, .. }
            | Problem::MixedColumn { column, .. }
            | Problem::AllMissing { column } => Remedy::Ignore(column.clone()),
            Problem::UnnamedColumn { position } => Remedy::Ignore(position.to_string()),
            Problem::MissingValues { .. } => Remedy::FillMissing,
            Problem::OtherForm { column, form, .. } => {
                Remedy::Form { column: column.clone(), form: *form.clone() }
            }
            Problem::NotUtf8 { .. } => Remedy::Encoding(Encoding::Latin1),
            Problem::EmptyLabel { .. } | Problem::MissingLabel { .. } => Remedy::SkipRows,
            Problem::Format(problem) => match problem.downcast_ref() {
                Some(problem) => return of_csv(problem),
                None => match problem.downcast_ref()? {
                    JsonProblem::Nested { column } => Remedy::Ignore(column.clone()),
                    _ => return None,
                },
            },
            _ => return None,
        })
    }
}

fn of_csv(problem: &CsvProblem) -> Option<Remedy> {
    match problem {
        CsvProblem::HeaderIsNumber { likely_names: true, .. } => {
            Some(Remedy::Header(Header::Present))
        }
        CsvProblem::HeaderIsNumber { .. } => Some(Remedy::Header(Header::Absent)),
        CsvProblem::RaggedRow { .. } | CsvProblem::SeparatorAtEnd { .. } | CsvProblem::EmptyRow => {
            Some(Remedy::SkipRows)
        }
        _ => None,
    }
}

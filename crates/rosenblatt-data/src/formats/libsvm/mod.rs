//! LIBSVM (SVMlight) text: `label index:value index:value …`, one example per line.
//!
//! By the written rule, indices are whole numbers from 1 (from 0 only when the options say so) that ascend, and the label
//! is a number. `#` begins a comment; a `qid:` word after the label is passed over, and so are blank lines. Nothing is
//! guessed from the data.

mod error;
mod parser;

pub use error::LibsvmProblem;

use parser::LibsvmParser;

use super::effects::Traits;
use super::format::{FileFormat, Input, check_no_columns, other_format};
use crate::{
    input::{parser::WithBmi2, reader::Reader},
    number,
    options::{FormatKind, ReadOptions},
    read_error::ReadError,
    table::{
        batch::LabelUse,
        schema::{Format, Inputs, Schema},
    },
};

impl FormatKind {
    /// LIBSVM, also known as SVMlight.
    pub const LIBSVM: Self = FormatKind::new("libsvm");
}

pub(super) struct Libsvm;

impl FileFormat for Libsvm {
    fn kind(&self) -> FormatKind {
        FormatKind::LIBSVM
    }

    fn traits(&self) -> Traits {
        Traits {
            noun: "LIBSVM data",
            is_text: true,
            has_separators: false,
            has_first_row: false,
            has_columns: false,
            has_spellings: false,
            has_missing_texts: false,
            has_indices: true,
        }
    }

    fn endings(&self) -> &'static [&'static str] {
        &["libsvm", "svmlight", "svm"]
    }

    /// A number and a pair `index:value` or `qid:value`.
    fn is_line(&self, line: &[u8]) -> bool {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
        let Some(colon) = second.iter().position(|&byte| byte == b':') else { return false };
        let index = &second[..colon];
        number::is_number(first) && (index == b"qid" || index.iter().all(u8::is_ascii_digit))
    }

    fn is_trained_on(&self, format: &Format) -> bool {
        matches!(format, Format::Libsvm { .. })
    }

    fn open_training(&self, input: Input, options: &ReadOptions) -> Result<Reader, ReadError> {
        let text = input.into_text()?;
        check_no_columns(text.file(), options, "LIBSVM data")?;
        let zero_based = options.zero_based;
        let format = Format::Libsvm { zero_based };
        let schema = Schema { format, inputs: Inputs::Indexed { features: 0 } };
        let parser = parser(options, zero_based, None, LabelUse::Learn);
        Ok(text.reader(Box::new(WithBmi2(parser)), schema, options))
    }

    fn open_model(
        &self,
        input: Input,
        options: &ReadOptions,
        schema: &Schema,
        labels: LabelUse,
    ) -> Result<Reader, ReadError> {
        let text = input.into_text()?;
        let (Inputs::Indexed { features }, Format::Libsvm { zero_based }) =
            (&schema.inputs, schema.format)
        else {
            return Err(other_format(text.file().to_owned(), "LIBSVM data", schema));
        };
        let zero_based = options.zero_based || zero_based;
        let parser = parser(options, zero_based, Some(*features), labels);
        Ok(text.reader(Box::new(WithBmi2(parser)), schema.clone(), options))
    }
}

fn parser(
    options: &ReadOptions,
    zero_based: bool,
    width: Option<usize>,
    labels: LabelUse,
) -> LibsvmParser {
    /// An entry has its feature as a number of 32 bits.
    const MOST: u64 = 1 << 32;
    let ReadOptions { on_error, numbers, .. } = *options;
    let max_features = options.max_features.min(usize::try_from(MOST).unwrap_or(usize::MAX));
    LibsvmParser { zero_based, max_features, width, labels, on_error, numbers }
}

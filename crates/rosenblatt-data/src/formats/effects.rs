//! Which options of reading have an effect with which format. An option without one is refused.

use crate::{
    number_form::Decimal,
    options::{Delimiter, Header, ReadOptions},
    read_error::ReadError,
};

/// The properties of a format that options speak of.
#[derive(Clone, Copy)]
pub(crate) struct Traits {
    /// The format in words, as the subject of a sentence in the plural.
    pub(crate) noun: &'static str,
    /// The bytes are a text in some encoding.
    pub(crate) is_text: bool,
    /// Cells are separated by a character.
    pub(crate) has_separators: bool,
    /// The first row may name the columns, below lines that are no rows.
    pub(crate) has_first_row: bool,
    /// Columns become features by options; in packed data they have become so before.
    pub(crate) has_columns: bool,
    /// Numbers are text, which people spell in several ways.
    pub(crate) has_spellings: bool,
    /// A text may stand for a missing value.
    pub(crate) has_missing_texts: bool,
    /// Features are indices that count from 0 or 1.
    pub(crate) has_indices: bool,
}

/// An option of reading that is chosen, and whether the format has what it speaks of.
type Chosen = (&'static str, bool);

impl Traits {
    /// Refuses the first option that is not its default and has no effect with the format. Columns that do not exist have
    /// errors of their own.
    pub(crate) fn check(
        &self,
        file: &str,
        options: &ReadOptions,
        has_model: bool,
    ) -> Result<(), ReadError> {
        let idle = self.chosen(options, has_model).into_iter().find(|(_, has_effect)| !has_effect);
        match idle {
            None => Ok(()),
            Some((option, _)) => {
                Err(ReadError::NoEffect { file: file.to_owned(), option, format: self.noun })
            }
        }
    }

    /// The options that are not their defaults. Every option is named, so that a new one is asked for.
    fn chosen(&self, options: &ReadOptions, has_model: bool) -> Vec<Chosen> {
        let ReadOptions {
            delimiter,
            quote,
            escape,
            comment,
            skip_rows,
            quotes,
            encoding,
            header,
            zero_based,
            interactions,
            missing,
            missing_values,
            decimal,
            thousands,
            units,
            dates,
            // The names of columns that the format does not have are errors, and these three need a column of text.
            target: _,
            ignore: _,
            categorical: _,
            text: _,
            features: _,
            id: _,
            cut: _,
            bits: _,
            dictionary: _,
            // Any format.
            format: _,
            on_error: _,
            skip_limit: _,
            unbuffered: _,
            max_features: _,
            max_labels: _,
            threads: _,
            numbers: _,
        } = options;
        // For a model, columns without names are found by their positions.
        let by_position = has_model && self.has_columns;
        let has_quotes = self.has_separators && *delimiter != Some(Delimiter::Whitespace);
        let all = [
            ("delimiter", delimiter.is_some(), self.has_separators),
            ("quote", quote.is_some(), has_quotes),
            ("escape", escape.is_some(), has_quotes),
            ("comment", comment.is_some(), self.has_separators),
            ("skip-rows", skip_rows.is_some(), self.has_first_row),
            ("no-quotes", !quotes, has_quotes),
            ("encoding", encoding.is_some(), self.is_text),
            ("header", *header == Header::Present, self.has_first_row),
            ("no-header", *header == Header::Absent, self.has_first_row || by_position),
            ("zero-based", *zero_based, self.has_indices),
            ("interactions", !interactions.is_empty(), self.has_columns),
            ("missing", !missing.is_empty(), self.has_columns),
            ("missing-values", missing_values.is_some(), self.has_missing_texts),
            ("decimal", *decimal != Decimal::Point, self.has_spellings),
            ("thousands", thousands.is_some(), self.has_spellings),
            ("units", !units.is_empty(), self.has_spellings),
            ("dates", dates.is_some(), self.has_spellings),
        ];
        let chosen = all.into_iter().filter(|(_, is_chosen, _)| *is_chosen);
        chosen.map(|(name, _, has_effect)| (name, has_effect)).collect()
    }
}

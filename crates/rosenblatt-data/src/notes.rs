//! Notes of reading a file.

use crate::{
    number_form::NumberForm,
    options::{Delimiter, Encoding, Quoting},
};

/// Facts about a file that are not in its rows.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Notes {
    /// The first line, or the first bytes, decided the format, because the name did not.
    pub format_from_content: bool,
    /// The format of a file of columns, in words, where only its first bytes told it.
    pub format_from_magic: Option<String>,
    /// How the rows and columns of a JSON file are arranged, in words, where its name does not say that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrangement: Option<String>,
    /// The features whose numbers are text in the file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers_in_quotes: Vec<String>,
    /// The number of comment lines before the table.
    pub comment_lines: u64,
    /// What was found out of the form of a table in text, and done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub table: Vec<TableNote>,
    /// The first row names the columns, but no cell of the table is a number, so it may be an example.
    #[serde(skip)]
    pub text_header: bool,
    /// How many rows show what is said of the columns in `row_numbers` and `identifiers`; absent for all rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_rows: Option<u64>,
    /// The features that number the rows: each number is greater by 1 than the one before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub row_numbers: Vec<String>,
    /// The features that may be identifiers of the rows: whole numbers, no two equal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub identifiers: Vec<String>,
    /// What was decided about the columns without being asked.
    #[serde(default, skip_serializing_if = "Decisions::is_empty")]
    pub decisions: Decisions,
    /// The number of rows that were left out because a cell is missing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped: u64,
    /// The columns with missing cells that another value stands in for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filled: Vec<Filled>,
    /// The number of rows that were left out.
    pub skipped: u64,
    /// How many of these are certainly no examples: they repeat the header, say more about it, or have one cell.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub no_examples: u64,
    /// The error message of the first row that was left out.
    pub first_skipped: Option<String>,
    /// The names of columns that the model does not know.
    pub unknown_columns: Vec<String>,
    /// The columns are the features that the model uses, perhaps with the label, in the order of the training file, whose
    /// other columns are absent.
    #[serde(skip)]
    pub only_used_columns: bool,
    /// The number of sparse entries past the model's last feature, which were left out.
    pub beyond: u64,
    /// The file with the labels, where it was found in the folder of the data and not named.
    pub labels_beside: Option<String>,
    /// The file is a packed file of a version without checksums, so damage to its header cannot be detected.
    #[serde(skip)]
    pub no_checksum: bool,
}

/// Something about the form of a table in text that no option says.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum TableNote {
    /// The text is read as UTF-16, by its byte order mark.
    Utf16,
    /// The text is read in this encoding, because it is not UTF-8.
    Encoding(Encoding),
    /// The separator is another than the name of the file tells.
    Separator(Delimiter),
    /// The quotes, escapes or rows within quotes are not the usual ones.
    Quoting(Quoting),
    /// So many title lines above the table are passed over.
    TitleLines(u64),
    /// The first row is read as an example.
    FirstRowIsExample,
    /// The first row names the columns, although most names are numbers: they rise or fall.
    NumbersAreNames,
    /// The names of the columns come from a comment line.
    NamesInComment,
    /// These columns have no name in the file.
    Nameless(Vec<String>),
    /// The name of each of these columns is also that of an earlier one.
    Doubled(Vec<String>),
    /// Each row begins with a cell for which the header has no name.
    RowNames,
    /// Each row has more cells than the header.
    LongerRows {
        /// The cells of a row.
        cells: u64,
        /// The names of the header.
        names: u64,
    },
    /// Lines end with a separator.
    SeparatorAtEnds,
    /// Two rows below the names say what the columns are.
    Declared,
}

/// What was decided about the columns of a table without being asked.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Decisions {
    /// The label, if it is not the last column.
    pub label: Option<String>,
    /// The columns from which nothing can be learned.
    pub left_out: Vec<LeftOutColumn>,
    /// The columns whose cells are not spelled as programs spell numbers.
    pub read_as: Vec<ReadAs>,
    /// Values that may not be meant as they are read.
    pub doubts: Vec<Doubt>,
}

/// Values of a column that may not be meant as they are read.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Doubt {
    /// The name of the column.
    pub column: String,
    /// How many cells it is about.
    pub cells: u64,
    /// What they are.
    pub values: DoubtfulValues,
}

/// What the values of a column are that may not be meant as they are read.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DoubtfulValues {
    /// One number is far from all others: nines that may stand for a missing number, as `999` does, or a mistake.
    Far {
        /// The number as the first such cell spells it.
        text: String,
        /// Whether it has nines alone.
        is_code: bool,
        /// The least of the other numbers.
        least: f64,
        /// The greatest of the other numbers.
        greatest: f64,
    },
    /// Numbers begin with a zero that is lost, as `007` does.
    LeadingZeros {
        /// The first one.
        text: String,
        /// Whether they are labels, which are the same with and without the zero.
        are_labels: bool,
    },
    /// More than a third of the cells are categories of their own.
    ManyCategories {
        /// The number of categories.
        categories: u64,
    },
}

impl Decisions {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Decisions::default()
    }
}

/// A column that is left out.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LeftOutColumn {
    /// Its name.
    pub column: String,
    /// Why nothing can be learned from it.
    pub because: LeftOutBecause,
}

/// Why nothing can be learned from a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LeftOutBecause {
    /// Every cell is missing.
    Empty,
    /// It identifies the rows, or what they are about.
    Identifier,
    /// Its values are neither numbers nor text: lists, objects or bytes.
    OtherType,
    /// The file itself says that it names the rows.
    RowNames,
    /// It holds text of which more than half of the cells differ.
    ManyValues {
        /// The number of different values.
        values: u64,
        /// The number of cells.
        cells: u64,
    },
}

/// How a column is read.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ReadAs {
    /// Its name.
    pub column: String,
    /// What its cells are.
    pub kind: ReadKind,
    /// The first cell that is no number as programs spell it.
    pub example: String,
}

/// What the cells of a column are.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReadKind {
    /// Numbers of this form.
    Numbers(NumberForm),
    /// Categories, of which some may be numbers.
    Categories,
    /// Prose, whose words are features.
    Words,
    /// Texts of one or two words, whose n-grams of characters are features.
    Characters,
}

/// The missing cells of a column.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Filled {
    /// The name of the column.
    pub column: String,
    /// The number of missing cells.
    pub cells: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

//! The problems that only text tables can have.

use rosenblatt_core::data::excerpt;

use crate::fault::{Excerpt, FormatProblem, Problem};

/// A problem of tables in text files.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CsvProblem {
    /// A row with too few or too many cells.
    #[error("found {found} cell{}, expected {expected} as in the first row", if *.found == 1 { "" } else { "s" })]
    RaggedRow {
        /// The number of cells of the row.
        found: usize,
        /// The number of cells of the first row.
        expected: usize,
    },
    /// A row with one empty cell too many at its end.
    #[error("found {found} cells, the last one empty, expected {expected} as in the first row")]
    SeparatorAtEnd {
        /// The number of cells of the row.
        found: usize,
        /// The number of cells of the first row.
        expected: usize,
    },
    /// A row without any cell that is not empty.
    #[error("every cell of this row is empty")]
    EmptyRow,
    /// A row of which only one cell is not empty, and no label that other rows have.
    #[error("only one cell of this row is not empty: `{text}`")]
    LoneCell {
        /// The cell.
        text: Excerpt,
    },
    /// A quote that is not closed before the end of the file.
    #[error("this quote is never closed")]
    OpenQuote,
    /// Text between a closing quote and the end of the cell.
    #[error("text after the closing quote of the cell")]
    TextAfterQuote,
    /// A byte order mark that is not at the beginning of the file.
    #[error("a byte order mark in the middle of the file")]
    ByteOrderMark,
    /// A header cell that looks like data.
    #[error("the column name `{text}` is a number")]
    HeaderIsNumber {
        /// The cell.
        text: Excerpt,
        /// Whether the first row looks like names of columns nevertheless, such as years.
        likely_names: bool,
    },
    /// A first row of one cell before rows of several.
    #[error("the first row has 1 cell, but line {line} has {cells}")]
    TitleAbove {
        /// The first line with another number of cells.
        line: u64,
        /// That number.
        cells: usize,
    },
    /// A first row with more or fewer cells than every row that was seen below it.
    #[error("the first row has {}, but line {line} has {cells}", header_cells(*.found, *.empty))]
    HeaderLength {
        /// The number of cells of the first row.
        found: usize,
        /// The line of the second row.
        line: u64,
        /// The number of its cells.
        cells: usize,
        /// Where one cell too many is empty: `first` or `last`.
        empty: Option<&'static str>,
    },
    /// A name that several columns have and that an option, or a model, means one of.
    #[error("columns {} and {} are called `{name}`", .positions[0], .positions[1], name = excerpt(.name))]
    SameName {
        /// The name.
        name: String,
        /// The positions of the first two of these columns, from 1.
        positions: [usize; 2],
    },
    /// A row that repeats the header.
    #[error("this row repeats the names of the columns")]
    HeaderAgain,
    /// A row below the header with text in several columns of numbers.
    #[error(
        "this row below the names of the columns has text in columns of numbers, such as their units"
    )]
    SecondHeader,
    /// A row of dashes below the header.
    #[error("this row is a line of dashes")]
    RuleLine,
    /// A row of another length that begins as comments do.
    #[error("this line begins with `{sign}`: found {found} cells, expected {expected}")]
    CommentInTable {
        /// The sign.
        sign: char,
        /// The number of its cells.
        found: usize,
        /// The number of cells of a row.
        expected: usize,
    },
    /// A header cell that is also a value of its column.
    #[error("the first row is read as column names, but `{text}` is also a value of its column")]
    HeaderIsValue {
        /// The cell.
        text: Excerpt,
    },
}

impl From<CsvProblem> for Problem {
    fn from(problem: CsvProblem) -> Self {
        Problem::Format(FormatProblem::new(problem))
    }
}

impl CsvProblem {
    /// Whether the row is certainly no example, so that it can be left out without being asked.
    pub(crate) fn is_of_no_example(&self) -> bool {
        use CsvProblem::{EmptyRow, HeaderAgain, LoneCell, RuleLine, SecondHeader};
        matches!(self, EmptyRow | HeaderAgain | LoneCell { .. } | RuleLine | SecondHeader)
    }
}

fn header_cells(found: usize, empty: Option<&str>) -> String {
    let empty = empty.map_or_else(String::new, |which| format!(", the {which} one empty"));
    format!("{found} cells{empty}")
}

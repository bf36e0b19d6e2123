//! Notes: what is worth knowing about data or a run, and is no error.

use serde::Serialize;

use crate::Remedy;

/// Something worth knowing about data or a run: one record for reports, programs and warnings.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// What it says, for programs.
    pub code: NoteCode,
    /// The columns that it is about.
    pub columns: Vec<String>,
    /// The classes that it is about.
    pub classes: Vec<String>,
    /// The number of rows, cells, lines or examples that it counts.
    pub count: Option<u64>,
    /// The change of options that resolves it, if one is known.
    pub remedy: Option<Remedy>,
    /// A sentence for people, without a full stop.
    pub words: String,
}

impl Note {
    /// A note about nothing in particular.
    pub fn new(code: NoteCode, words: impl Into<String>) -> Self {
        let (columns, classes) = (Vec::new(), Vec::new());
        Note { code, columns, classes, count: None, remedy: None, words: words.into() }
    }

    /// The note with its columns.
    pub fn columns<'a>(self, columns: impl IntoIterator<Item = &'a String>) -> Self {
        Note { columns: columns.into_iter().cloned().collect(), ..self }
    }

    /// The note with its classes.
    pub fn classes<'a>(self, classes: impl IntoIterator<Item = &'a String>) -> Self {
        Note { classes: classes.into_iter().cloned().collect(), ..self }
    }

    /// The note with what it counts.
    pub fn count(self, count: u64) -> Self {
        Note { count: Some(count), ..self }
    }

    /// The note with what resolves it.
    pub fn remedy(self, remedy: Remedy) -> Self {
        Note { remedy: Some(remedy), ..self }
    }

    /// How much it matters.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// How much a note matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It says what was done.
    Note,
    /// The result may not be what it seems.
    Warning,
}

/// Declares the codes, each with its severity.
macro_rules! codes {
    ($($(#[$words:meta])+ $code:ident: $severity:ident,)+) => {
        /// What a note says, for programs: in JSON in lower case, with underscores.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum NoteCode { $($(#[$words])+ $code,)+ }

        impl NoteCode {
            /// All codes.
            pub const ALL: &[NoteCode] = &[$(NoteCode::$code),+];

            /// How much a note with this code matters.
            pub fn severity(self) -> Severity {
                match self { $(NoteCode::$code => Severity::$severity,)+ }
            }
        }
    };
}

codes! {
    /// The content of a file decided its format, because the name did not.
    Format: Note,
    /// The labels come from a file that was not named.
    LabelsBeside: Note,
    /// A model or a packed file is of a version without checksums.
    NoChecksum: Note,
    /// Comment lines before a table were skipped.
    CommentLines: Note,
    /// The first row names the columns, but may be an example.
    TextHeader: Note,
    /// A feature numbers the rows.
    RowNumbers: Warning,
    /// A feature may be an identifier of the rows.
    Identifier: Note,
    /// The columns of the data are those that the model uses.
    UsedColumns: Note,
    /// Another value stands in for the missing cells of a column.
    FilledCells: Note,
    /// Rows with a missing value were left out.
    DroppedRows: Note,
    /// Rows that cannot be read were left out.
    SkippedRows: Warning,
    /// The model does not have some columns of the data.
    UnknownColumns: Note,
    /// Entries lie past the last feature of the model.
    BeyondFeatures: Note,
    /// Cells of a column have a category that is not in the training data.
    UnknownCategories: Note,
    /// Rows have no prediction.
    NoPrediction: Note,
    /// Columns are left out because the words of others are the features.
    ColumnsBesideText: Note,
    /// How rows that exceed the memory were packed into a file, or read from one.
    PackedRows: Note,
    /// The prepared rows take more memory than was allowed.
    Memory: Note,
    /// A class comes late in a file, which is then read whole.
    LateClass: Note,
    /// The options that a name stands for.
    NamedOptions: Note,
    /// Of which class a probability is.
    ProbabilityOf: Note,
    /// Labels differ only in case.
    ClassesByCase: Warning,
    /// Classes have one example.
    SingleExamples: Warning,
    /// A feature has one value for each class, so it may be the label in another form.
    LabelCopies: Warning,
    /// The model is no better than the most frequent class.
    NoBetter: Warning,
    /// Classes with examples are never predicted.
    NeverPredicted: Warning,
    /// Labels of the data are not in the examples that were learned from.
    UnseenLabels: Warning,
    /// Classes have fewer examples than there are folds.
    FewExamples: Note,
    /// Other weights than those of the model separate the classes.
    OtherSeparator: Note,
    /// The examples are sorted by class, so they were shuffled.
    Shuffled: Note,
    /// The examples are sorted by class, and were learned from in that order.
    SortedExamples: Warning,
    /// The features differ much in size.
    FeatureSizes: Note,
}

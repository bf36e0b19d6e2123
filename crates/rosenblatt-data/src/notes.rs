//! What reading a file came across besides its rows.

/// What a reader came across beside the data.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Notes {
    /// The first line, or the first bytes, decided the format, because the name did not.
    pub format_from_content: bool,
    /// The format of a file of columns, in words, where only its first bytes told it.
    pub format_from_magic: Option<String>,
    /// Comment lines before the table.
    pub comment_lines: u64,
    /// Rows left out.
    pub skipped: u64,
    /// The first of them, as an error message.
    pub first_skipped: Option<String>,
    /// Columns that the model does not know.
    pub unknown_columns: Vec<String>,
    /// Sparse entries past the model's last feature, left out.
    pub beyond: u64,
    /// The file with the labels, where it was found beside the data and not named.
    pub labels_beside: Option<String>,
    /// It is a packed file of a version without checksums, so damage to its header cannot be seen.
    #[serde(skip)]
    pub no_checksum: bool,
}

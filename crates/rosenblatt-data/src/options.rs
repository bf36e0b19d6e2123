//! The options of reading.

use std::{fmt, str::FromStr};

use crate::{
    Remedy,
    number_form::{DateOrder, Decimal, NumberForm},
};

/// The separator of the cells of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Delimiter {
    /// This byte; cells may be quoted.
    Byte(u8),
    /// This byte; a quote is a character like any other.
    Unquoted(u8),
    /// One or more blanks or tabs; there are no quotes.
    Whitespace,
}

impl Delimiter {
    /// The delimiter where a quote is a character like any other.
    pub(crate) fn without_quotes(self) -> Self {
        match self {
            Delimiter::Byte(byte) => Delimiter::Unquoted(byte),
            other => other,
        }
    }
}

/// The signs of a table besides the separator of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Quoting {
    /// The quote of a cell. Within quotes it is doubled.
    pub quote: u8,
    /// The sign before a quote, a separator or itself that makes it a character like any other.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub escape: Option<u8>,
    /// The sign with which a line begins that is a comment, wherever it stands.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub comment: Option<u8>,
    /// Whether a row of one quoted cell holds the cells of the row.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub whole_rows: bool,
}

impl Default for Quoting {
    /// Double quotes, and nothing else.
    fn default() -> Self {
        Quoting { quote: b'"', escape: None, comment: None, whole_rows: false }
    }
}

impl Quoting {
    pub(crate) fn is_usual(&self) -> bool {
        *self == Quoting::default()
    }

    /// Whether lines end as they do; signs from a file may be any.
    pub(crate) fn is_sound(&self) -> bool {
        let signs = [Some(self.quote), self.escape, self.comment];
        !signs.into_iter().flatten().any(|sign| matches!(sign, b'\n' | b'\r'))
    }

    /// Whether a sign is that of an escape.
    pub(crate) fn is_escape(self, byte: u8) -> bool {
        self.escape == Some(byte)
    }
}

/// The encoding of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    #[default]
    Utf8,
    /// Latin-1 with the additions of Windows-1252.
    Latin1,
    /// UTF-16; without a byte order mark the low byte comes first.
    Utf16,
}

impl Encoding {
    /// Whether it is UTF-8.
    pub(crate) fn is_usual(&self) -> bool {
        *self == Encoding::Utf8
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Latin1 => "Latin-1 (Windows-1252)",
            Encoding::Utf16 => "UTF-16",
        })
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Delimiter::Byte(b'\t') | Delimiter::Unquoted(b'\t') => f.write_str("tab"),
            Delimiter::Byte(b' ') | Delimiter::Unquoted(b' ') => f.write_str("single blanks"),
            Delimiter::Byte(byte) | Delimiter::Unquoted(byte) if byte.is_ascii_control() => {
                write!(f, "`\\x{byte:02x}`")
            }
            Delimiter::Byte(byte) | Delimiter::Unquoted(byte) => {
                write!(f, "`{}`", char::from(*byte))
            }
            Delimiter::Whitespace => f.write_str("blanks"),
        }
    }
}

/// A file format by its name; each format in `formats/` declares its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FormatKind(&'static str);

impl FormatKind {
    pub(crate) const fn new(name: &'static str) -> Self {
        FormatKind(name)
    }

    /// The name of the format in options, in lower case.
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Debug for FormatKind {
    /// The name with a capital letter: packed files hold the options of reading in this form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, rest) = self.0.split_at(1);
        write!(f, "{}{rest}", first.to_ascii_uppercase())
    }
}

/// Whether the first row of a table names its columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// It does; a name that is a number is an error, because it looks like an example.
    #[default]
    Expected,
    /// It does, whatever it looks like.
    Present,
    /// It does not; the columns are called 1, 2, 3, ….
    Absent,
}

/// How texts are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Into runs of up to so many words.
    Words(u8),
    /// Into n-grams of characters within words.
    Chars(CharNgrams),
}

impl Cut {
    pub(crate) fn hashed(self, bits: u8) -> Hashing {
        match self {
            Cut::Words(ngrams) => Hashing { bits, ngrams, chars: None },
            Cut::Chars(chars) => Hashing { bits, ngrams: 1, chars: Some(chars) },
        }
    }
}

/// How a column of text is cut and hashed.
#[derive(Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Hashing {
    /// B: there are 2ᴮ buckets.
    pub bits: u8,
    /// The maximum number of words in an n-gram.
    pub ngrams: u8,
    /// The n-grams of characters that are the features instead of words; absent for words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub chars: Option<CharNgrams>,
}

impl fmt::Debug for Hashing {
    /// Only what there is: packed files hold the options of reading in this form, and those of words keep their bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Hashing");
        fields.field("bits", &self.bits).field("ngrams", &self.ngrams);
        if let Some(chars) = &self.chars {
            fields.field("chars", chars);
        }
        fields.finish()
    }
}

impl Hashing {
    /// The maximum number of bits.
    pub const MAX_BITS: u8 = 28;
    /// The maximum number of words in an n-gram.
    pub const MAX_NGRAMS: u8 = 5;

    /// The number of buckets.
    pub fn buckets(self) -> usize {
        1 << self.bits
    }

    pub(crate) fn is_sound(self) -> bool {
        (1..=Self::MAX_BITS).contains(&self.bits)
            && (1..=Self::MAX_NGRAMS).contains(&self.ngrams)
            && self.chars.is_none_or(CharNgrams::is_sound)
    }
}

/// The lengths of the n-grams of characters, the borders of the word included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CharNgrams {
    /// The least number of characters.
    pub shortest: u8,
    /// The largest number of characters.
    pub longest: u8,
}

impl CharNgrams {
    /// The largest number of characters that an n-gram can have.
    pub const MAX: u8 = 20;
    /// Those of names, and of texts whose words no blanks part.
    pub const OF_NAMES: CharNgrams = CharNgrams { shortest: 1, longest: 3 };

    fn is_sound(self) -> bool {
        1 <= self.shortest && self.shortest <= self.longest && self.longest <= Self::MAX
    }
}

impl fmt::Display for CharNgrams {
    /// As in `3:5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.shortest, self.longest)
    }
}

impl FromStr for CharNgrams {
    type Err = UnknownCharNgrams;

    /// Reads `3:5`.
    fn from_str(text: &str) -> Result<Self, UnknownCharNgrams> {
        let (shortest, longest) = text.split_once(':').ok_or(UnknownCharNgrams)?;
        let number = |text: &str| text.parse().map_err(|_| UnknownCharNgrams);
        let lengths = CharNgrams { shortest: number(shortest)?, longest: number(longest)? };
        lengths.is_sound().then_some(lengths).ok_or(UnknownCharNgrams)
    }
}

/// A text that says no lengths of n-grams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected the least and the largest number of characters, such as 3:5, from 1 to {}",
    CharNgrams::MAX
)]
pub struct UnknownCharNgrams;

/// The treatment of a row that cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// Stop with an error.
    #[default]
    Stop,
    /// Leave the row out and count it.
    Skip,
    /// Leave the row out, count it and note its place among the other rows ([`Gap`](crate::batch::Gap)), so that a
    /// prediction can be blank there. A blank line of a text leaves such a place too, but is not counted.
    Blank,
}

/// The treatment of a missing value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingRule {
    /// Put the mean of the column in its place.
    Mean,
    /// Put the median of the column in its place.
    Median,
    /// Put 0 in its place.
    Zero,
    /// In a column of categories, make it a category of its own; in one of numbers, put 0 in its place and add a feature
    /// that says so.
    Category,
    /// Leave its row out.
    Drop,
}

/// A rule for the missing values of one column, or of all columns without a rule of their own. In columns of categories,
/// a rule for all columns that is not [`Drop`](MissingRule::Drop) is [`Category`](MissingRule::Category).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingOption {
    /// The column.
    pub column: Option<String>,
    /// The rule.
    pub rule: MissingRule,
    /// Whether to add a feature that is 1 where a number is missing.
    pub indicator: bool,
}

impl FromStr for MissingOption {
    type Err = UnknownMissingRule;

    /// Reads `median`, `age=median` or `age=median+indicator`.
    fn from_str(text: &str) -> Result<Self, UnknownMissingRule> {
        let (column, rule) = match text.rsplit_once('=') {
            Some((column, rule)) => (Some(column.to_owned()), rule),
            None => (None, text),
        };
        let (rule, indicator) = match rule.strip_suffix("+indicator") {
            Some(rule) => (rule, true),
            None => (rule, false),
        };
        let rule = match rule {
            "mean" => MissingRule::Mean,
            "median" => MissingRule::Median,
            "zero" => MissingRule::Zero,
            "category" => MissingRule::Category,
            "drop" => MissingRule::Drop,
            _ => return Err(UnknownMissingRule),
        };
        Ok(MissingOption { column, rule, indicator })
    }
}

/// A text that is no rule for missing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected mean, median, zero, category or drop, or COLUMN=RULE")]
pub struct UnknownMissingRule;

/// The form in which the numbers of a text are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextNumbers {
    /// The nearest floats. An integer that no float is is an error.
    #[default]
    Floats,
    /// Besides, how they are written ([`Dataset::decimals`](crate::Dataset::decimals)).
    FloatsAndDecimals,
    /// How they are written, and the nearest floats of all, also of integers.
    Decimals,
}

impl TextNumbers {
    pub(crate) fn has_decimals(self) -> bool {
        self != TextNumbers::Floats
    }

    /// Whether each integer is to be a float.
    pub(crate) fn are_floats(self) -> bool {
        self != TextNumbers::Decimals
    }
}

/// The options of reading.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The format; otherwise the ending of the file's name decides, or else how it begins.
    pub format: Option<FormatKind>,
    /// The separator of cells; otherwise it is found out. If nothing speaks for another, it is a comma (CSV) or a tab (TSV).
    pub delimiter: Option<Delimiter>,
    /// The quote of cells; otherwise it is found out, `"` if nothing speaks for another.
    pub quote: Option<u8>,
    /// The sign before a quote, a separator or itself that makes it a character like any other; otherwise it is found out.
    pub escape: Option<u8>,
    /// The sign with which comment lines begin, wherever they stand; otherwise `#`, above the table only.
    pub comment: Option<u8>,
    /// The number of lines to pass over at the beginning of a table; otherwise title lines are found out.
    pub skip_rows: Option<u64>,
    /// Whether a cell may be quoted, where cells are separated by a byte.
    pub quotes: bool,
    /// The encoding of a text; `None` is that of the model, or UTF-8.
    pub encoding: Option<Encoding>,
    /// Whether the first row names the columns.
    pub header: Header,
    /// Whether LIBSVM indices count from 0.
    pub zero_based: bool,
    /// The column with the labels; otherwise the last one.
    pub target: Option<String>,
    /// Columns to leave out.
    pub ignore: Vec<String>,
    /// Columns whose cells are categories even where they look like numbers.
    pub categorical: Vec<String>,
    /// Lists of columns. The products of each two columns of a list are features too; see
    /// [`Interaction`](crate::schema::Interaction).
    pub interactions: Vec<Vec<String>>,
    /// Columns whose words, or n-grams of characters, are the features. The other columns are then left out, unless `features`
    /// names them.
    pub text: Vec<String>,
    /// How text is cut. Otherwise its words are the features or, where most of 20 texts or more are of one or two words,
    /// [`CharNgrams::OF_NAMES`].
    pub cut: Option<Cut>,
    /// Texts and interactions are hashed to 2ᴮ features with these bits B.
    pub bits: u8,
    /// Whether a model keeps the words behind its features.
    pub dictionary: bool,
    /// The columns that are features; otherwise all that are not the target or ignored.
    pub features: Vec<String>,
    /// The treatment of missing values; without one they are errors.
    pub missing: Vec<MissingOption>,
    /// The spellings of missing values besides the empty cell; otherwise NA, N/A, NaN, null, ?, - and . in any case of
    /// letters, in columns of numbers only.
    pub missing_values: Option<Vec<String>>,
    /// The decimal sign of numbers.
    pub decimal: Decimal,
    /// The separator of groups of three digits.
    pub thousands: Option<char>,
    /// Columns whose numbers have a unit.
    pub units: Vec<String>,
    /// The order of year, month and day in dates. Columns of such dates are numbers of days.
    pub dates: Option<DateOrder>,
    /// The treatment of a row that cannot be read.
    pub on_error: OnError,
    /// The largest share of rows that may be skipped, from 0 to 1; more is an error at the end of the file. One row may
    /// always be skipped.
    pub skip_limit: f64,
    /// The column of a table whose cells are kept with the rows as they are. In data to learn from it is a feature only if
    /// `features`, `categorical` or `text` name it too.
    pub id: Option<String>,
    /// Whether the rows of a text for a model are given out as soon as they arrive. Otherwise, about a mebibyte is
    /// awaited.
    pub unbuffered: bool,
    /// The form in which the numbers of a text are kept.
    pub numbers: TextNumbers,
    /// The maximum number of features: a larger LIBSVM index or a wider table is an error, so that one hostile
    /// number cannot take all memory.
    pub max_features: usize,
    /// The maximum number of different labels in data to learn from, where each label is to be a class. A file with more
    /// is an error as soon as that shows. Without a value, any number is accepted.
    pub max_labels: Option<usize>,
    /// The number of threads that parse.
    pub threads: usize,
}

impl ReadOptions {
    /// The maximum number of features by default: 2²², 32 MiB for a vector of weights.
    pub const MAX_FEATURES: usize = 1 << 22;

    /// These options for a table that a program wrote as plain CSV: commas between cells, a cell within `"` where it must
    /// be, UTF-8, the names of the columns in the first line. Nothing of that is found out.
    pub fn of_plain_csv(self) -> Self {
        ReadOptions {
            format: Some(FormatKind::CSV),
            delimiter: Some(Delimiter::Byte(b',')),
            quote: Some(b'"'),
            quotes: true,
            encoding: Some(Encoding::Utf8),
            skip_rows: Some(0),
            header: Header::Present,
            ..self
        }
    }

    /// The first column that any of the options names.
    pub(crate) fn first_column(&self) -> Option<&String> {
        let lists = [&self.ignore, &self.categorical, &self.text, &self.features, &self.units];
        let missing = self.missing.iter().filter_map(|option| option.column.as_ref());
        let named = self.target.iter().chain(&self.id);
        let lists = lists.into_iter().chain(&self.interactions).flatten();
        named.chain(lists).chain(missing).next()
    }

    /// Whether any of the options names a column so.
    pub(crate) fn names_column(&self, name: &str) -> bool {
        let lists = [&self.ignore, &self.categorical, &self.text, &self.features, &self.units];
        let in_lists = lists.into_iter().chain(&self.interactions).flatten();
        let missing = self.missing.iter().filter_map(|option| option.column.as_ref());
        let mut whole = self.target.iter().chain(&self.id).chain(missing);
        let is_item = |item: &String| item == name || item.split(',').any(|one| one.trim() == name);
        whole.any(|one| one == name) || in_lists.into_iter().any(is_item)
    }

    /// The sign that is both decimal sign and separator of thousands, if one is.
    pub(crate) fn same_sign(&self) -> Option<char> {
        let decimal = if self.decimal == Decimal::Comma { ',' } else { '.' };
        self.thousands.filter(|&thousands| thousands == decimal)
    }

    /// The largest share of rows that may be left out because they cannot be read, because they have a single cell, and
    /// because they have no label; of the latter two some are left out without being asked.
    pub(crate) fn most_left_out(&self) -> [f64; 3] {
        const FEW: f64 = Remedy::MOST_SKIPPED as f64 / 100.0;
        const HALF: f64 = 0.5;
        match self.on_error {
            OnError::Stop => [0.0, FEW, HALF],
            OnError::Skip => [self.skip_limit, self.skip_limit.max(FEW), self.skip_limit.max(HALF)],
            OnError::Blank => [1.0; 3],
        }
    }

    /// The form of numbers without a unit.
    pub(crate) fn number_form(&self) -> NumberForm {
        let (decimal, thousands) = (self.decimal, self.thousands);
        NumberForm { decimal, thousands, ..NumberForm::default() }
    }
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            format: None,
            delimiter: None,
            quote: None,
            escape: None,
            comment: None,
            skip_rows: None,
            quotes: true,
            encoding: None,
            header: Header::default(),
            zero_based: false,
            target: None,
            ignore: Vec::new(),
            categorical: Vec::new(),
            interactions: Vec::new(),
            text: Vec::new(),
            cut: None,
            bits: 18,
            dictionary: true,
            features: Vec::new(),
            missing: Vec::new(),
            missing_values: None,
            decimal: Decimal::default(),
            thousands: None,
            units: Vec::new(),
            dates: None,
            on_error: OnError::default(),
            skip_limit: 1.0,
            id: None,
            unbuffered: false,
            numbers: TextNumbers::Floats,
            max_features: Self::MAX_FEATURES,
            max_labels: None,
            threads: 1,
        }
    }
}

//! The changes of options that resolve an error or a note: one map for all who give advice.

use crate::{
    CellCounts, ColumnarProblem, CsvProblem, Decimal, Delimiter, Encoding, FormatProblem, Header,
    IdxProblem, JsonProblem, LibsvmProblem, MissingOption, MissingRule, NotText, NumberForm,
    OnError, Problem, ReadError, ReadOptions,
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
    /// Read quotes as characters like any other.
    PlainQuotes,
    /// Pass over lines that begin with this character.
    Comment(char),
    /// Count LIBSVM indices from 0.
    ZeroBased,
    /// Learn from the words of this column.
    Text(String),
    /// Read every cell of this column as a category.
    Categorical(String),
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
    /// The largest share of rows that is left out without being asked, or proposed to be, in percent.
    pub const MOST_SKIPPED: u64 = 10;

    /// A separator of cells in text that is read as one cell.
    pub fn separator_in(cell: &str) -> Option<char> {
        [';', '\t', '|'].into_iter().find(|&separator| cell.contains(separator))
    }

    /// Whether these options leave open what the remedy sets, so that it can be tried.
    pub fn is_open(&self, options: &ReadOptions) -> bool {
        match self {
            Remedy::Target(_) => options.target.is_none(),
            Remedy::Encoding(_) => options.encoding.is_none(),
            Remedy::Separator(_) => options.delimiter.is_none() && options.format.is_none(),
            Remedy::Header(_) => options.header == Header::Expected,
            Remedy::PlainQuotes => options.quotes,
            Remedy::Comment(_) => options.comment.is_none(),
            Remedy::ZeroBased => !options.zero_based,
            Remedy::FillMissing => options.missing.iter().all(|option| option.column.is_some()),
            Remedy::SkipRows => options.on_error != OnError::Skip,
            Remedy::Text(_)
            | Remedy::Categorical(_)
            | Remedy::Ignore(_)
            | Remedy::MissingValue(_)
            | Remedy::Form { .. }
            | Remedy::SkipShare { .. }
            | Remedy::Run { .. } => true,
        }
    }

    /// The options with the change.
    pub fn applied_to(&self, options: &ReadOptions) -> ReadOptions {
        let mut changed = options.clone();
        match self.clone() {
            Remedy::Target(column) => changed.target = Some(column),
            Remedy::Encoding(encoding) => changed.encoding = Some(encoding),
            Remedy::Separator(' ') => changed.delimiter = Some(Delimiter::Whitespace),
            Remedy::Separator(separator) => {
                changed.delimiter = u8::try_from(separator).ok().map(Delimiter::Byte);
            }
            Remedy::Header(header) => changed.header = header,
            Remedy::PlainQuotes => changed.quotes = false,
            Remedy::Comment(sign) => changed.comment = u8::try_from(sign).ok(),
            Remedy::ZeroBased => changed.zero_based = true,
            Remedy::Text(column) => changed.text.push(column),
            Remedy::Categorical(column) => changed.categorical.push(column),
            Remedy::Ignore(column) => changed.ignore.push(column),
            Remedy::MissingValue(text) => {
                changed.missing_values.get_or_insert_default().push(text);
            }
            Remedy::FillMissing => {
                let rule = MissingRule::Median;
                changed.missing.push(MissingOption { column: None, rule, indicator: false });
            }
            Remedy::Form { column, form } => {
                // Signs are read without an option.
                let NumberForm { decimal, thousands, unit, dates, book_signs: _, magnitudes: _ } =
                    form;
                let is_point = decimal == Decimal::Point;
                changed.decimal = if is_point { changed.decimal } else { decimal };
                changed.thousands = thousands.or(changed.thousands);
                changed.dates = dates.or(changed.dates);
                changed.units.extend(unit.map(|_| column));
            }
            Remedy::SkipRows => changed.on_error = OnError::Skip,
            Remedy::SkipShare { percent } => {
                changed.on_error = OnError::Skip;
                changed.skip_limit = percent as f64 / 100.0;
            }
            Remedy::Run { .. } => {}
        }
        changed
    }
}

impl ReadError {
    /// The changes of options of which each resolves the error, the most promising first.
    pub fn remedies(&self) -> Vec<Remedy> {
        let separator = |text: &str| Remedy::separator_in(text).map(Remedy::Separator);
        match self {
            ReadError::NoExamples { skipped: 0, header: true, .. } => {
                vec![Remedy::Header(Header::Absent)]
            }
            ReadError::UnclearTarget { others, .. } => {
                others.iter().cloned().map(Remedy::Target).collect()
            }
            ReadError::NotText { found: NotText::Utf16, .. } => {
                vec![Remedy::Encoding(Encoding::Utf16)]
            }
            ReadError::NoFeatures { columns: 1, target: cell, .. }
            | ReadError::NoSuchColumn { columns: cell, .. }
            | ReadError::MissingColumn { columns: cell, .. } => {
                separator(cell).into_iter().collect()
            }
            ReadError::UnknownFormat { line, .. } if line.contains('|') => {
                vec![Remedy::Separator('|')]
            }
            ReadError::UnknownFormat { line, .. } => {
                let cells = line.split_whitespace().filter(|&cell| cell != "…").count();
                if cells > 1 { vec![Remedy::Separator(' ')] } else { Vec::new() }
            }
            ReadError::TooManySkipped { skipped, rows, .. } => {
                let percent = (100.0 * *skipped as f64 / *rows as f64).ceil() as u64;
                let is_cheap = percent <= Remedy::MOST_SKIPPED;
                is_cheap.then_some(Remedy::SkipShare { percent }).into_iter().collect()
            }
            ReadError::TooManyFeatures { column: Some(most), .. } => {
                vec![Remedy::Ignore(most.column.clone())]
            }
            ReadError::Data { problem, .. } => problem.remedies(),
            ReadError::Format { problem, .. } => of_format(problem),
            _ => Vec::new(),
        }
    }

    /// The change to be tried first.
    pub fn remedy(&self) -> Option<Remedy> {
        let mut all = self.remedies().into_iter();
        match self {
            ReadError::Data { problem, .. } => all.find(|remedy| problem.trusts(remedy)),
            _ => all.next(),
        }
    }
}

impl Problem {
    /// The changes of options of which each resolves the problem, the most promising first.
    pub fn remedies(&self) -> Vec<Remedy> {
        let ignore = |column: &String| Remedy::Ignore(column.clone());
        let categories = |column: &String| Remedy::Categorical(column.clone());
        match self {
            Problem::MixedColumn { .. } | Problem::OneText { .. } => self.of_mixed_column(),
            Problem::ManyValues { column, .. } => {
                vec![Remedy::Text(column.clone()), categories(column), ignore(column)]
            }
            Problem::OtherForm { column, form, .. } => {
                let form = Remedy::Form { column: column.clone(), form: *form.clone() };
                vec![form, categories(column), ignore(column)]
            }
            Problem::NotANumber { column, .. } | Problem::NumberInText { column, .. } => {
                vec![categories(column), ignore(column), Remedy::SkipRows]
            }
            Problem::NotExact { column, .. } => vec![ignore(column), Remedy::SkipRows],
            Problem::NotFinite { column, .. } => vec![Remedy::SkipRows, ignore(column)],
            Problem::EmptyCell { column }
            | Problem::MissingValue { column, .. }
            | Problem::Null { column } => {
                vec![Remedy::FillMissing, ignore(column), Remedy::SkipRows]
            }
            Problem::AllMissing { column } => vec![ignore(column)],
            Problem::UnnamedColumn { position } => vec![Remedy::Ignore(position.to_string())],
            Problem::NotUtf8 { .. } => vec![Remedy::Encoding(Encoding::Latin1)],
            Problem::TooLargeFactor { .. }
            | Problem::EmptyLabel { .. }
            | Problem::MissingLabel { .. }
            | Problem::NotFiniteLabel { .. }
            | Problem::ControlInLabel { .. } => vec![Remedy::SkipRows],
            Problem::Format(problem) => of_format(problem),
            _ => Vec::new(),
        }
    }

    /// For a column of numbers and text.
    fn of_mixed_column(&self) -> Vec<Remedy> {
        let (Problem::MixedColumn { text, column, counts }
        | Problem::OneText { text, column, counts }) = self
        else {
            return Vec::new();
        };
        let (numbers, texts) = (counts.numbers, counts.texts);
        let (odd, all) = (numbers.min(texts), numbers + texts);
        let are_few = odd == 1 && all > 2 || 100 * odd <= all;
        let (ignore, categories) =
            (Remedy::Ignore(column.clone()), Remedy::Categorical(column.clone()));
        let missing = Remedy::MissingValue(text.to_string());
        if matches!(self, Problem::OneText { .. }) {
            return vec![missing, ignore, categories];
        }
        match (are_few, numbers < texts) {
            (true, false) => vec![Remedy::SkipRows, missing, ignore],
            (true, true) => {
                vec![categories, Remedy::Text(column.clone()), Remedy::SkipRows, ignore]
            }
            (false, false) if counts.values <= CellCounts::FEW => vec![categories, ignore],
            (false, false) => vec![ignore, categories],
            (false, true) => vec![categories, ignore],
        }
    }

    /// Whether the remedy can be tried without a look at the cells. Of a mixed column, that is to leave out the rows of few
    /// cells, its words where numbers are rare, as in prose, or to leave it out; of one text among numbers, that it means a
    /// missing value.
    fn trusts(&self, remedy: &Remedy) -> bool {
        match (self, remedy) {
            (Problem::MixedColumn { counts, .. }, Remedy::SkipRows) => {
                counts.texts < counts.numbers
            }
            (Problem::MixedColumn { counts, .. }, Remedy::Text(_)) => {
                100 * counts.numbers <= counts.texts
            }
            (Problem::MixedColumn { counts, .. }, Remedy::Categorical(_)) => {
                counts.values <= CellCounts::FEW
            }
            (Problem::MixedColumn { .. }, remedy) => matches!(remedy, Remedy::Ignore(_)),
            (Problem::OneText { .. }, Remedy::MissingValue(text)) => !text.contains([',', '…']),
            (Problem::OneText { .. }, _) => false,
            _ => true,
        }
    }
}

fn of_format(problem: &FormatProblem) -> Vec<Remedy> {
    if let Some(problem) = problem.downcast_ref() {
        return of_csv(problem);
    }
    match (problem.downcast_ref(), problem.downcast_ref(), problem.downcast_ref()) {
        (Some(JsonProblem::Nested { column }), ..) => vec![Remedy::Ignore(column.clone())],
        (_, Some(LibsvmProblem::IndexZero), _) => vec![Remedy::ZeroBased],
        (_, Some(LibsvmProblem::BadValue { .. } | LibsvmProblem::ValueNotFinite { .. }), _)
        | (.., Some(IdxProblem::NotFiniteValue { .. })) => vec![Remedy::SkipRows],
        _ => match problem.downcast_ref() {
            Some(ColumnarProblem::Type { column, .. }) => vec![Remedy::Ignore(column.clone())],
            Some(ColumnarProblem::Names { problem } | ColumnarProblem::Cell { problem, .. }) => {
                problem.remedies()
            }
            _ => Vec::new(),
        },
    }
}

fn of_csv(problem: &CsvProblem) -> Vec<Remedy> {
    let (absent, present) = (Remedy::Header(Header::Absent), Remedy::Header(Header::Present));
    match problem {
        CsvProblem::HeaderIsNumber { likely_names: true, .. } => vec![present, absent],
        CsvProblem::HeaderIsNumber { .. } | CsvProblem::HeaderIsValue { .. } => {
            vec![absent, present]
        }
        CsvProblem::TextAfterQuote | CsvProblem::OpenQuote => vec![Remedy::PlainQuotes],
        CsvProblem::CommentInTable { sign, .. } => {
            vec![Remedy::Comment(*sign), Remedy::SkipRows]
        }
        CsvProblem::RaggedRow { .. }
        | CsvProblem::SeparatorAtEnd { .. }
        | CsvProblem::LoneCell { .. }
        | CsvProblem::RuleLine
        | CsvProblem::HeaderAgain
        | CsvProblem::SecondHeader
        | CsvProblem::EmptyRow => vec![Remedy::SkipRows],
        _ => Vec::new(),
    }
}

//! The hint for a table in which several things are unclear: the whole command with all options that it needs, found by
//! trying them.
//!
//! An error names one problem. Here each known problem is resolved by one of the options that its own hint names, and the
//! file is read again, until nothing is unclear. So the hint is known to work.

use std::fs;

use rosenblatt_data::{
    CsvProblem, Delimiter, Encoding, Header, JsonProblem, MissingOption, MissingRule, NotText,
    NumberForm, OnError, Problem, ReadError, ReadOptions, Reader,
    schema::{Inputs, Schema},
};

use crate::{
    args::TrainArgs,
    commands::inputs::InputFiles,
    error::CliError,
    hints::{CommandLine, form_options, separator_word},
};

/// Files of more bytes are not read again whole.
const MOST_BYTES: u64 = 1 << 26;
/// The largest share of rows that a hint leaves out.
const MOST_SKIPPED: f64 = 0.1;

/// Replaces the hint of an error of reading if its file needs several options and they are known.
pub(super) fn with_all_options(arguments: &TrainArgs, error: CliError) -> CliError {
    let CliError::Read(problem) = error else { return error };
    match Remedies::of(arguments, &problem) {
        Some(hint) => CliError::usage(problem.to_string(), hint),
        None => CliError::Read(problem),
    }
}

/// An option, as users write it.
#[derive(Clone, Debug, PartialEq)]
enum Addition {
    Flag(&'static str),
    Value(&'static str, String),
    Item(&'static str, String),
}

/// The options so far, as readers and as users know them.
struct Remedies {
    options: ReadOptions,
    /// Options other than `--ignore`, in the order in which they were found.
    additions: Vec<Addition>,
    ignored: Vec<String>,
    /// The columns that are left out because they number the rows.
    row_numbers: Vec<String>,
    /// The number of errors that are resolved.
    resolved: usize,
    /// Whether an option of the command line is replaced.
    replaces: bool,
}

impl Remedies {
    /// The hint with all options that make the file readable, if there are several and they are known.
    fn of(arguments: &TrainArgs, first: &ReadError) -> Option<String> {
        /// A table has seldom more unclear columns.
        const MOST: usize = 50;
        let files =
            InputFiles::new(&arguments.data, &arguments.more, arguments.labeled.labels.as_deref());
        if !files.are_regular() {
            return None;
        }
        let options =
            arguments.reading.options_with(&arguments.columns, arguments.labeled.on_error);
        let (additions, ignored, row_numbers) = (Vec::new(), Vec::new(), Vec::new());
        // Then the option that resolves it has been typed with another value.
        let replaces = matches!(first, ReadError::TooManySkipped { .. });
        let mut remedies =
            Remedies { options, additions, ignored, row_numbers, resolved: 0, replaces };
        remedies.resolve(first)?;
        for _ in 1..MOST {
            match remedies.read(files) {
                Ok(reader) if remedies.leave_out(&reader.notes().row_numbers) => {}
                Ok(reader) => {
                    return remedies
                        .is_useful(reader.schema())
                        .then(|| remedies.hint(reader.schema()))?;
                }
                Err(next) => remedies.resolve(&next)?,
            }
        }
        None
    }

    /// Opens the files, and reads them to the end if they are not large.
    fn read(&mut self, files: InputFiles<'_>) -> Result<Reader, ReadError> {
        let source = match files.open() {
            Ok(source) => source,
            Err(CliError::Read(error)) => return Err(error),
            // The files could be opened before.
            Err(_) => return Err(ReadError::BothStandardInput),
        };
        let mut reader = Reader::for_training(source, &self.options)?;
        let size = |path: &std::path::Path| fs::metadata(path).map_or(0, |file| file.len());
        if files.all().into_iter().map(size).sum::<u64>() <= MOST_BYTES {
            reader.by_ref().try_for_each(|batch| batch.map(drop))?;
        }
        Ok(reader)
    }

    /// Leaves columns out, and returns whether there was one.
    fn leave_out(&mut self, columns: &[String]) -> bool {
        self.options.ignore.extend_from_slice(columns);
        self.row_numbers.extend_from_slice(columns);
        !columns.is_empty()
    }

    /// Adds the option that resolves an error; `None` if it is not known.
    fn resolve(&mut self, error: &ReadError) -> Option<()> {
        self.resolved += 1;
        match error {
            ReadError::UnclearTarget { others, .. } if self.options.target.is_none() => {
                let target = others.first()?;
                self.options.target = Some(target.clone());
                self.additions.push(Addition::Value("--target", target.clone()));
            }
            ReadError::NotText { found: NotText::Utf16, .. } => {
                self.set_encoding(Encoding::Utf16, "utf-16")?;
            }
            ReadError::OtherSeparator { separator, .. } => self.set_separator(*separator)?,
            ReadError::NoFeatures { columns: 1, target, .. } => {
                self.set_separator(
                    [';', '\t', '|'].into_iter().find(|&one| target.contains(one))?,
                )?;
            }
            ReadError::UnknownFormat { line, .. } => {
                self.set_separator(if line.contains('|') { '|' } else { ' ' })?;
            }
            ReadError::TooManySkipped { skipped, rows, .. } => self.skip(*skipped, *rows)?,
            ReadError::Data { problem, .. } => self.resolve_cell(problem)?,
            _ => return None,
        }
        Some(())
    }

    fn set_encoding(&mut self, encoding: Encoding, word: &str) -> Option<()> {
        if self.options.encoding != Encoding::Utf8 {
            return None;
        }
        self.options.encoding = encoding;
        self.additions.push(Addition::Value("--encoding", word.to_owned()));
        Some(())
    }

    /// Separates cells by a character; a blank stands for one or more.
    fn set_separator(&mut self, separator: char) -> Option<()> {
        if self.options.delimiter.is_some() || self.options.format.is_some() {
            return None;
        }
        self.options.delimiter = Some(match separator {
            ' ' => Delimiter::Whitespace,
            _ => Delimiter::Byte(u8::try_from(separator).ok()?),
        });
        self.additions.push(Addition::Value("--delimiter", separator_word(separator)));
        Some(())
    }

    /// Leaves out rows that cannot be read, if they are few.
    fn skip(&mut self, skipped: u64, rows: u64) -> Option<()> {
        let share = (100.0 * skipped as f64 / rows as f64).ceil() / 100.0;
        if share > MOST_SKIPPED {
            return None;
        }
        (self.options.on_error, self.options.skip_limit) = (OnError::Skip, share);
        let percent = (100.0 * share).round();
        let option = "--on-error";
        self.additions
            .retain(|addition| !matches!(addition, Addition::Value(name, _) if *name == option));
        self.additions.push(Addition::Value(option, format!("skip:{percent}%")));
        Some(())
    }

    fn resolve_cell(&mut self, problem: &Problem) -> Option<()> {
        match problem {
            // Prose that is now and then a number alone.
            Problem::MixedColumn { column, numbers, texts, .. } if 100 * numbers <= *texts => {
                self.options.text.push(column.clone());
                self.additions.push(Addition::Item("--text", column.clone()));
            }
            Problem::OneText { text, .. } => self.read_as_missing(&text.to_string())?,
            Problem::ManyValues { column, .. }
            | Problem::MixedColumn { column, .. }
            | Problem::AllMissing { column } => self.ignore(column.clone()),
            Problem::UnnamedColumn { position } => self.ignore(position.to_string()),
            Problem::MissingValues { .. }
                if self.options.missing.iter().all(|option| option.column.is_some()) =>
            {
                let median = MissingRule::Median;
                let all = MissingOption { column: None, rule: median, indicator: false };
                self.options.missing.push(all);
                self.additions.push(Addition::Item("--missing", "median".to_owned()));
            }
            Problem::OtherForm { column, form, .. } => self.read_form(column, form)?,
            Problem::NotUtf8 { .. } => self.set_encoding(Encoding::Latin1, "latin1")?,
            Problem::EmptyLabel { .. } | Problem::MissingLabel { .. } => self.skip_all()?,
            Problem::Format(problem) => match problem.downcast_ref() {
                Some(problem) => self.resolve_csv(problem)?,
                None => match problem.downcast_ref()? {
                    JsonProblem::Nested { column } => self.ignore(column.clone()),
                    _ => return None,
                },
            },
            _ => return None,
        }
        Some(())
    }

    /// Reads numbers of this form; `None` if the options for it have been added before.
    fn read_form(&mut self, column: &str, form: &NumberForm) -> Option<()> {
        let before = self.additions.len();
        for (option, value) in form_options(column, form) {
            let addition = match option {
                "--units" => Addition::Item(option, value),
                _ => Addition::Value(option, value),
            };
            if !self.additions.contains(&addition) {
                self.additions.push(addition);
            }
        }
        self.options.dates = form.dates.or(self.options.dates);
        self.options.decimal = form.decimal;
        self.options.thousands = form.thousands.or(self.options.thousands);
        self.options.units.extend(form.unit.as_ref().map(|_| column.to_owned()));
        (self.additions.len() > before).then_some(())
    }

    fn resolve_csv(&mut self, problem: &CsvProblem) -> Option<()> {
        match problem {
            CsvProblem::HeaderIsNumber { likely_names, .. }
                if self.options.header == Header::Expected =>
            {
                let (header, option) = match likely_names {
                    true => (Header::Present, "--header"),
                    false => (Header::Absent, "--no-header"),
                };
                self.options.header = header;
                self.additions.push(Addition::Flag(option));
            }
            CsvProblem::RaggedRow { .. }
            | CsvProblem::SeparatorAtEnd { .. }
            | CsvProblem::EmptyRow => self.skip_all()?,
            _ => return None,
        }
        Some(())
    }

    /// Leaves out rows that cannot be read; an error says how many there are if they are more than a few.
    fn skip_all(&mut self) -> Option<()> {
        const FEW: f64 = 0.01;
        if self.options.on_error == OnError::Skip {
            return None;
        }
        (self.options.on_error, self.options.skip_limit) = (OnError::Skip, FEW);
        self.additions.push(Addition::Value("--on-error", "skip".to_owned()));
        Some(())
    }

    fn ignore(&mut self, column: String) {
        self.options.ignore.push(column.clone());
        self.ignored.push(column);
    }

    /// Reads cells of this text as missing.
    fn read_as_missing(&mut self, text: &str) -> Option<()> {
        if text.contains([',', '…']) {
            return None;
        }
        self.options.missing_values.get_or_insert_default().push(text.to_owned());
        self.additions.push(Addition::Item("--missing-values", text.to_owned()));
        Some(())
    }

    /// Whether several errors were resolved or an option is replaced, and fewer columns are left out than are features; those that number the rows
    /// count as features. Else what matters may be among them.
    fn is_useful(&self, schema: &Schema) -> bool {
        let leaves_enough = match &schema.inputs {
            Inputs::Columns(columns) => {
                self.ignored.len() < columns.features.len() + self.row_numbers.len()
            }
            Inputs::Indexed { .. } => true,
        };
        (self.resolved > 1 || self.replaces) && leaves_enough
    }

    /// The command as it was typed, with all additions; `None` if it is not text.
    fn hint(&self, schema: &Schema) -> Option<String> {
        let mut command = CommandLine::typed()?;
        let is_name = |word: &str| match &schema.inputs {
            Inputs::Columns(columns) => columns.ignored.iter().any(|name| name == word),
            Inputs::Indexed { .. } => false,
        };
        for addition in &self.additions {
            match addition {
                Addition::Flag(option) => command.add_flag(option),
                Addition::Value(option, value) => command.set(option, value),
                Addition::Item(option, value) => {
                    command.add_to_list(option, std::slice::from_ref(value), is_name);
                }
            }
        }
        let ignored: Vec<String> = self.ignored.iter().chain(&self.row_numbers).cloned().collect();
        command.add_to_list("--ignore", &ignored, is_name);
        Some(format!("`{command}` reads this table"))
    }
}

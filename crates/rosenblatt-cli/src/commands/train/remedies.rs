//! The hint for a table in which several things are unclear: the whole command with all options that it needs, found by
//! trying them.
//!
//! An error names one problem. Here each known problem is resolved by one of the options that its own hint names, and the
//! file is read again, until nothing is unclear. So the hint is known to work.

use rosenblatt_data::{
    CsvProblem, Encoding, Header, JsonProblem, NotText, NumberForm, OnError, Problem, ReadError,
    ReadOptions,
    schema::{Inputs, Schema},
};

use super::proposal::{self, ProposedCommand};
use crate::{
    args::TrainArgs,
    commands::inputs::InputFiles,
    error::CliError,
    hints::{CommandLine, form_options, separator_word},
    output::LONGEST_MESSAGE,
};

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

/// The command as it was typed, and the options that were found.
struct Remedies {
    typed: CommandLine,
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
        let (additions, ignored, row_numbers) = (Vec::new(), Vec::new(), Vec::new());
        // Then the option that resolves it has been typed with another value.
        let replaces = matches!(first, ReadError::TooManySkipped { .. });
        let typed = CommandLine::typed()?;
        let mut remedies =
            Remedies { typed, additions, ignored, row_numbers, resolved: 0, replaces };
        let reading = |arguments: &TrainArgs| {
            arguments.reading.options_with(&arguments.columns, arguments.labeled.on_error)
        };
        remedies.resolve(first, &reading(arguments))?;
        for _ in 1..MOST {
            let line = remedies.command();
            let arguments = proposal::arguments(&line)?;
            match ProposedCommand::tried(line, &arguments) {
                Ok(command) if remedies.leave_out(&command.notes.row_numbers) => {}
                Ok(command) => {
                    let hint = remedies.is_useful(&command.schema).then(|| command.to_string());
                    return hint.filter(|hint| hint.chars().count() <= LONGEST_MESSAGE);
                }
                Err(CliError::Read(next)) => remedies.resolve(&next, &reading(&arguments))?,
                Err(_) => return None,
            }
        }
        None
    }

    /// Leaves columns out, and returns whether there was one.
    fn leave_out(&mut self, columns: &[String]) -> bool {
        self.row_numbers.extend_from_slice(columns);
        !columns.is_empty()
    }

    /// Adds the option that resolves an error; `None` if it is not known.
    fn resolve(&mut self, error: &ReadError, options: &ReadOptions) -> Option<()> {
        self.resolved += 1;
        match error {
            ReadError::UnclearTarget { others, .. } if options.target.is_none() => {
                self.additions.push(Addition::Value("--target", others.first()?.clone()));
            }
            ReadError::NotText { found: NotText::Utf16, .. } => {
                self.set_encoding("utf-16", options)?;
            }
            ReadError::OtherSeparator { separator, .. } => {
                self.set_separator(*separator, options)?;
            }
            ReadError::NoFeatures { columns: 1, target, .. } => {
                let separator = [';', '\t', '|'].into_iter().find(|&one| target.contains(one))?;
                self.set_separator(separator, options)?;
            }
            ReadError::UnknownFormat { line, .. } => {
                self.set_separator(if line.contains('|') { '|' } else { ' ' }, options)?;
            }
            ReadError::TooManySkipped { skipped, rows, .. } => self.skip(*skipped, *rows)?,
            ReadError::Data { problem, .. } => self.resolve_cell(problem, options)?,
            _ => return None,
        }
        Some(())
    }

    fn set_encoding(&mut self, word: &str, options: &ReadOptions) -> Option<()> {
        if options.encoding != Encoding::Utf8 {
            return None;
        }
        self.additions.push(Addition::Value("--encoding", word.to_owned()));
        Some(())
    }

    /// Separates cells by a character; a blank stands for one or more.
    fn set_separator(&mut self, separator: char, options: &ReadOptions) -> Option<()> {
        if options.delimiter.is_some() || options.format.is_some() {
            return None;
        }
        self.additions.push(Addition::Value("--delimiter", separator_word(separator)));
        Some(())
    }

    /// Leaves out rows that cannot be read, if they are few.
    fn skip(&mut self, skipped: u64, rows: u64) -> Option<()> {
        let share = (100.0 * skipped as f64 / rows as f64).ceil() / 100.0;
        if share > MOST_SKIPPED {
            return None;
        }
        let percent = (100.0 * share).round();
        let option = "--on-error";
        self.additions
            .retain(|addition| !matches!(addition, Addition::Value(name, _) if *name == option));
        self.additions.push(Addition::Value(option, format!("skip:{percent}%")));
        Some(())
    }

    fn resolve_cell(&mut self, problem: &Problem, options: &ReadOptions) -> Option<()> {
        match problem {
            // Prose that is now and then a number alone.
            Problem::MixedColumn { column, counts, .. } if 100 * counts.numbers <= counts.texts => {
                self.additions.push(Addition::Item("--text", column.clone()));
            }
            Problem::OneText { text, .. } => self.read_as_missing(&text.to_string())?,
            Problem::ManyValues { column, .. }
            | Problem::MixedColumn { column, .. }
            | Problem::AllMissing { column } => self.ignore(column.clone()),
            Problem::UnnamedColumn { position } => self.ignore(position.to_string()),
            Problem::MissingValues { .. }
                if options.missing.iter().all(|option| option.column.is_some()) =>
            {
                self.additions.push(Addition::Item("--missing", "median".to_owned()));
            }
            Problem::OtherForm { column, form, .. } => self.read_form(column, form)?,
            Problem::NotUtf8 { .. } => self.set_encoding("latin1", options)?,
            Problem::EmptyLabel { .. } | Problem::MissingLabel { .. } => self.skip_all(options)?,
            Problem::Format(problem) => match problem.downcast_ref() {
                Some(problem) => self.resolve_csv(problem, options)?,
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
        (self.additions.len() > before).then_some(())
    }

    fn resolve_csv(&mut self, problem: &CsvProblem, options: &ReadOptions) -> Option<()> {
        match problem {
            CsvProblem::HeaderIsNumber { likely_names, .. }
                if options.header == Header::Expected =>
            {
                let option = if *likely_names { "--header" } else { "--no-header" };
                self.additions.push(Addition::Flag(option));
            }
            CsvProblem::RaggedRow { .. }
            | CsvProblem::SeparatorAtEnd { .. }
            | CsvProblem::EmptyRow => self.skip_all(options)?,
            _ => return None,
        }
        Some(())
    }

    /// Leaves out rows that cannot be read; an error says how many there are if they are more than a few.
    fn skip_all(&mut self, options: &ReadOptions) -> Option<()> {
        if options.on_error == OnError::Skip {
            return None;
        }
        self.additions.push(Addition::Value("--on-error", "skip".to_owned()));
        Some(())
    }

    fn ignore(&mut self, column: String) {
        self.ignored.push(column);
    }

    /// Reads cells of this text as missing.
    fn read_as_missing(&mut self, text: &str) -> Option<()> {
        if text.contains([',', '…']) {
            return None;
        }
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

    /// The command as it was typed, with all additions. Values of one list stay together.
    fn command(&self) -> CommandLine {
        let mut command = self.typed.clone();
        let mut lists: Vec<&str> = Vec::new();
        for addition in &self.additions {
            match addition {
                Addition::Flag(option) => command.add_flag(option),
                Addition::Value(option, value) => command.set(option, value),
                Addition::Item(option, _) if lists.contains(option) => {}
                Addition::Item(option, _) => {
                    lists.push(option);
                    let are_columns = !matches!(*option, "--missing" | "--missing-values");
                    command.add_to_list(option, &self.items(option), are_columns);
                }
            }
        }
        let ignored: Vec<String> = self.ignored.iter().chain(&self.row_numbers).cloned().collect();
        command.add_to_list("--ignore", &ignored, true);
        command
    }

    /// The values of a list.
    fn items(&self, list: &str) -> Vec<String> {
        let items = self.additions.iter().filter_map(|addition| match addition {
            Addition::Item(option, value) if *option == list => Some(value.clone()),
            _ => None,
        });
        items.collect()
    }
}

//! The hint for a table in which several things are unclear: all options that it needs, found by trying them.
//!
//! An error names one problem. Here each known problem is resolved by one of the options that its own hint names, and the
//! beginning of the file is looked at again, until nothing is unclear. So the hint is known to work.

use rosenblatt_data::{
    CsvProblem, Header, MissingOption, MissingRule, Problem, ReadError, ReadOptions, Reader,
    schema::{Inputs, Schema},
};

use crate::{
    args::TrainArgs,
    commands::inputs::InputFiles,
    error::CliError,
    hints::{form_options, quoted},
};

/// Replaces the hint of an error of reading if its file needs several options and they are known.
pub(super) fn with_all_options(arguments: &TrainArgs, error: CliError) -> CliError {
    let CliError::Read(problem) = error else { return error };
    match Remedies::of(arguments, &problem) {
        Some(hint) => CliError::usage(problem.to_string(), hint),
        None => CliError::Read(problem),
    }
}

/// The options so far, as readers and as users know them.
struct Remedies {
    options: ReadOptions,
    /// Options other than `--ignore`, in the order in which they were found.
    words: Vec<String>,
    ignored: Vec<String>,
    /// The columns that are left out because they number the rows.
    row_numbers: Vec<String>,
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
        let mut remedies =
            Remedies { options, words: Vec::new(), ignored: Vec::new(), row_numbers: Vec::new() };
        remedies.resolve(first)?;
        for tried in 1..MOST {
            match Reader::for_training(files.open().ok()?, &remedies.options) {
                Ok(reader) if remedies.leave_out(&reader.notes().row_numbers) => {}
                Ok(reader) => {
                    let resolved = tried - usize::from(!remedies.row_numbers.is_empty());
                    return remedies.is_useful(resolved, reader.schema()).then(|| remedies.hint());
                }
                Err(next) => remedies.resolve(&next)?,
            }
        }
        None
    }

    /// Leaves columns out, and returns whether there was one.
    fn leave_out(&mut self, columns: &[String]) -> bool {
        self.options.ignore.extend_from_slice(columns);
        self.row_numbers.extend_from_slice(columns);
        !columns.is_empty()
    }

    /// Adds the option that resolves an error; `None` if it is not known.
    fn resolve(&mut self, error: &ReadError) -> Option<()> {
        match error {
            ReadError::UnclearTarget { others, .. } if self.options.target.is_none() => {
                let target = others.first()?;
                self.options.target = Some(target.clone());
                self.words.push(format!("--target {}", quoted(target)));
            }
            ReadError::Data { problem, .. } => self.resolve_cell(problem)?,
            _ => return None,
        }
        Some(())
    }

    fn resolve_cell(&mut self, problem: &Problem) -> Option<()> {
        match problem {
            // Prose that is now and then a number alone.
            Problem::MixedColumn { column, numbers, texts, .. } if 100 * numbers <= *texts => {
                self.options.text.push(column.clone());
                self.words.push(format!("--text {}", quoted(column)));
            }
            Problem::ManyValues { column, .. }
            | Problem::MixedColumn { column, .. }
            | Problem::AllMissing { column } => {
                self.options.ignore.push(column.clone());
                self.ignored.push(column.clone());
            }
            Problem::MissingValues { .. } if self.options.missing.is_empty() => {
                let median = MissingRule::Median;
                let all = MissingOption { column: None, rule: median, indicator: false };
                self.options.missing.push(all);
                self.words.push("--missing median".to_owned());
            }
            Problem::OtherForm { column, form, .. } => {
                let before = self.words.len();
                for words in form_options(column, form) {
                    if !self.words.contains(&words) {
                        self.words.push(words);
                    }
                }
                self.options.dates = form.dates.or(self.options.dates);
                self.options.decimal = form.decimal;
                self.options.thousands = form.thousands.or(self.options.thousands);
                self.options.units.extend(form.unit.as_ref().map(|_| column.clone()));
                return (self.words.len() > before).then_some(());
            }
            Problem::Format(problem) => match problem.downcast_ref()? {
                CsvProblem::HeaderIsNumber { .. } if self.options.header == Header::Expected => {
                    self.options.header = Header::Absent;
                    self.words.push("--no-header".to_owned());
                }
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }

    /// Whether several errors were resolved, and fewer columns are left out than are features; those that number the rows
    /// count as features. Else what matters may be among them.
    fn is_useful(&self, resolved: usize, schema: &Schema) -> bool {
        let leaves_enough = match &schema.inputs {
            Inputs::Columns(columns) => {
                self.ignored.len() < columns.features.len() + self.row_numbers.len()
            }
            Inputs::Indexed { .. } => true,
        };
        resolved > 1 && leaves_enough
    }

    fn hint(self) -> String {
        let Remedies { mut words, mut ignored, row_numbers, .. } = self;
        ignored.extend(row_numbers);
        // A comma separates names, unless it is in one.
        let has_comma = ignored.iter().any(|name| name.contains(','));
        let names: Vec<String> = ignored.iter().map(|name| quoted(name)).collect();
        match has_comma || names.iter().any(|name| name.starts_with('\'')) {
            true => words.extend(names.iter().map(|name| format!("--ignore {name}"))),
            false if names.is_empty() => {}
            false => words.push(format!("--ignore {}", names.join(","))),
        }
        format!("`{}` reads this table", words.join(" "))
    }
}

//! The hint for a table in which several things are unclear: the whole command with all options that it needs, found by
//! trying them.
//!
//! An error names one problem. Here each is resolved by its [`Remedy`], and the file is read again, until nothing is
//! unclear. So the hint is known to work.

use rosenblatt_data::{
    ReadError, ReadOptions, Remedy,
    schema::{Inputs, Schema},
};

use super::proposal::{self, ProposedCommand};
use crate::{
    args::TrainArgs,
    commands::inputs::InputFiles,
    error::CliError,
    hints::{Addition, CommandLine, options_of},
    output::LONGEST_MESSAGE,
};

/// Replaces the hint of an error of reading if its file needs several options and they are known.
pub(super) fn with_all_options(arguments: &TrainArgs, error: CliError) -> CliError {
    let CliError::Read(problem) = error else { return error };
    match Remedies::of(arguments, &problem) {
        Some(hint) => CliError::usage(problem.to_string(), hint),
        None => CliError::Read(problem),
    }
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

    /// Adds the options of the remedy; `None` if none is known or it has been tried.
    fn resolve(&mut self, error: &ReadError, options: &ReadOptions) -> Option<()> {
        self.resolved += 1;
        let remedy = error.remedy().filter(|remedy| remedy.is_open(options))?;
        match remedy {
            Remedy::Ignore(column) => {
                self.ignored.push(column);
                return Some(());
            }
            Remedy::SkipShare { .. } => {
                self.additions.retain(|one| !matches!(one, Addition::Value("--on-error", _)))
            }
            _ => {}
        }
        let before = self.additions.len();
        for addition in options_of(&remedy) {
            if !self.additions.contains(&addition) {
                self.additions.push(addition);
            }
        }
        (self.additions.len() > before).then_some(())
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

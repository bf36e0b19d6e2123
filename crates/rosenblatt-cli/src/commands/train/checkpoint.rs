//! `--checkpoint` and `--resume`: a run that can be killed after any epoch.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use rosenblatt_core::{
    split::Split,
    train::{Checkpoint, Epoch, Options},
};
use rosenblatt_data::{
    AtomicFile, CheckpointFile, CheckpointFileError, Dataset,
    checkpoint::{Fingerprint, Terms},
};

use super::context::Context;
use crate::{
    args::TrainArgs,
    commands::{
        inputs::InputFiles,
        outputs::{not_over_input, prepare},
    },
    error::CliError,
    output::message,
    progress::Progress,
    text::count,
};

mod compare;

/// The most work between two checkpoints, in values, or values of a kernel, that epochs visit: some tenths of a second, or seconds.
const MOST_VALUES: u64 = 1 << 28;

/// Writes the run to a file, if `--checkpoint` was given, and holds the checkpoint of `--resume`.
///
/// A file is written after the epochs 1, 2, 4, 8, …, after [`MOST_VALUES`] at the latest, and after the last epoch that the options
/// allow or that has no more mistakes than they allow. So short epochs do not wait for the disk, and little work is lost.
#[derive(Default)]
pub(super) struct CheckpointWriter {
    start: Option<CheckpointFile>,
    target: Option<Target>,
    /// The values that an epoch visits.
    values: u64,
    /// The values of the epochs since the last file.
    since: u64,
    /// Whether the epoch that ends is written.
    is_due: bool,
    /// The epoch after which the run is in the file.
    written: Option<u64>,
    error: Option<CheckpointFileError>,
}

/// The file of `--checkpoint`, and the data and options that it records.
struct Target {
    path: PathBuf,
    terms: Terms,
    /// Whether the run is traced, which a run that goes on is not.
    is_traced: bool,
}

/// Checks, before any work, that model and checkpoints can be written, and reads the checkpoint of `--resume`.
pub(super) fn open(arguments: &TrainArgs) -> Result<Option<CheckpointFile>, CliError> {
    let TrainArgs { data, more, labeled, output, checkpoint, resume, .. } = arguments;
    let read = InputFiles::new(data, more, labeled.labels.as_deref()).all();
    if let Some(output) = output {
        let resumed = resume.as_deref();
        prepare("-o", output, &[&read, resumed.as_slice()].concat())?;
    }
    if let Some(path) = checkpoint {
        prepare("--checkpoint", path, &read)?;
        let place = |path: &Path| AtomicFile::destination(path).ok();
        if output.as_deref().is_some_and(|output| place(output) == place(path)) {
            let hint = "use one file for the model and another for the checkpoint";
            return Err(CliError::usage("-o and --checkpoint name the same file", hint));
        }
    }
    Ok(resume.as_deref().map(CheckpointFile::load).transpose()?)
}

impl CheckpointWriter {
    /// Compares the checkpoint of `--resume`, if there is one, with the run that is to continue.
    pub(super) fn new(
        context: &Context<'_>,
        options: &Options,
        split: Option<&Split>,
        start: Option<CheckpointFile>,
    ) -> Result<Self, CliError> {
        let arguments = context.arguments;
        if arguments.checkpoint.is_none() && start.is_none() {
            return Ok(CheckpointWriter::default());
        }
        let terms = terms(context, options, split);
        let mut written = None;
        if let (Some(start), Some(file)) = (&start, &arguments.resume) {
            let file = file.display().to_string();
            compare::compare(&file, &context.dataset.file, start, &terms)?;
            written =
                Some(start.state.epochs()).filter(|_| arguments.checkpoint == arguments.resume);
        }
        let is_traced = arguments.trace.is_some();
        let target = arguments.checkpoint.clone().map(|path| Target { path, terms, is_traced });
        if let (Some(target), Some(found)) = (&target, &context.dataset.notes.labels_beside) {
            not_over_input(&target.path, &[found.as_ref()])?;
        }
        let rows = &context.dataset.rows;
        let values = match options.kernel {
            // A visit may need the kernel with every other row.
            Some(_) => rows.len().saturating_mul(rows.len()),
            None => rows.stored(),
        } as u64;
        Ok(CheckpointWriter { start, target, values, written, ..CheckpointWriter::default() })
    }

    /// Returns the state of `--resume`, the first time it is called.
    pub(super) fn take_start(&mut self) -> Option<Checkpoint> {
        self.start.take().map(|start| start.state)
    }

    /// Prints where the run continues, if it does.
    pub(super) fn announce(&self, arguments: &TrainArgs, examples: usize, progress: &mut Progress) {
        let (Some(start), Some(file)) = (&self.start, &arguments.resume) else { return };
        let (state, file) = (&start.state, file.display());
        if !arguments.printing.quiet {
            let over =
                state.stop.is_some() || state.epochs() == arguments.learning.run.options.epochs;
            let left = if over { ", which was the last" } else { "" };
            let epochs = count(state.epochs());
            message("note", &format!("continuing {file} after epoch {epochs}{left}"));
        }
        progress.resume(state, examples);
    }

    /// The mistakes on each of the examples so far.
    pub(super) fn mistakes(&self, examples: usize) -> Result<Vec<u64>, CliError> {
        match self.start.as_ref().map(|start| start.hard.as_deref()) {
            None => Ok(vec![0; examples]),
            Some(Some(hard)) if hard.len() == examples => Ok(hard.to_vec()),
            Some(_) => Err(CliError::usage(
                "--hard needs the mistakes on each example, but the checkpoint does not have them",
                "leave `--hard` out, or start the run again with it",
            )),
        }
    }

    /// Counts an epoch that ends.
    pub(super) fn count(&mut self, epoch: Epoch) {
        let Some(Target { terms: Terms { options, .. }, .. }) = &self.target else { return };
        self.since = self.since.saturating_add(self.values);
        let is_last = epoch.number == options.epochs || epoch.mistakes <= options.allow_mistakes;
        self.is_due = is_last || epoch.number.is_power_of_two() || self.since >= MOST_VALUES;
    }

    /// Writes the checkpoint after an epoch, if that was asked for and is due.
    pub(super) fn write(
        &mut self,
        make: &mut dyn FnMut() -> Checkpoint,
        mistakes: &[u64],
    ) -> ControlFlow<()> {
        let Some(Target { path, terms, .. }) = self.target.as_ref().filter(|_| self.is_due) else {
            return ControlFlow::Continue(());
        };
        let file = CheckpointFile {
            state: make(),
            terms: terms.clone(),
            hard: Some(mistakes.to_vec()).filter(|mistakes| !mistakes.is_empty()),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        match file.save(path) {
            Ok(()) => {
                (self.written, self.since) = (Some(file.state.epochs()), 0);
                ControlFlow::Continue(())
            }
            Err(error) => {
                self.error = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Takes the error of the last checkpoint, if it could not be written.
    pub(super) fn take_error(&mut self) -> Option<CliError> {
        self.error.take().map(CliError::Checkpoint)
    }

    /// The error after Ctrl-C, which names the checkpoint if there is one.
    pub(super) fn interrupted(&self) -> CliError {
        match (&self.target, self.written) {
            (Some(Target { path, is_traced, .. }), Some(epoch)) => CliError::InterruptedAfter {
                file: path.display().to_string(),
                epoch,
                is_traced: *is_traced,
            },
            _ => CliError::Interrupted,
        }
    }
}

/// The data and options that a checkpoint belongs to. Examples that are held out are told apart from those to learn from.
fn terms(context: &Context<'_>, options: &Options, split: Option<&Split>) -> Terms {
    const HELD_OUT: u32 = 1 << 31;
    let Context { arguments, dataset: Dataset { rows, .. }, classes, numbers, prepare, .. } =
        *context;
    let mut numbers = numbers.to_vec();
    split.iter().flat_map(|split| &split.test).for_each(|&place| numbers[place] |= HELD_OUT);
    Terms {
        options: options.clone(),
        preparation: prepare.named(),
        holdout: arguments.holdout.map(|held_out| held_out.share),
        patience: arguments.patience,
        classes: classes.clone(),
        data: Fingerprint::of(rows, &numbers),
    }
}

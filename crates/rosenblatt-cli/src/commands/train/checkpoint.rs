//! `--checkpoint` and `--resume`: a run that can be killed after any epoch.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use rosenblatt::train::{Checkpoint, ClassWeight, Options};
use rosenblatt_data::{
    AtomicFile, CheckpointFile, CheckpointFileError, Dataset,
    checkpoint::{Fingerprint, Terms},
};
use serde::Serialize;

use super::lesson::Lesson;
use crate::{
    args::TrainArgs,
    commands::{not_over_input, prepare},
    failure::Failure,
    output::message,
    progress::Progress,
    text::{count, counted, name},
};

/// What a run goes on from, and what is written after each of its epochs.
#[derive(Default)]
pub(super) struct Journal {
    start: Option<CheckpointFile>,
    to: Option<(PathBuf, Terms)>,
    /// The epoch after which the run stands in the file.
    written: Option<u64>,
    failed: Option<CheckpointFileError>,
}

/// Sees whether model and checkpoints can be written, and reads the checkpoint to go on from: before all work.
pub(super) fn open(arguments: &TrainArgs) -> Result<Option<CheckpointFile>, Failure> {
    let TrainArgs { data, labels, output, checkpoint, resume, .. } = arguments;
    let labels = labels.as_ref().unwrap_or(data);
    if let Some(output) = output {
        prepare("-o", output, &[data, labels, resume.as_ref().unwrap_or(data)])?;
    }
    if let Some(path) = checkpoint {
        prepare("--checkpoint", path, &[data, labels])?;
        let place = |path: &Path| AtomicFile::destination(path).ok();
        if output.as_deref().is_some_and(|output| place(output) == place(path)) {
            let hint = "a model and a checkpoint are two files";
            return Err(Failure::usage("-o and --checkpoint name the same file", hint));
        }
    }
    Ok(resume.as_deref().map(CheckpointFile::load).transpose()?)
}

impl Journal {
    /// Compares the checkpoint, if there is one, with the run that is to go on.
    pub(super) fn new(
        lesson: &Lesson<'_>,
        all_classes: &[u32],
        options: &Options,
        start: Option<CheckpointFile>,
    ) -> Result<Self, Failure> {
        let arguments = lesson.arguments;
        if arguments.checkpoint.is_none() && start.is_none() {
            return Ok(Journal::default());
        }
        let Dataset { rows, notes, .. } = lesson.dataset;
        let terms = Terms {
            options: options.clone(),
            scale: arguments.learning.scale.into(),
            holdout: arguments.holdout,
            patience: arguments.patience,
            classes: lesson.classes.clone(),
            data: Fingerprint::of(rows, all_classes),
        };
        let mut written = None;
        if let (Some(start), Some(file)) = (&start, &arguments.resume) {
            let file = file.display().to_string();
            compare(&file, &lesson.dataset.file, start, &terms)?;
            written =
                Some(start.state.epochs()).filter(|_| arguments.checkpoint == arguments.resume);
        }
        let to = arguments.checkpoint.clone().map(|path| (path, terms));
        if let (Some((path, _)), Some(found)) = (&to, &notes.labels_beside) {
            not_over_input(path, &[found.as_ref()])?;
        }
        Ok(Journal { start, to, written, failed: None })
    }

    /// The state to go on from; the first time it is asked for.
    pub(super) fn take_start(&mut self) -> Option<Checkpoint> {
        self.start.take().map(|start| start.state)
    }

    /// Says where the run goes on, if it does.
    pub(super) fn announce(&self, arguments: &TrainArgs, examples: usize, progress: &mut Progress) {
        let (Some(start), Some(file)) = (&self.start, &arguments.resume) else { return };
        let (state, file) = (&start.state, file.display());
        if !arguments.quiet {
            let over = state.stop.is_some() || state.epochs() == arguments.learning.epochs;
            let left = if over { ", which was the last" } else { "" };
            let epochs = count(state.epochs());
            message("note", &format!("{file} goes on after epoch {epochs}{left}"));
        }
        progress.go_on(state, examples);
    }

    /// The mistakes on each example so far, as many as there are `examples` to learn from.
    pub(super) fn hard(&self, examples: usize) -> Result<Vec<u64>, Failure> {
        match self.start.as_ref().map(|start| start.hard.as_deref()) {
            None => Ok(vec![0; examples]),
            Some(Some(hard)) if hard.len() == examples => Ok(hard.to_vec()),
            Some(_) => Err(Failure::usage(
                "--hard needs the mistakes on each example, and the checkpoint has none",
                "leave `--hard` out, or begin the run again with it",
            )),
        }
    }

    /// Writes the checkpoint after an epoch, if that was asked for.
    pub(super) fn write(
        &mut self,
        make: &mut dyn FnMut() -> Checkpoint,
        hard: &[u64],
    ) -> ControlFlow<()> {
        let Some((path, terms)) = &self.to else { return ControlFlow::Continue(()) };
        let file = CheckpointFile {
            state: make(),
            terms: terms.clone(),
            hard: Some(hard.to_vec()).filter(|hard| !hard.is_empty()),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        match file.save(path) {
            Ok(()) => {
                self.written = Some(file.state.epochs());
                ControlFlow::Continue(())
            }
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Why the last checkpoint could not be written.
    pub(super) fn failure(&mut self) -> Option<Failure> {
        self.failed.take().map(Failure::Checkpoint)
    }

    /// What Ctrl-C leaves.
    pub(super) fn interrupted(&self) -> Failure {
        match (&self.to, self.written) {
            (Some((path, _)), Some(epoch)) => {
                Failure::InterruptedAfter { file: path.display().to_string(), epoch }
            }
            _ => Failure::Interrupted,
        }
    }
}

/// Refuses a checkpoint of another run: the first difference is named.
fn compare(file: &str, data: &str, start: &CheckpointFile, terms: &Terms) -> Result<(), Failure> {
    let differs = |problem: String| Failure::Resume { file: file.to_owned(), problem };
    let (then, now) = (choices(&start.terms), choices(terms));
    if let Some((then, now)) = then.into_iter().zip(now).find(|(then, now)| then != now) {
        return Err(differs(format!("the run had {then}, now there is {now}")));
    }
    let (epochs, most) = (start.state.epochs(), terms.options.epochs);
    if epochs > most {
        let epochs = count(epochs);
        return Err(differs(format!("the run is past `--epochs {most}`: epoch {epochs} is over")));
    }
    let (then, now) = (&start.terms.data, &terms.data);
    let sizes =
        [(then.examples, now.examples, "example"), (then.features, now.features, "feature")];
    if let Some((then, now, what)) = sizes.into_iter().find(|(then, now, _)| then != now) {
        let (then, now) = (counted(then as u64, what), count(now as u64));
        return Err(differs(format!("the run learned from {then}, {data} has {now}")));
    }
    let (then, now) = (start.terms.classes.shown(), terms.classes.shown());
    if then != now {
        return Err(differs(format!("the run learned the classes {then}, {data} has {now}")));
    }
    if start.terms.data != terms.data || start.terms.classes != terms.classes {
        let (then, now) = (start.terms.data.sum, terms.data.sum);
        let problem = format!(
            "the run learned from other rows or classes than those of {data}: their sum was {then:016x}, now it is {now:016x}"
        );
        return Err(differs(problem));
    }
    Ok(())
}

/// Every choice that changes a run, as a person writes it; but for `--epochs`.
fn choices(terms: &Terms) -> Vec<String> {
    let Terms { options, scale, holdout, patience, classes, data: _ } = terms;
    let Options {
        update,
        keep,
        kernel,
        bias,
        mistake,
        zero,
        order,
        init,
        seed,
        epochs: _,
        allow_mistakes,
        eta,
        class_weight,
        compare,
    } = options;
    let with = |flag: &str, value: &dyn ToString| format!("`--{flag} {}`", value.to_string());
    let maybe = |flag: &str, value: Option<String>| {
        value.map_or_else(|| format!("no `--{flag}`"), |value| with(flag, &value))
    };
    let weight = match class_weight {
        ClassWeight::Given(weights) => {
            let names = classes.names().iter().zip(weights);
            names
                .map(|(label, weight)| format!("{}={weight}", name(label)))
                .collect::<Vec<_>>()
                .join(",")
        }
        other => word(other),
    };
    vec![
        with("update", update),
        with("keep", &word(keep)),
        maybe("kernel", kernel.map(|kernel| kernel.to_string())),
        with("bias", &word(bias)),
        with("mistake", &word(mistake)),
        with("zero", &word(zero)),
        with("order", &word(order)),
        with("init", &init.name()),
        with("seed", seed),
        with("allow-mistakes", allow_mistakes),
        with("eta", eta),
        with("class-weight", &weight),
        if *compare { "no `--no-compare`" } else { "`--no-compare`" }.to_owned(),
        with("scale", &word(scale)),
        maybe("holdout", holdout.map(|share| share.to_string())),
        maybe("patience", patience.map(|patience| patience.to_string())),
        maybe("positive", classes.positive().map(name)),
    ]
}

/// The word for a choice, as the model file has it.
fn word(choice: &impl Serialize) -> String {
    let value = serde_json::to_value(choice).unwrap_or_default();
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

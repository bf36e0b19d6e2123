//! How the run ended, and what the user can do if it did not converge.

use rosenblatt::study::WeightCycle;
use rosenblatt_core::{
    report::{Report, Stop},
    train::{CleanEpoch, NotASum, Options, WeightsAre},
};
use rosenblatt_data::{Note, NoteCode};

use super::notes::words;
use crate::{
    commands::{options::is_joint, preparation::whose, train::outcome::TrainOutcome},
    text::{count, counted},
};

/// How the run ended.
pub(super) fn ending(report: &Report, options: &Options) -> String {
    let updates = counted(report.updates, "update");
    let last = report.mistakes_per_epoch.last().copied().unwrap_or(0);
    let epochs = counted(report.epochs, "epoch");
    match report.stopped_by {
        Stop::CleanEpoch => {
            let none = options.update.rule().clean_of().noun();
            let clean = format!("epoch {} made no {none}, after {updates}", count(report.epochs));
            let mistakes: u64 = report.mistakes_per_epoch.iter().sum();
            match report.updates.saturating_sub(mistakes) {
                // After an update in the last epoch the weights may be wrong on some rows.
                others @ 1.. if options.update.rule().ends_despite_updates => {
                    format!("ended: {clean}, {} of them without a mistake", count(others))
                }
                _ => format!("converged: {clean}"),
            }
        }
        Stop::AllowedMistakes => {
            format!(
                "stopped, not converged: epoch {} made {}, which is allowed; {updates}",
                count(report.epochs),
                counted(last, "mistake")
            )
        }
        Stop::Patience => {
            let best = report.best_epoch.unwrap_or(report.epochs);
            format!(
                "stopped after {epochs}, {updates}: epoch {} had the fewest errors on the held-out examples",
                count(best)
            )
        }
        Stop::Plateau => {
            format!(
                "stopped after {epochs}, {updates}: more epochs rarely help; `--epochs N` makes more"
            )
        }
        Stop::MaxEpochs | Stop::Observer => {
            let is_whole = report.stopped_by == Stop::MaxEpochs;
            let goes_on =
                last == 0 && is_whole && options.dynamics().clean_epoch != CleanEpoch::GoesOn;
            let but = if goes_on { ", but updates without a mistake" } else { "" };
            format!(
                "not converged: {epochs}, {updates}; the last epoch made {}{but}",
                counted(last, "mistake")
            )
        }
    }
}

/// Facts about the separation of the classes, and at most two pieces of advice.
pub(super) fn advice(outcome: &TrainOutcome, notes: &[Note]) -> Vec<String> {
    let (report, options) = (outcome.file.model.report(), outcome.file.model.options());
    let can_be_diagnosed =
        outcome.diagnosis.is_none() && options.kernel.is_none() && !is_joint(&outcome.file);
    let weights = options.dynamics().weights;
    let mut lines = Vec::new();
    if let Some(diagnosis) = &outcome.diagnosis {
        lines.extend(diagnosis.lines(report));
        let has_margin = lines.iter().any(|line| line.contains(" margin "));
        let whose = whose(outcome.file.model.preparation()).filter(|_| has_margin);
        lines.extend(
            whose.map(|whose| format!("the margin and the bound are those of the {whose}")),
        );
    }
    match report.separator {
        Some(_) => lines.extend(words(notes, &[NoteCode::OtherSeparator])),
        None if outcome.cycle.is_some() => lines.extend(outcome.cycle.map(returned)),
        None if weights == WeightsAre::Other(NotASum::Penalty) && outcome.diagnosis.is_none() => {
            lines.push(
                "a run with a penalty does not converge: its weights shrink at every example"
                    .to_owned(),
            );
        }
        None if !report.converged && can_be_diagnosed => {
            let sentence = match options.update.rule().ends_despite_updates {
                false => {
                    "classes that overlap never converge; `--diagnose` decides whether these do"
                }
                true => "`--diagnose` decides whether a hyperplane separates the classes",
            };
            lines.push(sentence.to_owned());
        }
        None => {}
    }
    let of_data = [NoteCode::Shuffled, NoteCode::SortedExamples, NoteCode::FeatureSizes];
    lines.extend(words(notes, &of_data));
    lines
}

/// The conclusion from weights that were the same after two epochs.
fn returned(cycle: WeightCycle) -> String {
    let WeightCycle { from_epoch, to_epoch, examples } = cycle;
    let earlier = match from_epoch {
        0 => "those before the first".to_owned(),
        epoch => format!("those after epoch {}", count(epoch)),
    };
    let conclusion = match examples {
        None => "in this order the run never ends".to_owned(),
        Some(examples) => {
            let prove = if examples == 1 { "proves" } else { "prove" };
            let examples = counted(examples as u64, "example");
            format!("no hyperplane separates the classes, as {examples} {prove} exactly")
        }
    };
    format!("the weights after epoch {} are {earlier}: {conclusion}", count(to_epoch))
}

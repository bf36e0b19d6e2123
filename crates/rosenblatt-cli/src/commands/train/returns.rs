//! Weights that return to what they were after an earlier epoch.
//!
//! An epoch without rounding adds `Σ λᵢyᵢ(xᵢ, 1)` to the weights, with λᵢ the sum of the steps at example i. So if the
//! weights are the same after two epochs with an update between them, this sum is 0, which proves that no hyperplane
//! separates the classes (Gordan). As updates may be rounded, the report relies on this only to ask `separable`, whose
//! proof is checked exactly.
//!
//! The first epochs of the run are made once more, so that the report does not depend on checkpoints.

use std::ops::ControlFlow;

use rosenblatt::{
    Hyperplane,
    data::{Examples, Labelled},
    keep::Keep,
    report::Report,
    schedule::Order,
    separability::{
        Certificate, Convergence, SeparabilityOptions, Verdict, convergence, separable,
    },
    train::{Bias, BinaryTrainer, Epoch, Observer, Options, Resources, fit},
};
use serde::Serialize;

use super::context::{Context, Part};
use crate::{
    commands::{inputs::prepared_rows, search::within},
    error::CliError,
};

/// A run whose weights returned to earlier ones and that never ends: because no weights are without a mistake, or because it
/// repeats itself in the given order.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Cycle {
    /// The earlier epoch; 0 is before the first.
    pub(super) from_epoch: u64,
    /// The epoch after which the weights were the same.
    pub(super) to_epoch: u64,
    /// The number of examples that prove that no hyperplane separates the classes; `None` if weights on the boundary are
    /// right on all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) examples: Option<usize>,
}

/// The maximum number of entries in the epochs that are made once more: about a millisecond. Weights return on
/// small examples only.
const MOST_ENTRIES: usize = 100_000;
/// The work to confirm a cycle: about a second at most.
const WORK: u64 = 1_000_000_000;

/// Looks for a cycle in the first epochs of a run that did not converge, and confirms what it proves. The run must have one
/// hyperplane without a kernel and begin with weights of 0; `--diagnose` answers in its own way.
pub(super) fn cycle(
    context: &Context<'_>,
    part: &Part<'_>,
    options: &Options,
    report: &Report,
) -> Result<Option<Cycle>, CliError> {
    let is_plain = options.kernel.is_none() && options.dynamics().sums_rows();
    let is_binary = context.classes.pair().is_some();
    let entries = part.rows.stored() + part.rows.len();
    let epochs = report.epochs.min((MOST_ENTRIES / entries.max(1)) as u64);
    if report.converged || context.arguments.diagnose || !is_plain || !is_binary || epochs == 0 {
        return Ok(None);
    }
    let memory = context.arguments.learning.memory;
    let place = |row| part.place(row);
    let prepared =
        prepared_rows(context.dataset, context.prepare, (options.bias, memory), &part.rows, place)?
            .rows;
    let rows = prepared.as_ref().unwrap_or(&part.rows);
    let labelled = Labelled::new(rows, &part.classes, context.classes.scheme())?;
    let options =
        Options { epochs, keep: Keep::Last, compare: false, plateau: false, ..options.clone() };
    let mut watch = ReturnWatch::default();
    let replayed = fit(&labelled, &options, &Resources::default(), None, &mut watch);
    match (replayed.is_ok(), watch.found, labelled.problems().as_slice()) {
        (true, Some(epochs), &[examples]) => confirmed(epochs, &examples, &options),
        _ => Ok(None),
    }
}

/// The cycle, if no hyperplane separates the examples and the run never ends.
fn confirmed(
    (from_epoch, to_epoch): (u64, u64),
    examples: &Examples<'_>,
    options: &Options,
) -> Result<Option<Cycle>, CliError> {
    let with_bias = options.bias != Bias::None;
    let search = SeparabilityOptions { with_bias, work: WORK, ..SeparabilityOptions::default() };
    let (verdict, ends) = within(None, |stop| {
        let verdict = separable(examples, &search, stop).confirmed(examples);
        let ends = convergence(examples, options, &verdict, &search, stop);
        (verdict, ends)
    })?;
    let Verdict::No { certificate: Certificate::No { rows, .. }, .. } = verdict else {
        return Ok(None);
    };
    let is_repeated = options.order == Order::Given && options.decay.is_none();
    let examples = match ends.convergence() {
        Some(Convergence::Never) | None => Some(rows.len()),
        Some(_) if is_repeated => None,
        Some(_) => return Ok(None),
    };
    Ok(Some(Cycle { from_epoch, to_epoch, examples }))
}

/// Looks for an epoch that ends with earlier weights. The weights are kept after 1, 2, 4, 8, … epochs, so a cycle of any
/// length is found (Brent 1980).
#[derive(Default)]
struct ReturnWatch {
    kept: Option<(u64, Hyperplane)>,
    /// The two epochs, if there were such.
    found: Option<(u64, u64)>,
}

impl Observer for ReturnWatch {
    fn watches_visits(&self) -> bool {
        false
    }

    fn epoch_ended(&mut self, epoch: Epoch, trainer: &BinaryTrainer<'_>) -> ControlFlow<()> {
        let plane = trainer.learner().hyperplane();
        let is_same = match &self.kept {
            None => plane.bias == 0.0 && plane.weights.iter().all(|&weight| weight == 0.0),
            Some((_, kept)) => *kept == *plane,
        };
        if is_same && epoch.updates > 0 {
            let from = self.kept.as_ref().map_or(0, |&(number, _)| number);
            self.found = Some((from, epoch.number));
            return ControlFlow::Break(());
        }
        if epoch.number.is_power_of_two() {
            self.kept = Some((epoch.number, plane.into_owned()));
        }
        ControlFlow::Continue(())
    }
}

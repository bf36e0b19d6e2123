//! Weights that return to what they were after an earlier epoch.
//!
//! An epoch without rounding adds `Σ λᵢyᵢ(xᵢ, 1)` to the weights, with λᵢ the sum of the steps at example i. So if the
//! weights are the same after two epochs with an update between them, this sum is 0, which proves that no hyperplane
//! separates the classes (Gordan). As updates may be rounded, the report relies on this only to ask `separable`, whose
//! proof is checked exactly.
//!
//! The first epochs of the run are made once more, so that the report does not depend on checkpoints.

use std::ops::ControlFlow;

use rosenblatt_core::{
    data::{Examples, Labelled, Rows},
    events::Epoch,
    hyperplane::Hyperplane,
    keep::Keep,
    learner::{BinaryTrainer, Observer},
    options::{Bias, Options, Resources},
    report::Report,
    schedule::Order,
    train::fit,
};
use rosenblatt_proofs::{
    Certificate, Convergence, SeparabilityOptions, Verdict, convergence, separable,
};
use serde::Serialize;

/// A run whose weights returned to earlier ones and that never ends: because no weights are without a mistake, or because it
/// repeats itself in the given order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WeightCycle {
    /// The earlier epoch; 0 is before the first.
    pub from_epoch: u64,
    /// The epoch after which the weights were the same.
    pub to_epoch: u64,
    /// The number of examples that prove that no hyperplane separates the classes; `None` if weights on the boundary are
    /// right on all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<usize>,
}

/// The maximum number of entries in the epochs that are made once more: about a millisecond. Weights return on
/// small examples only.
const MOST_ENTRIES: usize = 100_000;
/// The work to confirm a cycle: about a second at most.
const WORK: u64 = 1_000_000_000;

/// Looks for a cycle in this many first epochs of a run on these rows that did not converge, and confirms what it proves. The run must
/// have one hyperplane without a kernel and begin with weights of 0. `stop` is asked whether to stop the search.
///
/// Cost: at most about a second.
pub fn weight_cycle(
    labelled: &Labelled<'_>,
    options: &Options,
    epochs: u64,
    stop: &mut dyn FnMut() -> bool,
) -> Option<WeightCycle> {
    let is_plain = options.kernel.is_none() && options.dynamics().sums_rows();
    let &[examples] = labelled.problems().as_slice() else { return None };
    if !is_plain || epochs == 0 {
        return None;
    }
    let options =
        Options { epochs, keep: Keep::Last, compare: false, plateau: false, ..options.clone() };
    let mut watch = ReturnWatch::default();
    fit(labelled, &options, &Resources::default(), None, &mut watch).ok()?;
    confirmed(watch.found?, &examples, &options, stop)
}

/// The number of first epochs of a run on these rows, before they are prepared, in which [`weight_cycle`] looks for a cycle; 0 if
/// the run converged or the rows are many.
pub fn epochs_for_cycles(rows: &Rows<'_>, report: &Report) -> u64 {
    let entries = (rows.stored() + rows.len()).max(1);
    if report.converged { 0 } else { report.epochs.min((MOST_ENTRIES / entries) as u64) }
}

/// The cycle, if no hyperplane separates the examples and the run never ends.
fn confirmed(
    (from_epoch, to_epoch): (u64, u64),
    examples: &Examples<'_>,
    options: &Options,
    stop: &mut dyn FnMut() -> bool,
) -> Option<WeightCycle> {
    let with_bias = options.bias != Bias::None;
    let search = SeparabilityOptions { with_bias, work: WORK, ..SeparabilityOptions::default() };
    let verdict = separable(examples, &search, &mut *stop).confirmed(examples);
    let ends = convergence(examples, options, &verdict, &search, &mut *stop);
    let Verdict::No { certificate: Certificate::No { rows, .. }, .. } = verdict else {
        return None;
    };
    let is_repeated = options.order == Order::Given && options.decay.is_none();
    let examples = match ends.convergence() {
        Some(Convergence::Never) | None => Some(rows.len()),
        Some(_) if is_repeated => None,
        Some(_) => return None,
    };
    Some(WeightCycle { from_epoch, to_epoch, examples })
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

//! The numbers of a checkpoint as tensors.

use std::collections::BTreeMap;

use rosenblatt_core::{
    keep::{self, Kept, MeanState, PocketState},
    report::Stop,
    train::{BestState, Checkpoint, LearnerState, PenaltyState, Precisions, SupportState},
};
use safetensors::{Dtype, SafeTensors};

use crate::files::tensors::{self, PlanesShape, Refusal, Tensors, problem};

/// The part of a state that is text.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct StateText {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    stop: Option<Stop>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    best: Option<BestText>,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct BestText {
    errors: usize,
    epoch: u64,
    kept: Kept,
}

/// The numbers of a pocket that are one each: errors, best run, run, tried, counted.
const POCKET_NUMBERS: usize = 5;

impl StateText {
    pub(super) fn of(state: &Checkpoint) -> Self {
        let best = state.best.as_ref().map(|best| BestText {
            errors: best.errors,
            epoch: best.epoch,
            kept: best.kept,
        });
        StateText { stop: state.stop, best }
    }
}

/// Adds the tensors of a state.
pub(super) fn write(state: &Checkpoint, tensors: &mut Tensors) {
    let all = &state.standings;
    let count = all.len();
    tensors.planes("weights", "bias", all.iter().map(|one| &one.hyperplane));
    tensors.wholes("updates", vec![count], all.iter().map(|one| one.updates));
    tensors.floats("steps", vec![count], all.iter().map(|one| one.steps));
    let mistakes = all.iter().flat_map(|one| one.mistakes_per_epoch.iter().copied());
    tensors.wholes("mistakes", vec![count, state.epochs() as usize], mistakes);
    for keeper in keep::ALL {
        let means = all.iter().filter_map(|one| one.means.get(&keeper.kept));
        write_means(keeper.name, &means.collect::<Vec<_>>(), tensors);
    }
    write_precisions(all, tensors);
    write_penalty(all, tensors);
    let pockets: Vec<&PocketState> = all.iter().filter_map(|one| one.pocket.as_ref()).collect();
    if let Some(first) = pockets.first() {
        let best = pockets.iter().map(|one| &one.best);
        tensors.planes("pocket.weights", "pocket.bias", best);
        let order = pockets.iter().flat_map(|one| one.trial_order.iter());
        // A number that is none of an example is refused when it is read.
        let order = order.map(|&place| u32::try_from(place).unwrap_or(u32::MAX));
        tensors.indices("pocket.order", vec![count, first.trial_order.len()], order);
        let numbers = pockets.iter().flat_map(|one| {
            let PocketState { errors, best_run, run, tried, counted, .. } = **one;
            [errors as u64, best_run, run, u64::from(tried), counted]
        });
        tensors.wholes("pocket.numbers", vec![count, POCKET_NUMBERS], numbers);
    }
    let paths: Vec<_> = all.iter().filter_map(|one| one.path.as_ref()).collect();
    if !paths.is_empty() {
        tensors.paths(&paths);
    }
    if let Some(best) = &state.best {
        tensors.planes("best.weights", "best.bias", &best.planes);
    }
    if let Some(SupportState { examples, counts }) = &state.mistaken {
        let rows = examples.iter().map(|&row| row as u64);
        tensors.wholes("support.examples", vec![examples.len()], rows);
        let shape = vec![counts.len(), examples.len()];
        tensors.wholes("support.counts", shape, counts.iter().flatten().copied());
    }
}

/// Adds the tensors of the means of one kind, one mean for each hyperplane.
fn write_means(name: &str, means: &[&MeanState], tensors: &mut Tensors) {
    let Some(first) = means.first() else { return };
    let (count, tensor) = (means.len(), |part: &str| format!("{name}.{part}"));
    let shape = vec![count, first.totals.len()];
    let totals = means.iter().flat_map(|one| one.totals.iter().copied());
    tensors.floats(tensor("totals"), shape.clone(), totals);
    let covered = means.iter().flat_map(|one| one.covered.iter().copied());
    tensors.wholes(tensor("covered"), shape, covered);
    let bias = means.iter().map(|one| one.bias_total);
    tensors.floats(tensor("bias_total"), vec![count], bias);
    let covered = means.iter().map(|one| one.bias_covered);
    tensors.wholes(tensor("bias_covered"), vec![count], covered);
}

/// Reads the means of one kind.
fn read_means(
    tensors: &SafeTensors<'_>,
    name: &str,
    shape: PlanesShape,
) -> Result<Vec<MeanState>, Refusal> {
    let PlanesShape { planes: count, weights } = shape;
    let tensor = |part: &str| format!("{name}.{part}");
    let totals = raw(tensors, &tensor("totals"), &[count, weights])?;
    let covered = tensors::wholes(tensors, &tensor("covered"), &[count, weights])?;
    let bias_total = raw(tensors, &tensor("bias_total"), &[count])?;
    let bias_covered = tensors::wholes(tensors, &tensor("bias_covered"), &[count])?;
    let mean = |number: usize| {
        let own = number * weights..(number + 1) * weights;
        MeanState {
            totals: totals[own.clone()].to_vec(),
            covered: covered[own].to_vec(),
            bias_total: bias_total[number],
            bias_covered: bias_covered[number],
        }
    };
    Ok((0..count).map(mean).collect())
}

/// Adds the tensors of the precisions, if there are any.
fn write_precisions(all: &[LearnerState], tensors: &mut Tensors) {
    let precisions: Vec<&Precisions> =
        all.iter().filter_map(|one| one.precisions.as_ref()).collect();
    let Some(first) = precisions.first() else { return };
    let shape = vec![precisions.len(), first.weights.len()];
    let weights = precisions.iter().flat_map(|one| one.weights.iter().copied());
    tensors.floats("precisions.weights", shape, weights);
    let bias = precisions.iter().map(|one| one.bias);
    tensors.floats("precisions.bias", vec![precisions.len()], bias);
}

/// Reads the precisions of all hyperplanes.
fn read_precisions(
    tensors: &SafeTensors<'_>,
    weights: usize,
    standings: &mut [LearnerState],
) -> Result<(), Refusal> {
    let all = raw(tensors, "precisions.weights", &[standings.len(), weights])?;
    let bias = raw(tensors, "precisions.bias", &[standings.len()])?;
    for (number, standing) in standings.iter_mut().enumerate() {
        let weights = all[number * weights..][..weights].to_vec();
        standing.precisions = Some(Precisions { weights, bias: bias[number] });
    }
    Ok(())
}

/// Adds the tensors of the penalty, if there is one.
fn write_penalty(all: &[LearnerState], tensors: &mut Tensors) {
    let states: Vec<&PenaltyState> = all.iter().filter_map(|one| one.penalty.as_ref()).collect();
    let Some(first) = states.first() else { return };
    let shape = vec![states.len(), first.settled.len()];
    let settled = states.iter().flat_map(|one| one.settled.iter().copied());
    tensors.wholes("penalty.settled", shape.clone(), settled);
    tensors.floats("penalty.taken", shape, states.iter().flat_map(|one| one.taken.iter().copied()));
}

/// Reads the penalty of all hyperplanes.
fn read_penalty(
    tensors: &SafeTensors<'_>,
    weights: usize,
    standings: &mut [LearnerState],
) -> Result<(), Refusal> {
    let shape = [standings.len(), weights];
    let settled = tensors::wholes(tensors, "penalty.settled", &shape)?;
    let taken = raw(tensors, "penalty.taken", &shape)?;
    for (number, standing) in standings.iter_mut().enumerate() {
        let own = number * weights..(number + 1) * weights;
        let (settled, taken) = (settled[own.clone()].to_vec(), taken[own].to_vec());
        standing.penalty = Some(PenaltyState { settled, taken });
    }
    Ok(())
}

/// Reads the pockets of all hyperplanes, each with the order of its rows.
fn read_pockets(
    tensors: &SafeTensors<'_>,
    shape: PlanesShape,
    rows: usize,
    standings: &mut [LearnerState],
) -> Result<(), Refusal> {
    let count = shape.planes;
    let best = tensors::planes(tensors, "pocket.weights", "pocket.bias", shape)?;
    let order = tensors::indices(tensors, "pocket.order", &[count, rows])?;
    let numbers = tensors::wholes(tensors, "pocket.numbers", &[count, POCKET_NUMBERS])?;
    let numbers = numbers.as_chunks::<POCKET_NUMBERS>().0;
    for (number, (standing, best)) in standings.iter_mut().zip(best).enumerate() {
        let [errors, best_run, run, tried, counted] = numbers[number];
        let order = &order[number * rows..][..rows];
        standing.pocket = Some(PocketState {
            best,
            errors: usize::try_from(errors)?,
            best_run,
            run,
            tried: tried != 0,
            trial_order: order.iter().map(|&place| place as usize).collect(),
            counted,
        });
    }
    Ok(())
}

/// Reads the best weights.
fn read_best(
    tensors: &SafeTensors<'_>,
    BestText { errors, epoch, kept }: BestText,
    shape: PlanesShape,
) -> Result<BestState, Refusal> {
    let planes = tensors::planes(tensors, "best.weights", "best.bias", shape)?;
    Ok(BestState { errors, epoch, kept, planes })
}

/// Reads a state; whether it fits a run is for the engine to say.
pub(super) fn read(
    tensors: &SafeTensors<'_>,
    text: StateText,
    examples: usize,
) -> Result<Checkpoint, Refusal> {
    let count = tensors::length(tensors, "bias")?;
    if count == 0 {
        return problem("it has no hyperplane");
    }
    let width = |name: &str| match tensors.tensor(name)?.shape() {
        [rows, columns] if *rows == count => Ok(*columns),
        shape => problem(&format!("its tensor `{name}` has the shape {shape:?}")),
    };
    let has = |name: &str| tensors.names().contains(&name);
    let (weights, epochs) = (width("weights")?, width("mistakes")?);
    let shape = PlanesShape { planes: count, weights };
    let updates = tensors::wholes(tensors, "updates", &[count])?;
    let steps = raw(tensors, "steps", &[count])?;
    let mistakes = tensors::wholes(tensors, "mistakes", &[count, epochs])?;
    let mut standings: Vec<LearnerState> = tensors::planes(tensors, "weights", "bias", shape)?
        .into_iter()
        .enumerate()
        .map(|(number, hyperplane)| LearnerState {
            hyperplane,
            updates: updates[number],
            steps: steps[number],
            mistakes_per_epoch: mistakes[number * epochs..][..epochs].to_vec(),
            means: BTreeMap::new(),
            precisions: None,
            penalty: None,
            pocket: None,
            path: None,
        })
        .collect();
    for keeper in keep::ALL.iter().filter(|keeper| has(&format!("{}.totals", keeper.name))) {
        let means = read_means(tensors, keeper.name, shape)?;
        for (standing, mean) in standings.iter_mut().zip(means) {
            standing.means.insert(keeper.kept, mean);
        }
    }
    if has("precisions.weights") {
        read_precisions(tensors, weights, &mut standings)?;
    }
    if has("penalty.settled") {
        read_penalty(tensors, weights, &mut standings)?;
    }
    if has("pocket.weights") {
        read_pockets(tensors, shape, width("pocket.order")?, &mut standings)?;
    }
    if has("path.steps") {
        let paths = tensors::paths(tensors, count, examples)?;
        standings.iter_mut().zip(paths).for_each(|(standing, path)| standing.path = Some(path));
    }
    let best = text.best.map(|best| read_best(tensors, best, shape)).transpose()?;
    let mistaken = match has("support.examples") {
        false => None,
        true => {
            let counts = tensors::wholes(tensors, "support.counts", &[count, weights])?;
            let of = |number: usize| counts[number * weights..][..weights].to_vec();
            let examples = tensors::wholes(tensors, "support.examples", &[weights])?;
            let examples = tensors::places(examples)?;
            Some(SupportState { examples, counts: (0..count).map(of).collect() })
        }
    };
    Ok(Checkpoint { stop: text.stop, standings, best, mistaken })
}

/// Numbers that may not be finite: sums that nothing depends on, and numbers that the engine checks.
fn raw(tensors: &SafeTensors<'_>, name: &str, shape: &[usize]) -> Result<Vec<f64>, Refusal> {
    let numbers = tensors::eights(tensors, name, Dtype::F64, shape)?;
    Ok(numbers.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect())
}

//! Training for all spaces, numbers of classes and kept weights.

use std::sync::Arc;

use super::{early_stopping::HeldOut, trainer::Training};
#[cfg(feature = "fast")]
use crate::fast::BlockDualSpace;
#[cfg(not(feature = "fast"))]
use crate::space::DualSpace;
use crate::{
    data::Labelled,
    hyperplane::Hyperplane,
    keep::{Keep, VoteError, VoteTerms, Voted, WeightSequence},
    kernel::{CanonicalRows, Kernel, Support},
    learner::{
        BinaryTrainer, Checkpoint, Observer, Rates, TrainError, check_sizes, radius_for_bias,
        rates, sized,
    },
    model::{Classifier, Dual},
    options::{OptionError, Options, Resources},
    report::{Candidate, CountedErrors, Report},
    schedule,
    space::{PrimalSpace, Space},
};

/// A finished run.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The trained classifier.
    pub classifier: Classifier,
    /// The report of the run.
    pub report: Report,
    /// The other weights that the report evaluates, in the space of the classifier. With a vote these are all
    /// candidates.
    pub others: Vec<Candidate>,
}

/// Trains on labelled rows: one hyperplane for two classes, otherwise one per class. `observer` sees every visit of
/// every hyperplane and every epoch.
///
/// Nothing in `resources` changes a bit of the result.
///
/// Cost: in feature space one pass over the rows per epoch, in which all hyperplanes visit an example before the next
/// one. In the dual form one kernel value for each pair of a row and a different misclassified row of the epoch, or
/// fewer if memory allows a cache. All hyperplanes share the values.
///
/// # Errors
/// [`TrainError`].
///
/// ```
/// use rosenblatt_core::{data::{Labelled, Rows, Scheme}, train::{fit, Options, Resources}};
/// // XOR: no line separates it, but the products of its features do.
/// let rows = Rows::dense(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
/// let labelled = Labelled::new(&rows, &[0, 1, 1, 0], Scheme::Two { positive: 1 })?;
/// let options = Options { kernel: Some("poly:2".parse()?), ..Options::default() };
/// let run = fit(&labelled, &options, &Resources::default(), None, &mut ())?;
/// assert!(run.report.converged);
/// assert_eq!(run.report.training_errors, Some(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit(
    labelled: &Labelled<'_>,
    options: &Options,
    resources: &Resources,
    held_out: Option<&HeldOut<'_>>,
    observer: &mut impl Observer,
) -> Result<Fit, TrainError> {
    fit_from(None, labelled, options, resources, (held_out, observer))
}

/// Trains like [`fit`], from a checkpoint if there is one. It is compiled once, for observers of all types.
pub(super) fn fit_from(
    start: Option<&Checkpoint>,
    labelled: &Labelled<'_>,
    options: &Options,
    resources: &Resources,
    (held_out, mut observer): (Option<&HeldOut<'_>>, &mut dyn Observer),
) -> Result<Fit, TrainError> {
    options.check()?;
    options.check_classes(labelled.scheme())?;
    if let Some(held_out) = held_out {
        if options.keep == Keep::Vote {
            return Err(OptionError::PatienceWithVote.into());
        }
        held_out.check(labelled)?;
    }
    let problems = labelled.problems();
    let Some(examples) = problems.first() else {
        return Err(TrainError::Empty { examples: 0, features: labelled.rows().features() });
    };
    let (rows, features) = (examples.len(), examples.features());
    check_sizes(rows, features, &labelled.class_sizes(), &options.class_weight)?;
    if start.is_none() {
        options.check_first(problems.len(), Some(examples.features()))?;
    }
    let planes = if options.kernel.is_none() { problems.len() } else { 1 };
    sized(labelled.rows().features(), planes)?;
    match options.kernel {
        None => {
            if options.keep == Keep::Vote {
                // A vote is scored in the dual form.
                in_range(Kernel::Linear, &CanonicalRows::new(labelled.rows()))?;
            }
            let space = PrimalSpace::new(labelled.rows()).with_threads(resources.threads);
            let mut training = training(labelled, options, space)?;
            let finished = run(&mut training, start, resources, (held_out, &mut observer))?;
            Ok(finish(finished, Classifier::Linear))
        }
        Some(kernel) => {
            let rows = CanonicalRows::new(labelled.rows());
            in_range(kernel, &rows)?;
            if let Some(held_out) = held_out {
                in_range(kernel, &CanonicalRows::new(held_out.labelled.rows()))?;
            }
            let space = dual_space(kernel, &rows, problems.len(), options, resources);
            let mut training = training(labelled, options, space)?;
            let finished = run(&mut training, start, resources, (held_out, &mut observer))?;
            let state = training.space.support_state().unwrap_or_default();
            let support = Support {
                rows: rows.select(&state.examples),
                examples: state.examples,
                counts: state.counts,
            };
            Ok(finish(finished, |planes| Classifier::Dual(Dual { kernel, support, planes })))
        }
    }
}

/// The dual form with running scores, updated block by block.
#[cfg(feature = "fast")]
fn dual_space<'r>(
    kernel: Kernel,
    rows: &'r CanonicalRows,
    planes: usize,
    options: &Options,
    resources: &Resources,
) -> BlockDualSpace<'r> {
    let is_judged = options.compare || options.keep != Keep::Last;
    BlockDualSpace::new(kernel, rows, planes, *resources, (options.epochs == 1, is_judged))
}

/// The dual form by its definition.
#[cfg(not(feature = "fast"))]
fn dual_space<'r>(
    kernel: Kernel,
    rows: &'r CanonicalRows,
    planes: usize,
    _: &Options,
    resources: &Resources,
) -> DualSpace<'r> {
    DualSpace::new(kernel, rows, planes, resources.threads)
}

/// Builds the classifier: the vote, or the hyperplanes of the chosen candidate.
fn finish(
    (mut candidates, voted, report): FinishedRun,
    of_planes: impl FnOnce(Vec<Hyperplane>) -> Classifier,
) -> Fit {
    let classifier = match voted {
        Some(voted) => Classifier::Voted(voted),
        None => of_planes(candidates.remove(0).planes),
    };
    let support = classifier.support().map(|support| support.examples.len());
    Fit { classifier, report: Report { support, ..report }, others: candidates }
}

/// Checks that all kernel values, sums of many of them, and squared norms stay in the range of `f64`.
fn in_range(kernel: Kernel, rows: &CanonicalRows) -> Result<(), TrainError> {
    const LARGEST: f64 = 1e300;
    let square = (0..rows.len()).map(|i| rows.square(i)).fold(0.0, f64::max);
    let value = rows.largest(kernel);
    match kernel {
        Kernel::Rbf { .. } if square <= LARGEST => Ok(()),
        Kernel::Rbf { .. } => Err(TrainError::DistanceOverflow { square }),
        _ if value <= LARGEST => Ok(()),
        _ => Err(TrainError::KernelOverflow { kernel, value }),
    }
}

fn training<'a, 'o, S: Space>(
    labelled: &Labelled<'a>,
    options: &'o Options,
    mut space: S,
) -> Result<Training<'a, 'o, S>, TrainError> {
    let of_classes: Arc<[f64]> = rates(options, &labelled.class_sizes())?.into();
    let rates = Rates::new(labelled, &of_classes, options)?;
    let radius = radius_for_bias(options, &space);
    let trainer =
        |(number, examples)| BinaryTrainer::new(examples, rates.clone(), options, radius, number);
    let problems = labelled.problems().into_iter().enumerate();
    let mut trainers: Vec<BinaryTrainer<'a>> = problems.map(trainer).collect::<Result<_, _>>()?;
    let hyperplanes = trainers.len();
    // A pocket judges one hyperplane alone.
    let alone = trainers.iter_mut().enumerate().filter(|_| !options.is_joint(labelled.scheme()));
    for (plane, trainer) in alone {
        trainer.begin(options, &mut space, (plane, hyperplanes));
    }
    Ok(Training { options, scheme: labelled.scheme(), space, trainers })
}

/// The candidates, with the chosen one first; the vote, if it is the model; and the report.
type FinishedRun = (Vec<Candidate>, Option<Voted>, Report);

/// Runs the epochs and evaluates the result.
fn run<S: Space>(
    training: &mut Training<'_, '_, S>,
    start: Option<&Checkpoint>,
    resources: &Resources,
    (held_out, observer): (Option<&HeldOut<'_>>, &mut impl Observer),
) -> Result<FinishedRun, TrainError> {
    let ended = training.epochs(start, held_out, observer)?;
    let voted = (training.options.keep == Keep::Vote).then(|| voted(training)).transpose()?;
    training.space.end_visits();
    let errors = |voted: &Voted| vote_errors(training, voted, resources.threads, observer);
    let errors = voted.as_ref().map(errors).transpose()?;
    let (candidates, report) = training.evaluate(ended, errors)?;
    Ok((candidates, voted, report))
}

/// The vote of a run.
fn voted<S: Space>(training: &Training<'_, '_, S>) -> Result<Voted, VoteError> {
    let (options, trainer) = (training.options, &training.trainers[0]);
    let paths: Vec<&WeightSequence> =
        training.trainers.iter().filter_map(|trainer| trainer.path.as_ref()).collect();
    let terms = VoteTerms {
        kernel: options.kernel.unwrap_or(Kernel::Linear),
        bias_unit: trainer.learner.bias_unit(),
        zero: options.zero,
        seed: options.seed,
    };
    Voted::new(terms, trainer.examples.rows(), &paths)
}

/// The number of rows of a thread between two polls of the observer.
const POLLED_ROWS: usize = 256;

/// The training errors of a vote.
///
/// # Errors
/// [`TrainError::Stopped`] if the observer stops the run.
fn vote_errors<S: Space>(
    training: &Training<'_, '_, S>,
    voted: &Voted,
    threads: usize,
    observer: &impl Observer,
) -> Result<CountedErrors, TrainError> {
    let examples = &training.trainers[0].examples;
    let chosen;
    let packed;
    let (rows, examples) = match training.space.cached_values(&voted.support.examples) {
        // In the dual form, learning costs as much.
        Some(rows) => (rows, None),
        None => {
            chosen = sample(voted, examples.len());
            packed = match &chosen {
                Some(chosen) => CanonicalRows::new(&examples.rows().select(chosen)),
                None => CanonicalRows::new(examples.rows()),
            };
            ((&packed, &[][..]), chosen.as_deref())
        }
    };
    let example = |row: usize| examples.map_or(row, |chosen| chosen[row]);
    let planes = training.trainers.len();
    let mut errors = 0;
    let step = POLLED_ROWS * threads.max(1);
    let of = rows.0.len();
    for first in (0..of).step_by(step) {
        if observer.poll().is_break() {
            return Err(TrainError::Stopped);
        }
        let range = first..of.min(first + step);
        let scores = voted.votes(rows, range.clone(), threads);
        let is_wrong = |(row, scores): (usize, &[f64])| {
            !training.is_of_class(example(row), training.decision().class(scores))
        };
        errors += range.zip(scores.chunks(planes)).filter(|&each| is_wrong(each)).count();
    }
    Ok(CountedErrors { errors, examples: of })
}

/// The examples, chosen at random, on which a vote in feature space is judged; `None` for all of them. A vote asks all
/// weights of the run about each row, which over all rows would cost the square of their number; the run costs its visits.
fn sample(voted: &Voted, examples: usize) -> Option<Vec<usize>> {
    /// About a second: updates and supporting rows, over the rows that are judged.
    const STEPS: usize = 1 << 27;
    /// A share of so many is known to 1.6 points, one standard deviation.
    const FEWEST: usize = 1_000;
    let updates: usize = voted.paths.iter().map(|path| path.moves.len()).sum();
    let of_row = updates + voted.support.examples.len();
    let size = (STEPS / of_row.max(1)).max(FEWEST);
    (size < examples).then(|| schedule::sample(voted.seed, examples, size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        data::{Rows, Scheme},
        keep::{Kept, Tally},
        schedule::Order,
    };

    /// A run with so many updates that its vote is judged on a sample: the errors are those of the chosen examples.
    #[test]
    fn a_vote_of_many_updates_is_judged_on_a_sample() {
        const EXAMPLES: usize = 1_200;
        let values: Vec<f64> = (0..EXAMPLES).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let rows = Rows::dense(values, 1).unwrap();
        let classes: Vec<u32> =
            (0..EXAMPLES).map(|i| u32::from((i % 2 == 0) != (i % 5 < 2))).collect();
        let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
        let options =
            Options { keep: Keep::Vote, order: Order::Given, epochs: 300, ..Options::default() };
        let fit = super::fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
        let Classifier::Voted(voted) = fit.classifier else { unreachable!() };
        let chosen = sample(&voted, EXAMPLES).unwrap();
        assert!(chosen.is_sorted() && chosen.len() == 1_000);
        let scores = voted.scores(&CanonicalRows::new(&rows), Tally::Vote, 1).unwrap();
        let is_wrong = |&&example: &&usize| (scores[example] > 0.0) != (classes[example] == 1);
        let errors = chosen.iter().filter(is_wrong).count();
        assert_eq!(fit.report.sampled_errors, Some(CountedErrors { errors, examples: 1_000 }));
        assert_eq!((fit.report.training_errors, fit.report.errors.of(Kept::Vote)), (None, None));
        assert!(errors > 300 && errors < 500);
    }
}

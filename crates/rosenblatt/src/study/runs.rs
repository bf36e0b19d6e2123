//! The runs of a study, distributed to threads.

use std::{
    ops::ControlFlow,
    panic::resume_unwind,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

use rosenblatt_core::{
    data::{Examples, Rows, Sign},
    keep::Keep,
    report::Stop,
    space::Hyperplane,
    split::{Split, SplitError, Splitter},
    train::{BinaryTrainer, Epoch, Observer, Options, Visit, train},
};

use super::{Plan, StudyError, Summary, Watcher, angles::direction};

/// One run of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SeededRun {
    /// The seed of the run.
    pub seed: u64,
    /// The number of updates.
    pub updates: u64,
    /// The number of epochs begun, including the last.
    pub epochs: u64,
    /// Whether the last epoch had no mistakes.
    pub converged: bool,
}

/// A run with the directions of its final weights, if they are needed and not 0.
pub(super) struct RunResult {
    pub(super) run: SeededRun,
    pub(super) last: Option<Vec<f64>>,
    pub(super) average: Option<Vec<f64>>,
    /// The share of held-out examples that the last weights misclassify.
    pub(super) held_out_errors: Option<f64>,
}

/// The examples that each run holds out.
pub(super) struct HeldOut<'a> {
    splitter: Splitter<'a>,
    classes: &'a [u32],
    share: f64,
}

impl<'a> HeldOut<'a> {
    /// For rows with the class of each: 1 for the positive one. Checks once what does not depend on the seed.
    pub(super) fn new(
        rows: &Rows<'_>,
        classes: &'a [u32],
        share: f64,
        seed: u64,
    ) -> Result<Self, SplitError> {
        let splitter = Splitter::new(rows, classes, None);
        let held_out = HeldOut { splitter, classes, share };
        held_out.split(seed)?;
        Ok(held_out)
    }

    /// The split of a run. Both classes are learned.
    fn split(&self, seed: u64) -> Result<Split, SplitError> {
        self.splitter.hold_out(self.share, seed)?.with_all_classes(self.classes)
    }
}

/// The distribution of a count over the runs that converged.
pub(super) fn summary(runs: &[SeededRun], count: impl Fn(&SeededRun) -> u64) -> Option<Summary> {
    let converged = runs.iter().filter(|run| run.converged);
    Summary::of(converged.map(|run| count(run) as f64).collect())
}

/// All runs in the order of their seeds; the first `compared` of them with directions.
pub(super) fn all(
    examples: &Examples<'_>,
    options: &Options,
    plan: &Plan,
    compared: usize,
    watcher: &impl Watcher,
) -> Result<Vec<RunResult>, StudyError> {
    let one = |number: usize| {
        let seed = options.seed.wrapping_add(number as u64);
        let keep = if number < compared { Keep::Average } else { Keep::Last };
        let options = Options { seed, keep, compare: false, ..options.clone() };
        let ran = run(examples, &options, watcher, None);
        watcher.run_ended();
        ran
    };
    in_parallel(plan, one)
}

/// All runs in the order of their seeds. Each learns without the examples that its seed holds out, and its last weights
/// are judged on these.
pub(super) fn without(
    examples: &Examples<'_>,
    options: &Options,
    plan: &Plan,
    held_out: &HeldOut<'_>,
    watcher: &impl Watcher,
) -> Result<Vec<RunResult>, StudyError> {
    let one = |number: usize| {
        let seed = options.seed.wrapping_add(number as u64);
        let options = Options { seed, keep: Keep::Last, compare: false, ..options.clone() };
        let split = held_out.split(seed)?;
        let rows = examples.rows().select(&split.train);
        let signs: Vec<Sign> = split.train.iter().map(|&i| examples.sign(i)).collect();
        let mut judge = |plane: &Hyperplane| {
            let is_wrong = |&&i: &&usize| {
                let (row, sign) = examples.get(i);
                options.zero.predicts(plane.unchecked_sign(row)) != sign
            };
            split.test.iter().filter(is_wrong).count() as f64 / split.test.len() as f64
        };
        let learned = Examples::new(&rows, &signs)?;
        let ran = run(&learned, &options, watcher, Some(&mut judge));
        watcher.run_ended();
        ran
    };
    in_parallel(plan, one)
}

/// Runs `work` for each number; after a failure it starts nothing new. Numbers are started in ascending order, so the
/// first failure is among those started.
fn in_parallel<R: Send, E: Send>(
    plan: &Plan,
    work: impl Fn(usize) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let worker = || {
        let mut done = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.runs {
                break;
            }
            let result = work(number);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            done.push((number, result));
        }
        done
    };
    let threads = plan.threads.clamp(1, plan.runs.max(1));
    let mut done = if threads == 1 {
        worker()
    } else {
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
            let done = workers.into_iter().map(thread::ScopedJoinHandle::join);
            done.flat_map(|done| done.unwrap_or_else(|panic| resume_unwind(panic))).collect()
        })
    };
    done.sort_unstable_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, result)| result).collect()
}

fn run(
    examples: &Examples<'_>,
    options: &Options,
    watcher: &impl Watcher,
    judge: Option<&mut dyn FnMut(&Hyperplane) -> f64>,
) -> Result<RunResult, StudyError> {
    let is_compared = options.keep == Keep::Average;
    let mut witness = LastWeightsObserver { watcher, options, is_compared, last: None };
    let trained = train(examples, options, &mut witness).map_err(StudyError::Train)?;
    let report = trained.report;
    if report.stopped_by == Stop::Observer {
        return Err(StudyError::Stopped);
    }
    let direction = |plane: &Hyperplane| direction(plane, options.bias);
    Ok(RunResult {
        run: SeededRun {
            seed: options.seed,
            updates: report.updates,
            epochs: report.epochs,
            converged: report.converged,
        },
        last: witness.last.as_ref().and_then(direction),
        average: is_compared.then(|| direction(&trained.hyperplane)).flatten(),
        held_out_errors: judge.map(|judge| judge(&trained.hyperplane)),
    })
}

/// Stops a run on request, and records its last weights if the run keeps the average.
struct LastWeightsObserver<'w, W> {
    watcher: &'w W,
    options: &'w Options,
    is_compared: bool,
    last: Option<Hyperplane>,
}

impl<W: Watcher> Observer for LastWeightsObserver<'_, W> {
    #[inline]
    fn visited(&mut self, _: usize, _: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.watcher.poll()
    }

    fn epoch_ended(&mut self, epoch: Epoch, trainer: &BinaryTrainer<'_>) -> ControlFlow<()> {
        let is_last = epoch.number == self.options.epochs;
        if self.is_compared
            && (is_last || rosenblatt_core::train::stop_after(epoch, self.options).is_some())
        {
            self.last = Some(trainer.learner().hyperplane().into_owned());
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rosenblatt_core::{
        data::{
            Rows,
            Sign::{Minus, Plus},
        },
        train::TrainError,
    };

    #[test]
    fn results_are_in_order_and_the_first_failure_counts() {
        for threads in [1, 2, 5, 40] {
            let plan = Plan { runs: 20, threads };
            let squares = in_parallel(&plan, |i| Ok::<_, ()>(i * i)).unwrap();
            assert_eq!(squares, (0..20).map(|i| i * i).collect::<Vec<_>>());
            let failing = |i: usize| if i % 7 == 6 { Err(i) } else { Ok(i) };
            assert_eq!(in_parallel(&plan, failing), Err(6));
        }
    }

    #[test]
    fn overflow_is_said() {
        let rows = Rows::dense(vec![1e308, -1e308, 1e308, 1.7e308], 1).unwrap();
        let examples = Examples::new(&rows, &[Plus, Minus, Minus, Plus]).unwrap();
        let plan = Plan { runs: 3, threads: 2 };
        let failed = all(&examples, &Options::default(), &plan, 3, &()).map(|runs| runs.len());
        let expected = StudyError::Train(TrainError::AverageOverflow);
        assert_eq!(failed, Err(expected));
    }
}

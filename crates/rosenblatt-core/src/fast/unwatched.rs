//! Visits without an observer: each hyperplane makes many of them before the next one does, on several threads.
//!
//! During an epoch no hyperplane depends on another one, so the results do not depend on the number of threads.

use std::{
    cmp::Ordering,
    ops::ControlFlow,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

#[cfg(target_arch = "x86_64")]
use super::register_epoch::RegisterEpoch;
use super::{
    VisitCounts,
    epoch::{ALONE, BoundedRow, Pass},
    row_norms::RowNorms,
    scan::{Scan, Stopped},
};
use crate::{
    data::{Prefetch, VisitOrder},
    events::{Epoch, EpochOutcome},
    hyperplane::Hyperplane,
    learner::{BinaryTrainer, Direction, Observer, TrainError},
    space::Space,
};

impl<S: Space> Pass<'_, '_, S> {
    /// All hyperplanes visit all examples.
    pub(super) fn unwatched(
        &mut self,
        norms: &mut RowNorms<'_>,
        observer: &impl Observer,
    ) -> Result<EpochOutcome, TrainError> {
        let (order, planes) = (self.order, self.trainers.len());
        if planes > 1 {
            // Several hyperplanes read the rows so often that one more time does not matter.
            norms.measure_all(order);
        }
        let share = planes.div_ceil(self.threads());
        let lane = |trainer| Lane::new(trainer, order, norms);
        let mut lanes: Vec<Lane<'_, '_>> = self.trainers.iter_mut().map(lane).collect();
        let (own, others) = lanes.split_at_mut(share);
        let (mut flow, mut position) = (ControlFlow::Continue(()), 0);
        let progress = Progress::default();
        thread::scope(|scope| {
            for share in others.chunks_mut(share) {
                let progress = &progress;
                scope.spawn(move || progress.follow(share));
            }
            // Also if the observer panics.
            let _ends = Ending(&progress);
            let is_sound = |own: &[Lane<'_, '_>]| own.iter().all(|lane| lane.overflow.is_none());
            while position < order.len() && flow.is_continue() && is_sound(own) {
                // Few enough that the observer is polled often. The bound holds for the row at `last` too.
                let (longest, last) = norms.bound(order, position, position + ALONE - 1);
                let until = order.len().min(last + 1);
                progress.allow(until);
                own.iter_mut().for_each(|lane| lane.longest = longest);
                visit_in_blocks(own, (position, until));
                position = until;
                flow = observer.poll();
            }
        });
        if let Some(position) = lanes.iter().filter_map(|lane| lane.overflow).min() {
            return Err(TrainError::Overflow { example: order[position], epoch: self.number });
        }
        let mut epoch = Epoch { visits: position as u64, ..Epoch::new(self.number) };
        for lane in &lanes {
            epoch.mistakes += lane.mistakes;
            epoch.updates += lane.updates;
        }
        Ok(EpochOutcome { epoch, flow, is_whole: position == order.len() })
    }

    /// The number of threads that the visits are worth.
    fn threads(&self) -> usize {
        const LEAST_VALUES: usize = 1 << 17;
        let rows = self.trainers[0].examples.rows();
        let values = rows.stored() / rows.len().max(1) * ALONE * self.trainers.len();
        if values < LEAST_VALUES { 1 } else { self.space.threads().min(self.trainers.len()).max(1) }
    }
}

/// How far all hyperplanes may go: a run that is stopped has made the same visits of each.
#[derive(Default)]
struct Progress {
    /// The position before which the examples may be visited, and whether it is the last one.
    allowed: Mutex<(usize, bool)>,
    changed: Condvar,
}

impl Progress {
    fn allow(&self, until: usize) {
        self.lock().0 = until;
        self.changed.notify_all();
    }

    /// Lets these hyperplanes make all visits that are allowed, until there are no more.
    fn follow(&self, lanes: &mut [Lane<'_, '_>]) {
        let mut position = 0;
        loop {
            let waits = |allowed: &mut (usize, bool)| allowed.0 == position && !allowed.1;
            let allowed = self.changed.wait_while(self.lock(), waits);
            let (until, is_last) = *allowed.unwrap_or_else(PoisonError::into_inner);
            visit_in_blocks(lanes, (position, until));
            if is_last {
                return;
            }
            position = until;
        }
    }

    /// No thread panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, (usize, bool)> {
        self.allowed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Allows no more visits when it is dropped.
struct Ending<'p>(&'p Progress);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.lock().1 = true;
        self.0.changed.notify_all();
    }
}

/// A hyperplane, the rows that it visits, and the counts of its visits.
struct Lane<'l, 'a> {
    trainer: &'l mut BinaryTrainer<'a>,
    order: &'l [usize],
    prefetch: Prefetch,
    /// An upper bound on the norms of the rows.
    longest: f64,
    #[cfg(target_arch = "x86_64")]
    is_narrow: bool,
    mistakes: u64,
    updates: u64,
    /// The position of an example whose update overflows; there are no visits after it.
    overflow: Option<usize>,
}

/// Each hyperplane visits so few examples before the next one that their rows stay in the cache.
fn visit_in_blocks(lanes: &mut [Lane<'_, '_>], (from, until): (usize, usize)) {
    let block = lanes.first().map_or(1, |lane| lane.prefetch.rows().max(1));
    for from in (from..until).step_by(block) {
        for lane in lanes.iter_mut().filter(|lane| lane.overflow.is_none()) {
            lane.visit_all(from, until.min(from + block));
        }
    }
}

impl<'l, 'a> Lane<'l, 'a> {
    fn new(trainer: &'l mut BinaryTrainer<'a>, order: &'l [usize], norms: &RowNorms<'_>) -> Self {
        Lane {
            trainer,
            order,
            prefetch: norms.prefetch(),
            longest: norms.longest(),
            #[cfg(target_arch = "x86_64")]
            is_narrow: norms.is_narrow(),
            mistakes: 0,
            updates: 0,
            overflow: None,
        }
    }

    /// Makes the visits at the positions `from..until`.
    fn visit_all(&mut self, from: usize, until: usize) {
        let mut position = from;
        if self.trainer.learner.moves_between_updates() {
            return self.visit_each(from, until);
        }
        while position < until {
            let sign = match self.visit_in_registers(position, until) {
                Some(made) => {
                    position = made.until;
                    self.mistakes += made.mistakes;
                    self.updates += made.updates;
                    None
                }
                None => {
                    let stopped = self.scan(position, until);
                    self.trainer.skip_many((stopped.place - position) as u64);
                    position = stopped.place;
                    stopped.score
                }
            };
            if position < until {
                if !self.visit(position, sign) {
                    self.overflow = Some(position);
                    return;
                }
                position += 1;
            }
        }
    }

    /// Makes the visits at the positions `from..until` by the definition.
    fn visit_each(&mut self, from: usize, until: usize) {
        let places = VisitOrder::Ordered(self.order);
        for position in from..until {
            self.prefetch.prefetch_example(&self.trainer.examples, places, position);
            if !self.visit(position, None) {
                self.overflow = Some(position);
                return;
            }
        }
    }

    /// Visits an example by the definition, with the sign of its score if known. Returns whether the weights remain
    /// finite.
    #[inline]
    fn visit(&mut self, position: usize, sign: Option<Ordering>) -> bool {
        let example = self.order[position];
        let row = self.trainer.examples.rows().row(example);
        let norm_product = self.longest * self.trainer.learner.norm_bound();
        let view = BoundedRow { row, norm_product, sign };
        let direction = Direction { row, norm_bound: self.longest };
        let visit = self.trainer.visit_unwatched(&view, direction, example);
        self.mistakes += u64::from(visit.as_ref().is_ok_and(|visit| visit.mistake));
        self.updates += u64::from(visit.as_ref().is_ok_and(|visit| visit.updated));
        visit.is_ok()
    }

    /// Finds the first position of a range whose example may be active; all earlier ones are certainly inactive.
    #[inline]
    fn scan(&self, from: usize, until: usize) -> Stopped {
        let learner = &self.trainer.learner;
        let Hyperplane { weights, bias } = learner.stored();
        let scan = Scan {
            examples: &self.trainer.examples,
            prefetch: self.prefetch,
            weights,
            bias: *bias,
            least: learner.inactive_above(),
            norm_product: self.longest * learner.norm_bound(),
        };
        scan.run(VisitOrder::Ordered(self.order), (from, until))
    }

    /// Makes visits in registers up to the first uncertain one; `None` if that is not possible.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn visit_in_registers(&mut self, from: usize, until: usize) -> Option<VisitCounts> {
        if !self.is_narrow {
            return None;
        }
        let state = self.trainer.learner.constant_step_state()?;
        let run = RegisterEpoch {
            examples: &self.trainer.examples,
            prefetch: self.prefetch,
            order: self.order,
            places: (from, until),
            reach: self.longest,
            rates: &self.trainer.rates,
        };
        let counts = run.run(state)?;
        self.trainer.count_mistakes(counts.mistakes);
        Some(counts)
    }

    /// Other processors have no loop in registers.
    #[cfg(not(target_arch = "x86_64"))]
    fn visit_in_registers(&mut self, _: usize, _: usize) -> Option<VisitCounts> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        data::{Labelled, Rows, Scheme},
        keep::Keep,
        options::{Options, Penalty, Resources},
        rules::Update,
        schedule::Order,
        train::fit,
    };

    /// Sees every visit, so that all hyperplanes visit an example before the next one.
    struct Watching;

    impl Observer for Watching {}

    /// Rows of small integers, so that some scores are 0, whose classes overlap.
    fn rows(count: usize, features: usize) -> (Vec<f64>, Vec<u32>) {
        let mut state = 7u64;
        let mut next = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state >> 40
        };
        let values = (0..count * features).map(|_| (next() % 9) as f64 - 4.0).collect();
        let classes = (0..count).map(|_| (next() % 4) as u32).collect();
        (values, classes)
    }

    #[test]
    fn threads_and_watching_change_nothing() {
        const FEATURES: usize = 40;
        let (values, classes) = rows(2500, FEATURES);
        let dense = Rows::dense(values.as_slice(), FEATURES).unwrap();
        let stored = |row: usize| (0..FEATURES).filter(move |j| !(row + j).is_multiple_of(3));
        let starts: Vec<usize> = (0..=2500)
            .scan(0, |sum, row| {
                let start = *sum;
                *sum += stored(row).count();
                Some(start)
            })
            .collect();
        let places = || (0..2500).flat_map(|row| stored(row).map(move |j| (row, j)));
        let indices: Vec<u32> = places().map(|(_, j)| j as u32).collect();
        let of_places = places().map(|(row, j)| values[row * FEATURES + j]).collect::<Vec<_>>();
        let sparse = Rows::sparse(starts, indices, of_places, FEATURES).unwrap();
        let both = Some(Penalty { alpha: 0.01, l1_ratio: 0.5 });
        for (rows, update, keep, penalty) in [
            (&dense, Update::PERCEPTRON, Keep::Last, None),
            (&dense, Update::PERCEPTRON, Keep::Average, None),
            (&dense, Update::PERCEPTRON, Keep::Average, both),
            (&dense, Update::pa1(0.5), Keep::Last, None),
            (&sparse, Update::PERCEPTRON, Keep::Average, None),
            (&sparse, Update::PERCEPTRON, Keep::Last, both),
            (&sparse, Update::pa1(0.5), Keep::Average, None),
        ] {
            let labelled = Labelled::new(rows, &classes, Scheme::OneVsRest { classes: 4 }).unwrap();
            let options = Options {
                update,
                keep,
                penalty,
                epochs: 3,
                compare: false,
                order: Order::Shuffle,
                ..Options::default()
            };
            let fit_with = |threads: usize| {
                let resources = Resources { threads, ..Resources::default() };
                let made = fit(&labelled, &options, &resources, None, &mut ()).unwrap();
                (format!("{:?}", made.classifier), format!("{:?}", made.report))
            };
            let watched =
                fit(&labelled, &options, &Resources::default(), None, &mut Watching).unwrap();
            let watched = (format!("{:?}", watched.classifier), format!("{:?}", watched.report));
            for threads in [1, 2, 3, 9] {
                let what = format!("{update:?} {keep:?} {penalty:?} {threads}");
                assert!(fit_with(threads) == watched, "{what}");
            }
        }
    }

    /// Two classes overflow in the first epoch: the error names the example that comes first, with any threads.
    #[test]
    fn the_first_overflow_is_the_error() {
        let mut values = vec![1.0; 40 * 2500];
        for row in [900, 901, 902, 1800] {
            values[40 * row..40 * (row + 1)].fill(f64::MAX);
        }
        let rows = Rows::dense(values, 40).unwrap();
        let classes: Vec<u32> = (0..2500).map(|row| (row / 301) as u32 % 4).collect();
        let labelled = Labelled::new(&rows, &classes, Scheme::OneVsRest { classes: 4 }).unwrap();
        let options = Options {
            epochs: 2,
            eta: 1e10,
            keep: Keep::Last,
            compare: false,
            ..Options::default()
        };
        let watched =
            fit(&labelled, &options, &Resources::default(), None, &mut Watching).unwrap_err();
        assert!(matches!(watched, TrainError::Overflow { .. }), "{watched}");
        for threads in [1, 2, 4] {
            let resources = Resources { threads, ..Resources::default() };
            let error = fit(&labelled, &options, &resources, None, &mut ()).unwrap_err();
            assert_eq!(error.to_string(), watched.to_string());
        }
    }
}

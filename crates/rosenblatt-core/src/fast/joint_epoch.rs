//! An epoch of several classes that are learned together, in which examples that certainly change nothing are skipped.
//!
//! While the weights stay unchanged, a scan computes the scores of one row after another by all hyperplanes, each with a
//! bound on its error, and passes a row whose class certainly has the greatest score, by more than the rule needs.
//!
//! # The bound
//! Let ŝₖ be the computed score of hyperplane k and |ŝₖ − sₖ| ≤ eₖ (`rosenblatt-exact/src/filter.rs`, with the largest norm of a row in
//! the place of ‖x‖). With each sum rounded outward, lₖ ≤ sₖ ≤ hₖ for lₖ = (ŝₖ − eₖ)↓ and hₖ = (ŝₖ + eₖ)↑, where the
//! arrows are the neighboring floats. A row of class y is passed if fl(l_y − max hᵣ) > M over all rivals r, where the rule
//! is inactive above M ≥ 0. Rounding is monotone and M is a float, so then s_y − sᵣ ≥ l_y − hᵣ > M for every rival: no
//! mistake, and no step. All eₖ are finite in a scan, so no computed score is infinite or NaN.
//!
//! Where the scan stops, only rivals with hᵣ ≥ max lᵣ can have the greatest score, and only they are compared exactly.
#![allow(unsafe_code)] // sums in registers that not every processor has

use std::{cmp::Ordering, ops::ControlFlow};

use super::{
    epoch::{ALONE, Pass},
    row_norms::RowNorms,
};
use crate::{
    data::{Prefetch, Rows, Values, VisitOrder},
    events::{Epoch, EpochOutcome, Visit},
    exact::{error_bound, quick_magnitude},
    hyperplane::Hyperplane,
    learner::{BinaryTrainer, Observer, Rivalry, TrainError, best_of, visit_jointly},
    simd::{Registers, SimdJob, Value, dispatch, gathered},
    space::Space,
};

/// Runs an epoch in feature space in which all hyperplanes learn together; `None` for any other space.
pub(crate) fn joint_epoch<S: Space>(
    pass: Pass<'_, '_, S>,
    observer: &mut impl Observer,
) -> Option<Result<EpochOutcome, TrainError>> {
    let radius = pass.space.feature_radius()?.get().copied();
    let examples = pass.trainers.first()?.examples;
    let (rows, classes) = (examples.rows(), examples.classes()?);
    let mut norms = RowNorms::new(rows, pass.order, radius);
    let longest = norms.measure_all(pass.order);
    if let (Some(cell), Some(radius)) = (pass.space.feature_radius(), norms.radius()) {
        cell.get_or_init(|| radius);
    }
    pass.trainers.iter_mut().for_each(|trainer| trainer.begin_epoch(pass.number));
    let planes = pass.trainers.len();
    let mut epoch = JointEpoch {
        finished: pass.trainers[0].learner.visits(),
        trainers: pass.trainers,
        rows,
        classes,
        order: pass.order,
        prefetch: norms.prefetch(),
        longest,
        bounds: vec![(0.0, 0.0); planes],
        epoch: Epoch::new(pass.number),
    };
    let flow = epoch.run(observer);
    let JointEpoch { epoch, .. } = epoch;
    Some(flow.map(|flow| {
        let is_whole = epoch.visits == pass.order.len() as u64;
        EpochOutcome { epoch, flow, is_whole }
    }))
}

/// The examples and trainers of an epoch, and how far it is.
struct JointEpoch<'e, 'a> {
    trainers: &'e mut [BinaryTrainer<'a>],
    rows: &'a Rows<'a>,
    classes: &'a [u32],
    order: &'e [usize],
    prefetch: Prefetch,
    /// An upper bound on the norms of the rows.
    longest: f64,
    /// Bounds on the scores of the row where the last scan stopped.
    bounds: Vec<(f64, f64)>,
    /// The number of finished visits of the run. Trainers that do not move count theirs later.
    finished: u64,
    epoch: Epoch,
}

impl JointEpoch<'_, '_> {
    fn run(&mut self, observer: &mut impl Observer) -> Result<ControlFlow<()>, TrainError> {
        let (mut position, mut flow) = (0, ControlFlow::Continue(()));
        while position < self.order.len() && flow.is_continue() {
            let until = self.order.len().min(position + ALONE);
            let stopped = self.scan(position, until);
            match observer.watches_visits() {
                true => flow = self.skip_watched(position, stopped, observer),
                false => self.count_inactive((stopped - position) as u64),
            }
            if flow.is_continue() && stopped < until {
                let example = self.order[stopped];
                let visit = self.visit(example)?;
                if observer.watches_visits() {
                    flow = observer.visited(example, visit, &self.trainers[visit.hyperplane]);
                }
            }
            if flow.is_continue() {
                flow = observer.poll();
            }
            position = until.min(stopped + 1);
        }
        (0..self.trainers.len()).for_each(|plane| self.catch_up(plane));
        Ok(flow)
    }

    fn count_inactive(&mut self, visits: u64) {
        self.finished += visits;
        self.epoch.visits += visits;
    }

    /// Shows the observer the visits of the inactive examples at these positions.
    fn skip_watched(
        &mut self,
        from: usize,
        until: usize,
        observer: &mut impl Observer,
    ) -> ControlFlow<()> {
        for &example in &self.order[from..until] {
            let own = self.classes[example] as usize;
            self.count_inactive(1);
            self.catch_up(own);
            let score = Ordering::Greater;
            let visit = Visit { score, mistake: false, updated: false, step: 0.0, hyperplane: own };
            observer.visited(example, visit, &self.trainers[own])?;
            observer.poll()?;
        }
        ControlFlow::Continue(())
    }

    /// Counts the finished visits of a hyperplane.
    fn catch_up(&mut self, plane: usize) {
        let learner = &mut self.trainers[plane].learner;
        learner.skip_many(self.finished - learner.visits());
    }

    /// Visits the example at which the scan stopped.
    fn visit(&mut self, example: usize) -> Result<Visit, TrainError> {
        let own = self.classes[example] as usize;
        let bounds = &self.bounds;
        let rivals = || (0..bounds.len()).filter(|&plane| plane != own);
        let least = rivals().map(|plane| bounds[plane].0).fold(f64::NEG_INFINITY, f64::max);
        let possible = rivals().filter(|&plane| bounds[plane].1 >= least);
        let rival = best_of(self.trainers, possible, self.rows.row(example));
        let (this, other) = (bounds[own], bounds[rival]);
        let order = match (this.0 > other.1, this.1 < other.0) {
            (true, _) => Some(Ordering::Greater),
            (_, true) => Some(Ordering::Less),
            _ => None,
        };
        [own, rival].into_iter().for_each(|plane| self.catch_up(plane));
        let rivalry = Rivalry { own, rival, order };
        let visit = visit_jointly(self.trainers, rivalry, example, self.longest);
        let number = self.epoch.number;
        let visit = visit.map_err(|_| TrainError::Overflow { example, epoch: number })?;
        self.finished += 1;
        self.epoch.count_joint(visit);
        Ok(visit)
    }

    /// Finds the first position in `from..until` whose example may be active; all earlier ones are certainly inactive.
    fn scan(&mut self, from: usize, until: usize) -> usize {
        let JointEpoch { longest, trainers, bounds, .. } = self;
        let plane = |trainer: &'_ BinaryTrainer<'_>| {
            let bias = trainer.learner.stored().bias;
            quick_magnitude(*longest * trainer.learner.norm_bound(), [bias, 0.0])
        };
        let magnitudes: Vec<f64> = trainers.iter().map(plane).collect();
        if magnitudes.iter().any(|magnitude| !magnitude.is_finite()) {
            bounds.fill((f64::NEG_INFINITY, f64::INFINITY));
            return from;
        }
        let planes: Vec<&Hyperplane> =
            trainers.iter().map(|trainer| trainer.learner.stored()).collect();
        let scan = JointScan {
            planes: &planes,
            magnitudes: &magnitudes,
            least: trainers[0].learner.inactive_above(),
            rows: self.rows,
            classes: self.classes,
            order: self.order,
            prefetch: self.prefetch,
            places: (from, until),
            bounds,
        };
        match self.rows.values() {
            Values::F32(x) => dispatch(ScanJob { scan, x }),
            Values::F64(x) => dispatch(ScanJob { scan, x }),
        }
    }
}

/// The input of a scan, and the bounds on the scores of its last row.
struct JointScan<'s> {
    planes: &'s [&'s Hyperplane],
    /// For each hyperplane, an upper bound on the sum of the magnitudes of a score's terms.
    magnitudes: &'s [f64],
    /// The difference of scores above which an example changes nothing.
    least: f64,
    rows: &'s Rows<'s>,
    classes: &'s [u32],
    order: &'s [usize],
    prefetch: Prefetch,
    places: (usize, usize),
    bounds: &'s mut [(f64, f64)],
}

struct ScanJob<'s, T> {
    scan: JointScan<'s>,
    x: &'s [T],
}

impl<T: Value> SimdJob for ScanJob<'_, T> {
    type Outcome = usize;

    #[inline(always)]
    unsafe fn run<R: Registers>(self) -> usize {
        let ScanJob { scan, x } = self;
        let JointScan { planes, magnitudes, least, rows, classes, order, prefetch, .. } = scan;
        let (from, until) = scan.places;
        let (features, sparse, places) =
            (rows.features(), rows.sparse_parts(), VisitOrder::Ordered(order));
        for (place, &example) in order.iter().enumerate().take(until).skip(from) {
            prefetch.prefetch(rows, places, place);
            let (entries, indices) = match sparse {
                None => (example * features..(example + 1) * features, None),
                Some((offsets, all)) => {
                    let entries = offsets[example]..offsets[example + 1];
                    (entries.clone(), Some(&all[entries]))
                }
            };
            let x = &x[entries];
            for ((plane, &magnitude), bounds) in
                planes.iter().zip(magnitudes).zip(scan.bounds.iter_mut())
            {
                let sum = match indices {
                    // SAFETY: the caller guarantees that the processor has the registers.
                    None => unsafe { R::products(&plane.weights, x, &[]) },
                    Some(indices) => gathered::<R, T>(&plane.weights, indices, x),
                };
                let (value, error) = (sum + plane.bias, error_bound(x.len() + 2, magnitude));
                *bounds = ((value - error).next_down(), (value + error).next_up());
            }
            let own = classes[example] as usize;
            let (before, after) = (&scan.bounds[..own], &scan.bounds[own + 1..]);
            let rivals = before.iter().chain(after).map(|rival| rival.1);
            let highest = rivals.fold(f64::NEG_INFINITY, f64::max);
            let is_inactive = scan.bounds[own].0 - highest > least;
            if !is_inactive {
                return place;
            }
        }
        until
    }
}

//! One epoch in feature space, faster than one visit at a time.

use std::{cmp::Ordering, ops::ControlFlow};

use super::{
    row_norms::RowNorms,
    scan::{Scan, Stopped},
};
use crate::{
    data::{Row, VisitOrder},
    events::{Epoch, EpochOutcome},
    exact,
    hyperplane::Hyperplane,
    learner::{BinaryTrainer, Direction, Observer, TrainError},
    rules::ExampleView,
    space::Space,
};

/// The maximum number of examples in one scan, for a single hyperplane and for each of several.
pub(super) const ALONE: usize = 1 << 10;
const TOGETHER: usize = 1 << 3;

/// The trainers and the order of the examples of an epoch.
pub(crate) struct Pass<'p, 'a, S> {
    pub(crate) space: &'p mut S,
    pub(crate) trainers: &'p mut [BinaryTrainer<'a>],
    pub(crate) order: &'p [usize],
    /// The number of the epoch, counted from 1.
    pub(crate) number: u64,
}

/// Runs an epoch in feature space; `None` for any other space.
///
/// An example whose functional margin is certainly above the one where the rule is inactive changes nothing. [`Scan`]
/// finds many such examples at once. Hyperplanes whose visits are not observed skip them together, each for itself. If their
/// steps are constant and the rows narrow, updates are also made in registers
/// ([`RegisterEpoch`](super::register_epoch::RegisterEpoch)). Every uncertain example is visited by the definition, and so are all
/// where weights move between updates.
pub(crate) fn epoch<S: Space>(
    mut pass: Pass<'_, '_, S>,
    observer: &mut impl Observer,
) -> Option<Result<EpochOutcome, TrainError>> {
    let first = pass.trainers.first()?;
    let examples = first.examples;
    let radius = pass.space.feature_radius()?.get().copied();
    let mut norms = RowNorms::new(examples.rows(), pass.order, radius);
    pass.trainers.iter_mut().for_each(|trainer| trainer.begin_epoch(pass.number));
    let is_watched = pass.trainers.iter().any(BinaryTrainer::is_watched);
    let outcome = if is_watched || observer.watches_visits() {
        pass.observed(&mut norms, observer)
    } else {
        pass.unwatched(&mut norms, observer)
    };
    if let (Some(cell), Some(radius)) = (pass.space.feature_radius(), norms.radius()) {
        cell.get_or_init(|| radius);
    }
    Some(outcome)
}

/// How far a hyperplane has scanned.
#[derive(Clone, Copy)]
struct Scanned {
    /// All examples from the start of the scan to before this position change nothing.
    position: usize,
    /// The sign of the score there, if known.
    sign: Option<Ordering>,
}

impl<S: Space> Pass<'_, '_, S> {
    /// Every hyperplane visits an example before the next one comes, and the observer sees every visit.
    fn observed(
        &mut self,
        norms: &mut RowNorms<'_>,
        observer: &mut impl Observer,
    ) -> Result<EpochOutcome, TrainError> {
        let mut epoch = Epoch::new(self.number);
        let scans = !self.trainers.iter().any(|one| one.learner.moves_between_updates());
        let mut scanned = vec![Scanned { position: 0, sign: None }; self.trainers.len()];
        // Several hyperplanes scan only a few rows at a time, so that the next hyperplane finds them in the cache.
        let most = if scanned.len() == 1 { ALONE } else { TOGETHER };
        for (position, &example) in self.order.iter().enumerate() {
            for plane in 0..scanned.len() {
                if scans && scanned[plane].position <= position {
                    scanned[plane] = self.scan(plane, norms, position, position + most);
                }
                let visit = if position < scanned[plane].position {
                    self.trainers[plane].skip(self.space, example, plane)
                } else {
                    self.visit(plane, norms, example, scanned[plane].sign)?
                };
                epoch.count(visit);
                let flow = observer.visited(example, visit, &self.trainers[plane]);
                if flow.is_break() {
                    let is_last = position + 1 == self.order.len() && plane + 1 == scanned.len();
                    return Ok(EpochOutcome { epoch, flow, is_whole: is_last });
                }
            }
            let flow = observer.poll();
            if flow.is_break() {
                let is_whole = position + 1 == self.order.len();
                return Ok(EpochOutcome { epoch, flow, is_whole });
            }
        }
        Ok(EpochOutcome { epoch, flow: ControlFlow::Continue(()), is_whole: true })
    }

    /// Visits an example by the definition, with the sign of its score if known.
    #[inline]
    fn visit(
        &mut self,
        plane: usize,
        norms: &RowNorms<'_>,
        example: usize,
        sign: Option<Ordering>,
    ) -> Result<crate::events::Visit, TrainError> {
        let trainer = &mut self.trainers[plane];
        let row = trainer.examples.rows().row(example);
        let norm_product = norms.longest() * trainer.learner.norm_bound();
        let view = BoundedRow { row, norm_product, sign };
        let direction = Direction { row, norm_bound: norms.longest() };
        let visit = trainer.visit_as(&view, direction, self.space, example, plane);
        visit.map_err(|_| TrainError::Overflow { example, epoch: self.number })
    }

    /// Finds the first position in `from..=until` whose example may be active; all earlier ones are certainly inactive.
    #[inline]
    fn scan(&self, plane: usize, norms: &mut RowNorms<'_>, from: usize, until: usize) -> Scanned {
        let trainer = &self.trainers[plane];
        let (norm, until) = norms.bound(self.order, from, until.min(self.order.len()));
        let Hyperplane { weights, bias } = trainer.learner.stored();
        let scan = Scan {
            examples: &trainer.examples,
            prefetch: norms.prefetch(),
            weights,
            bias: *bias,
            least: trainer.learner.inactive_above(),
            norm_product: norm * trainer.learner.norm_bound(),
        };
        let Stopped { place, score } = scan.run(VisitOrder::Ordered(self.order), (from, until));
        Scanned { position: place, sign: score }
    }
}

/// A row with an upper bound, up to rounding, on its norm times that of the weights, and the sign of its score if
/// known.
pub(super) struct BoundedRow<'r> {
    pub(super) row: Row<'r>,
    pub(super) norm_product: f64,
    pub(super) sign: Option<Ordering>,
}

impl ExampleView for BoundedRow<'_> {
    #[inline]
    fn compare(&self, hyperplane: &Hyperplane, threshold: f64) -> Ordering {
        if let Some(sign) = self.sign.filter(|_| threshold == 0.0) {
            return sign;
        }
        let Hyperplane { weights, bias } = hyperplane;
        exact::compare_score_within(weights, *bias, self.row, threshold, self.norm_product)
    }

    fn score_beyond(&self, hyperplane: &Hyperplane, threshold: f64) -> f64 {
        self.row.score_beyond(hyperplane, threshold)
    }

    fn squared_norm(&self, extra: f64) -> f64 {
        self.row.squared_norm(extra)
    }

    fn is_zero(&self) -> bool {
        self.row.is_zero()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        data::{Examples, Rows, Sign},
        keep::Keep,
        options::{Options, Penalty},
        rules::Update,
        schedule::Init,
        space::PrimalSpace,
    };

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            -4.0..4.0f64,
            (-3i32..4).prop_map(f64::from),
            (-1.0..1.0f64).prop_map(|x| x * 1e-160),
            (-1.0..1.0f64).prop_map(|x| x * 1e150),
            Just(f64::from_bits(3)),
        ]
    }

    proptest! {
        /// The learner's bound is never below the norm of its weights, and a sign decided with it is that of the exact
        /// score.
        #[test]
        fn norm_bounds_hold_and_decide_correctly(
            values in proptest::collection::vec(number(), 30..61),
            visits in proptest::collection::vec((0usize..10, any::<bool>()), 1..40),
            eta in prop_oneof![Just(1.0), Just(0.1), Just(1e-200)],
            init in prop_oneof![Just(Init::Zero), Just(Init::Random)],
            update in prop_oneof![
                Just(Update::PERCEPTRON), Just(Update::pa1(0.5)), Just(Update::arow(2.0)), Just(Update::second_order(0.5)),
            ],
            penalty in prop_oneof![Just(None), Just(Some((0.5, 0.0))), Just(Some((0.9375, 0.5))), Just(Some((0.1, 1.0)))],
        ) {
            const FEATURES: usize = 3;
            let rows = Rows::dense(&values[..values.len() / FEATURES * FEATURES], FEATURES).unwrap();
            let eta = if update == Update::PERCEPTRON { eta } else { 1.0 };
            let penalty = penalty.filter(|_| update == Update::PERCEPTRON);
            let penalty = penalty.map(|(alpha, l1_ratio)| Penalty { alpha, l1_ratio });
            let options = Options { eta, init, update, penalty, ..Options::default() };
            let options = Options { keep: Keep::Last, ..options };
            // All examples of one sign, for either sign.
            let of_sign = [Sign::Minus, Sign::Plus].map(|sign| vec![sign; rows.len()]);
            let [minus, plus] = [&of_sign[0], &of_sign[1]].map(|signs| Examples::new(&rows, signs).unwrap());
            let mut space = PrimalSpace::new(&rows);
            let mut trainers = [BinaryTrainer::from_signs(plus, &options, &space).unwrap()];
            let radius = space.radius();
            for (row, is_plus) in visits {
                trainers[0].examples = if is_plus { plus } else { minus };
                let exact = trainers[0].learner.hyperplane().score_sign(rows.row(row)).unwrap();
                // The sign is decided by the scan, otherwise by the sum.
                let order = [row];
                let mut norms = RowNorms::new(&rows, &order, Some(radius));
                let mut pass = Pass { space: &mut space, trainers: &mut trainers, order: &order, number: 1 };
                let scanned = match penalty {
                    None => pass.scan(0, &mut norms, 0, 1),
                    Some(_) => Scanned { position: 0, sign: None },
                };
                let Ok(visit) = pass.visit(0, &norms, row, scanned.sign) else { return Ok(()) };
                prop_assert_eq!(visit.score, exact);
                prop_assert!(scanned.position == 0 || !visit.updated);
                let learner = &trainers[0].learner;
                prop_assert!(learner.norm_bound() < f64::INFINITY);
                prop_assert!(learner.norm_bound() * (1.0 + 1e-9) >= learner.hyperplane().norm());
            }
        }
    }
}

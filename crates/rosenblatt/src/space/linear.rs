//! The space of the features: weights in the order of the features.

use std::{cell::OnceCell, cmp::Ordering};

use super::{Hyperplane, Length, Made, Scores, Seen, Space, narrow, narrow::Narrow};
use crate::{
    data::{Examples, Near, Places, Row, Rows, Sign},
    exact::{self, Radius, Scan, Stopped},
    train::{Learner, Rates, Visit, WeightOverflow},
};

impl Seen for Row<'_> {
    #[inline]
    fn compare(&self, plane: &Hyperplane, threshold: f64) -> Ordering {
        exact::compare_score(&plane.weights, plane.bias, *self, threshold)
    }

    fn score_beyond(&self, plane: &Hyperplane, threshold: f64) -> f64 {
        exact::score_beyond(&plane.weights, plane.bias, *self, threshold)
    }

    fn squared_norm(&self, extra: f64) -> f64 {
        exact::squared_row_norm(*self, extra)
    }

    fn is_zero(&self) -> bool {
        let mut zero = true;
        self.for_each(|_, x| zero &= x == 0.0);
        zero
    }
}

/// A row with upper bounds, up to rounding, on its length and on that of the weights that it meets.
struct Bounded<'r> {
    row: Row<'r>,
    reach: f64,
    length: f64,
    /// The sign of the score of the weights, where it is known already.
    score: Option<Ordering>,
}

impl Seen for Bounded<'_> {
    #[inline]
    fn compare(&self, plane: &Hyperplane, threshold: f64) -> Ordering {
        if let Some(score) = self.score.filter(|_| threshold == 0.0) {
            return score;
        }
        let lengths = self.reach * self.length;
        exact::compare_score_within(&plane.weights, plane.bias, self.row, threshold, lengths)
    }

    fn score_beyond(&self, plane: &Hyperplane, threshold: f64) -> f64 {
        self.row.score_beyond(plane, threshold)
    }

    fn squared_norm(&self, extra: f64) -> f64 {
        self.row.squared_norm(extra)
    }

    fn is_zero(&self) -> bool {
        self.row.is_zero()
    }

    fn reach(&self) -> f64 {
        self.reach
    }
}

/// The training rows as they are.
#[derive(Clone, Debug)]
pub(crate) struct Linear<'a> {
    rows: &'a Rows<'a>,
    radius: OnceCell<Radius>,
    /// The longest of the rows at the first so many places of the first epoch, until the radius is known.
    longest: (Radius, usize),
    /// At least ‖x‖ of all rows that were visited, up to rounding.
    reach: f64,
    near: Near,
    /// Whether visits may be made at once.
    is_narrow: bool,
    /// For each hyperplane, an example and the sign of its present score, if that is known.
    known: Vec<Option<(usize, Ordering)>>,
}

impl<'a> Linear<'a> {
    pub(crate) fn new(rows: &'a Rows<'a>) -> Self {
        Linear {
            rows,
            radius: OnceCell::new(),
            longest: (Radius::default(), 0),
            reach: f64::INFINITY,
            near: Near::new(rows),
            is_narrow: narrow::registers(rows).is_some(),
            known: Vec::new(),
        }
    }

    /// An upper bound on the lengths of all rows that were and will be visited at places not after the second
    /// number, which is not after `until`. In the first epoch the lengths are taken on the way, of so few rows
    /// at once that they are still near when they are visited.
    #[inline]
    fn reach(&mut self, (order, from, until): (&[usize], usize, usize)) -> (f64, usize) {
        if let Some(radius) = self.radius.get() {
            self.reach = radius.length;
            return (self.reach, until);
        }
        self.reach_on_the_way(order, from, until)
    }

    #[cold]
    fn reach_on_the_way(&mut self, order: &[usize], from: usize, until: usize) -> (f64, usize) {
        let (mut longest, mut taken) = self.longest;
        if from > taken || order.len() != self.rows.len() {
            // Not the first epoch from its beginning.
            self.reach = self.radius().length;
            return (self.reach, until);
        }
        if from == taken {
            taken = order.len().min(from + self.near.rows());
            longest.take(self.rows, self.near, Places::Ordered(order), (from, taken));
        }
        self.longest = (longest, taken);
        self.reach = longest.length;
        if taken == order.len() {
            self.radius.get_or_init(|| longest);
            return (self.reach, until);
        }
        // The visit that follows is of such a row too.
        (self.reach, until.min(taken - 1))
    }
}

impl Space for Linear<'_> {
    type Scores<'s>
        = OnRows<'s>
    where
        Self: 's;

    fn dimension(&self) -> usize {
        self.rows.features()
    }

    fn radius(&self) -> Radius {
        *self.radius.get_or_init(|| exact::radius(self.rows))
    }

    fn uncertainty(&self) -> f64 {
        0.0
    }

    /// Rows are asked for in [`untouched`](Self::untouched).
    #[inline]
    fn arrive(&mut self, _: &[usize], _: usize) {}

    #[inline]
    fn untouched(
        &mut self,
        (order, from, until): (&[usize], usize, usize),
        plane: usize,
        learner: &Learner,
        examples: &Examples<'_>,
    ) -> usize {
        let until = until.min(order.len());
        let (reach, until) = self.reach((order, from, until));
        let order = Places::Ordered(order);
        let Hyperplane { weights, bias } = learner.hyperplane();
        let scan = Scan {
            examples,
            near: self.near,
            weights,
            bias: *bias,
            least: learner.rests_beyond(),
            lengths: reach * learner.length(),
        };
        let Stopped { place, score } = scan.run(order, (from, until));
        if self.known.len() <= plane {
            self.known.resize(plane + 1, None);
        }
        self.known[plane] = score.and_then(|score| Some((order.get(place)?, score)));
        place
    }

    #[inline]
    fn make_visits(
        &mut self,
        (order, from, until): (&[usize], usize, usize),
        learner: &mut Learner,
        examples: &Examples<'_>,
        rates: &Rates<'_>,
    ) -> Option<Made> {
        let moving = learner.moving().filter(|_| self.is_narrow)?;
        let (reach, until) = self.reach((order, from, until.min(order.len())));
        self.known.clear();
        let (near, places) = (self.near, (from, until));
        Narrow { examples, near, order, places, reach, rates }.run(moving)
    }

    #[inline]
    fn learn(
        &mut self,
        example: usize,
        plane: usize,
        learner: &mut Learner,
        (sign, rate): (Sign, f64),
    ) -> Result<Visit, WeightOverflow> {
        let row = self.rows.row(example);
        let known = self.known.get_mut(plane).and_then(Option::take);
        let score = known.filter(|known| known.0 == example).map(|known| known.1);
        let (reach, length) = (self.reach, learner.length());
        learner.visit(&Bounded { row, reach, length, score }, row, sign, rate)
    }

    fn compare(&mut self, example: usize, _: usize, learner: &Learner) -> Ordering {
        learner.hyperplane().unchecked_sign(self.rows.row(example))
    }

    fn scores<'s>(&'s self, planes: &'s [Hyperplane]) -> OnRows<'s> {
        OnRows::within(planes, self.rows, self.radius().length)
    }

    fn present_scores<'s>(&'s self, planes: &'s [Hyperplane]) -> OnRows<'s> {
        self.scores(planes)
    }

    fn settle(&mut self) {}

    fn scores_on<'s>(&'s self, planes: &'s [Hyperplane], rows: &'s Rows<'s>) -> OnRows<'s> {
        OnRows::new(planes, rows)
    }

    fn lengths(&self, planes: &[Hyperplane], lasts: &[f64]) -> Vec<Length> {
        planes.iter().zip(lasts).map(|(plane, &last)| plane.length_with(last)).collect()
    }
}

/// Hyperplanes on rows, each score from its row when it is asked for.
#[derive(Clone, Debug)]
pub(crate) struct OnRows<'a> {
    planes: &'a [Hyperplane],
    rows: &'a Rows<'a>,
    near: Near,
    /// Of each hyperplane at least ‖w‖·‖x‖ of all rows, up to rounding; infinite when nothing is known.
    lengths: Vec<f64>,
}

impl<'a> OnRows<'a> {
    pub(crate) fn new(planes: &'a [Hyperplane], rows: &'a Rows<'a>) -> Self {
        let lengths = vec![f64::INFINITY; planes.len()];
        OnRows { planes, rows, near: Near::new(rows), lengths }
    }

    fn scan<'s>(&'s self, plane: usize, least: f64, examples: &'s Examples<'s>) -> Scan<'s> {
        let Hyperplane { weights, bias } = &self.planes[plane];
        let (near, lengths) = (self.near, self.lengths[plane]);
        Scan { examples, near, weights, bias: *bias, least, lengths }
    }

    /// The same for rows whose radius is known.
    fn within(planes: &'a [Hyperplane], rows: &'a Rows<'a>, radius: f64) -> Self {
        let lengths = planes.iter().map(|plane| plane.norm() * radius).collect();
        OnRows { lengths, ..Self::new(planes, rows) }
    }
}

impl Scores for OnRows<'_> {
    fn planes(&self) -> usize {
        self.planes.len()
    }

    fn bounds(&self, plane: usize, row: usize) -> (f64, f64) {
        let Hyperplane { weights, bias } = &self.planes[plane];
        let row = self.rows.row(row);
        let (low, high) = exact::score_bounds_within(weights, *bias, row, self.lengths[plane]);
        if low > 0.0 || high < 0.0 { (low, high) } else { exact::score_bounds(weights, *bias, row) }
    }

    fn untouched(
        &self,
        (plane, least): (usize, f64),
        examples: &Examples<'_>,
        (from, until): (usize, usize),
    ) -> usize {
        let rows = Places::AsTheyAre(self.rows.len());
        self.scan(plane, least, examples).run(rows, (from, until)).place
    }

    fn count(
        &self,
        (plane, least): (usize, f64),
        examples: &Examples<'_>,
        places: (usize, usize),
    ) -> (usize, usize) {
        self.scan(plane, least, examples).count(Places::AsTheyAre(self.rows.len()), places)
    }

    fn near(&self) -> usize {
        self.near.rows()
    }

    fn sign(&self, plane: usize, row: usize) -> Ordering {
        self.planes[plane].unchecked_sign(self.rows.row(row))
    }

    fn score(&self, plane: usize, row: usize) -> f64 {
        self.planes[plane].unchecked_score(self.rows.row(row))
    }

    fn compare(&self, first: usize, second: usize, row: usize) -> Ordering {
        let of = |plane: usize| (self.planes[plane].weights.as_slice(), self.planes[plane].bias);
        exact::compare_two_scores(of(first), of(second), self.rows.row(row))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{schedule::Init, train::Options, update::Update};

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
        /// The learner's bound is never below the length of its weights, and a sign that a sum decides by it is
        /// that of the exact score.
        #[test]
        fn lengths_are_bounds_and_decide_rightly(
            values in proptest::collection::vec(number(), 30..61),
            visits in proptest::collection::vec((0usize..10, any::<bool>()), 1..40),
            eta in prop_oneof![Just(1.0), Just(0.1), Just(1e-200)],
            init in prop_oneof![Just(Init::Zero), Just(Init::Random)],
            update in prop_oneof![Just(Update::Perceptron), Just(Update::Pa1(0.5))],
        ) {
            const FEATURES: usize = 3;
            let rows = Rows::dense(&values[..values.len() / FEATURES * FEATURES], FEATURES).unwrap();
            let eta = if update == Update::Perceptron { eta } else { 1.0 };
            let options = Options { eta, init, update, ..Options::default() };
            let mut space = Linear::new(&rows);
            let mut learner = Learner::of_run(&options, FEATURES, 1.0);
            for (row, plus) in visits {
                let sign = if plus { Sign::Plus } else { Sign::Minus };
                let exact = learner.hyperplane().score_sign(rows.row(row)).unwrap();
                // The sign that a scan found, or else the sum, decides.
                let signs = vec![sign; rows.len()];
                let examples = Examples::new(&rows, &signs).unwrap();
                let untouched = space.untouched((&[row], 0, 1), 0, &learner, &examples);
                let Ok(visit) = space.learn(row, 0, &mut learner, (sign, eta)) else { return Ok(()) };
                prop_assert_eq!(visit.score, exact);
                prop_assert!(untouched == 0 || !visit.updated);
                prop_assert!(learner.length() < f64::INFINITY);
                prop_assert!(learner.length() * (1.0 + 1e-9) >= learner.hyperplane().norm());
            }
        }
    }
}

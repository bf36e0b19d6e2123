//! The search for the shortest vector of the hull of all points, by column generation.
//!
//! A *pool* holds the few points that matter. Wolfe's algorithm ([`Corral`]) finds the shortest vector p of its hull.
//! Then one pass over all rows ([`price`]) finds the points with z·p < p·p. Those with the smallest scores join the
//! pool, and so on. At the end of each round
//!
//!   min z·p/‖p‖ ≤ γ ≤ ‖p‖,
//!
//! and p itself, used as weights, separates once the left side is positive. ‖p‖ decreases from round to round, so the
//! search ends: with equal sides, or with p = 0. Until a separator is known, epochs of the perceptron get a
//! share of the work ([`Epochs`]).

use std::collections::HashSet;

use rosenblatt_core::space::Hyperplane;
use rosenblatt_exact as exact;

use super::{
    budget::Budget,
    corral::Corral,
    double_double::{Double, Number},
    epochs::Epochs,
    pricing::{Priced, PricedRows, price},
    vectors::{Point, Points},
};

/// The way in which a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The two bounds on the margin meet.
    Closed,
    /// The shortest vector is 0 up to the precision of the arithmetic.
    Zero,
    /// No step makes progress in this precision.
    Stalled,
    /// The budget ended.
    Stopped,
}

/// The goal of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    /// A separator or p = 0, whichever comes first.
    Decision,
    /// Bounds on the margin with this relative distance.
    Gap(f64),
}

impl Target {
    /// The relative distance of the two bounds at which a search ends. If the lower bound is above 0, p separates.
    fn gap(self) -> f64 {
        match self {
            Target::Decision => 0.5,
            Target::Gap(gap) => gap,
        }
    }
}

/// A search in one space, whose corral computes in one of the two precisions.
pub(super) struct Search<'a, N> {
    points: Points<'a>,
    pool: Vec<Point>,
    rows: HashSet<usize>,
    pub(super) corral: Corral<N>,
    /// The separator with the largest margin so far, with the computed margin.
    pub(super) best: Option<(Hyperplane, f64)>,
    /// ‖p‖² at or below which p counts as 0.
    pub(super) zero: f64,
    /// The cost of the search so far, without the epochs.
    spent: u64,
    epochs: Option<Epochs>,
}

/// Below this ‖p‖², plain scores are too coarse to choose a point by.
const FINE: f64 = 1e-12;
/// The number of major steps in a row without a shorter p that count as a stall.
const IDLE_STEPS: usize = 30;
/// The number of points that a look at the pool lists for the next steps.
const LISTED: usize = 32;
/// The part of the change promised by the first listed point that the others must still promise.
const LISTED_PART: f64 = 0.5;

impl<'a> Search<'a, Double> {
    /// Begins where a search in floats ended. If the budget ends, its numbers become no more precise.
    pub(super) fn refine(quick: Search<'a, f64>, budget: &mut Budget<'_>) -> Self {
        let resumed = Search::resume(quick.points.clone(), &quick, budget);
        let Search { points, corral, best, spent, epochs, .. } = quick;
        let search = resumed.unwrap_or_else(|| Search::of(corral.widened(), points));
        Search { best, spent, epochs, ..search }
    }

    /// Begins with the pool and the corral of a search of the same examples in another space or precision; `None` if the budget
    /// ends.
    pub(super) fn resume<N: Number>(
        points: Points<'a>,
        other: &Search<'_, N>,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let support = other.corral.support().into_iter();
        let start = support.map(|(row, multiplier)| (points.load(row), multiplier));
        let corral = Corral::of_points(start, points.dimension(), budget)?;
        let mut search = Search::of(corral, points);
        let rows: Vec<usize> = other.pool.iter().map(|point| point.row).collect();
        search.admit(&rows);
        Some(search)
    }
}

impl<'a, N: Number> Search<'a, N> {
    /// Begins with epochs of the perceptron and the points with the smallest scores under their weights. There must be
    /// at least one example.
    pub(super) fn new(points: Points<'a>, budget: &mut Budget<'_>) -> Self {
        let epochs = Epochs::begin(&points, budget);
        let length = exact::norm(epochs.weights.iter().copied());
        let first = points.hyperplane(&epochs.weights);
        let most = most_points(&points);
        let pass = price(&points, &first, f64::INFINITY, f64::INFINITY, most);
        let corral = Corral::new(points.load(pass.rows[0]), points.dimension());
        let mut search = Search { epochs: Some(epochs), ..Search::of(corral, points) };
        search.admit(&pass.rows);
        search.remember(first, &pass, length);
        search
    }

    /// Begins with the first example, and makes no epochs. There must be at least one example.
    pub(super) fn from_first(points: Points<'a>) -> Self {
        let corral = Corral::new(points.load(0), points.dimension());
        Search::of(corral, points)
    }

    /// Begins with a corral, an empty pool and no epochs.
    fn of(corral: Corral<N>, points: Points<'a>) -> Self {
        let (pool, rows) = (Vec::new(), HashSet::new());
        Search { points, pool, rows, corral, best: None, zero: N::SHORTEST, spent: 0, epochs: None }
    }

    /// Searches until the target is met.
    pub(super) fn run(&mut self, target: Target, budget: &mut Budget<'_>) -> Outcome {
        loop {
            if target == Target::Decision && self.best.is_some() {
                return Outcome::Closed;
            }
            let inner = self.shorten(target, budget);
            if matches!(inner, Outcome::Zero | Outcome::Stopped) {
                return inner;
            }
            if self.pay(self.pass_cost(), budget) {
                return Outcome::Stopped;
            }
            let square = self.corral.squared_length();
            let hyperplane = self.points.hyperplane(&self.corral.rounded);
            let (cut, most) = (square * (1.0 - target.gap()), most_points(&self.points));
            let tolerance = square * target.gap() / 100.0;
            let pass = price(&self.points, &hyperplane, cut, tolerance, most);
            self.remember(hyperplane, &pass, square.sqrt());
            if pass.smallest >= cut {
                return Outcome::Closed;
            }
            self.prune(8 * most);
            if self.admit(&pass.rows) == 0 {
                return Outcome::Stalled;
            }
        }
    }

    /// Wolfe's algorithm on the pool. Each look at the pool lists the most promising points; they join as long as they stay
    /// promising, since looking costs as much as several steps.
    fn shorten(&mut self, target: Target, budget: &mut Budget<'_>) -> Outcome {
        let gap = target.gap() / 4.0;
        let mut passed_over = HashSet::new();
        let mut list = Shortlist::default();
        loop {
            let square = self.corral.squared_length();
            if square <= self.zero {
                return Outcome::Zero;
            }
            let cost = self.step_cost() + self.look_cost(list.places.iter().copied(), square);
            if self.pay(cost, budget) || self.catch_up(budget) {
                return Outcome::Stopped;
            }
            if target == Target::Decision && self.best.is_some() {
                return Outcome::Closed;
            }
            let is_below = |i: &usize| self.corral.score(&self.pool[*i]) < square * (1.0 - gap);
            let mut chosen = self.take(&mut list, square).filter(is_below);
            if chosen.is_none() {
                list = self.shortlist(square, &passed_over);
                let first = self.take(&mut list, square);
                if first.is_some_and(|first| !is_below(&first)) {
                    return Outcome::Closed;
                }
                if self.pay(self.look_cost(0..self.pool.len(), square), budget) {
                    return Outcome::Stopped;
                }
                chosen = first;
            }
            let Some(candidate) = chosen else { return Outcome::Stalled };
            let point = self.pool[candidate].clone();
            let shorter = self.corral.join(point) && self.corral.squared_length() < square;
            if shorter {
                passed_over.clear();
            } else {
                passed_over.insert(candidate);
            }
            if passed_over.len() > IDLE_STEPS {
                return Outcome::Stalled;
            }
        }
    }

    /// The usual cost of adding a point to the corral: inner products, two minor steps, and p.
    fn step_cost(&self) -> u64 {
        let corral = &self.corral.points;
        let stored: usize = corral.iter().map(|point| point.entries.len()).sum();
        N::COST * 2 * ((corral.len() as u64).pow(2) + stored as u64)
    }

    /// The cost of a look at points of the pool.
    fn look_cost(&self, places: impl Iterator<Item = usize>, square: f64) -> u64 {
        let cost = if square > FINE { 1 } else { N::COST };
        let stored: usize = places.map(|i| self.pool[i].entries.len()).sum();
        cost * stored as u64
    }

    fn pass_cost(&self) -> u64 {
        2 * (self.points.examples.rows().stored() + self.points.examples.len()) as u64
    }

    fn pay(&mut self, cost: u64, budget: &mut Budget<'_>) -> bool {
        self.spent += cost;
        budget.spend(cost)
    }

    /// Runs epochs if no separator is known and they have cost less than their share of the search. Returns whether the search
    /// must end.
    fn catch_up(&mut self, budget: &mut Budget<'_>) -> bool {
        if self.best.is_some() {
            return false;
        }
        let Some(mut epochs) = self.epochs.take() else { return false };
        let mut over = false;
        while !over && !epochs.is_clean && epochs.may_go_on(self.spent) {
            over = budget.spend(epochs.cost);
            epochs.next(&self.points);
        }
        if epochs.is_clean {
            let length = exact::norm(epochs.weights.iter().copied());
            let found = self.points.hyperplane(&epochs.weights);
            let pass = price(&self.points, &found, f64::NEG_INFINITY, f64::INFINITY, 0);
            self.remember(found, &pass, length);
        } else {
            self.epochs = Some(epochs);
        }
        over
    }

    /// The change of ‖p‖² towards a point: −(p·p − p·z)²/‖z − p‖² if p·z < p·p, otherwise p·z − p·p, which is not negative.
    fn change(&self, point: &Point, square: f64) -> f64 {
        let p = &self.corral;
        let score = if square > FINE { point.score(&p.rounded) } else { p.score(point) };
        let gain = square - score;
        let distance = point.square - 2.0 * score + square;
        if gain > 0.0 { -gain * gain / distance } else { -gain }
    }

    /// Takes a listed point of the pool.
    fn take(&self, list: &mut Shortlist, square: f64) -> Option<usize> {
        list.take(|i| self.change(&self.pool[i], square))
    }

    /// The points of the pool towards which p becomes shortest.
    fn shortlist(&self, square: f64, passed_over: &HashSet<usize>) -> Shortlist {
        let open = self.pool.iter().enumerate().filter(|(i, _)| !passed_over.contains(i));
        let mut priced: Vec<Priced> =
            open.map(|(i, point)| Priced(self.change(point, square), i)).collect();
        if priced.len() > LISTED {
            priced.select_nth_unstable(LISTED);
            priced.truncate(LISTED);
        }
        let least = priced.iter().min().map_or(0.0, |first| first.0);
        let places = priced.into_iter().map(|Priced(_, i)| i).collect();
        Shortlist { places, most: least.max(least * LISTED_PART) }
    }

    /// Adds rows to the pool; returns how many were new.
    fn admit(&mut self, rows: &[usize]) -> usize {
        let before = self.pool.len();
        for &row in rows {
            if self.rows.insert(row) {
                self.pool.push(self.points.load(row));
            }
        }
        self.pool.len() - before
    }

    /// Halves a pool of more than `most` points by removing those with the largest scores. The corral has its own
    /// copies. ‖p‖ has decreased since the last time, so this cannot repeat indefinitely.
    fn prune(&mut self, most: usize) {
        if self.pool.len() <= most {
            return;
        }
        let p = &self.corral.rounded;
        self.pool.sort_by_cached_key(|point| Priced(point.score(p), point.row));
        for point in self.pool.drain(most / 2..) {
            self.rows.remove(&point.row);
        }
    }

    fn remember(&mut self, hyperplane: Hyperplane, pass: &PricedRows, length: f64) {
        let margin = pass.smallest / length;
        if margin > 0.0 && self.best.as_ref().is_none_or(|&(_, best)| margin > best) {
            self.best = Some((hyperplane, margin));
        }
    }
}

/// Places in the pool whose points may join next.
#[derive(Default)]
struct Shortlist {
    places: Vec<usize>,
    /// The largest change of ‖p‖² with which a point is taken.
    most: f64,
}

impl Shortlist {
    /// Removes and returns the place with the least change, if that is still worth a step.
    fn take(&mut self, change: impl Fn(usize) -> f64) -> Option<usize> {
        let priced = self.places.iter().map(|&i| Priced(change(i), i));
        let Priced(least, place) = priced.min()?;
        self.places.retain(|&i| i != place);
        (least <= self.most).then_some(place)
    }
}

/// The maximum number of points that a pass adds: enough that few passes are needed, few enough that the pool stays
/// small compared with the data.
fn most_points(points: &Points<'_>) -> usize {
    (2 * points.dimension()).clamp(64, 256)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rosenblatt_core::data::{Examples, Rows, Sign};

    /// A search whose epochs have cost nothing yet and found no separator.
    fn search<'a>(
        rows: &'a Rows<'_>,
        signs: &'a [Sign],
        budget: &mut Budget<'_>,
    ) -> Search<'a, f64> {
        let examples = Examples::new(rows, signs).unwrap();
        let mut search = Search::new(Points::in_proportion(examples, 1.0, 1.0), budget);
        search.epochs = Some(Epochs::new(&search.points));
        search.best = None;
        search
    }

    #[test]
    fn epochs_get_a_share_of_the_work() {
        use Sign::{Minus, Plus};
        let mut never = || false;
        let mut budget = Budget::new(1 << 30, &mut never);
        let rows = Rows::dense(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2).unwrap();
        let mut xor = search(&rows, &[Minus, Plus, Plus, Minus], &mut budget);
        // An epoch costs 24. Its mistakes are soon as few as they get, so the share falls from 1/2 to 1/8.
        xor.spent = 2 * 24 * 3;
        assert!(!xor.catch_up(&mut budget) && xor.best.is_none());
        assert_eq!(xor.epochs.as_ref().map(|epochs| epochs.spent), Some(24 * 3));
        xor.spent = 8 * (24 * 100 + 23);
        assert!(!xor.catch_up(&mut budget) && xor.best.is_none());
        assert_eq!(xor.epochs.as_ref().map(|epochs| epochs.spent), Some(24 * 100));
        let mut and = search(&rows, &[Minus, Minus, Minus, Plus], &mut budget);
        assert!(!and.catch_up(&mut budget) && and.best.is_none());
        and.spent = 2 * 24 * 100;
        assert!(!and.catch_up(&mut budget) && and.best.is_some() && and.epochs.is_none());
        let mut over = Budget::new(10, &mut never);
        xor.spent = 24 * 1000;
        assert!(xor.catch_up(&mut over));
    }
}

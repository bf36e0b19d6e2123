//! Weights with few errors: a local search on the number of errors itself.
//!
//! It starts from the perceptron's last and averaged weights and from constant predictions, and goes to the best point
//! of one line after another ([`super::line`]): of each coordinate, and of the vectors of some errors (compare Nguyen &
//! Sanner, "Algorithms for direct 0–1 loss optimization in binary classification", *ICML* 2013). Where no line has
//! fewer errors, the weights are disturbed and the search begins again.
//!
//! Everything here is in plain precision and only proposes weights; their errors are counted exactly afterwards.

use super::{
    super::{budget::Budget, mod_p::mix, vectors::Points},
    line::best_step,
};
use crate::check::least_errors::strict_errors;
use rosenblatt_core::{data::Examples, hyperplane::Hyperplane};

/// The stored values up to which the search by coordinates is worth a copy of the data: 256 MiB.
const MOST_STORED: usize = 1 << 24;
/// The number of disturbances in a row without fewer errors at which the search ends.
const IDLE: u64 = 40;
/// The epochs of the perceptron.
const EPOCHS: usize = 30;
/// The cost of a step of a sort, in products.
const SORT: u64 = 16;
/// The number of errors per round along whose vectors the search goes.
const ALONG_ERRORS: usize = 16;

/// Finds weights with few errors, at a cost of `work` or a little more.
pub(super) fn few_errors(
    examples: Examples<'_>,
    with_bias: bool,
    work: u64,
    budget: &mut Budget<'_>,
) -> Hyperplane {
    let mut part = budget.part(work);
    let points = Points::by_feature(examples, if with_bias { 1.0 } else { 0.0 });
    let mut best = fewest(&points, proposals(&points, &mut part));
    if examples.rows().stored() <= MOST_STORED {
        let found = Descent::new(&points, best.clone()).run(&mut part);
        best = fewest(&points, vec![best, found]);
    }
    points.hyperplane(&best)
}

/// The first finite proposal with the fewest errors, counted exactly. Constant predictions are finite.
fn fewest(points: &Points<'_>, mut proposals: Vec<Vec<f64>>) -> Vec<f64> {
    proposals.sort_by_cached_key(|p| {
        let plane = points.hyperplane(p);
        // Weights of examples whose numbers differ by hundreds of powers of ten can overflow.
        let is_finite = plane.weights.iter().chain([&plane.bias]).all(|a| a.is_finite());
        if !is_finite {
            return usize::MAX;
        }
        strict_errors(&plane.weights, plane.bias, &points.examples)
    });
    proposals.swap_remove(0)
}

/// The constant predictions, and the last and averaged weights of a perceptron.
fn proposals(points: &Points<'_>, budget: &mut Budget<'_>) -> Vec<Vec<f64>> {
    let (last, average) = perceptron(points, budget);
    let constant = |bias: f64| {
        let mut p = vec![0.0; points.dimension()];
        p[points.dimension() - 1] = bias;
        p
    };
    vec![constant(1.0), constant(-1.0), last, average]
}

/// The last weights of a few epochs of the perceptron, and the sum of the weights over all visits.
fn perceptron(points: &Points<'_>, budget: &mut Budget<'_>) -> (Vec<f64>, Vec<f64>) {
    let cost = 2 * (points.examples.rows().stored() + points.examples.len()) as u64;
    let (mut last, mut sum) = (points.mean(), vec![0.0; points.dimension()]);
    let mut plane = points.hyperplane(&last);
    let order = random_order(points.examples.len());
    for _ in 0..EPOCHS {
        if budget.spend(cost) {
            break;
        }
        // An update at visit t counts for the visits after it.
        for (visit, &row) in order.iter().enumerate() {
            if points.score(row, &plane) <= 0.0 {
                points.add(row, 1.0, &mut last);
                points.update_hyperplane(row, &last, &mut plane);
                points.add(row, -(visit as f64) / order.len() as f64, &mut sum);
            }
        }
        sum.iter_mut().zip(&last).for_each(|(sum, last)| *sum += last);
    }
    (last, sum)
}

fn random_order(rows: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    order.sort_by_cached_key(|&row| mix(row as u64));
    order
}

/// The state of the local search.
struct Descent<'p, 'a> {
    points: &'p Points<'a>,
    /// For each coordinate the examples in which it is not 0, with its value times the sign.
    columns: Vec<Vec<(u32, f64)>>,
    weights: Vec<f64>,
    /// The margin y·s of each example.
    margins: Vec<f64>,
    errors: i64,
    ends: Vec<(f64, i64)>,
    random: u64,
}

impl<'p, 'a> Descent<'p, 'a> {
    fn new(points: &'p Points<'a>, weights: Vec<f64>) -> Self {
        let mut columns = vec![Vec::new(); points.dimension()];
        for row in 0..points.examples.len() {
            for (j, z) in points.load(row).entries {
                columns[j].push((row as u32, z));
            }
        }
        let margins = vec![0.0; points.examples.len()];
        let mut descent =
            Descent { points, columns, weights, margins, errors: 0, ends: Vec::new(), random: 0 };
        descent.score();
        descent
    }

    /// Searches until the budget ends or disturbances no longer help; returns the best weights.
    fn run(mut self, budget: &mut Budget<'_>) -> Vec<f64> {
        let (mut best, mut least) = (self.weights.clone(), i64::MAX);
        let mut idle = 0;
        while idle < IDLE {
            let is_over = self.find_minimum(budget);
            if self.errors < least {
                (best, least, idle) = (self.weights.clone(), self.errors, 0);
            } else {
                idle += 1;
            }
            if is_over || least == 0 {
                break;
            }
            if self.errors > least + 2 {
                self.weights.clone_from(&best);
            }
            self.disturb();
        }
        best
    }

    /// Goes along all lines until none has fewer errors; returns whether the budget ended.
    fn find_minimum(&mut self, budget: &mut Budget<'_>) -> bool {
        let stored: usize = self.columns.iter().map(Vec::len).sum();
        let along = 2 * stored as u64 + SORT * self.margins.len() as u64;
        loop {
            let before = self.errors;
            if budget.spend(SORT * stored as u64) {
                return true;
            }
            let columns = self.columns.len();
            let first = self.random_below(columns.max(1));
            for place in 0..columns {
                self.along_coordinate((first + place) % columns);
            }
            for _ in 0..ALONG_ERRORS {
                if budget.spend(along) {
                    return true;
                }
                self.along_error();
            }
            self.score();
            if self.errors >= before {
                return false;
            }
        }
    }

    fn along_coordinate(&mut self, j: usize) {
        let column = &self.columns[j];
        let lines = column.iter().map(|&(row, z)| (self.margins[row as usize], z));
        let Some(step) = best_step(lines, &mut self.ends) else { return };
        let to = self.weights[j] + step.length;
        if step.change > 0 || !to.is_finite() {
            return;
        }
        self.weights[j] = to;
        self.errors += step.change;
        column.iter().for_each(|&(row, z)| self.margins[row as usize] += step.length * z);
    }

    /// Goes along the vector of an error chosen at random.
    fn along_error(&mut self) {
        let n = self.margins.len();
        let from = self.random_below(n);
        let Some(row) = (0..n).map(|k| (from + k) % n).find(|&row| self.margins[row] <= 0.0) else {
            return;
        };
        let mut direction = vec![0.0; self.weights.len()];
        self.points.add(row, 1.0, &mut direction);
        let plane = self.points.hyperplane(&direction);
        let slopes: Vec<f64> = (0..n).map(|row| self.points.score(row, &plane)).collect();
        let lines = self.margins.iter().copied().zip(slopes.iter().copied());
        let Some(step) = best_step(lines, &mut self.ends) else { return };
        if step.change > 0 {
            return;
        }
        self.errors += step.change;
        self.weights.iter_mut().zip(&direction).for_each(|(w, v)| *w += step.length * v);
        self.margins.iter_mut().zip(&slopes).for_each(|(m, t)| *m += step.length * t);
    }

    /// Changes some weights at random, by up to their largest.
    fn disturb(&mut self) {
        let largest = self.weights.iter().fold(0.0f64, |largest, w| largest.max(w.abs()));
        let size = if largest > 0.0 { largest } else { 1.0 };
        for j in 0..self.weights.len() {
            let random = self.next_random();
            if random & 3 == 0 {
                let unit = (random >> 8) as f64 / (1u64 << 51) as f64 - 1.0;
                self.weights[j] += size * unit * 0.3;
            }
        }
        self.score();
    }

    /// Computes margins and errors again, which removes the rounding of the steps. The largest weight is brought to 1.
    fn score(&mut self) {
        let largest = self.weights.iter().fold(0.0f64, |largest, w| largest.max(w.abs()));
        if largest > 0.0 {
            self.weights.iter_mut().for_each(|w| *w /= largest);
        }
        let plane = self.points.hyperplane(&self.weights);
        for (row, margin) in self.margins.iter_mut().enumerate() {
            *margin = self.points.score(row, &plane);
        }
        self.errors = self.margins.iter().filter(|&&margin| margin <= 0.0).count() as i64;
    }

    /// A number below `n` > 0, which is the same for every width of `usize`.
    fn random_below(&mut self, n: usize) -> usize {
        (self.next_random() % n as u64) as usize
    }

    fn next_random(&mut self) -> u64 {
        self.random += 1;
        mix(self.random)
    }
}

//! Sets of examples that no hyperplane separates, none of which share an example.

use num_bigint::BigUint;
use num_traits::One;

use super::super::{
    budget::Budget,
    contradiction::contradictions,
    gordan::{Precision, exact_multipliers},
    integers::Combination,
    mod_p::mix,
    search::{Outcome, Search, Target},
    vectors::Points,
};
use rosenblatt_core::data::{Examples, Rows, Sign};

/// The number of orders in which the examples are tried. The first one found is kept of those with the most sets.
const ORDERS: u64 = 10;

/// The sets found so far.
#[derive(Clone)]
pub(super) struct Packing<'a> {
    examples: Examples<'a>,
    with_bias: bool,
    /// Whether an example is an error of the best weights.
    is_error: Vec<bool>,
    /// Whether an example belongs to a set.
    is_used: Vec<bool>,
    conflicts: Vec<Combination>,
}

impl<'a> Packing<'a> {
    /// Begins with rows of zeros, each of which is an error of all weights without a bias, and with equal rows of opposite
    /// signs.
    pub(super) fn new(examples: Examples<'a>, with_bias: bool, is_error: Vec<bool>) -> Self {
        let (is_used, conflicts) = (vec![false; examples.len()], Vec::new());
        let mut packing = Packing { examples, with_bias, is_error, is_used, conflicts };
        for (place, row) in examples.rows().iter().enumerate().filter(|_| !with_bias) {
            let mut is_zero = true;
            row.for_each(|_, x| is_zero &= x == 0.0);
            if is_zero {
                packing.add(vec![(place, BigUint::one())]);
            }
        }
        for (plus, minus) in contradictions(&examples) {
            if !packing.is_used[plus] {
                packing.add(vec![(plus, BigUint::one()), (minus, BigUint::one())]);
            }
        }
        packing
    }

    /// The most sets that were found in any of several orders, before the budget ended.
    pub(super) fn most(self, budget: &mut Budget<'_>) -> Vec<Combination> {
        let errors = self.is_error.iter().filter(|&&error| error).count();
        let mut best = self.conflicts.clone();
        for seed in 0..ORDERS {
            if best.len() >= errors || budget.spend(0) {
                break;
            }
            let mut attempt = self.clone();
            attempt.fill(seed, errors, budget);
            if attempt.conflicts.len() > best.len() {
                best = attempt.conflicts;
            }
        }
        best
    }

    /// Adds sets until none is found, there are `most`, or the budget ends. Parts of the examples grow by a factor of
    /// four.
    fn fill(&mut self, seed: u64, most: usize, budget: &mut Budget<'_>) {
        let mut open: Vec<usize> = (0..self.examples.len()).collect();
        open.sort_by_cached_key(|&row| mix(row as u64 + (seed << 40)));
        let mut size = 8 * (self.examples.features() + 2);
        loop {
            open.retain(|&row| !self.is_used[row]);
            let is_whole = size >= open.len();
            for part in open.chunks(size) {
                self.one_for_each_error(part, most, budget);
                if budget.spend(0) || self.conflicts.len() >= most {
                    return;
                }
            }
            if is_whole {
                return self.any(&open, most, budget);
            }
            size = size.saturating_mul(4);
        }
    }

    fn add(&mut self, combination: Combination) {
        combination.iter().for_each(|&(row, _)| self.is_used[row] = true);
        self.conflicts.push(combination);
    }

    /// Seeks a set for each error of a part, among the examples of the part without an error.
    fn one_for_each_error(&mut self, part: &[usize], most: usize, budget: &mut Budget<'_>) {
        let errors: Vec<usize> = part.iter().copied().filter(|&row| self.is_error[row]).collect();
        for error in errors {
            if self.is_used[error] || self.conflicts.len() >= most {
                continue;
            }
            let is_open = |row: &usize| !self.is_used[*row] && !self.is_error[*row];
            let rows = [error].into_iter().chain(part.iter().copied().filter(is_open)).collect();
            match self.conflict(rows, budget) {
                Some(found) => self.add(found),
                None if budget.spend(0) => return,
                None => {}
            }
        }
    }

    /// Seeks sets among all these examples, while there are any.
    fn any(&mut self, rows: &[usize], most: usize, budget: &mut Budget<'_>) {
        while self.conflicts.len() < most {
            let is_open = |row: &usize| !self.is_used[*row];
            let rows: Vec<usize> = rows.iter().copied().filter(is_open).collect();
            match self.conflict(rows, budget) {
                Some(found) => self.add(found),
                None => return,
            }
        }
    }

    /// Positive multipliers of some of these examples, the sum of whose vectors is 0. `None` if a hyperplane separates
    /// them, or no multipliers are found.
    fn conflict(&self, rows: Vec<usize>, budget: &mut Budget<'_>) -> Option<Combination> {
        let signs: Vec<Sign> = rows.iter().map(|&row| self.examples.sign(row)).collect();
        let selected: Rows<'static> = self.examples.rows().select(&rows);
        let examples = Examples::new(&selected, &signs).ok()?;
        if rows.is_empty() || budget.spend(2 * (selected.stored() + rows.len()) as u64) {
            return None;
        }
        let constant = f64::from(u8::from(self.with_bias));
        let mut quick = Search::from_first(Points::by_feature(examples, constant));
        quick.run(Target::Decision, budget);
        let mut search = Search::refine(quick, budget);
        loop {
            let outcome = search.run(Target::Decision, budget);
            if search.best.is_some() || outcome != Outcome::Zero {
                return None;
            }
            let support = search.corral.support();
            if let Some(mut found) =
                exact_multipliers(&examples, self.with_bias, &support, Precision::OfLargest, budget)
            {
                found.iter_mut().for_each(|(row, _)| *row = rows[*row]);
                found.sort_unstable_by_key(|&(row, _)| row);
                return Some(found);
            }
            search.zero = search.corral.squared_length() * 1e-6;
            if search.zero < f64::MIN_POSITIVE {
                return None;
            }
        }
    }
}

//! The voted perceptron (Y. Freund & R. E. Schapire, *Machine Learning* 37, 1999, Figure 1), and all predictions from
//! the same run.
//!
//! A run visits weights v₁, v₂, …; weights vₖ survive cₖ visits, including that of their own update. With xₖ the row of
//! update k and τₖ its signed step, vₖ·x = Σ_{j≤k} τⱼ K(xⱼ, x). All scores below come from the sums of one list of
//! kernel values. A bias is √B times the weight of an extra feature with the constant value √B.
//!
//! | tally | score of a row |
//! |---|---|
//! | `vote` | Σ cₖ sign(vₖ·x + bₖ), where [`ZeroScore`] gives sign(0) |
//! | `average` | Σ cₖ (vₖ·x + bₖ) |
//! | `average-normalised` | Σ cₖ (vₖ·x + bₖ)/‖vₖ‖ |
//! | `last`, `last-normalised` | v·x + b of the last weights, and that divided by ‖v‖ |
//! | `random`, `random-normalised` | as `last`, for the weights at a random time drawn for each row from the seed and the row's values |
//!
//! The signs of a vote and their sum are exact. The other scores are sums of floats in the order of the run. A norm ‖v‖
//! includes the weight of the bias feature. In feature space it is rounded once. With another kernel the run
//! accumulates ‖vₖ₊₁‖² = ‖vₖ‖² + 2τ(vₖ·x + bₖ) + τ²(K(x, x) + B), which loses digits when weights nearly cancel.
//!
//! The weights before the first update are 0. If they survived a visit, which only the mistake rule `label` allows,
//! they vote as a score of 0.

mod tally;
mod vote_counter;
mod weight_sequence;

pub use tally::{Tally, UnknownTally};
pub use weight_sequence::{UpdateRecord, WeightSequence};

use std::{collections::HashMap, ops::Range, sync::OnceLock};

use super::{Keep, Keeper, Kept, Storage};
use vote_counter::VoteCounter;

use crate::{
    data::{Rows, ZeroScore},
    exact::Accumulator,
    hyperplane::Hyperplane,
    kernel::{CanonicalRows, GROUP, Kernel, KernelCache, Support, for_each_group},
    parallel::in_shares,
    schedule,
};

pub(super) static KEEPER: Keeper = Keeper {
    keep: Keep::Vote,
    kept: Kept::Vote,
    name: "vote",
    words: "the voted weights",
    title: "vote of all weights",
    storage: Storage::Sequence,
    is_compared: false,
};

/// A vote whose parts do not fit together, or do not fit the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VoteError {
    /// Rows with another number of features.
    #[error("the rows have {found} features, the vote has {expected}")]
    Features {
        /// The features of the rows.
        found: usize,
        /// The features of the supporting rows.
        expected: usize,
    },
    /// Weight sequences, rows and numbers that do not fit together.
    #[error("the vote does not fit together: {problem}")]
    Unsound {
        /// The part that does not fit.
        problem: &'static str,
    },
}

/// Hyperplanes that vote: the weight sequences of one run, over its misclassified rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Voted {
    /// The kernel.
    pub kernel: Kernel,
    /// The rows of the updates.
    pub support: Support,
    /// The change of the bias per unit step: B above.
    pub bias_unit: f64,
    /// The prediction of a score of 0, for each of the visited hyperplanes.
    pub zero: ZeroScore,
    /// One weight sequence per hyperplane; the rows of its updates are places in `support`.
    pub paths: Vec<WeightSequence>,
    /// The seed of the random times.
    pub seed: u64,
}

/// The part of a [`Voted`] that is known before the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoteTerms {
    /// The kernel.
    pub kernel: Kernel,
    /// The change of the bias per unit step.
    pub bias_unit: f64,
    /// The prediction of a score of 0, for each of the visited hyperplanes.
    pub zero: ZeroScore,
    /// The seed of the random times.
    pub seed: u64,
}

impl Voted {
    /// Builds a vote from weight sequences over `rows`. It keeps only the misclassified rows, in the order of their
    /// first mistakes.
    ///
    /// # Errors
    /// [`VoteError::Unsound`] for sequences over other rows, and for invalid numbers.
    pub fn new(
        terms: VoteTerms,
        rows: &Rows<'_>,
        paths: &[&WeightSequence],
    ) -> Result<Self, VoteError> {
        let VoteTerms { kernel, bias_unit, zero, seed } = terms;
        paths.iter().try_for_each(|path| path.check(rows.len(), bias_unit)).map_err(unsound)?;
        let mut moves = Vec::new();
        for (plane, path) in paths.iter().enumerate() {
            let mut time = path.start;
            for one in &path.moves {
                moves.push((time, plane, one.row));
                time += one.survived;
            }
        }
        moves.sort_unstable();
        let (mut examples, mut places) = (Vec::new(), HashMap::new());
        for (_, _, row) in moves {
            places.entry(row).or_insert_with(|| {
                examples.push(row as usize);
                examples.len() as u32 - 1
            });
        }
        let mut counts = vec![vec![0; examples.len()]; paths.len()];
        let renumbered = paths.iter().zip(&mut counts).map(|(path, counts)| {
            let place = |one: &UpdateRecord| {
                let row = places.get(&one.row).copied().unwrap_or_default();
                counts[row as usize] += 1;
                UpdateRecord { row, ..*one }
            };
            WeightSequence { start: path.start, moves: path.moves.iter().map(place).collect() }
        });
        let paths = renumbered.collect();
        let rows = CanonicalRows::new(&rows.select(&examples));
        let support = Support { rows, examples, counts };
        Ok(Voted { kernel, support, bias_unit, zero, paths, seed })
    }

    /// Checks that weight sequences and rows fit together.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        let rows = self.support.rows.len();
        if self.support.examples.len() != rows {
            return Err("its supporting rows do not all have a place");
        }
        if !self.kernel.is_sound() {
            return Err("a parameter of its kernel is out of range");
        }
        self.paths.iter().try_for_each(|path| path.check(rows, self.bias_unit))
    }

    /// Checks that the vote can score these rows.
    fn check_rows(&self, rows: &CanonicalRows) -> Result<(), VoteError> {
        let (found, expected) = (rows.features(), self.support.rows.features());
        if found != expected {
            return Err(VoteError::Features { found, expected });
        }
        self.check().map_err(unsound)
    }

    /// Returns the voted model of the same run after `visits` visits.
    ///
    /// # Errors
    /// [`VoteError::Unsound`].
    pub fn until(&self, visits: u64) -> Result<Voted, VoteError> {
        self.check().map_err(unsound)?;
        let mut paths: Vec<WeightSequence> =
            self.paths.iter().map(|path| path.until(visits)).collect();
        let mut is_used = vec![false; self.support.examples.len()];
        let moves = paths.iter().flat_map(|path| &path.moves);
        moves.for_each(|one| is_used[one.row as usize] = true);
        let used: Vec<usize> = (0..is_used.len()).filter(|&row| is_used[row]).collect();
        let mut counts = vec![vec![0; used.len()]; paths.len()];
        for (path, counts) in paths.iter_mut().zip(&mut counts) {
            for one in &mut path.moves {
                one.row = used.partition_point(|&row| row < one.row as usize) as u32;
                counts[one.row as usize] += 1;
            }
        }
        let examples = used.iter().map(|&row| self.support.examples[row]).collect();
        let support = Support { rows: self.support.rows.select(&used), examples, counts };
        Ok(Voted { support, paths, ..*self })
    }

    /// Returns the scores by one tally: one per row and hyperplane, row by row.
    ///
    /// Cost: for each row a kernel value with every supporting row and a few operations per update. The normalised
    /// tallies first need the norms; see [`Self::tallies`].
    ///
    /// # Errors
    /// [`VoteError`].
    pub fn scores(
        &self,
        rows: &CanonicalRows,
        tally: Tally,
        threads: usize,
    ) -> Result<Vec<f64>, VoteError> {
        self.check_rows(rows)?;
        Ok(self.scores_with(rows, tally, threads, &OnceLock::new()))
    }

    /// Returns the scores as [`Self::scores`] does, with a cache for the norms of the weights.
    pub(crate) fn scores_with(
        &self,
        rows: &CanonicalRows,
        tally: Tally,
        threads: usize,
        norms: &OnceLock<Vec<Vec<f64>>>,
    ) -> Vec<f64> {
        let norms = tally.is_normalised().then(|| norms.get_or_init(|| self.norms(threads)));
        let norms = norms.map(Vec::as_slice);
        let place = Tally::ALL.iter().position(|&other| other == tally).unwrap_or(0);
        let pick = |tallies: [f64; 7]| tallies[place];
        let all = self.all((rows, &[], 0..rows.len()), norms, tally.is_random(), threads);
        all.into_iter().map(pick).collect()
    }

    /// The scores of some of the rows by [`Tally::Vote`], with a cache of kernel values.
    pub(crate) fn votes(
        &self,
        (rows, cache): (&CanonicalRows, &KernelCache),
        range: Range<usize>,
        threads: usize,
    ) -> Vec<f64> {
        let all = self.all((rows, cache, range), None, false, threads);
        all.into_iter().map(|[vote, ..]| vote).collect()
    }

    /// Returns the scores by every tally, in the order of [`Tally::ALL`].
    ///
    /// Cost: that of [`Self::scores`] and of the norms. In feature space these take a pass over the updates, with
    /// another kernel a value for each pair of supporting rows.
    ///
    /// # Errors
    /// [`VoteError`].
    pub fn tallies(
        &self,
        rows: &CanonicalRows,
        threads: usize,
    ) -> Result<Vec<[f64; 7]>, VoteError> {
        self.check_rows(rows)?;
        let norms = self.norms(threads);
        Ok(self.all((rows, &[], 0..rows.len()), Some(&norms), true, threads))
    }

    fn all(
        &self,
        (rows, cache, range): (&CanonicalRows, &KernelCache, Range<usize>),
        norms: Option<&[Vec<f64>]>,
        with_random: bool,
        threads: usize,
    ) -> Vec<[f64; 7]> {
        let visits = self.paths.first().map_or(0, WeightSequence::visits);
        let time = |row: usize| schedule::random_time(self.seed, rows.hash(row), visits);
        let times: Vec<u64> = (0..rows.len()).filter(|_| with_random).map(time).collect();
        let planes = self.paths.len();
        let mut results = vec![[0.0; 7]; range.len() * planes];
        let norms: Vec<&[f64]> = match norms {
            Some(norms) => norms.iter().map(Vec::as_slice).collect(),
            None => vec![&[]; planes],
        };
        let rows = (rows, cache, range.start);
        self.in_parallel(rows, &mut results, planes, threads, |group, values, results| {
            for (plane, (path, norms)) in self.paths.iter().zip(&norms).enumerate() {
                let random_moves = |lane: usize| {
                    let time = times.get(group.start + lane);
                    time.map_or(0, |&time| path.updates_at(time) as u64)
                };
                let random_moves = std::array::from_fn(random_moves);
                let tallies =
                    VoteCounter { voted: self, path, norms, values, random_moves }.count();
                for (lane, results) in results.chunks_mut(planes).enumerate() {
                    results[plane] = tallies.map(|tally| tally[lane]);
                }
            }
        });
        results
    }

    /// Calls `f` with groups of rows from `first` on, their kernel values with all supporting rows, and their results,
    /// of which each row has `width`.
    fn in_parallel<T: Send>(
        &self,
        (rows, cache, first): (&CanonicalRows, &KernelCache, usize),
        results: &mut [T],
        width: usize,
        threads: usize,
        f: impl Fn(Range<usize>, &[[f64; GROUP]], &mut [T]) + Sync,
    ) {
        in_shares(results, width, threads, |range, own| {
            let range = first + range.start..first + range.end;
            let start = range.start;
            let support = (&self.support.rows, cache);
            for_each_group(self.kernel, support, rows, range, |group, values| {
                let own = &mut own[(group.start - start) * width..(group.end - start) * width];
                f(group, values, own);
            });
        });
    }

    /// ‖vₖ‖ of the weights of each sequence.
    fn norms(&self, threads: usize) -> Vec<Vec<f64>> {
        match self.kernel {
            Kernel::Linear => self.paths.iter().map(|path| self.linear_norms(path)).collect(),
            _ => self.kernel_norms(threads),
        }
    }

    /// In feature space: the norms of the exact weights, rounded once; NaN from the update on at which a weight
    /// overflows.
    fn linear_norms(&self, path: &WeightSequence) -> Vec<f64> {
        let mut plane = Hyperplane::zero(self.support.rows.features());
        let (mut square, mut in_range) = (Accumulator::new(), true);
        let mut norm = |one: &UpdateRecord| {
            let row = self.support.rows.row(one.row as usize);
            if in_range {
                row.for_each(|j, _| square.add_product(-plane.weights[j], plane.weights[j]));
                in_range = plane.move_weights(one.step, row);
            }
            if !in_range {
                return f64::NAN;
            }
            row.for_each(|j, _| square.add_product(plane.weights[j], plane.weights[j]));
            plane.bias += one.step * self.bias_unit;
            // The bias is √B times the weight of its feature.
            let bias = plane.bias / self.bias_unit.sqrt();
            if bias.is_finite() {
                let mut with_bias = square.clone();
                with_bias.add_product(bias, bias);
                with_bias.root()
            } else {
                square.root()
            }
        };
        path.moves.iter().map(&mut norm).collect()
    }

    /// With another kernel: the norms from the growth of the squared norm at each update.
    fn kernel_norms(&self, threads: usize) -> Vec<Vec<f64>> {
        // For each sequence the growth of the squared norm at each update, then their sums.
        let mut growths: Vec<Vec<(Vec<usize>, Vec<f64>)>> = Vec::new();
        let planes = self.paths.len();
        for path in &self.paths {
            let mut at_row = vec![(Vec::new(), Vec::new()); self.support.rows.len()];
            for (k, one) in path.moves.iter().enumerate() {
                at_row[one.row as usize].0.push(k);
            }
            growths.push(at_row);
        }
        // One entry per supporting row and sequence, row by row.
        let mut cells: Vec<(Vec<usize>, Vec<f64>)> = Vec::with_capacity(planes);
        for row in 0..self.support.rows.len() {
            cells.extend(growths.iter_mut().map(|rows| std::mem::take(&mut rows[row])));
        }
        self.in_parallel(
            (&self.support.rows, &[], 0),
            &mut cells,
            planes,
            threads,
            |group, values, cells| {
                let paths = self.paths.iter().cycle();
                for (cell, (path, (updates, growth))) in paths.zip(cells).enumerate() {
                    let lane = cell / planes;
                    let value = |row: usize| values[row][lane];
                    *growth = self.growths(path, updates, value, group.start + lane);
                }
            },
        );
        let norms = |plane: usize| {
            let mut squares = vec![0.0; self.paths[plane].moves.len()];
            for (updates, growth) in cells.iter().skip(plane).step_by(planes) {
                updates.iter().zip(growth).for_each(|(&k, &growth)| squares[k] = growth);
            }
            let mut square = 0.0f64;
            squares.iter_mut().for_each(|growth| {
                square += *growth;
                *growth = square.max(0.0).sqrt();
            });
            squares
        };
        (0..planes).map(norms).collect()
    }

    /// 2τ(v·x + b) + τ²(K(x, x) + B) of the updates on one row, where v and b are those before the
    /// update.
    fn growths(
        &self,
        path: &WeightSequence,
        updates: &[usize],
        value: impl Fn(usize) -> f64,
        row: usize,
    ) -> Vec<f64> {
        let square = self.support.rows.kernel_square(self.kernel, row) + self.bias_unit;
        let (mut sum, mut bias, mut next) = (0.0, 0.0, 0);
        let growth = |&update: &usize| {
            for one in &path.moves[next..update] {
                sum += one.step * value(one.row as usize);
                bias += one.step * self.bias_unit;
            }
            next = update;
            let step = path.moves[update].step;
            2.0 * step * (sum + bias) + step * step * square
        };
        updates.iter().map(growth).collect()
    }
}

fn unsound(problem: &'static str) -> VoteError {
    VoteError::Unsound { problem }
}

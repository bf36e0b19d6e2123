//! Which two columns of a table separate a class best from the others.
//!
//! Each pair of columns has a short run with the pocket, on columns of mean 0 and standard deviation 1. The pairs are
//! ordered by the training errors of that run, and pairs with equal errors by the margin that it reached.
//!
//! The work is bounded by counts. With many columns only those come into question that separate best alone, by a
//! threshold.

use std::cmp::Ordering;

use rosenblatt_core::{
    data::{Labelled, Rows, Scale, Scaling, Scheme},
    keep::Keep,
    report::Report,
    schedule::Order,
    train::{Options, Resources, fit},
};
use serde::Serialize;

/// Two columns, counted from 0, and the training errors of a line between their points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct ColumnPair {
    x: usize,
    y: usize,
    errors: usize,
}

/// The number of pairs that are returned.
const MOST_PAIRS: usize = 10;
/// The number of epochs of each run.
const EPOCHS: u64 = 20;
/// The maximum number of visits of all runs together.
const VISITS: u64 = 1_000_000;

/// Returns the best pairs of columns first. `columns` have the values of the rows, `is_positive` their classes.
///
/// Cost: one sort of each column, and at most [`VISITS`] visits.
pub(crate) fn best_pairs(columns: &[Vec<f64>], is_positive: &[bool]) -> Vec<ColumnPair> {
    let candidates = candidates(columns, is_positive);
    let mut tried = Vec::new();
    for (i, &x) in candidates.iter().enumerate() {
        for &y in &candidates[i + 1..] {
            if let Some(report) = run(&columns[x], &columns[y], is_positive) {
                let errors = report.training_errors.unwrap_or(is_positive.len());
                let margin = report.min_margin.unwrap_or(f64::NEG_INFINITY);
                tried.push((ColumnPair { x, y, errors }, margin));
            }
        }
    }
    let key = |pair: &ColumnPair| (pair.errors, pair.x, pair.y);
    tried.sort_by(|(a, margin_a), (b, margin_b)| {
        let by_margin = if a.errors == 0 { margin_b.total_cmp(margin_a) } else { Ordering::Equal };
        a.errors.cmp(&b.errors).then(by_margin).then(key(a).cmp(&key(b)))
    });
    tried.into_iter().map(|(pair, _)| pair).take(MOST_PAIRS).collect()
}

/// The columns whose pairs are tried, in ascending order: as many as the visits allow, best first by a threshold.
fn candidates(columns: &[Vec<f64>], is_positive: &[bool]) -> Vec<usize> {
    let visits = |count: u64| count * (count - 1) / 2 * EPOCHS * is_positive.len() as u64;
    let most = (2..=columns.len()).rev().find(|&count| visits(count as u64) <= VISITS);
    let errors = |&column: &usize| threshold_errors(&columns[column], is_positive);
    let mut chosen: Vec<usize> = (0..columns.len()).collect();
    chosen.sort_by_cached_key(errors);
    chosen.truncate(most.unwrap_or(2));
    chosen.sort_unstable();
    chosen
}

/// The errors of the best threshold on a column, with either class above it.
fn threshold_errors(column: &[f64], is_positive: &[bool]) -> usize {
    let mut order: Vec<usize> = (0..column.len()).collect();
    order.sort_by(|&a, &b| column[a].total_cmp(&column[b]));
    let positives = is_positive.iter().filter(|&&positive| positive).count();
    // With all rows above the threshold, and the positive class above it, the negative rows are errors.
    let mut errors = column.len() - positives;
    let mut least = errors.min(positives);
    for (place, &row) in order.iter().enumerate() {
        errors = if is_positive[row] { errors + 1 } else { errors - 1 };
        let is_between = order.get(place + 1).is_none_or(|&next| column[next] > column[row]);
        if is_between {
            least = least.min(errors).min(column.len() - errors);
        }
    }
    least
}

/// A run on two columns; `None` if their numbers are too large, or if there is one class.
fn run(x: &[f64], y: &[f64], is_positive: &[bool]) -> Option<Report> {
    let values: Vec<f64> = x.iter().zip(y).flat_map(|(&x, &y)| [x, y]).collect();
    let rows = Rows::dense(values, 2).ok()?;
    let rows = Scaling::fit(Scale::Standard, &rows, None, false).ok()??.apply(&rows).ok()?;
    let classes: Vec<u32> = is_positive.iter().map(|&positive| u32::from(positive)).collect();
    let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).ok()?;
    let options =
        Options { keep: Keep::Pocket, order: Order::Shuffle, epochs: EPOCHS, ..Options::default() };
    Some(fit(&labelled, &options, &Resources::default(), None, &mut ()).ok()?.report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_errs_as_counted_by_hand() {
        let classes = [true, false, true, true];
        // Above 2.5 are two positive rows and one is below: one error.
        assert_eq!(threshold_errors(&[1.0, 2.0, 3.0, 4.0], &classes), 1);
        // Equal values cannot be separated: all rows in the larger class.
        assert_eq!(threshold_errors(&[5.0; 4], &classes), 1);
        // The negative row alone above 3.5.
        assert_eq!(threshold_errors(&[1.0, 4.0, 2.0, 3.0], &classes), 0);
    }

    /// Columns 1 and 3 separate together and no column does alone: the sign of their difference is the class.
    #[test]
    fn the_pair_that_separates_is_first() {
        let rows = [(0.0, 1.0), (2.0, 3.0), (4.0, 5.0), (1.0, 0.0), (3.0, 2.0), (5.0, 4.0)];
        let is_positive = [true, true, true, false, false, false];
        let (first, second) = rows.iter().map(|&(a, b)| (a, b)).unzip();
        let noise: Vec<f64> = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0].to_vec();
        let columns = [noise.clone(), first, vec![7.0; 6], second];
        let pairs = best_pairs(&columns, &is_positive);
        assert_eq!(pairs[0], ColumnPair { x: 1, y: 3, errors: 0 });
        assert_eq!(pairs.len(), 6);
        assert!(pairs.windows(2).all(|two| two[0].errors <= two[1].errors));
    }

    #[test]
    fn one_column_or_one_class_has_no_pair() {
        assert_eq!(best_pairs(&[vec![1.0, 2.0]], &[true, false]), []);
        assert_eq!(best_pairs(&[vec![1.0, 2.0], vec![0.0, 1.0]], &[true, true]), []);
        assert_eq!(best_pairs(&[], &[]), []);
    }

    /// 2,000 rows of 1,000 columns: 7 columns have 21 pairs, and 21 · 20 · 2,000 ≤ 1,000,000 visits.
    #[test]
    fn the_work_is_bounded() {
        let columns = vec![vec![0.0; 2_000]; 1_000];
        assert_eq!(candidates(&columns, &[true; 2_000]).len(), 7);
        let short = vec![vec![0.0; 178]; 13];
        assert_eq!(candidates(&short, &[true; 178]).len(), 13);
    }
}

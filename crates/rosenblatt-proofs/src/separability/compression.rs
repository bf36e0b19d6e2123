//! A few examples whose own separator separates all examples, which bounds the errors on new ones
//! (`rosenblatt::guarantee::compression_limit`).

use super::{Certificate, SeparabilityOptions, Verdict, separable};
use rosenblatt_core::{
    data::{Examples, Sign},
    hyperplane::Hyperplane,
    mixing::worst,
};

/// The maximum number of times that a separator is sought.
const MOST_ROUNDS: usize = 100;

/// A search for the separator of some of the rows has at most this part of the work.
const WORK_PART: u64 = 2000;

/// Examples whose separator separates all.
#[derive(Clone, Debug, PartialEq)]
pub struct Compression {
    /// Their places, counted from 0, ascending.
    pub rows: Vec<usize>,
    /// The separator that [`separable`] finds for these rows alone, in this order.
    pub separator: Hyperplane,
}

/// Finds examples, usually few, such that the separator of these alone separates all; `None` if there is no separator in
/// floats, if the rows become more than a quarter of all, if the search takes too long or if `stop` ends it.
///
/// The search adds the examples that the separator of the rows so far has most wrong, until none is wrong. Then it keeps
/// only the rows that are closest to the hyperplane, if their separator still separates all. However the rows were found,
/// their separator depends on nothing else.
///
/// Cost: usually 5 to 40 passes over the rows, and as many searches for the separator of the rows found.
///
/// ```
/// use rosenblatt_core::data::{Examples, Rows, Sign};
/// use rosenblatt_proofs::{SeparabilityOptions, compress};
/// use Sign::{Minus, Plus};
/// let rows = Rows::dense(&[-9.0, -8.0, -7.0, -6.0, -5.0, -1.0, 1.0, 5.0, 6.0, 7.0, 8.0, 9.0], 1)?;
/// let signs = [[Minus; 6], [Plus; 6]].concat();
/// let examples = Examples::new(&rows, &signs)?;
/// let found = compress(&examples, &SeparabilityOptions::default(), &mut || false).unwrap();
/// assert_eq!(found.rows, [5, 6]);
/// # Ok::<(), rosenblatt_core::data::RowsError>(())
/// ```
pub fn compress(
    examples: &Examples<'_>,
    options: &SeparabilityOptions,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Compression> {
    let first = |sign| (0..examples.len()).find(|&i| examples.sign(i) == sign);
    let mut rows: Vec<usize> = [Sign::Minus, Sign::Plus].into_iter().filter_map(first).collect();
    rows.sort_unstable();
    let options = &SeparabilityOptions { work: options.work / WORK_PART, ..*options };
    for _ in 0..MOST_ROUNDS {
        // More rows than this would allow an error rate above one half.
        if 4 * rows.len() > examples.len() {
            return None;
        }
        let separator = separator_of(&rows, examples, options, stop)?;
        let wrong = wrong(&separator, examples, 1 + rows.len() / 8)?;
        if wrong.is_empty() {
            let fewer = closest(&rows, &separator, examples)?;
            let of_fewer = separator_of(&fewer, examples, options, stop)?;
            let is_enough = self::wrong(&of_fewer, examples, 1)?.is_empty();
            return Some(match is_enough {
                true => Compression { rows: fewer, separator: of_fewer },
                false => Compression { rows, separator },
            });
        }
        rows.extend(wrong);
        rows.sort_unstable();
    }
    None
}

/// The separator of these rows alone, which depends on nothing else: a search that `stop` ended has none.
fn separator_of(
    rows: &[usize],
    examples: &Examples<'_>,
    options: &SeparabilityOptions,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Hyperplane> {
    let signs: Vec<Sign> = rows.iter().map(|&row| examples.sign(row)).collect();
    let rows = examples.rows().select(rows);
    let alone = Examples::new(&rows, &signs).ok()?;
    let mut is_stopped = false;
    let verdict = separable(&alone, options, &mut || {
        is_stopped |= stop();
        is_stopped
    });
    match verdict {
        Verdict::Yes { certificate: Certificate::Yes { weights, bias, .. }, .. } if !is_stopped => {
            Some(Hyperplane { weights, bias })
        }
        _ => None,
    }
}

/// The examples that the hyperplane has most wrong, at most `count`.
fn wrong(separator: &Hyperplane, examples: &Examples<'_>, count: usize) -> Option<Vec<usize>> {
    let worst = worst(separator, examples, count).ok()?;
    Some(worst.into_iter().filter(|&(_, margin)| margin <= 0.0).map(|(row, _)| row).collect())
}

/// The rows whose functional margin is at most a thousandth above the least.
fn closest(rows: &[usize], separator: &Hyperplane, examples: &Examples<'_>) -> Option<Vec<usize>> {
    let margin = |&row: &usize| {
        separator.score(examples.rows().row(row)).ok().map(|score| examples.sign(row) * score)
    };
    let margins = rows.iter().map(margin).collect::<Option<Vec<f64>>>()?;
    let least = margins.iter().copied().fold(f64::INFINITY, f64::min);
    let all = rows.iter().zip(margins);
    Some(all.filter(|&(_, margin)| margin <= 1.001 * least).map(|(&row, _)| row).collect())
}

//! Bounds on the least errors that any hyperplane makes.
//!
//! To find the best hyperplane is NP-hard (Johnson & Preparata 1978), so the answer is an interval. *From above*: the
//! errors of weights that a local search found. *From below*: sets of examples, no two of which share one, and each of
//! which no hyperplane separates. Every hyperplane has an error in each of them.
//!
//! # Method
//! Equal rows with opposite signs are the smallest such sets. A set that is found for one error of the best weights,
//! among the examples on which they are right, has that error alone. So if each error has its set, the two bounds meet.
//! Sets are sought in small parts of the examples first, where a search is cheap, and then in larger ones.
//!
//! # Boundary
//! An example on the hyperplane is an error. With a bias this changes nothing: if an example on the hyperplane counted
//! as right for one of the classes, a slightly different bias would put it on its side.

mod descent;
mod line;
mod packing;

use serde::Serialize;

use super::{
    Certificate, Ended, Named, Numbers, SeparabilityOptions, Verdict, budget::Budget,
    compact::Compact, decide, integers::Combination,
};
use crate::check::{
    Conflict, ErrorBounds, LEAST_ERRORS_VERSION, LeastErrorsCertificate,
    least_errors::{is_error as lies_not_strictly, strict_errors},
    verify_least_errors,
};
use packing::Packing;
use rosenblatt_core::{
    data::{Examples, Row, Sign, ZeroScore},
    hyperplane::Hyperplane,
};
use rosenblatt_exact as exact;

/// Bounds on the least errors, with their proof.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastErrors {
    /// The proof, verified.
    pub certificate: LeastErrorsCertificate,
    /// The reason for which the search ended early, if it did. The bounds may differ even if it did not.
    pub ended: Option<Ended>,
}

/// Bounds on the least errors in numbers; `separable --least-errors --json` prints them as JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeastErrorsStatement<'a> {
    /// The bounds.
    pub least_errors: ErrorBounds,
    /// The numbers that the statement is about.
    pub numbers: Numbers,
    /// The reason for which the search ended early, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<&'static str>,
    /// The proof.
    pub certificate: Named<'a, LeastErrorsCertificate>,
    /// Whether the checker confirmed the proof.
    pub verified: bool,
}

impl LeastErrors {
    /// The bounds.
    pub fn bounds(&self) -> ErrorBounds {
        self.certificate.least_errors
    }

    /// The bounds on wrong labels, if a score of 0 predicts the class of `zero`: then a conflict without a row of the other
    /// class proves no error, and an example on the hyperplane may be right.
    pub fn bounds_by_label(&self, examples: &Examples<'_>, zero: ZeroScore) -> ErrorBounds {
        let LeastErrorsCertificate { weights, bias, conflicts, .. } = &self.certificate;
        let is_strict =
            |(row, part): (&usize, &String)| part != "0" && examples.get(row - 1).1 != zero.sign();
        let proves =
            |conflict: &&Conflict| conflict.rows.iter().zip(&conflict.multipliers).any(is_strict);
        let is_wrong = |(row, sign): &(Row<'_>, Sign)| {
            zero.predicts(exact::score_sign(weights, *bias, *row)) != *sign
        };
        ErrorBounds {
            lower: conflicts.iter().filter(proves).count(),
            upper: examples.iter().filter(is_wrong).count(),
        }
    }

    /// The bounds for these numbers, for a program.
    pub fn statement(&self, numbers: Numbers) -> LeastErrorsStatement<'_> {
        LeastErrorsStatement {
            least_errors: self.bounds(),
            numbers,
            ended_by: self.ended.map(Ended::name),
            certificate: Named { numbers, certificate: &self.certificate },
            verified: true,
        }
    }
}

/// The usual work for [`least_errors`]: about five seconds on a current core.
pub const LEAST_ERRORS_WORK: u64 = 2_000_000_000;

/// The first search, for a separator or a proof that there is none, has this many times the work of the others at most: it
/// seldom needs more than a hundredth, but thousands of rows of hundreds of features do.
const FIRST: u64 = 4;

/// Bounds the least number of errors that any hyperplane makes, where an example on the hyperplane is an error.
///
/// `options.gap` plays no part. `stop` is called between the steps; if it returns true, the answer contains what is
/// proven so far. Both bounds are 0 if and only if the search finds a separator.
///
/// Cost: that of a decision of [`separable`](super::separable), at most four times `options.work`; then, in proportion to what this left,
/// up to `options.work`: a third of it for a local search, and the rest for searches of O(k²) products for each of the k or
/// fewer rows of each conflict. Memory: a copy of the data, with 16 bytes per
/// stored value.
///
/// ```
/// use rosenblatt_core::data::{Examples, Rows, Sign};
/// use rosenblatt_proofs::{ErrorBounds, SeparabilityOptions, least_errors};
/// use Sign::{Minus, Plus};
/// let rows = Rows::dense(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
/// let xor = Examples::new(&rows, &[Minus, Plus, Plus, Minus])?;
/// let found = least_errors(&xor, &SeparabilityOptions::default(), &mut || false);
/// assert_eq!(found.bounds(), ErrorBounds { lower: 1, upper: 1 });
/// # Ok::<(), rosenblatt_core::data::RowsError>(())
/// ```
pub fn least_errors(
    examples: &Examples<'_>,
    options: &SeparabilityOptions,
    stop: &mut dyn FnMut() -> bool,
) -> LeastErrors {
    let work = options.work.saturating_mul(FIRST);
    let (verdict, left) =
        decide(examples, &SeparabilityOptions { gap: 0.5, work, ..*options }, stop);
    let known = match verdict {
        Verdict::Yes { certificate: Certificate::Yes { weights, bias, .. }, .. } => {
            let plane = Hyperplane { weights, bias };
            return LeastErrors::new(examples, options.with_bias, plane, vec![], None);
        }
        Verdict::No { certificate, .. } => combination(&certificate),
        _ => None,
    };
    // The share of its work that the first search left.
    let work = (left / FIRST).max(options.work / 8);
    overlapping(examples, &SeparabilityOptions { work, ..*options }, known, stop)
}

/// The rows, counted from 0, and the multipliers of a proof of *no*.
fn combination(certificate: &Certificate) -> Option<Combination> {
    let Certificate::No { rows, multipliers, .. } = certificate else { return None };
    let pairs = rows.iter().zip(multipliers);
    pairs.map(|(row, digits)| Some((row - 1, digits.parse().ok()?))).collect()
}

/// The bounds for examples for which no separator is known, but perhaps a set that none separates.
fn overlapping(
    examples: &Examples<'_>,
    options: &SeparabilityOptions,
    known: Option<Combination>,
    stop: &mut dyn FnMut() -> bool,
) -> LeastErrors {
    let (with_bias, mut budget) = (options.with_bias, Budget::new(options.work, stop));
    let compact = Compact::of(examples);
    let rows = compact.as_ref().and_then(Compact::examples).unwrap_or(*examples);
    let mut plane = descent::few_errors(rows, with_bias, options.work / 3, &mut budget);
    let is_error = |example| lies_not_strictly(&plane.weights, plane.bias, example);
    let is_error: Vec<bool> = rows.iter().map(is_error).collect();
    let mut conflicts = Packing::new(rows, with_bias, is_error).most(&mut budget);
    if conflicts.is_empty() {
        conflicts.extend(known);
    }
    if let Some(compact) = &compact {
        plane.weights = compact.all(plane.weights, 0.0);
    }
    let ended = Some(budget.ended()).filter(|&ended| ended != Ended::Precision);
    LeastErrors::new(examples, with_bias, plane, conflicts, ended)
}

impl LeastErrors {
    fn new(
        examples: &Examples<'_>,
        with_bias: bool,
        plane: Hyperplane,
        conflicts: Vec<Combination>,
        ended: Option<Ended>,
    ) -> Self {
        let Hyperplane { weights, bias } = plane;
        let (lower, upper) = (conflicts.len(), strict_errors(&weights, bias, examples));
        let mut certificate = LeastErrorsCertificate {
            least_errors: ErrorBounds { lower, upper },
            version: LEAST_ERRORS_VERSION,
            with_bias,
            weights,
            bias,
            conflicts: conflicts.iter().map(conflict).collect(),
        };
        if verify_least_errors(&certificate, examples).is_err() {
            // Without conflicts, nothing is claimed but the errors that were just counted.
            certificate.conflicts.clear();
            certificate.least_errors.lower = 0;
        }
        let ErrorBounds { lower, upper } = certificate.least_errors;
        LeastErrors { certificate, ended: ended.filter(|_| lower < upper) }
    }
}

/// A conflict as it is written.
fn conflict(combination: &Combination) -> Conflict {
    let (rows, multipliers) =
        combination.iter().map(|(row, part)| (row + 1, part.to_string())).unzip();
    Conflict { rows, multipliers }
}

//! Complete separation, quasi-complete separation, or overlap, with a proof.
//!
//! The search for a separator answers *complete*. Otherwise a linear program over the integers finds, for all examples,
//! either a positive combination that is 0 and spans their space, which proves that they overlap, or weights without a
//! negative product. The examples with a positive product are then done, and the same question remains for the others,
//! in a space of lower dimension. The sum of the weights, each times enough to keep the signs of those before, separates
//! as many examples as any weights do (Tucker 1956).

mod face;
mod quotient;
mod simplex;
mod span;
mod statement;

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

pub use statement::{KnownSeparation, SeparationCase, SeparationStatement};

use super::{
    Certificate, Ended, MOST_DIGITS, SeparabilityOptions, Verdict,
    budget::Budget,
    integers::{dyadic, leading, without_common_factor},
    mod_p::mix,
    separable,
};
use crate::check::{
    Relation, SEPARATION_VERSION, Separation, SeparationCertificate, verify_separation,
};
use face::Face;
use rosenblatt_core::data::Examples;
use simplex::{Found, Simplex};
use span::{Span, product};

/// The answer to how two classes lie.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)] // a search makes one
pub enum SeparationVerdict {
    /// The separation with its verified proof.
    Known(SeparationSummary),
    /// The search ended without an answer, for this reason.
    Unknown(Ended),
}

/// A separation, its proof, and what a statistician reads from it.
#[derive(Clone, Debug, PartialEq)]
pub struct SeparationSummary {
    /// The proof.
    pub certificate: SeparationCertificate,
    /// The number of examples on the hyperplane of the proof.
    pub on_hyperplane: usize,
    /// The rank of all examples, the constant of the bias included; `None` if the separation is complete and the rank
    /// was too much work.
    pub rank: Option<usize>,
    /// The rank of the examples on the hyperplane. If it is one less than `rank`, the direction in which the estimates of a
    /// logistic regression diverge is unique.
    pub face_rank: usize,
    /// Whether the ranks and the aliased columns are proven. If not, they are those modulo the prime 2⁵⁶ − 5: the ranks are
    /// at least these.
    pub ranks_proven: bool,
    /// The columns that are linear combinations of columns before them, counted from 1. Their weights are 0. Empty if
    /// the separation is complete and they were too much work.
    pub aliased: Vec<usize>,
    /// The columns with a positive (+1) or negative (−1) weight, counted from 1; 0 is the constant of the bias. In the
    /// direction of the proof, the estimates of a logistic regression go to plus or minus infinity.
    pub diverging: Vec<(usize, i8)>,
}

/// Decides between complete separation, quasi-complete separation and overlap.
///
/// `options.gap` plays no part. `stop` is called between the steps. For small examples there is always an answer; large
/// ones can end at `options.work`.
///
/// Cost: that of [`separable`] for a first answer, then usually 2r steps of O(r²) products of long integers for
/// examples of rank r, and some passes over the rows. Memory: r² long integers.
///
/// ```
/// use rosenblatt_core::data::{Examples, Rows, Sign::{Minus, Plus}};
/// use rosenblatt_proofs::{SeparabilityOptions, Separation, SeparationVerdict, separation};
/// let rows = Rows::dense(vec![1.0, 2.0, 2.0, 3.0], 1)?;
/// let examples = Examples::new(&rows, &[Minus, Minus, Plus, Plus])?;
/// let options = SeparabilityOptions::default();
/// let SeparationVerdict::Known(known) = separation(&examples, &options, &mut || false) else { unreachable!() };
/// assert_eq!(known.certificate.separation, Separation::QuasiComplete);
/// assert_eq!(known.on_hyperplane, 2);
/// # Ok::<(), rosenblatt_core::data::RowsError>(())
/// ```
pub fn separation(
    examples: &Examples<'_>,
    options: &SeparabilityOptions,
    stop: &mut dyn FnMut() -> bool,
) -> SeparationVerdict {
    let first = SeparabilityOptions { gap: f64::INFINITY, ..*options };
    separable(examples, &first, stop).separation(examples, options, stop)
}

impl Verdict {
    /// As [`separation`], from the verdict of [`separable`] about the same examples and hyperplanes.
    pub fn separation(
        &self,
        examples: &Examples<'_>,
        options: &SeparabilityOptions,
        stop: &mut dyn FnMut() -> bool,
    ) -> SeparationVerdict {
        let (mut separator, mut known) = (None, vec![]);
        match self {
            Verdict::Yes { certificate, .. } => separator = integers(certificate),
            Verdict::No { certificate, .. } => known = multipliers(certificate),
            Verdict::Unknown { .. } => {}
        }
        let mut budget = Budget::new(options.work, stop);
        let mut search = Faces { examples, with_bias: options.with_bias, budget: &mut budget };
        let found = match separator {
            Some(weights) => Some(search.complete(weights)),
            None => search.decide(known),
        };
        let confirmed =
            found.filter(|found| verify_separation(&found.certificate, examples).is_ok());
        confirmed
            .map_or_else(|| SeparationVerdict::Unknown(budget.ended()), SeparationVerdict::Known)
    }
}

/// The weights of a separator by coordinate, as integers that a certificate may hold.
fn integers(certificate: &Certificate) -> Option<Numbers> {
    let numbers: Option<Numbers> = match certificate {
        Certificate::Yes { weights, bias, .. } => {
            Some(multiples([bias].into_iter().chain(weights).map(|&w| dyadic(w)).collect()))
        }
        Certificate::YesInIntegers { weights, bias, .. } => {
            let digits = [bias].into_iter().chain(weights).enumerate();
            digits.map(|(k, digits)| Some((k, digits.parse().ok()?))).collect()
        }
        Certificate::No { .. } => None,
    };
    let mut numbers = numbers?;
    numbers.retain(|(_, a)| !a.is_zero());
    let is_short = numbers.iter().all(|(_, a)| a.bits() < 3 * MOST_DIGITS as u64);
    is_short.then_some(numbers)
}

/// The examples of a proof of *no*, counted from 0, with their multipliers up to a common factor and rounding.
fn multipliers(certificate: &Certificate) -> Vec<(usize, f64)> {
    let Certificate::No { rows, multipliers, .. } = certificate else { return vec![] };
    let exact: Vec<BigUint> = multipliers.iter().filter_map(|digits| digits.parse().ok()).collect();
    let most = exact.iter().map(BigUint::bits).max().unwrap_or(0);
    let float = |a: &BigUint| (a >> most.saturating_sub(64)).to_f64().unwrap_or(0.0);
    rows.iter()
        .zip(&exact)
        .map(|(row, a)| (row - 1, float(a)))
        .filter(|pair| pair.1 > 0.0)
        .collect()
}

/// Floats, given by mantissa and exponent, as integers of a common unit.
pub(super) fn multiples(parts: Vec<(i64, i32)>) -> Numbers {
    let used = parts.iter().filter(|(mantissa, _)| *mantissa != 0);
    let least = used.map(|&(_, exponent)| exponent).min().unwrap_or(0);
    let number = |(k, (mantissa, exponent)): (usize, (i64, i32))| {
        let shift = if mantissa == 0 { 0 } else { exponent - least };
        (k, BigInt::from(mantissa) << shift as usize)
    };
    parts.into_iter().enumerate().map(number).collect()
}

/// Integers by coordinate, in increasing order; the others are 0.
pub(super) type Numbers = Vec<(usize, BigInt)>;

/// The search from face to face.
struct Faces<'e, 'a, 'b, 's> {
    examples: &'e Examples<'a>,
    with_bias: bool,
    budget: &'b mut Budget<'s>,
}

impl Faces<'_, '_, '_, '_> {
    /// From a separator. The rank, and weights without aliased columns, are found for tables; text has too many columns.
    fn complete(&mut self, weights: Numbers) -> SeparationSummary {
        let rows: Vec<usize> = (0..self.examples.len()).collect();
        let is_table = self.examples.features() < MOST_COLUMNS;
        let all = is_table.then(|| Span::new(self.examples, self.with_bias, &rows, self.budget));
        let Some(all) = all.flatten() else { return self.summary(weights, Proof::default()) };
        let ranks_proven = all.is_proven(self.examples, self.with_bias, &rows, self.budget);
        let rank = Some(all.rows.len());
        let Some(folded) = all.folded(weights.clone(), self.examples, self.with_bias, self.budget)
        else {
            return SeparationSummary {
                rank,
                ranks_proven,
                ..self.summary(weights, Proof::default())
            };
        };
        let aliased = all.aliased();
        SeparationSummary { rank, ranks_proven, aliased, ..self.shortest(&folded) }
    }

    /// A separator without the digits of long weights that are not needed.
    fn shortest(&self, weights: &Numbers) -> SeparationSummary {
        let longest = weights.iter().map(|(_, a)| a.bits()).max().unwrap_or(0);
        let lengths = (0..).map(|doublings| 64u64 << doublings).take_while(|&bits| bits < longest);
        let cut = |bits| weights.iter().map(|(k, a)| (*k, leading(a, bits))).collect();
        let separates = |summary: &SeparationSummary| {
            verify_separation(&summary.certificate, self.examples).is_ok()
        };
        let summary = |numbers| self.summary(without_common(numbers), Proof::default());
        let short = lengths.map(|bits| summary(cut(bits))).find(separates);
        short.unwrap_or_else(|| summary(weights.clone()))
    }

    /// From examples and multipliers whose sum is 0 up to rounding, if there are any.
    fn decide(&mut self, mut known: Vec<(usize, f64)>) -> Option<SeparationSummary> {
        let mut rows: Vec<usize> = (0..self.examples.len()).collect();
        let all = Span::new(self.examples, self.with_bias, &rows, self.budget)?;
        let (mut of_face, mut weights) = (None, Numbers::new());
        loop {
            let span = of_face.as_ref().unwrap_or(&all);
            let (parts, is_whole) = parts(span, &rows);
            let face = Face::new(*self.examples, self.with_bias, rows, span.columns.clone());
            let found = match face.one_signed() {
                Some(direction) => Found::Direction(direction),
                None => self.found(&face, &parts, &mut known)?,
            };
            match found {
                Found::Combination(combination) => {
                    let relations = if is_whole {
                        vec![]
                    } else {
                        span.relations(self.examples, self.with_bias, self.budget)?
                    };
                    let face_rank = span.rows.len();
                    let proof = Proof { combination, relations, face: face.rows };
                    let ranks_proven = self.proves(&all, of_face.as_ref(), &proof, is_whole);
                    return Some(SeparationSummary {
                        rank: Some(all.rows.len()),
                        face_rank,
                        ranks_proven,
                        aliased: all.aliased(),
                        ..self.summary(weights, proof)
                    });
                }
                Found::Direction(direction) => {
                    let next = self.split(&face, &direction);
                    weights = self.joined(weights, direction, &face.rows);
                    rows = next;
                    let span = Span::new(self.examples, self.with_bias, &rows, self.budget)?;
                    of_face = Some(span);
                }
            }
        }
    }

    /// Whether the ranks of the spans, of all examples and of the face if it is smaller, are those of the examples. Relations of
    /// a face that is no whole proof are checked with the proof.
    fn proves(
        &mut self,
        all: &Span,
        of_face: Option<&Span>,
        proof: &Proof,
        is_whole: bool,
    ) -> bool {
        if of_face.is_none() && !is_whole {
            return all.are_in_order(&proof.relations);
        }
        let rows: Vec<usize> = (0..self.examples.len()).collect();
        let mut is_proven =
            |span: &Span, rows| span.is_proven(self.examples, self.with_bias, rows, self.budget);
        let is_open = |face: &&Span| is_whole && !face.rows.is_empty();
        is_proven(all, &rows)
            && of_face.filter(is_open).is_none_or(|face| is_proven(face, &proof.face))
    }

    /// A combination or a direction: by floats for a large face, otherwise or if they fail by the linear program.
    fn found(
        &mut self,
        face: &Face<'_>,
        parts: &[(usize, u64)],
        known: &mut Vec<(usize, f64)>,
    ) -> Option<Found> {
        let is_large = face.size() > LARGE;
        let found = is_large.then(|| quotient::decide(face, known, self.budget)).flatten();
        found.or_else(|| Simplex::new(face, parts).run(parts, self.budget))
    }

    /// The examples of a face whose product with the weights is 0.
    fn split(&self, face: &Face<'_>, direction: &Numbers) -> Vec<usize> {
        let scaled = face.scaled(direction);
        let nearby = face.nearby(&scaled);
        let is_zero = |row: &usize| face.sign(*row, &scaled, &nearby) == Ordering::Equal;
        face.rows.iter().copied().filter(is_zero).collect()
    }

    /// The earlier weights times a power of two that keeps their signs, plus the direction on the face.
    fn joined(&self, earlier: Numbers, direction: Numbers, face: &[usize]) -> Numbers {
        if earlier.is_empty() {
            return without_common(direction);
        }
        let mut is_on_face = vec![false; self.examples.len()];
        face.iter().for_each(|&row| is_on_face[row] = true);
        let mut shift = 0;
        for row in (0..self.examples.len()).filter(|&row| !is_on_face[row]) {
            let change = product(self.examples, self.with_bias, row, &direction);
            if change.0.is_negative() {
                let score = product(self.examples, self.with_bias, row, &earlier);
                let length = |(n, exponent): (BigInt, i32)| n.bits() as i64 + i64::from(exponent);
                shift = shift.max(length(change) - length(score) + 1);
            }
        }
        let mut sum: std::collections::BTreeMap<usize, BigInt> = direction.into_iter().collect();
        for (k, weight) in earlier {
            *sum.entry(k).or_default() += weight << shift as usize;
        }
        without_common(sum.into_iter().filter(|(_, a)| !a.is_zero()).collect())
    }

    /// The certificate, without the ranks.
    fn summary(&self, weights: Numbers, proof: Proof) -> SeparationSummary {
        let Proof { combination, relations, face } = proof;
        let separation = match (weights.is_empty(), face.is_empty()) {
            (_, true) => Separation::Complete,
            (true, false) => Separation::Overlap,
            (false, false) => Separation::QuasiComplete,
        };
        let mut digits = vec!["0".to_owned(); self.examples.features() + 1];
        weights.iter().for_each(|(k, weight)| digits[*k] = weight.to_string());
        let bias = digits.remove(0);
        let (rows, multipliers) = without_common_factor(combination)
            .iter()
            .map(|(row, multiplier)| (row + 1, multiplier.to_string()))
            .unzip();
        let relation = |numbers: &Numbers| Relation {
            columns: numbers.iter().map(|(k, _)| *k).collect(),
            coefficients: numbers.iter().map(|(_, a)| a.to_string()).collect(),
        };
        let certificate = SeparationCertificate {
            separation,
            version: SEPARATION_VERSION,
            with_bias: self.with_bias,
            weights: digits,
            bias,
            rows,
            multipliers,
            relations: relations.iter().map(relation).collect(),
        };
        let sign = |(k, a): &(usize, BigInt)| (*k, if a.is_negative() { -1 } else { 1 });
        SeparationSummary {
            certificate,
            on_hyperplane: face.len(),
            rank: None,
            face_rank: 0,
            ranks_proven: false,
            aliased: vec![],
            diverging: weights.iter().map(sign).collect(),
        }
    }
}

/// The proof that the examples of the last face cannot be separated further.
#[derive(Default)]
struct Proof {
    combination: Vec<(usize, BigUint)>,
    relations: Vec<Numbers>,
    face: Vec<usize>,
}

/// Separated examples with fewer columns than this have their rank in the answer.
const MOST_COLUMNS: usize = 2000;

/// The rank of a face up to which the linear program takes less than about a second.
const LARGE: usize = 256;

/// The ranks up to which all parts are 1, which gives short numbers.
const SHORT: usize = 12;

/// Positive integers ρ for examples that span the space, and whether these are all examples. Random numbers avoid steps
/// that do not lower the objective.
fn parts(span: &Span, rows: &[usize]) -> (Vec<(usize, u64)>, bool) {
    let rank = span.rows.len();
    let is_whole = rows.len() <= 4 * rank;
    let used = if is_whole { rows } else { &span.rows };
    let part = |&row: &usize| {
        let random = (1 << 19) + (mix(row as u64) >> 40);
        (row, if rank <= SHORT { 1 } else { random })
    };
    (used.iter().map(part).collect(), is_whole)
}

/// The numbers without their common factor.
fn without_common(mut numbers: Numbers) -> Numbers {
    let common = numbers.iter().fold(BigInt::zero(), |common, (_, a)| common.gcd(a));
    if common.is_positive() {
        numbers.iter_mut().for_each(|(_, a)| *a /= &common);
    }
    numbers
}

//! Upper bounds on the error rate of new examples that hold with a given confidence.
//!
//! Each is a theorem with conditions, which the caller must know to hold: the examples are drawn independently from one
//! distribution, and new ones come from the same. `docs/decisions/0014` has the proofs. All numbers are rounded
//! towards the safe side, and have the same bits on every machine.

mod binomial;
mod class_runs;
mod sample;
mod statement;

pub use class_runs::ClassRuns;
pub use sample::SampleCheck;
pub use statement::{Compressed, Guarantee, Reason, Theorem};

use binomial::lower_tail;

/// The relative error of a tail, which the bounds leave room for.
const TAIL_ERROR: f64 = 1e-9;

/// The one-sided upper limit of Clopper & Pearson (*Biometrika* 26, 1934) for the probability of an error: the p at
/// which `errors` or fewer among `examples` have the probability `1 - confidence`. With at least the given confidence,
/// the error rate is at most this. The examples must not have been used to choose the classifier in any way.
///
/// Returns 1 if there are no examples, or only errors.
///
/// ```
/// // No error among 299 examples: p with (1 − p)²⁹⁹ = 0.05.
/// let limit = rosenblatt::guarantee::error_limit(0, 299, 0.95);
/// assert!((limit - 0.00997).abs() < 1e-5);
/// ```
pub fn error_limit(errors: u64, examples: u64, confidence: f64) -> f64 {
    if errors >= examples {
        return 1.0;
    }
    let delta = (1.0 - confidence) * (1.0 - TAIL_ERROR);
    // The tail decreases in p; at `high` it is proven to be at most delta.
    let (mut low, mut high) = (errors as f64 / examples as f64, 1.0);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high || high - low <= high * 1e-13 {
            return high;
        }
        let is_excluded = middle > 0.0 && lower_tail(errors, examples, middle) <= delta;
        if is_excluded { high = middle } else { low = middle }
    }
}

/// An upper limit for the error rate of a classifier that is right on all `examples` and depends on `kept` of them alone,
/// whichever these are, with at least the given confidence (sample compression; Littlestone & Warmuth 1986, Floyd &
/// Warmuth 1995): 1 − (δ/(m·C(m, K)))^(1/(m − K)).
///
/// ```
/// // 3 of 100 examples: ln(100·161,700/0.05)/97 = 0.202.
/// let limit = rosenblatt::guarantee::compression_limit(3, 100, 0.95);
/// assert!((limit - 0.183).abs() < 1e-3);
/// ```
pub fn compression_limit(kept: u64, examples: u64, confidence: f64) -> f64 {
    if kept >= examples {
        return 1.0;
    }
    let (k, m) = (kept as f64, examples as f64);
    let log_choose = libm::lgamma(m + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(m - k + 1.0);
    // The logarithms of factorials have an error of a few units in the last place, those of 10¹² examples of 10⁻².
    let exponent = log_choose + libm::log(m / (1.0 - confidence)) + 1e-15 * m * libm::log(m + 1.0);
    (-libm::expm1(-exponent / (m - k)) * (1.0 + 1e-12)).min(1.0)
}

/// The λ of the bound of one pass: −0.05·1.2ʲ for j < 30, from rates near 0 to rates near 1.
const EXPONENTS: i32 = 30;

/// An upper limit for the mean error rate of the hypotheses of one pass, with at least the given confidence.
///
/// Before each of the `visits` examples, drawn independently from one distribution, an algorithm has a hypothesis that
/// depends on earlier examples only; `mistakes` of them were wrong on their example. The limit is for the mean of the
/// probabilities that the hypotheses are wrong on a new example. It says nothing about a single one of them.
///
/// ```
/// // 50 mistakes on 1,000 examples.
/// let limit = rosenblatt::guarantee::pass_limit(50, 1000, 0.95);
/// assert!(limit > 0.05 && limit < 0.1);
/// ```
pub fn pass_limit(mistakes: u64, visits: u64, confidence: f64) -> f64 {
    if mistakes >= visits {
        return 1.0;
    }
    let (k, m) = (mistakes as f64, visits as f64);
    let log_share = libm::log(f64::from(EXPONENTS) / (1.0 - confidence));
    let bound = |j: i32| {
        let lambda = -0.05 * libm::pow(1.2, f64::from(j));
        libm::expm1((lambda * k - log_share) / m) / libm::expm1(lambda)
    };
    let least = (0..EXPONENTS).map(bound).fold(1.0, f64::min);
    // The functions of `libm` have an error of a few units in the last place.
    (least * (1.0 + 1e-12)).min(1.0)
}

/// An upper limit for the error rate of the vote of one pass over examples of two classes, with at least the given
/// confidence: a vote is wrong only if half of its voters are, by weight, and these are the hypotheses after each of
/// the `visits`.
pub fn vote_limit(mistakes: u64, visits: u64, confidence: f64) -> f64 {
    let shift = 1.0 / visits.max(1) as f64;
    (2.0 * (pass_limit(mistakes, visits, confidence) + shift) * (1.0 + 1e-12)).min(1.0)
}

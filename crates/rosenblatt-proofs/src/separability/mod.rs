//! Linear separability, decided with proofs that can be checked independently.
//!
//! The vectors are `zᵢ = yᵢ(xᵢ, 1)`, or `yᵢxᵢ` without a bias. Exactly one of two statements is true (Gordan 1873):
//! some (w, b) has a positive product with every zᵢ, or some λ ≥ 0 other than 0 has `Σλᵢzᵢ = 0`. Either is a
//! [`Certificate`], which [`verify`] checks in exact arithmetic. If the search finds neither, the answer is
//! [`Verdict::Unknown`] with the proven bounds.
//!
//! # Method
//! Equal rows with opposite signs are found first. Then the search looks for the shortest vector p in the hull of the
//! zᵢ, whose length is the margin: `γ = max over unit u of min u·zᵢ = ‖p‖`. While p ≠ 0, any candidate for p bounds γ
//! from both sides, `min p·zᵢ/‖p‖ ≤ γ ≤ ‖p‖`. If p = 0, its rows and multipliers lead to the second statement, which is
//! then solved exactly. `docs/decisions/0005` gives the reasons for this method.
//!
//! If floating point ends without an answer, the same vector is sought in integers, up to a limit on counted work. The
//! limit is high enough for any 50 rows of 8 features, whatever their numbers.
//!
//! # Boundary
//! A separator has every `y(w·x + b) > 0`; a row on the hyperplane is not separated.
//!
//! No tolerance enters the verdict.

mod bracket;
mod budget;
mod cholesky;
mod compact;
mod compression;
mod contradiction;
mod convergence;
mod corral;
mod epochs;
mod gordan;
mod hull;
mod integers;
mod least_errors;
mod mod_p;
mod named;
mod padic;
mod pricing;
mod rounding;
mod search;
mod separation;
mod shortest;
mod solver;
mod statement;
mod sums;
mod vectors;
mod whole;
mod written;

pub use bracket::Bracket;
pub use budget::Ended;
pub use compression::{Compression, compress};
pub use convergence::{ConvergenceVerdict, convergence};
pub use least_errors::{LEAST_ERRORS_WORK, LeastErrors, LeastErrorsStatement, least_errors};
pub use named::{Named, Numbers};
pub use separation::{
    KnownSeparation, SeparationCase, SeparationStatement, SeparationSummary, SeparationVerdict,
    separation,
};
pub use statement::{FreeBias, Interval, Statement};
pub use written::{Decimals, OtherDecimal, Written, WrittenVerdict};

use rosenblatt_core::data::Examples;
use rosenblatt_exact::double_double;

use crate::check::*;
use compact::Compact;
use solver::Solver;

/// Options of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparabilityOptions {
    /// Whether the hyperplane may have a bias.
    pub with_bias: bool,
    /// The relative width of the bracket of a margin at which the search ends; above 0. Less than about 10⁻¹² is out of
    /// reach. Infinity asks for the decision alone.
    pub gap: f64,
    /// The maximum work, in products of two numbers, which is the same on every machine; a small part of it for the
    /// margin once a separator is known. The last step may exceed it.
    pub work: u64,
}

/// The work of [`SeparabilityOptions::default`]: one to two minutes on a current core for a set that remains
/// undecided. Ordinary sets need far less: a million rows of 30 features
/// take ten epochs and ten passes of 62 million products each, about a hundredth of it.
pub const MOST_WORK: u64 = 100_000_000_000;

impl Default for SeparabilityOptions {
    fn default() -> Self {
        SeparabilityOptions { with_bias: true, gap: 1e-6, work: MOST_WORK }
    }
}

/// The answer to whether examples are separable.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Separable.
    Yes {
        /// The separator, verified.
        certificate: Certificate,
        /// The margins; `None` without examples.
        margins: Option<Margins>,
    },
    /// Not separable.
    No {
        /// Gordan's multipliers, verified.
        certificate: Certificate,
        /// Two equal rows with opposite signs, counted from 0, if they are the proof.
        contradiction: Option<(usize, usize)>,
    },
    /// The search ended without an answer.
    Unknown {
        /// Proven upper bounds on the margin of any separator.
        upper: MarginBounds,
        /// The reason for which the search ended.
        ended: Ended,
    },
}

impl Verdict {
    /// Whether the examples are separable; `None` if the search ended without an answer.
    pub fn is_separable(&self) -> Option<bool> {
        match self {
            Verdict::Yes { .. } => Some(true),
            Verdict::No { .. } => Some(false),
            Verdict::Unknown { .. } => None,
        }
    }
}

/// Proven upper bounds on the margin of any separator. Each holds in one space, as in [`Margins`], and is `None` if it
/// is unknown or was not requested.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MarginBounds {
    /// Upper bound on the margin of the vectors (x, 1).
    pub unit_bias: Option<f64>,
    /// Upper bound on the margin of the vectors x, without a bias.
    pub no_bias: Option<f64>,
    /// Upper bound on the geometric margin with a free bias.
    pub free_bias: Option<f64>,
}

/// The margins of separable examples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// R = max‖x‖, rounded once.
    pub radius: f64,
    /// The largest margin of the vectors (x, 1), as for a perceptron with the unit bias; `None` if a bias was excluded.
    pub unit_bias: Option<Bracket>,
    /// The largest margin of the vectors x, as for a perceptron without a bias; `None` unless a bias was excluded.
    pub no_bias: Option<Bracket>,
    /// The largest geometric margin with a free bias: half the distance between the hulls of the classes. `None` if a
    /// bias was excluded or a class is empty.
    pub free_bias: Option<Bracket>,
    /// The reason for which the bounds are farther apart than requested, if they may be.
    pub ended: Option<Ended>,
}

impl Margins {
    /// Upper bound on the mistakes of a perceptron from zero with the unit bias: (R² + 1)/γ² for the lower bound on the
    /// margin of (x, 1), rounded up.
    pub fn unit_bias_mistakes(&self) -> Option<f64> {
        self.unit_bias.map(|margin| bracket::squares_over(&[self.radius, 1.0], margin.lower))
    }

    /// Upper bound on the mistakes without a bias: (R/γ)², rounded up.
    pub fn no_bias_mistakes(&self) -> Option<f64> {
        self.no_bias.map(|margin| bracket::squares_over(&[self.radius], margin.lower))
    }

    /// Upper bound on the mistakes with a bias moved by R²: (2R/γ)² for the geometric margin with a free bias, rounded
    /// up (Cristianini & Shawe-Taylor 2000, Theorem 2.3).
    pub fn radius_bias_mistakes(&self) -> Option<f64> {
        let bound = |margin: Bracket| bracket::squares_over(&[2.0 * self.radius], margin.lower);
        self.free_bias.map(bound)
    }
}

/// Decides whether the examples are separable, and computes the margins.
///
/// `stop` is called between the steps of the search, at most about a thousand times a second. If it returns true, the
/// answer contains what is proven so far.
///
/// Cost: usually 5 to 50 passes over the rows, and a few hundred to a few thousand steps of O(k²) for the k ≤ d + 2
/// rows that matter; never much more than [`SeparabilityOptions::work`]. Memory: 8k² bytes, 16 bytes per row, and
/// copies of some hundred to thousand rows; a copy of all rows if a column is 0 in all of them, or most values of dense rows
/// are 0.
///
/// ```
/// use rosenblatt_core::data::{Examples, Rows, Sign};
/// use rosenblatt_proofs::{SeparabilityOptions, Verdict, separable, verify};
/// use Sign::{Minus, Plus};
/// let rows = Rows::dense(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
/// let xor = Examples::new(&rows, &[Minus, Plus, Plus, Minus])?;
/// let Verdict::No { certificate, .. } = separable(&xor, &SeparabilityOptions::default(), &mut || false) else {
///     unreachable!()
/// };
/// assert_eq!(verify(&certificate, &xor), Ok(()));
/// # Ok::<(), rosenblatt_core::data::RowsError>(())
/// ```
pub fn separable(
    examples: &Examples<'_>,
    options: &SeparabilityOptions,
    stop: &mut dyn FnMut() -> bool,
) -> Verdict {
    decide(examples, options, stop).0
}

/// As [`separable`]; also returns the work that is left.
fn decide(
    examples: &Examples<'_>,
    options: &SeparabilityOptions,
    stop: &mut dyn FnMut() -> bool,
) -> (Verdict, u64) {
    if examples.is_empty() {
        let certificate = Certificate::Yes {
            with_bias: options.with_bias,
            weights: vec![0.0; examples.features()],
            bias: 0.0,
        };
        return (Verdict::Yes { certificate, margins: None }, options.work);
    }
    if let Some((earlier, later)) = contradiction::contradiction(examples) {
        let certificate = Certificate::No {
            with_bias: options.with_bias,
            rows: vec![earlier + 1, later + 1],
            multipliers: vec!["1".into(), "1".into()],
        };
        let contradiction = Some((earlier, later));
        return (Verdict::No { certificate, contradiction }, options.work);
    }
    if let Some(compact) = Compact::of(examples)
        && let Some(examples) = compact.examples()
    {
        let mut solver = Solver::new(examples, *options, stop);
        return (compact.spread(solver.solve()), solver.left());
    }
    let mut solver = Solver::new(*examples, *options, stop);
    (solver.solve(), solver.left())
}

//! Is it separable? Answers with proofs that anyone can check.
//!
//! The vectors are `zᵢ = yᵢ(xᵢ, 1)`, or `yᵢxᵢ` without a bias. Exactly one of two things is true (Gordan
//! 1873): some (w, b) has a positive product with every zᵢ, or some λ ≥ 0 other than 0 has `Σλᵢzᵢ = 0`.
//! Either is a [`Certificate`], and [`verify`] checks it in exact arithmetic. What numerics may fail at
//! is finding one, and then the answer is [`Verdict::Unknown`] with what is proven.
//!
//! # Method
//! Equal rows with opposite signs are found first. Then the search is for the shortest vector p in the
//! hull of the zᵢ, whose length is the margin: `γ = max over unit u of min u·zᵢ = ‖p‖`. While p ≠ 0,
//! any candidate for p bounds γ from both sides, `min p·zᵢ/‖p‖ ≤ γ ≤ ‖p‖`; p = 0 comes with the rows and
//! multipliers of the other answer, which are then solved for exactly. `docs/decisions/0005` says why it is
//! done this way. Where floating point ends without an answer, the same vector is looked for in whole numbers, as
//! far as a counted amount of work goes: far enough for any 50 rows of 8 features, whatever their numbers.
//!
//! # Boundary
//! A separator has every `y(w·x + b) > 0`; a row on the hyperplane is not separated.
//!
//! Deliberately absent: any tolerance in the verdict.

mod bracket;
mod budget;
mod certificate;
mod certificate_error;
mod cholesky;
mod contradiction;
mod corral;
mod double_double;
mod epochs;
mod gordan;
mod hull;
mod integers;
mod mod_p;
mod padic;
mod pricing;
mod rounding;
mod search;
mod shortest;
mod solver;
mod statement;
mod vectors;
mod verify;
mod whole;

pub use bracket::Bracket;
pub use budget::Ended;
pub use certificate::Certificate;
pub use certificate_error::{CertificateError, MOST_DIGITS};
pub use statement::{FreeBias, Interval, Statement};
pub use verify::verify;

use crate::data::Examples;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparabilityOptions {
    /// Whether the hyperplane may have a bias.
    pub with_bias: bool,
    /// The relative width of the bracket of a margin at which the search is content, above 0. Smaller than
    /// some 10⁻¹² is out of reach.
    pub gap: f64,
    /// The most work, in products of two numbers: the same on every machine. The last step may go beyond it.
    pub work: u64,
}

/// The work of [`SeparabilityOptions::default`]: a minute or two of one core of today (97 seconds, measured on a set of 10,000 × 20,000
/// sparse rows whose margin remains open). An ordinary set ends long before: a million rows of 30 features take ten
/// epochs and ten passes of 62 million products each, some hundredth of it.
pub const MOST_WORK: u64 = 100_000_000_000;

impl Default for SeparabilityOptions {
    fn default() -> Self {
        SeparabilityOptions { with_bias: true, gap: 1e-6, work: MOST_WORK }
    }
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Separable.
    Yes {
        /// The separator, verified.
        certificate: Certificate,
        /// The margins; `None` when there is no example.
        margins: Option<Margins>,
    },
    /// Not separable.
    No {
        /// Gordan's multipliers, verified.
        certificate: Certificate,
        /// Two equal rows with opposite signs, from 0, where that is the proof.
        contradiction: Option<(usize, usize)>,
    },
    /// The search ended before there was an answer.
    Unknown {
        /// What is proven of separators, if there are any.
        upper: MarginBounds,
        /// Why it ended.
        ended: Ended,
    },
}

impl Verdict {
    /// Whether the examples are separable; `None` where the search ended before there was an answer.
    pub fn is_separable(&self) -> Option<bool> {
        match self {
            Verdict::Yes { .. } => Some(true),
            Verdict::No { .. } => Some(false),
            Verdict::Unknown { .. } => None,
        }
    }
}

/// Proven bounds from above: no separator has a larger margin. Each is of one space, as in [`Margins`], and `None`
/// where nothing is known of it or it is not asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MarginBounds {
    /// On the margin of the vectors (x, 1).
    pub unit_bias: Option<f64>,
    /// On the margin of the vectors x, without a bias.
    pub no_bias: Option<f64>,
    /// On the geometric margin with a free bias.
    pub free_bias: Option<f64>,
}

/// How well separable examples can be separated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// R = max‖x‖, rounded once.
    pub radius: f64,
    /// The largest margin of the vectors (x, 1), which is that of a perceptron with the unit bias; `None`
    /// when a bias was excluded.
    pub unit_bias: Option<Bracket>,
    /// The largest margin of the vectors x, which is that of a perceptron without a bias; `None` unless a
    /// bias was excluded.
    pub no_bias: Option<Bracket>,
    /// The largest geometric margin with a free bias: half the distance between the hulls of the classes.
    /// `None` when a bias was excluded or one class is empty.
    pub free_bias: Option<Bracket>,
    /// Why the bounds are farther apart than was asked for, where they may be.
    pub ended: Option<Ended>,
}

impl Margins {
    /// The most mistakes of a perceptron from zero with the unit bias: (R² + 1)/γ² for the lower bound on
    /// the margin of (x, 1); rounded up.
    pub fn unit_bias_mistakes(&self) -> Option<f64> {
        self.unit_bias.map(|margin| bracket::squares_over(&[self.radius, 1.0], margin.lower))
    }

    /// The same without a bias: (R/γ)².
    pub fn no_bias_mistakes(&self) -> Option<f64> {
        self.no_bias.map(|margin| bracket::squares_over(&[self.radius], margin.lower))
    }

    /// The same with the bias moved by R²: (2R/γ)² for the geometric margin with a free bias
    /// (Cristianini & Shawe-Taylor 2000, Theorem 2.3).
    pub fn radius_bias_mistakes(&self) -> Option<f64> {
        let bound = |margin: Bracket| bracket::squares_over(&[2.0 * self.radius], margin.lower);
        self.free_bias.map(bound)
    }
}

/// Decides whether the examples are separable, and how well.
///
/// `stop` is asked between the steps of the search, some thousand times a second or less; when it says
/// yes, the answer is what is proven by then.
///
/// Cost: usually 5 to 50 passes over the rows, and a few hundred to a few thousand steps of O(k²) for
/// the k ≤ d + 2 rows that bear on the answer; never much more than [`SeparabilityOptions::work`]. Memory: 8k² bytes, 16 bytes
/// a row, and some hundred to thousand rows once more.
///
/// ```
/// use rosenblatt::{data::{Examples, Rows, Sign}, separability::{SeparabilityOptions, Verdict, separable, verify}};
/// use Sign::{Minus, Plus};
/// let rows = Rows::dense(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2)?;
/// let xor = Examples::new(&rows, &[Minus, Plus, Plus, Minus])?;
/// let Verdict::No { certificate, .. } = separable(&xor, &SeparabilityOptions::default(), &mut || false) else {
///     unreachable!()
/// };
/// assert_eq!(verify(&certificate, &xor), Ok(()));
/// # Ok::<(), rosenblatt::data::RowsError>(())
/// ```
pub fn separable(
    examples: &Examples<'_>,
    options: &SeparabilityOptions,
    stop: &mut dyn FnMut() -> bool,
) -> Verdict {
    if examples.is_empty() {
        let certificate = Certificate::Yes {
            with_bias: options.with_bias,
            weights: vec![0.0; examples.features()],
            bias: 0.0,
        };
        return Verdict::Yes { certificate, margins: None };
    }
    if let Some((earlier, later)) = contradiction::contradiction(examples) {
        let certificate = Certificate::No {
            with_bias: options.with_bias,
            rows: vec![earlier + 1, later + 1],
            multipliers: vec!["1".into(), "1".into()],
        };
        return Verdict::No { certificate, contradiction: Some((earlier, later)) };
    }
    solver::Solver::new(*examples, *options, stop).solve()
}

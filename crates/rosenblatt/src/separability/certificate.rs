//! A proof that anyone can check, as it is written to a file.

use serde::{Deserialize, Serialize};

/// Why examples are separable, or why they are not.
///
/// In JSON: `{"separable":"yes","with_bias":true,"weights":[…],"bias":…}` or
/// `{"separable":"no","with_bias":true,"rows":[…],"multipliers":["…",…]}`. Floats are written so that they
/// come back with the same bits; integers that may be long are strings of decimal digits. **Rows are
/// counted from 1**, as in every message to people.
///
/// A certificate says nothing by itself: [`super::verify`] checks it against the examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "separable", rename_all = "lowercase", deny_unknown_fields)]
pub enum Certificate {
    /// A separator: `y(w·x + b) > 0` for every example.
    Yes {
        /// Whether a bias is allowed; without one `bias` is 0.
        with_bias: bool,
        /// The weights w, one a feature.
        weights: Vec<f64>,
        /// The bias b.
        bias: f64,
    },
    /// Gordan's alternative: multipliers with `Σ λᵢyᵢ(xᵢ, 1) = 0`, or `Σ λᵢyᵢxᵢ = 0` without a bias. A
    /// separator would make the same sum positive, times w and b.
    No {
        /// Whether separators with a bias are excluded too.
        with_bias: bool,
        /// The rows, counted from 1; no more than d + 2.
        rows: Vec<usize>,
        /// The multiplier of each row: a non-negative integer in decimal digits, not all 0.
        multipliers: Vec<String>,
    },
}

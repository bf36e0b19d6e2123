//! Margins: how far the examples are from the hyperplane, and what that allows the perceptron.
//!
//! The functional margin of an example is `y·s`, its geometric margin `y·s/‖w‖`. A hyperplane is a
//! separator when every functional margin is positive.
//!
//! # The theorem
//! With ‖zᵢ‖ ≤ R and u·zᵢ ≥ γ > 0 for some unit vector u (zᵢ = yᵢxᵢ), a perceptron from zero makes at
//! most (R/γ)² updates, in any order (Novikoff 1962). Which vectors these are depends on the bias:
//!
//! | bias | vectors | bound |
//! |---|---|---|
//! | `none` | x | (R/γ)² |
//! | `unit` | (x, 1) | (R²+1)/γ², γ the margin of the augmented vectors |
//! | `radius` | (x, R) | (2R/γ)², γ the geometric margin with a free bias (Cristianini & Shawe-Taylor 2000, Theorem 2.3) |
//!
//! # From below and from above
//! Weights that separate show γ ≥ their own margin. And for multipliers λ ≥ 0 with Σλ = 1,
//! γ ≤ ‖Σλᵢzᵢ‖, since u·Σλᵢzᵢ ≥ γ; a run from zero has w = Σ steps·zᵢ, so γ ≤ ‖w‖/Σ steps, with
//! or without convergence. For `radius` let u = (w*, b*/R) with ‖w*‖ = 1, whose margin on (x, R) is the
//! geometric margin γ; ‖u‖² = 1 + (b*/R)² ≤ 2, because the best b* is at most R where both classes
//! occur. So γ ≤ √2·‖(w, b/R)‖/Σ steps.

use crate::{
    data::{Examples, Row, Sign},
    exact,
    space::Hyperplane,
    train::Bias,
};

/// The smallest functional margin of the examples, correctly rounded. There must be one.
///
/// Cost: one pass; the exact score is taken only of rows that could be the closest.
pub fn min_functional_margin(hyperplane: &Hyperplane, examples: &Examples<'_>) -> f64 {
    let mut smallest = f64::INFINITY;
    for (row, sign) in examples.iter() {
        if lower_bound(hyperplane, row, sign) < smallest {
            smallest = smallest.min(sign * hyperplane.score(row));
        }
    }
    smallest
}

fn lower_bound(hyperplane: &Hyperplane, row: Row<'_>, sign: Sign) -> f64 {
    let (low, high) = exact::score_bounds(&hyperplane.weights, hyperplane.bias, row);
    if sign == Sign::Plus { low } else { -high }
}

/// The smallest geometric margin of the examples, in the space of the theorem for this bias (above):
/// divided by ‖(w, b)‖ for `unit`, by ‖w‖ otherwise. `None` when that norm is 0.
pub fn min_geometric_margin(
    hyperplane: &Hyperplane,
    bias: Bias,
    examples: &Examples<'_>,
) -> Option<f64> {
    let bias = if bias == Bias::Unit { hyperplane.bias } else { 0.0 };
    let norm = exact::norm(hyperplane.weights.iter().copied().chain([bias]));
    (norm > 0.0).then(|| min_functional_margin(hyperplane, examples) / norm)
}

/// Novikoff's bound on the number of updates from zero, for data with the radius R = max‖x‖ and at
/// least the margin `margin` > 0 (in the space of the theorem for this bias).
pub fn novikoff_bound(bias: Bias, radius: f64, margin: f64) -> f64 {
    let ratio = radius / margin;
    match bias {
        Bias::None => ratio * ratio,
        Bias::Unit => ratio * ratio + (1.0 / margin) * (1.0 / margin),
        Bias::Radius => 4.0 * (ratio * ratio),
    }
}

/// An upper bound on the margin γ of the data, from the last weights of a run from zero whose
/// `updates` steps sum to `steps` > 0 (each at most `largest_step`).
///
/// The stored weights differ from Σ steps·zᵢ by the roundings of each update, two an element, each at
/// most u = 2⁻⁵³ of the moved weight or of the step. As ‖w‖ ≤ S√t after t mistakes, with S the largest
/// step times the length of the longest vector, they sum to at most 2u·k·S·(√k + 1); that is added, and
/// the result rounded up.
pub fn margin_upper_bound(
    hyperplane: &Hyperplane,
    bias: Bias,
    radius: f64,
    updates: u64,
    steps: f64,
    largest_step: f64,
) -> f64 {
    let (last, longest, factor) = match bias {
        Bias::None => (0.0, radius, 1.0),
        Bias::Unit => (hyperplane.bias, radius.hypot(1.0), 1.0),
        Bias::Radius if radius > 0.0 => {
            (hyperplane.bias / radius, radius * 2f64.sqrt(), 2f64.sqrt())
        }
        Bias::Radius => (0.0, 0.0, 1.0),
    };
    let norm = exact::norm(hyperplane.weights.iter().copied().chain([last]));
    let k = updates as f64;
    let rounding = f64::EPSILON * k * largest_step * longest * (k.sqrt() + 1.0);
    factor * ((norm + rounding) / steps) * (1.0 + 8.0 * f64::EPSILON)
}

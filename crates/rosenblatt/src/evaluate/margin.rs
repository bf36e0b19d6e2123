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
    data::{Examples, RowError, Sign},
    exact,
    hyperplane::{Hyperplane, NormBounds},
    learner::Learner,
    options::{Bias, Options},
    rules::Update,
    space::{PrimalSpace, Scores, Space},
};

/// The smallest functional margin of the examples, correctly rounded; `None` when there is no example.
///
/// Cost: one pass; the exact score is taken only of rows that could be the closest.
///
/// # Errors
/// [`RowError`] when the examples have other features than the hyperplane, or its numbers are not finite.
pub fn min_functional_margin(
    hyperplane: &Hyperplane,
    examples: &Examples<'_>,
) -> Result<Option<f64>, RowError> {
    hyperplane.fits(examples)?;
    Ok((!examples.is_empty()).then(|| functional_margin(hyperplane, examples)))
}

/// The smallest functional margin of examples of the features of the hyperplane; infinite when there is none.
pub(crate) fn functional_margin(hyperplane: &Hyperplane, examples: &Examples<'_>) -> f64 {
    let space = PrimalSpace::new(examples.rows());
    smallest_margin(&space.scores(std::slice::from_ref(hyperplane)), 0, examples)
}

/// The smallest functional margin by the scores of one hyperplane.
pub(crate) fn smallest_margin(scores: &impl Scores, plane: usize, examples: &Examples<'_>) -> f64 {
    let mut smallest = f64::INFINITY;
    for row in 0..examples.len() {
        let sign = examples.sign(row);
        let (low, high) = scores.bounds(plane, row);
        let least = if sign == Sign::Plus { low } else { -high };
        if least < smallest {
            smallest = smallest.min(sign * scores.score(plane, row));
        }
    }
    smallest
}

/// The smallest geometric margin of the examples, in the space of the theorem for this bias (above):
/// divided by ‖(w, b)‖ for `unit`, by ‖w‖ otherwise. `None` when that norm is 0, or there is no example.
///
/// Its relative error is at most 4u with u = 2⁻⁵³: three roundings (margin, norm, quotient). Where a
/// score leaves the range of normal numbers, weights and bias are first scaled by a power of two, which
/// changes no geometric margin; `None` also when that does not help. So 0 means that an example lies on the
/// hyperplane.
///
/// # Errors
/// [`RowError`] when the examples have other features than the hyperplane, or its numbers are not finite.
pub fn min_geometric_margin(
    hyperplane: &Hyperplane,
    bias: Bias,
    examples: &Examples<'_>,
) -> Result<Option<f64>, RowError> {
    hyperplane.fits(examples)?;
    if examples.is_empty() {
        return Ok(None);
    }
    let space = PrimalSpace::new(examples.rows());
    let planes = std::slice::from_ref(hyperplane);
    let smallest = smallest_margin(&space.scores(planes), 0, examples);
    let length = space.norm_bounds(planes, &[bias_coordinate(hyperplane, bias)]);
    let both = length
        .first()
        .and_then(|&length| geometric(&space, hyperplane, bias, examples, (smallest, length)));
    Ok(both.map(|both| both.0))
}

/// What ‖w‖ gains by the bias being a feature.
pub(crate) fn bias_coordinate(hyperplane: &Hyperplane, bias: Bias) -> f64 {
    if bias == Bias::Unit { hyperplane.bias } else { 0.0 }
}

/// The smallest geometric margin and a lower bound of it, from the smallest functional margin and the
/// length of the weights.
pub(crate) fn geometric<S: Space>(
    space: &S,
    hyperplane: &Hyperplane,
    bias: Bias,
    examples: &Examples<'_>,
    (smallest, length): (f64, NormBounds),
) -> Option<(f64, f64)> {
    // 0 in the space of the features.
    let reach: f64 = hyperplane.weights.iter().map(|weight| weight.abs()).sum();
    let unsure = match space.uncertainty() {
        0.0 => 0.0,
        unsure => unsure * space.radius().square * reach,
    };
    let margin = |smallest: f64, length: NormBounds| {
        let margin = smallest / (0.5 * length.low + 0.5 * length.high);
        let representable = |a: f64| a.is_normal() || a == 0.0;
        let good = length.low.is_normal() && representable(smallest) && representable(margin);
        let lower = margin_lower_bound((smallest - unsure) / length.high);
        good.then_some((margin + 0.0, lower))
    };
    let is_sound = |both: &(f64, f64)| both.0 != 0.0;
    if let Some(both) = margin(smallest, length).filter(is_sound) {
        return Some(both);
    }
    // A 0 may be a score that underflowed.
    let scaled = || {
        let scaled = [scaled_to_one(hyperplane)?];
        let smallest = smallest_margin(&space.scores(&scaled), 0, examples);
        let length = space.norm_bounds(&scaled, &[bias_coordinate(&scaled[0], bias)]);
        margin(smallest, *length.first()?).filter(is_sound)
    };
    let on_the_plane = || {
        let is_zero = smallest == 0.0 && length.high > 0.0;
        let scores = space.scores(std::slice::from_ref(hyperplane));
        let lies = |row| scores.sign(0, row).is_eq();
        (is_zero && (0..examples.len()).any(lies)).then_some((0.0, 0.0))
    };
    scaled().or_else(on_the_plane)
}

/// The hyperplane times a power of two, so that the largest number is about 1; `None` where that is
/// not exact.
fn scaled_to_one(hyperplane: &Hyperplane) -> Option<Hyperplane> {
    let numbers = hyperplane.weights.iter().chain([&hyperplane.bias]);
    let largest = numbers.fold(0.0f64, |largest, a| largest.max(a.abs()));
    // Halves of the exponent, as the whole power may be out of range.
    let half = if largest > 0.0 { (-libm::log2(largest) / 2.0).round() } else { return None };
    let (first, second) = (libm::exp2(half), (-libm::log2(largest)).round() - half);
    let scale = |a: f64| a * first * libm::exp2(second);
    let back = |a: f64| a / libm::exp2(second) / first;
    let weights: Vec<f64> = hyperplane.weights.iter().map(|&w| scale(w)).collect();
    let scaled = Hyperplane { weights, bias: scale(hyperplane.bias) };
    let mut pairs = scaled.weights.iter().zip(&hyperplane.weights);
    let exact =
        pairs.all(|(&scaled, &w)| back(scaled) == w) && back(scaled.bias) == hyperplane.bias;
    exact.then_some(scaled)
}

/// Novikoff's bound on the number of updates from zero, for data with the radius R = max‖x‖ and at
/// least the margin `margin` > 0 (in the space of the theorem for this bias); rounded up. `None` unless the radius is a
/// number from 0 and the margin a positive one. Infinite for a radius below the normal numbers, whose rounding is no
/// relative one.
pub fn novikoff_bound(bias: Bias, radius: f64, margin: f64) -> Option<f64> {
    let is_sound = radius >= 0.0 && radius.is_finite() && margin > 0.0 && margin.is_finite();
    is_sound.then(|| bound_of(bias, radius, margin))
}

fn bound_of(bias: Bias, radius: f64, margin: f64) -> f64 {
    if radius.is_subnormal() {
        return f64::INFINITY;
    }
    // The bound times γ² is the sum of these products.
    let products: &[(f64, f64)] = match bias {
        Bias::None => &[(radius, radius)],
        Bias::Unit => &[(radius, radius), (1.0, 1.0)],
        Bias::Radius => &[(radius, radius); 4],
    };
    let mut bound: f64 = products.iter().map(|&(a, b)| (a / margin) * (b / margin)).sum();
    if !(1e-280..1e280).contains(&(margin * margin)) {
        // Each product has three roundings, and their sum three at most: below 2⁻⁵⁰.
        return bound * (1.0 + 4.0 * f64::EPSILON);
    }
    while bound.is_finite() && is_below(bound, margin, products) {
        bound = bound.next_up();
    }
    bound
}

/// Whether `bound · γ²` is below the sum of the products, exactly: γ² is split into its rounded value
/// and its rounding error, which is exact because it does not under- or overflow.
fn is_below(bound: f64, margin: f64, products: &[(f64, f64)]) -> bool {
    let square = margin * margin;
    let mut rest = exact::Accumulator::new();
    rest.add_product(bound, square);
    rest.add_product(bound, margin.mul_add(margin, -square));
    products.iter().for_each(|&(a, b)| rest.add_product(-a, b));
    rest.sign().is_lt()
}

/// A lower bound on the margin γ of the data from the computed margin of some weights: rounded down past the 4u of
/// [`min_geometric_margin`].
pub fn margin_lower_bound(margin: f64) -> f64 {
    let down = if margin < 0.0 { 1.0 + 4.0 * f64::EPSILON } else { 1.0 - 4.0 * f64::EPSILON };
    margin * down
}

/// The most updates that the theorem allows a run from zero with one learning rate; `None` for a rule
/// that it does not cover. No score that the run decided by is off by more than `slack`.
///
/// For the margin rule: with step η, `‖w‖²` grows by at most η²R² + 2ηM an update and `u·w` by at least
/// ηγ, hence k ≤ (R² + 2M/η)/γ². The perceptron is the margin rule with M = 0, and scores that are off by
/// up to ε make it one with M = ε.
pub(crate) fn update_bound(options: &Options, radius: f64, margin: f64, slack: f64) -> Option<f64> {
    let asked = options.update.novikoff()? + slack;
    let bound = bound_of(options.bias, radius, margin);
    if asked == 0.0 {
        return Some(bound);
    }
    let share = (2.0 * asked / options.eta / margin / margin) * (1.0 + 4.0 * f64::EPSILON);
    // The vectors (x, R) have half the squared margin, see the module's note.
    let share = if options.bias == Bias::Radius { 2.0 * share } else { share };
    Some((bound + share).next_up())
}

/// An upper bound on the margin γ of the data, from the last weights of a run from zero with at least
/// one update; `largest_rate` is the largest learning rate, `length` that of (w, bias in the theorem).
///
/// The stored weights differ from Σ steps·zᵢ by the roundings of each of the k updates, two an element,
/// each at most u = 2⁻⁵³ of the moved weight or of the step, or half of 2⁻¹⁰⁷⁴ where the step
/// underflows: together at most 2u·Σ(‖wₜ‖ + S) + k·√(d+1)·2⁻¹⁰⁷⁵, with d weights and S the largest step
/// times the length of the longest vector. After t mistakes of the perceptron ‖wₜ‖ ≤ S√t; for any rule
/// ‖wₜ‖ ≤ the sum of the steps times that length. The sum of the steps has a relative error of at most
/// k·u. The result is rounded up past all this. In the dual form the coefficients round likewise, each
/// by u of itself, the sum of its row's steps, times the length of that row: within the same bound of
/// any rule; the perceptron's steps along one row are of one size, the coefficient is a whole multiple of it
/// and rounds no more. Nothing here asks that rows have the same rate: S is that of the largest.
pub(crate) fn margin_upper_bound(
    learner: &Learner,
    options: &Options,
    radius: f64,
    largest_rate: f64,
    length: NormBounds,
) -> f64 {
    let (longest, factor) = match options.bias {
        Bias::None => (radius, 1.0),
        Bias::Unit => (exact::norm([radius, 1.0]), 1.0),
        Bias::Radius if radius > 0.0 => (radius * 2f64.sqrt(), 2f64.sqrt()),
        Bias::Radius => (0.0, 1.0),
    };
    let (k, steps) = (learner.updates() as f64, learner.steps());
    let largest = match options.update == Update::PERCEPTRON {
        true => largest_rate * (k.sqrt() + 1.0),
        false => 2.0 * steps,
    };
    let rounding = f64::EPSILON * k * longest * largest;
    let weights = learner.hyperplane().weights.len() as f64;
    let underflow = k * (weights + 1.0).sqrt().ceil() * f64::from_bits(1);
    factor * ((length.high + rounding + underflow) / steps) * (1.0 + (k + 16.0) * f64::EPSILON)
}

/// The number that stands beside the last weights in that bound: the bias in the space of the theorem.
pub(crate) fn bias_in_theorem(hyperplane: &Hyperplane, bias: Bias, radius: f64) -> f64 {
    match bias {
        Bias::Unit => hyperplane.bias,
        Bias::Radius if radius > 0.0 => hyperplane.bias / radius,
        Bias::None | Bias::Radius => 0.0,
    }
}

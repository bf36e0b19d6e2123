//! Margins of the examples, and the bounds of Novikoff's theorem.
//!
//! The functional margin of an example is `y·s`. Its margin is the functional margin divided by the norm of the weights,
//! which counts the bias as one of them with `unit` and `unit:S`. Without that it is the geometric margin `y·s/‖w‖`, the
//! distance of an example from the hyperplane, negative on the wrong side. A hyperplane is a separator if every
//! functional margin is positive.
//!
//! # The theorem
//! With ‖zᵢ‖ ≤ R and u·zᵢ ≥ γ > 0 for some unit vector u (zᵢ = yᵢxᵢ), a perceptron from zero makes at most (R/γ)²
//! updates, in any order (Novikoff 1962). The vectors depend on the bias:
//!
//! | bias | vectors | bound |
//! |---|---|---|
//! | `none` | x | (R/γ)² |
//! | `unit` | (x, 1) | (R²+1)/γ², γ the margin of the augmented vectors |
//! | `unit:S` | (x, S) | (R²+S²)/γ², likewise |
//! | `radius` | (x, R) | (2R/γ)², γ the geometric margin with a free bias (Cristianini & Shawe-Taylor 2000, Theorem 2.3) |
//!
//! # Lower and upper bounds
//! Separating weights prove that γ is at least their own margin. For multipliers λ ≥ 0 with Σλ = 1, γ ≤ ‖Σλᵢzᵢ‖, since
//! u·Σλᵢzᵢ ≥ γ. A run from zero has w = Σ steps·zᵢ, so γ ≤ ‖w‖/Σ steps, with or without convergence. For `radius` let u
//! = (w*, b*/R) with ‖w*‖ = 1, whose margin on (x, R) is the geometric margin γ. Then ‖u‖² = 1 + (b*/R)² ≤ 2, because
//! the best b* is at most R if both classes occur. So γ ≤ √2·‖(w, b/R)‖/Σ steps.
//!
//! # Several classes learned together
//! The vectors are then zᵢ with x in the place of the class y and −x in that of a rival r, and γ is the margin of weights
//! (w₁, …, w_K) of norm 1: (w_y − w_r)·x ≥ γ for every rival of every example. As ‖z‖² = 2‖x‖², the bounds of the table
//! double. For `radius` let W be separating weights of norm 1 with margin γ and biases whose sum is 0, which changes no
//! difference. Rows of y and of r, if both classes occur, have (w_y − w_r)·x + b_y − b_r > 0 and (w_r − w_y)·x' + b_r −
//! b_y > 0, so |b_y − b_r| ≤ R‖w_y − w_r‖. The sum of all squared differences of K numbers whose sum is 0 is 2K times that
//! of their squares. Hence Σbₖ² ≤ R²Σ‖wₖ‖² = R², and ‖u‖² = 1 + Σ(bₖ/R)² ≤ 2 as for two classes.

use crate::{
    data::{Examples, RowError, Sign},
    exact,
    hyperplane::{Hyperplane, NormBounds},
    learner::Learner,
    options::{Bias, Options},
    space::{PrimalSpace, Scores, Space},
};

/// Returns the smallest functional margin of the examples, correctly rounded; `None` without examples.
///
/// Cost: one pass; exact scores are computed only for rows that could be the closest.
///
/// # Errors
/// [`RowError`] if the examples have another number of features than the hyperplane, or its numbers are not finite.
pub fn min_functional_margin(
    hyperplane: &Hyperplane,
    examples: &Examples<'_>,
) -> Result<Option<f64>, RowError> {
    hyperplane.fits(examples)?;
    Ok((!examples.is_empty()).then(|| functional_margin(hyperplane, examples)))
}

/// The smallest functional margin of examples with the features of the hyperplane; infinite without examples.
pub fn functional_margin(hyperplane: &Hyperplane, examples: &Examples<'_>) -> f64 {
    let space = PrimalSpace::new(examples.rows());
    smallest_margin(&space.scores(std::slice::from_ref(hyperplane)), 0, examples)
}

/// The smallest functional margin from the scores of one hyperplane.
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

/// Returns the smallest margin of the examples, in the space of the theorem for this bias (see above): divided by
/// ‖(w, b)‖ for `unit`, by ‖(w, b/S)‖ for `unit:S`, otherwise by ‖w‖. `None` if that norm is 0 or there are no examples.
///
/// The relative error is at most 4u with u = 2⁻⁵³: three roundings (margin, norm, quotient); with `unit:S` at most 6u,
/// by the roundings of S² and b/S. If a score leaves the range of normal numbers, weights and bias are first scaled by a
/// power of two, which changes no margin. `None` if that does not help. So a result of 0 means that an example
/// lies on the hyperplane.
///
/// # Errors
/// [`RowError`] if the examples have another number of features than the hyperplane, or its numbers are not finite.
pub fn min_margin(
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
    let both = length.first().and_then(|&length| {
        margin_and_bound(&space, hyperplane, bias, examples, (smallest, length))
    });
    Ok(both.map(|both| both.0))
}

/// The weight of the bias feature in ‖w‖; 0 without one.
pub(crate) fn bias_coordinate(hyperplane: &Hyperplane, bias: Bias) -> f64 {
    bias.feature().map_or(0.0, |size| hyperplane.bias / size)
}

/// The smallest margin and a lower bound on it, from the smallest functional margin and the norm of the
/// weights.
pub(crate) fn margin_and_bound<S: Space>(
    space: &S,
    hyperplane: &Hyperplane,
    bias: Bias,
    examples: &Examples<'_>,
    (smallest, length): (f64, NormBounds),
) -> Option<(f64, f64)> {
    // 0 in feature space.
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
    // A margin of 0 may be a score that underflowed.
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

/// The hyperplane times a power of two that makes its largest number about 1; `None` if that is not exact.
fn scaled_to_one(hyperplane: &Hyperplane) -> Option<Hyperplane> {
    let numbers = hyperplane.weights.iter().chain([&hyperplane.bias]);
    let largest = numbers.fold(0.0f64, |largest, a| largest.max(a.abs()));
    // Applied as two half powers, because the whole power may be out of range.
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

/// Returns Novikoff's bound on the number of updates from zero, rounded up. `radius` is R = max‖x‖, and `margin` > 0 is
/// a lower bound on the margin in the space of the theorem for this bias. `None` unless the radius is a number of at
/// least 0 and the margin is positive. Infinite for a radius below the normal numbers, whose rounding has no relative
/// bound.
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
        Bias::Feature(size) => &[(radius, radius), (size * size, 1.0)],
        Bias::Radius => &[(radius, radius); 4],
    };
    let mut bound: f64 = products.iter().map(|&(a, b)| (a / margin) * (b / margin)).sum();
    if !(1e-280..1e280).contains(&(margin * margin)) {
        // Each product has three roundings, and their sum at most three: below 2⁻⁵⁰.
        return bound * (1.0 + 4.0 * f64::EPSILON);
    }
    while bound.is_finite() && is_below(bound, margin, products) {
        bound = bound.next_up();
    }
    bound
}

/// Whether `bound · γ²` is exactly below the sum of the products. γ² is split into its rounded value and its rounding
/// error, which is exact because it does not under- or overflow.
fn is_below(bound: f64, margin: f64, products: &[(f64, f64)]) -> bool {
    let square = margin * margin;
    let mut rest = exact::Accumulator::new();
    rest.add_product(bound, square);
    rest.add_product(bound, margin.mul_add(margin, -square));
    products.iter().for_each(|&(a, b)| rest.add_product(-a, b));
    rest.sign().is_lt()
}

/// Returns a lower bound on the margin γ of the data from the computed margin of some weights, rounded down past the 6u
/// of [`min_margin`].
pub fn margin_lower_bound(margin: f64) -> f64 {
    let down = if margin < 0.0 { 1.0 + 4.0 * f64::EPSILON } else { 1.0 - 4.0 * f64::EPSILON };
    margin * down
}

/// The theorem's bound on the number of updates of a run that it covers, of a rule that updates while a functional margin is at
/// most `asked`.
///
/// For the margin rule with step η, an update increases `‖w‖²` by at most η²R² + 2ηM and `u·w` by at least ηγ. Hence k
/// ≤ (R² + 2M/η)/γ². The perceptron is the margin rule with M = 0; scores that are off by up to ε make it a margin rule
/// with M = ε.
///
/// `rows` is 1, or 2 where several classes are learned together and each vector consists of two rows.
pub fn update_bound(options: &Options, radius: f64, margin: f64, asked: f64, rows: u8) -> f64 {
    let bound = f64::from(rows) * bound_of(options.bias, radius, margin);
    if asked == 0.0 {
        return bound;
    }
    let share = (2.0 * asked / options.eta / margin / margin) * (1.0 + 4.0 * f64::EPSILON);
    // The vectors (x, R) have half the squared margin; see the module documentation.
    let share = if options.bias == Bias::Radius { 2.0 * share } else { share };
    (bound + share).next_up()
}

/// The updates of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UpdateTotals {
    pub(crate) updates: u64,
    /// The sum of the absolute steps.
    pub(crate) steps: f64,
    /// The largest learning rate.
    pub(crate) largest_rate: f64,
    /// The number of weights of a hyperplane.
    pub(crate) weights: usize,
    /// The rows of a vector of the theorem: 1, or 2 where several classes are learned together.
    pub(crate) rows: u8,
}

impl UpdateTotals {
    /// The updates of one hyperplane.
    pub(crate) fn of(learner: &Learner, largest_rate: f64) -> Self {
        let (updates, steps) = (learner.updates(), learner.steps());
        let weights = learner.hyperplane().weights.len();
        UpdateTotals { updates, steps, largest_rate, weights, rows: 1 }
    }

    /// The updates of several hyperplanes that learn together. Each was counted by that of its class.
    pub(crate) fn joint<'l>(
        learners: impl Iterator<Item = &'l Learner>,
        largest_rate: f64,
    ) -> Self {
        let none = UpdateTotals { updates: 0, steps: 0.0, largest_rate, weights: 0, rows: 2 };
        learners.fold(none, |sum, learner| UpdateTotals {
            updates: sum.updates + learner.updates(),
            steps: sum.steps + learner.steps(),
            weights: learner.hyperplane().weights.len(),
            ..sum
        })
    }
}

/// An upper bound on the margin γ of the data, from the last weights of a run from zero with at least one update.
/// `length` is the norm of (w, bias in the theorem).
///
/// The stored weights differ from Σ steps·zᵢ by the roundings of each of the k updates, two per element. Each rounding
/// is at most u = 2⁻⁵³ of the moved weight or of the step, or half of 2⁻¹⁰⁷⁴ if the step underflows. Together they are
/// at most 2u·Σ(‖wₜ‖ + S) + k·√(d+1)·2⁻¹⁰⁷⁵, with d weights and S the largest step times the norm of the longest
/// vector. After t mistakes of the perceptron ‖wₜ‖ ≤ S√t; for any rule ‖wₜ‖ ≤ the sum of the steps times that norm. The
/// sum of the steps has a relative error of at most k·u. The result is rounded up past all this.
///
/// In the dual form the coefficients round likewise, each by u of itself (the sum of its row's steps) times the norm of
/// that row: within the same bound of any rule. The perceptron's steps along one row have one size, so the coefficient
/// is a whole multiple of it and rounds no more. Rows may have different rates: S is that of the largest. Where the rate falls
/// from epoch to epoch, the bound of any rule holds.
///
/// Where a vector consists of two rows, S is √2 times as large, and 2(d+1) elements move. The sum of the steps is that
/// of one sum per class, with as many additions.
pub(crate) fn margin_upper_bound(
    totals: UpdateTotals,
    options: &Options,
    radius: f64,
    length: NormBounds,
) -> f64 {
    let rows = f64::from(totals.rows);
    let (longest, factor) = match options.bias {
        Bias::None => (radius, 1.0),
        Bias::Unit => (exact::norm([radius, 1.0]), 1.0),
        Bias::Feature(size) => (exact::norm([radius, size]), 1.0),
        Bias::Radius if radius > 0.0 => (radius * 2f64.sqrt(), 2f64.sqrt()),
        Bias::Radius => (0.0, 1.0),
    };
    let (k, steps) = (totals.updates as f64, totals.steps);
    let largest = match options.dynamics().grows_with_root {
        true => totals.largest_rate * (k.sqrt() + 1.0),
        false => 2.0 * steps,
    };
    let rounding = f64::EPSILON * k * (rows.sqrt() * longest) * largest;
    let elements = rows * (totals.weights as f64 + 1.0);
    let underflow = k * elements.sqrt().ceil() * f64::from_bits(1);
    factor * ((length.high + rounding + underflow) / steps) * (1.0 + (k + 16.0) * f64::EPSILON)
}

/// That bound from the hyperplanes of several classes that learned together.
pub(crate) fn joint_upper_bound<'p>(
    totals: UpdateTotals,
    options: &Options,
    radius: f64,
    planes: impl Iterator<Item = &'p Hyperplane>,
) -> f64 {
    let numbers = |plane: &'p Hyperplane| {
        let bias = bias_in_theorem(plane, options.bias, radius);
        plane.weights.iter().copied().chain([bias])
    };
    let norm = exact::norm(planes.flat_map(numbers));
    margin_upper_bound(totals, options, radius, NormBounds { low: norm, high: norm })
}

/// The bias coordinate in the theorem's space, which that bound appends to the last weights.
pub(crate) fn bias_in_theorem(hyperplane: &Hyperplane, bias: Bias, radius: f64) -> f64 {
    match bias {
        Bias::Unit | Bias::Feature(_) => bias_coordinate(hyperplane, bias),
        Bias::Radius if radius > 0.0 => hyperplane.bias / radius,
        Bias::None | Bias::Radius => 0.0,
    }
}

//! Platt's sigmoid of the score, fitted as by Lin, Lin & Weng, "A note on Platt's probabilistic outputs for support
//! vector machines" (*Machine Learning* 68, 2007).

use super::groups::Group;

/// The sigmoid 1/(1 + exp(−(slope·score + intercept))). The slope is at least 0.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Sigmoid {
    /// The slope.
    pub slope: f64,
    /// The intercept.
    pub intercept: f64,
}

impl Sigmoid {
    /// The probabilities of the negative and of the positive side.
    pub(super) fn sides(self, score: f64) -> [f64; 2] {
        sides(self.slope * score + self.intercept)
    }

    pub(super) fn is_sound(self) -> bool {
        self.slope.is_finite() && self.slope >= 0.0 && self.intercept.is_finite()
    }
}

/// 1/(1 + eᵗ) and 1/(1 + e⁻ᵗ). Past the range of eᵗ, which is from e⁻⁷⁴⁵ to e⁷⁰⁹, they are 0 and 1.
///
/// The sum and the quotient are rounded to results that fall as the power rises. Of e⁻ᵗ/(1 + e⁻ᵗ) that is not true.
fn sides(t: f64) -> [f64; 2] {
    [t, -t].map(|t| 1.0 / (1.0 + libm::exp(t)))
}

/// The most steps of Newton's method. The objective is convex, and a fit takes some ten.
const STEPS: usize = 100;

/// The sigmoid with the least cross-entropy to the targets of Platt: (n₊ + 1)/(n₊ + 2) for each of the n₊ positive rows
/// and 1/(n₋ + 2) for each of the n₋ others. They are the means of a uniform prior for a label that may be wrong, and
/// make the optimum finite also where a score separates the labels. If scores would have to fall, the slope is 0.
///
/// Scores are divided by a power of two first, which changes no digit. `None` if a result is past the range of `f64`.
pub(super) fn fit(groups: &[Group]) -> Option<Sigmoid> {
    let largest = groups.iter().map(|group| group.score.abs()).fold(0.0, f64::max);
    let exponent = if largest > 0.0 { libm::ilogb(largest) } else { 0 };
    let problem = Problem::new(groups, exponent);
    let [slope, intercept] = problem.minimum();
    let slope = libm::ldexp(slope, -exponent);
    let sigmoid = if slope > 0.0 {
        Sigmoid { slope, intercept }
    } else {
        Sigmoid { slope: 0.0, intercept: problem.constant() }
    };
    sigmoid.is_sound().then_some(sigmoid)
}

/// Slope and intercept, with the derivatives of the cross-entropy there.
struct Place {
    point: [f64; 2],
    gradient: [f64; 2],
    /// The second derivatives: by the slope, by both, by the intercept.
    second: [f64; 3],
}

impl Place {
    fn new(problem: &Problem, point: [f64; 2]) -> Self {
        let (gradient, second) = problem.derivatives(point);
        Place { point, gradient, second }
    }

    /// The step of Newton's method.
    fn step(&self) -> [f64; 2] {
        let ([g0, g1], [h00, h01, h11]) = (self.gradient, self.second);
        let determinant = h00 * h11 - h01 * h01;
        [(h01 * g1 - h11 * g0) / determinant, (h01 * g0 - h00 * g1) / determinant]
    }

    /// The first derivative along a step.
    fn slope(&self, step: [f64; 2]) -> f64 {
        self.gradient[0] * step[0] + self.gradient[1] * step[1]
    }

    fn size(&self) -> f64 {
        self.gradient[0].abs().max(self.gradient[1].abs())
    }
}

/// Scores with their targets.
struct Problem {
    /// A score, the number of rows with it, and the sum of their targets.
    points: Vec<[f64; 3]>,
    rows: f64,
    /// The sum of all targets.
    targets: f64,
}

impl Problem {
    fn new(groups: &[Group], exponent: i32) -> Self {
        let rows = groups.iter().map(|group| group.rows).sum::<u64>() as f64;
        let positives = groups.iter().map(|group| group.positives).sum::<u64>() as f64;
        let high = (positives + 1.0) / (positives + 2.0);
        let low = 1.0 / (rows - positives + 2.0);
        let point = |group: &Group| {
            let positives = group.positives as f64;
            let target = positives * high + (group.rows - group.positives) as f64 * low;
            [libm::ldexp(group.score, -exponent), group.rows as f64, target]
        };
        let targets = positives * high + (rows - positives) * low;
        Problem { points: groups.iter().map(point).collect(), rows, targets }
    }

    /// The best intercept without a slope.
    fn constant(&self) -> f64 {
        libm::log(self.targets / (self.rows - self.targets))
    }

    /// The minimum, as slope and intercept: Newton's method. A step that does not halve the gradient is shortened until
    /// the value falls.
    fn minimum(&self) -> [f64; 2] {
        let mut at = Place::new(self, [0.0, self.constant()]);
        for _ in 0..STEPS {
            if at.size() == 0.0 {
                break;
            }
            let step = at.step();
            let next = Place::new(self, [at.point[0] + step[0], at.point[1] + step[1]]);
            if next.size() <= at.size() / 2.0 {
                at = next;
                continue;
            }
            let (value, slope) = (self.value(at.point), at.slope(step));
            // Below this the difference of two values is rounding.
            if -slope <= value * 1e-14 {
                break;
            }
            let shorter = (0..40).map(|halvings| {
                let share = libm::ldexp(1.0, -halvings);
                ([at.point[0] + share * step[0], at.point[1] + share * step[1]], share)
            });
            let is_lower =
                |next: &([f64; 2], f64)| self.value(next.0) < value + 1e-4 * next.1 * slope;
            let Some((point, _)) = shorter.into_iter().find(is_lower) else { break };
            at = Place::new(self, point);
        }
        at.point
    }

    /// The cross-entropy.
    fn value(&self, [slope, intercept]: [f64; 2]) -> f64 {
        let one = |&[score, rows, target]: &[f64; 3]| {
            let t = slope * score + intercept;
            let tail = libm::log1p(libm::exp(-t.abs()));
            // rows·ln(1 + eᵗ) − target·t
            rows * tail + if t >= 0.0 { (rows - target) * t } else { -target * t }
        };
        self.points.iter().map(one).sum()
    }

    /// The gradient and the matrix of second derivatives, with a small number on its diagonal.
    fn derivatives(&self, [slope, intercept]: [f64; 2]) -> ([f64; 2], [f64; 3]) {
        let (mut gradient, mut second) = ([0.0; 2], [1e-12, 0.0, 1e-12]);
        for &[score, rows, target] in &self.points {
            let [less, more] = sides(slope * score + intercept);
            let (difference, curvature) = (rows * more - target, rows * less * more);
            gradient[0] += difference * score;
            gradient[1] += difference;
            second[0] += curvature * score * score;
            second[1] += curvature * score;
            second[2] += curvature;
        }
        (gradient, second)
    }
}

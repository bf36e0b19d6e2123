//! The rules of a visit: the prediction, the mistake and the step.

use std::cmp::Ordering;

use super::{Example, Settings};
use crate::{
    data::{Sign, ZeroScore},
    exact::Accumulator,
    hyperplane::Hyperplane,
    rules::{ExampleView, Mistake, StepInput},
};

/// The class that a score predicts: sgn(s), where `zero` says what sgn(0) is. The lectures differ there.
///
/// ```
/// use rosenblatt_core::{data::{Sign, ZeroScore}, reference::rule::predicted};
/// use std::cmp::Ordering::{Equal, Less};
/// assert_eq!(predicted(Less, ZeroScore::Positive), Sign::Minus);
/// assert_eq!(predicted(Equal, ZeroScore::Positive), Sign::Plus);
/// assert_eq!(predicted(Equal, ZeroScore::Negative), Sign::Minus);
/// ```
pub fn predicted(score: Ordering, zero: ZeroScore) -> Sign {
    let is_plus = match zero {
        ZeroScore::Positive => score.is_ge(),
        ZeroScore::Negative => score.is_gt(),
    };
    if is_plus { Sign::Plus } else { Sign::Minus }
}

/// Whether a visit is a mistake. By the rule `margin`, y·s ≤ 0; by the rule `label`, the predicted class is not y.
///
/// A positive example with the score 0, where 0 predicts +1, is a mistake only by the rule `margin`.
/// ```
/// use rosenblatt_core::{data::{Sign, ZeroScore}, reference::rule::is_mistake, rules::Mistake};
/// use std::cmp::Ordering::Equal;
/// assert!(is_mistake(Mistake::Margin, Equal, Sign::Plus, ZeroScore::Positive));
/// assert!(!is_mistake(Mistake::Label, Equal, Sign::Plus, ZeroScore::Positive));
/// ```
pub fn is_mistake(mistake: Mistake, score: Ordering, sign: Sign, zero: ZeroScore) -> bool {
    match (mistake, sign) {
        (Mistake::Margin, Sign::Plus) => score.is_le(),
        (Mistake::Margin, Sign::Minus) => score.is_ge(),
        (Mistake::Label, _) => predicted(score, zero) != sign,
    }
}

/// The step τ of a visit, or `None` for no update; [`second_order`](super::second_order) has those of the rules with
/// precisions.
///
/// | rule | condition | τ |
/// |---|---|---|
/// | `perceptron` (Rosenblatt 1958) | a mistake | η |
/// | `margin:M` (Krauth & Mézard 1987) | a mistake, or y·s ≤ M | η |
/// | `pa` (Crammer et al. 2006) | l > 0 | l / ‖x‖² |
/// | `pa1:C` | l > 0 | min(C·η, l / ‖x‖²) |
/// | `pa2:C` | l > 0 | l / (‖x‖² + 1/(2C·η)) |
///
/// Here l = 1 − y·s is the hinge loss and `square` is ‖x‖², in which a learned bias counts as one more feature √B. Both
/// are rounded once. No step lowers the loss of a row of zeros without a bias: there `pa` and `pa1` leave the weights.
///
/// x = (1, 1, 1), y = +1, η = 1 at w = 0, b = 0, with B = 1: l = 1 and ‖x‖² = 4.
/// ```
/// use rosenblatt_core::{data::Sign, space::Hyperplane};
/// use rosenblatt_core::reference::{Example, Settings, primal::squared_norm, rule};
/// let example = Example { x: vec![1.0; 3], sign: Sign::Plus, rate: 1.0 };
/// let square = squared_norm(&example.x, 1.0);
/// for (name, step) in [("perceptron", 1.0), ("pa", 0.25), ("pa1:0.125", 0.125), ("pa2:0.5", 0.2)] {
///     let settings = Settings { update: name.parse()?, ..Settings::default() };
///     assert_eq!(rule::step(&example, &Hyperplane::zero(3), &square, &settings), Some(step));
/// }
/// # Ok::<(), rosenblatt_core::rules::UnknownUpdate>(())
/// ```
pub fn step(
    example: &Example,
    now: &Hyperplane,
    square: &Accumulator,
    settings: &Settings,
) -> Option<f64> {
    let (score, rate) = (example.score_sign(now), example.rate);
    let mistake = is_mistake(settings.mistake, score, example.sign, settings.zero);
    let is_within = |margin: f64| example.margin_beyond(margin, now).sign().is_le();
    let (loss, norm) = (-example.margin_beyond(1.0, now).rounded(), square.rounded());
    let positive = |step: f64| {
        let can_lower_loss = step.is_finite() || square.sign().is_gt();
        (loss > 0.0 && step > 0.0 && can_lower_loss).then_some(step)
    };
    // M or C.
    let parameter = settings.update.parameter().unwrap_or_default();
    match settings.update.rule().name {
        "perceptron" => mistake.then_some(rate),
        "margin" => (mistake || is_within(parameter)).then_some(rate),
        "pa" => positive(loss / norm),
        "pa1" => positive(loss / norm).map(|step| step.min(parameter * rate)),
        "pa2" => positive(loss / (norm + 1.0 / (2.0 * parameter * rate))),
        // For other rules this calls the engine's step, so that only the rest of the visit is checked independently.
        _ => {
            let (sign, bias_square) = (example.sign, settings.bias_unit);
            let variance: &dyn Fn() -> f64 = &|| 0.0;
            let view = ExactExample { example, square };
            let hyperplane = now;
            let input =
                StepInput { hyperplane, example: &view, sign, mistake, bias_square, variance };
            settings.update.step(&input, rate)
        }
    }
}

/// An example whose scores are all exact sums.
struct ExactExample<'e> {
    example: &'e Example,
    /// ‖x‖² with the bias feature.
    square: &'e Accumulator,
}

impl ExactExample<'_> {
    /// y·(s − threshold).
    fn margin_beyond(&self, now: &Hyperplane, threshold: f64) -> Accumulator {
        self.example.margin_beyond(self.example.sign * threshold, now)
    }
}

impl ExampleView for ExactExample<'_> {
    fn compare(&self, now: &Hyperplane, threshold: f64) -> Ordering {
        let margin = self.margin_beyond(now, threshold).sign();
        if self.example.sign == Sign::Plus { margin } else { margin.reverse() }
    }

    fn score_beyond(&self, now: &Hyperplane, threshold: f64) -> f64 {
        self.example.sign * self.margin_beyond(now, threshold).rounded()
    }

    fn squared_norm(&self, _: f64) -> f64 {
        self.square.rounded()
    }

    fn is_zero(&self) -> bool {
        self.square.sign().is_eq()
    }
}

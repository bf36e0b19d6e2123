//! The rules of a visit: the prediction, the mistake and the step.

use std::cmp::Ordering;

use super::{Example, Settings};
use crate::{
    data::{Sign, ZeroScore},
    exact::Accumulator,
    space::Hyperplane,
    update::{Mistake, Update},
};

/// The class that a score predicts: sgn(s), where `zero` says what sgn(0) is. The lectures differ there.
///
/// ```
/// use rosenblatt::{data::{Sign, ZeroScore}, reference::rule::predicted};
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
/// use rosenblatt::{data::{Sign, ZeroScore}, reference::rule::is_mistake, update::Mistake};
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

/// The step τ of a visit; none where the weights stay.
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
/// use rosenblatt::{data::Sign, space::Hyperplane};
/// use rosenblatt::reference::{Example, Settings, primal::squared_norm, rule};
/// let example = Example { x: vec![1.0; 3], sign: Sign::Plus, rate: 1.0 };
/// let square = squared_norm(&example.x, 1.0);
/// for (name, step) in [("perceptron", 1.0), ("pa", 0.25), ("pa1:0.125", 0.125), ("pa2:0.5", 0.2)] {
///     let settings = Settings { update: name.parse()?, ..Settings::default() };
///     assert_eq!(rule::step(&example, &Hyperplane::zero(3), &square, &settings), Some(step));
/// }
/// # Ok::<(), rosenblatt::update::UnknownUpdate>(())
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
    match settings.update {
        Update::Perceptron => mistake.then_some(rate),
        Update::Margin(margin) => (mistake || is_within(margin)).then_some(rate),
        Update::Pa => positive(loss / norm),
        Update::Pa1(c) => positive(loss / norm).map(|step| step.min(c * rate)),
        Update::Pa2(c) => positive(loss / (norm + 1.0 / (2.0 * c * rate))),
    }
}

//! Second-order rules: beside each weight stands a precision, and a weight moves less the larger it is.
//!
//! Only the diagonals of the papers' matrices are kept. Every operation is rounded, in the order of the formulas, from the
//! first feature to the last and then the bias. A learned bias is the weight of a feature √B times √B: it moves as a weight with
//! B in the place of x and of x².
//!
//! | rule | first a | condition | w moves by | then a is |
//! |---|---|---|---|---|
//! | `arow:R` (Crammer, Kulesza & Dredze 2009) | 1 | l > 0 | yα·(x/a), α = l/(v + r) | a + x²/r |
//! | `second-order:A` (Cesa-Bianchi, Conconi & Gentile 2005) | A | a mistake | yη·x/a′ − w·(g/a′) | a′ = a + g, g = η·x² |
//!
//! Here l = 1 − y·s is the hinge loss, rounded once, v = Σ x·(x/a) + B/a, and r = R/η, at least the smallest normal number. A
//! precision, and g, is at most the largest number. α is the step τ of `arow`, and η that of `second-order`, for which w·a is
//! the sum of y·η·x over the mistakes: only these are in a. (The paper adds the row of a visit before it predicts.)

use super::{Example, RecordedVisit, Settings, rule};
use crate::{hyperplane::Hyperplane, rules::Update};

/// The precisions of the weights and of the bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Precisions {
    /// One for each weight.
    pub weights: Vec<f64>,
    /// That of the bias.
    pub bias: f64,
}

/// The precisions before the first visit; `None` for a rule that has none.
///
/// ```
/// use rosenblatt_core::reference::second_order::first;
/// assert_eq!(first("arow:10".parse()?, 2).map(|first| first.weights), Some(vec![1.0, 1.0]));
/// assert_eq!(first("second-order:10".parse()?, 1).map(|first| first.bias), Some(10.0));
/// assert_eq!(first("pa".parse()?, 1), None);
/// # Ok::<(), rosenblatt_core::rules::UnknownUpdate>(())
/// ```
pub fn first(update: Update, features: usize) -> Option<Precisions> {
    let first = match update.rule().name {
        "arow" => 1.0,
        "second-order" => update.parameter()?,
        _ => return None,
    };
    Some(Precisions { weights: vec![first; features], bias: first })
}

/// v = Σ x·(x/a) + B/a.
///
/// ```
/// use rosenblatt_core::reference::second_order::{Precisions, variance};
/// assert_eq!(variance(&Precisions { weights: vec![2.0, 4.0], bias: 8.0 }, &[3.0, 1.0], 1.0), 4.875);
/// ```
pub fn variance(precisions: &Precisions, x: &[f64], bias_unit: f64) -> f64 {
    let products = x.iter().zip(&precisions.weights).map(|(x, a)| x * (x / a));
    products.fold(0.0, |sum, product| sum + product) + bias_unit / precisions.bias
}

/// r of an example with this rate.
fn noise(parameter: f64, rate: f64) -> f64 {
    (parameter / rate).max(f64::MIN_POSITIVE)
}

/// The step of a visit, or `None` for no update, from v.
pub fn step(example: &Example, now: &Hyperplane, v: f64, settings: &Settings) -> Option<f64> {
    let parameter = settings.update.parameter()?;
    if settings.update.rule().name == "second-order" {
        let score = example.score_sign(now);
        let mistake = rule::is_mistake(settings.mistake, score, example.sign, settings.zero);
        return mistake.then_some(example.rate);
    }
    let loss = -example.margin_beyond(1.0, now).rounded();
    let step = loss / (v + noise(parameter, example.rate));
    (loss > 0.0 && step > 0.0).then_some(step)
}

/// Moves the weights and the bias along a row by a step with the sign of the example, and makes them more precise.
///
/// `arow:2` at zero on x = (1, 2), y = +1, with B = 1: v = 1 + 4 + 1 and α = 1/8.
/// ```
/// use rosenblatt_core::{reference::{Settings, second_order::{first, move_along}}, space::Hyperplane};
/// let settings = Settings { update: "arow:2".parse()?, ..Settings::default() };
/// let (mut now, mut precisions) = (Hyperplane::zero(2), first(settings.update, 2).expect("one each"));
/// move_along(&mut now, &mut precisions, &[1.0, 2.0], (0.125, 1.0), &settings);
/// assert_eq!(now, Hyperplane { weights: vec![0.125, 0.25], bias: 0.125 });
/// assert_eq!((precisions.weights, precisions.bias), (vec![1.5, 3.0], 1.5));
/// # Ok::<(), rosenblatt_core::rules::UnknownUpdate>(())
/// ```
pub fn move_along(
    now: &mut Hyperplane,
    precisions: &mut Precisions,
    x: &[f64],
    (step, rate): (f64, f64),
    settings: &Settings,
) {
    let parameter = settings.update.parameter().unwrap_or_default();
    let move_one = |w: &mut f64, a: &mut f64, x: f64, square: f64| {
        if settings.update.rule().name == "second-order" {
            let gain = (rate * square).min(f64::MAX);
            *a = (*a + gain).min(f64::MAX);
            *w += step * x / *a - *w * (gain / *a);
        } else {
            *w += step * (x / *a);
            *a = (*a + square / noise(parameter, rate)).min(f64::MAX);
        }
    };
    for ((w, a), &x) in now.weights.iter_mut().zip(&mut precisions.weights).zip(x) {
        move_one(w, a, x, x * x);
    }
    let bias_unit = settings.bias_unit;
    move_one(&mut now.bias, &mut precisions.bias, bias_unit, bias_unit);
}

/// One visit of example `i`, as [`primal::visit`](super::primal::visit).
pub(super) fn visit(
    examples: &[Example],
    i: usize,
    now: &Hyperplane,
    precisions: &mut Precisions,
    settings: &Settings,
) -> RecordedVisit {
    let example = &examples[i];
    let score = example.score_sign(now);
    let mistake = rule::is_mistake(settings.mistake, score, example.sign, settings.zero);
    let v = variance(precisions, &example.x, settings.bias_unit);
    let step = step(example, now, v, settings).map(|step| example.sign * step);
    let mut after = now.clone();
    if let Some(step) = step {
        move_along(&mut after, precisions, &example.x, (step, example.rate), settings);
    }
    RecordedVisit { example: i, mistake, step, after }
}

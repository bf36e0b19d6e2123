//! The perceptron in feature space: one weight for each feature (Rosenblatt, *Psychological Review* 65, 1958).
//!
//! Novikoff's theorem (1962) bounds the updates of this loop. Let the weights begin at 0, let B = 0, and let some u with
//! ‖u‖ = 1 have y·(u·x) ≥ γ > 0 on every example. Each update on a mistake adds at least ηγ to u·w and at most η²R² to
//! ‖w‖², so k updates have kηγ ≤ u·w ≤ ‖w‖ ≤ √k·ηR, and k ≤ (R/γ)². With B = 1 the theorem holds for (x, 1) and (w, b).

use super::{
    Choose, Example, RecordedVisit, RunHistory, Settings, keep, penalty,
    run::{self, Orders},
    second_order,
};
use crate::{data::Sign, exact::Accumulator, hyperplane::Hyperplane};

/// The examples with these rows, signs and [`rates`](super::rates).
pub fn examples(rows: &[Vec<f64>], signs: &[Sign], rates: &[f64]) -> Vec<Example> {
    let rows_and_signs = rows.iter().zip(signs).zip(rates);
    rows_and_signs.map(|((x, &sign), &rate)| Example { x: x.clone(), sign, rate }).collect()
}

/// A run over the examples from the hyperplane `first`. `orders` has one order of visits for each epoch; their number
/// is the maximum of epochs.
///
/// On a line, from zero: x = 1 with −1, x = 3 with +1, R² = 9. Shalizi's page works the visits by hand: five updates,
/// w = 3, b = −9.
/// ```
/// use rosenblatt_core::{data::Sign::{Minus, Plus}, space::Hyperplane, rules::Mistake};
/// use rosenblatt_core::reference::{Settings, primal::{examples, squared_radius, train}};
/// let examples = examples(&[vec![1.0], vec![3.0]], &[Minus, Plus], &[1.0, 1.0]);
/// let bias_unit = squared_radius(&examples);
/// let settings = Settings { mistake: Mistake::Label, bias_unit, ..Settings::default() };
/// let run = train(&examples, &Hyperplane::zero(1), &settings, &vec![vec![0, 1]; 1000]);
/// assert_eq!(run.last(), &Hyperplane { weights: vec![3.0], bias: -9.0 });
/// assert_eq!((run.updates().count(), run.epochs.len()), (5, 4));
/// ```
pub fn train(
    examples: &[Example],
    first: &Hyperplane,
    settings: &Settings,
    orders: &[Vec<usize>],
) -> RunHistory {
    train_in(examples, first, settings, Orders::All(orders))
}

/// A run by the order `mistaken` of at most this many epochs, each of which visits the mistake that `choose` chooses.
///
/// AND from zero, always the first mistake: 00, 11, 00, 01, 11, 01, … are visited, 18 in all, and the 19th epoch has no mistake.
/// ```
/// use rosenblatt_core::{data::Sign::{Minus, Plus}, space::Hyperplane};
/// use rosenblatt_core::reference::{Settings, primal::{examples, train_on_mistakes}};
/// let rows = [vec![0.0, 0.0], vec![0.0, 1.0], vec![1.0, 0.0], vec![1.0, 1.0]];
/// let examples = examples(&rows, &[Minus, Minus, Minus, Plus], &[1.0; 4]);
/// let first = |_: u64, mistaken: &[usize]| mistaken[0];
/// let run = train_on_mistakes(&examples, &Hyperplane::zero(2), &Settings::default(), 100, &first);
/// assert_eq!(run.mistakes_per_epoch(), [4, 1, 3, 2, 1, 2, 2, 1, 1, 1, 2, 1, 2, 1, 1, 1, 1, 2, 0]);
/// let visited: Vec<usize> = run.visits().map(|visit| visit.example).collect();
/// assert_eq!(visited[..6], [0, 3, 0, 1, 3, 1]);
/// assert_eq!(run.last(), &Hyperplane { weights: vec![3.0, 2.0], bias: -4.0 });
/// ```
pub fn train_on_mistakes(
    examples: &[Example],
    first: &Hyperplane,
    settings: &Settings,
    epochs: u64,
    choose: Choose<'_>,
) -> RunHistory {
    train_in(examples, first, settings, Orders::Mistaken(epochs, choose))
}

fn train_in(
    examples: &[Example],
    first: &Hyperplane,
    settings: &Settings,
    orders: Orders<'_>,
) -> RunHistory {
    if let Some(shrinkage) = settings.penalty {
        let mut weights = penalty::Weights::new(first, shrinkage);
        return run::train(examples, first, settings, orders, |all, i, now, by| {
            weights.visited(&all[i].x, decided(all, i, now, by), now, by)
        });
    }
    match second_order::first(settings.update, first.weights.len()) {
        None => run::train(examples, first, settings, orders, visit),
        Some(mut precisions) => run::train(examples, first, settings, orders, |all, i, now, by| {
            second_order::visit(all, i, now, &mut precisions, by)
        }),
    }
}

/// One visit of example `i` by a rule without precisions: where it steps, w ← w + y·τ·x and b ← b + y·τ·B.
///
/// x = (0, 1), y = −1 meets w = (1, 1), b = −1. The score is 0, a mistake: w = (1, 0), b = −2.
/// ```
/// use rosenblatt_core::{data::Sign, space::Hyperplane};
/// use rosenblatt_core::reference::{Settings, primal::{examples, visit}};
/// let examples = examples(&[vec![0.0, 1.0]], &[Sign::Minus], &[1.0]);
/// let now = Hyperplane { weights: vec![1.0, 1.0], bias: -1.0 };
/// let visit = visit(&examples, 0, &now, &Settings::default());
/// assert_eq!((visit.mistake, visit.step), (true, Some(-1.0)));
/// assert_eq!(visit.after, Hyperplane { weights: vec![1.0, 0.0], bias: -2.0 });
/// ```
pub fn visit(
    examples: &[Example],
    i: usize,
    now: &Hyperplane,
    settings: &Settings,
) -> RecordedVisit {
    let x = &examples[i].x;
    let mut visit = decided(examples, i, now, settings);
    if let Some(step) = visit.step {
        for (w, x) in visit.after.weights.iter_mut().zip(x) {
            *w += step * x;
        }
        visit.after.bias += step * settings.bias_unit;
    }
    visit
}

/// The visit of example `i` before its update.
fn decided(examples: &[Example], i: usize, now: &Hyperplane, settings: &Settings) -> RecordedVisit {
    let square = squared_norm(&examples[i].x, settings.bias_unit);
    RecordedVisit::decided(examples, i, now, &square, settings)
}

/// The mean of the hyperplanes after every visit, (1/T) Σ wₜ (Freund & Schapire 1999; Collins 2002). An update reaches the
/// weights of the features that are not 0 in its example; see [`keep::mean`]. [`penalty::average`] is that of a run with a
/// penalty.
///
/// DSC 255's page works two epochs over −2, 0 with −1 and −1, 3 with +1: the average is w = 11/8, b = −2/8.
/// ```
/// use rosenblatt_core::{data::Sign::{Minus, Plus}, space::Hyperplane};
/// use rosenblatt_core::reference::{Settings, primal::{average, examples, train}};
/// let rows = [vec![-2.0], vec![0.0], vec![-1.0], vec![3.0]];
/// let examples = examples(&rows, &[Minus, Minus, Plus, Plus], &[1.0; 4]);
/// let run = train(&examples, &Hyperplane::zero(1), &Settings::default(), &vec![vec![0, 1, 2, 3]; 2]);
/// assert_eq!(average(&run, &examples), Hyperplane { weights: vec![1.375], bias: -0.25 });
/// ```
pub fn average(run: &RunHistory, examples: &[Example]) -> Hyperplane {
    keep::average(run, &|visit, j| examples[visit.example].x[j] != 0.0)
}

/// R² = max‖x‖², rounded once.
///
/// ```
/// use rosenblatt_core::{data::Sign::{Minus, Plus}, reference::primal::{examples, squared_radius}};
/// let examples = examples(&[vec![3.0, 4.0], vec![1.0, 1.0]], &[Minus, Plus], &[1.0, 1.0]);
/// assert_eq!(squared_radius(&examples), 25.0);
/// ```
pub fn squared_radius(examples: &[Example]) -> f64 {
    examples.iter().map(|example| squared_norm(&example.x, 0.0).rounded()).fold(0.0, f64::max)
}

/// ‖x‖² + B, without rounding: the squared length of an example whose last feature is √B.
///
/// ```
/// assert_eq!(rosenblatt_core::reference::primal::squared_norm(&[1.0, 2.0], 1.0).rounded(), 6.0);
/// ```
pub fn squared_norm(x: &[f64], bias_unit: f64) -> Accumulator {
    let mut sum = Accumulator::new();
    for &x in x {
        sum.add_product(x, x);
    }
    sum.add(bias_unit);
    sum
}

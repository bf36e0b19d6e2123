//! The average and the pocket: two ways to get one hyperplane from all those of a run. The third, the vote, is
//! [`dual::vote`](super::dual::vote).

use super::{Example, RecordedVisit, RunHistory, rule};
use crate::{data::ZeroScore, hyperplane::Hyperplane};

/// The mean (1/T) Σ wₜ of one weight over at least one visit, given its value after every visit and the visits
/// whose update reaches it.
///
/// The sum has one product for each stretch of visits from one such update to the next, (number of visits) × (weight).
/// Each product and each sum is rounded, in the order of the run. A mean is never −0.
///
/// 0 after two visits, then 2 after three, of which the first reaches the weight: (2·0 + 3·2)/5.
/// ```
/// use rosenblatt_core::reference::keep::mean;
/// let reached = [false, false, true, false, false];
/// assert_eq!(mean(&[0.0, 0.0, 2.0, 2.0, 2.0], &reached), 1.2);
/// ```
pub fn mean(after: &[f64], reached: &[bool]) -> f64 {
    let visits = after.len();
    let ends = (1..visits).filter(|&t| reached[t]).chain([visits]);
    let (mut total, mut start) = (0.0, 0);
    for end in ends {
        total += (end - start) as f64 * after[start];
        start = end;
    }
    total / visits as f64 + 0.0
}

/// The mean of each weight and of the bias; the initial ones before any visit. `reaches` says whether an update moves a weight; it always moves the bias.
pub(super) fn average(
    run: &RunHistory,
    reaches: &dyn Fn(&RecordedVisit, usize) -> bool,
) -> Hyperplane {
    if run.visits().next().is_none() {
        return run.first.clone();
    }
    let of = |value: &dyn Fn(&Hyperplane) -> f64, reaches: &dyn Fn(&RecordedVisit) -> bool| {
        let after: Vec<f64> = run.visits().map(|visit| value(&visit.after)).collect();
        let reached = run.visits().map(|visit| visit.step.is_some() && reaches(visit));
        mean(&after, &reached.collect::<Vec<_>>())
    };
    let weight = |j: usize| of(&|now| now.weights[j], &|visit| reaches(visit, j));
    Hyperplane {
        weights: (0..run.first.weights.len()).map(weight).collect(),
        bias: of(&|now| now.bias, &|_| true),
    }
}

/// The run continued by this many epochs like its last, in which no weight moved. Under
/// [`Keep::Auto`](crate::keep::Keep::Auto) the model of a run that converged is the average of the run continued by as few
/// epochs as make that average right on all examples.
///
/// x = −2 with +1 and x = −1 with −1 in this order: the last of nine epochs has no mistake, with w = −2, b = −3. The
/// average (−28, −26)/18 errs on the second example, and so does (−32, −32)/20; (−36, −38)/22 does not.
/// ```
/// use rosenblatt_core::{data::{Sign::{Minus, Plus}, ZeroScore}, space::Hyperplane};
/// use rosenblatt_core::reference::{Settings, keep::{continued, errors}, primal::{average, examples, train}};
/// let examples = examples(&[vec![-2.0], vec![-1.0]], &[Plus, Minus], &[1.0; 2]);
/// let run = train(&examples, &Hyperplane::zero(1), &Settings::default(), &vec![vec![0, 1]; 20]);
/// assert_eq!(run.epochs.len(), 9);
/// let after = |more| average(&continued(&run, more), &examples);
/// assert_eq!(after(2), Hyperplane { weights: vec![-36.0 / 22.0], bias: -38.0 / 22.0 });
/// let errors = [0, 1, 2].map(|more| errors(&after(more), &examples, ZeroScore::Positive));
/// assert_eq!(errors, [vec![1], vec![1], vec![]]);
/// ```
pub fn continued(run: &RunHistory, more: u64) -> RunHistory {
    let mut run = run.clone();
    let last = run.epochs.last().cloned();
    run.epochs.extend((0..more).filter_map(|_| last.clone()));
    run.mistakes.extend((0..more).map(|_| 0));
    run
}

/// The examples whose predicted class is not y.
///
/// ```
/// use rosenblatt_core::{data::{Sign, ZeroScore}, space::Hyperplane};
/// use rosenblatt_core::reference::{keep::errors, primal::examples};
/// let examples = examples(&[vec![0.0], vec![1.0]], &[Sign::Minus; 2], &[1.0; 2]);
/// let now = Hyperplane { weights: vec![1.0], bias: 0.0 };
/// assert_eq!(errors(&now, &examples, ZeroScore::Positive), [0, 1]);
/// assert_eq!(errors(&now, &examples, ZeroScore::Negative), [1]);
/// ```
pub fn errors(now: &Hyperplane, examples: &[Example], zero: ZeroScore) -> Vec<usize> {
    let is_wrong = |i: &usize| {
        let example = &examples[*i];
        rule::predicted(example.score_sign(now), zero) != example.sign
    };
    (0..examples.len()).filter(is_wrong).collect()
}

/// The weight of an error on each example: 1 where all rates are equal. Otherwise it is the rate in units of 2⁻⁶⁰ of the
/// power of two above the largest rate, rounded to a whole number and at least 1, so that sums of weights are exact.
///
/// The power of two above 1.5 is 2, so the unit is 2⁻⁵⁹.
/// ```
/// use rosenblatt_core::reference::keep::error_weights;
/// assert_eq!(error_weights(&[0.3, 0.3]), [1, 1]);
/// assert_eq!(error_weights(&[1.5, 0.25, 1e-30]), [3 << 58, 1 << 57, 1]);
/// ```
pub fn error_weights(rates: &[f64]) -> Vec<u64> {
    if rates.iter().all(|&rate| rate == rates[0]) {
        return vec![1; rates.len()];
    }
    let largest = rates.iter().copied().fold(0.0, f64::max);
    let (_, exponent) = libm::frexp(largest);
    let units = |&rate: &f64| libm::scalbn(rate, 60 - exponent).round() as u64;
    rates.iter().map(|rate| units(rate).max(1)).collect()
}

/// The pocket algorithm with ratchet (Gallant, *IEEE Transactions on Neural Networks* 1, 1990).
///
/// The pocket begins with the initial weights. Weights that are right on more visits in a row than the pocket's were are
/// tried once on all examples, and replace the pocket's where their errors weigh less: the ratchet. At the end the last
/// weights are tried too. Gallant draws the examples with replacement; here a run has its orders.
///
/// DSC 255's page: the weights after the second visit, w = 2, b = −1, make one error, and nothing later beats them.
/// ```
/// use rosenblatt_core::{data::{Sign::{Minus, Plus}, ZeroScore}, space::Hyperplane};
/// use rosenblatt_core::reference::{Settings, keep::{errors, pocket}, primal::{examples, train}};
/// let rows = [vec![-2.0], vec![0.0], vec![-1.0], vec![3.0]];
/// let examples = examples(&rows, &[Minus, Minus, Plus, Plus], &[1.0; 4]);
/// let run = train(&examples, &Hyperplane::zero(1), &Settings::default(), &vec![vec![0, 1, 2, 3]; 2]);
/// let pocket = pocket(&run, &examples, ZeroScore::Positive);
/// assert_eq!(pocket, Hyperplane { weights: vec![2.0], bias: -1.0 });
/// assert_eq!(errors(&pocket, &examples, ZeroScore::Positive), [2]);
/// assert_eq!(errors(run.last(), &examples, ZeroScore::Positive), [1, 2]);
/// ```
pub fn pocket(run: &RunHistory, examples: &[Example], zero: ZeroScore) -> Hyperplane {
    let rates: Vec<f64> = examples.iter().map(|example| example.rate).collect();
    let weights = error_weights(&rates);
    let loss = |now: &Hyperplane| loss(now, examples, &weights, zero);
    let (mut best, mut best_run) = (&run.first, 0);
    let (mut right_in_a_row, mut is_tried) = (0, true);
    for visit in run.visits() {
        if visit.step.is_some() {
            (right_in_a_row, is_tried) = (0, false);
        }
        right_in_a_row = if visit.mistake { 0 } else { right_in_a_row + 1 };
        if right_in_a_row > best_run && !is_tried {
            is_tried = true;
            if loss(&visit.after) < loss(best) {
                (best, best_run) = (&visit.after, right_in_a_row);
            }
        }
    }
    let last = run.last();
    if loss(last) < loss(best) { last.clone() } else { best.clone() }
}

/// The pocket of a run by the order `mistaken`: the weights after every update are tried (Abu-Mostafa, Magdon-Ismail & Lin,
/// *Learning from Data*, 2012, section 3.1.1).
pub fn pocket_of_each(run: &RunHistory, examples: &[Example], zero: ZeroScore) -> Hyperplane {
    let rates: Vec<f64> = examples.iter().map(|example| example.rate).collect();
    let loss = |now: &Hyperplane| loss(now, examples, &error_weights(&rates), zero);
    let better = |best, now| if loss(now) < loss(best) { now } else { best };
    run.visits().map(|visit| &visit.after).fold(&run.first, better).clone()
}

/// The weight of all errors.
fn loss(now: &Hyperplane, examples: &[Example], weights: &[u64], zero: ZeroScore) -> u128 {
    errors(now, examples, zero).into_iter().map(|i| u128::from(weights[i])).sum()
}

//! The naive twin: the perceptron as the documentation states it, with no thought for speed.
//!
//! Scores are sums of rational numbers, updates go through the features one by one, the average is
//! the mean of all weights visited, in rational numbers.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use rosenblatt::{
    data::{Rows, Sign, ZeroScore},
    exact,
    schedule::Init,
    train::{Bias, ClassWeight, Options},
    update::{Mistake, Update},
};

use super::rational;

/// Weights, with the bias as the last number.
type Weights = Vec<f64>;

/// What the twin's run came to.
pub(crate) struct Twin {
    pub(crate) last: Weights,
    pub(crate) pocket: Weights,
    pub(crate) pocket_errors: usize,
    pub(crate) last_errors: usize,
    /// Σ of the weights after every visit, and Σ of their magnitudes.
    sum: Vec<BigRational>,
    sum_of_magnitudes: Vec<BigRational>,
    pub(crate) visits: u64,
    pub(crate) updates: u64,
    pub(crate) mistakes_per_epoch: Vec<u64>,
    pub(crate) converged: bool,
}

/// The examples, and what an error on each weighs.
struct Judge<'a> {
    rows: &'a [Vec<f64>],
    signs: &'a [Sign],
    zero: ZeroScore,
    units: Vec<BigInt>,
}

/// The pocket as its module describes it.
struct Pocket {
    best: Weights,
    loss: BigInt,
    best_run: u64,
    run: u64,
    tried: bool,
}

/// Trains on rows that are all of one length.
pub(crate) fn train(rows: &[Vec<f64>], signs: &[Sign], options: &Options) -> Twin {
    train_weighted(rows, (signs, &vec![1.0; signs.len()]), options)
}

/// The same where each example has a weight.
pub(crate) fn train_weighted(
    rows: &[Vec<f64>],
    (signs, example_weights): (&[Sign], &[f64]),
    options: &Options,
) -> Twin {
    let bias_unit = bias_unit(rows, options.bias);
    let mut weights = first_weights(rows[0].len(), options);
    let rate = |i: usize| options.eta * class_weight(signs, signs[i], options) * example_weights[i];
    let rates: Vec<f64> = (0..rows.len()).map(rate).collect();
    let judge = Judge { rows, signs, zero: options.zero, units: units(&rates) };
    let loss = judge.loss(&weights);
    let mut pocket = Pocket { best: weights.clone(), loss, best_run: 0, run: 0, tried: true };
    let mut twin = Twin::new(&weights);
    let mut order = vec![0; rows.len()];
    for epoch in 1..=options.epochs {
        options.order.arrange(options.seed, epoch, &mut order);
        let (mut mistakes, updates) = (0, twin.updates);
        for &i in &order {
            let score = score_sign(&weights, &rows[i]);
            let mistake = is_mistake(score, signs[i], options);
            let sight = (&weights, &rows[i], signs[i], bias_unit);
            let step = step(sight, mistake, options.update, rates[i]);
            if let Some(step) = step {
                update(&mut weights, signs[i].as_f64() * step, &rows[i], bias_unit);
            }
            mistakes += u64::from(mistake);
            twin.visited(&weights, step.is_some());
            pocket.visited(step.is_some(), mistake, &weights, &judge);
        }
        twin.mistakes_per_epoch.push(mistakes);
        // The margin rule goes on until its margin is reached.
        let moving = !options.update.rule().clean_epoch_ends
            && options.update != Update::PERCEPTRON
            && twin.updates > updates;
        if mistakes <= options.allow_mistakes && !(mistakes == 0 && moving) {
            twin.converged = mistakes == 0;
            break;
        }
    }
    pocket.challenge(&weights, &judge);
    twin.pocket_errors = judge.errors(&pocket.best).count();
    twin.pocket = pocket.best;
    twin.last_errors = judge.errors(&weights).count();
    twin.last = weights;
    twin
}

/// The step of the rule in rational numbers; loss and squared norm are rounded once.
fn step(
    (weights, row, sign, bias_unit): (&Weights, &Vec<f64>, Sign, f64),
    mistake: bool,
    update: Update,
    rate: f64,
) -> Option<f64> {
    let margin = rational::score(weights, weights[row.len()], row) * rational::exact(sign.as_f64());
    let loss = rational::nearest(&(rational::exact(1.0) - &margin));
    let square = rational::nearest(&(rational::sum_of_squares(row) + rational::exact(bias_unit)));
    let moved = |step: f64| Some(step).filter(|step| loss > 0.0 && *step > 0.0 && step.is_finite());
    let parameter = update.parameter().unwrap_or_default();
    match update.rule().name {
        "perceptron" => mistake.then_some(rate),
        "margin" => (mistake || margin <= rational::exact(parameter)).then_some(rate),
        "pa" => moved(loss / square),
        "pa1" => moved(loss / square).map(|step| step.min(parameter * rate)),
        "pa2" => moved(loss / (square + 1.0 / (2.0 * parameter * rate))),
        other => panic!("the rule {other} has no twin"),
    }
}

fn update(weights: &mut Weights, step: f64, row: &[f64], bias_unit: f64) {
    for (weight, &x) in weights.iter_mut().zip(row) {
        let change = step * x;
        *weight += change;
    }
    let change = step * bias_unit;
    weights[row.len()] += change;
}

pub(crate) fn is_mistake(score: Ordering, sign: Sign, options: &Options) -> bool {
    match options.mistake {
        // y·s ≤ 0
        Mistake::Margin if sign == Sign::Plus => score.is_le(),
        Mistake::Margin => score.is_ge(),
        Mistake::Label => is_wrong(score, sign, options.zero),
    }
}

/// Whether the prediction is not y.
pub(crate) fn is_wrong(score: Ordering, sign: Sign, zero: ZeroScore) -> bool {
    let is_plus = match zero {
        ZeroScore::Positive => score.is_ge(),
        ZeroScore::Negative => score.is_gt(),
    };
    is_plus != (sign == Sign::Plus)
}

/// What an error on an example of each of these rates weighs: 1 where all are equal, else the rate in units of 2⁻⁶⁰
/// of the power of two above the largest, to the nearest whole number, and at least 1.
pub(crate) fn units(rates: &[f64]) -> Vec<BigInt> {
    if rates.iter().all(|&rate| rate == rates[0]) {
        return vec![BigInt::from(1); rates.len()];
    }
    let two = rational::exact(2.0);
    let largest = rates.iter().copied().map(rational::exact).max().unwrap();
    let mut above = rational::exact(f64::from_bits(1));
    while above <= largest {
        above *= &two;
    }
    let unit = above / rational::exact(60f64.exp2());
    let units = |&rate: &f64| (rational::exact(rate) / &unit).round().to_integer();
    rates.iter().map(|rate| units(rate).max(BigInt::from(1))).collect()
}

fn score_sign(weights: &Weights, row: &[f64]) -> Ordering {
    rational::sign(&rational::score(weights, weights[row.len()], row))
}

impl Judge<'_> {
    /// The examples whose labels these weights predict wrongly.
    fn errors(&self, weights: &Weights) -> impl Iterator<Item = usize> {
        let wrong =
            |&i: &usize| is_wrong(score_sign(weights, &self.rows[i]), self.signs[i], self.zero);
        (0..self.rows.len()).filter(wrong)
    }

    fn loss(&self, weights: &Weights) -> BigInt {
        self.errors(weights).map(|i| &self.units[i]).sum()
    }
}

/// The radius is the engine's: it has its own tests, and its roundings are not the subject here.
fn bias_unit(rows: &[Vec<f64>], bias: Bias) -> f64 {
    let radius = exact::radius(&Rows::dense(rows.concat(), rows[0].len()).unwrap());
    match bias {
        Bias::Unit => 1.0,
        Bias::None => 0.0,
        Bias::Radius => radius.square,
    }
}

fn class_weight(signs: &[Sign], sign: Sign, options: &Options) -> f64 {
    let size = signs.iter().filter(|&&other| other == sign).count();
    match &options.class_weight {
        ClassWeight::Uniform => 1.0,
        ClassWeight::Balanced => signs.len() as f64 / (2 * size) as f64,
        ClassWeight::Given(weights) => weights[usize::from(sign == Sign::Plus)],
    }
}

/// Zeros, or what the seed gives, which only the engine's generator can say.
fn first_weights(features: usize, options: &Options) -> Weights {
    match &options.init {
        Init::Given(planes) => {
            let first = &planes[0];
            first.weights.iter().chain([&first.bias]).map(|number| number + 0.0).collect()
        }
        Init::Zero => vec![0.0; features + 1],
        Init::Random => {
            let first = options.first_hyperplane(features).expect("random weights fit");
            first.weights.iter().copied().chain([first.bias]).collect()
        }
    }
}

impl Pocket {
    fn visited(&mut self, updated: bool, mistake: bool, now: &Weights, judge: &Judge<'_>) {
        if updated {
            (self.run, self.tried) = (0, false);
        }
        if mistake {
            self.run = 0;
            return;
        }
        self.run += 1;
        if self.run > self.best_run && !self.tried {
            self.tried = true;
            self.challenge(now, judge);
        }
    }

    fn challenge(&mut self, now: &Weights, judge: &Judge<'_>) {
        let loss = judge.loss(now);
        if loss < self.loss {
            (self.best, self.loss, self.best_run) = (now.clone(), loss, self.run);
        }
    }
}

impl Twin {
    fn new(first: &Weights) -> Self {
        let zeros = vec![BigRational::zero(); first.len()];
        Twin {
            last: first.clone(),
            pocket: first.clone(),
            pocket_errors: 0,
            last_errors: 0,
            sum: zeros.clone(),
            sum_of_magnitudes: zeros,
            visits: 0,
            updates: 0,
            mistakes_per_epoch: Vec::new(),
            converged: false,
        }
    }

    fn visited(&mut self, weights: &Weights, updated: bool) {
        self.visits += 1;
        self.updates += u64::from(updated);
        for (j, &weight) in weights.iter().enumerate().filter(|&(_, &weight)| weight != 0.0) {
            let weight = rational::exact(weight);
            self.sum_of_magnitudes[j] += weight.abs();
            self.sum[j] += weight;
        }
    }

    /// The mean of the weights after every visit, exactly.
    pub(crate) fn average(&self) -> Vec<BigRational> {
        let visits = BigRational::from_integer(self.visits.into());
        self.sum.iter().map(|sum| sum / &visits).collect()
    }

    /// The mean of the magnitudes of the weights after every visit, exactly.
    pub(crate) fn mean_magnitude(&self) -> Vec<BigRational> {
        let visits = BigRational::from_integer(self.visits.into());
        self.sum_of_magnitudes.iter().map(|sum| sum / &visits).collect()
    }
}

//! The naive twin of the dual form: a coefficient for each training row, the kernel value of each pair
//! of rows by itself, and every score a sum over all rows, taken exactly.

use std::cmp::Ordering;

use num_bigint::BigInt;
use rosenblatt::{
    data::{Row, Sign, Values},
    exact::Accumulator,
    space::{Hyperplane, Kernel, inner_product},
    train::{Bias, ClassWeight, Options},
    update::Update,
};

use super::{
    rational,
    twin::{is_mistake, is_wrong, units},
};

/// The score of a combination of rows, from the row's kernel values, minus a threshold: how it compares
/// to 0, and rounded once.
pub(crate) type Score = fn(&Hyperplane, &[f64], f64) -> (Ordering, f64);

/// By rational arithmetic.
pub(crate) fn rational_score(
    plane: &Hyperplane,
    values: &[f64],
    threshold: f64,
) -> (Ordering, f64) {
    let score = rational::score(&plane.weights, plane.bias, values) - rational::exact(threshold);
    (rational::sign(&score), rational::nearest(&score))
}

/// By the engine's fixed-point sum, which has its own tests against rational arithmetic; for tables where
/// that would take too long.
pub(crate) fn summed_score(plane: &Hyperplane, values: &[f64], threshold: f64) -> (Ordering, f64) {
    let mut sum = Accumulator::new();
    sum.add(plane.bias);
    sum.add(-threshold);
    plane.weights.iter().zip(values).for_each(|(&c, &value)| sum.add_product(c, value));
    (sum.sign(), sum.rounded())
}

fn row(x: &[f64]) -> Row<'_> {
    Row::dense(Values::F64(x))
}

/// One kernel value, as its module states it.
pub(crate) fn value(kernel: Kernel, x: &[f64], z: &[f64]) -> f64 {
    let square = |a: &[f64]| inner_product(row(a), row(a));
    kernel.value(inner_product(row(x), row(z)), (square(x), square(z)))
}

/// The kernel values of each row with each.
pub(crate) fn values(kernel: Kernel, rows: &[Vec<f64>], others: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let of = |x: &Vec<f64>| others.iter().map(|z| value(kernel, x, z)).collect();
    rows.iter().map(of).collect()
}

/// What the twin learns from.
pub(crate) struct Lesson<'a> {
    /// The kernel values of each pair of rows.
    pub(crate) values: &'a [Vec<f64>],
    pub(crate) signs: &'a [Sign],
    /// The class with the sign +1.
    pub(crate) positive: usize,
    pub(crate) score: Score,
}

/// An update: the row, the signed step, the visits survived.
pub(crate) type Move = (usize, f64, u64);

/// What the twin's run came to. Weights are coefficients of all training rows.
#[derive(Debug)]
pub(crate) struct Twin {
    pub(crate) last: Hyperplane,
    pub(crate) average: Hyperplane,
    pub(crate) pocket: Hyperplane,
    pub(crate) pocket_errors: usize,
    pub(crate) last_errors: usize,
    pub(crate) start: u64,
    pub(crate) moves: Vec<Move>,
    pub(crate) mistakes_per_epoch: Vec<u64>,
    pub(crate) converged: bool,
}

impl Twin {
    /// The rows of the updates, in the order of their first.
    pub(crate) fn support(&self) -> Vec<usize> {
        let mut support = Vec::new();
        for &(row, ..) in &self.moves {
            if !support.contains(&row) {
                support.push(row);
            }
        }
        support
    }

    /// The number of updates of a row.
    pub(crate) fn count(&self, row: usize) -> u64 {
        self.moves.iter().filter(|one| one.0 == row).count() as u64
    }
}

struct Pocket {
    best: Hyperplane,
    loss: BigInt,
    best_run: u64,
    run: u64,
    tried: bool,
}

impl Lesson<'_> {
    pub(crate) fn train(&self, options: &Options) -> Twin {
        let n = self.signs.len();
        let mut plane = Hyperplane::zero(n);
        let loss = self.loss(&plane, options);
        let mut pocket = Pocket { best: plane.clone(), loss, best_run: 0, run: 0, tried: true };
        // The weights after every visit.
        let mut visited = Vec::new();
        let (mut start, mut moves): (u64, Vec<Move>) = (0, Vec::new());
        let (mut mistakes_per_epoch, mut converged) = (Vec::new(), false);
        let mut times = Vec::new();
        let mut order = vec![0; n];
        for epoch in 1..=options.epochs {
            options.order.arrange(options.seed, epoch, &mut order);
            let (mut mistakes, updates) = (0, moves.len());
            for &i in &order {
                let (mistake, step) = self.judge(&plane, i, options);
                if let Some(step) = step {
                    let signed = self.signs[i].as_f64() * step;
                    plane.weights[i] += signed;
                    plane.bias += signed * self.bias_unit(options);
                    moves.push((i, signed, 1));
                    times.push(visited.len());
                } else if let Some(last) = moves.last_mut() {
                    last.2 += 1;
                } else {
                    start += 1;
                }
                mistakes += u64::from(mistake);
                visited.push(plane.clone());
                self.fill(&mut pocket, &plane, (mistake, step.is_some()), options);
            }
            mistakes_per_epoch.push(mistakes);
            let moving = !options.update.rule().clean_epoch_ends
                && options.update != Update::PERCEPTRON
                && moves.len() > updates;
            if mistakes <= options.allow_mistakes && !(mistakes == 0 && moving) {
                converged = mistakes == 0;
                break;
            }
        }
        self.challenge(&mut pocket, &plane, options);
        Twin {
            average: mean(&visited, &times, &moves),
            last_errors: self.errors(&plane, options),
            last: plane,
            pocket_errors: self.errors(&pocket.best, options),
            pocket: pocket.best,
            start,
            moves,
            mistakes_per_epoch,
            converged,
        }
    }

    /// Whether a visit is a mistake, and the step of the rule.
    fn judge(&self, plane: &Hyperplane, i: usize, options: &Options) -> (bool, Option<f64>) {
        let (sign, rate) = (self.signs[i], self.rate(self.signs[i], options));
        let beyond = |threshold: f64| (self.score)(plane, &self.values[i], threshold);
        let mistake = is_mistake(beyond(0.0).0, sign, options);
        let is_within = |margin: f64| match sign {
            Sign::Plus => beyond(margin).0.is_le(),
            Sign::Minus => beyond(-margin).0.is_ge(),
        };
        // 1 − y·s = −y·(s − y)
        let loss = || -sign.as_f64() * beyond(sign.as_f64()).1;
        let square = self.values[i][i] + self.bias_unit(options);
        let moved = |step: f64| Some(step).filter(|step| *step > 0.0 && step.is_finite());
        let parameter = options.update.parameter().unwrap_or_default();
        let step = match options.update.rule().name {
            "perceptron" => mistake.then_some(rate),
            "margin" => (mistake || is_within(parameter)).then_some(rate),
            "pa" => moved(loss() / square),
            "pa1" => moved(loss() / square).map(|step| step.min(parameter * rate)),
            "pa2" => moved(loss() / (square + 1.0 / (2.0 * parameter * rate))),
            other => panic!("the rule {other} has no twin"),
        };
        (mistake, step)
    }

    pub(crate) fn bias_unit(&self, options: &Options) -> f64 {
        match options.bias {
            Bias::Unit => 1.0,
            Bias::None => 0.0,
            Bias::Radius => (0..self.signs.len()).fold(0.0, |most, i| self.values[i][i].max(most)),
        }
    }

    fn rate(&self, sign: Sign, options: &Options) -> f64 {
        let size = self.signs.iter().filter(|&&other| other == sign).count();
        let class = if sign == Sign::Plus { self.positive } else { 1 - self.positive };
        options.eta
            * match &options.class_weight {
                ClassWeight::Uniform => 1.0,
                ClassWeight::Balanced => self.signs.len() as f64 / (2 * size) as f64,
                ClassWeight::Given(weights) => weights[class],
            }
    }

    /// Whether the sign of an example is predicted wrongly.
    fn is_wrong(&self, plane: &Hyperplane, i: usize, options: &Options) -> bool {
        let score = (self.score)(plane, &self.values[i], 0.0).0;
        is_wrong(score, self.signs[i], options.zero)
    }

    /// Wrong signs.
    pub(crate) fn errors(&self, plane: &Hyperplane, options: &Options) -> usize {
        (0..self.signs.len()).filter(|&i| self.is_wrong(plane, i, options)).count()
    }

    /// What wrong signs weigh.
    fn loss(&self, plane: &Hyperplane, options: &Options) -> BigInt {
        let rates: Vec<f64> = self.signs.iter().map(|&sign| self.rate(sign, options)).collect();
        let wrong = units(&rates).into_iter().enumerate();
        wrong.filter(|&(i, _)| self.is_wrong(plane, i, options)).map(|(_, unit)| unit).sum()
    }

    fn fill(
        &self,
        pocket: &mut Pocket,
        now: &Hyperplane,
        (mistake, updated): (bool, bool),
        options: &Options,
    ) {
        if updated {
            (pocket.run, pocket.tried) = (0, false);
        }
        pocket.run = if mistake { 0 } else { pocket.run + 1 };
        if !mistake && pocket.run > pocket.best_run && !pocket.tried {
            pocket.tried = true;
            self.challenge(pocket, now, options);
        }
    }

    fn challenge(&self, pocket: &mut Pocket, now: &Hyperplane, options: &Options) {
        let loss = self.loss(now, options);
        if loss < pocket.loss {
            (pocket.best, pocket.loss, pocket.best_run) = (now.clone(), loss, pocket.run);
        }
    }
}

/// The mean of the weights after every visit as `keep::Average` states it: for each coefficient the sum
/// of visits times value over the stretches between its updates (for the bias: between all updates),
/// divided by the number of visits.
fn mean(visited: &[Hyperplane], times: &[usize], moves: &[Move]) -> Hyperplane {
    let visits = visited.len();
    let over_stretches = |cuts: Vec<usize>, value: &dyn Fn(usize) -> f64| {
        let ends = cuts[1..].iter().copied().chain([visits]);
        let stretch = |(&from, to): (&usize, usize)| (to - from) as f64 * value(from);
        cuts.iter().zip(ends).map(stretch).fold(0.0, |sum, product| sum + product) / visits as f64
    };
    let cuts = |is_cut: &dyn Fn(usize) -> bool| -> Vec<usize> {
        // Before the first cut the value is 0 and adds nothing; without one it is 0 throughout.
        let all = times.iter().zip(moves).filter(|(_, one)| is_cut(one.0));
        all.map(|(&time, _)| time).collect()
    };
    let of = |cuts: Vec<usize>, value: &dyn Fn(usize) -> f64| {
        if cuts.is_empty() { 0.0 } else { over_stretches(cuts, value) }
    };
    let weights = (0..visited[0].weights.len())
        .map(|j| of(cuts(&|row| row == j), &|time| visited[time].weights[j]))
        .collect();
    let bias = of(cuts(&|_| true), &|time| visited[time].bias);
    Hyperplane { weights, bias }
}

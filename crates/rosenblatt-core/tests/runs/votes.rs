//! The run of a vote is that of Freund & Schapire's Figure 1, and each tally follows its definition, vote for vote.

use std::cmp::Ordering;

use crate::common::{
    bits, cases, draw, layouts,
    oracle::{Oracle, kernel_values},
    rational,
};
use chacha20::ChaCha8Rng;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rosenblatt_core::{
    data::{Labelled, Rows, Scheme, Sign, ZeroScore},
    keep::{Keep, Tally, UpdateRecord, Voted, WeightSequence},
    model::{Classifier, PredictOptions},
    reference::dual,
    schedule::{Init, Order},
    space::{CanonicalRows, Kernel},
    train::{Bias, Fit, Options, Resources, fit},
};
use rosenblatt_exact as exact;

const TWO: Scheme = Scheme::Two { positive: 1 };

fn classes(signs: &[Sign]) -> Vec<u32> {
    signs.iter().map(|&sign| u32::from(sign == Sign::Plus)).collect()
}

fn vote(rows: &Rows<'_>, signs: &[Sign], options: &Options) -> Fit {
    let classes = classes(signs);
    let labelled = Labelled::new(rows, &classes, TWO).unwrap();
    let options = Options { keep: Keep::Vote, init: Init::Zero, ..options.clone() };
    fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap()
}

fn voted(fit: Fit) -> Voted {
    let Classifier::Voted(voted) = fit.classifier else { unreachable!() };
    voted
}

/// Figure 1 for one epoch: v₁ = 0, c₁ = 0. If sign(vₖ·x) = y, cₖ += 1; otherwise vₖ₊₁ = vₖ + yx, cₖ₊₁ = 1. A score of 0
/// is a mistake for both signs. Vectors are lists of rows and signs; vₖ is the first k of them. Returns the list and c.
fn figure_1(values: &[Vec<f64>], signs: &[Sign], order: &[usize]) -> (Vec<usize>, Vec<u64>) {
    let (mut list, mut survived) = (Vec::new(), vec![0]);
    for &i in order {
        let product = score(&list, signs, &values[i]);
        let right =
            if signs[i] == Sign::Plus { product.is_positive() } else { product.is_negative() };
        if right {
            *survived.last_mut().unwrap() += 1;
        } else {
            list.push(i);
            survived.push(1);
        }
    }
    (list, survived)
}

/// v·x of v = Σ yx over a list of rows.
fn score(list: &[usize], signs: &[Sign], values: &[f64]) -> BigRational {
    let term = |&i: &usize| rational::exact(signs[i] * values[i]);
    list.iter().map(term).sum()
}

/// The scores by definition of a sequence of updates, from a row's kernel values: every vₖ after an update, exactly and
/// as sums of floats in the order of the run.
struct Naive<'a> {
    path: &'a WeightSequence,
    zero: ZeroScore,
    exact: Vec<BigRational>,
    scores: Vec<f64>,
}

impl<'a> Naive<'a> {
    fn new(path: &'a WeightSequence, values: &[f64], (bias_unit, zero): (f64, ZeroScore)) -> Self {
        let (mut exact, mut scores) = (Vec::new(), Vec::new());
        let (mut true_sum, mut sum, mut bias) = (BigRational::zero(), 0.0, 0.0);
        for one in &path.moves {
            let value = values[one.row as usize];
            true_sum += rational::exact(one.step) * rational::exact(value);
            let product = one.step * value;
            sum += product;
            let change = one.step * bias_unit;
            bias += change;
            exact.push(&true_sum + rational::exact(bias));
            scores.push(sum + bias);
        }
        Naive { path, zero, exact, scores }
    }

    fn vote(&self) -> f64 {
        let of_zero = if self.zero == ZeroScore::Positive { 1 } else { -1 };
        let sign = |score: &BigRational| match rational::sign(score) {
            Ordering::Less => -1,
            Ordering::Equal => of_zero,
            Ordering::Greater => 1,
        };
        let ballots = self.path.moves.iter().zip(&self.exact);
        let sum: i64 = ballots.map(|(one, score)| one.survived as i64 * sign(score)).sum();
        (self.path.start as i64 * of_zero + sum) as f64
    }

    fn average(&self) -> f64 {
        let terms = self.path.moves.iter().zip(&self.scores);
        terms.fold(0.0, |sum, (one, score)| sum + one.survived as f64 * score)
    }

    /// The update whose weights are current after visit `time` (counted from 0); `None` before the first.
    fn at(&self, time: u64) -> Option<usize> {
        let mut visits = vec![None; self.path.start as usize];
        for (k, one) in self.path.moves.iter().enumerate() {
            visits.extend(vec![Some(k); one.survived as usize]);
        }
        visits[time as usize]
    }
}

/// ‖vₖ‖ as the module defines it. In feature space it is the norm of the weights with b/√B, rounded once. Otherwise
/// ‖v‖² grows by 2τ(v·x + b) + τ²(K(x, x) + B) at each update.
fn norms(voted: &Voted, support: &[Vec<f64>]) -> Vec<f64> {
    let path = &voted.paths[0];
    if voted.kernel == Kernel::Linear {
        let (mut weights, mut bias) = (vec![0.0; support.first().map_or(0, Vec::len)], 0.0);
        let norm = |one: &UpdateRecord| {
            let row = &support[one.row as usize];
            weights.iter_mut().zip(row).for_each(|(w, x)| *w += one.step * x);
            bias += one.step * voted.bias_unit;
            let last = if voted.bias_unit > 0.0 { bias / voted.bias_unit.sqrt() } else { 0.0 };
            exact::norm(weights.iter().copied().chain([last]))
        };
        return path.moves.iter().map(norm).collect();
    }
    let mut square = 0.0f64;
    let norm = |k: usize| {
        let (row, step) = (path.moves[k].row as usize, path.moves[k].step);
        let values: Vec<f64> =
            support.iter().map(|z| dual::kernel_value(voted.kernel, &support[row], z)).collect();
        let before = WeightSequence { start: 0, moves: path.moves[..k].to_vec() };
        let naive = Naive::new(&before, &values, (voted.bias_unit, voted.zero));
        let score = naive.scores.last().copied().unwrap_or(0.0);
        square += 2.0 * step * score + step * step * (values[row] + voted.bias_unit);
        square.max(0.0).sqrt()
    };
    (0..path.moves.len()).map(norm).collect()
}

/// FNV-1a of the nonzero entries.
fn hash(row: &[f64]) -> u64 {
    let mut hash = 14_695_981_039_346_656_037u64;
    for (j, x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
        for byte in (j as u64).to_le_bytes().into_iter().chain(x.to_le_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
        }
    }
    hash
}

/// A number of the stream of `schedule`: ChaCha8 keyed by the seed, stream 2⁶³ + hash/2, high half of a
/// product with Lemire's rejection.
fn time(seed: u64, hash: u64, visits: u64) -> u64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut generator = ChaCha8Rng::from_seed(key);
    generator.set_stream((1 << 63) + hash / 2);
    loop {
        let product = u128::from(generator.next_u64()) * u128::from(visits);
        // Products whose low half is below 2⁶⁴ mod n are drawn again.
        if u128::from(product as u64) >= (1u128 << 64) % u128::from(visits) {
            return (product >> 64) as u64;
        }
    }
}

/// The spaces of a vote: feature space, or that of a kernel.
fn space() -> impl Strategy<Value = Option<Kernel>> {
    prop_oneof![1 => Just(None), 3 => draw::kernel().prop_map(Some)]
}

fn options() -> impl Strategy<Value = Options> {
    let options = prop_oneof![draw::perceptron(), draw::row_rule()].prop_map(draw::visiting_all);
    (options, space()).prop_map(|(options, kernel)| Options {
        kernel,
        keep: Keep::Vote,
        init: Init::Zero,
        ..options
    })
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn one_epoch_is_figure_1(
        table in draw::table(draw::integer()),
        kernel in space(),
        given in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let order = if given { Order::Given } else { Order::Shuffle };
        let options = Options { kernel, order, seed, bias: Bias::None, epochs: 1, ..Options::default() };
        let rows = table.matrix();
        let fit = vote(&rows, &table.signs, &options);
        let mut places = vec![0; table.rows.len()];
        order.arrange(seed, 1, &mut places);
        let values = kernel_values(kernel.unwrap_or(Kernel::Linear), &table.rows, &table.rows);
        let (list, survived) = figure_1(&values, &table.signs, &places);
        let Classifier::Voted(voted) = &fit.classifier else { unreachable!() };
        let path = &voted.paths[0];
        // A new vector at the first visit: c₁ stays 0, and only the mistake counts.
        let found: Vec<u64> = path.moves.iter().map(|one| one.survived).collect();
        prop_assert_eq!((path.start, found.as_slice()), (survived[0], &survived[1..]));
        let found: Vec<usize> =
            path.moves.iter().map(|one| voted.support.examples[one.row as usize]).collect();
        prop_assert_eq!(&found, &list);
        prop_assert_eq!(fit.report.updates, list.len() as u64);
        let predicted = voted.scores(&CanonicalRows::new(&rows), Tally::Vote, 1).unwrap();
        for (predicted, values) in predicted.iter().zip(&values) {
            let sign = |k: usize| if score(&list[..k], &table.signs, values).is_negative() { -1 } else { 1 };
            let sum: i64 = (1..=list.len()).map(|k| survived[k] as i64 * sign(k)).sum();
            prop_assert_eq!(*predicted, sum as f64);
        }
    }

    #[test]
    fn tallies_follow_their_definitions(table in draw::moderate_table(), options in options()) {
        let rows = table.matrix();
        let voted = voted(vote(&rows, &table.signs, &options));
        let support: Vec<Vec<f64>> =
            voted.support.examples.iter().map(|&row| table.rows[row].clone()).collect();
        let values = kernel_values(voted.kernel, &table.rows, &support);
        let oracle = Oracle::new(&table, &Options { init: Init::Zero, ..options.clone() });
        let norms = norms(&voted, &support);
        let found = voted.tallies(&CanonicalRows::new(&rows), 1).unwrap();
        for (row, values) in values.iter().enumerate() {
            let naive = Naive::new(&voted.paths[0], values, (voted.bias_unit, voted.zero));
            let over = |k: Option<usize>| {
                let k = k.filter(|&k| norms[k] > 0.0);
                k.map_or(0.0, |k| naive.scores[k] / norms[k])
            };
            let of = |k: Option<usize>| k.map_or(0.0, |k| naive.scores[k]);
            let last = naive.scores.len().checked_sub(1);
            let random = naive.at(time(options.seed, hash(&table.rows[row]), voted.paths[0].visits()));
            let [vote, average, normalised, rest @ ..] = found[row];
            prop_assert_eq!(vote, naive.vote());
            let values = dual::kernel_values(voted.kernel, &table.rows, &table.rows[row]);
            prop_assert_eq!(vote, dual::vote(&oracle.run, &values, options.zero) as f64);
            prop_assert_eq!(average.to_bits(), naive.average().to_bits());
            prop_assert_eq!(bits(&rest), bits(&[of(last), over(last), of(random), over(random)]));
            check_normalised(&naive, &norms, normalised)?;
        }
        for (place, tally) in Tally::ALL.into_iter().enumerate() {
            let scores = voted.scores(&CanonicalRows::new(&rows), tally, 3).unwrap();
            let expected: Vec<f64> = found.iter().map(|scores| scores[place]).collect();
            prop_assert_eq!(bits(&scores), bits(&expected), "{}", tally);
        }
    }

    /// On integers no squared norm is rounded: it is Σᵢⱼ τᵢτⱼ(K(xᵢ, xⱼ) + B).
    #[test]
    fn lengths_are_lengths(
        table in draw::table(draw::integer()),
        options in draw::one_rate(),
        degree in 1u32..=3,
        with_bias in any::<bool>(),
    ) {
        let bias = if with_bias { Bias::Unit } else { Bias::None };
        let kernel = Kernel::Poly { degree, coef0: 1.0, gamma: 1.0 };
        let plain = Options::default();
        let (kernel, eta, class_weight) = (Some(kernel), plain.eta, plain.class_weight);
        let options = Options { bias, kernel, eta, class_weight, ..options };
        let voted = voted(vote(&table.matrix(), &table.signs, &options));
        let row = |place: u32| &table.rows[voted.support.examples[place as usize]];
        let found = voted.tallies(&CanonicalRows::new(&table.matrix()), 1).unwrap();
        let moves = &voted.paths[0].moves;
        let product = |(one, other): (usize, usize)| {
            let value = dual::kernel_value(voted.kernel, row(moves[one].row), row(moves[other].row));
            moves[one].step * moves[other].step * (value + voted.bias_unit)
        };
        let pairs = (0..moves.len()).flat_map(|one| (0..moves.len()).map(move |other| (one, other)));
        let length = pairs.map(product).sum::<f64>().sqrt();
        for [.., last, last_normalised, _, _] in found {
            let expected = if length > 0.0 { last / length } else { 0.0 };
            prop_assert_eq!(last_normalised, expected);
        }
    }

    /// The weight sequence after some epochs is that of a shorter run.
    #[test]
    fn a_run_until_an_epoch_is_a_shorter_run(
        table in draw::moderate_table(),
        options in options(),
        less in 1u64..5,
    ) {
        let rows = table.matrix();
        let whole = vote(&rows, &table.signs, &Options { epochs: 5, ..options.clone() });
        let short = vote(&rows, &table.signs, &Options { epochs: less, ..options.clone() });
        let (whole, short) = (voted(whole), voted(short));
        let path = whole.paths[0].until(less * table.rows.len() as u64);
        prop_assert_eq!(&path, &short.paths[0]);
        // The rows of a shorter run are the first rows of a longer one.
        let cut = Voted { paths: vec![path], ..whole };
        let packed = CanonicalRows::new(&rows);
        for tally in Tally::ALL {
            let (one, other) = (cut.scores(&packed, tally, 1).unwrap(), short.scores(&packed, tally, 1).unwrap());
            prop_assert_eq!(bits(&one), bits(&other));
        }
    }

    #[test]
    fn batches_threads_and_layouts_change_nothing(
        table in draw::moderate_table(),
        options in options(),
        copies in 1usize..20,
        cut in 0usize..12,
    ) {
        let rows: Vec<Vec<f64>> = table.rows.iter().cycle().take(table.rows.len() * copies).cloned().collect();
        let data = table.matrix();
        let classes = classes(&table.signs);
        let labelled = Labelled::new(&data, &classes, TWO).unwrap();
        let model = crate::common::model(vote(&data, &table.signs, &options).classifier, &labelled, options.zero);
        let whole = Rows::dense(rows.concat(), rows[0].len()).unwrap();
        let cut = cut * copies % rows.len();
        let parts = [whole.select(&(0..cut).collect::<Vec<_>>()), whole.select(&(cut..rows.len()).collect::<Vec<_>>())];
        for tally in Tally::ALL {
            let how = |threads| PredictOptions { tally, threads };
            let expected = model.classify(&whole, how(1), true).unwrap();
            for (layout, rows) in layouts::all(&rows) {
                let found = model.classify(&rows, how(3), true).unwrap();
                prop_assert_eq!(bits(&found.scores), bits(&expected.scores), "{} {}", tally, layout);
            }
            let parts: Vec<_> = parts.iter().map(|part| model.classify(part, how(2), true).unwrap()).collect();
            let scores = [parts[0].scores.clone(), parts[1].scores.clone()].concat();
            prop_assert_eq!(bits(&scores), bits(&expected.scores));
            let found = [parts[0].classes.clone(), parts[1].classes.clone()].concat();
            prop_assert_eq!(&found, &expected.classes);
            let by_sign: Vec<u32> = scores.iter().map(|&score| u32::from(options.zero.predicts(score.total_cmp(&0.0)) == Sign::Plus)).collect();
            prop_assert_eq!(found, by_sign);
        }
    }
}

/// Each term has a quotient and a product, in either order, of the same numbers: two roundings. Each passes through at
/// most k additions. So either sum is within (k + 3)u Σ|terms| of the true sum, u = 2⁻⁵³, and the two are within twice
/// that. A quotient or product below the normal numbers is off by half the smallest number instead, which the operation after
/// it multiplies by `survived` or divides by the norm.
fn check_normalised(naive: &Naive<'_>, norms: &[f64], found: f64) -> Result<(), TestCaseError> {
    let (mut sum, mut magnitude, mut underflow) = (0.0, 0.0, 0.0);
    let moves = naive.path.moves.iter().zip(&naive.scores).zip(norms);
    for ((one, score), norm) in moves.filter(|(_, norm)| **norm > 0.0) {
        let survived = one.survived as f64;
        let term = survived * (score / norm);
        sum += term;
        magnitude += term.abs();
        underflow += f64::from_bits(1) * (1.0 + survived + 1.0 / norm);
    }
    let allowed = (norms.len() + 3) as f64 * f64::EPSILON * magnitude + underflow;
    prop_assert!((found - sum).abs() <= allowed, "{} and {}", found, sum);
    Ok(())
}

/// Every visit of a run is drawn with the same probability.
#[test]
fn random_times_are_uniform() {
    let (visits, draws) = (6, 6000);
    let mut counts = [0i32; 6];
    (0..draws).for_each(|row| counts[time(3, hash(&[f64::from(row)]), visits) as usize] += 1);
    // Five standard deviations of a binomial with n = 6000, p = 1/6.
    assert!(counts.iter().all(|count| (count - 1000).abs() < 145), "{counts:?}");
}

/// By hand, without a bias: the rows 1, 1 (+) and −1 (−). The first visit is a mistake and moves w to 1, the two others
/// are correct. So w = 1 has three votes, though it classified two examples in a row correctly.
#[test]
fn each_visit_is_one_vote() {
    let rows = Rows::dense(vec![1.0, 1.0, -1.0], 1).unwrap();
    let signs = [Sign::Plus, Sign::Plus, Sign::Minus];
    let votes = |zero| {
        let options = Options {
            bias: Bias::None,
            order: Order::Given,
            epochs: 1,
            zero,
            ..Options::default()
        };
        let asked = Rows::dense(vec![5.0, -5.0, 0.0], 1).unwrap();
        let voted = voted(vote(&rows, &signs, &options));
        voted.scores(&CanonicalRows::new(&asked), Tally::Vote, 1).unwrap()
    };
    assert_eq!(votes(ZeroScore::Positive), [3.0, -3.0, 3.0]);
    assert_eq!(votes(ZeroScore::Negative), [3.0, -3.0, -3.0]);
}

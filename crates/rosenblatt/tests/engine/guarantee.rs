//! The limits of error rates: exact arithmetic, and coverage on known distributions.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use rosenblatt::{
    data::{Examples, Labelled, Rows, Scheme, Sign},
    guarantee::{compression_limit, error_limit, pass_limit, stratified_error_limit, vote_limit},
    keep::Keep,
    model::PredictOptions,
    schedule::Order,
    separability::{Certificate, SeparabilityOptions, Verdict, compress, separable},
    train::{Options, Resources, fit},
};

use crate::common::rational;

/// P(X ≤ most), exactly.
fn tail(most: u64, trials: u64, p: f64) -> BigRational {
    let p = rational::exact(p);
    let q = BigRational::one() - &p;
    let mut choose = BigInt::one();
    let mut sum = BigRational::from(BigInt::from(0));
    for k in 0..=most {
        if k > 0 {
            choose = choose * (trials - k + 1) / k;
        }
        let power = |base: &BigRational, times: u64| num_traits::pow(base.clone(), times as usize);
        sum += power(&p, k) * power(&q, trials - k) * BigRational::from(choose.clone());
    }
    sum
}

/// The limit excludes exactly what it must: errors that few have a probability of at most 5 % there, and more slightly
/// below it.
#[test]
fn limits_in_exact_arithmetic() {
    let delta = rational::exact(1.0 - 0.95);
    for trials in [1, 2, 3, 10, 17, 40, 101] {
        for errors in (0..trials).step_by(1 + trials as usize / 7) {
            let limit = error_limit(errors, trials, 0.95);
            assert!(tail(errors, trials, limit) <= delta, "{errors} of {trials}: {limit}");
            let below = limit * (1.0 - 1e-7);
            assert!(tail(errors, trials, below) > delta, "{errors} of {trials}: {limit}");
        }
    }
}

/// Known values: 0.05 of n − 1 among n = 1, √0.05 right of two, 3/n of no errors, and the normal approximation for a
/// million.
#[test]
fn known_limits() {
    assert!((error_limit(0, 1, 0.95) - 0.95).abs() < 1e-8);
    assert_eq!((error_limit(1, 1, 0.95), error_limit(0, 0, 0.95)), (1.0, 1.0));
    assert!((stratified_error_limit(0, 2, 0.95) - (1.0 - 0.05f64.sqrt())).abs() < 1e-8);
    for (errors, examples) in [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (99, 100)] {
        assert_eq!(stratified_error_limit(errors, examples, 0.95), 1.0);
    }
    assert!((error_limit(0, 1_000_000, 0.95) * 1e6 - 2.9957).abs() < 1e-3);
    let n = 1_000_000_000;
    let normal = 0.3 + 1.644_853_626_951 * (0.3f64 * 0.7 / n as f64).sqrt();
    assert!((error_limit(3 * n / 10, n, 0.95) - normal).abs() < 1e-8);
}

/// For every rate of a grid, the probability of a limit below it is at most 5 %: exact coverage, without simulation.
#[test]
fn coverage_of_the_limit() {
    for trials in [5, 30, 60] {
        let limits: Vec<f64> =
            (0..=trials).map(|errors| error_limit(errors, trials, 0.95)).collect();
        assert!(limits.is_sorted());
        for step in 1..40 {
            let rate = f64::from(step) / 40.0;
            let missed = limits.iter().take_while(|&&limit| limit < rate).count() as u64;
            let probability = match missed {
                0 => 0.0,
                missed => tail(missed - 1, trials, rate).to_f64().unwrap(),
            };
            assert!(probability <= 0.05, "{trials} {rate}: {probability}");
        }
    }
}

/// Of two classes of which each was drawn separately, the probability of a limit below the mean rate is at most 5 % too:
/// exact coverage on a grid of rates, near 1 as well.
#[test]
fn coverage_of_classes_drawn_separately() {
    let rates = [0.0, 0.1, 0.37, 0.5, 0.8, 0.94, 0.949_36, 0.99, 1.0];
    for (first, second) in [(1, 1), (1, 4), (3, 3), (7, 20)] {
        let trials = first + second;
        for (one, other) in rates.iter().flat_map(|&one| rates.map(|other| (one, other))) {
            let rate = (first as f64 * one + second as f64 * other) / trials as f64;
            let missed = (0..=trials)
                .take_while(|&e| stratified_error_limit(e, trials, 0.95) < rate)
                .count() as u64;
            let of_first = |k: u64| {
                tail(k, first, one)
                    - if k > 0 { tail(k - 1, first, one) } else { BigRational::zero() }
            };
            let both = (0..missed.min(first + 1))
                .map(|k| of_first(k) * tail((missed - 1 - k).min(second), second, other));
            let probability = both.sum::<BigRational>().to_f64().unwrap();
            assert!(probability <= 0.05, "{first} {second} {one} {other}: {probability}");
        }
    }
}

/// SplitMix64.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A distribution on the integers from −4 to 4, twice each: the class is the sign of x + 1/2, with this share of wrong
/// labels.
struct World {
    noise: f64,
}

impl World {
    fn example(&self, random: &mut Random) -> (f64, u32) {
        let x = (random.unit() * 9.0).floor() - 4.0;
        let is_flipped = random.unit() < self.noise;
        (x, u32::from((x + 0.5 > 0.0) != is_flipped))
    }

    /// The error rate of a classifier with these classes of the integers from −4 to 4.
    fn risk(&self, classes: &[u32]) -> f64 {
        let point = |(place, &class): (usize, &u32)| {
            let is_right = (place >= 4) == (class == 1);
            (if is_right { self.noise } else { 1.0 - self.noise }) / 9.0
        };
        classes.iter().enumerate().map(point).sum()
    }
}

/// 2,400 runs of one pass on known distributions: the limit of the vote holds in at least 95 % of them, and so does
/// that of held-out examples.
#[test]
fn coverage_by_simulation() {
    let mut random = Random(7);
    let all = Rows::dense((-4..=4).map(f64::from).collect::<Vec<_>>(), 1).unwrap();
    let options =
        Options { keep: Keep::Vote, epochs: 1, order: Order::Given, ..Options::default() };
    let (mut votes, mut limits, mut informative) = (0, 0, 0);
    const RUNS: usize = 2400;
    for run in 0..RUNS {
        let world = World { noise: [0.0, 0.05, 0.2][run % 3] };
        let mut draw = |n: usize| -> (Vec<f64>, Vec<u32>) {
            (0..n).map(|_| world.example(&mut random)).unzip()
        };
        let (values, classes) = draw(150);
        let rows = Rows::dense(values, 1).unwrap();
        let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
        let fitted = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
        let predict = |rows: &Rows<'_>| {
            let by = Scheme::Two { positive: 1 };
            let how = PredictOptions::default();
            let predicted = fitted.classifier.classify(rows, by, how, false);
            predicted.unwrap().classes
        };
        let risk = world.risk(&predict(&all));
        let limit = vote_limit(fitted.report.mistakes_per_epoch[0], 150, 0.95);
        votes += usize::from(risk <= limit);
        informative += usize::from(limit < 0.5);
        let (values, classes) = draw(60);
        let predicted = predict(&Rows::dense(values, 1).unwrap());
        let errors = predicted.iter().zip(&classes).filter(|(a, b)| a != b).count() as u64;
        limits += usize::from(risk <= error_limit(errors, 60, 0.95));
    }
    assert!(votes * 20 >= RUNS * 19 && limits * 20 >= RUNS * 19, "{votes} {limits}");
    // Otherwise the first count would be no test.
    assert!(informative >= RUNS / 4, "{informative}");
}

/// Tighter than the bound of Azuma's inequality, k/m + √(2 ln(1/δ)/m), at low and at middle rates.
#[test]
fn limits_of_a_pass() {
    for (mistakes, visits) in [(0, 1000), (100, 10_000), (1000, 10_000), (5000, 50_000)] {
        let rate = mistakes as f64 / visits as f64;
        let limit = pass_limit(mistakes, visits, 0.95);
        let azuma = rate + (2.0 * 20f64.ln() / visits as f64).sqrt();
        assert!(rate < limit && limit < azuma, "{mistakes} of {visits}: {limit} {azuma}");
    }
    assert_eq!(pass_limit(10, 10, 0.95), 1.0);
    assert_eq!(vote_limit(600, 1000, 0.95), 1.0);
    assert_eq!(vote_limit(0, 0, 0.95), 1.0);
}

/// (1 − limit)^(m − K)·C(m, K)·m ≤ δ in exact arithmetic, and not slightly below the limit.
#[test]
fn limits_of_compression_in_exact_arithmetic() {
    let delta = rational::exact(1.0 - 0.95);
    for (kept, examples) in [(0, 1), (1, 2), (3, 20), (10, 60), (2, 150), (40, 90)] {
        let choose = (1..=kept).fold(BigInt::one(), |sum, k| sum * (examples - k + 1) / k);
        let probability = |limit: f64| {
            let right = num_traits::pow(
                BigRational::one() - rational::exact(limit),
                (examples - kept) as usize,
            );
            right * BigRational::from(choose.clone() * examples)
        };
        let limit = compression_limit(kept, examples, 0.95);
        assert!(probability(limit) <= delta, "{kept} of {examples}: {limit}");
        assert!(probability(limit * (1.0 - 1e-9)) > delta, "{kept} of {examples}: {limit}");
    }
    assert_eq!(compression_limit(5, 5, 0.95), 1.0);
}

/// 2,100 samples of points of a grid that a line separates: the error rate of the separator of few examples, counted over
/// the whole grid, is at most the limit in at least 95 % of them. The separator follows from its rows alone and is right on
/// all examples.
#[test]
fn coverage_of_compression_by_simulation() {
    let mut random = Random(11);
    let sign =
        |x: f64, y: f64| if 2.0 * x + 3.0 * y + 0.5 > 0.0 { Sign::Plus } else { Sign::Minus };
    let grid: Vec<[f64; 2]> = (0..441)
        .map(|place| [f64::from(place / 21) - 10.0, f64::from(place % 21) - 10.0])
        .collect();
    let options = SeparabilityOptions::default();
    let (mut covered, mut informative) = (0, 0);
    const RUNS: usize = 2100;
    for _ in 0..RUNS {
        let points: Vec<[f64; 2]> =
            (0..60).map(|_| grid[(random.unit() * 441.0) as usize]).collect();
        let signs: Vec<Sign> = points.iter().map(|&[x, y]| sign(x, y)).collect();
        let rows = Rows::dense(points.concat(), 2).unwrap();
        let examples = Examples::new(&rows, &signs).unwrap();
        let found = compress(&examples, &options, &mut || false).unwrap();
        let (few, of_few) = (rows.select(&found.rows), found.rows.iter().map(|&row| signs[row]));
        let of_few: Vec<Sign> = of_few.collect();
        let alone = separable(&Examples::new(&few, &of_few).unwrap(), &options, &mut || false);
        let Verdict::Yes { certificate: Certificate::Yes { weights, bias, .. }, .. } = alone else {
            panic!("{alone:?}")
        };
        assert_eq!((&weights, bias), (&found.separator.weights, found.separator.bias));
        let is_right = |&[x, y]: &[f64; 2]| {
            let row = Rows::dense(vec![x, y], 2).unwrap();
            found.separator.predict(row.row(0)).unwrap() == sign(x, y)
        };
        assert!(points.iter().all(is_right));
        let errors = grid.iter().filter(|point| !is_right(point)).count();
        let limit = compression_limit(found.rows.len() as u64, 60, 0.95);
        covered += usize::from(errors as f64 / 441.0 <= limit);
        informative += usize::from(limit < 0.4);
    }
    assert!(covered * 20 >= RUNS * 19, "{covered}");
    assert!(informative * 10 >= RUNS * 9, "{informative}");
}

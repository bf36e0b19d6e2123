//! The limits of error rates: exact arithmetic, and coverage on known distributions.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive};
use rosenblatt::guarantee::{
    Guarantee, SampleCheck, compression_limit, error_limit, pass_limit, vote_limit,
};
use rosenblatt_core::{
    data::{Examples, Labelled, Rows, Scheme, Sign},
    keep::Keep,
    model::PredictOptions,
    schedule::Order,
    split::{Split, Splitter},
    train::{Options, Resources, fit},
};
use rosenblatt_proofs::{Certificate, SeparabilityOptions, Verdict, compress, separable};

use crate::common::{random::Random, rational};

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
    assert!((error_limit(0, 2, 0.95) - (1.0 - 0.05f64.sqrt())).abs() < 1e-8);
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

/// The guarantee of a hold-out by its errors, as `train --holdout` gives it, if it is below the true rate: `Some(true)`; `None`
/// if it is withheld.
fn fails(
    rows: &Rows<'_>,
    classes: &[u32],
    (errors, held): (usize, usize),
    risk: f64,
) -> Option<bool> {
    let reason = SampleCheck::reason_of(rows, classes);
    match Guarantee::of_errors(errors as u64, held as u64, reason) {
        Guarantee::Holds { error_rate_at_most, .. } => Some(error_rate_at_most < risk),
        Guarantee::Withheld { .. } => None,
    }
}

/// Rows with 1 at one feature each.
fn one_hot(features: Vec<u32>, count: usize) -> Rows<'static> {
    let (offsets, values) = ((0..=features.len()).collect::<Vec<_>>(), vec![1.0; features.len()]);
    Rows::sparse(offsets, features, values, count).unwrap()
}

/// Two thirds of the rows have feature 0 and one of two classes by a coin; one third has one of the rare classes, each with a
/// feature of its own.
struct RareClasses {
    rare: usize,
}

impl RareClasses {
    fn draw(&self, examples: usize, random: &mut Random) -> (Rows<'static>, Vec<u32>) {
        let mut one = || {
            if random.unit() < 2.0 / 3.0 {
                return (0, u32::from(random.unit() < 0.5));
            }
            let class = (random.unit() * self.rare as f64) as u32;
            (class + 1, class + 2)
        };
        let (features, classes) = (0..examples).map(|_| one()).unzip();
        (one_hot(features, self.rare + 1), classes)
    }

    /// The error rate of a classifier by the class that it gives to each feature.
    fn risk(&self, of_feature: &[u32]) -> f64 {
        let wrong = (1u32..).zip(&of_feature[1..]).filter(|(j, class)| **class != j + 1).count();
        let coin = if of_feature[0] < 2 { 0.5 } else { 1.0 };
        2.0 / 3.0 * coin + wrong as f64 / (3 * self.rare) as f64
    }
}

/// Counts the errors on the test set of a classifier by the class that it gives to each feature.
fn errors_of(
    of_feature: &[u32],
    rows: &Rows<'_>,
    classes: &[u32],
    split: &Split,
) -> (usize, usize) {
    let feature = |place: usize| rows.row(place).indices().unwrap()[0] as usize;
    let is_wrong = |&&place: &&usize| of_feature[feature(place)] != classes[place];
    (split.test.iter().filter(is_wrong).count(), split.test.len())
}

/// Samples with a hundred rare classes that are easy, and with a thousand of which many are missing from the training set: the
/// limit of the examples held out is below the true rate in at most 5 % of the draws, with five standard deviations of room. A draw
/// that takes one example of each class fails in all of the first ones.
#[test]
fn coverage_of_a_hold_out_with_rare_classes() {
    let mut random = Random(3);
    for (rare, share) in [(100, 0.02), (100, 0.05), (1000, 0.02), (1000, 0.2)] {
        let source = RareClasses { rare };
        let (mut failed, mut told) = (0, 0);
        const RUNS: usize = 250;
        for seed in 0..RUNS as u64 {
            let (rows, classes) = source.draw(3000, &mut random);
            let split = Splitter::new(&rows, &classes, None).hold_out(share, seed).unwrap();
            // Knows the classes of the training set, by their features.
            let mut of_feature = vec![0; rare + 1];
            for &place in &split.train {
                of_feature[rows.row(place).indices().unwrap()[0] as usize] = classes[place];
            }
            let errors = errors_of(&of_feature, &rows, &classes, &split);
            let found = fails(&rows, &classes, errors, source.risk(&of_feature));
            told += usize::from(found.is_some());
            failed += usize::from(found == Some(true));
        }
        assert!(failed <= 30, "{rare} classes, {share}: {failed} of {RUNS}");
        assert!(told >= RUNS * 9 / 10, "{rare} classes, {share}: {told} of {RUNS}");
    }
}

/// The source of the test above, with the perceptron itself, which learns each class against the rest.
#[test]
fn coverage_of_a_hold_out_of_the_perceptron() {
    let (mut random, source) = (Random(5), RareClasses { rare: 100 });
    let all = one_hot((0..101).collect(), 101);
    let options = Options { epochs: 3, compare: false, ..Options::default() };
    let mut failed = 0;
    const RUNS: usize = 100;
    for seed in 0..RUNS as u64 {
        let (rows, classes) = source.draw(3000, &mut random);
        let split = Splitter::new(&rows, &classes, None).hold_out(0.02, seed).unwrap();
        let mut learned: Vec<u32> = split.train.iter().map(|&place| classes[place]).collect();
        let training = rows.select(&split.train);
        // Of a class that is lost, nothing is known: its feature has no weight, and the others keep their order.
        let mut known = learned.clone();
        known.sort_unstable();
        known.dedup();
        let number = |class: &mut u32| *class = known.binary_search(class).unwrap() as u32;
        learned.iter_mut().for_each(number);
        let scheme = Scheme::OneVsRest { classes: known.len() };
        let labelled = Labelled::new(&training, &learned, scheme).unwrap();
        let options = Options { seed, ..options.clone() };
        let fitted = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
        let how = PredictOptions::default();
        let found = fitted.classifier.classify(&all, scheme, how, false).unwrap().classes;
        let of_feature: Vec<u32> = found.iter().map(|&class| known[class as usize]).collect();
        let errors = errors_of(&of_feature, &rows, &classes, &split);
        failed +=
            usize::from(fails(&rows, &classes, errors, source.risk(&of_feature)) == Some(true));
    }
    // Binomial: more than 16 of 100 have a probability below 10⁻⁵.
    assert!(failed <= 16, "{failed} of {RUNS}");
}

/// Two classes in few rows, with the rates at which a draw of each class by itself fails in 6 to 7 %.
#[test]
fn coverage_of_a_hold_out_of_few_rows() {
    let mut random = Random(9);
    for (examples, share, positive, rates) in [
        (50, 0.2, 0.5, [0.2, 0.2]),
        (50, 0.2, 0.02, [0.9, 0.0]),
        (100, 0.1, 0.02, [0.9, 0.0]),
        (100, 0.1, 0.05, [0.5, 1.0]),
        (20, 0.25, 0.1, [0.5, 0.0]),
    ] {
        let mut failed = 0;
        const RUNS: usize = 20_000;
        let risk = positive * rates[1] + (1.0 - positive) * rates[0];
        for seed in 0..RUNS as u64 {
            let classes: Vec<u32> =
                (0..examples).map(|_| u32::from(random.unit() < positive)).collect();
            let split = rosenblatt_core::split::hold_out(examples, share, seed).unwrap();
            let is_wrong = |&&place: &&usize| random.unit() < rates[classes[place] as usize];
            let errors = split.test.iter().filter(is_wrong).count();
            failed += usize::from(error_limit(errors as u64, split.test.len() as u64, 0.95) < risk);
        }
        assert!(failed * 1000 <= RUNS * 58, "{examples} {share} {positive}: {failed} of {RUNS}");
    }
}

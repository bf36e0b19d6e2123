//! Calibration, compared with other ways to compute the same: isotonic fits by their formula of maxima and minima in
//! fractions, Venn–Abers by a fit for each new row, the sigmoid by its gradient in long arithmetic.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use proptest::prelude::*;
use rosenblatt_core::{
    calibration::{
        Calibration, CalibrationError, CalibrationMethod, Curve, HeldOutScores, Losses, Steps,
    },
    data::{Decision, Scheme, ZeroScore},
};

use crate::common::random::Random;

const TWO: Scheme = Scheme::Two { positive: 1 };

fn fit(method: CalibrationMethod, scored: &[(f64, u32)]) -> Calibration {
    let (scores, classes): (Vec<f64>, Vec<u32>) = scored.iter().copied().unzip();
    Calibration::fit(method, TWO, &scores, &classes).unwrap()
}

/// The probability of the positive class.
fn positive(calibration: &Calibration, score: f64) -> f64 {
    calibration.probabilities(TWO, &[score])[1]
}

/// The isotonic fit at a score of the rows: the largest over its beginnings of the smallest over its ends of the shares.
fn isotonic(scored: &[(f64, u32)], score: f64) -> BigRational {
    let mut scores: Vec<f64> = scored.iter().map(|row| row.0).collect();
    scores.sort_by(f64::total_cmp);
    scores.dedup();
    let share = |low: f64, high: f64| {
        let within: Vec<u32> =
            scored.iter().filter(|row| low <= row.0 && row.0 <= high).map(|row| row.1).collect();
        BigRational::new(within.iter().sum::<u32>().into(), within.len().into())
    };
    let lows = scores.iter().filter(|&&low| low <= score);
    let highs = || scores.iter().filter(|&&high| high >= score);
    lows.map(|&low| highs().map(|&high| share(low, high)).min().unwrap()).max().unwrap()
}

/// Rows of few different scores, with both classes.
fn rows() -> impl Strategy<Value = Vec<(f64, u32)>> {
    let row = (-6..6i32).prop_map(f64::from).prop_flat_map(|score| (Just(score), 0..2u32));
    let has_both = |rows: &Vec<(f64, u32)>| [0, 1].iter().all(|c| rows.iter().any(|r| r.1 == *c));
    proptest::collection::vec(row, 2..25).prop_filter("both classes", has_both)
}

proptest! {
    #[test]
    fn isotonic_fits_are_those_of_the_formula(rows in rows()) {
        let calibration = fit(CalibrationMethod::Isotonic, &rows);
        for row in &rows {
            let expected = isotonic(&rows, row.0).to_f64().unwrap();
            prop_assert_eq!(positive(&calibration, row.0), expected);
        }
    }

    /// At, between and beyond the scores.
    #[test]
    fn venn_abers_is_two_fits_with_the_new_row(rows in rows(), halves in -14..14i32) {
        let score = f64::from(halves) / 2.0;
        let with = |class| {
            let mut more = rows.clone();
            more.push((score, class));
            isotonic(&more, score)
        };
        let (p0, p1) = (with(0), with(1));
        let calibration = fit(CalibrationMethod::VennAbers, &rows);
        let found = calibration.intervals(&[score]).unwrap();
        let expected = [p0.to_f64().unwrap(), p1.to_f64().unwrap()];
        prop_assert_eq!(&found, &[expected]);
        let merged = (&p1 / (BigRational::one() - &p0 + &p1)).to_f64().unwrap();
        prop_assert!((positive(&calibration, score) - merged).abs() < 1e-15);
    }

    /// No curve falls, probabilities are between 0 and 1 and sum to 1, and the order of the rows changes no bit.
    #[test]
    fn every_curve_keeps_the_order_of_scores(rows in rows(), scores in proptest::collection::vec(-9.0..9.0f64, 9)) {
        let mut sorted = scores;
        sorted.extend(rows.iter().map(|row| row.0));
        sorted.sort_by(f64::total_cmp);
        for method in CalibrationMethod::ALL {
            let calibration = fit(method, &rows);
            let found = calibration.probabilities(TWO, &sorted);
            prop_assert!(found.chunks(2).all(|pair| (pair[0] + pair[1] - 1.0).abs() < 1e-15));
            prop_assert!(found.chunks(2).map(|pair| pair[1]).is_sorted());
            prop_assert!(found.iter().all(|p| (0.0..=1.0).contains(p)));
            let mut turned = rows.clone();
            turned.reverse();
            prop_assert_eq!(&fit(method, &turned), &calibration);
            // With classes exchanged and scores negated, so are the probabilities; a sigmoid is rounded on the way.
            let negated: Vec<(f64, u32)> = rows.iter().map(|row| (-row.0, 1 - row.1)).collect();
            let mirror = fit(method, &negated);
            let off = |row: &(f64, u32)| {
                let mirrored = 1.0 - positive(&mirror, -row.0);
                (positive(&calibration, row.0) - mirrored).abs()
            };
            prop_assert!(rows.iter().all(|row| off(row) < 1e-9), "{method:?}");
        }
    }

    /// The gradient of the cross-entropy is 0 at the sigmoid, or the slope is 0 and would fall.
    #[test]
    fn sigmoids_are_minima(rows in rows(), exponent in -300..300i32) {
        let scale = libm::ldexp(1.0, exponent);
        let scaled: Vec<(f64, u32)> = rows.iter().map(|row| (row.0 * scale, row.1)).collect();
        let calibration = fit(CalibrationMethod::Platt, &scaled);
        let Curve::Platt(sigmoid) = &calibration.curves()[0] else { panic!("no sigmoid") };
        let (slope, intercept) = (sigmoid.slope * scale, sigmoid.intercept);
        let [by_slope, by_intercept] = gradient(&rows, slope, intercept);
        prop_assert!(by_intercept.abs() < 1e-10, "{by_intercept}");
        let is_minimum = if slope > 0.0 { by_slope.abs() < 1e-10 } else { by_slope > -1e-10 };
        prop_assert!(is_minimum, "{by_slope}");
        // A power of two changes no digit of the probabilities.
        let plain = fit(CalibrationMethod::Platt, &rows);
        prop_assert_eq!(positive(&plain, 2.0), positive(&calibration, 2.0 * scale));
    }
}

/// The bits behind the point of the numbers below.
const BITS: u32 = 200;

fn fixed(number: f64) -> BigInt {
    let exact =
        BigRational::from_float(number).unwrap() * BigInt::from(1) * (BigInt::one() << BITS);
    exact.floor().to_integer()
}

/// e to the power `x`, by the series of x/2¹⁰ and ten squares.
fn exp(x: &BigInt) -> BigInt {
    let small: BigInt = x >> 10;
    let (mut term, mut sum) = (BigInt::one() << BITS, BigInt::zero());
    for k in 1..90 {
        sum += &term;
        term = ((term * &small) >> BITS) / k;
    }
    (0..10).fold(sum, |power, _| (&power * &power) >> BITS)
}

/// The derivatives of the cross-entropy of Platt's targets by slope and intercept.
fn gradient(rows: &[(f64, u32)], slope: f64, intercept: f64) -> [f64; 2] {
    let positives = rows.iter().filter(|row| row.1 == 1).count();
    let one: BigInt = BigInt::one() << BITS;
    let high = &one * (positives + 1) / (positives + 2);
    let low = &one / (rows.len() - positives + 2);
    let mut sums = [BigInt::zero(), BigInt::zero()];
    for &(score, class) in rows {
        let t = ((fixed(slope) * fixed(score)) >> BITS) + fixed(intercept);
        let probability = (&one << BITS) / (&one + exp(&-t));
        let difference = probability - if class == 1 { &high } else { &low };
        sums[0] += (&difference * fixed(score)) >> BITS;
        sums[1] += difference;
    }
    sums.map(|sum| (BigRational::new(sum, one.clone())).to_f64().unwrap())
}

/// The mirrored curve has the probabilities of the other side, also at the steps.
#[test]
fn mirrored_curves() {
    let rows = [(1.0, 0), (2.0, 1), (3.0, 0), (4.0, 1), (6.0, 1)];
    for method in CalibrationMethod::ALL {
        let calibration = fit(method, &rows);
        let mirror = calibration.mirrored();
        for halves in 0..16 {
            let score = f64::from(halves) / 2.0;
            let mirrored = positive(&mirror, -score);
            assert!((positive(&calibration, score) + mirrored - 1.0).abs() < 1e-15, "{score}");
            let turned = mirror.intervals(&[-score]).map(|all| [1.0 - all[0][1], 1.0 - all[0][0]]);
            let given = calibration.intervals(&[score]).map(|all| all[0]);
            let ends = given.into_iter().flatten().zip(turned.into_iter().flatten());
            assert!(ends.into_iter().all(|(a, b)| (a - b).abs() < 1e-15), "{score}");
        }
    }
}

/// Of two scores, the sigmoid goes through the mean targets: with 3 and 1 positive of 4 each, 5/6 and 1/6 are the
/// targets, (3·5/6 + 1/6)/4 = 2/3 and 1/3 the means, and ±ln 2 the logits.
#[test]
fn a_sigmoid_by_hand() {
    let of = |score, positives: usize| (0..4).map(move |i| (score, u32::from(i < positives)));
    let rows: Vec<(f64, u32)> = of(-1.0, 1).chain(of(1.0, 3)).collect();
    let calibration = fit(CalibrationMethod::Platt, &rows);
    let Curve::Platt(sigmoid) = &calibration.curves()[0] else { panic!("no sigmoid") };
    assert!((sigmoid.slope - 2f64.ln()).abs() < 1e-12 && sigmoid.intercept.abs() < 1e-12);
    assert!((positive(&calibration, 1.0) - 2.0 / 3.0).abs() < 1e-12);
    assert!((positive(&calibration, 2.0) - 0.8).abs() < 1e-12);
    // Scores in the wrong order, and equal scores, give the mean target, 1/2.
    let turned: Vec<(f64, u32)> = rows.iter().map(|row| (-row.0, row.1)).collect();
    let equal: Vec<(f64, u32)> = rows.iter().map(|row| (0.0 * row.0, row.1)).collect();
    for rows in [turned, equal] {
        let flat = fit(CalibrationMethod::Platt, &rows);
        assert_eq!([-3.0, 0.0, 3.0].map(|score| positive(&flat, score)), [0.5; 3]);
    }
    // A small probability keeps its digits.
    let sides = calibration.probabilities(TWO, &[500.0]);
    assert!(sides[1] == 1.0 && (sides[0].ln() + 500.0 * 2f64.ln()).abs() < 1e-9);
}

/// Labels 0 1 0 1 1 at scores 1, 2, 3, 4, 6: the second and third row are joined.
#[test]
fn steps_by_hand() {
    let rows = [(1.0, 0), (2.0, 1), (3.0, 0), (4.0, 1), (6.0, 1)];
    let calibration = fit(CalibrationMethod::Isotonic, &rows);
    let Curve::Isotonic(steps) = &calibration.curves()[0] else { panic!("no steps") };
    assert_eq!((steps.starts(), steps.values()), (&[1.5, 3.5][..], &[0.0, 0.5, 1.0][..]));
    let scores = [-9.0, 1.0, 1.5, 3.0, 3.5, 9.0];
    let found = scores.map(|score| positive(&calibration, score));
    assert_eq!(found, [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]);
    // A new row at 5: as a negative one it is joined with that at 4, as a positive one its neighbours are positive.
    let calibration = fit(CalibrationMethod::VennAbers, &rows);
    assert_eq!(calibration.intervals(&[5.0]), Some(vec![[0.5, 1.0]]));
    assert_eq!(positive(&calibration, 5.0), 1.0 / 1.5);
    assert_eq!(fit(CalibrationMethod::Platt, &rows).intervals(&[5.0]), None);
}

/// These rows give a sigmoid with a slope of 2·10⁻¹⁷, so that only the last digit of t differs between scores. There
/// e⁻ᵗ/(1 + e⁻ᵗ) would fall.
#[test]
fn no_curve_falls_by_rounding() {
    let negatives = [-5.0, -4.0, -3.0, -3.0, -1.0, 0.0, 2.0].map(|score| (score, 0));
    let rows = [&negatives[..], &[(-6.0, 1), (-3.0, 1), (3.0, 1)]].concat();
    let scores: Vec<f64> = (-2000..2000).map(|score| f64::from(score) / 8.0).collect();
    for method in CalibrationMethod::ALL {
        let found = fit(method, &rows).probabilities(TWO, &scores);
        assert!(found.chunks(2).is_sorted_by(|a, b| a[1] <= b[1] && a[0] >= b[0]), "{method:?}");
    }
}

/// Scores of the model itself are unchanged, so that a step begins at the score of its rows. Those of a model with half the
/// unit count twice.
#[test]
fn held_out_scores_have_the_unit_of_their_model() {
    let rows: Vec<(f64, u32)> =
        (0..40).map(|i| (f64::from(i) / 7.0, u32::from(i % 3 == 0))).collect();
    let (scores, classes): (Vec<f64>, Vec<u32>) = rows.iter().copied().unzip();
    let half: Vec<f64> = scores.iter().map(|score| score / 2.0).collect();
    for unit in [0.3, 1.7, 63.18312839424553] {
        for method in CalibrationMethod::ALL {
            for (scores, own) in [(&scores, unit), (&half, unit / 2.0)] {
                let mut held_out = HeldOutScores::default();
                held_out.add(scores, &classes, &[own]);
                assert_eq!(held_out.calibrate(method, TWO, &[unit]).unwrap(), fit(method, &rows));
            }
        }
    }
}

#[test]
fn several_classes_share_one() {
    let scheme = Scheme::OneVsRest { classes: 3 };
    // The classes are known by their scores; a row that looks like none has the probabilities 0.
    let scores = [1.0, -1.0, -1.0, -1.0, 1.0, -1.0, -1.0, -1.0, 1.0];
    let method = CalibrationMethod::Isotonic;
    let calibration = Calibration::fit(method, scheme, &scores, &[0, 1, 2]).unwrap();
    let found = calibration.probabilities(scheme, &[1.0, 1.0, -1.0, -1.0, -1.0, -1.0]);
    let third = 1.0 / 3.0;
    assert_eq!(found, [0.5, 0.5, 0.0, third, third, third]);
    let missing = Calibration::fit(method, scheme, &scores, &[0, 1, 1]);
    assert_eq!(missing, Err(CalibrationError::NoRow { class: 2 }));
}

#[test]
fn what_cannot_be_calibrated() {
    for method in CalibrationMethod::ALL {
        let fit = |scores: &[f64], classes: &[u32]| Calibration::fit(method, TWO, scores, classes);
        assert_eq!(fit(&[1.0, 2.0], &[0, 0]), Err(CalibrationError::NoRow { class: 1 }));
        assert_eq!(fit(&[1.0, 2.0], &[1, 1]), Err(CalibrationError::NoRow { class: 0 }));
        assert_eq!(fit(&[], &[]), Err(CalibrationError::NoRow { class: 1 }));
        assert_eq!(fit(&[1.0, f64::NAN], &[0, 1]), Err(CalibrationError::OutOfRange));
        assert_eq!(fit(&[1.0], &[0, 1]), Err(CalibrationError::Shape { scores: 1, rows: 2 }));
    }
    let tiny = Calibration::fit(CalibrationMethod::Platt, TWO, &[0.0, 1e-310], &[0, 1]);
    assert_eq!(tiny, Err(CalibrationError::OutOfRange));
    // Curves that fall, leave the range or are of another method are none.
    let of = |method, starts: &[f64], values: &[f64]| {
        let curve = Curve::Isotonic(Steps::of_parts(starts.to_vec(), values.to_vec()));
        Calibration::of_parts(method, vec![curve], 2, method.into()).is_some()
    };
    assert!(of(CalibrationMethod::Isotonic, &[1.0], &[0.0, 1.0]));
    assert!(!of(CalibrationMethod::VennAbers, &[1.0], &[0.0, 1.0]));
    for (starts, values) in [
        (&[1.0][..], &[0.5, 0.4][..]),
        (&[1.0], &[0.0, 1.1]),
        (&[1.0], &[0.0]),
        (&[1.0, 1.0], &[0.0, 0.5, 1.0]),
        (&[f64::NAN], &[0.0, 1.0]),
        (&[], &[]),
    ] {
        assert!(!of(CalibrationMethod::Isotonic, starts, values), "{starts:?}");
    }
    // An interval has its lower end first, here up to 1 and from 2 on.
    let interval = |low: [f64; 2], high: [f64; 2]| {
        let lower = Steps::of_parts(vec![1.0], low.to_vec());
        let upper = Steps::of_parts(vec![2.0], high.to_vec());
        let curve = Curve::VennAbers { lower, upper };
        let method = CalibrationMethod::VennAbers;
        Calibration::of_parts(method, vec![curve], 2, method.into()).is_some()
    };
    assert!(interval([0.0, 0.5], [0.5, 1.0]));
    assert!(!interval([0.0, 0.6], [0.5, 1.0]));
    assert!(!interval([0.6, 0.6], [0.5, 1.0]));
}

/// (0.5² + 0.2²)/2, −(ln 0.5 + ln 0.8)/2; of three classes the sum of the squares.
#[test]
fn losses_by_hand() {
    let mut losses = Losses::default();
    assert_eq!((losses.brier(), losses.log()), (None, None));
    losses.add(&[0.5, 0.5], 1);
    losses.add(&[0.8, 0.2], 0);
    assert!((losses.brier().unwrap() - 0.145).abs() < 1e-15);
    assert!((losses.log().unwrap() + (0.5f64.ln() + 0.8f64.ln()) / 2.0).abs() < 1e-15);
    losses.add(&[1.0, 0.0], 1);
    assert_eq!((losses.log(), losses.refuted(), losses.rows()), (None, 1, 3));
    let mut three = Losses::default();
    three.add(&[0.5, 0.25, 0.25], 0);
    assert_eq!(three.brier(), Some(0.375));
}

/// Two of three rows with a score of 1 are negative, so that score has the other label; with one slope for all scores it has its own.
#[test]
fn labels_that_are_not_those_of_the_score_are_counted() {
    let mut held_out = HeldOutScores::default();
    held_out.add(&[-4.0, -2.0, 1.0, 1.0, 1.0, 6.0], &[0, 0, 0, 0, 1, 1], &[2.0]);
    let by = Decision::from(Scheme::Two { positive: 1 });
    let count = |method| {
        let calibration = held_out.calibrate(method, by.scheme, &[4.0]).unwrap();
        held_out.relabelled(&calibration, by, &[4.0])
    };
    assert_eq!(count(CalibrationMethod::Isotonic), 3);
    assert_eq!(count(CalibrationMethod::Temperature), 0);
}

proptest! {
    /// The cut of a curve is where its labels change: from it on they are the positive class, and not at the float before it.
    #[test]
    fn labels_change_at_the_cut(
        scored in prop::collection::vec((-20i32..20, 0u32..2), 4..40),
        positive in 0usize..2,
        zero in prop::sample::select(vec![ZeroScore::Positive, ZeroScore::Negative]),
    ) {
        let scores: Vec<f64> = scored.iter().map(|row| f64::from(row.0) / 4.0).collect();
        let classes: Vec<u32> = scored.iter().map(|row| row.1).collect();
        prop_assume!(classes.contains(&0) && classes.contains(&1));
        let by = Decision { scheme: Scheme::Two { positive }, zero };
        for method in CalibrationMethod::ALL {
            let found = Calibration::fit(method, by.scheme, &scores, &classes).unwrap();
            let cut = found.cut(by).unwrap();
            if method == CalibrationMethod::Temperature {
                prop_assert_eq!((cut, found.classes(by, &scores)), (0.0, None));
                continue;
            }
            let around = [cut.next_down(), cut, cut.next_up(), f64::MIN, f64::MAX, 0.0];
            let places: Vec<f64> =
                scores.iter().copied().chain(around).filter(|score| score.is_finite()).collect();
            let labels = found.classes(by, &places).unwrap();
            let of_rows = found.probabilities(by.scheme, &places);
            for ((score, label), of_row) in places.iter().zip(labels).zip(of_rows.chunks(2)) {
                let label = label as usize;
                prop_assert_eq!(label == positive, *score >= cut, "{:?} {} {}", method, score, cut);
                prop_assert!(of_row[label] >= of_row[1 - label]);
                let of_zero = (label == positive) == (zero == ZeroScore::Positive);
                prop_assert!(of_row[0] != of_row[1] || of_zero);
            }
        }
    }
}

/// The theorem of Venn–Abers: of p₀ and p₁, the one of the true label is calibrated, so its mean over rows is the share
/// of positive ones. 3,000 calibrations with a new row each, at most four standard deviations away.
#[test]
fn venn_abers_is_valid_by_simulation() {
    let mut random = Random(11);
    const RUNS: usize = 3000;
    for rows in [20, 80] {
        let mut draw = || {
            let score = (random.unit() * 12.0).floor() - 6.0;
            // The true probability does not even rise.
            let is_positive = random.unit() < 0.5 + 0.3 * (score / 3.0).sin();
            (score, u32::from(is_positive))
        };
        let (mut off, mut squares) = (0.0, 0.0);
        for _ in 0..RUNS {
            let all: Vec<(f64, u32)> = (0..rows).map(|_| draw()).collect();
            let (score, class) = draw();
            let [p0, p1] = fit(CalibrationMethod::VennAbers, &all).intervals(&[score]).unwrap()[0];
            assert!(p0 < p1);
            let difference = if class == 1 { p1 - 1.0 } else { p0 };
            (off, squares) = (off + difference, squares + difference * difference);
        }
        let deviation = squares.sqrt() / RUNS as f64;
        assert!(
            (off / RUNS as f64).abs() < 4.0 * deviation,
            "{rows}: {off} of {RUNS}, {deviation}"
        );
    }
}

proptest! {
    #![proptest_config(crate::common::cases(200))]

    /// With one slope for all scores the class with the highest score is the most probable, and of two classes the one whose side
    /// the score is on.
    #[test]
    fn temperature_keeps_the_label(
        rows in proptest::collection::vec((proptest::array::uniform4(-9.0..9.0f64), 0..4u32), 8..40),
        scale in prop_oneof![Just(1.0), Just(1e-30), Just(1e30)],
    ) {
        let mut classes: Vec<u32> = rows.iter().map(|row| row.1).collect();
        classes[..4].copy_from_slice(&[0, 1, 2, 3]);
        let scores: Vec<f64> = rows.iter().flat_map(|row| row.0.map(|score| score * scale)).collect();
        let scheme = Scheme::OneVsRest { classes: 4 };
        let method = CalibrationMethod::Temperature;
        let calibration = Calibration::fit(method, scheme, &scores, &classes).unwrap();
        let found = calibration.probabilities(scheme, &scores);
        for (scores, found) in scores.chunks(4).zip(found.chunks(4)) {
            let place = |numbers: &[f64]| (0..4).max_by(|&a, &b| numbers[a].total_cmp(&numbers[b])).unwrap();
            let highest = found[place(scores)];
            prop_assert!(found.iter().all(|p| *p <= highest), "{:?} {:?}", scores, found);
            prop_assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        }
        let two: Vec<(f64, u32)> = rows.iter().map(|row| (row.0[0], row.1 % 2)).chain([(1.0, 0), (1.0, 1)]).collect();
        let calibration = fit(method, &two);
        for &(score, _) in &two {
            let p = positive(&calibration, score);
            prop_assert!(if score > 0.0 { p >= 0.5 } else { p <= 0.5 }, "{} {}", score, p);
        }
    }
}

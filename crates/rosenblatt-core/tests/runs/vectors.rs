//! Runs with numbers known by hand or from the literature give these numbers.
//!
//! A separate program computed the counts in integers.

use std::ops::ControlFlow;

use rosenblatt_core::{
    data::{Examples, Rows, Sign},
    keep::Keep,
    margin::novikoff_bound,
    schedule::Order,
    space::Hyperplane,
    train::{Bias, BinaryTrainer, Epoch, Learner, Observer, Options, TrainedHyperplane, train},
};

use Sign::{Minus, Plus};

const CORNERS: [[f64; 2]; 4] = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];

fn given(bias: Bias) -> Options {
    Options { keep: Keep::Last, bias, order: Order::Given, epochs: 1_000_000, ..Options::default() }
}

fn run(rows: &[impl AsRef<[f64]>], signs: &[Sign], options: &Options) -> TrainedHyperplane {
    let values: Vec<f64> = rows.iter().flat_map(|row| row.as_ref().iter().copied()).collect();
    let rows = Rows::dense(values, rows[0].as_ref().len()).unwrap();
    train(&Examples::new(&rows, signs).unwrap(), options, &mut ()).unwrap()
}

fn assert_model(run: &TrainedHyperplane, weights: &[f64], bias: f64) {
    assert_eq!(run.hyperplane, Hyperplane { weights: weights.to_vec(), bias });
    assert!(run.report.converged);
}

#[test]
fn and_in_its_order() {
    let run = run(&CORNERS, &[Minus, Minus, Minus, Plus], &given(Bias::Unit));
    assert_model(&run, &[3.0, 2.0], -4.0);
    assert_eq!(run.report.updates, 18);
    assert_eq!(run.report.mistakes_per_epoch, [2, 3, 3, 2, 2, 3, 2, 1, 0]);
}

/// In exact arithmetic every η makes the run of η = 1, with weights η·(3, 2, −4). A power of two rounds nothing. Of the other η
/// the products and sums are rounded, and scores that would be 0 decide otherwise.
#[test]
fn and_with_other_learning_rates() {
    let labels = [Minus, Minus, Minus, Plus];
    for eta in [0.5, 0.25, 2f64.powi(-10)] {
        let run = run(&CORNERS, &labels, &Options { eta, ..given(Bias::Unit) });
        assert_model(&run, &[3.0 * eta, 2.0 * eta], -4.0 * eta);
        assert_eq!(run.report.mistakes_per_epoch, [2, 3, 3, 2, 2, 3, 2, 1, 0]);
    }
    let rounded = run(&CORNERS, &labels, &Options { eta: 0.1, ..given(Bias::Unit) });
    assert_model(&rounded, &[0.2, 0.1], -0.20000000000000004);
    assert_eq!((rounded.report.updates, rounded.report.mistakes_per_epoch), (8, vec![2, 3, 3, 0]));
    for eta in [0.01, 0.3, 0.7] {
        let run = run(&CORNERS, &labels, &Options { eta, ..given(Bias::Unit) });
        assert!(run.report.converged);
        assert_eq!(
            (run.report.updates, run.report.mistakes_per_epoch),
            (11, vec![2, 3, 3, 2, 1, 0])
        );
    }
}

/// The examples 1 (+1) and 0 (−1) with S = 1/2: the mistakes are 1, 0 and, at a score of 0, again 0. They give w = 1 and
/// b = S² − 2S² = −1/4. The functional margins are 3/4 and 1/4, the norm is √(1² + (b/S)²) = √(5/4), so γ = 1/√20, and
/// the bound (R² + S²)/γ² is (5/4)·20 = 25.
#[test]
fn a_bias_feature_of_a_half() {
    let run = run(&[[1.0], [0.0]], &[Plus, Minus], &given(Bias::Feature(0.5)));
    assert_model(&run, &[1.0], -0.25);
    assert_eq!(run.report.mistakes_per_epoch, [2, 1, 0]);
    assert_close(run.report.min_margin, 1.0 / 20f64.sqrt());
    assert_bound(run.report.novikoff_bound, 25.0);
}

/// The functional margins of (3, 2; −4) on AND are 4, 2, 1, 1. The longest row is (1, 1). With the
/// bias `unit` the margin is 1/√(9 + 4 + 16), and the bound (R² + 1)/γ² is (2 + 1)·29 = 87. The
/// margin of the data is at most √29/18; the report adds 2u·k·S·(√k + 1) for the roundings of
/// k = 18 updates of length S = √3, divided by 18.
#[test]
fn the_report_of_and() {
    let report = run(&CORNERS, &[Minus, Minus, Minus, Plus], &given(Bias::Unit)).report;
    assert_close(Some(report.radius), 2f64.sqrt());
    assert_close(report.min_margin, 1.0 / 29f64.sqrt());
    assert_close(report.margin.lower, 1.0 / 29f64.sqrt());
    assert_bound(report.novikoff_bound, 87.0);
    let upper = report.margin.upper.unwrap();
    let rounding = f64::EPSILON * 18.0 * 3f64.sqrt() * (18f64.sqrt() + 1.0) / 18.0;
    let norm_by_steps = 29f64.sqrt() / 18.0;
    let largest = (norm_by_steps + 2.0 * rounding) * (1.0 + 36.0 * f64::EPSILON);
    assert!((norm_by_steps..=largest).contains(&upper));
}

/// Numbers that are computed with at most 17 roundings of 2⁻⁵³.
fn assert_close(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    let error = (found - expected).abs();
    assert!(error <= 8.5 * f64::EPSILON * expected, "{found} for {expected}");
}

/// A bound that is rounded up, by at most 20 · 2⁻⁵²: its margin is rounded down by 8 and off by 4 units of 2⁻⁵³, which
/// its square doubles; it is off by 6 more and rounded up by 8.
fn assert_bound(found: Option<f64>, expected: f64) {
    let found = found.unwrap();
    let largest = expected * (1.0 + 20.0 * f64::EPSILON);
    assert!((expected..=largest).contains(&found), "{found} for {expected}");
}

#[test]
fn bounds_by_hand() {
    assert_bound(novikoff_bound(Bias::None, 2.0, 0.5), 16.0);
    assert_bound(novikoff_bound(Bias::Unit, 2.0, 0.5), 20.0);
    assert_bound(novikoff_bound(Bias::Radius, 2.0, 0.5), 64.0);
    for (radius, margin) in
        [(2.0, 0.0), (2.0, -0.5), (2.0, f64::NAN), (-1.0, 0.5), (f64::INFINITY, 1.0)]
    {
        assert_eq!(novikoff_bound(Bias::Unit, radius, margin), None);
    }
}

#[test]
fn or_in_its_order() {
    let run = run(&CORNERS, &[Minus, Plus, Plus, Plus], &given(Bias::Unit));
    assert_model(&run, &[2.0, 2.0], -1.0);
    assert_eq!(run.report.updates, 9);
    assert_eq!(run.report.mistakes_per_epoch, [3, 1, 2, 2, 1, 0]);
}

/// Collects the weights after each epoch and the largest ‖(w, b)‖² of the run.
#[derive(Default)]
struct Path {
    ends: Vec<Hyperplane>,
    largest: f64,
}

impl Observer for Path {
    fn visited(
        &mut self,
        _: usize,
        _: rosenblatt_core::train::Visit,
        trainer: &BinaryTrainer<'_>,
    ) -> ControlFlow<()> {
        let Hyperplane { weights, bias } = trainer.learner().hyperplane().into_owned();
        let square = weights.iter().map(|w| w * w).sum::<f64>() + bias * bias;
        self.largest = self.largest.max(square);
        ControlFlow::Continue(())
    }

    fn epoch_ended(&mut self, _: Epoch, trainer: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.ends.push(trainer.learner().hyperplane().into_owned());
        ControlFlow::Continue(())
    }
}

/// Every example errs, and the four updates of an epoch sum to 0. Within an epoch (w, b) is (0,0,−1), (0,1,0), (1,1,1),
/// 0 in the 0/1 coding, and (1,1,−1), (0,2,0), (1,1,1), 0 in the ±1 coding.
#[test]
fn exclusive_or_cycles() {
    let plus_and_minus: Vec<f64> = CORNERS.iter().flatten().map(|x| 2.0 * x - 1.0).collect();
    for (values, largest) in [(CORNERS.concat(), 3.0), (plus_and_minus, 4.0)] {
        let rows = Rows::dense(values, 2).unwrap();
        let examples = Examples::new(&rows, &[Minus, Plus, Plus, Minus]).unwrap();
        let mut path = Path::default();
        let options = Options { epochs: 50, ..given(Bias::Unit) };
        let report = train(&examples, &options, &mut path).unwrap().report;
        assert!(!report.converged);
        assert_eq!(report.mistakes_per_epoch, [4; 50]);
        assert_eq!(path.ends, vec![Hyperplane::zero(2); 50]);
        assert_eq!(path.largest, largest);
    }
}

/// The examples yᵢeᵢ with alternating signs yᵢ, +1 first: each is a mistake once. The bound (R/γ)² is n, for R = 1 and
/// γ = 1/√n.
fn orthonormal(n: usize) -> (Vec<Vec<f64>>, Vec<Sign>) {
    let signs: Vec<Sign> = (0..n).map(|i| if i % 2 == 0 { Plus } else { Minus }).collect();
    let row = |i: usize| (0..n).map(|j| if i == j { signs[i].as_f64() } else { 0.0 }).collect();
    ((0..n).map(row).collect(), signs)
}

#[test]
fn orthonormal_examples_reach_the_bound() {
    for n in 2..=8 {
        let (rows, signs) = orthonormal(n);
        let run = run(&rows, &signs, &given(Bias::None));
        assert_model(&run, &vec![1.0; n], 0.0);
        assert_eq!(run.report.mistakes_per_epoch, [n as u64, 0]);
        assert_bound(run.report.novikoff_bound, n as f64);
    }
}

/// A training set of one class is rejected, but a single example can be learned.
#[test]
fn one_orthonormal_example_is_one_update() {
    let rows = Rows::dense(vec![1.0], 1).unwrap();
    let mut learner = Learner::new(&given(Bias::None), 1).unwrap();
    let updated = |learner: &mut Learner| learner.learn(rows.row(0), Plus).unwrap().updated;
    assert_eq!([updated(&mut learner), updated(&mut learner)], [true, false]);
}

/// The points R − 1 (−) and R + 1 (+) on a line: 2R² + 2 updates when the bias is the weight of a
/// feature 1, and 2R + 3 when it is that of a feature R + 1, which is what the bias `radius` does.
/// Final weights 2 and −2R; R + 3 and −(R + 1), the bias that times R + 1.
#[test]
fn a_pair_far_from_the_origin_needs_a_large_bias_feature() {
    for r in [2.0, 4.0, 8.0, 16.0, 32.0, 128.0] {
        let (signs, line) = ([Minus, Plus], [[r - 1.0], [r + 1.0]]);
        let unit = run(&line, &signs, &given(Bias::Unit));
        assert_model(&unit, &[2.0], -2.0 * r);
        assert_eq!(unit.report.updates as f64, 2.0 * r * r + 2.0);
        let plane = [[r - 1.0, r + 1.0], [r + 1.0, r + 1.0]];
        let feature = run(&plane, &signs, &given(Bias::None));
        assert_model(&feature, &[r + 3.0, -(r + 1.0)], 0.0);
        assert_eq!(feature.report.updates as f64, 2.0 * r + 3.0);
        let radius = run(&line, &signs, &given(Bias::Radius));
        assert_model(&radius, &[r + 3.0], -(r + 1.0) * (r + 1.0));
        assert_eq!(radius.report.mistakes_per_epoch, feature.report.mistakes_per_epoch);
    }
}

#[test]
fn the_counts_for_r_128() {
    let line = [[127.0], [129.0]];
    assert_eq!(run(&line, &[Minus, Plus], &given(Bias::Unit)).report.updates, 32_770);
    assert_eq!(run(&line, &[Minus, Plus], &given(Bias::Radius)).report.updates, 259);
}

/// The nested function of n features on n + 1 points (Anthony & Shawe-Taylor, *Combinatorics,
/// Probability and Computing* 2(4), 1993). From (0) − and (1) +, each further coordinate i, counted
/// from 0, is an AND when i is odd: the old points get a 1, and (1, …, 1, 0) − is added; and an OR
/// when it is even: the old points get a 0, and (0, …, 0, 1) + is added.
fn nested(n: usize) -> (Vec<Vec<f64>>, Vec<Sign>) {
    let (mut rows, mut signs) = (vec![vec![0.0], vec![1.0]], vec![Minus, Plus]);
    for i in 1..n {
        let (kept, sign) = if i % 2 == 1 { (1.0, Minus) } else { (0.0, Plus) };
        rows.iter_mut().for_each(|row| row.push(kept));
        let mut added = vec![kept; i];
        added.push(1.0 - kept);
        rows.push(added);
        signs.push(sign);
    }
    (rows, signs)
}

/// Epochs include the last one, without mistakes.
#[test]
fn nested_functions_take_exponentially_many_updates() {
    let expected = [(5, 4), (22, 10), (42, 15), (216, 73), (326, 106), (1656, 530)];
    for (n, counts) in (1..).zip(expected) {
        let (rows, signs) = nested(n);
        let report = run(&rows, &signs, &given(Bias::Unit)).report;
        assert_eq!((report.updates, report.epochs), counts, "n = {n}");
        assert_eq!(report.mistakes_per_epoch.last(), Some(&0));
    }
}

#[test]
fn nested_functions_end_with_these_weights() {
    let ends: [(&[f64], f64); 3] = [
        (&[2.0, 3.0, 5.0], -4.0),
        (&[2.0, 4.0, 6.0, 9.0], -14.0),
        (&[2.0, 3.0, 5.0, 8.0, 14.0], -12.0),
    ];
    for (weights, bias) in ends {
        let (rows, signs) = nested(weights.len());
        assert_model(&run(&rows, &signs, &given(Bias::Unit)), weights, bias);
    }
}

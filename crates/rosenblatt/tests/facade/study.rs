//! Results of studies worked by hand; they do not depend on the number of threads and respect the bound.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicUsize, Ordering},
};

use crate::common::cases;
use proptest::{collection::vec, prelude::*};
use rosenblatt::study::{
    Answer, HeldOutSweep, Plan, Study, StudyError, Summary, Sweep, SweepPoint, Watcher, study,
    sweep, sweep_held_out,
};
use rosenblatt_core::{
    data::{Examples, Rows, Sign},
    keep::Keep,
    rules::Update,
    schedule::{Init, Order},
    split::{SplitError, Splitter},
    train::{Bias, ClassWeight, Options, train},
};

const fn plan(runs: usize, threads: usize) -> Plan {
    Plan { runs, threads }
}

fn with_bias(bias: Bias) -> Options {
    Options { bias, ..Options::default() }
}

fn sign(positive: bool) -> Sign {
    if positive { Sign::Plus } else { Sign::Minus }
}

const ALL: [Sweep; 4] = [Sweep::Margin, Sweep::Scale, Sweep::Units, Sweep::Outlier];

/// Rows and their signs.
struct Data {
    rows: Rows<'static>,
    signs: Vec<Sign>,
}

impl Data {
    fn examples(&self) -> Examples<'_> {
        Examples::new(&self.rows, &self.signs).unwrap()
    }

    /// e₁ … eₙ with alternating signs.
    fn orthonormal(n: usize) -> Self {
        let entry = |i: usize| f64::from(u8::from(i / n == i % n));
        let rows = Rows::dense((0..n * n).map(entry).collect::<Vec<f64>>(), n).unwrap();
        Data { rows, signs: (0..n).map(|i| sign(i % 2 == 0)).collect() }
    }

    /// XOR.
    fn inseparable() -> Self {
        let rows = Rows::dense(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2).unwrap();
        Data { rows, signs: [false, true, true, false].map(sign).to_vec() }
    }

    /// Two clouds at a distance, from a small generator (Knuth, MMIX).
    fn clouds(n: usize, features: usize, distance: f64, off: f64) -> Self {
        let mut state = 42u64;
        let mut uniform = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let signs: Vec<Sign> = (0..n).map(|i| sign(i % 2 == 0)).collect();
        let mut values = Vec::new();
        for sign in &signs {
            values.extend(
                (0..features)
                    .map(|j| uniform() + off + if j == 0 { *sign * distance } else { 0.0 }),
            );
        }
        Data { rows: Rows::dense(values, features).unwrap(), signs }
    }
}

/// Each row is a mistake exactly once in every order, because all rows are orthogonal.
#[test]
fn orthonormal_rows_take_one_update_each_in_every_order() {
    let data = Data::orthonormal(7);
    let found = study(&data.examples(), &with_bias(Bias::None), &plan(30, 1), &()).unwrap();
    let (seven, two) = (Summary::of(vec![7.0]), Summary::of(vec![2.0]));
    assert_eq!((found.converged(), found.updates, found.epochs), (30, seven, two));
    assert_eq!(
        found.runs.iter().map(|run| run.seed).collect::<Vec<_>>(),
        (0..30).collect::<Vec<_>>()
    );
    // γ = 1/√7, R = 1, and the last weights are always (1, −1, 1, …).
    let bound = found.theorem.bound.unwrap();
    assert!((7.0..7.0001).contains(&bound), "{bound}");
    assert_eq!(found.angles.last, Summary::of(vec![0.0]));
    // Early updates have more influence on the average.
    assert!(found.angles.average.unwrap().median > 1.0);
}

#[test]
fn threads_change_nothing() {
    let data = Data::clouds(60, 4, 0.52, 3.0);
    let examples = data.examples();
    let options = Options { seed: u64::MAX - 3, ..Options::default() };
    let one = study(&examples, &options, &plan(25, 1), &()).unwrap();
    let swept = sweep(&examples, &options, Sweep::Margin, &plan(5, 1), &()).unwrap();
    assert_eq!(one.runs[4].seed, 0);
    for threads in [2, 3, 64] {
        assert_eq!(study(&examples, &options, &plan(25, threads), &()).unwrap(), one);
        let again = sweep(&examples, &options, Sweep::Margin, &plan(5, threads), &()).unwrap();
        assert_eq!(again, swept);
    }
}

fn within_the_bound(found: &Study) {
    let bound = found.theorem.bound.unwrap();
    let most = found.runs.iter().map(|run| run.updates).max().unwrap();
    assert!(most as f64 <= bound, "{most} > {bound}");
    assert_eq!(found.theorem.separable, Answer::Yes);
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn every_run_is_within_the_bound(
        rows in vec(vec(-6i8..=6, 3), 2..=12),
        normal in vec(-4i8..=4, 3),
        rule in prop_oneof![Just(Update::PERCEPTRON), Just(Update::margin(1.5))],
        bias in prop_oneof![Just(Bias::None), Just(Bias::Unit), Just(Bias::Radius)],
    ) {
        let score = |row: &Vec<i8>| {
            row.iter().zip(&normal).map(|(x, w)| i32::from(*x) * i32::from(*w)).sum::<i32>()
        };
        let rows: Vec<Vec<i8>> = rows.into_iter().filter(|row| score(row) != 0).collect();
        let signs: Vec<Sign> = rows.iter().map(|row| sign(score(row) > 0)).collect();
        prop_assume!(signs.contains(&Sign::Plus) && signs.contains(&Sign::Minus));
        let matrix = Rows::dense(rows.concat().into_iter().map(f64::from).collect::<Vec<_>>(), 3);
        let data = Data { rows: matrix.unwrap(), signs };
        let options = Options { bias, update: rule, ..Options::default() };
        within_the_bound(&study(&data.examples(), &options, &plan(6, 1), &()).unwrap());
    }
}

/// Without a bias the margin of the bound is that through the origin, with `radius` the geometric one: both are
/// multiplied by the factor.
#[test]
fn a_sweep_of_the_margin_multiplies_it() {
    let data = Data::clouds(50, 3, 0.6, 0.0);
    for (bias, off) in [(Bias::None, 0.0), (Bias::Radius, 5.0)] {
        let data = if off == 0.0 { &data } else { &Data::clouds(50, 3, 0.6, off) };
        let options = with_bias(bias);
        let found = study(&data.examples(), &options, &plan(1, 1), &()).unwrap();
        let base = found.theorem.margin.unwrap();
        let points = sweep(&data.examples(), &options, Sweep::Margin, &plan(3, 1), &()).unwrap();
        let factors: Vec<f64> = points.iter().map(|point| point.factor).collect();
        assert_eq!(factors, Sweep::Margin.factors());
        for point in points {
            let margin = point.theorem.margin.unwrap();
            // Two brackets and the direction are each known to a relative 1e-6 of the base.
            let slack = 4e-6 * base.upper;
            assert!(margin.lower <= point.factor * base.upper + slack, "{bias:?} {point:?}");
            assert!(margin.upper >= point.factor * base.lower - slack, "{bias:?} {point:?}");
            assert!(point.updates.unwrap().max <= point.theorem.bound.unwrap());
        }
    }
}

/// With the factor 1 nothing moves: the study is that of the original data.
#[test]
fn the_factor_1_is_the_study_itself() {
    let data = Data::clouds(40, 5, 0.55, 1.0);
    let found = study(&data.examples(), &Options::default(), &plan(9, 1), &()).unwrap();
    for kind in ALL {
        let points = sweep(&data.examples(), &Options::default(), kind, &plan(9, 1), &()).unwrap();
        let one = points.iter().find(|point| point.factor == 1.0).unwrap();
        assert_eq!((one.theorem, one.updates), (found.theorem, found.updates));
        assert_eq!((one.epochs, one.held_out_errors), (found.epochs, None));
    }
}

/// Rows 1 and 2 are (1, 1) and (−1, −1) without a bias: z = (1, 1) twice, so γ² = R² = 1 + f², and one update is always
/// enough.
#[test]
fn a_sweep_of_the_scale_multiplies_every_second_feature() {
    let rows = Rows::dense(vec![1.0, 1.0, -1.0, -1.0], 2).unwrap();
    let data = Data { rows, signs: vec![Sign::Plus, Sign::Minus] };
    let options = with_bias(Bias::None);
    for point in sweep(&data.examples(), &options, Sweep::Scale, &plan(2, 1), &()).unwrap() {
        let length = (1.0 + point.factor * point.factor).sqrt();
        assert!((point.theorem.radius / length - 1.0).abs() < 1e-15);
        assert!((point.theorem.margin.unwrap().upper / length - 1.0).abs() < 1e-9);
        assert_eq!((point.converged, point.updates), (2, Summary::of(vec![1.0])));
    }
}

/// Without a bias every weight of a run is multiplied by the factor, and every score by its square: no decision changes.
#[test]
fn units_matter_only_to_a_learned_bias() {
    let data = Data::clouds(40, 3, 0.6, 0.0);
    let swept =
        |bias| sweep(&data.examples(), &with_bias(bias), Sweep::Units, &plan(4, 1), &()).unwrap();
    let without = swept(Bias::None);
    assert!(without.iter().all(|point| point.updates == without[0].updates));
    let with = swept(Bias::Unit);
    assert!(with.iter().any(|point| point.updates != with[0].updates));
    for (a, b) in without.iter().zip(&without[1..]) {
        assert_eq!(b.theorem.radius, 4.0 * a.theorem.radius);
    }
}

/// The widest separator of (0, 1), (3, 2) and (0, −1), (1, −2) is x₂ = 0, with γ = 1. The first example moves from
/// (3, 2) to (3f, 2), so R² = 9f² + 4 and γ stays 1.
#[test]
fn an_outlier_moves_parallel_to_the_separator() {
    let rows = Rows::dense(vec![0.0, 1.0, 3.0, 2.0, 0.0, -1.0, 1.0, -2.0], 2).unwrap();
    let data = Data { rows, signs: [true, true, false, false].map(sign).to_vec() };
    let options = with_bias(Bias::Radius);
    let points = sweep(&data.examples(), &options, Sweep::Outlier, &plan(3, 1), &()).unwrap();
    assert_eq!(points.len(), Sweep::Outlier.factors().len());
    for point in points {
        let radius = (9.0 * point.factor * point.factor + 4.0).sqrt();
        assert!((point.theorem.radius / radius - 1.0).abs() < 1e-6, "{point:?}");
        assert!((point.theorem.margin.unwrap().lower - 1.0).abs() < 1e-5, "{point:?}");
        assert!(point.updates.unwrap().max <= point.theorem.bound.unwrap());
    }
    let line = Rows::dense(vec![1.0, -1.0], 1).unwrap();
    let line = Data { rows: line, signs: vec![Sign::Plus, Sign::Minus] };
    let failed = sweep(&line.examples(), &options, Sweep::Outlier, &plan(1, 1), &());
    assert_eq!(failed, Err(StudyError::NoParallel));
}

/// Each run of a sweep with held-out examples is a run of `train` on the other examples, judged on these.
#[test]
fn held_out_errors_are_those_of_a_run_without_the_examples() {
    let data = Data::clouds(40, 3, 0.52, 1.0);
    let units = |share| HeldOutSweep { sweep: Sweep::Units, share };
    let options = Options { seed: 5, keep: Keep::Last, ..Options::default() };
    let examples = data.examples();
    let points = sweep_held_out(&examples, &options, units(0.25), &plan(6, 2), &()).unwrap();
    let one = points.iter().find(|point| point.factor == 1.0).unwrap();
    let classes: Vec<u32> = data.signs.iter().map(|&s| u32::from(s == Sign::Plus)).collect();
    let errors = |seed| {
        let splitter = Splitter::new(&data.rows, &classes, None);
        let split = splitter.hold_out(0.25, seed).unwrap();
        let (rows, signs) = (data.rows.select(&split.train), |i: &usize| data.signs[*i]);
        let signs: Vec<Sign> = split.train.iter().map(signs).collect();
        let options = Options { seed, ..options.clone() };
        let run = train(&Examples::new(&rows, &signs).unwrap(), &options, &mut ()).unwrap();
        let is_wrong =
            |i: &&usize| run.hyperplane.predict(data.rows.row(**i)).unwrap() != data.signs[**i];
        split.test.iter().filter(is_wrong).count() as f64 / 10.0
    };
    assert_eq!(one.held_out_errors, Summary::of((5..11).map(errors).collect()));
    // The bound of all examples is one of some of them.
    let bound = |point: &SweepPoint| point.theorem.bound.unwrap();
    assert!(points.iter().all(|point| point.updates.is_none_or(|all| all.max <= bound(point))));
    let failed = sweep_held_out(&examples, &options, units(1.0), &plan(1, 1), &());
    assert_eq!(failed, Err(StudyError::Split(SplitError::Share { share: 1.0 })));
}

#[test]
fn inseparable_data_have_no_bound_and_no_sweep() {
    let data = Data::inseparable();
    let options = Options { epochs: 5, ..Options::default() };
    let found = study(&data.examples(), &options, &plan(4, 2), &()).unwrap();
    assert_eq!((found.converged(), found.updates, found.theorem.bound), (0, None, None));
    assert_eq!((found.theorem.separable, found.theorem.margin), (Answer::No, None));
    assert!(found.runs.iter().all(|run| run.epochs == 5 && !run.converged));
    for kind in ALL {
        let failed = sweep(&data.examples(), &options, kind, &plan(4, 1), &());
        assert_eq!(failed, Err(StudyError::NotSeparable));
    }
}

/// The theorem holds for runs from zero with one learning rate.
#[test]
fn no_bound_where_the_theorem_does_not_hold() {
    let data = Data::orthonormal(3);
    let bound = |options: Options| {
        study(&data.examples(), &options, &plan(2, 1), &()).unwrap().theorem.bound
    };
    assert!(bound(Options::default()).is_some());
    assert_eq!(bound(Options { init: Init::Random, ..Options::default() }), None);
    let class_weight = ClassWeight::Given(vec![1.0, 2.0]);
    assert_eq!(bound(Options { class_weight, ..Options::default() }), None);
    assert_eq!(bound(Options { update: Update::PA, ..Options::default() }), None);
}

#[test]
fn invalid_plans_are_rejected() {
    let data = Data::orthonormal(2);
    let failed = |options: Options, runs| {
        study(&data.examples(), &options, &plan(runs, 1), &()).unwrap_err()
    };
    assert_eq!(failed(Options::default(), 0), StudyError::NoRuns);
    let given = Options { order: Order::Given, ..Options::default() };
    assert_eq!(failed(given, 3), StudyError::GivenOrder);
    assert!(matches!(failed(Options { eta: -1.0, ..Options::default() }, 3), StudyError::Train(_)));
    let rows = Rows::dense(vec![1.0, -1.0], 1).unwrap();
    let one = Data { rows, signs: vec![Sign::Plus, Sign::Minus] };
    let failed = sweep(&one.examples(), &Options::default(), Sweep::Scale, &plan(1, 1), &());
    assert_eq!(failed, Err(StudyError::OneFeature));
}

fn stop_if(stops: bool) -> ControlFlow<()> {
    if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Stops after this many runs.
struct StopAfter(usize, AtomicUsize);

impl Watcher for StopAfter {
    fn poll(&self) -> ControlFlow<()> {
        stop_if(self.1.load(Ordering::Relaxed) >= self.0)
    }

    fn run_ended(&self) {
        self.1.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_watcher_can_stop_it() {
    let data = Data::clouds(30, 3, 0.6, 0.0);
    for threads in [1, 3] {
        for after in [0, 2] {
            let watcher = StopAfter(after, AtomicUsize::new(0));
            let plan = plan(10, threads);
            let stopped = study(&data.examples(), &Options::default(), &plan, &watcher);
            assert_eq!(stopped, Err(StudyError::Stopped));
            let watcher = StopAfter(after, AtomicUsize::new(0));
            let swept = sweep(&data.examples(), &Options::default(), Sweep::Scale, &plan, &watcher);
            assert_eq!(swept, Err(StudyError::Stopped));
        }
    }
}

//! A report's bounds hold to the last bit and at the ends of the range.

use rosenblatt_core::{
    data::{Examples, Rows, Sign},
    keep::{Keep, Kept},
    margin::min_margin,
    report::Report,
    schedule::Order,
    space::Hyperplane,
    train::{Bias, ClassWeight, Options, train},
};

use Sign::{Minus, Plus};

fn without_bias() -> Options {
    Options { keep: Keep::Last, bias: Bias::None, order: Order::Given, ..Options::default() }
}

/// One positive row x and the negative row −x: the margin of the data is ‖x‖.
fn opposite(row: &[f64], options: &Options) -> Report {
    let values = row.iter().copied().chain(row.iter().map(|x| -x)).collect::<Vec<f64>>();
    let rows = Rows::dense(values, row.len()).unwrap();
    train(&Examples::new(&rows, &[Plus, Minus]).unwrap(), options, &mut ()).unwrap().report
}

/// The bound is exactly n, and so are the updates.
#[test]
fn novikoffs_bound_holds_where_it_is_tight() {
    for n in 2..=64 {
        let entry = |i: usize, j: usize| {
            if i != j {
                0.0
            } else if i.is_multiple_of(2) {
                1.0
            } else {
                -1.0
            }
        };
        let values: Vec<f64> = (0..n * n).map(|place| entry(place / n, place % n)).collect();
        let signs: Vec<Sign> = (0..n).map(|i| if i % 2 == 0 { Plus } else { Minus }).collect();
        let rows = Rows::dense(values, n).unwrap();
        let run = train(&Examples::new(&rows, &signs).unwrap(), &without_bias(), &mut ()).unwrap();
        assert_eq!(run.report.updates, n as u64);
        let bound = run.report.novikoff_bound.unwrap();
        assert!(bound >= n as f64, "{bound} for {n}");
    }
}

/// The score 10⁴⁰⁰ is past the range, the margin 10²⁰⁰ is not.
#[test]
fn a_score_past_the_range_has_a_margin() {
    let report = opposite(&[1e200], &without_bias());
    assert_eq!((report.updates, report.converged), (1, true));
    assert!(report.min_margin.unwrap() <= 1.0000001e200, "{:?}", report.min_margin);
    assert!(report.margin.lower.unwrap() <= report.margin.upper.unwrap());
    assert!(report.novikoff_bound.unwrap() >= 1.0);
}

/// The score 10⁻⁴⁰⁰ underflows, the margin 10⁻²⁰⁰ does not.
#[test]
fn a_score_that_underflows_has_a_margin() {
    let report = opposite(&[1e-200], &without_bias());
    assert_eq!((report.updates, report.converged), (1, true));
    assert!(report.min_margin.unwrap() > 0.0);
}

/// With the smallest η > 0 the step 1.4η rounds to η, so that the weight is less than η times the
/// sum of the examples, and ‖w‖/Σ steps = 1 is no upper bound on the margin 1.4.
#[test]
fn steps_that_underflow_keep_the_upper_bound() {
    let report = opposite(&[1.4], &Options { eta: f64::from_bits(1), ..without_bias() });
    assert!(report.converged);
    if let Some(upper) = report.margin.upper {
        assert!(upper >= 1.4, "{upper}");
    }
}

/// η times the class weight underflows to 0: nothing can be learned, and no bound is a number.
#[test]
fn a_rate_that_underflows_gives_no_bound() {
    let class_weight = ClassWeight::Given(vec![1e-300, 1e-300]);
    let options = Options { eta: 1e-300, class_weight, epochs: 3, ..without_bias() };
    let rows = Rows::dense(vec![1.0, -1.0], 1).unwrap();
    let run = train(&Examples::new(&rows, &[Plus, Minus]).unwrap(), &options, &mut ());
    assert!(run.is_err() || !run.unwrap().report.margin.upper.is_some_and(f64::is_nan));
}

/// η times the class weight overflows; the first row is all zeros.
#[test]
fn an_infinite_rate_is_refused_in_every_layout() {
    let class_weight = ClassWeight::Given(vec![1.0, 1e300]);
    let options = Options { eta: 1e300, class_weight, epochs: 1, ..without_bias() };
    let dense = Rows::dense(vec![0.0, 1.0], 1).unwrap();
    let sparse = Rows::sparse(vec![0, 0, 1], vec![0], vec![1.0], 1).unwrap();
    let error =
        |rows| train(&Examples::new(rows, &[Plus, Minus]).unwrap(), &options, &mut ()).err();
    assert_eq!(error(&dense), error(&sparse));
}

/// The run converges with the first update, and its model is the last weights.
#[test]
fn an_average_that_is_not_kept_cannot_fail_a_run() {
    let rows = Rows::dense(vec![1e308, -1e308], 1).unwrap();
    let run = train(&Examples::new(&rows, &[Plus, Minus]).unwrap(), &without_bias(), &mut ());
    assert_eq!(run.map(|run| run.report.kept), Ok(Kept::Last));
}

/// By hand: w = 3, b = 4 and x = 1 (+) have the functional margin 7. The geometric margin is 7/3, and the margin divides by
/// 5 with the bias `unit` and by √(3² + 2²) with `unit:2`. On the wrong side both are negative.
#[test]
fn only_a_bias_unit_counts_in_the_margin() {
    let plane = Hyperplane { weights: vec![3.0], bias: 4.0 };
    let rows = Rows::dense(vec![1.0], 1).unwrap();
    for (sign, side) in [(Plus, 7.0), (Minus, -7.0)] {
        let margin = |bias| {
            min_margin(&plane, bias, &Examples::new(&rows, &[sign]).unwrap()).unwrap().unwrap()
        };
        assert_eq!(margin(Bias::None), side / 3.0);
        assert_eq!(margin(Bias::Radius), side / 3.0);
        assert_eq!(margin(Bias::Unit), side / 5.0);
        assert_eq!(margin(Bias::Feature(2.0)), side / 13f64.sqrt());
    }
}

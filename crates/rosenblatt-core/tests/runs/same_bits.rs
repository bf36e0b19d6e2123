//! The same rows, options and seed give the bits of the definition in every layout of the rows. Rational arithmetic
//! checks the definition.

use crate::common::{bits, cases, draw, layouts, oracle::Oracle, rational};
use num_rational::BigRational;
use num_traits::Signed;
use proptest::prelude::*;
use rosenblatt_core::{
    data::{Examples, Rows, Sign},
    keep::{Keep, Kept},
    reference,
    rules::Update,
    schedule::{Init, Order},
    space::Hyperplane,
    train::{Bias, ClassWeight, Options, TrainError, TrainedHyperplane, train},
};

use draw::Table;

fn run(
    rows: &Rows<'_>,
    signs: &[Sign],
    options: &Options,
    keep: Keep,
) -> Result<TrainedHyperplane, TrainError> {
    let options = Options { keep, compare: true, ..options.clone() };
    train(&Examples::new(rows, signs).unwrap(), &options, &mut ())
}

/// The weights, followed by the bias.
fn numbers(hyperplane: &Hyperplane) -> Vec<f64> {
    hyperplane.weights.iter().copied().chain([hyperplane.bias]).collect()
}

/// A squared radius past the range is an error, which another file tests. Such rows are learned with the bias unit 1.
fn possible(options: &Options, table: &Table) -> Options {
    let largest = table.rows.iter().flatten().fold(0.0f64, |largest, x| largest.max(x.abs()));
    let too_long = options.bias == Bias::Radius && largest > 1e140;
    let bias = if too_long { Bias::Unit } else { options.bias };
    Options { bias, ..options.clone() }
}

/// Trains in one layout with each kind of kept weights, and compares with the definition. Returns the average.
fn check_layout(
    layout: &str,
    rows: &Rows<'_>,
    table: &Table,
    options: &Options,
    oracle: &Oracle,
) -> Result<Vec<f64>, TestCaseError> {
    let run = |keep| run(rows, &table.signs, options, keep).unwrap();
    let expected = &oracle.run;
    let mistakes_per_epoch = expected.mistakes_per_epoch();
    let (last_errors, pocket_errors) =
        (oracle.errors(expected.last()), oracle.errors(&oracle.pocket));
    let (last, pocket, average, auto) =
        (run(Keep::Last), run(Keep::Pocket), run(Keep::Average), run(Keep::Auto));
    prop_assert_eq!(
        bits(&numbers(&last.hyperplane)),
        bits(&numbers(expected.last())),
        "last, {}",
        layout
    );
    prop_assert_eq!(
        bits(&numbers(&pocket.hyperplane)),
        bits(&numbers(&oracle.pocket)),
        "pocket, {}",
        layout
    );
    for report in [&last.report, &pocket.report, &average.report, &auto.report] {
        prop_assert_eq!(&report.mistakes_per_epoch, &mistakes_per_epoch, "{}", layout);
        prop_assert_eq!(report.updates, oracle.updates(), "{}", layout);
        prop_assert_eq!(report.errors.of(Kept::Last), Some(last_errors), "{}", layout);
        prop_assert_eq!(report.errors.of(Kept::Pocket), Some(pocket_errors), "{}", layout);
    }
    // Without a comparison the visits are not watched.
    let unwatched = |keep| {
        let options = Options { keep, ..options.clone() };
        train(&Examples::new(rows, &table.signs).unwrap(), &options, &mut ()).unwrap()
    };
    for (keep, watched) in [(Keep::Last, &last), (Keep::Average, &average)] {
        let run = unwatched(keep);
        let (found, expected) = (numbers(&run.hyperplane), numbers(&watched.hyperplane));
        prop_assert_eq!(bits(&found), bits(&expected), "{:?}, {}", keep, layout);
        let (found, expected) = (&run.report, &watched.report);
        prop_assert_eq!(&found.mistakes_per_epoch, &expected.mistakes_per_epoch, "{}", layout);
        prop_assert_eq!(found.updates, expected.updates, "{}", layout);
        prop_assert_eq!(found.errors.of(Kept::Last), expected.errors.of(Kept::Last), "{}", layout);
        prop_assert_eq!(found.min_margin, expected.min_margin, "{}", layout);
        prop_assert_eq!(found.radius.to_bits(), expected.radius.to_bits(), "{}", layout);
    }
    let clean = auto.report.converged;
    prop_assert_eq!(clean, oracle.run.converged, "{}", layout);
    let kept = if options.update.rule().keeps_last { Kept::Last } else { Kept::Average };
    prop_assert!(auto.report.kept == kept || clean, "{}", layout);
    prop_assert!(auto.report.extra_epochs.is_none() || clean, "{}", layout);
    let kept = oracle.kept(&auto.report);
    prop_assert_eq!(bits(&numbers(&auto.hyperplane)), bits(&numbers(&kept)), "auto, {}", layout);
    let average = numbers(&average.hyperplane);
    prop_assert_eq!(bits(&average), bits(&numbers(&oracle.average)), "average, {}", layout);
    prop_assert!(
        !bits(&average).contains(&(-0.0f64).to_bits()),
        "a weight is never -0, {}",
        layout
    );
    Ok(average)
}

/// Compares all layouts with the definition; returns the average, which is the same in all.
fn check(table: &Table, options: &Options, oracle: &Oracle) -> Result<Vec<f64>, TestCaseError> {
    let mut averages = Vec::new();
    for (layout, rows) in layouts::all(&table.rows) {
        averages.push(check_layout(layout, &rows, table, options, oracle)?);
    }
    for average in &averages {
        prop_assert_eq!(bits(average), bits(&averages[0]));
    }
    Ok(averages.swap_remove(0))
}

/// The exact mean over all visits of some function of each weight and the bias; that of the first weights before a visit.
fn mean(run: &reference::RunHistory, of: fn(f64) -> f64) -> Vec<BigRational> {
    let mut visits: Vec<Vec<f64>> = run.visits().map(|visit| numbers(&visit.after)).collect();
    if visits.is_empty() {
        visits.push(numbers(&run.first));
    }
    let count = BigRational::from_integer(visits.len().into());
    let sum = |j: usize| visits.iter().map(|now| rational::exact(of(now[j]))).sum::<BigRational>();
    (0..visits[0].len()).map(|j| sum(j) / &count).collect()
}

/// A bound on the distance of a computed average from the true mean of the weights `w_t`, over M visits with k updates:
/// (k + 3)·u·mean|w_t| + 2⁻¹⁰⁷⁵, with u = 2⁻⁵³.
///
/// The engine sums p ≤ k + 1 products (visits · weight), one for each stretch of visits between two moves of the
/// weight, and divides by M. The number of visits is exact. Each product is rounded once, and never underflows, since
/// the visits are an integer. Each passes through at most p − 1 additions that round, as the first is to 0, and then
/// through one division. So each carries at most k + 2 factors (1 + δ), |δ| ≤ u, and the error is at most γ·mean|w_t|
/// with γ = (k+2)u/(1 − (k+2)u) ≤ (k+3)u. Only the division can underflow, by half of 2⁻¹⁰⁷⁴.
fn allowed_errors(oracle: &Oracle) -> Vec<BigRational> {
    let factor = rational::exact((oracle.updates() + 3) as f64) * rational::power_of_two(-53);
    let underflow = rational::power_of_two(-1075);
    mean(&oracle.run, |weight| weight.abs())
        .iter()
        .map(|mean| mean * &factor + &underflow)
        .collect()
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn every_layout_gives_the_bits_of_the_reference(
        table in draw::any_table(),
        options in draw::perceptron(),
    ) {
        let options = possible(&options, &table);
        let oracle = Oracle::new(&table, &options);
        let average = check(&table, &options, &oracle)?;
        let means = mean(&oracle.run, |weight| weight);
        for (j, allowed) in allowed_errors(&oracle).into_iter().enumerate() {
            let error = (rational::exact(average[j]) - &means[j]).abs();
            prop_assert!(error <= allowed, "average of weight {}: {:e}", j, average[j]);
        }
    }

    #[test]
    fn every_rule_gives_the_bits_of_the_reference(
        table in draw::moderate_table(),
        options in draw::other_rule(),
    ) {
        let oracle = Oracle::new(&table, &options);
        check(&table, &options, &oracle)?;
    }

    /// With integers below 2⁵³ every total is exact, so the mean is rounded once. The radius (a root) and random
    /// initial weights (fractions) are left out.
    #[test]
    fn averages_of_integers_are_rounded_once(
        table in draw::table(draw::integer()),
        options in draw::perceptron(),
        with_bias in any::<bool>(),
    ) {
        let bias = if with_bias { Bias::Unit } else { Bias::None };
        let init = Init::Zero;
        let class_weight = ClassWeight::Uniform;
        let options = Options { bias, init, class_weight, eta: 1.0, decay: None, ..options };
        let oracle = Oracle::new(&table, &options);
        let average = check(&table, &options, &oracle)?;
        // The mean of a weight is never −0.
        let means: Vec<f64> =
            mean(&oracle.run, |weight| weight).iter().map(|mean| rational::nearest(mean) + 0.0).collect();
        prop_assert_eq!(bits(&average), bits(&means));
    }
}

/// Three examples at 0 with the positive sign: b = 1 after the first. The fourth, the smallest number t with the
/// negative sign, has a positive score: w = −t, b = 0. The mean −t/4 of w underflows to 0, and not to −0; the mean of b
/// is 3/4.
#[test]
fn a_mean_that_underflows_is_plus_zero() {
    let rows = [vec![0.0], vec![0.0], vec![0.0], vec![f64::from_bits(1)]];
    let signs = [Sign::Plus, Sign::Plus, Sign::Plus, Sign::Minus];
    let options = Options { order: Order::Given, epochs: 1, ..Options::default() };
    for (layout, rows) in layouts::all(&rows) {
        let last = run(&rows, &signs, &options, Keep::Last).unwrap();
        assert_eq!(numbers(&last.hyperplane), [-f64::from_bits(1), 0.0], "{layout}");
        let average = run(&rows, &signs, &options, Keep::Average).unwrap();
        assert_eq!(bits(&numbers(&average.hyperplane)), bits(&[0.0, 0.75]), "{layout}");
    }
}

/// By hand: the squares of the rows underflow, so l / ‖x‖² is infinite and `pa1` takes its largest step C = 1/2, twice
/// per epoch. A row of zeros stays a mistake without an update.
#[test]
fn a_step_that_overflows_is_cut() {
    let tiny = 2f64.powi(-700);
    let rows = vec![vec![tiny], vec![-tiny], vec![0.0]];
    let table = Table { rows, signs: vec![Sign::Plus, Sign::Minus, Sign::Plus] };
    let (order, bias) = (Order::Given, Bias::None);
    let options =
        Options { update: Update::pa1(0.5), order, bias, epochs: 3, ..Options::default() };
    let oracle = Oracle::new(&table, &options);
    assert_eq!((oracle.run.last().weights[0], oracle.updates()), (3.0 * tiny, 6));
    check(&table, &options, &oracle).unwrap();
}

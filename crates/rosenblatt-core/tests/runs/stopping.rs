//! With early stopping the model has the weights with the fewest held-out errors, and the report describes these
//! weights.

use crate::common::{cases, draw, rational::units};
use draw::Table;
use num_bigint::BigInt;
use proptest::{collection::vec, prelude::*};
use rosenblatt_core::{
    data::{Labelled, Rows, Scheme, Sign, ZeroScore},
    keep::Keep,
    model::{Classifier, PredictOptions},
    report::{Report, Stop},
    rules::Update,
    schedule::{Init, Order},
    space::Hyperplane,
    train::{Bias, ClassWeight, Fit, HeldOut, Options, Resources, fit},
};

/// Labelled rows of two or three classes.
struct Data {
    rows: Rows<'static>,
    classes: Vec<u32>,
    scheme: Scheme,
    weights: Option<Vec<f64>>,
}

impl Data {
    fn new(table: &Table, three: bool, weights: Option<&[f64]>) -> Self {
        let scheme =
            if three { Scheme::OneVsRest { classes: 3 } } else { Scheme::Two { positive: 1 } };
        let class = |(i, &sign): (usize, &Sign)| match (sign, i % 2) {
            (Sign::Minus, _) => 0,
            (Sign::Plus, 1) if three => 2,
            (Sign::Plus, _) => 1,
        };
        let mut classes: Vec<u32> = table.signs.iter().enumerate().map(class).collect();
        if three {
            let n = classes.len();
            classes[..n.min(3)].iter_mut().zip(0..).for_each(|(class, number)| *class = number);
        }
        let weights = weights.map(|weights| weights[..classes.len()].to_vec());
        Data { rows: table.matrix(), classes, scheme, weights }
    }

    fn labelled(&self) -> Labelled<'_> {
        let labelled = Labelled::new(&self.rows, &self.classes, self.scheme).unwrap();
        self.weights.iter().fold(labelled, |labelled, weights| labelled.weighted(weights).unwrap())
    }

    fn fit(&self, options: &Options, held_out: Option<(&Data, (u64, usize))>) -> Fit {
        let held_out = held_out.map(|(data, (patience, least))| HeldOut {
            labelled: data.labelled(),
            patience,
            least,
        });
        let resources = Resources::default();
        fit(&self.labelled(), options, &resources, held_out.as_ref(), &mut ()).unwrap()
    }

    /// The examples with a wrong predicted class.
    fn errors(&self, classifier: &Classifier, zero: ZeroScore) -> Vec<usize> {
        let model = crate::common::model(classifier.clone(), &self.labelled(), zero);
        let found = model.classify(&self.rows, PredictOptions::default(), false).unwrap().classes;
        (0..found.len()).filter(|&i| found[i] != self.classes[i]).collect()
    }

    /// The weight of an error on each example.
    fn units(&self, options: &Options) -> Vec<BigInt> {
        let rate = |i: usize| {
            let of_class = match &options.class_weight {
                ClassWeight::Given(weights) => weights[self.classes[i] as usize],
                _ => 1.0,
            };
            options.eta * of_class * self.weights.as_ref().map_or(1.0, |weights| weights[i])
        };
        units(&(0..self.classes.len()).map(rate).collect::<Vec<_>>())
    }
}

/// An early-stopped run, epoch by epoch: a run of e epochs is the first e epochs of a longer one.
struct Twin {
    best: Fit,
    best_epoch: u64,
    epochs: u64,
    stop: Stop,
}

impl Twin {
    /// Errors must fall by the weight of `least` errors of the mean weight. After an epoch without mistakes equally few
    /// are enough.
    fn train(
        data: &Data,
        held_out: &Data,
        options: &Options,
        (patience, least): (u64, usize),
    ) -> Self {
        let units = held_out.units(options);
        let (examples, total) = (units.len(), units.iter().sum::<BigInt>());
        let mut best: Option<(BigInt, u64, Fit)> = None;
        let (mut epochs, mut stop) = (0, Stop::MaxEpochs);
        while epochs < options.epochs && stop == Stop::MaxEpochs {
            epochs += 1;
            let run = data.fit(&Options { epochs, ..options.clone() }, None);
            let errors = held_out.errors(&run.classifier, options.zero);
            let errors: BigInt = errors.iter().map(|&i| &units[i]).sum();
            stop = run.report.stopped_by;
            let converged = stop == Stop::CleanEpoch;
            let is_better = |best: &(BigInt, u64, Fit)| {
                (&best.0 - &errors) * examples >= &total * least.max(1)
                    || (converged && errors <= best.0)
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some((errors, epochs, run));
            }
            let impatient = epochs - best.as_ref().unwrap().1 >= patience;
            if stop == Stop::MaxEpochs && impatient {
                stop = Stop::Patience;
            }
        }
        let (_, best_epoch, best) = best.unwrap();
        Twin { best, best_epoch, epochs, stop }
    }
}

/// Rows at the end can add coefficients that are 0.
fn coefficients(fit: &Fit) -> Vec<(f64, Vec<(usize, f64)>)> {
    let planes = match &fit.classifier {
        Classifier::Linear(planes) => planes,
        Classifier::Dual(dual) => &dual.planes,
        Classifier::Voted(_) => unreachable!(),
    };
    let name = |place: usize| fit.classifier.support().map_or(place, |rows| rows.examples[place]);
    let numbers = |weights: &[f64]| {
        let all = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        all.map(|(place, &weight)| (name(place), weight)).collect()
    };
    planes.iter().map(|plane| (plane.bias, numbers(&plane.weights))).collect()
}

fn options() -> impl Strategy<Value = Options> {
    let kernel = prop_oneof![Just(None), draw::kernel().prop_map(Some)];
    let keep = proptest::sample::select(vec![Keep::Last, Keep::Average, Keep::Auto]);
    let options = prop_oneof![3 => draw::perceptron(), 1 => draw::other_rule()];
    (options, kernel, keep, 1u64..8).prop_map(|(options, kernel, keep, epochs)| Options {
        kernel: kernel.filter(|_| options.update.rule().precise.is_none()),
        keep,
        epochs,
        init: Init::Zero,
        // Two weights do not fit three classes.
        class_weight: match options.class_weight {
            ClassWeight::Given(two) => ClassWeight::Given(vec![two[0], two[1], 1.0]),
            _ => ClassWeight::Uniform,
        },
        ..options
    })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn the_model_is_that_of_the_best_epoch(
        table in draw::moderate_table(),
        others in draw::moderate_table(),
        three in any::<bool>(),
        mut options in options(),
        patience in (1u64..4, 0usize..4),
        weights in proptest::option::of(vec(0.01..100.0, 12)),
    ) {
        let (data, held_out) = held_out(&table, &others, three, &weights, &mut options);
        let twin = Twin::train(&data, &held_out, &options, patience);
        let run = data.fit(&options, Some((&held_out, patience)));
        prop_assert_eq!(run.report.best_epoch, Some(twin.best_epoch));
        prop_assert_eq!((run.report.epochs, run.report.stopped_by), (twin.epochs, twin.stop));
        prop_assert_eq!(coefficients(&run), coefficients(&twin.best));
        prop_assert_eq!(run.report.kept, twin.best.report.kept);
        check_report(&data, &run, &options)?;
    }

    /// A pocket tries the last weights at the end of a run, but not after each epoch.
    #[test]
    fn a_report_describes_the_best_pocket(
        table in draw::moderate_table(),
        others in draw::moderate_table(),
        three in any::<bool>(),
        mut options in options(),
        patience in (1u64..4, 0usize..4),
        weights in proptest::option::of(vec(0.01..100.0, 12)),
    ) {
        let (data, held_out) = held_out(&table, &others, three, &weights, &mut options);
        let options = Options { keep: Keep::Pocket, ..options };
        let run = data.fit(&options, Some((&held_out, patience)));
        check_report(&data, &run, &options)?;
    }
}

/// Training errors are those of the model. The bounds on the margin of the data come from the last weights, whichever
/// weights are the best.
fn check_report(data: &Data, run: &Fit, options: &Options) -> Result<(), TestCaseError> {
    let report = &run.report;
    let errors = data.errors(&run.classifier, options.zero).len();
    prop_assert_eq!(report.training_errors, Some(errors));
    let whole = data.fit(&Options { epochs: report.epochs, ..options.clone() }, None).report;
    prop_assert_eq!(report.margin.upper, whole.margin.upper);
    let classes = |report: &Report| report.per_class.clone().unwrap_or_default();
    for (class, whole) in classes(report).iter().zip(classes(&whole)) {
        prop_assert_eq!(class.margin.upper, whole.margin.upper);
    }
    Ok(())
}

/// Training rows, and held-out rows with the same number of features.
fn held_out(
    table: &Table,
    others: &Table,
    three: bool,
    weights: &Option<Vec<f64>>,
    options: &mut Options,
) -> (Data, Data) {
    let features = table.rows[0].len();
    let fit = |row: &Vec<f64>| row.iter().cycle().take(features).copied().collect();
    let rows = others.rows.iter().map(fit).collect();
    let others = Table { rows, signs: others.signs.clone() };
    let three = three && table.rows.len() > 2;
    let weights = weights.as_deref().filter(|_| options.update != Update::PA);
    if three {
        *options = draw::visiting_all(options.clone());
    }
    if let (ClassWeight::Given(weights), false) = (&mut options.class_weight, three) {
        weights.truncate(2);
    }
    (Data::new(table, three, weights), Data::new(&others, three, weights))
}

/// By hand, without a bias: the row (1, 0) with sign + moves w from (−2.5, 1) to (−1.5, 1), (−0.5, 1) and (0.5, 1) in
/// three epochs; the row 0 always stays a mistake and moves nothing. A row (a, 1) with sign + is correct if w₁a + 1 ≥
/// 0: of a = 1/2, 1, 10, 20, after the epochs 3, 2 and 0 are wrong.
///
/// With the weights 1, 1, 8, 8 the errors weigh 17, 16 and 0 then, and the mean weight is 4.5: the first decrease is
/// too small.
#[test]
fn small_falls_do_not_count() {
    let rows = |values: &[f64]| Rows::dense(values.to_vec(), 2).unwrap();
    let scheme = Scheme::Two { positive: 1 };
    let own = rows(&[1.0, 0.0, 0.0, 0.0]);
    let own = Data { rows: own, classes: vec![1, 0], scheme, weights: None };
    let others = rows(&[0.5, 1.0, 1.0, 1.0, 10.0, 1.0, 20.0, 1.0]);
    let mut others = Data { rows: others, classes: vec![1; 4], scheme, weights: None };
    let first = Hyperplane { weights: vec![-2.5, 1.0], bias: 0.0 };
    let options = Options {
        init: Init::Given([first].into()),
        bias: Bias::None,
        keep: Keep::Last,
        order: Order::Given,
        epochs: 9,
        ..Options::default()
    };
    // Patience, the least decrease, the best epoch and the last.
    for (patience, least, best, last) in
        [(1, 1, 3, 4), (1, 0, 3, 4), (1, 2, 1, 2), (2, 2, 3, 5), (2, 3, 3, 5), (5, 4, 1, 6)]
    {
        let report = own.fit(&options, Some((&others, (patience, least)))).report;
        let expected = (Some(best), last, Stop::Patience);
        assert_eq!(
            (report.best_epoch, report.epochs, report.stopped_by),
            expected,
            "{patience} {least}"
        );
    }
    others.weights = Some(vec![1.0, 1.0, 8.0, 8.0]);
    let report = own.fit(&options, Some((&others, (1, 1)))).report;
    assert_eq!((report.best_epoch, report.epochs), (Some(1), 2));
}

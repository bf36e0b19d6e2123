//! With `Keep::Auto` the model of a run that converged is right on its own rows: the average of the run continued by as
//! few epochs as that needs, or the last weights.

use crate::common::{bits, cases, draw, rational};
use num_rational::BigRational;
use proptest::{collection::vec, prelude::*, strategy::Union};
use rosenblatt_core::{
    data::{
        Examples, Labelled, Rows, Scheme,
        Sign::{self, Minus, Plus},
        ZeroScore,
    },
    keep::{Keep, Kept},
    report::Report,
    rules::{Mistake, Update},
    schedule::{Init, Order},
    space::Hyperplane,
    train::{
        Bias, ClassWeight, Fit, Multiclass, Options, Resources, Stream, TrainError,
        TrainedHyperplane, fit, train,
    },
};

fn run(rows: &[Vec<f64>], signs: &[Sign], options: &Options) -> TrainedHyperplane {
    let rows = Rows::dense(rows.concat(), rows[0].len()).unwrap();
    train(&Examples::new(&rows, signs).unwrap(), options, &mut ()).unwrap()
}

/// The corners of the cube, where the last feature changes first, and AND.
fn and(features: u32) -> (Vec<Vec<f64>>, Vec<Sign>) {
    let corner = |i: u32| (0..features).rev().map(|j| f64::from(i >> j & 1)).collect();
    let corners = 1 << features;
    let sign = |i| if i + 1 == corners { Plus } else { Minus };
    ((0..corners).map(corner).collect(), (0..corners).map(sign).collect())
}

fn given() -> Options {
    Options { order: Order::Given, compare: true, ..Options::default() }
}

/// The sums of all weights and of the bias over the run and its further epochs, the epochs of the run, its updates and
/// those further epochs; computed in integers by a separate program.
fn check(
    (rows, signs): (&[Vec<f64>], &[Sign]),
    (sums, bias): (&[f64], f64),
    (epochs, updates, more): (u64, u64, Option<u64>),
) {
    let TrainedHyperplane { hyperplane, report, .. } = run(rows, signs, &given());
    assert_eq!((report.epochs, report.updates, report.extra_epochs), (epochs, updates, more));
    let visits = (rows.len() as u64 * (epochs + more.unwrap_or(0))) as f64;
    let weights = sums.iter().map(|sum| sum / visits).collect();
    assert_eq!(hyperplane, Hyperplane { weights, bias: bias / visits });
    assert_eq!((report.kept, report.training_errors), (Kept::Average, Some(0)));
}

/// The average of the run errs on the second row: y·s = −2/18.
#[test]
fn two_rows() {
    check((&[vec![-2.0], vec![-1.0]], &[Plus, Minus]), (&[-36.0], -38.0), (9, 13, Some(2)));
}

/// Of the 24 orders of AND's rows the average errs after two.
#[test]
fn and_in_an_order_whose_average_errs() {
    let (rows, signs) = and(2);
    let order = [1, 2, 0, 3];
    let rows: Vec<Vec<f64>> = order.iter().map(|&i| rows[i].clone()).collect();
    let signs: Vec<Sign> = order.iter().map(|&i| signs[i]).collect();
    check((&rows, &signs), (&[87.0, 45.0], -129.0), (11, 22, Some(1)));
}

#[test]
fn and_of_three_in_two_orders() {
    let (mut rows, mut signs) = and(3);
    let average = run(&rows, &signs, &given());
    assert_eq!((average.report.kept, average.report.extra_epochs), (Kept::Average, None));
    let visits = 8.0 * average.report.epochs as f64;
    let weights = [460.0, 313.0, 204.0].map(|sum| sum / visits).to_vec();
    assert_eq!(average.hyperplane, Hyperplane { weights, bias: -784.0 / visits });
    rows.reverse();
    signs.reverse();
    let sums = [90.0 + 304.0, 284.0 + 456.0, 462.0 + 608.0];
    check((&rows, &signs), (&sums, -982.0 - 1216.0), (26, 58, Some(19)));
}

#[test]
fn and_of_three_is_right_in_200_orders() {
    let (rows, signs) = and(3);
    let mut averages_err = 0;
    for seed in 0..200 {
        let auto = run(&rows, &signs, &Options { seed, ..Options::default() });
        assert_eq!((auto.report.converged, auto.report.training_errors), (true, Some(0)));
        let average =
            run(&rows, &signs, &Options { seed, keep: Keep::Average, ..Options::default() });
        averages_err += u32::from(average.report.training_errors != Some(0));
    }
    assert!(averages_err > 100, "the average alone errs after {averages_err} of 200 orders");
}

/// Four epochs give w = −1, b = −2 and the sums −17 and −7 over eight visits. The score of the row −1 has the sums 10 and,
/// each further epoch, −2: only after six epochs, more than were made, is it below 0.
#[test]
fn no_more_epochs_than_were_made() {
    let run = run(&[vec![-4.0], vec![-1.0]], &[Plus, Minus], &given());
    assert_eq!((run.report.epochs, run.report.updates), (4, 4));
    assert_eq!((run.report.kept, run.report.extra_epochs), (Kept::Last, None));
    assert_eq!(run.hyperplane, Hyperplane { weights: vec![-1.0], bias: -2.0 });
    assert_eq!(run.report.errors.of(Kept::Average), Some(1));
}

/// Under `label` the row 0 of the positive class lies on the last hyperplane, w = 3 and b = 0. The average has b = −1/4,
/// so the row is wrong after any number of further epochs.
#[test]
fn a_row_on_the_hyperplane() {
    let options = Options { mistake: Mistake::Label, ..given() };
    let run = run(&[vec![-3.0], vec![0.0]], &[Minus, Plus], &options);
    assert_eq!((run.report.epochs, run.report.kept), (2, Kept::Last));
    assert_eq!(run.hyperplane, Hyperplane { weights: vec![3.0], bias: 0.0 });
    assert_eq!(run.report.training_errors, Some(0));
}

/// A passive-aggressive run ends after an epoch without mistakes but with updates, and would make others if it went on.
#[test]
fn a_rule_that_would_go_on_moving() {
    let options = Options { update: Update::PA, ..given() };
    let rows = [vec![-1.0], vec![-5.0]];
    let auto = run(&rows, &[Plus, Minus], &options);
    let average = run(&rows, &[Plus, Minus], &Options { keep: Keep::Average, ..options });
    assert_eq!((average.report.converged, average.report.training_errors), (true, Some(1)));
    assert_eq!((auto.report.kept, auto.report.training_errors), (Kept::Last, Some(0)));
}

/// After a single epoch without mistakes no other weights were visited, and a mean of them would round: a stream, which
/// has no second look at its rows, has the same model.
#[test]
fn a_single_epoch() {
    let first = Hyperplane { weights: vec![0.1], bias: 0.0 };
    let init = Init::Given(vec![first.clone()].into());
    let options = Options { init, epochs: 1, ..given() };
    let table =
        Table { rows: vec![vec![-1.0], vec![1.0], vec![2.0]], classes: vec![0, 1, 1], count: 2 };
    let rows = Rows::dense(table.rows.concat(), 1).unwrap();
    let scheme = Scheme::Two { positive: 1 };
    let labelled = Labelled::new(&rows, &table.classes, scheme).unwrap();
    let mut stream = Stream::new(&options, scheme).unwrap();
    let _ = stream.learn(&labelled, &mut ()).unwrap();
    for fit in [table.fit(&options), stream.finish().unwrap().0] {
        assert_eq!((fit.report.converged, fit.report.kept), (true, Kept::Last));
        assert_eq!(fit.classifier.linear().unwrap(), std::slice::from_ref(&first));
    }
}

/// Rows of 2 to 4 classes, each of which occurs, as integers.
#[derive(Clone, Debug)]
struct Table {
    rows: Vec<Vec<f64>>,
    classes: Vec<u32>,
    count: usize,
}

fn table_of(numbers: BoxedStrategy<f64>) -> impl Strategy<Value = Table> {
    let rows =
        (1usize..=4).prop_flat_map(move |features| vec(vec(numbers.clone(), features), 4..=9));
    (rows, 2usize..=4, vec(0u32..4, 9)).prop_map(|(rows, count, mut classes)| {
        classes.truncate(rows.len());
        classes.iter_mut().for_each(|class| *class %= count as u32);
        let last = classes.iter_mut().rev();
        last.zip(0..count as u32).for_each(|(class, number)| *class = number);
        Table { rows, classes, count }
    })
}

/// Numbers of every size.
fn any_table() -> impl Strategy<Value = Table> {
    Union::new(draw::kinds().into_iter().map(|numbers| table_of(numbers).boxed()))
}

impl Table {
    fn fit(&self, options: &Options) -> Fit {
        self.try_fit(options).unwrap()
    }

    fn try_fit(&self, options: &Options) -> Result<Fit, TrainError> {
        let rows = Rows::dense(self.rows.concat(), self.rows[0].len()).unwrap();
        let scheme = match self.count {
            2 => Scheme::Two { positive: 1 },
            classes => Scheme::OneVsRest { classes },
        };
        let labelled = Labelled::new(&rows, &self.classes, scheme).unwrap();
        let several = (self.count > 2).then(|| draw::visiting_all(options.clone()));
        fit(&labelled, several.as_ref().unwrap_or(options), &Resources::default(), None, &mut ())
    }

    /// Whether a run by these hyperplanes, each with its bias last, makes no mistake on any row.
    fn is_right(&self, planes: &[Vec<BigRational>], options: &Options) -> bool {
        let is_right = |(row, &class): (&Vec<f64>, &u32)| {
            let class = class as usize;
            let score = |plane: &Vec<BigRational>| -> BigRational {
                let x = row.iter().copied().chain([1.0]).map(rational::exact);
                plane.iter().zip(x).map(|(w, x)| w * x).sum()
            };
            let scores: Vec<BigRational> = planes.iter().map(score).collect();
            let holds = |difference: BigRational, sign, zero| {
                !options.mistake.holds(rational::sign(&difference), sign, zero)
            };
            let own = |plane: usize| if scores.len() == 1 { class == 1 } else { class == plane };
            (0..scores.len()).all(|plane| match options.classes {
                Multiclass::Joint if scores.len() > 1 => {
                    let tie = if class < plane { ZeroScore::Positive } else { ZeroScore::Negative };
                    plane == class || holds(&scores[class] - &scores[plane], Plus, tie)
                }
                _ => {
                    let sign = if own(plane) { Plus } else { Minus };
                    holds(scores[plane].clone(), sign, options.zero)
                }
            })
        };
        self.rows.iter().zip(&self.classes).all(is_right)
    }
}

/// The weights of a model, each hyperplane with its bias last.
fn numbers(fit: &Fit) -> Vec<Vec<f64>> {
    let planes = fit.classifier.linear().unwrap();
    planes.iter().map(|plane| [&plane.weights[..], &[plane.bias]].concat()).collect()
}

/// The sums of the integer weights over all visits, from their rounded means.
fn sums(means: &[Vec<f64>], visits: u64) -> Vec<Vec<BigRational>> {
    let sum = |mean: &f64| (rational::exact(*mean) * rational::exact(visits as f64)).round();
    means.iter().map(|plane| plane.iter().map(sum).collect()).collect()
}

/// The kept weights, the further epochs and the weights by the definition, in integers: after each number of further
/// epochs all rows are looked at.
fn expected(table: &Table, options: &Options) -> (Kept, Option<u64>, Vec<Vec<f64>>) {
    let kept = |keep| table.fit(&Options { keep, ..options.clone() });
    let (last, average) = (kept(Keep::Last), kept(Keep::Average));
    let (epochs, rows) = (average.report.epochs, table.rows.len() as u64);
    if !average.report.converged {
        return (Kept::Average, None, numbers(&average));
    }
    let (last, means) = (numbers(&last), numbers(&average));
    let sums = sums(&means, epochs * rows);
    for more in 0..=if epochs == 1 { 0 } else { epochs } {
        let continued = |(sums, last): (&Vec<BigRational>, &Vec<f64>)| -> Vec<BigRational> {
            let each = rational::exact((more * rows) as f64);
            sums.iter().zip(last).map(|(sum, &w)| sum + rational::exact(w) * &each).collect()
        };
        let sums: Vec<Vec<BigRational>> = sums.iter().zip(&last).map(continued).collect();
        if epochs > 1 && table.is_right(&sums, options) {
            let visits = rational::exact(((epochs + more) * rows) as f64);
            let mean = |sum: &BigRational| rational::nearest(&(sum / &visits));
            let means: Vec<Vec<f64>> =
                sums.iter().map(|plane| plane.iter().map(mean).collect()).collect();
            let exact = |plane: &Vec<f64>| plane.iter().map(|&w| rational::exact(w)).collect();
            if table.is_right(&means.iter().map(exact).collect::<Vec<_>>(), options) {
                return (Kept::Average, Some(more).filter(|&more| more > 0), means);
            }
            break;
        }
    }
    (Kept::Last, None, last)
}

/// Options of rules that rest after an epoch without mistakes, with which integers stay integers.
fn integer_options() -> impl Strategy<Value = Options> {
    let update = prop_oneof![
        2 => Just(Update::PERCEPTRON),
        1 => (0u8..4).prop_map(|margin| Update::margin(margin.into())),
    ];
    let classes = prop_oneof![Just(Multiclass::OneVsRest), Just(Multiclass::Joint)];
    (draw::one_rate(), update, classes, any::<bool>()).prop_map(
        |(options, update, classes, with_bias)| Options {
            update,
            classes,
            bias: if with_bias { Bias::Unit } else { Bias::None },
            keep: Keep::Auto,
            init: Init::Zero,
            eta: 1.0,
            class_weight: ClassWeight::Uniform,
            allow_mistakes: 0,
            epochs: 40,
            ..options
        },
    )
}

/// Options of every rule.
fn any_options() -> impl Strategy<Value = Options> {
    let classes = prop_oneof![Just(Multiclass::OneVsRest), Just(Multiclass::Joint)];
    let options = prop_oneof![draw::perceptron(), draw::other_rule()];
    let kernel = proptest::option::weighted(0.2, draw::kernel());
    (options, classes, kernel).prop_map(|(options, classes, kernel)| {
        let fits = options.update.rule().precise.is_none() && classes == Multiclass::OneVsRest;
        let kernel = kernel.filter(|_| fits);
        Options {
            classes,
            kernel,
            keep: Keep::Auto,
            init: if kernel.is_some() { Init::Zero } else { options.init },
            class_weight: ClassWeight::Uniform,
            allow_mistakes: 0,
            epochs: 40,
            ..options
        }
    })
}

fn errors_of_last(report: &Report) -> Option<usize> {
    report.errors.of(Kept::Last)
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn the_fewest_further_epochs(
        table in table_of(draw::integer()),
        options in integer_options(),
    ) {
        let auto = table.fit(&options);
        let (kept, more, weights) = expected(&table, &options);
        prop_assert_eq!((auto.report.kept, auto.report.extra_epochs), (kept, more));
        let bits = |planes: &[Vec<f64>]| planes.iter().map(|plane| bits(plane)).collect::<Vec<_>>();
        prop_assert_eq!(bits(&numbers(&auto)), bits(&weights));
    }

    #[test]
    fn the_model_is_right_on_its_rows(
        table in prop_oneof![
            table_of(draw::integer()), table_of(draw::tenth()), table_of(draw::ordinary()), any_table()
        ],
        options in any_options(),
    ) {
        // Weights or a radius past the range of numbers are an error.
        let Ok(Fit { report, .. }) = table.try_fit(&options) else { return Ok(()) };
        if report.converged {
            let is_at_rest = !options.update.rule().ends_despite_updates;
            prop_assert!(report.training_errors == Some(0) || !is_at_rest);
            let is_last = report.kept == Kept::Last;
            prop_assert!(report.training_errors == Some(0) || is_last);
            prop_assert!(!is_last || report.training_errors == errors_of_last(&report));
        }
        prop_assert!(report.converged || report.extra_epochs.is_none());
    }
}

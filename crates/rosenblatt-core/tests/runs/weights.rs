//! Weights of examples: the rate of each example is that of its class times its own weight, in every space, and the
//! bounds of a report still hold.

use std::ops::ControlFlow;

use crate::common::{bits, cases, draw, layouts, oracle::Oracle};
use draw::Table;
use proptest::{collection::vec, prelude::*};
use rosenblatt_core::{
    data::{Labelled, Rows, RowsError, Scheme, Sign},
    keep::{Keep, Kept},
    model::Classifier,
    rules::Update,
    schedule::{Init, Order},
    space::{Hyperplane, Kernel},
    train::{
        Bias, Checkpoint, ClassWeight, Fit, Observer, OptionError, Options, Resources, Stream,
        TrainError, fit,
    },
};

const TWO: Scheme = Scheme::Two { positive: 1 };
const KEEPS: [Keep; 5] = [Keep::Last, Keep::Average, Keep::Auto, Keep::Pocket, Keep::Vote];

fn classes(table: &Table) -> Vec<u32> {
    table.signs.iter().map(|&sign| u32::from(sign == Sign::Plus)).collect()
}

fn run(
    table: &Table,
    rows: &Rows<'_>,
    weights: &[f64],
    options: &Options,
) -> Result<Fit, TrainError> {
    let classes = classes(table);
    let labelled = Labelled::new(rows, &classes, TWO).unwrap().weighted(weights).unwrap();
    fit(&labelled, options, &Resources::default(), None, &mut ())
}

fn numbers(plane: &Hyperplane) -> Vec<f64> {
    plane.weights.iter().copied().chain([plane.bias]).collect()
}

/// A weight for each of up to 12 rows.
fn weights() -> impl Strategy<Value = Vec<f64>> {
    let one = || prop_oneof![Just(1.0), Just(2.0), Just(0.1), 1e-3..1e3];
    prop_oneof![vec(one(), 12), vec((-40i8..40).prop_map(|power| f64::from(power).exp2()), 12)]
}

/// Rules whose steps depend on weights.
fn options() -> impl Strategy<Value = Options> {
    prop_oneof![draw::perceptron(), draw::other_rule()].prop_map(|options| {
        let update = if options.update == Update::PA { Update::pa1(0.5) } else { options.update };
        Options { update, ..options }
    })
}

/// By hand: x = 1 with weight 2 and sign +, x = 2 with weight 3 and sign −, η = 1/2, class weights 1 and 4. The first
/// has the score 0: w = b = ½·4·2 = 4. The second has the score 12: w = 4 − 2·(½·1·3), b = 4 − 1.5.
#[test]
fn two_steps_by_hand() {
    let rows = Rows::dense(vec![1.0, 2.0], 1).unwrap();
    let labelled = Labelled::new(&rows, &[1, 0], TWO).unwrap().weighted(&[2.0, 3.0]).unwrap();
    let class_weight = ClassWeight::Given(vec![1.0, 4.0]);
    let options = Options {
        eta: 0.5,
        class_weight,
        order: Order::Given,
        epochs: 1,
        keep: Keep::Last,
        ..Options::default()
    };
    let run = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
    assert_eq!(run.classifier.linear().unwrap()[0], Hyperplane { weights: vec![1.0], bias: 2.5 });
}

/// By hand: PA-I with C = 1/2, x = 1, no bias: the loss is 1, so the step is min(C · weight, 1).
#[test]
fn weights_multiply_the_c_of_the_passive_aggressive_rules() {
    for (weight, step) in [(0.5, 0.25), (1.0, 0.5), (2.0, 1.0), (8.0, 1.0)] {
        let rows = Rows::dense(vec![1.0, -1.0], 1).unwrap();
        let labelled = Labelled::new(&rows, &[1, 0], TWO).unwrap();
        let weights = [weight, 1e-30];
        let labelled = labelled.weighted(&weights).unwrap();
        let (order, bias) = (Order::Given, Bias::None);
        let options = Options {
            update: Update::pa1(0.5),
            keep: Keep::Last,
            order,
            bias,
            epochs: 1,
            ..Options::default()
        };
        let run = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
        assert_eq!(run.classifier.linear().unwrap()[0].weights, [step]);
    }
}

#[test]
fn bad_weights_are_refused_with_their_place() {
    let rows = Rows::dense(vec![1.0, 2.0, 3.0], 1).unwrap();
    let labelled = Labelled::new(&rows, &[0, 1, 0], TWO).unwrap();
    let refused = |weights: &[f64]| labelled.weighted(weights).map(drop).unwrap_err();
    assert_eq!(refused(&[1.0; 2]), RowsError::Weights { rows: 3, weights: 2 });
    for weight in [0.0, -1.0, f64::INFINITY, -0.0] {
        assert_eq!(refused(&[1.0, weight, 0.0]), RowsError::Weight { row: 1, weight });
    }
    assert!(matches!(refused(&[1.0, 1.0, f64::NAN]), RowsError::Weight { row: 2, .. }));
    let refused = |options: &Options, weights: &[f64]| {
        let labelled = labelled.weighted(weights).unwrap();
        let of_run = fit(&labelled, options, &Resources::default(), None, &mut ()).map(drop);
        if options.dynamics().is_one_pass {
            let mut stream = Stream::new(options, TWO).unwrap();
            assert_eq!(stream.learn(&labelled, &mut ()).map(drop), of_run);
            assert_eq!(stream.examples(), 0);
        }
        of_run.unwrap_err()
    };
    let one = Options { epochs: 1, order: Order::Given, ..Options::default() };
    let pa = Options { update: Update::PA, ..one.clone() };
    assert_eq!(refused(&pa, &[1.0; 3]), OptionError::WeightsWithPa.into());
    let large = Options { eta: 1e200, ..one.clone() };
    let error = OptionError::Rate(f64::INFINITY);
    assert_eq!(refused(&large, &[1.0, 1e200, 1.0]), error.into());
    let small = Options { class_weight: ClassWeight::Given(vec![1e-200, 1.0]), ..one };
    assert_eq!(refused(&small, &[1e-200, 1.0, 1.0]), OptionError::Rate(0.0).into());
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn weighted_runs_give_the_bits_of_the_reference(
        table in draw::moderate_table(),
        weights in weights(),
        options in options(),
    ) {
        let weights = &weights[..table.rows.len()];
        let oracle = Oracle::weighted(&table, weights, &options);
        for (layout, rows) in layouts::all(&table.rows) {
            for (keep, expected) in [(Keep::Last, oracle.run.last()), (Keep::Pocket, &oracle.pocket)] {
                for compare in [false, true] {
                    let options = Options { keep, compare, ..options.clone() };
                    let run = run(&table, &rows, weights, &options).unwrap();
                    let found = numbers(&run.classifier.linear().unwrap()[0]);
                    prop_assert_eq!(bits(&found), bits(&numbers(expected)), "{:?} {}", keep, layout);
                    prop_assert_eq!(&run.report.mistakes_per_epoch, &oracle.run.mistakes_per_epoch());
                    prop_assert_eq!(run.report.updates, oracle.updates());
                }
            }
        }
    }

    /// Weights equal to those of the classes act as class weights; weights of 1 change nothing. This holds in every
    /// space, with two and three classes, and for a run resumed from a checkpoint.
    #[test]
    fn weights_by_class_are_class_weights(
        table in draw::moderate_table(),
        options in options(),
        kernel in prop_oneof![Just(None), draw::kernel().prop_map(Some)],
        keep in proptest::sample::select(&KEEPS[..]),
        three in any::<bool>(),
        by_class in vec(0.1..10.0f64, 3),
    ) {
        let (scheme, number) = match three && table.rows.len() > 2 {
            true => (Scheme::OneVsRest { classes: 3 }, 3),
            false => (TWO, 2),
        };
        let mut classes = classes(&table);
        if number == 3 {
            classes[..3].copy_from_slice(&[0, 1, 2]);
        }
        let init = if kernel.is_some() || keep == Keep::Vote { Init::Zero } else { options.init.clone() };
        let class_weight = ClassWeight::Given(by_class[..number].to_vec());
        let options = if keep == Keep::Vote || three { draw::visiting_all(options) } else { options };
        let by_options = Options { class_weight, kernel, keep, init, ..options };
        let by_examples = Options { class_weight: ClassWeight::Uniform, ..by_options.clone() };
        let rows = table.matrix();
        let weights: Vec<f64> = classes.iter().map(|&class| by_class[class as usize]).collect();
        let plain = Labelled::new(&rows, &classes, scheme).unwrap();
        let weighted = plain.weighted(&weights).unwrap();
        let ones = vec![1.0; weights.len()];
        let run = |labelled: &Labelled<'_>, options: &Options| {
            let mut cuts = Cuts::default();
            let whole = fit(labelled, options, &Resources::default(), None, &mut cuts)?;
            for cut in cuts.0 {
                let resumed = cut.resume(labelled, options, &Resources::default(), None, &mut ())?;
                assert_eq!(resumed.classifier, whole.classifier);
                assert_eq!(resumed.report, whole.report);
            }
            Ok::<_, TrainError>((whole.classifier, whole.report))
        };
        let expected = run(&plain, &by_options);
        prop_assert_eq!(&run(&weighted, &by_examples), &expected);
        prop_assert_eq!(&run(&plain.weighted(&ones).unwrap(), &by_options), &expected);
    }

    /// On integers every sum is exact, so the dual form sees the same numbers as the primal.
    #[test]
    fn a_linear_kernel_makes_the_steps_of_the_primal(
        table in draw::table(draw::integer()),
        weights in vec((1u8..9).prop_map(f64::from), 12),
        options in draw::perceptron(),
    ) {
        let bias = if options.bias == Bias::Radius { Bias::None } else { options.bias };
        let class_weight = ClassWeight::Given(vec![2.0, 3.0]);
        let options =
            Options { bias, eta: 1.0, decay: None, init: Init::Zero, class_weight, keep: Keep::Last, ..options };
        let (rows, weights) = (table.matrix(), &weights[..table.rows.len()]);
        let primal = run(&table, &rows, weights, &options).unwrap().classifier;
        let options = Options { kernel: Some(Kernel::Linear), ..options };
        let dual = run(&table, &rows, weights, &options).unwrap().classifier;
        let Classifier::Dual(dual) = dual else { unreachable!() };
        let mut sum = vec![0.0; table.rows[0].len()];
        for (&row, coefficient) in dual.support.examples.iter().zip(&dual.planes[0].weights) {
            sum.iter_mut().zip(&table.rows[row]).for_each(|(w, x)| *w += coefficient * x);
        }
        let expected = Hyperplane { weights: sum, bias: dual.planes[0].bias };
        prop_assert_eq!(&primal.linear().unwrap()[0], &expected);
    }

    /// A stream of weighted batches equals the run over all of them.
    #[test]
    fn weighted_streams_equal_runs_in_memory(
        table in draw::moderate_table(),
        weights in weights(),
        options in options(),
        keep in proptest::sample::select(&KEEPS[..3]),
        cut in 0usize..12,
    ) {
        let (order, init, keep) = (Order::Given, Init::Zero, keep);
        let bias = if options.bias == Bias::Radius { Bias::Unit } else { options.bias };
        let class_weight = ClassWeight::Given(vec![1.5, 0.7]);
        let options =
            Options { order, init, bias, class_weight, keep, decay: None, epochs: 1, ..options };
        let weights = &weights[..table.rows.len()];
        let rows = table.matrix();
        let whole = run(&table, &rows, weights, &options).unwrap();
        let mut stream = Stream::new(&options, TWO).unwrap();
        let (n, all) = (table.rows.len(), classes(&table));
        let cut = cut.min(n);
        for (from, to) in [(0, cut), (cut, n)] {
            let rows = rows.select(&(from..to).collect::<Vec<_>>());
            let batch = Labelled::new(&rows, &all[from..to], TWO).unwrap();
            let _ = stream.learn(&batch.weighted(&weights[from..to]).unwrap(), &mut ()).unwrap();
        }
        let (streamed, _) = stream.finish().unwrap();
        prop_assert_eq!(&whole.classifier, &streamed.classifier);
        prop_assert_eq!(whole.report.margin.upper, streamed.report.margin.upper);
    }

    /// Any two runs over the same examples bracket the same margin, whatever the rates. Novikoff's bound for one rate
    /// is not reported.
    #[test]
    fn bounds_stay_true_with_different_rates(
        table in draw::moderate_table(),
        weights in weights(),
        options in options(),
        kernel in prop_oneof![Just(None), draw::kernel().prop_map(Some)],
        keep in proptest::sample::select(&KEEPS[..4]),
    ) {
        let (keep, weights) = (keep, &weights[..table.rows.len()]);
        let kernel = kernel.filter(|_| options.update.rule().precise.is_none());
        let init = if kernel.is_some() { Init::Zero } else { options.init.clone() };
        let options = Options { keep, kernel, init, compare: true, epochs: 60, ..options };
        let rows = table.matrix();
        let weighted = run(&table, &rows, weights, &options).unwrap().report;
        // A run that converges comes close to γ from below.
        let near = Options {
            update: Update::margin(10.0),
            class_weight: ClassWeight::Uniform,
            init: Init::Zero,
            eta: 1.0,
            decay: None,
            epochs: 300,
            ..draw::visiting_all(options)
        };
        let near = run(&table, &rows, &vec![1.0; weights.len()], &near).unwrap().report;
        prop_assert_eq!(weighted.novikoff_bound, None);
        for lower in [weighted.margin.lower, near.margin.lower].into_iter().flatten() {
            for upper in [weighted.margin.upper, near.margin.upper].into_iter().flatten() {
                prop_assert!(lower <= upper, "{} > {}", lower, upper);
            }
        }
        if weighted.separator == Some(Kept::Last) {
            prop_assert_eq!(weighted.errors.of(Kept::Last), Some(0));
        }
    }
}

/// The checkpoints of a run.
#[derive(Default)]
struct Cuts(Vec<Checkpoint>);

impl Observer for Cuts {
    fn watches_visits(&self) -> bool {
        false
    }

    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        self.0.push(make());
        ControlFlow::Continue(())
    }
}

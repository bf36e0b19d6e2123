//! A run from given initial weights has the bits of the definition, also when it is stopped and resumed.

use std::ops::ControlFlow;

use crate::common::{bits, cases, draw, layouts, oracle::Oracle};
use proptest::{collection::vec, prelude::*};
use rosenblatt_core::{
    data::{Examples, Labelled, Rows, Scheme, Sign},
    keep::Keep,
    schedule::{Init, Order},
    space::{Hyperplane, Kernel},
    train::{
        Bias, Checkpoint, ClassWeight, Fit, Observer, OptionError, Options, Resources, Stream,
        TrainError, fit, train,
    },
};

const TWO: Scheme = Scheme::Two { positive: 1 };

fn numbers(plane: &Hyperplane) -> Vec<f64> {
    plane.weights.iter().copied().chain([plane.bias]).collect()
}

/// Weights of all sizes for which sums of a dozen do not overflow, including zeros of both signs.
fn first() -> impl Strategy<Value = Vec<f64>> {
    let kinds =
        vec![draw::integer(), draw::tenth(), draw::ordinary(), draw::tiny(), Just(-0.0).boxed()];
    vec(prop::strategy::Union::new(kinds), 7)
}

/// The checkpoints of a run.
struct Cuts(Vec<Checkpoint>);

impl Observer for Cuts {
    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        self.0.push(make());
        ControlFlow::Continue(())
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn given_weights_give_the_bits_of_the_reference(
        table in draw::moderate_table(),
        options in prop_oneof![draw::perceptron(), draw::other_rule()],
        first in first(),
        keep in proptest::sample::select(vec![Keep::Last, Keep::Pocket]),
    ) {
        let features = table.rows[0].len();
        let bias = if options.bias == Bias::None { 0.0 } else { first[features] };
        let plane = Hyperplane { weights: first[..features].to_vec(), bias };
        let options = Options { init: Init::Given([plane].into()), keep, ..options };
        let oracle = Oracle::new(&table, &options);
        let expected = if keep == Keep::Last { oracle.run.last() } else { &oracle.pocket };
        let expected = bits(&numbers(expected));
        for (layout, rows) in layouts::all(&table.rows) {
            for compare in [false, true] {
                let options = Options { compare, ..options.clone() };
                let run = train(&table.examples(&rows), &options, &mut ()).unwrap();
                prop_assert_eq!(&bits(&numbers(&run.hyperplane)), &expected, "{}", layout);
                prop_assert_eq!(&run.report.mistakes_per_epoch, &oracle.run.mistakes_per_epoch());
                prop_assert_eq!(run.report.margin.upper, None);
                prop_assert_eq!(run.report.novikoff_bound, None);
            }
        }
    }

    /// Each epoch alone, from the final weights of the epoch before, gives the weights of the whole run, where a rule has
    /// no precisions.
    #[test]
    fn a_run_can_continue_from_its_weights(
        table in draw::moderate_table(),
        options in prop_oneof![draw::one_rate(), draw::row_rule()],
        three in any::<bool>(),
    ) {
        let rows = table.matrix();
        let mut classes: Vec<u32> = table.signs.iter().map(|&sign| u32::from(sign == Sign::Plus)).collect();
        let scheme = match three && classes.len() > 2 {
            true => {
                classes[..3].copy_from_slice(&[0, 1, 2]);
                Scheme::OneVsRest { classes: 3 }
            }
            false => TWO,
        };
        let labelled = Labelled::new(&rows, &classes, scheme).unwrap();
        let options = Options {
            order: Order::Given,
            decay: None,
            keep: Keep::Last,
            class_weight: ClassWeight::Uniform,
            ..options
        };
        let run = |options: &Options| fit(&labelled, options, &Resources::default(), None, &mut ()).unwrap();
        let planes = |fit: &Fit| fit.classifier.linear().unwrap().to_vec();
        let mut cuts = Cuts(Vec::new());
        let whole = fit(&labelled, &options, &Resources::default(), None, &mut cuts).unwrap();
        let mut init = options.init.clone();
        for mistakes in &whole.report.mistakes_per_epoch {
            let one = run(&Options { init, epochs: 1, ..options.clone() });
            prop_assert_eq!(&one.report.mistakes_per_epoch, &vec![*mistakes]);
            init = Init::Given(planes(&one).into());
        }
        // A checkpoint needs no initial weights. (But a report without them proves nothing from the last weights.)
        let read = Options { init: Init::Given([].into()), ..options };
        for cut in cuts.0 {
            let resumed = cut.resume(&labelled, &read, &Resources::default(), None, &mut ()).unwrap();
            prop_assert_eq!(&resumed.classifier, &whole.classifier);
            prop_assert_eq!(&resumed.report.mistakes_per_epoch, &whole.report.mistakes_per_epoch);
        }
        let Init::Given(last) = init else { unreachable!() };
        let numbers = |planes: &[Hyperplane]| bits(&planes.iter().flat_map(numbers).collect::<Vec<_>>());
        prop_assert_eq!(numbers(&last), numbers(&planes(&whole)));
    }

    /// Zeros of either sign are equivalent.
    #[test]
    fn given_zeros_are_zero(table in draw::moderate_table(), options in draw::perceptron(), minus in any::<bool>()) {
        let rows = table.matrix();
        let zero = if minus { -0.0 } else { 0.0 };
        let plane = Hyperplane { weights: vec![zero; table.rows[0].len()], bias: zero };
        let given = Options { init: Init::Given([plane].into()), keep: Keep::Average, ..options };
        let from_zero = Options { init: Init::Zero, ..given.clone() };
        let [given, from_zero] =
            [given, from_zero].map(|options| train(&table.examples(&rows), &options, &mut ()).unwrap());
        prop_assert_eq!(bits(&numbers(&given.hyperplane)), bits(&numbers(&from_zero.hyperplane)));
        prop_assert_eq!(given.report.mistakes_per_epoch, from_zero.report.mistakes_per_epoch);
    }
}

/// Weights whose sums overflow are either learned from correctly or rejected.
#[test]
fn huge_weights_decide_correctly() {
    let rows = Rows::dense(vec![1.0, 1.0, -1.0, 1.0], 2).unwrap();
    let examples = Examples::new(&rows, &[Sign::Plus, Sign::Minus]).unwrap();
    let largest = f64::MAX;
    let plane = Hyperplane { weights: vec![largest, largest], bias: -largest };
    let options = Options {
        init: Init::Given([plane].into()),
        keep: Keep::Last,
        order: Order::Given,
        epochs: 1,
        ..Options::default()
    };
    // Scores: M + M − M = M, and −M + M − M = −M: no mistake.
    let run = train(&examples, &options, &mut ()).unwrap();
    assert_eq!((run.report.updates, run.report.converged), (0, true));
    let average = Options { keep: Keep::Average, ..options };
    assert_eq!(train(&examples, &average, &mut ()).map(drop), Err(TrainError::AverageOverflow));
}

#[test]
fn what_does_not_fit_is_refused() {
    let rows = Rows::dense(vec![1.0, 1.0, -1.0, 1.0, 0.0, 2.0], 2).unwrap();
    let refused = |planes: &[Hyperplane], scheme: Scheme, options: Options| {
        let options = Options { init: Init::Given(planes.into()), ..options };
        let classes = [0, 1, if scheme == TWO { 0 } else { 2 }];
        let labelled = Labelled::new(&rows, &classes, scheme).unwrap();
        fit(&labelled, &options, &Resources::default(), None, &mut ()).map(drop).unwrap_err()
    };
    let plane = |weights: &[f64], bias| Hyperplane { weights: weights.to_vec(), bias };
    let three = Scheme::OneVsRest { classes: 3 };
    let plain = Options::default;
    let good = plane(&[1.0, 2.0], 3.0);
    let number = |found, expected| OptionError::GivenHyperplanes { found, expected }.into();
    assert_eq!(refused(&[], TWO, plain()), number(0, 1));
    assert_eq!(refused(&[good.clone(), good.clone()], TWO, plain()), number(2, 1));
    assert_eq!(refused(std::slice::from_ref(&good), three, plain()), number(1, 3));
    let short = [good.clone(), plane(&[1.0], 0.0), good.clone()];
    let expected = OptionError::GivenWeights { hyperplane: 1, found: 1, expected: 2 };
    assert_eq!(refused(&short, three, plain()), expected.into());
    let infinite = plane(&[1.0, f64::INFINITY], 0.0);
    let expected = OptionError::GivenNotFinite { hyperplane: 0, value: f64::INFINITY };
    assert_eq!(refused(&[infinite], TWO, plain()), expected.into());
    let none = Options { bias: Bias::None, ..plain() };
    let expected = OptionError::GivenBias { hyperplane: 0, bias: 3.0 };
    assert_eq!(refused(std::slice::from_ref(&good), TWO, none.clone()), expected.into());
    let kernel = Options { kernel: Some(Kernel::Linear), ..plain() };
    let one = std::slice::from_ref(&good);
    assert_eq!(refused(one, TWO, kernel), OptionError::GivenInit("a kernel").into());
    let vote = Options { keep: Keep::Vote, ..plain() };
    assert_eq!(refused(one, TWO, vote), OptionError::GivenInit("a vote").into());
    // −0 is 0.
    let bias = plane(&[1.0, 2.0], -0.0);
    let labelled = Labelled::new(&rows, &[0, 1, 0], TWO).unwrap();
    let options = Options { init: Init::Given([bias].into()), ..none };
    assert!(fit(&labelled, &options, &Resources::default(), None, &mut ()).is_ok());
    // A loaded model file has such options: they are valid, but cannot start a run.
    let loaded = Options { init: Init::Given([].into()), ..plain() };
    assert_eq!(loaded.check(), Ok(()));
    let refused = Stream::new(&Options { epochs: 1, order: Order::Given, ..loaded }, TWO).map(drop);
    assert_eq!(refused, Err(OptionError::GivenHyperplanes { found: 0, expected: 1 }.into()));
}

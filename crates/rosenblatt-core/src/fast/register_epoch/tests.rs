//! Compares the loop with ordinary visits, which a run with an observer of visits still makes.

use std::ops::ControlFlow;

use proptest::prelude::*;

use crate::{
    data::{Labelled, Rows, Scheme},
    keep::Keep,
    model::Classifier,
    rules::{Mistake, Update},
    schedule::{Init, Order},
    train::{
        Bias, BinaryTrainer, ClassWeight, Epoch, Observer, Options, Resources, TrainError, fit,
    },
};

/// Records the state after every epoch.
struct Diary {
    watches: bool,
    /// Counters, and bits of all numbers.
    entries: Vec<(Epoch, u64, u64, Vec<u64>)>,
}

impl Observer for Diary {
    fn watches_visits(&self) -> bool {
        self.watches
    }

    fn epoch_ended(&mut self, epoch: Epoch, trainer: &BinaryTrainer<'_>) -> ControlFlow<()> {
        let learner = trainer.learner();
        let plane = learner.stored();
        let others = [plane.bias, learner.steps(), learner.norm_bound()];
        let numbers = plane.weights.iter().copied().chain(others).map(f64::to_bits).collect();
        self.entries.push((epoch, learner.visits(), learner.updates(), numbers));
        ControlFlow::Continue(())
    }
}

/// The complete result of a run.
fn run(labelled: &Labelled<'_>, options: &Options, watches: bool) -> (Diary, String) {
    let mut diary = Diary { watches, entries: Vec::new() };
    let end = match fit(labelled, options, &Resources::default(), None, &mut diary) {
        Ok(run) => {
            let Classifier::Linear(planes) = &run.classifier else { unreachable!() };
            assert!(planes[0].weights.iter().all(|w| w.to_bits() != (-0.0f64).to_bits()));
            format!("{:?} {:?}", run.report, run.classifier)
        }
        Err(error @ TrainError::Overflow { .. }) => format!("{error:?}"),
        Err(error) => unreachable!("{error}"),
    };
    (diary, end)
}

fn assert_same(labelled: &Labelled<'_>, options: &Options) {
    let ((watched, end), (alone, same)) =
        (run(labelled, options, true), run(labelled, options, false));
    assert_eq!(watched.entries, alone.entries);
    assert_eq!(end, same);
}

/// Numbers of one kind: few values, so that scores are often 0; ordinary numbers; the ends of the range.
fn numbers(count: usize) -> impl Strategy<Value = Vec<f64>> {
    let few = (-2i32..3).prop_map(f64::from);
    let tiny = any::<i8>().prop_map(|n| f64::from(n) * f64::from_bits(1));
    let huge = (-1.0..1.0f64).prop_map(|x| x * f64::MAX);
    let large = (-1.0..1.0f64).prop_map(|x| x * 1e150);
    let of = |kind: BoxedStrategy<f64>| proptest::collection::vec(kind, count);
    prop_oneof![
        3 => of(few.clone().boxed()),
        4 => of((-4.0..4.0f64).boxed()),
        1 => of(prop_oneof![-1.0..1.0f64, tiny.clone(), Just(-0.0)].boxed()),
        1 => of(prop_oneof![few.clone(), huge].boxed()),
        2 => of(prop_oneof![few, -4.0..4.0f64, large, tiny].boxed()),
    ]
}

fn options() -> impl Strategy<Value = Options> {
    let eta = prop_oneof![Just(1.0), Just(0.1), Just(1e-300), Just(1e200)];
    let update = prop_oneof![
        3 => Just(Update::PERCEPTRON),
        1 => Just(Update::margin(0.0)),
        1 => Just(Update::margin(1.5)),
        1 => Just(Update::pa1(0.5)),
    ];
    let bias = prop_oneof![Just(Bias::Unit), Just(Bias::None), Just(Bias::Radius)];
    let class_weight = prop_oneof![
        Just(ClassWeight::Uniform),
        Just(ClassWeight::Balanced),
        Just(ClassWeight::Given(vec![0.3, 2.5])),
    ];
    let init = prop_oneof![Just(Init::Zero), Just(Init::Random)];
    let order = prop_oneof![Just(Order::Shuffle), Just(Order::Given)];
    let mistake = prop_oneof![Just(Mistake::Margin), Just(Mistake::Label)];
    (eta, update, bias, class_weight, init, order, mistake, any::<u64>()).prop_map(
        |(eta, update, bias, class_weight, init, order, mistake, seed)| {
            let eta = if !update.rule().takes_learning_rate { 1.0 } else { eta };
            let (keep, compare, epochs) = (Keep::Last, false, 4);
            Options {
                eta,
                update,
                bias,
                class_weight,
                init,
                order,
                mistake,
                seed,
                keep,
                compare,
                epochs,
                ..Options::default()
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Weights, bias, counters and report are bit-for-bit identical.
    #[test]
    fn visits_are_the_ordinary_ones(
        features in 1usize..71,
        values in numbers(1400),
        plus in proptest::collection::vec(any::<bool>(), 200),
        weights in proptest::option::of(proptest::collection::vec(0.1..3.0f64, 200)),
        options in options(),
    ) {
        let rows = (values.len() / features).min(plus.len());
        let values = &values[..rows * features];
        let short: Vec<f32> = values.iter().map(|&x| x.clamp(-3e38, 3e38) as f32).collect();
        // Both classes must be there.
        let mut classes: Vec<u32> = plus[..rows].iter().map(|&plus| plus.into()).collect();
        (classes[0], classes[1]) = (0, 1);
        for rows in [Rows::dense(values, features).unwrap(), Rows::dense(&short[..], features).unwrap()] {
            let mut labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
            if let Some(weights) = &weights {
                labelled = labelled.weighted(&weights[..rows.len()]).unwrap();
            }
            if options.bias == Bias::Radius && !crate::radius::radius(&rows).square.is_finite() {
                continue;
            }
            assert_same(&labelled, &options);
        }
    }
}

/// Rows come in groups whose norms are measured together. The bound must include a row that is far longer than all
/// earlier groups when it is visited.
#[test]
fn a_longer_row_after_many_is_measured() {
    const FEATURES: usize = 64;
    let group = (256 << 10) / (FEATURES * 8);
    let rows = 2 * group + 7;
    for long in group - 2..group + 3 {
        let mut values = vec![0.0; rows * FEATURES];
        for (row, values) in values.chunks_mut(FEATURES).enumerate() {
            values[0] = 1.0;
            values[1 + row % 5] = 0.25;
        }
        // Σ is 2, lost beside 2⁵⁴ and in most orders of addition.
        let exponents = (0..20).map(|i| if i % 2 == 0 { 2f64.powi(60) } else { -(2f64.powi(60)) });
        let row = &mut values[long * FEATURES..(long + 1) * FEATURES];
        row.fill(0.0);
        row.iter_mut().skip(1).step_by(3).zip(exponents).for_each(|(x, e)| *x = e + 300.0);
        let mut classes = vec![1; rows];
        classes[long] = 0;
        let rows = Rows::dense(values, FEATURES).unwrap();
        let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
        let (order, keep, compare) = (Order::Given, Keep::Last, false);
        let options = Options { order, keep, compare, epochs: 2, ..Options::default() };
        assert_same(&labelled, &options);
    }
}

/// If the processor has the registers, the loop is used.
#[test]
fn the_loop_is_taken() {
    use super::{RegisterEpoch, registers};
    use crate::{
        data::{Examples, Prefetch},
        learner::{Learner, Rates},
    };
    for features in 1usize..71 {
        let values: Vec<f32> = (0..20 * features).map(|i| (i * i % 11) as f32 + 1.0).collect();
        let rows = Rows::dense(values, features).unwrap();
        let signs: Vec<_> = (0..20)
            .map(|i| if i % 3 == 0 { crate::data::Sign::Minus } else { crate::data::Sign::Plus })
            .collect();
        let examples = Examples::new(&rows, &signs).unwrap();
        let (init, keep, compare) = (Init::Random, Keep::Last, false);
        let options = Options { init, keep, compare, ..Options::default() };
        let mut learner = Learner::for_run(&options, features, 1.0);
        let order: Vec<usize> = (0..20).collect();
        let run = RegisterEpoch {
            examples: &examples,
            prefetch: Prefetch::new(&rows),
            order: &order,
            places: (0, 20),
            reach: crate::radius::radius(&rows).length,
            rates: &Rates::Signs(1.0, 1.0),
        };
        assert_eq!(registers(&rows).is_some(), super::has_registers() && features <= 64);
        let made = run.run(learner.constant_step_state().unwrap());
        assert_eq!(made.is_some(), registers(&rows).is_some(), "{features}");
        assert!(made.is_none_or(|made| made.until > 1 && made.updates > 0), "{features}: {made:?}");
    }
}

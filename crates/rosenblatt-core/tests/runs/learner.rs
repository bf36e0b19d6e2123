//! A learner uses every option that applies to one example at a time, and rejects the others.

use crate::common::{bits, cases, draw};
use proptest::prelude::*;
use rosenblatt_core::{
    data::{Labelled, Row, RowError, Rows, Scheme, Sign, Values},
    keep::Keep,
    radius::Radius,
    rules::Update,
    schedule::{Init, Order},
    space::Hyperplane,
    train::{
        Bias, ClassWeight, LearnError, Learner, OptionError, Options, Stream, TrainError,
        WeightOverflow, train,
    },
};

use Sign::{Minus, Plus};

fn row(x: &[f64]) -> Row<'_> {
    Row::dense(Values::F64(x))
}

/// η = ½ and the class weights 4 and 6 make the steps 2 and 3. From zero, (1, 2) with sign + is a mistake and makes w =
/// 3(1, 2), b = 3. Then (2, 0) with sign − has the score 9 and makes w = (3, 6) − 2(2, 0) = (−1, 6), b = 1.
#[test]
fn rates_are_those_of_the_options() {
    let class_weight = ClassWeight::Given(vec![4.0, 6.0]);
    let options = Options { eta: 0.5, class_weight, ..Options::default() };
    let mut learner = Learner::new(&options, 2).unwrap();
    let visit = learner.learn(row(&[1.0, 2.0]), Plus).unwrap();
    assert_eq!((visit.updated, visit.step), (true, 3.0));
    let visit = learner.learn(row(&[2.0, 0.0]), Minus).unwrap();
    assert_eq!((visit.updated, visit.step), (true, -2.0));
    assert_eq!(*learner.hyperplane(), Hyperplane { weights: vec![-1.0, 6.0], bias: 1.0 });
    // Without a bias the steps are the same, for rows with the same signs of their scores.
    let mut learner = Learner::new(&Options { bias: Bias::None, ..options }, 2).unwrap();
    learner.learn(row(&[1.0, 2.0]), Plus).unwrap();
    learner.learn(row(&[2.0, 0.0]), Minus).unwrap();
    assert_eq!(*learner.hyperplane(), Hyperplane { weights: vec![-1.0, 6.0], bias: 0.0 });
}

/// The bias moves by R² = 9.
#[test]
fn the_bias_radius_needs_the_radius() {
    let options = Options { bias: Bias::Radius, ..Options::default() };
    let refused = Learner::new(&options, 1).map(drop);
    assert_eq!(refused, Err(TrainError::Option(OptionError::NotOneByOne)));
    let radius = rosenblatt_core::radius::radius(&Rows::dense(vec![1.0, -3.0], 1).unwrap());
    let mut learner = Learner::with_radius(&options, 1, radius).unwrap();
    learner.learn(row(&[1.0]), Plus).unwrap();
    assert_eq!(*learner.hyperplane(), Hyperplane { weights: vec![1.0], bias: 9.0 });
    for square in [-1.0, f64::INFINITY, f64::NAN] {
        let refused = Learner::with_radius(&options, 1, Radius { length: 2.0, square }).map(drop);
        assert_eq!(refused, Err(TrainError::Radius { radius: 2.0 }));
    }
}

#[test]
fn options_that_need_all_examples_are_rejected() {
    let plain = Options::default;
    let not_one_by_one = OptionError::NotOneByOne;
    let given = |weights: Vec<f64>| Init::Given([Hyperplane { weights, bias: 0.0 }].into());
    let cases = [
        (Options { kernel: Some("poly:2".parse().unwrap()), ..plain() }, not_one_by_one.clone()),
        (Options { keep: Keep::Pocket, ..plain() }, not_one_by_one.clone()),
        (Options { keep: Keep::Vote, ..plain() }, not_one_by_one.clone()),
        (Options { class_weight: ClassWeight::Balanced, ..plain() }, not_one_by_one),
        // "pa1:-1" would step away from its examples.
        (Options { update: Update::pa1(-1.0), ..plain() }, OptionError::Update(Update::pa1(-1.0))),
        (
            Options { update: Update::margin(-1.0), ..plain() },
            OptionError::Update(Update::margin(-1.0)),
        ),
        (Options { eta: 0.0, ..plain() }, OptionError::Eta(0.0)),
        (Options { eta: -1.0, ..plain() }, OptionError::Eta(-1.0)),
        (
            Options { eta: 2.0, update: Update::PA, ..plain() },
            OptionError::EtaWithOwnStep(Update::PA),
        ),
        (
            Options { class_weight: ClassWeight::Given(vec![1.0, -1.0]), ..plain() },
            OptionError::ClassWeight(-1.0),
        ),
        (
            Options { class_weight: ClassWeight::Given(vec![1.0; 3]), ..plain() },
            OptionError::ClassWeights { weights: 3, classes: 2 },
        ),
        (
            Options { eta: 1e300, class_weight: ClassWeight::Given(vec![1e300, 1.0]), ..plain() },
            OptionError::Rate(f64::INFINITY),
        ),
        (
            Options { init: given(vec![1.0]), ..plain() },
            OptionError::GivenWeights { hyperplane: 0, found: 1, expected: 2 },
        ),
    ];
    for (options, expected) in cases {
        let found = Learner::new(&options, 2).map(drop);
        assert_eq!(found, Err(TrainError::Option(expected)), "{options:?}");
    }
    let nan = Learner::new(&Options { update: Update::pa2(f64::NAN), ..plain() }, 2).map(drop);
    assert!(matches!(nan, Err(TrainError::Option(OptionError::Update(_)))), "{nan:?}");
    let wide = Learner::new(&plain(), usize::MAX).map(drop);
    assert!(matches!(wide, Err(TrainError::TooLarge { .. })), "{wide:?}");
}

/// 10³⁰⁸ and twice that: every call after the overflow returns the same error without a panic.
#[test]
fn a_learner_is_unusable_after_an_overflow() {
    let options = Options { eta: 1e308, order: Order::Given, epochs: 1, ..Options::default() };
    let mut learner = Learner::new(&options, 1).unwrap();
    learner.learn(row(&[1.0]), Plus).unwrap();
    for _ in 0..2 {
        let error = learner.learn(row(&[-2.0]), Plus).unwrap_err();
        assert_eq!(error, LearnError::Overflow(WeightOverflow));
    }
    let scheme = Scheme::Two { positive: 1 };
    let mut stream = Stream::new(&options, scheme).unwrap();
    let rows = Rows::dense(vec![1.0, -2.0, 0.0], 1).unwrap();
    let batch = Labelled::new(&rows, &[1, 1, 0], scheme).unwrap();
    let expected = TrainError::Overflow { example: 1, epoch: 1 };
    for _ in 0..2 {
        assert_eq!(stream.learn(&batch, &mut ()).map(drop), Err(expected.clone()));
    }
    assert_eq!(stream.planes(), Err(expected.clone()));
    assert_eq!(stream.finish().map(drop), Err(expected));
}

/// A row that does not fit changes nothing.
#[test]
fn rows_are_checked() {
    let mut learner = Learner::new(&Options::default(), 2).unwrap();
    learner.learn(row(&[1.0, 2.0]), Plus).unwrap();
    let before = (learner.hyperplane().into_owned(), learner.visits());
    let mut refused = |row: Row<'_>| match learner.learn(row, Minus) {
        Err(LearnError::Row(error)) => error,
        other => panic!("{other:?}"),
    };
    let features = |found| RowError::Features { found, expected: 2 };
    assert_eq!(refused(row(&[1.0])), features(1));
    assert_eq!(refused(row(&[1.0, 2.0, 0.0])), features(3));
    let value = f64::INFINITY;
    assert_eq!(refused(row(&[1.0, value])), RowError::NotFinite { feature: 1, value });
    assert!(matches!(refused(row(&[f64::NAN, 1.0])), RowError::NotFinite { feature: 0, .. }));
    let past = Row::sparse(&[0, 2], Values::F64(&[1.0, 1.0]));
    assert_eq!(refused(past), RowError::NoSuchFeature { feature: 2, features: 2 });
    let back = Row::sparse(&[1, 0], Values::F64(&[1.0, 1.0]));
    assert_eq!(refused(back), RowError::NotAscending { entry: 1 });
    let odd = Row::sparse(&[0, 1], Values::F64(&[1.0]));
    assert_eq!(refused(odd), RowError::Entries { indices: 2, values: 1 });
    assert_eq!((learner.hyperplane().into_owned(), learner.visits()), before);
}

proptest! {
    #![proptest_config(cases(300))]

    /// A learner that visits the examples one by one equals the run over them, to the last bit.
    #[test]
    fn a_learner_is_a_run(
        table in draw::any_table(),
        options in prop_oneof![draw::one_rate(), draw::other_rule(), draw::penalized()],
        keep in prop_oneof![Just(Keep::Last), Just(Keep::Average)],
    ) {
        let options = Options { order: Order::Given, decay: None, epochs: 1, keep, ..options };
        let data = table.matrix();
        let examples = table.examples(&data);
        let learner = Learner::with_radius(&options, data.features(), rosenblatt_core::radius::radius(&data));
        if options.class_weight == ClassWeight::Balanced {
            prop_assert_eq!(learner.map(drop), Err(TrainError::Option(OptionError::NotOneByOne)));
            return Ok(());
        }
        let Ok(run) = train(&examples, &options, &mut ()) else { return Ok(()) };
        let mut learner = learner.unwrap();
        for (row, sign) in examples.iter() {
            learner.learn(row, sign).unwrap();
        }
        let plane = match keep {
            Keep::Average => learner.average().unwrap().unwrap(),
            _ => learner.hyperplane().into_owned(),
        };
        prop_assert_eq!(bits(&plane.weights), bits(&run.hyperplane.weights));
        prop_assert_eq!(plane.bias.to_bits(), run.hyperplane.bias.to_bits());
        prop_assert_eq!(learner.updates(), run.report.updates);
    }
}

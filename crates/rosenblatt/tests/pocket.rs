//! The promise of the pocket: its training errors never rise, and it is never worse than the last
//! weights.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{cases, draw};
use proptest::prelude::*;
use rosenblatt::{
    data::{Examples, Rows, Sign},
    keep::{Keep, Pocket, count_errors},
    space::Hyperplane,
    train::{Bias, ClassWeight, Learner, Options, train},
};

proptest! {
    #![proptest_config(cases(400))]

#[test]
    fn the_pocket_never_gets_worse(
        table in draw::moderate_table(),
        options in draw::options(),
        budget in prop_oneof![Just(u64::MAX), 0u64..50],
    ) {
        let data = table.matrix();
        let examples = table.examples(&data);
        let bias = if options.bias == Bias::None { Bias::None } else { Bias::Unit };
        let class_weight = ClassWeight::Uniform;
        let own = Options { bias, class_weight, eta: 1.0, ..options.clone() };
        let mut learner = Learner::new(&own, examples.features()).unwrap();
        let n = examples.len();
        let mut pocket =
            Pocket::new(learner.hyperplane(), n, budget, is_wrong(learner.hyperplane(), &examples));
        for _ in 0..options.epochs {
            for (row, sign) in examples.iter() {
                let before = pocket.errors();
                let visit = learner.learn(row, sign).unwrap();
                let now = learner.hyperplane();
                pocket.visited(visit, now, is_wrong(now, &examples));
                prop_assert!(pocket.errors() <= before);
                prop_assert_eq!(pocket.errors(), count_errors(pocket.best(), &examples).unwrap());
            }
        }
    }

    #[test]
    fn the_pocket_is_no_worse_than_the_last_weights(
        table in draw::moderate_table(),
        options in draw::options(),
    ) {
        let options = Options { keep: Keep::Pocket, compare: true, ..options };
        let data = table.matrix();
        let run = train(&table.examples(&data), &options, &mut ()).unwrap();
        let errors = run.report.errors;
        prop_assert!(errors.pocket.unwrap() <= errors.last.unwrap());
    }
}

/// Whether these weights predict a wrong label for an example.
fn is_wrong<'a>(
    weights: &'a Hyperplane,
    examples: &'a Examples<'_>,
) -> impl FnMut(usize) -> bool + 'a {
    |i| {
        let (row, sign) = examples.get(i);
        weights.predict(row).unwrap() != sign
    }
}

/// Sixty rows of one feature, ten of them with the wrong sign, in the given order. Without a budget more
/// rows would be counted; with the budget 0 the rows counted exceed the visits by one trial at most.
#[test]
fn trials_keep_to_their_budget() {
    let row = |i: usize| (i as f64 - 30.0) / 7.0;
    let rows = Rows::dense((0..60).map(row).collect::<Vec<_>>(), 1).unwrap();
    let sign = |i: usize| if (i >= 30) != i.is_multiple_of(6) { Sign::Plus } else { Sign::Minus };
    let signs: Vec<Sign> = (0..60).map(sign).collect();
    let examples = Examples::new(&rows, &signs).unwrap();
    let counted = |budget| {
        let mut learner = Learner::new(&Options::default(), 1).unwrap();
        let now = learner.hyperplane();
        let mut pocket = Pocket::new(now, examples.len(), budget, is_wrong(now, &examples));
        for (row, sign) in (0..20).flat_map(|_| examples.iter()) {
            let visit = learner.learn(row, sign).unwrap();
            let now = learner.hyperplane();
            pocket.visited(visit, now, is_wrong(now, &examples));
        }
        pocket.counted()
    };
    let (visits, free, bound) = (20 * 60, counted(u64::MAX), counted(0));
    assert!(free > visits + 60, "{free}");
    assert!(bound <= visits + 60, "{bound}");
}

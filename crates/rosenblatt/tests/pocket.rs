//! The promise of the pocket: its training errors never rise, and it is never worse than the last
//! weights.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use common::{cases, draw};
use proptest::prelude::*;
use rosenblatt::{
    keep::{Keep, Pocket, count_errors},
    train::{Bias, Learner, Options, train},
};

proptest! {
    #![proptest_config(cases(400))]

#[test]
    fn the_pocket_never_gets_worse(table in draw::moderate_table(), options in draw::options()) {
        let data = table.matrix();
        let examples = table.examples(&data);
        let unit = if options.bias == Bias::None { 0.0 } else { 1.0 };
        let mut learner = Learner::new(&options, examples.features(), unit, (1.0, 1.0));
        let mut pocket = Pocket::new(learner.hyperplane(), &examples);
        for _ in 0..options.epochs {
            for (row, sign) in examples.iter() {
                let before = pocket.errors();
                let visit = learner.learn(row, sign).unwrap();
                pocket.visited(visit.updated, visit.mistake, learner.hyperplane(), &examples);
                prop_assert!(pocket.errors() <= before);
                prop_assert_eq!(pocket.errors(), count_errors(pocket.best(), &examples));
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
        prop_assert!(errors.pocket.unwrap() <= errors.last);
    }
}

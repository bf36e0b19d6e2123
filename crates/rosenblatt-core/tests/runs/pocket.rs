//! The pocket's training errors never rise, and it is never worse than the last weights.

use crate::common::{cases, draw};
use proptest::prelude::*;
use rosenblatt_core::{
    data::{Examples, Rows, Sign, ZeroScore},
    keep::{Keep, Kept, Pocket, TrialBudget, count_errors},
    schedule::Order,
    space::Hyperplane,
    train::{Bias, ClassWeight, Learner, Options, train},
};

proptest! {
    #![proptest_config(cases(400))]

#[test]
    fn the_pocket_never_gets_worse(
        table in draw::moderate_table(),
        options in draw::one_rate(),
        rows in prop_oneof![Just(u64::MAX), 0u64..50],
        per_visit in 0u64..3,
    ) {
        let data = table.matrix();
        let examples = table.examples(&data);
        let bias = if options.bias == Bias::None { Bias::None } else { Bias::Unit };
        let class_weight = ClassWeight::Uniform;
        let own = Options { bias, class_weight, eta: 1.0, ..options.clone() };
        let mut learner = Learner::new(&own, examples.features()).unwrap();
        let (n, budget) = (examples.len(), TrialBudget { rows, per_visit });
        let mut pocket = Pocket::new(
            &learner.hyperplane(),
            n,
            budget,
            error(&learner.hyperplane(), &examples, options.zero),
        );
        for _ in 0..options.epochs {
            for (row, sign) in examples.iter() {
                let before = pocket.errors();
                let visit = learner.learn(row, sign).unwrap();
                let now = &learner.hyperplane();
                pocket.visited(visit, now, error(now, &examples, options.zero));
                prop_assert!(pocket.errors() <= before);
                let errors = count_errors(pocket.best(), &examples, options.zero).unwrap();
                prop_assert_eq!(pocket.errors(), errors);
                let most = per_visit.saturating_mul(learner.visits()).saturating_add(rows);
                prop_assert!(pocket.counted() <= most.saturating_add(n as u64));
            }
        }
    }

    #[test]
    fn the_pocket_is_no_worse_than_the_last_weights(
        table in draw::moderate_table(),
        options in draw::perceptron(),
    ) {
        let class_weight = ClassWeight::Uniform;
        let options = Options { keep: Keep::Pocket, compare: true, class_weight, ..options };
        let data = table.matrix();
        let run = train(&table.examples(&data), &options, &mut ()).unwrap();
        let errors = run.report.errors;
        prop_assert!(errors.of(Kept::Pocket).unwrap() <= errors.of(Kept::Last).unwrap());
    }
}

/// 1 if these weights predict a wrong label for an example, otherwise 0.
fn error<'a>(
    weights: &'a Hyperplane,
    examples: &'a Examples<'_>,
    zero: ZeroScore,
) -> impl FnMut(usize) -> u64 + 'a {
    move |i| {
        let (row, sign) = examples.get(i);
        u64::from(zero.predicts(weights.score_sign(row).unwrap()) != sign)
    }
}

/// By hand, without a bias: three rows x = 1 with sign − and then one with sign +. From w = 0 the first visit moves w
/// to −1, which errs on one row; w = 0 errs on three, so −1 enters the pocket. If the positive class has weight 4, that
/// one error outweighs the three, and the last weights −1 + 4 = 3 make three.
#[test]
fn errors_count_by_their_weights() {
    let rows = Rows::dense(vec![1.0; 4], 1).unwrap();
    let signs = [Sign::Minus, Sign::Minus, Sign::Minus, Sign::Plus];
    let pocket = |class_weight, zero| {
        let options = Options {
            keep: Keep::Pocket,
            bias: Bias::None,
            order: Order::Given,
            epochs: 1,
            class_weight,
            zero,
            ..Options::default()
        };
        let run = train(&Examples::new(&rows, &signs).unwrap(), &options, &mut ()).unwrap();
        (run.hyperplane.weights[0], run.report.training_errors)
    };
    let weighted = || ClassWeight::Given(vec![1.0, 4.0]);
    assert_eq!(pocket(ClassWeight::Uniform, ZeroScore::Positive), (-1.0, Some(1)));
    assert_eq!(pocket(weighted(), ZeroScore::Positive), (0.0, Some(3)));
    // If a score of 0 predicts the negative class, w = 0 errs on the last row alone, as −1 does; 3 errs on the others.
    assert_eq!(pocket(ClassWeight::Uniform, ZeroScore::Negative), (0.0, Some(1)));
    assert_eq!(pocket(weighted(), ZeroScore::Negative), (3.0, Some(3)));
}

/// Sixty rows of one feature, ten of them with the wrong sign, in the given order. Without a budget more rows would be
/// counted; with the budget 0 the rows counted exceed the visits by at most one trial.
#[test]
fn trials_keep_to_their_budget() {
    let row = |i: usize| (i as f64 - 30.0) / 7.0;
    let rows = Rows::dense((0..60).map(row).collect::<Vec<_>>(), 1).unwrap();
    let sign = |i: usize| if (i >= 30) != i.is_multiple_of(6) { Sign::Plus } else { Sign::Minus };
    let signs: Vec<Sign> = (0..60).map(sign).collect();
    let examples = Examples::new(&rows, &signs).unwrap();
    let counted = |rows| {
        let budget = TrialBudget { rows, per_visit: 1 };
        let mut learner = Learner::new(&Options::default(), 1).unwrap();
        let now = &learner.hyperplane();
        let mut pocket = Pocket::new(now, 60, budget, error(now, &examples, ZeroScore::Positive));
        for (row, sign) in (0..20).flat_map(|_| examples.iter()) {
            let visit = learner.learn(row, sign).unwrap();
            let now = &learner.hyperplane();
            pocket.visited(visit, now, error(now, &examples, ZeroScore::Positive));
        }
        pocket.counted()
    };
    let (visits, free, bound) = (20 * 60, counted(u64::MAX), counted(0));
    assert!(free > visits + 60, "{free}");
    assert!(bound <= visits + 60, "{bound}");
}

/// By hand, without a bias: the rows 2 (+), 1, 1, 1 (−), 2 (+). Every visit is a mistake, and w is 2, 1, 0, −1 and 1 after
/// them. −1 makes two errors, but no correct visit, so it is not tried. The initial weights 0 and the last weights make
/// three.
#[test]
fn weights_without_a_long_run_are_not_tried() {
    let rows = Rows::dense(vec![2.0, 1.0, 1.0, 1.0, 2.0], 1).unwrap();
    let signs = [Sign::Plus, Sign::Minus, Sign::Minus, Sign::Minus, Sign::Plus];
    let examples = Examples::new(&rows, &signs).unwrap();
    let options = Options {
        keep: Keep::Pocket,
        bias: Bias::None,
        order: Order::Given,
        epochs: 1,
        ..Options::default()
    };
    let run = train(&examples, &options, &mut ()).unwrap();
    assert_eq!((run.hyperplane.weights[0], run.report.training_errors), (0.0, Some(3)));
    let last = Options { keep: Keep::Last, ..options };
    let mut learner = Learner::new(&last, 1).unwrap();
    let errors = examples.iter().map(|(row, sign)| {
        learner.learn(row, sign).unwrap();
        count_errors(&learner.hyperplane(), &examples, ZeroScore::Positive).unwrap()
    });
    assert_eq!(errors.collect::<Vec<_>>(), [3, 3, 3, 2, 3]);
}

//! Penalties: the bits of the definition, numbers by hand, and what a run with a penalty does not claim.

use crate::common::{bits, cases, draw, layouts, oracle::Oracle};
use proptest::prelude::*;
use rosenblatt_core::{
    data::{Examples, Rows, Sign},
    keep::{Keep, Kept},
    options::Penalty,
    rules::Update,
    schedule::Order,
    space::Kernel,
    train::{Bias, Multiclass, OptionError, Options, TrainError, train},
};

proptest! {
    #![proptest_config(cases(400))]

    /// Every layout, with either kind of weights, watched or not.
    #[test]
    fn every_penalty_gives_the_bits_of_the_reference(
        table in draw::moderate_table(),
        options in draw::penalized(),
        compare in any::<bool>(),
    ) {
        let oracle = Oracle::new(&table, &options);
        let expected = [(Keep::Last, oracle.run.last()), (Keep::Average, &oracle.average)];
        for (layout, rows) in layouts::all(&table.rows) {
            let examples = Examples::new(&rows, &table.signs).unwrap();
            for (keep, expected) in expected {
                let options = Options { keep, compare, ..options.clone() };
                let run = train(&examples, &options, &mut ()).unwrap();
                let found = &run.hyperplane;
                prop_assert_eq!(bits(&found.weights), bits(&expected.weights), "{:?}, {}", keep, layout);
                prop_assert_eq!(found.bias.to_bits(), expected.bias.to_bits(), "{:?}, {}", keep, layout);
                prop_assert_eq!(&run.report.mistakes_per_epoch, &oracle.run.mistakes_per_epoch());
                prop_assert_eq!(run.report.updates, oracle.updates());
                prop_assert!(!run.report.converged && run.report.novikoff_bound.is_none());
                prop_assert_eq!(run.report.errors.of(Kept::Pocket), None);
                prop_assert!(!bits(&found.weights).contains(&(-0.0f64).to_bits()));
            }
        }
    }

    /// Without strength a penalty changes no bit of the last weights. (The sums of a mean have more roundings.)
    #[test]
    fn a_penalty_of_0_changes_nothing(
        table in draw::moderate_table(),
        options in draw::penalized(),
        l1_ratio in 0.0..=1.0f64,
    ) {
        let data = table.matrix();
        let examples = table.examples(&data);
        let none = Options { penalty: None, epochs: 1, keep: Keep::Last, ..options };
        let zero = Options { penalty: Some(Penalty { alpha: 0.0, l1_ratio }), ..none.clone() };
        let [none, zero] = [none, zero].map(|options| train(&examples, &options, &mut ()).unwrap());
        prop_assert_eq!(none.hyperplane, zero.hyperplane);
        prop_assert_eq!(none.report.updates, zero.report.updates);
    }
}

/// Two rows, x = (1, 0) with + and x = (1, 2) with −, in one epoch from zero, without a bias.
fn two(penalty: &str, keep: Keep) -> Vec<f64> {
    let rows = Rows::dense(vec![1.0, 0.0, 1.0, 2.0], 2).unwrap();
    let options = Options {
        penalty: Some(penalty.parse().unwrap()),
        bias: Bias::None,
        order: Order::Given,
        epochs: 1,
        keep,
        ..Options::default()
    };
    let signs = [Sign::Plus, Sign::Minus];
    train(&Examples::new(&rows, &signs).unwrap(), &options, &mut ()).unwrap().hyperplane.weights
}

/// By hand. Both visits are mistakes. `l2` with c = 1/2: w = (1, 0), then (1/2, 0) − (1, 2). `l1` with 1/4 a visit: (1, 0) is
/// cut to (3/4, 0). Then (−1/4, −2): the first weight may lose 2/4 in all on this side and gained 1/4 on the other, so
/// 1/4 is left and it becomes 0; the second loses 1/2.
#[test]
fn two_visits_by_hand() {
    assert_eq!(two("l2:0.5", Keep::Last), [-0.5, -2.0]);
    assert_eq!(two("l2:0.5", Keep::Average), [0.25, -1.0]);
    assert_eq!(two("l1:0.25", Keep::Last), [0.0, -1.5]);
    assert_eq!(two("elasticnet:1:0.5", Keep::Last), [0.0, -1.0]);
}

/// On the line a single mistake ends the errors, and without a penalty the next epoch is clean.
#[test]
fn a_run_with_a_penalty_has_no_clean_epoch() {
    let rows = Rows::dense(vec![1.0, -1.0], 1).unwrap();
    let examples = Examples::new(&rows, &[Sign::Plus, Sign::Minus]).unwrap();
    let penalty = Some(Penalty { alpha: 0.01, l1_ratio: 0.0 });
    let options = Options { epochs: 5, bias: Bias::None, ..Options::default() };
    let epochs = |options| train(&examples, &options, &mut ()).unwrap().report.epochs;
    assert_eq!(epochs(options.clone()), 2);
    assert_eq!(epochs(Options { penalty, ..options }), 5);
}

#[test]
fn what_a_penalty_excludes_is_refused() {
    let penalty = Some(Penalty { alpha: 0.1, l1_ratio: 0.0 });
    let plain = Options { penalty, ..Options::default() };
    let excluded = [
        Options { kernel: Some(Kernel::Linear), ..plain.clone() },
        Options { keep: Keep::Pocket, ..plain.clone() },
        Options { keep: Keep::Vote, ..plain.clone() },
        Options { classes: Multiclass::Joint, ..plain.clone() },
        Options { update: Update::arow(1.0), ..plain.clone() },
    ];
    for options in excluded {
        assert!(matches!(options.check(), Err(OptionError::PenaltyWith(_))), "{options:?}");
    }
    let huge = Penalty { alpha: 1e300, l1_ratio: 0.5 };
    let options = Options { penalty: Some(huge), eta: 1e300, ..Options::default() };
    assert_eq!(options.check(), Err(OptionError::Penalty(huge)));
    let rows = Rows::dense(vec![1.0], 1).unwrap();
    let refused = train(&Examples::new(&rows, &[Sign::Plus]).unwrap(), &options, &mut ());
    assert!(matches!(refused, Err(TrainError::Option(OptionError::Penalty(_)))));
}

//! No rows cause a panic in the dual form, and kernel values that cannot be computed are rejected.

use rosenblatt_core::{
    data::{Labelled, Rows, Scheme, ZeroScore},
    keep::{Keep, Tally},
    model::{Model, PredictError, PredictOptions, RowOverflow},
    space::Kernel,
    train::{Fit, HeldOut, Options, Resources, TrainError, fit},
};

const TWO: Scheme = Scheme::Two { positive: 1 };
const KERNELS: [&str; 3] = ["linear", "poly:1:0.5", "rbf:0.5"];

fn learn(values: &[f64], features: usize, kernel: &str, keep: Keep) -> Result<Fit, TrainError> {
    let rows = Rows::dense(values, features).unwrap();
    let classes: Vec<u32> = (0..rows.len() as u32).map(|i| i % 2).collect();
    let labelled = Labelled::new(&rows, &classes, TWO).unwrap();
    let kernel = Some(kernel.parse().unwrap());
    let options = Options { kernel, keep, epochs: 5, ..Options::default() };
    fit(&labelled, &options, &Resources::default(), None, &mut ())
}

fn model(values: &[f64], features: usize, kernel: &str, keep: Keep) -> Model {
    let rows = Rows::dense(values, features).unwrap();
    let classes: Vec<u32> = (0..rows.len() as u32).map(|i| i % 2).collect();
    let labelled = Labelled::new(&rows, &classes, TWO).unwrap();
    let classifier = learn(values, features, kernel, keep).unwrap().classifier;
    crate::common::model(classifier, &labelled, ZeroScore::Positive)
}

/// Features missing from a sparse batch are 0 after widening.
#[test]
fn a_batch_may_have_fewer_features() {
    for kernel in KERNELS {
        for keep in [Keep::Last, Keep::Vote] {
            let model = model(&[1.0, 0.0, 2.0, 0.0, 1.0, -1.0], 3, kernel, keep);
            let narrow = Rows::sparse(vec![0, 1, 2, 2], vec![0, 0], vec![1.0, 2.0], 1).unwrap();
            let wide = Rows::dense(vec![1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0], 3).unwrap();
            let predict = |rows| model.classify(rows, PredictOptions::default(), true).unwrap();
            let refused = model.classify(&narrow, PredictOptions::default(), true);
            assert_eq!(refused, Err(PredictError::Features { found: 1, expected: 3 }));
            let narrow = narrow.with_features(3).unwrap();
            assert_eq!(predict(&narrow), predict(&wide), "{kernel} {keep:?}");
        }
    }
}

#[test]
fn no_class_is_nothing_to_learn() {
    let rows = Rows::dense(Vec::<f64>::new(), 1).unwrap();
    let labelled = Labelled::new(&rows, &[], Scheme::OneVsRest { classes: 0 }).unwrap();
    let error = fit(&labelled, &Options::default(), &Resources::default(), None, &mut ());
    assert!(matches!(error, Err(TrainError::Empty { .. })));
}

/// A kernel value past the range has no sum: the products of such rows would be infinite, and their squared distance ∞
/// − ∞.
#[test]
fn values_past_the_range_are_refused() {
    for kernel in KERNELS {
        for keep in [Keep::Last, Keep::Vote] {
            let error = learn(&[1e200, -1e200, 1e199, 3e200], 1, kernel, keep).unwrap_err();
            let expected = match kernel {
                "rbf:0.5" => matches!(error, TrainError::DistanceOverflow { .. }),
                _ => matches!(error, TrainError::KernelOverflow { .. }),
            };
            assert!(expected, "{kernel}: {error}");
        }
    }
}

/// A model of moderate rows rejects a row whose kernel values would be infinite, and names it. A distance is defined
/// for any row.
#[test]
fn a_row_past_the_range_is_named() {
    for kernel in KERNELS {
        for keep in [Keep::Last, Keep::Vote] {
            let model = model(&[1.0, 2e110, -1.5, 3e110], 1, kernel, keep);
            let rows = Rows::dense(vec![1e100, -1e-320, f64::MAX, -1e200], 1).unwrap();
            for tally in Tally::ALL {
                let found = model.classify(&rows, PredictOptions { tally, threads: 1 }, true);
                match kernel {
                    "rbf:0.5" => assert_eq!(found.unwrap().classes.len(), 4),
                    _ => assert_eq!(
                        found,
                        Err(PredictError::OutOfRange(RowOverflow(2))),
                        "{kernel} {keep:?} {tally}"
                    ),
                }
            }
        }
    }
}

/// Held-out examples are checked too.
#[test]
fn held_out_examples_are_checked() {
    let near = Rows::dense(vec![1.0, 2.0], 1).unwrap();
    let far = Rows::dense(vec![1e200, 2.0], 1).unwrap();
    let labelled = Labelled::new(&near, &[0, 1], TWO).unwrap();
    let held_out =
        HeldOut { labelled: Labelled::new(&far, &[0, 1], TWO).unwrap(), patience: 1, least: 1 };
    for kernel in KERNELS {
        let options = Options { kernel: Some(kernel.parse().unwrap()), ..Options::default() };
        let resources = Resources::default();
        assert!(fit(&labelled, &options, &resources, Some(&held_out), &mut ()).is_err());
    }
}

/// The farther row is infinitely far from all others: e^{−∞} = 0, so only the bias remains.
#[test]
fn a_row_past_all_distance_has_the_bias_for_a_score() {
    let model = model(&[1e10, 2e10, -1e10, 3e10], 1, "rbf:0.5", Keep::Last);
    let rows = Rows::dense(vec![1e100, 1e300, f64::MAX], 1).unwrap();
    let scores = model.classify(&rows, PredictOptions::default(), true).unwrap().scores;
    assert!(scores.iter().all(|&score| score == scores[0]), "{scores:?}");
}

/// A vote is scored by products of rows, also in feature space.
#[test]
fn a_vote_of_rows_past_the_range_is_refused() {
    let rows = Rows::dense(vec![1e160, -1e160], 1).unwrap();
    let labelled = Labelled::new(&rows, &[0, 1], Scheme::Two { positive: 1 }).unwrap();
    let options = Options { keep: Keep::Vote, ..Options::default() };
    let error = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap_err();
    assert!(matches!(error, TrainError::KernelOverflow { kernel: Kernel::Linear, .. }), "{error}");
    let options = Options { keep: Keep::Last, ..options };
    assert!(fit(&labelled, &options, &Resources::default(), None, &mut ()).is_ok());
}

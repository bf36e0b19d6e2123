//! Input that cannot be learned is rejected with an error that gives the reason, and nothing panics.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::common::{bits, cases, draw, layouts};
use proptest::prelude::*;
use rosenblatt_core::{
    data::{Examples, Rows, RowsError, Scale, Scaling, Sign},
    keep::Keep,
    schedule::Order,
    space::Hyperplane,
    train::{Bias, ClassWeight, OptionError, Options, TrainError, TrainedHyperplane, train},
};

use Sign::{Minus, Plus};

fn run(
    rows: &Rows<'_>,
    signs: &[Sign],
    options: &Options,
) -> Result<TrainedHyperplane, TrainError> {
    train(&Examples::new(rows, signs).unwrap(), options, &mut ())
}

/// One feature with the values −1 and 1.
fn pair(options: Options) -> Result<TrainedHyperplane, TrainError> {
    run(&Rows::dense(vec![-1.0, 1.0], 1).unwrap(), &[Minus, Plus], &options)
}

fn option_error(options: Options) -> OptionError {
    match pair(options).unwrap_err() {
        TrainError::Option(error) => error,
        other => panic!("not an error of an option: {other}"),
    }
}

#[test]
fn the_learning_rate_is_positive_and_finite() {
    for eta in [0.0, -0.0, -1.0, f64::INFINITY, f64::NEG_INFINITY] {
        let error = option_error(Options { eta, ..Options::default() });
        assert_eq!(error, OptionError::Eta(eta));
    }
    let error = option_error(Options { eta: f64::NAN, ..Options::default() });
    assert!(matches!(error, OptionError::Eta(eta) if eta.is_nan()));
}

#[test]
fn there_is_at_least_one_epoch() {
    assert_eq!(option_error(Options { epochs: 0, ..Options::default() }), OptionError::NoEpochs);
}

#[test]
fn class_weights_are_finite_and_at_least_0() {
    for bad in [-1.0, f64::INFINITY] {
        for (minus, plus) in [(bad, 1.0), (1.0, bad)] {
            let class_weight = ClassWeight::Given(vec![minus, plus]);
            let error = option_error(Options { class_weight, ..Options::default() });
            assert_eq!(error, OptionError::ClassWeight(bad));
        }
    }
    // The caller leaves out the examples of a class with weight 0, and some class must remain.
    let none = ClassWeight::Given(vec![0.0, 0.0]);
    let error = option_error(Options { class_weight: none, ..Options::default() });
    assert_eq!(error, OptionError::ClassWeight(0.0));
    let one = ClassWeight::Given(vec![0.0, 1.0]);
    let error = option_error(Options { class_weight: one, ..Options::default() });
    assert_eq!(error, OptionError::WeightlessExamples { class: 0 });
}

/// Library messages must not mention options of the command, because a library user has no command. Comments may.
#[test]
fn no_message_of_the_library_mentions_an_option_of_the_command() {
    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => files(&path, found),
                false => found.push(path),
            }
        }
    }
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    assert!(all.len() > 80, "{}", all.len());
    for file in all {
        for (number, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let (code, _) = line.split_once("//").unwrap_or((line, ""));
            let option = code.match_indices("--").find(|(at, _)| {
                code[at + 2..].starts_with(|next: char| next.is_ascii_alphabetic())
            });
            assert_eq!(option, None, "{}:{}: {line}", file.display(), number + 1);
        }
    }
}

/// The limit is 2²⁸ values; 2⁹ rows of 2²⁰ features are 2²⁹.
#[test]
fn messages_about_a_scaling() {
    let rows = Rows::sparse(vec![0; 513], vec![], Vec::<f64>::new(), 1 << 20).unwrap();
    let scaling = Scaling {
        scale: Scale::Standard,
        shift: vec![1.0; 1 << 20],
        divisor: vec![1.0; 1 << 20],
        first: None,
    };
    assert_eq!(
        scaling.apply(&rows).unwrap_err().to_string(),
        "the scaling standard shifts zeros, so 512 × 1048576 sparse values would be stored; the limit is 268435456"
    );
}

#[test]
fn one_class_is_an_error() {
    let rows = Rows::dense(vec![1.0, 2.0, 3.0], 1).unwrap();
    for sign in [Minus, Plus] {
        let error = run(&rows, &[sign; 3], &Options::default()).unwrap_err();
        assert_eq!(error, TrainError::OneClass { examples: 3 });
    }
}

#[test]
fn no_examples_are_an_error() {
    let rows = Rows::dense(Vec::<f64>::new(), 4).unwrap();
    let error = run(&rows, &[], &Options::default()).unwrap_err();
    assert_eq!(error, TrainError::Empty { examples: 0, features: 4 });
}

#[test]
fn no_features_are_an_error() {
    let rows = Rows::sparse(vec![0, 0, 0], vec![], Vec::<f64>::new(), 0).unwrap();
    let error = run(&rows, &[Minus, Plus], &Options::default()).unwrap_err();
    assert_eq!(error, TrainError::Empty { examples: 2, features: 0 });
}

#[test]
fn each_row_has_one_sign() {
    let rows = Rows::dense(vec![1.0, 2.0], 1).unwrap();
    let error = Examples::new(&rows, &[Plus]).unwrap_err();
    assert_eq!(error, RowsError::Signs { rows: 2, signs: 1 });
}

/// Without a bias, in the given order: the first example makes the weights 10³⁰⁸·(1, 1). The second has the score
/// 10⁶¹⁶·(1 − 1.5) < 0 and adds 10³⁰⁸·(1, −1.5): the first weight passes 1.8·10³⁰⁸.
#[test]
fn an_overflow_names_the_example_and_the_epoch() {
    let rows = [vec![1e308, 1e308], vec![1e308, -1.5e308], vec![0.0, 1.0]];
    let options = Options { bias: Bias::None, order: Order::Given, ..Options::default() };
    for (layout, rows) in layouts::all(&rows) {
        let error = run(&rows, &[Plus, Plus, Minus], &options).unwrap_err();
        assert_eq!(error, TrainError::Overflow { example: 1, epoch: 1 }, "{layout}");
    }
}

/// With η = 10³⁰⁸: after (1) weight and bias are 10³⁰⁸; (−2) has the score −10³⁰⁸ and doubles the
/// bias.
#[test]
fn an_overflow_of_the_bias_counts() {
    let options = Options { eta: 1e308, order: Order::Given, ..Options::default() };
    for (layout, rows) in layouts::all(&[vec![1.0], vec![-2.0], vec![0.0]]) {
        let error = run(&rows, &[Plus, Plus, Minus], &options).unwrap_err();
        assert_eq!(error, TrainError::Overflow { example: 1, epoch: 1 }, "{layout}");
    }
}

#[test]
fn a_squared_radius_past_the_range_is_refused() {
    let options = Options { bias: Bias::Radius, ..Options::default() };
    for (layout, rows) in layouts::all(&[vec![1e200, 0.0], vec![0.0, -1.0]]) {
        let error = run(&rows, &[Plus, Minus], &options).unwrap_err();
        assert_eq!(error, TrainError::Radius { radius: 1e200 }, "{layout}");
    }
}

/// The weight is 10³⁰⁸ after both visits, and twice that overflows.
#[test]
fn a_sum_of_weights_past_the_range_is_refused() {
    let options = Options { bias: Bias::None, keep: Keep::Average, ..Options::default() };
    for (layout, rows) in layouts::all(&[vec![1e308], vec![-1e308]]) {
        let error = run(&rows, &[Plus, Minus], &options).unwrap_err();
        assert_eq!(error, TrainError::AverageOverflow, "{layout}");
    }
}

/// The error, or the bits of the model.
fn outcome(run: Result<TrainedHyperplane, TrainError>) -> Result<(Vec<u64>, u64), TrainError> {
    run.map(|run| (bits(&run.hyperplane.weights), run.hyperplane.bias.to_bits()))
}

proptest! {
    #![proptest_config(cases(400))]

    /// Numbers up to the largest, so that everything may overflow.
    #[test]
    fn no_finite_number_panics(
        table in draw::table(draw::finite()),
        options in draw::perceptron(),
        eta in draw::finite(),
        compare in any::<bool>(),
    ) {
        let class_weight = ClassWeight::Uniform;
        let options = Options { eta: eta.abs(), class_weight, compare, ..options };
        let mut outcomes = Vec::new();
        for (layout, rows) in layouts::all(&table.rows) {
            let run = run(&rows, &table.signs, &options);
            if let Ok(run) = &run {
                let Hyperplane { weights, bias } = &run.hyperplane;
                prop_assert!(weights.iter().all(|weight| weight.is_finite()), "{}", layout);
                prop_assert!(bias.is_finite(), "{}", layout);
            }
            outcomes.push(outcome(run));
        }
        for other in &outcomes {
            prop_assert_eq!(other, &outcomes[0]);
        }
    }
}

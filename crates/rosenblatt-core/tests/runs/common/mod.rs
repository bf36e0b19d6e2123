//! Code shared by several tests: rational arithmetic, random data, and runs by the definition.

pub(crate) mod draw;
pub(crate) mod layouts;
pub(crate) mod oracle;
pub(crate) mod random;
pub(crate) mod rational;

use proptest::prelude::ProptestConfig;
use rosenblatt_core::{
    data::{Classes, Labelled, Rows, Scheme, ZeroScore},
    model::{Classifier, Model, ModelParts},
    prototype::Baseline,
    train::{Options, Resources, fit},
};

/// This many cases, or in proportion to `PROPTEST_CASES`, which is 256 if it is not set. Failing inputs are printed, not
/// written to files.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let config = ProptestConfig::default();
    let scaled = |number: u32| (number * config.cases).div_ceil(256);
    ProptestConfig {
        cases: scaled(cases),
        max_global_rejects: scaled(config.max_global_rejects),
        failure_persistence: None,
        ..config
    }
}

/// The bits of each number, for comparisons.
pub(crate) fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// A model that consists only of its classifier, without scaling.
pub(crate) fn model(classifier: Classifier, labelled: &Labelled<'_>, zero: ZeroScore) -> Model {
    Model::new(parts(classifier, labelled, zero)).expect("parts that fit together")
}

/// The parts of such a model. The report is that of one epoch over two other examples.
pub(crate) fn parts(
    classifier: Classifier,
    labelled: &Labelled<'_>,
    zero: ZeroScore,
) -> ModelParts {
    let name = |class: usize| class.to_string();
    let classes = match labelled.scheme() {
        Scheme::Two { positive } => Classes::two([name(0), name(1)], positive),
        Scheme::OneVsRest { classes } => Classes::many((0..classes).map(name).collect()),
    };
    let options = Options { zero, epochs: 1, ..Options::default() };
    let two = Rows::dense(&[0.0, 1.0], 1).expect("two rows");
    let two = Labelled::new(&two, &[0, 1], Scheme::Two { positive: 1 }).expect("two examples");
    let run = fit(&two, &options, &Resources::default(), None, &mut ());
    ModelParts {
        classifier,
        preparation: Default::default(),
        classes: classes.expect("sound names"),
        baseline: Baseline::of(labelled),
        calibration: None,
        options,
        report: run.expect("one epoch").report,
    }
}

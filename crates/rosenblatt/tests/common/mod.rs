//! Shared by several tests: rational arithmetic, data to draw from, and runs by the definition.

// Each test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

pub(crate) mod draw;
pub(crate) mod layouts;
pub(crate) mod oracle;
pub(crate) mod rational;

use proptest::prelude::ProptestConfig;
use rosenblatt::{
    data::{Classes, Labelled, Scheme, ZeroScore},
    model::{Classifier, Model},
    prototype::Baseline,
};

/// Failing inputs are printed, not written to files beside the sources.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// The bits of each number: what "the same" means.
pub(crate) fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// A model that is nothing but its classifier, without scaling.
pub(crate) fn model(classifier: Classifier, labelled: &Labelled<'_>, zero: ZeroScore) -> Model {
    let name = |class: usize| class.to_string();
    let classes = match labelled.scheme() {
        Scheme::Two { positive } => Classes::two([name(0), name(1)], positive),
        Scheme::OneVsRest { classes } => Classes::many((0..classes).map(name).collect()),
    };
    let baseline = Baseline::of(labelled);
    let classes = classes.expect("sound names");
    Model { classifier, scaling: None, classes, zero, baseline }
}

//! What several tests share: rational arithmetic, data to draw from, and the naive twin.

// Each test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

pub(crate) mod draw;
pub(crate) mod layouts;
pub(crate) mod rational;
pub(crate) mod twin;

use proptest::prelude::ProptestConfig;

/// Failing inputs are printed, not written to files beside the sources.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// The bits of each number: what "the same" means.
pub(crate) fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

//! The guarantee for new examples of a separator of a few examples that separates all.

use rosenblatt::separability::{SeparabilityOptions, compress};
use serde::Serialize;

use super::SeparableProblem;
use crate::commands::guarantee::{Guarantee, Reason, SampleCheck, is_filled};

/// A few of the examples, and the guarantee for the separator of these alone.
#[derive(Serialize)]
pub(super) struct Compressed {
    /// Counted from 1, ascending.
    pub(super) rows: Vec<usize>,
    pub(super) guarantee: Guarantee,
}

/// The guarantee for separable examples; none if the search for few rows ends without them.
pub(super) fn compressed(
    subject: &SeparableProblem<'_>,
    options: &SeparabilityOptions,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Compressed> {
    let found = compress(&subject.examples, options, stop)?;
    let reason = || {
        let mut check = SampleCheck::default();
        check.count(&subject.dataset.rows, subject.numbers);
        check.reason()
    };
    let filled = is_filled(&subject.dataset.schema).then_some(Reason::Filled);
    let (kept, examples) = (found.rows.len() as u64, subject.examples.len() as u64);
    let guarantee = Guarantee::of_compression(kept, examples, filled.or_else(reason));
    Some(Compressed { rows: found.rows.into_iter().map(|row| row + 1).collect(), guarantee })
}

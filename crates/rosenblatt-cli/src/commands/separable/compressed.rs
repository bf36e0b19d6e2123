//! The guarantee for new examples of a separator of a few examples that separates all.

use rosenblatt::guarantee::{Compressed, Reason, SampleCheck};
use rosenblatt_proofs::SeparabilityOptions;

use super::SeparableProblem;
use crate::commands::guarantee::is_filled;

/// The guarantee for separable examples; none if the search for few rows ends without them.
pub(super) fn compressed(
    subject: &SeparableProblem<'_>,
    options: &SeparabilityOptions,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Compressed> {
    let found = subject.written.compress(options, stop)?;
    let filled = is_filled(subject.dataset).then_some(Reason::Filled);
    let reason = filled.or_else(|| SampleCheck::reason_of(&subject.dataset.rows, subject.class_of));
    Some(Compressed::new(&found, subject.written.floats().len(), reason))
}

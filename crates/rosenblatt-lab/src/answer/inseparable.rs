//! How far points are from separable: touching or overlapping, and the least errors of any line.

use rosenblatt_core::train::Bias;
use rosenblatt_proofs::{
    ErrorBounds, SeparabilityOptions, SeparationCertificate, least_errors, separation,
};
use serde::Serialize;

use super::{Refusal, limit::Work, points::PointSet};
use crate::question::InseparableQuestion;

/// The answer, whose statements have checked proofs.
#[derive(Debug, Serialize)]
pub(super) struct InseparableAnswer {
    /// The least errors that any line makes; a point on the line is an error.
    least_errors: ErrorBounds,
    /// Whether the search for them ended at the limit of work.
    ended: bool,
    /// The proof that the classes touch or overlap; absent if it would be too much work.
    #[serde(skip_serializing_if = "Option::is_none")]
    separation: Option<SeparationCertificate>,
    /// The number of points on the line of the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    on_line: Option<usize>,
}

pub(super) fn inseparable(
    question: &InseparableQuestion,
    work: &Work<'_>,
) -> Result<InseparableAnswer, Refusal> {
    let set = PointSet::new(&question.points)?;
    let examples = set.examples()?;
    let options = || SeparabilityOptions {
        with_bias: question.bias != Bias::None,
        work: work.part(question.work.min(InseparableQuestion::WORK)),
        ..SeparabilityOptions::default()
    };
    let verdict = separation(&examples, &options(), &mut || work.is_stopped());
    let errors = least_errors(&examples, &options(), &mut || work.is_stopped());
    let known = verdict.known();
    Ok(InseparableAnswer {
        least_errors: errors.bounds(),
        ended: errors.ended.is_some(),
        separation: known.map(|known| known.certificate.clone()),
        on_line: known.map(|known| known.on_hyperplane),
    })
}

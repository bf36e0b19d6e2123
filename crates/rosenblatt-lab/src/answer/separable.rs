//! Whether a line separates the points.

use rosenblatt::{
    separability::{SeparabilityOptions, Verdict, separable as decide},
    train::Bias,
};

use super::{Refusal, limit::Work, points::PointSet};
use crate::question::SeparableQuestion;

/// Returns the verdict, confirmed by the checker.
pub(super) fn separable(question: &SeparableQuestion, work: &Work<'_>) -> Result<Verdict, Refusal> {
    let set = PointSet::new(&question.points)?;
    let examples = set.examples()?;
    let options = SeparabilityOptions {
        with_bias: question.bias != Bias::None,
        work: work.part(SeparableQuestion::WORK),
        ..SeparabilityOptions::default()
    };
    Ok(decide(&examples, &options, &mut || work.is_stopped()).confirmed(&examples))
}

use super::{Refusal, Stop};
use crate::question::SeparableQuestion;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Answer {}

pub(super) fn separable(_: &SeparableQuestion, _: Stop<'_>) -> Result<Answer, Refusal> {
    Ok(Answer {})
}

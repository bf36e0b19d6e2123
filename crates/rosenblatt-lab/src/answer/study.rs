use super::{Refusal, Stop};
use crate::question::StudyQuestion;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Answer {}

pub(super) fn study(_: &StudyQuestion, _: Stop<'_>) -> Result<Answer, Refusal> {
    Ok(Answer {})
}

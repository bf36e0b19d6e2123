//! The number of points that hyperplanes misclassify, by the exact signs of the scores.

use rosenblatt::{keep::count_errors, space::Hyperplane};
use serde::Serialize;

use super::{
    Refusal,
    limit::{Work, score_work},
    points::{PointSet, at_most, same},
};
use crate::question::ErrorsQuestion;

#[derive(Serialize)]
pub(super) struct ErrorsAnswer {
    /// In the order of the hyperplanes.
    errors: Vec<usize>,
}

pub(super) fn errors(question: &ErrorsQuestion, work: &Work<'_>) -> Result<ErrorsAnswer, Refusal> {
    let set = PointSet::new(&question.points)?;
    let examples = set.examples()?;
    at_most("planes", question.planes.len(), ErrorsQuestion::MOST_PLANES)?;
    let count = |(i, plane): (usize, &Vec<f64>)| {
        same(&format!("planes[{i}]"), plane.len(), examples.features() + 1)?;
        let row = score_work(examples.features());
        if work.spend(row * examples.len() as u64) {
            return Err(Refusal::Stopped);
        }
        let (weights, bias) = plane.split_at(examples.features());
        let hyperplane = Hyperplane { weights: weights.to_vec(), bias: bias[0] };
        Ok(count_errors(&hyperplane, &examples, question.zero)?)
    };
    let errors = question.planes.iter().enumerate().map(count).collect::<Result<_, _>>()?;
    Ok(ErrorsAnswer { errors })
}

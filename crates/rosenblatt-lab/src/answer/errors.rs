//! The number of points that hyperplanes misclassify, by the exact signs of the scores, and their margins.

use rosenblatt_core::{
    data::Examples, keep::count_errors, margin::min_margin, space::Hyperplane, train::Bias,
};
use serde::Serialize;

use super::{
    Refusal,
    limit::{Work, score_work},
    points::{PointSet, at_most, hyperplane},
};
use crate::question::ErrorsQuestion;

#[derive(Serialize)]
pub(super) struct ErrorsAnswer {
    /// In the order of the hyperplanes.
    errors: Vec<usize>,
    /// The smallest y·s/‖w‖ of the points, in the order of the hyperplanes; absent if w is 0 or there are no points.
    #[serde(skip_serializing_if = "Option::is_none")]
    margins: Option<Vec<Option<f64>>>,
}

pub(super) fn errors(question: &ErrorsQuestion, work: &Work<'_>) -> Result<ErrorsAnswer, Refusal> {
    let set = PointSet::new(&question.points)?;
    let examples = set.examples()?;
    at_most("planes", question.planes.len(), ErrorsQuestion::MOST_PLANES)?;
    let plane = |(i, plane): (usize, &Vec<f64>)| {
        hyperplane(&format!("planes[{i}]"), plane, examples.features())
    };
    let planes = question.planes.iter().enumerate().map(plane).collect::<Result<Vec<_>, _>>()?;
    let count = |plane: &Hyperplane| {
        spend(&examples, work)?;
        Ok(count_errors(plane, &examples, question.zero)?)
    };
    let margin = |plane: &Hyperplane| {
        spend(&examples, work)?;
        // Without the bias in the norm this is a distance in the space of the points.
        Ok(min_margin(plane, Bias::None, &examples)?)
    };
    let errors = planes.iter().map(count).collect::<Result<_, Refusal>>()?;
    let margins = || planes.iter().map(margin).collect::<Result<_, Refusal>>();
    Ok(ErrorsAnswer { errors, margins: question.margins.then(margins).transpose()? })
}

/// Charges the scores of all examples by one hyperplane.
fn spend(examples: &Examples<'_>, work: &Work<'_>) -> Result<(), Refusal> {
    let scores = score_work(examples.features()) * examples.len() as u64;
    work.charge(scores)
}

//! One-vs-rest training on labeled patterns, and predictions for other patterns.

use rosenblatt_core::{
    data::{Decision, Labelled, classes_of},
    report::Report,
    space::Hyperplane,
    train::{Multiclass, Options},
};
use serde::Serialize;

use super::{
    Refusal,
    limit::{Limit, Work, predict},
    points::{at_most, rows, same},
    score::Score,
    trace::WeightList,
    train::{run, run_options},
};
use crate::question::PatternQuestion;

#[derive(Serialize)]
pub(super) struct PatternAnswer {
    classes: Vec<String>,
    report: Report,
    /// One for each class.
    #[serde(skip_serializing_if = "Option::is_none")]
    planes: Option<Vec<WeightList>>,
    predictions: Vec<Prediction>,
}

/// The prediction for a query.
#[derive(Serialize)]
struct Prediction {
    class: String,
    /// In the order of the classes.
    scores: Vec<Score>,
}

pub(super) fn patterns(
    question: &PatternQuestion,
    work: &Work<'_>,
) -> Result<PatternAnswer, Refusal> {
    let patterns = rows(&question.rows, None)?;
    same("labels", question.labels.len(), patterns.len())?;
    let queries = rows(&question.queries, Some(patterns.features()))?;
    at_most("queries", queries.len(), PatternQuestion::MOST_QUERIES)?;
    let (classes, numbers) = classes_of(&question.labels, None)?;
    at_most("classes", classes.names().len(), PatternQuestion::MOST_CLASSES)?;
    let labelled = Labelled::new(&patterns, &numbers, classes.scheme())?;
    let options = Options { classes: Multiclass::OneVsRest, ..run_options(&question.options)? };
    let mut limit = Limit::new(&options, (patterns.len(), patterns.features()), work);
    let fit = run(&labelled, &options, &mut limit)?;
    limit.finished()?;
    let by = Decision { scheme: classes.scheme(), zero: options.zero };
    let predicted = predict(&fit.classifier, by, &queries, work)?;
    let names = classes.names();
    let planes = classes.scheme().hyperplanes();
    let prediction = |(&class, scores): (&u32, &[f64])| Prediction {
        class: names[class as usize].clone(),
        scores: of_each_class(scores, |score| -score).into_iter().map(Score::from).collect(),
    };
    Ok(PatternAnswer {
        classes: names.to_vec(),
        report: fit.report,
        planes: fit.classifier.linear().map(seen_by_class),
        predictions: predicted
            .classes
            .iter()
            .zip(predicted.scores.chunks(planes))
            .map(prediction)
            .collect(),
    })
}

fn seen_by_class(planes: &[Hyperplane]) -> Vec<WeightList> {
    let turned = |plane: Hyperplane| Hyperplane {
        weights: plane.weights.iter().map(|weight| 0.0 - weight).collect(),
        bias: 0.0 - plane.bias,
    };
    of_each_class(planes, turned).iter().map(WeightList::from).collect()
}

/// One item for each class: two classes share one hyperplane, with opposite signs for the first.
fn of_each_class<T: Clone>(of_planes: &[T], other_side: impl Fn(T) -> T) -> Vec<T> {
    match of_planes {
        [one] => vec![other_side(one.clone()), one.clone()],
        all => all.to_vec(),
    }
}

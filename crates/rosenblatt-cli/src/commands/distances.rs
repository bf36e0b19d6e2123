//! Signed distances from the hyperplane, and margins.

use rosenblatt::DistanceError;
use rosenblatt_core::{
    data::{Classes, Sign},
    model::Predictions,
    signed_distance::weight_norm,
    transforms::StepWords,
};
use rosenblatt_data::ModelFile;

use crate::{args::PredictArgs, error::CliError, text::long_options};

/// The numbers that `--distances` and `--margins` add to each row.
pub(super) struct Distances {
    /// ‖w‖ in the units of the data.
    norm: f64,
    distances: bool,
    margins: bool,
}

impl Distances {
    /// Returns `None` if neither option is given.
    pub(super) fn new(
        arguments: &PredictArgs,
        model: &ModelFile,
    ) -> Result<Option<Self>, CliError> {
        let PredictArgs { distances, margins, .. } = *arguments;
        let option = match (distances, margins) {
            (false, false) => return Ok(None),
            (true, _) => "--distances",
            (false, true) => "--margins",
        };
        let refused = |error: DistanceError| {
            let hint = match &error {
                DistanceError::NotLinear => {
                    "a model of `train DATA` without `--kernel` and `--keep vote` has one"
                }
                DistanceError::Classes { .. } => {
                    "`--positive LABEL` of `train` makes two classes; `--radius l2` has the distance from another label"
                }
                DistanceError::Prepared(words) => {
                    return CliError::usage(
                        format!("{option}: {error}"),
                        without(words, "has distances"),
                    );
                }
                DistanceError::Range => "a model of `train DATA --scale none` has distances",
                _ => "train on data that are not all 0",
            };
            CliError::usage(format!("{option}: {error}"), hint)
        };
        let norm = weight_norm(model.model.classifier(), model.model.preparation());
        Ok(Some(Distances { norm: norm.map_err(refused)?, distances, margins }))
    }

    /// The names of the columns.
    pub(super) fn names(arguments: &PredictArgs) -> Vec<&'static str> {
        let distances = arguments.distances.then_some(vec!["distance"]);
        let margins = arguments.margins.then_some(vec!["functional_margin", "geometric_margin"]);
        [distances, margins].into_iter().flatten().flatten().collect()
    }

    /// Whether rows need labels.
    pub(super) fn needs_labels(&self) -> bool {
        self.margins
    }

    /// The numbers of each row: those of [`Self::names`]. `labels` are the numbers of their classes, if they are needed.
    pub(super) fn of(
        &self,
        predictions: &Predictions,
        labels: &[u32],
        classes: &Classes,
    ) -> Vec<Vec<f64>> {
        let row = |(i, &score): (usize, &f64)| {
            let mut numbers = Vec::with_capacity(3);
            if self.distances {
                numbers.push(score / self.norm);
            }
            if self.margins {
                let is_positive = classes.scheme().class_of(0) == labels[i] as usize;
                let sign = if is_positive { Sign::Plus } else { Sign::Minus };
                // Not −0.
                let functional = sign * score + 0.0;
                numbers.extend([functional, functional / self.norm]);
            }
            numbers
        };
        predictions.scores.iter().enumerate().map(row).collect()
    }
}

/// The hint that names the options without which a model can do something.
pub(super) fn without(step: &StepWords, can: &str) -> String {
    format!("a model of `train DATA` without {} {can}", long_options(step.options, "and"))
}

//! Explanations: what each feature adds to a score, for `--explain`.

use rosenblatt::ExplainError;
use rosenblatt_core::{
    data::Rows,
    model::{Model, PredictError},
};
use rosenblatt_data::{
    ModelFile,
    explain::{NamedContribution, NamedExplanation, NamedFeatures},
};
use serde::Serialize;

use crate::{
    error::CliError,
    text::{name, number},
};

/// Explains the scores of a linear model by its features.
pub(super) struct Explainer<'m> {
    model: &'m Model,
    features: NamedFeatures,
    /// The features of an explanation, at most.
    most: usize,
}

impl<'m> Explainer<'m> {
    /// Returns `None` without `--explain`.
    pub(super) fn new(most: Option<u64>, file: &'m ModelFile) -> Result<Option<Self>, CliError> {
        let Some(most) = most else { return Ok(None) };
        if file.model.classifier().linear().is_none() {
            return Err(CliError::usage(
                format!("--explain: {}", ExplainError::NotLinear),
                "a model of `train DATA` without `--kernel` and `--keep vote` has explanations",
            ));
        }
        let most = (file.model.features() as u64).min(most) as usize;
        let features = NamedFeatures::new(&file.schema);
        Ok(Some(Explainer { model: &file.model, features, most }))
    }

    /// The features of an explanation, at most.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Explains for each row the score that decides for its class, or with `every` the score of every hyperplane.
    pub(super) fn of(
        &self,
        rows: &Rows<'_>,
        classes: &[u32],
        every: bool,
    ) -> Result<Vec<Vec<NamedExplanation>>, PredictError> {
        let explanations = self.model.explain(rows).map_err(predict_error)?;
        let all = explanations.hyperplanes();
        let of_row = |(row, &class): (usize, &u32)| {
            let deciding = if all == 1 { 0 } else { class as usize };
            let hyperplanes = if every { 0..all } else { deciding..deciding + 1 };
            let of_plane = |plane| {
                let explanation = explanations.of(row, plane).map_err(predict_error)?;
                Ok(self.features.explained(&explanation, rows.row(row), self.most))
            };
            hyperplanes.map(of_plane).collect()
        };
        classes.iter().enumerate().map(of_row).collect()
    }
}

/// The error of rows for a linear model.
fn predict_error(error: ExplainError) -> PredictError {
    match error {
        ExplainError::Predict(error) => error,
        _ => PredictError::Unsound { problem: "its scores are no sums" },
    }
}

/// The parts of a score, as plain text: `Sex=female +3.111`.
pub(super) fn texts(explanation: &NamedExplanation) -> Vec<String> {
    let signed = |a: f64| if a < 0.0 { number(a) } else { format!("+{}", number(a)) };
    let part = |one: &NamedContribution| {
        let feature = match (one.is_presence, one.value) {
            (true, 1.0) => one.feature.clone(),
            (true, times) => format!("{} ×{}", one.feature, number(times)),
            (false, value) => format!("{}={}", one.feature, number(value)),
        };
        format!("{feature} {}", signed(one.contribution))
    };
    let others = format!("others {}", signed(explanation.others));
    let others = (explanation.left > 0).then_some(others);
    let bias = format!("bias {}", signed(explanation.bias));
    explanation.contributions.iter().map(part).chain(others).chain([bias]).collect()
}

/// How much each feature adds to or takes from the scores of rows.
pub(super) struct Effects {
    sums: Vec<f64>,
    scores: u64,
}

/// A feature, and how much it adds or takes on average.
#[derive(Serialize)]
pub(super) struct Effect {
    feature: String,
    /// The mean of the sizes of its contributions, over all rows and hyperplanes.
    mean_size: f64,
    /// Of two classes, the one for which it speaks the more the larger its value is.
    #[serde(skip_serializing_if = "Option::is_none")]
    speaks_for: Option<String>,
    #[serde(skip)]
    is_presence: bool,
}

impl Effects {
    pub(super) fn new(explainer: &Explainer<'_>) -> Self {
        Effects { sums: vec![0.0; explainer.model.features()], scores: 0 }
    }

    /// Adds the contributions of rows.
    pub(super) fn add(
        &mut self,
        explainer: &Explainer<'_>,
        rows: &Rows<'_>,
    ) -> Result<(), PredictError> {
        let explanations = explainer.model.explain(rows).map_err(predict_error)?;
        for row in 0..explanations.len() {
            for plane in 0..explanations.hyperplanes() {
                let explanation = explanations.of(row, plane).map_err(predict_error)?;
                for (feature, contribution) in explanation.contributions {
                    self.sums[feature] += contribution.abs();
                }
                self.scores += 1;
            }
        }
        Ok(())
    }

    /// The features with the largest effects.
    pub(super) fn largest(&self, explainer: &Explainer<'_>) -> Vec<Effect> {
        let mut order: Vec<usize> =
            (0..self.sums.len()).filter(|&feature| self.sums[feature] > 0.0).collect();
        order.sort_by(|&a, &b| self.sums[b].total_cmp(&self.sums[a]));
        order.truncate(explainer.most);
        let Explainer { model, features, .. } = explainer;
        let effect = |feature: usize| Effect {
            feature: features.name(feature).to_owned(),
            mean_size: self.sums[feature] / self.scores as f64,
            speaks_for: speaks_for(model, feature, features.direction(feature)),
            is_presence: features.is_presence(feature),
        };
        order.into_iter().map(effect).collect()
    }
}

/// Of two classes, the one for which a feature speaks.
fn speaks_for(model: &Model, feature: usize, direction: f64) -> Option<String> {
    let weight = model.hyperplane()?.weights[feature] * direction;
    let (negative, positive) = model.classes().pair()?;
    Some(if weight > 0.0 { positive } else { negative }.to_owned())
}

impl Effect {
    /// `Sex=female moves the score by 1.09 on average; speaks for 1`.
    pub(super) fn text(&self) -> String {
        let Effect { feature, mean_size, speaks_for, is_presence } = self;
        let more = if *is_presence { "" } else { "more of it " };
        let speaks = speaks_for.as_ref();
        let speaks = speaks.map(|class| format!("; {more}speaks for {}", name(class)));
        let (feature, size) = (name(feature), number(*mean_size));
        format!("{feature} moves the score by {size} on average{}", speaks.unwrap_or_default())
    }
}

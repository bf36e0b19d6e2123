//! Models: they classify rows of the original data.

mod check;
mod classifier;

pub use check::PredictError;
pub(crate) use check::ensure_features;
pub use classifier::{Classifier, Dual};

use std::{borrow::Cow, str::FromStr, sync::OnceLock};

use check::{check_planes, ensure};
use classifier::by_scores;

use crate::{
    calibration::Calibration,
    data::{Classes, Decision, Row, Rows, Scaling},
    hyperplane::Hyperplane,
    keep::Tally,
    options::Options,
    prototype::Baseline,
    report::Report,
    space::LinearScores,
    transforms::Preparation,
    validation::Validation,
};

/// A trained model: a classifier with its scaling and the names of its classes, and how it was trained.
///
/// A model can be cloned, sent to other threads and shared between them.
#[derive(Clone, Debug)]
pub struct Model {
    parts: ModelParts,
    /// The norms of a voted model's weights, computed when a tally first needs them.
    norms: OnceLock<Vec<Vec<f64>>>,
    validation: Box<Validation>,
}

/// The parts of a [`Model`].
#[derive(Clone, Debug, PartialEq)]
pub struct ModelParts {
    /// The classifier, in the space of the prepared rows.
    pub classifier: Classifier,
    /// The scaling of features and the normalising of rows before the classifier.
    pub preparation: Preparation,
    /// The names of the classes.
    pub classes: Classes,
    /// The baselines to compare the model with.
    pub baseline: Baseline,
    /// Probabilities from scores, if the model is calibrated.
    pub calibration: Option<Calibration>,
    /// The options of the run.
    pub options: Options,
    /// The report of the run.
    pub report: Report,
}

/// Options of classification. They do not change the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PredictOptions {
    /// How a vote becomes a score.
    pub tally: Tally,
    /// Threads for models in the dual form; 0 counts as 1.
    pub threads: usize,
}

/// A row whose prepared values, kernel values or tally are not finite. It is counted from 0 among the given rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the values computed from row {} are past the range of 64-bit numbers", .0 + 1)]
pub struct RowOverflow(pub usize);

/// The predicted classes of rows, and their scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Predictions {
    /// The number of the class of each row, from 0.
    pub classes: Vec<u32>,
    /// The score of each hyperplane for each row; empty unless scores were requested.
    pub scores: Vec<f64>,
}

/// The class of one row and its scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction<'m> {
    class: usize,
    classes: &'m Classes,
    scores: Vec<f64>,
}

impl<'m> Prediction<'m> {
    /// The prediction of a class, with the score of each hyperplane.
    pub fn new(class: usize, classes: &'m Classes, scores: Vec<f64>) -> Self {
        Prediction { class, classes, scores }
    }

    /// The name of the class.
    pub fn label(&self) -> &'m str {
        &self.classes.names()[self.class]
    }

    /// The label in the type that it had in training, such as `bool` or a whole number.
    ///
    /// # Errors
    /// That of the type, for a label of another.
    pub fn parse<T: FromStr>(&self) -> Result<T, T::Err> {
        self.label().parse()
    }

    /// The number of the class, counted from 0 in [`Model::labels`].
    pub fn class(&self) -> usize {
        self.class
    }

    /// The deciding score: that of the only hyperplane, whose positive side is the positive class, or that of the
    /// predicted class. It is correctly rounded, so its sign is exact.
    pub fn score(&self) -> f64 {
        match self.scores.as_slice() {
            [score] => *score,
            scores => scores[self.class],
        }
    }

    /// The score of each hyperplane: one for two classes, otherwise one per class.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }
}

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

impl Model {
    /// Builds a model from its parts.
    ///
    /// Cost: one pass over the numbers of the classifier.
    ///
    /// # Errors
    /// [`PredictError::Unsound`] or [`PredictError::Scheme`] if the parts do not fit together.
    pub fn new(parts: ModelParts) -> Result<Self, PredictError> {
        let features = parts.classifier.features();
        parts.classifier.check(parts.classes.scheme())?;
        let prototypes = &parts.baseline.prototypes;
        if !prototypes.is_empty() {
            check_planes(prototypes, parts.classes.scheme(), features)?;
        }
        parts.preparation.check(features).map_err(|problem| PredictError::Unsound { problem })?;
        let planes = parts.classes.scheme().hyperplanes();
        let fits = |calibration: &Calibration| calibration.curves().len() == planes;
        ensure(
            parts.calibration.as_ref().is_none_or(fits),
            "its calibration does not fit its hyperplanes",
        )?;
        Ok(Model { parts, norms: OnceLock::new(), validation: Box::default() })
    }

    /// Returns the parts of the model.
    pub fn into_parts(self) -> ModelParts {
        self.parts
    }

    /// Classifies one row: dense values, one per feature, or a sparse [`Row`].
    ///
    /// Cost: that of a batch of one row. For many rows [`Self::predict_rows`] is faster, especially with kernels and
    /// votes.
    ///
    /// # Errors
    /// [`PredictError`].
    pub fn predict<'r>(&self, row: impl Into<Row<'r>>) -> Result<Prediction<'_>, PredictError> {
        let rows = Rows::of_row(row.into(), self.features())?;
        let found = self.predict_rows(&rows)?;
        Ok(Prediction::new(found.classes[0] as usize, self.classes(), found.scores))
    }

    /// Classifies rows exactly: returns the class and the scores of each.
    ///
    /// # Errors
    /// [`PredictError`]: the rows do not have [`Self::features`] features, or a row's prepared values or kernel values
    /// overflow.
    pub fn predict_rows(&self, rows: &Rows<'_>) -> Result<Predictions, PredictError> {
        self.classify(rows, PredictOptions::default(), true)
    }

    /// Classifies rows exactly. Returns the class of each row and, if `scores` is set, the scores. Each score is
    /// rounded once from the prepared values; a [`Tally`] other than the vote sums floats, and its classes follow these.
    ///
    /// Of a calibrated model whose labels follow the largest probability ([`LabelsBy`](crate::calibration::LabelsBy)) the classes are those of the rounded scores.
    ///
    /// # Errors
    /// [`PredictError`] as for [`Self::predict_rows`].
    pub fn classify(
        &self,
        rows: &Rows<'_>,
        options: PredictOptions,
        scores: bool,
    ) -> Result<Predictions, PredictError> {
        let scaled = self.prepared(rows)?;
        let (by, classifier) = (self.decision(), &self.parts.classifier);
        let classified =
            |scores| classifier.classify_with(&scaled, (by, options), scores, &self.norms);
        let Some(calibration) = self.calibration().filter(|found| found.has_probable_labels())
        else {
            return classified(scores);
        };
        let found = calibration.relabelled(by, options.tally, classified(true)?);
        Ok(if scores { found } else { Predictions { scores: Vec::new(), ..found } })
    }

    /// Classifies rows by the nearest class mean, a baseline for comparison. The result is empty if the model has no
    /// means.
    ///
    /// # Errors
    /// [`PredictError`] as for [`Self::predict_rows`].
    pub fn predict_baseline(&self, rows: &Rows<'_>) -> Result<Vec<u32>, PredictError> {
        let prototypes = &self.parts.baseline.prototypes;
        if prototypes.is_empty() {
            return Ok(Vec::new());
        }
        let scaled = self.prepared(rows)?;
        ensure_features(&scaled, self.features())?;
        let scores = LinearScores::new(prototypes, &scaled);
        Ok(by_scores(&scores, self.decision(), &scaled, false).classes)
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.parts.classifier.features()
    }

    /// The names of the classes, in the order of their numbers.
    pub fn labels(&self) -> &[String] {
        self.parts.classes.names()
    }

    /// The only hyperplane of a linear model for two classes, in the space of the prepared rows.
    pub fn hyperplane(&self) -> Option<&Hyperplane> {
        match self.parts.classifier.linear()? {
            [hyperplane] => Some(hyperplane),
            _ => None,
        }
    }

    /// The report of the run that trained the model.
    pub fn report(&self) -> &Report {
        &self.parts.report
    }

    /// The results on examples that the model did not learn from, if a `Perceptron` made some. They are no part
    /// of the model: two models can be equal without them.
    pub fn validation(&self) -> &Validation {
        &self.validation
    }

    /// The model with these results.
    #[must_use]
    pub fn with_validation(self, validation: Validation) -> Self {
        Model { validation: Box::new(validation), ..self }
    }

    /// The options of the run.
    pub fn options(&self) -> &Options {
        &self.parts.options
    }

    /// The classifier.
    pub fn classifier(&self) -> &Classifier {
        &self.parts.classifier
    }

    /// The scaling that was fitted on the training rows, if any.
    pub fn scaling(&self) -> Option<&Scaling> {
        self.parts.preparation.scaling()
    }

    /// What is done to rows before they are classified.
    pub fn preparation(&self) -> &Preparation {
        &self.parts.preparation
    }

    /// How scores become probabilities, if the model is calibrated.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.parts.calibration.as_ref()
    }

    /// The model with a calibration, which [`Calibration::fit`] makes from scores of rows that it did not learn from.
    ///
    /// # Errors
    /// [`PredictError::Unsound`] if the calibration has not one curve for each hyperplane.
    pub fn with_calibration(self, calibration: Calibration) -> Result<Self, PredictError> {
        Model::new(ModelParts { calibration: Some(calibration), ..self.parts })
    }

    /// The probability of each class, in the order of [`Self::labels`] and row by row, for the scores of rows; `None` if
    /// the model is not calibrated. The scores of a vote must be those of the default tally.
    pub fn probabilities(&self, scores: &[f64]) -> Option<Vec<f64>> {
        let scheme = self.parts.classes.scheme();
        Some(self.calibration()?.probabilities(scheme, scores))
    }

    /// The classes.
    pub fn classes(&self) -> &Classes {
        &self.parts.classes
    }

    /// Of two classes, the number of the one that reports call positive: [`Classes::reported`], by the examples that the model
    /// learned from.
    pub fn reported(&self) -> Option<usize> {
        self.classes().reported(&self.baseline().class_sizes)
    }

    /// The baselines.
    pub fn baseline(&self) -> &Baseline {
        &self.parts.baseline
    }

    /// The rule that turns scores into a class.
    pub fn decision(&self) -> Decision {
        Decision { scheme: self.parts.classes.scheme(), zero: self.parts.options.zero }
    }

    fn prepared<'r>(&self, rows: &'r Rows<'r>) -> Result<Cow<'r, Rows<'r>>, PredictError> {
        Ok(self.parts.preparation.batch(rows)?)
    }
}

//! One run: a part of a table, prepared and learned from, and its predictions of other rows.

use std::borrow::Cow;

use super::{Part, Recipe};
use crate::Result;
use rosenblatt_core::{
    calibration::{CalibrationMethod, HeldOutScores},
    data::{Classes, Decision, Labelled, Rows},
    learner::{Checkpoint, Observer},
    metrics::{CountError, Judged},
    model::{Classifier, Model, ModelParts, PredictError, PredictOptions},
    options::{Options, Resources},
    prototype::Baseline,
    train::{Fit, HeldOut, fit},
    transforms::{ApplyStep, Preparation, Step},
    validation::{Holdout, Novelty},
};

/// Held-out rows that may stop a run early.
#[derive(Clone, Copy, Debug)]
pub struct EarlyStopping<'a> {
    /// The rows. Those of classes that are not learned are left out, because they are errors after every epoch.
    pub part: &'a Part<'a>,
    /// [`HeldOut::patience`].
    pub patience: u64,
    /// [`HeldOut::least`].
    pub least: usize,
}

/// A part of a table with its preparation, ready for a run.
#[derive(Clone, Debug)]
pub struct Prepared<'p> {
    part: &'p Part<'p>,
    preparation: Preparation,
    /// `None` if the rows are used as they are.
    rows: Option<Rows<'static>>,
    /// The options of the run, with the initial weights of prepared rows.
    options: Cow<'p, Options>,
    resources: Resources,
    held_out: Option<PreparedHeldOut<'p>>,
}

#[derive(Clone, Debug)]
struct PreparedHeldOut<'p> {
    rows: Cow<'p, Rows<'p>>,
    numbers: Vec<u32>,
    weights: Option<Vec<f64>>,
    patience: u64,
    least: usize,
}

/// A classifier with its preparation.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The classifier, whose supporting rows have their places in the table, and the report of its run.
    pub fit: Fit,
    /// What is done to rows before they are classified.
    pub preparation: Preparation,
}

/// The predictions of rows that a classifier did not learn from, and their labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The class of each row; `None` if it is none of the classes that are counted.
    pub actual: Vec<Option<u32>>,
    /// The predicted class of each row.
    pub predicted: Vec<u32>,
    /// The scores of each row; empty if the classifier knows some of the classes only.
    pub scores: Vec<f64>,
    /// The units of the scores of each hyperplane ([`Classifier::score_units`](rosenblatt_core::model::Classifier::score_units)).
    pub units: Vec<f64>,
    /// Whether the features of each row occur among those that were learned from.
    pub seen: Vec<bool>,
}

impl Recipe<'_> {
    /// Fits the preparation to a part and applies it.
    ///
    /// # Errors
    /// [`Error::Scale`](crate::Error::Scale), [`Error::Predict`](crate::Error::Predict) of a held-out row.
    pub fn prepare<'p>(
        &'p self,
        part: &'p Part<'p>,
        early: Option<EarlyStopping<'p>>,
    ) -> Result<Prepared<'p>> {
        let apply = |step: &Step, rows: &Rows<'_>| step.apply(rows, Some(self.dense_limit));
        self.prepare_by(part, early, &apply)
    }

    /// Prepares a part as [`Self::prepare`] does, with another place for the prepared rows: what `apply` returns.
    ///
    /// # Errors
    /// As for [`Self::prepare`].
    pub fn prepare_by<'p>(
        &'p self,
        part: &'p Part<'p>,
        early: Option<EarlyStopping<'p>>,
        apply: ApplyStep<'_>,
    ) -> Result<Prepared<'p>> {
        let fitted = Preparation::fit_by(
            self.prepare,
            part.rows(),
            part.weights(),
            self.options.bias,
            apply,
        );
        let (preparation, rows) = fitted.map_err(|error| part.error(error))?;
        let held_out = early.map(|early| early.prepared(&preparation)).transpose()?;
        let init = preparation.initial(&self.options.init);
        let options = match init == self.options.init {
            true => Cow::Borrowed(self.options),
            false => Cow::Owned(Options { init, ..self.options.clone() }),
        };
        let resources = self.resources;
        Ok(Prepared { part, preparation, rows, options, resources, held_out })
    }
}

impl<'a> EarlyStopping<'a> {
    fn prepared(self, preparation: &Preparation) -> Result<PreparedHeldOut<'a>> {
        let EarlyStopping { part, patience, least } = self;
        let rows = preparation.batch(part.rows());
        let rows = rows.map_err(|error| part.error(PredictError::from(error)))?;
        let known = part.known();
        let places: Vec<usize> = (0..known.len()).filter(|&row| known[row].is_some()).collect();
        let is_whole = places.len() == known.len();
        let rows = if is_whole { rows } else { Cow::Owned(rows.select(&places)) };
        let weights = |all: &[f64]| places.iter().map(|&row| all[row]).collect();
        let (numbers, weights) =
            (known.into_iter().flatten().collect(), part.weights().map(weights));
        Ok(PreparedHeldOut { rows, numbers, weights, patience, least })
    }
}

impl Prepared<'_> {
    /// The prepared rows with their classes.
    ///
    /// # Errors
    /// [`Error::Rows`](crate::Error::Rows) for classes or weights that do not fit.
    pub fn labelled(&self) -> Result<Labelled<'_>> {
        self.part.labelled(self.rows.as_ref().unwrap_or(self.part.rows()))
    }

    /// The rows that may stop the run early.
    fn held_out(&self) -> Result<Option<HeldOut<'_>>> {
        let Some(held_out) = &self.held_out else { return Ok(None) };
        let PreparedHeldOut { rows, numbers, weights, patience, least } = held_out;
        let labelled = Labelled::new(rows, numbers, self.part.scheme())?;
        let labelled = match weights {
            None => labelled,
            Some(weights) => labelled.weighted(weights)?,
        };
        Ok(Some(HeldOut { labelled, patience: *patience, least: *least }))
    }

    /// The options of the run: those of the recipe, with the initial weights of prepared rows.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// What is done to rows before they are learned from.
    pub fn preparation(&self) -> &Preparation {
        &self.preparation
    }

    /// Makes the run, or continues it from a checkpoint.
    ///
    /// # Errors
    /// [`Error`](crate::Error), about rows of the table.
    pub fn fit(&self, start: Option<&Checkpoint>, mut observer: &mut dyn Observer) -> Result<Fit> {
        let (labelled, held_out) = (self.labelled()?, self.held_out()?);
        let (options, held_out) = (self.options.as_ref(), held_out.as_ref());
        let resources = &self.resources;
        let run = match start {
            None => fit(&labelled, options, resources, held_out, &mut observer),
            Some(start) => start.resume(&labelled, options, resources, held_out, &mut observer),
        };
        run.map_err(|error| self.part.error(error))
    }

    /// Joins the preparation and the classifier of its run.
    pub fn trained(self, mut fit: Fit) -> Trained {
        fit.classifier.renumber(|row| self.part.place(row));
        Trained { fit, preparation: self.preparation }
    }

    /// The model of its run, for these names of the classes and the options that were asked for.
    ///
    /// Cost: one pass over the rows, for the baselines.
    ///
    /// # Errors
    /// [`Error::Predict`](crate::Error::Predict) if the classes do not fit.
    pub fn model(self, fit: Fit, classes: Classes, options: Options) -> Result<Model> {
        let baseline = Baseline::of(&self.labelled()?);
        let Trained { fit: Fit { classifier, report, .. }, preparation } = self.trained(fit);
        let calibration = None;
        Ok(Model::new(ModelParts {
            classifier,
            preparation,
            classes,
            baseline,
            calibration,
            options,
            report,
        })?)
    }
}

impl Trained {
    /// Predicts the classes of other rows. `among` has the number among all classes of each class that was learned, if not all
    /// were.
    ///
    /// # Errors
    /// [`Error::Predict`](crate::Error::Predict), about a row of the table.
    pub fn judge(
        &self,
        part: &Part<'_>,
        decision: Decision,
        threads: usize,
        among: Option<&[usize]>,
    ) -> Result<Judgement> {
        let of = (&self.preparation, &self.fit.classifier);
        Judgement::of(of, part, (decision, threads), among)
    }
}

/// The model with probabilities by the scores of rows that it did not learn from.
///
/// # Errors
/// [`Error::Calibration`](crate::Error::Calibration).
pub fn calibrated(
    model: Model,
    method: CalibrationMethod,
    scores: &HeldOutScores,
) -> Result<Model> {
    let (scheme, units) = (model.classes().scheme(), model.classifier().score_units());
    Ok(model.with_calibration(scores.calibrate(method, scheme, &units)?)?)
}

impl Judgement {
    /// The predictions of a model.
    ///
    /// # Errors
    /// [`Error::Predict`](crate::Error::Predict), about a row of the table.
    pub fn of_model(model: &Model, part: &Part<'_>, threads: usize) -> Result<Self> {
        let of = (model.preparation(), model.classifier());
        Judgement::of(of, part, (model.decision(), threads), None)
    }

    fn of(
        (preparation, classifier): (&Preparation, &Classifier),
        part: &Part<'_>,
        (decision, threads): (Decision, usize),
        among: Option<&[usize]>,
    ) -> Result<Self> {
        let prepared = preparation.batch(part.rows());
        let rows = prepared.map_err(|error| part.error(PredictError::from(error)))?;
        let options = PredictOptions { threads, ..PredictOptions::default() };
        let found = classifier.classify(&rows, decision, options, among.is_none());
        let found = found.map_err(|error| part.error(error))?;
        let number = |class: u32| among.map_or(class, |among| among[class as usize] as u32);
        Ok(Judgement {
            actual: part.known(),
            predicted: found.classes.into_iter().map(number).collect(),
            scores: found.scores,
            units: classifier.score_units(),
            seen: part.seen().to_vec(),
        })
    }

    /// The share of right predictions; 0 without rows.
    pub fn accuracy(&self) -> f64 {
        let right = |(actual, predicted): &(&Option<u32>, &u32)| **actual == Some(**predicted);
        let all = self.predicted.len();
        let right = self.actual.iter().zip(&self.predicted).filter(right).count();
        if all == 0 { 0.0 } else { right as f64 / all as f64 }
    }

    /// The predictions of a model that always predicts one class.
    pub(super) fn constant(class: u32, part: &Part<'_>) -> Self {
        Judgement {
            actual: part.known(),
            predicted: vec![class; part.rows().len()],
            scores: Vec::new(),
            units: Vec::new(),
            seen: part.seen().to_vec(),
        }
    }

    /// Counts the predictions, of this many classes. A row of none of the classes is a wrong prediction.
    ///
    /// # Errors
    /// [`CountError`].
    pub fn judged(&self, classes: usize) -> Result<Judged, CountError> {
        let mut judged = Judged::new(classes)?;
        for (&actual, &predicted) in self.actual.iter().zip(&self.predicted) {
            match actual {
                Some(actual) => judged.confusion.count(actual, predicted)?,
                None => judged.confusion.count_unseen(predicted)?,
            }
        }
        judged.rank(&self.actual, &self.scores);
        Ok(judged)
    }

    /// Counts right and wrong predictions of rows seen before and of others.
    pub fn count(&self, novelty: &mut Novelty) {
        let predictions = self.actual.iter().zip(&self.predicted);
        for ((&actual, &predicted), &is_seen) in predictions.zip(&self.seen) {
            novelty.count(is_seen, actual != Some(predicted));
        }
    }

    /// The results of the model whose predictions of held-out rows these are, and its scores of them. `unlearned` are the labels of
    /// the table that it does not know.
    ///
    /// # Errors
    /// [`CountError`].
    pub fn of_holdout(
        &self,
        model: &Model,
        unlearned: Vec<String>,
    ) -> Result<(Holdout, HeldOutScores), CountError> {
        let (mut scores, mut novelty) = (HeldOutScores::default(), Novelty::default());
        self.add_to(&mut scores);
        self.count(&mut novelty);
        let judged = self.judged(model.labels().len())?;
        let names = (model.classes(), model.reported());
        Ok((Holdout::of(&judged, names, unlearned, novelty), scores))
    }

    /// Adds the scores of the rows whose class the classifier knows.
    pub fn add_to(&self, scores: &mut HeldOutScores) {
        if self.scores.is_empty() {
            return;
        }
        for (of_row, class) in self.scores.chunks(self.units.len()).zip(&self.actual) {
            class.iter().for_each(|&class| scores.add(of_row, &[class], &self.units));
        }
    }
}

//! What a model is worth on examples that it did not learn from.

mod copied;
mod label_copies;
mod telling;

pub use copied::{CopiedRows, Novelty, Outcomes};
pub use label_copies::label_copies;
pub use telling::{TellingFeature, telling_features};

use serde::Serialize;

use crate::{
    calibration::{CalibrationMethod, LabelsBy},
    data::Classes,
    metrics::{ClassRates, CountError, Judged, Rates, UnseenLabels},
    report::Report,
    split::{KFold, Splitter},
};

/// The results of a model on examples that it did not learn from; each part is there only if it was asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Validation {
    /// On examples that are held out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holdout: Option<Holdout>,
    /// On folds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folds: Option<Folds>,
    /// Present with both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<CopiedRows>,
    /// The accuracies of several options, of which the first best were chosen. They have no names here.
    #[serde(skip)]
    pub swept: Vec<SweptValue>,
}

/// The model on examples that are held out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Holdout {
    /// Their number.
    pub examples: u64,
    /// The wrong predictions.
    pub errors: u64,
    /// The share of right predictions.
    pub accuracy: f64,
    /// Whether they are the last examples, and not drawn.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub last: bool,
    /// The rates of the classes.
    #[serde(flatten)]
    pub rates: Rates,
    /// The held-out examples with labels that no example to learn from has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen_labels: Option<UnseenLabels>,
    /// Rows seen before, and new ones.
    #[serde(skip)]
    pub novelty: Novelty,
}

/// Cross-validation: for each fold the accuracy of a model that learned from the others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Folds {
    /// How often the examples were dealt out to folds.
    #[serde(skip_serializing_if = "is_one")]
    pub repeats: usize,
    /// The accuracy of each fold.
    pub accuracies: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation (divided by their number less 1).
    pub sd: f64,
    /// The rates of all folds together; an AUC or an average precision is the mean of those of the folds.
    #[serde(flatten)]
    pub rates: Rates,
    /// The classes that are missing from the test part of some fold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub few: Vec<FewExamples>,
    /// Class weights with which more classes are predicted, if some are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<ClassWeightTrial>,
    /// Rows seen before, and new ones.
    #[serde(skip)]
    pub novelty: Novelty,
}

/// Class weights that were tried on the same folds, with which classes are predicted that were not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassWeightTrial {
    /// The name of the class weights.
    pub class_weight: &'static str,
    /// The accuracy; the mean of the folds.
    pub mean: f64,
    /// The rates of each class.
    pub per_class: Vec<ClassRates>,
}

/// A class with fewer examples, or groups with such, than folds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FewExamples {
    /// Its name.
    pub class: String,
    /// The number of its examples.
    pub examples: u64,
    /// The number of folds with an example of it in their test part.
    pub folds: usize,
    /// The recall of the class in all folds together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<f64>,
}

/// The accuracy of one of several values of an option.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SweptValue {
    /// The accuracy on the held-out examples; the mean of the folds.
    pub accuracy: f64,
    /// The standard deviation of the folds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sd: Option<f64>,
}

/// How a model was calibrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CalibratedBy {
    /// The method.
    pub method: CalibrationMethod,
    /// The number of examples whose scores it was fitted to.
    pub examples: usize,
    /// Which they are.
    pub from: CalibratedOn,
    /// What the labels of the model follow.
    pub labels: LabelsBy,
    /// For how many of the examples this label is not that of the score.
    pub relabelled: usize,
}

/// The examples of a calibration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CalibratedOn {
    /// Those that are held out.
    Holdout,
    /// All, each scored by a run that learned from the other folds.
    Folds,
}

impl Validation {
    /// The results of one of both, with the copies among the examples, and the report of the model.
    pub fn new(
        holdout: Option<Holdout>,
        folds: Option<Folds>,
        splitter: Option<&Splitter<'_>>,
        report: &Report,
    ) -> Self {
        let of_holdout = holdout.as_ref().map(|holdout| &holdout.novelty);
        let novelty = of_holdout.or(folds.as_ref().map(|folds| &folds.novelty));
        let copies = splitter.zip(novelty);
        let copies = copies
            .map(|(splitter, novelty)| CopiedRows::of(splitter).with_outcomes(novelty, report));
        Validation { holdout, folds, copies, swept: Vec::new() }
    }
}

impl SweptValue {
    /// The place of the value with the highest accuracy, the first of equal ones; 0 without values.
    pub fn best(values: &[SweptValue]) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (place, value) in values.iter().enumerate() {
            if value.accuracy > best.1 {
                best = (place, value.accuracy);
            }
        }
        best.0
    }
}

impl Holdout {
    /// The results of predictions of examples that were drawn; the names are those of the labels that no example to learn
    /// from has, and `reported` the class of two that reports call positive.
    pub fn of(
        judged: &Judged,
        (classes, reported): (&Classes, Option<usize>),
        unlearned: Vec<String>,
        novelty: Novelty,
    ) -> Self {
        let confusion = &judged.confusion;
        let unseen = confusion.unseen();
        let unseen_labels = (unseen > 0).then(|| UnseenLabels {
            examples: unseen,
            are_wrong: true,
            predicted: (0..confusion.classes()).map(|class| confusion.unseen_as(class)).collect(),
            labels: unlearned,
        });
        Holdout {
            examples: confusion.total(),
            errors: confusion.errors(),
            accuracy: confusion.accuracy().unwrap_or(0.0),
            last: false,
            rates: judged.rates(classes, reported),
            unseen_labels,
            novelty,
        }
    }
}

impl Folds {
    /// The number of folds, and how often they were made.
    pub fn k_fold(&self) -> KFold {
        KFold { folds: self.accuracies.len() / self.repeats, repeats: self.repeats }
    }

    /// The results of the predictions of each fold, of examples that were dealt out `repeats` times.
    ///
    /// # Errors
    /// [`CountError`] for more classes than a confusion matrix has.
    pub fn of(
        (folds, repeats): (&[Judged], usize),
        classes: &Classes,
        novelty: Novelty,
    ) -> Result<Self, CountError> {
        let mut together = Judged::new(classes.names().len())?;
        folds.iter().for_each(|fold| together.confusion.add(&fold.confusion));
        let sizes = (0..classes.names().len()).map(|class| together.confusion.actual(class));
        let sizes: Vec<usize> = sizes.map(|size| size as usize).collect();
        let reported = classes.reported(&sizes);
        let each: Vec<Rates> = folds.iter().map(|fold| fold.rates(classes, reported)).collect();
        let rates = together.rates(classes, reported).with_mean_areas(&each);
        let accuracy = |fold: &Judged| fold.confusion.accuracy().unwrap_or(0.0);
        let accuracies: Vec<f64> = folds.iter().map(accuracy).collect();
        let (mean, sd) = mean_and_sd(&accuracies);
        let few = classes.names().iter().enumerate().map(|(number, class)| FewExamples {
            class: class.clone(),
            examples: together.confusion.actual(number) / repeats as u64,
            folds: folds.iter().filter(|fold| fold.confusion.actual(number) > 0).count(),
            recall: together.confusion.recall(number),
        });
        let few = few.filter(|few| few.folds < folds.len()).collect();
        Ok(Folds { repeats, sd, mean, accuracies, rates, few, remedy: None, novelty })
    }
}

impl ClassWeightTrial {
    /// Of the examples of the classes that were never predicted, how many are right now, and their number.
    pub fn found(&self, folds: &Folds) -> (u64, u64) {
        let both = folds.rates.per_class.iter().zip(&self.per_class);
        let never = both.filter(|(before, _)| before.predicted == 0);
        never.fold((0, 0), |(right, all), (_, now)| (right + now.right, all + now.examples))
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
fn is_one(repeats: &usize) -> bool {
    *repeats == 1
}

/// The mean of accuracies, and their standard deviation (divided by K − 1).
pub fn mean_and_sd(accuracies: &[f64]) -> (f64, f64) {
    let k = accuracies.len() as f64;
    let mean = accuracies.iter().sum::<f64>() / k;
    let squares = accuracies.iter().map(|accuracy| (accuracy - mean).powi(2)).sum::<f64>();
    (mean, (squares / (k - 1.0)).sqrt())
}

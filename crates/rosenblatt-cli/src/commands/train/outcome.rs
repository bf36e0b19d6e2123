//! The result of `train`, from which the reports are made.

use rosenblatt::{guarantee::Guarantee, study::WeightCycle};
use rosenblatt_core::validation::{CalibratedBy, Validation};
use rosenblatt_data::ModelFile;

use super::{
    diagnosis::Diagnosis, hardest_examples::HardExample, observer::Ending, sweep::Sweep,
    traced::WrittenTrace, weights::Weighted,
};

/// All that is known when the model is there.
pub(super) struct TrainOutcome {
    /// The name of the data.
    pub(super) data: String,
    pub(super) file: ModelFile,
    pub(super) validation: Validation,
    /// The error of folds that no option asked for.
    pub(super) folds_failed: Option<String>,
    /// The values of `--sweep`.
    pub(super) sweep: Option<Sweep>,
    /// How the model was calibrated, if it was.
    pub(super) calibration: Option<CalibratedBy>,
    /// Whether the classes are separable, if the run did not converge and `--diagnose` was given.
    pub(super) diagnosis: Option<Diagnosis>,
    /// The epochs after which the weights were the same, on examples that are proven inseparable.
    pub(super) cycle: Option<WeightCycle>,
    /// The guarantee for new examples, if examples were held out or one pass voted.
    pub(super) guarantee: Option<Guarantee>,
    /// The examples of `--hard`.
    pub(super) hard: Option<Vec<HardExample>>,
    /// Whether the examples are sorted by class, and no order was asked for. In memory they were shuffled.
    pub(super) is_sorted: bool,
    /// Whether they were learned from in that order, so that the first epoch is no estimate of the accuracy.
    pub(super) in_sorted_order: bool,
    /// The largest feature divided by the smallest, unless the features were scaled.
    pub(super) scale_spread: Option<f64>,
    /// The columns of numbers that may be the label in another form.
    pub(super) label_copies: Vec<String>,
    /// The weights of the rows, with `--weight`.
    pub(super) weighted: Option<Weighted>,
    /// The columns that alone nearly decide the label, with the AUC of each.
    pub(super) telling: Vec<(String, f64)>,
    /// The trace, if it is written.
    pub(super) trace: Option<WrittenTrace>,
    /// How Ctrl-C ended the run, if it did.
    pub(super) ending: Ending,
    /// The number of rows that could not be read.
    pub(super) skipped: u64,
    /// The file of the model, if it is written.
    pub(super) written: Option<String>,
}

impl TrainOutcome {
    /// Whether it is proven that no hyperplane of the run's kind separates the two classes.
    pub(super) fn is_inseparable(&self) -> bool {
        self.cycle.is_some() || self.diagnosis.as_ref().is_some_and(Diagnosis::is_no)
    }

    /// Whether it is proven that a hyperplane of the run's kind separates the two classes, though the run found none.
    pub(super) fn is_separable(&self) -> bool {
        self.diagnosis.as_ref().is_some_and(Diagnosis::is_yes)
    }
}

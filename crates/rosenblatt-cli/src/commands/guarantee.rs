//! The lines of a report about a guaranteed error rate.

use rosenblatt::guarantee::{Guarantee, Reason, Theorem};
use rosenblatt_data::{
    Dataset,
    schema::{Column, Inputs},
};

use crate::text::at_most;

/// Why there is no guarantee.
fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::ChoseEpoch => "the held-out examples also chose the epoch",
        Reason::ChoseOption => "the examples also chose the value of an option",
        Reason::ChoseLabels => {
            "the held-out examples also chose the labels; `--calibrate temperature` would allow one"
        }
        Reason::UnknownLabels => "rows with labels that the model does not know were left out",
        Reason::Grouped => "the rows of a group are not independent of one another",
        Reason::Last => "the last examples are no random sample of all",
        Reason::Sorted => {
            "the examples are sorted by class, so their order is not that of a random sample"
        }
        Reason::Repeated => "many examples of a class are copies of others",
        Reason::TrainingExamples => {
            "each class has as many examples as in the training data, so these may be the training examples"
        }
        Reason::Scaled => "the scaling follows from all examples; `--scale none` would allow one",
        Reason::Weighted => {
            "the weights of the counts follow from all examples; `--weighting log` without `--document-frequency` would allow one"
        }
        Reason::Filled => "the values that replace missing ones follow from all examples",
        Reason::Balanced => "the class weights follow from all examples",
        Reason::Radius => "the bias follows from the longest of all rows",
        Reason::Classes => "that of one pass is for two classes",
        Reason::Vacuous => "there are too few examples for one below 100%",
    }
}

/// Whether it says more than that guessing would be as good.
pub(super) fn is_worth_a_line(guarantee: &Guarantee) -> bool {
    match guarantee {
        Guarantee::Holds { error_rate_at_most, .. } => *error_rate_at_most < 0.5,
        Guarantee::Withheld { withheld } => *withheld != Reason::Vacuous,
    }
}

/// A line of a report.
pub(super) fn text(guarantee: &Guarantee) -> String {
    let (limit, theorem) = match guarantee {
        Guarantee::Withheld { withheld } => {
            return format!("no guarantee for new examples: {}", words(*withheld));
        }
        Guarantee::Holds { error_rate_at_most, theorem, .. } => (error_rate_at_most, theorem),
    };
    let by = match theorem {
        Theorem::ClopperPearson => "one-sided Clopper–Pearson",
        Theorem::OnePass => "by the mistakes of the one pass",
        Theorem::SampleCompression => "by sample compression",
    };
    let limit = at_most(100.0 * limit, 3);
    format!(
        "at most {limit}% errors on new examples with confidence 95% ({by}), if they and these are drawn independently from one source"
    )
}

/// Whether values that follow from the examples stand in for missing ones.
pub(super) fn is_filled(dataset: &Dataset) -> bool {
    let Inputs::Columns(columns) = &dataset.schema.inputs else { return false };
    let has_missing =
        |column: &&Column| dataset.notes.filled.iter().any(|filled| filled.column == column.name);
    columns.features.iter().filter(has_missing).any(Column::has_learned_fill)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guarantee_is_a_number_or_a_reason() {
        let none = Guarantee::of_errors(0, 0, None);
        assert_eq!(none, Guarantee::Withheld { withheld: Reason::Vacuous });
        let Guarantee::Holds { error_rate_at_most, .. } = Guarantee::of_errors(0, 299, None) else {
            unreachable!()
        };
        assert!((error_rate_at_most - 0.00997).abs() < 1e-5);
        let line = text(&Guarantee::of_errors(0, 299, None));
        assert!(line.starts_with("at most 0.997% errors"), "{line}");
        let withheld = Guarantee::of_errors(0, 299, Some(Reason::ChoseEpoch));
        assert!(text(&withheld).ends_with("also chose the epoch"));
    }
}

//! The words of rates: of `evaluate`, and of held-out examples in `train`.

use rosenblatt_core::metrics::{ClassRates, Rates, UnseenLabels};

use crate::text::{count, counted, decimal, name, percent};

/// The labels that are not in the training data, and how their examples were counted.
pub(super) fn unseen_labels(unseen: &UnseenLabels, classes: &[String]) -> String {
    let shown = |labels: &[String]| {
        const MOST: usize = 5;
        let mut shown: Vec<String> = labels.iter().take(MOST).map(|label| name(label)).collect();
        if labels.len() > MOST {
            shown.push("…".to_owned());
        }
        shown.join(", ")
    };
    let counted = counted(unseen.examples, "example");
    let how = if unseen.are_wrong { "counted as misclassified" } else { "left out" };
    let plural = if unseen.labels.len() == 1 { " is" } else { "s are" };
    let (labels, known) = (shown(&unseen.labels), shown(classes));
    format!(
        "{counted} {how}: the label{plural} not in the training data ({labels}); its labels are {known}"
    )
}

/// A sentence about the classes with examples that are never predicted.
pub(super) fn never_predicted(rates: &Rates) -> Option<String> {
    const SHOWN: usize = 3;
    let never = rates.never_predicted();
    let one = |one: &&ClassRates| {
        format!("`{}` ({})", name(&one.class), counted(one.examples, "example"))
    };
    let shown = never.iter().take(SHOWN).map(one).collect::<Vec<_>>().join(", ");
    match never.len() {
        0 => None,
        1 => Some(format!("class {shown} is never predicted")),
        2..=SHOWN => Some(format!("classes {shown} are never predicted")),
        all => {
            let others = counted((all - SHOWN) as u64, "other");
            Some(format!("classes {shown} and {others} are never predicted"))
        }
    }
}

/// The precision with its counts: `75.0% (12 of 16)`.
pub(super) fn precision(one: &ClassRates) -> String {
    part(one.rates.precision, one.right, one.predicted)
}

/// The recall with its counts.
pub(super) fn recall(one: &ClassRates) -> String {
    part(one.rates.recall, one.right, one.examples)
}

/// F1 with four decimals.
pub(super) fn f1(one: &ClassRates) -> String {
    one.rates.f1.map_or_else(|| "undefined".to_owned(), decimal)
}

/// A share with its counts.
fn part(share: Option<f64>, part: u64, whole: u64) -> String {
    let shown = share.map_or_else(|| "undefined".to_owned(), percent);
    format!("{shown} ({} of {})", count(part), count(whole))
}

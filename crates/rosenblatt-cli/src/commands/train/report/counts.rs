//! The mistakes of the epochs and the training errors of the weights.

use rosenblatt_core::report::Report;

use crate::text::{count, counted, percent};

/// The mistakes of the first and the last epochs.
pub(super) fn mistakes(report: &Report) -> String {
    const SHOWN: usize = 16;
    let mistakes = &report.mistakes_per_epoch;
    if let (None, [all], None) = (report.training_errors, &mistakes[..], &report.per_class) {
        let share = percent(*all as f64 / report.examples as f64);
        return format!(
            "{}: {share} of the examples, each before the model learned from it",
            count(*all)
        );
    }
    let list = |mistakes: &[u64]| mistakes.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    if mistakes.len() <= SHOWN {
        format!("{}  (by epoch)", list(mistakes))
    } else {
        let (first, last) = (&mistakes[..SHOWN / 2], &mistakes[mistakes.len() - SHOWN / 2..]);
        format!("{} … {}  (by epoch)", list(first), list(last))
    }
}

/// The examples that make up a kernel model.
pub(super) fn support(support: usize, report: &Report) -> String {
    let share = percent(support as f64 / report.examples as f64);
    format!(
        "{} ({share}) moved the weights at least once and make up the model",
        counted(support as u64, "example")
    )
}

//! The preparation of rows, as reports tell it.

use rosenblatt_core::{
    data::{Scale, Scaling},
    transforms::{Preparation, Step},
};

use crate::text::{count, counted};

/// The rows of which a margin is, where these are not the rows of the data.
pub(super) fn whose(preparation: &Preparation) -> Option<String> {
    preparation.steps().last().map(|step| step.words().rows())
}

/// What the steps do, after the options of a run.
pub(super) fn steps(preparation: &Preparation, features: usize) -> String {
    let frequency = preparation.named().document_frequency;
    let kept = |step: &Step| {
        let (frequency, kept) = frequency.zip(step.kept_features())?;
        let (kept, all) = (count(kept as u64), counted(features as u64, "feature"));
        Some(format!("{kept} of {all}, by document frequency {frequency}"))
    };
    let told = preparation.steps().iter().flat_map(|step| {
        let done = match step.scaling() {
            Some(scaling) if scaling.scale == Scale::Auto => Some(by_values(scaling)),
            _ => step.words().report,
        };
        [done, kept(step)].into_iter().flatten()
    });
    told.map(|told| format!("; {told}")).collect()
}

/// The effect of the scaling `auto` on the features.
fn by_values(scaling: &Scaling) -> String {
    let standardized = scaling.shift.iter().filter(|&&shift| shift != 0.0).count() as u64;
    let changed = scaling.shift.iter().zip(&scaling.divisor);
    let changed =
        changed.filter(|&(&shift, &divisor)| shift != 0.0 || divisor != 1.0).count() as u64;
    let by = scaling.first.map(|first| format!(", by the first {}", counted(first, "example")));
    let divided = changed - standardized;
    let of = if divided == 1 { "its" } else { "their" };
    let done = match (standardized, divided) {
        (all, 0) => format!("{} standardized", counted(all, "feature")),
        (0, all) => format!("{} divided by {of} size", counted(all, "feature")),
        (all, divided) => format!(
            "{} standardized, {} divided by {of} size",
            counted(all, "feature"),
            count(divided)
        ),
    };
    done + &by.unwrap_or_default()
}

//! The words of examples that equal others.

use rosenblatt_core::validation::{CopiedRows, Outcomes};

use crate::text::{counted, percent};

/// The lines of the report, whose accuracies are of rows or predictions; none without copies.
pub(super) fn lines(copies: &CopiedRows, of: &str) -> Vec<String> {
    if copies.examples == 0 {
        return Vec::new();
    }
    let apart = if copies.together { ", and stay on one side of each split" } else { "" };
    let (examples, share) = (counted(copies.examples, "example"), percent(copies.share));
    let equal = if copies.examples == 1 { "equals" } else { "equal" };
    let mut lines =
        vec![format!("{examples} ({share}) {equal} another one in all features{apart}")];
    let seen = copies.seen.map(|seen| {
        let which = if copies.together { ", the training examples" } else { "" };
        format!("rows seen before: {}{which}", text(&seen, of))
    });
    let new = copies.new.map(|new| format!("new rows: {}", text(&new, of)));
    let figures: Vec<String> = new.into_iter().chain(seen).collect();
    lines.extend((!figures.is_empty()).then(|| figures.join("; ")));
    lines
}

fn text(outcomes: &Outcomes, of: &str) -> String {
    format!("{} of {}", percent(outcomes.accuracy), counted(outcomes.examples, of))
}

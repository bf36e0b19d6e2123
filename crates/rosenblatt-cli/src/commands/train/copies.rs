//! Examples that equal others, and how good a model is on those and on new ones.

use rosenblatt_core::{report::Report, split::Splitter};
use serde::Serialize;

use crate::text::{counted, percent};

/// The share of copies above which the accuracy is told apart.
const MANY: f64 = 0.01;

/// The copies among the examples; in JSON with the accuracy on rows seen before and on new ones, if the copies are many.
#[derive(Serialize)]
pub(super) struct CopiesJson {
    /// The number of examples that equal another one in all features.
    examples: u64,
    /// Their share of all examples.
    share: f64,
    /// Whether they were copied, so that they stay on one side of each split.
    together: bool,
    /// Held-out examples whose features the model had seen; if copies stay together, the training examples.
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<Tally>,
    /// Held-out examples whose features the model had not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Tally>,
}

/// Right and wrong predictions.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Tally {
    examples: u64,
    errors: u64,
    accuracy: f64,
}

impl Tally {
    /// `None` without an example.
    fn new(examples: u64, errors: u64) -> Option<Self> {
        let accuracy = (examples - errors) as f64 / examples as f64;
        (examples > 0).then_some(Tally { examples, errors, accuracy })
    }

    fn text(&self) -> String {
        format!("{} of {}", percent(self.accuracy), counted(self.examples, "row"))
    }
}

/// The counts of held-out examples whose features the model had seen, and of others.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Novelty {
    seen: [u64; 2],
    new: [u64; 2],
}

impl Novelty {
    /// Counts an example, and whether the model was wrong about it.
    pub(super) fn count(&mut self, is_seen: bool, is_wrong: bool) {
        let counts = if is_seen { &mut self.seen } else { &mut self.new };
        counts[usize::from(is_wrong)] += 1;
    }
}

impl CopiesJson {
    /// For `all` examples of which some were held out, and the report of the model.
    pub(super) fn new(splitter: &Splitter<'_>, novelty: &Novelty, report: &Report) -> Self {
        let (examples, all) = (splitter.copies().count(), splitter.copies().firsts().len());
        let (share, together) = (examples as f64 / all as f64, splitter.were_copied());
        let tally = |[right, wrong]: [u64; 2]| Tally::new(right + wrong, wrong);
        let of_training = report.training_errors.map(|errors| errors as u64);
        let learned = of_training.and_then(|errors| Tally::new(report.examples as u64, errors));
        let seen = if together { learned } else { tally(novelty.seen) };
        CopiesJson {
            examples: examples as u64,
            share,
            together,
            seen: seen.filter(|_| share > MANY),
            new: tally(novelty.new).filter(|_| share > MANY),
        }
    }

    /// Whether rows were copied, so that they stay on one side of each split.
    pub(super) fn are_together(&self) -> bool {
        self.together
    }

    /// The lines of the report; none without copies.
    pub(super) fn lines(&self) -> Vec<String> {
        if self.examples == 0 {
            return Vec::new();
        }
        let apart = if self.together { ", and stay on one side of each split" } else { "" };
        let (examples, share) = (counted(self.examples, "example"), percent(self.share));
        let equal = if self.examples == 1 { "equals" } else { "equal" };
        let mut lines =
            vec![format!("{examples} ({share}) {equal} another one in all features{apart}")];
        let seen = self.seen.map(|seen| {
            let which = if self.together { ", the training examples" } else { "" };
            format!("rows seen before: {}{which}", seen.text())
        });
        let new = self.new.map(|new| format!("new rows: {}", new.text()));
        let figures: Vec<String> = new.into_iter().chain(seen).collect();
        lines.extend((!figures.is_empty()).then(|| figures.join("; ")));
        lines
    }
}

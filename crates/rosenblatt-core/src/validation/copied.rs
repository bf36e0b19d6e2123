//! Examples that equal others, and how good a model is on those and on new ones.

use serde::Serialize;

use crate::{report::Report, split::Splitter};

/// The share of copies above which the accuracy is told apart.
const MANY: f64 = 0.01;

/// The copies among the examples, with the accuracy on rows seen before and on new ones if the copies are many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CopiedRows {
    /// The number of examples that equal another one in all features.
    pub examples: u64,
    /// Their share of all examples.
    pub share: f64,
    /// Whether they were copied, so that they stay on one side of each split.
    pub together: bool,
    /// Held-out examples whose features the model had seen; if copies stay together, the training examples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<Outcomes>,
    /// Held-out examples whose features the model had not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Outcomes>,
}

/// Right and wrong predictions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Outcomes {
    /// All predictions.
    pub examples: u64,
    /// Those that are wrong.
    pub errors: u64,
    /// The share of right ones.
    pub accuracy: f64,
}

impl Outcomes {
    /// `None` without an example.
    fn new(examples: u64, errors: u64) -> Option<Self> {
        let accuracy = (examples - errors) as f64 / examples as f64;
        (examples > 0).then_some(Outcomes { examples, errors, accuracy })
    }
}

/// The counts of held-out examples whose features the model had seen, and of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Novelty {
    seen: [u64; 2],
    new: [u64; 2],
}

impl Novelty {
    /// Counts an example, and whether the model was wrong about it.
    pub fn count(&mut self, is_seen: bool, is_wrong: bool) {
        let counts = if is_seen { &mut self.seen } else { &mut self.new };
        counts[usize::from(is_wrong)] += 1;
    }
}

impl CopiedRows {
    /// The copies among the rows of a splitter.
    pub fn of(splitter: &Splitter<'_>) -> Self {
        let (examples, all) = (splitter.copies().count(), splitter.copies().firsts().len());
        let (share, together) = (examples as f64 / all as f64, splitter.were_copied());
        CopiedRows { examples: examples as u64, share, together, seen: None, new: None }
    }

    /// With the outcomes of held-out rows and the report of the model.
    #[must_use]
    pub fn with_outcomes(self, novelty: &Novelty, report: &Report) -> Self {
        let outcomes = |[right, wrong]: [u64; 2]| Outcomes::new(right + wrong, wrong);
        let of_training = report.training_errors.map(|errors| errors as u64);
        let learned = of_training.and_then(|errors| Outcomes::new(report.examples as u64, errors));
        let seen = if self.together { learned } else { outcomes(novelty.seen) };
        let is_many = self.share > MANY;
        let new = outcomes(novelty.new).filter(|_| is_many);
        CopiedRows { seen: seen.filter(|_| is_many), new, ..self }
    }
}

//! A guaranteed error rate, or the reason why there is none.
//!
//! A guarantee needs examples that are drawn independently from one source. No program can see that they are, but some
//! rows show that they are not: then the guarantee is withheld.

use serde::Serialize;

use super::{compression_limit, error_limit, vote_limit};
use rosenblatt_core::{dynamics::Foresight, options::Options, report::Report, transforms::Learned};
use rosenblatt_proofs::Compression;

/// The probability with which a guarantee holds.
const CONFIDENCE: f64 = 0.95;

/// A guaranteed error rate, or why there is none. In JSON, an object with `error_rate_at_most` or with `withheld`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Guarantee {
    /// There is one.
    Holds {
        /// The error rate of new examples is at most this,
        error_rate_at_most: f64,
        /// with at least this probability,
        confidence: f64,
        /// by this theorem.
        theorem: Theorem,
    },
    /// There is none.
    Withheld {
        /// Why not.
        withheld: Reason,
    },
}

/// The theorem behind a guarantee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Theorem {
    /// Of errors on examples that chose nothing (Clopper & Pearson 1934).
    ClopperPearson,
    /// Of mistakes in one pass; `docs/decisions/0014` has the proof.
    OnePass,
    /// Of a separator of a few examples that separates all (Floyd & Warmuth 1995).
    SampleCompression,
}

/// Why there is no guarantee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The held-out examples also chose the epoch.
    ChoseEpoch,
    /// The held-out examples, or those of the pass, also chose the value of an option.
    ChoseOption,
    /// The held-out examples also chose the probabilities that the labels follow.
    ChoseLabels,
    /// Examples with labels that the model does not know were left out.
    UnknownLabels,
    /// Examples of a group are not independent.
    Grouped,
    /// The held-out examples are the last ones, no random sample.
    Last,
    /// The examples are sorted by class.
    Sorted,
    /// Examples are repeated.
    Repeated,
    /// The examples are as many of each class as the training examples.
    TrainingExamples,
    /// The scaling follows from all examples of the pass.
    Scaled,
    /// The weighting of counts follows from all examples of the pass.
    Weighted,
    /// The values that stand in for missing ones follow from all examples of the pass.
    Filled,
    /// The weights of the classes follow from all examples of the pass.
    Balanced,
    /// The bias follows from the longest of all rows.
    Radius,
    /// The bound of one pass is about the vote of two classes.
    Classes,
    /// The bound is not below 1.
    Vacuous,
}

impl Reason {
    /// Why the mistakes of a pass with these options bound nothing: the weights before a visit follow from later examples
    /// too, or the bound is not for these classes.
    pub fn of_pass(options: &Options, learned: Option<Learned>, classes: usize) -> Option<Self> {
        let foresight = options.dynamics().foresight;
        let reasons = [
            (classes != 2, Reason::Classes),
            (learned == Some(Learned::Scaling), Reason::Scaled),
            (learned == Some(Learned::CountWeights), Reason::Weighted),
            (foresight == Some(Foresight::ClassSizes), Reason::Balanced),
            (foresight == Some(Foresight::Radius), Reason::Radius),
        ];
        reasons.into_iter().find(|(holds, _)| *holds).map(|(_, reason)| reason)
    }
}

impl Guarantee {
    /// From the errors on examples that were not learned from, unless there is a reason against it.
    pub fn of_errors(errors: u64, examples: u64, reason: Option<Reason>) -> Self {
        Self::of(error_limit(errors, examples, CONFIDENCE), Theorem::ClopperPearson, reason)
    }

    /// For the vote of one pass, from its mistakes, unless there is a reason against it; `None` for other runs.
    pub fn of_run(
        options: &Options,
        report: &Report,
        reason: impl FnOnce() -> Option<Reason>,
    ) -> Option<Self> {
        if !options.dynamics().has_vote_bound {
            return None;
        }
        let mistakes = report.mistakes_per_epoch.first().copied().unwrap_or(0);
        let limit = vote_limit(mistakes, report.examples as u64, CONFIDENCE);
        Some(Self::of(limit, Theorem::OnePass, reason()))
    }

    /// For a classifier that is right on all examples and follows from `kept` of them.
    pub fn of_compression(kept: u64, examples: u64, reason: Option<Reason>) -> Self {
        let limit = compression_limit(kept, examples, CONFIDENCE);
        Self::of(limit, Theorem::SampleCompression, reason)
    }

    fn of(limit: f64, theorem: Theorem, reason: Option<Reason>) -> Self {
        match reason.or((limit >= 1.0).then_some(Reason::Vacuous)) {
            Some(withheld) => Guarantee::Withheld { withheld },
            None => Guarantee::Holds { error_rate_at_most: limit, confidence: CONFIDENCE, theorem },
        }
    }
}

/// The guarantee for the separator of a few examples alone, which separates all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compressed {
    /// Their places, counted from 1, ascending.
    pub rows: Vec<usize>,
    /// The guarantee, by sample compression.
    pub guarantee: Guarantee,
}

impl Compressed {
    /// For rows that were found among `examples`, unless there is a reason against it.
    pub fn new(found: &Compression, examples: usize, reason: Option<Reason>) -> Self {
        let guarantee = Guarantee::of_compression(found.rows.len() as u64, examples as u64, reason);
        Compressed { rows: found.rows.iter().map(|row| row + 1).collect(), guarantee }
    }
}

//! The error rate of new examples that is guaranteed with 95 % confidence, or the reason why none is.
//!
//! A guarantee needs examples that are drawn independently from one source. No program can see that they are, but some
//! files show that they are not: then the guarantee is withheld.

use std::hash::{DefaultHasher, Hasher};

use rosenblatt::{
    data::Rows,
    guarantee::{compression_limit, stratified_error_limit, vote_limit},
};
use rosenblatt_data::schema::{Column, Inputs, Schema};
use serde::Serialize;

use super::class_runs::ClassRuns;
use crate::text::at_most;

/// The probability with which a guarantee holds.
const CONFIDENCE: f64 = 0.95;

/// A guarantee, or why there is none. In JSON, an object with `error_rate_at_most` or with `withheld`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Guarantee {
    Holds { error_rate_at_most: f64, confidence: f64, theorem: Theorem },
    Withheld { withheld: Reason },
}

/// The theorem behind a guarantee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Theorem {
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
pub(super) enum Reason {
    /// The held-out examples also chose the epoch.
    ChoseEpoch,
    /// The held-out examples also chose the value of an option.
    ChoseOption,
    /// Examples of a group are not independent.
    Grouped,
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
    fn words(self) -> &'static str {
        match self {
            Reason::ChoseEpoch => "the held-out examples also chose the epoch",
            Reason::ChoseOption => "the held-out examples also chose the value of an option",
            Reason::Grouped => "the rows of a group are not independent of one another",
            Reason::Sorted => {
                "the examples are sorted by class, so their order is not that of a random sample"
            }
            Reason::Repeated => "many examples of a class are copies of others",
            Reason::TrainingExamples => {
                "each class has as many examples as in the training data, so these may be the training examples"
            }
            Reason::Scaled => {
                "the scaling follows from all examples; `--scale none` would allow one"
            }
            Reason::Weighted => {
                "the inverse document frequencies follow from all examples; `--weighting log` would allow one"
            }
            Reason::Filled => "the values that replace missing ones follow from all examples",
            Reason::Balanced => "the class weights follow from all examples",
            Reason::Radius => "the bias follows from the longest of all rows",
            Reason::Classes => "that of one pass is for two classes",
            Reason::Vacuous => "there are too few examples for one below 100%",
        }
    }
}

impl Guarantee {
    /// From the errors on examples that were not learned from, unless there is a reason against it.
    pub(super) fn of_errors(errors: u64, examples: u64, reason: Option<Reason>) -> Self {
        Self::of(
            stratified_error_limit(errors, examples, CONFIDENCE),
            Theorem::ClopperPearson,
            reason,
        )
    }

    /// For a vote, from the mistakes of its one pass, unless there is a reason against it.
    pub(super) fn of_vote(mistakes: u64, visits: u64, reason: Option<Reason>) -> Self {
        Self::of(vote_limit(mistakes, visits, CONFIDENCE), Theorem::OnePass, reason)
    }

    /// For a classifier that is right on all examples and follows from `kept` of them.
    pub(super) fn of_compression(kept: u64, examples: u64, reason: Option<Reason>) -> Self {
        let limit = compression_limit(kept, examples, CONFIDENCE);
        Self::of(limit, Theorem::SampleCompression, reason)
    }

    fn of(limit: f64, theorem: Theorem, reason: Option<Reason>) -> Self {
        match reason.or((limit >= 1.0).then_some(Reason::Vacuous)) {
            Some(withheld) => Guarantee::Withheld { withheld },
            None => Guarantee::Holds { error_rate_at_most: limit, confidence: CONFIDENCE, theorem },
        }
    }

    /// Whether it says more than that guessing would be as good.
    pub(super) fn is_worth_a_line(&self) -> bool {
        match self {
            Guarantee::Holds { error_rate_at_most, .. } => *error_rate_at_most < 0.5,
            Guarantee::Withheld { withheld } => *withheld != Reason::Vacuous,
        }
    }

    /// A line of a report.
    pub(super) fn text(&self) -> String {
        let (limit, theorem) = match self {
            Guarantee::Withheld { withheld } => {
                return format!("no guarantee for new examples: {}", withheld.words());
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
}

/// Whether values that follow from the examples stand in for missing ones.
pub(super) fn is_filled(schema: &Schema) -> bool {
    match &schema.inputs {
        Inputs::Columns(columns) => columns.features.iter().any(Column::has_learned_fill),
        _ => false,
    }
}

/// The signs of examples that are no independent sample.
#[derive(Default)]
pub(super) struct SampleCheck {
    runs: ClassRuns,
    /// The class and a hash of the values of each of the first examples.
    hashes: Vec<(u32, u64)>,
}

impl SampleCheck {
    /// The number of examples that are looked at for copies: 256 MiB of hashes.
    const MOST: usize = 1 << 24;

    /// Looks at the next examples.
    pub(super) fn count(&mut self, rows: &Rows<'_>, classes: &[u32]) {
        self.runs.count(classes);
        let room = Self::MOST - self.hashes.len();
        for (row, &class) in rows.iter().zip(classes).take(room) {
            // Its keys are fixed, and nothing but the reason in the report depends on it.
            let mut hasher = DefaultHasher::new();
            row.for_each(|j, x| {
                if x != 0.0 {
                    hasher.write_usize(j);
                    hasher.write_u64(x.to_bits());
                }
            });
            self.hashes.push((class, hasher.finish()));
        }
    }

    /// Why these examples are no independent sample, if they show it.
    pub(super) fn reason(mut self) -> Option<Reason> {
        if self.runs.are_sorted() {
            return Some(Reason::Sorted);
        }
        self.hashes.sort_unstable();
        let mut classes = self.hashes.chunk_by(|a, b| a.0 == b.0);
        classes.any(are_copies).then_some(Reason::Repeated)
    }
}

/// The most occurrences of a row that are looked at.
const MOST_TIMES: usize = 16;

/// Whether rows of a class were copied.
///
/// Let n₁, n₂, … be the numbers of different rows that occur once, twice, … among N independent draws. By the inequality of
/// Cauchy & Schwarz for their means Σ C(N, k) pᵏ(1 − p)ᴺ⁻ᵏ over the rows, of probabilities p,
///
///     E[nₖ]² ≤ E[nₖ₋₁]·E[nₖ₊₁]·(k + 1)(N − k + 1)/(k(N − k)),
///
/// whatever the distribution. Copies break this: of rows that all occur twice, n₁ and n₃ are 0. A difference counts if it
/// remains after three standard deviations of each number, and five rows.
fn are_copies(class: &[(u32, u64)]) -> bool {
    let mut different = [0.0_f64; MOST_TIMES + 2];
    for equal in class.chunk_by(|a, b| a == b).filter(|equal| equal.len() <= MOST_TIMES + 1) {
        different[equal.len()] += 1.0;
    }
    let least = |times: usize| (different[times] - 3.0 * different[times].sqrt()).max(0.0);
    let most = |times: usize| different[times] + 3.0 * different[times].sqrt() + 5.0;
    let draws = class.len() as f64;
    (2..class.len().min(MOST_TIMES + 1)).any(|times| {
        let k = times as f64;
        let factor = (k + 1.0) * (draws - k + 1.0) / (k * (draws - k));
        least(times) * least(times) > most(times - 1) * most(times + 1) * factor
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(values: &[f64], classes: &[u32]) -> Option<Reason> {
        let mut check = SampleCheck::default();
        check.count(&Rows::dense(values.to_vec(), 1).unwrap(), classes);
        check.reason()
    }

    #[test]
    fn samples_that_are_none() {
        let different: Vec<f64> = (0..100).map(f64::from).collect();
        let alternating: Vec<u32> = (0..100).map(|i| i % 2).collect();
        assert_eq!(reason(&different, &alternating), None);
        let sorted = [vec![0; 50], vec![1; 50]].concat();
        assert_eq!(reason(&different, &sorted), Some(Reason::Sorted));
        // Every row of class 1 twice.
        let doubled: Vec<f64> =
            (0..100).map(|i| f64::from(if i % 2 == 1 { i / 4 } else { i })).collect();
        assert_eq!(reason(&doubled, &alternating), Some(Reason::Repeated));
        // Of nine rows eight occur three times.
        let tripled: Vec<f64> =
            (0..900).map(|i| f64::from(if i < 800 { i % 267 } else { i })).collect();
        assert_eq!(reason(&tripled, &[0; 900]), Some(Reason::Repeated));
        assert_eq!(reason(&tripled[800..], &[0; 100]), None);
    }

    /// Draws of numbers with unequal probabilities repeat by chance: of 300 samples none is taken for copies; each is if
    /// all of its rows are doubled.
    #[test]
    fn repeated_draws_are_no_copies() {
        let mut state = 1_u64;
        let mut unit = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for sample in 0..300 {
            let (power, most) = (f64::from(1 + sample % 5), f64::from(3 << (sample % 10)));
            let draws: Vec<f64> = (0..500).map(|_| (unit().powf(power) * most).floor()).collect();
            assert_eq!(reason(&draws, &[0; 500]), None, "{power} {most}");
            let doubled = [&draws[..], &draws[..]].concat();
            let is_found = reason(&doubled, &[0; 1000]) == Some(Reason::Repeated);
            let few = 3 << (sample % 10) < 200;
            assert!(is_found || few, "{power} {most}");
        }
    }

    #[test]
    fn a_guarantee_is_a_number_or_a_reason() {
        let none = Guarantee::of_errors(0, 0, None);
        assert_eq!(none, Guarantee::Withheld { withheld: Reason::Vacuous });
        let Guarantee::Holds { error_rate_at_most, .. } = Guarantee::of_errors(0, 299, None) else {
            unreachable!()
        };
        assert!((error_rate_at_most - 0.00997).abs() < 1e-5);
        let text = Guarantee::of_errors(0, 299, None).text();
        assert!(text.starts_with("at most 0.997% errors"), "{text}");
        let withheld = Guarantee::of_errors(0, 299, Some(Reason::ChoseEpoch));
        assert!(withheld.text().ends_with("also chose the epoch"));
    }
}

//! Signs that examples are not drawn independently from one source.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hasher},
};

use super::{ClassRuns, Reason};
use crate::data::Rows;

/// The signs of examples that are no independent sample.
#[derive(Default)]
pub struct SampleCheck {
    runs: ClassRuns,
    /// The class and a hash of the values of each of the first examples.
    hashes: Vec<(u32, u64)>,
}

impl SampleCheck {
    /// The number of examples that are looked at for copies: 256 MiB of hashes.
    const MOST: usize = 1 << 24;

    /// Looks at the next examples.
    pub fn count(&mut self, rows: &Rows<'_>, classes: &[u32]) {
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
    pub fn reason_of(rows: &Rows<'_>, classes: &[u32]) -> Option<Reason> {
        let mut check = SampleCheck::default();
        check.count(rows, classes);
        check.reason()
    }

    /// Why the examples are no independent sample, if they show it.
    pub fn reason(mut self) -> Option<Reason> {
        if self.runs.are_sorted() {
            return Some(Reason::Sorted);
        }
        self.hashes.sort_unstable();
        let classes: Vec<_> = self.hashes.chunk_by(|a, b| a.0 == b.0).collect();
        let is_repeated = classes.iter().any(|class| are_copies(class)) || is_drawn_again(&classes);
        is_repeated.then_some(Reason::Repeated)
    }
}

/// The least number of rows of a class, and of its repeated rows, from which [`is_drawn_again`] tells something.
const FEW: usize = 20;

/// Whether most rows of a class occur more than once, and hardly any of another class do, as after an oversampling of the
/// smaller class. A source may have such classes, too; then a guarantee is withheld without need.
fn is_drawn_again(classes: &[&[(u32, u64)]]) -> bool {
    let repeated = |class: &[(u32, u64)]| -> usize {
        class.chunk_by(|a, b| a == b).map(<[_]>::len).filter(|&times| times > 1).sum()
    };
    let counts: Vec<(usize, usize)> =
        classes.iter().map(|class| (repeated(class), class.len())).collect();
    let is_mostly = counts.iter().any(|&(again, rows)| again >= FEW && 2 * again > rows);
    let is_hardly = counts.iter().any(|&(again, rows)| rows >= FEW && 50 * again < rows);
    is_mostly && is_hardly
}

/// Whether rows of a class were copied.
///
/// Let n₁, n₂, … be the numbers of different rows that occur once, twice, … among N independent draws. By the inequality of
/// Cauchy & Schwarz for their means Σ C(N, k) pᵏ(1 − p)ᴺ⁻ᵏ over the rows, of probabilities p,
///
/// ```text
/// E[nₖ]² ≤ E[nₖ₋₁]·E[nₖ₊₁]·(k + 1)(N − k + 1)/(k(N − k)),
/// ```
///
/// whatever the distribution. Copies break this: of rows that all occur twice, n₁ and n₃ are 0. A difference counts if it
/// remains after three standard deviations of each number, and five rows.
fn are_copies(class: &[(u32, u64)]) -> bool {
    let mut different = BTreeMap::<usize, f64>::new();
    for equal in class.chunk_by(|a, b| a == b) {
        *different.entry(equal.len()).or_default() += 1.0;
    }
    let number = |times: usize| different.get(&times).copied().unwrap_or(0.0);
    let least = |times: usize| (number(times) - 3.0 * number(times).sqrt()).max(0.0);
    let most = |times: usize| number(times) + 3.0 * number(times).sqrt() + 5.0;
    let draws = class.len() as f64;
    different.keys().filter(|&&times| 1 < times && times < class.len()).any(|&times| {
        let k = times as f64;
        let factor = (k + 1.0) * (draws - k + 1.0) / (k * (draws - k));
        least(times) * least(times) > most(times - 1) * most(times + 1) * factor
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(values: &[f64], classes: &[u32]) -> Option<Reason> {
        SampleCheck::reason_of(&Rows::dense(values.to_vec(), 1).unwrap(), classes)
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
        // A hundred values, each of them twenty times, or thirty of them forty times.
        let copied = |values: usize, times: usize| -> Option<Reason> {
            let all: Vec<f64> = (0..values * times).map(|i| (i % values) as f64).collect();
            reason(&all, &vec![0; all.len()])
        };
        assert_eq!([copied(100, 20), copied(30, 40)], [Some(Reason::Repeated); 2]);
        // Class 1 has ten values, drawn fifty times.
        let drawn = |i: u32| f64::from(if i % 2 == 1 { 1 + 2 * (i * i / 7 % 10) } else { i });
        let oversampled: Vec<f64> = (0..100).map(drawn).collect();
        assert_eq!(reason(&oversampled, &alternating), Some(Reason::Repeated));
        assert_eq!(reason(&oversampled[..20], &alternating[..20]), None);
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
        // Of few values, each occurs many times.
        for values in [2, 5, 30, 100] {
            let draws: Vec<f64> =
                (0..20_000).map(|_| (unit() * f64::from(values)).floor()).collect();
            assert_eq!(reason(&draws, &[0; 20_000]), None, "{values}");
        }
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
}

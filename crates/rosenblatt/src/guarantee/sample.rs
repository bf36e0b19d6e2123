//! Signs that examples are not drawn independently from one source.

use super::{ClassRuns, Reason};
use rosenblatt_core::{
    data::Rows,
    split::{hash, were_copied},
};

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
            self.hashes.push((class, hash(row)));
        }
    }

    /// Why these examples are no independent sample, if they show it.
    pub fn reason_of(rows: &Rows<'_>, classes: &[u32]) -> Option<Reason> {
        let mut check = SampleCheck::default();
        check.count(rows, classes);
        check.reason()
    }

    /// Why the examples are no independent sample, if they show it.
    pub fn reason(self) -> Option<Reason> {
        if self.runs.are_sorted() {
            return Some(Reason::Sorted);
        }
        were_copied(self.hashes).then_some(Reason::Repeated)
    }
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

//! Normalising of rows: each value becomes `x′ = fl(x / ℓ)`, where ℓ is the length of its row: the exact number `√Σxⱼ²`,
//! `Σ|xⱼ|` or `max|xⱼ|`, rounded once to `f64`. So the order of the entries, stored zeros, dense or sparse layout and `f32`
//! or `f64` storage change no bit. A row of zeros stays as it is. A row is normalised by itself, so there is nothing to
//! learn from the training rows.

use super::{Format, RowTransform, StepWords};
use crate::options::{OptionInfo, OptionValues, word};
use crate::{
    data::{Row, Rows, ScaleError},
    exact::{Accumulator, row_norm},
};

/// The option that chooses it.
pub(super) const OPTION: OptionInfo = OptionInfo {
    name: "normalise",
    help: "Divide each row by its length, after the scaling: l2 (Euclidean), l1 (the sum of the absolute values) or max \
           (the largest absolute value); the model does it in predictions too",
    placeholder: "LENGTH",
    default: None,
    values: OptionValues::Words(&[word("none"), word("l2"), word("l1"), word("max")]),
};

/// The length by which each row is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Normalise {
    /// Rows as they are.
    #[default]
    None,
    /// The Euclidean length, so that rows have length 1, but for rounding.
    L2,
    /// The sum of the absolute values, so that counts become shares of their row.
    L1,
    /// The largest absolute value.
    Max,
}

impl Normalise {
    /// All lengths, with no normalising first.
    pub const ALL: [Normalise; 4] = [Normalise::None, Normalise::L2, Normalise::L1, Normalise::Max];

    /// The name, as in a model file.
    pub fn name(self) -> &'static str {
        match self {
            Normalise::None => "none",
            Normalise::L2 => "l2",
            Normalise::L1 => "l1",
            Normalise::Max => "max",
        }
    }

    /// Whether rows stay as they are.
    pub fn is_none(&self) -> bool {
        *self == Normalise::None
    }

    /// The length of a row, rounded once; 0 for a row of zeros, infinite past the range of `f64`.
    fn length(self, row: Row<'_>) -> f64 {
        match self {
            Normalise::None => 1.0,
            Normalise::L2 => row_norm(row),
            Normalise::L1 => {
                let mut sum = Accumulator::new();
                row.for_each(|_, x| sum.add(x.abs()));
                sum.rounded()
            }
            Normalise::Max => {
                let mut largest = 0.0f64;
                row.for_each(|_, x| largest = largest.max(x.abs()));
                largest
            }
        }
    }

    /// Divides each row by its length. Sparse rows stay sparse.
    ///
    /// Cost: two passes over the stored values, and a copy of them.
    ///
    /// # Errors
    /// [`ScaleError::Length`] for the first row whose length is past the range of `f64`.
    pub fn apply(self, rows: &Rows<'_>) -> Result<Rows<'static>, ScaleError> {
        let mut values = Vec::with_capacity(rows.stored());
        for (i, row) in rows.iter().enumerate() {
            let length = self.length(row);
            if !length.is_finite() {
                return Err(ScaleError::Length { row: i });
            }
            let divisor = if length == 0.0 { 1.0 } else { length };
            row.for_each(|_, x| values.push(x / divisor));
        }
        Ok(rows.with_values(values))
    }
}

impl RowTransform for Normalise {
    fn apply(&self, rows: &Rows<'_>, _: Option<usize>) -> Result<Rows<'static>, ScaleError> {
        Normalise::apply(*self, rows)
    }

    fn words(&self) -> StepWords {
        StepWords {
            does: "normalises each row",
            report: Some(format!("rows normalised: {}", self.name())),
            makes: ("normalised", "rows"),
            options: &["normalise"],
            beyond_weights: format!(
                "has no normalising of rows, and the model divides each row by its `{}` length",
                self.name()
            ),
        }
    }

    fn format(&self) -> Format {
        Format { model: 3, checkpoint: 2 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::tests::values, *};
    use crate::exact::norm;

    /// Lengths 5, 7 and 4 of the row (3, 0, −4); 3, 5 and 2 of (2, 1, 2).
    #[test]
    fn rows_by_hand() {
        let dense = Rows::dense(&[3.0, 0.0, -4.0, 0.0, 0.0, 0.0, 2.0, 1.0, 2.0], 3).unwrap();
        let entries = (vec![0, 2, 2, 5], vec![0, 2, 0, 1, 2], vec![3.0f32, -4.0, 2.0, 1.0, 2.0]);
        let sparse = Rows::sparse(entries.0, entries.1, entries.2, 3).unwrap();
        let zero = vec![0.0; 3];
        let table = [
            (Normalise::L2, [3.0 / 5.0, 0.0, -4.0 / 5.0], [2.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0]),
            (Normalise::L1, [3.0 / 7.0, 0.0, -4.0 / 7.0], [2.0 / 5.0, 1.0 / 5.0, 2.0 / 5.0]),
            (Normalise::Max, [3.0 / 4.0, 0.0, -1.0], [1.0, 0.5, 1.0]),
        ];
        for (normalise, first, last) in table {
            for rows in [&dense, &sparse] {
                let found = normalise.apply(rows).unwrap();
                assert_eq!(found.is_sparse(), rows.is_sparse());
                assert_eq!(values(&found), [first.to_vec(), zero.clone(), last.to_vec()]);
            }
        }
    }

    #[test]
    fn a_length_past_the_range_is_an_error() {
        let rows = Rows::dense(&[1.0, 1.0, f64::MAX, f64::MAX], 2).unwrap();
        for normalise in [Normalise::L1, Normalise::L2] {
            assert_eq!(normalise.apply(&rows).unwrap_err(), ScaleError::Length { row: 1 });
        }
        assert_eq!(values(&Normalise::Max.apply(&rows).unwrap()), [[1.0, 1.0], [1.0, 1.0]]);
    }

    proptest! {
        /// Each entry is rounded twice, the length once: with u = 2⁻⁵³ the length of a prepared row is within (1 ± u)³
        /// of 1, and the rounding of the norm that is compared adds one more.
        #[test]
        fn rows_have_length_one(row in proptest::collection::vec(-1e3..1e3f64, 1..9)) {
            let rows = Rows::dense(&row, row.len()).unwrap();
            let found = values(&Normalise::L2.apply(&rows).unwrap());
            let length = norm(found[0].iter().copied());
            let expected = if row.iter().all(|&x| x == 0.0) { 0.0 } else { 1.0 };
            prop_assert!((length - expected).abs() <= 4.0 * f64::EPSILON, "{length}");
        }

        /// A power of two changes no bit of a normalised row, and both layouts and precisions give one result.
        #[test]
        fn the_units_and_the_layout_of_a_row_do_not_matter(
            row in proptest::collection::vec(prop_oneof![Just(0.0f32), -8.0..8.0f32], 1..9),
            power in -60..60i32,
        ) {
            let wide: Vec<f64> = row.iter().map(|&x| f64::from(x)).collect();
            let scaled: Vec<f64> = wide.iter().map(|x| x * libm::ldexp(1.0, power)).collect();
            let places: Vec<u32> = (0..row.len() as u32).filter(|&j| row[j as usize] != 0.0).collect();
            let stored: Vec<f32> = places.iter().map(|&j| row[j as usize]).collect();
            let n = row.len();
            for normalise in Normalise::ALL {
                let of = |rows: Rows<'_>| values(&normalise.apply(&rows).unwrap());
                let expected = of(Rows::dense(&wide, n).unwrap());
                let sparse = Rows::sparse(vec![0, stored.len()], places.clone(), &stored, n);
                prop_assert_eq!(&of(sparse.unwrap()), &expected);
                prop_assert_eq!(&of(Rows::dense(&row, n).unwrap()), &expected);
                if !normalise.is_none() {
                    prop_assert_eq!(&of(Rows::dense(&scaled, n).unwrap()), &expected);
                }
            }
        }
    }
}

//! Preparation of rows: counts are weighted, features are scaled, then each row is normalised. Part of the model, applied
//! again at every prediction.
//!
//! Normalising gives each value `x′ = fl(x / ℓ)`, where ℓ is the length of its row: the exact number `√Σxⱼ²`, `Σ|xⱼ|` or
//! `max|xⱼ|` of the scaled values, rounded once to `f64`. So the order of the entries, stored zeros, dense or sparse
//! layout and `f32` or `f64` storage change no bit. A row of zeros stays as it is. A row is normalised by itself, so
//! there is nothing to learn from the training rows.

use std::borrow::Cow;

use crate::{
    data::{Row, Rows, Scale, ScaleError, Scaling},
    document_frequency::DocumentFrequency,
    exact::{Accumulator, row_norm},
    options::Bias,
    schedule::Init,
    weighting::{CountWeights, Weighting},
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

/// The preparation to fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrepareOptions {
    /// How counts are weighted.
    pub weighting: Weighting,
    /// The limits on the rows in which a feature is, if there are any.
    pub frequency: Option<DocumentFrequency>,
    /// How features are scaled after that; by default as [`Self::scaling`] says.
    pub scale: Option<Scale>,
    /// How rows are normalised after that.
    pub normalise: Normalise,
}

impl PrepareOptions {
    /// The scaling: where none is asked for, [`Scale::Auto`]; but none for counts that are weighted and rows that are
    /// normalised, because a scaling would undo the one and change the proportions of the other.
    pub fn scaling(&self) -> Scale {
        let is_plain =
            self.weighting.is_count() && self.frequency.is_none() && self.normalise.is_none();
        self.scale.unwrap_or(if is_plain { Scale::Auto } else { Scale::None })
    }
}

/// A fitted preparation. The default leaves rows as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preparation {
    /// The weighting of counts.
    pub weights: CountWeights,
    /// The scaling of the weighted features, if any.
    pub scaling: Option<Scaling>,
    /// The normalising of each row, after the scaling.
    pub normalise: Normalise,
}

impl Preparation {
    /// Fits a preparation to rows, and returns the prepared rows with it; `None` for rows that stay as they are. `row_weights`
    /// has a weight for each row, where they differ. Without a bias [`Scale::Auto`] moves no zero. Sparse rows may become dense with at most `limit` values.
    ///
    /// # Errors
    /// [`ScaleError`], as for [`CountWeights::apply`], [`Scaling::fit`], [`Scaling::apply_within`] and [`Normalise::apply`].
    pub fn fit(
        options: PrepareOptions,
        rows: &Rows<'_>,
        row_weights: Option<&[f64]>,
        bias: Bias,
        limit: usize,
    ) -> Result<(Self, Option<Rows<'static>>), ScaleError> {
        let PrepareOptions { weighting, frequency, normalise, scale: _ } = options;
        let weights = CountWeights::fit(weighting, frequency, rows)?;
        let weighted = weighted(&weights, rows)?;
        let counts = weighted.as_ref().unwrap_or(rows);
        let scaling = Scaling::fit(options.scaling(), counts, row_weights, bias == Bias::None)?;
        let scaled = scaling.as_ref().map(|scaling| scaling.apply_within(counts, limit));
        let scaled = scaled.transpose()?.or(weighted);
        let prepared = normalised(normalise, scaled, rows)?;
        Ok((Preparation { weights, scaling, normalise }, prepared))
    }

    /// Prepares a batch of rows for predictions.
    ///
    /// # Errors
    /// [`ScaleError`], as for [`CountWeights::apply`], [`Scaling::batch`] and [`Normalise::apply`].
    pub fn batch<'r>(&self, rows: &'r Rows<'r>) -> Result<Cow<'r, Rows<'r>>, ScaleError> {
        let weighted = weighted(&self.weights, rows)?;
        let counts = weighted.as_ref().unwrap_or(rows);
        let scaled = self.scaling.as_ref().map(|scaling| scaling.batch(counts)).transpose()?;
        let prepared = normalised(self.normalise, scaled.or(weighted), rows)?;
        Ok(prepared.map_or(Cow::Borrowed(rows), Cow::Owned))
    }

    /// The initial weights of a run on prepared rows. Given weights are those of the features of the data where rows are
    /// only scaled, else those of prepared rows.
    #[doc(hidden)]
    pub fn initial(&self, init: &Init) -> Init {
        match &self.scaling {
            Some(scaling) if self.is_only_scaled() => init.scaled(scaling),
            _ => init.clone(),
        }
    }

    /// Whether rows stay as they are.
    pub fn is_none(&self) -> bool {
        self.scaling.is_none() && self.is_only_scaled()
    }

    /// Whether rows are scaled at most, so that weights can be given for the features of the data.
    pub fn is_only_scaled(&self) -> bool {
        self.weights.is_none() && self.normalise.is_none()
    }
}

/// Weights the counts of rows; `None` for counts that stay as they are.
fn weighted(weights: &CountWeights, rows: &Rows<'_>) -> Result<Option<Rows<'static>>, ScaleError> {
    if weights.is_none() { Ok(None) } else { weights.apply(rows).map(Some) }
}

/// Normalises the weighted or scaled rows, or `rows` where there is neither.
fn normalised(
    normalise: Normalise,
    scaled: Option<Rows<'static>>,
    rows: &Rows<'_>,
) -> Result<Option<Rows<'static>>, ScaleError> {
    match normalise {
        Normalise::None => Ok(scaled),
        _ => normalise.apply(scaled.as_ref().unwrap_or(rows)).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exact::norm;

    fn values(rows: &Rows<'_>) -> Vec<Vec<f64>> {
        let one = |row: Row<'_>| {
            let mut values = vec![0.0; rows.features()];
            row.for_each(|j, x| values[j] = x);
            values
        };
        rows.iter().map(one).collect()
    }

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

    /// Columns of largest size 4 and 3 give (4, 0) / (4, 3) = (1, 0) and (2, 3) / (4, 3) = (½, 1), whose sum is 3/2.
    #[test]
    fn features_are_scaled_before_rows() {
        let rows = Rows::dense(&[4.0, 0.0, 2.0, 3.0], 2).unwrap();
        let options = PrepareOptions {
            scale: Some(Scale::Maxabs),
            normalise: Normalise::L1,
            ..PrepareOptions::default()
        };
        let (preparation, prepared) =
            Preparation::fit(options, &rows, None, Bias::Unit, usize::MAX).unwrap();
        let expected = [[1.0, 0.0], [0.5 / 1.5, 1.0 / 1.5]];
        assert_eq!(values(&prepared.unwrap()), expected);
        assert_eq!(values(&preparation.batch(&rows).unwrap()), expected);
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

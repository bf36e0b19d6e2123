//! Scaling of the features: part of the model, applied again at every prediction.
//!
//! Each feature becomes `x′ = (x − shift) / divisor`, with two roundings of `f64`, also for absent zeros. The
//! parameters come from sums over the nonzero entries in the order of the examples, so dense and sparse rows give the
//! same bits.
//!
//! A constant feature (for `maxabs` and `auto`: a feature that is always 0) has divisor 1. The divisors of `auto` are
//! powers of two for which no value of the fitted rows is rounded.

use super::{Rows, RowsError};

/// The scaling to fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// No scaling.
    #[default]
    None,
    /// Division by the power of two nearest to the largest absolute value: exact, so that weights in the units of the
    /// data and all decisions are those of the unscaled numbers. Zeros stay zero, and features of 0 and 1 do not change.
    Auto,
    /// Mean 0 and standard deviation 1 (population standard deviation, divided by n).
    Standard,
    /// Division by the largest absolute value; zeros stay zero.
    Maxabs,
    /// The smallest value becomes 0, the largest 1.
    Minmax,
}

impl Scale {
    /// All scalings, with no scaling first.
    pub const ALL: [Scale; 5] =
        [Scale::None, Scale::Auto, Scale::Standard, Scale::Maxabs, Scale::Minmax];

    /// The name, as in a model file.
    pub fn name(self) -> &'static str {
        match self {
            Scale::None => "none",
            Scale::Auto => "auto",
            Scale::Standard => "standard",
            Scale::Maxabs => "maxabs",
            Scale::Minmax => "minmax",
        }
    }
}

/// An error of scaling or normalising.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScaleError {
    /// A large sparse matrix that a shift would make dense.
    #[error(
        "the scaling {scale} shifts zeros, so {rows} × {features} sparse values would be stored; the limit is {limit}"
    )]
    TooLarge {
        /// The name of the scaling.
        scale: &'static str,
        /// The number of rows.
        rows: usize,
        /// The number of features.
        features: usize,
        /// The maximum number of stored values.
        limit: usize,
    },
    /// A statistic or a scaled value that is not finite.
    #[error("feature {} spans so large a range that its scaled values overflow", .feature + 1)]
    Overflow {
        /// The feature, counted from 0.
        feature: usize,
    },
    /// A scaled value of a row is not finite.
    #[error("the scaled values of row {} are past the range of 64-bit numbers", .row + 1)]
    Row {
        /// The row, counted from 0.
        row: usize,
    },
    /// A row whose length, by which it is normalised, is not finite.
    #[error("the length of row {} is past the range of 64-bit numbers", .row + 1)]
    Length {
        /// The row, counted from 0.
        row: usize,
    },
    /// The document frequency leaves out every feature.
    #[error("no feature is in as many rows as the document frequency `{frequency}` says")]
    NoFeature {
        /// The limits.
        frequency: crate::DocumentFrequency,
    },
    /// Rows with another number of features, or a scaling with different numbers of shifts and divisors.
    #[error("the rows have {found} features, the scaling has {expected}")]
    Features {
        /// The features of the rows.
        found: usize,
        /// The features of the scaling.
        expected: usize,
    },
    /// The scaled matrix was rejected.
    #[error(transparent)]
    Rows(#[from] RowsError),
}

/// A fitted scaling: one shift and one divisor per feature.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Scaling {
    /// How it was fitted.
    pub scale: Scale,
    /// The number subtracted from each feature.
    pub shift: Vec<f64>,
    /// The positive number by which each feature is then divided.
    pub divisor: Vec<f64>,
}

impl Scaling {
    /// The maximum number of values stored when scaling makes sparse rows dense: 2²⁸ (2 GiB).
    pub const DENSE_LIMIT: usize = 1 << 28;

    /// Fits `scale` to the rows; returns `None` for [`Scale::None`], and for [`Scale::Auto`] where every divisor is 1.
    ///
    /// Cost: one pass over the rows; two for `standard`.
    ///
    /// # Errors
    /// [`ScaleError::Overflow`] if a statistic is not finite.
    pub fn fit(scale: Scale, rows: &Rows<'_>) -> Result<Option<Self>, ScaleError> {
        let (shift, divisor) = match scale {
            Scale::None => return Ok(None),
            Scale::Auto => powers(rows),
            Scale::Standard => standard(rows),
            Scale::Maxabs => maxabs(rows),
            Scale::Minmax => minmax(rows),
        };
        let bad = |(s, d): (&f64, &f64)| !s.is_finite() || !d.is_finite();
        if let Some(feature) = shift.iter().zip(&divisor).position(bad) {
            return Err(ScaleError::Overflow { feature });
        }
        if scale == Scale::Auto && divisor.iter().all(|&divisor| divisor == 1.0) {
            return Ok(None);
        }
        Ok(Some(Scaling { scale, shift, divisor }))
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.shift.len()
    }

    /// Scales all rows. Sparse rows stay sparse if no feature is shifted.
    ///
    /// # Errors
    /// [`ScaleError::Features`], [`ScaleError::TooLarge`] above [`Self::DENSE_LIMIT`], [`ScaleError::Overflow`].
    pub fn apply(&self, rows: &Rows<'_>) -> Result<Rows<'static>, ScaleError> {
        self.apply_within(rows, Self::DENSE_LIMIT)
    }

    /// Scales all rows. Sparse rows may become dense with at most `limit` values.
    ///
    /// # Errors
    /// [`ScaleError::Features`], [`ScaleError::TooLarge`] above the limit, [`ScaleError::Overflow`].
    pub fn apply_within(&self, rows: &Rows<'_>, limit: usize) -> Result<Rows<'static>, ScaleError> {
        self.check(rows)?;
        if rows.is_sparse() && !self.shifts() {
            self.scale_sparse(rows).map_err(overflow)
        } else {
            self.dense(rows, limit)
        }
    }

    /// Scales a batch of rows for predictions. The result is dense if a feature is shifted.
    ///
    /// # Errors
    /// [`ScaleError::Features`]; [`ScaleError::Row`] for the first row whose scaled values are not finite.
    pub fn batch(&self, rows: &Rows<'_>) -> Result<Rows<'static>, ScaleError> {
        self.check(rows)?;
        let scaled = if rows.is_sparse() && !self.shifts() {
            self.scale_sparse(rows)
        } else {
            self.scale_dense(rows)
        };
        scaled.map_err(|error| match error {
            RowsError::NotFinite { row, .. } => ScaleError::Row { row },
            other => other.into(),
        })
    }

    /// Checks that the scaling fits these rows.
    fn check(&self, rows: &Rows<'_>) -> Result<(), ScaleError> {
        let (found, expected) = (rows.features(), self.features());
        if found != expected {
            return Err(ScaleError::Features { found, expected });
        }
        let divisors = self.divisor.len();
        if divisors != expected {
            return Err(ScaleError::Features { found: divisors, expected });
        }
        Ok(())
    }

    /// Whether any feature is shifted, so that zeros do not stay zero.
    pub fn shifts(&self) -> bool {
        self.shift.iter().any(|&shift| shift != 0.0)
    }

    fn value(&self, feature: usize, x: f64) -> f64 {
        (x - self.shift[feature]) / self.divisor[feature]
    }

    fn dense(&self, rows: &Rows<'_>, limit: usize) -> Result<Rows<'static>, ScaleError> {
        let (n, features) = (rows.len(), self.features());
        if rows.is_sparse() && n.saturating_mul(features) > limit {
            let scale = self.scale.name();
            return Err(ScaleError::TooLarge { scale, rows: n, features, limit });
        }
        self.scale_dense(rows).map_err(overflow)
    }

    fn scale_dense(&self, rows: &Rows<'_>) -> Result<Rows<'static>, RowsError> {
        let features = self.features();
        let of_zero: Vec<f64> = (0..features).map(|j| self.value(j, 0.0)).collect();
        let mut values = Vec::with_capacity(rows.len() * features);
        for row in rows.iter() {
            let start = values.len();
            values.extend_from_slice(&of_zero);
            row.for_each(|j, x| values[start + j] = self.value(j, x));
        }
        Rows::dense(values, features)
    }

    fn scale_sparse(&self, rows: &Rows<'_>) -> Result<Rows<'static>, RowsError> {
        let mut offsets = vec![0];
        let (mut indices, mut values) =
            (Vec::with_capacity(rows.stored()), Vec::with_capacity(rows.stored()));
        for row in rows.iter() {
            row.for_each(|j, x| {
                indices.push(j as u32);
                values.push(self.value(j, x));
            });
            offsets.push(values.len());
        }
        Rows::sparse(offsets, indices, values, self.features())
    }
}

fn overflow(error: RowsError) -> ScaleError {
    match error {
        RowsError::NotFinite { feature, .. } => ScaleError::Overflow { feature },
        other => other.into(),
    }
}

/// Calls `f` for each nonzero entry, in the order of the examples.
fn each_nonzero(rows: &Rows<'_>, mut f: impl FnMut(usize, f64)) {
    for row in rows.iter() {
        row.for_each(|j, x| {
            if x != 0.0 {
                f(j, x);
            }
        });
    }
}

/// A sum with Neumaier's correction (ZAMM 54, 1974): adding 0 changes neither part.
#[derive(Clone, Copy, Default)]
struct Sum {
    sum: f64,
    correction: f64,
}

impl Sum {
    fn add(&mut self, x: f64) {
        let sum = self.sum + x;
        let (large, small) = if self.sum.abs() >= x.abs() { (self.sum, x) } else { (x, self.sum) };
        self.correction += (large - sum) + small;
        self.sum = sum;
    }

    fn value(self) -> f64 {
        self.sum + self.correction
    }
}

fn standard(rows: &Rows<'_>) -> (Vec<f64>, Vec<f64>) {
    let n = rows.len() as f64;
    let mut sums = vec![Sum::default(); rows.features()];
    let mut nonzero = vec![0usize; rows.features()];
    each_nonzero(rows, |j, x| {
        sums[j].add(x);
        nonzero[j] += 1;
    });
    let means: Vec<f64> = sums.iter().map(|sum| sum.value() / n).collect();
    let mut squares = vec![Sum::default(); rows.features()];
    each_nonzero(rows, |j, x| squares[j].add((x - means[j]) * (x - means[j])));
    let deviation = |j: usize| {
        let zeros = rows.len() - nonzero[j];
        squares[j].add(zeros as f64 * (means[j] * means[j]));
        (squares[j].value() / n).sqrt()
    };
    let deviations = (0..rows.features()).map(deviation).map(divisor).collect();
    (means, deviations)
}

fn maxabs(rows: &Rows<'_>) -> (Vec<f64>, Vec<f64>) {
    let mut largest = vec![0.0f64; rows.features()];
    each_nonzero(rows, |j, x| largest[j] = largest[j].max(x.abs()));
    (vec![0.0; rows.features()], largest.into_iter().map(divisor).collect())
}

fn powers(rows: &Rows<'_>) -> (Vec<f64>, Vec<f64>) {
    let mut sizes = vec![(f64::INFINITY, 0.0f64); rows.features()];
    each_nonzero(rows, |j, x| {
        let (smallest, largest) = sizes[j];
        sizes[j] = (smallest.min(x.abs()), largest.max(x.abs()));
    });
    let divisors = sizes.into_iter().map(|(smallest, largest)| power(smallest, largest)).collect();
    (vec![0.0; rows.features()], divisors)
}

/// The power of two nearest to `largest`, or if that would take a value out of the normal numbers, the nearest one that
/// does not. 1 if there is none, and for a feature that is always 0.
///
/// A quotient of a finite number and 2ᵏ is exact if it is a normal number: it has the same significant bits. With
/// exponents a of the smallest and b of the largest value, quotients have exponents from a − k to b − k, so k ≤ a + 1022
/// and k ≥ b − 1023.
fn power(smallest: f64, largest: f64) -> f64 {
    if largest == 0.0 {
        return 1.0;
    }
    let (low, high) = (exponent(smallest), exponent(largest));
    let is_upper_half = largest / libm::ldexp(1.0, high) >= 1.5;
    let (least, most) = (high - 1023, low + 1022);
    if least > most {
        return 1.0;
    }
    // 2¹⁰²⁴ is no number, and below 2⁻¹⁰⁷⁴ there is none.
    libm::ldexp(1.0, (high + i32::from(is_upper_half)).clamp(least, most).clamp(-1074, 1023))
}

/// The exponent e of a finite positive number in 2ᵉ ≤ x < 2ᵉ⁺¹.
fn exponent(x: f64) -> i32 {
    libm::ilogb(x)
}

fn minmax(rows: &Rows<'_>) -> (Vec<f64>, Vec<f64>) {
    let d = rows.features();
    let (mut low, mut high) = (vec![f64::INFINITY; d], vec![f64::NEG_INFINITY; d]);
    let mut nonzero = vec![0usize; d];
    each_nonzero(rows, |j, x| {
        low[j] = low[j].min(x);
        high[j] = high[j].max(x);
        nonzero[j] += 1;
    });
    for j in 0..d {
        if nonzero[j] < rows.len() {
            low[j] = low[j].min(0.0);
            high[j] = high[j].max(0.0);
        }
    }
    let spans = (0..d).map(|j| divisor(high[j] - low[j])).collect();
    (low, spans)
}

fn divisor(spread: f64) -> f64 {
    if spread == 0.0 { 1.0 } else { spread }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns (1, 3), (0, 4) and (5, 5).
    fn dense() -> Rows<'static> {
        Rows::dense(vec![1.0, 0.0, 5.0, 3.0, 4.0, 5.0], 3).unwrap()
    }

    fn sparse() -> Rows<'static> {
        Rows::sparse(vec![0, 2, 5], vec![0, 2, 0, 1, 2], vec![1.0, 5.0, 3.0, 4.0, 5.0], 3).unwrap()
    }

    fn scaled(scale: Scale, rows: &Rows<'_>) -> Vec<f64> {
        let scaling = Scaling::fit(scale, rows).unwrap().unwrap();
        let mut all = Vec::new();
        for row in scaling.apply(rows).unwrap().iter() {
            let mut values = vec![0.0; 3];
            row.for_each(|j, x| values[j] = x);
            all.extend(values);
        }
        all
    }

    #[test]
    fn by_hand_and_alike_for_both_layouts() {
        for rows in [dense(), sparse()] {
            assert_eq!(scaled(Scale::Standard, &rows), [-1.0, -1.0, 0.0, 1.0, 1.0, 0.0]);
            assert_eq!(scaled(Scale::Minmax, &rows), [0.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
            assert_eq!(scaled(Scale::Maxabs, &rows), [1.0 / 3.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
        }
    }

    #[test]
    fn auto_divides_by_the_nearest_power_of_two() {
        let table = [
            (1.0, 1.0),
            (0.7, 0.5),
            (0.75, 1.0),
            (1.49, 1.0),
            (1.5, 2.0),
            (100.0, 128.0),
            (95.9, 64.0),
            (96.0, 128.0),
            (0.0, 1.0),
            (1e300, libm::ldexp(1.0, 996)),
            (f64::MAX, libm::ldexp(1.0, 1023)),
            (f64::from_bits(1), f64::from_bits(1)),
        ];
        for (largest, divisor) in table {
            let smallest = if largest == 0.0 { f64::INFINITY } else { largest };
            assert_eq!(power(smallest, largest), divisor, "{largest}");
        }
        let rows = Rows::dense(vec![0.0, 1.0, -1.0, 1.0], 2).unwrap();
        assert_eq!(Scaling::fit(Scale::Auto, &rows), Ok(None));
    }

    proptest::proptest! {
        #[test]
        fn no_value_is_rounded(
            column in proptest::collection::vec(
                proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO,
                1..5,
            ),
        ) {
            let rows = Rows::dense(column.clone(), 1).unwrap();
            if let Some(scaling) = Scaling::fit(Scale::Auto, &rows).unwrap() {
                let divisor = scaling.divisor[0];
                proptest::prop_assert_eq!(divisor, libm::exp2(libm::log2(divisor).round()));
                for (x, row) in column.iter().zip(scaling.apply(&rows).unwrap().iter()) {
                    let mut value = 0.0;
                    row.for_each(|_, x| value = x);
                    // The product is exact if it is a number of the file, and other quotients give other products.
                    proptest::prop_assert_eq!(value * divisor, *x);
                    proptest::prop_assert!(value == 0.0 || value.is_normal());
                }
            }
        }
    }

    #[test]
    fn maxabs_keeps_rows_sparse() {
        let scaling = Scaling::fit(Scale::Maxabs, &sparse()).unwrap().unwrap();
        assert!(scaling.apply(&sparse()).unwrap().is_sparse());
    }

    #[test]
    fn a_range_past_f64_is_an_error() {
        let rows = Rows::dense(vec![-f64::MAX, f64::MAX], 1).unwrap();
        let error = Scaling::fit(Scale::Minmax, &rows).unwrap_err();
        assert_eq!(error, ScaleError::Overflow { feature: 0 });
    }
}

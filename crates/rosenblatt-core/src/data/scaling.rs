//! Scaling of the features: part of the model, applied again at every prediction.
//!
//! Each feature becomes `x′ = (x − shift) / divisor`, with two roundings of `f64`, also for absent zeros. The
//! parameters come from sums over the nonzero entries in the order of the examples, so dense and sparse rows give the
//! same bits. Means and deviations are those of the weighted examples, if examples have weights.
//!
//! Indicators, features of 0 and one other value, keep their zeros under `auto` and `standard`, and become 0 and ±1: their 0
//! means "not so", and a rare one, divided by its small deviation, would outweigh all others.

use std::cmp::Ordering;

use super::{
    FeatureStatistics, Rows, RowsError,
    statistics::{Column, MOST_FEATURES},
};

/// The scaling to fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Scale {
    /// No scaling.
    #[default]
    None,
    /// By the values of each feature, however they are stored: where fewer than half of the examples are 0, as
    /// [`Scale::Standard`]; any other feature keeps its zeros, and is divided by the root mean square of its other values.
    Auto,
    /// Mean 0 and standard deviation 1 (population standard deviation, divided by n); indicators become 0 and ±1.
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
    /// More features than memory holds statistics of.
    #[error("{features} features, the limit is {}", Scaling::FEATURES_LIMIT)]
    TooWide {
        /// The number of features.
        features: usize,
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
        frequency: crate::transforms::DocumentFrequency,
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

impl FeatureStatistics {
    /// The scaling [`Scale::Auto`] of these examples; `None` if no feature changes. With `keeps_origin` no zero is moved.
    pub fn scaling(&self, keeps_origin: bool) -> Option<Scaling> {
        let (shift, divisor) = self.shifts_and_divisors(keeps_origin);
        let scaling = Scaling { scale: Scale::Auto, shift, divisor, first: None };
        let changes = scaling.shifts() || scaling.divisor.iter().any(|&divisor| divisor != 1.0);
        changes.then_some(scaling)
    }
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
    /// The number of first examples of a stream whose statistics these are; `None` if they are those of all examples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u64>,
}

impl Scaling {
    /// The maximum number of features that are scaled: 2²⁹.
    pub const FEATURES_LIMIT: usize = MOST_FEATURES;

    /// The maximum number of values stored when scaling makes sparse rows dense: 2²⁸ (2 GiB).
    pub const DENSE_LIMIT: usize = 1 << 28;

    /// Fits `scale` to the rows; returns `None` for [`Scale::None`], and for [`Scale::Auto`] where no feature changes.
    /// `weights` has the weight of each row, or is `None` for equal weights. With `keeps_origin`, `Scale::Auto` moves no
    /// zero.
    ///
    /// Cost: one pass over the rows; three for `standard`.
    ///
    /// # Errors
    /// [`ScaleError::TooWide`]. [`ScaleError::Overflow`] if a statistic is not finite; never for `auto`.
    pub fn fit(
        scale: Scale,
        rows: &Rows<'_>,
        weights: Option<&[f64]>,
        keeps_origin: bool,
    ) -> Result<Option<Self>, ScaleError> {
        let features = rows.features();
        if scale != Scale::None && features > Self::FEATURES_LIMIT {
            return Err(ScaleError::TooWide { features });
        }
        let columns = match scale {
            Scale::None => return Ok(None),
            Scale::Auto => {
                let mut statistics = FeatureStatistics::default();
                statistics.add(rows, weights);
                return Ok(statistics.scaling(keeps_origin));
            }
            Scale::Standard => standardized(rows, weights),
            Scale::Maxabs => columns(rows).iter().map(by_largest).collect(),
            Scale::Minmax => minmax(rows),
        };
        let (shift, divisor): (Vec<f64>, Vec<f64>) = columns.into_iter().unzip();
        let bad = |(s, d): (&f64, &f64)| !s.is_finite() || !d.is_finite();
        match shift.iter().zip(&divisor).position(bad) {
            Some(feature) => Err(ScaleError::Overflow { feature }),
            None => Ok(Some(Scaling { scale, shift, divisor, first: None })),
        }
    }

    /// The number of features.
    pub fn features(&self) -> usize {
        self.shift.len()
    }

    /// Appends features that stay as they are, or takes the last away, so that there are `features`.
    pub(crate) fn resize(&mut self, features: usize) {
        self.shift.resize(features, 0.0);
        self.divisor.resize(features, 1.0);
    }

    /// Whether it is one of at most this many features, with positive divisors.
    pub(crate) fn fits_into(&self, features: usize) -> bool {
        self.divisor.len() == self.features()
            && self.features() <= features
            && self.shift.iter().all(|shift| shift.is_finite())
            && self.divisor.iter().all(|&divisor| divisor > 0.0 && divisor.is_finite())
    }

    /// Scales all rows. Sparse rows stay sparse if at most half of the features are shifted.
    ///
    /// # Errors
    /// [`ScaleError::Features`], [`ScaleError::TooLarge`] above [`Self::DENSE_LIMIT`], [`ScaleError::Overflow`].
    pub fn apply(&self, rows: &Rows<'_>) -> Result<Rows<'static>, ScaleError> {
        self.apply_within(rows, Self::DENSE_LIMIT)
    }

    /// Scales all rows. Features that are shifted are stored for every row, with at most `limit` values.
    ///
    /// # Errors
    /// [`ScaleError::Features`], [`ScaleError::TooLarge`] above the limit, [`ScaleError::Overflow`].
    pub fn apply_within(&self, rows: &Rows<'_>, limit: usize) -> Result<Rows<'static>, ScaleError> {
        self.check(rows)?;
        let (shifted, n) = (self.shifted(), rows.len());
        let stored = if self.keeps_sparse(&shifted) { shifted.len() } else { self.features() };
        // What `auto` shifts, has more values than zeros: at most four times as many values are stored as before.
        let grows = rows.is_sparse() && !shifted.is_empty() && self.scale != Scale::Auto;
        if grows && n.saturating_mul(stored) > limit {
            let scale = self.scale.name();
            return Err(ScaleError::TooLarge { scale, rows: n, features: stored, limit });
        }
        self.scaled(rows, &shifted).map_err(overflow)
    }

    /// Scales a batch of rows for predictions.
    ///
    /// # Errors
    /// [`ScaleError::Features`]; [`ScaleError::Row`] for the first row whose scaled values are not finite.
    pub fn batch(&self, rows: &Rows<'_>) -> Result<Rows<'static>, ScaleError> {
        self.check(rows)?;
        self.batch_with(rows, &self.shifted())
    }

    fn batch_with(&self, rows: &Rows<'_>, shifted: &[usize]) -> Result<Rows<'static>, ScaleError> {
        self.scaled(rows, shifted).map_err(|error| match error {
            RowsError::NotFinite { row, .. } => ScaleError::Row { row },
            other => other.into(),
        })
    }

    /// Scales a batch of a stream, which may have more features, that stay as they are, or, if it is sparse, fewer.
    /// `shifted` are the features that are shifted.
    ///
    /// Cost: for sparse rows, that of their values and of the shifted features of each.
    ///
    /// # Errors
    /// As for [`Self::batch`]; [`ScaleError::Features`] for dense rows that lack features.
    pub(crate) fn streamed(
        &self,
        rows: &Rows<'_>,
        shifted: &[usize],
    ) -> Result<Rows<'static>, ScaleError> {
        let (found, expected) = (rows.features(), self.features());
        match found.cmp(&expected) {
            Ordering::Less if !rows.is_sparse() => Err(ScaleError::Features { found, expected }),
            Ordering::Greater => {
                let mut wide = self.clone();
                wide.resize(found);
                wide.batch_with(rows, shifted)
            }
            _ => self.batch_with(rows, shifted),
        }
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

    /// Whether it rounds no value within the normal numbers: nothing is shifted, and all divisors are powers of two.
    pub fn is_exact(&self) -> bool {
        let is_power = |divisor: &f64| libm::frexp(*divisor).0 == 0.5;
        !self.shifts() && self.divisor.iter().all(is_power)
    }

    /// The features that are shifted.
    pub(crate) fn shifted(&self) -> Vec<usize> {
        (0..self.features()).filter(|&j| self.shift[j] != 0.0).collect()
    }

    /// Whether sparse rows stay sparse.
    fn keeps_sparse(&self, shifted: &[usize]) -> bool {
        2 * shifted.len() <= self.features()
    }

    fn value(&self, feature: usize, x: f64) -> f64 {
        (x - self.shift[feature]) / self.divisor[feature]
    }

    fn scaled(&self, rows: &Rows<'_>, shifted: &[usize]) -> Result<Rows<'static>, RowsError> {
        if rows.is_sparse() && self.keeps_sparse(shifted) {
            self.scale_sparse(rows, shifted)
        } else {
            self.scale_dense(rows)
        }
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

    /// Each row has its entries and those of all shifted features, in the order of the features.
    fn scale_sparse(&self, rows: &Rows<'_>, shifted: &[usize]) -> Result<Rows<'static>, RowsError> {
        let capacity = rows.stored() + rows.len() * shifted.len();
        let mut offsets = vec![0];
        let (mut indices, mut values) =
            (Vec::with_capacity(capacity), Vec::with_capacity(capacity));
        let mut push = |j: usize, x: f64| {
            indices.push(j as u32);
            values.push(self.value(j, x));
            values.len()
        };
        for row in rows.iter() {
            let mut end = *offsets.last().unwrap_or(&0);
            let mut absent = shifted.iter().copied().peekable();
            row.for_each(|j, x| {
                while let Some(absent) = absent.next_if(|&absent| absent < j) {
                    push(absent, 0.0);
                }
                absent.next_if_eq(&j);
                end = push(j, x);
            });
            for absent in absent {
                end = push(absent, 0.0);
            }
            offsets.push(end);
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

/// Calls `f` with row, feature and value of each nonzero entry, in the order of the examples.
fn each_nonzero(rows: &Rows<'_>, mut f: impl FnMut(usize, usize, f64)) {
    for (i, row) in rows.iter().enumerate() {
        row.for_each(|j, x| {
            if x != 0.0 {
                f(i, j, x);
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

fn columns(rows: &Rows<'_>) -> Vec<Column> {
    let mut columns = vec![Column::ZERO; rows.features()];
    each_nonzero(rows, |_, j, x| columns[j].add(x));
    columns
}

/// Divided by the largest absolute value; zeros stay zero.
fn by_largest(column: &Column) -> (f64, f64) {
    (0.0, divisor(column.largest))
}

/// The mean and the standard deviation of each feature. Indicators become 0 and ±1, other constants 0.
fn standardized(rows: &Rows<'_>, weights: Option<&[f64]>) -> Vec<(f64, f64)> {
    let columns = columns(rows);
    let one_value = |column: &Column| match *column {
        Column { nonzero, only, .. } if nonzero == rows.len() as u64 => (only, 1.0),
        ref column => by_largest(column),
    };
    let mut scaled: Vec<(f64, f64)> = columns.iter().map(one_value).collect();
    let several: Vec<usize> = (0..columns.len()).filter(|&j| columns[j].only.is_nan()).collect();
    for (&j, moments) in several.iter().zip(moments(rows, weights, &several)) {
        scaled[j] = moments;
    }
    scaled
}

/// The weighted sums of a feature over the examples that are not 0.
#[derive(Clone, Copy, Default)]
struct Sums {
    weights: Sum,
    values: Sum,
    squares: Sum,
}

/// The mean and the standard deviation of these features; 1 for a deviation of 0.
fn moments(rows: &Rows<'_>, weights: Option<&[f64]>, features: &[usize]) -> Vec<(f64, f64)> {
    const NONE: u32 = u32::MAX;
    let mut places = vec![NONE; rows.features()];
    features.iter().enumerate().for_each(|(place, &j)| places[j] = place as u32);
    let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
    let mut all = Sum::default();
    (0..rows.len()).for_each(|i| all.add(weight(i)));
    let mut sums = vec![Sums::default(); features.len()];
    each_nonzero(rows, |i, j, x| {
        if let Some(sums) = sums.get_mut(places[j] as usize) {
            sums.weights.add(weight(i));
            sums.values.add(weight(i) * x);
        }
    });
    let means: Vec<f64> = sums.iter().map(|sums| sums.values.value() / all.value()).collect();
    each_nonzero(rows, |i, j, x| {
        let place = places[j] as usize;
        if let Some(sums) = sums.get_mut(place) {
            sums.squares.add(weight(i) * ((x - means[place]) * (x - means[place])));
        }
    });
    let moments = sums.into_iter().zip(means).map(|(mut sums, mean)| {
        let zeros = all.value() - sums.weights.value();
        sums.squares.add(zeros * (mean * mean));
        (mean, divisor((sums.squares.value() / all.value()).sqrt()))
    });
    moments.collect()
}

fn minmax(rows: &Rows<'_>) -> Vec<(f64, f64)> {
    let mut spans = vec![(f64::INFINITY, f64::NEG_INFINITY, 0); rows.features()];
    each_nonzero(rows, |_, j, x| {
        let (low, high, nonzero) = spans[j];
        spans[j] = (low.min(x), high.max(x), nonzero + 1);
    });
    let span = |(low, high, nonzero): (f64, f64, usize)| {
        let zero = if nonzero < rows.len() { 0.0 } else { low };
        let (low, high) = (low.min(zero), high.max(zero));
        (low, divisor(high - low))
    };
    spans.into_iter().map(span).collect()
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

    fn fitted(scale: Scale, rows: &Rows<'_>) -> Scaling {
        Scaling::fit(scale, rows, None, false).unwrap().unwrap()
    }

    /// The values of all rows, zeros too.
    fn values(rows: &Rows<'_>) -> Vec<f64> {
        let mut all = vec![0.0; rows.len() * rows.features()];
        for (i, row) in rows.iter().enumerate() {
            row.for_each(|j, x| all[i * rows.features() + j] = x);
        }
        all
    }

    fn scaled(scale: Scale, rows: &Rows<'_>) -> Vec<f64> {
        values(&fitted(scale, rows).apply(rows).unwrap())
    }

    /// Rows without their zeros.
    fn without_zeros(rows: &Rows<'_>) -> Rows<'static> {
        let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in rows.iter() {
            row.for_each(|j, x| {
                if x != 0.0 {
                    indices.push(j as u32);
                    values.push(x);
                }
            });
            offsets.push(values.len());
        }
        Rows::sparse(offsets, indices, values, rows.features()).unwrap()
    }

    /// The column (0, 4) has two values, one of them 0: it becomes (0, 1).
    #[test]
    fn by_hand_and_alike_for_both_layouts() {
        for rows in [dense(), sparse()] {
            assert_eq!(scaled(Scale::Standard, &rows), [-1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
            assert_eq!(scaled(Scale::Auto, &rows), [-1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
            assert_eq!(scaled(Scale::Minmax, &rows), [0.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
            assert_eq!(scaled(Scale::Maxabs, &rows), [1.0 / 3.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
        }
    }

    /// Of four rows, (0, 0, 1, 7) keeps its zeros, half of all: √((1 + 49)/2) = 5. (0, 2, 2, 4) has the mean 2 and the
    /// deviation √2. The indicator stays; a year is centred. With their zeros kept, the last have √((1999² + 2001²)/2) and
    /// √((4 + 4 + 16)/3).
    #[test]
    fn auto_keeps_zeros_where_half_are_zero() {
        let rows = Rows::dense(
            vec![
                0.0, 0.0, 0.0, 1999.0, //
                0.0, 2.0, 1.0, 2001.0, //
                1.0, 2.0, 1.0, 1999.0, //
                7.0, 4.0, 1.0, 2001.0,
            ],
            4,
        )
        .unwrap();
        let scaling = fitted(Scale::Auto, &rows);
        assert_eq!(scaling.shift, [0.0, 2.0, 0.0, 2000.0]);
        assert_eq!(scaling.divisor, [5.0, 2f64.sqrt(), 1.0, 1.0]);
        let origin = Scaling::fit(Scale::Auto, &rows, None, true).unwrap().unwrap();
        assert_eq!(origin.shift, [0.0; 4]);
        assert_eq!(origin.divisor, [5.0, 8f64.sqrt(), 1.0, 4_000_001f64.sqrt()]);
        let indicators = Rows::dense(vec![0.0, 1.0, 1.0, 0.0], 2).unwrap();
        assert_eq!(Scaling::fit(Scale::Auto, &indicators, None, false), Ok(None));
    }

    /// The largest number and its opposite have no deviation within the range of numbers.
    #[test]
    fn auto_divides_by_the_largest_what_has_no_deviation() {
        let rows = Rows::dense(vec![f64::MAX, -f64::MAX, 1.0], 1).unwrap();
        let scaling = fitted(Scale::Auto, &rows);
        assert_eq!((scaling.shift[0], scaling.divisor[0]), (0.0, f64::MAX));
    }

    #[test]
    fn a_constant_is_zero_exactly() {
        for x in [0.1, -1e300, 3.0] {
            let rows = Rows::dense(vec![x; 7], 1).unwrap();
            for scale in [Scale::Auto, Scale::Standard] {
                assert_eq!(scaled(scale, &rows), [0.0; 7]);
            }
        }
    }

    /// A weight of 2 is a row that comes twice.
    #[test]
    fn weights_are_multiples_of_rows() {
        let once = Rows::dense(vec![1.0, 5.0, 9.0], 1).unwrap();
        let twice = Rows::dense(vec![1.0, 5.0, 5.0, 9.0, 9.0, 9.0], 1).unwrap();
        for scale in [Scale::Auto, Scale::Standard] {
            let weighted = Scaling::fit(scale, &once, Some(&[1.0, 2.0, 3.0]), false).unwrap();
            assert_eq!(weighted, Scaling::fit(scale, &twice, None, false).unwrap());
        }
    }

    proptest::proptest! {
        /// However rows are stored, with their zeros or without, the scaled values are the same bits.
        #[test]
        fn the_layout_changes_no_bit(
            cells in proptest::collection::vec(
                proptest::prop_oneof![
                    3 => proptest::strategy::Just(0.0), 2 => -9.0..9.0, 1 => proptest::strategy::Just(1.0)
                ],
                4..60,
            ),
            features in 1usize..5,
        ) {
            let n = cells.len() / features;
            let rows = Rows::dense(&cells[..n * features], features).unwrap();
            let sparse = without_zeros(&rows);
            for scale in Scale::ALL {
                let of = |rows: &Rows<'_>| Scaling::fit(scale, rows, None, false).unwrap();
                proptest::prop_assert_eq!(of(&rows), of(&sparse));
                let Some(scaling) = of(&rows) else { continue };
                let [wide, narrow] = [&rows, &sparse].map(|rows| scaling.apply(rows).unwrap());
                proptest::prop_assert_eq!(values(&wide), values(&narrow));
                // At most twice as many values as before are stored.
                let most = if scale == Scale::Auto { 2 * sparse.stored() } else { n * features };
                proptest::prop_assert!(!narrow.is_sparse() || narrow.stored() <= most);
                let [wide, narrow] = [&rows, &sparse].map(|rows| scaling.batch(rows).unwrap());
                proptest::prop_assert_eq!(values(&wide), values(&narrow));
            }
        }
    }

    #[test]
    fn maxabs_keeps_rows_sparse() {
        assert!(fitted(Scale::Maxabs, &sparse()).apply(&sparse()).unwrap().is_sparse());
    }

    #[test]
    fn a_range_past_f64_is_an_error() {
        let rows = Rows::dense(vec![-f64::MAX, f64::MAX], 1).unwrap();
        let error = Scaling::fit(Scale::Minmax, &rows, None, false).unwrap_err();
        assert_eq!(error, ScaleError::Overflow { feature: 0 });
    }
}

//! The statistics of features from which the scaling `auto` follows, found in one pass, block by block.
//!
//! Sums of values and of squares are double-double numbers, of which a variance keeps all digits of a float as long as
//! it is above 2⁻⁵⁰ of the squares: a second, of times since 1970 in nanoseconds, still has. They are sums over the
//! entries that are not 0, in the order of the examples, so how rows are stored, or cut into blocks that are added one
//! after the other, changes no bit. Merged statistics have sums of sums.

use super::Rows;
use crate::double_double::{Double, Number};

/// The values of a feature.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    /// The number of examples that are not 0.
    pub(super) nonzero: u64,
    /// The one value that is not 0; NaN for several, 0 for none.
    pub(super) only: f64,
    /// The largest absolute value.
    pub(super) largest: f64,
}

impl Column {
    pub(super) const ZERO: Column = Column { nonzero: 0, only: 0.0, largest: 0.0 };

    /// Adds a value that is not 0.
    pub(super) fn add(&mut self, x: f64) {
        self.merge(&Column { nonzero: 1, only: x, largest: x.abs() });
    }

    fn merge(&mut self, later: &Column) {
        let is_same = self.nonzero == 0 || self.only == later.only;
        self.only = if is_same { later.only } else { f64::NAN };
        self.nonzero += later.nonzero;
        self.largest = self.largest.max(later.largest);
    }
}

/// The statistics of a feature.
#[derive(Clone, Copy, Debug)]
struct Feature {
    column: Column,
    /// The weights of the examples that are not 0, and their weighted values and squares.
    weight: Double,
    values: Double,
    squares: Double,
}

/// The statistics of the features of examples, from which [`Scale::Auto`](super::Scale::Auto) follows.
///
/// ```
/// use rosenblatt_core::data::{FeatureStatistics, Rows};
/// let mut statistics = FeatureStatistics::default();
/// statistics.add(&Rows::dense(&[1999.0, 0.0], 2)?, None);
/// statistics.add(&Rows::dense(&[2001.0, 1.0], 2)?, None);
/// let scaling = statistics.scaling(false).unwrap();
/// assert_eq!((scaling.shift, scaling.divisor), (vec![2000.0, 0.0], vec![1.0, 1.0]));
/// # Ok::<(), rosenblatt_core::data::RowsError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FeatureStatistics {
    rows: u64,
    weight: Double,
    /// For each feature, its place among those that are met; [`NONE`] for one that is always 0.
    places: Vec<u32>,
    met: Vec<Feature>,
}

const NONE: u32 = u32::MAX;

/// The maximum number of features that have statistics.
pub(super) const MOST_FEATURES: usize = 1 << 29;

/// The numbers of [`FeatureStatistics::to_numbers`] for a feature.
const WIDTH: usize = 10;

impl FeatureStatistics {
    /// Adds examples. `weights` has the weight of each, or is `None` for equal weights. Later examples may have more
    /// features.
    ///
    /// Cost: one pass over the stored values.
    pub fn add(&mut self, rows: &Rows<'_>, weights: Option<&[f64]>) {
        if rows.features() > self.places.len() {
            self.places.resize(rows.features(), NONE);
        }
        self.rows += rows.len() as u64;
        for (i, row) in rows.iter().enumerate() {
            let weight = weights.map_or(1.0, |weights| weights[i]);
            self.weight = self.weight + Double::from(weight);
            row.for_each(|j, x| {
                if x != 0.0 {
                    self.met_at(j).add(x, weight);
                }
            });
        }
    }

    /// Adds the statistics of later examples. Where the sums are exact, they are those of [`Self::add`]; else the order and
    /// the cut of the examples show in their last bits.
    ///
    /// ```
    /// use rosenblatt_core::data::{FeatureStatistics, Rows};
    /// let mut all = FeatureStatistics::default();
    /// for part in [[1999.0, 2000.0], [2001.0, 2000.0]] {
    ///     let mut statistics = FeatureStatistics::default();
    ///     statistics.add(&Rows::dense(&part, 1)?, None);
    ///     all.merge(&statistics);
    /// }
    /// assert_eq!(all.scaling(false).unwrap().shift, [2000.0]);
    /// # Ok::<(), rosenblatt_core::data::RowsError>(())
    /// ```
    pub fn merge(&mut self, later: &FeatureStatistics) {
        if later.places.len() > self.places.len() {
            self.places.resize(later.places.len(), NONE);
        }
        self.rows += later.rows;
        self.weight = self.weight + later.weight;
        for (j, feature) in later.each_met() {
            self.met_at(j).merge(feature);
        }
    }

    /// The numbers of these statistics, for another process: [`Self::of_numbers`] reads them. A row for the examples,
    /// then one for each feature that is not always 0.
    pub fn to_numbers(&self) -> Vec<[f64; WIDTH]> {
        let [high, low] = self.weight.parts();
        let [features, rows] = [self.places.len() as f64, self.rows as f64];
        let head = [features, rows, high, low, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let of_features = self.each_met().map(|(j, feature)| feature.to_numbers(j));
        std::iter::once(head).chain(of_features).collect()
    }

    /// Reads [`Self::to_numbers`]; `None` for other numbers.
    pub fn of_numbers(numbers: &[[f64; WIDTH]]) -> Option<Self> {
        let (&[features, rows, high, low, ..], of_features) = numbers.split_first()?;
        if !(0.0..=MOST_FEATURES as f64).contains(&features) {
            return None;
        }
        let weight = Double::from(high) + Double::from(low);
        let places = vec![NONE; features as usize];
        let mut read = FeatureStatistics { rows: rows as u64, weight, places, met: Vec::new() };
        for numbers in of_features {
            let j = numbers[0] as usize;
            if j >= read.places.len() {
                return None;
            }
            *read.met_at(j) = Feature::of_numbers(numbers);
        }
        Some(read)
    }

    /// The features that are not always 0.
    fn each_met(&self) -> impl Iterator<Item = (usize, &Feature)> {
        let of = |(j, &place): (usize, &u32)| Some((j, self.met.get(place as usize)?));
        self.places.iter().enumerate().filter_map(of)
    }

    /// The statistics of a feature that is not always 0.
    fn met_at(&mut self, j: usize) -> &mut Feature {
        if self.places[j] == NONE {
            self.places[j] = self.met.len() as u32;
            self.met.push(Feature::ZERO);
        }
        &mut self.met[self.places[j] as usize]
    }

    /// The shift and the divisor of each feature. With `keeps_origin` no zero is moved.
    pub(super) fn shifts_and_divisors(&self, keeps_origin: bool) -> (Vec<f64>, Vec<f64>) {
        let of = |feature: &Feature| {
            let Column { nonzero, only, largest } = feature.column;
            let is_centered = !keeps_origin && 2 * (self.rows - nonzero) < self.rows;
            let (shift, divisor) = match (only, is_centered) {
                (only, true) if nonzero == self.rows && !only.is_nan() => (only, 1.0),
                (only, _) if !only.is_nan() => (0.0, largest),
                (_, true) => feature.moments(self.weight),
                (_, false) => (0.0, (feature.squares / feature.weight).sqrt().high()),
            };
            match shift.is_finite() && divisor.is_normal() {
                true => (shift, divisor),
                // The squares are past the range of numbers.
                false if largest > 0.0 => (0.0, largest),
                false => (0.0, 1.0),
            }
        };
        let met: Vec<(f64, f64)> = self.met.iter().map(of).collect();
        let of = |&place: &u32| met.get(place as usize).copied().unwrap_or((0.0, 1.0));
        self.places.iter().map(of).unzip()
    }
}

impl Feature {
    const ZERO: Feature = Feature {
        column: Column::ZERO,
        weight: Double::ZERO,
        values: Double::ZERO,
        squares: Double::ZERO,
    };

    fn add(&mut self, x: f64, weight: f64) {
        self.column.add(x);
        let value = Double::product(weight, x);
        self.weight = self.weight + Double::from(weight);
        self.values = self.values + value;
        self.squares = self.squares + value.times(x);
    }

    fn merge(&mut self, later: &Feature) {
        self.column.merge(&later.column);
        self.weight = self.weight + later.weight;
        self.values = self.values + later.values;
        self.squares = self.squares + later.squares;
    }

    fn to_numbers(self, j: usize) -> [f64; WIDTH] {
        let [[w, w_low], [x, x_low], [xx, xx_low]] =
            [self.weight, self.values, self.squares].map(Double::parts);
        let Column { nonzero, only, largest } = self.column;
        [j as f64, nonzero as f64, only, largest, w, w_low, x, x_low, xx, xx_low]
    }

    fn of_numbers(numbers: &[f64; WIDTH]) -> Self {
        let &[_, nonzero, only, largest, ref sums @ ..] = numbers;
        let sum = |k: usize| Double::from(sums[k]) + Double::from(sums[k + 1]);
        let [weight, values, squares] = [0, 2, 4].map(sum);
        let column = Column { nonzero: nonzero as u64, only, largest };
        Feature { column, weight, values, squares }
    }

    /// The mean and the standard deviation over examples of this weight.
    fn moments(&self, weight: Double) -> (f64, f64) {
        let mean = self.values / weight;
        let variance = self.squares / weight - mean * mean;
        (mean.high(), variance.sqrt().high())
    }
}

#[cfg(test)]
mod tests {
    use proptest::strategy::Strategy as _;

    use super::*;

    fn of(cells: &[f64], weights: Option<&[f64]>) -> FeatureStatistics {
        let mut statistics = FeatureStatistics::default();
        statistics.add(&Rows::dense(cells, 3).unwrap(), weights);
        statistics
    }

    /// The bits of the numbers, those of one NaN for all.
    fn bits(statistics: &FeatureStatistics) -> Vec<[u64; WIDTH]> {
        let of = |x: f64| if x.is_nan() { f64::NAN } else { x }.to_bits();
        statistics.to_numbers().into_iter().map(|row| row.map(of)).collect()
    }

    proptest::proptest! {
        /// Sums of quarters are exact, so that blocks are one pass over all examples.
        #[test]
        fn blocks_are_one_pass(
            cells in proptest::collection::vec(
                proptest::prop_oneof![
                    2 => proptest::strategy::Just(0.0), 1 => proptest::strategy::Just(1.0),
                    2 => (-40i32..40).prop_map(|x| f64::from(x) / 4.0)
                ],
                3..60,
            ),
            cuts in [0usize..20, 0usize..20],
            is_weighted: bool,
        ) {
            let n = cells.len() / 3;
            let weights: Vec<f64> = (0..n).map(|i| [0.5, 1.0, 3.0][i % 3]).collect();
            let mut cuts = [0, cuts[0].min(n), cuts[1].min(n), n];
            cuts.sort_unstable();
            let part = |from: usize, to: usize| {
                of(&cells[3 * from..3 * to], is_weighted.then_some(&weights[from..to]))
            };
            let whole = part(0, n);
            let mut merged = FeatureStatistics::default();
            for cut in cuts.windows(2) {
                let sent = part(cut[0], cut[1]).to_numbers();
                merged.merge(&FeatureStatistics::of_numbers(&sent).unwrap());
            }
            proptest::prop_assert_eq!(bits(&merged), bits(&whole));
            for keeps_origin in [false, true] {
                proptest::prop_assert_eq!(merged.scaling(keeps_origin), whole.scaling(keeps_origin));
            }
        }
    }

    /// A third is not exact: the sum is that of double-double numbers, and other processes have its bits.
    #[test]
    fn numbers_keep_all_bits() {
        let third = of(&[1.0 / 3.0, 0.0, 1e300, 1.0 / 7.0, 0.0, -1e300, 0.1, 0.0, 1e300], None);
        let read = FeatureStatistics::of_numbers(&third.to_numbers()).unwrap();
        assert_eq!(bits(&read), bits(&third));
        assert_eq!(read.scaling(false), third.scaling(false));
        assert_eq!(read.to_numbers().len(), 3);
    }

    #[test]
    fn other_numbers_are_none() {
        assert!(FeatureStatistics::of_numbers(&[]).is_none());
        for features in [f64::NAN, -1.0, 1e300] {
            let head = [features, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            assert!(FeatureStatistics::of_numbers(&[head]).is_none());
        }
        let mut numbers = of(&[1.0, 2.0, 3.0], None).to_numbers();
        numbers[1][0] = 3.0;
        assert!(FeatureStatistics::of_numbers(&numbers).is_none());
    }
}

//! Weighting of counts: the first step of the preparation of rows. Part of the model, applied again at every prediction.
//!
//! Each value x, such as how often a word occurs in a text, becomes f(x); f is odd, so the signs of hashed words stay:
//!
//! | weighting | f(x) |
//! |---|---|
//! | `count` | x |
//! | `binary` | the sign of x: −1, 0 or 1 |
//! | `log` | sgn(x) · (min(\|x\|, 1) + ln max(\|x\|, 1)), which for counts is 1 + ln x |
//! | `tfidf` | x · idf of its feature, with idf = ln((1 + n) / (1 + d)) + 1 |
//!
//! n is the number of training rows and d the number of those in which the feature is not 0 (the inverse document frequency
//! of Spärck Jones, *A statistical interpretation of term specificity*, 1972, in scikit-learn's smooth form). The quotient,
//! its logarithm (by `libm`, so the same bits on every processor), the sum and the product are each rounded once.

use crate::data::{Rows, ScaleError};

/// How counts are weighted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weighting {
    /// Counts as they are.
    #[default]
    Count,
    /// 1 for every count but 0.
    Binary,
    /// 1 + ln(count).
    Log,
    /// The count times the inverse document frequency of its feature, which is learned from the training rows.
    Tfidf,
}

impl Weighting {
    /// All weightings, with no weighting first.
    pub const ALL: [Weighting; 4] =
        [Weighting::Count, Weighting::Binary, Weighting::Log, Weighting::Tfidf];

    /// The name, as in a model file.
    pub fn name(self) -> &'static str {
        match self {
            Weighting::Count => "count",
            Weighting::Binary => "binary",
            Weighting::Log => "log",
            Weighting::Tfidf => "tfidf",
        }
    }

    /// Whether counts stay as they are.
    pub fn is_count(&self) -> bool {
        *self == Weighting::Count
    }
}

/// A fitted weighting. The default leaves counts as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CountWeights {
    /// How counts are weighted.
    pub weighting: Weighting,
    /// The inverse document frequency of each feature with [`Weighting::Tfidf`]; else empty.
    pub idf: Vec<f64>,
}

impl CountWeights {
    /// Fits a weighting to the training rows.
    ///
    /// Cost: one pass over the stored values for `tfidf`, nothing for the others.
    pub fn fit(weighting: Weighting, rows: &Rows<'_>) -> Self {
        let idf = match weighting {
            Weighting::Tfidf => inverse_document_frequencies(rows),
            _ => Vec::new(),
        };
        CountWeights { weighting, idf }
    }

    /// Whether it can weight rows with this number of features, and all its factors are finite and positive.
    pub fn fits(&self, features: usize) -> bool {
        match self.weighting {
            Weighting::Tfidf => {
                self.idf.len() == features
                    && self.idf.iter().all(|&idf| idf.is_finite() && idf > 0.0)
            }
            _ => self.idf.is_empty(),
        }
    }

    /// Weights all rows. Sparse rows stay sparse.
    ///
    /// Cost: one pass over the stored values, and a copy of them.
    ///
    /// # Errors
    /// [`ScaleError::Features`] for rows of another width; [`ScaleError::Row`] for the first row with a weighted value past
    /// the range of `f64`.
    pub fn apply(&self, rows: &Rows<'_>) -> Result<Rows<'static>, ScaleError> {
        let (found, expected) = (rows.features(), self.idf.len());
        if self.weighting == Weighting::Tfidf && found != expected {
            return Err(ScaleError::Features { found, expected });
        }
        let mut values = Vec::with_capacity(rows.stored());
        for (i, row) in rows.iter().enumerate() {
            let start = values.len();
            row.for_each(|j, x| values.push(self.value(j, x)));
            if values[start..].iter().any(|value| !value.is_finite()) {
                return Err(ScaleError::Row { row: i });
            }
        }
        Ok(rows.with_values(values))
    }

    fn value(&self, feature: usize, x: f64) -> f64 {
        let size = x.abs();
        match self.weighting {
            _ if x == 0.0 => 0.0,
            Weighting::Count => x,
            Weighting::Binary => 1.0f64.copysign(x),
            Weighting::Log => (size.min(1.0) + libm::log(size.max(1.0))).copysign(x),
            Weighting::Tfidf => x * self.idf[feature],
        }
    }
}

fn inverse_document_frequencies(rows: &Rows<'_>) -> Vec<f64> {
    let mut frequencies = vec![0u64; rows.features()];
    for row in rows.iter() {
        row.for_each(|j, x| frequencies[j] += u64::from(x != 0.0));
    }
    let all = 1.0 + rows.len() as f64;
    frequencies.into_iter().map(|d| libm::log(all / (1.0 + d as f64)) + 1.0).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::Row;

    fn values(rows: &Rows<'_>) -> Vec<Vec<f64>> {
        let one = |row: Row<'_>| {
            let mut values = vec![0.0; rows.features()];
            row.for_each(|j, x| values[j] = x);
            values
        };
        rows.iter().map(one).collect()
    }

    /// In 3 rows the features are in 3, 1 and 0 rows: idf 1, 1 + ln 2 and 1 + ln 4. The nearest numbers of ln 2 and ln 4
    /// are those of the standard library's constant and its double.
    #[test]
    fn rows_by_hand() {
        use std::f64::consts::LN_2;
        let counts = [2.0, -4.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0];
        let rows = Rows::dense(&counts, 3).unwrap();
        let of = |weighting| CountWeights::fit(weighting, &rows);
        assert_eq!(of(Weighting::Tfidf).idf, [1.0, 1.0 + LN_2, 1.0 + 2.0 * LN_2]);
        let table = [
            (Weighting::Count, [2.0, -4.0, 0.0]),
            (Weighting::Binary, [1.0, -1.0, 0.0]),
            (Weighting::Log, [1.0 + LN_2, -(1.0 + 2.0 * LN_2), 0.0]),
            (Weighting::Tfidf, [2.0, -4.0 * (1.0 + LN_2), 0.0]),
        ];
        for (weighting, first) in table {
            let found = values(&of(weighting).apply(&rows).unwrap());
            assert_eq!(found, [first.to_vec(), vec![1.0, 0.0, 0.0], vec![-1.0, 0.0, 0.0]]);
        }
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let rows = Rows::dense(&[1.0, 0.0, 0.0, f64::MAX], 2).unwrap();
        let tfidf = CountWeights::fit(Weighting::Tfidf, &rows);
        assert_eq!(tfidf.apply(&rows).unwrap_err(), ScaleError::Row { row: 1 });
        let narrow = Rows::dense(&[1.0], 1).unwrap();
        let error = ScaleError::Features { found: 1, expected: 2 };
        assert_eq!(tfidf.apply(&narrow).unwrap_err(), error);
        assert!(tfidf.fits(2) && !tfidf.fits(1));
        assert!(!CountWeights { weighting: Weighting::Tfidf, idf: vec![f64::NAN] }.fits(1));
        assert!(!CountWeights { weighting: Weighting::Log, idf: vec![1.0] }.fits(1));
    }

    proptest! {
        /// Both layouts and precisions, and stored zeros, give one result; the order of the rows does not change idf.
        #[test]
        fn layouts_and_the_order_of_rows_do_not_matter(
            counts in proptest::collection::vec(-3..9i8, 1..9).prop_map(|all| [all.clone(), all].concat()),
        ) {
            let n = counts.len() / 2;
            let wide: Vec<f64> = counts.iter().map(|&x| f64::from(x)).collect();
            let narrow: Vec<f32> = counts.iter().map(|&x| f32::from(x)).collect();
            let places: Vec<u32> = (0..2).flat_map(|_| 0..n as u32).collect();
            let dense = Rows::dense(&wide, n).unwrap();
            let sparse = Rows::sparse(vec![0, n, 2 * n], places, &narrow, n).unwrap();
            let backwards: Vec<f64> = wide.chunks(n).rev().flatten().copied().collect();
            let backwards = Rows::dense(backwards, n).unwrap();
            for weighting in Weighting::ALL {
                let fitted = CountWeights::fit(weighting, &dense);
                prop_assert_eq!(&CountWeights::fit(weighting, &sparse), &fitted);
                prop_assert_eq!(&CountWeights::fit(weighting, &backwards), &fitted);
                prop_assert!(fitted.fits(n));
                let expected = values(&fitted.apply(&dense).unwrap());
                prop_assert_eq!(values(&fitted.apply(&sparse).unwrap()), expected);
            }
        }

        /// f is odd and does not fall, fractions included.
        #[test]
        fn the_logarithm_is_odd_and_ascends(a in 0.0..9.0f64, b in 0.0..9.0f64) {
            let log = CountWeights { weighting: Weighting::Log, idf: Vec::new() };
            prop_assert_eq!(log.value(0, -a), -log.value(0, a));
            prop_assert!(log.value(0, a.min(b)) <= log.value(0, a.max(b)));
        }
    }
}

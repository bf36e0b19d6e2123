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
//! A document frequency (`2:50%`) leaves out the features that are in too few or too many training rows: their values become
//! 0, in all rows.
//!
//! n is the number of training rows and d the number of those in which the feature is not 0 (the inverse document frequency
//! of Spärck Jones, *A statistical interpretation of term specificity*, 1972, in scikit-learn's smooth form). The quotient,
//! its logarithm (by `libm`, so the same bits on every processor), the sum and the product are each rounded once.

use super::{DocumentFrequency, Format, Learned, RowTransform, StepWords};
use crate::data::{Rows, ScaleError};
use crate::options::{OptionInfo, OptionValues, word};

/// The option that chooses it.
pub(super) const OPTION: OptionInfo = OptionInfo {
    name: "weighting",
    help: "Weight counts, such as those of words, before the scaling: count (as they are), binary (1), log (1 + ln of the \
           count) or tfidf (the count times the inverse document frequency, learned from the training rows); the model does \
           it in predictions too",
    placeholder: "WEIGHTING",
    default: Some("count"),
    values: OptionValues::Words(&[word("count"), word("binary"), word("log"), word("tfidf")]),
};

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
    /// The limits on the rows in which a feature is, if there are any.
    pub frequency: Option<DocumentFrequency>,
    /// The factor of each feature: with [`Weighting::Tfidf`] the inverse document frequency, otherwise 1, and 0 for one that
    /// is left out. Empty if all factors are 1.
    pub factors: Vec<f64>,
}

impl CountWeights {
    /// Fits a weighting to the training rows.
    ///
    /// Cost: one pass over the stored values if there are factors, otherwise nothing.
    ///
    /// # Errors
    /// [`ScaleError::NoFeature`] if no feature is in as many rows as `frequency` says.
    pub fn fit(
        weighting: Weighting,
        frequency: Option<DocumentFrequency>,
        rows: &Rows<'_>,
    ) -> Result<Self, ScaleError> {
        let mut weights = CountWeights { weighting, frequency, factors: Vec::new() };
        if !weights.has_factors() {
            return Ok(weights);
        }
        let of_one = |d: u64| weights.factor(d, rows.len() as u64);
        let factors: Vec<f64> = document_frequencies(rows).into_iter().map(of_one).collect();
        match frequency.filter(|_| factors.iter().all(|&factor| factor == 0.0)) {
            Some(frequency) => Err(ScaleError::NoFeature { frequency }),
            None => {
                weights.factors = factors;
                Ok(weights)
            }
        }
    }

    /// The factor of a feature that is in d of n rows.
    fn factor(&self, d: u64, n: u64) -> f64 {
        match self.weighting {
            _ if self.frequency.is_some_and(|frequency| !frequency.has(d, n)) => 0.0,
            Weighting::Tfidf => libm::log((1.0 + n as f64) / (1.0 + d as f64)) + 1.0,
            _ => 1.0,
        }
    }

    /// Whether counts stay as they are.
    pub fn is_none(&self) -> bool {
        self.weighting.is_count() && self.frequency.is_none()
    }

    /// Whether each feature has a factor that follows from the training rows.
    pub fn has_factors(&self) -> bool {
        self.weighting == Weighting::Tfidf || self.frequency.is_some()
    }

    /// The number of features that are not left out, if some could be.
    pub fn kept(&self) -> Option<usize> {
        self.frequency.map(|_| self.factors.iter().filter(|&&factor| factor != 0.0).count())
    }

    /// Whether it can weight rows with this number of features, and each factor is one that it could have.
    pub fn fits(&self, features: usize) -> bool {
        let is_possible = |&factor: &f64| match self.weighting {
            _ if factor == 0.0 => self.frequency.is_some(),
            Weighting::Tfidf => factor.is_finite() && factor > 0.0,
            _ => factor == 1.0,
        };
        let expected = if self.has_factors() { features } else { 0 };
        self.factors.len() == expected && self.factors.iter().all(is_possible)
    }

    /// Weights all rows. Sparse rows stay sparse.
    ///
    /// Cost: one pass over the stored values, and a copy of them.
    ///
    /// # Errors
    /// [`ScaleError::Features`] for rows of another width; [`ScaleError::Row`] for the first row with a weighted value past
    /// the range of `f64`.
    pub fn apply(&self, rows: &Rows<'_>) -> Result<Rows<'static>, ScaleError> {
        let (found, expected) = (rows.features(), self.factors.len());
        if self.has_factors() && found != expected {
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
        let factor = self.factors.get(feature).copied().unwrap_or(1.0);
        let size = x.abs();
        match self.weighting {
            _ if x == 0.0 || factor == 0.0 => 0.0,
            Weighting::Count => x,
            Weighting::Binary => 1.0f64.copysign(x),
            Weighting::Log => (size.min(1.0) + libm::log(size.max(1.0))).copysign(x),
            Weighting::Tfidf => x * factor,
        }
    }
}

impl RowTransform for CountWeights {
    fn apply(&self, rows: &Rows<'_>, _: Option<usize>) -> Result<Rows<'static>, ScaleError> {
        CountWeights::apply(self, rows)
    }

    fn check(&self, features: usize) -> Result<(), &'static str> {
        if self.fits(features) { Ok(()) } else { Err("its weighting does not fit its features") }
    }

    fn learned(&self) -> Option<Learned> {
        self.has_factors().then_some(Learned::CountWeights)
    }

    fn kept_features(&self) -> Option<usize> {
        self.kept()
    }

    fn factors(&self) -> Option<&[f64]> {
        Some(&self.factors)
    }

    fn words(&self) -> StepWords {
        let options = &["weighting", "document-frequency"];
        match self.frequency.filter(|_| self.weighting.is_count()) {
            Some(frequency) => StepWords {
                does: "leaves out features",
                report: None,
                makes: ("remaining", "features"),
                options,
                beyond_weights: format!(
                    "leaves out no features, and the model has the document frequency `{frequency}`"
                ),
            },
            None => StepWords {
                does: "weights counts",
                report: Some(format!("counts weighted: {}", self.weighting.name())),
                makes: ("weighted", "counts"),
                options,
                beyond_weights: format!(
                    "has no weighting of counts, and the model has the weighting `{}`",
                    self.weighting.name()
                ),
            },
        }
    }

    fn format(&self) -> Format {
        match self.frequency {
            Some(_) => Format { model: 6, checkpoint: 4 },
            None => Format { model: 4, checkpoint: 3 },
        }
    }
}

/// The number of rows in which each feature is not 0.
fn document_frequencies(rows: &Rows<'_>) -> Vec<u64> {
    let mut frequencies = vec![0u64; rows.features()];
    for row in rows.iter() {
        row.for_each(|j, x| frequencies[j] += u64::from(x != 0.0));
    }
    frequencies
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::tests::values, *};

    /// In 3 rows the features are in 3, 1 and 0 rows: idf 1, 1 + ln 2 and 1 + ln 4. The nearest numbers of ln 2 and ln 4
    /// are those of the standard library's constant and its double.
    #[test]
    fn rows_by_hand() {
        use std::f64::consts::LN_2;
        let counts = [2.0, -4.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0];
        let rows = Rows::dense(&counts, 3).unwrap();
        let of = |weighting| CountWeights::fit(weighting, None, &rows).unwrap();
        assert_eq!(of(Weighting::Tfidf).factors, [1.0, 1.0 + LN_2, 1.0 + 2.0 * LN_2]);
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

    /// The features are in 3, 1 and 0 of 3 rows.
    #[test]
    fn rare_and_frequent_features_are_left_out() {
        let counts = [2.0, -4.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0];
        let rows = Rows::dense(&counts, 3).unwrap();
        let fit = |weighting, text: &str| {
            CountWeights::fit(weighting, Some(text.parse().unwrap()), &rows)
        };
        let table = [
            ("1:", [1.0, 1.0, 0.0]),
            ("2:", [1.0, 0.0, 0.0]),
            (":34%", [0.0, 1.0, 1.0]),
            ("1:99.9999%", [0.0, 1.0, 0.0]),
        ];
        for (text, factors) in table {
            let fitted = fit(Weighting::Count, text).unwrap();
            assert_eq!(fitted.factors, factors);
            assert_eq!(
                fitted.kept(),
                Some(factors.iter().filter(|&&factor| factor == 1.0).count())
            );
            let expected: Vec<f64> =
                counts[..3].iter().zip(factors).map(|(x, f)| x * f + 0.0).collect();
            assert_eq!(values(&fitted.apply(&rows).unwrap())[0], expected);
            let tfidf = fit(Weighting::Tfidf, text).unwrap();
            let all = CountWeights::fit(Weighting::Tfidf, None, &rows).unwrap().factors;
            let expected: Vec<f64> =
                all.iter().zip(factors).map(|(idf, factor)| idf * factor).collect();
            assert_eq!(tfidf.factors, expected);
        }
        let error = fit(Weighting::Count, "4:").unwrap_err();
        assert_eq!(error, ScaleError::NoFeature { frequency: "4:".parse().unwrap() });
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let rows = Rows::dense(&[1.0, 0.0, 0.0, f64::MAX], 2).unwrap();
        let tfidf = CountWeights::fit(Weighting::Tfidf, None, &rows).unwrap();
        assert_eq!(tfidf.apply(&rows).unwrap_err(), ScaleError::Row { row: 1 });
        let narrow = Rows::dense(&[1.0], 1).unwrap();
        let error = ScaleError::Features { found: 1, expected: 2 };
        assert_eq!(tfidf.apply(&narrow).unwrap_err(), error);
        assert!(tfidf.fits(2) && !tfidf.fits(1));
        let fits = |weighting, frequency: Option<&str>, factors: &[f64]| {
            let frequency = frequency.map(|text| text.parse().unwrap());
            CountWeights { weighting, frequency, factors: factors.to_vec() }.fits(1)
        };
        assert!(
            !fits(Weighting::Tfidf, None, &[f64::NAN]) && !fits(Weighting::Tfidf, None, &[0.0])
        );
        assert!(!fits(Weighting::Log, None, &[1.0]) && !fits(Weighting::Log, Some("2:"), &[]));
        assert!(
            fits(Weighting::Log, Some("2:"), &[0.0]) && fits(Weighting::Log, Some("2:"), &[1.0])
        );
        assert!(
            !fits(Weighting::Log, Some("2:"), &[2.0]) && fits(Weighting::Tfidf, Some("2:"), &[2.0])
        );
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
            let all = Weighting::ALL.into_iter();
            let choices = all.flat_map(|weighting| [None, Some("1:")].map(|frequency| (weighting, frequency)));
            for (weighting, frequency) in choices {
                let frequency = frequency.map(|text| text.parse().unwrap());
                let fit = |rows| CountWeights::fit(weighting, frequency, rows);
                let Ok(fitted) = fit(&dense) else {
                    prop_assert!(counts.iter().all(|&x| x == 0));
                    continue;
                };
                prop_assert_eq!(&fit(&sparse), &Ok(fitted.clone()));
                prop_assert_eq!(&fit(&backwards), &Ok(fitted.clone()));
                prop_assert!(fitted.fits(n));
                let expected = values(&fitted.apply(&dense).unwrap());
                prop_assert_eq!(values(&fitted.apply(&sparse).unwrap()), expected);
            }
        }

        /// f is odd and does not fall, fractions included.
        #[test]
        fn the_logarithm_is_odd_and_ascends(a in 0.0..9.0f64, b in 0.0..9.0f64) {
            let log = CountWeights { weighting: Weighting::Log, ..CountWeights::default() };
            prop_assert_eq!(log.value(0, -a), -log.value(0, a));
            prop_assert!(log.value(0, a.min(b)) <= log.value(0, a.max(b)));
        }
    }
}

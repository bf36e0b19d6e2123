//! Errors of certificates.

/// The maximum number of decimal digits of a multiplier. The multipliers of d + 2 rows of ordinary floats have about
/// 17·d digits.
pub const MOST_DIGITS: usize = 50_000;

/// A reason for which a certificate proves nothing. Rows are counted from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The weights of other data.
    #[error("{found} weights for {expected} features")]
    Features {
        /// The number of weights.
        found: usize,
        /// The number of features of the examples.
        expected: usize,
    },
    /// A weight or the bias is NaN or infinite.
    #[error("weights and bias are not all finite")]
    NotFinite,
    /// A certificate about other hyperplanes, which does not answer the question.
    #[error(
        "the certificate is about hyperplanes {}, which says nothing of hyperplanes {}",
        hyperplanes(*.with_bias),
        hyperplanes(!*.with_bias)
    )]
    OtherQuestion {
        /// Whether the certificate concerns hyperplanes with a bias.
        with_bias: bool,
    },
    /// A weight or the bias that is not an integer in decimal digits, or is too long.
    #[error("{} is not an integer of at most {MOST_DIGITS} digits", number(*.place))]
    Integer {
        /// Which weight, counted from 1; `None` for the bias.
        place: Option<usize>,
    },
    /// A bias in a certificate for hyperplanes without one.
    #[error("the bias is {bias}, but the certificate is for hyperplanes through the origin")]
    Bias {
        /// The bias.
        bias: f64,
    },
    /// An example on the wrong side or on the hyperplane.
    #[error("row {row} is not on its side of the hyperplane")]
    WrongSide {
        /// The first such row.
        row: usize,
    },
    /// Different numbers of rows and multipliers.
    #[error("{rows} rows have {multipliers} multipliers")]
    Pairs {
        /// The number of rows.
        rows: usize,
        /// The number of multipliers.
        multipliers: usize,
    },
    /// A row that does not exist.
    #[error("row {row} does not exist, there are {rows} rows")]
    NoSuchRow {
        /// The row.
        row: usize,
        /// The number of rows.
        rows: usize,
    },
    /// A row that occurs twice.
    #[error("row {row} occurs twice")]
    Twice {
        /// The row.
        row: usize,
    },
    /// A multiplier that is not a string of decimal digits, or is too long.
    #[error("multiplier {place} is not a non-negative integer of at most {MOST_DIGITS} digits")]
    Multiplier {
        /// The place of the multiplier, counted from 1.
        place: usize,
    },
    /// No rows, or multipliers that are all 0.
    #[error("no multiplier is positive")]
    Nothing,
    /// A coordinate of the sum is not 0.
    #[error("the sum is not 0 in {}", coordinate(*.feature))]
    NotZero {
        /// The first such feature, counted from 1; `None` for the constant of the bias.
        feature: Option<usize>,
    },
    /// A column whose decimals differ too much in size.
    #[error("the numbers of feature {feature} differ too much in size to be checked")]
    Length {
        /// The feature, counted from 1.
        feature: usize,
    },
}

fn coordinate(feature: Option<usize>) -> String {
    feature.map_or("the constant of the bias".into(), |feature| format!("feature {feature}"))
}

/// The hyperplanes of a certificate, in words.
pub(super) fn hyperplanes(with_bias: bool) -> &'static str {
    if with_bias { "with a bias" } else { "through the origin" }
}

fn number(place: Option<usize>) -> String {
    place.map_or("the bias".into(), |place| format!("weight {place}"))
}

//! The proof of a separation, in the form in which it is written to a file.

use serde::{Deserialize, Serialize};

/// How two classes lie, in the words of Albert & Anderson (1984). Exactly one holds for any examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Separation {
    /// Some hyperplane has every example strictly on its side.
    Complete,
    /// No hyperplane is strict for all examples, but one has none on the wrong side and at least one strictly on its
    /// side. The others lie on it.
    QuasiComplete,
    /// Every hyperplane has an example on its wrong side, except one that contains all examples.
    Overlap,
}

impl Separation {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Separation::Complete => "complete",
            Separation::QuasiComplete => "quasi-complete",
            Separation::Overlap => "overlap",
        }
    }
}

/// The version of the form of [`SeparationCertificate`].
pub const SEPARATION_VERSION: u32 = 1;

/// A proof that examples are completely separated, quasi-completely separated, or overlap.
///
/// Let `zᵢ = yᵢ(xᵢ, 1)`, or `yᵢxᵢ` without a bias. The weights have `w·zᵢ ≥ 0` for every example. The face is the
/// examples with `w·zᵢ = 0`. The rows of the proof lie in the face, their multipliers are positive, `Σλᵢzᵢ = 0`, and
/// they span the space of the face. So every hyperplane without an example on its wrong side contains the whole face
/// (Stiemke 1915). The face is empty if the separation is complete, and all examples if they overlap.
///
/// In JSON: `{"separation":"quasi-complete","version":1,"with_bias":true,"weights":["0","3"],"bias":"-1",
/// "rows":[2,5],"multipliers":["1","1"],"relations":[{"columns":[0,2],"coefficients":["1","-1"]}]}`. Integers that may
/// be long are strings of decimal digits. **Rows and columns are counted from 1**; column 0 is the constant of the bias.
///
/// It proves nothing until [`super::verify_separation`] checks it against the examples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeparationCertificate {
    /// The claim.
    pub separation: Separation,
    /// [`SEPARATION_VERSION`].
    pub version: u32,
    /// Whether hyperplanes may have a bias; without it `bias` is 0.
    pub with_bias: bool,
    /// The weights, one per feature; all 0 for an overlap.
    pub weights: Vec<String>,
    /// The bias.
    pub bias: String,
    /// The rows of the proof that the face can not be separated further.
    pub rows: Vec<usize>,
    /// The multiplier of each of these rows, a positive integer.
    pub multipliers: Vec<String>,
    /// Linear relations between the columns that hold for every example of the face. They show that the rows of the
    /// proof span its space. They may be missing if all examples of the face are rows of the proof.
    pub relations: Vec<Relation>,
}

/// A linear relation between columns: the sum of the columns times the coefficients is 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// The columns, counted from 1; 0 is the constant of the bias.
    pub columns: Vec<usize>,
    /// The coefficient of each column, an integer.
    pub coefficients: Vec<String>,
}

/// A reason for which a [`SeparationCertificate`] proves nothing. Rows and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SeparationError {
    /// A column whose decimals differ too much in size.
    #[error("the numbers of feature {feature} differ too much in size to be checked")]
    Length {
        /// The feature, counted from 1.
        feature: usize,
    },
    /// Another version of the form.
    #[error(
        "version {found} of the certificate is unknown, this program reads version {SEPARATION_VERSION}"
    )]
    Version {
        /// The version.
        found: u32,
    },
    /// A certificate about other hyperplanes, which does not answer the question.
    #[error("the certificate is about other hyperplanes than the question")]
    OtherQuestion,
    /// The weights of other data.
    #[error("{found} weights for {expected} features")]
    Features {
        /// The number of weights.
        found: usize,
        /// The number of features of the examples.
        expected: usize,
    },
    /// Text that is not an integer in decimal digits, or is too long.
    #[error("{what} is not an integer of at most {} digits", super::MOST_DIGITS)]
    Integer {
        /// Which number.
        what: String,
    },
    /// A bias in a certificate for hyperplanes through the origin.
    #[error("the bias is not 0, but the certificate is for hyperplanes through the origin")]
    Bias,
    /// An example on the wrong side.
    #[error("row {row} is on the wrong side of the hyperplane")]
    WrongSide {
        /// The first such row.
        row: usize,
    },
    /// Another separation than the claim.
    #[error("the weights show {shown} separation, not the claim")]
    Claim {
        /// The statement that they show.
        shown: &'static str,
    },
    /// Two lists of different lengths.
    #[error("two lists that belong together have {left} and {right} numbers")]
    Lengths {
        /// The length of one list.
        left: usize,
        /// The length of the other.
        right: usize,
    },
    /// A row that does not exist, occurs twice, or does not lie on the hyperplane.
    #[error("row {row} does not exist, occurs twice, or is not on the hyperplane")]
    Row {
        /// The row.
        row: usize,
    },
    /// A multiplier that is not positive.
    #[error("multiplier {place} is not positive")]
    Multiplier {
        /// Its place, counted from 1.
        place: usize,
    },
    /// A coordinate of the sum is not 0.
    #[error("the sum of the rows is not 0 in column {column}")]
    NotZero {
        /// The column; 0 is the constant of the bias.
        column: usize,
    },
    /// A relation that names a missing column, or does not hold for an example of the face.
    #[error("relation {place} does not hold for every row on the hyperplane")]
    Relation {
        /// Its place, counted from 1.
        place: usize,
    },
    /// The rows of the proof are not shown to span the space of the face.
    #[error("rank {rank} of the rows and {relations} relations do not add up to {columns} columns")]
    Rank {
        /// The rank of the rows of the proof.
        rank: usize,
        /// The number of independent relations.
        relations: usize,
        /// The number of columns that are not 0 on the face.
        columns: usize,
    },
}

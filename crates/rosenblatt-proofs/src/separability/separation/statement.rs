//! A separation in a form for programs.

use serde::Serialize;

use super::{
    super::{Ended, Named, Numbers},
    SeparationCertificate, SeparationSummary, SeparationVerdict,
};

/// A separation in numbers; `separable --weak --json` prints it as JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeparationStatement<'a> {
    /// `complete`, `quasi-complete`, `overlap` or `unknown`.
    pub separation: &'static str,
    /// The numbers that the statement is about.
    pub numbers: Numbers,
    /// The reason for which the search ended early, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<&'static str>,
    /// The rest, if there is an answer.
    #[serde(flatten)]
    pub known: Option<KnownSeparation<'a>>,
}

/// The statement of an answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KnownSeparation<'a> {
    /// The number of examples on the hyperplane of the proof.
    pub on_hyperplane: usize,
    /// The rank of all examples, the constant of the bias included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// The rank of the examples on the hyperplane.
    pub rank_on_hyperplane: usize,
    /// Whether all weights without a row on the wrong side are multiples of those of the proof, if the rank is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unique: Option<bool>,
    /// Whether the ranks, and `unique` and `aliased`, are proven; if not, they are those modulo a prime.
    pub ranks_proven: bool,
    /// The columns with a positive or negative weight, and its sign; 0 is the constant of the bias.
    pub diverging: &'a [(usize, i8)],
    /// The columns that are linear combinations of columns before them.
    pub aliased: &'a [usize],
    /// The proof.
    pub certificate: Named<'a, SeparationCertificate>,
    /// Whether the checker confirmed the proof.
    pub verified: bool,
}

/// How the classes lie, beside the answer whether they are separable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeparationCase<'a> {
    /// `complete`, `quasi-complete`, `overlap` or `unknown`.
    pub separation: &'static str,
    /// As in [`KnownSeparation`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_hyperplane: Option<usize>,
    /// As in [`KnownSeparation`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unique: Option<bool>,
    /// As in [`KnownSeparation`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diverging: Option<&'a [(usize, i8)]>,
}

impl SeparationSummary {
    /// Whether all weights without an example on the wrong side are multiples of those of the proof, among those whose
    /// aliased columns have the weight 0. `None` if the rank is not known.
    pub fn is_unique(&self) -> Option<bool> {
        Some(self.rank? == self.face_rank + 1)
    }
}

impl SeparationVerdict {
    /// The answer, if there is one.
    pub fn known(&self) -> Option<&SeparationSummary> {
        match self {
            SeparationVerdict::Known(known) => Some(known),
            SeparationVerdict::Unknown(_) => None,
        }
    }

    /// The reason for which the search ended without an answer.
    pub fn ended(&self) -> Option<Ended> {
        match self {
            SeparationVerdict::Known(_) => None,
            SeparationVerdict::Unknown(ended) => Some(*ended),
        }
    }

    /// The answer without its proof, for a program.
    pub fn case(&self) -> SeparationCase<'_> {
        let known = self.known();
        SeparationCase {
            separation: known.map_or("unknown", |known| known.certificate.separation.name()),
            on_hyperplane: known.map(|known| known.on_hyperplane),
            unique: known.and_then(SeparationSummary::is_unique),
            diverging: known.map(|known| known.diverging.as_slice()),
        }
    }

    /// The answer for these numbers, for a program.
    pub fn statement(&self, numbers: Numbers) -> SeparationStatement<'_> {
        SeparationStatement {
            separation: self.case().separation,
            numbers,
            ended_by: self.ended().map(Ended::name),
            known: self.known().map(|known| KnownSeparation {
                on_hyperplane: known.on_hyperplane,
                rank: known.rank,
                rank_on_hyperplane: known.face_rank,
                unique: known.is_unique(),
                ranks_proven: known.ranks_proven,
                diverging: &known.diverging,
                aliased: &known.aliased,
                certificate: Named { numbers, certificate: &known.certificate },
                verified: true,
            }),
        }
    }
}

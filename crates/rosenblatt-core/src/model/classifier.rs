//! Classifiers: hyperplanes, the dual form and votes.

use std::{borrow::Cow, sync::OnceLock};

use super::{
    PredictError, PredictOptions, Predictions, RowOverflow,
    check::{check_count, check_planes, ensure, ensure_features},
};
use crate::{
    data::{Decision, Rows, Scheme},
    exact::norm,
    hyperplane::Hyperplane,
    keep::{Voted, WeightSequence},
    kernel::{CanonicalRows, Kernel, Support},
    space::{KernelScores, LinearScores, Scores},
};

/// A trained classifier: it computes the scores of a row, one per hyperplane.
#[derive(Clone, Debug, PartialEq)]
pub enum Classifier {
    /// Hyperplanes in feature space.
    Linear(Vec<Hyperplane>),
    /// Hyperplanes in the space of a kernel.
    Dual(Dual),
    /// All hyperplanes that a run visited, which vote.
    Voted(Voted),
}

/// Hyperplanes in the space of a kernel, as combinations of supporting rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Dual {
    /// The kernel.
    pub kernel: Kernel,
    /// The supporting rows.
    pub support: Support,
    /// One hyperplane per class or one in all; its weights are the coefficients of the supporting rows.
    pub planes: Vec<Hyperplane>,
}

impl Classifier {
    /// The number of features.
    pub fn features(&self) -> usize {
        match self {
            Classifier::Linear(planes) => planes.first().map_or(0, |plane| plane.weights.len()),
            Classifier::Dual(dual) => dual.support.rows.features(),
            Classifier::Voted(voted) => voted.support.rows.features(),
        }
    }

    /// The supporting rows of a classifier in the dual form.
    pub fn support(&self) -> Option<&Support> {
        match self {
            Classifier::Linear(_) => None,
            Classifier::Dual(dual) => Some(&dual.support),
            Classifier::Voted(voted) => Some(&voted.support),
        }
    }

    /// Replaces the places of the supporting rows by their places in a larger set; `place` maps each.
    pub fn renumber(&mut self, place: impl Fn(usize) -> usize) {
        let support = match self {
            Classifier::Linear(_) => return,
            Classifier::Dual(dual) => &mut dual.support,
            Classifier::Voted(voted) => &mut voted.support,
        };
        support.examples.iter_mut().for_each(|example| *example = place(*example));
    }

    /// Classifies rows exactly. Returns their classes and, if `scores` is set, their scores. Rows are not scaled. A
    /// bare [`Scheme`](crate::data::Scheme) reads a score of 0 as positive.
    ///
    /// Cost: the scores, one pass that checks the numbers of the classifier, and for a vote another pass over its
    /// updates. [`Model::predict_rows`](super::Model::predict_rows) makes both passes only once.
    ///
    /// # Errors
    /// [`PredictError`]: rows with another number of features, a scheme with other classes, a classifier whose parts do
    /// not fit together, or a row whose kernel values or tally leave the range of `f64`.
    ///
    /// ```
    /// use rosenblatt_core::{data::{Decision, Rows, Scheme, ZeroScore}, model::{Classifier, PredictOptions}, space::Hyperplane};
    /// let classifier = Classifier::Linear(vec![Hyperplane { weights: vec![1.0, -1.0], bias: 0.0 }]);
    /// let rows = Rows::dense(vec![2.0, 1.0, 1.0, 1.0, 0.0, 1.0], 2)?;
    /// let by = Decision { scheme: Scheme::Two { positive: 1 }, zero: ZeroScore::Negative };
    /// let found = classifier.classify(&rows, by, PredictOptions::default(), true)?;
    /// assert_eq!((found.classes, found.scores), (vec![1, 0, 0], vec![1.0, 0.0, -1.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn classify(
        &self,
        rows: &Rows<'_>,
        by: impl Into<Decision>,
        how: PredictOptions,
        scores: bool,
    ) -> Result<Predictions, PredictError> {
        let by = by.into();
        self.check(by.scheme)?;
        self.classify_with(rows, (by, how), scores, &OnceLock::new())
    }

    /// Classifies rows with a checked classifier. `norms` caches the norms of a vote's weights.
    pub(super) fn classify_with(
        &self,
        rows: &Rows<'_>,
        (by, how): (Decision, PredictOptions),
        scores: bool,
        norms: &OnceLock<Vec<Vec<f64>>>,
    ) -> Result<Predictions, PredictError> {
        ensure_features(rows, self.features())?;
        let threads = how.threads.max(1);
        Ok(match self {
            Classifier::Linear(planes) => {
                by_scores(&LinearScores::new(planes, rows), by, rows, scores)
            }
            Classifier::Dual(Dual { kernel, support, planes }) => {
                let packed = packed(*kernel, support, rows)?;
                let (support, packed) = (Cow::Borrowed(&support.rows), Cow::Owned(packed));
                let expanded = KernelScores::new(*kernel, (support, &[]), planes, packed, threads);
                by_scores(&expanded, by, rows, scores)
            }
            Classifier::Voted(voted) => {
                let packed = packed(voted.kernel, &voted.support, rows)?;
                let all = voted.scores_with(&packed, how.tally, threads, norms);
                if let Some(bad) = all.iter().position(|score| !score.is_finite()) {
                    return Err(RowOverflow(bad / by.scheme.hyperplanes()).into());
                }
                let class = |scores: &[f64]| by.class(scores) as u32;
                let classes = all.chunks(by.scheme.hyperplanes()).map(class).collect();
                Predictions { classes, scores: if scores { all } else { Vec::new() } }
            }
        })
    }

    /// The unit of the scores of each hyperplane, by which scores of classifiers of different runs become comparable: the
    /// norm of its weights, or the number of votes; 1 in the dual form, and for weights of 0.
    pub fn score_units(&self) -> Vec<f64> {
        let unit = |length: f64| if length > 0.0 && length.is_finite() { length } else { 1.0 };
        let of_plane = |plane: &Hyperplane| unit(norm(plane.weights.iter().copied()));
        let votes = |path: &WeightSequence| {
            path.start + path.moves.iter().map(|one| one.survived).sum::<u64>()
        };
        match self {
            Classifier::Linear(planes) => planes.iter().map(of_plane).collect(),
            Classifier::Dual(dual) => vec![1.0; dual.planes.len()],
            Classifier::Voted(voted) => {
                voted.paths.iter().map(|path| unit(votes(path) as f64)).collect()
            }
        }
    }

    /// The hyperplanes in feature space, if the classifier is linear.
    pub fn linear(&self) -> Option<&[Hyperplane]> {
        match self {
            Classifier::Linear(planes) => Some(planes),
            Classifier::Dual(_) | Classifier::Voted(_) => None,
        }
    }
}

impl Classifier {
    /// Checks that the parts fit together and match the scheme.
    ///
    /// Cost: one pass over its numbers.
    pub(super) fn check(&self, scheme: Scheme) -> Result<(), PredictError> {
        match self {
            Classifier::Linear(planes) => check_planes(planes, scheme, self.features()),
            Classifier::Dual(dual) => {
                ensure(dual.kernel.is_sound(), "a parameter of its kernel is out of range")?;
                check_planes(&dual.planes, scheme, dual.support.rows.len())
            }
            Classifier::Voted(voted) => {
                check_count(voted.paths.len(), scheme)?;
                voted.check().map_err(|problem| PredictError::Unsound { problem })
            }
        }
    }
}

/// Prepares rows for a kernel. Fails at the first row whose kernel values leave the range of `f64`.
fn packed(
    kernel: Kernel,
    support: &Support,
    rows: &Rows<'_>,
) -> Result<CanonicalRows, RowOverflow> {
    let packed = CanonicalRows::new(rows);
    match support.first_out_of_range(kernel, &packed) {
        Some(row) => Err(RowOverflow(row)),
        None => Ok(packed),
    }
}

pub(super) fn by_scores(
    of_rows: &impl Scores,
    by: Decision,
    rows: &Rows<'_>,
    scores: bool,
) -> Predictions {
    let all = 0..rows.len();
    let classes = all.clone().map(|row| of_rows.class(by, row) as u32).collect();
    let of_row = |row| (0..of_rows.planes()).map(move |plane| of_rows.score(plane, row));
    Predictions { classes, scores: all.filter(|_| scores).flat_map(of_row).collect() }
}

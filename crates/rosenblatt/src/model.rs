//! The model: everything needed to classify a row as it stands in the data.

mod check;

pub use check::PredictError;

use std::{borrow::Cow, cell::OnceCell};

use check::{check_planes, same_features};

use crate::{
    data::{Classes, Decision, Rows, Scaling, ZeroScore},
    hyperplane::Hyperplane,
    keep::{Tally, Voted},
    kernel::{CanonicalRows, Kernel, Support},
    prototype::Baseline,
    space::{KernelScores, LinearScores, Scores},
};

/// What turns a row into scores, one for each hyperplane.
#[derive(Clone, Debug, PartialEq)]
pub enum Classifier {
    /// Hyperplanes in the space of the features.
    Linear(Vec<Hyperplane>),
    /// Hyperplanes in the space of a kernel.
    Dual(Dual),
    /// All hyperplanes that a run visited.
    Voted(Voted),
}

/// Hyperplanes in the space of a kernel: combinations of the rows that support them.
#[derive(Clone, Debug, PartialEq)]
pub struct Dual {
    /// The kernel.
    pub kernel: Kernel,
    /// The rows.
    pub support: Support,
    /// For each hyperplane the coefficients of the rows, as its weights, and its bias.
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

    /// The rows that it consists of, in the dual form.
    pub fn support(&self) -> Option<&Support> {
        match self {
            Classifier::Linear(_) => None,
            Classifier::Dual(dual) => Some(&dual.support),
            Classifier::Voted(voted) => Some(&voted.support),
        }
    }

    /// Tells the supporting rows their places in a larger set: `place` of each.
    pub fn renumber(&mut self, place: impl Fn(usize) -> usize) {
        let support = match self {
            Classifier::Linear(_) => return,
            Classifier::Dual(dual) => &mut dual.support,
            Classifier::Voted(voted) => &mut voted.support,
        };
        support.examples.iter_mut().for_each(|example| *example = place(*example));
    }

    /// The classes of rows by `by`, decided exactly, and if asked for their scores: what [`Predictor::predict`] does,
    /// without scaling. A [`Scheme`](crate::data::Scheme) alone reads a score of 0 as positive.
    ///
    /// Cost: beside the scores, one pass over the numbers of the classifier, which checks them, and for a vote another
    /// over its updates; a [`Predictor`] makes both once.
    ///
    /// # Errors
    /// [`PredictError`]: rows of other features, a scheme of other classes, a classifier that does not fit together,
    /// a row whose kernel values or tally leave the range of `f64`.
    ///
    /// ```
    /// use rosenblatt::{data::{Decision, Rows, Scheme, ZeroScore}, model::{Classifier, PredictOptions}, space::Hyperplane};
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
        self.classify_with(rows, (by, how), scores, &OnceCell::new())
    }

    /// The same of a classifier that was checked, with the lengths of a vote's weights, if they are known.
    fn classify_with(
        &self,
        rows: &Rows<'_>,
        (by, how): (Decision, PredictOptions),
        scores: bool,
        norms: &OnceCell<Vec<Vec<f64>>>,
    ) -> Result<Predictions, PredictError> {
        same_features(rows, self.features())?;
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

    /// The hyperplanes in the space of the features.
    pub fn linear(&self) -> Option<&[Hyperplane]> {
        match self {
            Classifier::Linear(planes) => Some(planes),
            Classifier::Dual(_) | Classifier::Voted(_) => None,
        }
    }
}

/// A trained classifier with its scaling and the names of its classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// What was learned, in the space of the scaled features.
    pub classifier: Classifier,
    /// The scaling that was fitted on the training rows, if any.
    pub scaling: Option<Scaling>,
    /// The names of the classes.
    pub classes: Classes,
    /// What a score of 0 predicts.
    pub zero: ZeroScore,
    /// What any model should be better than.
    pub baseline: Baseline,
}

/// How a model is used; nothing here changes the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PredictOptions {
    /// How a vote becomes a score.
    pub tally: Tally,
    /// Threads, for models in the dual form; 0 counts as 1.
    pub threads: usize,
}

/// A row whose scaled values, kernel values or tally are not finite; counted from 0 among the rows that
/// were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what is computed of row {} is past the range of 64-bit numbers", .0 + 1)]
pub struct RowOverflow(pub usize);

/// Classifies rows as they stand in the data, batch after batch.
#[derive(Clone, Debug)]
pub struct Predictor<'m> {
    model: &'m Model,
    how: PredictOptions,
    /// The lengths of a voted model's weights, once they are needed.
    norms: OnceCell<Vec<Vec<f64>>>,
    /// Whether the model was checked.
    is_checked: bool,
}

impl Model {
    /// The number of features.
    pub fn features(&self) -> usize {
        self.classifier.features()
    }

    /// How its scores become a class.
    pub fn decision(&self) -> Decision {
        Decision { scheme: self.classes.scheme(), zero: self.zero }
    }

    /// Something that classifies rows.
    pub fn predictor(&self, how: PredictOptions) -> Predictor<'_> {
        Predictor { model: self, how, norms: OnceCell::new(), is_checked: false }
    }

    fn scaled<'r>(&self, rows: &'r Rows<'r>) -> Result<Cow<'r, Rows<'r>>, PredictError> {
        match &self.scaling {
            None => Ok(Cow::Borrowed(rows)),
            Some(scaling) => Ok(Cow::Owned(scaling.batch(rows)?)),
        }
    }
}

/// Labels and scores of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Predictions {
    /// The number of the class of each row.
    pub classes: Vec<u32>,
    /// For each row the score of each hyperplane; empty unless scores were asked for.
    pub scores: Vec<f64>,
}

impl Predictor<'_> {
    /// The classes of a batch of unscaled rows, decided exactly, and if asked for the scores. A score is
    /// rounded once from the scaled values (those of a [`Tally`] other than the vote are
    /// sums of floats).
    ///
    /// # Errors
    /// [`PredictError`]: rows of other features than [`Model::features`], a model that does not fit together, a row
    /// that scaling makes overflow, or whose kernel values could.
    pub fn predict(&mut self, rows: &Rows<'_>, scores: bool) -> Result<Predictions, PredictError> {
        let by = (self.model.decision(), self.how);
        if !self.is_checked {
            self.model.classifier.check(by.0.scheme)?;
            self.is_checked = true;
        }
        let scaled = self.model.scaled(rows)?;
        self.model.classifier.classify_with(&scaled, by, scores, &self.norms)
    }
}

/// Rows whose kernel values stay in the range.
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

fn by_scores(of_rows: &impl Scores, by: Decision, rows: &Rows<'_>, scores: bool) -> Predictions {
    let all = 0..rows.len();
    let classes = all.clone().map(|row| of_rows.class(by, row) as u32).collect();
    let of_row = |row| (0..of_rows.planes()).map(move |plane| of_rows.score(plane, row));
    Predictions { classes, scores: all.filter(|_| scores).flat_map(of_row).collect() }
}

impl Baseline {
    /// The classes that the prototypes give a batch of unscaled rows, scaled as for `model`; none where
    /// there are no prototypes.
    ///
    /// # Errors
    /// [`PredictError`]: rows of other features, prototypes of another number or width, a row that scaling makes
    /// overflow.
    pub fn predict(&self, model: &Model, rows: &Rows<'_>) -> Result<Vec<u32>, PredictError> {
        if self.prototypes.is_empty() {
            return Ok(Vec::new());
        }
        let scaled = model.scaled(rows)?;
        same_features(&scaled, model.features())?;
        check_planes(&self.prototypes, model.classes.scheme(), model.features())?;
        let scores = LinearScores::new(&self.prototypes, &scaled);
        Ok(by_scores(&scores, model.decision(), &scaled, false).classes)
    }
}

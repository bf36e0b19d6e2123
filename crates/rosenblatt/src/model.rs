//! The model: everything needed to classify a row as it stands in the data.

use std::{borrow::Cow, cell::OnceCell};

use crate::{
    data::{Classes, Rows, Scaling, Scheme, Sign},
    keep::{Tally, Voted},
    prototype::Baseline,
    space::{Expanded, Hyperplane, Kernel, OnRows, Packed, Scores, Support},
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
    /// What any model should be better than.
    pub baseline: Baseline,
}

/// How a model is used; nothing here changes the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// How a vote becomes a score.
    pub tally: Tally,
    /// Threads, for models in the dual form; 0 counts as 1.
    pub threads: usize,
}

/// A row whose scaled values, kernel values or tally are not finite; counted from 0 among the rows that
/// were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what is computed of row {} is past the range of 64-bit numbers", .0 + 1)]
pub struct ScaledRow(pub usize);

/// Classifies rows as they stand in the data, batch after batch.
#[derive(Clone, Debug)]
pub struct Predictor<'m> {
    model: &'m Model,
    how: Use,
    /// The lengths of a voted model's weights, once they are needed.
    norms: OnceCell<Vec<Vec<f64>>>,
}

impl Model {
    /// The number of features.
    pub fn features(&self) -> usize {
        self.classifier.features()
    }

    /// Something that classifies rows.
    pub fn predictor(&self, how: Use) -> Predictor<'_> {
        Predictor { model: self, how, norms: OnceCell::new() }
    }

    fn scaled<'r>(&self, rows: &'r Rows<'r>) -> Result<Cow<'r, Rows<'r>>, ScaledRow> {
        match &self.scaling {
            None => Ok(Cow::Borrowed(rows)),
            Some(scaling) => scaling.batch(rows).map(Cow::Owned).map_err(ScaledRow),
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
    /// sums of floats). The features of the rows must be below [`Model::features`].
    ///
    /// # Errors
    /// [`ScaledRow`] when scaling makes a row overflow, or its kernel values could.
    pub fn predict(&mut self, rows: &Rows<'_>, scores: bool) -> Result<Predictions, ScaledRow> {
        let scaled = self.model.scaled(rows)?;
        self.of_scaled(&scaled, scores)
    }

    fn of_scaled(&self, rows: &Rows<'_>, scores: bool) -> Result<Predictions, ScaledRow> {
        let scheme = self.model.classes.scheme();
        let threads = self.how.threads.max(1);
        Ok(match &self.model.classifier {
            Classifier::Linear(planes) => {
                by_scores(&OnRows::new(planes, rows), scheme, rows, scores)
            }
            Classifier::Dual(Dual { kernel, support, planes }) => {
                let packed = packed(*kernel, support, rows)?;
                let (support, packed) = (Cow::Borrowed(&support.rows), Cow::Owned(packed));
                let expanded = Expanded::new(*kernel, (support, &[]), planes, packed, threads);
                by_scores(&expanded, scheme, rows, scores)
            }
            Classifier::Voted(voted) => {
                let packed = packed(voted.kernel, &voted.support, rows)?;
                let all = voted.scores_with(&packed, self.how.tally, threads, &self.norms);
                if let Some(bad) = all.iter().position(|score| !score.is_finite()) {
                    return Err(ScaledRow(bad / scheme.hyperplanes()));
                }
                let class = |scores: &[f64]| class_of(scheme, scores) as u32;
                let classes = all.chunks(scheme.hyperplanes()).map(class).collect();
                Predictions { classes, scores: if scores { all } else { Vec::new() } }
            }
        })
    }
}

/// Rows whose kernel values stay in the range.
fn packed(kernel: Kernel, support: &Support, rows: &Rows<'_>) -> Result<Packed, ScaledRow> {
    let packed = Packed::new(rows);
    match support.first_out_of_range(kernel, &packed) {
        Some(row) => Err(ScaledRow(row)),
        None => Ok(packed),
    }
}

fn by_scores(of_rows: &impl Scores, scheme: Scheme, rows: &Rows<'_>, scores: bool) -> Predictions {
    let all = 0..rows.len();
    let classes = all.clone().map(|row| of_rows.class(scheme, row) as u32).collect();
    let of_row = |row| (0..of_rows.planes()).map(move |plane| of_rows.score(plane, row));
    Predictions { classes, scores: all.filter(|_| scores).flat_map(of_row).collect() }
}

fn class_of(scheme: Scheme, scores: &[f64]) -> usize {
    match (scheme, decide(scores)) {
        (Scheme::Two { positive }, (_, Sign::Minus)) => 1 - positive,
        (scheme, (plane, _)) => scheme.class_of(plane),
    }
}

/// The hyperplane and the sign that scores decide for: the sign of the only score, or the first of the
/// highest.
pub(crate) fn decide(scores: &[f64]) -> (usize, Sign) {
    match scores {
        [score] => (0, if *score < 0.0 { Sign::Minus } else { Sign::Plus }),
        _ => {
            let highest = |best: usize, plane: usize| {
                if scores[plane] > scores[best] { plane } else { best }
            };
            ((1..scores.len()).fold(0, highest), Sign::Plus)
        }
    }
}

impl Baseline {
    /// The classes that the prototypes give a batch of unscaled rows, scaled as for `model`; none where
    /// there are no prototypes.
    ///
    /// # Errors
    /// [`ScaledRow`] when scaling makes a row overflow.
    pub fn predict(&self, model: &Model, rows: &Rows<'_>) -> Result<Vec<u32>, ScaledRow> {
        if self.prototypes.is_empty() {
            return Ok(Vec::new());
        }
        let scaled = model.scaled(rows)?;
        let scores = OnRows::new(&self.prototypes, &scaled);
        Ok(by_scores(&scores, model.classes.scheme(), &scaled, false).classes)
    }
}

//! Explanations: what each feature of a row adds to the scores of a linear model.
//!
//! A score is `w·x + b` for the prepared row x, and the contribution of feature j is `w_j·x_j`. It is that of the feature against its
//! prepared value 0: for a scaling that subtracts the mean against the mean, for counts, categories and other sparse features
//! against their absence. These are the Shapley values of a linear model against a row whose prepared values are 0 (Lundberg
//! & Lee, *A unified approach to interpreting model predictions*, 2017, corollary 1).

use std::borrow::Cow;

use crate::{
    data::Rows,
    exact::{self, Accumulator},
    hyperplane::Hyperplane,
    model::{Classifier, Model, PredictError, RowOverflow, ensure_features},
    transforms::Preparation,
};

/// A model or rows without explanations.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// A kernel, or a vote of several hyperplanes.
    #[error(
        "only the score of a linear model is a sum over the features, not that of a kernel or a vote"
    )]
    NotLinear,
    /// Rows that cannot be classified, or whose contributions are not finite.
    #[error(transparent)]
    Predict(#[from] PredictError),
}

/// The scores of rows as sums over the features.
#[derive(Debug)]
pub struct Explanations<'m, 'r> {
    planes: &'m [Hyperplane],
    prepared: Cow<'r, Rows<'r>>,
}

/// The score of one row and one hyperplane as a sum over the features.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The score, rounded once, as predictions have it.
    pub score: f64,
    /// The bias: the score of a row whose prepared values are all 0.
    pub bias: f64,
    /// The features, counted from 0, that add something, in their order, with what each adds, rounded once.
    pub contributions: Vec<(usize, f64)>,
}

/// An [`Explanation`] by few features.
#[derive(Clone, Debug, PartialEq)]
pub struct Largest {
    /// The features that add most to the score or take most from it, the largest first, equal ones in their order.
    pub contributions: Vec<(usize, f64)>,
    /// What the bias and [`Self::contributions`] lack to the score, rounded once: the contributions of all other features, or
    /// the roundings of the contributions if there are none.
    pub others: f64,
    /// The number of the other features.
    pub left: usize,
}

impl<'m, 'r> Explanations<'m, 'r> {
    /// Explains the scores of a classifier of prepared rows. Cost: that of the preparation.
    ///
    /// # Errors
    /// [`ExplainError`].
    pub fn new(
        classifier: &'m Classifier,
        preparation: &Preparation,
        rows: &'r Rows<'r>,
    ) -> Result<Self, ExplainError> {
        let planes = classifier.linear().ok_or(ExplainError::NotLinear)?;
        let prepared = preparation.batch(rows).map_err(PredictError::from)?;
        ensure_features(&prepared, classifier.features())?;
        Ok(Explanations { planes, prepared })
    }

    /// Explains the score of `row` for `hyperplane`, both counted from 0: of two classes there is one hyperplane, otherwise one for
    /// each class. Cost: one pass over the row.
    ///
    /// # Errors
    /// [`ExplainError::Predict`] if a contribution is past the range of floats.
    ///
    /// # Panics
    /// If there is no such row or hyperplane.
    pub fn of(&self, row: usize, hyperplane: usize) -> Result<Explanation, ExplainError> {
        let Hyperplane { weights, bias } = &self.planes[hyperplane];
        let values = self.prepared.row(row);
        let mut contributions = Vec::new();
        values.for_each(|feature, value| {
            let product = weights[feature] * value;
            if product != 0.0 {
                contributions.push((feature, product));
            }
        });
        let score = exact::score(weights, *bias, values);
        match score.is_finite() && contributions.iter().all(|(_, product)| product.is_finite()) {
            true => Ok(Explanation { score, bias: *bias, contributions }),
            false => Err(PredictError::from(RowOverflow(row)).into()),
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.prepared.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of hyperplanes.
    pub fn hyperplanes(&self) -> usize {
        self.planes.len()
    }
}

impl Explanation {
    /// The explanation by the `most` features that matter most.
    pub fn largest(&self, most: usize) -> Largest {
        let mut contributions = self.contributions.clone();
        contributions.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let left = contributions.len().saturating_sub(most);
        contributions.truncate(most);
        let mut others = Accumulator::new();
        others.add(self.score);
        others.add(-self.bias);
        contributions.iter().for_each(|&(_, contribution)| others.add(-contribution));
        Largest { contributions, others: others.rounded(), left }
    }
}

impl Model {
    /// Explains the scores of rows by what each feature adds.
    ///
    /// # Errors
    /// [`ExplainError`].
    pub fn explain<'r>(&self, rows: &'r Rows<'r>) -> Result<Explanations<'_, 'r>, ExplainError> {
        Explanations::new(self.classifier(), self.preparation(), rows)
    }
}

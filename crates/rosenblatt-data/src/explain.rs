//! Explanations of scores by the names of the features.

use std::collections::HashMap;

use rosenblatt_core::{data::Row, explanation::Explanation};
use serde::Serialize;

use crate::table::schema::Schema;

/// The features of a model, to name those of an [`Explanation`].
///
/// ```
/// use rosenblatt_core::explanation::Explanation;
/// use rosenblatt_data::{Schema, explain::NamedFeatures, schema::Inputs};
/// let features = NamedFeatures::new(&Schema::of_names(vec!["age".to_owned(), "fare".to_owned()]));
/// let explanation = Explanation { score: 1.5, bias: 0.5, contributions: vec![(0, -1.0), (1, 2.0)] };
/// let named = features.explained(&explanation, (&[40.0, 8.0]).into(), 1);
/// assert_eq!((named.contributions[0].feature.as_str(), named.contributions[0].value), ("fare", 8.0));
/// assert_eq!(named.others, -1.0);
/// ```
#[derive(Clone, Debug)]
pub struct NamedFeatures {
    names: Vec<String>,
    directions: Vec<f64>,
    presences: Vec<bool>,
}

/// The score of a row as a sum: the bias, the contributions and that of all others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NamedExplanation {
    /// The score of a row whose prepared values are all 0.
    pub bias: f64,
    /// The features that matter most, the largest contribution first.
    pub contributions: Vec<NamedContribution>,
    /// What bias and contributions lack to the score: the contributions of the other features, or the roundings.
    pub others: f64,
    /// The number of the other features that contribute.
    #[serde(skip)]
    pub left: usize,
}

/// What a feature adds to a score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NamedContribution {
    /// Its name, as [`Schema::feature_names`] has it.
    pub feature: String,
    /// Its value as it stands in the data; 1 for a category, and for a word how often it occurs.
    pub value: f64,
    /// What it adds to the score, rounded once.
    pub contribution: f64,
    /// Whether the name says that something is there, a category or a word, so that the value is only how often.
    #[serde(skip)]
    pub is_presence: bool,
}

impl NamedFeatures {
    /// The features of a schema. Cost: a text for each feature.
    pub fn new(schema: &Schema) -> Self {
        NamedFeatures {
            names: schema.feature_names(),
            directions: schema.feature_directions(),
            presences: schema.feature_presences(),
        }
    }

    /// The name of a feature.
    pub fn name(&self, feature: usize) -> &str {
        &self.names[feature]
    }

    /// For a feature whose name is a word that counts with the sign −1 that sign, else 1.
    pub fn direction(&self, feature: usize) -> f64 {
        self.directions[feature]
    }

    /// Whether the name of a feature says that something is there: a category, a word or that a cell is missing.
    pub fn is_presence(&self, feature: usize) -> bool {
        self.presences[feature]
    }

    /// An explanation by the `most` features that matter most; `row` is the row before its preparation.
    pub fn explained(
        &self,
        explanation: &Explanation,
        row: Row<'_>,
        most: usize,
    ) -> NamedExplanation {
        let largest = explanation.largest(most);
        let mut values: HashMap<usize, f64> =
            largest.contributions.iter().map(|&(feature, _)| (feature, 0.0)).collect();
        row.for_each(|feature, value| {
            if let Some(of_feature) = values.get_mut(&feature) {
                *of_feature = value * self.directions[feature] + 0.0;
            }
        });
        let named = |(feature, contribution): (usize, f64)| NamedContribution {
            feature: self.names[feature].clone(),
            value: values[&feature],
            contribution,
            is_presence: self.presences[feature],
        };
        NamedExplanation {
            bias: explanation.bias,
            contributions: largest.contributions.into_iter().map(named).collect(),
            others: largest.others,
            left: largest.left,
        }
    }
}

//! All that a model file holds, as one JSON object with names instead of places.

use rosenblatt_core::{
    calibration::Calibration,
    model::{Classifier, Model},
    report::Report,
    space::{Hyperplane, Support},
    train::Options,
    transforms::PreparationText,
};
use serde::Serialize;

use super::dual::DualForm;
use super::weights::{NamedWeight, largest_weights, unscaled_bias};
use crate::{files::model::ModelFile, table::schema::Schema};

/// A row that supports the model.
#[derive(Clone, Debug, Serialize)]
pub struct Supporting {
    /// Its place among the training examples, from 1.
    pub example: usize,
    /// How often each hyperplane was updated by it: the α of the dual form.
    pub counts: Vec<u64>,
    /// Its coefficient in each hyperplane; absent where hyperplanes vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coefficients: Option<Vec<f64>>,
}

/// The hyperplane of one class against the rest.
#[derive(Clone, Debug, Serialize)]
struct OfClass {
    class: String,
    bias: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    unscaled_bias: Option<f64>,
    weights: Vec<NamedWeight>,
}

/// The content of a model file, to be written as one JSON object. Weights are in falling size; those of several
/// classes in `per_class`, of models in the dual form the supporting rows instead.
#[derive(Clone, Debug, Serialize)]
pub struct Description<'a> {
    classes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    positive: Option<&'a str>,
    features: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    feature_names: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bias: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unscaled_bias: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<NamedWeight>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_class: Option<Vec<OfClass>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    support: Option<Vec<Supporting>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dual: Option<DualForm>,
    options: &'a Options,
    report: &'a Report,
    #[serde(flatten)]
    preparation: PreparationText<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration: Option<&'a Calibration>,
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    idf: &'a [f64],
    schema: &'a Schema,
    tool_version: &'a str,
    #[serde(skip)]
    classifier: &'a Classifier,
}

impl<'a> Description<'a> {
    /// The description of `file`.
    pub fn of(file: &'a ModelFile) -> Self {
        let classes = file.model.classes();
        let only = match (file.model.classifier().linear(), classes.pair()) {
            (Some([plane]), Some(_)) => Some(plane),
            _ => None,
        };
        let several = file.model.classifier().linear().filter(|_| only.is_none());
        let of_class = |(class, plane): (usize, &Hyperplane)| OfClass {
            class: classes.names()[class].clone(),
            bias: plane.bias,
            unscaled_bias: unscaled_bias(file, plane),
            weights: largest_weights(file, plane),
        };
        Description {
            classes: classes.names(),
            positive: classes.positive(),
            features: file.model.features(),
            feature_names: None,
            bias: only.map(|plane| plane.bias),
            unscaled_bias: only.and_then(|plane| unscaled_bias(file, plane)),
            threshold: only.map(|plane| 0.0 - plane.bias),
            weights: only.map(|plane| largest_weights(file, plane)),
            per_class: several.map(|planes| planes.iter().enumerate().map(of_class).collect()),
            support: file.model.classifier().support().map(|rows| supporting(&file.model, rows)),
            dual: None,
            options: file.model.options(),
            report: file.model.report(),
            preparation: file.model.preparation().text(),
            calibration: file.model.calibration(),
            idf: file.model.preparation().factors(),
            schema: &file.schema,
            tool_version: &file.tool_version,
            classifier: file.model.classifier(),
        }
    }

    /// With all that a prediction needs: of linear models `feature_names`, in the order of the features, which is that of the
    /// numbers of the scaling, and of others their [`DualForm`]. (Models in the dual form may have billions of features that no row has.)
    #[must_use]
    pub fn whole(self) -> Self {
        let feature_names = self.support.is_none().then(|| self.schema.feature_names());
        Description { feature_names, dual: DualForm::of(self.classifier), ..self }
    }
}

/// The supporting rows, those most often misclassified first, then in the order of the training data.
pub fn supporting(model: &Model, support: &Support) -> Vec<Supporting> {
    let planes = match model.classifier() {
        Classifier::Dual(dual) => Some(&dual.planes),
        _ => None,
    };
    let one = |row: usize| Supporting {
        example: support.examples[row] + 1,
        counts: support.counts.iter().map(|counts| counts[row]).collect(),
        coefficients: planes.map(|planes| planes.iter().map(|plane| plane.weights[row]).collect()),
    };
    let mut all: Vec<Supporting> = (0..support.examples.len()).map(one).collect();
    let total = |one: &Supporting| one.counts.iter().sum::<u64>();
    all.sort_by_key(|one| (std::cmp::Reverse(total(one)), one.example));
    all
}

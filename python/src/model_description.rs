//! A model file without its classifier, as Python sees it.

use pyo3::prelude::*;
use rosenblatt_core::{
    calibration::Calibration,
    data::Classes,
    model::{self, Model, ModelParts},
    prototype::Baseline,
    report::Report,
    train::{ClassWeight, Options},
    transforms::Preparation,
};
use rosenblatt_data::{Format, ModelFile, Schema, model_file::LabelType, schema::Inputs};
use serde::{Deserialize, Serialize};

use crate::errors::value_error;

/// The learned parts of a model, borrowed.
#[derive(Clone, Copy)]
pub(crate) struct Learned<'a> {
    pub(crate) inner: &'a model::Classifier,
    pub(crate) preparation: &'a Preparation,
    pub(crate) calibration: Option<&'a Calibration>,
}

/// A model file without its classifier; Python has it as JSON.
#[derive(Deserialize, Serialize)]
pub(crate) struct ModelDescription {
    /// The names of the classes, by number. With two classes, class 1 is positive.
    classes: Vec<String>,
    class_sizes: Vec<usize>,
    /// The sizes of the classes among the examples of the data that the run did not learn from; empty if there are none.
    #[serde(default)]
    held_out: Vec<usize>,
    /// The Python type of the labels, if it is known.
    label_type: Option<LabelType>,
    features: usize,
    #[serde(default)]
    feature_names: Option<Vec<String>>,
    #[serde(default)]
    sparse: bool,
    /// The schema of a model that was read from a file.
    #[serde(default)]
    schema: Option<Schema>,
    options: Options,
    report: Report,
}

impl ModelDescription {
    fn schema(&self) -> Schema {
        if let Some(schema) = &self.schema {
            return schema.clone();
        }
        match &self.feature_names {
            Some(names) => Schema::of_names(names.clone()),
            None if self.sparse => Schema::of_indexed(self.features),
            None => Schema::of_numbered(self.features),
        }
    }

    fn file_classes(&self) -> PyResult<Classes> {
        let names = self.classes.clone();
        let classes = match <[String; 2]>::try_from(names) {
            Ok(pair) => Classes::two(pair, 1),
            Err(names) => Classes::many(names),
        };
        classes.ok_or_else(|| {
            let (maximum, names) = (Classes::MOST, self.classes.join(", "));
            value_error(format!(
                "a file has 2 to {maximum} classes whose names differ as text, not {names}"
            ))
        })
    }

    pub(crate) fn model_file(self, learned: Learned<'_>) -> PyResult<ModelFile> {
        let Learned { inner, preparation, calibration } = learned;
        let classes = self.file_classes()?;
        let (class_sizes, held_out) = (self.class_sizes.clone(), self.held_out.clone());
        let schema = self.schema();
        if schema.features() != inner.features() {
            let (table, model) = (schema.features(), inner.features());
            return Err(value_error(format!(
                "the columns of the table give {table} features, and the model has {model}"
            )));
        }
        let baseline = Baseline { prototypes: Vec::new(), class_sizes };
        let ModelDescription { options, report, label_type, .. } = self;
        let parts = ModelParts {
            classifier: inner.clone(),
            preparation: preparation.clone(),
            classes,
            baseline,
            calibration: calibration.cloned(),
            options,
            report,
        };
        let model = Model::new(parts).map_err(value_error)?;
        Ok(ModelFile { label_type, held_out, ..ModelFile::new(model, schema) })
    }

    pub(crate) fn from_model_file(file: &ModelFile) -> Self {
        let names = file.model.classes().names();
        let sizes = &file.model.baseline().class_sizes;
        // The positive class comes last.
        let order: Vec<usize> = match file.model.classes().sign(&names[0]) {
            Some(rosenblatt_core::data::Sign::Plus) => vec![1, 0],
            _ => (0..names.len()).collect(),
        };
        let is_named = matches!(&file.schema.inputs, Inputs::Columns(_))
            && !matches!(file.schema.format, Format::Table { header: false, .. });
        ModelDescription {
            classes: order.iter().map(|&class| names[class].clone()).collect(),
            class_sizes: in_order(sizes, &order),
            held_out: in_order(&file.held_out, &order),
            label_type: file.label_type,
            features: file.model.features(),
            feature_names: is_named.then(|| file.schema.feature_names()),
            sparse: matches!(file.schema.inputs, Inputs::Indexed { .. }),
            schema: Some(file.schema.clone()),
            options: with_weights_in_order(file.model.options().clone(), &order),
            report: file.model.report().clone(),
        }
    }
}

/// The values of these classes; a class without a value is left out.
fn in_order<T: Copy>(values: &[T], order: &[usize]) -> Vec<T> {
    order.iter().filter_map(|&class| values.get(class).copied()).collect()
}

fn with_weights_in_order(options: Options, order: &[usize]) -> Options {
    let class_weight = match &options.class_weight {
        ClassWeight::Given(weights) => ClassWeight::Given(in_order(weights, order)),
        other => other.clone(),
    };
    Options { class_weight, ..options }
}

/// A model file whose classes have numbers as names, for pickle.
pub(crate) fn unnamed_model(
    learned: Learned<'_>,
    options: &Options,
    report: &Report,
) -> PyResult<ModelFile> {
    let planes = match learned.inner {
        model::Classifier::Linear(planes) => planes.len(),
        model::Classifier::Dual(dual) => dual.planes.len(),
        model::Classifier::Voted(voted) => voted.paths.len(),
    };
    let classes = planes.max(2);
    let description = ModelDescription {
        classes: (0..classes).map(|class| class.to_string()).collect(),
        class_sizes: vec![0; classes],
        held_out: Vec::new(),
        label_type: None,
        features: learned.inner.features(),
        feature_names: None,
        sparse: true,
        schema: None,
        options: options.clone(),
        report: report.clone(),
    };
    description.model_file(learned)
}

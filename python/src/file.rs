//! Model files, and what else a model can be written as.

use std::{
    ffi::CStr,
    io,
    path::{Path, PathBuf},
};

use pyo3::{exceptions::PyUserWarning, prelude::*, types::PyBytes};
use rosenblatt::{
    data::{Classes, Scaling},
    model::{self, Model},
    prototype::Baseline,
    report::Report,
    train::{ClassWeight, Options},
};
use rosenblatt_data::{
    AtomicFile, Delimiter, Format, LoadedModel, ModelFile, Schema,
    export::ExportFormat,
    model_file::LabelType,
    prepare,
    schema::{Column, Columns, Inputs},
};
use serde::{Deserialize, Serialize};

use crate::{
    classifier::Classifier,
    failure::{of_model_file, value},
};

/// A model without its classifier, as Python has it.
#[derive(Deserialize, Serialize)]
struct Description {
    /// The names of the classes in the order of their numbers: of two the later one is positive.
    classes: Vec<String>,
    class_sizes: Vec<usize>,
    /// What a label is in Python, where that is known.
    label_type: Option<LabelType>,
    features: usize,
    /// Where the columns have names.
    #[serde(default)]
    feature_names: Option<Vec<String>>,
    /// Whether it was trained on sparse rows.
    #[serde(default)]
    sparse: bool,
    /// Where it was read from a file.
    #[serde(default)]
    schema: Option<Schema>,
    scaling: Option<Scaling>,
    options: Options,
    report: Report,
}

impl Description {
    fn schema(&self) -> Schema {
        if let Some(schema) = &self.schema {
            return schema.clone();
        }
        let features = self.features;
        if self.sparse && self.feature_names.is_none() {
            let format = Format::Libsvm { zero_based: false };
            return Schema { format, inputs: Inputs::Indexed { features } };
        }
        let name = |j: usize| match &self.feature_names {
            Some(names) => names[j].clone(),
            None => (j + 1).to_string(),
        };
        let column = |j| Column { name: name(j), position: j + 1, categories: None, words: None };
        let all: Vec<Column> = (0..features).map(column).collect();
        let header = self.feature_names.is_some();
        let mut target = if header { "target".to_owned() } else { (features + 1).to_string() };
        while all.iter().any(|column| column.name == target) {
            target.push('_');
        }
        let columns = Columns {
            count: features + 1,
            target,
            target_position: features + 1,
            features: all,
            ignored: Vec::new(),
        };
        let format = Format::Table { delimiter: Delimiter::Byte(b','), header };
        Schema { format, inputs: Inputs::Columns(columns) }
    }

    /// The classes as a file has them, in this order.
    fn file_classes(&self) -> PyResult<Classes> {
        let names = self.classes.clone();
        let classes = match <[String; 2]>::try_from(names) {
            Ok(pair) => Classes::two(pair, 1),
            Err(names) => Classes::many(names),
        };
        classes.ok_or_else(|| {
            let (most, names) = (Classes::MOST, self.classes.join(", "));
            value(format!("a file has 2 to {most} classes whose names differ as text, not {names}"))
        })
    }

    fn model_file(self, classifier: model::Classifier) -> PyResult<ModelFile> {
        let classes = self.file_classes()?;
        let class_sizes = self.class_sizes.clone();
        let schema = self.schema();
        let baseline = Baseline { prototypes: Vec::new(), class_sizes };
        let zero = self.options.zero;
        Ok(ModelFile {
            schema,
            model: Model { classifier, scaling: self.scaling, classes, zero, baseline },
            options: self.options,
            report: self.report,
            label_type: self.label_type,
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }

    fn of(file: &ModelFile) -> Self {
        let names = file.model.classes.names();
        let sizes = &file.model.baseline.class_sizes;
        // The positive one comes last.
        let order: Vec<usize> = match file.model.classes.sign(&names[0]) {
            Some(rosenblatt::data::Sign::Plus) => vec![1, 0],
            _ => (0..names.len()).collect(),
        };
        let is_named = matches!(&file.schema.inputs, Inputs::Columns(_))
            && !matches!(file.schema.format, Format::Table { header: false, .. });
        Description {
            classes: order.iter().map(|&class| names[class].clone()).collect(),
            class_sizes: in_order(sizes, &order),
            label_type: file.label_type,
            features: file.model.features(),
            feature_names: is_named.then(|| file.schema.feature_names()),
            sparse: matches!(file.schema.inputs, Inputs::Indexed { .. }),
            schema: Some(file.schema.clone()),
            scaling: file.model.scaling.clone(),
            options: with_weights_in_order(file.options.clone(), &order),
            report: file.report.clone(),
        }
    }
}

/// What belongs to the classes at these places; nothing of places that are not there.
fn in_order<T: Copy>(of_classes: &[T], order: &[usize]) -> Vec<T> {
    order.iter().filter_map(|&class| of_classes.get(class).copied()).collect()
}

fn with_weights_in_order(options: Options, order: &[usize]) -> Options {
    let class_weight = match &options.class_weight {
        ClassWeight::Given(weights) => ClassWeight::Given(in_order(weights, order)),
        other => other.clone(),
    };
    Options { class_weight, ..options }
}

fn model_file(classifier: &Classifier, description: &str) -> PyResult<ModelFile> {
    let description: Description = serde_json::from_str(description).map_err(value)?;
    description.model_file(classifier.inner.clone())
}

/// Writes a model file, whole or not at all. `description` is JSON.
#[pyfunction]
pub(crate) fn save(
    py: Python<'_>,
    path: PathBuf,
    classifier: &Bound<'_, Classifier>,
    description: &str,
) -> PyResult<()> {
    let file = model_file(classifier.get(), description)?;
    py.detach(|| prepare(&path)).map_err(|error| named(&path, error))?;
    py.detach(|| file.save(&path)).map_err(of_model_file)
}

/// What is said of a model file of the first format version.
const WITHOUT_CHECKSUM: &CStr =
    c"the model file has no checksum, so damage to it cannot be seen: it is of format \
    version 1, written by an older rosenblatt";

/// Reads a model file: the classifier, and the rest as JSON.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, path: PathBuf) -> PyResult<(Classifier, String)> {
    let LoadedModel { file, has_checksum } =
        py.detach(|| LoadedModel::load(&path)).map_err(of_model_file)?;
    if !has_checksum {
        // Shown at the line that calls `rosenblatt.load`.
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), WITHOUT_CHECKSUM, 2)?;
    }
    let description = serde_json::to_string(&Description::of(&file)).map_err(value)?;
    Ok((of_file(file), description))
}

/// The bytes of a model as `onnx`, `json` or `csv`.
#[pyfunction]
pub(crate) fn export<'py>(
    py: Python<'py>,
    classifier: &Bound<'py, Classifier>,
    description: &str,
    format: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let format = match format {
        "onnx" => ExportFormat::Onnx,
        "json" => ExportFormat::Json,
        "csv" => ExportFormat::Csv,
        other => return Err(value(format!("expected onnx, json or csv, found `{other}`"))),
    };
    let file = model_file(classifier.get(), description)?;
    let bytes = py.detach(|| rosenblatt_data::export::export(&file, format));
    Ok(PyBytes::new(py, &bytes.map_err(value)?))
}

/// Writes a file, whole or not at all.
#[pyfunction]
pub(crate) fn write(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    let write = || prepare(&path).and_then(|()| AtomicFile::write(&path, content));
    Ok(py.detach(write).map_err(|error| named(&path, error))?)
}

/// The same error with the name of the file.
fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn of_file(file: ModelFile) -> Classifier {
    let run = Some(Box::new((file.options, file.report)));
    Classifier { inner: file.model.classifier, run }
}

/// For pickle: the bytes of a model file of nobody's.
pub(crate) fn bytes_of(classifier: &Classifier) -> PyResult<Vec<u8>> {
    let Some((options, report)) = classifier.run.as_deref() else {
        return Err(value("only the classifier of a run can be pickled"));
    };
    let planes = match &classifier.inner {
        model::Classifier::Linear(planes) => planes.len(),
        model::Classifier::Dual(dual) => dual.planes.len(),
        model::Classifier::Voted(voted) => voted.paths.len(),
    };
    let classes = planes.max(2);
    let description = Description {
        classes: (0..classes).map(|class| class.to_string()).collect(),
        class_sizes: vec![0; classes],
        label_type: None,
        features: classifier.inner.features(),
        feature_names: None,
        sparse: true,
        schema: None,
        scaling: None,
        options: options.clone(),
        report: report.clone(),
    };
    description.model_file(classifier.inner.clone())?.to_bytes().map_err(value)
}

/// What [`bytes_of`] wrote.
pub(crate) fn of_bytes(bytes: &[u8]) -> PyResult<Classifier> {
    let file = ModelFile::from_bytes("the pickled model", bytes).map_err(of_model_file)?;
    Ok(of_file(file))
}

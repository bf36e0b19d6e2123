//! The model file: one safetensors file.
//!
//! Tensors, with H = 1 hyperplane for two classes and one for each of more:
//!
//! | tensor | type and shape | in |
//! |---|---|---|
//! | `weights`, `bias` | F64 H × features, F64 H | linear models |
//! | `coefficients`, `bias` | F64 H × rows, F64 H | dual models |
//! | `path.offsets`, `path.start` | U64 H + 1, U64 H | voted models: the updates of each hyperplane, the visits before the first |
//! | `path.rows`, `path.steps`, `path.survived` | U32, F64, U64, one an update | voted models: supporting row, signed step, visits survived |
//! | `support.offsets`, `support.indices`, `support.values` | U64 rows + 1, U32, F64 | dual and voted models: the supporting rows in CSR form |
//! | `support.examples`, `support.counts` | U64 rows, U64 H × rows | their places in the training data from 0, and how often each was misclassified |
//! | `prototype.weights`, `prototype.bias` | F64 H × features, F64 H | the nearest-mean baseline, unless it is too large |
//! | `calibration.slope`, `calibration.intercept` | F64 H, F64 H | models that `platt` or `temperature` calibrated; of `temperature` all slopes are equal, and the intercepts 0 |
//! | `calibration.S.offsets`, `.starts`, `.values` | U64 H + 1, F64 steps, F64 steps + H | calibrated models, S being `steps` for `isotonic`, `lower` and `upper` for `venn-abers`: of each hyperplane the scores of the steps, and the value before them and from each on |
//! | `weighting.idf` | F64 features | models with the weighting `tfidf` or a document frequency: the factor of each feature, 0 for one that is left out |
//! | `checksum` | U64 1 | all from format version 2 on: the sum of all words of the file but its own |
//!
//! Everything else is one JSON text in the
//! header's metadata under the key `rosenblatt`: format version, versions, options, classes, schema,
//! weighting, document frequency, scaling, normalising, calibration, report. A model with a document frequency has format
//! version 6 (one with interactions 7, one whose labels follow probabilities 8), one of n-grams of characters 5, one of
//! weighted counts or with a calibration 4, one of normalised rows 3, any other 2. Files of every format version that was ever released are read; a newer
//! one is refused by its number.
//!
//! The content of a file is checked before it is used: a hostile file gives an error and nothing
//! else. A changed byte or a cut shows in the checksum; files of version 1 have none ([`LoadedModel`] says so).

use std::{collections::HashSet, io, path::Path};

use rosenblatt_core::{
    calibration::{Calibration, LabelsBy},
    data::{Classes, ZeroScore, excerpt},
    model::{Model, ModelParts},
    prototype::Baseline,
    report::Report,
    rules::Mistake,
    train::Options,
    transforms::PreparationText,
};

use super::{
    Stated,
    atomic_file::AtomicFile,
    calibration::{self, CalibrationText},
    safetensors_file::{self, DAMAGED, MODEL, TensorFile, WITH_INTERACTIONS, WITH_PROBABLE_LABELS},
    tensors::{self, ModelForm, PlanesShape, Refusal, Tensors, problem},
};
use crate::{room, table::schema::Schema};

/// The name of the tensor of the factors of the features.
const FACTORS: &str = "weighting.idf";
/// The first format version with calibrations.
const WITH_CALIBRATION: u64 = 4;
/// The first format version with n-grams of characters.
const WITH_CHARACTERS: u64 = 5;

/// A model with all that its file says.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFile {
    /// The classifier, with the options and the report of its training.
    pub model: Model,
    /// How files become its features.
    pub schema: Schema,
    /// The type of the labels where the model was trained, if that is not text.
    pub label_type: Option<LabelType>,
    /// The number of examples of each class that were held out from the data of the training, if any were.
    pub held_out: Vec<usize>,
    /// The version of the program that wrote it.
    pub tool_version: String,
}

/// A model file as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedModel {
    /// Its content.
    pub file: ModelFile,
    /// Whether it has a checksum, which is then right. Files of format version 1 have none: damage to their numbers
    /// cannot be seen.
    pub has_checksum: bool,
}

impl LoadedModel {
    /// Reads a file.
    ///
    /// # Errors
    /// [`ModelFileError`].
    pub fn load(path: &Path) -> Result<Self, ModelFileError> {
        let file = path.display().to_string();
        match safetensors_file::load(path) {
            Ok(bytes) => Self::from_bytes(&file, &bytes),
            Err(error) => Err(ModelFileError::Io { file, error }),
        }
    }

    /// Reads the bytes of a file; `file` is its name for messages.
    ///
    /// # Errors
    /// [`ModelFileError`].
    pub fn from_bytes(file: &str, bytes: &[u8]) -> Result<Self, ModelFileError> {
        decode(bytes, true).map_err(|refusal| {
            let file = file.to_owned();
            match refusal {
                Refusal::Problem(problem) => ModelFileError::NotAModel { file, problem },
                Refusal::Damaged => ModelFileError::Damaged { file },
                Refusal::Other => ModelFileError::IsACheckpoint { file },
                Refusal::Newer { found, tool_version } => {
                    ModelFileError::Newer { file, found, tool_version, newest: MODEL.newest }
                }
            }
        })
    }
}

/// The type of a label in a language that has types; in files all labels are text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LabelType {
    /// Whole numbers.
    Integer,
    /// Numbers with a fraction.
    Float,
    /// `True` and `False`.
    Boolean,
    /// Text, even where it looks like a number.
    Text,
}

/// The JSON text.
#[derive(serde::Serialize, serde::Deserialize)]
struct ModelText<'s> {
    format_version: u64,
    tool_version: String,
    form: ModelForm,
    classes: Classes,
    class_sizes: Vec<usize>,
    schema: Schema,
    options: Options,
    report: Report,
    #[serde(flatten)]
    preparation: PreparationText<'s>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    calibration: Option<CalibrationText>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    label_type: Option<LabelType>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    held_out: Vec<usize>,
}

impl ModelText<'_> {
    /// Whether there is a number of examples for each class, and of held-out ones unless there are none.
    fn has_sizes_of_classes(&self) -> bool {
        let classes = self.classes.names().len();
        let is_of_held_out = self.held_out.is_empty() || self.held_out.len() == classes;
        self.class_sizes.len() == classes && is_of_held_out
    }

    /// Reads the text. Where it does not say which class a score of 0 predicts, it is the class that the program
    /// predicted that wrote the file: the command predicted the positive class, the package for Python, which alone writes the type of labels, the negative
    /// one unless the run said otherwise by its rule for mistakes.
    fn read(text: &str) -> Result<Self, serde_json::Error> {
        let stated = serde_json::from_str::<Stated>(text)?.options;
        let mut metadata: ModelText = serde_json::from_str(text)?;
        let is_of_python = metadata.label_type.is_some();
        stated.complete(&mut metadata.options);
        metadata.options.zero = stated.zero.unwrap_or(match metadata.options.mistake {
            Mistake::Margin if is_of_python => ZeroScore::Negative,
            _ => ZeroScore::Positive,
        });
        Ok(metadata)
    }
}

/// A model file could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelFileError {
    /// Reading or writing failed.
    #[error("{file}: {error}")]
    Io {
        /// The file.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// The file is no model, or is damaged.
    #[error("{file}: this is not a rosenblatt model: {problem}", problem = excerpt(.problem))]
    NotAModel {
        /// The file.
        file: String,
        /// The problem.
        problem: String,
    },
    /// The bytes are not those that were written.
    #[error("{file}: {DAMAGED}")]
    Damaged {
        /// The file.
        file: String,
    },
    /// The file is a checkpoint of a run.
    #[error("{file}: this is a checkpoint of a run, not a model")]
    IsACheckpoint {
        /// The file.
        file: String,
    },
    /// The file was written by a newer program.
    #[error(
        "{file}: the model has format version {found}, written by rosenblatt {tool_version}; this program reads up to version {newest}",
        tool_version = excerpt(.tool_version)
    )]
    Newer {
        /// The file.
        file: String,
        /// Its format version.
        found: u64,
        /// The version of the program that wrote it.
        tool_version: String,
        /// The newest version that is read.
        newest: u64,
    },
}

/// Names that are not those of the features of a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NamesError {
    /// Not one name for each feature.
    #[error("there are {found} names for {expected} features")]
    Count {
        /// The number of names.
        found: usize,
        /// The number of features.
        expected: usize,
    },
    /// Two features of one name.
    #[error("two features have the name `{name}`")]
    Twice {
        /// The name.
        name: String,
    },
}

impl ModelFile {
    /// A model that this program trained from data of this schema.
    pub fn new(model: Model, schema: Schema) -> Self {
        let tool_version = env!("CARGO_PKG_VERSION").to_owned();
        ModelFile { model, schema, label_type: None, held_out: Vec::new(), tool_version }
    }

    /// A model that a program trained from rows in memory, with the names of their features: its file is for tables with these
    /// columns.
    ///
    /// # Errors
    /// [`NamesError`]: not one name for each feature, or a name twice.
    ///
    /// ```
    /// use rosenblatt::{Perceptron, Rows};
    /// use rosenblatt_data::ModelFile;
    /// let rows = Rows::dense(&[0.3, 4.0, 0.2, 3.5, 1.6, 450.0], 2)?;
    /// let model = Perceptron::new().fit(&rows, &["cat", "cat", "horse"])?;
    /// let file = ModelFile::named(model, ["height", "weight"])?;
    /// let animal = file.predict_record(&[("weight", "400"), ("height", "1.5")])?;
    /// assert_eq!(animal.label(), "horse");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn named<N: Into<String>>(
        model: Model,
        names: impl IntoIterator<Item = N>,
    ) -> Result<Self, NamesError> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let (found, expected) = (names.len(), model.features());
        if found != expected {
            return Err(NamesError::Count { found, expected });
        }
        let mut known = HashSet::new();
        if let Some(twice) = names.iter().find(|name| !known.insert(name.as_str())) {
            return Err(NamesError::Twice { name: twice.clone() });
        }
        Ok(ModelFile::new(model, Schema::of_names(names)))
    }

    /// The bytes of the file. Equal models give equal bytes.
    ///
    /// # Errors
    /// The error of the encoder, which no trained model can cause.
    pub fn to_bytes(&self) -> Result<Vec<u8>, String> {
        let metadata = ModelText {
            format_version: self.format_version(),
            tool_version: self.tool_version.clone(),
            form: ModelForm::of(self.model.classifier()),
            classes: self.model.classes().clone(),
            class_sizes: self.model.baseline().class_sizes.clone(),
            schema: self.schema.clone(),
            options: self.model.options().clone(),
            report: self.model.report().clone(),
            preparation: self.model.preparation().text(),
            calibration: self.model.calibration().map(CalibrationText::of),
            label_type: self.label_type,
            held_out: self.held_out.clone(),
        };
        let text = serde_json::to_string(&metadata).map_err(|error| error.to_string())?;
        let mut tensors = Tensors::default();
        tensors.classifier(self.model.classifier());
        let prototypes = &self.model.baseline().prototypes;
        if !prototypes.is_empty() {
            tensors.planes("prototype.weights", "prototype.bias", prototypes);
        }
        if let Some(calibration) = self.model.calibration() {
            calibration::write(&mut tensors, calibration);
        }
        let factors = self.model.preparation().factors();
        if !factors.is_empty() {
            tensors.floats(FACTORS, vec![factors.len()], factors.iter().copied());
        }
        MODEL.write(text, tensors)
    }

    /// The oldest format version whose programs predict as this model does: others would cut text into words, or predict
    /// without the products of columns, the probabilities or the preparation of rows.
    fn format_version(&self) -> u64 {
        let of_rows = self.model.preparation().named().format().model;
        let labels = self.model.calibration().map(Calibration::labels);
        let first_with = [
            (self.schema.has_interactions(), WITH_INTERACTIONS),
            (self.schema.has_characters(), WITH_CHARACTERS),
            (self.model.calibration().is_some(), WITH_CALIBRATION),
            (labels == Some(LabelsBy::Probability), WITH_PROBABLE_LABELS),
        ];
        let needed = first_with.into_iter().filter(|(is_there, _)| *is_there);
        needed.map(|(_, version)| version).fold(of_rows, u64::max)
    }

    /// Reads the bytes of a file; `file` is its name for messages.
    ///
    /// # Errors
    /// [`ModelFileError`].
    pub fn from_bytes(file: &str, bytes: &[u8]) -> Result<Self, ModelFileError> {
        LoadedModel::from_bytes(file, bytes).map(|loaded| loaded.file)
    }

    /// Reads the bytes of a file without its checksum, for tests of files that were changed on purpose.
    #[doc(hidden)]
    pub fn from_any_bytes(bytes: &[u8]) -> Option<Self> {
        decode(bytes, false).ok().map(|loaded| loaded.file)
    }

    /// Writes the file whole or not at all; see [`AtomicFile`].
    ///
    /// # Errors
    /// [`ModelFileError::Io`]; [`ModelFileError::NotAModel`] for a model that cannot be encoded, which no trained model is.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), ModelFileError> {
        let path = path.as_ref();
        let file = || path.display().to_string();
        let bytes = self
            .to_bytes()
            .map_err(|problem| ModelFileError::NotAModel { file: file(), problem })?;
        AtomicFile::write(path, &bytes).map_err(|error| ModelFileError::Io { file: file(), error })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`ModelFileError`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ModelFileError> {
        LoadedModel::load(path.as_ref()).map(|loaded| loaded.file)
    }
}

fn decode(bytes: &[u8], is_checked: bool) -> Result<LoadedModel, Refusal> {
    let TensorFile { text, tensors, has_checksum } = MODEL.read(bytes, is_checked)?;
    let metadata = ModelText::read(&text)?;
    let features = metadata.schema.features();
    check(&metadata, features)?;
    let planes = metadata.classes.scheme().hyperplanes();
    let shape = PlanesShape { planes, weights: features };
    let classifier = tensors::classifier(&tensors, &metadata.form, &metadata.options, shape)?;
    let prototypes = match tensors.names().contains(&"prototype.weights") {
        true => tensors::planes(&tensors, "prototype.weights", "prototype.bias", shape)?,
        false => Vec::new(),
    };
    let factors = || tensors::floats(&tensors, FACTORS, &[features]);
    let preparation = metadata.preparation.read(features, factors)?;
    let preparation = preparation.or_else(problem)?;
    let baseline = Baseline { prototypes, class_sizes: metadata.class_sizes };
    let calibration =
        metadata.calibration.map(|text| calibration::read(&tensors, text, planes)).transpose()?;
    let parts = ModelParts {
        classifier,
        preparation,
        classes: metadata.classes,
        baseline,
        calibration,
        options: metadata.options,
        report: metadata.report,
    };
    let file = ModelFile {
        model: Model::new(parts)?,
        schema: metadata.schema,
        label_type: metadata.label_type,
        held_out: metadata.held_out,
        tool_version: metadata.tool_version,
    };
    Ok(LoadedModel { file, has_checksum })
}

fn check(metadata: &ModelText<'_>, features: usize) -> Result<(), Refusal> {
    metadata.options.check()?;
    if !metadata.classes.is_sound() {
        let names = metadata.classes.shown();
        return problem(&format!("its classes {names} are not two or more different names"));
    }
    if !metadata.has_sizes_of_classes() {
        return problem("its class sizes are not those of its classes");
    }
    if !metadata.schema.is_sound() {
        return problem("its column names, positions and types disagree");
    }
    if let Err(no_room) = room::check(features as u64) {
        return problem(&no_room.to_string());
    }
    Ok(())
}

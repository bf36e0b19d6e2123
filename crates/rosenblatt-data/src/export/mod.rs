//! Models for other programs: an ONNX graph, a JSON object, a table of weights.
//!
//! | format | what it has | of which models |
//! |---|---|---|
//! | ONNX | the function from encoded features to label and scores; see `onnx.rs` | linear |
//! | JSON | all that [`Description`] has, and of linear models the names of the features in their order | all |
//! | CSV | the named weights in the order of the features, the bias last | linear |
//!
//! In CSV the columns are `feature,weight`, of a scaled model also `unscaled` (for features as they stand in the
//! data); of more than two classes `feature` and one a class. All numbers read back to the same bits. The
//! same model gives the same bytes. Nothing here is read back: the model file is the model.

use std::path::Path;

use rosenblatt::{model::Classifier, space::Hyperplane};

use crate::files::model::ModelFile;

mod description;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed
mod interpreter;
mod messages;
mod onnx;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed
mod tests;
mod weights;

pub use description::{Description, Supporting, supporting};
pub use weights::{NamedWeight, largest_weights, named_weights};

/// What a model is exported to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A graph that onnxruntime and others run.
    Onnx,
    /// One object.
    Json,
    /// A table of weights.
    Csv,
}

impl ExportFormat {
    /// The format that the ending of a name asks for, in any case of letters.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_ascii_lowercase().to_str()? {
            "onnx" => Some(ExportFormat::Onnx),
            "json" => Some(ExportFormat::Json),
            "csv" => Some(ExportFormat::Csv),
            _ => None,
        }
    }
}

/// A model that cannot be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The model has no weights of features.
    #[error("{format} takes linear models, and this one {form}")]
    NotLinear {
        /// The format.
        format: &'static str,
        /// What it is instead.
        form: &'static str,
    },
    /// The model has more weights than the format can hold.
    #[error("as ONNX the model would take {bytes} bytes, and at most {limit} are possible")]
    TooLarge {
        /// How many bytes, at least.
        bytes: usize,
        /// The most that are possible.
        limit: usize,
    },
    /// What the encoder of JSON says; no model can cause it.
    #[error("the model is no JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// What the encoder of CSV says; no model can cause it.
    #[error("the model is no CSV: {0}")]
    Csv(#[from] ::csv::Error),
}

/// The bytes of `file` as `format`. Memory: a few times the size of the model.
///
/// # Errors
/// [`ExportError`].
pub fn export(file: &ModelFile, format: ExportFormat) -> Result<Vec<u8>, ExportError> {
    match format {
        ExportFormat::Onnx => onnx::onnx(file),
        ExportFormat::Csv => weights::csv(file),
        ExportFormat::Json => {
            let mut text = serde_json::to_vec(&Description::of(file).with_feature_names())?;
            text.push(b'\n');
            Ok(text)
        }
    }
}

/// The hyperplanes of a model that has weights of features.
fn linear<'f>(file: &'f ModelFile, format: &'static str) -> Result<&'f [Hyperplane], ExportError> {
    let form = match &file.model.classifier {
        Classifier::Linear(planes) => return Ok(planes),
        Classifier::Dual(_) => "has a kernel",
        Classifier::Voted(_) => "is a vote",
    };
    Err(ExportError::NotLinear { format, form })
}

//! Why a model cannot be exported.

use rosenblatt_core::{model::Classifier, space::Hyperplane};

use crate::files::model::ModelFile;

/// A model that cannot be exported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The model has no weights of features.
    #[error("{format} takes linear models, and this one {form}")]
    NotLinear {
        /// The format.
        format: &'static str,
        /// Its form, in words.
        form: &'static str,
    },
    /// The model prepares rows in a way that the format cannot express.
    #[error("{format} {reason}")]
    Prepared {
        /// The format.
        format: &'static str,
        /// The reason, after the name of the format.
        reason: String,
    },
    /// The columns of the training data cannot be the inputs of a graph.
    #[error("ONNX with inputs for columns {reason}")]
    Columns {
        /// The reason, after that.
        reason: String,
    },
    /// The model has more weights than the format can hold.
    #[error("as ONNX the model would take {bytes} bytes, and at most {limit} are possible")]
    TooLarge {
        /// The number of bytes, at least.
        bytes: usize,
        /// The most that are possible.
        limit: usize,
    },
    /// The error of the JSON encoder, which no model can cause.
    #[error("cannot write the model as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The error of the CSV encoder, which no model can cause.
    #[error("cannot write the model as CSV: {0}")]
    Csv(#[from] ::csv::Error),
}

/// The hyperplanes of a model that has weights of features.
pub(super) fn linear<'f>(
    file: &'f ModelFile,
    format: &'static str,
) -> Result<&'f [Hyperplane], ExportError> {
    let form = match file.model.classifier() {
        Classifier::Linear(planes) => return Ok(planes),
        Classifier::Dual(_) => "has a kernel",
        Classifier::Voted(_) => "is a vote",
    };
    Err(ExportError::NotLinear { format, form })
}

//! Models for other programs: an ONNX graph, a JSON object, a table of weights.
//!
//! | format | content | models |
//! |---|---|---|
//! | ONNX | the function from encoded features, or the columns of a table, to label and scores; see `onnx.rs` | linear |
//! | JSON | all that [`Description`] has, of linear models the names of the features in their order, and of others the [dual form](DualForm) | all |
//! | CSV | the named weights in the order of the features, the bias last | linear |
//!
//! In CSV the columns are `feature,weight`, of a scaled model also `unscaled` (for features as they stand in the
//! data); of more than two classes `feature` and one a class. All numbers read back to identical bits. Equal
//! models give equal bytes. Nothing here is read back: the model file is the model.

use std::path::Path;

use self::onnx::GraphInputs;
use crate::files::model::ModelFile;

mod columns;
mod description;
mod dual;
mod error;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed
mod interpreter;
mod messages;
mod onnx;
mod probabilities;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed
mod tests;
mod weights;

pub use description::{Description, Supporting, supporting};
pub use dual::DualForm;
pub use error::ExportError;
pub use weights::{NamedWeight, largest_weights, named_weights, unscaled_bias};

/// The format of an exported model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A graph that onnxruntime and others run, with one input `X`, the encoded features.
    Onnx,
    /// A graph with an input for each column of the table that the model learned from: numbers, NaN for a missing one, or categories
    /// as texts, empty for a missing one.
    OnnxOfColumns,
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

/// The bytes of `file` as `format`. Memory: a few times the size of the model.
///
/// # Errors
/// [`ExportError`].
pub fn export(file: &ModelFile, format: ExportFormat) -> Result<Vec<u8>, ExportError> {
    match format {
        ExportFormat::Onnx => onnx::onnx(file, GraphInputs::Features),
        ExportFormat::OnnxOfColumns => onnx::onnx(file, GraphInputs::Columns),
        ExportFormat::Csv => weights::csv(file),
        ExportFormat::Json => {
            let mut text = serde_json::to_vec(&Description::of(file).whole())?;
            text.push(b'\n');
            Ok(text)
        }
    }
}

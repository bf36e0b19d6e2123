//! The model that a command uses.

use std::path::Path;

use rosenblatt::model::{Classifier, Use};
use rosenblatt_data::{LoadedModel, ModelFile};

use super::notes;
use crate::{
    args::{ReadArgs, VoteArgs},
    error::CliError,
};

/// Reads a model file; a note tells if damage to it could not be detected.
pub(super) fn load_model(path: &Path, quiet: bool) -> Result<ModelFile, CliError> {
    let LoadedModel { file, has_checksum } = LoadedModel::load(path)?;
    if !has_checksum && !quiet {
        notes::print_without_checksum(path);
    }
    Ok(file)
}

/// Returns how the model decides and with how many threads.
pub(super) fn predict_options(
    voting: &VoteArgs,
    reading: &ReadArgs,
    model: &ModelFile,
) -> Result<Use, CliError> {
    if voting.by.is_some() && !matches!(model.model.classifier, Classifier::Voted(_)) {
        let hint = "`train --keep vote` makes one";
        return Err(CliError::usage("--by is for voted models, this is none", hint));
    }
    Ok(Use { tally: voting.by.unwrap_or_default(), threads: reading.threads() })
}

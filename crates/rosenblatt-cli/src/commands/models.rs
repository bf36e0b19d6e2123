//! The model that a command uses.

use std::path::Path;

use rosenblatt_core::model::{Classifier, PredictOptions};
use rosenblatt_data::{LoadedModel, ModelFile};

use super::notes::{NoteLog, without_checksum};
use crate::{
    args::{ReadArgs, VoteArgs},
    error::CliError,
};

/// Reads a model file; a note warns if damage to it cannot be detected.
pub(super) fn load_model(path: &Path, log: &NoteLog) -> Result<ModelFile, CliError> {
    let LoadedModel { file, has_checksum } = LoadedModel::load(path)?;
    log.tell((!has_checksum).then(|| without_checksum(path)));
    Ok(file)
}

/// Returns how the model decides and with how many threads.
pub(super) fn predict_options(
    voting: &VoteArgs,
    reading: &ReadArgs,
    model: &ModelFile,
) -> Result<PredictOptions, CliError> {
    if voting.by.is_some() && !matches!(model.model.classifier(), Classifier::Voted(_)) {
        let keep = format!("{:?}", model.model.options().keep).to_lowercase();
        let message = format!("--by needs a voted model; this one was trained with --keep {keep}");
        return Err(CliError::usage(message, "`train --keep vote` makes a voted model"));
    }
    Ok(PredictOptions { tally: voting.by.unwrap_or_default(), threads: reading.threads() })
}

/// Whether examples with these numbers of each class may be those from which the model learned: there were as many of each
/// class, without or with the ones that were held out from the same data.
pub(super) fn are_training_sizes(model: &ModelFile, sizes: &[usize]) -> bool {
    let training = &model.model.baseline().class_sizes;
    let all = training.iter().zip(&model.held_out).map(|(training, held)| training + held);
    sizes == training.as_slice() || sizes.iter().copied().eq(all)
}

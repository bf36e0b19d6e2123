//! Files that this program writes: whole or not at all, models and checkpoints.

pub(crate) mod atomic_file;
mod calibration;
pub mod checkpoint;
pub mod model;
pub(crate) mod safetensors_file;
pub(crate) mod tensors;

use rosenblatt_core::{
    data::ZeroScore,
    train::{Multiclass, Options},
};

/// The part of the JSON text of a model or a checkpoint that is read first.
#[derive(serde::Deserialize)]
struct Stated {
    /// A newer version may have none.
    #[serde(default)]
    options: LaterOptions,
}

/// The options that files may lack because they were written before these existed.
#[derive(Default, serde::Deserialize)]
struct LaterOptions {
    zero: Option<ZeroScore>,
    classes: Option<Multiclass>,
}

impl LaterOptions {
    /// Where a file does not say how several classes were learned, each was learned by itself.
    fn complete(&self, options: &mut Options) {
        options.classes = self.classes.unwrap_or(Multiclass::OneVsRest);
    }
}

//! Files that this program writes: whole or not at all, models and checkpoints.

pub(crate) mod atomic_file;
pub mod checkpoint;
pub mod model;
pub(crate) mod safetensors_file;
pub(crate) mod tensors;

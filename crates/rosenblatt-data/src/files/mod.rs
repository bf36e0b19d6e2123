//! Files that this program writes: whole or not at all, models and checkpoints.

pub(crate) mod atomic_file;
pub mod checkpoint;
pub mod model;
pub(crate) mod safetensors_file;
pub(crate) mod tensors;

use rosenblatt::train::Options;
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::{Map, Value};

/// Reads the options in a file. Where they do not say how several classes were learned, each was learned by itself:
/// files have had the option as long as there was a choice.
fn stored_options<'de, D: Deserializer<'de>>(input: D) -> Result<Options, D::Error> {
    let mut options = Map::deserialize(input)?;
    options.entry("classes").or_insert(Value::from("one-vs-rest"));
    serde_json::from_value(Value::Object(options)).map_err(Error::custom)
}

//! The weights of a hyperplane with few features, in one line, and which rows weights belong to.

use rosenblatt::{
    preparation::{Normalise, Preparation},
    space::Hyperplane,
};
use rosenblatt_data::{
    ModelFile,
    export::{NamedWeight, largest_weights, unscaled_bias},
};

use crate::text::{name, number};

/// The weights of a hyperplane with few features, and its bias, in the units of the file.
pub(super) fn line(file: &ModelFile, plane: &Hyperplane) -> Option<String> {
    const MOST: usize = 6;
    let model = &file.model;
    let is_small = model.features() <= MOST && model.preparation().is_only_scaled();
    let text = |NamedWeight { feature, weight, unscaled }: NamedWeight| {
        format!("{} {}", name(&feature), number(unscaled.unwrap_or(weight)))
    };
    let largest = if is_small { largest_weights(file, plane) } else { Vec::new() };
    let weights: Vec<String> = largest.into_iter().map(text).collect();
    let bias = unscaled_bias(file, plane).unwrap_or(plane.bias);
    is_small.then(|| format!("{}; bias {}", weights.join(", "), number(bias)))
}

/// The rows that the weights belong to, where these are not the rows of the data.
pub(super) fn weights_note(preparation: &Preparation) -> Option<&'static str> {
    if !preparation.weights.is_none() {
        return Some("the weights belong to the weighted counts, not to those of the data");
    }
    match (&preparation.scaling, preparation.normalise) {
        (None, Normalise::None) => None,
        (Some(_), Normalise::None) => Some("the weights belong to the scaled features"),
        (None, _) => Some("the weights belong to the normalised rows"),
        (Some(_), _) => Some("the weights belong to the scaled and then normalised rows"),
    }
}

//! The weights of a hyperplane with few features, in one line, and which rows weights belong to.

use rosenblatt_core::{space::Hyperplane, transforms::Preparation};
use rosenblatt_data::{
    ModelFile,
    export::{NamedWeight, largest_weights, named_weights, unscaled_bias},
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
    let named = if is_small { named_weights(file, plane) } else { Vec::new() };
    let weights: Vec<String> = named.into_iter().map(text).collect();
    let bias = unscaled_bias(file, plane).unwrap_or(plane.bias);
    is_small.then(|| format!("{}; bias {}", weights.join(", "), number(bias)))
}

/// The weights of a list that shows at most `most`: in the order of the features if it shows all and they are few,
/// otherwise the largest first.
pub(super) fn listed(file: &ModelFile, plane: &Hyperplane, most: usize) -> Vec<NamedWeight> {
    const FEW: usize = 10;
    let features = file.model.features();
    if features <= FEW.min(most) {
        named_weights(file, plane)
    } else {
        largest_weights(file, plane)
    }
}

/// The rows that the weights belong to, where these are not the rows of the data.
pub(super) fn weights_note(preparation: &Preparation) -> Option<String> {
    let [steps @ .., last] = preparation.steps() else { return None };
    let before: String =
        steps.iter().map(|step| format!("{} and then ", step.words().makes.0)).collect();
    Some(format!("the weights belong to the {before}{}", last.words().rows()))
}

/// Weights and bias, for a program.
#[derive(serde::Serialize)]
pub(super) struct FileWeights {
    w: ListOf<Vec<f64>>,
    b: ListOf<f64>,
}

/// The values of one hyperplane, or those of each.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum ListOf<T> {
    One(T),
    Each(Vec<T>),
}

/// The weights of a linear model in the order of the features, in the units of the file; `None` for more than a thousand.
pub(super) fn all(file: &ModelFile) -> Option<FileWeights> {
    const MOST: usize = 1000;
    let planes = file.model.classifier().linear()?;
    let is_told = file.model.preparation().is_only_scaled();
    if !is_told || planes.len() * file.model.features() > MOST {
        return None;
    }
    let weights = |plane: &Hyperplane| {
        let named = named_weights(file, plane).into_iter();
        named.map(|named| named.unscaled.unwrap_or(named.weight)).collect::<Vec<f64>>()
    };
    let bias = |plane: &Hyperplane| unscaled_bias(file, plane).unwrap_or(plane.bias);
    Some(match planes {
        [plane] => FileWeights { w: ListOf::One(weights(plane)), b: ListOf::One(bias(plane)) },
        planes => FileWeights {
            w: ListOf::Each(planes.iter().map(weights).collect()),
            b: ListOf::Each(planes.iter().map(bias).collect()),
        },
    })
}

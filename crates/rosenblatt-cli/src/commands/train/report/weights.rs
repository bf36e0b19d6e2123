//! The weights of a small model.

use rosenblatt::data::Scale;
use rosenblatt_data::{
    ModelFile,
    export::{NamedWeight, largest_weights},
};

use crate::text::{name, number};

/// The weights of one hyperplane with few features in the units of the file, and its bias. With another scaling than by
/// powers of two, weights in these units are rounded, and `show` gives them.
pub(super) fn line(file: &ModelFile) -> Option<String> {
    const MOST: usize = 6;
    let model = &file.model;
    let scaling = model.scaling().map(|scaling| scaling.scale);
    let is_small = model.features() <= MOST && matches!(scaling, None | Some(Scale::Auto));
    let [plane] = model.classifier().linear().filter(|_| is_small)? else { return None };
    let text = |NamedWeight { feature, weight, unscaled }: NamedWeight| {
        format!("{} {}", name(&feature), number(unscaled.unwrap_or(weight)))
    };
    let weights: Vec<String> = largest_weights(file, plane).into_iter().map(text).collect();
    Some(format!("{}; bias {}", weights.join(", "), number(plane.bias)))
}

//! The weights of a linear model with their names, and as a table.

use rosenblatt_core::{data::Scaling, space::Hyperplane};

use super::error::ExportError;
use crate::files::model::ModelFile;

/// A weight with its name (of a hashed word: the weight of the word). With scaling, `unscaled` is the
/// weight of the feature as it stands in the data, where that is finite and rows are neither weighted nor normalised.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct NamedWeight {
    /// The name of the feature.
    pub feature: String,
    /// The weight of the feature, after scaling if there is any.
    pub weight: f64,
    /// The weight of the feature before scaling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unscaled: Option<f64>,
}

/// The weights of `plane`, a hyperplane of `file`, in the order of the features.
pub fn named_weights(file: &ModelFile, plane: &Hyperplane) -> Vec<NamedWeight> {
    let directions = file.schema.feature_directions();
    let named = file.schema.feature_names().into_iter().zip(directions).zip(&plane.weights);
    let scaling = only_scaling(file);
    let named = named.enumerate().map(|(j, ((feature, direction), weight))| {
        let weight = weight * direction + 0.0;
        let unscaled = scaling.map(|scaling| weight / scaling.divisor[j]);
        NamedWeight { feature, weight, unscaled: unscaled.filter(|weight| weight.is_finite()) }
    });
    named.collect()
}

/// The scaling of a model, if rows are neither weighted nor normalised.
fn only_scaling(file: &ModelFile) -> Option<&Scaling> {
    file.model.scaling().filter(|_| file.model.preparation().is_only_scaled())
}

/// With scaling, the bias of `plane` for features as they stand in the data, as [`NamedWeight::unscaled`].
pub fn unscaled_bias(file: &ModelFile, plane: &Hyperplane) -> Option<f64> {
    let bias = only_scaling(file).map(|scaling| plane.unscaled(scaling).bias);
    bias.filter(|bias| bias.is_finite())
}

/// The named weights, the largest in size first; equal sizes in the order of the features.
pub fn largest_weights(file: &ModelFile, plane: &Hyperplane) -> Vec<NamedWeight> {
    let mut weights = named_weights(file, plane);
    weights.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    weights
}

/// The table: a row for each feature in order, the last for the bias.
pub(super) fn csv(file: &ModelFile) -> Result<Vec<u8>, ExportError> {
    let planes = super::error::linear(file, "CSV")?;
    if let Some(step) = file.model.preparation().beyond_scaling() {
        return Err(ExportError::Prepared { format: "CSV", reason: step.words().beyond_weights });
    }
    let mut table = ::csv::Writer::from_writer(Vec::new());
    match (planes, file.model.classes().pair()) {
        ([plane], Some(_)) => of_two(&mut table, file, plane)?,
        _ => of_more(&mut table, file, planes)?,
    }
    table.into_inner().map_err(|error| ExportError::Csv(error.into_error().into()))
}

type Table = ::csv::Writer<Vec<u8>>;

fn of_two(table: &mut Table, file: &ModelFile, plane: &Hyperplane) -> Result<(), ::csv::Error> {
    let weights = named_weights(file, plane);
    if file.model.scaling().is_none() {
        table.write_record(["feature", "weight"])?;
        for NamedWeight { feature, weight, .. } in &weights {
            table.write_record([&text(feature), &number(*weight)])?;
        }
        return table.write_record([BIAS, &number(plane.bias)]);
    }
    table.write_record(["feature", "weight", "unscaled"])?;
    for NamedWeight { feature, weight, unscaled } in &weights {
        table.write_record([&text(feature), &number(*weight), &cell(*unscaled)])?;
    }
    table.write_record([BIAS, &number(plane.bias), &cell(unscaled_bias(file, plane))])
}

/// An empty cell for a number past the range of floats.
fn cell(unscaled: Option<f64>) -> String {
    unscaled.map_or_else(String::new, number)
}

/// A column for each class, with scaling in the units of the data.
fn of_more(table: &mut Table, file: &ModelFile, planes: &[Hyperplane]) -> Result<(), ::csv::Error> {
    let labels = file.model.classes().names().iter().map(|label| text(label));
    table.write_record(std::iter::once("feature".to_owned()).chain(labels))?;
    let is_scaled = file.model.scaling().is_some();
    let of_class: Vec<_> = planes.iter().map(|plane| named_weights(file, plane)).collect();
    for (j, name) in file.schema.feature_names().into_iter().enumerate() {
        let of_class = of_class.iter().map(|weights| match is_scaled {
            true => cell(weights[j].unscaled),
            false => number(weights[j].weight),
        });
        table.write_record(std::iter::once(text(&name)).chain(of_class))?;
    }
    let biases = planes.iter().map(|plane| match is_scaled {
        true => cell(unscaled_bias(file, plane)),
        false => number(plane.bias),
    });
    table.write_record(std::iter::once(BIAS.to_owned()).chain(biases))
}

/// A name as a spreadsheet shows it: one that it would compute as a formula begins with an apostrophe.
fn text(name: &str) -> String {
    let is_formula = name.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula && name.parse::<f64>().is_err() { format!("'{name}") } else { name.to_owned() }
}

/// The name in the row of the bias, which is the last.
const BIAS: &str = "(bias)";

/// The shortest decimal that reads back the same.
fn number(a: f64) -> String {
    format!("{a:?}")
}

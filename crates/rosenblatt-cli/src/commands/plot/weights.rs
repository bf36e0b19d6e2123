//! The weights of a model as bars.

use rosenblatt::{model::Classifier, space::Hyperplane};
use rosenblatt_data::{ModelFile, export::largest_weights};
use rosenblatt_plot::{Bars, Weight};

use crate::{commands::few_weights::weights_note, error::CliError, text::counted};

/// The maximum number of weights in the picture.
const MOST: usize = 20;

/// The largest weights, of all classes together.
pub(super) fn bars(model: &ModelFile) -> Result<Bars, CliError> {
    let classes = model.model.classes();
    let planes = model.model.classifier().linear().ok_or_else(|| none(model))?;
    let against_rest = classes.pair().is_none();
    let named = |(plane, label): (&Hyperplane, &String)| {
        let name = |feature: String| {
            if against_rest { format!("{label}: {feature}") } else { feature }
        };
        let largest = largest_weights(model, plane).into_iter().take(MOST);
        let named =
            largest.map(|weight| Weight { name: name(weight.feature), value: weight.weight });
        named.collect::<Vec<_>>()
    };
    let mut weights: Vec<Weight> = planes.iter().zip(classes.names()).flat_map(named).collect();
    weights.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    weights.truncate(MOST);
    let note = weights_note(model.model.preparation()).unwrap_or_default().to_owned();
    Ok(Bars { title: title(model, planes.len()), weights, note, against_rest })
}

fn title(model: &ModelFile, planes: usize) -> String {
    let count = model.model.features() * planes;
    let mut all = counted(count as u64, "weight");
    if planes > 1 {
        all += &format!(" of {planes} classes");
    }
    if count > MOST {
        format!("the {MOST} largest of {all}")
    } else {
        format!("{all}, the largest first")
    }
}

fn none(model: &ModelFile) -> CliError {
    let (kind, hint) = match model.model.classifier() {
        Classifier::Voted(_) => {
            ("voted", "it consists of many hyperplanes; `show` lists its support rows")
        }
        _ => ("kernel", "its weights belong to its support rows; `show` lists them"),
    };
    CliError::usage(format!("a {kind} model has no feature weights"), hint)
}

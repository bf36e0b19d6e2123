//! The weights of a model as bars.

use rosenblatt_core::{model::Classifier, space::Hyperplane};
use rosenblatt_data::{ModelFile, export::largest_weights};
use rosenblatt_plot::{Bars, Weight};

use super::{PlotSubject, finding};
use crate::{commands::few_weights::weights_note, error::CliError, text::counted};

/// The maximum number of weights in the picture.
const MOST: usize = 14;

/// The largest weights, of all classes together.
pub(super) fn bars(subject: &PlotSubject, model: &ModelFile) -> Result<Bars, CliError> {
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
    let sides = match classes.pair() {
        Some((negative, positive)) => [negative.to_owned(), positive.to_owned()],
        None => ["the rest", "the class"].map(str::to_owned),
    };
    let note = note(subject, model, planes.len());
    Ok(Bars { title: title(&weights, &sides), weights, note, sides })
}

/// The largest weight of each side.
fn title(weights: &[Weight], [negative, positive]: &[String; 2]) -> String {
    let first = |side: fn(f64) -> bool| weights.iter().find(|weight| side(weight.value));
    let (minus, plus) = (first(|value| value < 0.0), first(|value| value > 0.0));
    match (minus, plus) {
        (Some(minus), Some(plus)) if minus.value.abs() > plus.value => {
            format!("{} speaks most for {negative}, {} for {positive}", minus.name, plus.name)
        }
        (Some(minus), Some(plus)) => {
            format!("{} speaks most for {positive}, {} for {negative}", plus.name, minus.name)
        }
        (Some(minus), None) => format!("{} speaks most for {negative}", minus.name),
        (None, Some(plus)) => format!("{} speaks most for {positive}", plus.name),
        (None, None) => "Each weight is 0".to_owned(),
    }
}

fn note(subject: &PlotSubject, model: &ModelFile, planes: usize) -> String {
    let count = model.model.features() * planes;
    let mut all = counted(count as u64, "weight");
    if planes > 1 {
        all += &format!(" of {planes} classes");
    }
    let shown = if count > MOST { format!("the {MOST} largest of {all}") } else { all };
    let whose = weights_note(model.model.preparation());
    let whose = whose.map_or(String::new(), |note| format!("; {note}"));
    format!("{shown}{whose}; {}", finding::source(subject))
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

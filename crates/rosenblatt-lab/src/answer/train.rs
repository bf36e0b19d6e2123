//! One run: its report, its weights, its visits, its surfaces.

use std::collections::BTreeMap;

use rosenblatt::Init;
use rosenblatt_core::{
    data::{Examples, Labelled, Rows, Scheme},
    keep::{Keep, Kept},
    model::Classifier,
    report::Report,
    schedule::Order,
    train::{ClassWeight, Fit, Observer, Options, Resources, TrainError, fit},
};
use serde::Serialize;

use super::{
    Refusal,
    limit::{Work, predict},
    points::{PointSet, at_most, hyperplane, same},
    trace::{Recorder, Trace, WeightList},
};
use crate::question::{Grid, Surfaces, TrainQuestion, Window};

#[derive(Serialize)]
pub(super) struct TrainAnswer {
    /// The number of visits.
    visits: u64,
    report: Report,
    /// The amount that one step adds to the bias.
    bias_unit: f64,
    #[serde(flatten)]
    weights: BTreeMap<&'static str, WeightList>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Trace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    surfaces: Option<Vec<Surface>>,
    /// The number of updates on each point.
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Vec<u64>>,
}

/// Scores on a grid, row after row.
#[derive(Serialize)]
struct Surface {
    kept: Kept,
    scores: Vec<f32>,
}

pub(super) fn train(question: &TrainQuestion, work: &Work<'_>) -> Result<TrainAnswer, Refusal> {
    let set = PointSet::new(&question.points)?;
    let (labelled, examples) = (set.labelled()?, set.examples()?);
    let options = of_visits(run_options(&question.options)?);
    let options = first_weights(options, question.start.as_deref(), examples.features())?;
    if question.until == Some(0) {
        return Err(Refusal::Mismatch {
            what: "until".to_owned(),
            found: "0".to_owned(),
            expected: "at least 1: before the first visit there is nothing to tell".to_owned(),
        });
    }
    let window = question.window.map(|window| window.checked(examples.features())).transpose()?;
    let mut recorder = Recorder::new(examples, &options, question.until, work)?;
    if let Some(Window { from, count }) = window {
        recorder = recorder.recording(from..from.saturating_add(count), &options);
    }
    let fit = run(&labelled, &options, &mut recorder)?;
    recorder.finished()?;
    let again = Again { labelled, examples, options, until: recorder.visits };
    let surfaces = question.surfaces.as_ref().map(|surfaces| again.surfaces(surfaces, work));
    let surfaces = surfaces.transpose()?;
    Ok(TrainAnswer {
        visits: recorder.visits,
        bias_unit: recorder.bias_unit,
        weights: final_weights(&fit),
        trace: window.map(|_| recorder.trace),
        surfaces,
        counts: question.counts.then_some(recorder.counts),
        report: fit.report,
    })
}

/// The page shows weights by the visits of the run, so that its average is not that of more epochs.
pub(super) fn of_visits(options: Options) -> Options {
    let is_average = options.keep == Keep::Auto && !options.update.rule().keeps_last;
    Options { keep: if is_average { Keep::Average } else { options.keep }, ..options }
}

/// Runs the training on one thread.
pub(super) fn run(
    labelled: &Labelled<'_>,
    options: &Options,
    observer: &mut impl Observer,
) -> Result<Fit, Refusal> {
    /// Memory for cached kernel values: 64 MiB.
    const MEMORY: usize = 1 << 26;
    let resources = Resources { threads: 1, memory: MEMORY, block: None };
    fit(labelled, options, &resources, None, observer).map_err(|error| match error {
        TrainError::Stopped => Refusal::Stopped,
        error => error.into(),
    })
}

/// The weights at the end, in feature space, by the names of the ways to keep them.
fn final_weights(fit: &Fit) -> BTreeMap<&'static str, WeightList> {
    if matches!(fit.classifier, Classifier::Dual(_)) {
        return BTreeMap::new();
    }
    let own = fit.classifier.linear().map(|planes| (fit.report.kept, planes));
    let others = fit.others.iter().map(|other| (other.kept, other.planes.as_slice()));
    let lines = own.into_iter().chain(others).filter(|(kept, _)| kept.keeper().is_hyperplane());
    lines.filter_map(|(kept, planes)| Some((kept.name(), planes.first()?.into()))).collect()
}

/// A run that is made again, up to the same visit, with other ways to keep the weights.
struct Again<'a> {
    labelled: Labelled<'a>,
    examples: Examples<'a>,
    options: Options,
    until: u64,
}

impl Again<'_> {
    fn surfaces(&self, surfaces: &Surfaces, work: &Work<'_>) -> Result<Vec<Surface>, Refusal> {
        at_most("surfaces", surfaces.keep.len(), Surfaces::MOST)?;
        same("features of points with surfaces", self.examples.features(), 2)?;
        let places = surfaces.grid.places()?;
        let surface = |&kept: &Kept| {
            let options =
                Options { keep: kept.keeper().keep, compare: false, ..self.options.clone() };
            let mut recorder = Recorder::new(self.examples, &options, Some(self.until), work)?;
            let fit = run(&self.labelled, &options, &mut recorder)?;
            recorder.finished()?;
            let scores = scores(&fit.classifier, self.labelled.scheme(), &places, work)?;
            Ok(Surface { kept, scores })
        };
        surfaces.keep.iter().map(surface).collect()
    }
}

/// The scores of places, for a picture: their signs are exact, their values have seven digits.
fn scores(
    classifier: &Classifier,
    scheme: Scheme,
    places: &Rows<'_>,
    work: &Work<'_>,
) -> Result<Vec<f32>, Refusal> {
    let predicted = predict(classifier, scheme.into(), places, work)?;
    Ok(predicted.scores.into_iter().map(shown).collect())
}

/// A score with the digits of an `f32`; it is 0 or infinite only if the score is.
fn shown(score: f64) -> f32 {
    let nearest = score as f32;
    if nearest == 0.0 && score != 0.0 {
        f32::MIN_POSITIVE.copysign(nearest)
    } else {
        nearest.clamp(f32::MIN, f32::MAX)
    }
}

/// The options with the initial weights of the question, if it has any.
pub(super) fn first_weights(
    options: Options,
    start: Option<&[f64]>,
    features: usize,
) -> Result<Options, Refusal> {
    let Some(start) = start else { return Ok(options) };
    let init = Init::Given([hyperplane("start", start, features)?].into());
    let options = Options { init, ..options };
    options.check()?;
    Ok(options)
}

/// The options of the engine for a question; all ways to keep the weights are compared.
pub(super) fn run_options(asked: &Options) -> Result<Options, Refusal> {
    let epochs = usize::try_from(asked.epochs).unwrap_or(usize::MAX);
    at_most("epochs", epochs, TrainQuestion::MOST_EPOCHS)?;
    if asked.class_weight != ClassWeight::Uniform {
        return Err(Refusal::Mismatch {
            what: "class_weight".to_owned(),
            found: "weights of classes".to_owned(),
            expected: "uniform".to_owned(),
        });
    }
    if asked.order == Order::Mistaken {
        return Err(Refusal::Mismatch {
            what: "order".to_owned(),
            found: "mistaken".to_owned(),
            expected: "shuffle or given: the lab shows epochs that visit every point".to_owned(),
        });
    }
    if let Some(penalty) = asked.penalty {
        return Err(Refusal::Mismatch {
            what: "penalty".to_owned(),
            found: penalty.to_string(),
            expected: "no penalty, so that only updates move the weights".to_owned(),
        });
    }
    asked.check()?;
    Ok(Options { compare: true, ..asked.clone() })
}

impl Window {
    fn checked(self, features: usize) -> Result<Self, Refusal> {
        at_most(
            "visits of the window",
            usize::try_from(self.count).unwrap_or(usize::MAX),
            Self::MOST,
        )?;
        at_most("features of rows with a window", features, Self::MOST_FEATURES)?;
        Ok(self)
    }
}

impl Grid {
    /// The places, row after row.
    fn places(&self) -> Result<Rows<'static>, Refusal> {
        let Grid { columns, rows, .. } = *self;
        at_most("places of the grid", columns.saturating_mul(rows), Grid::MOST)?;
        let mut values = Vec::with_capacity(2 * columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                values.extend([between(self.x, column, columns), between(self.y, row, rows)]);
            }
        }
        Ok(Rows::dense(values, 2)?)
    }
}

/// Place `i` of `n` from the first to the last.
fn between([first, last]: [f64; 2], i: usize, n: usize) -> f64 {
    let share = i as f64 / n.saturating_sub(1).max(1) as f64;
    first + share * (last - first)
}

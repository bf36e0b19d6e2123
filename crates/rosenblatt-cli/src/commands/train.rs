//! `rosenblatt train`: from a file to a report and a model.

use std::{path::Path, time::Instant};

use rosenblatt::{
    data::{Classes, Examples, Rows, ScaleError, Scaling, Sign},
    model::LinearModel,
    report::{Report, Stop},
    train::{ClassWeight, OptionError, Options, Run, train},
};
use rosenblatt_data::{AtomicFile, Dataset, ModelFile, ModelFileError, Source, read};
use serde::Serialize;

use super::notes;
use crate::{
    args::{LearnArgs, TrainArgs},
    failure::Failure,
    interrupt, output,
    progress::Progress,
};

mod hard;
mod judge;
mod report;

use hard::{Hard, Watch, hardest};
use judge::Judged;

/// The object that `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    classes: &'a [String; 2],
    positive: &'a str,
    #[serde(flatten)]
    report: &'a Report,
    #[serde(flatten)]
    judged: &'a Judged,
    #[serde(skip_serializing_if = "Option::is_none")]
    hard: Option<&'a [Hard]>,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<u64>,
}

pub(crate) fn run(arguments: &TrainArgs) -> Result<(), Failure> {
    let start = Instant::now();
    let mut options = arguments.learning.options();
    let usage = |error: OptionError| Failure::Usage { message: error.to_string(), hint: None };
    options.check().map_err(usage)?;
    if let Some(path) = &arguments.output {
        super::not_over_input(path, &[&arguments.data])?;
        can_write(path)?;
    }
    let dataset = read(
        Source::open(&arguments.data)?,
        &arguments.reading.options_with(&arguments.columns, arguments.on_error),
    )?;
    notes::print(&dataset.notes, &dataset.schema, arguments.quiet);
    if !arguments.quiet && !arguments.columns.text.is_empty() {
        notes::print_left_out(&dataset.schema);
    }
    let (classes, signs) = classes(&dataset, arguments.columns.positive.as_deref())?;
    options.class_weight = class_weight(&arguments.learning.class_weight, &classes)?;
    let lesson = Lesson { arguments, dataset: &dataset, classes: &classes };
    let (judged, train_places) = judge::judge(&lesson, &signs, &options)?;
    let all = (&dataset.rows, signs);
    let held_out = train_places.as_ref().map(|places| {
        let signs = places.iter().map(|&i| all.1[i]).collect::<Vec<_>>();
        (all.0.select(places), signs)
    });
    let (rows, signs) = held_out.as_ref().map_or((all.0, &all.1), |(rows, signs)| (rows, signs));
    let quiet = arguments.quiet || arguments.json;
    let progress = Progress::new(quiet, arguments.progress, options.epochs);
    let counted = if arguments.hard.is_some() { rows.len() } else { 0 };
    let mut watch = Watch { progress, mistakes: vec![0; counted] };
    let (model, report) = lesson.learn(rows, signs, &options, &mut watch)?;
    let judged = judged.on_the_rest(&lesson, &model)?;
    let place = |i: usize| {
        let place = train_places.as_ref().map_or(i, |places| places[i]);
        (place + 1, classes.name(signs[i]).to_owned())
    };
    let hard = arguments.hard.map(|most| hardest(&watch.mistakes, most, place));
    let tool_version = env!("CARGO_PKG_VERSION").to_owned();
    let file = ModelFile { model, schema: dataset.schema.clone(), options, report, tool_version };
    if let Some(path) = &arguments.output {
        file.save(path)?;
    }
    let model = arguments.output.as_ref().map(|path| path.display().to_string());
    if arguments.json {
        output::print_json(&Json {
            classes: file.model.classes.names(),
            positive: file.model.classes.name(Sign::Plus),
            report: &file.report,
            judged: &judged,
            hard: hard.as_deref(),
            seconds: start.elapsed().as_secs_f64(),
            model,
            skipped: Some(dataset.notes.skipped).filter(|&skipped| skipped > 0),
        })
    } else if arguments.quiet {
        Ok(())
    } else {
        let spread = file.model.scaling.is_none().then(|| spread(rows)).flatten();
        let text = report::text(&dataset.file, &file, signs, spread, &judged, model.as_deref());
        let text = text + &report::hard_list(hard.as_deref());
        output::print(&text)
    }
}

/// What all models of one command have in common.
struct Lesson<'a> {
    arguments: &'a TrainArgs,
    dataset: &'a Dataset,
    classes: &'a Classes,
}

impl Lesson<'_> {
    /// Scales and learns from these rows.
    fn learn(
        &self,
        rows: &Rows<'_>,
        signs: &[Sign],
        options: &Options,
        watch: &mut Watch,
    ) -> Result<(LinearModel, Report), Failure> {
        let (scaling, scaled) = self.scale(rows)?;
        let run = self.run(scaled.as_ref().unwrap_or(rows), signs, options, watch)?;
        let classes = self.classes.clone();
        Ok((LinearModel { hyperplane: run.hyperplane, scaling, classes }, run.report))
    }

    fn scale(&self, rows: &Rows<'_>) -> Result<(Option<Scaling>, Option<Rows<'static>>), Failure> {
        let failure = |error| {
            let file = self.dataset.file.clone();
            match error {
                ScaleError::Overflow { feature } => {
                    let mut names = self.dataset.schema.feature_names();
                    Failure::ScaledFeature { file, feature: names.swap_remove(feature) }
                }
                error => Failure::Scale { file, error },
            }
        };
        let scale = self.arguments.learning.scale.into();
        let scaling = Scaling::fit(scale, rows).map_err(failure)?;
        let apply = |scaling: &Scaling| scaling.apply(rows);
        let scaled = scaling.as_ref().map(apply).transpose().map_err(failure)?;
        Ok((scaling, scaled))
    }

    fn run(
        &self,
        rows: &Rows<'_>,
        signs: &[Sign],
        options: &Options,
        watch: &mut Watch,
    ) -> Result<Run, Failure> {
        let examples = Examples::new(rows, signs)?;
        interrupt::guard(true);
        let run = train(&examples, options, watch);
        interrupt::guard(false);
        watch.progress.end();
        let run = run.map_err(|error| Failure::Train { file: self.dataset.file.clone(), error })?;
        if run.report.stopped_by == Stop::Observer || interrupt::requested() {
            return Err(Failure::Interrupted);
        }
        Ok(run)
    }
}

/// How many times the largest feature is the smallest, by their largest values in size; features that
/// are always 0 do not count.
fn spread(rows: &Rows<'_>) -> Option<f64> {
    let mut sizes = vec![0.0f64; rows.features()];
    for row in rows.iter() {
        row.for_each(|j, x| sizes[j] = sizes[j].max(x.abs()));
    }
    let sizes = sizes.into_iter().filter(|&size| size > 0.0);
    let (smallest, largest) = sizes.fold((f64::INFINITY, 0.0), |(smallest, largest), size| {
        (size.min(smallest), size.max(largest))
    });
    Some(largest / smallest).filter(|spread| spread.is_finite())
}

impl LearnArgs {
    /// The engine's options; the class weights wait for the classes.
    fn options(&self) -> Options {
        Options {
            update: self.update,
            keep: self.keep.into(),
            bias: self.bias.into(),
            mistake: self.mistake.into(),
            order: self.order.into(),
            init: self.init.into(),
            seed: self.seed,
            epochs: self.epochs,
            allow_mistakes: self.allow_mistakes,
            eta: self.eta,
            compare: !self.no_compare,
            ..Options::default()
        }
    }
}

/// The classes of a data set and the sign of each row.
pub(super) fn classes(
    dataset: &Dataset,
    positive: Option<&str>,
) -> Result<(Classes, Vec<Sign>), Failure> {
    dataset.signs(positive).map_err(|error| Failure::Classes {
        file: dataset.file.clone(),
        target: dataset.schema.target().map(str::to_owned),
        error,
    })
}

fn class_weight(text: &str, classes: &Classes) -> Result<ClassWeight, Failure> {
    match text {
        "uniform" => return Ok(ClassWeight::Uniform),
        "balanced" => return Ok(ClassWeight::Balanced),
        _ => {}
    }
    let bad = |what: String| {
        let [first, second] = classes.names();
        let hint = format!("`balanced`, `uniform`, or for example `{first}=1,{second}=2`");
        Failure::usage(format!("--class-weight {what}"), hint)
    };
    let (mut minus, mut plus) = (None, None);
    for part in text.split(',') {
        let (label, weight) =
            part.rsplit_once('=').ok_or_else(|| bad(format!("`{part}` is not LABEL=WEIGHT")))?;
        let number = weight.trim().parse().ok().filter(|w: &f64| w.is_finite() && *w > 0.0);
        let number = number.ok_or_else(|| bad(format!("`{weight}` is not a positive number")))?;
        let known = classes.names().iter().any(|name| name == label.trim())
            || !classes.is_one_against_rest();
        let earlier = match classes.sign(label.trim()).filter(|_| known) {
            Some(Sign::Plus) => plus.replace(number),
            Some(Sign::Minus) => minus.replace(number),
            None => return Err(bad(format!("`{label}` is not a class"))),
        };
        if earlier.is_some() {
            return Err(bad(format!("gives the class `{label}` two weights")));
        }
    }
    Ok(ClassWeight::Given { minus: minus.unwrap_or(1.0), plus: plus.unwrap_or(1.0) })
}

/// Nobody should learn only after the training that its result has no place.
fn can_write(path: &Path) -> Result<(), Failure> {
    let file = || path.display().to_string();
    // A pipe that is opened and closed would be at its end.
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Ok(());
    }
    AtomicFile::create(path)
        .map(drop)
        .map_err(|error| ModelFileError::Io { file: file(), error }.into())
}

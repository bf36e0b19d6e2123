//! `rosenblatt plot`: the examples in a plane or on a number line with the decision of the model, the learning curve, the largest
//! weights, the curves of the rates at each threshold, the reliability of probabilities.

use std::{
    cell::OnceCell,
    path::{Path, PathBuf},
};

use rosenblatt_core::{
    data::{Classes, Row, Rows},
    model::Predictions,
};
use rosenblatt_data::{Dataset, Encoder, ModelFile, ReadOptions, Reader};
use rosenblatt_plot::{Curve, Figure, Format, Panel};

use curves::Ranked;

use super::{
    inputs::{InputFiles, classes},
    models::{load_model, predict_options},
    notes::NoteLog,
    outputs::{prepare, write_picture},
};
use crate::{
    args::{ColumnArgs, PanelArg, PlotArgs},
    error::CliError,
    output,
    text::counted,
};

mod curves;
mod distances;
mod finding;
mod plane;
mod reliability;
mod slice;
mod weights;

/// The examples, and the model if there is one.
struct PlotSubject {
    file: String,
    batches: Vec<Rows<'static>>,
    /// The number of the class of each example.
    numbers: Vec<u32>,
    classes: Classes,
    names: Vec<String>,
    model: Option<ModelFile>,
    /// The data without its rows, if there is no model.
    data: Option<Dataset>,
    /// The ranking that both curves show.
    ranked: OnceCell<Ranked>,
}

pub(crate) fn run(arguments: &PlotArgs) -> Result<(), CliError> {
    let format = Format::of(&arguments.output)?;
    let inputs =
        [Some(&arguments.data), arguments.model.as_ref(), arguments.labeled.labels.as_ref()];
    let inputs: Vec<&Path> = inputs.into_iter().flatten().map(PathBuf::as_path).collect();
    prepare("-o", &arguments.output, &inputs)?;
    let ColumnArgs { positive, ignore, categorical, text, features, .. } = &arguments.columns;
    let lists = [ignore, categorical, text, features];
    let chosen = positive.is_some() || lists.iter().any(|list| !list.is_empty());
    if arguments.model.is_some() && chosen {
        return Err(CliError::Usage {
            message: "positive class and features come from the model".to_owned(),
            hint: Some(
                "`--positive`, `--ignore` and similar options are for plots without a model"
                    .to_owned(),
            ),
        });
    }
    let subject = match &arguments.model {
        Some(model) => {
            PlotSubject::of_model(arguments, load_model(model, &NoteLog::with_quiet(false))?)?
        }
        None if arguments.voting.by.is_some() => {
            return Err(CliError::usage(
                "--by needs a voted model, but no model was given",
                "rosenblatt plot DATA MODEL --by TALLY -o FILE",
            ));
        }
        None => PlotSubject::of_data(arguments)?,
    };
    distances::check(arguments, &subject)?;
    let panels = panels(arguments, &subject);
    let panels = panels.into_iter().map(|panel| subject.panel(panel, arguments));
    let figure = Figure { panels: panels.collect::<Result<_, _>>()? };
    if let Some(data) = &subject.data {
        data.check_unchanged()?;
    }
    write_picture(&arguments.output, &figure, format)
}

/// The panels of `--panels`; otherwise the plane or number line if its features are known, else the panels of any model.
fn panels(arguments: &PlotArgs, subject: &PlotSubject) -> Vec<PanelArg> {
    if arguments.reliability {
        return vec![PanelArg::Reliability];
    }
    if arguments.curves {
        return vec![PanelArg::Roc, PanelArg::PrecisionRecall];
    }
    if !arguments.panels.is_empty() {
        return arguments.panels.clone();
    }
    let plane = subject.names.len() <= 2 || arguments.x.is_some() || arguments.y.is_some();
    if plane || subject.model.is_none() {
        vec![PanelArg::Boundary]
    } else {
        let features = counted(subject.names.len() as u64, "feature");
        let note = format!("{features}, so no boundary is drawn; choose two with `--x` and `--y`");
        output::message("note", &note);
        let linear = |model: &ModelFile| model.model.classifier().linear().is_some();
        let weights = subject.model.as_ref().filter(|&model| linear(model));
        let weights = weights.map(|_| PanelArg::Weights);
        std::iter::once(PanelArg::Curve).chain(weights).collect()
    }
}

impl PlotSubject {
    fn of_data(arguments: &PlotArgs) -> Result<Self, CliError> {
        let options =
            arguments.reading.options_with(&arguments.columns, arguments.labeled.on_error);
        let files = InputFiles::new(&arguments.data, &[], arguments.labeled.labels.as_deref());
        let mut dataset = files.read(&options, Some(&arguments.output))?;
        NoteLog::with_quiet(false).tell(dataset.notes.list(&dataset.schema));
        let (classes, numbers) = classes(&dataset, arguments.columns.positive.as_deref())?;
        let names = dataset.schema.feature_names();
        let none = Rows::dense(Vec::<f64>::new(), 0)?;
        let batches = vec![std::mem::replace(&mut dataset.rows, none)];
        let (file, data) = (dataset.file.clone(), Some(dataset));
        let (model, ranked) = (None, OnceCell::new());
        Ok(PlotSubject { file, batches, numbers, classes, names, model, data, ranked })
    }

    fn of_model(arguments: &PlotArgs, model: ModelFile) -> Result<Self, CliError> {
        predict_options(&arguments.voting, &arguments.reading, &model)?;
        let options = ReadOptions {
            target: arguments.columns.target.clone(),
            ..arguments.reading.options(arguments.labeled.on_error)
        };
        let classes = model.model.classes().clone();
        let source =
            InputFiles::new(&arguments.data, &[], arguments.labeled.labels.as_deref()).open()?;
        let mut reader = Reader::for_model(source, &options, &model.schema, Some(&classes))
            .map_err(CliError::ReadForModel)?;
        let encoder = Encoder::new(&model.schema);
        let (mut batches, mut numbers) = (Vec::new(), Vec::new());
        for batch in reader.by_ref() {
            let batch = batch.map_err(CliError::ReadForModel)?;
            numbers.extend(batch.classes(&classes));
            batches.push(encoder.encode_batch(batch).rows);
        }
        NoteLog::with_quiet(false).tell(reader.notes().list(&model.schema));
        let names = model.schema.feature_names();
        let file = reader.file().to_owned();
        let (model, data, ranked) = (Some(model), None, OnceCell::new());
        Ok(PlotSubject { file, batches, numbers, classes, names, model, data, ranked })
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.batches.iter().flat_map(Rows::iter)
    }

    fn panel(&self, panel: PanelArg, arguments: &PlotArgs) -> Result<Panel<'_>, CliError> {
        let needs_model = |what: &str| {
            let hint = "rosenblatt plot DATA MODEL -o FILE";
            CliError::usage(format!("{what} cannot be drawn without a model"), hint)
        };
        match (panel, &self.model) {
            (PanelArg::Boundary, _) => self.boundary(arguments).map(Panel::Boundary),
            (PanelArg::Curve, Some(model)) => Ok(Panel::Curve(self.curve(model))),
            (PanelArg::Weights, Some(model)) => weights::bars(self, model).map(Panel::Bars),
            (PanelArg::Reliability, Some(model)) => {
                reliability::reliability(self, arguments, model).map(Panel::Reliability)
            }
            (PanelArg::Roc, Some(model)) => {
                self.ranked(arguments, model).map(|ranked| Panel::Rates(ranked.roc()))
            }
            (PanelArg::PrecisionRecall, Some(model)) => {
                self.ranked(arguments, model).map(|ranked| Panel::Rates(ranked.precision_recall()))
            }
            (PanelArg::Roc, None) => Err(needs_model("the ROC curve")),
            (PanelArg::PrecisionRecall, None) => Err(needs_model("the precision–recall curve")),
            (PanelArg::Reliability, None) => Err(needs_model("the reliability")),
            (PanelArg::Curve, None) => Err(needs_model("the learning curve")),
            (PanelArg::Weights, None) => Err(needs_model("the weights")),
        }
    }

    /// The predictions of each batch.
    fn predictions(
        &self,
        arguments: &PlotArgs,
        model: &ModelFile,
    ) -> Result<Vec<Predictions>, CliError> {
        let options = predict_options(&arguments.voting, &arguments.reading, model)?;
        let mut before = 0;
        let of_batch = |rows: &Rows<'_>| {
            let failed =
                |error| CliError::predicting(&self.file, error, |row| before + row as u64 + 1);
            let found = model.model.classify(rows, options, true).map_err(failed);
            before += rows.len() as u64;
            found
        };
        self.batches.iter().map(of_batch).collect()
    }

    fn ranked(&self, arguments: &PlotArgs, model: &ModelFile) -> Result<&Ranked, CliError> {
        if let Some(ranked) = self.ranked.get() {
            return Ok(ranked);
        }
        let ranked = Ranked::of(self, arguments, model)?;
        Ok(self.ranked.get_or_init(|| ranked))
    }

    fn curve(&self, model: &ModelFile) -> Curve {
        let report = model.model.report();
        Curve {
            title: finding::curve(report),
            note: finding::source(self),
            mistakes_per_epoch: report.mistakes_per_epoch.clone(),
            converged: report.converged,
        }
    }
}

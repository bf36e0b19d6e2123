//! `rosenblatt plot`: the examples and the separator in a plane, the learning curve, the largest
//! weights.

use std::io::Write;

use rosenblatt::data::{Classes, Row, Rows, Sign};
use rosenblatt_data::{AtomicFile, Encoder, ModelFile, Reader, Source, read};

use super::{notes, show, train};
use crate::{
    args::{ColumnArgs, PanelArg, PlotArgs},
    failure::Failure,
    output,
    plot::{Bars, Boundary, Curve, Figure, Kind, Line, Panel, PlotError, render},
    text::counted,
};

/// What is drawn from: the examples, and the model if there is one.
struct Subject {
    file: String,
    batches: Vec<Rows<'static>>,
    /// The number of the class of each example.
    numbers: Vec<u32>,
    classes: Classes,
    names: Vec<String>,
    model: Option<ModelFile>,
}

pub(crate) fn run(arguments: &PlotArgs) -> Result<(), Failure> {
    let kind = Kind::of(&arguments.output)?;
    super::not_over_input(&arguments.output, &[&arguments.data])?;
    let ColumnArgs { target, positive, ignore, categorical, text, features, .. } =
        &arguments.columns;
    let lists = [ignore, categorical, text, features];
    let chosen = target.is_some() || positive.is_some();
    if arguments.model.is_some() && (chosen || lists.iter().any(|list| !list.is_empty())) {
        return Err(Failure::Usage {
            message: "target, positive class and columns are those of the model".to_owned(),
            hint: Some(
                "`--target`, `--positive`, `--ignore` and the like are for plots without one"
                    .to_owned(),
            ),
        });
    }
    let subject = match &arguments.model {
        Some(model) => Subject::of_model(arguments, ModelFile::load(model)?)?,
        None => Subject::of_data(arguments)?,
    };
    let panels = panels(arguments, &subject);
    let panels = panels.into_iter().map(|panel| subject.panel(panel, arguments));
    let figure = Figure { panels: panels.collect::<Result<_, _>>()? };
    let file = || arguments.output.display().to_string();
    let bytes =
        render(&figure, kind).map_err(|problem| PlotError::Draw { file: file(), problem })?;
    let write = || {
        let mut file = AtomicFile::create(&arguments.output)?;
        file.write_all(&bytes)?;
        file.commit()
    };
    write().map_err(|error| Failure::Write { file: file(), error })
}

/// What was asked for; otherwise the plane where it is settled, else what any model has.
fn panels(arguments: &PlotArgs, subject: &Subject) -> Vec<PanelArg> {
    if !arguments.panels.is_empty() {
        return arguments.panels.clone();
    }
    let plane = subject.names.len() == 2 || arguments.x.is_some() || arguments.y.is_some();
    if plane || subject.model.is_none() {
        vec![PanelArg::Boundary]
    } else {
        let features = counted(subject.names.len() as u64, "feature");
        let note = format!("{features}, so no boundary is drawn; `--x` and `--y` name two for one");
        output::message("note", &note);
        vec![PanelArg::Curve, PanelArg::Weights]
    }
}

impl Subject {
    fn of_data(arguments: &PlotArgs) -> Result<Self, Failure> {
        let options = arguments.reading.options_with(&arguments.columns, arguments.on_error);
        let source = Source::open_labelled(&arguments.data, arguments.labels.as_deref())?;
        let dataset = read(source, &options)?;
        notes::print(&dataset.notes, &dataset.schema, false);
        let (classes, numbers) = train::classes(&dataset, arguments.columns.positive.as_deref())?;
        let names = dataset.schema.feature_names();
        let (file, batches) = (dataset.file, vec![dataset.rows]);
        Ok(Subject { file, batches, numbers, classes, names, model: None })
    }

    fn of_model(arguments: &PlotArgs, model: ModelFile) -> Result<Self, Failure> {
        let options = arguments.reading.options(arguments.on_error);
        let classes = model.model.classes.clone();
        let source = Source::open_labelled(&arguments.data, arguments.labels.as_deref())?;
        let mut reader = Reader::for_model(source, &options, &model.schema, Some(&classes))
            .map_err(Failure::ReadForModel)?;
        let encoder = Encoder::new(&model.schema);
        let (mut batches, mut numbers) = (Vec::new(), Vec::new());
        for batch in reader.by_ref() {
            let batch = batch.map_err(Failure::ReadForModel)?;
            numbers.extend(batch.classes(&classes));
            batches.push(encoder.encode_batch(batch).rows);
        }
        notes::print(reader.notes(), &model.schema, false);
        let names = model.schema.feature_names();
        let file = reader.file().to_owned();
        Ok(Subject { file, batches, numbers, classes, names, model: Some(model) })
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.batches.iter().flat_map(Rows::iter)
    }

    fn panel(&self, panel: PanelArg, arguments: &PlotArgs) -> Result<Panel, Failure> {
        let needs_model = |what: &str| {
            let hint = "rosenblatt plot DATA MODEL -o FILE";
            Failure::usage(format!("{what} cannot be drawn without a model"), hint)
        };
        match (panel, &self.model) {
            (PanelArg::Boundary, _) => self.boundary(arguments).map(Panel::Boundary),
            (PanelArg::Curve, Some(model)) => Ok(Panel::Curve(curve(model))),
            (PanelArg::Weights, Some(model)) => Ok(Panel::Bars(bars(model))),
            (PanelArg::Curve, None) => Err(needs_model("the learning curve")),
            (PanelArg::Weights, None) => Err(needs_model("the weights")),
        }
    }

    fn boundary(&self, arguments: &PlotArgs) -> Result<Boundary, Failure> {
        let (x, y) = self.axes(arguments)?;
        let scheme = self.classes.scheme();
        let sign = |class: u32| {
            if class as usize == scheme.class_of(0) { Sign::Plus } else { Sign::Minus }
        };
        let (negative, positive) = self.classes.pair().ok_or_else(|| {
            let hint = "`--positive LABEL` draws that class against the rest";
            Failure::usage("pictures are of two classes", hint)
        })?;
        let point = |(row, &class): (Row<'_>, &u32)| {
            let mut point = (0.0, 0.0, sign(class));
            row.for_each(|j, value| {
                if j == x {
                    point.0 = value;
                }
                if j == y {
                    point.1 = value;
                }
            });
            point
        };
        let points: Vec<_> = self.rows().zip(&self.numbers).map(point).collect();
        let line = self.model.as_ref().map(|model| self.line(model, x, y, &points));
        Ok(Boundary {
            title: format!(
                "{}: {}",
                file_name(&self.file),
                counted(points.len() as u64, "example")
            ),
            x_name: self.names[x].clone(),
            y_name: self.names[y].clone(),
            points,
            classes: (negative.to_owned(), positive.to_owned()),
            line,
        })
    }

    /// The two features of the plane.
    fn axes(&self, arguments: &PlotArgs) -> Result<(usize, usize), Failure> {
        let find = |name: &str| {
            self.names.iter().position(|known| known == name).ok_or_else(|| {
                let some = self.names.iter().take(12).cloned().collect::<Vec<_>>().join(", ");
                Failure::usage(format!("no feature `{name}`"), format!("the features are {some}"))
            })
        };
        match (&arguments.x, &arguments.y) {
            (Some(x), Some(y)) if x == y => {
                Err(Failure::Usage { message: format!("`{x}` is named for both axes"), hint: None })
            }
            (Some(x), Some(y)) => Ok((find(x)?, find(y)?)),
            _ if self.names.len() == 1 => {
                let message = "the data have one feature, a plane has two".to_owned();
                Err(Failure::Usage { message, hint: None })
            }
            (None, None) if self.names.len() == 2 => Ok((0, 1)),
            _ => {
                let some = self.names.iter().take(2).cloned().collect::<Vec<_>>();
                let (x, y) = (some.first(), some.get(1).or(some.first()));
                let word = |name: Option<&String>| name.cloned().unwrap_or_default();
                Err(Failure::usage(
                    format!("{} features, a plane has two", self.names.len()),
                    format!("name them, for example `--x {} --y {}`", word(x), word(y)),
                ))
            }
        }
    }

    /// The separator in the plane of the unscaled features `x` and `y`, the others at their means.
    fn line(&self, model: &ModelFile, x: usize, y: usize, points: &[(f64, f64, Sign)]) -> Line {
        let scaling = model.model.scaling.as_ref();
        let shift = |j: usize| scaling.map_or(0.0, |scaling| scaling.shift[j]);
        let divisor = |j: usize| scaling.map_or(1.0, |scaling| scaling.divisor[j]);
        let plane = &model.model.classifier.linear().unwrap_or_default()[0];
        let weights = &plane.weights;
        let others = weights.len() > 2;
        let means = if others { self.means() } else { vec![0.0; weights.len()] };
        let weight = |j: usize| weights[j] / divisor(j);
        let constant = |j: usize| {
            let mean = if j == x || j == y { 0.0 } else { means[j] };
            weight(j) * (mean - shift(j))
        };
        let c = plane.bias + (0..weights.len()).map(constant).sum::<f64>();
        let (a, b) = (weight(x), weight(y));
        let distance =
            |&(px, py, sign): &(f64, f64, Sign)| sign * ((a * px + b * py + c) / a.hypot(b));
        let closest = points.iter().map(distance).fold(f64::INFINITY, f64::min);
        let margin =
            Some(closest).filter(|&closest| !others && closest > 0.0 && closest.is_finite());
        let note =
            others.then(|| "the boundary where the other features are at their means".to_owned());
        Line { a, b, c, margin, note }
    }

    fn means(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.names.len()];
        for row in self.rows() {
            row.for_each(|j, value| sums[j] += value);
        }
        let n = self.numbers.len().max(1) as f64;
        sums.iter().map(|sum| sum / n).collect()
    }
}

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn curve(model: &ModelFile) -> Curve {
    let report = &model.report;
    Curve {
        title: "mistakes per epoch".to_owned(),
        mistakes_per_epoch: report.mistakes_per_epoch.clone(),
        converged: report.converged,
    }
}

fn bars(model: &ModelFile) -> Bars {
    const MOST: usize = 20;
    let weights = show::weights(model, &model.model.classifier.linear().unwrap_or_default()[0])
        .into_iter()
        .take(MOST);
    let all = counted(model.model.features() as u64, "weight");
    let title = if model.model.features() > MOST {
        format!("the {MOST} largest of {all}")
    } else {
        format!("{all}, the largest first")
    };
    let scaled = if model.model.scaling.is_some() { " (of the scaled features)" } else { "" };
    let title = title + scaled;
    Bars { title, weights: weights.map(|weight| (weight.feature, weight.weight)).collect() }
}

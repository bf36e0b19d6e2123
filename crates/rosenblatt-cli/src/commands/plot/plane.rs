//! The plane of two features, or the number line of one: the examples there, and the decision of the model.

use std::rc::Rc;

use rosenblatt_core::{
    data::{Row, Rows, Sign},
    keep::Tally,
    model::Model,
    space::Hyperplane,
};
use rosenblatt_data::ModelFile;
use rosenblatt_plot::{Boundary, Decision, Example, Line, Regions};

use super::{
    PlotSubject, distances, finding,
    slice::{Axes, Slice, class_index},
};
use crate::{
    args::PlotArgs, commands::models::predict_options, error::CliError, text::long_options,
};

const OTHERS: &str = "the boundary where the other features are at their means";

impl PlotSubject {
    pub(super) fn boundary(&self, arguments: &PlotArgs) -> Result<Boundary<'_>, CliError> {
        let axes = self.axes(arguments)?;
        let examples = self.examples(axes);
        let decision = match &self.model {
            Some(model) => Some(self.decision(model, arguments, axes, &examples)?),
            None => None,
        };
        let is_slice = self.model.is_some() && self.names.len() > 2;
        Ok(Boundary {
            title: finding::plane(self, arguments, decision.as_ref()),
            note: finding::source(self),
            x_name: self.names[axes.x].clone(),
            y_name: axes.y.map(|y| self.names[y].clone()),
            examples,
            classes: match self.classes.pair() {
                Some((negative, positive)) => vec![negative.to_owned(), positive.to_owned()],
                None => self.classes.names().to_vec(),
            },
            decision,
            is_slice,
        })
    }

    /// The examples as they lie in the plane or on the line.
    fn examples(&self, axes: Axes) -> Vec<Example> {
        let example = |(row, &class): (Row<'_>, &u32)| {
            let class = class_index(self.classes.scheme(), class);
            let mut example = Example { x: 0.0, y: 0.0, class };
            row.for_each(|j, value| {
                if j == axes.x {
                    example.x = value;
                }
                if Some(j) == axes.y {
                    example.y = value;
                }
            });
            example
        };
        self.rows().zip(&self.numbers).map(example).collect()
    }

    /// The two features of the plane, or the only one.
    fn axes(&self, arguments: &PlotArgs) -> Result<Axes, CliError> {
        let find = |name: &str| {
            self.names.iter().position(|known| known == name).ok_or_else(|| {
                let some = self.names.iter().take(12).cloned().collect::<Vec<_>>().join(", ");
                CliError::usage(format!("no feature `{name}`"), format!("the features are {some}"))
            })
        };
        match (&arguments.x, &arguments.y) {
            (Some(x), Some(y)) if x == y => Err(CliError::Usage {
                message: format!("`--x` and `--y` are both `{x}`"),
                hint: None,
            }),
            (Some(x), Some(y)) => Ok(Axes { x: find(x)?, y: Some(find(y)?) }),
            (x, None) if self.names.len() == 1 => {
                x.as_ref().map_or(Ok(0), |x| find(x)).map(|x| Axes { x, y: None })
            }
            _ if self.names.len() == 1 => {
                let message = "the data has one feature, but a plane needs two";
                Err(CliError::usage(message, "leave out `--y` for a number line"))
            }
            (None, None) if self.names.len() == 2 => Ok(Axes { x: 0, y: Some(1) }),
            _ => {
                let some = self.names.iter().take(2).cloned().collect::<Vec<_>>();
                let (x, y) = (some.first(), some.get(1).or(some.first()));
                let word = |name: Option<&String>| name.cloned().unwrap_or_default();
                Err(CliError::usage(
                    format!("the data has {} features, but a plane needs two", self.names.len()),
                    format!("choose two, for example `--x {} --y {}`", word(x), word(y)),
                ))
            }
        }
    }

    /// A line for a linear model of two classes, regions for any other and for rows that are more than scaled.
    fn decision<'s>(
        &'s self,
        model: &'s ModelFile,
        arguments: &PlotArgs,
        axes: Axes,
        examples: &[Example],
    ) -> Result<Decision<'s>, CliError> {
        let predict_options = predict_options(&arguments.voting, &arguments.reading, model)?;
        if matches!(predict_options.tally, Tally::Random | Tally::RandomNormalised) {
            let hint = "use `--by vote` or `--by average`";
            return Err(CliError::usage("decisions by random weights have no boundary", hint));
        }
        let line_of = |plane: &Hyperplane| {
            let line = self.line(model, plane, axes, examples);
            let distances = distances::of_line(arguments, axes, &line, examples)?;
            Ok(Decision::Line(Line { distances, ..line }))
        };
        if arguments.baseline {
            return line_of(self.prototype(model)?);
        }
        let has_line = model.model.preparation().is_only_scaled();
        let linear = model.model.classifier().linear().filter(|_| has_line);
        if let (Some([plane]), Some(_)) = (linear, self.classes.pair())
            && let Some(bias) = border_bias(&model.model, plane)
        {
            let moved = line_of(&Hyperplane { bias, weights: plane.weights.clone() })?;
            return Ok(match moved {
                Decision::Line(line) => {
                    Decision::Line(Line { is_moved: bias != plane.bias, ..line })
                }
                other => other,
            });
        }
        distances::refuse(arguments)?;
        let note = (self.names.len() > 2).then(|| OTHERS.to_owned());
        let sparse = self.batches.iter().any(Rows::is_sparse);
        let slice =
            Slice { model: &model.model, predict_options, axes, means: self.means(), sparse };
        let most_places = slice.affordable();
        let decide = Rc::new(move |places: &[(f64, f64)]| slice.decide(places));
        Ok(Decision::Regions(Regions { decide, most_places, note }))
    }

    /// The hyperplane of the nearest class mean.
    fn prototype<'s>(&self, model: &'s ModelFile) -> Result<&'s Hyperplane, CliError> {
        if let Some(step) = model.model.preparation().beyond_scaling() {
            let words = step.words();
            let without = long_options(words.options, "and");
            return Err(CliError::usage(
                format!("the nearest class mean of {} has no line in this plane", words.rows()),
                format!("leave out `--baseline`, or train without {without}"),
            ));
        }
        match (model.model.baseline().prototypes.as_slice(), self.classes.pair()) {
            ([plane], Some(_)) => Ok(plane),
            _ => {
                let message = "the nearest class mean has one line only with two classes, \
                    and only if the model has the means of its classes";
                let hint = "`--positive LABEL` of `train` makes two classes of more";
                Err(CliError::usage(message, hint))
            }
        }
    }

    /// The separator in the plane of two unscaled features, with the others at their means, or on the line of one.
    fn line(
        &self,
        model: &ModelFile,
        plane: &Hyperplane,
        Axes { x, y }: Axes,
        examples: &[Example],
    ) -> Line {
        let scaling = model.model.scaling();
        let shift = |j: usize| scaling.map_or(0.0, |scaling| scaling.shift[j]);
        let divisor = |j: usize| scaling.map_or(1.0, |scaling| scaling.divisor[j]);
        let weights = &plane.weights;
        let others = weights.len() > 2;
        let means = if others { self.means() } else { vec![0.0; weights.len()] };
        let weight = |j: usize| weights[j] / divisor(j);
        let constant = |j: usize| {
            let mean = if j == x || Some(j) == y { 0.0 } else { means[j] };
            weight(j) * (mean - shift(j))
        };
        let c = plane.bias + (0..weights.len()).map(constant).sum::<f64>();
        let (a, b) = (weight(x), y.map_or(0.0, weight));
        let note = others.then(|| OTHERS.to_owned());
        let (distances, is_moved) = (Vec::new(), false);
        let line = Line { a, b, c, margin: None, distances, is_moved, note };
        let distance = |example: &Example| {
            let sign = if example.class == 1 { Sign::Plus } else { Sign::Minus };
            sign * line.signed_distance((example.x, example.y))
        };
        let closest = examples.iter().map(distance).fold(f64::INFINITY, f64::min);
        let margin =
            Some(closest).filter(|&closest| !others && closest > 0.0 && closest.is_finite());
        Line { margin, ..line }
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

/// The bias with which the score is 0 where the label changes, if it changes anywhere.
fn border_bias(model: &Model, plane: &Hyperplane) -> Option<f64> {
    let cut = model.calibration().and_then(|found| found.cut(model.decision()));
    let bias = plane.bias - cut.unwrap_or(0.0);
    bias.is_finite().then_some(bias)
}

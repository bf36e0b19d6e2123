//! `--distances` and `--foot`: the distances from the line that a picture shows.

use rosenblatt_core::{calibration::Calibration, transforms::options_beyond_scaling};
use rosenblatt_plot::{Distance, Example, Line};

use super::{PlotSubject, slice::Axes};
use crate::{
    args::{PanelArg, PlotArgs},
    error::CliError,
    text::{counted, long_options, number},
};

/// The name of an option that is given and draws distances.
fn option(arguments: &PlotArgs) -> Option<&'static str> {
    let foot = arguments.foot.map(|_| "--foot");
    arguments.distances.then_some("--distances").or(foot)
}

/// Checks that the picture has the line from which distances are drawn.
pub(super) fn check(arguments: &PlotArgs, subject: &PlotSubject) -> Result<(), CliError> {
    let Some(option) = option(arguments) else { return Ok(()) };
    let features = subject.names.len();
    if features > 2 {
        let some: Vec<&str> = subject.names.iter().take(2).map(String::as_str).collect();
        return Err(CliError::usage(
            format!("{option} needs a model of one or two features; this one has {features}"),
            format!("`--features {}` of `train` learns from two", some.join(",")),
        ));
    }
    let calibration = subject.model.as_ref().and_then(|model| model.model.calibration());
    if calibration.is_some_and(Calibration::has_probable_labels) {
        return Err(CliError::usage(
            format!(
                "{option} is about the hyperplane, and the labels of this model follow its probabilities"
            ),
            format!(
                "leave out `{option}`; a model of `train DATA --calibrate temperature` has both"
            ),
        ));
    }
    let panels = &arguments.panels;
    if !panels.is_empty() && !panels.contains(&PanelArg::Boundary) {
        let message = format!("{option} needs the panel `boundary`");
        return Err(CliError::usage(message, "add `boundary` to `--panels`"));
    }
    Ok(())
}

/// The error of a model without a line.
pub(super) fn refuse(arguments: &PlotArgs) -> Result<(), CliError> {
    option(arguments).map_or(Ok(()), |option| {
        let others = ["kernel", "keep vote"].map(str::to_owned).into_iter();
        let without: Vec<String> = others.chain(options_beyond_scaling()).collect();
        Err(CliError::usage(
            format!("{option} needs one hyperplane: a linear model of two classes"),
            format!(
                "a model of `train DATA` without {} has one; `--positive LABEL` makes two classes of more",
                long_options(&without, "and")
            ),
        ))
    })
}

/// The distance of the origin, and that of the example of `--foot`.
pub(super) fn of_line(
    arguments: &PlotArgs,
    axes: Axes,
    line: &Line,
    examples: &[Example],
) -> Result<Vec<Distance>, CliError> {
    let origin = arguments.distances.then(|| Distance {
        point: (0.0, 0.0),
        name: "origin".to_owned(),
        length: format!("|b|/‖w‖ = {}", length(line, (0.0, 0.0))),
        foot: None,
    });
    let foot = arguments.foot.map(|place| of_example(place, axes, line, examples)).transpose()?;
    Ok(origin.into_iter().chain(foot).collect())
}

/// The distance of an example; the first one has the number 1.
fn of_example(
    place: usize,
    axes: Axes,
    line: &Line,
    examples: &[Example],
) -> Result<Distance, CliError> {
    let example = place.checked_sub(1).and_then(|i| examples.get(i)).ok_or_else(|| {
        let all = counted(examples.len() as u64, "example");
        CliError::usage(
            format!("--foot {place}: the data has {all}"),
            format!("--foot takes a number from 1 to {}", examples.len()),
        )
    })?;
    let point = (example.x, example.y);
    let (x, y) = line.foot(point);
    let foot = match axes.y {
        None => format!("x₀ = {}", number(x)),
        Some(_) => format!("x₀ = ({}, {})", number(x), number(y)),
    };
    Ok(Distance {
        point,
        name: format!("example {place}"),
        length: format!("d = {}", length(line, point)),
        foot: Some(foot),
    })
}

fn length(line: &Line, point: (f64, f64)) -> String {
    number(line.signed_distance(point).abs())
}

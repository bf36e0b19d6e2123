//! The calibration of a model in its file.

use rosenblatt_core::calibration::{
    Calibration, CalibrationMethod, Curve, LabelsBy, Sigmoid, Steps,
};
use safetensors::SafeTensors;

use super::tensors::{Refusal, Tensors, floats, length, places, problem, wholes};

/// Its part of the JSON text.
#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
pub(super) struct CalibrationText {
    method: CalibrationMethod,
    /// The number of rows that it was fitted to.
    rows: usize,
    /// What labels follow; absent for the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    labels: Option<LabelsBy>,
}

impl CalibrationText {
    pub(super) fn of(calibration: &Calibration) -> Self {
        let labels = Some(calibration.labels()).filter(|labels| *labels != LabelsBy::Score);
        CalibrationText { method: calibration.method(), rows: calibration.rows(), labels }
    }
}

const SLOPE: &str = "calibration.slope";
const INTERCEPT: &str = "calibration.intercept";

pub(super) fn write(tensors: &mut Tensors, calibration: &Calibration) {
    let curves = calibration.curves();
    let sigmoids = curves.iter().filter_map(|curve| match curve {
        Curve::Platt(sigmoid) => Some(*sigmoid),
        _ => None,
    });
    let all = |part: fn(&Curve) -> Option<&Steps>| curves.iter().filter_map(part).collect();
    match calibration.method() {
        CalibrationMethod::Temperature | CalibrationMethod::Platt => {
            let slopes = sigmoids.clone().map(|sigmoid| sigmoid.slope);
            tensors.floats(SLOPE, vec![curves.len()], slopes);
            let intercepts = sigmoids.map(|sigmoid| sigmoid.intercept);
            tensors.floats(INTERCEPT, vec![curves.len()], intercepts);
        }
        CalibrationMethod::Isotonic => write_steps(tensors, "steps", &all(isotonic)),
        CalibrationMethod::VennAbers => {
            write_steps(tensors, "lower", &all(lower));
            write_steps(tensors, "upper", &all(upper));
        }
    }
}

fn isotonic(curve: &Curve) -> Option<&Steps> {
    if let Curve::Isotonic(steps) = curve { Some(steps) } else { None }
}

fn lower(curve: &Curve) -> Option<&Steps> {
    if let Curve::VennAbers { lower, .. } = curve { Some(lower) } else { None }
}

fn upper(curve: &Curve) -> Option<&Steps> {
    if let Curve::VennAbers { upper, .. } = curve { Some(upper) } else { None }
}

/// The names of the tensors of step functions.
fn names(part: &str) -> [String; 3] {
    ["offsets", "starts", "values"].map(|name| format!("calibration.{part}.{name}"))
}

fn write_steps(tensors: &mut Tensors, part: &str, all: &Vec<&Steps>) {
    let [offsets, starts, values] = names(part);
    let ends = all.iter().scan(0, |end, steps| {
        *end += steps.starts().len() as u64;
        Some(*end)
    });
    tensors.wholes(offsets, vec![all.len() + 1], std::iter::once(0).chain(ends));
    let total = all.iter().map(|steps| steps.starts().len()).sum::<usize>();
    let numbers = all.iter().flat_map(|steps| steps.starts()).copied();
    tensors.floats(starts, vec![total], numbers);
    let numbers = all.iter().flat_map(|steps| steps.values()).copied();
    tensors.floats(values, vec![total + all.len()], numbers);
}

/// Reads a calibration with one curve for each hyperplane.
pub(super) fn read(
    tensors: &SafeTensors<'_>,
    CalibrationText { method, rows, labels }: CalibrationText,
    planes: usize,
) -> Result<Calibration, Refusal> {
    let curves = match method {
        CalibrationMethod::Temperature | CalibrationMethod::Platt => {
            let slopes = floats(tensors, SLOPE, &[planes])?;
            let intercepts = floats(tensors, INTERCEPT, &[planes])?;
            let sigmoid = |(slope, intercept)| Curve::Platt(Sigmoid { slope, intercept });
            slopes.into_iter().zip(intercepts).map(sigmoid).collect()
        }
        CalibrationMethod::Isotonic => {
            read_steps(tensors, "steps", planes)?.into_iter().map(Curve::Isotonic).collect()
        }
        CalibrationMethod::VennAbers => {
            let lower = read_steps(tensors, "lower", planes)?;
            let upper = read_steps(tensors, "upper", planes)?;
            let both = |(lower, upper)| Curve::VennAbers { lower, upper };
            lower.into_iter().zip(upper).map(both).collect()
        }
    };
    match Calibration::of_parts(method, curves, rows, labels.unwrap_or(LabelsBy::Score)) {
        Some(calibration) => Ok(calibration),
        None => problem("the curves of its calibration fall, differ, or are no probabilities"),
    }
}

fn read_steps(tensors: &SafeTensors<'_>, part: &str, planes: usize) -> Result<Vec<Steps>, Refusal> {
    let [offsets, starts, values] = names(part);
    let total = length(tensors, &starts)?;
    let offsets = places(wholes(tensors, &offsets, &[planes + 1])?)?;
    let starts = floats(tensors, &starts, &[total])?;
    let ascending = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
    if !ascending || offsets.first() != Some(&0) || offsets.last() != Some(&total) {
        return problem("the offsets of its calibration do not fit");
    }
    let values = floats(tensors, &values, &[total + planes])?;
    let of_plane = |plane: usize| {
        let (from, to) = (offsets[plane], offsets[plane + 1]);
        // Each hyperplane has one value more than steps.
        Steps::of_parts(starts[from..to].to_vec(), values[from + plane..=to + plane].to_vec())
    };
    Ok((0..planes).map(of_plane).collect())
}

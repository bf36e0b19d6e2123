//! Decision radii: how far rows are from another label.

use rosenblatt::{ChangeNorm, DecisionRadius, RadiusError};
use rosenblatt_core::data::Rows;
use rosenblatt_data::{ModelFile, schema::Inputs};
use serde::Serialize;

use crate::{
    args::RadiusArg,
    commands::distances::without,
    error::CliError,
    text::{Table, number, percent},
};

/// The borders between the classes of a model, for `--radius`.
pub(super) fn borders(
    norm: Option<RadiusArg>,
    model: &ModelFile,
) -> Result<Option<DecisionRadius>, CliError> {
    let refused = |error: RadiusError| {
        let hint = match &error {
            RadiusError::Rounded { .. } | RadiusError::Range { .. } => {
                "a model of `train DATA --scale none` has them"
            }
            RadiusError::Prepared(words) => {
                return CliError::usage(format!("--radius: {error}"), without(words, "has them"));
            }
            RadiusError::Calibrated => "a model of `train DATA --calibrate temperature` has them",
            _ => "a model of `train DATA` without `--kernel` and `--keep vote` has them",
        };
        CliError::usage(format!("--radius: {error}"), hint)
    };
    if let (Some(_), Inputs::Columns(columns)) = (norm, &model.schema.inputs)
        && !columns.interactions.is_empty()
    {
        return Err(CliError::usage(
            "--radius: products of columns do not change one by one, so there are no distances for them",
            "a model of `train DATA` without `--interactions` has them",
        ));
    }
    let (classifier, preparation) = (model.model.classifier(), model.model.preparation());
    let calibration = model.model.calibration();
    let of =
        |norm: RadiusArg| DecisionRadius::new(classifier, preparation, calibration, norm.into());
    norm.map(|norm| of(norm).map_err(refused)).transpose()
}

/// The radii of rows that the model has put into these classes; none without borders.
pub(super) fn radii(
    borders: Option<&DecisionRadius>,
    rows: &Rows<'_>,
    classes: &[u32],
) -> Vec<f64> {
    borders.map(|borders| borders.of_classified(rows, classes)).unwrap_or_default()
}

/// The maximum number of lengths of a curve.
const MOST_LENGTHS: usize = 15;

/// How many examples stay right if their features change.
#[derive(Serialize)]
pub(super) struct Robustness {
    norm: ChangeNorm,
    curve: Vec<RobustShare>,
}

/// The share of all examples that stay right under every change that is shorter than a length.
#[derive(Serialize)]
struct RobustShare {
    radius: f64,
    accuracy: f64,
}

impl Robustness {
    /// The curve at the lengths 1, 2 and 5 times powers of ten between the 1st and the 99th percentile of the radii of
    /// the right examples, and one beyond each; at most [`MOST_LENGTHS`], the largest.
    pub(super) fn new(norm: RadiusArg, mut radii: Vec<f64>, examples: u64) -> Self {
        radii.sort_by(f64::total_cmp);
        let percentile = |share: usize| radii.get(radii.len() * share / 100).copied();
        let (low, high) = (percentile(1).unwrap_or(0.0), percentile(99).unwrap_or(0.0));
        let lengths: Vec<f64> = lengths().collect();
        let first = lengths.partition_point(|&length| length <= low).saturating_sub(1);
        let last = lengths.partition_point(|&length| length < high).min(lengths.len() - 1);
        let first = first.max((last + 1).saturating_sub(MOST_LENGTHS));
        let share = |&radius: &f64| {
            let beyond = radii.len() - radii.partition_point(|&of_row| of_row < radius);
            RobustShare { radius, accuracy: beyond as f64 / examples.max(1) as f64 }
        };
        let shown = if high > 0.0 { &lengths[first..=last] } else { &[] };
        Robustness { norm: norm.into(), curve: shown.iter().map(share).collect() }
    }

    pub(super) fn add_to(&self, table: &mut Table) {
        let norm = self.norm.name();
        let mut name = "robust";
        for RobustShare { radius, accuracy } in &self.curve {
            let radius = number(*radius);
            table.line(
                name,
                format!(
                    "{} stay right if changed by less than {radius} ({norm})",
                    percent(*accuracy)
                ),
            );
            name = "";
        }
        if self.curve.is_empty() {
            table.line(name, "no example is right and away from the border");
        }
    }
}

/// 1, 2 and 5 times the powers of ten that are floats.
fn lengths() -> impl Iterator<Item = f64> {
    let powers = -300..=300;
    powers
        .flat_map(|power| [1, 2, 5].map(|digit| format!("{digit}e{power}")))
        .filter_map(|text| text.parse().ok())
}

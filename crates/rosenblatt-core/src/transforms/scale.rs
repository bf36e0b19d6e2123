//! Scaling as a step.

use super::{Format, Learned, RowTransform, StepWords};
use crate::data::{Rows, ScaleError, Scaling};
use crate::options::{OptionInfo, OptionValues, told};

/// The option that chooses it.
pub(super) const OPTION: OptionInfo = OptionInfo {
    name: "scale",
    help: "Scale the features; the model stores the scaling and applies it in predictions",
    placeholder: "SCALE",
    default: None,
    values: OptionValues::Words(&[
        told(
            "auto",
            "As `standard` where fewer than half of the rows are 0; divide any other feature by the root mean square of its \
             other values",
        ),
        told("none", "Use the features as they are"),
        told(
            "standard",
            "Mean 0 and standard deviation 1; features of 0 and one other value become 0 and ±1",
        ),
        told("maxabs", "Divide each feature by its largest size"),
        told("minmax", "From 0 to 1"),
    ]),
};

impl RowTransform for Scaling {
    fn apply(&self, rows: &Rows<'_>, limit: Option<usize>) -> Result<Rows<'static>, ScaleError> {
        limit.map_or_else(|| self.batch(rows), |limit| self.apply_within(rows, limit))
    }

    fn check(&self, features: usize) -> Result<(), &'static str> {
        let fits = self.features() == features && self.fits_into(features);
        if fits { Ok(()) } else { Err("its scaling does not fit its features") }
    }

    fn scaling(&self) -> Option<&Scaling> {
        Some(self)
    }

    fn learned(&self) -> Option<Learned> {
        Some(Learned::Scaling)
    }

    fn words(&self) -> StepWords {
        StepWords {
            does: "scales the features",
            report: Some(format!("features scaled: {}", self.scale.name())),
            makes: ("scaled", "features"),
            options: &["scale"],
            beyond_weights: "has no scaling".to_owned(),
        }
    }

    fn format(&self) -> Format {
        Format::PLAIN
    }
}

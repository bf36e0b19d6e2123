//! Scaling as a step.

use super::{Format, Learned, RowTransform, StepWords};
use crate::data::{Rows, ScaleError, Scaling};

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

//! One set of rows, scaled and learned from.

use rosenblatt::{
    data::{Classes, Examples, Rows, ScaleError, Scaling, Sign},
    model::LinearModel,
    report::{Report, Stop},
    train::{Options, Run, train},
};
use rosenblatt_data::Dataset;

use super::hard::Watch;
use crate::{args::TrainArgs, failure::Failure, interrupt};

/// What all models of one command have in common.
pub(super) struct Lesson<'a> {
    pub(super) arguments: &'a TrainArgs,
    pub(super) dataset: &'a Dataset,
    pub(super) classes: &'a Classes,
}

impl Lesson<'_> {
    /// Scales and learns from these rows.
    pub(super) fn learn(
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

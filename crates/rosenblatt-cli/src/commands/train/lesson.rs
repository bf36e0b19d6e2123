//! One set of rows, scaled and learned from.

use rosenblatt::{
    data::{Classes, Labelled, Rows, ScaleError, Scaling},
    model::Model,
    prototype::Baseline,
    report::{Report, Stop},
    train::{Fit, HeldOut, Options, Resources, TrainError, fit},
};
use rosenblatt_data::Dataset;

use super::hard::Watch;
use crate::{
    args::{LearnArgs, TrainArgs},
    failure::Failure,
    interrupt,
};

/// What all models of one command have in common.
pub(super) struct Lesson<'a> {
    pub(super) arguments: &'a TrainArgs,
    pub(super) dataset: &'a Dataset,
    pub(super) classes: &'a Classes,
}

/// Rows with their classes, and where each stands among the rows of the file.
pub(super) struct Part<'a> {
    pub(super) rows: &'a Rows<'a>,
    pub(super) classes: &'a [u32],
    pub(super) places: &'a [usize],
}

impl Lesson<'_> {
    /// Scales and learns from these rows; with others to stop by and the patience for it.
    pub(super) fn learn(
        &self,
        (rows, classes): (&Rows<'_>, &[u32]),
        held_out: Option<(&Part<'_>, u64)>,
        options: &Options,
        watch: &mut Watch,
    ) -> Result<(Model, Report), Failure> {
        let (scaling, scaled) = scale(self.dataset, &self.arguments.learning, rows)?;
        let scheme = self.classes.scheme();
        let labelled = Labelled::new(scaled.as_ref().unwrap_or(rows), classes, scheme)?;
        let others =
            held_out.map(|(part, _)| self.scale_part(scaling.as_ref(), part)).transpose()?;
        let others = others.as_ref().and_then(Option::as_ref);
        let held_out = match held_out {
            None => None,
            Some((part, patience)) => {
                let labelled = Labelled::new(others.unwrap_or(part.rows), part.classes, scheme)?;
                Some(HeldOut { labelled, patience, least: 1 })
            }
        };
        let run = self.run(&labelled, held_out.as_ref(), options, watch)?;
        let model = Model {
            classifier: run.classifier,
            scaling,
            classes: self.classes.clone(),
            zero: options.zero,
            baseline: Baseline::of(&labelled),
        };
        Ok((model, run.report))
    }

    fn scale_part(
        &self,
        scaling: Option<&Scaling>,
        part: &Part<'_>,
    ) -> Result<Option<Rows<'static>>, Failure> {
        let scaled = scaling.map(|scaling| scaling.batch(part.rows)).transpose();
        let place = |row: usize| part.places[row] as u64 + 1;
        scaled.map_err(|error| Failure::predicting(&self.dataset.file, error.into(), place))
    }

    fn run(
        &self,
        labelled: &Labelled<'_>,
        held_out: Option<&HeldOut<'_>>,
        options: &Options,
        watch: &mut Watch,
    ) -> Result<Fit, Failure> {
        let threads = self.arguments.reading.threads();
        let resources = Resources { threads, memory: self.arguments.learning.memory, block: None };
        let run = interrupt::guarded(|| match watch.journal.take_start() {
            None => fit(labelled, options, &resources, held_out, watch),
            Some(start) => start.resume(labelled, options, &resources, held_out, watch),
        });
        watch.progress.end();
        let run = match run {
            // The votes were not counted to the end.
            Err(TrainError::Stopped) => return Err(watch.journal.interrupted()),
            run => run.map_err(|error| self.failure(error))?,
        };
        if let Some(failure) = watch.journal.failure() {
            return Err(failure);
        }
        if run.report.stopped_by == Stop::Observer || interrupt::requested() {
            return Err(watch.journal.interrupted());
        }
        Ok(run)
    }

    fn failure(&self, error: TrainError) -> Failure {
        match (&error, &self.arguments.resume) {
            (TrainError::Checkpoint { .. }, Some(file)) => {
                Failure::Resume { file: file.display().to_string(), problem: error.to_string() }
            }
            _ => Failure::Train { file: self.dataset.file.clone(), error },
        }
    }
}

/// Fits a scaling to rows of a data set and applies it. Sparse rows become dense ones only within `--memory`.
pub(in crate::commands) fn scale(
    dataset: &Dataset,
    learning: &LearnArgs,
    rows: &Rows<'_>,
) -> Result<(Option<Scaling>, Option<Rows<'static>>), Failure> {
    let failure = |error| {
        let file = dataset.file.clone();
        match error {
            ScaleError::Overflow { feature } => {
                let mut names = dataset.schema.feature_names();
                Failure::ScaledFeature { file, feature: names.swap_remove(feature) }
            }
            error => Failure::Scale { file, error },
        }
    };
    let scaling = Scaling::fit(learning.scale.into(), rows).map_err(failure)?;
    let limit = learning.memory / size_of::<f64>();
    let apply = |scaling: &Scaling| scaling.apply_within(rows, limit);
    let scaled = scaling.as_ref().map(apply).transpose().map_err(failure)?;
    Ok((scaling, scaled))
}

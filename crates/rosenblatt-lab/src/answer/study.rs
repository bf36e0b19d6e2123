//! Many runs over random orders.

use std::ops::ControlFlow;

use rosenblatt::study::{
    Bin, Plan, Study, StudyError, StudyStatement, Watcher, histogram, study as learn,
};
use serde::Serialize;

use super::{
    Refusal, Stop,
    points::{PointSet, at_most},
    train::run_options,
};
use crate::question::StudyQuestion;

/// A study and the histogram of the updates of the runs that converged.
#[derive(Serialize)]
pub(super) struct StudyAnswer<'a> {
    #[serde(flatten)]
    study: StudyStatement<'a>,
    histogram: Vec<Bin>,
}

struct StopWatcher<'a>(Stop<'a>);

impl Watcher for StopWatcher<'_> {
    fn poll(&self) -> ControlFlow<()> {
        if (self.0)() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Runs the study.
pub(super) fn study(question: &StudyQuestion, stop: Stop<'_>) -> Result<Study, Refusal> {
    let set = PointSet::new(&question.points)?;
    at_most("runs", question.runs, StudyQuestion::MOST_RUNS)?;
    let options = run_options(&question.options)?;
    let plan = Plan { runs: question.runs, threads: 1 };
    learn(&set.examples()?, &options, &plan, &StopWatcher(stop)).map_err(|error| match error {
        StudyError::Stopped => Refusal::Stopped,
        error => error.into(),
    })
}

/// The answer about a study.
pub(super) fn answer<'a>(study: &'a Study, question: &StudyQuestion) -> StudyAnswer<'a> {
    let bins = question.bins.clamp(1, StudyQuestion::MOST_BINS);
    StudyAnswer {
        study: study.statement(),
        histogram: histogram(&study.updates_of_converged(), bins),
    }
}

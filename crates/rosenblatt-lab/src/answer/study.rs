//! Many runs over random orders.

use std::ops::ControlFlow;

use rosenblatt::study::{
    Bin, Plan, Statement, Study, StudyError, Watcher, histogram, study as learn,
};
use serde::Serialize;

use super::{
    Refusal, Stop,
    points::{Set, at_most},
};
use crate::question::StudyQuestion;

/// A study and the histogram of the updates of the runs that converged.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    #[serde(flatten)]
    study: Statement<'a>,
    histogram: Vec<Bin>,
}

struct Watch<'a>(Stop<'a>);

impl Watcher for Watch<'_> {
    fn poll(&self) -> ControlFlow<()> {
        if (self.0)() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The study that is asked for.
pub(super) fn study(question: &StudyQuestion, stop: Stop<'_>) -> Result<Study, Refusal> {
    let set = Set::new(&question.points)?;
    at_most("runs", question.runs, StudyQuestion::MOST_RUNS)?;
    let options = question.options.options()?;
    let plan = Plan { runs: question.runs, threads: 1 };
    learn(&set.examples()?, &options, &plan, &Watch(stop)).map_err(|error| match error {
        StudyError::Stopped => Refusal::Stopped,
        error => error.into(),
    })
}

/// What it says.
pub(super) fn told<'a>(study: &'a Study, question: &StudyQuestion) -> Answer<'a> {
    let bins = question.bins.clamp(1, StudyQuestion::MOST_BINS);
    Answer { study: study.statement(), histogram: histogram(&study.updates_of_converged(), bins) }
}

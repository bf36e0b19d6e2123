//! Many runs over random orders.

use std::ops::ControlFlow;

use rosenblatt::study::{
    Bin, Plan, Study, StudyError, StudyStatement, Watcher, histogram, study as learn,
};
use rosenblatt_core::{keep::Keep, train::Options};
use serde::Serialize;

use super::{
    Refusal,
    limit::{Limit, Work, visit_work},
    points::{PointSet, at_most},
    trace::WeightList,
    train::{first_weights, run, run_options},
};
use crate::question::{InseparableQuestion, StudyQuestion};

/// A study and the histogram of the updates of the runs that converged.
#[derive(Serialize)]
pub(super) struct StudyAnswer<'a> {
    #[serde(flatten)]
    study: StudyStatement<'a>,
    histogram: Vec<Bin>,
    /// The last weights of the first runs, in the order of the seeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<WeightList>>,
}

/// A study does not tell its visits from its updates: on average one takes as long as two visits.
const STUDY_VISITS: u64 = 2;

/// Ends a study when its work is spent; it is polled at every visit.
struct WorkWatcher<'a> {
    work: &'a Work<'a>,
    per_visit: u64,
}

impl Watcher for WorkWatcher<'_> {
    fn search_work(&self) -> u64 {
        self.work.part(InseparableQuestion::WORK)
    }

    fn poll(&self) -> ControlFlow<()> {
        if self.work.spend(self.per_visit) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Runs the study.
pub(super) fn study(question: &StudyQuestion, work: &Work<'_>) -> Result<Study, Refusal> {
    let set = PointSet::new(&question.points)?;
    at_most("runs", question.runs, StudyQuestion::MOST_RUNS)?;
    let examples = set.examples()?;
    let options = study_options(question, examples.features())?;
    let plan = Plan { runs: question.runs, threads: 1 };
    let watcher = WorkWatcher { work, per_visit: STUDY_VISITS * visit_work(examples.features()) };
    learn(&examples, &options, &plan, &watcher).map_err(|error| match error {
        StudyError::Stopped => work.refusal(),
        error => error.into(),
    })
}

fn study_options(question: &StudyQuestion, features: usize) -> Result<Options, Refusal> {
    first_weights(run_options(&question.options)?, question.start.as_deref(), features)
}

/// The answer about a study.
pub(super) fn answer<'a>(
    study: &'a Study,
    question: &StudyQuestion,
    work: &Work<'_>,
) -> Result<StudyAnswer<'a>, Refusal> {
    let bins = question.bins.clamp(1, StudyQuestion::MOST_BINS);
    let lines = question.lines.then(|| lines(study, question, work)).transpose()?;
    let histogram = histogram(&study.updates_of_converged(), bins);
    Ok(StudyAnswer { study: study.statement(), histogram, lines })
}

/// Makes the first runs again, and returns their last weights.
fn lines(
    study: &Study,
    question: &StudyQuestion,
    work: &Work<'_>,
) -> Result<Vec<WeightList>, Refusal> {
    let set = PointSet::new(&question.points)?;
    let labelled = set.labelled()?;
    let examples = set.examples()?;
    let options = study_options(question, examples.features())?;
    let line = |seed: u64| {
        let options = Options { seed, keep: Keep::Last, compare: false, ..options.clone() };
        let mut limit = Limit::new(&options, (examples.len(), examples.features()), work);
        let fit = run(&labelled, &options, &mut limit)?;
        limit.finished()?;
        // A study has no kernel, and two classes have one hyperplane.
        Ok(fit.classifier.linear().and_then(<[_]>::first).map(WeightList::from))
    };
    let seeds = study.runs.iter().take(StudyQuestion::MOST_LINES).map(|run| run.seed);
    Ok(seeds.map(line).collect::<Result<Vec<_>, Refusal>>()?.into_iter().flatten().collect())
}

//! A run visit by visit as a table, written as the command writes it.

use std::ops::ControlFlow;

use rosenblatt::{
    data::Examples,
    keep::Keep,
    trace::Tracer,
    train::{BinaryTrainer, Epoch, Observer, Options, Visit},
};
use rosenblatt_data::TraceTable;
use serde::Serialize;

use super::{
    Refusal,
    limit::{Limit, Work, visit_work},
    points::{PointSet, at_most},
    trace::VALUE,
    train::{first_weights, of_visits, run, run_options},
};
use crate::question::{TraceQuestion, Window};

/// A table as text.
#[derive(Serialize)]
pub(super) struct TableAnswer {
    text: String,
    /// The number of visits in the table.
    visits: usize,
    /// Whether these are all visits of the run.
    whole: bool,
}

pub(super) fn table(question: &TraceQuestion, work: &Work<'_>) -> Result<TableAnswer, Refusal> {
    let set = PointSet::new(&question.points)?;
    let (labelled, examples) = (set.labelled()?, set.examples()?);
    at_most("features of rows with a table", examples.features(), Window::MOST_FEATURES)?;
    let options = of_visits(run_options(&question.options)?);
    let options = first_weights(options, question.start.as_deref(), examples.features())?;
    // Whatever weights are kept, the visits are the same.
    let options = Options { compare: false, keep: Keep::Last, ..options };
    let mut writer = Writer::new(examples, &options, work)?;
    run(&labelled, &options, &mut writer)?;
    writer.limit.finished()?;
    let trace = writer.tracer.finish()?;
    let features: Vec<String> = (1..=examples.features()).map(|n| format!("x{n}")).collect();
    let (features, has_threshold) = (features.as_slice(), question.threshold);
    let table = TraceTable { trace: &trace, examples, features, has_threshold };
    Ok(TableAnswer {
        text: table.text(question.format),
        visits: trace.visits.len(),
        whole: trace.is_whole,
    })
}

/// Traces the first visits of a run, and ends it after them.
struct Writer<'a> {
    tracer: Tracer<'a>,
    limit: Limit<'a>,
    /// The work of a row of the table.
    per_row: u64,
    visits: usize,
    updates: u64,
    /// The maximum number of kernel values of a score.
    most_values: u64,
}

impl<'a> Writer<'a> {
    fn new(examples: Examples<'a>, options: &Options, work: &'a Work<'a>) -> Result<Self, Refusal> {
        /// The work of a cell, with its text.
        const CELL: u64 = 200;
        let size = (examples.len(), examples.features());
        Ok(Writer {
            tracer: Tracer::new(examples, options, TraceQuestion::MOST_VISITS)?,
            limit: Limit::new(options, size, work),
            per_row: visit_work(examples.features()) + CELL * (2 * examples.features() as u64 + 9),
            visits: 0,
            updates: 0,
            most_values: if options.kernel.is_some() { examples.len() as u64 } else { 0 },
        })
    }
}

impl Observer for Writer<'_> {
    fn poll(&self) -> ControlFlow<()> {
        self.limit.polled()
    }

    fn visited(
        &mut self,
        example: usize,
        visit: Visit,
        trainer: &BinaryTrainer<'_>,
    ) -> ControlFlow<()> {
        self.tracer.visited(example, visit, trainer)?;
        self.visits += 1;
        self.updates += u64::from(visit.updated);
        let values = self.updates.min(self.most_values);
        self.limit.spend(self.per_row + 2 * VALUE * values);
        let is_over = self.limit.visited(visit) || self.visits > TraceQuestion::MOST_VISITS;
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn epoch_ended(&mut self, epoch: Epoch, trainer: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.tracer.epoch_ended(epoch, trainer)
    }
}

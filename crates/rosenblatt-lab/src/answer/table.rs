//! A run visit by visit as a table, written as the command writes it.

use rosenblatt_core::{keep::Keep, trace::Tracer, train::Options};
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
    /// The work of a cell, with its text.
    const CELL: u64 = 200;
    let set = PointSet::new(&question.points)?;
    let (labelled, examples) = (set.labelled()?, set.examples()?);
    at_most("features of rows with a table", examples.features(), Window::MOST_FEATURES)?;
    let options = of_visits(run_options(&question.options)?);
    let options = first_weights(options, question.start.as_deref(), examples.features())?;
    // Whatever weights are kept, the visits are the same.
    let options = Options { compare: false, keep: Keep::Last, ..options };
    let size = (examples.len(), examples.features());
    let per_row = visit_work(size.1) + CELL * (2 * size.1 as u64 + 9);
    // The weights after the visit are scored too.
    let limit = Limit::new(&options, size, work).with_more(per_row, 2 * VALUE);
    let tracer = Tracer::new(examples, &options, TraceQuestion::MOST_VISITS)?.ending_the_run();
    let mut observers = (limit, tracer);
    run(&labelled, &options, &mut observers)?;
    let (limit, tracer) = observers;
    limit.finished()?;
    let trace = tracer.finish()?;
    let features: Vec<String> = (1..=examples.features()).map(|n| format!("x{n}")).collect();
    let (features, has_threshold) = (features.as_slice(), question.threshold);
    let table = TraceTable { trace: &trace, examples, features, has_threshold };
    Ok(TableAnswer {
        text: table.text(question.format),
        visits: trace.visits.len(),
        whole: trace.is_whole,
    })
}

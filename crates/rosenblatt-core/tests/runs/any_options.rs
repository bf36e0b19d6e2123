//! What holds for a run with any options. `draw::options` draws every field, so what a new option breaks is found here.

use std::ops::ControlFlow;

use proptest::prelude::*;
use rosenblatt_core::{
    data::{Labelled, Rows, Scheme, Sign},
    keep::Kept,
    model::Classifier,
    schedule::Order,
    train::{
        BinaryTrainer, Checkpoint, CleanEpoch, Fit, Observer, Options, Resources, Stream,
        TrainError, Visit, fit,
    },
};

use crate::common::{cases, draw, layouts};
use draw::Table;

const TWO: Scheme = Scheme::Two { positive: 1 };

fn classes(table: &Table) -> Vec<u32> {
    table.signs.iter().map(|&sign| u32::from(sign == Sign::Plus)).collect()
}

fn run(
    rows: &Rows<'_>,
    classes: &[u32],
    options: &Options,
    resources: &Resources,
    observer: &mut impl Observer,
) -> Result<Fit, TrainError> {
    fit(&Labelled::new(rows, classes, TWO).unwrap(), options, resources, None, observer)
}

/// A value as text: two floats with the same text have the same bits.
fn text(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

/// Watches every visit, and keeps the checkpoint of every epoch.
#[derive(Default)]
struct Watcher {
    checkpoints: Vec<Checkpoint>,
}

impl Observer for Watcher {
    fn visited(&mut self, _: usize, _: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        self.checkpoints.push(make());
        ControlFlow::Continue(())
    }
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn a_report_keeps_its_bounds(
        table in draw::moderate_table(),
        options in draw::options(),
    ) {
        let (rows, classes) = (table.matrix(), classes(&table));
        let options = Options { epochs: 30, ..options };
        let Ok(run) = run(&rows, &classes, &options, &Resources::default(), &mut ()) else { return Ok(()) };
        let report = run.report;
        if let Some(bound) = report.novikoff_bound {
            prop_assert!(report.updates as f64 <= bound, "{} > {bound}", report.updates);
        }
        if let (Some(lower), Some(upper)) = (report.margin.lower, report.margin.upper) {
            prop_assert!(lower <= upper, "{lower} > {upper}");
        }
    }

    /// A run that converged, and would not move on, is right on every row with its last weights.
    #[test]
    fn converged_weights_are_right(table in draw::moderate_table(), options in draw::options()) {
        let (rows, classes) = (table.matrix(), classes(&table));
        let options = Options { epochs: 30, ..options };
        let Ok(Fit { report, .. }) = run(&rows, &classes, &options, &Resources::default(), &mut ()) else { return Ok(()) };
        if report.converged && options.dynamics().clean_epoch == CleanEpoch::Rests {
            prop_assert_eq!(report.errors.of(Kept::Last), Some(0));
        }
    }

    #[test]
    fn whoever_watches_and_whatever_the_layout(
        table in draw::moderate_table(),
        options in draw::options(),
        block in prop_oneof![Just(None), (1usize..8).prop_map(Some)],
    ) {
        let classes = classes(&table);
        let expected = run(&table.matrix(), &classes, &options, &Resources::default(), &mut Watcher::default());
        let small = Resources { threads: 2, memory: 64, block };
        for (layout, rows) in layouts::all(&table.rows) {
            for resources in [Resources::default(), small] {
                let found = run(&rows, &classes, &options, &resources, &mut ());
                prop_assert_eq!(text(&found), text(&expected), "{}", layout);
            }
        }
    }

    #[test]
    fn resumed_from_any_epoch(table in draw::moderate_table(), options in draw::options()) {
        let (rows, classes) = (table.matrix(), classes(&table));
        let labelled = Labelled::new(&rows, &classes, TWO).unwrap();
        let mut watcher = Watcher::default();
        let whole = run(&rows, &classes, &options, &Resources::default(), &mut watcher);
        for start in &watcher.checkpoints {
            let resumed = start.resume(&labelled, &options, &Resources::default(), None, &mut ());
            prop_assert_eq!(text(&resumed), text(&whole));
        }
    }

    /// Options whose runs are one pass learn the same from a stream, in batches.
    #[test]
    fn streamed(table in draw::moderate_table(), options in draw::options(), from in 0usize..12) {
        let (rows, classes) = (table.matrix(), classes(&table));
        let options = Options { epochs: 1, order: Order::Given, ..options };
        if options.check().is_err() || !options.dynamics().is_one_pass {
            return Ok(());
        }
        let whole = run(&rows, &classes, &options, &Resources::default(), &mut ());
        let mut stream = Stream::new(&options, TWO).unwrap();
        let split = from % rows.len();
        for range in [0..split, split..rows.len()] {
            let places: Vec<usize> = range.collect();
            let part: Vec<u32> = places.iter().map(|&place| classes[place]).collect();
            let part_rows = rows.select(&places);
            let learned = stream.learn(&Labelled::new(&part_rows, &part, TWO).unwrap(), &mut ());
            if learned.is_err() {
                prop_assert!(whole.is_err());
                return Ok(());
            }
        }
        let planes = stream.last();
        let whole = whole.unwrap();
        let last = whole.others.iter().find(|other| other.kept == Kept::Last);
        let expected = match (last, &whole.classifier) {
            (Some(last), _) => last.planes.clone(),
            (None, Classifier::Linear(planes)) => planes.clone(),
            (None, _) => unreachable!("one pass makes a linear classifier"),
        };
        prop_assert_eq!(text(&planes), text(&expected));
        prop_assert_eq!(stream.report().margin.upper, whole.report.margin.upper);
    }
}

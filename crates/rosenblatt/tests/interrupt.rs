//! An observer that wants to stop is asked often enough, with and without watching visits, and a run that ends
//! by it is the run over what came before.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::{cell::Cell, ops::ControlFlow};

use common::cases;
use proptest::{collection::vec, prelude::*};
use rosenblatt::{
    data::{Labelled, Rows, Scheme},
    keep::Keep,
    report::Stop,
    schedule::Order,
    train::{Epoch, Observer, Options, Pupil, Resources, Stream, TrainError, fit},
};

/// Wants to stop when it is asked for the `least`-th time.
struct Stopper {
    asked: Cell<u64>,
    least: u64,
    watches: bool,
    epochs: u64,
}

impl Stopper {
    fn new(least: u64, watches: bool) -> Self {
        Stopper { asked: Cell::new(0), least, watches, epochs: 0 }
    }
}

impl Observer for Stopper {
    fn watches_visits(&self) -> bool {
        self.watches
    }

    fn wants_stop(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.asked.get() >= self.least
    }

    fn epoch_ended(&mut self, _: Epoch, _: &Pupil<'_>) -> ControlFlow<()> {
        self.epochs += 1;
        ControlFlow::Continue(())
    }
}

fn one_pass() -> Options {
    Options { epochs: 1, order: Order::Given, keep: Keep::Average, ..Options::default() }
}

proptest! {
    #![proptest_config(cases(60))]

    /// 4000 rows, few of them mistaken: the stream that was stopped is the stream of the rows that it visited.
    #[test]
    fn a_stream_that_was_stopped_is_that_of_its_visits(
        odd in vec(0usize..4000, 0..6),
        least in 1u64..6,
        classes in 2usize..4,
        watches in any::<bool>(),
    ) {
        const ROWS: usize = 4000;
        let side = |i: usize| if (i % 2 == 1) != odd.contains(&i) { 1.0 } else { -1.0 };
        let values: Vec<f64> = (0..ROWS).map(side).collect();
        let labels: Vec<u32> = (0..ROWS).map(|i| (i % 2) as u32).collect();
        let rows = Rows::dense(values.as_slice(), 1).unwrap();
        let scheme = match classes {
            2 => Scheme::Two { positive: 1 },
            _ => Scheme::OneAgainstRest { classes },
        };
        let options = one_pass();
        let mut stopped = Stream::new(&options, scheme).unwrap();
        let mut stopper = Stopper::new(least, watches);
        let labelled = Labelled::new(&rows, &labels, scheme).unwrap();
        let flow = stopped.learn(&labelled, &mut stopper).unwrap();
        let visits = stopped.examples();
        let asked = stopper.asked.get();
        prop_assert_eq!(flow.is_break(), asked == least);
        prop_assert!(visits <= asked * 1024);
        if watches || classes > 2 {
            prop_assert_eq!(visits, least);
        }
        prop_assert!(flow.is_break() || visits == ROWS as u64);
        let visits = visits as usize;
        let rows = Rows::dense(&values[..visits], 1).unwrap();
        let mut plain = Stream::new(&options, scheme).unwrap();
        let labelled = Labelled::new(&rows, &labels[..visits], scheme).unwrap();
        let _ = plain.learn(&labelled, &mut ()).unwrap();
        match (stopped.finish(), plain.finish()) {
            (Ok((stopped, baseline)), Ok((plain, expected))) => {
                prop_assert_eq!(stopped.classifier, plain.classifier);
                prop_assert_eq!(stopped.report, plain.report);
                prop_assert_eq!(baseline, expected);
            }
            (stopped, plain) => prop_assert_eq!(stopped.map(drop), plain.map(drop)),
        }
    }
}

/// Kernels, votes, pockets and more classes: every kind of run ends within its first thousand visits.
#[test]
fn every_kind_of_run_can_be_stopped() {
    let values: Vec<f64> = (0..600).map(|i| f64::from(i * 7919 % 1009) - 500.0).collect();
    let rows = Rows::dense(values, 2).unwrap();
    let labels: Vec<u32> = (0..300).map(|i| i * i % 7 % 2).collect();
    for (kernel, keep, watches) in [
        (None, Keep::Last, false),
        (None, Keep::Last, true),
        (None, Keep::Pocket, false),
        (None, Keep::Vote, false),
        (Some("poly:2"), Keep::Auto, false),
    ] {
        for scheme in [Scheme::Two { positive: 1 }, Scheme::OneAgainstRest { classes: 2 }] {
            let kernel = kernel.map(|kernel| kernel.parse().unwrap());
            let options = Options { kernel, keep, epochs: 50, ..Options::default() };
            let labelled = Labelled::new(&rows, &labels, scheme).unwrap();
            let run = |stopper: &mut Stopper| {
                fit(&labelled, &options, &Resources::default(), None, stopper)
            };
            let mut stopper = Stopper::new(1, watches);
            let stopped = run(&mut stopper).map(|run| (run.report.stopped_by, run.report.epochs));
            // A vote's report would need all votes, which nobody waits for any more.
            let expected = match keep {
                Keep::Vote => Err(TrainError::Stopped),
                _ => Ok((Stop::Observer, 1)),
            };
            assert_eq!((stopped, stopper.epochs), (expected, 0));
            // Nobody who does not want to stop changes anything.
            let mut patient = Stopper::new(u64::MAX, watches);
            let whole = run(&mut patient).unwrap();
            let plain = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
            assert_eq!((whole.classifier, &whole.report), (plain.classifier, &plain.report));
            assert!(patient.asked.get() >= whole.report.epochs);
        }
    }
}

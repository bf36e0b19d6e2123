//! An observer can stop a run soon, with and without watching visits. A stopped run equals the run over the visits
//! before.

use std::{cell::Cell, ops::ControlFlow};

use crate::common::cases;
use proptest::{collection::vec, prelude::*};
use rosenblatt_core::{
    data::{Labelled, Rows, Scheme},
    keep::Keep,
    report::Stop,
    schedule::Order,
    train::{
        BinaryTrainer, Checkpoint, Epoch, Fit, HeldOut, Observer, Options, Resources, Stream,
        TrainError, Visit, fit,
    },
};

/// Stops at the `least`-th poll.
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

    fn poll(&self) -> ControlFlow<()> {
        self.asked.set(self.asked.get() + 1);
        if self.asked.get() >= self.least {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn epoch_ended(&mut self, _: Epoch, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.epochs += 1;
        ControlFlow::Continue(())
    }
}

/// The call in which an observer breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// In the visit with this number, over all hyperplanes.
    Visited,
    /// In a poll, after this number of visits.
    Asked,
    /// At the end of the epoch that contains this number of visits.
    EpochEnded,
    /// At the checkpoint after that epoch.
    Checkpoint,
}

/// Breaks after some visits, and counts the calls.
struct Breaker {
    way: Option<Way>,
    after: u64,
    visits: u64,
    epochs: u64,
    checkpoints: Vec<Checkpoint>,
}

impl Breaker {
    fn new(way: Option<Way>, after: u64) -> Self {
        Breaker { way, after, visits: 0, epochs: 0, checkpoints: Vec::new() }
    }

    fn flow(&self, way: Way) -> ControlFlow<()> {
        let breaks = self.way == Some(way) && self.visits >= self.after;
        if breaks { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Observer for Breaker {
    fn poll(&self) -> ControlFlow<()> {
        self.flow(Way::Asked)
    }

    fn visited(&mut self, _: usize, _: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.visits += 1;
        self.flow(Way::Visited)
    }

    fn epoch_ended(&mut self, _: Epoch, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.epochs += 1;
        self.flow(Way::EpochEnded)
    }

    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        self.checkpoints.push(make());
        self.flow(Way::Checkpoint)
    }
}

/// Observes epochs alone.
struct Epochs(u64);

impl Observer for Epochs {
    fn watches_visits(&self) -> bool {
        false
    }

    fn epoch_ended(&mut self, _: Epoch, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

const WAYS: [Way; 4] = [Way::Visited, Way::Asked, Way::EpochEnded, Way::Checkpoint];

/// A value as text: two floats with the same text have the same bits.
fn text(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

/// The logical AND in the order 00, 01, 10, 11 has 2, 3, 3, 2, 2, 3, 2, 1 and 0 mistakes in its nine epochs.
struct And {
    rows: Rows<'static>,
    options: Options,
}

impl And {
    fn new(options: Options) -> Self {
        let corners = vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0];
        let options = Options { order: Order::Given, ..options };
        And { rows: Rows::dense(corners, 2).unwrap(), options }
    }

    fn run(&self, patience: Option<u64>, observer: &mut Breaker) -> Fit {
        let labelled =
            Labelled::new(&self.rows, &[0, 0, 0, 1], Scheme::Two { positive: 1 }).unwrap();
        let held_out = patience.map(|patience| HeldOut { labelled, patience, least: 1 });
        fit(&labelled, &self.options, &Resources::default(), held_out.as_ref(), observer).unwrap()
    }
}

/// The model of a run that two observers see is that of the one which ends it, in whatever call and place, and both see the same.
#[test]
fn a_pair_of_observers_is_one_observer() {
    let and = And::new(Options::default());
    let labelled = Labelled::new(&and.rows, &[0, 0, 0, 1], Scheme::Two { positive: 1 }).unwrap();
    let run = |observer: &mut dyn Observer| {
        let mut observer = observer;
        text(&fit(&labelled, &and.options, &Resources::default(), None, &mut observer).unwrap())
    };
    for way in WAYS {
        let mut alone = Breaker::new(Some(way), 6);
        let expected = run(&mut alone);
        let calm = || (Some(Breaker::new(None, 0)), Epochs(0));
        let (mut first, mut second) =
            ((Breaker::new(Some(way), 6), calm()), (calm(), Breaker::new(Some(way), 6)));
        assert_eq!([run(&mut first), run(&mut second)], [&*expected, &*expected], "{way:?}");
        for (breaker, (calm, epochs)) in [(first.0, first.1), (second.1, second.0)] {
            let calm = calm.unwrap();
            for seen in [&breaker, &calm] {
                assert_eq!((seen.visits, seen.epochs), (alone.visits, alone.epochs), "{way:?}");
                assert_eq!(text(&seen.checkpoints), text(&alone.checkpoints), "{way:?}");
            }
            assert_eq!(epochs.0, alone.epochs);
        }
    }
    let watches = |observer: &dyn Observer| observer.watches_visits();
    assert!(!watches(&None::<Breaker>) && !watches(&(None::<Breaker>, Epochs(0))));
    assert!(watches(&(Epochs(0), Some(Breaker::new(None, 0)))));
}

/// After a clean epoch the last weights are the model (an average here errs), even if the observer breaks at its end.
/// The same holds after an epoch within the allowed mistakes, and after the last epoch.
#[test]
fn a_run_that_ends_anyway_keeps_its_own_reason() {
    let plain = Options::default();
    for (options, visits, stop) in [
        (plain.clone(), 36, Stop::CleanEpoch),
        (Options { allow_mistakes: 1, ..plain.clone() }, 32, Stop::AllowedMistakes),
        (Options { epochs: 5, ..plain.clone() }, 20, Stop::MaxEpochs),
        (Options { keep: Keep::Pocket, ..plain.clone() }, 36, Stop::CleanEpoch),
        (Options { kernel: Some("poly:1".parse().unwrap()), ..plain }, 36, Stop::CleanEpoch),
    ] {
        let and = And::new(options);
        let mut watch = Breaker::new(None, 0);
        let expected = and.run(None, &mut watch);
        assert_eq!((watch.visits, expected.report.stopped_by), (visits, stop));
        for way in WAYS {
            let mut breaker = Breaker::new(Some(way), visits);
            let stopped = and.run(None, &mut breaker);
            assert_eq!(text(&stopped), text(&expected), "{way:?}");
            assert_eq!(stopped.report.converged, stop == Stop::CleanEpoch);
            assert_eq!(breaker.epochs, visits / 4, "{way:?}");
            assert_eq!(text(&breaker.checkpoints), text(&watch.checkpoints), "{way:?}");
        }
    }
}

/// After eight epochs of AND one mistake is left. The run stops at a complete epoch with a checkpoint, from which it
/// resumes. One visit earlier the epoch is not complete.
#[test]
fn a_break_at_the_end_of_an_epoch_skips_nothing() {
    let and = And::new(Options::default());
    let mut watch = Breaker::new(None, 0);
    let whole = and.run(None, &mut watch);
    for way in WAYS {
        let mut breaker = Breaker::new(Some(way), 32);
        let report = and.run(None, &mut breaker).report;
        assert_eq!(
            (report.stopped_by, report.epochs, report.converged),
            (Stop::Observer, 8, false)
        );
        assert_eq!((breaker.epochs, breaker.checkpoints.len()), (8, 8), "{way:?}");
        let last = breaker.checkpoints.pop().unwrap();
        assert_eq!(text(&last), text(&watch.checkpoints[7]), "{way:?}");
        let labelled =
            Labelled::new(&and.rows, &[0, 0, 0, 1], Scheme::Two { positive: 1 }).unwrap();
        let resumed = last.resume(&labelled, &and.options, &Resources::default(), None, &mut ());
        assert_eq!(text(&resumed.unwrap()), text(&whole), "{way:?}");
    }
    for way in [Way::Visited, Way::Asked] {
        let mut breaker = Breaker::new(Some(way), 35);
        let report = and.run(None, &mut breaker).report;
        assert_eq!(
            (report.stopped_by, report.epochs, report.converged),
            (Stop::Observer, 9, false)
        );
        assert_eq!((breaker.epochs, breaker.checkpoints.len()), (8, 8), "{way:?}");
    }
}

/// Held-out examples are evaluated after the epoch in which the observer broke, and patience may end the run there.
#[test]
fn a_break_does_not_skip_early_stopping() {
    let and = And::new(Options { keep: Keep::Last, ..Options::default() });
    let report = and.run(Some(9), &mut Breaker::new(Some(Way::EpochEnded), 4)).report;
    // After one epoch of AND the weights err on three examples; see the lecture of Varner.
    assert_eq!(
        (report.stopped_by, report.best_epoch, report.training_errors),
        (Stop::Observer, Some(1), Some(3))
    );
    let mut watch = Breaker::new(None, 0);
    let expected = and.run(Some(1), &mut watch);
    assert_eq!(expected.report.stopped_by, Stop::Patience);
    for way in WAYS {
        let stopped = and.run(Some(1), &mut Breaker::new(Some(way), watch.visits));
        assert_eq!(text(&stopped), text(&expected), "{way:?}");
    }
}

/// Three classes on a line, one-vs-rest: an epoch is complete after the last hyperplane visits the last example, not
/// after the first does.
#[test]
fn with_several_hyperplanes_the_last_one_ends_the_epoch() {
    let rows = Rows::dense(vec![-1.0, 1.0, 1.0, 1.0, 0.0, -1.0], 2).unwrap();
    let scheme = Scheme::OneVsRest { classes: 3 };
    let labelled = Labelled::new(&rows, &[0, 1, 2], scheme).unwrap();
    let options = Options { order: Order::Given, ..Options::default() };
    let run = |observer: &mut Breaker| {
        fit(&labelled, &options, &Resources::default(), None, observer).unwrap()
    };
    let mut watch = Breaker::new(None, 0);
    let expected = run(&mut watch);
    assert_eq!(expected.report.stopped_by, Stop::CleanEpoch);
    for way in WAYS {
        let stopped = run(&mut Breaker::new(Some(way), watch.visits));
        assert_eq!(text(&stopped), text(&expected), "{way:?}");
    }
    for before in 1..3 {
        let report = run(&mut Breaker::new(Some(Way::Visited), watch.visits - before)).report;
        assert_eq!((report.stopped_by, report.converged), (Stop::Observer, false));
    }
}

fn one_pass() -> Options {
    Options { epochs: 1, order: Order::Given, keep: Keep::Average, ..Options::default() }
}

proptest! {
    #![proptest_config(cases(60))]

    /// 4000 rows with few mistakes: a stopped stream equals the stream of its visited rows.
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
            _ => Scheme::OneVsRest { classes },
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
        if watches {
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

/// Kernels, votes, pockets and more classes: every kind of run can stop within its first 1024 visits, of 1100.
#[test]
fn every_kind_of_run_can_be_stopped() {
    let values: Vec<f64> = (0..2200).map(|i| f64::from(i * 7919 % 1009) - 500.0).collect();
    let rows = Rows::dense(values, 2).unwrap();
    let labels: Vec<u32> = (0..1100).map(|i| i * i % 7 % 2).collect();
    for (kernel, keep, watches) in [
        (None, Keep::Last, false),
        (None, Keep::Last, true),
        (None, Keep::Pocket, false),
        (None, Keep::Vote, false),
        (Some("poly:2"), Keep::Auto, false),
    ] {
        for scheme in [Scheme::Two { positive: 1 }, Scheme::OneVsRest { classes: 2 }] {
            let kernel = kernel.map(|kernel| kernel.parse().unwrap());
            let options = Options { kernel, keep, epochs: 50, ..Options::default() };
            let labelled = Labelled::new(&rows, &labels, scheme).unwrap();
            let run = |stopper: &mut Stopper| {
                fit(&labelled, &options, &Resources::default(), None, stopper)
            };
            let mut stopper = Stopper::new(1, watches);
            let stopped = run(&mut stopper).map(|run| (run.report.stopped_by, run.report.epochs));
            // A vote's report would need all votes, which a stopped run does not count.
            let expected = match keep {
                Keep::Vote => Err(TrainError::Stopped),
                _ => Ok((Stop::Observer, 1)),
            };
            assert_eq!((stopped, stopper.epochs), (expected, 0));
            // An observer that does not stop the run changes nothing.
            let mut patient = Stopper::new(u64::MAX, watches);
            let whole = run(&mut patient).unwrap();
            let plain = fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap();
            assert_eq!((whole.classifier, &whole.report), (plain.classifier, &plain.report));
            assert!(patient.asked.get() >= whole.report.epochs);
        }
    }
}

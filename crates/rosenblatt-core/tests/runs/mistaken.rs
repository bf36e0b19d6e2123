//! The order `mistaken`: each epoch counts the mistakes of the weights as they are and visits one of them.

use std::ops::ControlFlow;

use crate::common::{bits, draw::Table, oracle::Oracle};
use rosenblatt_core::{
    data::{Examples, Labelled, Rows, Scheme, Sign},
    keep::{Keep, Kept},
    options::Penalty,
    report::Stop,
    rules::Update,
    schedule::{Init, Order},
    space::Hyperplane,
    train::{
        BinaryTrainer, Epoch, Observer, OptionError, Options, Stream, TrainError, Visit, train,
    },
};

fn mistaken() -> Options {
    Options { order: Order::Mistaken, keep: Keep::Last, ..Options::default() }
}

/// Two noisy classes of numbers that need rounding.
fn noise(rows: usize) -> Table {
    let number = |place: usize| ((place * 7_919 + 13) % 1_009) as f64 / 100.0 - 5.0;
    let row = |i: usize| (0..3).map(|j| number(3 * i + j)).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = (0..rows).map(row).collect();
    let sign = |(i, row): (usize, &Vec<f64>)| match row[0] > 0.3 || i.is_multiple_of(50) {
        true => Sign::Plus,
        false => Sign::Minus,
    };
    let signs = rows.iter().enumerate().map(sign).collect();
    Table { rows, signs }
}

/// The visits, the epochs, and after how many polls to stop.
#[derive(Default)]
struct Witness {
    visits: Vec<(usize, Visit)>,
    epochs: Vec<Epoch>,
    polls: std::cell::Cell<u64>,
    most_polls: Option<u64>,
}

impl Observer for Witness {
    fn poll(&self) -> ControlFlow<()> {
        self.polls.set(self.polls.get() + 1);
        match self.most_polls.is_some_and(|most| self.polls.get() > most) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn visited(&mut self, example: usize, visit: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.visits.push((example, visit));
        ControlFlow::Continue(())
    }

    fn epoch_ended(&mut self, epoch: Epoch, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.epochs.push(epoch);
        ControlFlow::Continue(())
    }
}

/// More rows than are looked at between two polls.
#[test]
fn many_rows_have_the_bits_of_the_reference() {
    let table = noise(2500);
    let data = table.matrix();
    let options = Options { epochs: 30, keep: Keep::Pocket, ..mistaken() };
    let oracle = Oracle::new(&table, &options);
    let mut witness = Witness::default();
    let run = train(&table.examples(&data), &options, &mut witness).unwrap();
    assert_eq!(bits(&run.hyperplane.weights), bits(&oracle.pocket.weights));
    assert_eq!(run.report.mistakes_per_epoch, oracle.run.mistakes_per_epoch());
    let expected = oracle.run.visits().map(|visit| visit.example);
    assert!(witness.visits.iter().map(|visit| visit.0).eq(expected));
    assert!(witness.visits.iter().all(|(_, visit)| visit.mistake && visit.updated));
    for (epoch, mistakes) in witness.epochs.iter().zip(&run.report.mistakes_per_epoch) {
        assert_eq!((epoch.visits, epoch.updates, epoch.mistakes), (1, 1, *mistakes));
    }
}

/// With zero weights all four corners are mistakes, and the last epoch visits none.
#[test]
fn a_clean_epoch_ends_the_run() {
    let rows = Rows::dense(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0], 2).unwrap();
    let signs = [Sign::Minus, Sign::Minus, Sign::Minus, Sign::Plus];
    let and = Examples::new(&rows, &signs).unwrap();
    for seed in 0..20 {
        let mut witness = Witness::default();
        let run = train(&and, &Options { seed, ..mistaken() }, &mut witness).unwrap();
        let report = run.report;
        assert!(report.converged);
        assert_eq!((report.mistakes_per_epoch[0], report.training_errors), (4, Some(0)));
        assert_eq!(
            (report.updates, witness.visits.len() as u64),
            (report.epochs - 1, report.epochs - 1)
        );
        assert!(report.updates as f64 <= report.novikoff_bound.unwrap());
    }
}

/// The weights of a run that allows mistakes make just those of its last epoch.
#[test]
fn allowed_mistakes_are_not_visited() {
    let table = noise(200);
    let data = table.matrix();
    let options = Options { allow_mistakes: 30, epochs: 100_000, ..mistaken() };
    let run = train(&table.examples(&data), &options, &mut ()).unwrap().report;
    assert_eq!(run.stopped_by, Stop::AllowedMistakes);
    let last = *run.mistakes_per_epoch.last().unwrap();
    assert!(last <= 30 && run.mistakes_per_epoch.iter().rev().skip(1).all(|&count| count > 30));
    assert_eq!((run.updates, run.training_errors), (run.epochs - 1, Some(last as usize)));
}

/// By hand, without a bias, as in the test of the pocket: −1 is among the weights of some order of the visits and makes the
/// fewest errors, two. No visit is correct, but every update is followed by a trial.
#[test]
fn the_pocket_tries_the_weights_after_each_update() {
    let rows = Rows::dense(vec![2.0, 1.0, 1.0, 1.0, 2.0], 1).unwrap();
    let signs = [Sign::Plus, Sign::Minus, Sign::Minus, Sign::Minus, Sign::Plus];
    let examples = Examples::new(&rows, &signs).unwrap();
    let bias = rosenblatt_core::options::Bias::None;
    let options = Options { keep: Keep::Pocket, bias, epochs: 50, ..mistaken() };
    let run = train(&examples, &options, &mut ()).unwrap();
    assert_eq!((run.hyperplane.weights[0], run.report.training_errors), (-1.0, Some(2)));
}

/// 2000 rows of three values are past the 100,000 values of a plateau after 17 epochs.
#[test]
fn there_is_no_plateau() {
    let table = noise(2000);
    let data = table.matrix();
    let options = Options { plateau: true, epochs: 60, ..mistaken() };
    let ended = |order| {
        let run = train(&table.examples(&data), &Options { order, ..options.clone() }, &mut ());
        let report = run.unwrap().report;
        (report.stopped_by, report.epochs)
    };
    assert_eq!(ended(Order::Mistaken), (Stop::MaxEpochs, 60));
    assert_eq!(ended(Order::Shuffle).0, Stop::Plateau);
}

/// A break while the examples are looked at ends the run before a visit.
#[test]
fn a_look_can_be_stopped() {
    let table = noise(2500);
    let data = table.matrix();
    // An epoch has three polls while it looks and one after its visit.
    for (most, updates) in [(0, 0), (2, 0), (3, 1), (5, 1), (8, 2)] {
        let mut witness = Witness { most_polls: Some(most), ..Witness::default() };
        let run = train(&table.examples(&data), &mistaken(), &mut witness).unwrap();
        assert_eq!(
            (run.report.stopped_by, run.report.updates),
            (Stop::Observer, updates),
            "{most}"
        );
        assert_eq!(witness.visits.len() as u64, updates);
    }
}

/// First weights that are right visit nothing and are the model, whatever is kept.
#[test]
fn right_weights_stay() {
    let rows = Rows::dense(vec![1.0, -1.0], 1).unwrap();
    let examples = Examples::new(&rows, &[Sign::Plus, Sign::Minus]).unwrap();
    let first = Hyperplane { weights: vec![3.0], bias: 0.5 };
    for keep in [Keep::Auto, Keep::Last, Keep::Average, Keep::Pocket] {
        let init = Init::Given([first.clone()].into());
        let run = train(&examples, &Options { init, keep, ..mistaken() }, &mut ()).unwrap();
        assert_eq!(run.hyperplane, first);
        assert_eq!((run.report.epochs, run.report.updates, run.report.converged), (1, 0, true));
        let kept = if keep == Keep::Auto { Kept::Last } else { keep.kept() };
        assert_eq!(run.report.kept, kept);
    }
}

#[test]
fn what_it_does_not_suit_is_refused() {
    let vote = Options { keep: Keep::Vote, ..mistaken() };
    let penalty = Options { penalty: Some(Penalty { alpha: 0.1, l1_ratio: 0.0 }), ..mistaken() };
    let rules = [Update::PA, Update::margin(1.0), Update::arow(1.0)];
    let rules = rules.map(|update| Options { update, ..mistaken() });
    for options in [vote, penalty].into_iter().chain(rules) {
        assert!(matches!(options.check(), Err(OptionError::MistakenWith(_))), "{options:?}");
    }
    assert_eq!(Options { update: Update::second_order(1.0), ..mistaken() }.check(), Ok(()));
    let rows = Rows::dense(vec![0.0, 1.0, 2.0], 1).unwrap();
    let scheme = Scheme::OneVsRest { classes: 3 };
    let labelled = Labelled::new(&rows, &[0, 1, 2], scheme).unwrap();
    let resources = rosenblatt_core::options::Resources::default();
    let several = rosenblatt_core::train::fit(&labelled, &mistaken(), &resources, None, &mut ());
    let refused = matches!(several, Err(TrainError::Option(OptionError::MistakenWith(_))));
    assert!(refused);
    let one = Options { epochs: 1, ..mistaken() };
    let stream = Stream::new(&one, Scheme::Two { positive: 1 }).map(drop);
    assert_eq!(stream, Err(TrainError::Option(OptionError::NotOnePass)));
}

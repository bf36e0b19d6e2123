//! What the answers mean, as properties of runs with any options; and that each property finds a wrong answer.

#![allow(clippy::unwrap_used)] // a test that panics has failed

#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/runs/common/draw.rs"]
mod draw;

use std::{
    cell::Cell,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
};

use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};

use super::{CleanEpoch, Compared, Dynamics, Ending, Foresight, NoTheorem, Visits, WeightsAre};
use crate::{
    data::{Labelled, Scheme, Sign},
    events::{Epoch, Visit},
    exact,
    hyperplane::Hyperplane,
    keep::Kept,
    learner::{BinaryTrainer, Learner, Observer},
    options::{Bias, Options, Resources},
    radius::radius,
    schedule::Order,
    train::{Fit, Stream, fit},
};
use draw::Table;

thread_local! {
    /// The wrong answer that is given, if one is.
    static WRONG: Cell<Option<Wrong>> = const { Cell::new(None) };
}

type Wrong = fn(&mut Dynamics);

/// The answers, or in their place wrong ones.
pub(super) fn as_answered(mut answers: Dynamics) -> Dynamics {
    if let Some(wrong) = WRONG.get() {
        wrong(&mut answers);
    }
    answers
}

/// What was seen of a run.
#[derive(Default)]
struct Seen {
    visits: Vec<(usize, Visit)>,
    /// The weights before the first visit and after each.
    planes: Vec<Hyperplane>,
    visits_of_epoch: Vec<usize>,
    /// What each epoch changed of the weights between two visits without an update.
    moved_at_rest: bool,
}

impl Observer for Seen {
    fn visited(&mut self, example: usize, visit: Visit, of: &BinaryTrainer<'_>) -> ControlFlow<()> {
        let now = of.learner().hyperplane().into_owned();
        if let Some(before) = self.planes.last() {
            self.moved_at_rest |= !visit.updated && !are_same(before, &now);
        }
        self.visits.push((example, visit));
        self.planes.push(now);
        ControlFlow::Continue(())
    }

    fn epoch_ended(&mut self, _: Epoch, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.visits_of_epoch.push(self.visits.len() - self.visits_of_epoch.iter().sum::<usize>());
        ControlFlow::Continue(())
    }
}

fn classes(table: &Table) -> Vec<u32> {
    table.signs.iter().map(|&sign| u32::from(sign == Sign::Plus)).collect()
}

fn run(table: &Table, options: &Options) -> Option<(Fit, Seen)> {
    let (rows, classes, mut seen) = (table.matrix(), classes(table), Seen::default());
    let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
    let run = fit(&labelled, options, &Resources::default(), None, &mut seen).ok()?;
    Some((run, seen))
}

/// Whether two planes are equal, where coefficients that a dual form has not yet are 0.
fn are_same(one: &Hyperplane, other: &Hyperplane) -> bool {
    let size = one.weights.len().max(other.weights.len());
    let whole = |plane: &Hyperplane| {
        let mut plane = plane.clone();
        plane.grow_to(size);
        plane
    };
    whole(one) == whole(other)
}

/// Whether two vectors are equal up to rounding.
fn are_close(one: &[f64], other: &[f64], size: f64) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| (a - b).abs() <= 1e-9 * size)
}

type Claim = fn(&Table, &Options) -> bool;

/// What the answers claim of a run, each with its name.
const CLAIMS: [(&str, Claim); 10] = [
    ("weights that are a sum of rows have coefficients", |table, options| {
        let Some((run, seen)) = run(table, options) else { return true };
        if options.kernel.is_some() || !options.dynamics().sums_rows() {
            return true;
        }
        let mut sum = vec![0.0; table.rows[0].len()];
        let mut size = 1e-300;
        for (example, visit) in &seen.visits {
            for (sum, x) in sum.iter_mut().zip(&table.rows[*example]) {
                *sum += visit.step * x;
                size += (visit.step * x).abs();
            }
        }
        let last = seen.planes.last().map_or(&[][..], |plane| &plane.weights);
        run.report.updates == 0 || are_close(last, &sum, size)
    }),
    ("weights that do not move between updates stand still", |table, options| {
        run(table, options)
            .is_none_or(|(_, seen)| options.dynamics().moves_between_updates || !seen.moved_at_rest)
    }),
    ("weights that grow with the root of the updates are that short", |table, options| {
        let dynamics = options.dynamics();
        let Some((run, seen)) = run(table, options) else { return true };
        if !dynamics.grows_with_root || !dynamics.sums_rows() || options.kernel.is_some() {
            return true;
        }
        let unit = match options.bias {
            Bias::None => 0.0,
            Bias::Unit => 1.0,
            Bias::Feature(size) => size,
            Bias::Radius => run.report.radius,
        };
        let longest = exact::norm([run.report.radius, unit]);
        let largest = seen.visits.iter().map(|(_, visit)| visit.step.abs()).fold(0.0, f64::max);
        let mut updates = 0.0f64;
        seen.visits.iter().zip(&seen.planes).all(|((_, visit), plane)| {
            updates += f64::from(u8::from(visit.updated));
            let bias = if unit == 0.0 { 0.0 } else { plane.bias / unit };
            let length = exact::norm(plane.weights.iter().copied().chain([bias]));
            length <= largest * longest * updates.sqrt() * (1.0 + 1e-9) + 1e-300
        })
    }),
    ("an epoch visits all examples, or one mistake", |table, options| {
        let Some((_, seen)) = run(table, options) else { return true };
        seen.visits_of_epoch.iter().all(|&visits| match options.dynamics().visits {
            Visits::AllExamples => visits == table.rows.len(),
            Visits::OneMistake => visits <= 1,
        })
    }),
    ("a run that converged would not change again", |table, options| {
        let options = Options { epochs: 40, order: Order::Given, ..options.clone() };
        let Some((run, seen)) = run(table, &options) else { return true };
        let rests = options.dynamics().clean_epoch == CleanEpoch::Rests;
        let from = seen.planes.len().saturating_sub(table.rows.len() + 1);
        let last = &seen.planes[from..];
        !run.report.converged || !rests || last.windows(2).all(|pair| are_same(&pair[0], &pair[1]))
    }),
    ("a run makes no more updates than its bound", |table, options| {
        let options = Options { epochs: 60, ..options.clone() };
        run(table, &options).is_none_or(|(run, _)| {
            run.report.novikoff_bound.is_none_or(|bound| run.report.updates as f64 <= bound)
        })
    }),
    ("the margins of a report enclose a number", |table, options| {
        let options = Options { epochs: 60, ..options.clone() };
        run(table, &options).is_none_or(|(run, _)| {
            let margin = run.report.margin;
            margin.lower.zip(margin.upper).is_none_or(|(lower, upper)| lower <= upper)
        })
    }),
    ("a run that always ends does", |table, options| {
        let is_slow = options.decay.is_some() || matches!(options.bias, Bias::Feature(_));
        if is_slow || options.order == Order::Mistaken || !is_integer(table) {
            return true;
        }
        let (epochs, allow_mistakes, plateau) = (3000, 0, false);
        let options = Options {
            epochs,
            allow_mistakes,
            plateau,
            eta: 1.0,
            compare: false,
            ..options.clone()
        };
        let (rows, classes) = (table.matrix(), classes(table));
        let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
        let ends = |options: &Options| {
            let run = fit(&labelled, options, &Resources::default(), None, &mut ());
            run.is_ok_and(|run| run.report.converged)
        };
        let bias = if options.bias == Bias::None { Bias::None } else { Bias::Unit };
        let plain = Options { bias, epochs, ..Options::default() };
        // Where all rows are 0, the bias R² never moves.
        let is_constant = options.bias == Bias::Radius && radius(&rows).length == 0.0;
        let is_said = options.dynamics().ending.is_some_and(|ending| ending.is_certain);
        !is_said || options.check().is_err() || is_constant || !ends(&plain) || ends(&options)
    }),
    ("without foresight a later example changes no earlier visit", |table, options| {
        let options = Options { epochs: 1, order: Order::Given, ..options.clone() };
        if options.dynamics().foresight.is_some() {
            return true;
        }
        let mut other = table.clone();
        let last = other.rows.len() - 1;
        other.signs[last] = -other.signs[last];
        other.rows[last].iter_mut().for_each(|x| *x = 7.0 - *x);
        let (Some((_, one)), Some((_, two))) = (run(table, &options), run(&other, &options)) else {
            return true;
        };
        one.visits[..last] == two.visits[..last]
    }),
    ("what draws nothing is the same with every seed", |table, options| {
        let other = Options { seed: options.seed ^ 1, ..options.clone() };
        let same = |one: &Fit, two: &Fit| one.report.margin == two.report.margin;
        let runs = run(table, options).zip(run(table, &other));
        options.dynamics().draws
            || runs.is_none_or(|((one, first), (two, second))| {
                same(&one, &two) && first.visits == second.visits && first.planes == second.planes
            })
    }),
];

/// Where a learner or a stream takes the place of a run, it learns the same.
const STANDINS: [(&str, Claim); 2] = [
    ("a learner of one example at a time learns what a run does", |table, options| {
        let options =
            Options { epochs: 2, order: Order::Given, allow_mistakes: 0, ..options.clone() };
        if options.check().is_err() || !options.dynamics().learns_one_by_one {
            return true;
        }
        let Some((run, _)) = run(table, &options) else { return true };
        let (rows, features) = (table.matrix(), table.rows[0].len());
        let radius = radius(&rows);
        let Ok(mut learner) = Learner::with_radius(&options, features, radius) else {
            return false;
        };
        for _ in 0..run.report.epochs {
            for (place, &sign) in table.signs.iter().enumerate() {
                if learner.learn(rows.row(place), sign).is_err() {
                    return false;
                }
            }
        }
        let planes = [learner.hyperplane().into_owned()]
            .into_iter()
            .chain(learner.average().and_then(Result::ok));
        let found: Vec<Hyperplane> = planes.collect();
        run.report.extra_epochs.is_some()
            || run.classifier.linear().is_some_and(|model| found.contains(&model[0]))
    }),
    ("a stream learns what a run of one pass does", |table, options| {
        let options = Options { epochs: 1, order: Order::Given, ..options.clone() };
        if options.check().is_err() || !options.dynamics().is_one_pass {
            return true;
        }
        let Some((run, seen)) = run(table, &options) else { return true };
        let scheme = Scheme::Two { positive: 1 };
        let (rows, classes) = (table.matrix(), classes(table));
        let labelled = Labelled::new(&rows, &classes, scheme).unwrap();
        let Ok(mut stream) = Stream::new(&options, scheme) else { return false };
        if stream.learn(&labelled, &mut ()).is_err() {
            return false;
        }
        let last = seen.planes.last().cloned();
        stream.last().first() == last.as_ref() && stream.report().updates == run.report.updates
    }),
];

fn is_integer(table: &Table) -> bool {
    table.rows.iter().flatten().all(|x| x.fract() == 0.0 && x.abs() < 10.0)
}

/// Wrong answers, each more than the truth says. What an epoch visits, and which weights are kept, a run does as it is answered:
/// there the tests against the definition find a wrong answer.
const WRONG_ANSWERS: [(&str, Wrong); 15] = [
    ("weights", |it| it.weights = WeightsAre::SumOfRows),
    ("moves_between_updates", |it| it.moves_between_updates = false),
    ("grows_with_root", |it| it.grows_with_root = true),
    ("clean_epoch", |it| it.clean_epoch = CleanEpoch::Rests),
    ("theorem of every rule", |it| claim_theorem(it, NoTheorem::Rule)),
    ("theorem from every start", |it| claim_theorem(it, NoTheorem::Start)),
    ("theorem with class weights", |it| claim_theorem(it, NoTheorem::ClassWeights)),
    ("theorem with a decay", |it| claim_theorem(it, NoTheorem::Decay)),
    ("theorem with a penalty", |it| claim_theorem(it, NoTheorem::Penalty)),
    ("ending", |it| {
        it.ending = Some(Ending { strict: None, is_certain: true });
    }),
    ("foresight of class sizes", |it| {
        it.foresight = it.foresight.filter(|&it| it != Foresight::ClassSizes);
    }),
    ("foresight of the radius", |it| {
        it.foresight = it.foresight.filter(|&it| it != Foresight::Radius);
    }),
    ("learns_one_by_one", |it| it.learns_one_by_one = true),
    ("is_one_pass", |it| it.is_one_pass = true),
    ("draws", |it| it.draws = false),
];

fn claim_theorem(it: &mut Dynamics, reason: NoTheorem) {
    if it.theorem == Err(reason) {
        it.theorem = Ok(0.0);
    }
}

/// Drawn tables with options, the same at every run.
fn drawn(count: usize) -> impl Iterator<Item = (Table, Options)> {
    let mut runner = TestRunner::deterministic();
    let drawn = (draw::moderate_table(), draw::options());
    (0..count).map(move |_| drawn.new_tree(&mut runner).unwrap().current())
}

#[test]
fn every_answer_holds() {
    for (table, options) in drawn(1500) {
        for (name, claim) in CLAIMS.iter().chain(&STANDINS) {
            assert!(claim(&table, &options), "{name}: {options:?}\n{table:?}");
        }
    }
}

#[test]
fn every_wrong_answer_is_found() {
    let mut unseen = Vec::new();
    for (name, wrong) in WRONG_ANSWERS {
        let mut cases = drawn(4000);
        let is_found = cases.by_ref().any(|(table, options)| {
            WRONG.set(Some(wrong));
            let fails = |claim: &Claim| {
                catch_unwind(AssertUnwindSafe(|| !claim(&table, &options))).unwrap_or(true)
            };
            let found = CLAIMS.iter().chain(&STANDINS).any(|(_, claim)| fails(claim));
            WRONG.set(None);
            found
        });
        if !is_found {
            unseen.push(name);
        }
    }
    assert!(unseen.is_empty(), "not found: {unseen:?}");
}

/// Weights that are only compared are kept, and no more than that.
#[test]
fn what_is_compared_is_kept() {
    for (_, options) in drawn(300) {
        let dynamics = options.dynamics();
        assert!(dynamics.keeps(Kept::Last) && dynamics.keeps(dynamics.kept));
        let pocket = dynamics.kept == Kept::Pocket || dynamics.compared == Compared::All;
        assert_eq!(dynamics.keeps(Kept::Pocket), pocket);
    }
}

//! A run that is stopped after any epoch and resumed from its checkpoint has bit for bit the model and report of an
//! uninterrupted run.

use std::ops::ControlFlow;

use crate::common::{cases, draw};
use draw::Table;
use proptest::prelude::*;
use rosenblatt_core::{
    data::{Labelled, Rows, Scheme, Sign},
    keep::Keep,
    report::Stop,
    schedule::Init,
    train::{Checkpoint, ClassWeight, Fit, HeldOut, Observer, Options, Resources, TrainError, fit},
};

/// Labelled rows of two or three classes; with patience the first of them are held out.
struct Case {
    rows: Rows<'static>,
    classes: Vec<u32>,
    scheme: Scheme,
    patience: Option<u64>,
}

impl Case {
    fn new(table: &Table, three: bool, patience: Option<u64>) -> Self {
        let scheme =
            if three { Scheme::OneVsRest { classes: 3 } } else { Scheme::Two { positive: 1 } };
        let class = |(i, &sign): (usize, &Sign)| match (sign, i % 2) {
            (Sign::Minus, _) => 0,
            (Sign::Plus, 1) if three => 2,
            (Sign::Plus, _) => 1,
        };
        let mut classes: Vec<u32> = table.signs.iter().enumerate().map(class).collect();
        if three {
            let n = classes.len();
            classes[n - 3..].iter_mut().zip(0..).for_each(|(class, number)| *class = number);
        }
        Case { rows: table.matrix(), classes, scheme, patience }
    }

    /// Runs from the checkpoint, if there is one; returns the result and the checkpoint of each epoch.
    fn run(
        &self,
        options: &Options,
        start: Option<&Checkpoint>,
        resources: &Resources,
    ) -> (Result<Fit, TrainError>, Vec<Checkpoint>) {
        let labelled = Labelled::new(&self.rows, &self.classes, self.scheme).unwrap();
        let few: Vec<usize> = (0..self.rows.len().min(3)).collect();
        let (held_rows, held_classes) = (self.rows.select(&few), &self.classes[..few.len()]);
        let held = Labelled::new(&held_rows, held_classes, self.scheme).unwrap();
        let held_out = self.patience.map(|patience| HeldOut { labelled: held, patience, least: 1 });
        let mut folder = Folder { checkpoints: Vec::new(), most: usize::MAX };
        let held_out = held_out.as_ref();
        let fit = match start {
            None => fit(&labelled, options, resources, held_out, &mut folder),
            Some(start) => start.resume(&labelled, options, resources, held_out, &mut folder),
        };
        (fit, folder.checkpoints)
    }
}

/// Keeps the checkpoints, and stops after some epochs.
struct Folder {
    checkpoints: Vec<Checkpoint>,
    most: usize,
}

impl Observer for Folder {
    fn checkpoint(&mut self, make: &mut dyn FnMut() -> Checkpoint) -> ControlFlow<()> {
        self.checkpoints.push(make());
        match self.checkpoints.len() >= self.most {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// A value as text: two floats with the same text have the same bits (except NaN).
fn text(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

fn keep() -> impl Strategy<Value = Keep> {
    prop_oneof![
        Just(Keep::Auto),
        Just(Keep::Last),
        Just(Keep::Average),
        Just(Keep::Pocket),
        Just(Keep::Vote)
    ]
}

fn patience() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![Just(None), (1u64..4).prop_map(Some)]
}

/// Options that can be combined.
fn possible(options: Options, keep: Keep, case: &mut Case) -> Options {
    let class_weight = match (&options.class_weight, case.scheme) {
        (ClassWeight::Given(given), Scheme::OneVsRest { .. }) => {
            ClassWeight::Given(vec![given[0], given[1], 1.5])
        }
        (other, _) => other.clone(),
    };
    // A vote needs weights that are a combination of rows.
    let is_vote = keep == Keep::Vote && options.update.rule().precise.is_none();
    let keep = if keep == Keep::Vote && !is_vote { Keep::Average } else { keep };
    let is_combined = options.kernel.is_some() || keep == Keep::Vote;
    case.patience = case.patience.filter(|_| keep != Keep::Vote);
    let is_alone = matches!(case.scheme, Scheme::Two { .. }) && keep != Keep::Vote;
    let options = if is_alone { options } else { draw::visiting_all(options) };
    let init = if is_combined { Init::Zero } else { options.init };
    Options { class_weight, init, keep, ..options }
}

/// Stops and resumes a run after each of its epochs.
fn check(case: &Case, options: &Options, blocks: Option<usize>) -> Result<(), TestCaseError> {
    let resources = Resources::default();
    let (whole, checkpoints) = case.run(options, None, &resources);
    if let Ok(whole) = &whole {
        prop_assert_eq!(checkpoints.len() as u64, whole.report.epochs);
    }
    let small = Resources { memory: 64, block: blocks, threads: 2 };
    for (epoch, start) in (1u64..).zip(&checkpoints) {
        prop_assert_eq!(start.epochs(), epoch);
        let saved = serde_json::to_string(start).unwrap();
        let start = &serde_json::from_str::<Checkpoint>(&saved).unwrap();
        for resources in [&resources, &small] {
            let (resumed, more) = case.run(options, Some(start), resources);
            prop_assert_eq!(text(&resumed), text(&whole));
            prop_assert_eq!(text(&more), text(&checkpoints[epoch as usize..].to_vec()));
        }
        // A run that reached its maximum number of epochs continues identically.
        let (short, few) = case.run(&Options { epochs: epoch, ..options.clone() }, None, &small);
        prop_assert_eq!(text(few.last().unwrap()), text(start));
        if let Ok(short) = short {
            let stop = start.stop.unwrap_or(Stop::MaxEpochs);
            prop_assert_eq!(short.report.stopped_by, stop);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_run_goes_on_from_any_epoch(
        table in draw::any_table(),
        options in draw::perceptron(),
        (keep, three, compare) in (keep(), any::<bool>(), any::<bool>()),
        patience in patience(),
    ) {
        let mut case = Case::new(&table, three && table.rows.len() > 3, patience);
        let options = Options { compare, ..possible(options, keep, &mut case) };
        check(&case, &options, None)?;
    }

    #[test]
    fn with_every_rule(
        table in draw::moderate_table(),
        options in draw::other_rule(),
        (keep, three) in (keep(), any::<bool>()),
    ) {
        let mut case = Case::new(&table, three && table.rows.len() > 3, None);
        let options = possible(options, keep, &mut case);
        check(&case, &options, None)?;
    }

    #[test]
    fn with_a_penalty(
        table in draw::moderate_table(),
        options in draw::penalized(),
        (keep, three, patience) in (keep(), any::<bool>(), patience()),
    ) {
        let mut case = Case::new(&table, three && table.rows.len() > 3, patience);
        let keep = if matches!(keep, Keep::Pocket | Keep::Vote) { Keep::Auto } else { keep };
        let options = possible(options, keep, &mut case);
        check(&case, &options, None)?;
    }

    #[test]
    fn in_the_space_of_a_kernel(
        table in draw::moderate_table(),
        (options, kernel) in (draw::perceptron(), draw::kernel()),
        (keep, three, compare) in (keep(), any::<bool>(), any::<bool>()),
        patience in patience(),
        blocks in prop_oneof![Just(None), (1usize..8).prop_map(Some)],
    ) {
        let mut case = Case::new(&table, three && table.rows.len() > 3, patience);
        let options = Options { kernel: Some(kernel), compare, ..options };
        let options = possible(options, keep, &mut case);
        check(&case, &options, blocks)?;
    }

    /// Impossible numbers are rejected or harmless: nothing panics.
    #[test]
    fn a_checkpoint_of_another_run_does_not_panic(
        (one, other) in (draw::moderate_table(), draw::moderate_table()),
        (options, others) in (draw::perceptron(), draw::perceptron()),
        (keeps, kernels) in ((keep(), keep()), (any::<bool>(), any::<bool>())),
        (threes, kernel) in ((any::<bool>(), any::<bool>()), draw::kernel()),
    ) {
        let mut case = Case::new(&one, threes.0 && one.rows.len() > 3, Some(2));
        let mut strange = Case::new(&other, threes.1 && other.rows.len() > 3, None);
        let options = Options { kernel: kernels.0.then_some(kernel), ..options };
        let others = Options { kernel: kernels.1.then_some(kernel), ..others };
        let options = possible(options, keeps.0, &mut case);
        let others = possible(others, keeps.1, &mut strange);
        let resources = Resources::default();
        for start in strange.run(&others, None, &resources).1 {
            let _ = case.run(&options, Some(&start), &resources);
        }
    }
}

fn xor() -> Case {
    let rows = vec![vec![0.0, 0.0], vec![0.0, 1.0], vec![1.0, 0.0], vec![1.0, 1.0]];
    let signs = vec![Sign::Minus, Sign::Plus, Sign::Plus, Sign::Minus];
    Case::new(&Table { rows, signs }, false, None)
}

/// The error names the part that does not fit.
#[test]
fn what_does_not_fit_is_refused() {
    let (case, resources) = (xor(), Resources::default());
    let options = Options { epochs: 3, keep: Keep::Pocket, ..Options::default() };
    let good = case.run(&options, None, &resources).1.pop().unwrap();
    assert!(case.run(&options, Some(&good), &resources).0.is_ok());
    let refused = |change: &dyn Fn(&mut Checkpoint)| {
        let mut bad = good.clone();
        change(&mut bad);
        let error = case.run(&options, Some(&bad), &resources).0.unwrap_err();
        let TrainError::Checkpoint { problem } = error else { panic!("{error}") };
        problem
    };
    type Change = fn(&mut Checkpoint);
    let changes: [(Change, &str); 12] = [
        (|bad| bad.standings.clear(), "it has another number of hyperplanes"),
        (|bad| bad.standings[0].mistakes_per_epoch.clear(), "it has no finished epoch"),
        (
            |bad| bad.standings[0].mistakes_per_epoch.push(0),
            "it has more finished epochs than the options allow",
        ),
        (|bad| bad.standings[0].mistakes_per_epoch[0] = 5, "its mistakes do not match its epochs"),
        (|bad| bad.standings[0].updates = 13, "it counts more updates than visits"),
        (|bad| bad.standings[0].steps = f64::NAN, "the sum of its steps is not a number ≥ 0"),
        (|bad| bad.standings[0].hyperplane.weights.push(1.0), "its weights do not fit"),
        (|bad| bad.standings[0].hyperplane.bias = f64::NAN, "its weights do not fit"),
        (|bad| bad.standings[0].pocket = None, "its pocket does not match the options"),
        (
            |bad| bad.standings[0].pocket.as_mut().unwrap().trial_order[0] = 3,
            "its pocket does not fit",
        ),
        (|bad| bad.stop = Some(Stop::CleanEpoch), "it ended without mistakes but counts some"),
        (|bad| bad.stop = Some(Stop::Observer), "its reason to stop is impossible"),
    ];
    for (change, problem) in changes {
        assert_eq!(refused(&change), problem);
    }
    let fewer = Options { epochs: 2, ..options.clone() };
    let error = case.run(&fewer, Some(&good), &resources).0.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the checkpoint does not fit this run: it has more finished epochs than the options allow"
    );
}

/// An observer that breaks at a checkpoint stops the run.
#[test]
fn an_observer_may_stop_at_a_checkpoint() {
    let case = xor();
    let labelled = Labelled::new(&case.rows, &case.classes, case.scheme).unwrap();
    let mut folder = Folder { checkpoints: Vec::new(), most: 2 };
    let run = fit(&labelled, &Options::default(), &Resources::default(), None, &mut folder);
    let report = run.unwrap().report;
    assert_eq!((report.epochs, report.stopped_by), (2, Stop::Observer));
    assert_eq!(folder.checkpoints.len(), 2);
}

/// More supporting rows than are updated at a time.
#[test]
fn many_mistaken_rows() {
    const ROWS: usize = 700;
    let mut state = 1u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    let rows: Vec<Vec<f64>> = (0..ROWS).map(|_| vec![next(), next(), next()]).collect();
    let sign =
        |row: &Vec<f64>| if row[0] * row[1] > 0.3 * next() { Sign::Plus } else { Sign::Minus };
    let signs = rows.iter().map(sign).collect();
    let case = Case::new(&Table { rows, signs }, true, None);
    let kernel = Some("rbf:50".parse().unwrap());
    let options = Options { kernel, epochs: 4, ..Options::default() };
    let (_, checkpoints) = case.run(&options, None, &Resources::default());
    assert!(checkpoints[0].mistaken.as_ref().unwrap().examples.len() > 300);
    check(&case, &options, Some(50)).unwrap();
}

/// XOR 2500 times makes about equally many mistakes in every epoch. A run that ends at the plateau continues if a number
/// of epochs is given; then it is the run that had this number from the start.
#[test]
fn a_run_that_ended_at_a_plateau_continues() {
    let corners = [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0].repeat(2500);
    let rows = Rows::dense(corners, 2).unwrap();
    let classes = [0, 1, 1, 0].repeat(2500);
    let labelled = Labelled::new(&rows, &classes, Scheme::Two { positive: 1 }).unwrap();
    let resources = Resources::default();
    let open = Options { plateau: true, ..Options::default() };
    let mut folder = Folder { checkpoints: Vec::new(), most: usize::MAX };
    let ended = fit(&labelled, &open, &resources, None, &mut folder).unwrap();
    assert_eq!((ended.report.stopped_by, ended.report.epochs), (Stop::Plateau, 10));
    let last = folder.checkpoints.last().unwrap();
    let again = last.resume(&labelled, &open, &resources, None, &mut ()).unwrap();
    assert_eq!(again.report, ended.report);
    let given = Options { epochs: 15, ..Options::default() };
    let resumed = last.resume(&labelled, &given, &resources, None, &mut ()).unwrap();
    let whole = fit(&labelled, &given, &resources, None, &mut ()).unwrap();
    assert_eq!((resumed.report.stopped_by, &resumed.report), (Stop::MaxEpochs, &whole.report));
}

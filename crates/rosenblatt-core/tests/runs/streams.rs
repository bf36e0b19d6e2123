//! A stream of batches gives the bits of one run over all of them.

use std::ops::ControlFlow;

use crate::common::{bits, cases, draw};
use proptest::{collection::vec, prelude::*};
use rosenblatt_core::{
    data::{Labelled, Rows, Scheme},
    keep::Keep,
    prototype::Baseline,
    report::{Errors, Report},
    rules::{Mistake, Update},
    schedule::{Init, Order},
    space::Hyperplane,
    train::{
        Bias, BinaryTrainer, ClassWeight, Fit, Observer, OptionError, Options, Resources, Stream,
        StreamState, TrainError, Visit, fit,
    },
};

const FEATURES: usize = 3;

/// Records every visit.
#[derive(Default)]
struct Visits(Vec<Visit>);

impl Observer for Visits {
    fn visited(&mut self, _: usize, visit: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.0.push(visit);
        ControlFlow::Continue(())
    }
}

/// Whole numbers, and some whose sums overflow.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![9 => (-3i32..4).prop_map(f64::from), 1 => Just(1e308), 1 => Just(-1e308)]
}

/// Rows of [`FEATURES`] numbers with classes below 4, and the ends of the batches.
fn data() -> impl Strategy<Value = (Vec<f64>, Vec<u32>, Vec<usize>)> {
    let numbers = prop::strategy::Union::new(draw::kinds());
    vec((vec(numbers, FEATURES), 0u32..4), 1..30).prop_flat_map(|rows| {
        let values: Vec<f64> = rows.iter().flat_map(|(row, _)| row.clone()).collect();
        let classes: Vec<u32> = rows.iter().map(|&(_, class)| class).collect();
        let cuts = vec(0..=classes.len(), 0..5);
        (Just(values), Just(classes), cuts)
    })
}

fn options() -> impl Strategy<Value = Options> {
    let keep = prop_oneof![Just(Keep::Auto), Just(Keep::Last), Just(Keep::Average)];
    let bias = prop_oneof![Just(Bias::Unit), Just(Bias::None)];
    let mistake = prop_oneof![Just(Mistake::Margin), Just(Mistake::Label)];
    let update = prop_oneof![3 => Just(Update::PERCEPTRON), 1 => Just(Update::margin(0.5)), 1 => Just(Update::pa1(0.5)),
        1 => Just(Update::arow(2.0)), 1 => Just(Update::second_order(0.5))];
    let penalty = prop_oneof![3 => Just(None), 1 => Just(Some("l2:0.01")), 1 => Just(Some("elasticnet:0.1:0.5"))];
    (keep, bias, mistake, update, penalty, 0u64..30).prop_map(
        |(keep, bias, mistake, update, penalty, allow_mistakes)| {
            let penalty = penalty.filter(|_| update.rule().precise.is_none());
            let (order, epochs) = (Order::Given, 1);
            Options {
                keep,
                bias,
                mistake,
                update,
                penalty: penalty.map(|text| text.parse().unwrap()),
                allow_mistakes,
                order,
                epochs,
                ..Options::default()
            }
        },
    )
}

/// The rows from `from` to `to`, sparse, with only as many features as they need.
fn batch(values: &[f64], from: usize, to: usize) -> Rows<'static> {
    let (mut offsets, mut indices, mut entries) = (vec![0], Vec::new(), Vec::new());
    for row in values[from * FEATURES..to * FEATURES].chunks(FEATURES) {
        for (j, &x) in (0u32..).zip(row).filter(|(_, x)| **x != 0.0) {
            indices.push(j);
            entries.push(x);
        }
        offsets.push(entries.len());
    }
    let features = indices.iter().max().map_or(0, |&j| j as usize + 1);
    Rows::sparse(offsets, indices, entries, features).unwrap()
}

fn planes(fit: &Fit) -> Vec<Vec<u64>> {
    let numbers = |plane: &Hyperplane| {
        let weights = plane.weights.iter().copied();
        let mut weights: Vec<f64> = weights.collect();
        // Features that no row of the stream has, have no weight yet.
        weights.resize(FEATURES, 0.0);
        weights.push(plane.bias);
        bits(&weights)
    };
    let own = fit.classifier.linear().unwrap().iter();
    own.chain(fit.others.iter().flat_map(|other| &other.planes)).map(numbers).collect()
}

/// A report of a run in memory, without the values that a stream cannot compute.
fn without_second_looks(report: &Report, features: usize) -> Report {
    let mut report = Report {
        features,
        errors: Errors::default(),
        training_errors: None,
        training_error_rate: None,
        sampled_errors: None,
        min_margin: None,
        separator: None,
        novikoff_bound: None,
        ..report.clone()
    };
    report.margin.lower = None;
    for class in report.per_class.iter_mut().flatten() {
        (class.errors, class.min_margin, class.separator) = (Errors::default(), None, None);
        (class.novikoff_bound, class.margin.lower) = (None, None);
    }
    report
}

fn prototypes(baseline: &Baseline) -> Vec<u64> {
    let numbers = baseline.prototypes.iter().flat_map(|plane| {
        let mut weights = plane.weights.clone();
        weights.resize(FEATURES, 0.0);
        weights.into_iter().chain([plane.bias])
    });
    bits(&numbers.collect::<Vec<f64>>())
}

proptest! {
    #![proptest_config(cases(600))]
    #[test]
    fn streams_equal_runs_in_memory(
        (values, classes, mut cuts) in data(),
        options in options(),
        (two, watched) in any::<(bool, bool)>(),
    ) {
        let scheme =
            if two { Scheme::Two { positive: 1 } } else { Scheme::OneVsRest { classes: 4 } };
        let classes: Vec<u32> = classes.into_iter().map(|class| if two { class % 2 } else { class }).collect();
        let rows = Rows::dense(values.as_slice(), FEATURES).unwrap();
        let labelled = Labelled::new(&rows, &classes, scheme).unwrap();
        // The pocket is compared in memory, and a stream has none.
        let compared = Options { compare: options.keep != Keep::Last, ..options.clone() };
        let mut whole = fit(&labelled, &compared, &Resources::default(), None, &mut ());
        if let Ok(whole) = &mut whole {
            whole.others.retain(|other| other.kept.name() != "pocket");
        }
        cuts.extend([0, classes.len()]);
        cuts.sort_unstable();
        let mut stream = Stream::new(&compared, scheme).unwrap();
        let (mut visits, mut failed, mut widest) = (Visits::default(), None, 0);
        for ends in cuts.windows(2) {
            let rows = batch(&values, ends[0], ends[1]);
            widest = rows.features().max(widest);
            let labelled = Labelled::new(&rows, &classes[ends[0]..ends[1]], scheme).unwrap();
            failed = if watched { stream.learn(&labelled, &mut visits) } else { stream.learn(&labelled, &mut ()) }.err();
            if failed.is_some() {
                break;
            }
        }
        let streamed = match failed {
            Some(error) => Err(error),
            None => stream.finish(),
        };
        match (whole, streamed) {
            (Ok(whole), Ok((streamed, baseline))) => {
                prop_assert_eq!(planes(&whole), planes(&streamed));
                prop_assert_eq!(without_second_looks(&whole.report, widest), streamed.report);
                prop_assert_eq!(prototypes(&Baseline::of(&labelled)), prototypes(&baseline));
                let Visits(visits) = visits;
                prop_assert_eq!(visits.is_empty(), !watched);
                if !watched {
                    return Ok(());
                }
                let mistakes = visits.iter().filter(|visit| visit.mistake).count() as u64;
                prop_assert_eq!(vec![mistakes], whole.report.mistakes_per_epoch);
                let of_each = if options.is_joint(scheme) { 1 } else { scheme.hyperplanes() };
                prop_assert_eq!(visits.len(), classes.len() * of_each);
            }
            // Rows without entries have no features.
            (_, Err(TrainError::Empty { features: 0, .. })) => prop_assert_eq!(widest, 0),
            (Err(whole), Err(streamed)) => prop_assert_eq!(whole, streamed),
            (whole, streamed) => prop_assert!(false, "{whole:?} but {streamed:?}"),
        }
    }
}

/// Initial weights of [`FEATURES`] features for `planes` hyperplanes.
fn given(options: Options, planes: usize) -> Options {
    let plane = |number: usize| Hyperplane {
        weights: [0.5, -1.0, 0.0].map(|weight| weight * (number + 1) as f64).to_vec(),
        bias: if options.bias == Bias::None { 0.0 } else { 0.25 },
    };
    let planes: Vec<Hyperplane> = (0..planes).map(plane).collect();
    Options { init: Init::Given(planes.into()), ..options }
}

/// A value as text: two floats with the same text have the same bits (except NaN).
fn text(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

/// Breaks at a visit of a hyperplane.
struct Breaks(u64);

impl Observer for Breaks {
    fn visited(&mut self, _: usize, _: Visit, _: &BinaryTrainer<'_>) -> ControlFlow<()> {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// A stream that is stopped after every batch and resumed from its state equals an uninterrupted stream. The
    /// weights it would keep now are those it keeps if it ends now.
    #[test]
    fn a_stream_continues_from_its_state(
        (values, classes, mut cuts) in data(),
        options in options(),
        (two, from_given, weighted) in any::<(bool, bool, bool)>(),
        breaks in prop_oneof![2 => Just(u64::MAX), 1 => 1u64..40],
        weights in vec(0.1..10.0f64, 30),
    ) {
        let scheme =
            if two { Scheme::Two { positive: 1 } } else { Scheme::OneVsRest { classes: 4 } };
        let classes: Vec<u32> = classes.into_iter().map(|class| if two { class % 2 } else { class }).collect();
        let options = if from_given { given(options, scheme.hyperplanes()) } else { options };
        cuts.extend([0, classes.len()]);
        cuts.sort_unstable();
        let mut whole = Stream::new(&options, scheme).unwrap();
        let mut cut = whole.clone();
        let (mut of_whole, mut of_cut) = (Breaks(breaks), Breaks(breaks));
        for ends in cuts.windows(2) {
            let state = cut.state();
            cut = Stream::of_state(&options, scheme, state.clone()).unwrap();
            prop_assert_eq!(text(&cut.state()), text(&state));
            let rows = match from_given {
                true => Rows::dense(&values[ends[0] * FEATURES..ends[1] * FEATURES], FEATURES).unwrap(),
                false => batch(&values, ends[0], ends[1]),
            };
            let labelled = Labelled::new(&rows, &classes[ends[0]..ends[1]], scheme).unwrap();
            let labelled =
                if weighted { labelled.weighted(&weights[ends[0]..ends[1]]).unwrap() } else { labelled };
            let learned = whole.learn(&labelled, &mut of_whole);
            prop_assert_eq!(text(&learned), text(&cut.learn(&labelled, &mut of_cut)));
            prop_assert_eq!(text(&whole.state()), text(&cut.state()));
            prop_assert_eq!(text(&whole.planes()), text(&cut.planes()));
            if learned.is_err() {
                return Ok(());
            }
            prop_assert_eq!(whole.epoch(), cut.epoch());
            if let Ok((fit, _)) = whole.clone().finish() {
                prop_assert_eq!(fit.classifier.linear().unwrap(), whole.planes().unwrap());
                prop_assert_eq!(vec![whole.epoch().mistakes], fit.report.mistakes_per_epoch);
                prop_assert!(!from_given || fit.report.margin.upper.is_none());
            }
        }
        prop_assert_eq!(text(&whole.finish()), text(&cut.finish()));
    }

    /// A batch that fails or breaks changes nothing, whether the stream is copied before or only the features of the
    /// batch; any other batch has the effect of `learn`.
    #[test]
    fn a_batch_is_learned_whole_or_not_at_all(
        batches in vec((vec((0u32..60, number(), number()), 1..6), 1u64..20), 1..12),
        options in options(),
        two in any::<bool>(),
    ) {
        let scheme =
            if two { Scheme::Two { positive: 1 } } else { Scheme::OneVsRest { classes: 3 } };
        let first = Rows::sparse(vec![0, 1], vec![59], vec![1.0], 60).unwrap();
        let mut stream = Stream::new(&options, scheme).unwrap();
        let _ = stream.learn_whole(&Labelled::new(&first, &[1], scheme).unwrap(), &mut ());
        for (rows, breaks) in batches {
            let indices: Vec<u32> = rows.iter().flat_map(|row| [row.0, row.0 + 1]).collect();
            let values: Vec<f64> = rows.iter().flat_map(|row| [row.1, row.2]).collect();
            let offsets: Vec<usize> = (0..=rows.len()).map(|row| 2 * row).collect();
            // Feature 60 is new to the stream.
            let features = indices.iter().map(|&j| j as usize + 1).max().unwrap().max(60);
            let classes: Vec<u32> = rows.iter().map(|row| row.0 % scheme.classes() as u32).collect();
            let rows = Rows::sparse(offsets, indices, values, features).unwrap();
            let batch = Labelled::new(&rows, &classes, scheme).unwrap();
            let (before, mut expected) = (text(&stream.state()), stream.clone());
            let learned = expected.learn(&batch, &mut Breaks(breaks));
            prop_assert_eq!(text(&stream.learn_whole(&batch, &mut Breaks(breaks))), text(&learned));
            let is_whole = learned.is_ok_and(|flow| flow.is_continue());
            let expected = if is_whole { text(&expected.state()) } else { before };
            prop_assert_eq!(text(&stream.state()), expected);
        }
    }

    /// A stream from given weights also equals the run in memory.
    #[test]
    fn streams_from_given_weights_equal_runs_in_memory(
        (values, classes, mut cuts) in data(),
        options in options(),
        two in any::<bool>(),
    ) {
        let scheme =
            if two { Scheme::Two { positive: 1 } } else { Scheme::OneVsRest { classes: 4 } };
        let classes: Vec<u32> = classes.into_iter().map(|class| if two { class % 2 } else { class }).collect();
        let options = Options { compare: options.keep != Keep::Last, ..given(options, scheme.hyperplanes()) };
        let rows = Rows::dense(values.as_slice(), FEATURES).unwrap();
        let labelled = Labelled::new(&rows, &classes, scheme).unwrap();
        let whole = fit(&labelled, &options, &Resources::default(), None, &mut ());
        cuts.extend([0, classes.len()]);
        cuts.sort_unstable();
        let mut stream = Stream::new(&options, scheme).unwrap();
        prop_assert_eq!(stream.planes().unwrap().len(), scheme.hyperplanes());
        for ends in cuts.windows(2) {
            let rows = rows.select(&(ends[0]..ends[1]).collect::<Vec<_>>());
            let batch = Labelled::new(&rows, &classes[ends[0]..ends[1]], scheme).unwrap();
            if let Err(error) = stream.learn(&batch, &mut ()) {
                prop_assert_eq!(whole.map(drop), Err(error));
                return Ok(());
            }
        }
        match (whole, stream.finish()) {
            (Ok(mut whole), Ok((streamed, _))) => {
                whole.others.retain(|other| other.kept.name() != "pocket");
                prop_assert_eq!(planes(&whole), planes(&streamed));
                prop_assert_eq!(without_second_looks(&whole.report, FEATURES), streamed.report);
            }
            (whole, streamed) => prop_assert_eq!(whole.map(drop), streamed.map(drop)),
        }
    }

    /// Every state is rejected or resumed without a panic.
    #[test]
    fn no_state_makes_a_stream_panic(
        changes in vec((0usize..31, prop_oneof![Just(0u64), Just(1), Just(5), Just(u64::MAX), Just(1 << 61), any::<u64>()]), 1..4),
        keep in prop_oneof![Just(Keep::Last), Just(Keep::Average)],
        (two, precise) in any::<(bool, bool)>(),
    ) {
        let scheme =
            if two { Scheme::Two { positive: 1 } } else { Scheme::OneVsRest { classes: 3 } };
        let update = if precise { Update::arow(1.0) } else { Update::PERCEPTRON };
        let options = Options { epochs: 1, order: Order::Given, keep, update, ..Options::default() };
        let rows = Rows::dense(vec![1.0, -1.0, 2.0, 0.5, 0.0, 3.0], 2).unwrap();
        let classes = if two { [0, 1, 0] } else { [0, 1, 2] };
        let labelled = Labelled::new(&rows, &classes, scheme).unwrap();
        let mut stream = Stream::new(&options, scheme).unwrap();
        let _ = stream.learn(&labelled, &mut ()).unwrap();
        let mut state = stream.state();
        for (place, number) in changes {
            change(&mut state, place, number);
        }
        if let Ok(mut stream) = Stream::of_state(&options, scheme, state)
            && stream.learn(&labelled, &mut ()).is_ok()
        {
            let _ = (stream.planes(), stream.state(), stream.finish());
        }
    }
}

/// Puts a number somewhere in a state.
fn change(state: &mut StreamState, place: usize, number: u64) {
    let float = f64::from_bits(number);
    let small = (number % 7) as usize;
    let Some(first) = state.standings.first_mut() else { return };
    match place {
        0 => state.epoch.number = number,
        1 => (state.epoch.visits, state.visits) = (number, vec![number; state.visits.len()]),
        2 => state.epoch.mistakes = number,
        3 => state.epoch.updates = number,
        4 => state.features = small,
        5 => state.radius = float,
        6 => state.squared_radius = float,
        7 => state.largest_rate = float,
        8 => state.class_sizes.truncate(small),
        9 => state.class_sizes.iter_mut().take(1).for_each(|size| *size = number as usize),
        10 => state.class_sums = None,
        11 => state.class_sums.iter_mut().flatten().for_each(|sum| sum.resize(small, float)),
        12 => state.class_sums.iter_mut().for_each(|sums| sums.truncate(small)),
        13 => state.visits.truncate(small),
        14 => state.visits.iter_mut().take(1).for_each(|visits| *visits = number),
        15 => first.hyperplane.weights.fill(float),
        16 => first.hyperplane.weights.resize(small, 1.0),
        17 => first.hyperplane.bias = float,
        18 => first.updates = number,
        19 => first.steps = float,
        20 => first.mistakes_per_epoch = vec![number; small],
        21 => first.means.values_mut().for_each(|average| average.totals.fill(float)),
        22 => first.means.values_mut().for_each(|average| average.covered.fill(number)),
        23 => first.precisions.iter_mut().for_each(|one| one.weights.resize(small, float)),
        24 => first.precisions.iter_mut().for_each(|one| one.bias = float),
        25 => first.precisions = None,
        26 => first.penalty.iter_mut().for_each(|one| one.settled.fill(number)),
        27 => first.penalty.iter_mut().for_each(|one| one.taken.fill(float)),
        28 => first.penalty = None,
        _ => state.standings.truncate(small),
    }
}

/// Two examples by hand: x = 1 has the score 0 and is a mistake, so w = b = 1; then x = 2 with the score 3 is correct.
#[test]
fn weights_that_would_be_kept_now() {
    let scheme = Scheme::Two { positive: 1 };
    let options = Options { epochs: 1, order: Order::Given, ..Options::default() };
    let plane = |weight: f64, bias| vec![Hyperplane { weights: vec![weight], bias }];
    let first = Options { init: Init::Given(plane(4.0, 1.0).into()), ..options.clone() };
    // Before the first example, and while there is no mistake, these are the last weights.
    let mut stream = Stream::new(&first, scheme).unwrap();
    assert_eq!(stream.planes(), Ok(plane(4.0, 1.0)));
    let learn = |stream: &mut Stream, row: f64, class: u32| {
        let rows = Rows::dense(vec![row], 1).unwrap();
        let _ = stream.learn(&Labelled::new(&rows, &[class], scheme).unwrap(), &mut ()).unwrap();
    };
    learn(&mut stream, 1.0, 1);
    assert_eq!((stream.planes(), stream.epoch().mistakes), (Ok(plane(4.0, 1.0)), 0));
    // After a mistake, the average: of (4, 1) and (3, 0), and of the last weights twice.
    learn(&mut stream, 1.0, 0);
    assert_eq!((stream.planes(), stream.epoch().mistakes), (Ok(plane(3.5, 0.5)), 1));
    // More or fewer features than the given weights are rejected, and the stream is unchanged.
    let (before, wide) = (stream.state(), Rows::dense(vec![1.0, 2.0], 2).unwrap());
    let refused = stream.learn(&Labelled::new(&wide, &[1], scheme).unwrap(), &mut ()).map(drop);
    let expected = OptionError::GivenWeights { hyperplane: 0, found: 1, expected: 2 };
    assert_eq!((refused, stream.state()), (Err(expected.into()), before));
    // Another thread may own a stream.
    fn is_sendable(_: &(impl Send + Sync)) {}
    is_sendable(&stream);
}

/// States that no stream can reach.
#[test]
fn states_that_do_not_fit_are_refused() {
    let scheme = Scheme::Two { positive: 1 };
    let options =
        Options { epochs: 1, order: Order::Given, keep: Keep::Last, ..Options::default() };
    let rows = Rows::dense(vec![1.0, -1.0, 2.0, 0.5], 2).unwrap();
    let mut stream = Stream::new(&options, scheme).unwrap();
    let _ = stream.learn(&Labelled::new(&rows, &[0, 1], scheme).unwrap(), &mut ()).unwrap();
    let good = stream.state();
    let is_refused = |options: &Options, scheme, state: StreamState| {
        let refused = Stream::of_state(options, scheme, state).map(drop);
        matches!(refused, Err(TrainError::Checkpoint { .. }))
    };
    assert!(Stream::of_state(&options, scheme, good.clone()).is_ok());
    let minus_zero = (-0.0f64).to_bits();
    let nan = f64::NAN.to_bits();
    for (place, number) in [
        (0, 2),
        (1, 3),
        (2, 7),
        (3, 7),
        (4, 3),
        (5, nan),
        (7, nan),
        (8, 1),
        (9, 9),
        (11, 1),
        (12, 1),
        (13, 0),
        (14, 0),
        (15, nan),
        (15, minus_zero),
        (16, 3),
        (18, 9),
        (19, nan),
        (20, 2),
        (29, 0),
    ] {
        let mut state = good.clone();
        change(&mut state, place, number);
        assert!(is_refused(&options, scheme, state), "{place} {number}");
    }
    let precise = Options { update: Update::second_order(2.0), ..options.clone() };
    let mut stream = Stream::new(&precise, scheme).unwrap();
    let _ = stream.learn(&Labelled::new(&rows, &[0, 1], scheme).unwrap(), &mut ()).unwrap();
    let precisions = stream.state();
    assert!(Stream::of_state(&precise, scheme, precisions.clone()).is_ok());
    assert!(is_refused(&options, scheme, precisions.clone()));
    for (place, number) in [(23, 1), (24, nan), (24, 1f64.to_bits()), (25, 0)] {
        let mut state = precisions.clone();
        change(&mut state, place, number);
        assert!(is_refused(&precise, scheme, state), "{place} {number}");
    }
    let penalized = Options { penalty: "l2:0.5".parse().ok(), ..options.clone() };
    let mut stream = Stream::new(&penalized, scheme).unwrap();
    let _ = stream.learn(&Labelled::new(&rows, &[0, 1], scheme).unwrap(), &mut ()).unwrap();
    let penalty = stream.state();
    assert!(Stream::of_state(&penalized, scheme, penalty.clone()).is_ok());
    assert!(is_refused(&options, scheme, penalty.clone()));
    for (place, number) in [(26, 9), (27, nan), (28, 0)] {
        let mut state = penalty.clone();
        change(&mut state, place, number);
        assert!(is_refused(&penalized, scheme, state), "{place} {number}");
    }
    let average = Options { keep: Keep::Average, ..options.clone() };
    assert!(is_refused(&average, scheme, good.clone()));
    assert!(is_refused(&options, Scheme::OneVsRest { classes: 3 }, good.clone()));
    assert!(is_refused(&given(options, 1), scheme, good));
}

#[test]
fn options_that_need_the_examples_twice_are_rejected() {
    let one = Options { epochs: 1, order: Order::Given, ..Options::default() };
    assert!(one.dynamics().is_one_pass);
    let others = [
        Options { epochs: 2, ..one.clone() },
        Options { order: Order::Shuffle, ..one.clone() },
        Options { init: Init::Random, ..one.clone() },
        Options { kernel: Some("poly:2".parse().unwrap()), ..one.clone() },
        Options { keep: Keep::Pocket, ..one.clone() },
        Options { keep: Keep::Vote, ..one.clone() },
        Options { bias: Bias::Radius, ..one.clone() },
        Options { class_weight: ClassWeight::Balanced, ..one.clone() },
    ];
    for options in others {
        let refused = Stream::new(&options, Scheme::Two { positive: 0 }).map(drop);
        assert_eq!(refused, Err(OptionError::NotOnePass.into()), "{options:?}");
    }
}

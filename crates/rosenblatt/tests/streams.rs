//! A stream of batches gives the bits of one run over all of them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

mod common;

use std::ops::ControlFlow;

use common::{bits, cases, draw};
use proptest::{collection::vec, prelude::*};
use rosenblatt::{
    data::{Labelled, Rows, Scheme},
    keep::Keep,
    prototype::Baseline,
    report::{Errors, Report},
    schedule::{Init, Order},
    space::Hyperplane,
    train::{
        Bias, ClassWeight, Fit, Observer, OptionError, Options, Pupil, Resources, Stream,
        TrainError, Visit, fit,
    },
    update::{Mistake, Update},
};

const FEATURES: usize = 3;

/// Notes every visit.
#[derive(Default)]
struct Visits(Vec<Visit>);

impl Observer for Visits {
    fn visited(&mut self, _: usize, visit: Visit, _: &Pupil<'_>) -> ControlFlow<()> {
        self.0.push(visit);
        ControlFlow::Continue(())
    }
}

/// Rows of [`FEATURES`] numbers with classes below 4, and where the batches are cut.
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
    let update = prop_oneof![3 => Just(Update::Perceptron), 1 => Just(Update::Margin(0.5)), 1 => Just(Update::Pa1(0.5))];
    (keep, bias, mistake, update, 0u64..30).prop_map(
        |(keep, bias, mistake, update, allow_mistakes)| {
            let (order, epochs) = (Order::Given, 1);
            Options {
                keep,
                bias,
                mistake,
                update,
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

/// What a stream cannot know, left out of a report of a run in memory.
fn without_second_looks(report: &Report, features: usize) -> Report {
    let mut report = Report {
        features,
        errors: Errors::default(),
        training_errors: None,
        training_error_rate: None,
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
            if two { Scheme::Two { positive: 1 } } else { Scheme::OneAgainstRest { classes: 4 } };
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
                prop_assert_eq!(visits.len(), classes.len() * scheme.hyperplanes());
            }
            // Rows without an entry have no feature.
            (_, Err(TrainError::Empty { features: 0, .. })) => prop_assert_eq!(widest, 0),
            (Err(whole), Err(streamed)) => prop_assert_eq!(whole, streamed),
            (whole, streamed) => prop_assert!(false, "{whole:?} but {streamed:?}"),
        }
    }
}

#[test]
fn what_needs_the_examples_twice_is_refused() {
    let one = Options { epochs: 1, order: Order::Given, ..Options::default() };
    assert!(Stream::suits(&one));
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

//! From rows to a model: what is held out, and what is measured there.

use crate::common::{cases, draw};
use proptest::prelude::*;
use rosenblatt::{
    Error, Perceptron,
    recipe::{LearnedClasses, Table},
};
use rosenblatt_core::{
    calibration::{CalibrationError, CalibrationMethod},
    data::{ClassError, Rows, Scale, Scheme, Sign, classes_of},
    keep::Keep,
    metrics::Confusion,
    model::Model,
    options::{Options, Penalty, Resources},
    split::{KFold, Split, SplitError, Splitter},
    validation::Folds,
};

/// A model of the training part of a split, the classes that it predicts for the test part, and the share that is right.
fn by_hand(
    perceptron: &Perceptron,
    rows: &Rows<'_>,
    labels: &[String],
    split: &Split,
) -> Option<(Model, Vec<String>, f64)> {
    let of = |places: &[usize]| places.iter().map(|&i| labels[i].clone()).collect::<Vec<_>>();
    let model = perceptron.fit(&rows.select(&split.train), &of(&split.train)).ok()?;
    let found = model.predict_rows(&rows.select(&split.test)).unwrap().classes;
    let found: Vec<String> =
        found.into_iter().map(|class| model.labels()[class as usize].clone()).collect();
    let right = found.iter().zip(of(&split.test)).filter(|(found, label)| *found == label).count();
    let accuracy = right as f64 / found.len() as f64;
    Some((model, found, accuracy))
}

fn perceptrons() -> impl Strategy<Value = Perceptron> {
    let keep = prop_oneof![Just(Keep::Auto), Just(Keep::Last), Just(Keep::Average)];
    let scale = prop_oneof![Just(Scale::Auto), Just(Scale::None), Just(Scale::Standard)];
    (keep, scale, 0u64..4, 1u64..5, any::<bool>()).prop_map(
        |(keep, scale, seed, epochs, is_small)| {
            let one = Perceptron::new().keep(keep).scale(scale).seed(seed).epochs(epochs);
            if is_small { one.penalty("l2:0.01".parse::<Penalty>().unwrap()) } else { one }
        },
    )
}

proptest! {
    #![proptest_config(cases(150))]

    /// Each fold has the accuracy of a model that is fitted to the others by hand, of the classes that these have; a fold whose
    /// others have one class is predicted as this class. The model is that without folds.
    #[test]
    fn folds_are_runs_on_the_others(
        table in draw::moderate_table(),
        perceptron in perceptrons(),
        classes in 2u32..5,
        k in 2usize..6,
    ) {
        let rows = table.matrix();
        let label = |(i, sign): (usize, &Sign)| {
            format!("c{}", (i as u32 * 7 + u32::from(sign.as_f64() > 0.0)) % classes)
        };
        let labels: Vec<String> = table.signs.iter().enumerate().map(label).collect();
        let Ok(plain) = perceptron.fit(&rows, &labels) else { return Ok(()) };
        let (_, numbers) = classes_of(&labels, None).unwrap();
        let splitter = Splitter::new(&rows, &numbers, None);
        let Ok(splits) = splitter.folds(k, plain.options().seed) else { return Ok(()) };
        let model = perceptron.clone().folds(k).fit(&rows, &labels).unwrap();
        prop_assert_eq!(&model, &plain);
        let folds = model.validation().folds.clone().unwrap();
        // Repeats begin with these folds, and go on with those of the next seed.
        let twice = perceptron.clone().repeated_folds(k, 2).fit(&rows, &labels).unwrap();
        prop_assert_eq!(&twice, &plain);
        let twice = twice.validation().folds.clone().unwrap();
        prop_assert_eq!((twice.repeats, &twice.accuracies[..k]), (2, &folds.accuracies[..]));
        let deals = |repeats| splitter.repeated_folds(KFold { folds: k, repeats }, plain.options().seed);
        let next = splitter.folds(k, plain.options().seed + 1).unwrap();
        prop_assert_eq!(deals(2).unwrap(), [splits.clone(), next].concat());
        prop_assert_eq!(deals(0), Err(SplitError::Repeats));
        let sizes = |folds: &Folds| folds.rates.per_class.iter().map(|one| one.examples).collect::<Vec<_>>();
        prop_assert_eq!(sizes(&twice), sizes(&folds).iter().map(|n| 2 * n).collect::<Vec<_>>());
        let mut confusion = Confusion::new(model.labels().len()).unwrap();
        let number = |label: &String| model.labels().iter().position(|name| name == label).unwrap();
        for (split, &accuracy) in splits.iter().zip(&folds.accuracies) {
            let (found, expected) = match by_hand(&perceptron, &rows, &labels, split) {
                Some((_, found, expected)) => (found, expected),
                None => {
                    let only = labels[split.train[0]].clone();
                    let right = split.test.iter().filter(|&&i| labels[i] == only).count();
                    (vec![only; split.test.len()], right as f64 / split.test.len() as f64)
                }
            };
            prop_assert_eq!(accuracy, expected);
            for (&place, found) in split.test.iter().zip(&found) {
                confusion.count(number(&labels[place]) as u32, number(found) as u32).unwrap();
            }
        }
        for (number, of_class) in folds.rates.per_class.iter().enumerate() {
            prop_assert_eq!(of_class.right, confusion.of(number, number));
            prop_assert_eq!(of_class.predicted, confusion.predicted(number));
        }
    }

    /// A model with held-out examples is that of the others, and is judged by them.
    #[test]
    fn a_share_is_held_out_of_the_model(
        table in draw::moderate_table(),
        perceptron in perceptrons(),
        share in 0.1..0.6,
    ) {
        let rows = table.matrix();
        let labels: Vec<String> = table.signs.iter().map(|sign| sign.as_f64().to_string()).collect();
        let Ok((_, numbers)) = classes_of(&labels, None) else { return Ok(()) };
        let splitter = Splitter::new(&rows, &numbers, None);
        let seed = perceptron.options().seed;
        let split = splitter.hold_out(share, seed).unwrap();
        let found = perceptron.clone().hold_out(share).fit(&rows, &labels);
        match by_hand(&perceptron, &rows, &labels, &split) {
            None => {
                let is_one_class = matches!(found, Err(Error::Class(ClassError::OneClass { .. })));
                prop_assert!(is_one_class);
            }
            Some((expected, _, accuracy)) => {
                let found = found.unwrap();
                prop_assert_eq!(&found, &expected);
                let holdout = found.validation().holdout.as_ref().unwrap();
                prop_assert_eq!(holdout.examples as usize, split.test.len());
                prop_assert_eq!(holdout.accuracy, accuracy);
            }
        }
    }

    /// The best of several options on the folds, the first of equal ones, makes the model.
    #[test]
    fn a_sweep_takes_the_best(table in draw::moderate_table(), perceptron in perceptrons()) {
        let (rows, signs) = (table.matrix(), &table.signs);
        let with = |epochs| Options { epochs, plateau: false, ..perceptron.options().clone() };
        let all = [with(1), with(2), with(4)];
        let of = |options: &Options| {
            perceptron.clone().sweep([options.clone()]).folds(3).fit(&rows, signs)
        };
        let Ok(alone) = all.iter().map(of).collect::<Result<Vec<_>, _>>() else { return Ok(()) };
        let swept = perceptron.clone().sweep(all.clone()).folds(3).fit(&rows, signs).unwrap();
        let mean = |model: &Model| model.validation().folds.as_ref().unwrap().mean;
        let mut best = 0;
        for (number, model) in alone.iter().enumerate() {
            prop_assert_eq!(swept.validation().swept[number].accuracy, mean(model));
            if mean(model) > mean(&alone[best]) {
                best = number;
            }
        }
        prop_assert_eq!(swept.options(), &all[best]);
        prop_assert_eq!(swept, alone[best].clone());
    }
}

/// Forty examples of the sign of x, one of them wrong, and a column that means nothing.
fn signs_of_numbers() -> (Rows<'static>, Vec<bool>) {
    let values: Vec<f64> = (0..40).flat_map(|i| [f64::from(i) - 19.5, f64::from(i % 3)]).collect();
    let labels = (0..40).map(|i| (i > 19) != (i == 5)).collect();
    (Rows::dense(values, 2).unwrap(), labels)
}

/// The scores of the folds, or of the held-out examples, become probabilities: those of a calibration by hand.
#[test]
fn scores_of_others_are_calibrated() {
    let (rows, labels) = signs_of_numbers();
    for method in CalibrationMethod::ALL {
        let held = Perceptron::new().hold_out(0.5).calibrate(method).fit(&rows, &labels).unwrap();
        let of_folds = Perceptron::new().folds(4).calibrate(method).fit(&rows, &labels).unwrap();
        assert_eq!(held.calibration().unwrap().rows(), 20);
        assert_eq!(of_folds.calibration().unwrap().rows(), 40);
        let (_, numbers) = classes_of(&labels, None).unwrap();
        let split = Splitter::new(&rows, &numbers, None).hold_out(0.5, 0).unwrap();
        let scores = held.predict_rows(&rows.select(&split.test)).unwrap().scores;
        let actual: Vec<u32> = split.test.iter().map(|&place| numbers[place]).collect();
        let scheme = held.classes().scheme();
        let expected =
            rosenblatt_core::calibration::Calibration::fit(method, scheme, &scores, &actual);
        assert_eq!(held.calibration().unwrap(), &expected.unwrap());
    }
}

#[test]
fn what_is_held_out_must_fit() {
    let (rows, labels) = signs_of_numbers();
    let problem = |perceptron: Perceptron| perceptron.fit(&rows, &labels).unwrap_err().to_string();
    for two in [
        Perceptron::new().folds(5).hold_out(0.2),
        Perceptron::new().folds(5).early_stopping(0.2, 3),
        Perceptron::new().hold_out(0.2).early_stopping(0.2, 3),
    ] {
        assert_eq!(problem(two), "early stopping, `hold_out` and `folds` exclude each other");
    }
    let calibrated = Perceptron::new().calibrate(CalibrationMethod::Platt);
    let swept = Perceptron::new().sweep([Options::default()]);
    for nothing in [calibrated.clone(), swept, calibrated.clone().early_stopping(0.2, 3)] {
        let found = problem(nothing);
        assert_eq!(
            found,
            "a calibration and a sweep need examples that are held out: `hold_out` or `folds`"
        );
    }
    assert_eq!(
        problem(Perceptron::new().folds(1)),
        "the number of folds is 1, it must be at least 2"
    );
    assert!(problem(Perceptron::new().hold_out(1.5)).starts_with("the held-out share is 1.5"));
    // One example of a class: its fold has none to learn from, so it has no score of that class.
    let rare: Vec<&str> =
        (0..40).map(|i| if i == 7 { "rare" } else { ["a", "b"][i % 2] }).collect();
    let folds = Perceptron::new().folds(4).fit(&rows, &rare).unwrap();
    let few = &folds.validation().folds.as_ref().unwrap().few;
    assert_eq!((few[0].class.as_str(), few[0].examples, few[0].folds), ("rare", 1, 1));
    let error = calibrated.folds(4).fit(&rows, &rare).unwrap_err();
    assert_eq!(error, Error::Calibration(CalibrationError::FoldWithoutClass { class: 2 }));
}

/// A perceptron, with all that it is asked for, can be saved as JSON; what it does not know is refused.
#[test]
fn a_perceptron_is_json() {
    let swept = Perceptron::new().folds(3).calibrate(CalibrationMethod::Platt);
    let swept = swept.sweep([Options::default()]).positive("yes").scale(Scale::Maxabs);
    for perceptron in [Perceptron::new(), swept, Perceptron::new().early_stopping(0.1, 3)] {
        let saved = serde_json::to_string(&perceptron).unwrap();
        assert_eq!(serde_json::from_str::<Perceptron>(&saved).unwrap(), perceptron);
    }
    assert_eq!(serde_json::from_str::<Perceptron>("{}").unwrap(), Perceptron::new());
    assert!(serde_json::from_str::<Perceptron>(r#"{"fold": 3}"#).is_err());
}

/// An error about an example names its place among all rows, not among those of a fold.
#[test]
fn places_are_those_of_the_table() {
    let mut values: Vec<f64> = (0..40).map(|i| f64::from(i) - 19.5).collect();
    values[23] = 1e300;
    let rows = Rows::dense(values, 1).unwrap();
    let labels: Vec<bool> = (0..40).map(|i| i % 2 == 0).collect();
    let perceptron = Perceptron::new().scale(Scale::None).keep(Keep::Last).eta(1e100);
    let message = perceptron.clone().fit(&rows, &labels).unwrap_err().to_string();
    assert!(message.contains("example 24 "), "{message}");
    let message = perceptron.folds(5).fit(&rows, &labels).unwrap_err().to_string();
    assert!(message.contains("example 24 "), "{message}");
}

/// Weights of examples reach the folds.
#[test]
fn weights_of_examples_count_in_folds() {
    let (rows, labels) = signs_of_numbers();
    let weights: Vec<f64> = (0..40).map(|i| 1.0 + f64::from(i % 5)).collect();
    let fit = |weights: Option<&[f64]>| {
        let run = rosenblatt::Run { weights, ..Default::default() };
        let perceptron = Perceptron::new().scale(Scale::None).epochs(1).folds(4);
        perceptron.calibrate(CalibrationMethod::Isotonic).fit_with(&rows, &labels, run).unwrap()
    };
    assert_ne!(fit(Some(&weights)).calibration(), fit(None).calibration());
    let ones = [1.0; 40];
    assert_eq!(fit(Some(&ones)), fit(None));
}

/// A row of a class past those of the scheme is not learned from, wherever it lies.
#[test]
fn classes_past_the_scheme_are_not_learned() {
    let rows = Rows::dense(vec![1.0, 2.0, 3.0, 4.0], 1).unwrap();
    let (numbers, scheme) = ([0, 2, 9, 2], Scheme::OneVsRest { classes: 3 });
    let table = Table { rows: &rows, numbers: &numbers, scheme, weights: None, refilled: None };
    let learned = LearnedClasses::of(table, &[0, 1, 2, 3]);
    assert_eq!((learned.among(), learned.missing(3)), (Some(&[0, 2][..]), Some(1)));
    assert_eq!(learned.of_table(table).numbers, [0, 1, 2, 1]);
    assert_eq!(learned.of_table(table).scheme, Scheme::Two { positive: 1 });
    assert_eq!(LearnedClasses::of(table, &[1, 2]), LearnedClasses::One(2));
}

/// Models and what is said of them are the same with any number of threads.
#[test]
fn threads_change_nothing() {
    let (rows, labels) = signs_of_numbers();
    let with = |text: &str| Options { penalty: text.parse().ok(), ..Options::default() };
    let sweep = || [with("l2:0.1"), Options::default(), with("l2:10")];
    let plain = Perceptron::new().epochs(3);
    for perceptron in [
        plain.clone().folds(4),
        plain.clone().repeated_folds(3, 2).calibrate(CalibrationMethod::Isotonic),
        plain.clone().folds(3).sweep(sweep()),
        plain.hold_out(0.3).sweep(sweep()),
    ] {
        let fit = |threads: usize| {
            let resources = Resources { threads, ..Resources::default() };
            let run = rosenblatt::Run { resources, ..Default::default() };
            let model = perceptron.fit_with(&rows, &labels, run).unwrap();
            (format!("{:?}", model.validation()), model)
        };
        let one = fit(1);
        assert!([2, 3, 9].into_iter().all(|threads| fit(threads) == one), "{perceptron:?}");
    }
}

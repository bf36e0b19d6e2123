//! The library's interface: the builder, the model, the online learner, labels, rows.

use crate::common::{bits, cases, draw};
use proptest::prelude::*;
use rosenblatt::{Error, Online, Perceptron, Run};
use rosenblatt_core::{
    data::{
        Labelled, Row, Rows, RowsBuilder, RowsError, Scale, Scaling, Scheme, Sign, Values,
        ZeroScore,
    },
    hyperplane::Hyperplane,
    keep::Keep,
    kernel::Kernel,
    model::{Classifier, Model},
    options::{Bias, ClassWeight, Options},
    schedule::Order,
    train::{ScaledStream, StreamScaling},
    transforms::Normalise,
};

fn planes(model: &Model) -> Vec<Hyperplane> {
    match model.classifier() {
        Classifier::Linear(planes) => planes.clone(),
        other => panic!("{other:?} is not linear"),
    }
}

fn assert_same_planes(found: &[Hyperplane], expected: &[Hyperplane]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(bits(&found.weights), bits(&expected.weights));
        assert_eq!(found.bias.to_bits(), expected.bias.to_bits());
    }
}

proptest! {
    #![proptest_config(cases(200))]

    /// One example at a time gives the model of one epoch over all without scaling, and each prediction is that of the current model.
    #[test]
    fn an_online_learner_is_one_epoch(
        table in draw::moderate_table(),
        keep in prop_oneof![Just(Keep::Auto), Just(Keep::Last), Just(Keep::Average)],
        zero in prop_oneof![Just(ZeroScore::Positive), Just(ZeroScore::Negative)],
        is_sparse in any::<bool>(),
    ) {
        let perceptron = Perceptron::new().keep(keep).zero(zero);
        let mut online = perceptron.online(&[-1, 1]).unwrap();
        let learned = table.rows.iter().zip(&table.signs);
        for (number, (values, &sign)) in learned.enumerate() {
            let indices: Vec<u32> = (0..values.len() as u32).collect();
            let row = match is_sparse {
                true => Row::sparse(&indices, Values::F64(values)),
                false => Row::from(values),
            };
            let before = online.predict(row).unwrap();
            let (class, scores) = (before.class(), bits(before.scores()));
            if number > 0 {
                let rows = Rows::dense(table.rows[..number].concat(), values.len()).unwrap();
                let one_epoch = perceptron.clone().epochs(1).order(Order::Given);
                let one_epoch = one_epoch.scale(Scale::None);
                // A model needs examples of both classes.
                if let Ok(model) = one_epoch.fit(&rows, &table.signs[..number]) {
                    let expected = model.predict(row).unwrap();
                    prop_assert_eq!((class, scores), (expected.class(), bits(expected.scores())));
                }
            }
            online = Online::from_state(online.state()).unwrap();
            online.learn(row, sign).unwrap();
        }
        let rows = table.matrix();
        let whole = perceptron.epochs(1).order(Order::Given).scale(Scale::None);
        match (online.finish(), whole.fit(&rows, &table.signs)) {
            (Ok(online), Ok(whole)) => assert_same_planes(&planes(&online), &planes(&whole)),
            (online, whole) => prop_assert_eq!(online.is_ok(), whole.is_ok()),
        }
    }

    /// All examples in one block are one epoch. In several blocks, the first has the statistics by which all are scaled.
    #[test]
    fn blocks_are_scaled_by_the_first(
        table in draw::moderate_table(),
        scale in prop_oneof![Just(Scale::Auto), Just(Scale::Standard), Just(Scale::Maxabs)],
        bias in prop_oneof![Just(Bias::Unit), Just(Bias::None)],
        cut in 0usize..40,
    ) {
        let (rows, features) = (table.matrix(), table.rows[0].len());
        let perceptron = Perceptron::new().keep(Keep::Average).scale(scale).bias(bias);
        let whole = perceptron.clone().epochs(1).order(Order::Given).fit(&rows, &table.signs);
        let cut = cut.min(table.rows.len());
        let (first, rest) = table.rows.split_at(cut);
        let mut one_block = perceptron.online(&[-1, 1]).unwrap();
        one_block.learn_rows(&rows, &table.signs).unwrap();
        if let (Ok(online), Ok(whole)) = (one_block.finish(), whole) {
            assert_same_planes(&planes(&online), &planes(&whole));
            let (online, whole) = (online.into_parts(), whole.into_parts());
            let of = |scaling: Option<&Scaling>| scaling.map(|one| (one.shift.clone(), one.divisor.clone()));
            prop_assert_eq!(of(online.preparation.scaling()), of(whole.preparation.scaling()));
        }
        let mut blocks = perceptron.online(&[-1, 1]).unwrap();
        let mut naive = perceptron.clone().scale(Scale::None).online(&[-1, 1]).unwrap();
        let matrix = |rows: &[Vec<f64>]| Rows::dense(rows.concat(), features).unwrap();
        let signs = table.signs.split_at(cut);
        let scaling = match first {
            [] => Scaling::fit(scale, &matrix(rest), None, bias == Bias::None).unwrap(),
            [_] => None,
            several => Scaling::fit(scale, &matrix(several), None, bias == Bias::None).unwrap(),
        };
        for (part, signs) in [(first, signs.0), (rest, signs.1)] {
            blocks.learn_rows(&matrix(part), signs).unwrap();
            blocks = Online::from_state(blocks.state()).unwrap();
            let scaled = scaling.as_ref().map(|scaling| scaling.batch(&matrix(part)).unwrap());
            let scaled = scaled.unwrap_or_else(|| matrix(part));
            scaled.iter().zip(signs).for_each(|(row, sign)| drop(naive.learn(row, *sign)));
        }
        assert_same_planes(&blocks.current_weights(), &naive.current_weights());
        assert_same_planes(&blocks.kept_weights().unwrap(), &naive.kept_weights().unwrap());
        let row = Row::from(&table.rows[0]);
        let scaled = scaling.map(|scaling| scaling.batch(&matrix(&table.rows[..1])).unwrap());
        let found = bits(blocks.predict(row).unwrap().scores());
        let scaled = scaled.unwrap_or_else(|| matrix(&table.rows[..1]));
        prop_assert_eq!(found, bits(naive.predict(scaled.row(0)).unwrap().scores()));
    }

    /// A single row has the class and the scores that it has in a batch.
    #[test]
    fn a_row_is_predicted_as_in_a_batch(
        table in draw::moderate_table(),
        kernel in prop_oneof![Just(None), Just(Some(Kernel::poly(2))), Just(Some(Kernel::rbf(0.5)))],
        keep in prop_oneof![Just(Keep::Auto), Just(Keep::Vote)],
        scale in prop_oneof![Just(Scale::None), Just(Scale::Standard)],
    ) {
        let rows = table.matrix();
        let mut perceptron = Perceptron::new().keep(keep).scale(scale).epochs(3);
        if let Some(kernel) = kernel {
            perceptron = perceptron.kernel(kernel);
        }
        let Ok(model) = perceptron.fit(&rows, &table.signs) else { return Ok(()) };
        let batch = model.predict_rows(&rows).unwrap();
        for (i, row) in table.rows.iter().enumerate() {
            let found = model.predict(row).unwrap();
            prop_assert_eq!(found.class(), batch.classes[i] as usize);
            prop_assert_eq!(found.score().to_bits(), batch.scores[i].to_bits());
            prop_assert_eq!(found.label(), &model.labels()[found.class()]);
        }
    }
}

const CORNERS: [f64; 8] = [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0];

fn corners() -> Rows<'static> {
    Rows::dense(&CORNERS, 2).unwrap()
}

#[test]
fn labels_of_several_types_make_the_same_classes() {
    let rows = corners();
    let fit = |model: Result<Model, Error>| planes(&model.unwrap());
    let perceptron = Perceptron::new();
    let expected = fit(perceptron.fit(&rows, &[false, false, false, true]));
    assert_eq!(fit(perceptron.fit(&rows, &[-1, -1, -1, 1])), expected);
    assert_eq!(fit(perceptron.fit(&rows, &["no", "no", "no", "yes"])), expected);
    let signs = [false, false, false, true].map(Sign::from);
    assert_eq!(fit(perceptron.fit(&rows, &signs)), expected);
    // Numbers compare as numbers: 2 before 10. Text compares as text.
    let model = perceptron.fit(&rows, &[2, 2, 10, 10]).unwrap();
    assert_eq!(model.labels(), ["2", "10"]);
    let model = perceptron.clone().positive("a").fit(&rows, &["a", "b", "c", "a"]).unwrap();
    assert_eq!(model.labels(), ["not a", "a"]);
    let same = perceptron.fit(&rows, &["a"; 4]).unwrap_err();
    assert_eq!(same.to_string(), "all 4 examples have the label `a`: there is nothing to separate");
    let short = perceptron.fit(&rows, &["a", "b"]).unwrap_err();
    assert!(matches!(short, Error::Rows(RowsError::Signs { rows: 4, signs: 2 })), "{short}");
}

/// The held-out rows stop the run and choose its weights. Supporting rows keep their numbers among all rows.
#[test]
fn held_out_rows_stop_a_run() {
    let values: Vec<f64> = (0..200).map(|i| f64::from(i * 37 % 101) - 50.0).collect();
    let rows = Rows::dense(&values, 2).unwrap();
    let labels: Vec<bool> =
        rows.iter().enumerate().map(|(i, _)| (values[2 * i] > 3.0) != (i % 11 == 0)).collect();
    let perceptron = Perceptron::new().early_stopping(0.25, 3).scale(Scale::Standard);
    let model = perceptron.fit(&rows, &labels).unwrap();
    assert_eq!(model.report().examples, 75);
    assert!(model.report().best_epoch.unwrap() <= model.report().epochs);
    assert_eq!(model.options().epochs, 1000);
    let dual = perceptron.kernel(Kernel::rbf(1.0)).fit(&rows, &labels).unwrap();
    let support = dual.classifier().support().unwrap();
    assert!(support.examples.iter().any(|&row| row >= 75));
    let weights = [1.0; 3];
    let run = Run { weights: Some(&weights), ..Run::default() };
    let error = Perceptron::new().early_stopping(0.5, 1).fit_with(&rows, &labels, run);
    assert_eq!(error.unwrap_err().to_string(), "100 rows have 3 weights");
}

#[test]
fn an_online_learner_rejects_unsupported_options() {
    let classes = ["a", "b"];
    let refused = |perceptron: Perceptron| perceptron.online(&classes).unwrap_err();
    for perceptron in [
        Perceptron::new().keep(Keep::Vote),
        Perceptron::new().keep(Keep::Pocket),
        Perceptron::new().kernel(Kernel::Linear),
        Perceptron::new().bias(Bias::Radius),
        Perceptron::new().class_weight(ClassWeight::Balanced),
        Perceptron::new().epochs(3),
        Perceptron::new().order(Order::Given),
        Perceptron::new().order(Order::Mistaken),
        Perceptron::new().normalise(Normalise::L2),
        Perceptron::new().early_stopping(0.5, 1),
    ] {
        assert!(matches!(refused(perceptron), Error::Options(_)));
    }
    assert!(matches!(Perceptron::new().online(&["a"]), Err(Error::Class(_))));

    let mut online = Perceptron::new().online(&classes).unwrap();
    let unknown = online.learn(&[1.0], "c").unwrap_err();
    assert_eq!(unknown.to_string(), "the label `c` is not one of a, b");
    online.learn(&[1.0, 0.0], "a").unwrap();
    assert!(matches!(online.learn(&[1.0], "a"), Err(Error::Row(_))));
    assert!(matches!(online.learn(&[1.0, f64::NAN], "a"), Err(Error::Row(_))));
    assert_eq!(online.examples(), 1);
    // Only one class has occurred.
    assert!(matches!(online.finish(), Err(Error::Train(_))));
}

#[test]
fn sparse_rows_are_built_row_by_row() {
    let mut builder = RowsBuilder::new();
    builder.push([(1, 2.0)]).unwrap().push([]).unwrap();
    let refused = [vec![(2, 1.0), (2, 1.0)], vec![(3, 1.0), (1, 1.0)], vec![(0, f64::INFINITY)]];
    for row in refused {
        assert!(builder.push(row).is_err());
    }
    let rows = builder.build();
    assert_eq!((rows.len(), rows.features(), rows.stored()), (2, 2, 1));
    let mut fixed = RowsBuilder::with_features(2);
    assert!(fixed.push([(2, 1.0)]).is_err());
    assert_eq!(fixed.push([(0, 1.0)]).unwrap().clone().build().features(), 2);
}

#[test]
fn a_missing_option_has_its_default_and_an_unknown_one_is_refused() {
    let read = |text: &str| serde_json::from_str::<Options>(text);
    assert_eq!(read("{}").unwrap(), Options::default());
    let expected = Options { epochs: 7, ..Options::default() };
    assert_eq!(read(r#"{"epochs": 7}"#).unwrap(), expected);
    assert!(read(r#"{"epoch": 7}"#).unwrap_err().to_string().contains("unknown field `epoch`"));
}

#[test]
fn models_and_options_go_between_threads() {
    fn is_shared<T: Send + Sync + Clone + std::fmt::Debug>() {}
    is_shared::<Perceptron>();
    is_shared::<Model>();
    is_shared::<Online>();
    is_shared::<Options>();
    is_shared::<Error>();
    is_shared::<Rows<'static>>();
}

/// Five columns far from zero for their range are as good as they are from 0 to 1: a year, a Unix time, degrees of a small area,
/// Kelvin and an offset.
#[test]
fn columns_far_from_zero() {
    let unit = |i: u32| f64::from(i.wrapping_mul(2_654_435_761) >> 8) / f64::from(1u32 << 24);
    let forms = [(1990.0, 30.0), (1.6e9, 1e8), (48.1, 0.05), (250.0, 40.0), (1e6, 1.0)];
    let right = |(level, range): (f64, f64)| {
        let row = |i: u32| [unit(3 * i), unit(3 * i + 1), unit(3 * i + 2)];
        let sign = |[a, b, c]: [f64; 3]| if 2.0 * a + b - c > 1.0 { 1 } else { -1 };
        let moved = |[a, b, c]: [f64; 3]| [level + range * a, b, c];
        let part = |from, to| -> (Vec<f64>, Vec<i32>) {
            let rows: Vec<_> = (from..to).map(row).collect();
            (
                rows.iter().flat_map(|&row| moved(row)).collect(),
                rows.iter().map(|&row| sign(row)).collect(),
            )
        };
        let ((train, labels), (test, wanted)) = (part(0, 400), part(400, 1400));
        let model = Perceptron::new().fit(&Rows::dense(train, 3).unwrap(), &labels).unwrap();
        let found = model.predict_rows(&Rows::dense(test, 3).unwrap()).unwrap().classes;
        found
            .iter()
            .zip(&wanted)
            .filter(|&(&found, &wanted)| found == u32::from(wanted == 1))
            .count()
    };
    let near_zero = right((0.0, 1.0));
    assert!(near_zero > 950, "{near_zero} of 1,000");
    for form in forms {
        let far = right(form);
        assert!(far.abs_diff(near_zero) <= 15, "{form:?}: {far} and {near_zero}");
    }
}

/// A known scaling holds for features that come after the first batch.
#[test]
fn late_features_have_their_scaling() {
    let sparse = |rows: &[[f64; 4]], features: usize| {
        let mut builder = RowsBuilder::with_features(features);
        for row in rows {
            let entries = (0..features).filter(|&j| row[j] != 0.0);
            builder.push(entries.map(|j| (j as u32, row[j]))).unwrap();
        }
        builder.build()
    };
    let table = [
        [1.0, 20.0, 0.0, 0.0],
        [2.0, 30.0, 0.0, 0.0],
        [3.0, 10.0, 0.0, 1e6],
        [4.0, 40.0, 5.0, 2e6],
        [5.0, 20.0, 7.0, 4e6],
        [1.0, 50.0, 0.0, 3e6],
    ];
    let labels = [1, 0, 1, 0, 0, 1];
    let whole = sparse(&table, 4);
    let scaling = Scaling::fit(Scale::Auto, &whole, None, false).unwrap().unwrap();
    let options =
        Options { keep: Keep::Average, order: Order::Given, epochs: 1, ..Options::default() };
    let expected = Perceptron::with_options(options.clone()).fit(&whole, &labels).unwrap();
    let scheme = Scheme::Two { positive: 1 };
    let known = StreamScaling::Known(Some(scaling));
    let mut stream = ScaledStream::new(&options, scheme, known).unwrap();
    for (from, to, features) in [(0, 2, 2), (2, 4, 4), (4, 6, 4)] {
        let rows = sparse(&table[from..to], features);
        let numbers: Vec<u32> = labels[from..to].iter().map(|&label| label as u32).collect();
        let batch = Labelled::new(&rows, &numbers, scheme).unwrap();
        let _ = stream.learn(&batch, &mut ()).unwrap();
    }
    let (fit, preparation, _) = stream.finish().unwrap();
    let Classifier::Linear(found) = &fit.classifier else { panic!("not linear") };
    assert_same_planes(found, &planes(&expected));
    assert_eq!(preparation.scaling(), expected.scaling());
}

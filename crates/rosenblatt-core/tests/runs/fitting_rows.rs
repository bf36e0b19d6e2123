//! Rows are checked where they are used. Rows that do not fit give an error, never a panic or a guess.

use rosenblatt_core::{
    data::{
        Examples, Labelled, Row, RowError, Rows, RowsError, Scale, ScaleError, Scaling, Scheme,
        SchemeError, Sign, Values, ZeroScore,
    },
    keep::{Keep, Tally, UpdateRecord, VoteError, VoteTerms, Voted, WeightSequence, count_errors},
    margin::{min_functional_margin, min_margin},
    model::{Classifier, Dual, Model, ModelParts, PredictError, PredictOptions},
    prototype::Baseline,
    space::{CanonicalRows, Hyperplane, Kernel},
    train::{Bias, Fit, HeldOut, Options, Resources, Stream, TrainError, fit},
    transforms::Preparation,
};

const TWO: Scheme = Scheme::Two { positive: 1 };
const THREE: Scheme = Scheme::OneVsRest { classes: 3 };
const OUTSIDE: Scheme = Scheme::Two { positive: 7 };
const POSITIVE: SchemeError = SchemeError::Positive { positive: 7 };

fn dense(values: &[f64], features: usize) -> Rows<'static> {
    Rows::dense(values.to_vec(), features).unwrap()
}

/// Rows of two features: one of class 0, two of class 1.
fn rows() -> Rows<'static> {
    dense(&[0.0, 0.0, 1.0, 2.0, 3.0, 1.0], 2)
}

fn learned(kernel: Option<&str>, keep: Keep) -> Fit {
    let rows = rows();
    let labelled = Labelled::new(&rows, &[0, 1, 1], TWO).unwrap();
    let kernel = kernel.map(|kernel| kernel.parse().unwrap());
    let options = Options { kernel, keep, ..Options::default() };
    fit(&labelled, &options, &Resources::default(), None, &mut ()).unwrap()
}

/// A linear, a dual and a voted classifier.
fn classifiers() -> [Classifier; 3] {
    [(None, Keep::Last), (Some("poly:2"), Keep::Last), (None, Keep::Vote)]
        .map(|(kernel, keep)| learned(kernel, keep).classifier)
}

fn parts(classifier: Classifier) -> ModelParts {
    let rows = rows();
    crate::common::parts(
        classifier,
        &Labelled::new(&rows, &[0, 1, 1], TWO).unwrap(),
        ZeroScore::Positive,
    )
}

fn model(classifier: Classifier) -> Model {
    Model::new(parts(classifier)).unwrap()
}

/// Rows with another number of features, dense and sparse.
fn others() -> [(usize, Rows<'static>); 4] {
    let sparse = |features| Rows::sparse(vec![0, 1], vec![0], vec![1.0], features).unwrap();
    [(1, dense(&[1.0], 1)), (3, dense(&[1.0, 2.0, 3.0], 3)), (1, sparse(1)), (9, sparse(9))]
}

#[test]
fn a_model_takes_rows_of_its_features() {
    for classifier in classifiers() {
        let model = model(classifier.clone());
        assert!(model.classify(&rows(), PredictOptions::default(), true).is_ok());
        for (found, other) in others() {
            let expected = Err(PredictError::Features { found, expected: 2 });
            assert_eq!(model.classify(&other, PredictOptions::default(), true), expected);
            assert_eq!(
                classifier.classify(&other, TWO, PredictOptions::default(), false),
                expected
            );
            let prototypes = model.predict_baseline(&other).map(drop);
            assert_eq!(prototypes, expected.map(drop));
        }
    }
}

#[test]
fn a_scheme_is_one_of_its_hyperplanes() {
    let rows = rows();
    for classifier in classifiers() {
        let classify = |scheme| classifier.classify(&rows, scheme, PredictOptions::default(), true);
        assert_eq!(classify(OUTSIDE), Err(POSITIVE.into()));
        let problem = "its hyperplanes do not match its classes";
        assert_eq!(classify(THREE), Err(PredictError::Unsound { problem }));
    }
    let nothing = Classifier::Linear(Vec::new());
    let none = dense(&[], 0);
    let scheme = Scheme::OneVsRest { classes: 0 };
    assert!(nothing.classify(&none, scheme, PredictOptions::default(), true).is_err());
    assert_eq!(
        Labelled::new(&rows, &[0, 1, 1], OUTSIDE).map(drop),
        Err(RowsError::Scheme(POSITIVE))
    );
    let many = Scheme::OneVsRest { classes: usize::MAX };
    assert!(Labelled::new(&rows, &[0, 1, 1], many).is_err());
    assert!(Labelled::new(&rows, &[0, 1, 2], TWO).is_err());
    let stream = Stream::new(&one_pass(), OUTSIDE).map(drop);
    assert_eq!(stream, Err(TrainError::Scheme(POSITIVE)));
    assert!(Stream::new(&one_pass(), many).is_err());
}

/// Parts assembled by a user.
#[test]
fn a_classifier_fits_together() {
    let rows = rows();
    let refused = |classifier: Classifier, scheme| {
        let found = classifier.classify(&rows, scheme, PredictOptions::default(), true);
        assert!(matches!(found, Err(PredictError::Unsound { .. })), "{found:?}");
        if scheme == TWO {
            let found = Model::new(parts(classifier)).map(drop);
            assert!(matches!(found, Err(PredictError::Unsound { .. })), "{found:?}");
        }
    };
    let plane = |weights: &[f64], bias| Hyperplane { weights: weights.to_vec(), bias };
    for bad in [f64::NAN, f64::INFINITY] {
        refused(Classifier::Linear(vec![plane(&[bad, 1.0], 0.0)]), TWO);
        refused(Classifier::Linear(vec![plane(&[1.0, 1.0], bad)]), TWO);
    }
    let narrow = [plane(&[1.0, 2.0], 0.0), plane(&[1.0], 0.0), plane(&[1.0, 2.0], 0.0)];
    refused(Classifier::Linear(narrow.to_vec()), THREE);
    let [_, Classifier::Dual(mut dual), Classifier::Voted(voted)] = classifiers() else {
        panic!("another form")
    };
    let unsound = Kernel::Poly { degree: 0, coef0: 1.0, gamma: 1.0 };
    refused(Classifier::Dual(Dual { kernel: unsound, ..dual.clone() }), TWO);
    refused(Classifier::Voted(Voted { kernel: unsound, ..voted.clone() }), TWO);
    dual.planes[0].weights.push(1.0);
    refused(Classifier::Dual(dual), TWO);
    let mut elsewhere = voted.clone();
    elsewhere.paths[0].moves[0].row = 99;
    refused(Classifier::Voted(elsewhere), TWO);
    let mut endless = voted;
    endless.paths[0].moves[0].survived = u64::MAX;
    refused(Classifier::Voted(endless), TWO);
}

#[test]
fn a_vote_takes_rows_of_its_features() {
    let [.., Classifier::Voted(voted)] = classifiers() else { panic!("no vote") };
    for (found, other) in others() {
        let expected = VoteError::Features { found, expected: 2 };
        let packed = CanonicalRows::new(&other);
        assert_eq!(voted.scores(&packed, Tally::Vote, 1), Err(expected));
        assert_eq!(voted.tallies(&packed, 1), Err(expected));
    }
    let path = |row| WeightSequence {
        start: 0,
        moves: vec![UpdateRecord { row, step: 1.0, survived: 1 }],
    };
    let rows = rows();
    let (kernel, zero) = (Kernel::Linear, ZeroScore::Positive);
    let terms = VoteTerms { kernel, bias_unit: 1.0, zero, seed: 0 };
    let vote = |row| Voted::new(terms, &rows, &[&path(row)]).map(drop);
    assert_eq!(vote(2), Ok(()));
    assert!(matches!(vote(3), Err(VoteError::Unsound { .. })));
    let mut elsewhere = voted;
    elsewhere.paths[0].moves[0].row = 99;
    assert!(elsewhere.until(1).is_err());
}

fn row(x: &[f64]) -> Row<'_> {
    Row::dense(Values::F64(x))
}

#[test]
fn a_hyperplane_takes_rows_of_its_features() {
    let plane = Hyperplane { weights: vec![1.0, -1.0], bias: 0.5 };
    let refused = |row: Row<'_>| {
        let error = plane.predict(row).unwrap_err();
        assert_eq!(plane.score(row), Err(error));
        assert_eq!(plane.score_sign(row), Err(error));
        error
    };
    assert_eq!(plane.score(row(&[2.0, 1.0])), Ok(1.5));
    assert_eq!(plane.predict(row(&[0.0, 1.0])), Ok(Sign::Minus));
    for (found, x) in [(1, &[1.0][..]), (3, &[1.0, 2.0, 3.0])] {
        assert_eq!(refused(row(x)), RowError::Features { found, expected: 2 });
    }
    let past = Row::sparse(&[2], Values::F32(&[1.0]));
    assert_eq!(refused(past), RowError::NoSuchFeature { feature: 2, features: 2 });
    // An entry that occurs twice would count twice.
    let twice = Row::sparse(&[1, 1], Values::F64(&[1.0, 1.0]));
    assert_eq!(refused(twice), RowError::NotAscending { entry: 1 });
    let value = f64::INFINITY;
    assert_eq!(refused(row(&[value, 0.0])), RowError::NotFinite { feature: 0, value });
    let nan = plane.predict(row(&[0.0, f64::NAN])).unwrap_err();
    assert!(matches!(nan, RowError::NotFinite { feature: 1, .. }));
    let bad = Hyperplane { weights: vec![1.0, value], bias: 0.0 };
    assert_eq!(bad.predict(row(&[0.0, 0.0])), Err(RowError::Weight { value }));
    let bad = Hyperplane { weights: vec![1.0, 1.0], bias: value };
    assert_eq!(bad.score(row(&[0.0, 0.0])), Err(RowError::Weight { value }));
}

#[test]
fn margins_and_errors_are_of_examples_of_the_features() {
    let signs = [Sign::Minus, Sign::Plus, Sign::Plus];
    let rows = rows();
    let examples = Examples::new(&rows, &signs).unwrap();
    for (found, weights) in [(1, vec![1.0]), (3, vec![1.0; 3])] {
        let plane = Hyperplane { weights, bias: 0.0 };
        let expected = RowError::Features { found: 2, expected: found };
        assert_eq!(min_functional_margin(&plane, &examples), Err(expected));
        assert_eq!(min_margin(&plane, Bias::Unit, &examples), Err(expected));
        assert_eq!(count_errors(&plane, &examples, ZeroScore::Positive), Err(expected));
    }
    for value in [f64::INFINITY, f64::NEG_INFINITY] {
        let plane = Hyperplane { weights: vec![0.0, value], bias: 0.0 };
        let expected = RowError::Weight { value };
        assert_eq!(min_functional_margin(&plane, &examples), Err(expected));
        assert_eq!(min_margin(&plane, Bias::None, &examples), Err(expected));
        assert_eq!(count_errors(&plane, &examples, ZeroScore::Positive), Err(expected));
    }
    // x₁ + x₂ − ½: margins ½, 2½, 3½.
    let plane = Hyperplane { weights: vec![1.0, 1.0], bias: -0.5 };
    assert_eq!(min_functional_margin(&plane, &examples), Ok(Some(0.5)));
    let none = dense(&[], 2);
    let nothing = Examples::new(&none, &[]).unwrap();
    assert_eq!(min_functional_margin(&plane, &nothing), Ok(None));
    assert_eq!(min_margin(&plane, Bias::Unit, &nothing), Ok(None));
}

#[test]
fn a_scaling_takes_rows_of_its_features() {
    for scale in [Scale::Standard, Scale::Maxabs, Scale::Minmax] {
        let scaling = Scaling::fit(scale, &rows(), None, false).unwrap().unwrap();
        for (found, other) in others() {
            let expected = ScaleError::Features { found, expected: 2 };
            assert_eq!(scaling.apply(&other).map(drop), Err(expected.clone()));
            assert_eq!(scaling.batch(&other).map(drop), Err(expected.clone()));
            let parts = parts(classifiers()[0].clone());
            let scaling = Some(scaling.clone());
            let preparation = Preparation::scaled(scaling);
            let model = Model::new(ModelParts { preparation, ..parts }).unwrap();
            let expected = PredictError::Features { found, expected: 2 };
            let predicted = model.classify(&other, PredictOptions::default(), true);
            assert_eq!(predicted, Err(expected.clone()));
            assert_eq!(model.predict_baseline(&other), Err(expected));
        }
        let cut = Scaling { divisor: vec![1.0], ..scaling };
        assert!(cut.apply(&rows()).is_err() && cut.batch(&rows()).is_err());
    }
    let scaling =
        Scaling { scale: Scale::Maxabs, shift: vec![0.0], divisor: vec![1e-300], first: None };
    let far = dense(&[1.0, 2.0, 1e200], 1);
    assert_eq!(scaling.batch(&far).map(drop), Err(ScaleError::Row { row: 2 }));
}

/// A user may add other prototypes to a model.
#[test]
fn prototypes_are_those_of_the_model() {
    for prototypes in [vec![Hyperplane::zero(1)], vec![Hyperplane::zero(2); 3]] {
        let baseline = Baseline { prototypes, class_sizes: vec![1, 2] };
        let found = Model::new(ModelParts { baseline, ..parts(classifiers()[0].clone()) });
        assert!(matches!(found, Err(PredictError::Unsound { .. })), "{found:?}");
    }
}

#[test]
fn examples_held_out_are_like_those_that_are_learned_from() {
    let (rows, classes) = (rows(), [0, 1, 1]);
    let labelled = Labelled::new(&rows, &classes, TWO).unwrap();
    let run = |held: &Labelled<'_>, kernel: Option<Kernel>| {
        let held_out = HeldOut { labelled: *held, patience: 1, least: 1 };
        let options = Options { kernel, ..Options::default() };
        fit(&labelled, &options, &Resources::default(), Some(&held_out), &mut ()).map(drop)
    };
    for kernel in [None, Some(Kernel::Linear)] {
        assert_eq!(run(&labelled, kernel), Ok(()));
        for (found, other) in others() {
            let held = Labelled::new(&other, &[1], TWO).unwrap();
            let expected = TrainError::OtherFeatures { found, expected: 2 };
            assert_eq!(run(&held, kernel), Err(expected));
        }
        for scheme in [Scheme::Two { positive: 0 }, THREE] {
            let held = Labelled::new(&rows, &classes, scheme).unwrap();
            let expected = TrainError::OtherClasses { found: scheme, expected: TWO };
            assert_eq!(run(&held, kernel), Err(expected));
        }
        let none = dense(&[], 2);
        let held = Labelled::new(&none, &[], TWO).unwrap();
        assert_eq!(run(&held, kernel), Err(TrainError::NothingHeldOut));
    }
}

fn one_pass() -> Options {
    Options { epochs: 1, order: rosenblatt_core::schedule::Order::Given, ..Options::default() }
}

/// A batch with other classes is rejected, and the stream is unchanged.
#[test]
fn batches_of_a_stream_are_of_its_classes() {
    let rows = rows();
    let mut stream = Stream::new(&one_pass(), TWO).unwrap();
    let _ = stream.learn(&Labelled::new(&rows, &[0, 1, 1], TWO).unwrap(), &mut ()).unwrap();
    let before = stream.state();
    let other = Labelled::new(&rows, &[0, 1, 2], THREE).unwrap();
    let expected = TrainError::OtherClasses { found: THREE, expected: TWO };
    assert_eq!(stream.learn(&other, &mut ()).map(drop), Err(expected));
    let narrow = dense(&[1.0, 2.0], 1);
    let narrow = Labelled::new(&narrow, &[0, 1], TWO).unwrap();
    let expected = TrainError::OtherFeatures { found: 1, expected: 2 };
    assert_eq!(stream.learn(&narrow, &mut ()).map(drop), Err(expected));
    assert_eq!(stream.state(), before);
    // A sparse batch states its features.
    let sparse = Rows::sparse(vec![0, 1], vec![0], vec![1.0], 1).unwrap();
    let sparse = Labelled::new(&sparse, &[1], TWO).unwrap();
    assert!(stream.learn(&sparse, &mut ()).is_ok());
}

/// Sparse rows can be widened, and narrowed if nothing is cut off; dense rows have a value for every feature.
#[test]
fn rows_can_be_given_more_features() {
    let sparse = Rows::sparse(vec![0, 1, 2], vec![0, 2], vec![1.0, 2.0], 4).unwrap();
    assert_eq!(sparse.clone().with_features(9).unwrap().features(), 9);
    assert_eq!(sparse.clone().with_features(3).unwrap().features(), 3);
    let cut = sparse.with_features(2).map(drop);
    assert!(matches!(cut, Err(RowsError::Sparse { row: 1, .. })), "{cut:?}");
    assert_eq!(rows().with_features(2).unwrap().features(), 2);
    for expected in [1, 3] {
        let refused = rows().with_features(expected).map(drop);
        assert_eq!(refused, Err(RowsError::Features { found: 2, expected }));
    }
}

//! Signed distances, against numbers by hand and rational arithmetic.

use num_rational::BigRational;
use num_traits::{Signed, Zero};
use proptest::prelude::*;
use rosenblatt_core::{
    data::{Labelled, Rows, Scale, Scheme, ZeroScore},
    hyperplane::Hyperplane,
    model::{Classifier, Model, ModelParts},
    signed_distance::DistanceError,
    train::Bias,
    transforms::{Normalise, Preparation, PrepareOptions, Weighting},
};

use crate::common::{cases, parts, rational};

fn plane(weights: &[f64], bias: f64) -> Hyperplane {
    Hyperplane { weights: weights.to_vec(), bias }
}

/// A linear model of rows that are prepared as `options` say, by the statistics of `rows`.
fn prepared(planes: Vec<Hyperplane>, options: PrepareOptions, rows: &Rows<'_>) -> Model {
    let scheme = match planes.len() {
        1 => Scheme::Two { positive: 1 },
        classes => Scheme::OneVsRest { classes },
    };
    let labelled = Labelled::new(rows, &[0, 1], scheme).unwrap();
    let (preparation, _) = Preparation::fit(options, rows, None, Bias::Unit, usize::MAX).unwrap();
    let parts = parts(Classifier::Linear(planes), &labelled, ZeroScore::Positive);
    Model::new(ModelParts { preparation, ..parts }).unwrap()
}

fn linear(planes: Vec<Hyperplane>) -> Model {
    let features = planes[0].weights.len();
    let rows = Rows::dense(vec![0.0; 2 * features], features).unwrap();
    prepared(planes, PrepareOptions::default(), &rows)
}

fn distances(model: &Model, rows: &[f64]) -> Vec<f64> {
    model.signed_distances(&Rows::dense(rows, model.features()).unwrap()).unwrap()
}

/// w = (3, 2), b = −4 of AND: (0, 0) has the score −4, (1, 1) the score 1, and ‖w‖ = √13.
#[test]
fn the_hyperplane_of_and_by_hand() {
    let model = linear(vec![plane(&[3.0, 2.0], -4.0)]);
    let root = 13.0f64.sqrt();
    assert_eq!(distances(&model, &[0.0, 0.0, 1.0, 1.0]), [-4.0 / root, 1.0 / root]);
    // (2, −1) lies on it.
    assert_eq!(distances(&model, &[2.0, -1.0]), [0.0]);
}

/// Division by 4 and 8 makes 3x/4 + 8y/8 − 1 of the stored rows: (4, 0) has the score 2, and ‖(3/4, 1)‖ = 5/4.
#[test]
fn distances_are_in_the_units_of_the_rows() {
    let rows = Rows::dense(&[4.0, 0.0, 1.0, 8.0], 2).unwrap();
    let scaled = |scale, weighting, normalise| {
        let scale = Some(scale);
        let options = PrepareOptions { scale, weighting, normalise, ..PrepareOptions::default() };
        prepared(vec![plane(&[3.0, 8.0], -1.0)], options, &rows)
    };
    let model = scaled(Scale::Maxabs, Weighting::Count, Normalise::None);
    assert_eq!(distances(&model, &[4.0, 0.0]), [1.6]);
    let refused = |model: Model| model.signed_distances(&rows).unwrap_err();
    let normalised = scaled(Scale::None, Weighting::Count, Normalise::L2);
    let words = |model| match refused(model) {
        DistanceError::Prepared(words) => words.does,
        other => panic!("{other}"),
    };
    assert_eq!(words(normalised), "normalises each row");
    let weighted = scaled(Scale::None, Weighting::Log, Normalise::None);
    assert_eq!(words(weighted), "weights counts");
}

#[test]
fn models_without_one_hyperplane_are_refused() {
    let refused = |planes| linear(planes).signed_distances(&Rows::dense(vec![1.0], 1).unwrap());
    assert_eq!(refused(vec![plane(&[0.0], 1.0)]), Err(DistanceError::NoHyperplane));
    assert_eq!(refused(vec![plane(&[1.0], 0.0); 3]), Err(DistanceError::Classes { classes: 3 }));
    let large = vec![plane(&[f64::MAX, f64::MAX], 0.0)];
    let row = Rows::dense(vec![0.0, 0.0], 2).unwrap();
    assert_eq!(linear(large).signed_distances(&row), Err(DistanceError::Range));
}

proptest! {
    #![proptest_config(cases(200))]

    /// d²·‖w‖² = s², up to the three roundings; d has the sign of s; and the foot x − d·w/‖w‖ lies on the hyperplane.
    #[test]
    fn the_foot_lies_on_the_hyperplane(
        numbers in proptest::collection::vec((-8.0..8.0f64, -9.0..9.0f64), 1..6), bias in -4.0..4.0f64,
    ) {
        let (weights, row): (Vec<f64>, Vec<f64>) = numbers.into_iter().unzip();
        let distance = distances(&linear(vec![plane(&weights, bias)]), &row)[0];
        let score = rational::score(&weights, bias, &row);
        let square: BigRational = weights.iter().map(|&w| rational::exact(w).pow(2)).sum();
        prop_assert_eq!(rational::exact(distance).signum(), score.signum());
        let close = |found: BigRational, expected: BigRational| {
            let tolerance = rational::exact(f64::powi(2.0, -50));
            (&found - &expected).abs() <= tolerance * expected.abs()
        };
        prop_assert!(close(rational::exact(distance).pow(2) * &square, score.pow(2)));
        // The length ‖w‖ is s/d, so the foot is x − (d²/s)·w.
        prop_assume!(!score.is_zero());
        let step = rational::exact(distance).pow(2) / &score;
        let foot = weights.iter().zip(&row).map(|(&w, &x)| rational::exact(w) * (rational::exact(x) - &step * rational::exact(w)));
        let at_foot = foot.fold(rational::exact(bias), |sum, part| sum + part);
        prop_assert!(at_foot.abs() <= score.abs() * rational::exact(f64::powi(2.0, -50)));
    }
}

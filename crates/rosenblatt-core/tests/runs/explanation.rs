//! Explanations, against numbers by hand and rational arithmetic.

use num_rational::BigRational;
use proptest::prelude::*;
use rosenblatt_core::{
    data::{Labelled, Rows, Scale, Scheme, ZeroScore},
    explanation::{ExplainError, Largest},
    hyperplane::Hyperplane,
    model::{Classifier, Model, ModelParts},
    train::Bias,
    transforms::{Normalise, Preparation, PrepareOptions},
};

use crate::common::{cases, parts, rational};

/// A linear model of rows that are prepared as `options` say, by the statistics of `rows`.
fn model(planes: Vec<Hyperplane>, options: PrepareOptions, rows: &Rows<'_>) -> Model {
    let scheme = match planes.len() {
        1 => Scheme::Two { positive: 1 },
        classes => Scheme::OneVsRest { classes },
    };
    let labels: Vec<u32> = (0..rows.len() as u32).map(|i| i % 2).collect();
    let labelled = Labelled::new(rows, &labels, scheme).unwrap();
    let (preparation, _) = Preparation::fit(options, rows, None, Bias::Unit, usize::MAX).unwrap();
    let parts = parts(Classifier::Linear(planes), &labelled, ZeroScore::Positive);
    Model::new(ModelParts { preparation, ..parts }).unwrap()
}

/// The means are 2 and 15 and the deviations 1 and 5, so the first row becomes (−1, −1), and the weights make −3 and 4 of it.
#[test]
fn contributions_by_hand() {
    let rows = Rows::dense(&[1.0, 10.0, 3.0, 20.0], 2).unwrap();
    let plane = Hyperplane { weights: vec![3.0, -4.0], bias: 0.5 };
    let options = PrepareOptions { scale: Some(Scale::Standard), ..PrepareOptions::default() };
    let model = model(vec![plane], options, &rows);
    let explained = model.explain(&rows).unwrap();
    let first = explained.of(0, 0).unwrap();
    assert_eq!((first.score, first.bias), (1.5, 0.5));
    assert_eq!(first.contributions, [(0, -3.0), (1, 4.0)]);
    assert_eq!(first.largest(1), Largest { contributions: vec![(1, 4.0)], others: -3.0, left: 1 });
    assert_eq!(first.largest(2).others, 0.0);
    let second = explained.of(1, 0).unwrap();
    assert_eq!(second.contributions, [(0, 3.0), (1, -4.0)]);
}

#[test]
fn rows_and_models_without_explanations() {
    let rows = Rows::dense(&[1e200, 1.0, 2.0, 1.0], 2).unwrap();
    let plane = Hyperplane { weights: vec![1e200, 1.0], bias: 0.0 };
    let options = PrepareOptions { scale: Some(Scale::None), ..PrepareOptions::default() };
    let model = model(vec![plane], options, &rows);
    let explained = model.explain(&rows).unwrap();
    assert!(explained.of(1, 0).is_ok());
    assert!(
        matches!(explained.of(0, 0), Err(ExplainError::Predict(error)) if error.row() == Some(0))
    );
    let narrow = Rows::dense(&[1.0], 1).unwrap();
    assert!(matches!(model.explain(&narrow), Err(ExplainError::Predict(_))));
}

proptest! {
    #![proptest_config(cases(200))]

    /// The products and the bias add up to the score without any rounding but one; what is not shown is among the others.
    #[test]
    fn contributions_add_up_to_the_score(
        rows in prop::collection::vec(prop::array::uniform4(-9.0f64..9.0), 2..6),
        weights in prop::array::uniform4(-9.0f64..9.0),
        other in prop::array::uniform4(prop_oneof![Just(0.0), -9.0f64..9.0]),
        (bias, most) in (-9.0f64..9.0, 0usize..6),
        scale in prop::sample::select(Scale::ALL.to_vec()),
        normalise in any::<bool>(),
    ) {
        let values: Vec<f64> = rows.iter().flatten().copied().collect();
        let rows = Rows::dense(&values, 4).unwrap();
        let plane = |weights: [f64; 4]| Hyperplane { weights: weights.to_vec(), bias };
        let normalise = if normalise { Normalise::L2 } else { Normalise::None };
        let options = PrepareOptions { scale: Some(scale), normalise, ..PrepareOptions::default() };
        let model = model(vec![plane(weights), plane(other), plane(weights)], options, &rows);
        let explained = model.explain(&rows).unwrap();
        let scores = model.predict_rows(&rows).unwrap().scores;
        let prepared = model.preparation().batch(&rows).unwrap();
        for row in 0..rows.len() {
            for (hyperplane, weights) in [weights, other, weights].iter().enumerate() {
                let explanation = explained.of(row, hyperplane).unwrap();
                prop_assert_eq!(explanation.score, scores[3 * row + hyperplane]);
                let mut exact = rational::exact(bias);
                let mut at = vec![0.0; 4];
                prepared.row(row).for_each(|j, x| {
                    exact += rational::exact(weights[j]) * rational::exact(x);
                    at[j] = weights[j] * x;
                });
                prop_assert_eq!(rational::nearest(&exact), explanation.score);
                let mut found = vec![0.0; 4];
                explanation.contributions.iter().for_each(|&(j, part)| found[j] = part);
                prop_assert_eq!(found, at);
                let Largest { contributions, others, left } = explanation.largest(most);
                prop_assert_eq!(contributions.len() + left, explanation.contributions.len());
                let shown = contributions.iter().map(|&(_, part)| rational::exact(part));
                let sum: BigRational = shown.fold(rational::exact(bias), |sum, part| sum + part);
                prop_assert_eq!(rational::nearest(&(rational::exact(explanation.score) - sum)), others);
                let smallest = contributions.last().map_or(f64::INFINITY, |one| one.1.abs());
                let hidden = explanation.contributions.iter().filter(|one| !contributions.contains(one));
                prop_assert!(hidden.clone().all(|one| one.1.abs() <= smallest));
                if left == 0 {
                    // Each product has been rounded once.
                    let lengths: f64 = explanation.contributions.iter().map(|one| one.1.abs()).sum();
                    prop_assert!(others.abs() <= (lengths + bias.abs()) * f64::EPSILON);
                }
            }
        }
    }
}

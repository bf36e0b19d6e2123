//! How far a row is from another decision, against rational arithmetic.

use num_rational::BigRational;
use num_traits::Signed;
use proptest::prelude::*;
use rosenblatt_core::{
    data::{Labelled, Rows, Scale, Scheme, ZeroScore},
    decision_radius::{ChangeNorm, RadiusError},
    hyperplane::Hyperplane,
    model::{Classifier, Model},
    train::Bias,
    transforms::{Normalise, Preparation, PrepareOptions, Weighting},
};

use crate::common::{cases, draw, model, parts, rational};

fn plane(weights: &[f64], bias: f64) -> Hyperplane {
    Hyperplane { weights: weights.to_vec(), bias }
}

fn scheme(planes: usize) -> Scheme {
    match planes {
        1 => Scheme::Two { positive: 1 },
        classes => Scheme::OneVsRest { classes },
    }
}

/// A linear model without scaling.
fn linear(planes: Vec<Hyperplane>) -> Model {
    let rows =
        Rows::dense(vec![0.0; 2 * planes[0].weights.len()], planes[0].weights.len()).unwrap();
    let labelled = Labelled::new(&rows, &[0, 1], scheme(planes.len())).unwrap();
    model(Classifier::Linear(planes), &labelled, ZeroScore::Positive)
}

fn radii(model: &Model, rows: &[f64], norm: ChangeNorm) -> Vec<f64> {
    let rows = Rows::dense(rows, model.features()).unwrap();
    model.decision_radii(&rows, norm).unwrap()
}

/// 3x + 4y − 5 = 0: (3, 4) has the score 20, so the distances 20/5 and 20/7; the origin 5/5 and 5/7; (1, 1/2) is on it.
#[test]
fn one_hyperplane_by_hand() {
    let model = linear(vec![plane(&[3.0, 4.0], -5.0)]);
    let rows = [3.0, 4.0, 0.0, 0.0, 1.0, 0.5];
    assert_eq!(radii(&model, &rows, ChangeNorm::L2), [4.0, 1.0, 0.0]);
    let down = |a: f64, b: f64| {
        let nearest = a / b;
        let above = rational::exact(nearest) * rational::exact(b) > rational::exact(a);
        if above { nearest.next_down() } else { nearest }
    };
    assert_eq!(radii(&model, &rows, ChangeNorm::Linf), [down(20.0, 7.0), down(5.0, 7.0), 0.0]);
}

/// Weights (1, 0), (−1, 0) and (0, 1): the row (3, 2) is of class 0, at 6/2 from class 1 and (3 − 2)/√2 from class 2; in
/// the maximum norm at 1/2.
#[test]
fn several_classes_by_hand() {
    let planes = vec![plane(&[1.0, 0.0], 0.0), plane(&[-1.0, 0.0], 0.0), plane(&[0.0, 1.0], 0.0)];
    let model = linear(planes);
    assert_eq!(radii(&model, &[3.0, 2.0], ChangeNorm::Linf), [0.5]);
    let found = radii(&model, &[3.0, 2.0], ChangeNorm::L2)[0];
    assert!((0.5f64.sqrt().next_down()..=0.5f64.sqrt()).contains(&found), "{found}");
}

#[test]
fn extremes() {
    let constant = linear(vec![plane(&[0.0], 1.0)]);
    assert_eq!(radii(&constant, &[7.0], ChangeNorm::L2), [f64::INFINITY]);
    // The score 2¹⁰²³·2¹⁰²³ is past the range, the distance is not.
    let large = linear(vec![plane(&[f64::powi(2.0, 1023)], 0.0)]);
    let x = f64::powi(2.0, 1023);
    assert_eq!(radii(&large, &[x, -x], ChangeNorm::L2), [x, x]);
    // The distance 2¹⁰⁷⁴ is past it.
    let small = linear(vec![plane(&[f64::from_bits(1)], 1.0)]);
    assert_eq!(radii(&small, &[0.0], ChangeNorm::Linf), [f64::MAX]);
}

/// Division by 4 and 8 makes 3x/4 + 8y/8 of the stored rows, so (4, 0) is at 3 over √(9/16 + 1) = 5/4. The float 2.4 is below 12/5.
#[test]
fn in_the_units_of_the_rows() {
    let rows = Rows::dense(&[4.0, 0.0, 1.0, 8.0], 2).unwrap();
    let labelled = Labelled::new(&rows, &[0, 1], scheme(1)).unwrap();
    let classifier = Classifier::Linear(vec![plane(&[3.0, 8.0], 0.0)]);
    let prepared = |weighting, scale, normalise| {
        let options = PrepareOptions {
            weighting,
            scale: Some(scale),
            normalise,
            ..PrepareOptions::default()
        };
        let (preparation, _) =
            Preparation::fit(options, &rows, None, Bias::Unit, usize::MAX).unwrap();
        let parts = parts(classifier.clone(), &labelled, ZeroScore::Positive);
        Model::new(rosenblatt_core::model::ModelParts { preparation, ..parts }).unwrap()
    };
    let scaled = |scale, normalise| prepared(Weighting::Count, scale, normalise);
    let exact = scaled(Scale::Maxabs, Normalise::None);
    assert_eq!(radii(&exact, &[4.0, 0.0], ChangeNorm::L2), [2.4]);
    let refused = |model: Model| model.decision_radii(&rows, ChangeNorm::L2).unwrap_err();
    let rounded = refused(scaled(Scale::Standard, Normalise::None));
    assert_eq!(rounded, RadiusError::Rounded { scale: Scale::Standard });
    let normalised = refused(scaled(Scale::Maxabs, Normalise::L2));
    assert!(matches!(normalised, RadiusError::Prepared(words) if words.options == ["normalise"]));
    let weighted = prepared(Weighting::Log, Scale::None, Normalise::None);
    let RadiusError::Prepared(words) = refused(weighted) else { panic!("no radii") };
    assert_eq!(words.options, ["weighting", "document-frequency"]);
}

/// |score| of one hyperplane, or of the difference of two.
fn distance(
    first: &Hyperplane,
    rival: &Hyperplane,
    row: &[f64],
    norm: ChangeNorm,
) -> [BigRational; 2] {
    let score = |plane: &Hyperplane| rational::score(&plane.weights, plane.bias, row);
    let weights = first.weights.iter().zip(&rival.weights);
    let differences = weights.map(|(&a, &b)| rational::exact(a) - rational::exact(b));
    let length = match norm {
        ChangeNorm::L2 => differences.map(|w| &w * &w).sum(),
        ChangeNorm::Linf => differences.map(|w| w.abs()).sum::<BigRational>().pow(2),
    };
    [(score(first) - score(rival)).pow(2), length]
}

proptest! {
    #![proptest_config(cases(400))]

    /// `r²·‖w‖² ≤ s²` for every rival, and `(1 + 2⁻⁵¹)²·r²·‖w‖² ≥ s²` for one.
    #[test]
    fn the_radius_is_the_distance_rounded_down(
        planes in (prop_oneof![Just(1usize), 3..5usize], 1..5usize).prop_flat_map(|(planes, features)| {
            let numbers = draw::kinds().swap_remove((planes + features) % 4);
            proptest::collection::vec(proptest::collection::vec(numbers, features + 1), planes)
        }),
        seed in proptest::collection::vec(-9..9i8, 4),
        halves in any::<bool>(),
    ) {
        let planes: Vec<_> = planes.iter().map(|of| plane(&of[1..], of[0])).collect();
        let unit = if halves { 0.5 } else { 0.1 };
        let row: Vec<f64> = seed[..planes[0].weights.len()].iter().map(|&x| f64::from(x) * unit).collect();
        let model = linear(planes.clone());
        let zero = Hyperplane::zero(row.len());
        for norm in ChangeNorm::ALL {
            let found = radii(&model, &row, norm)[0];
            let class = model.predict(row.as_slice()).unwrap().class();
            let pairs: Vec<_> = match planes.len() {
                1 => vec![distance(&planes[0], &zero, &row, norm)],
                n => (0..n).filter(|&r| r != class).map(|r| distance(&planes[class], &planes[r], &row, norm)).collect(),
            };
            let pairs: Vec<_> = pairs.into_iter().filter(|[_, length]| length.is_positive()).collect();
            if found.is_infinite() {
                prop_assert!(pairs.is_empty());
                continue;
            }
            let square = rational::exact(found).pow(2);
            let above = rational::exact(1.0 + f64::powi(2.0, -51)).pow(2);
            prop_assert!(pairs.iter().all(|[score, length]| &square * length <= *score));
            let is_close = |[score, length]: &[BigRational; 2]| &above * &square * length >= *score;
            prop_assert!(found == f64::MAX || found < 1e-300 || pairs.iter().any(is_close));
        }
    }

    /// A change of the largest kind that the radius allows, against the sign of each weight, does not change the sign of
    /// the exact score.
    #[test]
    fn the_worst_change_within_the_radius_keeps_the_decision(
        weights in proptest::collection::vec(-8.0..8.0f64, 1..5), bias in -4.0..4.0f64, x in -9.0..9.0f64,
    ) {
        let row = vec![x; weights.len()];
        let model = linear(vec![plane(&weights, bias)]);
        let found = radii(&model, &row, ChangeNorm::Linf)[0];
        prop_assume!(found.is_finite());
        let score = rational::score(&weights, bias, &row);
        let worst = weights.iter().fold(score.clone(), |sum, &w| {
            sum - score.signum() * rational::exact(w).abs() * rational::exact(found)
        });
        prop_assert!(worst.signum() == score.signum() || worst == BigRational::from(num_bigint::BigInt::from(0)));
    }
}

//! The prototype classifier gives each row the class of the nearest mean, and the majority is the largest class.

use crate::common::{cases, layouts, rational};
use num_rational::BigRational;
use num_traits::Zero;
use proptest::{collection::vec, prelude::*};
use rosenblatt_core::{
    data::{Labelled, Scheme, ZeroScore},
    model::Classifier,
    prototype::Baseline,
    space::Hyperplane,
};

/// The mean of the rows of a class.
fn mean(rows: &[Vec<f64>], classes: &[u32], class: u32) -> Vec<BigRational> {
    let own: Vec<&Vec<f64>> = rows
        .iter()
        .zip(classes)
        .filter(|(_, other)| **other == class)
        .map(|(row, _)| row)
        .collect();
    let sum = |j: usize| own.iter().map(|row| rational::exact(row[j])).sum::<BigRational>();
    let size = rational::exact(own.len() as f64);
    (0..rows[0].len()).map(|j| sum(j) / &size).collect()
}

fn squared_distance(row: &[f64], mean: &[BigRational]) -> BigRational {
    let differences = row.iter().zip(mean).map(|(&x, m)| rational::exact(x) - m);
    differences.map(|difference| &difference * &difference).fold(BigRational::zero(), |a, b| a + b)
}

/// Integers, and classes of 1, 2, 4 or 8 rows: means are multiples of 1/8 and nothing is rounded, so ties are exact.
fn table() -> impl Strategy<Value = (Vec<Vec<f64>>, Vec<u32>, usize)> {
    let sizes = vec(0u32..=3, 2..=3);
    (sizes, 1usize..=4, any::<u64>()).prop_flat_map(|(sizes, features, shuffle)| {
        let count = sizes.len();
        let mut classes: Vec<u32> = Vec::new();
        for (class, size) in (0..).zip(sizes) {
            classes.extend(std::iter::repeat_n(class, 1 << size));
        }
        let turn = shuffle as usize % classes.len();
        classes.rotate_left(turn);
        let rows = vec(vec((-4i8..=4).prop_map(f64::from), features), classes.len());
        (rows, Just(classes), Just(count))
    })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn the_nearest_mean_decides((rows, classes, count) in table(), positive in 0usize..2) {
        let scheme = match count {
            2 => Scheme::Two { positive },
            classes => Scheme::OneVsRest { classes },
        };
        for (layout, data) in layouts::all(&rows) {
            let labelled = Labelled::new(&data, &classes, scheme).unwrap();
            let zero = Classifier::Linear(vec![Hyperplane::zero(rows[0].len()); scheme.hyperplanes()]);
            let model = crate::common::model(zero, &labelled, ZeroScore::Positive);
            let found = model.predict_baseline(&data).unwrap();
            for (row, found) in rows.iter().zip(found) {
                let distance = |class: usize| squared_distance(row, &mean(&rows, &classes, class as u32));
                let distances: Vec<BigRational> = (0..count).map(distance).collect();
                let nearest = distances.iter().min().unwrap();
                let tie = distances.iter().filter(|&other| other == nearest).count() > 1;
                let first = distances.iter().position(|other| other == nearest).unwrap();
                // With two classes a score of 0 predicts the positive one; with more, the first class wins.
                let expected = if count == 2 && tie { positive } else { first };
                prop_assert_eq!(found as usize, expected, "{}", layout);
            }
        }
    }

    #[test]
    fn the_majority_is_the_first_of_the_largest((rows, classes, count) in table()) {
        let scheme = Scheme::OneVsRest { classes: count };
        let data = &layouts::all(&rows)[0].1;
        let baseline = Baseline::of(&Labelled::new(data, &classes, scheme).unwrap());
        let size = |class: usize| classes.iter().filter(|&&other| other as usize == class).count();
        let sizes: Vec<usize> = (0..count).map(size).collect();
        let most = sizes.iter().max().unwrap();
        prop_assert_eq!(baseline.majority(), sizes.iter().position(|size| size == most).unwrap());
        prop_assert_eq!(baseline.class_sizes, sizes);
    }
}

//! Means of weights and worst examples, compared with exact arithmetic.

use std::cmp::Ordering;

use crate::common::{cases, draw, rational};
use num_rational::BigRational;
use proptest::{collection::vec, prelude::*, strategy::Union};
use rosenblatt_core::{
    data::{Labelled, Rows, Scheme, Sign},
    hyperplane::Hyperplane,
    mixing::{MixError, mix, worst},
    schedule::{Init, Order},
    train::{Options, Stream},
};

fn number() -> impl Strategy<Value = f64> {
    Union::new(draw::kinds())
}

fn plane(numbers: &[f64]) -> Hyperplane {
    let (bias, weights) = numbers.split_last().unwrap();
    Hyperplane { weights: weights.to_vec(), bias: *bias }
}

fn mean(numbers: &[f64], shares: &[u64]) -> f64 {
    let exact = |share: &u64| rational::exact(*share as f64);
    let terms = numbers.iter().zip(shares);
    let sum: BigRational = terms.map(|(&a, share)| rational::exact(a) * exact(share)).sum();
    let shares: BigRational = shares.iter().map(exact).sum();
    rational::nearest(&(sum / shares)) + 0.0
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_mean_is_the_real_number_rounded_once(
        all in vec((vec(number(), 3), 0u64..1000), 1..6),
        huge in 0u64..1 << 50,
    ) {
        let mut shares: Vec<u64> = all.iter().map(|(_, share)| *share).collect();
        shares[0] += huge;
        prop_assume!(shares.iter().sum::<u64>() > 0);
        let mut planes: Vec<Hyperplane> = all.iter().map(|(numbers, _)| plane(numbers)).collect();
        let mixed = mix(&planes, &shares).unwrap();
        for feature in 0..3 {
            let column: Vec<f64> = all.iter().map(|(numbers, _)| numbers[feature]).collect();
            let found = mixed.weights.iter().chain([&mixed.bias]).nth(feature).unwrap();
            prop_assert_eq!(found.to_bits(), mean(&column, &shares).to_bits());
        }
        planes.reverse();
        shares.reverse();
        prop_assert_eq!(mix(&planes, &shares).unwrap(), mixed);
    }

    #[test]
    fn the_worst_examples_are_those_of_a_sorted_list(
        table in draw::any_table(),
        numbers in vec(number(), 8),
        count in 0usize..12,
    ) {
        let features = table.rows[0].len();
        prop_assume!(features < numbers.len());
        let plane = Hyperplane { weights: numbers[1..=features].to_vec(), bias: numbers[0] };
        let matrix = table.matrix();
        let found = worst(&plane, &table.examples(&matrix), count).unwrap();
        let margin = |row: &Vec<f64>, sign: Sign| {
            let score = rational::score(&plane.weights, plane.bias, row);
            rational::nearest(&if sign == Sign::Plus { score } else { -score }) + 0.0
        };
        let mut all: Vec<(usize, f64)> = (0..table.rows.len())
            .map(|at| (at, margin(&table.rows[at], table.signs[at])))
            .collect();
        let order = |a: &(usize, f64), b: &(usize, f64)| -> Ordering { a.1.total_cmp(&b.1) };
        all.sort_by(order);
        all.truncate(count);
        prop_assert_eq!(found, all);
    }

    /// The mean of equal weights is these weights, so equal shards make the run of one machine.
    #[test]
    fn equal_shards_are_one_machine(rows in vec(vec((-4i8..=4).prop_map(f64::from), 2), 2..9), shards in 1usize..5) {
        let rows_of = |rows: &[Vec<f64>]| Rows::dense(rows.concat(), 2).unwrap();
        let classes: Vec<u32> = rows.iter().map(|row| u32::from(row[0] + row[1] > 0.0)).collect();
        let matrix = rows_of(&rows);
        let scheme = Scheme::Two { positive: 1 };
        let labelled = Labelled::new(&matrix, &classes, scheme).unwrap();
        let one = Options { epochs: 1, order: Order::Given, ..Options::default() };
        let mut start = Hyperplane::zero(2);
        let mut alone = start.clone();
        for _ in 0..4 {
            let pass = |start: &Hyperplane| {
                let init = Init::Given(vec![start.clone()].into());
                let mut stream = Stream::new(&Options { init, ..one.clone() }, scheme).unwrap();
                let _ = stream.learn(&labelled, &mut ()).unwrap();
                stream.last().remove(0)
            };
            let last: Vec<Hyperplane> = (0..shards).map(|_| pass(&start)).collect();
            start = mix(&last, &vec![1; shards]).unwrap();
            alone = pass(&alone);
            prop_assert_eq!(&start, &alone);
        }
    }
}

#[test]
fn weights_that_cannot_be_mixed_are_errors() {
    let planes = [Hyperplane::zero(2), Hyperplane::zero(3)];
    let features = MixError::Features { number: 1, found: 3, expected: 2 };
    assert_eq!(mix(&planes, &[1, 1]), Err(features));
    assert_eq!(mix(&planes, &[1]), Err(MixError::Shares { hyperplanes: 2, shares: 1 }));
    assert_eq!(mix(&planes[..1], &[0]), Err(MixError::Sum { sum: 0 }));
    assert_eq!(mix(&planes[..1], &[u64::MAX]), Err(MixError::Sum { sum: u64::MAX.into() }));
    assert_eq!(mix(&[], &[]), Err(MixError::Sum { sum: 0 }));
    let bad = [Hyperplane { weights: vec![f64::NAN], bias: 0.0 }];
    assert_eq!(mix(&bad, &[1]), Err(MixError::NotFinite { number: 0 }));
}

//! Scores, their signs and norms are exact for all numbers and layouts. Every result is compared with rational
//! arithmetic.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

#[allow(dead_code)] // each of the test programs that share it uses a part
#[path = "../../rosenblatt-core/tests/runs/common/mod.rs"]
mod common;

use common::{cases, draw, layouts, rational};
use proptest::{collection::vec, prelude::*, strategy::Union};
use rosenblatt_core::{
    data::{Row, Rows, Values},
    radius::{Radius, radius},
};
use rosenblatt_exact as exact;

/// A score to compute: weights, bias and a row of the same length.
#[derive(Clone, Debug)]
struct Problem {
    weights: Vec<f64>,
    bias: f64,
    row: Vec<f64>,
}

/// Weights of one kind and values of another, up to 40 of each: several times the lanes of the fast score, with a
/// remainder.
fn problem() -> impl Strategy<Value = Problem> {
    let kinds = || Union::new(draw::kinds().into_iter().map(|numbers| vec(numbers, 40).boxed()));
    let bias = Union::new(draw::kinds());
    (kinds(), kinds(), bias, 0usize..=40).prop_map(|(mut weights, mut row, bias, length)| {
        weights.truncate(length);
        row.truncate(length);
        Problem { weights, bias, row }
    })
}

/// Appends a term that cancels the rounded score, `times` times. After the first, the score is its rounding error,
/// about 2⁻⁵³ of its terms; after the second 2⁻¹⁰⁶, and finally 0. Half of the terms have value 1 and half weight 1, so
/// that both get long numbers.
fn cancelled(mut problem: Problem, times: usize) -> Problem {
    for time in 0..times {
        let Problem { weights, bias, row } = &mut problem;
        let rounded = rational::nearest(&rational::score(weights, *bias, row));
        if !rounded.is_finite() {
            break;
        }
        let (weight, x) = if time % 2 == 0 { (-rounded, 1.0) } else { (1.0, -rounded) };
        weights.push(weight);
        row.push(x);
    }
    problem
}

/// The numbers in another order: floating-point sums change, the exact score does not.
fn rotated(mut problem: Problem, by: usize) -> Problem {
    let by = by % problem.row.len().max(1);
    problem.weights.rotate_left(by);
    problem.row.rotate_left(by);
    problem
}

fn check(problem: &Problem, row: Row<'_>, layout: &str) -> Result<(), TestCaseError> {
    let Problem { weights, bias, row: values } = problem;
    let truth = rational::score(weights, *bias, values);
    prop_assert_eq!(exact::score_sign(weights, *bias, row), rational::sign(&truth), "{}", layout);
    let (score, nearest) = (exact::score(weights, *bias, row), rational::nearest(&truth));
    prop_assert_eq!(
        score.to_bits(),
        nearest.to_bits(),
        "{}: {:e} for {:e}",
        layout,
        score,
        nearest
    );
    Ok(())
}

fn check_all_layouts(problem: &Problem) -> Result<(), TestCaseError> {
    if problem.row.is_empty() {
        return check(problem, Row::dense(Values::F64(&[])), "empty");
    }
    for (layout, rows) in layouts::all(std::slice::from_ref(&problem.row)) {
        check(problem, rows.row(0), layout)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn scores_of_any_numbers(problem in problem()) {
        check_all_layouts(&problem)?;
    }

    #[test]
    fn scores_that_nearly_cancel(problem in problem(), times in 1usize..=4, by in 0usize..50) {
        check_all_layouts(&rotated(cancelled(problem, times), by))?;
    }

    #[test]
    fn scores_of_single_precision_that_cancel(
        weights in vec(draw::ordinary(), 1..=20),
        row in vec(-8i8..=8, 20),
        times in 1usize..=3,
    ) {
        let row: Vec<f64> = row[..weights.len()].iter().map(|&x| f64::from(x) / 8.0).collect();
        // Every cancelling term has the value 1, so that single precision still holds the row.
        let mut problem = Problem { weights, bias: 0.0, row };
        for _ in 0..times {
            let score = rational::score(&problem.weights, problem.bias, &problem.row);
            problem.weights.push(-rational::nearest(&score));
            problem.row.push(1.0);
        }
        prop_assert_eq!(layouts::all(std::slice::from_ref(&problem.row)).len(), 5);
        check_all_layouts(&problem)?;
    }

    #[test]
    fn the_squared_norm_is_rounded_once(numbers in any_numbers()) {
        let squared = exact::squared_norm(numbers.iter().copied());
        let nearest = rational::nearest(&rational::sum_of_squares(&numbers));
        prop_assert_eq!(squared.to_bits(), nearest.to_bits());
    }

    #[test]
    fn the_norm_is_rounded_once(numbers in any_numbers()) {
        check_norm(exact::norm(numbers.iter().copied()), &numbers)?;
    }

    /// The norms of rows are those of their numbers, in all layouts.
    #[test]
    fn norms_of_rows_are_rounded_once(numbers in any_numbers(), extra in Union::new(draw::kinds())) {
        check_row_norms(&numbers, extra)?;
    }

    /// Norms next to the middle between two floats r and r⁺: the numbers are r and a few whose squares sum to about r(r⁺ − r).
    #[test]
    fn norms_near_a_middle_are_rounded_once(
        root in prop_oneof![0.5..4.0f64, 1e-140..1e-130f64, 1e130..1e140f64],
        parts in vec(0.0..1.0f64, 1..=12),
        places in -3i64..=3,
    ) {
        let gap = root * (root.next_up() - root);
        let whole: f64 = parts.iter().map(|part| part * part).sum();
        let mut numbers: Vec<f64> = parts.iter().map(|part| part * (gap / whole).sqrt()).collect();
        let last = numbers.last_mut().unwrap();
        *last = f64::from_bits(last.to_bits().saturating_add_signed(places));
        numbers.push(root);
        check_row_norms(&numbers, 0.0)?;
    }

    #[test]
    fn the_radius_is_the_largest_norm(table in draw::any_table()) {
        check_radius(&table.rows)?;
    }

    /// Rows that differ only in last places: rounding decides which is the longest.
    #[test]
    fn the_radius_of_rows_of_nearly_one_length(
        row in vec(draw::ordinary(), 1..=6),
        places in vec(vec(0u64..4, 6), 2..=8),
    ) {
        let moved = |(x, places): (&f64, &u64)| f64::from_bits(x.to_bits() + places);
        let rows: Vec<Vec<f64>> =
            places.iter().map(|places| row.iter().zip(places).map(moved).collect()).collect();
        check_radius(&rows)?;
    }
}

fn check_row_norms(numbers: &[f64], extra: f64) -> Result<(), TestCaseError> {
    let all = || numbers.iter().copied();
    let with_extra = rational::sum_of_squares(numbers) + rational::exact(extra);
    let doubled = &with_extra + &with_extra;
    let [once, twice] = [with_extra, doubled].map(|sum| rational::nearest(&sum));
    for (layout, rows) in layouts::all(&[numbers.to_vec()]) {
        let row = rows.row(0);
        prop_assert_eq!(exact::row_norm(row).to_bits(), exact::norm(all()).to_bits(), "{}", layout);
        let [found, pair] =
            [exact::squared_row_norm(row, extra), exact::squared_norm_of_pair(row, extra)];
        prop_assert_eq!(found.to_bits(), once.to_bits(), "{}", layout);
        prop_assert_eq!(pair.to_bits(), twice.to_bits(), "{}", layout);
    }
    Ok(())
}

fn check_radius(rows: &[Vec<f64>]) -> Result<(), TestCaseError> {
    let norms = rows.iter().map(|row| exact::norm(row.iter().copied()));
    let longest = norms.fold(0.0, f64::max);
    let squares = rows.iter().map(|row| exact::squared_norm(row.iter().copied()));
    let square = squares.fold(0.0, f64::max);
    for (layout, rows) in layouts::all(rows) {
        let radius = radius(&rows);
        prop_assert_eq!(radius.length.to_bits(), longest.to_bits(), "{}", layout);
        prop_assert_eq!(radius.square.to_bits(), square.to_bits(), "{}", layout);
    }
    Ok(())
}

fn any_numbers() -> impl Strategy<Value = Vec<f64>> {
    Union::new(draw::kinds().into_iter().map(|numbers| vec(numbers, 0..=20).boxed()))
}

/// With l and h the middles between the norm and its neighbours, l² ≤ Σ aⱼ² ≤ h².
fn check_norm(norm: f64, numbers: &[f64]) -> Result<(), TestCaseError> {
    let square = rational::sum_of_squares(numbers);
    if norm.is_infinite() {
        prop_assert!(square >= rational::power_of_two(2047));
        return Ok(());
    }
    let middle =
        |other: f64| (rational::exact(norm) + rational::exact(other)) * rational::exact(0.5);
    let (low, high) = (middle(norm.next_down()), middle(norm.next_up()));
    prop_assert!(&high * &high >= square, "{:e} is too small", norm);
    prop_assert!(low < rational::exact(0.0) || &low * &low <= square, "{:e} is too large", norm);
    Ok(())
}

#[test]
fn the_radius_of_no_rows_is_zero() {
    assert_eq!(radius(&Rows::dense(Vec::<f64>::new(), 3).unwrap()), Radius::default());
}

/// Checks the comparison itself: roundings known from the standard.
#[test]
fn rounding_by_hand() {
    let half = |exponent| rational::power_of_two(exponent - 1);
    for a in [0.0, 1.0, -1.5, 0.1, f64::MAX, f64::MIN_POSITIVE, -f64::from_bits(1), 1e-310] {
        assert_eq!(rational::nearest(&rational::exact(a)).to_bits(), a.to_bits());
    }
    // Ties: between 1 and its neighbor, between the neighbors after that, and just past a tie.
    let one = rational::exact(1.0);
    assert_eq!(rational::nearest(&(&one + half(-52))), 1.0);
    assert_eq!(rational::nearest(&(&one + half(-51) + half(-52))), 1.0 + 2.0 * f64::EPSILON);
    assert_eq!(rational::nearest(&(&one + half(-52) + half(-3000))), 1.0 + f64::EPSILON);
    // A carry into the next power of two.
    assert_eq!(rational::nearest(&(rational::exact(2.0) - half(-53))), 2.0);
    // The two ends of the range.
    assert_eq!(rational::nearest(&half(-1074)), 0.0);
    assert_eq!(rational::nearest(&-half(-1074)).to_bits(), (-0.0f64).to_bits());
    assert_eq!(rational::nearest(&(half(-1074) + half(-1075))), f64::from_bits(1));
    assert_eq!(
        rational::nearest(&(rational::power_of_two(-1022) - half(-1074))),
        f64::MIN_POSITIVE
    );
    assert_eq!(rational::nearest(&(rational::exact(f64::MAX) + half(971))), f64::INFINITY);
    assert_eq!(rational::nearest(&(rational::exact(f64::MAX) + half(971) - half(-1))), f64::MAX);
    assert_eq!(rational::nearest(&-rational::power_of_two(1500)), f64::NEG_INFINITY);
}

/// A root is correctly rounded when it lies within half a place of the number: with the middles
/// l and h to its neighbours, l² ≤ Σ aⱼ² ≤ h².
#[test]
fn norms_are_correctly_rounded() {
    for numbers in [[0.1, 0.1], [0.1, 0.2], [0.1, 1.2], [0.3, 0.4]] {
        let norm = exact::norm(numbers);
        let half = rational::unit_in_the_last_place(norm) * rational::exact(0.5);
        let (low, high) = (rational::exact(norm) - &half, rational::exact(norm) + half);
        let square = rational::sum_of_squares(&numbers);
        assert!(&low * &low <= square && square <= &high * &high, "{norm} for {numbers:?}");
    }
}

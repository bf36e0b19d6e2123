//! Bounds on the least errors hold, have proofs, and are often equal.

use crate::{
    common::draw::{self, Table},
    separation::{random_table, table},
};
use proptest::prelude::*;
use rosenblatt_core::data::Examples;
use rosenblatt_proofs::{
    CertificateError, Ended, ErrorBounds, LEAST_ERRORS_WORK, LeastErrors, LeastErrorsCertificate,
    LeastErrorsError, SeparabilityOptions, least_errors, separable, verify_least_errors,
};

fn options(with_bias: bool) -> SeparabilityOptions {
    SeparabilityOptions { with_bias, work: LEAST_ERRORS_WORK, ..SeparabilityOptions::default() }
}

fn ask(examples: &Examples<'_>, with_bias: bool) -> LeastErrors {
    least_errors(examples, &options(with_bias), &mut || false)
}

/// Whether a hyperplane separates these rows of a table.
fn is_separable(all: &Table, kept: u32, with_bias: bool) -> bool {
    let chosen = |i: &usize| kept >> i & 1 == 1;
    let places: Vec<usize> = (0..all.rows.len()).filter(chosen).collect();
    if places.is_empty() {
        return true;
    }
    let rows = places.iter().map(|&i| all.rows[i].clone()).collect();
    let signs = places.iter().map(|&i| all.signs[i]).collect();
    let part = Table { rows, signs };
    let matrix = part.matrix();
    let answer = separable(&part.examples(&matrix), &options(with_bias), &mut || false);
    answer.is_separable().unwrap()
}

/// The least number of rows without which a hyperplane separates the others: every subset is tried.
fn truth(all: &Table, with_bias: bool) -> usize {
    let n = all.rows.len() as u32;
    let of_size = |size: u32| (0u32..1 << n).filter(move |left_out| left_out.count_ones() == size);
    let full = (1u32 << n) - 1;
    let works = |size: &u32| of_size(*size).any(|out| is_separable(all, full & !out, with_bias));
    (0..=n).find(works).unwrap() as usize
}

/// 1,200 sets, with and without a bias: the least errors lie between the bounds, which are nearly always equal. Whether
/// there are any is always known.
#[test]
fn bounds_hold_the_truth() {
    let (mut closed, mut best, mut seen) = (0, 0, [0; 4]);
    for seed in 0..1200 {
        let table = random_table(seed, 3 + seed as usize % 6);
        let matrix = table.matrix();
        let examples = table.examples(&matrix);
        let with_bias = seed % 3 != 0;
        let found = ask(&examples, with_bias);
        let (ErrorBounds { lower, upper }, truth) = (found.bounds(), truth(&table, with_bias));
        assert_eq!(verify_least_errors(&found.certificate, &examples), Ok(()));
        assert!(lower <= truth && truth <= upper, "{seed}: {truth} {found:?}");
        assert_eq!((upper == 0, lower == 0), (truth == 0, truth == 0), "{seed}: {found:?}");
        best += usize::from(upper == truth);
        closed += usize::from(lower == upper);
        seen[truth.min(3)] += 1;
    }
    assert!(best >= 1190 && closed >= 1150, "{best} {closed}");
    assert!(seen.iter().all(|&count| count >= 5), "{seen:?}");
}

proptest! {
    /// Numbers of every size have bounds with a proof. The lower one is 0 only for separable examples.
    #[test]
    fn any_small_set_has_bounds(table in draw::any_table(), with_bias: bool) {
        let matrix = table.matrix();
        let examples = table.examples(&matrix);
        let found = ask(&examples, with_bias);
        prop_assert_eq!(verify_least_errors(&found.certificate, &examples), Ok(()));
        prop_assert!(found.bounds().lower <= found.bounds().upper);
        let verdict = separable(&examples, &options(with_bias), &mut || false);
        prop_assert_eq!(verdict.is_separable(), Some(found.bounds().lower == 0));
    }
}

const XOR: [&[f64]; 4] = [&[0.0, 0.0], &[0.0, 1.0], &[1.0, 0.0], &[1.0, 1.0]];

/// Three copies of XOR: each copy has one error at least, and (1, 1) with the bias −1/2 has one in each.
#[test]
fn copies_of_xor() {
    let rows: Vec<&[f64]> = XOR.iter().copied().cycle().take(12).collect();
    let table = table(&rows, "-++--++--++-");
    let matrix = table.matrix();
    let found = ask(&table.examples(&matrix), true);
    assert_eq!(found.bounds(), ErrorBounds { lower: 3, upper: 3 });
    assert_eq!(found.ended, None);
}

/// Without a bias, a row of zeros is an error of every hyperplane, whatever its class.
#[test]
fn a_row_of_zeros() {
    let table = table(&[&[0.0], &[1.0]], "++");
    let matrix = table.matrix();
    let examples = table.examples(&matrix);
    assert_eq!(ask(&examples, false).bounds(), ErrorBounds { lower: 1, upper: 1 });
    assert_eq!(ask(&examples, true).bounds(), ErrorBounds { lower: 0, upper: 0 });
    // Each row of zeros is an error of its own, also of two with opposite signs.
    let table = self::table(&[&[0.0], &[0.0], &[0.0], &[1.0]], "+-++");
    let matrix = table.matrix();
    let examples = table.examples(&matrix);
    assert_eq!(ask(&examples, false).bounds(), ErrorBounds { lower: 3, upper: 3 });
    assert_eq!(ask(&examples, true).bounds(), ErrorBounds { lower: 1, upper: 1 });
}

/// A search without time proves what it can, and says why it ended.
#[test]
fn without_time() {
    let table = table(&XOR, "-++-");
    let matrix = table.matrix();
    let examples = table.examples(&matrix);
    let found = least_errors(&examples, &options(true), &mut || true);
    assert_eq!(found.ended, Some(Ended::Stopped));
    assert_eq!(verify_least_errors(&found.certificate, &examples), Ok(()));
    assert_eq!(found.bounds().lower, 0);
}

/// The checker names what is wrong.
#[test]
fn what_is_no_proof() {
    let rows: Vec<&[f64]> = XOR.iter().copied().cycle().take(8).collect();
    let table = table(&rows, "-++--++-");
    let matrix = table.matrix();
    let examples = table.examples(&matrix);
    let good = ask(&examples, true).certificate;
    let refused = |change: &dyn Fn(&mut LeastErrorsCertificate)| {
        let mut changed = good.clone();
        change(&mut changed);
        verify_least_errors(&changed, &examples).unwrap_err()
    };
    assert_eq!(refused(&|c| c.version = 2), LeastErrorsError::Version { found: 2 });
    assert_eq!(
        refused(&|c| c.least_errors.upper = 1),
        LeastErrorsError::Upper { found: 2, claimed: 1 }
    );
    assert_eq!(
        refused(&|c| c.least_errors.lower = 3),
        LeastErrorsError::Lower { found: 2, claimed: 3 }
    );
    let shared = refused(&|c| c.conflicts[1] = c.conflicts[0].clone());
    assert!(matches!(shared, LeastErrorsError::Shared { .. }), "{shared}");
    let error = CertificateError::NotZero { feature: Some(2) };
    let place = 1;
    let changed = refused(&|c| {
        c.conflicts[0].rows = vec![1, 2, 3, 4];
        c.conflicts[0].multipliers = ["1", "2", "1", "1"].map(str::to_owned).to_vec();
    });
    assert_eq!(changed, LeastErrorsError::Conflict { place, error });
    let error = CertificateError::Features { found: 0, expected: 2 };
    assert_eq!(refused(&|c| c.weights.clear()), LeastErrorsError::Weights(error));
    let nan = refused(&|c| c.bias = f64::NAN);
    assert_eq!(nan, LeastErrorsError::Weights(CertificateError::NotFinite));
    let bias = good.bias;
    assert_eq!(
        refused(&|c| c.with_bias = false),
        LeastErrorsError::Weights(CertificateError::Bias { bias })
    );
    assert_eq!(good.answers(false), Err(LeastErrorsError::OtherQuestion));
}

//! A certificate needs no checksum: with any bit flipped it is refused, or it is still a proof.
#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that panics has failed

use rosenblatt_core::data::{Examples, Rows, Sign};
use rosenblatt_proofs::{Certificate, SeparabilityOptions, Verdict, separable, verify};

/// What became of the certificates with one flipped bit.
#[derive(Debug, Default)]
struct Counts {
    refused: usize,
    proofs: usize,
}

/// Flips every bit of the certificate of these points on a line; `is_proof` decides anew, without the checker.
fn flip(points: &[f64], signs: &[Sign], is_proof: impl Fn(&Certificate) -> bool) -> Counts {
    let rows = Rows::dense(points.to_vec(), 1).unwrap();
    let examples = Examples::new(&rows, signs).unwrap();
    let verdict = separable(&examples, &SeparabilityOptions::default(), &mut || false);
    let (Verdict::Yes { .. } | Verdict::No { .. }) = &verdict else { panic!("{verdict:?}") };
    let certificate = verdict.certificate().unwrap();
    assert!(is_proof(certificate) && verify(certificate, &examples).is_ok());
    let bytes = serde_json::to_vec(certificate).unwrap();
    let mut counts = Counts::default();
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        match serde_json::from_slice::<Certificate>(&flipped) {
            Ok(flipped) if verify(&flipped, &examples).is_ok() => {
                assert!(is_proof(&flipped), "bit {bit}: {flipped:?}");
                counts.proofs += 1;
            }
            _ => counts.refused += 1,
        }
    }
    counts
}

/// Negative at 0, positive at 1: b < 0 < w + b, and the sign of a rounded sum of two numbers is exact.
#[test]
fn a_separator_with_a_flipped_bit_separates_or_is_refused() {
    let counts = flip(&[0.0, 1.0], &[Sign::Minus, Sign::Plus], |certificate| {
        let Certificate::Yes { weights, bias, .. } = certificate else { return false };
        *bias < 0.0 && weights[0] + bias > 0.0
    });
    assert!(counts.proofs > 0 && counts.refused > 8 * counts.proofs, "{counts:?}");
}

/// Negative at 0 and 2, positive at 1: multipliers with the sum λ₂ − λ₁ − λ₃ = 0 and λ₂·1 − λ₃·2 = 0.
#[test]
fn multipliers_with_a_flipped_bit_still_prove_it_or_are_refused() {
    let signs = [Sign::Minus, Sign::Plus, Sign::Minus];
    let counts = flip(&[0.0, 1.0, 2.0], &signs, |certificate| {
        let Certificate::No { rows, multipliers, .. } = certificate else { return false };
        let numbers = multipliers.iter().map(|text| text.parse::<i128>());
        let Ok(numbers) = numbers.collect::<Result<Vec<_>, _>>() else { return false };
        let signed = |(row, number): (&usize, &i128)| {
            let sign = if *row == 2 { 1 } else { -1 };
            (sign * number, sign * number * (*row as i128 - 1))
        };
        let (ones, points): (Vec<i128>, Vec<i128>) = rows.iter().zip(&numbers).map(signed).unzip();
        let is_sum = ones.iter().sum::<i128>() == 0 && points.iter().sum::<i128>() == 0;
        is_sum && numbers.iter().all(|n| *n >= 0) && numbers.iter().any(|n| *n > 0)
    });
    assert!(counts.refused > 0, "{counts:?}");
}

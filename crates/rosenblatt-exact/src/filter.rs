//! Step 1: the plain floating-point score with a proven bound on its error.
//!
//! # The bound
//! Let u = 2⁻⁵³, η = 2⁻¹⁰⁷⁴ (the smallest positive float), n products and m = n + 2 terms:
//! `tⱼ = wⱼxⱼ` and two constants (the bias, and a threshold taken away). With A = Σ|tⱼ|, and as long
//! as nothing overflows:
//!
//! * a computed product is `tⱼ(1+δ) + ε` with |δ| ≤ u, |ε| ≤ η/2 (ε only when it underflows);
//! * an addition is exact or commits a relative error ≤ u, and none when the result is subnormal;
//! * in any order of summation each term passes through at most m − 1 additions.
//!
//! So the computed score ŝ satisfies |ŝ − s| ≤ γA + (1+γ)nη/2 with γ = mu/(1−mu) (Higham, *Accuracy
//! and Stability of Numerical Algorithms*, 2nd ed., sections 3.1 and 4.2; a fused multiply-add only
//! removes roundings). The sum Â of the |computed products| and |constants| obeys the same bound, hence
//! A ≤ (Â + nη)/(1−γ), and
//!
//!   |ŝ − s| ≤ γ/(1−γ)·(Â + nη) + nη.
//!
//! For m ≤ 2³³, γ/(1−γ) = mu/(1−2mu) ≤ 1.000_01·mu, and the term with γη is below η. We return
//! 1.01·m·u·Â + 2mη: its own three roundings (a relative 3u, or an absolute η/2 each where they
//! underflow) are covered by 1.01 against 1.000_01 and by 2mη against nη + η.
//!
//! If anything overflows, Â and the bound are infinite or NaN, and the bound decides nothing.

use crate::{
    Row, Values,
    simd::{Lanes, gathered, products, products_and_sizes},
};

/// A computed score and a bound on its distance from the true one. The bound is infinite or NaN if nothing is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) error: f64,
}

#[inline]
pub(super) fn score(weights: &[f64], constants: [f64; 2], row: Row<'_>) -> Estimate {
    let (sum, magnitude) = match (row.indices(), row.values()) {
        (None, Values::F64(x)) => products_and_sizes(weights, x),
        (None, Values::F32(x)) => products_and_sizes(weights, x),
        (Some(indices), Values::F64(x)) => sparse(weights, indices, x),
        (Some(indices), Values::F32(x)) => sparse(weights, indices, x),
    };
    let [first, second] = constants;
    let magnitude = magnitude + first.abs() + second.abs();
    Estimate { value: sum + first + second, error: error_bound(row.stored() + 2, magnitude) }
}

/// The score from a sum alone. Instead of A = Σ|tⱼ| the bound uses `lengths`, which is at least ‖w‖·‖x‖ up to a
/// relative 10⁻⁶. By Cauchy & Schwarz Σ|wⱼxⱼ| ≤ ‖w‖·‖x‖, and 1.01 against 1.000_01 covers the rest.
#[inline]
pub(super) fn quick_score(
    weights: &[f64],
    constants: [f64; 2],
    row: Row<'_>,
    lengths: f64,
) -> Estimate {
    let sum = match (row.indices(), row.values()) {
        (None, Values::F64(x)) => products(weights, x, &[]),
        (None, Values::F32(x)) => products(weights, x, &[]),
        (Some(indices), Values::F64(x)) => gathered::<Lanes<8, false>, f64>(weights, indices, x),
        (Some(indices), Values::F32(x)) => gathered::<Lanes<8, false>, f32>(weights, indices, x),
    };
    let [first, second] = constants;
    let error = error_bound(row.stored() + 2, quick_magnitude(lengths, constants));
    Estimate { value: sum + first + second, error }
}

/// The value used for A in that bound. Far from the end of the range no partial sum overflows; near it nothing is
/// decided.
#[inline]
pub fn quick_magnitude(lengths: f64, [first, second]: [f64; 2]) -> f64 {
    const LARGEST: f64 = 1e300;
    let magnitude = lengths + first.abs() + second.abs();
    if magnitude < LARGEST { magnitude } else { f64::INFINITY }
}

/// The bound of the module documentation for `terms` terms whose computed magnitudes sum to `magnitude`.
#[inline]
pub fn error_bound(terms: usize, magnitude: f64) -> f64 {
    const MOST_TERMS: u64 = 1 << 33;
    let terms = terms as u64;
    if terms > MOST_TERMS {
        return f64::INFINITY;
    }
    // 2mη by its bits: a product with a subnormal number takes ten times as long as the sum of a short row.
    let underflow = f64::from_bits(2 * terms);
    1.01 * terms as f64 * (f64::EPSILON / 2.0) * magnitude + underflow
}

#[inline]
fn sparse<T: Copy + Into<f64>>(weights: &[f64], indices: &[u32], x: &[T]) -> (f64, f64) {
    let (mut sum, mut magnitude) = (0.0, 0.0);
    for (&j, &x) in indices.iter().zip(x) {
        let product: f64 = weights[j as usize] * x.into();
        sum += product;
        magnitude += product.abs();
    }
    (sum, magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_the_formula() {
        for terms in [1, 2, 3, 57, 1 << 20, (1 << 30) + 1] {
            for magnitude in [0.0, f64::from_bits(3), 1e-300, 1.0, 1e300] {
                let m = terms as f64;
                let formula =
                    1.01 * m * (f64::EPSILON / 2.0) * magnitude + 2.0 * m * f64::from_bits(1);
                assert_eq!(error_bound(terms, magnitude).to_bits(), formula.to_bits());
            }
        }
    }
}

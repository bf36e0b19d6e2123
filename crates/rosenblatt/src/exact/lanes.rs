//! Sums over a dense row with the widest registers that the processor has.
//!
//! In which order terms are added, and whether a product is rounded before it is added, depends on the
//! processor. So these sums are for bounds alone, whose proofs hold for any order and with or without
//! fused multiply-adds ([`filter`](super::filter), [`norm`](super::norm)); no bit of a result is one of theirs.

use crate::data::prefetch;

/// A sum whose partial sums are in lanes.
trait Sums {
    /// What comes out.
    type Total;
    /// Takes in a weight and a value, for a lane.
    fn add<const FUSED: bool>(
        sums: &mut [f64],
        magnitudes: &mut [f64],
        lane: usize,
        w: f64,
        x: f64,
    );
    /// Of the two totals.
    fn total(sum: f64, magnitude: f64) -> Self::Total;
}

/// Σ wⱼxⱼ.
struct Products;
/// Σ wⱼxⱼ and Σ |wⱼxⱼ|.
struct ProductsAndSizes;

impl Sums for Products {
    type Total = f64;

    #[inline(always)]
    fn add<const FUSED: bool>(sums: &mut [f64], _: &mut [f64], lane: usize, w: f64, x: f64) {
        sums[lane] = if FUSED { w.mul_add(x, sums[lane]) } else { sums[lane] + w * x };
    }

    fn total(sum: f64, _: f64) -> f64 {
        sum
    }
}

impl Sums for ProductsAndSizes {
    type Total = (f64, f64);

    #[inline(always)]
    fn add<const FUSED: bool>(sums: &mut [f64], sizes: &mut [f64], lane: usize, w: f64, x: f64) {
        let product = w * x;
        sums[lane] += product;
        sizes[lane] += product.abs();
    }

    fn total(sum: f64, magnitude: f64) -> (f64, f64) {
        (sum, magnitude)
    }
}

/// `Σ wⱼxⱼ`; there are at least as many weights as values. Meanwhile `next` is brought near: nothing, or
/// the values that come next.
#[inline]
pub(super) fn products<W: Value, T: Value>(weights: &[W], x: &[T], next: &[T]) -> f64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the function needs AVX-512F and nothing else, and that was just detected.
        #[allow(unsafe_code)]
        return unsafe { super::wide::products(weights, x, next) };
    }
    widest::<Products, W, T>(weights, x, next)
}

/// `Σ wⱼxⱼ` and `Σ |wⱼxⱼ|` of the computed products.
#[inline]
pub(super) fn products_and_sizes<T: Value>(weights: &[f64], x: &[T]) -> (f64, f64) {
    widest::<ProductsAndSizes, f64, T>(weights, x, &[])
}

/// A stored value.
///
/// # Safety
/// The type is `f32` where `SINGLE`, else `f64`.
#[allow(unsafe_code)] // registers are loaded by this
pub(super) unsafe trait Value: Copy + Into<f64> {
    const SINGLE: bool;
}
// SAFETY: `f32` is single.
#[allow(unsafe_code)]
unsafe impl Value for f32 {
    const SINGLE: bool = true;
}
// SAFETY: `f64` is not.
#[allow(unsafe_code)]
unsafe impl Value for f64 {
    const SINGLE: bool = false;
}

#[inline]
fn widest<S: Sums, W: Value, T: Value>(weights: &[W], x: &[T], next: &[T]) -> S::Total {
    #[cfg(target_arch = "x86_64")]
    {
        /// Rows that are not worth the call.
        const SHORT: usize = 16;
        #[target_feature(enable = "avx512f")]
        fn of_512_bits<S: Sums, W: Value, T: Value>(w: &[W], x: &[T], next: &[T]) -> S::Total {
            in_lanes::<S, W, T, 32, true>(w, x, next)
        }
        #[target_feature(enable = "avx2,fma")]
        fn of_256_bits<S: Sums, W: Value, T: Value>(w: &[W], x: &[T], next: &[T]) -> S::Total {
            in_lanes::<S, W, T, 16, true>(w, x, next)
        }
        if x.len() > SHORT && is_x86_feature_detected!("avx512f") {
            // SAFETY: the function needs AVX-512F and nothing else, and that was just detected.
            #[allow(unsafe_code)]
            return unsafe { of_512_bits::<S, W, T>(weights, x, next) };
        }
        if x.len() > SHORT && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the function needs AVX2 and FMA and nothing else, and both were just detected.
            #[allow(unsafe_code)]
            return unsafe { of_256_bits::<S, W, T>(weights, x, next) };
        }
    }
    in_lanes::<S, W, T, 8, false>(weights, x, next)
}

/// The sums in `LANES` independent parts, so that the additions of one do not wait for those of another.
#[inline(always)]
fn in_lanes<S: Sums, W: Value, T: Value, const LANES: usize, const FUSED: bool>(
    weights: &[W],
    x: &[T],
    next: &[T],
) -> S::Total {
    const REST: usize = 8;
    let (mut sums, mut sizes) = ([0.0; LANES], [0.0; LANES]);
    let (weights, weights_left) = weights[..x.len()].as_chunks::<LANES>();
    let (x, x_left) = x.as_chunks::<LANES>();
    for (chunk, (weights, x)) in weights.iter().zip(x).enumerate() {
        if !next.is_empty() {
            prefetch::some(next, chunk * LANES, LANES);
        }
        for lane in 0..LANES {
            S::add::<FUSED>(&mut sums, &mut sizes, lane, weights[lane].into(), x[lane].into());
        }
    }
    let (weights, weights_left) = weights_left.as_chunks::<REST>();
    let (x, x_left) = x_left.as_chunks::<REST>();
    for (weights, x) in weights.iter().zip(x) {
        for lane in 0..REST {
            S::add::<FUSED>(&mut sums, &mut sizes, lane, weights[lane].into(), x[lane].into());
        }
    }
    for (lane, (&weight, &x)) in weights_left.iter().zip(x_left).enumerate() {
        S::add::<FUSED>(&mut sums, &mut sizes, lane, weight.into(), x.into());
    }
    S::total(total(sums), total(sizes))
}

/// The sum of all lanes, by halves.
#[inline(always)]
fn total<const LANES: usize>(mut lanes: [f64; LANES]) -> f64 {
    let mut half = LANES / 2;
    while half > 0 {
        let (low, high) = lanes.split_at_mut(half);
        low.iter_mut().zip(high).for_each(|(low, high)| *low += *high);
        half /= 2;
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole numbers: every order gives the same, so each term must be there once.
    #[test]
    fn no_term_is_lost_or_counted_twice() {
        for n in 0..200 {
            let weights: Vec<f64> = (0..n + 3).map(|i| f64::from(i % 7) - 3.0).collect();
            let x: Vec<f64> = (0..n).map(|i| f64::from(i * i % 11) - 5.0).collect();
            let short: Vec<f32> = x.iter().map(|&x| x as f32).collect();
            let terms = || weights.iter().zip(&x).map(|(w, x)| w * x);
            let expected = (terms().sum::<f64>(), terms().map(f64::abs).sum::<f64>());
            assert_eq!(products_and_sizes(&weights, &x), expected);
            assert_eq!(products_and_sizes(&weights, &short), expected);
            assert_eq!(
                (products(&weights, &x, &x), products(&weights, &short, &[])),
                (expected.0, expected.0)
            );
            assert_eq!(in_lanes::<Products, f64, f64, 8, false>(&weights, &x, &[]), expected.0);
            assert_eq!(in_lanes::<Products, f64, f64, 16, true>(&weights, &x, &[]), expected.0);
            assert_eq!(in_lanes::<ProductsAndSizes, f64, f64, 32, true>(&weights, &x, &[]), expected);
        }
    }
}

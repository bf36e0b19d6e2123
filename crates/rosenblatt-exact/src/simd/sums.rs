//! Sums over a row.
//!
//! The order in which terms are added, and whether a product is rounded before it is added, depend on the processor. So
//! these sums serve only for bounds, whose proofs hold for any order and with or without fused multiply-adds
//! (`filter.rs`). No bit of a result comes from them.
use super::{Level, Registers, SimdJob, Value, dispatch, prefetch};

/// `Σ wⱼxⱼ`; there are at least as many weights as values. Meanwhile the processor prefetches `next`.
#[inline]
pub fn products<W: Value, T: Value>(weights: &[W], x: &[T], next: &[T]) -> f64 {
    struct Products<'a, W, T>(&'a [W], &'a [T], &'a [T]);
    impl<W: Value, T: Value> SimdJob for Products<'_, W, T> {
        type Outcome = f64;
        #[inline(always)]
        unsafe fn run<R: Registers>(self) -> f64 {
            // SAFETY: the caller's.
            unsafe { R::products(self.0, self.1, self.2) }
        }
    }
    dispatch(Products(weights, x, next))
}

/// `Σ wⱼxⱼ` and `Σ |wⱼxⱼ|` of the computed products.
#[inline]
pub fn products_and_sizes<T: Value>(weights: &[f64], x: &[T]) -> (f64, f64) {
    struct Both<'a, T>(&'a [f64], &'a [T]);
    impl<T: Value> SimdJob for Both<'_, T> {
        type Outcome = (f64, f64);
        #[inline(always)]
        unsafe fn run<R: Registers>(self) -> (f64, f64) {
            R::products_and_sizes(self.0, self.1)
        }
    }
    dispatch(Both(weights, x))
}

/// Sums in `N` independent parts, so that their additions do not depend on each other.
pub struct Lanes<const N: usize, const FUSED: bool>;

impl<const N: usize, const FUSED: bool> Registers for Lanes<N, FUSED> {
    #[cfg(all(feature = "fast", target_arch = "x86_64"))]
    const LEVEL: Level = if FUSED { Level::Avx2 } else { Level::Portable };
    #[cfg(not(all(feature = "fast", target_arch = "x86_64")))]
    const LEVEL: Level = Level::Portable;

    #[inline(always)]
    unsafe fn products<W: Value, T: Value>(weights: &[W], x: &[T], next: &[T]) -> f64 {
        let mut sums = [0.0; N];
        let (weights, weights_left) = weights[..x.len()].as_chunks::<N>();
        let (x, x_left) = x.as_chunks::<N>();
        for (chunk, (weights, x)) in weights.iter().zip(x).enumerate() {
            if !next.is_empty() {
                prefetch::some(next, chunk * N, N);
            }
            for lane in 0..N {
                sums[lane] = Self::multiply_add(weights[lane].into(), x[lane].into(), sums[lane]);
            }
        }
        total(sums) + rest_of_products::<Self, W, T>(weights_left, x_left)
    }

    #[inline(always)]
    fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
        if FUSED { a.mul_add(b, c) } else { a * b + c }
    }

    #[inline(always)]
    fn products_and_sizes<T: Value>(weights: &[f64], x: &[T]) -> (f64, f64) {
        let (mut sums, mut sizes) = ([0.0; N], [0.0; N]);
        let (weights, weights_left) = weights[..x.len()].as_chunks::<N>();
        let (x, x_left) = x.as_chunks::<N>();
        for (weights, x) in weights.iter().zip(x) {
            for lane in 0..N {
                let product: f64 = weights[lane] * x[lane].into();
                sums[lane] += product;
                sizes[lane] += product.abs();
            }
        }
        let (mut sum, mut size) = (total(sums), total(sizes));
        for (&weight, &x) in weights_left.iter().zip(x_left) {
            let product: f64 = weight * x.into();
            sum += product;
            size += product.abs();
        }
        (sum, size)
    }
}

/// `Σ wⱼxⱼ` of fewer than all lanes. These are separate sums: a lane with a variable index would move all lanes to memory.
#[inline(always)]
fn rest_of_products<R: Registers, W: Value, T: Value>(weights: &[W], x: &[T]) -> f64 {
    const PARTS: usize = 4;
    let mut sums = [0.0; PARTS];
    let (weights, weights_left) = weights.as_chunks::<PARTS>();
    let (x, x_left) = x.as_chunks::<PARTS>();
    for (weights, x) in weights.iter().zip(x) {
        for part in 0..PARTS {
            sums[part] = R::multiply_add(weights[part].into(), x[part].into(), sums[part]);
        }
    }
    let mut rest = 0.0;
    for (&weight, &x) in weights_left.iter().zip(x_left) {
        rest = R::multiply_add(weight.into(), x.into(), rest);
    }
    total(sums) + rest
}

/// `Σ wⱼxⱼ` over entries of a sparse row, in independent parts.
#[inline(always)]
pub fn gathered<R: Registers, T: Value>(weights: &[f64], indices: &[u32], x: &[T]) -> f64 {
    const PARTS: usize = 8;
    let mut sums = [0.0; PARTS];
    let (index_chunks, indices) = indices.as_chunks::<PARTS>();
    let (chunks, x) = x.as_chunks::<PARTS>();
    for (indices, x) in index_chunks.iter().zip(chunks) {
        for part in 0..PARTS {
            sums[part] =
                R::multiply_add(weights[indices[part] as usize], x[part].into(), sums[part]);
        }
    }
    let mut rest = 0.0;
    for (&j, &x) in indices.iter().zip(x) {
        rest = R::multiply_add(weights[j as usize], x.into(), rest);
    }
    total(sums) + rest
}

/// The sum of all lanes, by repeated halving.
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

    /// With whole numbers every order gives the same sum, so each term must be counted exactly once.
    #[test]
    fn no_term_is_lost_or_counted_twice() {
        for n in 0..200 {
            let weights: Vec<f64> = (0..n + 3).map(|i| f64::from(i % 7) - 3.0).collect();
            let x: Vec<f64> = (0..n).map(|i| f64::from(i * i % 11) - 5.0).collect();
            let short: Vec<f32> = x.iter().map(|&x| x as f32).collect();
            let indices: Vec<u32> = (0..n as u32).map(|i| i + 3).collect();
            let terms = || weights.iter().zip(&x).map(|(w, x)| w * x);
            let expected = (terms().sum::<f64>(), terms().map(f64::abs).sum::<f64>());
            let both = (expected.0, expected.0);
            assert_eq!(products_and_sizes(&weights, &x), expected);
            assert_eq!(products_and_sizes(&weights, &short), expected);
            assert_eq!((products(&weights, &x, &[]), products(&weights, &short, &[])), both);
            fn of<R: Registers>(weights: &[f64], x: &[f64], short: &[f32]) -> (f64, f64) {
                // SAFETY: these sums need no registers of their own.
                unsafe { (R::products(weights, x, x), R::products(weights, short, &[])) }
            }
            assert_eq!(of::<Lanes<8, false>>(&weights, &x, &short), both);
            assert_eq!(of::<Lanes<16, true>>(&weights, &x, &short), both);
            assert_eq!(Lanes::<32, true>::products_and_sizes(&weights, &x), expected);
            let shifted: f64 = weights[3..].iter().zip(&x).map(|(w, x)| w * x).sum();
            assert_eq!(gathered::<Lanes<8, false>, _>(&weights, &indices, &x), shifted);
            assert_eq!(gathered::<Lanes<16, true>, _>(&weights, &indices, &short), shifted);
        }
    }
}

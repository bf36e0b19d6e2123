//! Sums over a row with the widest registers that the processor has.
//!
//! In which order terms are added, and whether a product is rounded before it is added, depends on the
//! processor. So these sums are for bounds alone, whose proofs hold for any order and with or without
//! fused multiply-adds ([`filter`](super::filter), [`norm`](super::norm)); no bit of a result is one of theirs.
#![allow(unsafe_code)] // functions for registers that not every processor has

use crate::data::prefetch;

/// A stored value.
///
/// # Safety
/// The type is `f32` where `SINGLE`, else `f64`.
pub(crate) unsafe trait Value: Copy + Into<f64> {
    const SINGLE: bool;
}
// SAFETY: `f32` is single.
unsafe impl Value for f32 {
    const SINGLE: bool = true;
}
// SAFETY: `f64` is not.
unsafe impl Value for f64 {
    const SINGLE: bool = false;
}

/// Sums in registers of one kind.
pub(super) trait Registers {
    /// `Σ wⱼxⱼ`; there are at least as many weights as values. Meanwhile `next` is brought near: nothing, or
    /// the values that come next.
    ///
    /// # Safety
    /// The processor has these registers.
    unsafe fn products<W: Value, T: Value>(weights: &[W], x: &[T], next: &[T]) -> f64;

    /// `a · b + c`, rounded once or twice.
    fn multiply_add(a: f64, b: f64, c: f64) -> f64;

    /// `Σ wⱼxⱼ` and `Σ |wⱼxⱼ|` of the computed products.
    fn products_and_sizes<T: Value>(weights: &[f64], x: &[T]) -> (f64, f64);
}

/// What is done the same way with all registers.
pub(super) trait Task {
    type Outcome;
    /// To be inlined, so that it is compiled for the registers.
    ///
    /// # Safety
    /// The processor has these registers.
    unsafe fn run<R: Registers>(self) -> Self::Outcome;
}

/// Runs a task with the widest registers.
#[inline]
pub(super) fn with_widest<J: Task>(task: J) -> J::Outcome {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx2,fma")]
        fn of_512_bits<J: Task>(task: J) -> J::Outcome {
            // SAFETY: these functions are compiled for them.
            unsafe { task.run::<super::wide::Wide>() }
        }
        #[target_feature(enable = "avx2,fma")]
        fn of_256_bits<J: Task>(task: J) -> J::Outcome {
            // SAFETY: these sums need no registers of their own.
            unsafe { task.run::<Lanes<16, true>>() }
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            if is_x86_feature_detected!("avx512f") {
                // SAFETY: the function needs AVX-512F, AVX2 and FMA, which were just detected.
                return unsafe { of_512_bits(task) };
            }
            // SAFETY: the function needs AVX2 and FMA, which were just detected.
            return unsafe { of_256_bits(task) };
        }
    }
    // SAFETY: these sums need no registers of their own.
    unsafe { task.run::<Lanes<8, false>>() }
}

/// `Σ wⱼxⱼ`; there are at least as many weights as values. `next` is brought near.
#[inline]
pub(super) fn products<W: Value, T: Value>(weights: &[W], x: &[T], next: &[T]) -> f64 {
    struct Products<'a, W, T>(&'a [W], &'a [T], &'a [T]);
    impl<W: Value, T: Value> Task for Products<'_, W, T> {
        type Outcome = f64;
        #[inline(always)]
        unsafe fn run<R: Registers>(self) -> f64 {
            // SAFETY: the caller's.
            unsafe { R::products(self.0, self.1, self.2) }
        }
    }
    with_widest(Products(weights, x, next))
}

/// `Σ wⱼxⱼ` and `Σ |wⱼxⱼ|` of the computed products.
#[inline]
pub(super) fn products_and_sizes<T: Value>(weights: &[f64], x: &[T]) -> (f64, f64) {
    struct Both<'a, T>(&'a [f64], &'a [T]);
    impl<T: Value> Task for Both<'_, T> {
        type Outcome = (f64, f64);
        #[inline(always)]
        unsafe fn run<R: Registers>(self) -> (f64, f64) {
            R::products_and_sizes(self.0, self.1)
        }
    }
    with_widest(Both(weights, x))
}

/// Sums in `N` independent parts, so that the additions of one do not wait for those of another.
pub(super) struct Lanes<const N: usize, const FUSED: bool>;

impl<const N: usize, const FUSED: bool> Registers for Lanes<N, FUSED> {
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
        // On its own: a lane whose number is not a constant would bring all of them into memory.
        let mut rest = 0.0;
        for (&weight, &x) in weights_left.iter().zip(x_left) {
            rest = Self::multiply_add(weight.into(), x.into(), rest);
        }
        total(sums) + rest
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

/// `Σ wⱼxⱼ` over entries of a sparse row, in independent parts.
#[inline(always)]
pub(super) fn gathered<R: Registers, T: Value>(weights: &[f64], indices: &[u32], x: &[T]) -> f64 {
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

//! Sums of products in registers of 512 bits.
#![allow(unsafe_code)] // loads from slices, whose lengths are checked beside each

use std::arch::x86_64::*;

use super::{Lanes, Level, Registers, Value, prefetch};

/// The registers of AVX-512F.
pub(super) struct Avx512;

impl Registers for Avx512 {
    const LEVEL: Level = Level::Avx512;

    #[inline(always)]
    unsafe fn products<W: Value, T: Value>(weights: &[W], x: &[T], next: &[T]) -> f64 {
        // SAFETY: the caller guarantees that the processor has AVX-512F.
        unsafe { products(weights, x, next) }
    }

    #[inline(always)]
    fn multiply_add(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn products_and_sizes<T: Value>(weights: &[f64], x: &[T]) -> (f64, f64) {
        Lanes::<32, true>::products_and_sizes(weights, x)
    }
}

/// To be inlined where AVX-512F is enabled.
///
/// # Safety
/// The processor has AVX-512F.
#[inline(always)]
unsafe fn products<W: Value, T: Value>(weights: &[W], x: &[T], next: &[T]) -> f64 {
    // SAFETY: the caller's.
    unsafe {
        let weights = &weights[..x.len()];
        let mut sums = [_mm512_setzero_pd(); 4];
        let mut at = 0;
        while at + 32 <= x.len() {
            if !next.is_empty() {
                prefetch::some(next, at, 32);
            }
            for (part, sum) in sums.iter_mut().enumerate() {
                *sum =
                    _mm512_fmadd_pd(eight(weights, at + 8 * part), eight(x, at + 8 * part), *sum);
            }
            at += 32;
        }
        if at + 16 <= x.len() {
            sums[0] = _mm512_fmadd_pd(eight(weights, at), eight(x, at), sums[0]);
            sums[1] = _mm512_fmadd_pd(eight(weights, at + 8), eight(x, at + 8), sums[1]);
            at += 16;
        }
        if at + 8 <= x.len() {
            sums[2] = _mm512_fmadd_pd(eight(weights, at), eight(x, at), sums[2]);
            at += 8;
        }
        // Without masks: a masked load cannot be forwarded from a store that is still in flight.
        if at + 4 <= x.len() {
            sums[3] = _mm512_fmadd_pd(four(weights, at), four(x, at), sums[3]);
            at += 4;
        }
        let sums = _mm512_add_pd(_mm512_add_pd(sums[0], sums[1]), _mm512_add_pd(sums[2], sums[3]));
        let mut rest = 0.0;
        for (&weight, &x) in weights[at..].iter().zip(&x[at..]) {
            rest = Avx512::multiply_add(weight.into(), x.into(), rest);
        }
        _mm512_reduce_add_pd(sums) + rest
    }
}

/// The 8 numbers from place `at` on.
///
/// # Safety
/// The processor has AVX-512F.
#[inline(always)]
unsafe fn eight<T: Value>(numbers: &[T], at: usize) -> __m512d {
    let numbers = &numbers[at..at + 8];
    // SAFETY: 8 numbers exist, and `SINGLE` gives their type.
    unsafe {
        if T::SINGLE {
            _mm512_cvtps_pd(_mm256_loadu_ps(numbers.as_ptr().cast()))
        } else {
            _mm512_loadu_pd(numbers.as_ptr().cast())
        }
    }
}

/// The 4 numbers from place `at` on, and four zeros.
///
/// # Safety
/// The processor has AVX-512F.
#[inline(always)]
unsafe fn four<T: Value>(numbers: &[T], at: usize) -> __m512d {
    let numbers = &numbers[at..at + 4];
    // SAFETY: 4 numbers exist, and `SINGLE` gives their type.
    let four = unsafe {
        if T::SINGLE {
            _mm256_cvtps_pd(_mm_loadu_ps(numbers.as_ptr().cast()))
        } else {
            _mm256_loadu_pd(numbers.as_ptr().cast())
        }
    };
    // SAFETY: the caller's.
    unsafe { _mm512_zextpd256_pd512(four) }
}

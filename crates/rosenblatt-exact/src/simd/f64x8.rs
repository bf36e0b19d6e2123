//! Numbers in registers of 8, and rows of such registers.
#![allow(unsafe_code)] // registers that not every processor has; loads from slices whose lengths are checked

use super::Value;

/// The number of numbers in a register.
pub const WIDTH: usize = 8;

/// A register of 8 numbers.
pub trait F64x8: Copy {
    /// `number` in all places.
    ///
    /// # Safety
    /// The processor has the registers.
    unsafe fn all(number: f64) -> Self;

    /// `number`, followed by 7 zeros.
    ///
    /// # Safety
    /// The processor has the registers.
    unsafe fn first(number: f64) -> Self;

    /// 8 numbers.
    ///
    /// # Safety
    /// The processor has the registers, and `numbers` points to at least 8 numbers.
    unsafe fn load<T: Value>(numbers: *const T) -> Self;

    /// The last `count` of 8 numbers, in their lanes; zeros before.
    ///
    /// # Safety
    /// `numbers` points to at least 8 numbers; `count` is at most 8.
    unsafe fn load_last<T: Value>(numbers: *const T, count: usize) -> Self;

    /// The first `count` numbers, followed by zeros.
    ///
    /// # Safety
    /// `numbers` points to at least `count` numbers; `count` is at most 8.
    unsafe fn load_some<T: Value>(numbers: *const T, count: usize) -> Self;

    /// `self · b + c`, rounded once or twice.
    ///
    /// # Safety
    /// The processor has the registers.
    unsafe fn times_plus(self, b: Self, c: Self) -> Self;

    /// `self · b`.
    ///
    /// # Safety
    /// The processor has the registers.
    unsafe fn times(self, b: Self) -> Self;

    /// `self + b`.
    ///
    /// # Safety
    /// The processor has the registers.
    unsafe fn plus(self, b: Self) -> Self;

    /// The sum of all places.
    ///
    /// # Safety
    /// The processor has the registers.
    unsafe fn total(self) -> f64;

    /// The numbers in their places.
    ///
    /// # Safety
    /// The processor has the registers.
    unsafe fn numbers(self) -> [f64; WIDTH];
}

/// Loads more than `8 (R − 1)` and up to `8 R` numbers. The last register holds the last 8 numbers, with zeros for
/// those that another register holds, so that no load reads past the end and waits for it. Fewer than 8 numbers are
/// followed by zeros.
///
/// # Safety
/// The processor has the registers.
#[inline(always)]
pub unsafe fn loaded<V: F64x8, T: Value, const R: usize>(numbers: &[T]) -> [V; R] {
    let before = (R - 1) * WIDTH;
    assert!(numbers.len() > before && numbers.len() <= R * WIDTH);
    let (start, left) = (numbers.as_ptr(), numbers.len() - before);
    // SAFETY: the lengths were just checked.
    unsafe {
        if R == 1 {
            return [V::load_some(start, left); R];
        }
        let mut all = [V::load_last(start.add(numbers.len() - WIDTH), left); R];
        for (register, eight) in all[..R - 1].iter_mut().enumerate() {
            *eight = V::load(start.add(register * WIDTH));
        }
        all
    }
}

/// Stores numbers that were [`loaded`].
///
/// # Safety
/// The processor has the registers.
#[inline(always)]
pub unsafe fn store<V: F64x8, const R: usize>(registers: [V; R], to: &mut [f64]) {
    let skipped = if R == 1 { 0 } else { R * WIDTH - to.len() };
    for (register, part) in registers.into_iter().zip(to.chunks_mut(WIDTH)) {
        // SAFETY: the caller's.
        let numbers = unsafe { register.numbers() };
        let skipped = if part.len() == WIDTH { 0 } else { skipped };
        part.copy_from_slice(&numbers[skipped..skipped + part.len()]);
    }
}

/// `Σ wⱼxⱼ + bias` in some order.
///
/// # Safety
/// The processor has the registers.
#[inline(always)]
pub unsafe fn sum_of_products<V: F64x8, const R: usize>(
    weights: &[V; R],
    row: &[V; R],
    bias: f64,
) -> f64 {
    // SAFETY: the caller's.
    unsafe {
        let mut even = row[0].times_plus(weights[0], V::first(bias));
        if R == 1 {
            return even.total();
        }
        let mut odd = row[1].times(weights[1]);
        for register in 2..R {
            let sum = if register % 2 == 0 { &mut even } else { &mut odd };
            *sum = row[register].times_plus(weights[register], *sum);
        }
        even.plus(odd).total()
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    use super::{F64x8, Value, WIDTH};

    /// The registers of AVX-512F and VL.
    impl F64x8 for __m512d {
        #[inline(always)]
        unsafe fn all(number: f64) -> Self {
            // SAFETY: the caller guarantees that the processor has the registers; also below.
            unsafe { _mm512_set1_pd(number) }
        }

        #[inline(always)]
        unsafe fn first(number: f64) -> Self {
            // SAFETY: as above.
            unsafe { _mm512_zextpd128_pd512(_mm_set_sd(number)) }
        }

        #[inline(always)]
        unsafe fn load<T: Value>(numbers: *const T) -> Self {
            // SAFETY: as above; 8 numbers exist, and `SINGLE` gives their type.
            unsafe {
                if T::SINGLE {
                    _mm512_cvtps_pd(_mm256_loadu_ps(numbers.cast()))
                } else {
                    _mm512_loadu_pd(numbers.cast())
                }
            }
        }

        #[inline(always)]
        unsafe fn load_last<T: Value>(numbers: *const T, count: usize) -> Self {
            let mask = u8::MAX.unbounded_shl(WIDTH.saturating_sub(count) as u32);
            // SAFETY: as above.
            unsafe { _mm512_maskz_mov_pd(mask, Self::load(numbers)) }
        }

        #[inline(always)]
        unsafe fn load_some<T: Value>(numbers: *const T, count: usize) -> Self {
            let mask = u8::MAX.unbounded_shr(WIDTH.saturating_sub(count) as u32);
            // SAFETY: as above; masked numbers are not read.
            unsafe {
                if T::SINGLE {
                    _mm512_cvtps_pd(_mm256_maskz_loadu_ps(mask, numbers.cast()))
                } else {
                    _mm512_maskz_loadu_pd(mask, numbers.cast())
                }
            }
        }

        #[inline(always)]
        unsafe fn times_plus(self, b: Self, c: Self) -> Self {
            // SAFETY: as above.
            unsafe { _mm512_fmadd_pd(self, b, c) }
        }

        #[inline(always)]
        unsafe fn times(self, b: Self) -> Self {
            // SAFETY: as above.
            unsafe { _mm512_mul_pd(self, b) }
        }

        #[inline(always)]
        unsafe fn plus(self, b: Self) -> Self {
            // SAFETY: as above.
            unsafe { _mm512_add_pd(self, b) }
        }

        #[inline(always)]
        unsafe fn total(self) -> f64 {
            // SAFETY: as above.
            unsafe { _mm512_reduce_add_pd(self) }
        }

        #[inline(always)]
        unsafe fn numbers(self) -> [f64; WIDTH] {
            let mut numbers = [0.0; WIDTH];
            // SAFETY: as above; there is room for 8 numbers.
            unsafe { _mm512_storeu_pd(numbers.as_mut_ptr(), self) };
            numbers
        }
    }
}

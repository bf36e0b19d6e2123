//! Arithmetic in the registers of the processor.
//!
//! This is the lowest layer of the engine's fast code. Without the feature `fast` only the portable code is compiled,
//! with the same results. A sum here may add in any order and use fused multiply-adds, so sums serve only for bounds
//! ([exact signs](crate)). Element-wise work rounds each operation separately, so it gives the same bits in
//! registers of any width.
//!
//! All code for registers that not every processor has is here, in `kernel/tile.rs` and in `fast/register_epoch.rs`.
#![allow(unsafe_code)] // functions for registers that not every processor has

#[cfg(all(feature = "fast", target_arch = "x86_64"))]
mod avx512;
pub mod elementwise;
#[cfg(all(feature = "fast", target_arch = "x86_64"))]
pub mod f64x8;
pub mod prefetch;
mod sums;

pub use sums::{Lanes, gathered, products, products_and_sizes};

/// The registers for which a job is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The registers that every processor has.
    Portable,
    /// 256 bits, with fused multiply-adds (AVX2 and FMA).
    #[cfg(all(feature = "fast", target_arch = "x86_64"))]
    Avx2,
    /// 512 bits (AVX-512 F, DQ and VL).
    #[cfg(all(feature = "fast", target_arch = "x86_64"))]
    Avx512,
}

/// A stored value.
///
/// # Safety
/// The type is `f32` where `SINGLE`, else `f64`.
pub unsafe trait Value: Copy + Into<f64> {
    /// Whether the type is `f32`.
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

/// Sums in the registers of one level.
pub trait Registers {
    /// The level.
    const LEVEL: Level;

    /// `Σ wⱼxⱼ`; there are at least as many weights as values. Meanwhile the processor prefetches `next`: the next
    /// values, or none.
    ///
    /// # Safety
    /// The processor has these registers.
    unsafe fn products<W: Value, T: Value>(weights: &[W], x: &[T], next: &[T]) -> f64;

    /// `a · b + c`, rounded once or twice.
    fn multiply_add(a: f64, b: f64, c: f64) -> f64;

    /// `Σ wⱼxⱼ` and `Σ |wⱼxⱼ|` of the computed products.
    fn products_and_sizes<T: Value>(weights: &[f64], x: &[T]) -> (f64, f64);
}

/// A job that is compiled once for each level.
pub trait SimdJob {
    /// What the job returns.
    type Outcome;

    /// Must be inlined, so that it is compiled for the registers.
    ///
    /// # Safety
    /// The processor has these registers.
    unsafe fn run<R: Registers>(self) -> Self::Outcome;
}

/// Runs a job with the widest registers.
#[inline]
pub fn dispatch<J: SimdJob>(job: J) -> J::Outcome {
    #[cfg(all(feature = "fast", target_arch = "x86_64"))]
    {
        #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
        fn of_512_bits<J: SimdJob>(job: J) -> J::Outcome {
            // SAFETY: the function is compiled for these registers.
            unsafe { job.run::<avx512::Avx512>() }
        }
        #[target_feature(enable = "avx2,fma")]
        fn of_256_bits<J: SimdJob>(job: J) -> J::Outcome {
            // SAFETY: these sums need no registers of their own.
            unsafe { job.run::<Lanes<16, true>>() }
        }
        match level() {
            // SAFETY: `level` has found AVX-512 F, DQ and VL, AVX2 and FMA.
            Level::Avx512 => return unsafe { of_512_bits(job) },
            // SAFETY: `level` has found AVX2 and FMA.
            Level::Avx2 => return unsafe { of_256_bits(job) },
            Level::Portable => {}
        }
    }
    // SAFETY: these sums need no registers of their own.
    unsafe { job.run::<Lanes<8, false>>() }
}

/// The widest level of the processor, or a lower one set by the environment variable `ROSENBLATT_SIMD` (`portable`,
/// `avx2` or `avx512`). It is read once, and other values are ignored. No result depends on it.
#[cfg(all(feature = "fast", target_arch = "x86_64"))]
#[inline]
pub fn level() -> Level {
    use std::sync::atomic::{AtomicU8, Ordering};
    const UNKNOWN: u8 = 0;
    static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);
    #[cold]
    fn find() -> Level {
        let has_256 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        let has_512 = has_256
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        let widest = match (has_512, has_256) {
            (true, _) => Level::Avx512,
            (_, true) => Level::Avx2,
            _ => Level::Portable,
        };
        let asked = match std::env::var("ROSENBLATT_SIMD").as_deref() {
            Ok("portable") => Level::Portable,
            Ok("avx2") => Level::Avx2,
            _ => widest,
        };
        asked.min(widest)
    }
    match LEVEL.load(Ordering::Relaxed) {
        1 => Level::Portable,
        2 => Level::Avx2,
        3 => Level::Avx512,
        _ => {
            let level = find();
            LEVEL.store(level as u8 + 1, Ordering::Relaxed);
            level
        }
    }
}

//! The limits of the machine: epochs without the exact predicate, one reading of the memory, and products in the L1
//! cache, all with the widest registers of the processor.

use std::hint::black_box;

use rosenblatt_core::{
    data::{Row, Rows, Sign, Values},
    schedule::Order,
};

/// The rule w ← w + yx, b ← b + y on the sign of a rounded sum, as in other perceptrons.
pub(crate) struct Plain {
    weights: Vec<f64>,
    bias: f64,
    /// The number of updates in all epochs.
    pub(crate) updates: u64,
    /// The number of mistakes in the last epoch; 0 once it has converged.
    pub(crate) mistakes: u64,
}

impl Plain {
    /// Learns until an epoch has no mistakes, or for `epochs` epochs. A row of a shuffled epoch is prefetched eight
    /// visits ahead, as in the engine.
    pub(crate) fn train(
        rows: &Rows<'_>,
        signs: &[Sign],
        order: Order,
        seed: u64,
        epochs: u64,
    ) -> Self {
        const AHEAD: usize = 8;
        let weights = vec![0.0; rows.features()];
        let mut plain = Plain { weights, bias: 0.0, updates: 0, mistakes: 0 };
        let mut places: Vec<usize> = (0..rows.len()).collect();
        for epoch in 1..=epochs {
            order.arrange(seed, epoch, &mut places);
            plain.mistakes = 0;
            for (visit, &place) in places.iter().enumerate() {
                if order != Order::Given
                    && let Some(&later) = places.get(visit + AHEAD)
                {
                    prefetch(&rows.row(later));
                }
                plain.visit(&rows.row(place), if signs[place] == Sign::Plus { 1.0 } else { -1.0 });
            }
            if plain.mistakes == 0 {
                break;
            }
        }
        plain
    }

    #[inline]
    fn visit(&mut self, row: &Row<'_>, y: f64) {
        let score = self.bias
            + match (row.indices(), row.values()) {
                (None, Values::F32(x)) => wide::dot(&self.weights, x),
                (None, Values::F64(x)) => wide::dot(&self.weights, x),
                (Some(at), Values::F32(x)) => gather(&self.weights, at, x),
                (Some(at), Values::F64(x)) => gather(&self.weights, at, x),
            };
        if y * score <= 0.0 {
            match (row.indices(), row.values()) {
                (None, Values::F32(x)) => wide::add(&mut self.weights, y, x),
                (None, Values::F64(x)) => wide::add(&mut self.weights, y, x),
                _ => row.for_each(|j, x| self.weights[j] += y * x),
            }
            self.bias += y;
            self.mistakes += 1;
            self.updates += 1;
        }
    }
}

/// Σ wⱼxⱼ over the entries, in four parts.
#[inline]
fn gather<T: Copy + Into<f64>>(weights: &[f64], at: &[u32], x: &[T]) -> f64 {
    let mut sums = [0.0; 4];
    let (at, at_left) = at.as_chunks::<4>();
    let (x, x_left) = x.as_chunks::<4>();
    for (at, x) in at.iter().zip(x) {
        for lane in 0..4 {
            sums[lane] += weights[at[lane] as usize] * x[lane].into();
        }
    }
    let rest = at_left.iter().zip(x_left).map(|(&j, &x)| weights[j as usize] * x.into());
    sums.iter().sum::<f64>() + rest.sum::<f64>()
}

/// The sum of values: reads them once.
pub(crate) fn touch(values: Values<'_>) -> f64 {
    match values {
        Values::F32(x) => wide::sum_f32(x),
        Values::F64(x) => wide::sum_f64(x),
    }
}

/// A value computed from indices that needs one reading.
pub(crate) fn touch_indices(at: &[u32]) -> f64 {
    f64::from(wide::mixed(at))
}

/// The product of two vectors of `f32` or `f64` that stay in the L1 cache, `times` times. Returns the number of
/// multiplications and additions, and their sum.
pub(crate) fn products_near(times: usize, single: bool) -> (f64, f64) {
    /// Aligned to a cache line.
    #[repr(align(64))]
    struct Aligned<T>(T);
    let (short, long) = (Aligned([1e-3f32; 2048]), Aligned([1e-3f64; 1024]));
    let other = (Aligned([1e-3f32; 2048]), Aligned([1e-3f64; 1024]));
    let mut sum = 0.0;
    for _ in 0..times {
        sum += if single {
            f64::from(wide::near_f32(black_box(&short.0), black_box(&other.0.0)))
        } else {
            wide::near_f64(black_box(&long.0), black_box(&other.1.0))
        };
    }
    let length = if single { short.0.len() } else { long.0.len() };
    (2.0 * (times * length) as f64, sum)
}

fn prefetch(row: &Row<'_>) {
    match row.values() {
        Values::F32(x) => wide::prefetch(x),
        Values::F64(x) => wide::prefetch(x),
    }
    row.indices().iter().for_each(|at| wide::prefetch(at));
}

/// Loops compiled for several register widths; the widest available is used.
#[allow(unsafe_code)] // a function for a processor is called once that processor was detected
mod wide {
    #[cfg(target_arch = "x86_64")]
    use std::arch::is_x86_feature_detected;

    /// Compiles a function for each width.
    macro_rules! for_each_width {
        ($name:ident $([$($bound:tt)*])? ($($argument:ident: $kind:ty),*) $(-> $result:ty)?, $body:ident) => {
            #[inline]
            pub(super) fn $name $(<$($bound)*>)? ($($argument: $kind),*) $(-> $result)? {
                #[cfg(target_arch = "x86_64")]
                {
                    #[target_feature(enable = "avx512f")]
                    fn of_512_bits $(<$($bound)*>)? ($($argument: $kind),*) $(-> $result)? {
                        super::loops::$body($($argument),*)
                    }
                    #[target_feature(enable = "avx2,fma")]
                    fn of_256_bits $(<$($bound)*>)? ($($argument: $kind),*) $(-> $result)? {
                        super::loops::$body($($argument),*)
                    }
                    if is_x86_feature_detected!("avx512f") {
                        // SAFETY: the function needs AVX-512F and nothing else, and that was just detected.
                        return unsafe { of_512_bits($($argument),*) };
                    }
                    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                        // SAFETY: the function needs AVX2 and FMA and nothing else, and both were just detected.
                        return unsafe { of_256_bits($($argument),*) };
                    }
                }
                super::loops::$body($($argument),*)
            }
        };
    }

    for_each_width!(dot[T: Copy + Into<f64>](weights: &[f64], x: &[T]) -> f64, dot);
    for_each_width!(add[T: Copy + Into<f64>](weights: &mut [f64], y: f64, x: &[T]), add);
    for_each_width!(sum_f32(x: &[f32]) -> f64, sum_f32);
    for_each_width!(sum_f64(x: &[f64]) -> f64, sum_f64);
    for_each_width!(mixed(at: &[u32]) -> u32, mixed);

    /// Written out, because the compiler would use only half of a 512-bit register.
    macro_rules! near {
        ($name:ident, $float:ident, $zero:ident, $load:ident, $fused:ident, $total:ident) => {
            #[inline]
            pub(super) fn $name(a: &[$float], b: &[$float]) -> $float {
                #[cfg(target_arch = "x86_64")]
                {
                    use std::arch::x86_64::{$fused, $load, $total, $zero};
                    const WIDTH: usize = 64 / size_of::<$float>();
                    #[target_feature(enable = "avx512f")]
                    fn of_512_bits(a: &[$float], b: &[$float]) -> $float {
                        let mut sums = [$zero(); 8];
                        let (a, b) = (a.as_chunks::<WIDTH>().0, b.as_chunks::<WIDTH>().0);
                        for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
                            for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                                // SAFETY: each chunk is 512 bits long.
                                let (a, b) = unsafe { ($load(a.as_ptr()), $load(b.as_ptr())) };
                                *sum = $fused(a, b, *sum);
                            }
                        }
                        sums.iter().map(|&sum| $total(sum)).sum()
                    }
                    #[target_feature(enable = "avx2,fma")]
                    fn of_256_bits(a: &[$float], b: &[$float]) -> $float {
                        super::loops::$name(a, b)
                    }
                    if is_x86_feature_detected!("avx512f") {
                        // SAFETY: the function needs AVX-512F and nothing else, and that was just detected.
                        return unsafe { of_512_bits(a, b) };
                    }
                    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                        // SAFETY: the function needs AVX2 and FMA and nothing else, and both were just detected.
                        return unsafe { of_256_bits(a, b) };
                    }
                }
                super::loops::$name(a, b)
            }
        };
    }
    near!(near_f32, f32, _mm512_setzero_ps, _mm512_loadu_ps, _mm512_fmadd_ps, _mm512_reduce_add_ps);
    near!(near_f64, f64, _mm512_setzero_pd, _mm512_loadu_pd, _mm512_fmadd_pd, _mm512_reduce_add_pd);

    /// Prefetches the first KiB of a slice.
    #[inline]
    pub(super) fn prefetch<T>(slice: &[T]) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            for at in (0..size_of_val(slice).min(1024)).step_by(64) {
                // SAFETY: a prefetch is a hint that reads nothing, and the place is within the slice.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(slice.as_ptr().cast::<i8>().add(at)) };
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = slice;
    }
}

/// The loops; [`wide`] compiles them for each width.
mod loops {
    #[inline(always)]
    pub(super) fn dot<T: Copy + Into<f64>>(weights: &[f64], x: &[T]) -> f64 {
        const LANES: usize = 32;
        let mut sums = [0.0; LANES];
        let (w, w_left) = weights[..x.len()].as_chunks::<LANES>();
        let (x, x_left) = x.as_chunks::<LANES>();
        for (w, x) in w.iter().zip(x) {
            for lane in 0..LANES {
                sums[lane] += w[lane] * x[lane].into();
            }
        }
        let (w, w_last) = w_left.as_chunks::<8>();
        let (x, x_last) = x_left.as_chunks::<8>();
        for (w, x) in w.iter().zip(x) {
            for lane in 0..8 {
                sums[lane] += w[lane] * x[lane].into();
            }
        }
        let rest: f64 = w_last.iter().zip(x_last).map(|(w, &x)| w * x.into()).sum();
        halves(sums) + rest
    }

    #[inline(always)]
    fn halves<const LANES: usize>(mut lanes: [f64; LANES]) -> f64 {
        let mut half = LANES / 2;
        while half > 0 {
            for lane in 0..half {
                lanes[lane] += lanes[lane + half];
            }
            half /= 2;
        }
        lanes[0]
    }

    #[inline(always)]
    pub(super) fn add<T: Copy + Into<f64>>(weights: &mut [f64], y: f64, x: &[T]) {
        weights.iter_mut().zip(x).for_each(|(w, &x)| *w += y * x.into());
    }

    #[inline(always)]
    pub(super) fn mixed(at: &[u32]) -> u32 {
        at.iter().fold(0, |mixed, &j| mixed ^ j)
    }

    macro_rules! sum {
        ($name:ident, $near:ident, $float:ident, $lanes:literal) => {
            #[inline(always)]
            pub(super) fn $name(x: &[$float]) -> f64 {
                let mut sums = [0.0; $lanes];
                let (chunks, tail) = x.as_chunks::<$lanes>();
                for chunk in chunks {
                    for lane in 0..$lanes {
                        sums[lane] += chunk[lane];
                    }
                }
                f64::from(sums.iter().chain(tail).sum::<$float>())
            }

            /// Σ aⱼbⱼ in independent parts.
            #[inline(always)]
            pub(super) fn $near(a: &[$float], b: &[$float]) -> $float {
                let mut sums: [$float; $lanes] = [0.0; $lanes];
                for (a, b) in a.as_chunks::<$lanes>().0.iter().zip(b.as_chunks::<$lanes>().0) {
                    for lane in 0..$lanes {
                        sums[lane] = a[lane].mul_add(b[lane], sums[lane]);
                    }
                }
                sums.iter().sum()
            }
        };
    }
    sum!(sum_f32, near_f32, f32, 128);
    sum!(sum_f64, near_f64, f64, 64);
}

//! Visits of narrow dense rows, with the weights in registers.
//!
//! Unobserved visits by the rules that step by the learning rate are one loop: the score as a sum, its comparison with
//! a bound on its error and, if the example certainly needs an update, the step. The weights stay in registers, so that
//! no visit waits for the stores of the one before. An uncertain example, or one near the end of the range, leaves the
//! loop before anything changes and is visited by [`Learner::visit`](crate::train::Learner::visit).
//!
//! # Why the result is identical
//! * The score is a sum in any order of at most d + 2 terms that are not 0 by construction: d products, the bias and
//!   the margin M (lanes without a feature hold 0·0). So the bound of [`filter`](crate::exact) holds, with A ≤ ‖w‖·R +
//!   |b| + M. Here ‖w‖ is bounded by the learner's own upper bound, which every step increases as it does there, and R
//!   covers all visited rows.
//! * A functional margin certainly above M changes nothing. One certainly at or below M is a step by the rate, whatever
//!   a score of 0 predicts: the sign of the score must be certain too, and decides whether it was a mistake.
//! * A step multiplies and adds each element with one rounding each, as [`Hyperplane`](super::Hyperplane) does, so the
//!   order of the elements does not matter. It is made only if the resulting norm and bias are below 10³⁰⁰: then all
//!   numbers are finite and it cannot fail. Lanes without a feature remain 0: 0 ± τ·0 is +0.
//! * Counters add the same numbers in the same order.
#![allow(unsafe_code)] // registers that not every processor has

use super::VisitCounts;
use crate::{
    data::{Examples, Prefetch, Rows, Values, VisitOrder},
    exact::{error_bound, quick_magnitude},
    learner::{ConstantStepState, FAR_FROM_OVERFLOW, Rates, norm_after_step},
    simd::{
        Value,
        f64x8::{F64x8, WIDTH, loaded, store, sum_of_products},
        prefetch,
    },
};

/// The maximum number of registers for weights; as many again hold a row.
const MOST: usize = 8;

/// A range of visits to make in registers.
#[derive(Clone, Copy)]
pub(super) struct RegisterEpoch<'s> {
    pub(super) examples: &'s Examples<'s>,
    pub(super) prefetch: Prefetch,
    pub(super) order: &'s [usize],
    /// The first position and the end of the range.
    pub(super) places: (usize, usize),
    /// An upper bound on ‖x‖ of all rows of the range, up to a relative 10⁻⁶.
    pub(super) reach: f64,
    pub(super) rates: &'s Rates<'s>,
}

/// The number of registers for these rows; `None` if they are not dense and narrow, or the processor lacks the
/// registers.
#[inline]
pub(super) fn registers(rows: &Rows<'_>) -> Option<usize> {
    let registers = rows.features().div_ceil(WIDTH);
    let is_narrow = (1..=MOST).contains(&registers) && !rows.is_sparse();
    (is_narrow && has_registers()).then_some(registers)
}

#[inline]
fn has_registers() -> bool {
    crate::simd::level() == crate::simd::Level::Avx512
}

impl RegisterEpoch<'_> {
    /// Makes the visits up to the first uncertain one; `None` without [`registers`] for the rows.
    #[inline]
    pub(super) fn run(self, state: ConstantStepState<'_>) -> Option<VisitCounts> {
        let registers = registers(self.examples.rows())?;
        if state.weights.len() != self.examples.features() {
            return None;
        }
        match self.examples.rows().values() {
            Values::F32(x) => self.dispatch_512(x, state, registers),
            Values::F64(x) => self.dispatch_512(x, state, registers),
        }
    }

    fn dispatch_512<T: Value>(
        self,
        x: &[T],
        state: ConstantStepState<'_>,
        registers: usize,
    ) -> Option<VisitCounts> {
        #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
        fn of_512_bits<T: Value>(
            run: RegisterEpoch<'_>,
            x: &[T],
            state: ConstantStepState<'_>,
            registers: usize,
        ) -> Option<VisitCounts> {
            // SAFETY: the function is compiled for these registers.
            unsafe { run.dispatch::<std::arch::x86_64::__m512d, T>(x, state, registers) }
        }
        // SAFETY: `registers` returned a number, so the processor has the registers.
        unsafe { of_512_bits(self, x, state, registers) }
    }

    /// # Safety
    /// The processor has these registers.
    #[inline(always)]
    unsafe fn dispatch<V: F64x8, T: Value>(
        self,
        x: &[T],
        state: ConstantStepState<'_>,
        registers: usize,
    ) -> Option<VisitCounts> {
        // SAFETY: the caller's.
        unsafe {
            Some(match registers {
                1 => self.visits::<V, T, 1>(x, state),
                2 => self.visits::<V, T, 2>(x, state),
                3 => self.visits::<V, T, 3>(x, state),
                4 => self.visits::<V, T, 4>(x, state),
                5 => self.visits::<V, T, 5>(x, state),
                6 => self.visits::<V, T, 6>(x, state),
                7 => self.visits::<V, T, 7>(x, state),
                8 => self.visits::<V, T, 8>(x, state),
                _ => return None,
            })
        }
    }

    /// # Safety
    /// The processor has these registers.
    #[inline(always)]
    unsafe fn visits<V: F64x8, T: Value, const R: usize>(
        self,
        x: &[T],
        state: ConstantStepState<'_>,
    ) -> VisitCounts {
        let RegisterEpoch { examples, prefetch, order, places: (from, until), reach, rates } = self;
        let (features, places) = (examples.features(), VisitOrder::Ordered(order));
        let (margin, bias_unit) = (state.margin, state.bias_unit);
        let bound = |length: f64, bias: f64| {
            error_bound(features + 2, quick_magnitude(reach * length, [bias, margin]))
        };
        // SAFETY: the caller guarantees that the processor has the registers.
        let mut weights = unsafe { loaded::<V, f64, R>(state.weights) };
        let (mut bias, mut length, mut steps) = (*state.bias, *state.norm_bound, *state.steps);
        let mut error = bound(length, bias);
        let (mut mistakes, mut updates) = (0, 0);
        let order = &order[..until];
        let mut place = from;
        while let Some(&example) = order.get(place) {
            if let Some(row_ahead) = prefetch.row_ahead(places, place) {
                ask::<T, R>(x, features, row_ahead);
                examples.prefetch_sign(row_ahead);
            }
            // SAFETY: as before.
            let row =
                unsafe { loaded::<V, T, R>(&x[example * features..(example + 1) * features]) };
            let sign = examples.sign(example);
            // SAFETY: as before.
            let own = sign * (unsafe { sum_of_products(&weights, &row, bias) });
            let beyond = own - margin;
            if beyond > error {
                place += 1;
                continue;
            }
            let step = rates.of(example, sign);
            let signed = sign * step;
            let longer = norm_after_step(length, step, reach);
            let moved = if bias_unit == 0.0 { bias } else { bias + signed * bias_unit };
            let is_certain = beyond < -error && own.abs() > error;
            if !(is_certain && longer < FAR_FROM_OVERFLOW && moved.abs() < FAR_FROM_OVERFLOW) {
                break;
            }
            // SAFETY: as before.
            unsafe {
                let signed = V::all(signed);
                for (weights, row) in weights.iter_mut().zip(row) {
                    *weights = weights.plus(row.times(signed));
                }
            }
            (bias, length) = (moved, longer);
            error = bound(length, bias);
            steps += step;
            updates += 1;
            mistakes += u64::from(own < 0.0);
            place += 1;
        }
        // SAFETY: as before.
        unsafe { store(weights, state.weights) };
        (*state.bias, *state.norm_bound, *state.steps) = (bias, length, steps);
        *state.visits += (place - from) as u64;
        *state.updates += updates;
        VisitCounts { until: place, mistakes, updates }
    }
}

/// Prefetches a row that fits the registers.
#[inline(always)]
fn ask<T, const R: usize>(x: &[T], features: usize, row: usize) {
    // These two are less than one cache line apart.
    prefetch::some(x, row * features, (R - 1) * WIDTH + 1);
    prefetch::some(x, (row + 1) * features - 1, 1);
}

#[cfg(test)]
mod tests;

//! The inner loop of kernel methods: products of many rows with the rows of a panel, strip by strip.
//!
//! A strip is a range of features whose values for all rows of a panel fit the nearest cache. Each row
//! adds its products in a strip to its sums before the next strip comes, so that what is read again and
//! again is near; and a sum still runs over the features in ascending order, one rounding a product and one
//! a sum. So neither the strips nor the width of the registers change a bit.

use super::panel::{Lane, WIDTH};

/// Rows by their entries, from the next one that is still to be multiplied.
pub(super) struct Walk<'r> {
    /// For each row its features and values.
    pub(super) rows: Vec<(&'r [u32], &'r [f64])>,
}

/// The features of a panel below `end` that come after those of the strip before.
#[derive(Clone, Copy)]
pub(super) struct Strip<'p> {
    pub(super) end: usize,
    /// For each feature its place in `values`, if it is there.
    pub(super) slots: &'p [u32],
    pub(super) values: &'p [Lane],
    /// How many rows the panel has.
    pub(super) lanes: usize,
}

impl Strip<'_> {
    /// Adds to the sums of each row its products in the strip.
    pub(super) fn add(self, walk: &mut Walk<'_>, sums: &mut [Lane]) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx512f")]
            fn of_512_bits(strip: Strip<'_>, walk: &mut Walk<'_>, sums: &mut [Lane]) {
                strip.in_parts::<64>(walk, sums);
            }
            #[target_feature(enable = "avx2")]
            fn of_256_bits(strip: Strip<'_>, walk: &mut Walk<'_>, sums: &mut [Lane]) {
                strip.in_parts::<32>(walk, sums);
            }
            if is_x86_feature_detected!("avx512f") {
                // SAFETY: the function needs AVX-512F and nothing else, and that was just detected.
                #[allow(unsafe_code)]
                return unsafe { of_512_bits(self, walk, sums) };
            }
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the function needs AVX2 and nothing else, and that was just detected.
                #[allow(unsafe_code)]
                return unsafe { of_256_bits(self, walk, sums) };
            }
        }
        self.in_parts::<16>(walk, sums);
    }

    /// As many sums at once as the registers hold.
    #[inline(always)]
    fn in_parts<const PART: usize>(self, walk: &mut Walk<'_>, sums: &mut [Lane]) {
        const { assert!(WIDTH.is_multiple_of(PART)) };
        for ((indices, values), sums) in walk.rows.iter_mut().zip(sums) {
            let mut taken = 0;
            for part in 0..self.lanes.div_ceil(PART) {
                let (sums, _) = sums[part * PART..].as_chunks_mut::<PART>();
                taken = self.part::<PART>(part * PART, (indices, values), &mut sums[0]);
            }
            (*indices, *values) = (&indices[taken..], &values[taken..]);
        }
    }

    /// Gives how many entries are in the strip.
    #[inline(always)]
    fn part<const PART: usize>(
        self,
        first: usize,
        (indices, values): (&[u32], &[f64]),
        sums: &mut [f64; PART],
    ) -> usize {
        let mut own = *sums;
        let mut taken = 0;
        for (&j, &x) in indices.iter().zip(values) {
            if j as usize >= self.end {
                break;
            }
            taken += 1;
            if let Some(lane) = self.values.get(self.slots[j as usize] as usize) {
                let (parts, _) = lane[first..].as_chunks::<PART>();
                for (sum, z) in own.iter_mut().zip(&parts[0]) {
                    *sum += x * z;
                }
            }
        }
        *sums = own;
        taken
    }
}

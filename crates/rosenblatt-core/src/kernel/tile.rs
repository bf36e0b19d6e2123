//! The inner loop of kernel methods: products of many rows with the rows of a panel, tile by tile.
//!
//! A tile is a range of features whose values for all rows of a panel fit the L1 cache. Each row adds its products in a
//! tile to its sums before the next tile begins, so that repeated reads hit the cache. A sum still runs over the
//! features in ascending order, with one rounding per product and one per sum. So neither tiles nor register widths
//! change a bit.

#![allow(unsafe_code)] // compiled for registers that not every processor has

use std::ops::{Deref, DerefMut};

use crate::simd::{self, Level, Registers, SimdJob};

/// The number of rows of a panel: the number of sums that fit the registers of a core.
pub(crate) const WIDTH: usize = 64;

/// The values of one row with the rows of a panel, aligned to a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Lane([f64; WIDTH]);

impl Lane {
    pub(super) const ZERO: Lane = Lane([0.0; WIDTH]);
}

impl Deref for Lane {
    type Target = [f64; WIDTH];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Lane {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// The unread entries of several rows.
pub(super) struct Walk<'r> {
    /// The features and values of each row.
    pub(super) rows: Vec<(&'r [u32], &'r [f64])>,
}

/// The features of a panel below `end` that follow the tile before.
#[derive(Clone, Copy)]
pub(super) struct Tile<'p> {
    pub(super) end: usize,
    /// The place of each feature in `values`, if present.
    pub(super) slots: &'p [u32],
    pub(super) values: &'p [Lane],
    /// The number of rows of the panel.
    pub(super) lanes: usize,
}

impl Tile<'_> {
    /// Adds to the sums of each row its products in the tile.
    pub(super) fn add(self, walk: &mut Walk<'_>, sums: &mut [Lane]) {
        simd::dispatch(AddTile { tile: self, walk, sums });
    }

    /// Computes as many sums at once as fit the registers.
    #[inline(always)]
    fn in_parts<const PART: usize>(self, walk: &mut Walk<'_>, sums: &mut [Lane]) {
        const { assert!(PART <= WIDTH) };
        debug_assert!(WIDTH.is_multiple_of(PART) || self.lanes <= PART, "a part would be cut off");
        for ((indices, values), sums) in walk.rows.iter_mut().zip(sums) {
            let mut taken = 0;
            for part in 0..self.lanes.div_ceil(PART) {
                let (sums, _) = sums[part * PART..].as_chunks_mut::<PART>();
                taken = self.part::<PART>(part * PART, (indices, values), &mut sums[0]);
            }
            (*indices, *values) = (&indices[taken..], &values[taken..]);
        }
    }

    /// Returns the number of entries in the tile.
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

/// Adds the products of a tile, in as many parts as the registers require.
struct AddTile<'t, 'r, 's> {
    tile: Tile<'t>,
    walk: &'s mut Walk<'r>,
    sums: &'s mut [Lane],
}

impl SimdJob for AddTile<'_, '_, '_> {
    type Outcome = ();

    #[inline(always)]
    unsafe fn run<R: Registers>(self) {
        let AddTile { tile, walk, sums } = self;
        match (R::LEVEL, tile.lanes) {
            (Level::Portable, _) => tile.in_parts::<16>(walk, sums),
            #[cfg(target_arch = "x86_64")]
            (Level::Avx2, _) => tile.in_parts::<32>(walk, sums),
            // A panel that is not full needs fewer sums.
            #[cfg(target_arch = "x86_64")]
            (Level::Avx512, 0..=16) => tile.in_parts::<16>(walk, sums),
            #[cfg(target_arch = "x86_64")]
            (Level::Avx512, 17..=32) => tile.in_parts::<32>(walk, sums),
            #[cfg(target_arch = "x86_64")]
            (Level::Avx512, 33..=48) => tile.in_parts::<48>(walk, sums),
            #[cfg(target_arch = "x86_64")]
            (Level::Avx512, _) => tile.in_parts::<64>(walk, sums),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Rows;
    use crate::kernel::{CanonicalRows, inner_product, panel};

    /// Enough features for several tiles, some of them in one row only, and panels of 1 to 64 rows. With all registers,
    /// each product is that of the pair of rows alone.
    #[test]
    fn every_width_gives_the_products_of_pairs() {
        const FEATURES: usize = 300;
        let cell = |place: usize| match place * place % 7 {
            0..2 => 0.0,
            _ => ((place * 7_919 + 13) % 1_009) as f64 / 100.0 - 5.0,
        };
        for (rows, modulus) in [(1, 1), (16, 1), (17, 3), (33, 1), (64, 1), (70, 1), (70, 40)] {
            let cell = |place: usize| if place.is_multiple_of(modulus) { cell(place) } else { 0.0 };
            let values: Vec<f64> = (0..rows * FEATURES).map(cell).collect();
            let packed = CanonicalRows::new(&Rows::dense(values, FEATURES).unwrap());
            let all: Vec<usize> = (0..rows).collect();
            for panel in panel::panels(&packed, &all) {
                let mut ways = [(); 4].map(|()| vec![Lane::ZERO; rows]);
                let [fastest, wide, middle, narrow] = &mut ways;
                let slots = panel.slots(FEATURES);
                panel.tiles(&slots, &packed, 0..rows, |tile, walk| tile.add(walk, fastest));
                panel.tiles(&slots, &packed, 0..rows, |tile, walk| {
                    tile.in_parts::<64>(walk, wide);
                });
                panel.tiles(&slots, &packed, 0..rows, |tile, walk| {
                    tile.in_parts::<32>(walk, middle);
                });
                panel.tiles(&slots, &packed, 0..rows, |tile, walk| {
                    tile.in_parts::<16>(walk, narrow);
                });
                for (i, place) in (0..rows).flat_map(|i| (0..panel.len).map(move |p| (i, p))) {
                    let pair = inner_product(packed.row(i), packed.row(panel.first + place));
                    for way in &ways {
                        assert_eq!(way[i][place].to_bits(), pair.to_bits(), "{rows} {i} {place}");
                    }
                }
            }
        }
    }
}

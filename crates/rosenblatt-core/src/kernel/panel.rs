//! Kernel values of many rows with a panel of rows at once, like a matrix product.
//!
//! A panel holds [`WIDTH`] rows, feature by feature, so that an entry of another row is multiplied with the same
//! feature of all of them at once. Each sum is still taken separately, in ascending order of the features. The values
//! are bit-for-bit those of [`inner_product`](super::inner_product).

use std::ops::Range;

use super::{
    CanonicalRows, GROUP, Kernel, KernelCache,
    tile::{Lane, Tile, WIDTH, Walk},
};

/// Up to [`WIDTH`] rows, feature by feature.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    /// The features that occur, in ascending order, each with its values in all rows.
    features: Vec<u32>,
    values: Vec<Lane>,
    squares: Lane,
    /// The first of the panel's rows in the list from which the panels were built, and their number.
    pub(crate) first: usize,
    pub(crate) len: usize,
}

/// The slot of each feature in a panel.
pub(super) struct Slots(Vec<u32>);

const ABSENT: u32 = u32::MAX;

impl Slots {
    fn fill(&mut self, panel: &Panel) {
        for (&feature, slot) in panel.features.iter().zip(0..) {
            self.0[feature as usize] = slot;
        }
    }

    fn clear(&mut self, panel: &Panel) {
        panel.features.iter().for_each(|&feature| self.0[feature as usize] = ABSENT);
    }
}

/// Builds panels from these rows, in order.
pub(crate) fn panels(rows: &CanonicalRows, places: &[usize]) -> Vec<Panel> {
    let mut slots = Slots(vec![ABSENT; rows.features()]);
    let chunks = places.chunks(WIDTH).enumerate();
    chunks.map(|(i, places)| Panel::new(rows, i * WIDTH, places, &mut slots)).collect()
}

impl Panel {
    fn new(rows: &CanonicalRows, first: usize, places: &[usize], slots: &mut Slots) -> Self {
        let mut panel = Panel {
            features: Vec::new(),
            values: Vec::new(),
            squares: Lane::ZERO,
            first,
            len: places.len(),
        };
        for &place in places {
            for &j in rows.entries(place).0 {
                let slot = &mut slots.0[j as usize];
                if *slot == ABSENT {
                    *slot = 0;
                    panel.features.push(j);
                }
            }
        }
        panel.features.sort_unstable();
        slots.fill(&panel);
        panel.values.resize(panel.features.len(), Lane::ZERO);
        for (lane, &place) in places.iter().enumerate() {
            let (indices, values) = rows.entries(place);
            for (&j, &x) in indices.iter().zip(values) {
                panel.values[slots.0[j as usize] as usize][lane] = x;
            }
            panel.squares[lane] = rows.square(place);
        }
        slots.clear(&panel);
        panel
    }

    /// The products of rows with all rows of the panel.
    fn products(&self, slots: &Slots, rows: &CanonicalRows, range: Range<usize>, out: &mut [Lane]) {
        out.fill(Lane::ZERO);
        self.tiles(slots, rows, range, |tile, walk| tile.add(walk, out));
    }

    /// Calls `f` with the tiles of the panel in ascending order and the rows.
    pub(super) fn tiles(
        &self,
        slots: &Slots,
        rows: &CanonicalRows,
        range: Range<usize>,
        mut f: impl FnMut(Tile<'_>, &mut Walk<'_>),
    ) {
        /// The number of features of a panel that fit the L1 cache together with a row and its sums.
        const FEATURES: usize = 64;
        /// With fewer entries of a row in a tile, reading its sums takes longer than reading the panel.
        const ENTRIES: usize = 16;
        let (offsets, ..) = rows.parts();
        let entries = (offsets[range.end] - offsets[range.start]) / range.len().max(1);
        let tiles = (self.features.len() / FEATURES).min(entries / ENTRIES).max(1);
        let length = self.features.len().div_ceil(tiles).max(1);
        let mut walk = Walk { rows: range.map(|i| rows.entries(i)).collect() };
        for first in (length..self.features.len()).step_by(length).chain([self.features.len()]) {
            let end = self.features.get(first).map_or(usize::MAX, |&feature| feature as usize);
            let tile = Tile { end, slots: &slots.0, values: &self.values, lanes: self.len };
            f(tile, &mut walk);
        }
    }

    /// The slot of each of `features` features.
    #[cfg(test)]
    pub(super) fn slots(&self, features: usize) -> Slots {
        let mut slots = Slots(vec![ABSENT; features]);
        slots.fill(self);
        slots
    }
}

/// Calls `f(panel, row, values)` for each panel and groups of rows of the range, of which `row` is the first. For each
/// row the panels come in order. Values past the rows of a smaller panel are undefined.
pub(crate) fn for_each_value(
    kernel: Kernel,
    panels: &[Panel],
    rows: &CanonicalRows,
    range: Range<usize>,
    mut f: impl FnMut(&Panel, usize, &[Lane]),
) {
    /// The number of rows that stay in the cache while all panels are used.
    const ROWS: usize = 128;
    // The rows may have fewer features than the panels.
    let of_panels = panels.iter().filter_map(|panel| panel.features.last());
    let features = of_panels.fold(rows.features(), |most, &j| most.max(j as usize + 1));
    let mut slots = Slots(vec![ABSENT; features]);
    let mut products = vec![Lane::ZERO; ROWS.min(range.len())];
    let mut start = range.start;
    while start < range.end {
        let end = range.end.min(start + ROWS);
        for panel in panels {
            slots.fill(panel);
            let lanes = &mut products[..end - start];
            panel.products(&slots, rows, start..end, lanes);
            slots.clear(panel);
            for (i, lane) in (start..end).zip(&mut *lanes) {
                kernel.values(&mut lane[..panel.len], rows.square(i), &panel.squares[..]);
            }
            f(panel, start, lanes);
        }
        start = end;
    }
}

/// Calls `f` with groups of up to [`GROUP`] rows of the range, in order. For each row of `support` it passes the kernel
/// values with the rows of the group. Values past the end of a smaller group are undefined.
///
/// Cost: the products with the supporting rows that are not cached.
pub(super) fn for_each_group(
    kernel: Kernel,
    (support, cache): (&CanonicalRows, &KernelCache),
    rows: &CanonicalRows,
    range: Range<usize>,
    mut f: impl FnMut(Range<usize>, &[[f64; GROUP]]),
) {
    /// The number of rows handled at once, limited by the memory of their values.
    const ROWS: Range<usize> = 64..256;
    const VALUES: usize = 1 << 18;
    let cached = |place: usize| cache.get(place).and_then(Option::as_deref);
    let (found, missing): (Vec<usize>, Vec<usize>) =
        (0..support.len()).partition(|&place| cached(place).is_some());
    let panels = panels(support, &missing);
    let at_once = (VALUES / support.len().max(1)).clamp(ROWS.start, ROWS.end) / GROUP * GROUP;
    let mut values = vec![[0.0; GROUP]; at_once / GROUP * support.len()];
    let mut start = range.start;
    while start < range.end {
        let end = range.end.min(start + at_once);
        for &place in &found {
            let own = cached(place).map_or(&[][..], |own| &own[start..end]);
            for (group, own) in own.chunks(GROUP).enumerate() {
                values[group * support.len() + place][..own.len()].copy_from_slice(own);
            }
        }
        for_each_value(kernel, &panels, rows, start..end, |panel, first, lanes| {
            let places = &missing[panel.first..][..panel.len];
            for (group, lanes) in ((first - start) / GROUP..).zip(lanes.chunks(GROUP)) {
                let own = &mut values[group * support.len()..][..support.len()];
                for (number, &place) in places.iter().enumerate() {
                    let cells = own[place].iter_mut().zip(lanes);
                    cells.for_each(|(cell, lane)| *cell = lane[number]);
                }
            }
        });
        for (group, first) in (start..end).step_by(GROUP).enumerate() {
            let own = &values[group * support.len()..][..support.len()];
            f(first..end.min(first + GROUP), own);
        }
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{data::Rows, kernel::inner_product};

    /// For groups that are not full, several panels and a range that begins in the middle, with any cached values.
    #[test]
    fn cached_values_change_no_value() {
        const FEATURES: usize = 40;
        let cell = |place: usize| match place * place % 5 {
            0 => 0.0,
            _ => ((place * 7_919 + 13) % 1_009) as f64 / 100.0 - 5.0,
        };
        let pack = |rows: usize, first: usize| {
            let values: Vec<f64> = (first..first + rows * FEATURES).map(cell).collect();
            CanonicalRows::new(&Rows::dense(values, FEATURES).unwrap())
        };
        for text in ["poly:3", "rbf:0.01"] {
            let kernel: Kernel = text.parse().unwrap();
            for (supporting, others) in [(1, 3), (70, 29), (150, 300)] {
                let (support, rows) = (pack(supporting, 0), pack(others, 17));
                let value = |place: usize, row: usize| {
                    let product = inner_product(support.row(place), rows.row(row));
                    kernel.value(product, (rows.square(row), support.square(place)))
                };
                for (listed, modulus) in [(0, 1), (supporting, 1), (supporting, 3), (40, 2)] {
                    let of = |place: usize| (0..others).map(|row| value(place, row)).collect();
                    let cached = |place: usize| place.is_multiple_of(modulus).then(|| of(place));
                    let cache: Vec<_> = (0..supporting.min(listed)).map(cached).collect();
                    let mut next = others / 3;
                    for_each_group(
                        kernel,
                        (&support, &cache),
                        &rows,
                        next..others,
                        |group, values| {
                            assert_eq!(group.start, next);
                            next = group.end;
                            for (lane, row) in group.enumerate() {
                                for (place, values) in values.iter().enumerate() {
                                    let pair = value(place, row);
                                    assert_eq!(values[lane].to_bits(), pair.to_bits());
                                }
                            }
                        },
                    );
                    assert_eq!(next, others);
                }
            }
        }
    }
}

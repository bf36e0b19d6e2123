//! Kernel values of many rows with a panel of rows at once: the matrix product of kernel methods.
//!
//! A panel holds [`WIDTH`] rows, feature by feature, so that one entry of another row meets the
//! same feature of all of them in one go. Each sum is still taken in ascending order of the features,
//! by itself: the values are those of [`inner_product`](super::inner_product), to the last bit.

use std::ops::Range;

use super::{Kernel, Packed};

/// The number of rows of a panel: as many sums as the registers of a core hold.
pub(super) const WIDTH: usize = 32;

/// The values of one row with the rows of a panel.
pub(super) type Lane = [f64; WIDTH];

/// Up to [`WIDTH`] rows, feature by feature.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    /// The features that occur, each with the rows' values for it.
    features: Vec<u32>,
    values: Vec<Lane>,
    squares: Lane,
    /// The first of its rows among those it was made of, and how many there are.
    pub(super) first: usize,
    pub(super) len: usize,
}

/// Where a panel holds each feature.
struct Slots(Vec<u32>);

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

/// Panels of these rows, in order.
pub(super) fn panels(rows: &Packed, places: &[usize]) -> Vec<Panel> {
    let mut slots = Slots(vec![ABSENT; rows.features()]);
    let chunks = places.chunks(WIDTH).enumerate();
    chunks.map(|(i, places)| Panel::new(rows, i * WIDTH, places, &mut slots)).collect()
}

impl Panel {
    fn new(rows: &Packed, first: usize, places: &[usize], slots: &mut Slots) -> Self {
        let mut panel = Panel {
            features: Vec::new(),
            values: Vec::new(),
            squares: [0.0; WIDTH],
            first,
            len: places.len(),
        };
        for (lane, &place) in places.iter().enumerate() {
            let (indices, values) = rows.entries(place);
            for (&j, &x) in indices.iter().zip(values) {
                let slot = &mut slots.0[j as usize];
                if *slot == ABSENT {
                    *slot = panel.features.len() as u32;
                    panel.features.push(j);
                    panel.values.push([0.0; WIDTH]);
                }
                panel.values[*slot as usize][lane] = x;
            }
            panel.squares[lane] = rows.square(place);
        }
        slots.clear(&panel);
        panel
    }

    /// The products of a row with all rows of the panel.
    #[inline(always)]
    fn products(&self, slots: &Slots, (indices, values): (&[u32], &[f64])) -> Lane {
        let mut sums = [0.0; WIDTH];
        for (&j, &x) in indices.iter().zip(values) {
            let slot = slots.0[j as usize];
            if slot != ABSENT {
                let lane = &self.values[slot as usize];
                for (sum, z) in sums.iter_mut().zip(lane) {
                    *sum += x * z;
                }
            }
        }
        sums
    }

    /// The products of rows `range` with all rows of the panel.
    #[inline(always)]
    fn all_products(&self, slots: &Slots, rows: &Packed, range: Range<usize>, out: &mut [Lane]) {
        for (i, out) in range.zip(out) {
            *out = self.products(slots, rows.entries(i));
        }
    }

    /// The same with the wide registers where the processor has them. They change how many sums
    /// are taken at once, not the order within one, and multiply and add stay two roundings.
    fn all_products_fast(
        &self,
        slots: &Slots,
        rows: &Packed,
        range: Range<usize>,
        out: &mut [Lane],
    ) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            fn wide(
                panel: &Panel,
                slots: &Slots,
                rows: &Packed,
                range: Range<usize>,
                out: &mut [Lane],
            ) {
                panel.all_products(slots, rows, range, out);
            }
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the function needs AVX2 and nothing else, and AVX2 was just detected.
                #[allow(unsafe_code)]
                return unsafe { wide(self, slots, rows, range, out) };
            }
        }
        self.all_products(slots, rows, range, out);
    }
}

/// Calls `f(panel, row, values)` for each row of the range with each panel; for one row the panels
/// come in their order.
pub(super) fn for_each_value(
    kernel: Kernel,
    panels: &[Panel],
    rows: &Packed,
    range: Range<usize>,
    mut f: impl FnMut(&Panel, usize, &Lane),
) {
    /// So many rows stay in the cache while the panels pass by.
    const ROWS: usize = 256;
    // The rows may have fewer features than the panels.
    let of_panels = panels.iter().flat_map(|panel| &panel.features);
    let features = of_panels.fold(rows.features(), |most, &j| most.max(j as usize + 1));
    let mut slots = Slots(vec![ABSENT; features]);
    let mut products = vec![[0.0; WIDTH]; ROWS];
    let mut start = range.start;
    while start < range.end {
        let end = range.end.min(start + ROWS);
        for panel in panels {
            slots.fill(panel);
            panel.all_products_fast(&slots, rows, start..end, &mut products);
            slots.clear(panel);
            for (i, lane) in (start..end).zip(&mut products) {
                let square = rows.square(i);
                for (value, &other) in lane.iter_mut().zip(&panel.squares) {
                    *value = kernel.value(*value, (square, other));
                }
                f(panel, i, lane);
            }
        }
        start = end;
    }
}

/// Calls `f` with each row of the range and its kernel values with all rows of `support`.
pub(crate) fn for_each_row(
    kernel: Kernel,
    support: &Packed,
    rows: &Packed,
    range: Range<usize>,
    mut f: impl FnMut(usize, &[f64]),
) {
    /// So many rows are done at once.
    const ROWS: usize = 64;
    let all: Vec<usize> = (0..support.len()).collect();
    let panels = panels(support, &all);
    let mut values = vec![0.0; ROWS * support.len()];
    let mut start = range.start;
    while start < range.end {
        let end = range.end.min(start + ROWS);
        for_each_value(kernel, &panels, rows, start..end, |panel, i, lane| {
            let own = &mut values[(i - start) * support.len() + panel.first..][..panel.len];
            own.copy_from_slice(&lane[..panel.len]);
        });
        for i in start..end {
            f(i, &values[(i - start) * support.len()..][..support.len()]);
        }
        start = end;
    }
}

//! The dual form in training: running scores of all rows, updated block by block.
//!
//! A block is a range of visits. At its start, the running scores of its examples include all earlier updates. Within
//! the block, each misclassified row changes the scores of the examples that follow in the block, by one kernel value
//! each. So every decision uses the current weights. At the end of the block its misclassified rows form panels, and
//! one product updates the scores of all rows. Rows are misclassified repeatedly, so their kernel values with all rows
//! are cached as far as memory allows.
//!
//! # Why blocks do not change decisions
//! A decision is the sign of Σ cⱼK(xⱼ, x) + b over the stored coefficients and the kernel values, and a kernel value is
//! the same float however it was computed ([`Kernel`]). A running score is the sum of step times kernel value over the
//! m updates, in the order in which blocks added them, with each term rounded. A coefficient is the rounded sum of the
//! steps of its row. By the argument of [`exact`](crate::exact) each of the two differs from the true sum by at most
//! that of m + 1 roundings a term. So the distance of running score and exact score is at most the bound of 2m + 2
//! terms of the same magnitudes. If the running score is not farther from 0 than that, the exact score decides. So
//! neither the length of a block nor the number of threads can change a decision.

mod restore;
mod running_example;
mod task;

use std::{borrow::Cow, cell::RefCell, cmp::Ordering};

use running_example::RunningExample;
use task::Task;

use crate::{
    data::Rows,
    hyperplane::{Hyperplane, NormBounds},
    kernel::{CanonicalRows, Kernel, KernelCache, panel, spread::Spread, tile::WIDTH},
    options::Resources,
    radius::Radius,
    rules::ExampleView,
    space::{DualSpace, KernelScores, Space, SupportState},
};

/// The training rows in the space of a kernel.
#[derive(Debug)]
pub(crate) struct BlockDualSpace<'a> {
    dual: DualSpace<'a>,
    resources: Resources,
    /// For each row and hyperplane the score without the bias at the end of the last block, and the sum of the
    /// magnitudes of its terms.
    running: Vec<(f64, f64)>,
    /// The number of updates of each hyperplane.
    update_counts: Vec<usize>,
    /// For some supporting rows the cached kernel values with all rows.
    cache: Vec<Option<Vec<f64>>>,
    /// The number of values that still fit in the cache.
    cache_room: usize,
    /// The examples of this epoch in their order, and the position of the next visit.
    order: Vec<usize>,
    next: usize,
    block: Block,
    /// The updates of the current block.
    pending: Vec<PendingUpdate>,
    spread: RefCell<Spread>,
}

#[derive(Clone, Copy, Debug)]
struct PendingUpdate {
    place: u32,
    plane: u32,
    step: f64,
}

#[derive(Debug, Default)]
struct Block {
    /// The position of the first visit in the order.
    start: usize,
    examples: Vec<usize>,
    /// The scores of the examples with the current weights, as in `running`.
    scores: Vec<(f64, f64)>,
    /// The current visit within the block.
    visit: usize,
    /// The kernel values of its example with the later examples, once they are needed.
    values: Option<Vec<f64>>,
    /// The number of misclassified rows.
    misclassified: usize,
}

impl<'a> BlockDualSpace<'a> {
    /// The rows, with running scores of `planes` hyperplanes. `is_once`: the run has one epoch, so no row is visited
    /// twice. `is_evaluated`: weights other than the last will also be scored on all rows.
    pub(crate) fn new(
        kernel: Kernel,
        rows: &'a CanonicalRows,
        planes: usize,
        resources: Resources,
        (is_once, is_evaluated): (bool, bool),
    ) -> Self {
        /// With fewer entries per row, computing a value is as fast as allocating memory for it.
        const ENTRIES: usize = 64;
        let is_costly = rows.parts().2.len() / rows.len().max(1) >= ENTRIES;
        let is_cached = !is_once || (is_evaluated && is_costly);
        BlockDualSpace {
            dual: DualSpace::new(kernel, rows, planes, resources.threads),
            resources,
            running: vec![(0.0, 0.0); rows.len() * planes],
            update_counts: vec![0; planes],
            cache: Vec::new(),
            cache_room: if is_cached { resources.memory / size_of::<f64>() } else { 0 },
            order: Vec::new(),
            next: 0,
            block: Block::default(),
            pending: Vec::new(),
            spread: RefCell::new(Spread::new(rows.features())),
        }
    }

    /// The cached kernel values of the supporting rows with each other.
    fn cached_on_support(&self) -> Vec<Option<Vec<f64>>> {
        let on_support =
            |values: &Vec<f64>| self.dual.support.iter().map(|&row| values[row]).collect();
        self.cache.iter().map(|values| values.as_ref().map(on_support)).collect()
    }

    fn begin_block(&mut self, start: usize) {
        self.bring_up_to_date();
        let length = self.next_length();
        let end = self.order.len().min(start + length);
        let examples = self.order[start..end].to_vec();
        let planes = self.dual.planes;
        let scores = |&i: &usize| self.running[i * planes..][..planes].iter().copied();
        let scores = examples.iter().flat_map(scores).collect();
        self.block = Block { start, examples, scores, ..Block::default() };
    }

    /// The number of visits that fill several panels at the current rate of mistakes.
    fn next_length(&self) -> usize {
        const PANELS: usize = 2;
        const FIRST: usize = 256;
        let before = self.block.examples.len();
        let guess = match (self.resources.block, before) {
            (Some(length), _) => length,
            (None, 0) => FIRST,
            _ => (before * PANELS * WIDTH / self.block.misclassified.max(1)).clamp(64, 1 << 14),
        };
        guess.max(1)
    }

    /// The kernel values of a row with the supporting rows.
    fn values_on_support(&self, example: usize) -> Vec<f64> {
        let mut values = vec![0.0; self.dual.support.len()];
        let missing = (0..values.len()).filter(|&place| self.cache[place].is_none());
        let missing: Vec<usize> = missing.collect();
        for (value, cached) in values.iter_mut().zip(&self.cache) {
            *value = cached.as_ref().map_or(0.0, |cached| cached[example]);
        }
        let mut next = missing.iter();
        let others = missing.iter().map(|&place| self.dual.support[place]);
        self.for_each_value(example, others, |value| {
            next.next().into_iter().for_each(|&place| values[place] = value);
        });
        values
    }

    fn for_each_value(
        &self,
        example: usize,
        others: impl Iterator<Item = usize>,
        mut f: impl FnMut(f64),
    ) {
        let square = self.dual.rows.square(example);
        let value = |other: usize, product: f64| {
            f(self.dual.kernel.value(product, (square, self.dual.rows.square(other))));
        };
        self.spread.borrow_mut().products((self.dual.rows, example), self.dual.rows, others, value);
    }

    /// Records an update, and changes the scores of the examples that follow in the block.
    fn record_update(&mut self, example: usize, plane: usize, step: f64) {
        if !self.dual.is_supporting(example) {
            self.cache.push(None);
        }
        let place = self.dual.count_update(example, plane);
        self.update_counts[plane] += 1;
        self.pending.push(PendingUpdate { place, plane: plane as u32, step });
        let values = match self.block.values.take() {
            Some(values) => values,
            None => {
                self.block.misclassified += 1;
                self.values_in_block(example, place)
            }
        };
        let (visit, planes) = (self.block.visit, self.dual.planes);
        let after = self.block.scores[(visit + 1) * planes..].iter_mut().skip(plane);
        for ((sum, magnitude), value) in after.step_by(planes).zip(&values) {
            let product = step * value;
            *sum += product;
            *magnitude += product.abs();
        }
        self.block.values = Some(values);
    }

    fn values_in_block(&self, example: usize, place: u32) -> Vec<f64> {
        let after = &self.block.examples[self.block.visit + 1..];
        if let Some(cached) = &self.cache[place as usize] {
            return after.iter().map(|&other| cached[other]).collect();
        }
        let mut values = Vec::with_capacity(after.len());
        self.for_each_value(example, after.iter().copied(), |value| values.push(value));
        values
    }

    /// Adds the updates of the block to the running scores of all rows.
    fn bring_up_to_date(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let updates = std::mem::take(&mut self.pending);
        let mut places: Vec<u32> = updates.iter().map(|one| one.place).collect();
        places.dedup();
        let (cached, new): (Vec<u32>, Vec<u32>) =
            places.into_iter().partition(|&place| self.cache[place as usize].is_some());
        let steps = |of: &[u32]| -> Vec<Vec<PendingUpdate>> {
            let of_place = |&place: &u32| {
                updates.iter().filter(|one| one.place == place).copied().collect::<Vec<_>>()
            };
            of.iter().map(of_place).collect()
        };
        let (cached_steps, new_steps) = (steps(&cached), steps(&new));
        let new_rows: Vec<usize> =
            new.iter().map(|&place| self.dual.support[place as usize]).collect();
        let panels = panel::panels(self.dual.rows, &new_rows);
        let to_cache = (self.cache_room / self.dual.rows.len().max(1)).min(new.len());
        self.cache_room -= to_cache * self.dual.rows.len();
        let task = Task {
            kernel: self.dual.kernel,
            rows: self.dual.rows,
            planes: self.dual.planes,
            panels: &panels,
            new_steps: &new_steps,
            cached: cached.iter().map(|&place| self.cache[place as usize].as_deref()).collect(),
            cached_steps: &cached_steps,
            to_cache,
        };
        let values = task.run(&mut self.running, self.resources.threads);
        for (place, values) in new.into_iter().zip(values) {
            self.cache[place as usize] = Some(values);
        }
    }
}

impl<'a> Space for BlockDualSpace<'a> {
    type Example<'s>
        = RunningExample<'s, 'a>
    where
        Self: 's;
    type Scores<'s>
        = KernelScores<'s>
    where
        Self: 's;

    fn dimension(&self) -> usize {
        self.dual.dimension()
    }

    fn radius(&self) -> Radius {
        self.dual.radius()
    }

    fn uncertainty(&self) -> f64 {
        self.dual.uncertainty()
    }

    fn begin_epoch(&mut self, order: &[usize]) {
        self.order.clear();
        self.order.extend_from_slice(order);
        self.next = 0;
    }

    fn example(&mut self, example: usize, plane: usize) -> RunningExample<'_, 'a> {
        if plane == 0 {
            let place = self.next;
            if place == 0 || place >= self.block.start + self.block.examples.len() {
                self.begin_block(place);
            }
            self.block.visit = place - self.block.start;
            self.block.values = None;
            self.next += 1;
        }
        let score = self.block.scores[self.block.visit * self.dual.planes + plane];
        RunningExample::new(self, example, plane, score)
    }

    fn updated(&mut self, example: usize, plane: usize, step: f64) {
        self.record_update(example, plane, step);
    }

    fn compare(&mut self, example: usize, plane: usize, hyperplane: &Hyperplane) -> Ordering {
        self.bring_up_to_date();
        let score = self.running[example * self.dual.planes + plane];
        RunningExample::new(self, example, plane, score).compare(hyperplane, 0.0)
    }

    fn scores<'s>(&'s self, planes: &'s [Hyperplane]) -> KernelScores<'s> {
        self.dual.expand(planes, (Cow::Borrowed(self.dual.rows), &self.cache))
    }

    fn current_scores<'s>(&'s self, planes: &'s [Hyperplane]) -> KernelScores<'s> {
        let dual = &self.dual;
        let support = (dual.rows.select(&dual.support), planes);
        let most = self.update_counts.iter().max().copied().unwrap_or(0);
        KernelScores::with_estimates(dual.kernel, support, dual.rows, (&self.running, 2 * most + 4))
    }

    fn end_visits(&mut self) {
        self.bring_up_to_date();
    }

    fn support_state(&self) -> Option<SupportState> {
        self.dual.support_state()
    }

    fn restore(&mut self, state: &SupportState, planes: &[&Hyperplane]) {
        self.load_coefficients(state, planes);
    }

    fn cached_values(&self, examples: &[usize]) -> Option<(&CanonicalRows, &KernelCache)> {
        let is_own = examples == self.dual.support;
        Some((self.dual.rows, if is_own { self.cache.as_slice() } else { &[] }))
    }

    fn scores_on<'s>(&'s self, planes: &'s [Hyperplane], rows: &'s Rows<'s>) -> KernelScores<'s> {
        self.dual.scores_on(planes, rows)
    }

    fn norm_bounds(&self, planes: &[Hyperplane], bias_coordinates: &[f64]) -> Vec<NormBounds> {
        self.dual.norm_bounds_with_cache(planes, bias_coordinates, &self.cached_on_support())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        data::{Labelled, Scheme},
        keep::Keep,
        options::Options,
        train::fit,
    };

    /// With no, some or all values cached, in one epoch or more: the model and the report are identical.
    #[test]
    fn memory_changes_nothing() {
        const FEATURES: usize = 70;
        const EXAMPLES: usize = 300;
        let cell = |place: usize| ((place * 7_919 + 13) % 1_009) as f64 / 1_000.0 - 0.6;
        let values: Vec<f64> = (0..EXAMPLES * FEATURES).map(cell).collect();
        let rows = Rows::dense(values, FEATURES).unwrap();
        for classes in [2, 3] {
            let class = |i: usize| (i * i % 7 % classes) as u32;
            let own: Vec<u32> = (0..EXAMPLES).map(class).collect();
            let scheme = match classes {
                2 => Scheme::Two { positive: 1 },
                _ => Scheme::OneVsRest { classes },
            };
            let labelled = Labelled::new(&rows, &own, scheme).unwrap();
            for (keep, epochs) in
                [(Keep::Vote, 1), (Keep::Vote, 3), (Keep::Average, 1), (Keep::Auto, 2)]
            {
                let run = |memory: usize, threads: usize| {
                    let kernel = Some("poly:3".parse().unwrap());
                    let options = Options { kernel, keep, epochs, ..Options::default() };
                    let resources = Resources { memory, threads, ..Resources::default() };
                    let run = fit(&labelled, &options, &resources, None, &mut ()).unwrap();
                    assert!(run.report.support.unwrap() > 50);
                    (run.classifier, run.report)
                };
                let naive = run(0, 1);
                for (kept, threads) in [(40, 1), (1 << 20, 1), (40, 2), (1 << 20, 2)] {
                    let found = run(kept * EXAMPLES * size_of::<f64>(), threads);
                    assert_eq!(found, naive, "{classes} {keep:?} {epochs} {kept} {threads}");
                }
            }
        }
    }
}

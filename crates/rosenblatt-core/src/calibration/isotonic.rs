//! Isotonic regression of labels on scores: pool adjacent violators.

use super::{groups::Group, steps::Steps};

/// The step function that never falls with the least squared error on the rows: each step is the share of positive rows
/// of a block, the quotient of two counts. Between two blocks the step is in the middle.
///
/// Cost: linear in the number of groups.
pub(super) fn fit(groups: &[Group]) -> Steps {
    let blocks = blocks(groups);
    let value = |block: &Block| block.positives as f64 / block.rows as f64;
    let steps =
        blocks.windows(2).map(|pair| (middle(pair[0].highest, pair[1].lowest), value(&pair[1])));
    Steps::new(blocks.first().map_or(0.0, value), steps)
}

/// Groups with one value.
struct Block {
    lowest: f64,
    highest: f64,
    positives: u64,
    rows: u64,
}

/// Joins neighbours until the shares of positive rows rise. They are compared as fractions.
fn blocks(groups: &[Group]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for &Group { score, positives, rows } in groups {
        let mut last = Block { lowest: score, highest: score, positives, rows };
        while let Some(before) = blocks.pop_if(|before| !is_below(before, &last)) {
            let (positives, rows) = (before.positives + last.positives, before.rows + last.rows);
            last = Block { lowest: before.lowest, positives, rows, ..last };
        }
        blocks.push(last);
    }
    blocks
}

fn is_below(one: &Block, other: &Block) -> bool {
    let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
    product(one.positives, other.rows) < product(other.positives, one.rows)
}

/// The middle of two scores, above the lower one.
fn middle(low: f64, high: f64) -> f64 {
    let middle = low / 2.0 + high / 2.0;
    if middle > low && middle < high { middle } else { high }
}

//! The weights that a run visits, stored as its updates and the visits each survived.

use crate::events::Visit;

/// An update and the number of visits that its weights survived.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct UpdateRecord {
    /// The place of the row among the training rows, or among the supporting rows of a [`Voted`](super::Voted).
    pub row: u32,
    /// The step with the sign of the example.
    pub step: f64,
    /// The number of visits with these weights, including that of the update.
    pub survived: u64,
}

/// All weights that a run visited.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct WeightSequence {
    /// The number of visits before the first update.
    pub start: u64,
    /// The updates.
    pub moves: Vec<UpdateRecord>,
}

impl WeightSequence {
    /// Must be called after each visit, with the row of the example.
    pub fn visited(&mut self, row: usize, visit: Visit) {
        if visit.updated {
            self.moves.push(UpdateRecord { row: row as u32, step: visit.step, survived: 1 });
        } else if let Some(last) = self.moves.last_mut() {
            last.survived += 1;
        } else {
            self.start += 1;
        }
    }

    /// The number of visits.
    pub fn visits(&self) -> u64 {
        self.moves.iter().fold(self.start, |sum, one| sum.saturating_add(one.survived))
    }

    /// Checks that the updates fit `rows` rows. Biases are summed as in the run.
    pub(super) fn check(&self, rows: usize, bias_unit: f64) -> Result<(), &'static str> {
        if !(bias_unit >= 0.0 && bias_unit.is_finite()) {
            return Err("its bias unit is not a number ≥ 0");
        }
        if self.moves.iter().any(|one| one.row as usize >= rows) {
            return Err("an update refers to a missing row");
        }
        let mut bias = 0.0;
        let is_finite = |one: &UpdateRecord| {
            bias += one.step * bias_unit;
            one.step.is_finite() && f64::is_finite(bias)
        };
        if !self.moves.iter().all(is_finite) {
            return Err("its steps are past the range of 64-bit numbers");
        }
        if self.visits() > 1 << 62 {
            return Err("it counts more visits than there can be");
        }
        Ok(())
    }

    /// The weight sequence of the same run after `visits` visits.
    pub fn until(&self, visits: u64) -> WeightSequence {
        let mut left = visits.saturating_sub(self.start);
        let mut path = WeightSequence { start: self.start.min(visits), moves: Vec::new() };
        for one in &self.moves {
            if left == 0 {
                break;
            }
            let survived = one.survived.min(left);
            path.moves.push(UpdateRecord { survived, ..*one });
            left -= survived;
        }
        path
    }

    /// The number of updates during the first `time + 1` visits.
    pub(super) fn updates_at(&self, time: u64) -> usize {
        let mut passed = self.start;
        let before = self.moves.iter().take_while(|one| {
            let begun = passed <= time;
            passed += one.survived;
            begun
        });
        before.count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(start: u64, survived: &[u64]) -> WeightSequence {
        let moves = survived.iter().zip(0..);
        let moves =
            moves.map(|(&survived, row)| UpdateRecord { row, step: 1.0, survived }).collect();
        WeightSequence { start, moves }
    }

    #[test]
    fn a_path_can_be_cut() {
        let whole = path(2, &[1, 3, 2]);
        assert_eq!(whole.visits(), 8);
        assert_eq!(whole.until(1), path(1, &[]));
        assert_eq!(whole.until(3), path(2, &[1]));
        assert_eq!(whole.until(5), path(2, &[1, 2]));
        assert_eq!(whole.until(100), whole);
        let updates: Vec<usize> = (0..8).map(|time| whole.updates_at(time)).collect();
        assert_eq!(updates, [0, 0, 1, 2, 2, 2, 3, 3]);
    }
}

//! Step functions that never fall.

/// A step function of the score: a value below the first step, and a value from each step on.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Steps {
    /// The scores of the steps, rising.
    starts: Vec<f64>,
    /// One value more than steps, from 0 to 1, none below the one before.
    values: Vec<f64>,
}

impl Steps {
    /// A step function from the value below the first step, and each step with its value. Steps that change nothing are
    /// left out.
    pub(super) fn new(first: f64, steps: impl Iterator<Item = (f64, f64)>) -> Self {
        let mut built = Steps { starts: Vec::new(), values: vec![first] };
        for (start, value) in steps {
            if built.values.last() != Some(&value) {
                built.starts.push(start);
                built.values.push(value);
            }
        }
        built
    }

    /// A step function from its numbers, which may be wrong.
    pub fn of_parts(starts: Vec<f64>, values: Vec<f64>) -> Self {
        Steps { starts, values }
    }

    /// The scores of the steps, rising.
    pub fn starts(&self) -> &[f64] {
        &self.starts
    }

    /// The value below the first step, then that of each step.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The value at a score; at a step, its value.
    pub fn at(&self, score: f64) -> f64 {
        self.values[self.starts.partition_point(|&start| start <= score)]
    }

    /// The value at a score; at a step, the one before it.
    pub fn before(&self, score: f64) -> f64 {
        self.values[self.starts.partition_point(|&start| start < score)]
    }

    /// The function of the negated score whose values are 1 minus these. `place` moves the negated steps.
    pub(super) fn mirrored(&self, place: impl Fn(f64) -> f64) -> Self {
        Steps {
            starts: self.starts.iter().rev().map(|start| place(0.0 - start)).collect(),
            values: self.values.iter().rev().map(|value| 1.0 - value).collect(),
        }
    }

    pub(super) fn is_sound(&self) -> bool {
        let is_share = |value: &f64| (0.0..=1.0).contains(value);
        self.values.len() == self.starts.len() + 1
            && self.starts.iter().all(|start| start.is_finite())
            && self.starts.windows(2).all(|pair| pair[0] < pair[1])
            && self.values.iter().all(is_share)
            && self.values.windows(2).all(|pair| pair[0] <= pair[1])
    }
}

//! Weighted errors.

/// A number of errors and the sum of their weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Loss {
    pub(crate) errors: usize,
    pub(crate) weight: u128,
}

impl Loss {
    /// Adds an example with this error weight; 0 means no error.
    pub(crate) fn add(&mut self, weight: u64) {
        self.errors += usize::from(weight > 0);
        self.weight += u128::from(weight);
    }
}

impl FromIterator<u64> for Loss {
    fn from_iter<I: IntoIterator<Item = u64>>(weights: I) -> Self {
        let mut loss = Loss::default();
        weights.into_iter().for_each(|weight| loss.add(weight));
        loss
    }
}

//! What a proof is about.

use rosenblatt_exact::{Row, Sign};

/// Examples of two classes: rows of as many features each, with finite numbers, and the sign of each.
///
/// A slice of rows with their signs is such examples; without rows it has no features.
///
/// ```
/// use rosenblatt_exact::{Row, Sign};
/// use rosenblatt_proofs::check::{Certificate, verify};
/// let examples = [(Row::from(&[1.0, 2.0]), Sign::Plus), (Row::from(&[2.0, 1.0]), Sign::Minus)];
/// let proof = Certificate::Yes { with_bias: false, weights: vec![-1.0, 1.0], bias: 0.0 };
/// assert_eq!(verify(&proof, &examples[..]), Ok(()));
/// ```
pub trait SignedRows {
    /// The number of features of every row.
    fn features(&self) -> usize;

    /// The number of examples.
    fn len(&self) -> usize;

    /// Example `i`, counted from 0 and less than [`Self::len`].
    fn get(&self, i: usize) -> (Row<'_>, Sign);

    /// Whether there are no examples.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The examples in their order.
    fn iter(&self) -> impl Iterator<Item = (Row<'_>, Sign)> {
        (0..self.len()).map(|i| self.get(i))
    }
}

/// Dense rows, or sparse rows of which the first has an entry at the last feature.
impl SignedRows for [(Row<'_>, Sign)] {
    fn features(&self) -> usize {
        self.first().map_or(0, |(row, _)| row.end())
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn get(&self, i: usize) -> (Row<'_>, Sign) {
        self[i]
    }
}

#[cfg(feature = "search")]
impl SignedRows for rosenblatt_core::data::Examples<'_> {
    fn features(&self) -> usize {
        self.features()
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn get(&self, i: usize) -> (Row<'_>, Sign) {
        self.get(i)
    }
}

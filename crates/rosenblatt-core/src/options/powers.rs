//! The powers of a penalty's factor, the first of them from a table.

use std::sync::Arc;

use super::penalty::{PowerAndSum, Shrinkage};

/// The binary digits of the numbers in the table.
const DIGITS: u32 = 12;

/// The numbers of [`Shrinkage::power_and_sum`].
#[derive(Clone, Debug)]
pub(crate) struct Powers {
    shrinkage: Shrinkage,
    /// Those of 0, 1, 2, …
    first: Arc<[PowerAndSum]>,
}

impl Shrinkage {
    /// The powers of the factor, the first of them from a table.
    pub(crate) fn powers(self) -> Powers {
        let first = (0..1 << DIGITS).map(|visits| self.power_and_sum(visits)).collect();
        Powers { shrinkage: self, first }
    }
}

impl Powers {
    /// The first digits of a number are in the table; the others are added by the definition.
    #[inline]
    pub(crate) fn power_and_sum(&self, visits: u64) -> PowerAndSum {
        let others = (u64::BITS - visits.leading_zeros()).saturating_sub(DIGITS);
        let start = self.first[(visits >> others) as usize];
        self.shrinkage.power_and_sum_from(start, visits, others)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::options::Penalty;

    proptest! {
        #[test]
        fn powers_are_those_of_the_definition(
            alpha in prop_oneof![Just(0.0), 1e-9..1.5f64],
            visits in prop_oneof![0u64..10_000, any::<u64>()],
        ) {
            let shrinkage = Penalty { alpha, l1_ratio: 0.25 }.shrinkage(1.0);
            prop_assert_eq!(shrinkage.powers().power_and_sum(visits), shrinkage.power_and_sum(visits));
        }
    }
}

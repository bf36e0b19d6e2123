//! Whether there is memory for as many numbers as features.

use std::{cell::Cell, fmt};

use crate::options::ReadOptions;

/// The bytes that a run holds for each feature: the weights, their sums for the average, the best so far, a scale, and as much
/// again for a proof.
const BYTES: usize = 64;

/// The number of features for which the memory is not asked for.
pub(crate) const FREE: usize = ReadOptions::MAX_FEATURES;

/// The memory for the weights of this many features is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom {
    /// The number of features.
    pub features: u64,
}

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = u128::from(self.features) * BYTES as u128;
        let gigabytes = bytes.div_ceil(1_000_000_000);
        write!(
            f,
            "{} features take about {gigabytes} GB of memory, more than there is",
            self.features
        )
    }
}

thread_local! {
    static IS_ASKING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread only asks for memory, so that an allocator may refuse it.
pub fn is_asking_for_room() -> bool {
    IS_ASKING.get()
}

/// Asks the system for the memory of this many features, and gives it back.
pub(crate) fn check(features: u64) -> Result<(), NoRoom> {
    let bytes = || usize::try_from(features).ok()?.checked_mul(BYTES);
    if features <= FREE as u64 {
        return Ok(());
    }
    IS_ASKING.set(true);
    let has_room = bytes().is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    IS_ASKING.set(false);
    if has_room { Ok(()) } else { Err(NoRoom { features }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No machine has the memory of as many features as a pointer can count.
    #[test]
    fn more_than_any_machine_has_is_refused() {
        assert_eq!(check(FREE as u64), Ok(()));
        let features = u64::MAX / 64;
        assert_eq!(check(features), Err(NoRoom { features }));
        let message = NoRoom { features: 1 << 32 }.to_string();
        assert_eq!(message, "4294967296 features take about 275 GB of memory, more than there is");
    }
}

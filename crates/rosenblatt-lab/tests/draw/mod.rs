//! Numbers drawn by a seed, the same on every machine.

/// A generator (Knuth's MMIX).
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    /// A whole number below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// One of a list.
    pub(crate) fn of<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize].clone()
    }
}

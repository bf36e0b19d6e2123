//! Everything that exists only for speed: without it every result has the same bits.

pub(crate) mod digits;
pub(crate) mod prefault;
pub(crate) mod structural_index;

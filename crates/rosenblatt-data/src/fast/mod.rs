//! Code that exists only for speed. Tests compare each routine with a plain one; no feature turns it off.

pub(crate) mod digits;
pub(crate) mod hash;
pub(crate) mod prefault;
pub(crate) mod quote_masks;
pub(crate) mod structural_index;

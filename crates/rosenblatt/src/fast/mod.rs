//! Everything that exists only for speed. Without this folder (the feature `fast`) every result is the same to the last bit.
//!
//! It is entered at three places, and each has its definition next to it:
//!
//! | place | by the definition | here |
//! |---|---|---|
//! | `train/epoch.rs` | visits one by one | [`epoch`]: inactive examples are skipped together, narrow rows are visited in registers |
//! | `evaluate/survey.rs` | every example by itself | [`skip_rows`]: examples that change no count are skipped together |
//! | `train/fit.rs` | [`DualSpace`](crate::space::DualSpace): kernel values for each visit | [`BlockDualSpace`]: running scores, brought up to date block by block |
//!
//! Below it lie the arithmetic for registers (`simd`) and the kernel values of many rows (`kernel/panel.rs`, `tile.rs`,
//! `spread.rs`), which the same feature turns off.

mod dual_space;
mod epoch;
#[cfg(target_arch = "x86_64")]
mod register_epoch;
mod row_norms;
mod scan;
mod skip_rows;

pub(crate) use dual_space::BlockDualSpace;
pub(crate) use epoch::{Pass, epoch};
pub(crate) use skip_rows::{rows_in_cache, skip_rows};

/// Visits that were made in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct VisitCounts {
    /// The position after them.
    until: usize,
    mistakes: u64,
    updates: u64,
}

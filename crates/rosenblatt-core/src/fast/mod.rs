//! Code that exists only for speed. Without this folder (the feature `fast`) every result is bit-for-bit identical.
//!
//! It has five entrances, each next to its definition:
//!
//! | place | by the definition | here |
//! |---|---|---|
//! | `train/epoch.rs` | visits one by one | [`epoch`]: inactive examples are skipped together, narrow rows are visited in registers, hyperplanes are visited in blocks on several threads |
//! | `train/joint.rs` | visits one by one | [`joint_epoch`]: inactive examples are skipped together |
//! | `evaluate/survey.rs` | every example separately | [`skip_rows`]: examples that change no count are skipped together |
//! | `space/primal.rs` | the bounds of each score separately | [`ScorePanel`]: those of one row by all hyperplanes together |
//! | `train/fit.rs` | [`DualSpace`](crate::space::DualSpace): kernel values for each visit | [`BlockDualSpace`]: running scores, updated block by block |
//!
//! The same feature turns off the arithmetic in wide registers (`simd`), the table of powers of a penalty (`options/powers.rs`) and the kernel values of many rows
//! (`kernel/panel.rs`, `tile.rs`, `spread.rs`), which this code uses.

mod dual_space;
mod epoch;
mod joint_epoch;
#[cfg(target_arch = "x86_64")]
mod register_epoch;
mod row_norms;
mod scan;
mod score_panel;
mod skip_rows;
mod unwatched;

pub(crate) use dual_space::BlockDualSpace;
pub(crate) use epoch::{Pass, epoch};
pub(crate) use joint_epoch::joint_epoch;
pub(crate) use score_panel::ScorePanel;
pub(crate) use skip_rows::{rows_in_cache, skip_rows};

/// The counts of visits made in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct VisitCounts {
    /// The position after the visits.
    until: usize,
    mistakes: u64,
    updates: u64,
}

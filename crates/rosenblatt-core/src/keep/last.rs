//! The last weights: those of the learner at the end of the run.

use super::{Keep, Keeper, Kept, Storage};

pub(super) static KEEPER: Keeper = Keeper {
    keep: Keep::Last,
    kept: Kept::Last,
    name: "last",
    words: "the last weights",
    title: "last weights",
    storage: Storage::Learner,
    is_compared: true,
};

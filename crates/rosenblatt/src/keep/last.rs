//! The last weights: those of the learner at the end of the run.

use super::{Keep, Keeper, Kept, KeptAs};

pub(super) static KEEPER: Keeper = Keeper {
    keep: Keep::Last,
    kept: Kept::Last,
    name: "last",
    words: "the last weights",
    title: "last weights",
    kept_as: KeptAs::Present,
    is_compared: true,
};

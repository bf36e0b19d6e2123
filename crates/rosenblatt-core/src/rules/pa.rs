//! The passive-aggressive rule without slack: a step brings the functional margin to 1 at once.

use super::{
    Rule, Step, Update,
    passive_aggressive::{self, MARGIN, loss_over_norm},
};

pub(super) static RULE: Rule = Rule {
    name: "pa",
    label: "passive-aggressive",
    words: passive_aggressive::WORDS,
    parameter: None,
    step: Step::Own(|input, _, _| loss_over_norm(input, 0.0)),
    symbol: "τ",
    precise: None,
    inactive_above: |_| MARGIN,
    ends_despite_updates: true,
    takes_learning_rate: false,
    keeps_last: false,
    takes_weights: false,
    novikoff: None,
    without_bound: Some(passive_aggressive::WITHOUT_BOUND),
};

impl Update {
    /// If the hinge loss `l = max(0, 1 − y·s)` is positive, steps by `l / ‖x‖²`, which raises the functional margin to
    /// 1.
    pub const PA: Update = Update::new(&RULE, 0.0);
}

//! Rosenblatt's rule: on a mistake the weights move by the learning rate.
//!
//! F. Rosenblatt, *Psychological Review* 65, 1958. Each update raises `y·s` of its example by η(‖x‖² + B), where B is
//! the bias unit. A run from zero makes at most R²/γ² updates (Novikoff 1962).

use super::{Rule, Step, Update};

pub(super) static RULE: Rule = Rule {
    name: "perceptron",
    label: "perceptron",
    words: "on each mistake",
    parameter: None,
    step: Step::OnMistake,
    symbol: "η",
    precise: None,
    inactive_above: |_| 0.0,
    ends_despite_updates: false,
    takes_learning_rate: true,
    keeps_last: false,
    takes_weights: true,
    novikoff: Some(|_| 0.0),
    without_bound: None,
};

impl Update {
    /// Rosenblatt's rule: on a mistake, steps by the learning rate.
    pub const PERCEPTRON: Update = Update::new(&RULE, 0.0);
}

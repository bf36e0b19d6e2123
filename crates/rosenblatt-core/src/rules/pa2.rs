//! PA-II: the passive-aggressive step with a softer norm. Weights of classes and examples multiply C.

use super::{
    Parameter, Rule, Step, Update,
    passive_aggressive::{self, MARGIN, loss_over_norm},
};

pub(super) static RULE: Rule = Rule {
    name: "pa2",
    label: "passive-aggressive II",
    words: passive_aggressive::WORDS,
    parameter: Some(Parameter::Aggressiveness),
    step: Step::Own(|input, c, rate| loss_over_norm(input, 1.0 / (2.0 * c * rate))),
    symbol: "τ",
    precise: None,
    inactive_above: |_| MARGIN,
    ends_despite_updates: true,
    takes_learning_rate: false,
    keeps_last: false,
    takes_weights: true,
    novikoff: None,
    without_bound: Some(passive_aggressive::WITHOUT_BOUND),
};

impl Update {
    /// Steps by `l / (‖x‖² + 1/(2C))`, C > 0.
    pub const fn pa2(c: f64) -> Self {
        Update::new(&RULE, c)
    }
}

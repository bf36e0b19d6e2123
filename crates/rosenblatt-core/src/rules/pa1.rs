//! PA-I: the passive-aggressive step, at most C. Weights of classes and examples multiply C.

use super::{
    Parameter, Rule, Step, Update,
    passive_aggressive::{self, MARGIN, loss_over_norm},
};

pub(super) static RULE: Rule = Rule {
    name: "pa1",
    label: "passive-aggressive I",
    words: passive_aggressive::WORDS,
    parameter: Some(Parameter::Aggressiveness),
    step: Step::Own(|input, c, rate| loss_over_norm(input, 0.0).map(|step| step.min(c * rate))),
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
    /// Steps by `min(C, l / ‖x‖²)`, C > 0.
    pub const fn pa1(c: f64) -> Self {
        Update::new(&RULE, c)
    }
}

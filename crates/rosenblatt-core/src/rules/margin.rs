//! The perceptron with margin: if the functional margin is at most M, the weights move by the learning rate.
//!
//! W. Krauth & M. Mézard, *J. Phys. A* 20, 1987; Li et al., *The perceptron algorithm with uneven margins*, 2002. An
//! update increases ‖w‖² by at most η²R² + 2ηM, so a run from zero makes at most (R² + 2M/η)/γ² updates.

use super::{Parameter, Rule, Step, Update};

pub(super) static RULE: Rule = Rule {
    name: "margin",
    label: "with margin",
    words: "while the functional margin is at most M",
    parameter: Some(Parameter::Margin),
    step: Step::WithinMargin,
    symbol: "η",
    precise: None,
    inactive_above: |margin| margin,
    ends_despite_updates: false,
    takes_learning_rate: true,
    keeps_last: false,
    takes_weights: true,
    novikoff: Some(|margin| margin),
    without_bound: None,
};

impl Update {
    /// Moves the weights by the learning rate if the functional margin is at most `margin` ≥ 0.
    pub const fn margin(margin: f64) -> Self {
        Update::new(&RULE, margin)
    }
}
